"""True finite displacement between two motions, and how far E_B can be from it (SPEC section 2, golden bound)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from metric.arrays import (
    Array,
    apply,
    broadcast_leading,
    like,
    magnitude,
    namespace,
    require_finite,
    stop_gradient,
    validated,
)
from metric.body import Body
from metric.errors import MetricError
from metric.joint import Joint, endpoint_pairs
from metric.kernels import blocks
from metric.norm import KineticNorm
from metric.se3 import rotation_coefficients, sinc

_EVALUATIONS = 4096  # placements compared at a time: what fits the cache
_MOST_TURN = 2e4 * math.pi


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
    carried = (apply(rotation, com) + difference[..., :3, 3])[..., None]
    xp = namespace(T1)
    turned = xp.matmul(rotation, factor)
    leading = np.broadcast_shapes(tuple(carried.shape[:-2]), tuple(turned.shape[:-2]))
    moved = xp.concat([xp.broadcast_to(m, (*leading, *m.shape[-2:])) for m in (carried, turned)], axis=-1)
    return magnitude(xp.reshape(moved, (*leading, 12)))


def twist_discrepancy(z1: Any, z2: Any, body: Body) -> Array:
    """`placement_discrepancy` of ``exp(z1)`` and ``exp(z2)``, accurate for small and for close twists.

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
    return _displacement(*_component_first([z1, z2, like(body.com, z1), like(body.factor, z1)], (1, 1, 1, 2)))


def _component_first(parts: Sequence[Array], widths: Sequence[int]) -> list[Array]:
    """Arrays (..., *trailing) as (*trailing, ...) with batches of one rank: operations run along the batch."""
    rank = max(part.ndim - width for part, width in zip(parts, widths, strict=True))
    result = []
    for part, width in zip(parts, widths, strict=True):
        batch = part.ndim - width
        moved = namespace(part).permute_dims(part, (*range(batch, part.ndim), *range(batch)))
        moved = moved[(slice(None),) * width + (None,) * (rank - batch)]
        result.append(np.ascontiguousarray(moved) if isinstance(moved, np.ndarray) else moved)
    return result


def _displacement(z1: Array, z2: Array, com: Array, factor: Array) -> Array:
    """D of exp(z1) and exp(z2) for twists (6, ...), com (3, ...) and factor (3, 3, ...).

    With V the integral of the rotation, ``exp(z) - 1 = V Z``; the difference is taken as
    ``(V1 + V2)(Z1 - Z2)/2 + (V1 - V2)(Z1 + Z2)/2`` (golden bound, equation *), where equal parts cancel exactly.
    """
    difference, total = _velocities(z1 - z2, com, factor), _velocities(z1 + z2, com, factor)
    first, second = ((z[:3], rotation_coefficients(z[:3], axis=0)[1:]) for z in (z1, z2))
    mean = 2 * difference + _turned(difference, *first) + _turned(difference, *second)
    moved = (mean + (_turned(total, *first) - _turned(total, *second))) / 2
    return magnitude(namespace(moved).reshape(moved, (12, *moved.shape[2:])), axis=0)


def _velocities(z: Array, com: Array, factor: Array) -> Array:
    """Initial velocity of the com and, without the translation, of the columns of the factor: (3, 4, ...)."""
    carried = _cross_columns(z[:3], com[:, None])[:, 0] + z[3:]
    columns = _cross_columns(z[:3], factor)
    xp = namespace(z)
    return xp.concat([xp.broadcast_to(carried[:, None], (3, 1, *columns.shape[2:])), columns], axis=1)


def _turned(velocity: Array, omega: Array, coefficients: tuple[Array, Array]) -> Array:
    """``(V - 1) u = w x (B u + C w x u)`` for the columns u of (3, k, ...)."""
    b, c = coefficients
    return _cross_columns(omega, b * velocity + c * _cross_columns(omega, velocity))


