"""An independent check that convex solids do not overlap: the separating-axis theorem on polyhedra, by brute force.

It shares nothing with the generator: solids come from the written file, round ones become inscribed polyhedra, and all
face normals and all products of edges are tried.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import trimesh
from scipy.spatial import ConvexHull

from metric import exp
from simcheck.asset.mesh_files import find_mesh, load_mesh
from simcheck.asset.shapes import shapes_of

_SIDES = 24


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """A convex solid: vertices (v, 3), unit face normals (f, 3), edge directions (e, 3)."""

    vertices: np.ndarray
    normals: np.ndarray
    edges: np.ndarray

    def placed(self, placement):
        rotation, shift = placement[:3, :3], placement[:3, 3]
        return Polyhedron(self.vertices @ rotation.T + shift, self.normals @ rotation.T, self.edges @ rotation.T)


def box(edges):
    half = np.array(edges) / 2
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
    return Polyhedron(signs * half, np.eye(3), np.eye(3))


def cylinder(radius, length):
    angles = 2 * math.pi * np.arange(_SIDES) / _SIDES
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(_SIDES)], axis=1)
    middle = angles + math.pi / _SIDES
    sides = np.stack([np.cos(middle), np.sin(middle), np.zeros(_SIDES)], axis=1)
    along = np.array([[0.0, 0.0, 1.0]])
    vertices = np.concatenate([radius * ring - along * length / 2, radius * ring + along * length / 2])
    return Polyhedron(vertices, np.concatenate([sides, along]), np.concatenate([np.cross(along, sides), along]))


def sphere(radius):
    return hull(trimesh.creation.icosphere(1, radius).vertices)


def hull(points):
    shape = ConvexHull(np.asarray(points))
    corners = shape.points[shape.simplices]
    edges = np.concatenate(
        [corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1], corners[:, 0] - corners[:, 2]]
    )
    edges /= np.linalg.norm(edges, axis=1, keepdims=True)
    return Polyhedron(
        shape.points[shape.vertices], _distinct(shape.equations[:, :3]), _distinct(edges * np.sign(edges[:, :1] + 1e-9))
    )


def _distinct(directions):
    return np.unique(np.round(directions, 6), axis=0)


def overlap(a, b):
    """Whether two polyhedra share more than their surfaces."""
    products = np.cross(a.edges[:, None], b.edges[None]).reshape(-1, 3)
    length = np.linalg.norm(products, axis=1)
    axes = np.concatenate([a.normals, b.normals, products[length > 1e-6] / length[length > 1e-6, None]])
    along_a, along_b = axes @ a.vertices.T, axes @ b.vertices.T
    gap = np.maximum(along_a.min(axis=1) - along_b.max(axis=1), along_b.min(axis=1) - along_a.max(axis=1))
    return bool(gap.max() < 0)


def solids_of(obj):
    """The collision solids of every link of an object that was read from a file, world frame at rest."""
    return {link: [_solid(obj, shape) for shape in shapes_of(obj, link, "collision")] for link in obj.links}


def _solid(obj, shape):
    if shape.kind == "mesh":
        mesh = load_mesh(find_mesh(shape.filename, obj.folder, {}))
        return hull(np.asarray(mesh.vertices) * shape.dimensions).placed(shape.pose)
    made = {"box": lambda: box(shape.dimensions), "sphere": lambda: sphere(*shape.dimensions)}
    made["cylinder"] = lambda: cylinder(*shape.dimensions)
    return made[shape.kind]().placed(shape.pose)


def overlaps_on_the_way(obj, positions=9):
    """Pairs of links that overlap while one joint after the other moves through its range, the others at rest."""
    solids = solids_of(obj)
    found = []
    for joint in obj.movable_joints:
        low, high = (joint.lower, joint.upper) if joint.motion.bounded else (-math.pi, math.pi)
        moved = obj.downstream(joint.child)
        resting = [(link, s) for link in obj.links if link not in moved for s in solids[link]]
        boxes = np.array([[s.vertices.min(axis=0), s.vertices.max(axis=0)] for _, s in resting])
        for q in [0.0, *np.linspace(low, high, positions)]:
            placement = np.asarray(exp(q * joint.screw))
            for link in moved:
                for solid in solids[link]:
                    there = solid.placed(placement)
                    low_corner, high_corner = there.vertices.min(axis=0), there.vertices.max(axis=0)
                    near = (boxes[:, 0] <= high_corner).all(axis=1) & (boxes[:, 1] >= low_corner).all(axis=1)
                    found += [
                        (joint.name, float(q), link, resting[k][0])
                        for k in np.flatnonzero(near)
                        if overlap(there, resting[k][1])
                    ]
    return found
