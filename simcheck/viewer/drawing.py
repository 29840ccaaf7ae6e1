"""The scene as pictures and films, without a browser: truth solid, prediction a ghost, as the page shows them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from simcheck.asset.model import FloatArray
from simcheck.report.camera import Camera
from simcheck.report.colours import FIXED, HIGHLIGHT, PREDICTION, PREDICTION_BODY, TRUTH, TRUTH_BODY
from simcheck.report.motion import far_end, motion_lines, motion_path, outer_point, telling_camera
from simcheck.report.raster import Line, Mesh, bounding_box, render
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
        if row is not None:
            shown = scene.joints[row]
            self.point, self.reach = shown_point(scene, geometry, shown)

    @property
    def far_end(self) -> float:
        """The end of the slider, 0 or 1, at which the owner's joint is farther from rest."""
        if self.row is None:
            return 0.0
        shown = self.scene.joints[self.row]
        return far_end(shown.sides[shown.owner].motion)

    def contents(self, fraction: float, width: float) -> tuple[list[Mesh], list[Line]]:
        """Meshes and lines with the row at a fraction of its slider; ``width`` in pixels of the truth's lines."""
        where = self.scene.placements({} if self.row is None else {self.row: fraction})
        shown = None if self.row is None else self.scene.joints[self.row]
        meshes = []
        for part in self.geometry.parts:
            side = None if shown is None else shown.sides.get(part.side)
            carried = side is not None and part.link in side.carried
            if part.side == "prediction" and not carried:
                continue  # where both agree it would only hide the truth
            pose = where[part.side][part.link] @ part.pose
            vertices = self.geometry.vertices[part.mesh] @ pose[:3, :3].T + pose[:3, 3]
            if part.side == "prediction":
                meshes.append(Mesh(vertices, self.geometry.faces[part.mesh], PREDICTION_BODY, ghost=True))
            else:
                meshes.append(Mesh(vertices, self.geometry.faces[part.mesh], TRUTH_BODY if carried else FIXED))
        if shown is None:
            return meshes, []
        lines = []
        for name, side in shown.sides.items():
            thick = width if name == "truth" else width / 2
            for line in motion_lines(side.motion, self.point, self.reach, _LINES[name], thick):
                lines.append(
                    Line(
                        _moved(np.asarray(line.points), where[name][side.joint.parent]), line.colour, thick, line.arrow
                    )
                )
        if shown.body is not None:
            points = np.asarray(shown.body.material_points()[0])
            ends = [_moved(points, where[side][link]) for side, link in shown.frames.values()]
            lines += [Line(np.stack(pair), HIGHLIGHT, width / 3) for pair in zip(*ends, strict=True)]
        return meshes, lines

    def camera(self, aspect: float) -> Camera:
        """The camera that sees the whole motion and most of what moves."""
        scenes = [self.contents(fraction, 1.0) for fraction in ((0.0, 0.5, 1.0) if self.row is not None else (0.0,))]
        points = np.concatenate([bounding_points(meshes, lines) for meshes, lines in scenes])
        if self.row is None:
            return Camera.seeing(points, (-0.72, -0.52, -0.45), aspect=aspect)
        solid, _ = self.contents(self.far_end, 1.0)
        moving = [mesh for mesh in solid if mesh.colour != FIXED]
        shown = self.scene.joints[self.row]
        side = shown.sides[shown.owner]
        path = motion_path(side.motion, self.point, (side.motion.lower, side.motion.upper))
        still = [mesh for mesh in solid if mesh.colour == FIXED]
        return telling_camera(points, [*still, *moving], len(moving), path, aspect)

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
    side = shown.sides[shown.owner]
    moved = [Mesh(v, f, FIXED) for v, f in geometry.of(shown.owner, side.links)]
    if moved:
        return outer_point(side.motion, moved), float(np.linalg.norm(np.diff(bounding_box(moved), axis=0)))
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


def _moved(points: FloatArray, placement: FloatArray) -> FloatArray:
    return points @ placement[:3, :3].T + placement[:3, 3]
