"""Pairs of a true joint and one with a known error: drawn, driven in the simulator, measured (SPEC section 5).

All of it happens in a worker, one object at a time. The rows of an object depend on its bytes and the seed only.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metric import (
    Body,
    Joint,
    KineticNorm,
    SplitNorm,
    exp,
    joint_distance,
    linearization_bound,
    motion_discrepancy,
    placement_discrepancy,
)
from metric.joint import stacked
from metric.sampling import lobatto
from simcheck.asset import ArticulatedObject, ObjectJoint, ReadOptions, load
from simcheck.asset.extent import link_box
from simcheck.asset.frames import placed, translation
from simcheck.asset.model import FloatArray
from simcheck.description import stack_bodies
from simcheck.driving import driven_interval
from simcheck.engine import Engine, Placements, canonical, open_engine
from simcheck.engine.model import centre_of, fits, needed_for
from simcheck.errors import AssetWarning
from simcheck.norms import load_norm
from simcheck.perturb import (
    ERRORS,
    MAGNITUDES,
    Scales,
    axis_angle_between,
    bounded,
    erroneous,
    perturbed,
    scaled_interval,
)

_LEAST_ANGLE = math.radians(5.0)  # sub-ranges are drawn from here, or from this share of a stroke, up
_LEAST_STROKE = 0.05
_STILL = 1e-9  # a body whose unit motion is below this times the size does not move


ROW_TYPES: dict[str, type] = {
    **dict.fromkeys(("object", "joint", "kind", "error", "range", "ratio_reason"), str),
    "pair": int,
    **dict.fromkeys(("driven_interval", "inertia_clipped", "bound_violated"), bool),
    **dict.fromkeys(
        ("magnitude", "lower", "upper", "extent", "largest_angle", "axis_error", "object_size", "link_size", "d",
         "d_closed", "d_sweep", "E_B", "E_B_physical", "E_alpha", "bound_lower", "bound_upper", "ratio",
         "placement_error", "d_error", "E_norm"),
        float,
    ),
}  # fmt: skip
"""Columns of a calibration's rows, and their types; float columns may be null."""


@dataclass(frozen=True)
class CalibrationOptions:
    """What changes the numbers of a calibration."""

    alpha: float = 1.0
    origin: str = "world"
    steps: int = 9  # Lobatto nodes of the sweep
    seed: int = 0
    engine: str = "pybullet"
    norm: str | None = None  # MODULE:FUNCTION of a norm of the user's (`simcheck.norms`)


@dataclass(frozen=True, eq=False)
class Pair:
    """A true joint, and the same with a known error."""

    joint: ObjectJoint
    truth: Joint  # bounded, world frame
    prediction: Joint
    error: str
    magnitude: float
    declared: bool  # over the declared (or driven) range, not a sub-range
    body: Body


@dataclass(frozen=True)
class ObjectRows:
    """What one object contributes: columns of rows, and what could not be calibrated."""

    columns: dict[str, list[Any]]
    joints: int
    skipped: list[dict[str, str]]  # joint, reason
    warnings: list[AssetWarning]


def calibrate_object(path: str, read_options: ReadOptions, options: CalibrationOptions) -> ObjectRows:
    """All calibration rows of one file (runs in a worker)."""
    obj = placed(load(path, read_options), options.origin)
    pairs, skipped = draw_pairs(obj, Path(path).read_bytes(), options.seed)
    bodies = obj.body_warnings
    usable = len(obj.movable_joints) - len(skipped)
    return ObjectRows(pair_columns(obj, pairs, options), usable, skipped, [*obj.warnings, *bodies])


def pair_columns(obj: ArticulatedObject, pairs: list[Pair], options: CalibrationOptions) -> dict[str, list[Any]]:
    """Columns of rows (`ROW_TYPES`) of an object's pairs, driven and measured; none of no pairs."""
    if not pairs:
        return {}
    with open_engine(options.engine) as engine:
        truths, predictions = _drive_pairs(engine, obj, pairs, options.steps)
    return _measure(obj, pairs, truths, predictions, options)


def draw_pairs(obj: ArticulatedObject, data: bytes, seed: int) -> tuple[list[Pair], list[dict[str, str]]]:
    """The pairs of an object read from ``data``, and the joints that have none; fixed by the bytes and the seed."""
    pairs: list[Pair] = []
    skipped = []
    for joint in obj.movable_joints:
        reason = obj.moved_body(joint.name).reason
        if reason:
            skipped.append({"joint": joint.name, "reason": reason})
        else:
            pairs += draw_joint_pairs(obj, joint, data, seed)
    return pairs, skipped


def draw_joint_pairs(obj: ArticulatedObject, joint: ObjectJoint, data: bytes, seed: int) -> list[Pair]:
    """The pairs of one joint, whatever the other joints are asked."""
    body = obj.moved_body(joint.name).body
    assert body is not None
    words = np.frombuffer(hashlib.sha256(data + joint.name.encode()).digest(), dtype="<u4")
    return list(_draw(obj, joint, body, np.random.default_rng([seed, *words.tolist()])))


# --- drawing -------------------------------------------------------------------------------------------------


