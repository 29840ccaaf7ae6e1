"""How large an object is: the box of everything it shows at rest."""

from __future__ import annotations

import numpy as np

from simcheck.asset.mesh_files import MeshProblem, find_mesh, load_mesh
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.asset.shapes import Shape, body_role, shapes_of


def box_at_rest(obj: ArticulatedObject) -> FloatArray:
    """Corners (2, 3), least and greatest, of geometry, joint origins and centres of mass; world frame, m."""
    points = [np.array([joint.origin]) for joint in obj.movable_joints]
    points += [link.inertial.com[None, :] for link in obj.links.values() if link.inertial is not None]
    points += [box for box in (link_box(obj, name) for name in obj.links) if box is not None]
    return _hull_box(points) if points else np.zeros((2, 3))


def link_box(obj: ArticulatedObject, link: str) -> FloatArray | None:
    """Corners (2, 3) of one link's geometry at rest, None without any that can be read."""
    role = body_role(obj, link)
    return None if role is None else role_box(obj, link, role)


def role_box(obj: ArticulatedObject, link: str, role: str) -> FloatArray | None:
    """The same of the shapes of one role, visual or collision."""
    boxes = [box for box in (shape_box(obj, shape) for shape in shapes_of(obj, link, role)) if box is not None]
    return _hull_box(boxes) if boxes else None


def _hull_box(points: list[FloatArray]) -> FloatArray:
    everything = np.concatenate(points)
    return np.array([everything.min(axis=0), everything.max(axis=0)])


def shape_box(obj: ArticulatedObject, shape: Shape) -> FloatArray | None:
    """Corners (2, 3) of the axis-aligned box of a shape, world frame; None for an unreadable mesh."""
    rotation, centre = shape.pose[:3, :3], shape.pose[:3, 3]
    if shape.kind == "mesh":
        try:
            mesh = load_mesh(find_mesh(shape.filename, obj.folder, obj.options.packages))
        except MeshProblem:
            return None
        points = (np.asarray(mesh.vertices) * np.array(shape.dimensions)) @ rotation.T + centre
        return np.array([points.min(axis=0), points.max(axis=0)])
    if shape.kind == "box":
        half = np.abs(rotation) @ (np.array(shape.dimensions) / 2)
    else:
        radius, length = shape.dimensions[0], (*shape.dimensions, 0.0)[1]
        along = np.abs(rotation[:, 2])
        across = np.sqrt(np.clip(1 - along**2, 0, 1)) if shape.kind == "cylinder" else np.ones(3)
        half = length / 2 * along + radius * across
    return np.array([centre - half, centre + half])
