"""Ditto (UT-Austin-RPL/Ditto @ f69579f, ``src/utils/joint_estimation.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metric.arrays import validated
from metric.errors import MetricError
from metric.protocols.geometry import (
    FIXED,
    NO_ORIGIN,
    TYPES_DIFFER,
    UNBOUNDED,
    Floats,
    Joints,
    axis_angle,
    dot,
    line_distance,
    norm,
)
from metric.protocols.result import ComponentErrors, score

_BRANCH = 0.001  # rad: as published, axes closer than this count as parallel


@dataclass(frozen=True, kw_only=True)
class DittoErrors(ComponentErrors):
    """Scores of Ditto. The two observed states are the limits.

    As published: arccos without clamping (NaN for about a fifth of perfect axes), the axis error of a prismatic joint
    left in radians, moments of parallel axes subtracted without the sign, the head chosen by the true type.
    """

    protocol = "ditto"
    source = "Ditto, eval_joint_r and eval_joint_p"

    type: int = score("0/1", "1 where one joint turns and the other slides")
    axis: float = score("deg", "angle between the axes up to sign", published_unit="deg; prismatic: rad")
    origin: float = score("m", "distance of the lines; turning joints only")
    rotation: float = score("deg", "difference of the travelled angles")
    translation: float = score("m", "difference of the travelled lengths")


def evaluate(truth: Joints, prediction: Joints, mode: str, single: bool) -> DittoErrors:
    """Scores of N pairs."""
    published = mode == "as_published"
    different = truth.slides != prediction.slides
    fixed = truth.fixed | prediction.fixed
    unbounded = truth.unbounded | prediction.unbounded
    rules = [(fixed, FIXED), *([] if published else [(different, TYPES_DIFFER)])]
    axis, flipped = _axis_error(prediction.axis, truth.axis, truth.slides, published)
    travel = np.abs(truth.travel - np.where(flipped, -1.0, 1.0) * prediction.travel)
    return DittoErrors.build(
        mode,
        single,
        {
            "type": (different | (truth.fixed != prediction.fixed), []),
            "axis": (axis, rules),
            "origin": (_pivot_error(truth, prediction, published), [*rules, (truth.slides, NO_ORIGIN)]),
            "rotation": (np.degrees(travel), [*rules, (truth.slides, "prismatic"), (unbounded, UNBOUNDED)]),
            "translation": (travel, [*rules, (truth.turns, "not prismatic"), (unbounded, UNBOUNDED)]),
        },
    )


def median_axis(votes: Any, kind: str, mode: str = "corrected") -> Floats:
    """Axis that Ditto predicts from the votes of points: component-wise median (revolute) or mean (prismatic).

    Parameters
    ----------
    votes : array_like, shape (n, 3)
        Unit vectors.
    kind
        ``revolute`` or ``prismatic``.
    mode
        ``as_published`` leaves the result as it is; ``corrected`` normalises it.

    Examples
    --------
    >>> spread = [[np.sin(0.3), 0, np.cos(0.3)], [-np.sin(0.3), 0, np.cos(0.3)]]
    >>> median_axis(spread, "revolute", "as_published").round(6)
    array([0.      , 0.      , 0.955336])
    """
    (votes,) = validated(votes=(votes, (3,)))
    if kind not in ("revolute", "prismatic"):
        raise MetricError(f"kind: expected revolute or prismatic, got {kind!r}")
    axis = np.median(votes, axis=-2) if kind == "revolute" else np.mean(votes, axis=-2)
    return axis if mode == "as_published" else axis / norm(axis)


def axis_error(predicted: Any, true: Any, kind: str, mode: str = "corrected") -> float:
    """Axis score of one joint for a predicted axis of any length: degrees; as published, radians if prismatic."""
    a, b = validated(predicted=(predicted, (3,)), true=(true, (3,)))
    return float(_axis_error(a, b, np.asarray(kind == "prismatic"), mode == "as_published")[0])


def _axis_error(a: Floats, b: Floats, slides: Any, published: bool) -> tuple[Floats, Any]:
    """Axis score, and whether the opposite axis is the closer one."""
    if not published:
        return np.degrees(axis_angle(a, b)), dot(a, b) < 0
    with np.errstate(invalid="ignore"):
        angle, opposite = np.arccos(dot(a, b)), np.arccos(-dot(a, b))
    least = np.minimum(angle, opposite)
    return np.where(slides, least, np.degrees(least)), opposite < angle


def _pivot_error(truth: Joints, prediction: Joints, published: bool) -> Floats:
    a, b = prediction.axis, truth.axis
    if not published:
        return line_distance(prediction.origin - truth.origin, a, b)
    moment_a, moment_b = np.cross(prediction.origin, a), np.cross(truth.origin, b)
    parallel = norm(np.cross(b, moment_a - moment_b))
    with np.errstate(divide="ignore", invalid="ignore"):
        angle = np.minimum(np.arccos(dot(a, b)), np.arccos(-dot(a, b)))
        skew = np.abs(dot(b, moment_a) + dot(a, moment_b)) / norm(np.cross(b, a))
        return np.where(np.abs(angle) < _BRANCH, parallel, skew)
