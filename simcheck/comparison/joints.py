"""Comparing joint by joint: pairs in one frame, their distances, displacement, scores and explanation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metric import Joint, KineticNorm
from simcheck.asset import ArticulatedObject
from simcheck.asset.model import ObjectJoint
from simcheck.comparison.explain import Explanation, explain, rest_pose_encoding
from simcheck.comparison.frames import brought_together
from simcheck.comparison.measures import (
    MotionPair,
    closed_form,
    components,
    distances,
    protocol_scores,
    simulated,
)
from simcheck.comparison.options import CompareOptions
from simcheck.comparison.pairing import JointPair, Pairing, pair_joints
from simcheck.engine.messages import simulator_warnings
from simcheck.errors import AssetWarning, SimulationError
from simcheck.formats import Prediction
from simcheck.norms import OwnNorm, load_norm
from simcheck.perturb import perturbed
from simcheck.results import unbounded_reason
from simcheck.workers import TIMEOUT, Workers

_OF_BOUNDED = ("E_alpha", "E_B", "E_B_physical", "E_norm", "d", "d_ends", "d_sweep", "bound")
_OF_BODIES = ("E_B", "E_B_physical", "E_B_phi", "E_norm", "E_norm_phi", "d", "d_ends", "d_sweep", "bound")
AGREEMENT = 1e-12  # of size + d: how far the simulated d may be from the closed form


@dataclass(frozen=True, eq=False)
class ComparedJoints:
    """Truth and prediction in one frame, their pairs, and what was found joint by joint."""

    ground_truth: ArticulatedObject
    prediction: ArticulatedObject  # as placed, imputed limits included
    pairing: Pairing
    motions: list[MotionPair]  # of the pairs, in their order
    entries: list[dict[str, Any]]  # of the pairs, in their order (SPEC section 9)
    unmatched: dict[str, list[dict[str, Any]]]
    applied: dict[str, Any]  # what was done to the prediction: format, scale, placement
    warnings: list[AssetWarning]


def compare_joints(
    truth: ArticulatedObject,
    guessed: Prediction,
    options: CompareOptions,
    *,
    timeout: float = TIMEOUT,
    workers: Workers | None = None,
    explained: bool = True,
) -> ComparedJoints:
    """Pair the joints of a truth and a prediction that were read, measure and, if asked, explain every pair."""
    truth, guess, applied = brought_together(truth, guessed.object, options.frame)
    pairing = pair_joints(truth, guess, match=options.match, alpha=options.alpha, kappa=options.kappa)
    guess, pairing, imputed = _impute(guess, pairing, guessed.missing_limits)
    pairs = [_motion_pair(truth, guess, pair) for pair in pairing.pairs]
    warnings = [*truth.warnings, *guessed.warnings, *guess.warnings, *truth.body_warnings, *guess.body_warnings]
    measured: list[dict[str, Any]] = [{} for _ in pairs]
    if options.simulate:
        measured, told = _simulate(truth, guess, pairs, options, timeout, workers)
        warnings += told
    own = None if options.norm is None else load_norm(options.norm)
    joints = []
    for pair, motions, found in zip(pairing.pairs, pairs, measured, strict=True):
        entry, told = _joint_entry(truth, guess, pair, motions, found, options, own, explained)
        entry["carried_by"] = _carriers(truth, guess, pair) if guessed.tree_known else None
        joints.append({**entry, "limits_imputed": pair.prediction.name in imputed})
        warnings += told
    return ComparedJoints(
        ground_truth=truth,
        prediction=guess,
        pairing=pairing,
        motions=pairs,
        entries=joints,
        unmatched=_unmatched(truth, guess, pairing, options, own),
        applied={"format": guessed.format, **applied},
        warnings=warnings,
    )


def ends_swapped(entry: Mapping[str, Any]) -> bool:
    """Whether a pair's lower end is compared with the other's upper end: by d, else by the first E that is defined."""
    swapped = entry["swapped"]
    return bool(next((swapped[n] for n in ("d", "E_B", "E_B_phi", "E_alpha_phi") if swapped.get(n) is not None), False))


def _impute(
    guess: ArticulatedObject, pairing: Pairing, missing: frozenset[str]
) -> tuple[ArticulatedObject, Pairing, set[str]]:
    """Limits of the matched truth for predicted joints without any, written along the predicted axis."""
    imputed: dict[str, ObjectJoint] = {}
    for pair in pairing.pairs:
        truth, wanted = pair.ground_truth.motion, pair.prediction.motion
        slides = truth.kind == "prismatic"
        if pair.prediction.name not in missing or slides != (wanted.kind == "prismatic"):
            continue  # radians say nothing of metres
        same_way = np.dot(truth.axis, wanted.axis) >= 0
        lower, upper = (truth.lower, truth.upper) if same_way else (-truth.upper, -truth.lower)
        kind = "continuous" if truth.kind == "continuous" else wanted.kind
        guess = perturbed(guess, pair.prediction.name, replace(wanted, kind=kind, lower=lower, upper=upper))
        imputed[pair.prediction.name] = guess.joint(pair.prediction.name)
    pairs = tuple(replace(p, prediction=imputed.get(p.prediction.name, p.prediction)) for p in pairing.pairs)
    return guess, replace(pairing, pairs=pairs), set(imputed)


def _motion_pair(truth: ArticulatedObject, guess: ArticulatedObject, pair: JointPair) -> MotionPair:
    """The motions of a pair; a fixed side stands still, and then the movable side's own body counts."""
    sides = (truth, pair.ground_truth), (guess, pair.prediction)
    (t, g) = (joint.motion if not joint.motion.exactly_fixed else Joint("fixed") for _, joint in sides)
    owner, moved = next((s for s in sides if not s[1].motion.exactly_fixed), sides[0])
    names = [None if joint.motion.exactly_fixed else joint.name for _, joint in sides]
    return MotionPair(t, g, owner.moved_body(moved.name).body, *names)


