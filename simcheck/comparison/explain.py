"""Why two joints differ: what each wrong parameter costs, in numbers and in a sentence.

A prediction is repaired step by step: its direction, position, interval and kind (with pitch) take the truth's values,
alone and together. The Shapley value of each is its share of the error: the mean, over all orders of repairing, of what
that repair takes off the distance. The shares add up to 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from metric import Body, Joint, KineticNorm, SplitNorm, exp, joint_distance
from metric.joint import stacked
from metric.norm import Norm
from simcheck.asset.model import FloatArray

FACTORS = ("direction", "position", "interval", "kind")
_SUBSETS = [frozenset(s) for k in range(5) for s in itertools.combinations(FACTORS, k)]
_SAME = 1e-9  # a distance below this, relative to the motion, is none
_TOLD = 0.2  # a share from here on is part of the sentence


@dataclass(frozen=True)
class Explanation:
    """Shares of the error, what single repairs leave, what the error only re-encodes, and a sentence."""

    measure: str  # which distance is shared out: E_B, or E_alpha_phi where E_B is not defined
    shares: dict[str, float]  # by factor, sum 1; empty for the same motion
    repaired: dict[str, float]  # the distance that is left when one factor is put right
    encoding: tuple[str, ...]  # ways in which the files say the same motion differently
    sentence: str


def explain(
    truth: Joint, prediction: Joint, body: Body | None, *, alpha: float = 1.0, kappa: float = math.pi
) -> Explanation:
    """Explain the distance between a true joint and its prediction, both in the world frame at rest."""
    oriented = _along(truth, prediction)
    kinetic = body is not None and truth.bounded and prediction.bounded
    measure, scale = ("E_B", None) if kinetic else ("E_alpha_phi", kappa)
    norm: Norm = KineticNorm(body) if body is not None and kinetic else SplitNorm(alpha)
    arm = _arm(truth, oriented, body, alpha)
    com = np.zeros(3) if body is None else np.asarray(body.com)
    value = _values(truth, [_repaired(truth, oriented, s, com, arm) for s in _SUBSETS], norm, scale)
    distance = dict(zip(_SUBSETS, value.tolist(), strict=True))
    whole = distance[frozenset()]
    reach = joint_distance(truth, Joint("fixed"), norm, scale) + joint_distance(prediction, Joint("fixed"), norm, scale)
    single = {f: distance[frozenset({f})] for f in FACTORS}
    encoding = tuple(_encodings(truth, prediction, norm, scale, reach))
    if whole <= _SAME * reach:
        return Explanation(measure, {}, single, encoding, _same_motion(encoding))
    shares = {f: _shapley(f, distance) / whole for f in FACTORS}
    return Explanation(measure, shares, single, encoding, _sentence(truth, oriented, shares, com, encoding))


def _along(truth: Joint, prediction: Joint) -> Joint:
    """The prediction written with the axis that points the truth's way."""
    return prediction if np.dot(truth.axis, prediction.axis) >= 0 else prediction.reversed()


def _arm(truth: Joint, prediction: Joint, body: Body | None, alpha: float) -> float:
    """Metres a radian is worth, where a limit changes between the two."""
    turning = next((j for j in (truth, prediction) if j.kind not in ("prismatic", "fixed")), None)
    if body is None or turning is None:
        return 1 / alpha
    arm = float(KineticNorm(body.physical())(replace(turning, kind="revolute", lower=0.0, upper=0.0).screw))
    return arm if arm > 0 else 1 / alpha


def _nearest(joint: Joint, point: FloatArray) -> FloatArray:
    """Point of a joint's axis nearest to a point."""
    axis, origin = np.array(joint.axis), np.array(joint.origin)
    return origin + axis * (axis @ (point - origin))


def _repaired(truth: Joint, prediction: Joint, factors: Iterable[str], com: FloatArray, arm: float) -> Joint:
    """The prediction with some factors replaced by the truth's."""
    chosen = {f: truth if f in factors else prediction for f in FACTORS}
    kind, source = chosen["kind"].kind, chosen["interval"]
    if kind == "fixed":
        return Joint("fixed")
    if kind in ("revolute", "continuous"):
        kind = "continuous" if source.kind == "continuous" else "revolute"
    lower, upper, slides = source.lower, source.upper, kind == "prismatic"
    if source.kind != "fixed" and slides != (source.kind == "prismatic"):
        factor = arm if slides else 1 / arm
        lower, upper = factor * lower, factor * upper
    x, y, z = _nearest(chosen["position"], com).tolist()
    return Joint(kind, chosen["direction"].axis, (x, y, z), lower, upper, chosen["kind"].pitch)


def _values(truth: Joint, joints: list[Joint], norm: Norm, kappa: float | None) -> FloatArray:
    return np.asarray(joint_distance(stacked([truth] * len(joints)), stacked(joints), norm, kappa))


def _shapley(factor: str, distance: dict[frozenset[str], float]) -> float:
    """Mean over all orders of repairing of what this repair takes off."""
    others = len(FACTORS) - 1
    total = 0.0
    for subset in _SUBSETS:
        if factor not in subset:
            weight = math.factorial(len(subset)) * math.factorial(others - len(subset)) / math.factorial(len(FACTORS))
            total += weight * (distance[subset] - distance[subset | {factor}])
    return total


# --- re-encodings --------------------------------------------------------------------------------------------


