"""True finite displacement between two motions, and how far E_B can be from it (SPEC section 2, golden bound)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from metric.arrays import (
    Array,
    apply,
    cross,
    identity_like,
    like,
    magnitude,
    namespace,
    require_finite,
    validated,
)
from metric.body import Body
from metric.errors import MetricError
from metric.joint import Joint, endpoints_of, screw_and_limits
from metric.norm import KineticNorm
from metric.se3 import hat, rotation_coefficients, sinc


def placement_discrepancy(T1: Any, T2: Any, body: Body) -> Array:
    """Mass-weighted RMS distance between a body's material at two placements.

    ``d^2 = |(R1 - R2) c + p1 - p2|^2 + |(R1 - R2) L|^2`` with Sigma = L L^T of `Body.physical`.

    Parameters
    ----------
    T1, T2 : array_like, shape (..., 4, 4)
        Placements relative to rest: a material point x at rest is moved to ``R x + p``.
    body
        Moved body, world frame at rest; a batch broadcasts.

    Returns
    -------
    d : array, shape (...), m

    Examples
    --------
    >>> from metric import exp
    >>> point = Body(1.0, [1, 0, 0], np.zeros((3, 3)))
    >>> round(float(placement_discrepancy(exp([0, 0, np.pi, 0, 0, 0]), np.eye(4), point)), 12)
    2.0
    """
    T1, T2 = validated(T1=(T1, (4, 4)), T2=(T2, (4, 4)))
    for name, T in (("T1", T1), ("T2", T2)):
        require_finite(name, T)
    difference = T1 - T2
    rotation, com, factor = difference[..., :3, :3], like(body.com, T1), like(body.factor, T1)
    return _rms(apply(rotation, com) + difference[..., :3, 3], namespace(rotation).matmul(rotation, factor))


def _rms(carried: Array, spread: Array) -> Array:
    """Length of the com's displacement (..., 3) and the turned factor (..., 3, 3) together."""
    xp = namespace(carried, spread)
    flat = xp.reshape(spread, (*spread.shape[:-2], 9))
    shape = np.broadcast_shapes(tuple(carried.shape[:-1]), tuple(flat.shape[:-1]))
    parts = [xp.broadcast_to(carried, (*shape, 3)), xp.broadcast_to(flat, (*shape, 9))]
    return magnitude(xp.concat(parts, axis=-1))


def twist_discrepancy(z1: Any, z2: Any, body: Body) -> Array:
    """`placement_discrepancy` of ``exp(z1)`` and ``exp(z2)``, accurate for small and for close twists.

    With V the integral of the rotation, ``exp(z) - 1 = V Z``; the difference is taken as
    ``(V1 + V2)(Z1 - Z2)/2 + (V1 - V2)(Z1 + Z2)/2`` (golden bound, equation *), at the centre of mass.

    Parameters
    ----------
    z1, z2 : array_like, shape (..., 6)
    body
        Moved body; a batch broadcasts.

    Returns
    -------
    d : array, shape (...), m
    """
    z1, z2 = validated(z1=(z1, (6,)), z2=(z2, (6,)))
    for name, z in (("z1", z1), ("z2", z2)):
        require_finite(name, z)
    xp = namespace(z1)
    com, factor = like(body.com, z1), like(body.factor, z1)
    v1, v2 = _integrated_rotation(z1[..., :3]), _integrated_rotation(z2[..., :3])
    mean, half = v1 + v2, v1 - v2
    difference, total = z1 - z2, z1 + z2
    carried = apply(mean, _velocity(difference, com)) + apply(half, _velocity(total, com))
    turned = xp.matmul(mean, hat(difference[..., :3])) + xp.matmul(half, hat(total[..., :3]))
    return _rms(carried / 2, xp.matmul(turned, factor) / 2)


def _velocity(z: Array, com: Array) -> Array:
    return z[..., 3:] + cross(z[..., :3], com)


def _integrated_rotation(omega: Array) -> Array:
    """``V - 1 = B [w] + C [w]^2`` plus the identity; the identities cancel exactly in a difference."""
    xp = namespace(omega)
    _, b, c = rotation_coefficients(omega)
    w = hat(omega)
    return identity_like(w) + (b[..., None, None] * w + c[..., None, None] * xp.matmul(w, w))


