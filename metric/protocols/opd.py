"""OPD and S2O (3dlg-hcvc/s2o @ f28192b, ``opmotion/evaluation/evaluator.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metric.errors import MetricError
from metric.protocols.geometry import FIXED, NO_ORIGIN, Joints, axis_angle, dot, norm
from metric.protocols.result import ComponentErrors, score

AXIS_TOLERANCE = 5.0  # deg
ORIGIN_TOLERANCE = 0.1  # part diagonals


@dataclass(frozen=True, kw_only=True)
class OpdErrors(ComponentErrors):
    """Scores of OPD and S2O, the cleanest of the family.

    The two modes differ in the angle only: as published by an arccos clamped at 1, which has no digits below 1e-8 rad.
    """

    protocol = "opd"
    source = "S2O, Evaluator"

    axis: float = score("deg", "angle between the axes up to sign")
    origin: float = score("1", "distance of the predicted point from the true line over the part's diagonal")
    type_match: int = score("0/1", "M: types equal", lower_is_better=False)
    axis_match: int = score("0/1", "MA: M and axis < 5 deg", lower_is_better=False)
    origin_match: int = score("0/1", "MAO: MA and origin < 0.1; prismatic: MA", lower_is_better=False)


def evaluate(truth: Joints, prediction: Joints, mode: str, single: bool, diagonal: Any = None) -> OpdErrors:
    """Scores of N pairs; diagonal is that of the moved part's box, m."""
    a, b = prediction.axis, truth.axis
    fixed = truth.fixed | prediction.fixed
    if mode == "as_published":
        axis = np.degrees(np.arccos(np.minimum(np.abs(dot(a, b)), 1.0)))
    else:
        axis = np.degrees(axis_angle(a, b))
    size = np.broadcast_to(np.asarray(np.nan if diagonal is None else diagonal, dtype=float), axis.shape)
    if (size <= 0).any():
        raise MetricError(f"diagonal: expected a positive length, got {diagonal!r}")
    origin = norm(np.cross(prediction.origin - truth.origin, b)) / size
    type_match = (truth.slides == prediction.slides) & (truth.fixed == prediction.fixed)
    axis_match = type_match & (truth.fixed | (axis < AXIS_TOLERANCE))
    unknown = (np.isnan(size), "the part's diagonal is not given")
    return OpdErrors.build(
        mode,
        single,
        {
            "axis": (axis, [(fixed, FIXED)]),
            "origin": (origin, [(fixed, FIXED), (truth.slides, NO_ORIGIN), unknown]),
            "type_match": (type_match, []),
            "axis_match": (axis_match, []),
            "origin_match": (axis_match & (truth.fixed | truth.slides | (origin < ORIGIN_TOLERANCE)), []),
        },
    )
