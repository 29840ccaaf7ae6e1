"""What is shown: the joints of truth and prediction side by side, and where every link is at any coordinate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metric import Body, Joint, placement_discrepancy
from simcheck.asset.frames import placements
from simcheck.asset.model import ArticulatedObject, FloatArray, ObjectJoint
from simcheck.comparison.joints import ComparedJoints, ends_swapped
from simcheck.comparison.measures import MotionPair
from simcheck.description import describe_joints
from simcheck.driving import driven_interval
from simcheck.perturb import bounded

TRUTH, PREDICTION = "truth", "prediction"
NUMBERS = ("E_B", "d", "E_alpha", "E_alpha_phi")
_ALONE = {
    "ground_truth": "missing in the prediction: the numbers are its distance to a joint that stays fixed",
    "prediction": "not in the truth: the numbers are its distance to a joint that stays fixed",
}


@dataclass(frozen=True, eq=False)
class Side:
    """One object's part in a row of the list: its joint, the interval of the slider, and what the joint moves."""

    joint: ObjectJoint
    interval: tuple[float, float]  # rad or m, finite: that of the slider, from its left to its right end
    links: tuple[str, ...]  # the moved body
    carried: tuple[str, ...]  # everything downstream, the moved body included

    @property
    def motion(self) -> Joint:
        """The joint with finite limits, those of the interval."""
        motion = self.joint.motion
        if motion.exactly_fixed:
            return Joint("fixed")
        return bounded(motion, (min(self.interval), max(self.interval)))

    def coordinate(self, fraction: float) -> float:
        """Joint coordinate at a fraction of the interval, rad or m."""
        first, last = self.interval
        return (1 - fraction) * first + fraction * last


@dataclass(frozen=True, eq=False)
class ShownJoint:
    """A row of the list: a pair, or a joint that stands alone."""

    sides: Mapping[str, Side]  # by object; a side that is missing has none
    body: Body | None  # physical: what d and the material points belong to
    numbers: Mapping[str, float | None]  # `NUMBERS`
    sentence: str
    remarks: tuple[str, ...]

    @property
    def name(self) -> str:
        """The joints' names."""
        return " → ".join(dict.fromkeys(side.joint.name for side in self.sides.values()))

    @property
    def owner(self) -> str:
        """The object whose part is looked at: the truth, unless it has nothing that moves here."""
        truth = self.sides.get(TRUTH)
        return PREDICTION if truth is None or truth.joint.motion.exactly_fixed else TRUTH

    @property
    def own_side(self) -> Side:
        """The owner's part in the row."""
        return self.sides[self.owner]

    @property
    def frames(self) -> dict[str, tuple[str, str]]:
        """What carries the body in each object, as (object, link); where the joint is missing, the link above it."""
        there = {name: (name, side.joint.child) for name, side in self.sides.items()}
        absent = (self.owner, self.own_side.joint.parent)
        return {name: there.get(name, absent) for name in (TRUTH, PREDICTION)}


@dataclass(frozen=True, eq=False)
class Scene:
    """Truth and prediction in one frame, and the rows of the list, the largest error first."""

    objects: Mapping[str, ArticulatedObject]  # truth, and prediction where there is one
    joints: tuple[ShownJoint, ...]

    @property
    def size(self) -> float:
        """Size of the truth, m."""
        return self.objects[TRUTH].size

    def coordinates(self, fractions: Mapping[int, float], side: str) -> dict[str, float]:
        """Joint coordinates of one object with some rows at fractions of their interval, all others at rest."""
        return {
            self.joints[row].sides[side].joint.name: self.joints[row].sides[side].coordinate(fraction)
            for row, fraction in fractions.items()
            if side in self.joints[row].sides
        }

    def placements(self, fractions: Mapping[int, float]) -> dict[str, dict[str, FloatArray]]:
        """Placement D (4, 4) of every link of every object: where it is, relative to where it rests; world, m."""
        return {side: placements(obj, self.coordinates(fractions, side)) for side, obj in self.objects.items()}

    def apart(self, row: int, fractions: Mapping[int, float]) -> float | None:
        """How far a row's body is from one object to the other, mass-weighted RMS, m; None without a body.

        With the others at rest and both joints bounded, this at 0 and at 1 are the two ends whose root of the sum of
        squares is d.
        """
        shown, where = self.joints[row], self.placements(fractions)
        if shown.body is None:
            return None
        first, second = (where[side][link] for side, link in shown.frames.values())
        return float(np.asarray(placement_discrepancy(first, second, shown.body)))


def single_scene(obj: ArticulatedObject, alpha: float, kappa: float) -> Scene:
    """One object alone; the numbers are each joint's distance to the fixed one."""
    joints = obj.movable_joints
    entries, _ = describe_joints(obj, joints, alpha, kappa)
    rows = [
        ShownJoint(
            sides={TRUTH: _side(obj, joint, obj.size)},
            body=_physical(obj.moved_body(joint.name).body),
            numbers={name: entry["to_fixed"][name] for name in NUMBERS},
            sentence="",
            remarks=(*_reasons(entry), *_oddities(obj, joint, obj.size)),
        )
        for joint, entry in zip(joints, entries, strict=True)
    ]
    return Scene({TRUTH: obj}, tuple(sorted(rows, key=_badness)))


