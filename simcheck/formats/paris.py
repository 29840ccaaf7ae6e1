"""PARIS: one or several parts that turn or slide between a start and an end state; z is up.

Two files: the true motion, ``trans.json`` (``trans_info`` with ``axis.o``, ``axis.d``, ``type`` and the coordinates
``l`` and ``r`` at start and end; DigitalTwinArt's data has a list of them), and the estimate ``…_motion.json``
(``type``, ``axis_o``, ``axis_d``, ``rot_angle`` or ``dist`` from start to end). Rotations are in degrees. The axis of
a slide is normalised; its distance counts in metres along it.
"""

from __future__ import annotations

from simcheck.errors import AssetError
from simcheck.formats.assembly import read_origin
from simcheck.formats.json_value import JsonValue
from simcheck.formats.source import Reading, Source
from simcheck.formats.two_states import Motion, two_state_reading

_KINDS = {"rotate": "revolute", "translate": "prismatic"}


def read(source: Source) -> Reading:
    """The motions of a PARIS file."""
    root = source.json
    given = root.get("trans_info")
    if given is not None:
        entries = given.items() if isinstance(given.raw, list) else [given]
        return two_state_reading(source, [_true_motion(e) for e in entries], "the zero of the file's coordinates")
    if root.get("axis_d") is None:
        raise AssetError(
            source.file,
            "no PARIS motion with one axis: neither trans_info nor axis_d",
            remedy="Of an se3 estimate write axis_o, axis_d and rot_angle (or dist) of the motion into a file.",
            code="FORMAT_EMPTY",
        )
    return two_state_reading(source, [_estimate(root)], "the start state")


def _true_motion(entry: JsonValue) -> Motion:
    word = entry["type"].choice(_KINDS)
    axis = entry["axis"]
    kind = _KINDS[word]
    ends = entry.get(word)
    left, right = (None, None) if ends is None else (ends.get("l"), ends.get("r"))
    states = None if left is None or right is None else (left.number(), right.number())
    origin = read_origin(axis, "o", kind)
    return Motion(kind, axis["d"].direction(), origin, states)


def _estimate(root: JsonValue) -> Motion:
    kind = _KINDS[root["type"].choice(_KINDS)]
    travel = root.get("rot_angle" if kind == "revolute" else "dist")
    origin = read_origin(root, "axis_o", kind)
    return Motion(kind, root["axis_d"].direction(), origin, None if travel is None else (0.0, _one_number(travel)))


def _one_number(value: JsonValue) -> float:
    """A number that PARIS may write as a list of one."""
    return value.vector(1)[0] if isinstance(value.raw, list) else value.number()