def _draw(obj: ArticulatedObject, joint: ObjectJoint, body: Body, random: np.random.Generator) -> Iterator[Pair]:
    """Every error at every magnitude, over the whole range and over a sub-range of its own."""
    scales = Scales(obj.size, body)
    whole = driven_interval(joint, obj.size)
    for error in ERRORS:
        for step, magnitude in enumerate(MAGNITUDES):
            for declared in (True, False):
                if error == "kind" and declared and step > 0:
                    continue  # a wrong kind has no magnitude: once is enough over the same range
                fraction = 1.0 if declared else _fraction(joint.kind, whole, random)
                truth = bounded(joint.motion, scaled_interval(*whole, fraction))
                relative = 1.0 if error == "kind" else float(magnitude)
                prediction = erroneous(truth, error, relative, scales, random)
                if prediction is not None:
                    yield Pair(joint, truth, prediction, error, relative, declared, body)


def _fraction(kind: str, interval: tuple[float, float], random: np.random.Generator) -> float:
    """Share of the range, log-uniform from 5 degrees (or 5 % of a stroke) to all of it."""
    span = interval[1] - interval[0]
    least = _LEAST_STROKE if kind == "prismatic" else min(1.0, _LEAST_ANGLE / span if span > 0 else 1.0)
    return float(np.exp(random.uniform(math.log(least), 0.0)))


# --- driving -------------------------------------------------------------------------------------------------


def _drive_pairs(
    engine: Engine, obj: ArticulatedObject, pairs: list[Pair], steps: int
) -> tuple[FloatArray, FloatArray]:
    """Simulated placements (pairs, steps, 4, 4) of truth and prediction, in the centred frame."""
    nodes, _ = lobatto(steps)
    truths, predictions = [], []
    whole = canonical(obj) if fits(obj) else None
    if whole is not None:
        engine.load(whole)
    loaded = None
    for pair in pairs:
        if whole is None and loaded != pair.joint.name:
            engine.load(canonical(obj, pair.joint.name))
            loaded = pair.joint.name
        truths.append(_sweep(engine, pair.joint, pair.truth, nodes))
    for pair in pairs:
        prediction = perturbed(obj, pair.joint.name, pair.prediction)
        engine.load(needed_for(prediction, pair.joint.name, centre_of(obj), obj.size))
        predictions.append(_sweep(engine, pair.joint, pair.prediction, nodes))
    return _displacements(truths), _displacements(predictions)


def _sweep(engine: Engine, joint: ObjectJoint, motion: Joint, nodes: FloatArray) -> Placements:
    """Rest, then the nodes between the limits."""
    path = (1 - nodes) * motion.lower + nodes * motion.upper
    return engine.sweep(joint.name, np.concatenate([[0.0], path]), [joint.child])


def _displacements(sweeps: list[Placements]) -> FloatArray:
    return Placements.stack(sweeps).displacements()[:, 1:, 0]


# --- measuring -----------------------------------------------------------------------------------------------


def _measure(
    obj: ArticulatedObject,
    pairs: list[Pair],
    truths: FloatArray,
    predictions: FloatArray,
    options: CalibrationOptions,
) -> dict[str, list[Any]]:
    """One row a pair. Distances that do not depend on the frame are taken in the centred one, for their digits."""
    centre, size = centre_of(obj), obj.size
    a, b = stacked([p.truth for p in pairs]), stacked([p.prediction for p in pairs])
    a_centred, b_centred = (_centred(batch, centre) for batch in (a, b))
    body = stack_bodies([p.body for p in pairs]).transformed(translation(-centre))
    physical = body.physical()
    clipped = ~np.asarray(body.is_physical)
    d, d_sweep = _simulated_discrepancy(truths, predictions, physical, options.steps)
    d_closed = np.asarray(motion_discrepancy(a_centred, b_centred, physical))
    e_physical = np.asarray(joint_distance(a_centred, b_centred, KineticNorm(physical)))
    lower, upper = (np.asarray(x) for x in linearization_bound(a_centred, b_centred, physical))
    slack = 1e-12 * (size + e_physical)
    still = np.asarray(KineticNorm(physical)(a_centred[0])) < _STILL * size
    ratio = np.full(len(pairs), np.nan)
    measurable = (d > _STILL * size) & ~still
    ratio[measurable] = e_physical[measurable] / d[measurable]
    turning = np.array([p.joint.kind != "prismatic" for p in pairs])
    limits = a[1]
    largest = np.abs(limits).max(axis=1)
    columns = {
        "object": [obj.file] * len(pairs),
        "pair": _numbered(pairs),
        "joint": [p.joint.name for p in pairs],
        "kind": [p.joint.kind for p in pairs],
        "error": [p.error for p in pairs],
        "magnitude": [p.magnitude for p in pairs],
        "range": ["declared" if p.declared else "sub-range" for p in pairs],
        "driven_interval": [not p.joint.motion.bounded for p in pairs],
        "lower": limits[:, 0],
        "upper": limits[:, 1],
        "extent": limits[:, 1] - limits[:, 0],
        "largest_angle": np.where(turning, largest, np.nan),
        "axis_error": [axis_angle_between(p.truth, p.prediction) for p in pairs],
        "object_size": np.full(len(pairs), size),
        "link_size": _link_sizes(obj, pairs),
        "d": d,
        "d_closed": d_closed,
        "d_sweep": d_sweep,
        "E_B": np.asarray(joint_distance(a_centred, b_centred, KineticNorm(body))),
        "E_B_physical": e_physical,
        "E_alpha": np.asarray(joint_distance(a, b, SplitNorm(options.alpha))),
        "bound_lower": lower,
        "bound_upper": upper,
        "ratio": ratio,
        "ratio_reason": [_no_ratio(m, s) for m, s in zip(measurable, still, strict=True)],
        "inertia_clipped": clipped,
        "bound_violated": (d < e_physical - lower - slack) | (d > e_physical + upper + slack),
        "placement_error": _placement_errors(a_centred, b_centred, truths, predictions, physical, options.steps) / size,
        "d_error": np.abs(d - d_closed) / (size + d),
        "E_norm": _own_distances(obj, pairs, a, b, options.norm),
    }
    return {name: np.asarray(columns[name]).tolist() for name in ROW_TYPES}


