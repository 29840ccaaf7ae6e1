"""Articulate-Anything (vlongle/articulate-anything @ 1edb4b4, ``articulate_anything/utils/metric.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metric.protocols.geometry import (
    FIXED,
    UNBOUNDED,
    Flags,
    Floats,
    Joints,
    axis_angle,
    dot,
    line_distance,
    norm,
)
from metric.protocols.real2code import skew_distance
from metric.protocols.result import ComponentErrors, score
from metric.protocols.template import direction_difference

AXIS_TOLERANCE = 0.25  # rad
ORIGIN_TOLERANCE = 0.05  # m; as published for the mean of metres and radians
DIRECTION_TOLERANCE = 1.0
RANGE_TOLERANCE = 1.6057  # 92 degrees; as published for metres too


@dataclass(frozen=True, kw_only=True)
class ArticulateAnythingErrors(ComponentErrors):
    """Scores of Articulate-Anything.

    The limits are those of the prediction as written or of its reversed encoding, whichever points more the true way:
    a reversed encoding costs nothing, and neither does a door that opens the wrong way. A prismatic joint is excused
    from origin and limits.

    As published: Real2Code's fallback for parallel axes, a continuous joint's origin by |p| and its limits as (0, 0),
    success by the mean of metres and radians, and a score that is not a number passes. Corrected: the true distance
    of the lines, success by metres alone, and an undefined score fails.
    """

    protocol = "articulate_anything"
    source = "Articulate-Anything, compute_joint_diff and compute_joint_diff_score"

    type: int = score("0/1", "1 where the types differ")
    axis: float = score("rad", "angle between the axes up to sign")
    origin: float = score("m", "distance of the lines for a true hinge, else of the points")
    orientation: float = score("rad", "angle between the joint frames, as given")
    limit_range: float = score(
        "rad or m", "length of the difference of m = a (upper - lower)", published_unit="rad, m or both mixed"
    )
    limit_direction: float = score("1", "1 - cosine of the angle between the m, [0, 1] after the flip")
    success: int = score("0/1", "every score within its tolerance", lower_is_better=False)


def evaluate(
    truth: Joints, prediction: Joints, mode: str, single: bool, orientation: Any = 0.0
) -> ArticulateAnythingErrors:
    """Scores of N pairs; orientation is the angle between the joints' frames, rad."""
    published = mode == "as_published"
    a, b, offset = prediction.axis, truth.axis, truth.origin - prediction.origin
    fixed = truth.fixed | prediction.fixed
    different = truth.kind != prediction.kind
    orientation = np.broadcast_to(np.asarray(orientation, dtype=float), different.shape)
    if published:
        axis = np.arccos(np.clip(dot(a, b), -1, 1))
        axis = np.minimum(axis, np.pi - axis)
        origin = np.where(truth.kind == "revolute", skew_distance(offset, b, a), norm(offset))
        spans = [np.where(j.kind == "continuous", 0.0, j.travel) for j in (truth, prediction)]
    else:
        axis = axis_angle(a, b)
        origin = np.where(truth.turns, line_distance(offset, a, b), norm(offset))
        spans = [truth.travel, prediction.travel]
    limit_range, limit_direction = _limits(b, a, *spans)
    if published:
        success = _published_success(different, axis, (origin + orientation) / 2, limit_direction, limit_range, truth)
    else:
        within = (limit_direction <= DIRECTION_TOLERANCE) & (limit_range <= RANGE_TOLERANCE)
        within &= origin <= ORIGIN_TOLERANCE
        success = ~different & (truth.fixed | ((axis <= AXIS_TOLERANCE) & (truth.slides | within)))
    unbounded = np.isnan(spans[0]) | np.isnan(spans[1])
    rules = [(fixed, FIXED), (unbounded, UNBOUNDED)]
    mixed = [] if published else [(truth.slides != prediction.slides, "units differ")]
    return ArticulateAnythingErrors.build(
        mode,
        single,
        {
            "type": (different, []),
            "axis": (axis, [(fixed, FIXED)]),
            "origin": (origin, [(fixed, FIXED)]),
            "orientation": (orientation, []),
            "limit_range": (limit_range, [*rules, *mixed]),
            "limit_direction": (limit_direction, rules),
            "success": (success, []),
        },
    )


def _limits(a1: Floats, a2: Floats, span1: Floats, span2: Floats) -> tuple[Floats, Floats]:
    """Range and direction difference, for the prediction as written or reversed; ties go to reversed."""
    with np.errstate(invalid="ignore"):
        m1, m2 = a1 * span1[:, None], a2 * span2[:, None]
        directions = [_direction(m1, sign * m2, a1, sign * a2) for sign in (1.0, -1.0)]
        reverse = ~(directions[0] < directions[1])
        return (
            np.where(reverse, norm(m1 + m2), norm(m2 - m1)),
            np.where(reverse, directions[1], directions[0]),
        )


def _direction(m1: Floats, m2: Floats, a1: Floats, a2: Floats) -> Floats:
    """Direction difference; a zero range counts as its axis."""
    return direction_difference(*(np.where(norm(m)[:, None] > 0, m, a) for m, a in ((m1, a1), (m2, a2))))


def _published_success(
    different: Flags, axis: Floats, position: Floats, direction: Floats, span: Floats, truth: Joints
) -> Flags:
    """A score fails where it is *above* its tolerance, so one that is not a number passes."""
    limits = (position > ORIGIN_TOLERANCE) | (direction > DIRECTION_TOLERANCE) | (span > RANGE_TOLERANCE)
    excused = truth.slides  # a prismatic joint whose first failure is its origin or limit
    return np.asarray(~different & ~(axis > AXIS_TOLERANCE) & (excused | truth.fixed | ~limits))
