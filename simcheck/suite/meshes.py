"""Small closed meshes: convex prisms and surfaces of revolution, their moments and their OBJ text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Point2 = tuple[float, float]
Point3 = tuple[float, float, float]
Level = tuple[float, float, float]  # height, inner and outer radius


@dataclass(frozen=True)
class MeshData:
    """A closed triangle mesh in its own frame, counter-clockwise seen from outside; equal meshes are one file."""

    label: str
    vertices: tuple[Point3, ...]
    faces: tuple[tuple[int, int, int], ...]

    @property
    def points(self) -> FloatArray:
        """Vertices (v, 3), m."""
        return np.array(self.vertices)

    def obj_text(self) -> str:
        """Wavefront OBJ, one object."""
        lines = [f"v {x:.7g} {y:.7g} {z:.7g}" for x, y, z in self.vertices]
        lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in self.faces]
        return "\n".join(lines) + "\n"


@lru_cache(maxsize=512)
def mesh_moments(mesh: MeshData) -> tuple[float, FloatArray, FloatArray]:
    """Volume, centroid (3,) and second moments about the centroid per unit volume (3, 3): sums over tetrahedra."""
    corners = mesh.points[np.array(mesh.faces)]
    volumes = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    volume = float(volumes.sum())
    sums = corners.sum(axis=1)
    centroid = np.einsum("f,fi->i", volumes, sums) / (4 * volume)
    outer = np.einsum("fki,fkj->fij", corners, corners) + np.einsum("fi,fj->fij", sums, sums)
    second = np.einsum("f,fij->ij", volumes, outer) / (20 * volume) - np.outer(centroid, centroid)
    return volume, centroid, second


def prism(outline: Sequence[Point2], length: float, label: str = "prism") -> MeshData:
    """A convex outline in the xy plane, extruded along z from -length/2 to length/2."""
    points = list(outline)
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True))
    if area < 0:
        points.reverse()
    _require_convex(points)
    n, half = len(points), length / 2
    vertices = [(*p, -half) for p in points] + [(*p, half) for p in points]
    faces = [(0, k + 1, k) for k in range(1, n - 1)] + [(n, n + k, n + k + 1) for k in range(1, n - 1)]
    for k in range(n):
        after = (k + 1) % n
        faces += [(k, after, n + after), (k, n + after, n + k)]
    return MeshData(label, _rounded(vertices), tuple(faces))


def _require_convex(points: Sequence[Point2]) -> None:
    n = len(points)
    for k in range(n):
        (ax, ay), (bx, by), (cx, cy) = points[k], points[(k + 1) % n], points[(k + 2) % n]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) <= 0:
            raise ValueError(f"prism: the outline {list(points)} is not strictly convex")


def revolved(levels: Sequence[Level], sections: int) -> MeshData:
    """A solid of revolution about z, its wall between an inner and an outer radius at each level.

    The mesh is a polygon of so many sections: outer radii are those of its corners, inner radii those of its flats, so
    that neither bore nor outside is narrower or wider than stated.
    """
    across = 1 / math.cos(math.pi / sections)
    profile = [(outer, z) for z, _, outer in levels] + [(inner * across, z) for z, inner, _ in reversed(levels)]
    profile = [p for k, p in enumerate(profile) if p != profile[k - 1]]
    after = [*profile[1:], profile[0]]
    profile = [p for k, p in enumerate(profile) if p[0] > 0 or profile[k - 1][0] > 0 or after[k][0] > 0]
    angles = [2 * math.pi * (k + 0.5) / sections for k in range(sections)]
    vertices: list[Point3] = []
    rings: list[list[int]] = []
    for radius, z in profile:
        first = len(vertices)
        if radius <= 0:
            vertices.append((0.0, 0.0, z))
            rings.append([first] * sections)
        else:
            vertices += [(radius * math.cos(a), radius * math.sin(a), z) for a in angles]
            rings.append(list(range(first, first + sections)))
    faces = []
    for ring, following in zip(rings, [*rings[1:], rings[0]], strict=True):
        for k in range(sections):
            right = (k + 1) % sections
            quad = (ring[k], ring[right], following[right], following[k])
            faces += [t for t in ((quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])) if len({*t}) == 3]
    return MeshData("turned", _rounded(vertices), tuple(faces))


def _rounded(vertices: Sequence[Point3]) -> tuple[Point3, ...]:
    """Vertices to 1e-7 m, so that what is written is what is checked."""
    return tuple((round(x, 7) + 0.0, round(y, 7) + 0.0, round(z, 7) + 0.0) for x, y, z in vertices)
