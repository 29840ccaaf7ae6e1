"""Rigid motions: exponential and logarithm of twists, adjoint map.

A twist is ``z = (omega, v)``, angular part first; a point p moves as ``omega x p + v``. A placement is a
homogeneous (4, 4) matrix. Source: Murray, Li, Sastry, "A Mathematical Introduction to Robotic Manipulation",
chapter 2; paper A.2.
"""

from __future__ import annotations

from typing import Any

from metric.arrays import (
    Array,
    apply,
    cross,
    holds,
    identity_like,
    namespace,
    require_finite,
    rounding,
    shown,
    validated,
)
from metric.errors import MetricError

_SMALL = 0.25  # squared angle below which the quotients are summed as series (7 terms reach 1e-17)


def hat(omega: Array) -> Array:
    """Skew matrix (..., 3, 3) of a vector (..., 3): ``hat(w) @ p == cross(w, p)``."""
    xp = namespace(omega)
    x, y, z = omega[..., 0], omega[..., 1], omega[..., 2]
    zero = xp.zeros_like(x)
    rows = [xp.stack(row, axis=-1) for row in ((zero, -z, y), (z, zero, -x), (-y, x, zero))]
    return xp.stack(rows, axis=-2)


def _series(x: Array, coefficients: tuple[float, ...]) -> Array:
    total = 0.0 * x + coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = total * x + c
    return total


_C_SERIES = (1 / 6, -1 / 120, 1 / 5040, -1 / 362880, 1 / 39916800, -1 / 6227020800, 1 / 1307674368000)
_ATAN_SERIES = tuple((-1) ** k / (2 * k + 1) for k in range(8))  # atan(sqrt x) / sqrt x
_SINC_SERIES = (1.0, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800, 1 / 6227020800)


def sinc(angle: Array) -> Array:
    """``sin(x) / x``, 1 at 0, with a finite gradient everywhere."""
    xp = namespace(angle)
    square = angle * angle
    small = square < _SMALL
    safe = xp.where(small, xp.ones_like(angle), angle)
    return xp.where(small, _series(xp.where(small, square, xp.zeros_like(square)), _SINC_SERIES), xp.sin(safe) / safe)


def rotation_coefficients(omega: Array, axis: int = -1) -> tuple[Array, Array, Array]:
    """A = sin t/t, B = (1 - cos t)/t^2, C = (t - sin t)/t^3 for t = |omega|, the length over an axis.

    ``exp([w]) = 1 + A [w] + B [w]^2`` and its integral over [0, 1] is ``V(w) = 1 + B [w] + C [w]^2``.
    B is written as ``sinc(t/2)^2 / 2``, which does not cancel.
    """
    xp = namespace(omega)
    square = xp.sum(omega * omega, axis=axis)
    small = square < _SMALL
    angle = xp.sqrt(xp.where(small, xp.ones_like(square), square))
    inside = xp.where(small, square, xp.zeros_like(square))
    a = xp.where(small, _series(inside, _SINC_SERIES), xp.sin(angle) / angle)
    half = xp.where(small, _series(inside / 4, _SINC_SERIES), xp.sin(angle / 2) / (angle / 2))
    c = xp.where(small, _series(inside, _C_SERIES), (1 - xp.sin(angle) / angle) / angle**2)
    return a, half * half / 2, c


def left_jacobian_product(omega: Array, vector: Array) -> Array:
    """``V(omega) @ vector``: the displacement of a point whose initial velocity is ``vector``."""
    _, b, c = rotation_coefficients(omega)
    once = cross(omega, vector)
    return vector + b[..., None] * once + c[..., None] * cross(omega, once)


def _homogeneous(rotation: Array, translation: Array) -> Array:
    xp = namespace(rotation)
    top = xp.concat([rotation, translation[..., None]], axis=-1)
    bottom = xp.broadcast_to(identity_like(top)[3:, :], (*top.shape[:-2], 1, 4))
    return xp.concat([top, bottom], axis=-2)


def exp(z: Any) -> Array:
    """Placement reached by following a twist for unit time (paper A.2).

    Parameters
    ----------
    z : array_like, shape (..., 6)
        Twist (omega, v), world frame; rad and m.

    Returns
    -------
    T : array, shape (..., 4, 4)
        Homogeneous matrix: a point p goes to ``R p + t``.

    Raises
    ------
    ShapeError     the trailing shape is not (6,)
    MetricError    an entry is not finite

    Examples
    --------
    >>> import numpy as np
    >>> exp(np.pi / 2 * np.array([0, 0, 1, 0, -1, 0])).round(12) + 0.0   # a quarter turn about (1, 0, z)
    array([[ 0., -1.,  0.,  1.],
           [ 1.,  0.,  0., -1.],
           [ 0.,  0.,  1.,  0.],
           [ 0.,  0.,  0.,  1.]])
    """
    (z,) = validated(z=(z, (6,)))
    require_finite("z", z)
    xp = namespace(z)
    omega, v = z[..., :3], z[..., 3:]
    a, b, c = rotation_coefficients(omega)
    w = hat(omega)
    w2 = xp.matmul(w, w)
    rotation = identity_like(w) + a[..., None, None] * w + b[..., None, None] * w2
    once = cross(omega, v)
    translation = v + b[..., None] * once + c[..., None] * cross(omega, once)
    return _homogeneous(rotation, translation)


