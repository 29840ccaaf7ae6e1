"""Real2Code (MandiZhao/real2code @ baa6d51, ``eval_utils/joint_eval.py``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metric.protocols.geometry import (
    FIXED,
    NO_ORIGIN,
    TYPES_DIFFER,
    Floats,
    Joints,
    axis_angle,
    dot,
    line_distance,
    norm,
)
from metric.protocols.result import ComponentErrors, score

_CLOSE = 1e-8  # tolerance of numpy.allclose against 0
_X, _Y = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, kw_only=True)
class Real2CodeErrors(ComponentErrors):
    """Scores of Real2Code; axis and origin only where the types agree (hinge or slide).

    As published: arccos without clamping, and for parallel axes the offset along one arbitrary perpendicular (0 or 1
    for hinges 1 m apart; NaN along -x).
    """

    protocol = "real2code"
    source = "Real2Code, compute_joint_error"

    type: int = score("0/1", "1 where one joint turns and the other slides")
    axis: float = score("deg", "angle between the axes up to sign")
    origin: float = score("m", "distance of the lines; hinges only")


def evaluate(truth: Joints, prediction: Joints, mode: str, single: bool) -> Real2CodeErrors:
    """Scores of N pairs."""
    a, b, offset = prediction.axis, truth.axis, truth.origin - prediction.origin
    different = (truth.slides != prediction.slides) | (truth.fixed != prediction.fixed)
    if mode == "as_published":
        with np.errstate(invalid="ignore"):
            cosine = dot(a, b) / (norm(a) * norm(b))
            axis = np.degrees(np.minimum(np.arccos(cosine), np.arccos(-cosine)))
        origin = skew_distance(offset, a, b)
    else:
        axis, origin = np.degrees(axis_angle(a, b)), line_distance(offset, a, b)
    rules = [(truth.fixed | prediction.fixed, FIXED), (different, TYPES_DIFFER)]
    return Real2CodeErrors.build(
        mode,
        single,
        {
            "type": (different, []),
            "axis": (axis, rules),
            "origin": (origin, [*rules, (truth.slides, NO_ORIGIN)]),
        },
    )


def skew_distance(offset: Floats, a: Floats, b: Floats) -> Floats:
    """``|p . W| / |W|`` with W = a x b, for parallel axes a x e1 (b x e2 if a is e1): as published."""
    normal = np.cross(a, b)
    along_x = np.all(np.abs(a - _X) <= _CLOSE + 1e-5 * np.abs(_X), axis=-1)
    instead = np.where(along_x[:, None], np.cross(b, _Y), np.cross(a, _X))
    normal = np.where(np.all(np.abs(normal) <= _CLOSE, axis=-1)[:, None], instead, normal)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.abs(dot(offset, normal)) / norm(normal)
