"""The geometry of links as triangles, for pictures and pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from simcheck.asset.decimation import decimated
from simcheck.asset.mesh_files import MeshProblem, find_mesh, load_mesh
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.asset.shapes import Shape, body_role, shapes_of

Triangles = tuple[FloatArray, NDArray[np.int64]]  # vertices (v, 3), m, and faces (f, 3)
_MOST = 20_000  # triangles of a shape


def triangles_of(obj: ArticulatedObject, links: Iterable[str]) -> list[Triangles]:
    """Triangles of the links' visible shapes, world frame at rest, of each shape no more than a picture shows."""
    return [_placed(shape, decimated(*local, _MOST)) for _, shape, local in visible_shapes(obj, links)]


def visible_shapes(obj: ArticulatedObject, links: Iterable[str]) -> Iterator[tuple[str, Shape, Triangles]]:
    """The links' visual (else collision) shapes that can be read, each with its link and its triangles.

    The triangles are in the shape's own frame and to scale: ``shape.pose`` puts them into the world at rest.
    """
    for link in links:
        role = body_role(obj, link)
        for shape in shapes_of(obj, link, role) if role else ():
            if shape.kind != "mesh" and 0.0 in shape.dimensions:
                continue  # nothing to see
            try:
                yield link, shape, _local_triangles(obj, shape)
            except MeshProblem:
                continue


def _placed(shape: Shape, triangles: Triangles) -> Triangles:
    vertices, faces = triangles
    return vertices @ shape.pose[:3, :3].T + shape.pose[:3, 3], faces


def _local_triangles(obj: ArticulatedObject, shape: Shape) -> Triangles:
    import trimesh

    if shape.kind == "mesh":
        mesh = load_mesh(find_mesh(shape.filename, obj.folder, obj.options.packages))
        return np.asarray(mesh.vertices) * np.array(shape.dimensions), np.asarray(mesh.faces, dtype=np.int64)
    radius, length = shape.dimensions[0], (*shape.dimensions, 0.0)[1]
    make = {
        "box": lambda: trimesh.creation.box(shape.dimensions),
        "sphere": lambda: trimesh.creation.icosphere(2, radius),
        "cylinder": lambda: trimesh.creation.cylinder(radius, length, sections=24),
        "capsule": lambda: trimesh.creation.capsule(length, radius, (16, 16)),
    }[shape.kind]
    solid = make()
    local = np.asarray(solid.vertices)
    if shape.kind == "capsule":
        local = local - [0, 0, (local[:, 2].max() + local[:, 2].min()) / 2]
    return local, np.asarray(solid.faces, dtype=np.int64)