def _simulate(
    truth: ArticulatedObject,
    guess: ArticulatedObject,
    pairs: list[MotionPair],
    options: CompareOptions,
    timeout: float,
    workers: Workers | None,
) -> tuple[list[dict[str, Any]], list[AssetWarning]]:
    task = (truth, guess, pairs, options.steps, options.engine)
    if workers is None:
        with Workers(1, timeout) as own:
            outcome = next(iter(own.map(simulated, [task])))
    else:
        outcome = next(iter(workers.map(simulated, [task])))
    if outcome.error is not None:
        raise SimulationError(f"{truth.file}, {guess.file}: {outcome.error}")
    return outcome.value, simulator_warnings(truth.file, options.engine, outcome.output)


def _joint_entry(
    truth: ArticulatedObject,
    guess: ArticulatedObject,
    pair: JointPair,
    motions: MotionPair,
    found: dict[str, Any],
    options: CompareOptions,
    own: OwnNorm | None,
    explained: bool,
) -> tuple[dict[str, Any], list[AssetWarning]]:
    values, nearer = distances(motions, options.alpha, options.kappa, own, truth.size)
    closed = closed_form(motions)
    shown = found or {name: closed[name] for name in ("d", "d_ends", "d_sweep")}
    swapped = {**nearer, "d": closed["d_swapped"], "d_sweep": found.get("d_sweep_swapped")}
    warnings = _disagreement(truth, pair, shown, closed)
    scores: dict[str, Any] = {"type": 1}
    why: dict[str, str] = {}
    if pair.paired_by != "fixed":
        scores, why = components(pair.ground_truth.motion, pair.prediction.motion)
    entry: dict[str, Any] = {
        "ground_truth": pair.ground_truth.name,
        "prediction": pair.prediction.name,
        "paired_by": pair.paired_by,
        "kind": [pair.ground_truth.kind, pair.prediction.kind],
        **values,
        "d": shown["d"],
        "d_closed": closed["d"],
        "d_ends": shown["d_ends"],
        "d_sweep": shown["d_sweep"],
        "bound": closed["bound"],
        "swapped": swapped,
        "components": scores,
        "rest_pose": _rest_pose(truth, guess, pair),
        "inertia_clipped": bool(motions.body is not None and not np.all(motions.body.is_physical)),
    }
    if explained:
        told = explain(motions.ground_truth, motions.prediction, motions.body, alpha=options.alpha, kappa=options.kappa)
        entry["explanation"] = _explanation(told, _stored_elsewhere(truth, guess, pair, motions))
    entry["null_reasons"] = _null_reasons(entry, *_reasons(truth, guess, pair, motions)) | why
    if options.protocols and pair.paired_by != "fixed":
        entry["protocols"] = {
            f"{name}@{mode}": protocol_scores(pair.ground_truth.motion, pair.prediction.motion, name, mode)
            for name in options.protocols
            for mode in ("as_published", "corrected")
        }
    return entry, warnings


def _reasons(
    truth: ArticulatedObject, guess: ArticulatedObject, pair: JointPair, motions: MotionPair
) -> tuple[str, str]:
    """Why a pair is unbounded, and why it has no body; empty where that is not so."""
    found = [unbounded_reason(o, j.name) for o, j in ((truth, pair.ground_truth), (guess, pair.prediction))]
    owner, joint = (truth, pair.ground_truth) if motions.ground_truth_joint else (guess, pair.prediction)
    missing = owner.moved_body(joint.name).reason if motions.body is None else ""
    return "; ".join(reason for reason in found if reason), missing