def _encodings(truth: Joint, prediction: Joint, norm: Norm, kappa: float | None, reach: float) -> Iterable[str]:
    """Ways in which the same motion is written differently; the last one changes E all the same."""
    tolerance = _SAME * reach
    same = joint_distance(truth, prediction, norm, kappa) <= tolerance
    if same and np.dot(truth.axis, prediction.axis) < 0:
        yield "reversed axis"
    moved = float(np.linalg.norm(np.subtract(truth.origin, prediction.origin)))
    if same and moved > 1e-9 * (1 + float(np.abs(truth.origin).max())):
        yield "moved prismatic origin" if truth.kind == "prismatic" else "origin moved along the axis"
    if same or not (truth.bounded and prediction.bounded) or truth.kind == "prismatic" or truth.kind == "fixed":
        return
    oriented = _along(truth, prediction)
    turns = round((truth.lower - oriented.lower) / (2 * math.pi))
    if turns and joint_distance(truth, oriented.reanchored(-2 * math.pi * turns), norm, kappa) <= tolerance:
        yield f"shifted by {'a turn' if abs(turns) == 1 else f'{abs(turns)} turns'}"


def rest_pose_encoding(
    truth: Joint, prediction: Joint, displacement: FloatArray, point: FloatArray, norm: Norm, size: float
) -> float | None:
    """The coordinate at which a prediction was stored instead of rest, if that explains all of its error.

    Parameters
    ----------
    truth, prediction
        Bounded joints.
    displacement : shape (4, 4)
        How the moved part's rest pose in the prediction differs from the truth's, world frame.
    point : shape (3,)
        A point of the moved part.

    Returns
    -------
    float or None
        q0 with the prediction equal to ``truth.reanchored(q0)`` and its part standing at ``exp(q0 xi)``.
    """
    oriented = _along(truth, prediction)
    q0 = truth.lower - oriented.lower
    if not math.isfinite(q0) or abs(q0) < 1e-9:
        return None
    reach = joint_distance(truth, Joint("fixed"), norm) + joint_distance(prediction, Joint("fixed"), norm)
    if joint_distance(truth.reanchored(q0), prediction, norm) > 1e-6 * reach:
        return None
    expected = np.asarray(exp(q0 * truth.screw))
    found = displacement[:3, :3] @ point + displacement[:3, 3]
    wanted = expected[:3, :3] @ point + expected[:3, 3]
    turned = float(np.abs(displacement[:3, :3] - expected[:3, :3]).max())
    return q0 if np.linalg.norm(found - wanted) <= 1e-6 * size and turned <= 1e-6 else None


# --- words ---------------------------------------------------------------------------------------------------


def _same_motion(encoding: tuple[str, ...]) -> str:
    return "the same motion" + (f", written differently: {', '.join(encoding)}" if encoding else "")


def _sentence(
    truth: Joint, prediction: Joint, shares: dict[str, float], com: FloatArray, encoding: tuple[str, ...]
) -> str:
    ordered = sorted(FACTORS, key=lambda f: -shares[f])
    told = [f for f in ordered if shares[f] >= _TOLD or (f == "kind" and truth.kind != prediction.kind)] or ordered[:1]
    angle = _angle(truth, prediction)
    parts = [f"{_phrase(f, truth, prediction, com)}: {100 * shares[f]:.0f} % of the error" for f in told]
    if told[0] == "position" and angle < math.radians(0.5) and prediction.kind != "fixed":
        parts[0] = f"the axis points the right way but {parts[0].removeprefix('the axis ')}"
    sentence = "; ".join(parts)
    return f"{sentence} ({', '.join(encoding)}: the same motion written differently)" if encoding else sentence


def _angle(truth: Joint, prediction: Joint) -> float:
    a, b = np.array(truth.axis), np.array(prediction.axis)
    return math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))


def _phrase(factor: str, truth: Joint, prediction: Joint, com: FloatArray) -> str:
    if factor == "direction":
        return f"the axis is tilted by {math.degrees(_angle(truth, prediction)):.3g}°"
    if factor == "position":
        off = float(np.linalg.norm(_nearest(truth, com) - _nearest(prediction, com)))
        return f"the axis lies {_length(off)} off"
    if factor == "kind":
        if truth.kind == prediction.kind:
            return f"the pitch is {_length(prediction.pitch)}/rad instead of {_length(truth.pitch)}/rad"
        return f"it is {prediction.kind} instead of {truth.kind}"
    return _interval_phrase(truth, prediction)


def _interval_phrase(truth: Joint, prediction: Joint) -> str:
    span, guess = truth.upper - truth.lower, prediction.upper - prediction.lower
    if truth.kind == prediction.kind and math.isfinite(span) and math.isfinite(guess):
        shift = prediction.lower - truth.lower
        mirrored = abs(prediction.lower + truth.upper) + abs(prediction.upper + truth.lower)
        if span > 0 and mirrored <= 1e-3 * span and abs(shift) > 1e-3 * span:
            return "it moves the other way"
        if abs(guess - span) <= 1e-3 * max(span, guess) and abs(shift) > 1e-3 * span:
            return f"the interval is shifted by {_coordinate(shift, truth.kind)}"
    limits = [f"{_coordinate(j.lower, j.kind)} … {_coordinate(j.upper, j.kind)}" for j in (prediction, truth)]
    return f"it travels {limits[0]} instead of {limits[1]}"


def _coordinate(value: float, kind: str) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    value += 0.0  # a reversed limit of 0 is −0
    return _length(value) if kind == "prismatic" else f"{math.degrees(value):.3g}°"


def _length(value: float) -> str:
    size = abs(value)
    if size >= 1 or size == 0:
        return f"{value:.3g} m"
    return f"{100 * value:.3g} cm" if size >= 0.01 else f"{1000 * value:.3g} mm"
