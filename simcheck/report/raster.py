"""Pictures of meshes and lines without a display: a z-buffer in NumPy.

Flat two-sided shading, dark creases and outlines, translucent ghosts that are blended once however many layers they
have, lines of constant width whose hidden parts are paler, antialiasing by supersampling, and a transparent ground
with true coverage, so that a picture looks right on any page. What lies behind the eye is not drawn: cameras stand
outside of what they look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcheck.report.camera import Camera
from simcheck.report.zbuffer import depth_slope, rasterise

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_SAMPLES = 2  # a side of a pixel
_GHOST, _GHOST_EDGE, _HIDDEN = 0.5, 0.85, 0.35  # opacity of ghosts, of their edges, and of hidden lines
_EDGE = 0.6  # brightness of creases and outlines
_CREASE = 0.8  # cosine of the angle between faces that meet in a visible edge
_LIGHT = np.array([-0.5, 0.65, 0.57])  # its direction: right, up, towards the eye


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of one colour.

    Parameters
    ----------
    vertices : array_like, shape (v, 3)
        World frame, m.
    faces : array_like of int, shape (f, 3)
        In any winding.
    colour : str
        ``#rrggbb``.
    ghost : bool
        Translucent; ghosts of one colour are one body.
    """

    vertices: ArrayLike
    faces: ArrayLike
    colour: str
    ghost: bool = False


@dataclass(frozen=True, eq=False)
class Line:
    """A line through points, of constant width on the screen.

    Parameters
    ----------
    points : array_like, shape (n, 3)
        World frame, m.
    colour : str
        ``#rrggbb``.
    width : float
        Pixels.
    arrow : bool
        Whether the last point is the tip of an arrow.
    """

    points: ArrayLike
    colour: str
    width: float
    arrow: bool = False


def bounding_box(meshes: Sequence[Mesh], lines: Sequence[Line] = ()) -> Array:
    """Lower and upper corner, shape (2, 3), of everything to be drawn; a unit cube around 0 when that is nothing."""
    points = [np.asarray(mesh.vertices, dtype=np.float64) for mesh in meshes]
    points += [np.asarray(line.points, dtype=np.float64) for line in lines]
    every = np.concatenate([np.empty((0, 3)), *points])
    if len(every) == 0:
        return np.array([[-0.5] * 3, [0.5] * 3])
    return np.stack([every.min(axis=0), every.max(axis=0)])


def share_in_view(meshes: Sequence[Mesh], others: Sequence[Mesh], camera: Camera, samples: int = 64) -> float:
    """The share of a square picture in which some meshes are in front of the others."""
    layer = _Layer.of([*others, *meshes], camera, samples, samples)
    behind = sum(len(np.asarray(mesh.faces)) for mesh in others)
    return float(np.mean(layer.owner >= behind))


def render(
    meshes: Sequence[Mesh],
    lines: Sequence[Line],
    camera: Camera,
    size: tuple[int, int],
    background: str | None = None,
) -> NDArray[np.uint8]:
    """Draw meshes, then ghosts, then lines in the given order (a later one lies on top).

    Parameters
    ----------
    meshes, lines
        What to draw.
    camera
        Outside of it.
    size : (int, int)
        Width and height in pixels.
    background : str, optional
        ``#rrggbb``; transparent without.

    Returns
    -------
    image : ndarray of uint8, shape (height, width, 4)
        Red, green, blue, and coverage.
    """
    width, height = (_SAMPLES * side for side in size)
    picture = np.zeros((height * width, 4))  # colour times coverage, coverage
    solid = _Layer.of([mesh for mesh in meshes if not mesh.ghost], camera, width, height)
    drawn = solid.owner >= 0
    picture[drawn, :3] = solid.colours()[drawn]
    picture[drawn, 3] = 1
    for colour in dict.fromkeys(mesh.colour for mesh in meshes if mesh.ghost):
        ghosts = [mesh for mesh in meshes if mesh.ghost and mesh.colour == colour]
        layer = _Layer.of(ghosts, camera, width, height)
        front = layer.inverse_depth > solid.inverse_depth * (1 + 1e-4)
        opacity = np.where(layer.edges[front], _GHOST_EDGE, _GHOST)
        _blend(picture, front, layer.colours()[front], opacity)
    for line in lines:
        corners, inverse = _strip(line, camera, width, height)
        depth, owner = rasterise(corners, inverse, width, height)
        hit = owner >= 0
        seen = depth[hit] >= solid.inverse_depth[hit] * (1 - 2e-3)
        _blend(picture, hit, _rgb(line.colour), np.where(seen, 1.0, _HIDDEN))
    return _finish(picture, size, background)


