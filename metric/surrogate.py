"""Smooth surrogates of E for training (paper A.3): functions of the unordered pair with gradients everywhere.

E itself has no gradient where both assignments cost the same, and none at E = 0. Both surrogates do. Twists may be
NumPy, PyTorch or JAX arrays; gradients flow through the last two.
"""

from __future__ import annotations

from typing import Any

from metric.arrays import (
    Array,
    broadcast_leading,
    magnitude,
    namespace,
    require_finite,
    require_positive,
    stop_gradient,
    validated,
)
from metric.joint import Joint
from metric.norm import Norm


def swap_invariants(pair: Any) -> tuple[Array, Array]:
    """Sum and outer difference of an endpoint pair, which together determine the unordered pair (paper A.3).

    Parameters
    ----------
    pair : array_like, shape (..., 2, 6)
        Endpoint twists (omega, v) in either order, world frame at rest; rad and m. Or a `Joint`.

    Returns
    -------
    s : array, shape (..., 6)
        ``z- + z+``.
    D : array, shape (..., 6, 6)
        ``(z- - z+)(z- - z+)^T``, symmetric, rank 1.

    Raises
    ------
    ShapeError     the trailing shape is not (2, 6)
    MetricError    an endpoint is not finite (`compactify` first)

    Examples
    --------
    >>> s, D = swap_invariants(Joint("prismatic", lower=-1, upper=2))
    >>> float(s[3]), float(D[3, 3])
    (1.0, 9.0)
    """
    (z,) = _pairs(pair=pair)
    total, extent = _sum_and_difference(z)
    return total, extent[..., :, None] * extent[..., None, :]


def invariant_loss(p: Any, q: Any, norm: Norm) -> Array:
    """Smooth loss on the swap invariants, in units of E^2, between E^2 / 2 and 2 E^2.

    In whitened coordinates, with s = z- + z+, delta = z- - z+ and D = delta delta^T:
    ``|s_p - s_q|^2 / 2 + |D_p - D_q|_F^2 / (2 (|delta_p|^2 + |delta_q|^2))``. It is 0 only where E is, is smooth
    but for delta_p = delta_q = 0, and has a continuous gradient there too.

    A prediction whose two ends coincide (one that starts as fixed) has no gradient that would open its range, for D
    is quadratic in delta: start from a small range.

    Parameters
    ----------
    p, q : array_like, shape (..., 2, 6)
        Endpoint pairs, world frame at rest; rad and m; finite (use `compactify` for unbounded joints). Either may be
        a `Joint`. Leading axes broadcast.
    norm
        As in `distance`.

    Returns
    -------
    loss : array, shape (...)
        Unit of the norm, squared.

    Raises
    ------
    ShapeError     a trailing shape is wrong, or leading axes do not broadcast
    MetricError    an endpoint is not finite

    Examples
    --------
    >>> from metric import SplitNorm
    >>> door = Joint("revolute", axis=(0, 0, 1), upper=1.5)
    >>> float(invariant_loss(door, door.reversed(), SplitNorm()))
    0.0
    """
    p, q = _pairs(p=p, q=q)
    xp = namespace(p, q)
    (sum_p, extent_p), (sum_q, extent_q) = (_sum_and_difference(z) for z in (p, q))
    position = norm.whiten(sum_p - sum_q)
    extent_p, extent_q = norm.whiten(extent_p), norm.whiten(extent_q)
    # |D_p - D_q|^2 = |a - b|^2 |a + b|^2 / 2 + <a - b, a + b>^2 / 2: no square is expanded, nothing cancels.
    closer, apart = extent_p - extent_q, extent_p + extent_q
    size = stop_gradient(magnitude(xp.concat([closer, apart], axis=-1)))  # the loss is homogeneous: work at size 1
    size = xp.where(size > 0, size, xp.ones_like(size))
    closer, apart = closer / size[..., None], apart / size[..., None]
    minus, plus, mixed = _square(closer), _square(apart), xp.sum(closer * apart, axis=-1)
    total = minus + plus  # 2 (|delta_p|^2 + |delta_q|^2)
    spread = (minus * plus + mixed * mixed) / xp.where(total > 0, total, xp.ones_like(total))
    return (_square(position) + size * (size * spread)) / 2


def soft_distance(p: Any, q: Any, norm: Norm, temperature: float) -> Array:
    """Squared soft minimum of the two assignments: ``E^2 <= soft <= E^2 + T ln 2``.

    ``-T log((exp(-direct/T) + exp(-swapped/T)) / 2)``; as T goes to 0 it anneals to E^2.

    Parameters
    ----------
    p, q : array_like, shape (..., 2, 6)
        Endpoint pairs, as in `invariant_loss`.
    norm
        As in `distance`.
    temperature : float
        T > 0, in the unit of the norm, squared.

    Returns
    -------
    soft : array, shape (...)
        Unit of the norm, squared. Not 0 at E = 0 unless the two ends coincide.

    Raises
    ------
    ShapeError     a trailing shape is wrong, or leading axes do not broadcast
    MetricError    an endpoint is not finite, or the temperature is not positive

    Examples
    --------
    >>> from metric import SplitNorm, joint_distance
    >>> door, wider = Joint("revolute", upper=1.5), Joint("revolute", upper=2.0)
    >>> [round(float(soft_distance(door, wider, SplitNorm(), T)), 6) for T in (10.0, 1.0, 0.01)]
    [2.806592, 0.940671, 0.256931]
    >>> joint_distance(door, wider, SplitNorm()) ** 2
    0.25
    """
    require_positive("temperature", temperature)
    p, q = _pairs(p=p, q=q)
    xp = namespace(p, q)
    lower, upper = (norm.whiten(p[..., k, :] - q[..., k, :]) for k in (0, 1))
    crossed = [norm.whiten(p[..., k, :] - q[..., 1 - k, :]) for k in (0, 1)]
    direct, swapped = _square(lower) + _square(upper), _square(crossed[0]) + _square(crossed[1])
    least = stop_gradient(xp.minimum(direct, swapped))  # shifts the exponents; smooth at ties
    excess = xp.stack([direct - least, swapped - least], axis=-1)
    limit = 700 * temperature  # exp(-700) is nothing, and the quotient must not overflow
    ratio = xp.where(excess < limit, excess, xp.full_like(excess, limit)) / temperature
    return least - temperature * xp.log(xp.sum(xp.exp(-ratio), axis=-1) / 2)


def _pairs(**pairs: Any) -> list[Array]:
    """Finite endpoint pairs of one library; a `Joint` follows the arrays."""
    given = {k: (v.endpoints.tolist() if isinstance(v, Joint) else v, (2, 6)) for k, v in pairs.items()}
    arrays = validated(**given)
    for name, z in zip(pairs, arrays, strict=True):
        require_finite(name, z)
    broadcast_leading(" and ".join(pairs), *(z.shape[:-2] for z in arrays))
    return arrays


def _sum_and_difference(z: Array) -> tuple[Array, Array]:
    return z[..., 0, :] + z[..., 1, :], z[..., 0, :] - z[..., 1, :]


def _square(vector: Array) -> Array:
    return namespace(vector).sum(vector * vector, axis=-1)
