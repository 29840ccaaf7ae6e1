"""The endpoint distance E, the compactification phi and E^phi (paper eq. 5 and 8)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from metric import kernels
from metric.arrays import (
    Array,
    broadcast_leading,
    holds,
    is_foreign,
    like,
    magnitude,
    namespace,
    require_finite,
    require_positive,
    validated,
)
from metric.errors import MetricWarning
from metric.joint import Joint, aligned, endpoints_of, screw_and_limits, stacked
from metric.norm import Norm


def distance(z1: Any, z2: Any, norm: Norm) -> Array:
    """Distance E between unordered endpoint pairs (paper eq. 5).

    ``E^2 = min(|z1- - z2-|^2 + |z1+ - z2+|^2, |z1- - z2+|^2 + |z1+ - z2-|^2)``, no factor 1/2.

    Parameters
    ----------
    z1, z2 : array_like, shape (..., 2, 6)
        Endpoint twists (omega, v), world frame at rest; rad and m. Leading axes broadcast.
    norm
        `SplitNorm`, `KineticNorm`, `RiemannianNorm`; a batched norm broadcasts against the leading axes.

    Returns
    -------
    E : array, shape (...)
        Metres for `KineticNorm`, dimensionless for `SplitNorm`; +inf where an endpoint is infinite.

    Raises
    ------
    ShapeError     a trailing shape is wrong, or leading axes do not broadcast
    MetricError    an entry is NaN

    Examples
    --------
    >>> from metric import SplitNorm
    >>> xi = np.eye(6)[2]
    >>> print(distance([0 * xi, xi], [xi, 2 * xi], SplitNorm()))   # Table 3, row 2
    1.4142135623730951
    """
    z1, z2 = validated(z1=(z1, (2, 6)), z2=(z2, (2, 6)))
    broadcast_leading("z1, z2 and norm", z1.shape[:-2], z2.shape[:-2], kernels.batch_shape(norm))
    if kernels.supports(norm, z1, z2):
        return _blocked(z1, z2, norm)
    for name, z in (("z1", z1), ("z2", z2)):
        require_finite(name, z, infinity_allowed=True)
    return _definition(z1, z2, norm)


def _blocked(z1: np.ndarray, z2: np.ndarray, norm: Any) -> np.ndarray:
    """`_definition` by the fast kernels; the entries are looked at only where the value is not finite."""
    e = kernels.distance(z1, z2, norm)
    if not e.max(initial=0.0) < np.inf:  # also when one is NaN
        for name, z in (("z1", z1), ("z2", z2)):
            require_finite(name, z, infinity_allowed=True)
        e = np.where(np.isfinite(e), e, np.inf)
    return e


def _definition(z1: Array, z2: Array, norm: Norm) -> Array:
    """Equation 5 as it stands, for arrays of any library."""
    xp = namespace(z1, z2)
    unbounded = xp.any(xp.isinf(z1), axis=(-2, -1)) | xp.any(xp.isinf(z2), axis=(-2, -1))
    z1, z2 = (xp.where(xp.isinf(z), xp.zeros_like(z), z) for z in (z1, z2))
    lower1, upper1, lower2, upper2 = z1[..., 0, :], z1[..., 1, :], z2[..., 0, :], z2[..., 1, :]
    direct = xp.concat([norm.whiten(lower1 - lower2), norm.whiten(upper1 - upper2)], axis=-1)
    swapped = xp.concat([norm.whiten(lower1 - upper2), norm.whiten(upper1 - lower2)], axis=-1)
    e = xp.minimum(magnitude(direct), magnitude(swapped))
    return xp.where(unbounded, xp.full_like(e, math.inf), e)


def compactify(screw: Any, limits: Any, norm: Norm, kappa: float = math.pi) -> Array:
    """Image of the endpoint pair under ``phi(z) = tanh(|z|/kappa) z/|z|`` (paper eq. 8).

    Computed from screw and limits, never from their product: an infinite end maps to ``+-xi/|xi|``.

    Parameters
    ----------
    screw : array_like, shape (..., 6)
        Unit screw, world frame at rest.
    limits : array_like, shape (..., 2)
        (lower, upper) in rad or m, each end finite or infinite.
    norm
        The norm inside phi; use the same one for the distance.
    kappa : float
        Scale, in the unit of the norm.

    Returns
    -------
    z : array, shape (..., 2, 6)
        Compactified endpoints in the order (lower, upper). Where the screw has norm 0 (fixed joints, a rod
        turning about itself) they are 0; for a joint with non-zero limits a `MetricWarning` says so.

    Raises
    ------
    ShapeError     a trailing shape is wrong
    MetricError    kappa not positive, a NaN

    Examples
    --------
    >>> from metric import SplitNorm
    >>> compactify([0, 0, 0, 0, 0, 1], [-math.inf, math.inf], SplitNorm())[:, 5]
    array([-1.,  1.])
    """
    screw, limits = validated(screw=(screw, (6,)), limits=(limits, (2,)))
    require_finite("screw", screw)
    require_finite("limits", limits, infinity_allowed=True)
    require_positive("kappa", kappa)
    xp = namespace(screw)
    length = magnitude(norm.whiten(screw))
    still = norm.vanishes(screw)
    if not holds(~still | xp.all(screw == 0, axis=-1) | xp.all(limits == 0, axis=-1)):
        _warn_still()
    safe = xp.where(still, xp.ones_like(length), length)[..., None]
    saturation = 40.0 * kappa / safe  # tanh(40) rounds to 1: larger limits change nothing and must not overflow
    reach = xp.minimum(xp.abs(limits), saturation) * (safe / kappa)
    factor = xp.where(still[..., None], xp.zeros_like(reach), xp.sign(limits) * xp.tanh(reach))
    return factor[..., None] * (screw / safe)[..., None, :]


@overload
def joint_distance(a: Joint, b: Joint, norm: Norm, kappa: float | None = None) -> float: ...
@overload
def joint_distance(a: Any, b: Any, norm: Norm, kappa: float | None = None) -> Any: ...
def joint_distance(a: Any, b: Any, norm: Norm, kappa: float | None = None) -> Any:
    """E between two joints, or E^phi when kappa is given (paper eq. 5 and 8).

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)`` of shapes (..., 6) and (..., 2).
    norm
        The norm, inside phi and outside.
    kappa
        None: E, +inf for an unbounded joint. A number: E^phi with that scale.

    Returns
    -------
    float for two joints, array of shape (...) for batches.

    Examples
    --------
    >>> from metric import Joint, SplitNorm
    >>> spin, weld = Joint("continuous"), Joint("fixed")
    >>> joint_distance(spin, weld, SplitNorm()), round(joint_distance(spin, weld, SplitNorm(), math.pi), 9)
    (inf, 1.414213562)
    """
    first, second = aligned(a, b)
    value = _joint_distance(first, second, norm, kappa)
    return float(value) if isinstance(a, Joint) and isinstance(b, Joint) and value.ndim == 0 else value


def _joint_distance(a: Any, b: Any, norm: Norm, kappa: float | None) -> Array:
    if kappa is None:
        return distance(endpoints_of(a), endpoints_of(b), norm)
    require_positive("kappa", kappa)
    (screw1, limits1), (screw2, limits2) = screw_and_limits(a), screw_and_limits(b)
    parts = {
        "screw of a": (screw1, (6,)),
        "limits of a": (limits1, (2,)),
        "screw of b": (screw2, (6,)),
        "limits of b": (limits2, (2,)),
    }
    arrays = screw1, limits1, screw2, limits2 = validated(**parts)
    broadcast_leading("a, b and norm", *(array.shape[:-1] for array in arrays), kernels.batch_shape(norm))
    if not kernels.supports(norm, *arrays):
        z1, z2 = compactify(screw1, limits1, norm, kappa), compactify(screw2, limits2, norm, kappa)
        return distance(z1, z2, norm)
    for name, limits in (("limits of a", limits1), ("limits of b", limits2)):
        require_finite(name, limits, infinity_allowed=True)
    e, idle = kernels.compact_distance((screw1, limits1), (screw2, limits2), norm, kappa)
    if not np.isfinite(e).all():
        for name, screws in (("screw of a", screw1), ("screw of b", screw2)):
            require_finite(name, screws)
    if idle:
        _warn_still()
    return e


def _warn_still() -> None:
    message = "screw: the twist has zero norm, nothing moves: its compactified endpoints are 0"
    warnings.warn(message, MetricWarning, stacklevel=4)


def _endpoints(joint: Any, norm: Norm, kappa: float | None) -> Array:
    if kappa is None:
        return endpoints_of(joint)
    return compactify(*screw_and_limits(joint), norm, kappa)


def cost_to_fixed(joint: Any, norm: Norm, kappa: float | None = None) -> Any:
    """Distance of a joint to the fixed joint J0 = {0, 0}: the cost of inserting or deleting it.

    Parameters and result as in `joint_distance`.

    Examples
    --------
    >>> from metric import Joint, SplitNorm
    >>> cost_to_fixed(Joint("prismatic", lower=-3, upper=4), SplitNorm())
    5.0
    """
    z = _endpoints(joint, norm, kappa)
    xp = namespace(z)
    value = distance(z, xp.zeros_like(z), norm)
    return float(value) if isinstance(joint, Joint) and value.ndim == 0 else value


def pairwise_distance(joints_a: Any, joints_b: Any, norm: Norm, kappa: float | None = None) -> Array:
    """E (or E^phi) between all joints of one collection and all of another.

    Parameters
    ----------
    joints_a, joints_b
        Sequences of `Joint`, or batches ``(screw (M, 6), limits (M, 2))``.
    norm, kappa
        As in `joint_distance`. One norm for all pairs is fast; a batched one broadcasts against (M, N).

    Returns
    -------
    E : array, shape (M, N)
        Units as in `distance`; +inf for pairs with an unbounded joint, unless kappa is given. NumPy arrays are
        evaluated by expanded squares, and pairs for which these have no digits again from their differences: the
        relative error stays below 1e-11 for any pair, 1e-10 apart included.

    Raises
    ------
    ShapeError, MetricError    as in `joint_distance`

    Examples
    --------
    >>> from metric import Joint, SplitNorm
    >>> pairwise_distance([Joint("fixed")], [Joint("prismatic", upper=1), Joint("continuous")], SplitNorm())
    array([[ 1., inf]])
    """
    batches = [stack_joints(joints) for joints in (joints_a, joints_b)]
    foreign = next((part for batch in batches for part in batch if is_foreign(part)), None)
    if foreign is not None:
        batches = [
            tuple(like(part, foreign) for part in batch) if _are_joints(joints) else batch
            for joints, batch in zip((joints_a, joints_b), batches, strict=True)
        ]
    a, b = (_endpoints(batch, norm, kappa) for batch in batches)
    if kernels.supports(norm, a, b) and a.ndim == b.ndim == 3 and kernels.batch_shape(norm) == ():
        unbounded1, unbounded2 = (np.isinf(z).any(axis=(-2, -1)) for z in (a, b))
        a, b = np.where(np.isinf(a), 0.0, a), np.where(np.isinf(b), 0.0, b)
        e = kernels.pairwise_distance(a, b, norm)
        e[unbounded1, :] = e[:, unbounded2] = math.inf
        return e
    return distance(a[..., :, None, :, :], b[..., None, :, :, :], norm)


def _are_joints(joints: Any) -> bool:
    return isinstance(joints, Joint) or (isinstance(joints, Sequence) and all(isinstance(j, Joint) for j in joints))


def stack_joints(joints: Sequence[Joint] | Any) -> tuple[Any, Any]:
    """Batch ``(screw (N, 6), limits (N, 2))`` of a sequence of joints; a batch is passed through."""
    if isinstance(joints, Joint):
        joints = [joints]
    if not _are_joints(joints):
        return screw_and_limits(joints)
    return stacked(joints)
