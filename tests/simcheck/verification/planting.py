"""Planting over many objects, and what `verify` says of each plant."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from planter import KINDS, Expected, Plant
from planter_model import Urdf
from variations import varied

from simcheck.verification.batch import examine_all
from simcheck.verification.examination import Checks
from simcheck.verification.finding import FileReport

STOPS = ("45", "46", "47", "48", "49", "50", "56b", "57b")  # structure, or nothing that can be parsed: others hide
RENAMES = ("56",)  # the first of two plants would be found under another name
DRAWS = 6  # a draw that would do nothing is drawn again so often


@dataclass(frozen=True, eq=False)
class Planted:
    """A plant in a file."""

    kind: str
    source: str
    path: Path
    plant: Plant
    redrawn: int


@dataclass
class Tally:
    """What became of one kind; counts of plants by class."""

    planted: int = 0
    redrawn: int = 0
    visible: dict[str, int] = field(default_factory=dict)
    caught: int = 0  # some finding with the right code
    exact: int = 0  # on the right element
    invisible: int = 0
    crashes: int = 0  # of class N: a file that cost its process or a check of ours
    errors: int = 0  # of class N: findings of severity error
    missed: list[str] = field(default_factory=list)

    @property
    def seen(self) -> int:
        """Plants that must be caught."""
        return sum(self.visible.values())

    @property
    def right(self) -> bool:
        """All visible ones caught exactly, and nothing wrong said of the others."""
        return self.exact == self.seen and not self.crashes and not self.errors


def variants(sources: Sequence[Path], count: int, folder: Path, seed: int) -> list[Path]:
    """So many objects made of the sources, with their meshes beside them."""
    written = []
    for k in range(count):
        source = sources[k % len(sources)]
        home = folder / f"{k:04d}_{source.stem}"
        home.mkdir(parents=True)
        if (source.parent / "meshes").is_dir():
            shutil.copytree(source.parent / "meshes", home / "meshes")
        path = home / f"{source.stem}.urdf"
        path.write_text(varied(Urdf.read(source), np.random.default_rng([seed, k])).text)
        written.append(path)
    return written


def plants(sources: Iterable[Path], kinds: Sequence[str], folder: Path, seed: int) -> Iterator[Planted]:
    """One plant of each kind in each object that has a place for it, each in a folder of its own."""
    for k, source in enumerate(sources):
        yield from plants_in(k, source, kinds, folder, seed)


def plants_in(k: int, source: Path, kinds: Sequence[str], folder: Path, seed: int) -> list[Planted]:
    """The plants in one object, the k-th."""
    urdf, found = Urdf.read(source), []
    for name in kinds:
        number = list(KINDS).index(name)
        random = np.random.default_rng([seed, k, number])
        for draw in range(DRAWS):
            plant = KINDS[name](urdf, random)
            if plant is not None:
                path = write(plant, source, folder / f"{k:04d}_{source.stem}" / f"{number:02d}")
                # The tree has done its work, and cannot be sent to another process.
                found.append(Planted(name, str(source), path, replace(plant, urdf=None, files={}), draw))
                break
    return found


def write(plant: Plant, source: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if (source.parent / "meshes").is_dir():
        shutil.copytree(source.parent / "meshes", folder / "meshes", dirs_exist_ok=True, copy_function=_linked)
    for name, content in plant.files.items():
        (folder / name).write_bytes(content)
    path = folder / f"{source.stem}.urdf"
    path.write_bytes(plant.text)
    return path


def pairs(sources: Iterable[Path], folder: Path, seed: int) -> Iterator[tuple[Planted, Expected]]:
    """Two plants in one file: the second, and what must be found of the first.

    Both of class F or S and on different elements; none of them ends the check of a file.
    """
    for k, source in enumerate(sources):
        urdf, random = Urdf.read(source), np.random.default_rng([seed, k])
        first = _drawn(urdf, random, Expected(frozenset(), frozenset()))
        if first is None or first[1].urdf is None:
            continue
        second = _drawn(first[1].urdf, random, first[1].expected)
        if second is not None:
            both = replace(second[1], files=first[1].files | second[1].files)
            path = write(both, source, folder / f"{k:04d}_{source.stem}")
            yield Planted(f"{first[0]} + {second[0]}", str(source), path, both, 0), first[1].expected


def _drawn(urdf: Urdf, random: np.random.Generator, taken: Expected) -> tuple[str, Plant] | None:
    """A plant of class F or S on another element than those taken."""
    others = (*STOPS, "59", *(RENAMES if taken.elements else ()))
    names = [name for name in KINDS if name.split()[0] not in others]
    for number in random.permutation(len(names)):
        name = names[int(number)]
        try:
            plant = KINDS[name](urdf, random)
        except (KeyError, ValueError, AttributeError):
            continue  # the first plant has taken away what this one needs
        if plant is None or plant.visible not in ("F", "F+S", "S") or (not taken.elements and plant.urdf is None):
            continue
        owners = [" ".join(e.split(" ")[:2]) for e in (*plant.expected.elements, *taken.elements)]
        if len(set(owners)) == len(owners):
            return name, plant
    return None


def found(expected: Expected, report: FileReport) -> bool:
    """Whether one of the codes stands on one of the elements."""
    return any(f.code in expected.codes and f.element in expected.elements for f in report.findings)


def _linked(source: str, target: str) -> None:
    """A second name of the same file, where the disk allows it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def examined(planted: Sequence[Planted], checks: Checks, workers: int = 1) -> dict[str, Tally]:
    """The tally of each kind."""
    tallies: dict[str, Tally] = {}
    reports = examine_all([str(p.path) for p in planted], checks, workers=workers, timeout=60)
    for item, report in zip(planted, reports, strict=True):
        judge(item, report, tallies.setdefault(item.kind, Tally()))
    return tallies


def judge(item: Planted, report: FileReport, tally: Tally) -> None:
    """Add one plant to the tally of its kind."""
    tally.planted += 1
    tally.redrawn += item.redrawn
    expected, visible = item.plant.expected, item.plant.visible
    if visible == "N":
        tally.invisible += 1
        lost = {"SIM_CRASHED", "SIM_TIMEOUT", "CHECK_FAILED", "COPY_DIFFERS"}
        tally.crashes += any(f.code in lost for f in report.findings)
        tally.errors += bool(report.errors)
        if report.errors:
            tally.missed.append(f"{item.path}: {report.errors[0]}")
        return
    tally.visible[visible] = tally.visible.get(visible, 0) + 1
    tally.caught += any(f.code in expected.codes for f in report.findings)
    exact = found(expected, report)
    tally.exact += exact
    if not exact:
        tally.missed.append(f"{item.path}: wanted {sorted(expected.codes)} on {sorted(expected.elements)}")
