"""Inner products on twists: split, kinetic, Riemannian (SPEC section 2, paper 4.1).

A norm maps a twist to six *whitened* coordinates whose Euclidean length is its value. Norms of differences are
taken by whitening the difference, never by expanding a square.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from metric.arrays import (
    Array,
    apply,
    cross,
    holds,
    like,
    magnitude,
    namespace,
    require_finite,
    require_positive,
    rounding,
    validated,
)
from metric.body import Body
from metric.errors import MetricError

_ZERO = 1e-14  # the kinetic norm counts as 0 when its square is below this share of its parts (float64)


def zero_threshold(z: Array) -> float:
    """Share of its parts below which the kinetic norm of twists of this dtype counts as 0."""
    return max(_ZERO**0.5, 4 * rounding(z))


class Norm(Protocol):
    """What the distances need of a norm; batched norms broadcast against the leading axes of z."""

    def whiten(self, z: Array) -> Array:
        """Coordinates (..., 6) with ``|whiten(z)| = norm(z)``, linear in z (..., 6)."""
        ...

    def vanishes(self, z: Array) -> Array:
        """Whether the norm of z (..., 6) is 0 up to rounding, shape (...)."""
        ...


class _NormBase(ABC):
    """Value and Gram matrix, the same for every norm."""

    @abstractmethod
    def whiten(self, z: Array) -> Array: ...

    def vanishes(self, z: Array) -> Array:
        """Whether the norm of z (..., 6) is 0 up to rounding, shape (...)."""
        return magnitude(self.whiten(z)) == 0

    def __call__(self, z: Any) -> Array:
        """Norm of twists z (..., 6), shape (...); raises `MetricError` for entries that are not finite."""
        (z,) = validated(z=(z, (6,)))
        require_finite("z", z)
        return magnitude(self.whiten(z))

    @property
    def gram(self) -> Array:
        """Matrix G of the inner product, ``norm(z)^2 = z^T G z``, shape (..., 6, 6)."""
        scalars = self._scalars()
        basis = like(np.eye(6), scalars)
        rank = len(scalars.shape)
        rows = self.whiten(basis[(slice(None), *(None,) * rank)])  # (6, ..., 6)
        xp = namespace(rows)
        rows = xp.moveaxis(rows, 0, -2)
        return xp.matmul(rows, xp.matrix_transpose(rows))

    def _scalars(self) -> Array:
        """An array with the batch shape, library and dtype of the norm's own numbers."""
        return np.ones(())

    def inner(self, x: Any, y: Any) -> Array:
        """Inner product of twists (..., 6), shape (...)."""
        x, y = validated(x=(x, (6,)), y=(y, (6,)))
        xp = namespace(x)
        return xp.sum(self.whiten(x) * self.whiten(y), axis=-1)


@dataclass(frozen=True)
class SplitNorm(_NormBase):
    """``|z|^2 = |omega|^2 + alpha^2 |v|^2``, dimensionless; alpha in 1/length.

    Examples
    --------
    >>> float(SplitNorm(alpha=2.0)([0, 0, 3, 2, 0, 0]))
    5.0
    """

    alpha: float = 1.0

    def __post_init__(self) -> None:
        require_positive("alpha", self.alpha)

    def whiten(self, z: Array) -> Array:
        """Coordinates (omega, alpha v)."""
        if self.alpha == 1.0:
            return z
        xp = namespace(z)
        return xp.concat([z[..., :3], self.alpha * z[..., 3:]], axis=-1)


