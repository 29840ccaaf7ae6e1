"""Comparing a prediction with its truth: joint by joint, as trees, from the simulator and in closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from metric import Joint, KineticNorm
from simcheck.asset import ArticulatedObject, ReadOptions, load
from simcheck.asset.model import ObjectJoint
from simcheck.comparison.explain import Explanation, explain, rest_pose_encoding
from simcheck.comparison.frames import FrameOptions, brought_together
from simcheck.comparison.measures import (
    MotionPair,
    closed_form,
    components,
    distances,
    protocol_scores,
    simulated,
)
from simcheck.comparison.pairing import JointPair, Pairing, pair_joints
from simcheck.comparison.trees import TreeOptions, tree_distances
from simcheck.engine.messages import split_messages
from simcheck.errors import AssetWarning, SimulationError, UsageError
from simcheck.formats import Prediction, load_prediction
from simcheck.perturb import perturbed
from simcheck.results import input_hashes, plain, read_settings, result, unbounded_reason
from simcheck.workers import TIMEOUT, Workers

AGREEMENT = 1e-12  # of size + d: how far the simulated d may be from the closed form


@dataclass(frozen=True)
class CompareOptions:
    """What changes the numbers of a comparison.

    Parameters
    ----------
    alpha, kappa
        Split norm and compactification.
    match
        ``cost``, ``name`` or a CSV file with the columns ``ground_truth,prediction``.
    frame
        How the prediction is placed.
    base, fallback, time_limit
        Of the tree distances.
    simulate
        d from PyBullet; without, in closed form.
    steps
        Gauss-Lobatto nodes of the simulated sweep.
    impute_limits
        ``none``, or ``gt``: a predicted joint without limits takes those of its match.
    protocols
        Published component protocols to add, each ``as_published`` and ``corrected``.
    """

    alpha: float = 1.0
    kappa: float = math.pi
    match: str = "cost"
    frame: FrameOptions = field(default_factory=FrameOptions)
    base: str = "written"
    fallback: str = "none"
    time_limit: float | None = 60.0
    simulate: bool = True
    steps: int = 9
    impute_limits: str = "none"
    protocols: tuple[str, ...] = ()
    format: str | None = None  # of the prediction; None: told from its content
    engine: str = "pybullet"

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("--base", self.base, ("written", "free")),
            ("--fallback", self.fallback, ("none", "alpha")),
            ("--impute-limits", self.impute_limits, ("none", "gt")),
        ):
            if value not in allowed:
                raise UsageError(f"{name}: expected {' or '.join(allowed)}, got {value!r}")
        if self.steps < 2:
            raise UsageError(f"--steps: expected at least 2, got {self.steps}")

    def settings(self) -> dict[str, Any]:
        """As they are saved."""
        return {
            "alpha": self.alpha,
            "kappa": self.kappa,
            "match": self.match,
            "align": self.frame.align,
            "up": self.frame.up,
            "scale": self.frame.scale,
            "origin": self.frame.origin,
            "base": self.base,
            "fallback": self.fallback,
            "time_limit": self.time_limit,
            "simulate": self.simulate,
            "steps": self.steps,
            "impute_limits": self.impute_limits,
            "protocols": list(self.protocols),
            "format": self.format,
            "engine": self.engine,
        }


def compare(
    ground_truth: str | Path | ArticulatedObject,
    prediction: str | Path | ArticulatedObject,
    *,
    options: CompareOptions | None = None,
    read: ReadOptions | None = None,
    timeout: float = TIMEOUT,
    workers: Workers | None = None,
    plot: Path | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """How far one object's motion is from another's.

    Parameters
    ----------
    ground_truth, prediction
        URDF files, or objects that were read.
    options
        See `CompareOptions`; single options may be given by name instead: ``compare(a, b, alpha=2.0)``.
    read
        How files are read.
    timeout, workers
        Of the simulator's process.
    plot
        PNG file for a picture of both motions of every pair.

    Returns
    -------
    dict
        The JSON object of SPEC section 9.

    Raises
    ------
    AssetError    a file has no single meaning
    UsageError    options that make no sense
    """
    chosen = CompareOptions(**changes) if options is None else replace(options, **changes)
    truth = ground_truth if isinstance(ground_truth, ArticulatedObject) else load(ground_truth, read)
    guessed = read_prediction(prediction, chosen, read)
    settings = {
        **chosen.settings(),
        **read_settings(truth.options),
        "inputs": input_hashes([truth.file, guessed.object.file]),
    }
    return compare_objects(truth, guessed, chosen, settings, timeout=timeout, workers=workers, plot=plot)


def read_prediction(
    source: str | Path | ArticulatedObject, options: CompareOptions, read: ReadOptions | None
) -> Prediction:
    """A prediction from a file of any known format, or an object that was read."""
    if isinstance(source, ArticulatedObject):
        return Prediction("urdf", source, tree_known=True, missing_limits=frozenset())
    return load_prediction(source, options.format, read, limits_may_be_missing=options.impute_limits == "gt")


def compare_objects(
    truth: ArticulatedObject,
    guessed: Prediction,
    options: CompareOptions,
    settings: dict[str, Any],
    *,
    timeout: float = TIMEOUT,
    workers: Workers | None = None,
    plot: Path | None = None,
) -> dict[str, Any]:
    """`compare` of a truth and a prediction that were read."""
    truth, guess, applied = brought_together(truth, guessed.object, options.frame)
    pairing = pair_joints(truth, guess, match=options.match, alpha=options.alpha, kappa=options.kappa)
    guess, pairing, imputed = _impute(guess, pairing, guessed.missing_limits)
    pairs = [_motion_pair(truth, guess, pair) for pair in pairing.pairs]
    warnings = [*truth.warnings, *guessed.warnings, *guess.warnings, *_body_warnings(truth), *_body_warnings(guess)]
    measured: list[dict[str, Any]] = [{} for _ in pairs]
    if options.simulate:
        measured, told = _simulate(truth, guess, pairs, options, timeout, workers)
        warnings += told
    joints = []
    for pair, motions, found in zip(pairing.pairs, pairs, measured, strict=True):
        entry, told = _joint_entry(truth, guess, pair, motions, found, options)
        entry["carried_by"] = _carriers(truth, guess, pair) if guessed.tree_known else None
        joints.append({**entry, "limits_imputed": pair.prediction.name in imputed})
        warnings += told
    if plot is not None:
        _draw(plot, truth, pairing, joints)
    trees = tree_distances(truth, guess, _tree_options(options, guessed.tree_known))
    fields: dict[str, Any] = {
        "prediction": guess.file,
        "ground_truth": truth.file,
        "applied": {"format": guessed.format, **applied},
        "joints": joints,
        "unmatched": _unmatched(truth, guess, pairing, options),
        "tree": trees,
        "remarks": _remarks(truth, guess, trees, options) or _wrong_carriers(joints, pairing, options),
    }
    return plain(result("compare", settings, warnings, fields, origin=options.frame.origin, shift=truth.shift))


def _draw(path: Path, truth: ArticulatedObject, pairing: Pairing, entries: list[dict[str, Any]]) -> None:
    """Both motions of every pair, the ends of the prediction as they were paired."""
    from simcheck.pictures import pair_picture, write_tiles

    images = {}
    for pair, entry in zip(pairing.pairs, entries, strict=True):
        guess = pair.prediction.motion
        swapped = entry["swapped"].get("E_B", entry["swapped"].get("E_alpha_phi"))
        guess = guess.reversed() if swapped and guess.kind != "fixed" else guess
        image = pair_picture(truth, pair.ground_truth.name, pair.ground_truth.motion, guess)
        if image is not None:
            images[f"{pair.ground_truth.name} → {pair.prediction.name}"] = image
    write_tiles(path, images)


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


def _tree_options(options: CompareOptions, tree_known: bool) -> TreeOptions:
    """The options of the tree distances; a list of joints without a usable tree has a relaxed one only."""
    method = "exact" if tree_known else "relaxed"
    return TreeOptions(options.alpha, options.kappa, options.base, options.fallback, options.time_limit, method)


def _body_warnings(obj: ArticulatedObject) -> list[AssetWarning]:
    return [w for joint in obj.movable_joints for w in obj.moved_body(joint.name).warnings]


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
    return outcome.value, [AssetWarning(truth.file, "PyBullet", m) for m in split_messages(outcome.output)]


def _joint_entry(
    truth: ArticulatedObject,
    guess: ArticulatedObject,
    pair: JointPair,
    motions: MotionPair,
    found: dict[str, Any],
    options: CompareOptions,
) -> tuple[dict[str, Any], list[AssetWarning]]:
    reasons = _reasons(truth, guess, pair, motions)
    values, nearer = distances(motions, options.alpha, options.kappa)
    closed = closed_form(motions)
    shown = found or {name: closed[name] for name in ("d", "d_ends", "d_sweep")}
    swapped = {**nearer, "d": closed["d_swapped"], "d_sweep": found.get("d_sweep_swapped")}
    warnings = _disagreement(truth, pair, shown, closed)
    scores: dict[str, Any] = {"type": 1}
    if pair.paired_by != "fixed":
        scores, why = components(pair.ground_truth.motion, pair.prediction.motion)
        reasons |= why
    told = explain(motions.ground_truth, motions.prediction, motions.body, alpha=options.alpha, kappa=options.kappa)
    stored = _stored_elsewhere(truth, guess, pair, motions)
    entry = {
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
        "explanation": _explanation(told, stored),
        "null_reasons": {k: v for k, v in reasons.items() if _is_null(k, values, shown, scores)},
    }
    if options.protocols and pair.paired_by != "fixed":
        entry["protocols"] = {
            f"{name}@{mode}": protocol_scores(pair.ground_truth.motion, pair.prediction.motion, name, mode)
            for name in options.protocols
            for mode in ("as_published", "corrected")
        }
    return entry, warnings


def _is_null(name: str, values: dict[str, Any], shown: dict[str, Any], scores: dict[str, Any]) -> bool:
    if name.startswith("components."):
        return True
    return values.get(name, shown.get(name)) is None


def _reasons(
    truth: ArticulatedObject, guess: ArticulatedObject, pair: JointPair, motions: MotionPair
) -> dict[str, str]:
    """Why fields of a pair have no value."""
    reasons: dict[str, str] = {}
    found = [unbounded_reason(o, j.name) for o, j in ((truth, pair.ground_truth), (guess, pair.prediction))]
    unbounded = "; ".join(r for r in found if r)
    if unbounded:
        reasons |= dict.fromkeys(("E_alpha", "E_B", "E_B_physical", "d", "d_ends", "d_sweep", "bound"), unbounded)
    if motions.body is None:
        owner, joint = (truth, pair.ground_truth) if motions.ground_truth_joint else (guess, pair.prediction)
        missing = owner.moved_body(joint.name).reason
        for name in ("E_B", "E_B_physical", "E_B_phi", "d", "d_ends", "d_sweep", "bound"):
            reasons[name] = "; ".join(r for r in (reasons.get(name, ""), missing) if r)
    return reasons


def _disagreement(
    truth: ArticulatedObject, pair: JointPair, shown: dict[str, Any], closed: dict[str, Any]
) -> list[AssetWarning]:
    if shown["d"] is None or abs(shown["d"] - closed["d"]) <= AGREEMENT * (truth.size + closed["d"]):
        return []
    message = f"the simulated d {shown['d']!r} differs from the closed form {closed['d']!r} by more than rounding"
    return [AssetWarning(truth.file, pair.ground_truth.element, message)]


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


def _wrong_carriers(joints: list[dict[str, Any]], pairing: Pairing, options: CompareOptions) -> list[str]:
    """Joints that are carried along by another joint than in the truth, whatever the tree distance is.

    The tree distance is that of trees without a root, so two joints in a row equal two joints side by side.
    """
    if options.base == "free":
        return []
    partner = {pair.ground_truth.name: pair.prediction.name for pair in pairing.pairs}
    found = []
    for joint in joints:
        if joint["carried_by"] is not None:
            true, guessed = joint["carried_by"]
            if (None if true is None else partner.get(true, true)) != guessed:
                words = [f"joint {name!r}" if name is not None else "the base" for name in (true, guessed)]
                found.append(
                    f"joint {joint['prediction']!r} is carried by {words[1]}, its true one "
                    f"{joint['ground_truth']!r} by {words[0]}"
                )
    return found


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
    truth: ArticulatedObject, guess: ArticulatedObject, pairing: Pairing, options: CompareOptions
) -> dict[str, list[dict[str, Any]]]:
    return {
        side: [_alone(obj, joint, options) for joint in joints]
        for side, obj, joints in (
            ("ground_truth", truth, pairing.unmatched_ground_truth),
            ("prediction", guess, pairing.unmatched_prediction),
        )
    }


def _alone(obj: ArticulatedObject, joint: ObjectJoint, options: CompareOptions) -> dict[str, Any]:
    """A joint without partner: its distance to the fixed joint, on its own body."""
    moved = obj.moved_body(joint.name)
    pair = MotionPair(joint.motion, Joint("fixed"), moved.body, joint.name, None)
    values, _ = distances(pair, options.alpha, options.kappa)
    reasons: dict[str, str] = {}
    unbounded = unbounded_reason(obj, joint.name)
    if unbounded:
        reasons |= dict.fromkeys(("E_alpha", "E_B", "d"), unbounded)
    if moved.body is None:
        reasons |= {k: "; ".join(r for r in (reasons.get(k, ""), moved.reason) if r) for k in ("E_B", "E_B_phi", "d")}
    names = ("E_alpha", "E_B", "E_alpha_phi", "E_B_phi")
    return {
        "name": joint.name,
        "kind": joint.kind,
        **{name: values[name] for name in names},
        "d": closed_form(pair)["d"],
        "null_reasons": reasons,
    }


def _remarks(
    truth: ArticulatedObject, guess: ArticulatedObject, trees: dict[str, Any], options: CompareOptions
) -> list[str]:
    """What concerns the objects as wholes: a prediction that was exported from another base link."""
    from simcheck.comparison.rebasing import other_base

    value = trees["E_alpha_phi"]["value"]
    if value is None or value < 1e-9 or options.base == "free":
        return []
    link = other_base(truth, guess, options.alpha, options.kappa, value)
    if link is None:
        return []
    return [
        f"the prediction is the same object exported from the base link {link!r}: "
        f"--align base:{link} --base free makes the tree distance 0"
    ]


def exceeded(comparison: dict[str, Any], limits: dict[str, float]) -> Sequence[str]:
    """Which joints are over a limit: ``{"E_B": 0.01}`` and so on; an undefined value counts as over."""
    found = []
    for name, most in limits.items():
        for joint in comparison["joints"]:
            value = joint[name]
            if value is None or value > most:
                shown = "undefined" if value is None else f"{value:.6g}"
                found.append(f"{joint['ground_truth']} -> {joint['prediction']}: {name} {shown} is over {most:g}")
        for side, joints in comparison["unmatched"].items():
            for joint in joints:
                value = joint.get(name)
                if value is None or value > most:
                    shown = "undefined" if value is None else f"{value:.6g}"
                    found.append(f"{side} {joint['name']} unmatched: {name} {shown} is over {most:g}")
    return found
