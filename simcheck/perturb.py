"""One controlled error at a time: what a prediction of a joint can get wrong (SPEC section 5)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from metric import Body, Joint, KineticNorm
from simcheck.asset.frames import as_tuple
from simcheck.asset.model import ArticulatedObject, FloatArray

ERRORS = ("tilt", "origin", "lower", "upper", "shift", "pitch", "kind", "all")
MAGNITUDES: FloatArray = np.logspace(-3, 0, 8)


def perturbed(obj: ArticulatedObject, name: str, motion: Joint) -> ArticulatedObject:
    """The object with another motion for one joint; every link keeps its place at rest."""
    obj.joint(name)
    joints = tuple(replace(j, motion=motion) if j.name == name else j for j in obj.joints)
    return replace(obj, joints=joints)


@dataclass(frozen=True, eq=False)
class Scales:
    """What the magnitudes of the errors are multiplied with, and where the axis turns about."""

    size: float  # of the object, m
    body: Body  # moved body, world

    @property
    def com(self) -> FloatArray:
        """Centre of mass (3,), world."""
        return np.asarray(self.body.com)


def erroneous(motion: Joint, error: str, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint | None:
    """A bounded joint with one error of a relative magnitude; None where the error does not apply.

    ==========  =====================================================================================
    tilt        the axis turned by ``magnitude`` rad about its point nearest to the com
    origin      the axis moved by ``magnitude`` x size, perpendicular to itself (not for slides)
    lower       the lower limit moved by ``magnitude`` x range, out or in
    upper       the upper limit likewise
    shift       both limits moved by ``magnitude`` x range
    pitch       ``magnitude`` x size / turn added to the pitch, either sign (not for slides)
    kind        revolute and helical become prismatic, prismatic revolute, along the same axis; the limits keep
                the arc length at the body's radius of gyration about the axis
    all         tilt, origin, lower, upper, shift and pitch together
    ==========  =====================================================================================
    """
    if error == "all":
        parts = ("tilt", "origin", "lower", "upper", "shift", "pitch")
        for part in parts:
            motion = _CHANGES[part](motion, magnitude, scales, random) or motion
        return motion
    return _CHANGES[error](motion, magnitude, scales, random)


def _perpendicular(axis: FloatArray, random: np.random.Generator) -> FloatArray:
    """A unit vector perpendicular to the axis, at a random angle about it."""
    guide = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(axis, guide)
    first /= np.linalg.norm(first)
    angle = random.uniform(0, 2 * math.pi)
    return math.cos(angle) * first + math.sin(angle) * np.cross(axis, first)


def _tilt(motion: Joint, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint:
    axis, origin = np.array(motion.axis), np.array(motion.origin)
    nearest = origin + axis * (axis @ (scales.com - origin))
    tilted = math.cos(magnitude) * axis + math.sin(magnitude) * _perpendicular(axis, random)
    return replace(motion, axis=as_tuple(tilted / np.linalg.norm(tilted)), origin=as_tuple(nearest))


def _origin(motion: Joint, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint | None:
    if motion.kind == "prismatic":
        return None
    step = magnitude * scales.size * _perpendicular(np.array(motion.axis), random)
    return replace(motion, origin=as_tuple(np.array(motion.origin) + step))


def _limits(motion: Joint, lower: float, upper: float) -> Joint:
    return replace(motion, lower=min(lower, upper), upper=max(lower, upper))


def _move_limits(
    motion: Joint, magnitude: float, random: np.random.Generator, lower: float, upper: float
) -> Joint | None:
    span = motion.upper - motion.lower
    if span == 0:
        return None
    step = magnitude * span * random.choice((-1.0, 1.0))
    return _limits(motion, motion.lower + lower * step, motion.upper + upper * step)


def _lower(motion: Joint, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint | None:
    return _move_limits(motion, magnitude, random, 1.0, 0.0)


def _upper(motion: Joint, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint | None:
    return _move_limits(motion, magnitude, random, 0.0, 1.0)


def _shift(motion: Joint, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint | None:
    return _move_limits(motion, magnitude, random, 1.0, 1.0)


def _pitch(motion: Joint, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint | None:
    if motion.kind == "prismatic":
        return None
    step = magnitude * scales.size / (2 * math.pi) * random.choice((-1.0, 1.0))
    return replace(motion, kind="helical", pitch=motion.pitch + step)


def _kind(motion: Joint, magnitude: float, scales: Scales, random: np.random.Generator) -> Joint | None:
    """The other kind, limits by arc length: metres per radian is the RMS distance of the material from the axis."""
    physical = scales.body.physical()
    if motion.kind == "prismatic":
        axis = Joint("revolute", motion.axis, as_tuple(scales.com))
        arm = float(KineticNorm(physical)(axis.screw))
        if arm < 1e-6 * scales.size:
            return None
        return Joint("revolute", motion.axis, axis.origin, motion.lower / arm, motion.upper / arm)
    arm = float(KineticNorm(physical)(motion.screw))
    if arm < 1e-6 * scales.size:
        return None
    return Joint("prismatic", motion.axis, motion.origin, motion.lower * arm, motion.upper * arm)


_CHANGES = {
    "tilt": _tilt,
    "origin": _origin,
    "lower": _lower,
    "upper": _upper,
    "shift": _shift,
    "pitch": _pitch,
    "kind": _kind,
}


def scaled_interval(lower: float, upper: float, fraction: float) -> tuple[float, float]:
    """A sub-range of so much of the interval, next to rest: the interval scaled about its point nearest to 0."""
    anchor = min(max(0.0, lower), upper)
    return anchor + fraction * (lower - anchor), anchor + fraction * (upper - anchor)


def bounded(motion: Joint, interval: tuple[float, float]) -> Joint:
    """The joint with finite limits; a continuous one becomes revolute over the interval."""
    kind = "revolute" if motion.kind == "continuous" else motion.kind
    return replace(motion, kind=kind, lower=interval[0], upper=interval[1])


def axis_angle_between(a: Joint, b: Joint) -> float:
    """Angle between two axes up to sign, rad, in [0, pi/2]."""
    first, second = np.array(a.axis), np.array(b.axis)
    return math.atan2(float(np.linalg.norm(np.cross(first, second))), abs(float(first @ second)))