def motion_discrepancy(a: Any, b: Any, body: Body) -> Any:
    """Discrepancy d between two joints: E with finite displacements in place of twists (SPEC section 2).

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)`` of shapes (..., 6) and (..., 2).
    body
        Moved body of the ground truth, world frame at rest; `Body.physical` is used.

    Returns
    -------
    d : float or array, shape (...), m
        NaN where a limit is infinite.

    Examples
    --------
    >>> from metric import Joint
    >>> turn = Joint("revolute", axis=(0, 0, 1), upper=2 * math.pi)   # a full turn ends where it began
    >>> round(motion_discrepancy(turn, Joint("fixed"), Body(1.0, [1, 0, 0], np.zeros((3, 3)))), 12)
    0.0
    """
    z1, z2 = _bounded_endpoints(a), _bounded_endpoints(b)
    xp = namespace(z1, z2)
    unbounded = xp.any(xp.isnan(z1), axis=(-2, -1)) | xp.any(xp.isnan(z2), axis=(-2, -1))
    z1, z2 = (xp.where(xp.isnan(z), xp.zeros_like(z), z) for z in (z1, z2))
    ends = [z1[..., 0, :], z1[..., 1, :]], [z2[..., 0, :], z2[..., 1, :]]
    direct = _hypot(*(twist_discrepancy(p, q, body) for p, q in zip(*ends, strict=True)))
    swapped = _hypot(*(twist_discrepancy(p, q, body) for p, q in zip(ends[0], ends[1][::-1], strict=True)))
    d = xp.minimum(direct, swapped)
    return _as_scalar(xp.where(unbounded, xp.full_like(d, math.nan), d), a, b)


def _hypot(x: Array, y: Array) -> Array:
    return magnitude(namespace(x).stack([x, y], axis=-1))


def _as_scalar(value: Array, *joints: Any) -> Any:
    return float(value) if value.ndim == 0 and all(isinstance(j, Joint) for j in joints) else value


def _bounded_endpoints(joint: Any) -> Array:
    """Endpoint twists (..., 2, 6), NaN throughout where a limit is infinite."""
    z = endpoints_of(joint)
    _, limits = screw_and_limits(joint)
    limits = like(limits, z)
    xp = namespace(z)
    unbounded = xp.any(xp.isinf(limits), axis=-1)[..., None, None]
    return xp.where(unbounded, xp.full_like(z, math.nan), z)


def swept_discrepancy(a: Any, b: Any, body: Body, rtol: float = 1e-10) -> Any:
    """Discrepancy along the whole finite path (SPEC section 2, swept d).

    ``d_sweep^2 = 2 int_0^1 d(exp z1(s), exp z2(s))^2 ds``, ``z(s) = (1 - s) z- + s z+``, the better of the two
    orientations. Gauss-Legendre rules with doubling numbers of nodes, all pairs at once, until two agree to rtol.

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)``.
    body
        Moved body of the ground truth; `Body.physical` is used.
    rtol
        Relative tolerance; below it, rounding (1e-14 of the swept lengths) ends the refinement.

    Returns
    -------
    d_sweep : float or array, shape (...), m
        NaN where a limit is infinite.

    Raises
    ------
    MetricError    not reached with 4096 nodes (thousands of turns)

    Examples
    --------
    >>> from metric import Joint
    >>> slide = Joint("prismatic", upper=3.0)
    >>> round(swept_discrepancy(slide, Joint("fixed"), Body(1.0, [0, 0, 0], np.eye(3))), 9)   # 3 sqrt(2/3)
    2.449489743
    """
    z1, z2 = _bounded_endpoints(a), _bounded_endpoints(b)
    xp = namespace(z1, z2)
    unbounded = xp.any(xp.isnan(z1), axis=(-2, -1)) | xp.any(xp.isnan(z2), axis=(-2, -1))
    z1, z2 = (xp.where(xp.isnan(z), xp.zeros_like(z), z) for z in (z1, z2))
    norm = KineticNorm(body.physical())
    lengths = [magnitude(norm.whiten(z[..., k, :])) for z in (z1, z2) for k in (0, 1)]
    floor = 1e-14 * sum(lengths)
    previous = None
    for count in (16, 32, 64, 128, 256, 512, 1024, 2048, 4096):
        nodes, weights = np.polynomial.legendre.leggauss(count)
        value = _swept(z1, z2, body, (nodes + 1) / 2, weights / 2)
        if previous is not None:
            agreed = xp.abs(value - previous) <= rtol * value + floor
            if bool(xp.all(agreed)):
                return _as_scalar(xp.where(unbounded, xp.full_like(value, math.nan), value), a, b)
        previous = value
    raise MetricError(f"swept_discrepancy: rtol {rtol:g} not reached with 4096 nodes; are the limits in degrees?")


