"""What PARIS, DigitalTwinArt and Ditto have in common: motions of parts between two observed states."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simcheck.errors import AssetError, AssetWarning
from simcheck.formats.assembly import BASE, PartJoint, assemble_list
from simcheck.formats.degrees import radians
from simcheck.formats.source import Reading, Source


@dataclass(frozen=True)
class Motion:
    """How one part moves against the static part; coordinates in degrees or rad (revolute) or m (prismatic)."""

    kind: str  # revolute or prismatic
    axis: tuple[float, ...]
    origin: tuple[float, ...]
    states: tuple[float, float] | None  # coordinate at the first and at the second state, None where not given
    in_degrees: bool = True


def two_state_reading(
    source: Source, motions: Sequence[Motion], zero: str, warnings: Sequence[AssetWarning] = ()
) -> Reading:
    """The reading of some motions; ``zero`` says in words which pose has coordinate 0.

    Raises
    ------
    AssetError     there is no motion
    """
    if not motions:
        raise AssetError(source.file, "an empty list: no motion in the file", code="FORMAT_EMPTY")
    notes = list(warnings)
    joints = [_joint(motion, k, source.file, zero, notes) for k, motion in enumerate(motions)]
    return assemble_list(source, source.path.stem, joints, notes)


def name_of(index: int) -> str:
    """Name of the joint of a motion."""
    return f"joint_{index}"


def _joint(motion: Motion, index: int, file: str, zero: str, notes: list[AssetWarning]) -> PartJoint:
    name = name_of(index)
    limits = None
    if motion.states is not None:
        element = f"joint {name!r}"
        limits = (min(motion.states), max(motion.states))
        if motion.kind == "revolute" and motion.in_degrees:
            limits = radians(*limits, file, element, notes)
        shown = _shown(motion.kind, limits)
        message = f"its limits {shown} are the two observed states, not the ends of its travel; 0 is {zero}"
        notes.append(AssetWarning(file, element, message, "FORMAT_ASSUMED"))
    return PartJoint(name, motion.kind, BASE, f"part_{index}", motion.axis, motion.origin, limits)


def _shown(kind: str, limits: tuple[float, float]) -> str:
    if kind == "revolute":
        return f"{math.degrees(limits[0]):.6g}° … {math.degrees(limits[1]):.6g}°"
    return f"{limits[0]:.6g} … {limits[1]:.6g} m"
