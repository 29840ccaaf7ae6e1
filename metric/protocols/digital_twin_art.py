"""DigitalTwinArt (NVlabs/DigitalTwinArt @ 1a48b40, ``utils/articulation_utils.py``, ``eval/eval_results.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metric.protocols.geometry import (
    FIXED,
    NO_ORIGIN,
    TYPES_DIFFER,
    UNBOUNDED,
    Joints,
    axis_angle,
    dot,
    line_distance,
    norm,
    relative_angle,
    rotation_matrix,
)
from metric.protocols.result import ComponentErrors, score

_PARALLEL = 1e-6  # as published


@dataclass(frozen=True, kw_only=True)
class DigitalTwinArtErrors(ComponentErrors):
    """Scores of DigitalTwinArt; the true type is given, not scored. The two observed states are the limits.

    As published: arccos without clamping (NaN for about half of perfect axes) and ten times the line distance.
    """

    protocol = "digital_twin_art"
    source = "DigitalTwinArt, line_distance and eval_axis_and_state"

    axis: float = score("deg", "angle between the axes up to sign")
    origin: float = score("m", "distance of the lines; turning joints only", published_unit="0.1 m")
    rotation: float = score("deg", "angle between the rotations from one state to the other")
    translation: float = score("m", "distance between the translations from one state to the other")


def evaluate(truth: Joints, prediction: Joints, mode: str, single: bool) -> DigitalTwinArtErrors:
    """Scores of N pairs."""
    return DigitalTwinArtErrors.build(mode, single, measure(truth, prediction, mode))


def measure(truth: Joints, prediction: Joints, mode: str) -> dict[str, tuple[Any, list[Any]]]:
    """Scores and rules, shared with ArtGS."""
    published = mode == "as_published"
    fixed = truth.fixed | prediction.fixed
    unbounded = truth.unbounded | prediction.unbounded
    rules = [(fixed, FIXED), *([] if published else [(truth.slides != prediction.slides, TYPES_DIFFER)])]
    a, b, offset = prediction.axis, truth.axis, truth.origin - prediction.origin
    first, second = (j.axis * np.nan_to_num(j.travel)[:, None] for j in (prediction, truth))
    if published:
        normal = np.cross(a, b)
        sine = norm(normal)
        with np.errstate(divide="ignore", invalid="ignore"):
            angle = np.degrees(np.arccos(dot(a, b) / norm(a) / norm(b)))
            skew = np.abs(dot(offset, normal)) / sine
        axis = np.minimum(angle, 180 - angle)
        origin = 10 * np.where(sine < _PARALLEL, norm(np.cross(offset, a)), skew)
        trace = np.einsum("nij,nij->n", rotation_matrix(first), rotation_matrix(second))
        rotation = np.degrees(np.arccos(np.clip((trace - 1) / 2, -1, 1)))
    else:
        axis, origin = np.degrees(axis_angle(a, b)), line_distance(offset, a, b)
        rotation = np.degrees(relative_angle(first, second))
    return {
        "axis": (axis, rules),
        "origin": (origin, [*rules, (truth.slides, NO_ORIGIN)]),
        "rotation": (rotation, [*rules, (truth.slides, "prismatic"), (unbounded, UNBOUNDED)]),
        "translation": (norm(first - second), [*rules, (truth.turns, "not prismatic"), (unbounded, UNBOUNDED)]),
    }
