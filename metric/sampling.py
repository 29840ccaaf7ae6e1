"""E and d by sampling the motion between its limits (paper C.6), and the rules for it.

With nodes s_i and weights w_i, ``E_n^2 = 2 sum w_i |z1(s_i) - z2(s_i)|^2``, ``z(s) = (1 - s) z- + s z+``, the better
of the two orientations of the second joint as a whole. The factor 2 makes E_2 = E.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric.arrays import broadcast_leading, magnitude, namespace
from metric.body import Body
from metric.discrepancy import bounded_endpoints, path_discrepancy, result
from metric.errors import MetricError
from metric.joint import Joint, endpoint_pairs
from metric.norm import Norm

Rule = tuple[NDArray[np.float64], NDArray[np.float64]]


def lobatto(n: int) -> Rule:
    """Gauss-Lobatto rule on [0, 1]: both ends are nodes; exact for polynomials of degree 2n - 3.

    Parameters
    ----------
    n : int
        Number of nodes, 2 or more. 2 is the trapezium, 3 is Simpson.

    Returns
    -------
    nodes : array, shape (n,)
        Ascending, from exactly 0 to exactly 1, symmetric about 1/2.
    weights : array, shape (n,)
        Positive, sum 1.

    Raises
    ------
    MetricError    n is not an integer from 2 on

    Examples
    --------
    >>> nodes, weights = lobatto(3)
    >>> nodes, weights * 6
    (array([0. , 0.5, 1. ]), array([1., 4., 1.]))
    """
    nodes, weights = _lobatto(_count(n))
    return nodes.copy(), weights.copy()


@lru_cache(maxsize=32)
def _lobatto(n: int) -> Rule:
    """The inner nodes are the zeros of P'_(n-1), which is a Jacobi polynomial (1, 1) of degree n - 2."""
    from scipy.special import eval_legendre, roots_jacobi

    inner = roots_jacobi(n - 2, 1, 1)[0] if n > 2 else np.empty(0)
    x = np.concatenate([[-1.0], (inner - inner[::-1]) / 2, [1.0]])
    w = 1 / (n * (n - 1) * eval_legendre(n - 1, np.abs(x)) ** 2)
    return (x + 1) / 2, w / w.sum()


def uniform(n: int) -> Rule:
    """Equally spaced nodes on [0, 1] with equal weights 1/n: the error of E_n is proportional to 1/(n - 1).

    Parameters and result as in `lobatto`.

    Examples
    --------
    >>> uniform(3)[0]
    array([0. , 0.5, 1. ])
    """
    n = _count(n)
    return np.linspace(0.0, 1.0, n), np.full(n, 1.0 / n)


RULES = {"lobatto": lobatto, "uniform": uniform}


def _count(n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 2:
        raise MetricError(f"n: expected an integer from 2 on, got {n!r}")
    return int(n)


def _rule(n: int, rule: str) -> Rule:
    if rule not in RULES:
        raise MetricError(f"rule: expected one of {', '.join(RULES)}, got {rule!r}")
    return RULES[rule](n)


def sampled_distance(a: Any, b: Any, norm: Norm, n: int, rule: str = "lobatto") -> Any:
    """E sampled at n coordinates of each joint instead of its two ends (paper C.6).

    The integrand is quadratic in s, so only the rule's moments enter: the cost does not depend on n, and nothing
    cancels. ``lobatto`` with n >= 3 is exact (sqrt 2 times the segment distance L2).

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)`` of shapes (..., 6) and (..., 2).
    norm
        As in `joint_distance`.
    n : int
        Number of samples, 2 or more; 2 gives E.
    rule
        ``lobatto`` or ``uniform``.

    Returns
    -------
    E_n : float or array, shape (...)
        Unit of the norm; +inf for an unbounded joint. ``E / sqrt 3 <= E_n <= E``.

    Raises
    ------
    MetricError    n or rule out of range, and as in `joint_distance`

    Examples
    --------
    >>> from metric import Joint, SplitNorm
    >>> slide, weld = Joint("prismatic", upper=3.0), Joint("fixed")
    >>> [round(sampled_distance(slide, weld, SplitNorm(), n), 9) for n in (2, 3, 50)]
    [3.0, 2.449489743, 2.449489743]
    """
    s, w = _rule(n, rule)
    z1, z2 = endpoint_pairs(a, b)
    broadcast_leading("a and b", z1.shape[:-2], z2.shape[:-2])
    xp = namespace(z1, z2)
    unbounded = xp.any(xp.isinf(z1), axis=(-2, -1)) | xp.any(xp.isinf(z2), axis=(-2, -1))
    z1, z2 = (xp.where(xp.isinf(z), xp.zeros_like(z), z) for z in (z1, z2))
    mixed = float(w @ (s * (1 - s)))
    end = float(w @ (s * s)) - mixed  # sum w s^2 - sum w s (1 - s), never negative
    # sum w |(1-s) d- + s d+|^2 = end (|d-|^2 + |d+|^2) + mixed |d- + d+|^2 for a symmetric rule
    lengths = []
    for other in (z2, xp.flip(z2, axis=-2)):
        lower, upper = (norm.whiten(z1[..., k, :] - other[..., k, :]) for k in (0, 1))
        ends = math.sqrt(2 * end) * xp.concat([lower, upper], axis=-1)
        lengths.append(magnitude(xp.concat([ends, math.sqrt(2 * mixed) * (lower + upper)], axis=-1)))
    value = xp.minimum(*lengths)
    value = xp.where(unbounded, xp.full_like(value, math.inf), value)
    return float(value) if value.ndim == 0 and isinstance(a, Joint) and isinstance(b, Joint) else value


def sampled_discrepancy(a: Any, b: Any, body: Body, n: int, rule: str = "lobatto") -> Any:
    """D sampled at n coordinates along the finite path: `swept_discrepancy` by a rule of your choice.

    ``d_n^2 = 2 sum w_i d(exp z1(s_i), exp z2(s_i))^2``. The integrand is not quadratic: n = 3 is not exact here.

    Parameters
    ----------
    a, b
        `Joint`, or a batch ``(screw, limits)``.
    body
        Moved body of the ground truth; `Body.physical` is used. A batch broadcasts.
    n, rule
        As in `sampled_distance`; 2 gives `motion_discrepancy`.

    Returns
    -------
    d_n : float or array, shape (...), m
        NaN where a limit is infinite.

    Raises
    ------
    MetricError    n or rule out of range, and as in `motion_discrepancy`

    Examples
    --------
    >>> from metric import Body, Joint
    >>> half_turn, point = Joint("revolute", axis=(0, 0, 1), upper=math.pi), Body(1.0, [1, 0, 0], np.zeros((3, 3)))
    >>> [round(sampled_discrepancy(half_turn, Joint("fixed"), point, n), 6) for n in (2, 3, 9)]
    [2.0, 2.0, 2.0]
    """
    s, w = _rule(n, rule)
    z1, z2, unbounded = bounded_endpoints(a, b, body)
    return result(path_discrepancy(z1, z2, body, s, w), unbounded, a, b)
