"""The submission checker: everything that is wrong with a folder of predictions, at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simcheck.asset import ReadOptions
from simcheck.benchmarking.objects import find_objects
from simcheck.errors import SimcheckError, UsageError
from simcheck.formats import load_prediction


def check_submission(
    ground_truth: Path,
    predictions: Mapping[str, Path],
    read: ReadOptions | None = None,
    *,
    format_name: str | None = None,
    limits_may_be_missing: bool = False,
) -> list[dict[str, Any]]:
    """One problem an entry: ``{"severity", "method", "object", "file", "problem", "message"}``, in order of objects.

    Errors: missing, unknown (no such true object), ambiguous, broken, empty. Warnings: what reading the file voices.
    """
    truths, _ = find_objects(ground_truth, (".urdf",))
    if not truths:
        raise UsageError(f"{ground_truth}: no URDF file of a true object")
    problems: list[dict[str, Any]] = []
    for method, folder in predictions.items():
        clear, claimed = find_objects(folder)
        for name in sorted({*truths, *clear, *claimed}):
            path = clear.get(name) or next(iter(claimed.get(name, ())), None)
            about = {"method": method, "object": name, "file": None if path is None else str(path)}
            if name in claimed:
                found = [_error("ambiguous", f"several files: {', '.join(p.name for p in claimed[name])}")]
            elif path is None:
                found = [_error("missing", "no prediction for this object")]
            elif name not in truths:
                found = [_error("unknown", "there is no true object of this name")]
            else:
                found = _read(path, read, format_name, limits_may_be_missing)
            problems += [{**about, **problem} for problem in found]
    return problems


def _read(
    path: Path, read: ReadOptions | None, format_name: str | None, limits_may_be_missing: bool
) -> list[dict[str, str]]:
    try:
        guess = load_prediction(path, format_name, read, limits_may_be_missing=limits_may_be_missing)
    except SimcheckError as error:
        return [_error("broken", str(error))]
    if not guess.object.movable_joints:
        return [_error("empty", "no movable joint")]
    told = dict.fromkeys(f"{w.element}: {w.message}" for w in (*guess.warnings, *guess.object.all_warnings))
    return [{"severity": "warning", "problem": "suspicious", "message": message} for message in told]


def _error(problem: str, message: str) -> dict[str, str]:
    return {"severity": "error", "problem": problem, "message": message}