def _swept(z1: Array, z2: Array, body: Body, nodes: np.ndarray, weights: np.ndarray) -> Array:
    """``sqrt(2 sum w d(s)^2)`` of the better orientation; nodes in [0, 1] symmetric about 1/2."""
    xp = namespace(z1, z2)
    s, w = like(nodes, z1)[:, None], like(weights, z1)
    paths = [(1 - s) * z[..., None, 0, :] + s * z[..., None, 1, :] for z in (z1, z2)]
    spread_body = Body(body.mass[..., None], body.com[..., None, :], body.inertia[..., None, :, :])
    root = xp.sqrt(2 * w)
    direct = magnitude(root * twist_discrepancy(paths[0], paths[1], spread_body))
    swapped = magnitude(root * twist_discrepancy(paths[0], xp.flip(paths[1], axis=-2), spread_body))
    return xp.minimum(direct, swapped)


def linearization_bound(a: Any, b: Any, body: Body) -> tuple[Any, Any]:
    """How far d can be from E_B: ``E_B - lower <= d <= E_B + upper`` (golden bound, theorem and last section).

    Per endpoint ``U = |dw| |z1 + z2|_B / 4`` and ``L = (1 - (sinc t1 + sinc t2)/2) |z1 - z2|_B + U``; between
    joints the root of the sum of squares for each assignment. All norms are those of ``body.physical()``, and so is
    E_B here.

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)``.
    body
        Moved body of the ground truth.

    Returns
    -------
    lower, upper : float or array, shape (...), m
        Both not negative; NaN where a limit is infinite.

    Examples
    --------
    >>> from metric import Joint
    >>> linearization_bound(Joint("prismatic", upper=1), Joint("fixed"), Body(1.0, [0, 0, 0], np.eye(3)))
    (0.0, 0.0)
    """
    z1, z2 = _bounded_endpoints(a), _bounded_endpoints(b)
    xp = namespace(z1, z2)
    unbounded = xp.any(xp.isnan(z1), axis=(-2, -1)) | xp.any(xp.isnan(z2), axis=(-2, -1))
    z1, z2 = (xp.where(xp.isnan(z), xp.zeros_like(z), z) for z in (z1, z2))
    norm = KineticNorm(body.physical())
    direct = _assignment_bound(z1, z2, norm)
    swapped = _assignment_bound(z1, xp.flip(z2, axis=-2), norm)
    e_b = xp.minimum(direct[0], swapped[0])
    above = xp.minimum(direct[0] + direct[1], swapped[0] + swapped[1])
    below = xp.minimum(direct[0] - direct[2], swapped[0] - swapped[2])
    undefined = xp.full_like(e_b, math.nan)
    lower = xp.where(unbounded, undefined, xp.minimum(e_b, e_b - below))
    upper = xp.where(unbounded, undefined, above - e_b)
    return _as_scalar(lower, a, b), _as_scalar(upper, a, b)


def _assignment_bound(z1: Array, z2: Array, norm: KineticNorm) -> tuple[Array, Array, Array]:
    """(E, U, L) of one assignment: roots of the sums of squares over the endpoints."""
    parts = [endpoint_bound(z1[..., k, :], z2[..., k, :], norm) for k in (0, 1)]
    e, upper, lower = (_hypot(x, y) for x, y in zip(*parts, strict=True))
    return e, upper, lower


def endpoint_bound(z1: Array, z2: Array, norm: KineticNorm) -> tuple[Array, Array, Array]:
    """(|z1 - z2|, U, L) at one endpoint, twists (..., 6): ``-L <= d - |z1 - z2| <= U``."""
    difference = z1 - z2
    length = magnitude(norm.whiten(difference))
    upper = magnitude(difference[..., :3]) * magnitude(norm.whiten(z1 + z2)) / 4
    mean_sinc = (sinc(magnitude(z1[..., :3])) + sinc(magnitude(z2[..., :3]))) / 2
    return length, upper, (1 - mean_sinc) * length + upper
