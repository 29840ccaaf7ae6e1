"""Quadrature rules along the path between the limits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def lobatto(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gauss-Lobatto nodes in [0, 1], ends included, and weights that sum to 1; exact up to degree 2n - 3."""
    derivative = np.polynomial.Legendre.basis(n - 1).deriv()
    inner = derivative.roots().real if n > 2 else np.empty(0)
    nodes = np.concatenate([[-1.0], np.sort((inner - inner[::-1]) / 2), [1.0]])
    weights = 2 / (n * (n - 1) * np.polynomial.Legendre.basis(n - 1)(nodes) ** 2)
    return (nodes + 1) / 2, weights / 2
