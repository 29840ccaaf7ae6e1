"""One-degree-of-freedom joints as a unit screw and an interval (paper section 4, SPEC section 2)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric.arrays import (
    Array,
    broadcast_leading,
    cross,
    holds,
    is_foreign,
    like,
    magnitude,
    namespace,
    require_finite,
    shown,
    validated,
)
from metric.errors import MetricError, MetricWarning

KINDS = ("revolute", "continuous", "prismatic", "helical", "fixed")
_UNIT = 1e-15  # a length this close to 1 is 1: what has been normalised stays as it is, to the last bit
_TURNING = ("revolute", "continuous", "helical")


def _kind_flags(kind: str | Sequence[str], like: Array) -> tuple[Array, Array, Array]:
    """1 where a joint turns, slides along its axis by v, and has a pitch; shape of ``kind``."""
    xp = namespace(like)
    names = np.asarray(kind)
    unknown = set(np.unique(names).tolist()) - set(KINDS)
    if unknown:
        raise MetricError(f"kind: expected one of {', '.join(KINDS)}, got {', '.join(sorted(map(str, unknown)))}")
    flags = (np.isin(names, _TURNING), names == "prismatic", names == "helical")
    turns, slides, advances = (xp.asarray(f.astype(np.float64), dtype=like.dtype) for f in flags)
    return turns, slides, advances


def screw(kind: str | Sequence[str], axis: Any, origin: Any, pitch: Any = 0.0) -> Array:
    """Unit screw of a joint in the world frame at rest (SPEC section 2, paper A.2).

    Parameters
    ----------
    kind : str or array of str, shape (...)
        One of revolute, continuous, prismatic, helical, fixed.
    axis : array_like, shape (..., 3)
        Direction, world frame; normalised here, with a `MetricWarning` if it was not of unit length.
    origin : array_like, shape (..., 3)
        Any point on the axis, world frame, m. Not used by prismatic joints.
    pitch : array_like, shape (...)
        Advance of a helical joint in m/rad, right-handed positive.

    Returns
    -------
    xi : array, shape (..., 6)
        (omega, v): ``(a, o x a)`` revolute and continuous, ``(0, a)`` prismatic, ``(a, o x a + h a)`` helical,
        0 fixed.

    Raises
    ------
    ShapeError     a trailing shape is not (3,)
    MetricError    unknown kind, zero axis of a moving joint, or an entry that is not finite

    Examples
    --------
    >>> screw("revolute", axis=[0, 0, 1], origin=[1, 0, 0])
    array([ 0.,  0.,  1.,  0., -1.,  0.])
    """
    axis, origin, pitch = validated(axis=(axis, (3,)), origin=(origin, (3,)), pitch=(pitch, ()))
    for name, array in (("axis", axis), ("origin", origin), ("pitch", pitch)):
        require_finite(name, array)
    xp = namespace(axis)
    turns, slides, advances = _kind_flags(kind, axis)
    length = magnitude(axis)
    moves = turns + slides
    if not holds((length > 0) | (moves == 0)):
        raise MetricError("axis: expected a direction, got the zero vector (0 0 0) for a moving joint")
    if not holds((xp.abs(length - 1) <= 1e-6) | (moves == 0)):
        warnings.warn("axis: not of unit length, normalised", MetricWarning, stacklevel=2)
    if isinstance(length, np.ndarray):
        length = np.where(np.abs(length - 1) <= _UNIT, 1.0, length)
    unit = axis / xp.where(length > 0, length, xp.ones_like(length))[..., None]
    turning = turns[..., None] * unit
    moment = turns[..., None] * cross(origin, unit)
    v = moment + (slides + advances * pitch)[..., None] * unit
    return xp.concat([turning + 0.0 * v, v], axis=-1)


def endpoint_twists(screw: Any, limits: Any) -> Array:
    """Twists at the two limits, ``(lower xi, upper xi)`` (paper section 4).

    Parameters
    ----------
    screw : array_like, shape (..., 6)
        Unit screw, world frame at rest.
    limits : array_like, shape (..., 2)
        (lower, upper) in rad or m; an end may be infinite.

    Returns
    -------
    z : array, shape (..., 2, 6)
        An infinite end gives infinite entries where the screw is not 0: such a pair is unbounded, and `distance`
        returns +inf for it. Use `compactify` instead.

    Raises
    ------
    ShapeError     a trailing shape is wrong
    MetricError    a NaN, or a screw that is not finite

    Examples
    --------
    >>> endpoint_twists([0, 0, 0, 1, 0, 0], [-0.5, 2])[:, 3]
    array([-0.5,  2. ])
    """
    screw, limits = validated(screw=(screw, (6,)), limits=(limits, (2,)))
    require_finite("screw", screw)
    require_finite("limits", limits, infinity_allowed=True)
    broadcast_leading("screw and limits", screw.shape[:-1], limits.shape[:-1])
    xp = namespace(screw)
    xi, end = screw[..., None, :], limits[..., None]
    finite = xp.where(xp.isinf(end), xp.zeros_like(end), end) * xi
    infinite = xp.isinf(end) & (xi != 0)
    beyond = xp.full_like(finite, math.inf)
    return xp.where(infinite, xp.where((xi > 0) == (end > 0), beyond, -beyond), finite)


@dataclass(frozen=True)
class Joint:
    """A one-degree-of-freedom joint in the world frame at rest.

    Parameters
    ----------
    kind
        One of revolute, continuous, prismatic, helical, fixed.
    axis
        Direction, shape (3,), normalised here.
    origin
        A point on the axis, shape (3,), m.
    lower, upper
        Limits in rad (revolute, helical) or m (prismatic), infinite allowed. A continuous joint has (-inf, inf),
        a fixed one (0, 0), whatever is given.
    pitch
        Advance in m/rad, helical only.

    Raises
    ------
    MetricError    unknown kind, zero axis, an entry that is not finite, or lower > upper

    Examples
    --------
    >>> door = Joint("revolute", axis=(0, 0, 1), origin=(1, 0, 0), upper=1.5)
    >>> door.endpoints[1]
    array([ 0. ,  0. ,  1.5,  0. , -1.5,  0. ])
    >>> door.reversed().limits
    array([-1.5, -0. ])
    """

    kind: str
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    lower: float = 0.0
    upper: float = 0.0
    pitch: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise MetricError(f"kind: expected one of {', '.join(KINDS)}, got {self.kind!r}")
        axis, origin = _three_numbers("axis", self.axis), _three_numbers("origin", self.origin)
        length = math.hypot(*axis)
        if self.kind != "fixed" and length == 0:
            raise MetricError("axis: expected a direction, got the zero vector (0 0 0) for a moving joint")
        if self.kind != "fixed" and abs(length - 1) > 1e-6:
            warnings.warn("axis: not of unit length, normalised", MetricWarning, stacklevel=3)
        if abs(length - 1) <= _UNIT:
            length = 1.0
        x, y, z = axis
        lower, upper = _checked_limits(self.kind, _number("lower", self.lower), _number("upper", self.upper))
        self.__dict__.update(
            axis=(x / length, y / length, z / length) if length > 0 else axis,
            origin=origin,
            lower=lower,
            upper=upper,
            pitch=_number("pitch", self.pitch),
        )
        if not math.isfinite(self.pitch):
            raise MetricError(f"pitch: expected a finite number, got {self.pitch}")

    @cached_property
    def screw(self) -> NDArray[np.float64]:
        """Unit screw, shape (6,), world frame at rest; read only."""
        return _read_only(screw(self.kind, self.axis, self.origin, self.pitch))

    @cached_property
    def limits(self) -> NDArray[np.float64]:
        """(lower, upper), shape (2,); read only."""
        return _read_only(np.array([self.lower, self.upper]))

    @cached_property
    def endpoints(self) -> NDArray[np.float64]:
        """Endpoint twists, shape (2, 6), infinite entries for an unbounded joint; read only."""
        return _read_only(endpoint_twists(self.screw, self.limits))

    @property
    def bounded(self) -> bool:
        """Whether both limits are finite."""
        return math.isfinite(self.lower) and math.isfinite(self.upper)

    @property
    def exactly_fixed(self) -> bool:
        """Whether the joint never moves: kind fixed, or both limits 0."""
        return self.lower == 0.0 == self.upper

    def reversed(self) -> Joint:
        """The same motion written with the opposite axis: ``(-xi, [-upper, -lower])``, E = 0 (Prop. B.2)."""
        x, y, z = self.axis
        return replace(self, axis=(-x, -y, -z), lower=-self.upper, upper=-self.lower)

    def reanchored(self, q0: float) -> Joint:
        """The joint with coordinate q0 taken as the new zero: limits minus q0 (Remark B.9)."""
        return replace(self, lower=self.lower - q0, upper=self.upper - q0)

    def wrapped(self) -> Joint:
        """A bounded revolute joint with both limits shifted by 2 pi n, midpoint in (-pi, pi]; others unchanged."""
        if self.kind != "revolute" or not self.bounded:
            return self
        turns = math.ceil(((self.lower + self.upper) / 2 - math.pi) / (2 * math.pi))
        return self if turns == 0 else self.reanchored(2 * math.pi * turns)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise MetricError(f"{name}: expected a number, got {shown(value)}") from None


def _three_numbers(name: str, values: Any) -> tuple[float, float, float]:
    try:
        x, y, z = (float(v) for v in values)
    except (TypeError, ValueError):
        raise MetricError(
            f"{name}: expected three numbers, got {shown(values)}; pass a batch as (screw, limits)"
        ) from None
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        raise MetricError(f"{name}: expected finite numbers, got {shown(values)}")
    return x, y, z


def _read_only(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.flags.writeable = False
    return array


def _checked_limits(kind: str, lower: float, upper: float) -> tuple[float, float]:
    if kind == "continuous":
        return -math.inf, math.inf
    if kind == "fixed":
        return 0.0, 0.0
    if not lower <= upper:
        raise MetricError(f"limits: expected lower <= upper, got lower {lower}, upper {upper}")
    if lower == math.inf or upper == -math.inf:
        raise MetricError(f"limits: expected an interval that holds a real number, got ({lower}, {upper})")
    return lower, upper


def stacked(joints: Sequence[Joint]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Screws (N, 6) and limits (N, 2) of many joints in one vectorised step; the joints remember their screws."""
    if not joints:
        return np.empty((0, 6)), np.empty((0, 2))
    screws = np.asarray(
        screw([j.kind for j in joints], [j.axis for j in joints], [j.origin for j in joints], [j.pitch for j in joints])
    )
    for joint, xi in zip(joints, _read_only(screws), strict=True):
        joint.__dict__.setdefault("screw", xi)
    return screws, np.array([(j.lower, j.upper) for j in joints])


