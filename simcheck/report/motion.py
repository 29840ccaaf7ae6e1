"""What a joint does, drawn: its axis as an arrow, its range as a path, the moved body at a fraction of the range.

Truth is solid and blue, the prediction a translucent orange ghost of the same body: the geometry of the prediction
plays no part in the distances, so it has none in their pictures either.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric import Joint, exp
from simcheck.report.camera import Camera
from simcheck.report.colours import FIXED, PREDICTION, PREDICTION_BODY, TRUTH, TRUTH_BODY
from simcheck.report.raster import Line, Mesh, bounding_box, render, share_in_view

Array = NDArray[np.float64]

_PER_TURN, _MOST = 32, 2000  # samples of a path
_TURNS = ("revolute", "continuous", "helical")


def drawn_interval(joint: Joint, reach: float) -> tuple[float, float]:
    """The limits, an infinite end replaced by a full turn, or a slide by ``reach`` (m), in all."""
    whole = 2 * math.pi if joint.kind in _TURNS else reach
    lower, upper = joint.lower, joint.upper
    if math.isinf(lower) and math.isinf(upper):
        return -whole / 2, whole / 2
    if math.isinf(lower):
        return upper - whole, upper
    return lower, lower + whole if math.isinf(upper) else upper


def motion_path(joint: Joint, point: ArrayLike, interval: tuple[float, float], samples: int = 65) -> Array:
    """Positions of a material point along the motion: an arc, a stroke or a helix.

    Parameters
    ----------
    joint
        World frame at rest.
    point : array_like, shape (3,)
        Where the point is at rest, m.
    interval : (float, float)
        Joint coordinates, rad or m.
    samples : int
        At least so many of a turning joint, more where it turns several times.

    Returns
    -------
    path : array, shape (n, 3), m
    """
    turns = abs(interval[1] - interval[0]) / (2 * math.pi)
    enough = min(max(samples, math.ceil(_PER_TURN * turns) + 1), _MOST)
    q = np.linspace(*interval, 2 if joint.kind in ("prismatic", "fixed") else enough)
    placement = np.asarray(exp(q[:, None] * joint.screw))
    return placement[:, :3, :3] @ np.asarray(point, dtype=np.float64) + placement[:, :3, 3]


def motion_lines(joint: Joint, point: ArrayLike, reach: float, colour: str, width: float) -> list[Line]:
    """The axis as an arrow of length ``reach`` (m), and the path of a point, which ends in an arrow at the upper limit.

    A sliding joint has its stroke only, which is its axis; a fixed one has no lines.
    """
    if joint.kind == "fixed":
        return []
    lower, upper = drawn_interval(joint, reach)
    path = motion_path(joint, point, (lower, upper))
    closed = joint.kind in ("revolute", "continuous") and upper - lower >= 2 * math.pi
    lines = [Line(path, colour, width, arrow=not closed and upper > lower)]
    if joint.kind in _TURNS:
        axis, origin = np.array(joint.axis), np.array(joint.origin)
        middle = origin + axis * (axis @ (np.asarray(point, dtype=np.float64) - origin))
        lines.insert(0, Line(middle + axis * reach * np.array([[-0.5], [0.5]]), colour, width, arrow=True))
    return lines


def outer_point(joint: Joint, moved: Sequence[Mesh]) -> Array:
    """A point to show the motion with: as far from the axis as the body reaches, and halfway along it, (3,).

    Raises
    ------
    ValueError     the moved body has no geometry: there is nothing to show
    """
    vertices = _vertices(moved)
    if len(vertices) == 0:
        raise ValueError("moved: expected meshes with vertices, got none")
    axis, origin = np.array(joint.axis), np.array(joint.origin)
    middle = np.mean(bounding_box(moved), axis=0)
    if joint.kind not in _TURNS:
        return middle
    arm = vertices - origin
    arm -= np.outer(arm @ axis, axis)
    farthest = arm[np.argmax(np.sum(arm**2, axis=1).round(12))]
    return origin + axis * (axis @ (middle - origin)) + farthest


def motion_scene(
    fixed: Sequence[Mesh],
    moved: Sequence[Mesh],
    truth: Joint,
    prediction: Joint | None,
    fraction: float,
    line_width: float = 4.5,
) -> tuple[list[Mesh], list[Line]]:
    """Meshes and lines of a motion at a fraction of the range, 0 at the lower limit of both joints, 1 at the upper.

    Parameters
    ----------
    fixed, moved
        Geometry at rest, world frame; its colours are replaced.
    truth, prediction
        World frame at rest. A prediction that E pairs the other way round is passed `Joint.reversed`.
    fraction : float
    line_width : float
        Pixels, of the truth; the prediction's lines are half as wide and lie on top, so that equal ones are both seen.
    """
    reach = axis_length(moved)
    point = outer_point(truth, moved)
    meshes = [replace(mesh, colour=FIXED, ghost=False) for mesh in fixed]
    meshes += _placed(moved, truth, reach, fraction, TRUTH_BODY, ghost=False)
    lines = motion_lines(truth, point, reach, TRUTH, line_width)
    if prediction is not None:
        meshes += _placed(moved, prediction, reach, fraction, PREDICTION_BODY, ghost=True)
        lines += motion_lines(prediction, point, reach, PREDICTION, line_width / 2)
    return meshes, lines


def far_end(joint: Joint) -> float:
    """The fraction of the range, 0 or 1, at which the joint is farther from rest."""
    return 0.0 if abs(joint.lower) > abs(joint.upper) else 1.0


def motion_film(
    fixed: Sequence[Mesh],
    moved: Sequence[Mesh],
    truth: Joint,
    prediction: Joint | None = None,
    fractions: Sequence[float] = (0.0, 1.0),
    size: tuple[int, int] = (480, 360),
    background: str | None = None,
) -> Iterator[NDArray[np.uint8]]:
    """Pictures (height, width, 4) of a motion at fractions of the range, all from one place.

    See `motion_scene` for the arguments, `render` for size and background.
    """
    width = max(2.0, size[1] / 80)
    point = outer_point(truth, moved)
    scenes = {q: motion_scene(fixed, moved, truth, prediction, q, width) for q in (0.0, 0.5, 1.0)}
    points = [_vertices(meshes) for meshes, _ in scenes.values()] + [np.asarray(line.points) for line in scenes[0.0][1]]
    solid = [mesh for mesh in scenes[far_end(truth)][0] if not mesh.ghost]
    still, moving = solid[: len(fixed)], solid[len(fixed) :]
    path = motion_path(truth, point, drawn_interval(truth, axis_length(moved)))
    camera = telling_camera(np.concatenate(points), still, moving, path, size[0] / size[1])
    for fraction in fractions:
        yield render(*motion_scene(fixed, moved, truth, prediction, fraction, width), camera, size, background)


def motion_picture(
    fixed: Sequence[Mesh],
    moved: Sequence[Mesh],
    truth: Joint,
    prediction: Joint | None = None,
    size: tuple[int, int] = (480, 360),
) -> NDArray[np.uint8]:
    """One picture (height, width, 4) of a motion at its end farther from rest; otherwise as `motion_film`."""
    return next(motion_film(fixed, moved, truth, prediction, (far_end(truth),), size))


def telling_camera(points: Array, still: Sequence[Mesh], moved: Sequence[Mesh], path: Array, aspect: float) -> Camera:
    """Of eight cameras around, from above, the one that shows most of the moved body and its path.

    A body without meshes leaves the rest of the object to be seen.
    """
    wanted, others = (moved, still) if moved else (still, ())
    down = math.radians(24)
    best, most = None, -1.0
    for angle in np.radians([35, 55, 125, 145, 215, 235, 305, 325]):  # off the sides that most objects have
        direction = [-math.cos(angle) * math.cos(down), -math.sin(angle) * math.cos(down), -math.sin(down)]
        camera = Camera.seeing(points, direction, aspect=aspect)
        screen, _ = camera.project(path, 1, 1)
        stretch = float(np.sum(np.linalg.norm(np.diff(screen, axis=0), axis=1)))
        telling = round(share_in_view(wanted, others, camera) * (0.05 + min(stretch, 1.0)), 6)
        if telling > most:
            best, most = camera, telling
    assert best is not None, "every share is at least 0"
    return best


def _placed(
    meshes: Sequence[Mesh], joint: Joint, reach: float, fraction: float, colour: str, *, ghost: bool
) -> list[Mesh]:
    lower, upper = drawn_interval(joint, reach)
    placement = np.asarray(exp((lower + fraction * (upper - lower)) * joint.screw))
    return [
        Mesh(np.asarray(mesh.vertices) @ placement[:3, :3].T + placement[:3, 3], mesh.faces, colour, ghost)
        for mesh in meshes
    ]


def axis_length(moved: Sequence[Mesh]) -> float:
    """Length of the drawn axis: the diagonal of the moved body's box, m."""
    return float(np.linalg.norm(np.diff(bounding_box(moved), axis=0)))


def _vertices(meshes: Sequence[Mesh]) -> Array:
    return np.concatenate([np.empty((0, 3)), *(np.asarray(mesh.vertices, dtype=np.float64) for mesh in meshes)])
