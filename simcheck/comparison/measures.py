"""Numbers of joint pairs: distances, simulated and closed-form displacement, bound, component scores (SPEC 2, 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metric import (
    Body,
    Joint,
    KineticNorm,
    SplitNorm,
    joint_distance,
    linearization_bound,
    placement_discrepancy,
    swept_discrepancy,
)
from metric.discrepancy import twist_discrepancy
from metric.distance import compactify
from metric.norm import Norm
from metric.protocols import component_errors
from metric.sampling import lobatto
from simcheck.asset.frames import translation
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.engine import Placements, canonical, open_engine
from simcheck.engine.model import centre_of, fits
from simcheck.norms import OwnNorm

COMPONENTS = ("type", "axis", "origin", "origin_line", "limit_range", "limit_direction", "success", "success_literal")


@dataclass(frozen=True, eq=False)
class MotionPair:
    """Two motions in the world frame at rest, and the body that they are compared on."""

    ground_truth: Joint
    prediction: Joint
    body: Body | None
    ground_truth_joint: str | None  # the joint to drive in each object; None where the side is exactly fixed
    prediction_joint: str | None

    @property
    def bounded(self) -> bool:
        """Whether both joints have finite limits."""
        return self.ground_truth.bounded and self.prediction.bounded


def distances(
    pair: MotionPair, alpha: float, kappa: float, own: OwnNorm | None = None, size: float = 1.0
) -> tuple[dict[str, float | None], dict[str, bool]]:
    """E in every norm, with and without phi, and whether the swapped assignment of the ends is the nearer one.

    A norm of the user's adds ``E_norm`` and ``E_norm_phi``; it is asked for the pair's body and the object's size.
    """
    values: dict[str, float | None] = {}
    swapped: dict[str, bool] = {}
    norms: dict[str, Norm] = {"E_alpha": SplitNorm(alpha)}
    if pair.body is not None:
        norms["E_B"] = KineticNorm(pair.body)
        if own is not None:
            norms["E_norm"] = own.norm(pair.body, size, f"joint {pair.ground_truth_joint or pair.prediction_joint!r}")
    for name in ("E_alpha", "E_B", *(("E_norm",) if own is not None else ())):
        norm = norms.get(name)
        for suffix, scale in (("", None), ("_phi", kappa)):
            key = name + suffix
            if norm is None or (scale is None and not pair.bounded):
                values[key] = None
                continue
            ends = [_ends(joint, norm, scale) for joint in (pair.ground_truth, pair.prediction)]
            direct, other = (_assigned(ends[0], second, norm) for second in (ends[1], ends[1][::-1]))
            values[key], swapped[key] = min(direct, other), other < direct
    values["E_B_physical"] = None
    if pair.body is not None and pair.bounded:
        physical = KineticNorm(pair.body.physical())
        values["E_B_physical"] = joint_distance(pair.ground_truth, pair.prediction, physical)
    return values, swapped


def _ends(joint: Joint, norm: Norm, kappa: float | None) -> FloatArray:
    return joint.endpoints if kappa is None else np.asarray(compactify(joint.screw, joint.limits, norm, kappa))


def _assigned(first: FloatArray, second: FloatArray, norm: Norm) -> float:
    return float(np.linalg.norm(norm.whiten(first - second)))


def closed_form(pair: MotionPair) -> dict[str, Any]:
    """d, d_ends, d_sweep, which assignment d takes, and the bound, in closed form; None where undefined."""
    if pair.body is None or not pair.bounded:
        return dict.fromkeys(("d", "d_ends", "d_sweep", "d_swapped", "bound"))
    body = pair.body.physical()
    first, second = pair.ground_truth.endpoints, pair.prediction.endpoints
    direct, other = (np.asarray(twist_discrepancy(first, ends, body)) for ends in (second, second[::-1]))
    chosen = other if np.linalg.norm(other) < np.linalg.norm(direct) else direct
    bound = linearization_bound(pair.ground_truth, pair.prediction, body)
    return {
        "d": float(np.linalg.norm(chosen)),
        "d_ends": chosen.tolist(),
        "d_sweep": swept_discrepancy(pair.ground_truth, pair.prediction, body),
        "d_swapped": bool(chosen is other),
        "bound": list(bound),
    }


def simulated(
    ground_truth: ArticulatedObject, prediction: ArticulatedObject, pairs: Sequence[MotionPair], steps: int, engine: str
) -> list[dict[str, Any]]:
    """d, d_ends and d_sweep of the pairs from the simulator, both objects driven (runs in a worker)."""
    chosen = [pair for pair in pairs if pair.body is not None and pair.bounded]
    nodes, weights = lobatto(steps)
    centre = centre_of(ground_truth)
    moved = []
    for obj, side in ((ground_truth, "ground_truth"), (prediction, "prediction")):
        targets = [(getattr(p, f"{side}_joint"), getattr(p, side)) for p in chosen]
        moved.append(_swept_placements(obj, targets, nodes, centre, ground_truth.size, engine))
    shift = translation(-centre)
    results = []
    for k, pair in enumerate(chosen):
        assert pair.body is not None
        results.append(_from_placements(moved[0][k], moved[1][k], pair.body.physical().transformed(shift), weights))
    found = iter(results)
    return [next(found) if pair.body is not None and pair.bounded else {} for pair in pairs]


def _swept_placements(
    obj: ArticulatedObject,
    targets: Sequence[tuple[str | None, Joint]],
    nodes: FloatArray,
    centre: FloatArray,
    size: float,
    engine_name: str,
) -> list[FloatArray]:
    """Placements (steps, 4, 4) of the driven joint's child at the nodes; the identity for a fixed side."""
    result: list[FloatArray] = []
    with open_engine(engine_name) as engine:
        whole = canonical(obj, centre=centre, size=size) if fits(obj) else None
        if whole is not None:
            engine.load(whole)
        for name, motion in targets:
            if name is None:
                result.append(np.broadcast_to(np.eye(4), (len(nodes), 4, 4)))
                continue
            if whole is None:
                engine.load(canonical(obj, name, centre=centre, size=size))
            path = (1 - nodes) * motion.lower + nodes * motion.upper
            sweep: Placements = engine.sweep(name, np.concatenate([[0.0], path]), [obj.joint(name).child])
            result.append(sweep.displacements()[1:, 0])
    return result


