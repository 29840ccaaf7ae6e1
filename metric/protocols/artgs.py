"""ArtGS (``eval_axis_and_state``): DigitalTwinArt's scores, and the sum by which it matches joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metric.protocols.digital_twin_art import measure
from metric.protocols.geometry import FIXED, UNBOUNDED, Joints
from metric.protocols.result import ComponentErrors, score


@dataclass(frozen=True, kw_only=True)
class ArtgsErrors(ComponentErrors):
    """Scores of ArtGS; as published as in DigitalTwinArt.

    Joints are matched by the least sum of degrees, tenths of a metre and degrees or metres: `permutation_cost`, which
    has no unit and no corrected form.
    """

    protocol = "artgs"
    source = "ArtGS lineage, eval_axis_and_state"

    axis: float = score("deg", "angle between the axes up to sign")
    origin: float = score("m", "distance of the lines; turning joints only", published_unit="0.1 m")
    rotation: float = score("deg", "angle between the rotations from one state to the other")
    translation: float = score("m", "distance between the translations from one state to the other")
    permutation_cost: float = score("none", "axis + origin + rotation or translation")


def evaluate(truth: Joints, prediction: Joints, mode: str, single: bool) -> ArtgsErrors:
    """Scores of N pairs."""
    scores = measure(truth, prediction, mode)
    turning = scores["axis"][0] + scores["origin"][0] + scores["rotation"][0]
    total = np.where(truth.slides, scores["axis"][0] + scores["translation"][0], turning)
    rules = [
        (truth.fixed | prediction.fixed, FIXED),
        (truth.unbounded | prediction.unbounded, UNBOUNDED),
        (mode == "corrected", "a sum of degrees and metres"),
    ]
    return ArtgsErrors.build(mode, single, {**scores, "permutation_cost": (total, rules)})