def _null_reasons(entry: Mapping[str, Any], unbounded: str, missing: str) -> dict[str, str]:
    """Why distances and displacements of an entry have no value: an end is infinite, there is no body, or both."""
    causes: dict[str, list[str]] = {}
    for names, cause in ((_OF_BOUNDED, unbounded), (_OF_BODIES, missing)):
        for name in names if cause else ():
            causes.setdefault(name, []).append(cause)
    return {name: "; ".join(told) for name, told in causes.items() if name in entry and entry[name] is None}


def _disagreement(
    truth: ArticulatedObject, pair: JointPair, shown: dict[str, Any], closed: dict[str, Any]
) -> list[AssetWarning]:
    if shown["d"] is None or abs(shown["d"] - closed["d"]) <= AGREEMENT * (truth.size + closed["d"]):
        return []
    message = f"the simulated d {shown['d']!r} differs from the closed form {closed['d']!r} by more than rounding"
    return [AssetWarning(truth.file, pair.ground_truth.element, message, "COPY_DIFFERS")]


def _rest_pose(truth: ArticulatedObject, guess: ArticulatedObject, pair: JointPair) -> dict[str, float] | None:
    """How far the child link's frame stands from its true place at rest: m and rad."""
    a, b = truth.links[pair.ground_truth.child].pose, guess.links[pair.prediction.child].pose
    difference = a[:3, :3].T @ b[:3, :3]
    skew = np.array([difference[2, 1] - difference[1, 2], difference[0, 2] - difference[2, 0],
                     difference[1, 0] - difference[0, 1]]) / 2  # fmt: skip
    angle = math.atan2(float(np.linalg.norm(skew)), float(np.trace(difference) - 1) / 2)
    return {"translation": float(np.linalg.norm(a[:3, 3] - b[:3, 3])), "rotation": angle}


def _carriers(truth: ArticulatedObject, guess: ArticulatedObject, pair: JointPair) -> list[str | None]:
    """Names of the joints that carry the two joints of a pair; None: the base does."""
    above = truth.carrier(pair.ground_truth), guess.carrier(pair.prediction)
    return [None if joint is None else joint.name for joint in above]


def _stored_elsewhere(
    truth: ArticulatedObject, guess: ArticulatedObject, pair: JointPair, motions: MotionPair
) -> float | None:
    """The coordinate at which the prediction was stored, if it is the same motion stored away from rest."""
    if motions.body is None or not motions.bounded or pair.paired_by == "fixed":
        return None
    a, b = truth.links[pair.ground_truth.child].pose, guess.links[pair.prediction.child].pose
    displacement = b @ np.linalg.inv(a)
    norm = KineticNorm(motions.body)
    point = np.asarray(motions.body.com)
    return rest_pose_encoding(motions.ground_truth, motions.prediction, displacement, point, norm, truth.size)


def _explanation(told: Explanation, stored: float | None) -> dict[str, Any]:
    encoding = list(told.encoding)
    sentence = told.sentence
    if stored is not None:
        encoding.append(f"stored at {stored:.6g} instead of rest")
        sentence = f"the same motion, stored with the joint at {stored:.4g} instead of 0 (its part stands there too)"
    return {
        "measure": told.measure,
        "shares": told.shares,
        "repaired": told.repaired,
        "encoding": encoding,
        "sentence": sentence,
    }


def _unmatched(
    truth: ArticulatedObject, guess: ArticulatedObject, pairing: Pairing, options: CompareOptions, own: OwnNorm | None
) -> dict[str, list[dict[str, Any]]]:
    return {
        side: [_alone(obj, joint, options, own) for joint in joints]
        for side, obj, joints in (
            ("ground_truth", truth, pairing.unmatched_ground_truth),
            ("prediction", guess, pairing.unmatched_prediction),
        )
    }


def _alone(obj: ArticulatedObject, joint: ObjectJoint, options: CompareOptions, own: OwnNorm | None) -> dict[str, Any]:
    """A joint without partner: its distance to the fixed joint, on its own body."""
    moved = obj.moved_body(joint.name)
    pair = MotionPair(joint.motion, Joint("fixed"), moved.body, joint.name, None)
    values, _ = distances(pair, options.alpha, options.kappa, own, obj.size)
    del values["E_B_physical"]
    entry = {"name": joint.name, "kind": joint.kind, **values, "d": closed_form(pair)["d"]}
    missing = moved.reason if moved.body is None else ""
    return {**entry, "null_reasons": _null_reasons(entry, unbounded_reason(obj, joint.name), missing)}
