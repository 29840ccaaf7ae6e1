"""Everything about one file, in one process: read it, look at it, give it to the simulator. Runs in a worker."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from simcheck.asset import xml
from simcheck.asset.model import ReadOptions
from simcheck.errors import AssetError
from simcheck.verification.finding import FileReport, Finding, finding, from_error, ordered
from simcheck.verification.reading import Reading, read

if TYPE_CHECKING:
    from simcheck.engine.pybullet import PyBulletEngine


@dataclass(frozen=True)
class Checks:
    """What is looked at.

    Parameters
    ----------
    simulate
        Give the file to PyBullet.
    motor
        Press each joint against its limits.
    sweep
        Look for parts that pass through each other over the range of a joint.
    engine
        A second simulator beside PyBullet, for its opinion; empty for none.
    options
        How the file is read.
    """

    simulate: bool = True
    motor: bool = True
    sweep: bool = True
    engine: str = ""
    options: ReadOptions = field(default_factory=ReadOptions)


def examine(file: str, checks: Checks) -> FileReport:
    """All findings of one file; messages of the simulator are in what the process prints."""
    path = Path(file)
    lines: dict[str, int] = {}
    try:
        reading = read(path, xml.read_bytes(path), checks.options)
        lines = _lines(reading.raw)
        found = list(_findings(reading, checks))
    except AssetError as error:
        found = [from_error(error)]
    return FileReport(file, ordered(replace(f, file=file, line=_line(f, lines)) for f in found))


def _lines(root: etree._Element) -> dict[str, int]:
    """Line of each joint and link; of two with one name, the second: it is the one too many."""
    return {f"{e.tag} {e.get('name')!r}": e.sourceline for e in root.iterchildren("link", "joint") if e.sourceline}


def _line(found: Finding, lines: dict[str, int]) -> int | None:
    element = found.element
    if element.startswith("line "):
        return int(element[5:])
    for role in (" visual", " collision"):
        element = element.removesuffix(role)
    return lines.get(element)


def _findings(reading: Reading, checks: Checks) -> Iterable[Finding]:
    from simcheck.verification.joints import joint_findings, unit_findings
    from simcheck.verification.links import link_findings, solid_findings
    from simcheck.verification.meshes import mesh_findings
    from simcheck.verification.style import style_findings

    raw, claims, obj = reading.raw, reading.claims, reading.obj
    yield from reading.findings
    yield from _guarded("text", style_findings(reading.data, raw))
    yield from _guarded("joints", joint_findings(raw, claims))
    yield from _guarded("links", link_findings(raw, claims))
    if obj is not None:
        yield from _guarded("units", unit_findings(claims, obj))
        yield from _guarded("solids", solid_findings(claims, obj))
        yield from _guarded("meshes", mesh_findings(raw, obj))
    if checks.simulate:
        yield from _simulated(reading, checks)


def _guarded(name: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; a defect of ours in one check is a finding too and does not hide what the others find."""
    try:
        yield from findings
    except Exception as error:
        if os.environ.get("SIMCHECK_DEBUG"):
            raise
        yield finding("CHECK_FAILED", "", f"internal error in the check of {name}: {type(error).__name__}: {error}")


@cache
def _client() -> PyBulletEngine:
    """The one client of this process; it ends with it."""
    from simcheck.engine.pybullet import PyBulletEngine

    return PyBulletEngine()


def _simulated(reading: Reading, checks: Checks) -> Iterable[Finding]:
    from simcheck.engine import open_engine
    from simcheck.verification.simulation import second_opinion, simulator_findings, stage

    engine = _client()
    engine.reset()
    yield from _guarded("PyBullet", simulator_findings(reading, engine, motor=checks.motor))
    if checks.sweep and reading.obj is not None:
        from simcheck.verification.sweep import sweep_findings

        stage("looking for collisions")
        yield from _guarded("collisions", sweep_findings(reading.obj, engine, reading.claims.doubtful))
    if checks.engine:
        with open_engine(checks.engine) as other:
            yield from _guarded(checks.engine, second_opinion(reading, other))