@dataclass(frozen=True, eq=False)
class KineticNorm(_NormBase):
    """``|z|^2 = omega^T I omega / m + |v + omega x c|^2``: RMS speed of the body's material, m (paper 4.1).

    A seminorm for thin rods and point masses, whose rotation about themselves moves nothing. The body may be a
    batch (...): it broadcasts against the leading axes of the twists.

    Examples
    --------
    >>> bar = Body(2.0, [0.3, 0, 0], [[0, 0, 0], [0, 0.02, 0], [0, 0, 0.02]])
    >>> round(float(KineticNorm(bar)([0, 0, 1, 0, 0, 0])), 6)   # sqrt(0.02 / 2 + 0.3^2)
    0.316228
    """

    body: Body

    def __post_init__(self) -> None:
        if not isinstance(self.body, Body):
            raise MetricError(f"body: expected a Body, got {type(self.body).__name__}")

    def whiten(self, z: Array) -> Array:
        """Coordinates (sqrt(k) V^T omega, v + omega x c) in the principal frame of the body."""
        turning = apply(like(self.gyration, z), z[..., :3])
        carried = z[..., 3:] + cross(z[..., :3], like(self.body.com, z))
        return namespace(z).concat(list(_same_shape(turning, carried)), axis=-1)

    @cached_property
    def gyration(self) -> Array:
        """K with ``I / m = K^T K``, shape (..., 3, 3), m; its rows are principal axes times radii of gyration."""
        radii, axes = self.body.principal_frame
        xp = namespace(radii)
        return xp.sqrt(radii)[..., :, None] * xp.matrix_transpose(axes)

    def vanishes(self, z: Array) -> Array:
        """Whether nothing moves: ``|z|_B^2 <= 1e-14 (|w|^2 tr I/m + |v|^2 + |w|^2 |c|^2)``."""
        turning, sliding = like(self.reach, z) * magnitude(z[..., :3]), magnitude(z[..., 3:])
        parts = magnitude(namespace(z).stack(list(_same_shape(turning, sliding)), axis=-1))
        return magnitude(self.whiten(z)) <= zero_threshold(z) * parts

    @cached_property
    def reach(self) -> Array:
        """``sqrt(tr I / m + |c|^2)``, shape (...), m: the largest speed that a unit turn can give the parts."""
        radii, _ = self.body.principal_frame
        xp = namespace(radii)
        return xp.sqrt(xp.sum(radii, axis=-1) + xp.sum(self.body.com**2, axis=-1))

    def _scalars(self) -> Array:
        return self.body.mass


@dataclass(frozen=True, eq=False)
class RiemannianNorm(_NormBase):
    """``|z|^2 = z^T G z`` for a symmetric positive definite G, shape (..., 6, 6).

    Raises
    ------
    ShapeError     the trailing shape is not (6, 6)
    MetricError    not finite, not symmetric, or not positive definite

    Examples
    --------
    >>> float(RiemannianNorm(4 * np.eye(6))([0, 0, 1, 0, 0, 0]))
    2.0
    """

    matrix: Array

    def __post_init__(self) -> None:
        (matrix,) = validated(matrix=(self.matrix, (6, 6)))
        require_finite("matrix", matrix)
        xp = namespace(matrix)
        transposed = xp.matrix_transpose(matrix)
        scale = xp.max(xp.abs(matrix), axis=(-2, -1), keepdims=True)
        if not holds(xp.abs(matrix - transposed) <= max(1e-9, 8 * rounding(matrix)) * scale):
            gap = float(xp.max(xp.abs(matrix - transposed)))
            raise MetricError(f"matrix: expected a symmetric matrix, got entries that differ by {gap:.3g}")
        symmetric = (matrix + transposed) / 2
        least = xp.min(xp.linalg.eigvalsh(symmetric), axis=-1)
        if not holds(least > 0):
            raise MetricError(
                f"matrix: expected a positive definite matrix, got least eigenvalue {np.min(np.asarray(least)):.3g}"
            )
        object.__setattr__(self, "matrix", symmetric)
        object.__setattr__(self, "_root", xp.matrix_transpose(xp.linalg.cholesky(symmetric)))

    def whiten(self, z: Array) -> Array:
        """Coordinates ``L^T z`` with ``G = L L^T``."""
        return apply(like(self._root, z), z)  # type: ignore[attr-defined]

    def _scalars(self) -> Array:
        return self.matrix[..., 0, 0]


def _same_shape(a: Array, b: Array) -> tuple[Array, Array]:
    shape = np.broadcast_shapes(tuple(a.shape), tuple(b.shape))
    xp = namespace(a, b)
    return xp.broadcast_to(a, shape), xp.broadcast_to(b, shape)