def _cross_columns(omega: Array, columns: Array) -> Array:
    """Cross product of (3, ...) with each column of (3, k, ...)."""
    rows = [omega[i] * columns[j] - omega[j] * columns[i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return namespace(omega, columns).stack(rows, axis=0)


def motion_discrepancy(a: Any, b: Any, body: Body) -> Any:
    """Discrepancy d between two joints: E with finite displacements in place of twists (SPEC section 2).

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)`` of shapes (..., 6) and (..., 2).
    body
        Moved body of the ground truth, world frame at rest; `Body.physical` is used. A batch broadcasts.

    Returns
    -------
    d : float or array, shape (...), m
        NaN where a limit is infinite.

    Raises
    ------
    ShapeError     a trailing shape is wrong, or leading axes do not broadcast
    MetricError    a NaN, or arrays of different libraries

    Examples
    --------
    >>> from metric import Joint
    >>> turn = Joint("revolute", axis=(0, 0, 1), upper=2 * math.pi)   # a full turn ends where it began
    >>> round(motion_discrepancy(turn, Joint("fixed"), Body(1.0, [1, 0, 0], np.zeros((3, 3)))), 12)
    0.0
    """
    z1, z2, unbounded = bounded_endpoints(a, b, body)
    d = _in_blocks(_assigned, z1, z2, body, evaluations=4)
    return result(d, unbounded, a, b)


def _assigned(z1: Array, z2: Array, com: Array, factor: Array) -> Array:
    """D of endpoint pairs (2, 6, ...): the better of the two assignments."""
    xp = namespace(z1, z2)
    z1, z2 = (xp.moveaxis(z, 0, 1) for z in (z1, z2))
    return _better(_displacement(z1[:, None], _both_ways(z2), com[:, None, None], factor[:, :, None, None]))


def _both_ways(z: Array) -> Array:
    """Endpoints, or paths, (6, n, ...) as they are and reversed: (6, 2, n, ...)."""
    xp = namespace(z)
    return xp.stack([z, xp.flip(z, axis=1)], axis=1)


def _better(values: Array) -> Array:
    """The smaller of the two roots of sums of squares, values (2, n, ...)."""
    return namespace(values).min(magnitude(values, axis=1), axis=0)


def _in_blocks(evaluate: Callable[..., Array], z1: Array, z2: Array, body: Body, evaluations: int) -> Array:
    """``evaluate(z1, z2, com, factor)``, component first; large NumPy batches in blocks, so that memory stays small."""
    parts, widths = [z1, z2, like(body.com, z1), like(body.factor, z1)], (2, 2, 1, 2)
    if not isinstance(z1, np.ndarray):
        return evaluate(*_component_first(parts, widths))
    shape = np.broadcast_shapes(*(part.shape[: part.ndim - w] for part, w in zip(parts, widths, strict=True)))
    full = [np.broadcast_to(part, shape + part.shape[part.ndim - w :]) for part, w in zip(parts, widths, strict=True)]
    out = np.empty(shape)
    for index in blocks(shape, max(1, _EVALUATIONS // evaluations)):
        out[index] = evaluate(*_component_first([part[index] for part in full], widths))
    return out


def bounded_endpoints(a: Any, b: Any, body: Body) -> tuple[Array, Array, Array]:
    """Endpoint twists (..., 2, 6) of both joints, 0 where a limit is infinite, and where that is.

    Limits whose squares would overflow (1e77 and more: a file's way to write infinity) count as infinite.
    """
    if not isinstance(body, Body):
        raise MetricError(f"body: expected a Body, got {type(body).__name__}")
    z1, z2 = endpoint_pairs(a, b)
    leading = broadcast_leading("a, b and body", z1.shape[:-2], z2.shape[:-2], body.mass.shape, body.com.shape[:-1])
    xp = namespace(z1, z2)
    largest = float(xp.finfo(z1.dtype).max) ** 0.25
    beyond1, beyond2 = (xp.any(xp.abs(z) > largest, axis=(-2, -1)) for z in (z1, z2))
    z1, z2 = (xp.where(beyond[..., None, None], xp.zeros_like(z), z) for z, beyond in ((z1, beyond1), (z2, beyond2)))
    return z1, z2, xp.broadcast_to(beyond1 | beyond2, leading)


def result(value: Array, unbounded: Array, *joints: Any) -> Any:
    """NaN where a joint is unbounded; a float for single joints."""
    xp = namespace(value)
    value = xp.where(unbounded, xp.full_like(value, math.nan), value)
    return float(value) if value.ndim == 0 and all(isinstance(j, Joint) for j in joints) else value


def swept_discrepancy(a: Any, b: Any, body: Body, rtol: float = 1e-10) -> Any:
    """Discrepancy along the whole finite path (SPEC section 2, swept d).

    ``d_sweep^2 = 2 int_0^1 d(exp z1(s), exp z2(s))^2 ds``, ``z(s) = (1 - s) z- + s z+``, the better of the two
    orientations. The integrand is a sum of products of s with sines and cosines whose frequency is at most the two
    swept angles together: Gauss-Legendre panels sized for that angle are exact to rtol, without iteration.

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)``.
    body
        Moved body of the ground truth; `Body.physical` is used. A batch broadcasts.
    rtol
        Relative tolerance of the quadrature, between 1e-14 and 1.

    Returns
    -------
    d_sweep : float or array, shape (...), m
        NaN where a limit is infinite.

    Raises
    ------
    MetricError    more than 10,000 turns, or limits that cannot be looked at (inside ``jax.jit``: use
                   `sampling.sampled_discrepancy`, whose number of nodes is given)

    Examples
    --------
    >>> from metric import Joint
    >>> slide = Joint("prismatic", upper=3.0)
    >>> round(swept_discrepancy(slide, Joint("fixed"), Body(1.0, [0, 0, 0], np.eye(3))), 9)   # 3 sqrt(2/3)
    2.449489743
    """
    if not 1e-14 <= rtol < 1:
        raise MetricError(f"rtol: expected a number from 1e-14 to 1, got {rtol!r}")
    z1, z2, unbounded = bounded_endpoints(a, b, body)
    nodes, weights = gauss_panels(_largest_turn(z1, z2), rtol)
    return result(path_discrepancy(z1, z2, body, nodes, weights), unbounded, a, b)


def _largest_turn(z1: Array, z2: Array) -> float:
    """Largest sum of the two angles swept between the ends, rad."""
    xp = namespace(z1)
    angles = [magnitude(stop_gradient(z[..., 1, :3] - z[..., 0, :3])) for z in (z1, z2)]
    try:
        turn = sum(float(xp.max(angle)) if math.prod(angle.shape) else 0.0 for angle in angles)
    except (TypeError, RuntimeError):
        raise MetricError(
            "swept_discrepancy: expected limits that can be looked at, got traced arrays: the number of nodes depends "
            "on them; use metric.sampling.sampled_discrepancy inside a transformation"
        ) from None
    if turn > _MOST_TURN:
        raise MetricError(
            f"swept_discrepancy: expected at most 10,000 turns, got {turn:.3g} rad; are the limits in degrees?"
        )
    return turn


@lru_cache(maxsize=64)
def _panel_rule(half_turn: float, rtol: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre rule on [-1, 1] whose remainder for ``cos(half_turn x)`` is below rtol / 100.

    Remainder: ``f^(2n) 2^(2n+1) (n!)^4 / ((2n+1) (2n)!^3)``.
    """
    for n in itertools.count(4):
        log = 2 * n * math.log(half_turn) + (2 * n + 1) * math.log(2) + 4 * math.lgamma(n + 1)
        log -= math.log(2 * n + 1) + 3 * math.lgamma(2 * n + 1)
        if log <= math.log(rtol / 100):
            return np.polynomial.legendre.leggauss(n)
    raise AssertionError("unreachable")


def gauss_panels(turn: float, rtol: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes in [0, 1] and weights that sum to 1 for paths that turn by `turn` radians in all; symmetric about 1/2."""
    panels = max(1, math.ceil(turn / 32))
    half_turn = max(1.0, math.ceil(turn / panels) / 2)
    x, w = _panel_rule(half_turn, rtol)
    nodes = (np.arange(panels)[:, None] + (x + 1) / 2) / panels
    return nodes.reshape(-1), np.tile(w / 2, panels) / panels


def path_discrepancy(z1: Array, z2: Array, body: Body, nodes: np.ndarray, weights: np.ndarray) -> Array:
    """``sqrt(2 sum w d(s)^2)`` of the better orientation, endpoint pairs (..., 2, 6).

    The nodes lie in [0, 1], symmetric about 1/2 with symmetric weights.
    """

    def evaluate(z1: Array, z2: Array, com: Array, factor: Array) -> Array:
        column = (slice(None), *(None,) * (z1.ndim - 2))
        s, root = like(nodes, z1)[column], like(np.sqrt(2 * weights), z1)[column]
        path1, path2 = ((1 - s) * z[0][:, None] + s * z[1][:, None] for z in (z1, z2))
        displacement = _displacement(path1[:, None], _both_ways(path2), com[:, None, None], factor[:, :, None, None])
        return _better(root * displacement)

    return _in_blocks(evaluate, z1, z2, body, evaluations=2 * len(nodes))


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
    z1, z2, unbounded = bounded_endpoints(a, b, body)
    xp = namespace(z1, z2)
    norm = KineticNorm(body.physical())
    direct = _assignment_bound(z1, z2, norm)
    swapped = _assignment_bound(z1, xp.flip(z2, axis=-2), norm)
    e_b = xp.minimum(direct[0], swapped[0])
    above = xp.minimum(direct[0] + direct[1], swapped[0] + swapped[1])
    below = xp.minimum(direct[0] - direct[2], swapped[0] - swapped[2])
    lower, upper = xp.minimum(e_b, e_b - below), above - e_b
    return result(lower, unbounded, a, b), result(upper, unbounded, a, b)


def _assignment_bound(z1: Array, z2: Array, norm: KineticNorm) -> tuple[Array, Array, Array]:
    """(E, U, L) of one assignment: roots of the sums of squares over the endpoints."""
    parts = [endpoint_bound(z1[..., k, :], z2[..., k, :], norm) for k in (0, 1)]
    e, upper, lower = (magnitude(namespace(x).stack([x, y], axis=-1)) for x, y in zip(*parts, strict=True))
    return e, upper, lower


def endpoint_bound(z1: Array, z2: Array, norm: KineticNorm) -> tuple[Array, Array, Array]:
    """(|z1 - z2|, U, L) at one endpoint, twists (..., 6): ``-L <= d - |z1 - z2| <= U``."""
    difference = z1 - z2
    length = magnitude(norm.whiten(difference))
    upper = magnitude(difference[..., :3]) * magnitude(norm.whiten(z1 + z2)) / 4
    mean_sinc = (sinc(magnitude(z1[..., :3])) + sinc(magnitude(z2[..., :3]))) / 2
    return length, upper, (1 - mean_sinc) * length + upper