def _from_placements(first: FloatArray, second: FloatArray, body: Body, weights: FloatArray) -> dict[str, Any]:
    direct, other = (np.asarray(placement_discrepancy(first, path, body)) for path in (second, second[::-1]))
    ends = [(path[0], path[-1]) for path in (direct, other)]
    swept = [math.sqrt(2 * float(weights @ path**2)) for path in (direct, other)]
    d = [math.hypot(*pair) for pair in ends]
    return {
        "d": min(d),
        "d_ends": [float(x) for x in ends[int(d[1] < d[0])]],
        "d_sweep": min(swept),
        "d_sweep_swapped": swept[1] < swept[0],
    }


def components(truth: Joint, prediction: Joint) -> tuple[dict[str, float | int | None], dict[str, str]]:
    """Scores of the paper's template, corrected; None where undefined, and why."""
    errors = component_errors(ground_truth=truth, prediction=prediction)
    values: dict[str, float | int | None] = {}
    reasons: dict[str, str] = {}
    for name in COMPONENTS:
        value = getattr(errors, name)
        reason = errors.reason(name)
        values[name] = None if reason else value
        if reason:
            reasons[f"components.{name}"] = str(reason)
    return values, reasons


def protocol_scores(truth: Joint, prediction: Joint, protocol: str, mode: str) -> dict[str, float | int | None]:
    """Scores of one published protocol; None where undefined."""
    errors = component_errors(ground_truth=truth, prediction=prediction, protocol=protocol, mode=mode)
    return {name: None if errors.reason(name) else value for name, value in errors.as_dict().items()}
