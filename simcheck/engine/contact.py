"""How deep convex solids stand in each other, by PyBullet, without any body or simulation.

Everything is scaled so that the object is some 100 units large: PyBullet's margins (a thousandth of a unit around
hulls) and tolerances are then a hundred-thousandth of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pybullet

from simcheck.asset.model import FloatArray
from simcheck.asset.poses import pose
from simcheck.engine.pybullet import PyBulletEngine

_UNITS = 100.0
_MARGIN = 1e-3  # units around a hull; other shapes are exact
_TURNS = tuple(pose((0.0, 0.0, 0.0), rpy) for rpy in ((0.7, 0.3, 1.9), (-1.1, 0.8, 0.4), (2.3, -0.5, -1.3)))


class Solids:
    """Convex solids of one object in a client of PyBullet; they live as long as the client."""

    def __init__(self, engine: PyBulletEngine, size: float) -> None:
        self._client = engine.client
        self._scale = _UNITS / size
        self._margins: dict[int, float] = {}
        self._cylinders: set[int] = set()

    def box(self, edges: Sequence[float]) -> int:
        """A box by its edges, m."""
        return self._create(pybullet.GEOM_BOX, halfExtents=[self._scale * e / 2 for e in edges])

    def sphere(self, radius: float) -> int:
        """A ball."""
        return self._create(pybullet.GEOM_SPHERE, radius=self._scale * radius)

    def cylinder(self, radius: float, length: float) -> int:
        """A cylinder along z."""
        solid = self._create(pybullet.GEOM_CYLINDER, radius=self._scale * radius, height=self._scale * length)
        self._cylinders.add(solid)
        return solid

    def capsule(self, radius: float, length: float) -> int:
        """A capsule along z; the length is that between the centres of the caps."""
        return self._create(pybullet.GEOM_CAPSULE, radius=self._scale * radius, height=self._scale * length)

    def hull(self, corners: FloatArray) -> int:
        """The convex hull of points (n, 3)."""
        solid = self._create(pybullet.GEOM_MESH, vertices=(self._scale * corners).tolist())
        self._margins[solid] = _MARGIN
        return solid

    def _create(self, kind: int, **sizes: object) -> int:
        return pybullet.createCollisionShape(kind, physicsClientId=self._client, **sizes)

    def gap(self, a: int, pose_a: FloatArray, b: int, pose_b: FloatArray, within: float) -> float:
        """Distance of two solids at poses (4, 4), negative where one stands in the other; inf beyond ``within``, m.

        PyBullet's depth of two cylinders is too small in one of forty poses; never too large, and the pose that fails
        depends on how the pair is turned. So such a pair is measured in several turned frames.
        """
        found = self._gap(a, pose_a, b, pose_b, within)
        if found < 0 and {a, b} <= self._cylinders:
            return min(found, *(self._gap(a, turn @ pose_a, b, turn @ pose_b, within) for turn in _TURNS))
        return found

    def _gap(self, a: int, pose_a: FloatArray, b: int, pose_b: FloatArray, within: float) -> float:
        margin = self._margins.get(a, 0.0) + self._margins.get(b, 0.0)
        points = pybullet.getClosestPoints(
            -1,
            -1,
            self._scale * within + margin,
            physicsClientId=self._client,
            collisionShapeA=a,
            collisionShapePositionA=(self._scale * pose_a[:3, 3]).tolist(),
            collisionShapeOrientationA=_quaternion(pose_a),
            collisionShapeB=b,
            collisionShapePositionB=(self._scale * pose_b[:3, 3]).tolist(),
            collisionShapeOrientationB=_quaternion(pose_b),
        )
        # PyBullet's distance is that of the hulls with their margins.
        return (min(point[8] for point in points) + margin) / self._scale if points else np.inf


def _quaternion(pose: FloatArray) -> list[float]:
    """Quaternion (x, y, z, w) of the rotation of a pose (4, 4); in plain floats, several times as fast as arrays."""
    r = pose[:3, :3].tolist()
    trace = r[0][0] + r[1][1] + r[2][2]
    candidates = (r[0][0], r[1][1], r[2][2], trace)
    k = candidates.index(max(candidates))
    if k == 3:
        values = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], 1 + trace]
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        values = [0.0, 0.0, 0.0, r[j][i] - r[i][j]]
        values[k] = 1 + 2 * r[k][k] - trace
        values[i], values[j] = r[i][k] + r[k][i], r[j][k] + r[k][j]
    x, y, z, w = values
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return [v / length for v in values]
