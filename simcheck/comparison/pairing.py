"""Which predicted joint stands for which true one (SPEC section 8)."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metric import Joint, SplitNorm, pairwise_distance
from simcheck.asset.model import ArticulatedObject, ObjectJoint
from simcheck.errors import UsageError

_TIE = 1e-12  # costs closer than this are equal: then names decide, then the order in the files


@dataclass(frozen=True)
class JointPair:
    """A true joint and the predicted one it is compared with; one of them may be exactly fixed."""

    ground_truth: ObjectJoint
    prediction: ObjectJoint
    paired_by: str  # cost, name, file, fixed


@dataclass(frozen=True)
class Pairing:
    """Pairs in the order of the ground truth, and the joints that stand alone."""

    pairs: tuple[JointPair, ...]
    unmatched_ground_truth: tuple[ObjectJoint, ...]
    unmatched_prediction: tuple[ObjectJoint, ...]


def pair_joints(
    ground_truth: ArticulatedObject,
    prediction: ArticulatedObject,
    *,
    match: str = "cost",
    alpha: float = 1.0,
    kappa: float,
) -> Pairing:
    """Pair the joints that are not exactly fixed.

    Parameters
    ----------
    match
        ``cost``: the assignment of least summed E_alpha^phi; ``name``: equal names; else a CSV file with the columns
        ``ground_truth,prediction``.
    alpha, kappa
        Of E_alpha^phi.

    Returns
    -------
    Pairing
        A joint left over is paired with the exactly fixed joint of its name on the other side, if there is one.

    Raises
    ------
    UsageError    a CSV file that cannot be read or names joints that do not exist
    """
    truths, predictions = ground_truth.movable_joints, prediction.movable_joints
    if match == "cost":
        chosen = _by_cost(truths, predictions, alpha, kappa)
    elif match == "name":
        index = {joint.name: k for k, joint in enumerate(predictions)}
        chosen = [(i, index[joint.name]) for i, joint in enumerate(truths) if joint.name in index]
    else:
        chosen = _by_file(Path(match), ground_truth, prediction)
        match = "file"
    pairs = [JointPair(truths[i], predictions[j], match) for i, j in chosen]
    left_truths = [t for i, t in enumerate(truths) if i not in {i for i, _ in chosen}]
    left_predictions = [p for j, p in enumerate(predictions) if j not in {j for _, j in chosen}]
    for left, other, truth_first in ((left_truths, prediction, True), (left_predictions, ground_truth, False)):
        fixed = {j.name: j for j in other.joints if j.motion.exactly_fixed}
        for joint in [j for j in left if j.name in fixed]:
            partner = fixed[joint.name]
            pairs.append(JointPair(joint, partner, "fixed") if truth_first else JointPair(partner, joint, "fixed"))
            left.remove(joint)
    order = {joint.name: k for k, joint in enumerate(ground_truth.joints)}
    pairs.sort(key=lambda pair: order[pair.ground_truth.name])
    return Pairing(tuple(pairs), tuple(left_truths), tuple(left_predictions))


def _motions(joints: Sequence[ObjectJoint]) -> list[Joint]:
    return [joint.motion for joint in joints]


def _by_cost(
    truths: Sequence[ObjectJoint], predictions: Sequence[ObjectJoint], alpha: float, kappa: float
) -> list[tuple[int, int]]:
    if not truths or not predictions:
        return []
    from scipy.optimize import linear_sum_assignment

    cost = np.asarray(pairwise_distance(_motions(truths), _motions(predictions), SplitNorm(alpha), kappa))
    n, m = cost.shape
    same = np.array([[t.name == p.name for p in predictions] for t in truths])
    order = np.abs(np.arange(n)[:, None] - np.arange(m)) / (n + m)
    rows, columns = linear_sum_assignment(cost + _TIE * (order / (n + m) - same))
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True)]


def _by_file(path: Path, ground_truth: ArticulatedObject, prediction: ArticulatedObject) -> list[tuple[int, int]]:
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"--match: {path}: expected cost, name or a CSV file; it cannot be read: {error}") from None
    if not rows or not {"ground_truth", "prediction"} <= set(rows[0]):
        raise UsageError(f"--match: {path}: expected the columns ground_truth,prediction")
    places = [{j.name: k for k, j in enumerate(o.movable_joints)} for o in (ground_truth, prediction)]
    chosen = []
    for line, row in enumerate(rows, start=2):
        for place, side in zip(places, ("ground_truth", "prediction"), strict=True):
            if row[side] not in place:
                known = ", ".join(place) or "none"
                raise UsageError(f"--match: {path}, line {line}: no movable joint {row[side]!r}; there are: {known}")
        chosen.append((places[0][row["ground_truth"]], places[1][row["prediction"]]))
    for k, side in enumerate(("ground_truth", "prediction")):
        if len({pair[k] for pair in chosen}) < len(chosen):
            raise UsageError(f"--match: {path}: a joint stands twice under {side}")
    return chosen
