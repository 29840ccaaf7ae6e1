"""Geometry for the tests of pictures: boxes, and a cabinet with a door and a drawer."""

from __future__ import annotations

import numpy as np

from metric import Joint
from simcheck.report.raster import Mesh

_FACES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip


def box(low: tuple[float, float, float], high: tuple[float, float, float], colour: str = "#999999", **options) -> Mesh:
    corners = np.array(np.meshgrid(*zip(low, high, strict=True), indexing="ij")).reshape(3, -1).T
    return Mesh(corners, np.array(_FACES), colour, **options)


def cabinet() -> tuple[list[Mesh], list[Mesh], Joint, Joint]:
    """Walls, a door, its hinge, and a hinge with a shifted, tilted axis and a short range."""
    walls = [
        box((-0.25, -0.3, 0), (0.25, -0.28, 0.8)),
        box((-0.25, 0.28, 0), (0.25, 0.3, 0.8)),
        box((-0.25, -0.3, 0.78), (0.25, 0.3, 0.8)),
        box((-0.25, -0.3, 0), (0.25, 0.3, 0.02)),
        box((-0.25, -0.3, 0), (-0.23, 0.3, 0.8)),
    ]
    door = [box((0.25, -0.3, 0.01), (0.27, 0.3, 0.79)), box((0.27, 0.22, 0.3), (0.3, 0.24, 0.5))]
    tilted = np.array([0.15, 0.1, -0.98])
    tilted /= np.linalg.norm(tilted)
    hinge = Joint("revolute", (0, 0, -1), (0.27, -0.3, 0.4), 0, 1.6)
    return walls, door, hinge, Joint("revolute", tuple(tilted), (0.27, -0.25, 0.4), 0, 1.2)