def _own_distances(
    obj: ArticulatedObject,
    pairs: list[Pair],
    a: tuple[FloatArray, FloatArray],
    b: tuple[FloatArray, FloatArray],
    norm: str | None,
) -> FloatArray:
    """E in the user's norm; NaN without one."""
    if norm is None:
        return np.full(len(pairs), np.nan)
    abouts = [f"{obj.file}: {pair.joint.element}" for pair in pairs]
    own = load_norm(norm).norms([pair.body for pair in pairs], [obj.size] * len(pairs), abouts)
    return np.asarray(joint_distance(a, b, own))


def _numbered(pairs: list[Pair]) -> list[int]:
    """Number of each pair among those of its joint."""
    counts: dict[str, int] = {}
    numbers = []
    for pair in pairs:
        numbers.append(counts.get(pair.joint.name, 0))
        counts[pair.joint.name] = numbers[-1] + 1
    return numbers


def _no_ratio(measurable: bool, still: bool) -> str:
    if measurable:
        return ""
    return "body does not move" if still else "d is 0 to rounding"


def _centred(batch: tuple[FloatArray, FloatArray], centre: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Screws in the frame whose origin is the centre."""
    screws = batch[0].copy()
    screws[:, 3:] -= np.cross(centre, screws[:, :3])
    return screws, batch[1]


def _simulated_discrepancy(
    truths: FloatArray, predictions: FloatArray, body: Body, steps: int
) -> tuple[FloatArray, FloatArray]:
    """D and d_sweep of the simulated displacements of material points, each with its own better assignment."""
    along = Body(body.mass[:, None], body.com[:, None], body.inertia[:, None])
    direct = np.asarray(placement_discrepancy(truths, predictions, along)) ** 2
    swapped = np.asarray(placement_discrepancy(truths, predictions[:, ::-1], along)) ** 2
    _, weights = lobatto(steps)
    ends = [squares[:, 0] + squares[:, -1] for squares in (direct, swapped)]
    sweeps = [2 * squares @ weights for squares in (direct, swapped)]
    return np.sqrt(np.minimum(*ends)), np.sqrt(np.minimum(*sweeps))


def _placement_errors(
    a: tuple[FloatArray, FloatArray],
    b: tuple[FloatArray, FloatArray],
    truths: FloatArray,
    predictions: FloatArray,
    body: Body,
    steps: int,
) -> FloatArray:
    """Largest distance of a material point from the closed form, over both sweeps of each pair, m."""
    nodes, _ = lobatto(steps)
    points = np.asarray(body.material_points()[0])
    worst = np.zeros(len(truths))
    for (screws, limits), simulated in ((a, truths), (b, predictions)):
        q = (1 - nodes) * limits[:, :1] + nodes * limits[:, 1:]
        difference = simulated - np.asarray(exp(q[..., None] * screws[:, None, :]))
        moved = np.einsum("psij,pmj->psmi", difference[..., :3, :3], points) + difference[..., None, :3, 3]
        worst = np.maximum(worst, np.linalg.norm(moved, axis=-1).max(axis=(1, 2)))
    return worst


def _link_sizes(obj: ArticulatedObject, pairs: list[Pair]) -> list[float]:
    """Diagonal of the moved body's box; without geometry that of a cube with its radius of gyration."""
    sizes: dict[str, float] = {}
    for pair in pairs:
        if pair.joint.name not in sizes:
            boxes = [
                b for b in (link_box(obj, link) for link in obj.moved_body(pair.joint.name).links) if b is not None
            ]
            if boxes:
                corners = np.concatenate(boxes)
                sizes[pair.joint.name] = float(np.linalg.norm(corners.max(axis=0) - corners.min(axis=0)))
            else:
                spread = float(np.trace(np.asarray(pair.body.second_moment)))
                sizes[pair.joint.name] = 2 * math.sqrt(3 * max(spread, 0.0))
    return [sizes[pair.joint.name] for pair in pairs]