def log(T: Any) -> Array:
    """Twist of a placement, angle in [0, pi]; the inverse of `exp` there.

    The rotation goes through a unit quaternion, which keeps full precision near 0 and near half a turn.

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)
        Homogeneous matrices of rigid motions.

    Returns
    -------
    z : array, shape (..., 6)
        Twist (omega, v), world frame; rad and m.

    Raises
    ------
    ShapeError     the trailing shape is not (4, 4)
    MetricError    an entry is not finite, or the upper left block is not a rotation

    Examples
    --------
    >>> log(exp([0.1, -0.2, 0.3, 1.0, 2.0, 3.0])).round(12)
    array([ 0.1, -0.2,  0.3,  1. ,  2. ,  3. ])
    """
    (T,) = validated(T=(T, (4, 4)))
    require_rigid("T", T)
    xp = namespace(T)
    q = _quaternion(T[..., :3, :3])
    qw, qv = q[..., 0], q[..., 1:]
    sign = xp.where(qw < 0, -xp.ones_like(qw), xp.ones_like(qw))
    qw, qv = sign * qw, sign[..., None] * qv
    sine2 = xp.sum(qv * qv, axis=-1)
    small = sine2 < _SMALL / 16
    sine = xp.sqrt(xp.where(small, xp.ones_like(sine2), sine2))
    tangent2 = xp.where(small, sine2, xp.zeros_like(sine2)) / (1 + qw) ** 2  # of a quarter of the angle
    near = 4 / (1 + qw) * _series(tangent2, _ATAN_SERIES)  # smooth where the quotient is 0/0
    factor = xp.where(small, near, 2 * xp.atan2(sine, qw) / sine)
    omega = factor[..., None] * qv
    return xp.concat([omega, _left_jacobian_solve(omega, T[..., :3, 3])], axis=-1)


def require_rigid(name: str, T: Array) -> None:
    """Raise `MetricError` unless homogeneous matrices (..., 4, 4) are finite and rigid."""
    require_finite(name, T)
    rotation, xp = T[..., :3, :3], namespace(T)
    gram = xp.matmul(rotation, xp.matrix_transpose(rotation)) - identity_like(rotation)
    tolerance = max(1e3 * rounding(rotation), 1e-6)
    proper = xp.sum(cross(rotation[..., 0, :], rotation[..., 1, :]) * rotation[..., 2, :], axis=-1) > 0
    if not (holds(xp.abs(gram) <= tolerance) and holds(proper)):
        raise MetricError(f"{name}: expected a rotation (orthonormal, determinant +1) in its upper left 3x3 block")
    if not holds(T[..., 3, :] == identity_like(T)[3, :]):
        raise MetricError(f"{name}: expected the last row 0 0 0 1, got {shown(T[..., 3, :])}")


def _quaternion(rotation: Array) -> Array:
    """Unit quaternion (w, x, y, z); Shepperd's method: the candidate with the largest diagonal entry."""
    xp = namespace(rotation)
    r = [[rotation[..., i, j] for j in range(3)] for i in range(3)]
    x, y, z = r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]
    xy, xz, yz = r[1][0] + r[0][1], r[0][2] + r[2][0], r[2][1] + r[1][2]
    diagonal = [
        1 + r[0][0] + r[1][1] + r[2][2],
        1 + r[0][0] - r[1][1] - r[2][2],
        1 - r[0][0] + r[1][1] - r[2][2],
        1 - r[0][0] - r[1][1] + r[2][2],
    ]
    rows = [
        (diagonal[0], x, y, z),
        (x, diagonal[1], xy, xz),
        (y, xy, diagonal[2], yz),
        (z, xz, yz, diagonal[3]),
    ]
    best, chosen = diagonal[0], xp.stack(rows[0], axis=-1)
    for k in (1, 2, 3):
        better = diagonal[k] > best
        chosen = xp.where(better[..., None], xp.stack(rows[k], axis=-1), chosen)
        best = xp.where(better, diagonal[k], best)
    return chosen / xp.sqrt(xp.sum(chosen * chosen, axis=-1))[..., None]


def _left_jacobian_solve(omega: Array, translation: Array) -> Array:
    """``V(omega)^-1 @ translation = t - [w] t / 2 + k [w]^2 t``, ``k = (1 - A / (2 B)) / t^2``."""
    xp = namespace(omega)
    square = xp.sum(omega * omega, axis=-1)
    small = square < _SMALL
    a, b, _ = rotation_coefficients(omega)
    safe = xp.where(small, xp.ones_like(square), square)
    inside = xp.where(small, square, xp.zeros_like(square))
    bernoulli = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600)
    k = xp.where(small, _series(inside, bernoulli), (1 - a / (2 * b)) / safe)
    once = cross(omega, translation)
    return translation - once / 2 + k[..., None] * cross(omega, once)


def adjoint(T: Any) -> Array:
    """Adjoint matrix of a placement: twists of a joint moved by T are ``adjoint(T) @ screw``.

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)

    Returns
    -------
    Ad : array, shape (..., 6, 6)
        ``(omega, v) -> (R omega, R v + t x R omega)``.

    Raises
    ------
    ShapeError     the trailing shape is not (4, 4)
    MetricError    an entry is not finite, or the matrix is not rigid

    Examples
    --------
    >>> adjoint(exp([0, 0, 0, 1, 0, 0])) @ [0, 0, 1, 0, 0, 0]   # a z axis moved to (1, 0, 0)
    array([ 0.,  0.,  1.,  0., -1.,  0.])
    """
    (T,) = validated(T=(T, (4, 4)))
    require_rigid("T", T)
    xp = namespace(T)
    rotation, translation = T[..., :3, :3], T[..., :3, 3]
    lower = xp.matmul(hat(translation), rotation)
    top = xp.concat([rotation, xp.zeros_like(rotation)], axis=-1)
    return xp.concat([top, xp.concat([lower, rotation], axis=-1)], axis=-2)


def transform_points(T: Array, points: Array) -> Array:
    """Points (..., 3) moved by placements (..., 4, 4)."""
    return apply(T[..., :3, :3], points) + T[..., :3, 3]
