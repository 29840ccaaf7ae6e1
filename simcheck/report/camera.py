"""A perspective camera that finds its own place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Camera:
    """A perspective camera.

    Parameters
    ----------
    eye, target : array_like, shape (3,)
        World frame, m.
    field_of_view : float
        Angle over the height of a picture of the given aspect, rad.
    aspect : float
        Width over height that must be in view; pictures of another shape show more.
    """

    eye: ArrayLike
    target: ArrayLike
    field_of_view: float = 0.5
    aspect: float = 4 / 3

    @classmethod
    def looking_at(
        cls, box: ArrayLike, direction: ArrayLike, field_of_view: float = 0.5, aspect: float = 4 / 3
    ) -> Camera:
        """The camera that looks along a direction and just sees a box.

        Parameters
        ----------
        box : array_like, shape (2, 3)
            Lower and upper corner, world frame, m.
        direction : array_like, shape (3,)
            From the eye into the scene; z is up in the picture unless it is this direction.
        """
        corners = np.array(np.meshgrid(*np.asarray(box, dtype=np.float64).T)).reshape(3, -1).T
        return cls.seeing(corners, direction, field_of_view, aspect)

    @classmethod
    def seeing(
        cls, points: ArrayLike, direction: ArrayLike, field_of_view: float = 0.5, aspect: float = 4 / 3
    ) -> Camera:
        """The camera that looks along a direction and just sees all points (n, 3); otherwise as `looking_at`."""
        points = np.asarray(points, dtype=np.float64)
        right, up, forward = _frame(np.asarray(direction, dtype=np.float64))
        centre = (points.min(axis=0) + points.max(axis=0)) / 2
        offset = points - centre
        size = max(float(np.linalg.norm(offset, axis=1).max()), 1e-9)
        deep = offset @ forward
        eye = []
        retreat = size
        for axis, slope in ((right, aspect * np.tan(field_of_view / 2)), (up, np.tan(field_of_view / 2))):
            # The two planes of the view on either side of this axis, each through its outermost point.
            above, below = np.max(offset @ axis - slope * deep), np.max(-(offset @ axis) - slope * deep)
            eye.append((above - below) / 2)
            retreat = max(retreat, (above + below) / 2 / slope)
        place = centre + eye[0] * right + eye[1] * up - 1.05 * retreat * forward
        return cls(place, place + forward, field_of_view, aspect)

    @property
    def frame(self) -> tuple[Array, Array, Array]:
        """Unit vectors to the right, up and into the picture."""
        return _frame(np.asarray(self.target, dtype=np.float64) - np.asarray(self.eye, dtype=np.float64))

    def project(self, points: Array, width: int, height: int) -> tuple[Array, Array]:
        """Positions on a screen of so many pixels (..., 2), y down, and 1/depth (...); NaN behind the eye."""
        right, up, forward = self.frame
        offset = points - np.asarray(self.eye, dtype=np.float64)
        depth = offset @ forward
        inverse = 1 / np.where(depth > 0, depth, np.nan)
        scale = min(height, width / self.aspect) / 2 / np.tan(self.field_of_view / 2)
        x = width / 2 + scale * (offset @ right) * inverse
        y = height / 2 - scale * (offset @ up) * inverse
        return np.stack([x, y], axis=-1), inverse


def _frame(direction: Array) -> tuple[Array, Array, Array]:
    forward = direction / np.linalg.norm(direction)
    vertical = np.array([0.0, 1.0, 0.0]) if abs(forward[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
    right = np.cross(forward, vertical)
    right /= np.linalg.norm(right)
    return right, np.cross(right, forward), forward