@dataclass(frozen=True, eq=False)
class _Layer:
    """Meshes as seen: for each sample of the screen the triangle in front (-1 for none) and its 1/depth."""

    owner: Index
    inverse_depth: Array
    normal: Array  # of each triangle, (t, 3)
    shade: Array  # colour of each triangle, (t, 3)
    slope: Array  # of 1/depth over the screen, for each triangle, (t, 2)
    width: int

    @classmethod
    def of(cls, meshes: Sequence[Mesh], camera: Camera, width: int, height: int) -> _Layer:
        triangles = [np.asarray(m.vertices, dtype=np.float64)[np.asarray(m.faces, dtype=np.int64)] for m in meshes]
        corners = np.concatenate([np.empty((0, 3, 3)), *triangles])
        colour = np.concatenate(
            [np.empty((0, 3)), *(np.tile(_rgb(m.colour), (len(t), 1)) for m, t in zip(meshes, triangles, strict=True))]
        )
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
        right, up, forward = camera.frame
        light = _LIGHT @ np.stack([right, up, -forward])
        faces_away = np.sum(normal * (corners[:, 0] - np.asarray(camera.eye, dtype=np.float64)), axis=1) > 0
        shade = colour * (0.66 + 0.34 * np.where(faces_away, -1, 1) * (normal @ light))[:, None]
        screen, inverse = camera.project(corners, width, height)
        depth, owner = rasterise(screen, inverse, width, height)
        return cls(owner, depth, normal, shade, depth_slope(screen, inverse), width)

    def colours(self) -> Array:
        """Colour of each sample, (samples, 3), darker on edges; meaningless where there is no triangle."""
        if len(self.shade) == 0:
            return np.zeros((len(self.owner), 3))
        return self.shade[self.owner] * np.where(self.edges, _EDGE, 1.0)[:, None]

    @cached_property
    def edges(self) -> NDArray[np.bool_]:
        """Samples beside a crease or an outline."""
        shape = (-1, self.width)
        edge = np.zeros(len(self.owner), dtype=bool).reshape(shape)
        owner, depth = self.owner.reshape(shape), self.inverse_depth.reshape(shape)
        beside = self._step(owner[:, :-1], owner[:, 1:], depth[:, :-1], depth[:, 1:], axis=0)
        below = self._step(owner[:-1], owner[1:], depth[:-1], depth[1:], axis=1)
        edge[:, :-1] |= beside
        edge[:, 1:] |= beside
        edge[:-1] |= below
        edge[1:] |= below
        return edge.ravel() & (self.owner >= 0)

    def _step(self, a: Index, b: Index, depth_a: Array, depth_b: Array, axis: int) -> NDArray[np.bool_]:
        """Whether neighbouring samples belong to surfaces that do not continue one another."""
        step = np.zeros(a.shape, dtype=bool)
        differ = a != b
        a, b, depth_a, depth_b = a[differ], b[differ], depth_a[differ], depth_b[differ]
        outline = (a < 0) | (b < 0)
        if len(self.normal):
            crease = np.abs(np.sum(self.normal[a] * self.normal[b], axis=1)) < _CREASE
            rise = depth_b - depth_a
            jump_a, jump_b = np.abs(rise - self.slope[a, axis]), np.abs(rise - self.slope[b, axis])
            outline |= crease | (np.minimum(jump_a, jump_b) > 0.01 * np.maximum(depth_a, depth_b))
        step[differ] = outline
        return step


