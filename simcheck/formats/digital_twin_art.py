"""DigitalTwinArt: ``*_motion.json``, one entry a moving part, each moving against the base between two states.

An entry has ``axis_direction``, ``axis_position`` (0 for a slide), ``theta`` (degrees, or metres of a slide),
``rotation`` and ``translation``. Its type is in ``joint_type``, if at all; else it is told from which of the two
motions, the rotation's or the translation's, the axis and theta describe. ``init_…`` files move from the start state
to the end state, ``last_…`` files back from the end state.
"""

from __future__ import annotations

import math

import numpy as np

from metric import Joint, exp
from simcheck.asset.model import FloatArray
from simcheck.errors import AssetWarning
from simcheck.formats.assembly import read_origin
from simcheck.formats.json_value import JsonValue
from simcheck.formats.source import Reading, Source
from simcheck.formats.two_states import Motion, name_of, two_state_reading

_KINDS = {"revolute": "revolute", "rotate": "revolute", "prismatic": "prismatic", "translate": "prismatic"}
_CLOSE = 1e-3  # DigitalTwinArt computes in single precision


def read(source: Source) -> Reading:
    """The motions of a DigitalTwinArt file."""
    root = source.json
    entries = root.items() if isinstance(root.raw, list) else [root]
    warnings: list[AssetWarning] = []
    motions = []
    for k, entry in enumerate(entries):
        motion = _motion(entry)
        motions.append(motion)
        message = _disagreement(entry, motion)
        if message:
            warnings.append(AssetWarning(source.file, f"joint {name_of(k)!r}", message, "FORMAT_CONTRADICTION"))
    return two_state_reading(source, motions, "the state that the motion starts from", warnings)


def _motion(entry: JsonValue) -> Motion:
    axis = entry["axis_direction"].direction()
    theta = entry.get("theta")
    kind = _kind(entry, np.array(axis), None if theta is None else theta.number())
    origin = read_origin(entry, "axis_position", kind)
    return Motion(kind, axis, origin, None if theta is None else (0.0, theta.number()))


def _kind(entry: JsonValue, axis: FloatArray, theta: float | None) -> str:
    word = entry.get("joint_type") or entry.get("type")
    if word is not None:
        return _KINDS[word.choice(_KINDS)]
    pose = _pose(entry)
    if pose is not None and theta is not None:
        direction = axis / np.linalg.norm(axis)
        turning = float(np.abs(_turned(np.zeros(3), direction, theta)[:3, :3] - pose[:3, :3]).max())
        sliding = float(np.linalg.norm(theta * direction - pose[:3, 3])) / (1 + abs(theta))
        # The better of the two: a slide of 0.05 m is also close to a turn of 0.05 degrees.
        if min(turning, sliding) < _CLOSE and turning != sliding:
            return "revolute" if turning < sliding else "prismatic"
    raise entry.error(
        "nothing says whether the part turns or slides",
        'Add "joint_type": "revolute" or "prismatic" to the entry.',
    )


def _pose(entry: JsonValue) -> FloatArray | None:
    """The motion as the file's own rotation and translation (4, 4), None where it has none."""
    rotation, translation = entry.get("rotation"), entry.get("translation")
    if rotation is None or translation is None:
        return None
    rows = rotation.items()
    if len(rows) != 3:
        raise rotation.error(f"3 rows expected, got {len(rows)}")
    pose = np.eye(4)
    pose[:3, :3] = [row.vector() for row in rows]
    pose[:3, 3] = translation.vector()
    return pose


def _turned(origin: FloatArray, direction: FloatArray, degrees: float) -> FloatArray:
    """Placement (4, 4) after a turn about a line."""
    joint = Joint("revolute", tuple(direction.tolist()), tuple(origin.tolist()))
    return np.asarray(exp(math.radians(degrees) * joint.screw))


def _disagreement(entry: JsonValue, motion: Motion) -> str:
    """What axis and theta say otherwise than the rotation and translation beside them, empty where they agree."""
    pose = _pose(entry)
    if pose is None or motion.states is None or motion.kind == "prismatic":
        return ""
    direction = np.array(motion.axis) / np.linalg.norm(motion.axis)
    placed = _turned(np.array(motion.origin), direction, motion.states[1])
    if np.abs(placed[:3, :3] - pose[:3, :3]).max() > _CLOSE:
        return "axis_direction and theta disagree with its rotation: taken as written"
    across = pose[:3, 3] - direction * (direction @ pose[:3, 3])
    off = float(np.linalg.norm(placed[:3, 3] - across))
    if off <= _CLOSE * (1 + float(np.linalg.norm(motion.origin))):
        return ""
    half = math.radians(motion.states[1]) / 2
    if abs(math.sin(half)) < _CLOSE:
        return ""
    line = 0.5 * (across + np.cross(direction, across) / math.tan(half))
    place = " ".join(f"{x:.4g}" for x in line)
    return (
        f"axis_position moves the part {off:.3g} m otherwise than its rotation and translation: taken as written "
        f"(those turn it about the line through {place})"
    )
