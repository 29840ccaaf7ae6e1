"""Which files of a folder are which objects, and what is wrong with a submission."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from simcheck.errors import UsageError

Item = TypeVar("Item")

_GENERIC = (
    "mobility",
    "object",
    "model",
    "robot",
    "prediction",
    "pred",
)  # file names that say nothing: the folder does
_SUFFIXES = (".urdf", ".json", ".npz")
_NOT_OBJECTS = ("meta.json", "manifest.json", "settings.json", "summary.json", "semantics.json")


def find_objects(root: Path, suffixes: tuple[str, ...] = _SUFFIXES) -> tuple[dict[str, Path], dict[str, list[Path]]]:
    """Objects of a folder by id, and the ids that several files claim.

    An id is the path below the folder without its suffix; a file called ``mobility``, ``object``, ``model``, ``robot``
    or ``prediction`` lends its folder's name.

    Raises
    ------
    UsageError    not a folder
    """
    if not root.is_dir():
        raise UsageError(f"{root}: not a folder")
    found: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() in suffixes and path.name not in _NOT_OBJECTS and path.is_file():
            found.setdefault(object_id(path, root), []).append(path)
    clear: dict[str, Path] = {}
    claimed: dict[str, list[Path]] = {}
    for name, paths in found.items():
        urdfs = [p for p in paths if p.suffix.lower() == ".urdf"]
        best = urdfs if len(urdfs) == 1 else paths  # a URDF beside the JSON it was made from
        if len(best) == 1:
            clear[name] = best[0]
        else:
            claimed[name] = paths
    return clear, claimed


def object_id(path: Path, root: Path) -> str:
    """Id of a file below a folder."""
    relative = path.relative_to(root).with_suffix("")
    named = relative.parent if relative.name.lower() in _GENERIC and relative.parent != Path() else relative
    return named.as_posix()


def super_category(path: Path, name: str) -> str:
    """Category of a true object: from ``meta.json`` beside it, else the first folder of its id, else ``all``."""
    meta = path.with_name("meta.json")
    if meta.is_file():
        try:
            data: Any = json.loads(meta.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            data = None
        if isinstance(data, Mapping):
            for key in ("super_category", "model_cat", "category"):
                if isinstance(data.get(key), str):
                    return str(data[key])
    first, separator, _ = name.partition("/")
    return first if separator else "all"


def sample(items: Sequence[Item], limit: int | None, seed: int) -> list[Item]:
    """So many of the items, drawn by the seed, in their order; all of them without a limit.

    Raises
    ------
    UsageError    a limit below 1
    """
    if limit is not None and limit < 1:
        raise UsageError(f"--limit: expected at least 1, got {limit}")
    if limit is None or limit >= len(items):
        return list(items)
    chosen = np.random.default_rng(seed).choice(len(items), size=limit, replace=False)
    return [items[k] for k in sorted(chosen)]


def named_folders(values: list[str]) -> dict[str, Path]:
    """``NAME=DIR`` options; a bare folder takes its own name."""
    folders: dict[str, Path] = {}
    for value in values:
        name, separator, folder = value.partition("=")
        path = Path(folder if separator else value)
        name = name if separator else path.name
        if not path.is_dir():
            raise UsageError(f"--pred {value}: {path} is not a folder")
        if name in folders:
            raise UsageError(f"--pred {value}: two methods are called {name!r}")
        folders[name] = path
    if not folders:
        raise UsageError("--pred NAME=DIR: name at least one folder of predictions")
    return folders
