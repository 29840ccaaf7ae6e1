"""The geometry of links as triangles, for pictures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from simcheck.asset.mesh_files import MeshProblem, find_mesh, load_mesh
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.asset.shapes import Shape, body_role, shapes_of

Triangles = tuple[FloatArray, NDArray[np.int64]]  # vertices (v, 3) in the world frame at rest, faces (f, 3)


def triangles_of(obj: ArticulatedObject, links: Iterable[str], most: int = 20_000) -> list[Triangles]:
    """Triangles of the links' visual (else collision) shapes at rest; a mesh with more than ``most`` as its hull."""
    found = []
    for link in links:
        role = body_role(obj, link)
        for shape in shapes_of(obj, link, role) if role else ():
            if shape.kind != "mesh" and 0.0 in shape.dimensions:
                continue  # nothing to see
            try:
                found.append(_triangles(obj, shape, most))
            except MeshProblem:
                continue
    return found


def _triangles(obj: ArticulatedObject, shape: Shape, most: int) -> Triangles:
    import trimesh

    if shape.kind == "mesh":
        mesh = load_mesh(find_mesh(shape.filename, obj.folder, obj.options.packages))
        mesh = mesh.convex_hull if len(mesh.faces) > most else mesh
        local, faces = np.asarray(mesh.vertices) * np.array(shape.dimensions), mesh.faces
    else:
        radius, length = shape.dimensions[0], (*shape.dimensions, 0.0)[1]
        make = {
            "box": lambda: trimesh.creation.box(shape.dimensions),
            "sphere": lambda: trimesh.creation.icosphere(2, radius),
            "cylinder": lambda: trimesh.creation.cylinder(radius, length, sections=24),
            "capsule": lambda: trimesh.creation.capsule(length, radius, (16, 16)),
        }[shape.kind]
        solid = make()
        local, faces = np.asarray(solid.vertices), solid.faces
        if shape.kind == "capsule":
            local = local - [0, 0, (local[:, 2].max() + local[:, 2].min()) / 2]
    return local @ shape.pose[:3, :3].T + shape.pose[:3, 3], np.asarray(faces, dtype=np.int64)
