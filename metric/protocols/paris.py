"""PARIS (3dlg-hcvc/paris @ fcab60d, ``systems/criterions.py``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metric.protocols.geometry import (
    FIXED,
    NO_ORIGIN,
    TYPES_DIFFER,
    UNBOUNDED,
    Floats,
    Joints,
    axis_angle,
    line_distance,
    norm,
    relative_angle,
    rotation_matrix,
)
from metric.protocols.result import ComponentErrors, score


@dataclass(frozen=True, kw_only=True)
class ParisErrors(ComponentErrors):
    """Scores of PARIS; the type is given, not scored. The two observed states are the limits.

    As published: single precision, acos without clamping (NaN for two fifths of perfect axes), 0 for parallel lines
    however far apart, no axis where nothing turns, the true type applied to the prediction. (The doubling of prismatic
    travel in the released code depends on how the motion file was written; it is not applied.)
    """

    protocol = "paris"
    source = "PARIS, axis_metrics, geodesic_distance and translational_error"

    axis: float = score("deg", "angle between the axes up to sign")
    origin: float = score("m", "distance of the lines; turning joints only")
    rotation: float = score("deg", "angle between the rotations from one state to the other")
    translation: float = score("m", "distance between the translations from one state to the other")


def evaluate(truth: Joints, prediction: Joints, mode: str, single: bool) -> ParisErrors:
    """Scores of N pairs."""
    published = mode == "as_published"
    fixed = truth.fixed | prediction.fixed
    unbounded = truth.unbounded | prediction.unbounded
    different = truth.slides != prediction.slides
    rules = [(fixed, FIXED), *([] if published else [(different, TYPES_DIFFER)])]
    axis, origin, rotation = _published(truth, prediction) if published else _corrected(truth, prediction)
    translation = norm(prediction.axis * prediction.travel[:, None] - truth.axis * truth.travel[:, None])
    return ParisErrors.build(
        mode,
        single,
        {
            "axis": (axis, rules),
            "origin": (origin, [*rules, (truth.slides, NO_ORIGIN)]),
            "rotation": (rotation, [*rules, (truth.slides, "prismatic"), (unbounded, UNBOUNDED)]),
            "translation": (translation, [*rules, (truth.turns, "not prismatic"), (unbounded, UNBOUNDED)]),
        },
    )


def _corrected(truth: Joints, prediction: Joints) -> tuple[Floats, Floats, Floats]:
    offset = prediction.origin - truth.origin
    return (
        np.degrees(axis_angle(prediction.axis, truth.axis)),
        line_distance(offset, prediction.axis, truth.axis),
        np.degrees(relative_angle(*_turns(truth, prediction))),
    )


def _published(truth: Joints, prediction: Joints) -> tuple[Floats, Floats, Floats]:
    single = np.float32
    still = truth.turns & (prediction.travel == 0)
    a = np.where(still[:, None], 0.0, prediction.axis).astype(single)
    b, offset = truth.axis.astype(single), (truth.origin - prediction.origin).astype(single)
    normal = np.cross(a, b)
    length = np.linalg.norm(normal, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.abs(np.sum(a * b, axis=-1)) / (np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1))
        axis = np.degrees(np.arccos(cosine))
        distance = np.where(length == 0, 0, np.abs(np.sum(offset * normal, axis=-1)) / length)
    matrices = (rotation_matrix(turn).astype(single) for turn in _turns(truth, prediction))
    trace = np.einsum("nij,nij->n", *matrices)
    return axis, distance, np.degrees(np.arccos(np.clip((trace - 1) / 2, -1, 1)))


def _turns(truth: Joints, prediction: Joints) -> tuple[Floats, Floats]:
    """Rotation vectors from state to state; 0 for unbounded joints, whose score is undefined."""
    first, second = (j.axis * np.nan_to_num(j.travel)[:, None] for j in (prediction, truth))
    return first, second