def overlaid_scene(found: ComparedJoints) -> Scene:
    """A prediction over its truth, from what `compare_joints` found."""
    objects = {TRUTH: found.ground_truth, PREDICTION: found.prediction}
    size = found.ground_truth.size
    rows = []
    for pair, motions, entry in zip(found.pairing.pairs, found.motions, found.entries, strict=True):
        joints = {TRUTH: pair.ground_truth, PREDICTION: pair.prediction}
        rows.append(_pair_row(objects, joints, motions, entry, size))
    for key, side, alone in (
        ("ground_truth", TRUTH, found.pairing.unmatched_ground_truth),
        ("prediction", PREDICTION, found.pairing.unmatched_prediction),
    ):
        for joint, entry in zip(alone, found.unmatched[key], strict=True):
            rows.append(
                ShownJoint(
                    sides={side: _side(objects[side], joint, size)},
                    body=_physical(objects[side].moved_body(joint.name).body),
                    numbers={name: entry[name] for name in NUMBERS},
                    sentence=_ALONE[key],
                    remarks=(*_reasons(entry), *_oddities(objects[side], joint, size)),
                )
            )
    return Scene(objects, tuple(sorted(rows, key=_badness)))


def _pair_row(
    objects: Mapping[str, ArticulatedObject],
    joints: Mapping[str, ObjectJoint],
    motions: MotionPair,
    entry: Mapping[str, Any],
    size: float,
) -> ShownJoint:
    sides = {side: _side(objects[side], joint, size) for side, joint in joints.items()}
    if ends_swapped(entry) and not joints[PREDICTION].motion.exactly_fixed:
        sides[PREDICTION] = replace(sides[PREDICTION], interval=sides[PREDICTION].interval[::-1])
    remarks = [*_reasons(entry)]
    stands = entry["rest_pose"]
    if stands is not None and (stands["translation"] > 1e-6 * size or stands["rotation"] > 1e-6):
        remarks.append(
            f"at rest the links' frames are {_length(stands['translation'])} and "
            f"{math.degrees(stands['rotation']):.3g}° apart; E and d do not count that"
        )
    if entry["limits_imputed"]:
        remarks.append("the prediction gives no limits: those of the truth are used")
    if entry["paired_by"] == "fixed":
        still = next(s for s, j in joints.items() if j.motion.exactly_fixed)
        remarks.append(f"fixed in the {still}: paired by name")
    for side, joint in joints.items():
        remarks += [f"{side}: {text}" for text in _oddities(objects[side], joint, size)]
    numbers = {name: entry[name] for name in NUMBERS}
    return ShownJoint(sides, _physical(motions.body), numbers, entry["explanation"]["sentence"], tuple(remarks))


def _side(obj: ArticulatedObject, joint: ObjectJoint, size: float) -> Side:
    fixed = joint.motion.exactly_fixed
    links = obj.welded(joint.child) if fixed else obj.moved_body(joint.name).links
    interval = (0.0, 0.0) if fixed else driven_interval(joint, size)
    return Side(joint, interval, links, obj.downstream(joint.child))


def _physical(body: Body | None) -> Body | None:
    return None if body is None else body.physical()


def _reasons(entry: Mapping[str, Any]) -> list[str]:
    """Why numbers that are shown have no value, each reason once."""
    told: dict[str, list[str]] = {}
    for name, reason in entry["null_reasons"].items():
        if name in NUMBERS:
            told.setdefault(reason, []).append(name)
    return [f"no {', '.join(names)}: {reason}" for reason, names in told.items()]


def _oddities(obj: ArticulatedObject, joint: ObjectJoint, size: float) -> list[str]:
    """What a viewer should know of a joint besides its numbers."""
    told = []
    if not joint.motion.exactly_fixed and not joint.motion.bounded:
        ends = [_coordinate(q, joint.kind) for q in driven_interval(joint, size)]
        told.append(f"{joint.name} is unbounded: the slider goes from {ends[0]} to {ends[1]}")
    if joint.mimic is not None:
        told.append(
            f"{joint.name} follows {joint.mimic.leader} in the file (× {joint.mimic.multiplier:g} + "
            f"{joint.mimic.offset:g}); here it has its own slider, as in the metric"
        )
    if joint.pitch is not None:
        told.append(f"{joint.name} is helical: {1000 * joint.pitch:.4g} mm/rad along its axis")
    return told


def _coordinate(value: float, kind: str) -> str:
    return _length(value) if kind == "prismatic" else f"{math.degrees(value):.4g}°"


def _length(value: float) -> str:
    return f"{value:.4g} m" if abs(value) >= 0.1 or value == 0 else f"{1000 * value:.4g} mm"


def _badness(row: ShownJoint) -> tuple[bool, float]:
    """Sorts the largest E_B first; rows without one follow, the largest E_alpha^phi first."""
    e_b, e_phi = row.numbers["E_B"], row.numbers["E_alpha_phi"]
    return e_b is None, -(e_phi if e_b is None else e_b) if e_phi is not None else 0.0
