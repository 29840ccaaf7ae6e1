"""The objects that experiments work on: files and folders that were named, or a generated suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.experiment import Settings
from simcheck.asset import ArticulatedObject, load
from simcheck.asset.frames import placed
from simcheck.batch import Progress
from simcheck.benchmarking.objects import find_objects, object_id, super_category
from simcheck.errors import UsageError


@dataclass(frozen=True)
class ObjectFile:
    """One object: its name in the data, which does not depend on where its folder lies, and its file."""

    id: str
    path: str
    super_category: str

    def open(self, settings: Settings) -> ArticulatedObject:
        """The object, read and placed as the settings say."""
        return placed(load(self.path, settings.read), settings.origin)


def named_objects(paths: Sequence[Path]) -> list[ObjectFile]:
    """The objects of files and folders.

    Raises
    ------
    UsageError    a path without objects, or two objects of one name
    """
    found: dict[str, ObjectFile] = {}
    for path in paths:
        for name, file in _files_of(path).items():
            if name in found:
                raise UsageError(f"{path}: two objects are called {name!r}: {found[name].path} and {file}")
            found[name] = ObjectFile(name, str(file), super_category(file, name))
    return [found[name] for name in sorted(found)]


def _files_of(path: Path) -> dict[str, Path]:
    if path.is_file():
        return {object_id(path, path.parent): path}
    clear, claimed = find_objects(path, (".urdf",))
    if claimed:
        name, files = next(iter(claimed.items()))
        raise UsageError(f"{path}: several files claim the object {name!r}: {', '.join(f.name for f in files)}")
    if not clear:
        raise UsageError(f"{path}: no *.urdf file in this folder")
    return clear


def generated(folder: Path, objects: int, seed: int, workers: int, progress: Progress | None) -> list[ObjectFile]:
    """A standard suite, made in the folder or found there."""
    from simcheck.suite.generate import made_suite

    manifest = made_suite(folder, objects, seed, workers, progress).manifest
    places, groups = manifest["path"], manifest["super_category"]
    return [
        ObjectFile(place, str(folder / place / "mobility.urdf"), group)
        for place, group in zip(places, groups, strict=True)
    ]