def screw_and_limits(joint: Any) -> tuple[Any, Any]:
    """(screw, limits) of a `Joint` or of a batch given as that pair."""
    if isinstance(joint, Joint):
        return joint.screw, joint.limits
    try:
        xi, limits = joint
    except (TypeError, ValueError):
        raise MetricError(f"joint: expected a Joint or a pair (screw, limits), got {type(joint).__name__}") from None
    return xi, limits


def endpoints_of(joint: Any) -> Array:
    """Endpoint twists (..., 2, 6) of a `Joint` or a batch ``(screw, limits)``."""
    return joint.endpoints if isinstance(joint, Joint) else endpoint_twists(*screw_and_limits(joint))


def endpoint_pairs(a: Any, b: Any) -> tuple[Array, Array]:
    """Endpoint twists (..., 2, 6) of two joints or batches, as arrays of one library."""
    a, b = aligned(a, b)
    z1, z2 = validated(a=(endpoints_of(a), (2, 6)), b=(endpoints_of(b), (2, 6)))
    return z1, z2


def aligned(*joints: Any) -> list[Any]:
    """The joints with every `Joint` turned into arrays of the batches' library, if that is not NumPy.

    So a `Joint` can be compared with predictions held in PyTorch or JAX arrays.
    """
    batches = [screw_and_limits(joint) for joint in joints if not isinstance(joint, Joint)]
    foreign = next((array for batch in batches for array in batch if is_foreign(array)), None)
    if foreign is None:
        return list(joints)
    return [
        (like(joint.screw, foreign), like(joint.limits, foreign)) if isinstance(joint, Joint) else joint
        for joint in joints
    ]
