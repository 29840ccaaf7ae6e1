"""The scene as pictures and films, without a browser: truth solid, prediction a ghost, as the page shows them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcheck.asset.model import FloatArray
from simcheck.report.camera import Camera
from simcheck.report.colours import FIXED, HIGHLIGHT, PREDICTION, PREDICTION_BODY, TRUTH, TRUTH_BODY
from simcheck.report.motion import axis_length, far_end, motion_lines, motion_path, outer_point, telling_camera
from simcheck.report.raster import Line, Mesh, render
from simcheck.viewer.geometry import Geometry
from simcheck.viewer.scene import Scene, ShownJoint, Side

_LINES = {"truth": TRUTH, "prediction": PREDICTION}


class Drawing:
    """A scene with one row of its list in view, all other joints at rest.

    Parameters
    ----------
    scene, geometry
    row
        The joints that move; None draws the objects at rest (there may be no joint at all).
    """

    def __init__(self, scene: Scene, geometry: Geometry, row: int | None) -> None:
        self.scene, self.geometry, self.row = scene, geometry, row
        self.shown = None if row is None else scene.joints[row]
        if self.shown is not None:
            self.point, self.reach = shown_point(scene, geometry, self.shown)

    @property
    def far_end(self) -> float:
        """The end of the slider, 0 or 1, at which the owner's joint is farther from rest."""
        return 0.0 if self.shown is None else far_end(self.shown.own_side.motion)

    def contents(self, fraction: float, width: float) -> tuple[list[Mesh], list[Line]]:
        """Meshes and lines with the row at a fraction of its slider; ``width`` in pixels of the truth's lines."""
        where = self.scene.placements({} if self.row is None else {self.row: fraction})
        sides = {} if self.shown is None else self.shown.sides
        meshes = []
        for part in self.geometry.parts:
            side, ghost = sides.get(part.side), part.side == "prediction"
            carried = side is not None and part.link in side.carried
            if ghost and not carried:
                continue  # where both agree it would only hide the truth
            vertices = _moved(self.geometry.vertices[part.mesh], where[part.side][part.link] @ part.pose)
            colour = PREDICTION_BODY if ghost else TRUTH_BODY if carried else FIXED
            meshes.append(Mesh(vertices, self.geometry.faces[part.mesh], colour, ghost))
        lines = []
        for name, side in sides.items():
            thick = width if name == "truth" else width / 2
            carrier = where[name][side.joint.parent]
            for line in motion_lines(side.motion, self.point, self.reach, _LINES[name], thick):
                lines.append(replace(line, points=_moved(line.points, carrier)))
        if self.shown is not None and self.shown.body is not None:
            points, _ = self.shown.body.material_points()
            ends = [_moved(points, where[side][link]) for side, link in self.shown.frames.values()]
            lines += [Line(np.stack(pair), HIGHLIGHT, width / 3) for pair in zip(*ends, strict=True)]
        return meshes, lines

    def camera(self, aspect: float) -> Camera:
        """The camera that sees the whole motion and most of what moves."""
        if self.shown is None:
            return Camera.seeing(bounding_points(*self.contents(0.0, 1.0)), (-0.72, -0.52, -0.45), aspect=aspect)
        scenes = {fraction: self.contents(fraction, 1.0) for fraction in (0.0, 0.5, 1.0)}
        points = np.concatenate([bounding_points(*scene) for scene in scenes.values()])
        meshes, _ = scenes[self.far_end]
        still = [mesh for mesh in meshes if mesh.colour == FIXED]
        moving = [mesh for mesh in meshes if mesh.colour != FIXED]
        motion = self.shown.own_side.motion
        path = motion_path(motion, self.point, (motion.lower, motion.upper))
        return telling_camera(points, still, moving, path, aspect)

    def picture(
        self, fraction: float, camera: Camera, size: tuple[int, int], background: str | None = None
    ) -> NDArray[np.uint8]:
        """An image (height, width, 4) of the row at a fraction of its slider."""
        return render(*self.contents(fraction, max(2.0, size[1] / 80)), camera, size, background)

    def film(self, frames: int, size: tuple[int, int], background: str) -> Iterator[NDArray[np.uint8]]:
        """Images of the row going from one end of its slider to the other, slowly at the ends."""
        camera = self.camera(size[0] / size[1])
        for share in np.linspace(0, 1, frames):
            yield self.picture(0.5 - 0.5 * math.cos(math.pi * share), camera, size, background)


def shown_point(scene: Scene, geometry: Geometry, shown: ShownJoint) -> tuple[FloatArray, float]:
    """A point (3,) of the part at rest whose path shows the motion, and the length of the drawn axis, m."""
    side = shown.own_side
    moved = [Mesh(v, f, FIXED) for v, f in geometry.of(shown.owner, side.links)]
    if moved:
        return outer_point(side.motion, moved), axis_length(moved)
    return _beside_the_axis(side, scene.size), 0.3 * scene.size


def _beside_the_axis(side: Side, size: float) -> FloatArray:
    """A point for a part without geometry: a tenth of the object's size from the joint's origin."""
    axis, origin = np.array(side.motion.axis), np.array(side.motion.origin)
    if side.motion.kind in ("prismatic", "fixed"):
        return origin
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    return origin + 0.1 * size * across / np.linalg.norm(across)


def bounding_points(meshes: Sequence[Mesh], lines: Sequence[Line]) -> FloatArray:
    """Every vertex and every point of a line, (n, 3)."""
    every = [np.asarray(mesh.vertices) for mesh in meshes] + [np.asarray(line.points) for line in lines]
    return np.concatenate(every) if every else np.array([[-0.5] * 3, [0.5] * 3])


def _moved(points: ArrayLike, placement: FloatArray) -> FloatArray:
    return np.asarray(points) @ placement[:3, :3].T + placement[:3, 3]
