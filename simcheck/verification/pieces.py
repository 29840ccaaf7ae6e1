"""The solids of an object as convex pieces: what the collision sweep looks at.

Collision shapes where a link has any, else visual ones. A mesh is taken apart into its connected components; each that
is convex is a piece. One that is not cannot be judged: its filled hull would collide where the part does not.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from simcheck.asset.mesh_files import MeshProblem, find_mesh, load_mesh
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.asset.shapes import Shape, shapes_of
from simcheck.engine.contact import Solids

_CONVEX = 0.02  # share by which volume or area may differ from the hull's
_MOST_COMPONENTS = 200  # a mesh of more pieces is not taken apart


@dataclass(frozen=True, eq=False)
class Pieces:
    """Convex pieces of all links; arrays have one entry a piece."""

    links: tuple[str, ...]
    solids: tuple[int, ...]  # in the simulator
    local: FloatArray  # (N, 4, 4), the solid's frame in the world at rest
    boxes: FloatArray  # (N, 4, 4), frame of the bounding box in the world at rest
    half: FloatArray  # (N, 3), half edges of that box, m
    judged: np.ndarray[Any, np.dtype[np.bool_]]  # (N,), False for hulls of what is not convex
    undecided: tuple[str, ...]  # mesh files with such hulls


@dataclass(frozen=True, eq=False)
class _Hull:
    """A component of a mesh file: corners of its hull, and whether the hull is the component."""

    corners: FloatArray
    convex: bool


def pieces_of(obj: ArticulatedObject, solids: Solids) -> Pieces:
    """The pieces of an object, made in the simulator."""
    links: list[str] = []
    made: list[int] = []
    local: list[FloatArray] = []
    boxes: list[FloatArray] = []
    half: list[FloatArray] = []
    judged: list[bool] = []
    undecided: dict[str, None] = {}
    for link in obj.links:
        shapes = shapes_of(obj, link, "collision") or shapes_of(obj, link, "visual")
        for shape in shapes:
            for solid, centre, extent, convex in _solids_of(obj, shape, solids):
                placed = shape.pose.copy()
                placed[:3, 3] += shape.pose[:3, :3] @ centre
                links.append(link)
                made.append(solid)
                local.append(shape.pose)
                boxes.append(placed)
                half.append(extent)
                judged.append(convex)
                if not convex:
                    undecided[shape.filename] = None
    count = len(links)
    return Pieces(
        tuple(links),
        tuple(made),
        np.array(local).reshape(count, 4, 4),
        np.array(boxes).reshape(count, 4, 4),
        np.array(half).reshape(count, 3),
        np.array(judged, dtype=bool),
        tuple(undecided),
    )


def _solids_of(obj: ArticulatedObject, shape: Shape, solids: Solids) -> list[tuple[int, FloatArray, FloatArray, bool]]:
    """Solid, centre and half edges of its box in the shape's frame, and whether it is the shape itself."""
    origin, sizes = np.zeros(3), shape.dimensions
    if shape.kind != "mesh" and 0.0 in sizes[:1]:
        return []
    if shape.kind == "box":
        return [] if 0.0 in sizes else [(solids.box(sizes), origin, np.array(sizes) / 2, True)]
    if shape.kind == "sphere":
        return [(solids.sphere(sizes[0]), origin, np.full(3, sizes[0]), True)]
    if shape.kind == "cylinder":
        if sizes[1] == 0:
            return []
        extent = np.array([sizes[0], sizes[0], sizes[1] / 2])
        return [(solids.cylinder(*sizes), origin, extent, True)]
    if shape.kind == "capsule":
        extent = np.array([sizes[0], sizes[0], sizes[1] / 2 + sizes[0]])
        return [(solids.capsule(*sizes), origin, extent, True)]
    try:
        path = find_mesh(shape.filename, obj.folder, obj.options.packages)
        hulls = _hulls(path, path.stat().st_mtime_ns)
    except MeshProblem:
        return []
    found = []
    for hull in hulls:
        corners = hull.corners * np.array(sizes)
        low, high = corners.min(axis=0), corners.max(axis=0)
        found.append((solids.hull(corners), (low + high) / 2, (high - low) / 2, hull.convex))
    return found


@lru_cache(maxsize=256)
def _hulls(path: Path, _modified: int) -> tuple[_Hull, ...]:
    """Hulls of the components of a mesh file, in its own units; flat ones have no hull and are left out."""
    mesh = load_mesh(path).copy()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        mesh.merge_vertices(merge_tex=True, merge_norm=True)
        mesh.update_faces(mesh.nondegenerate_faces())
        mesh.update_faces(mesh.unique_faces())
        parts = mesh.split(only_watertight=False, repair=False)
        if len(parts) > _MOST_COMPONENTS:
            parts = [mesh]
        hulls = [_hull(part) for part in parts]
    return tuple(hull for hull in hulls if hull is not None)


def _hull(part: Any) -> _Hull | None:
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(part.vertices)
    except (QhullError, ValueError):
        return None
    if part.is_watertight:
        convex = abs(abs(part.volume) - hull.volume) <= _CONVEX * hull.volume
    else:
        convex = len(hull.vertices) >= len(part.vertices) * (1 - _CONVEX) and part.area <= (1 + _CONVEX) * hull.area
    return _Hull(np.asarray(part.vertices)[hull.vertices], bool(convex))
