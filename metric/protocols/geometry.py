"""Joints as arrays, and the angles and line distances that the protocols are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric.errors import MetricError
from metric.joint import Joint

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

PARALLEL = 1e-9  # |a x b| below which two lines count as parallel
FIXED, UNBOUNDED = "a joint is fixed", "a joint is unbounded"
TYPES_DIFFER, NO_ORIGIN = "types differ", "a prismatic joint has no origin"


@dataclass(frozen=True)
class Joints:
    """N joints, world frame at rest; axes of unit length."""

    kind: NDArray[np.str_]
    axis: Floats
    origin: Floats
    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, name: str, joints: Any) -> Joints:
        """From a `Joint` or a sequence of them; `name` is used in messages."""
        listed = [joints] if isinstance(joints, Joint) else joints
        if not isinstance(listed, Sequence) or not all(isinstance(j, Joint) for j in listed):
            raise MetricError(f"{name}: expected a Joint or a sequence of them, got {type(joints).__name__}")
        numbers = np.array([(*j.axis, *j.origin, j.lower, j.upper) for j in listed], dtype=float).reshape(-1, 8)
        kinds = np.array([j.kind for j in listed], dtype=np.str_)
        return cls(kinds, numbers[:, :3], numbers[:, 3:6], numbers[:, 6], numbers[:, 7])

    def __len__(self) -> int:
        return len(self.kind)

    def repeated(self, n: int) -> Joints:
        """One joint n times, or the n joints as they are."""
        return self if len(self) == n else Joints(*(np.repeat(getattr(self, f.name), n, axis=0) for f in fields(self)))

    @property
    def fixed(self) -> Flags:
        """Where the kind is fixed."""
        return self.kind == "fixed"

    @property
    def turns(self) -> Flags:
        """Where the joint turns: revolute, continuous, helical."""
        return np.isin(self.kind, ("revolute", "continuous", "helical"))

    @property
    def slides(self) -> Flags:
        """Where the joint is prismatic."""
        return self.kind == "prismatic"

    @property
    def unbounded(self) -> Flags:
        """Where a limit is infinite."""
        return np.isinf(self.lower) | np.isinf(self.upper)

    @property
    def travel(self) -> Floats:
        """``upper - lower``, rad or m; NaN for unbounded joints."""
        return np.subtract(self.upper, self.lower, out=np.full(len(self), np.nan), where=~self.unbounded)


def dot(a: Floats, b: Floats) -> Floats:
    """Inner product over the last axis."""
    return np.sum(a * b, axis=-1)


def norm(a: Floats) -> Floats:
    """Length over the last axis."""
    return np.linalg.norm(a, axis=-1)


def axis_angle(a: Floats, b: Floats) -> Floats:
    """Angle between unit axes up to sign, rad, [0, pi/2]; by atan2, exact at both ends."""
    return np.arctan2(norm(np.cross(a, b)), np.abs(dot(a, b)))


def line_distance(offset: Floats, a: Floats, b: Floats) -> Floats:
    """Distance of two lines along unit axes a and b, their points `offset` apart; parallel lines included."""
    normal = np.cross(a, b)
    sine = norm(normal)
    parallel = sine < PARALLEL
    apart = norm(offset - dot(offset, a)[..., None] * a)
    return np.where(parallel, apart, np.abs(dot(offset, normal)) / np.where(parallel, 1.0, sine))


def relative_angle(a: Floats, b: Floats) -> Floats:
    """Angle of ``exp(a) exp(b)^-1`` for rotation vectors, rad, [0, pi]; by quaternions and atan2."""
    (wa, va), (wb, vb) = (
        (np.cos(t / 2), np.sinc(t[..., None] / (2 * np.pi)) / 2 * r) for r, t in ((a, norm(a)), (b, norm(b)))
    )
    vector = wb[..., None] * va - wa[..., None] * vb - np.cross(va, vb)
    return 2 * np.arctan2(norm(vector), np.abs(wa * wb + dot(va, vb)))


def rotation_matrix(rotation: Floats) -> Floats:
    """``exp`` of rotation vectors (N, 3): (N, 3, 3)."""
    from metric.se3 import exp

    return np.asarray(exp(np.concatenate([rotation, np.zeros_like(rotation)], axis=-1)))[..., :3, :3]