def _strip(line: Line, camera: Camera, width: int, height: int) -> tuple[Array, Array]:
    """Triangles (t, 3, 2) of a line on the screen and their 1/depth (t, 3)."""
    points, inverse = camera.project(np.asarray(line.points, dtype=np.float64), width, height)
    moved = np.linalg.norm(np.diff(points, axis=0, prepend=np.inf), axis=1) > 1e-6
    points, inverse = points[moved], inverse[moved]
    half = line.width * _SAMPLES / 2
    if len(points) < 2:
        return np.empty((0, 3, 2)), np.empty((0, 3))
    if not line.arrow:
        return _ribbon(points, inverse, half)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    base = max(0.0, length[-1] - 9 * half)
    neck = np.stack([np.interp(base, length, x) for x in points.T])
    back = neck - points[-1]
    side = np.array([-back[1], back[0]]) / np.linalg.norm(back) * 3.4 * half
    head = np.stack([points[-1], neck + side, neck - side])[None]
    before = length < base
    shaft = np.concatenate([points[before], [neck + 0.1 * (points[-1] - neck)]])  # no gap between them
    corners, depths = _ribbon(shaft, np.append(inverse[before], np.interp(base, length, inverse)), half)
    return np.concatenate([corners, head]), np.concatenate([depths, np.full((1, 3), inverse[-1])])


def _ribbon(points: Array, inverse: Array, half: float) -> tuple[Array, Array]:
    """A strip of triangles along points (n, 2) of the screen, with mitred corners."""
    along = np.diff(points, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    mitre = np.concatenate([normal[:1], normal[:-1] + normal[1:], normal[-1:]])
    mitre /= np.maximum(np.linalg.norm(mitre, axis=1, keepdims=True), 1e-9)
    stretch = np.sum(mitre * np.concatenate([normal[:1], normal]), axis=1, keepdims=True)
    offset = half * mitre / np.maximum(stretch, 0.5)
    a, b = points + offset, points - offset
    i, j = inverse[:-1], inverse[1:]
    corners = np.concatenate([np.stack([a[:-1], b[:-1], a[1:]], axis=1), np.stack([b[:-1], a[1:], b[1:]], axis=1)])
    return corners, np.concatenate([np.stack([i, i, j], axis=1), np.stack([i, j, j], axis=1)])


def _blend(picture: Array, where: NDArray[np.bool_], colour: Array, opacity: Array) -> None:
    """Lay a colour over the chosen samples of a picture (samples, 4), in place."""
    over = np.concatenate([np.broadcast_to(colour, (len(opacity), 3)) * opacity[:, None], opacity[:, None]], axis=1)
    picture[where] = over + picture[where] * (1 - opacity[:, None])


def _finish(picture: Array, size: tuple[int, int], background: str | None) -> NDArray[np.uint8]:
    """Average the samples of each pixel, undo the product with coverage, or fill the ground."""
    width, height = size
    pixels = picture.reshape(height, _SAMPLES, width, _SAMPLES, 4).mean(axis=(1, 3))
    if background is not None:
        pixels[..., :3] += (1 - pixels[..., 3:]) * _rgb(background)
        pixels[..., 3] = 1
    coverage = pixels[..., 3:]
    pixels[..., :3] /= np.where(coverage > 0, coverage, 1)
    return np.round(255 * np.clip(pixels, 0, 1)).astype(np.uint8)


def _rgb(colour: str) -> Array:
    """Red, green and blue in [0, 1] of ``#rrggbb``."""
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"colour: expected #rrggbb, got {colour!r}")
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
