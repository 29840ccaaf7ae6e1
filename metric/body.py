"""The rigid body that a joint moves: mass, centre of mass, inertia, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metric.arrays import (
    Array,
    apply,
    broadcast_leading,
    holds,
    identity_like,
    namespace,
    require_finite,
    rounding,
    shown,
    validated,
)
from metric.errors import MetricError, ShapeError
from metric.se3 import require_rigid

_NOT_PSD = 5e3  # epsilons: an eigenvalue of the inertia below minus this times the largest is not rounding
_ROUNDING = 18  # epsilons: an eigenvalue of Sigma within this (4e-15) of the largest counts as 0


@dataclass(frozen=True, eq=False)
class Body:
    """Mass distribution of a moved body, in world axes at rest.

    Parameters
    ----------
    mass : array_like, shape (...)
        kg, positive.
    com : array_like, shape (..., 3)
        Centre of mass, world frame, m.
    inertia : array_like, shape (..., 3, 3)
        About the centre of mass, world axes, kg m^2; symmetric, positive semidefinite. It may break the
        triangle inequality of its principal moments (no body has it then): see `physical`.

    Raises
    ------
    ShapeError     a trailing shape is wrong
    MetricError    mass not positive, a tensor that is not symmetric or not positive semidefinite

    Examples
    --------
    >>> rod = Body.from_points([[0, 0, 0], [0, 0, 2]], [1, 1])
    >>> rod.com, float(rod.inertia[0, 0])
    (array([0., 0., 1.]), 2.0)
    """

    mass: Array
    com: Array
    inertia: Array

    def __post_init__(self) -> None:
        mass, com, inertia = validated(mass=(self.mass, ()), com=(self.com, (3,)), inertia=(self.inertia, (3, 3)))
        for name, array in (("mass", mass), ("com", com), ("inertia", inertia)):
            require_finite(name, array)
        if not holds(mass > 0):
            raise MetricError(f"mass: expected a positive mass, got {namespace(mass).min(mass)}")
        xp = namespace(mass)
        broadcast_leading("mass, com and inertia", mass.shape, com.shape[:-1], inertia.shape[:-2])
        transposed = xp.matrix_transpose(inertia)
        scale = xp.max(xp.abs(inertia), axis=(-2, -1), keepdims=True)
        if not holds(xp.abs(inertia - transposed) <= 1e-6 * scale):
            raise MetricError(f"inertia: expected a symmetric tensor, got {shown(inertia)}")
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "com", com)
        object.__setattr__(self, "inertia", (inertia + transposed) / 2)
        if not holds(self._least_moment >= -_NOT_PSD * rounding(inertia) * scale[..., 0, 0]):
            raise MetricError(f"inertia: expected a positive semidefinite tensor, got {shown(inertia)}")

    @cached_property
    def second_moment(self) -> Array:
        """Sigma = (tr(I)/2 1 - I)/m, the covariance of the mass, shape (..., 3, 3), m^2."""
        xp = namespace(self.inertia)
        trace = xp.sum(xp.linalg.diagonal(self.inertia), axis=-1)[..., None, None]
        return (trace / 2 * identity_like(self.inertia) - self.inertia) / self.mass[..., None, None]

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        """Eigenvalues (ascending) and eigenvectors of Sigma, rounding below the largest set to 0."""
        xp = namespace(self.inertia)
        values, vectors = xp.linalg.eigh(self.second_moment)
        noise = xp.abs(values) < _ROUNDING * rounding(values) * xp.max(xp.abs(values), axis=-1, keepdims=True)
        return xp.where(noise, xp.zeros_like(values), values), vectors

    @cached_property
    def _least_moment(self) -> Array:
        values, _ = self._eigen
        return (values[..., 0] + values[..., 1]) * self.mass

    @cached_property
    def is_physical(self) -> Array:
        """Whether some body has this tensor: no principal moment exceeds the sum of the others; shape (...)."""
        return self._eigen[0][..., 0] >= 0

    @cached_property
    def principal_frame(self) -> tuple[Array, Array]:
        """Squared principal radii of gyration (..., 3), as written, and the axes as columns (..., 3, 3).

        ``I / m = V diag(k) V^T``; sums of eigenvalues of Sigma, so that a thin rod has an exact 0.
        """
        xp = namespace(self.inertia)
        s, vectors = self._eigen
        radii = xp.stack([s[..., 1] + s[..., 2], s[..., 0] + s[..., 2], s[..., 0] + s[..., 1]], axis=-1)
        return xp.where(radii < 0, xp.zeros_like(radii), radii), vectors

    @cached_property
    def factor(self) -> Array:
        """L with Sigma = L L^T for the physical body, shape (..., 3, 3), m; its columns are principal."""
        xp = namespace(self.inertia)
        values, vectors = self._eigen
        positive = xp.where(values > 0, values, xp.zeros_like(values))
        return vectors * xp.sqrt(positive)[..., None, :]

    @classmethod
    def from_points(cls, points: Any, weights: Any) -> Body:
        """Body of point masses: points (..., n, 3) in m, weights (..., n) in kg, not negative, not all 0."""
        points, weights = validated(points=(points, (3,)), weights=(weights, ()))
        xp = namespace(points)
        if points.ndim < 2:
            raise ShapeError(f"points: expected shape (..., n, 3), got {tuple(points.shape)}")
        if weights.ndim == 0 or weights.shape[-1] != points.shape[-2]:
            raise ShapeError(f"weights: expected {points.shape[-2]} masses, got shape {tuple(weights.shape)}")
        for name, array in (("points", points), ("weights", weights)):
            require_finite(name, array)
        mass = xp.sum(weights, axis=-1)
        if not (holds(weights >= 0) and holds(mass > 0)):
            raise MetricError(f"weights: expected masses that are not negative and not all 0, got {shown(weights)}")
        com = xp.sum(weights[..., None] * points, axis=-2) / mass[..., None]
        offset = points - com[..., None, :]
        outer = xp.sum(weights[..., None, None] * offset[..., :, None] * offset[..., None, :], axis=-3)
        trace = xp.sum(xp.linalg.diagonal(outer), axis=-1)[..., None, None]
        return cls(mass, com, trace * identity_like(outer) - outer)

    @classmethod
    def combine(cls, bodies: Sequence[Body]) -> Body:
        """One rigid body made of several (parallel-axis theorem)."""
        if not bodies or not all(isinstance(body, Body) for body in bodies):
            raise MetricError(f"bodies: expected one or more bodies, got {shown(bodies)}")
        xp = namespace(*(b.mass for b in bodies))
        mass = sum(b.mass for b in bodies)
        com = sum(b.mass[..., None] * b.com for b in bodies) / mass[..., None]
        inertia = xp.zeros_like(bodies[0].inertia)
        for body in bodies:
            offset = body.com - com
            square = xp.sum(offset * offset, axis=-1)[..., None, None] * identity_like(body.inertia)
            steiner = square - offset[..., :, None] * offset[..., None, :]
            inertia = inertia + body.inertia + body.mass[..., None, None] * steiner
        return cls(mass, com, inertia)

    def transformed(self, T: Any) -> Body:
        """The body moved by a placement T (..., 4, 4)."""
        (T,) = validated(T=(T, (4, 4)))
        require_rigid("T", T)
        xp = namespace(T, self.com)
        rotation = T[..., :3, :3]
        inertia = xp.matmul(rotation, xp.matmul(self.inertia, xp.matrix_transpose(rotation)))
        return Body(self.mass, apply(rotation, self.com) + T[..., :3, 3], inertia)

    def physical(self) -> Body:
        """The nearest body that can exist: the eigenvalues of Sigma clipped at 0 (SPEC section 3).

        A body that can exist is returned as it is, number for number.
        """
        if holds(self.is_physical, unknown=False):
            return self
        xp = namespace(self.inertia)
        sigma = xp.matmul(self.factor, xp.matrix_transpose(self.factor))
        trace = xp.sum(xp.linalg.diagonal(sigma), axis=-1)[..., None, None]
        clipped = self.mass[..., None, None] * (trace * identity_like(sigma) - sigma)
        keep = self.is_physical[..., None, None]
        return Body(self.mass, self.com, xp.where(keep, self.inertia, clipped))

    def material_points(self) -> tuple[Array, Array]:
        """Six points with the same mass, com and inertia as the (physical) body.

        Returns
        -------
        points : array, shape (..., 6, 3)
            ``com +- sqrt(3 s_k) v_k``, s_k and v_k the eigenpairs of Sigma; world frame, m.
        weights : array, shape (..., 6)
            Equal masses, kg.
        """
        xp = namespace(self.com)
        arms = 3**0.5 * xp.matrix_transpose(self.factor)
        offsets = xp.concat([arms, -arms], axis=-2)
        points = self.com[..., None, :] + offsets
        return points, self.mass[..., None] / 6 * xp.ones_like(points[..., 0])
