"""How far apart two convex solids are at least: separating directions for many pairs at once.

A solid is seen through its extent along a direction, a closed form for boxes, cylinders and balls and a maximum over
vertices for convex meshes. A gap along any direction is a proof that the pair is at least so far apart; no gap along
the directions that were tried proves nothing, so a caller that accepts only proved gaps is on the safe side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcheck.suite.assembly import SolidTable
from simcheck.suite.builder import BOX, CYLINDER, MESH, SPHERE

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_REFINEMENTS = 24  # steps towards the closest points of a pair of which one is round


@dataclass(frozen=True, eq=False)
class Shapes:
    """Convex solids, n of them, in a frame of their own each."""

    kind: IntArray  # (n,)
    half: FloatArray  # (n, 3)
    vertices: FloatArray  # (n, v, 3) of the meshes, the first repeated where one has fewer; 0 for other kinds
    centre: FloatArray  # (n, 3)
    rotation: FloatArray  # (n, 3, 3)
    link: IntArray  # (n,)

    @classmethod
    def colliding(cls, solids: SolidTable) -> Shapes:
        """The solids of an object that collide."""
        chosen = np.flatnonzero([s.collision for s in solids.sources])
        meshes = [(row, m.points) for row, k in enumerate(chosen.tolist()) if (m := solids.sources[k].mesh) is not None]
        vertices = np.zeros((len(chosen), max((len(points) for _, points in meshes), default=1), 3))
        for row, points in meshes:
            vertices[row] = points[0]
            vertices[row, : len(points)] = points
        return cls(
            solids.kind[chosen],
            solids.half[chosen],
            vertices,
            solids.centre[chosen],
            solids.rotation[chosen],
            solids.link[chosen],
        )

    def extents(self, index: IntArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Least and greatest coordinate (k, c) of solids (k,) along directions (k, c, 3), all in the solids' frames.

        Directions need not be unit vectors.
        """
        half, kind, size = self.half[index][:, None, :], self.kind[index], np.abs(direction)
        high = np.einsum("kci,kci->kc", size, np.broadcast_to(half, size.shape))
        round_ones = kind == CYLINDER
        if round_ones.any():
            across = np.hypot(direction[round_ones, :, 0], direction[round_ones, :, 1])
            h = half[round_ones]
            high[round_ones] = h[..., 2] * size[round_ones, :, 2] + h[..., 0] * across
        balls = kind == SPHERE
        if balls.any():
            high[balls] = half[balls, :, 0] * np.linalg.norm(direction[balls], axis=-1)
        low = -high
        meshes = kind == MESH
        if meshes.any():
            along = np.einsum("kvi,kci->kcv", self.vertices[index[meshes]], direction[meshes])
            high[meshes], low[meshes] = along.max(axis=-1), along.min(axis=-1)
        return low, high

    def box(self) -> FloatArray:
        """Corners (2, 3) of the axis-aligned box of all solids."""
        low, high = self.extents(np.arange(len(self.kind)), self.rotation)
        return np.array([(self.centre + low).min(axis=0), (self.centre + high).max(axis=0)])

    def support(self, index: IntArray, direction: FloatArray) -> FloatArray:
        """The outermost points (k, 3) of solids (k,) in directions (k, 3), in the solids' frames."""
        half, kind = self.half[index], self.kind[index]
        point = np.where(direction >= 0, half, -half)
        round_ones = kind == CYLINDER
        across = np.hypot(direction[round_ones, 0], direction[round_ones, 1])[:, None]
        flat = direction[round_ones, :2] / np.where(across > 0, across, 1)
        point[round_ones, :2] = half[round_ones, :1] * flat
        balls = kind == SPHERE
        length = np.linalg.norm(direction[balls], axis=1, keepdims=True)
        point[balls] = half[balls] * direction[balls] / np.where(length > 0, length, 1)
        meshes = kind == MESH
        if meshes.any():
            vertices = self.vertices[index[meshes]]
            outermost = np.einsum("kvi,ki->kv", vertices, direction[meshes]).argmax(axis=1)
            point[meshes] = vertices[np.arange(len(vertices)), outermost]
        return point


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of placed solids: index, rotation and centre of the first and of the second of each, k pairs."""

    shapes: Shapes
    first: IntArray
    rotation: FloatArray  # (k, 3, 3) of the first
    centre: FloatArray  # (k, 3)
    second: IntArray

    def gaps(self) -> tuple[FloatArray, FloatArray]:
        """Largest gap found (k,), negative where none was, and its unit direction (k, 3), from first to second."""
        gap, direction = self._along(self._directions())
        round_ones = self.shapes.kind != BOX
        unclear = np.flatnonzero((gap < 0) & (round_ones[self.first] | round_ones[self.second]))
        if len(unclear):
            better, refined = self._subset(unclear)._closest()
            improved = better > gap[unclear]
            gap[unclear[improved]], direction[unclear[improved]] = better[improved], refined[improved]
        return gap, direction

    def _subset(self, chosen: IntArray) -> Pairs:
        return Pairs(self.shapes, self.first[chosen], self.rotation[chosen], self.centre[chosen], self.second[chosen])

    def _directions(self) -> FloatArray:
        """Candidates (k, c, 3): faces, products of edges, the line of centres and its parts across both z axes."""
        a = self.rotation.swapaxes(1, 2)
        b = self.shapes.rotation[self.second].swapaxes(1, 2)
        between = self.shapes.centre[self.second] - self.centre
        lines = [between[:, None, :]]
        for axis in (a[:, 2], b[:, 2]):
            lines.append((between - np.einsum("ki,ki->k", between, axis)[:, None] * axis)[:, None, :])
        products = np.cross(a[:, :, None, :], b[:, None, :, :]).reshape(-1, 9, 3)
        every = np.concatenate([a, b, products, *lines], axis=1)
        length = np.linalg.norm(every, axis=-1, keepdims=True)
        return np.where(length > 1e-9, every / np.where(length > 1e-9, length, 1), a[:, :1])

    def _along(self, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The largest gap among directions (k, c, 3)."""
        low_a, high_a = self.shapes.extents(self.first, directions @ self.rotation)
        low_b, high_b = self.shapes.extents(self.second, directions @ self.shapes.rotation[self.second])
        between = self.shapes.centre[self.second] - self.centre
        shift = np.einsum("kci,ki->kc", directions, between)
        beyond, before = shift + low_b - high_a, low_a - shift - high_b
        gap = np.maximum(beyond, before)
        best = gap.argmax(axis=1)
        rows = np.arange(len(gap))
        sign = np.where(beyond[rows, best] >= before[rows, best], 1.0, -1.0)
        return gap[rows, best], sign[:, None] * directions[rows, best]

    def _closest(self) -> tuple[FloatArray, FloatArray]:
        """Gilbert's walk to the point of the difference of the two solids that is nearest to 0; the best gap on it."""
        other = self.shapes.rotation[self.second]
        between = self.shapes.centre[self.second] - self.centre
        nearest = between.copy()
        gap, direction = np.full(len(nearest), -np.inf), np.zeros_like(nearest)
        for _ in range(_REFINEMENTS):
            length = np.linalg.norm(nearest, axis=1)
            unit = nearest / np.where(length > 1e-12, length, 1)[:, None]
            point_a = np.einsum("kij,kj->ki", self.rotation, self._support(self.first, self.rotation, unit))
            point_b = np.einsum("kij,kj->ki", other, self._support(self.second, other, -unit))
            corner = between + point_b - point_a
            found = np.where(length > 1e-12, np.einsum("ki,ki->k", corner, unit), -np.inf)
            better = found > gap
            gap[better], direction[better] = found[better], unit[better]
            step = corner - nearest
            square = np.einsum("ki,ki->k", step, step)
            share = -np.einsum("ki,ki->k", nearest, step) / np.where(square > 0, square, 1)
            nearest = nearest + np.clip(share, 0, 1)[:, None] * step
        return gap, direction

    def _support(self, index: IntArray, rotation: FloatArray, direction: FloatArray) -> FloatArray:
        return self.shapes.support(index, np.einsum("kij,ki->kj", rotation, direction))
