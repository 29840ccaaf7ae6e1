"""The submission checker: everything that is wrong with a folder of predictions, at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simcheck.asset import ReadOptions
from simcheck.benchmarking.objects import find_objects
from simcheck.errors import SimcheckError
from simcheck.formats import load_prediction


def check_submission(
    ground_truth: Path, predictions: Mapping[str, Path], read: ReadOptions | None = None, *, limits_may_be_missing: bool
) -> list[dict[str, Any]]:
    """One problem an entry: ``{"method", "object", "file", "problem", "message"}``, in the order of the objects.

    Problems: missing, unknown (no such true object), ambiguous, broken, empty.
    """
    truths, _ = find_objects(ground_truth, (".urdf",))
    problems: list[dict[str, Any]] = []
    for method, folder in predictions.items():
        clear, claimed = find_objects(folder)
        for name in sorted({*truths, *clear, *claimed}):
            found = _problem(name, truths, clear, claimed, read, limits_may_be_missing)
            if found is not None:
                path = clear.get(name) or next(iter(claimed.get(name, ())), None)
                problems.append(
                    {"method": method, "object": name, "file": None if path is None else str(path), **found}
                )
    return problems


def _problem(
    name: str,
    truths: Mapping[str, Path],
    clear: Mapping[str, Path],
    claimed: Mapping[str, list[Path]],
    read: ReadOptions | None,
    limits_may_be_missing: bool,
) -> dict[str, str] | None:
    if name in claimed:
        return {"problem": "ambiguous", "message": f"several files: {', '.join(p.name for p in claimed[name])}"}
    if name not in clear:
        return {"problem": "missing", "message": "no prediction for this object"}
    if name not in truths:
        return {"problem": "unknown", "message": "there is no true object of this name"}
    try:
        guess = load_prediction(clear[name], None, read, limits_may_be_missing=limits_may_be_missing)
    except SimcheckError as error:
        return {"problem": "broken", "message": str(error)}
    if not guess.object.movable_joints:
        return {"problem": "empty", "message": "no movable joint"}
    return None
