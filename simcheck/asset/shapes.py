"""Geometry of links: primitives in closed form, meshes through trimesh (SPEC section 3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from lxml import etree

from metric import Body
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.asset.poses import pose_of


@dataclass(frozen=True, eq=False)
class Shape:
    """One visual or collision element, placed in the world frame at rest."""

    kind: str  # box, sphere, cylinder, capsule, mesh
    dimensions: tuple[float, ...]  # box: edges; sphere: radius; cylinder, capsule: radius, length; mesh: scale
    pose: FloatArray  # (4, 4), world
    filename: str = ""


def shapes_of(obj: ArticulatedObject, link: str, role: str) -> tuple[Shape, ...]:
    """The shapes of a link, ``role`` visual or collision, in the world frame at rest; cached."""
    key = (link, role)
    if key not in obj.shape_cache:
        source, pose = obj.links[link].source, obj.links[link].pose
        obj.shape_cache[key] = (
            () if source is None else tuple(_shape(e, pose, obj.scale) for e in source.iterfind(role))
        )
    return obj.shape_cache[key]


def body_role(obj: ArticulatedObject, link: str) -> str | None:
    """Which shapes stand for the link's material: its visual ones, else its collision ones."""
    source = obj.links[link].source
    if source is None:
        return None
    return next((role for role in ("visual", "collision") if source.find(role) is not None), None)


def _shape(element: etree._Element, link_pose: FloatArray, scale: float) -> Shape:
    solid = element.find("geometry")[0]
    local = pose_of(element)
    local[:3, 3] *= scale
    pose = link_pose @ local
    if solid.tag == "mesh":
        factors = tuple(scale * float(x) for x in solid.get("scale", "1 1 1").split())
        return Shape("mesh", factors, pose, solid.get("filename"))
    names = {"box": ("size",), "sphere": ("radius",)}.get(solid.tag, ("radius", "length"))
    return Shape(solid.tag, tuple(scale * x for x in _numbers(solid, names)), pose)


def _numbers(solid: etree._Element, names: tuple[str, ...]) -> Iterator[float]:
    for name in names:
        yield from map(float, solid.get(name).split())


def primitive_moments(shape: Shape) -> tuple[float, FloatArray]:
    """Volume and second moments per unit volume (3,) about the shape's centre, in its own axes, m^3 and m^2."""
    if shape.kind == "box":
        edges = np.array(shape.dimensions)
        return float(edges.prod()), edges**2 / 12
    radius = shape.dimensions[0]
    ball = 4 / 3 * math.pi * radius**3
    if shape.kind == "sphere":
        return ball, np.full(3, radius**2 / 5)
    length = shape.dimensions[1]
    tube = math.pi * radius**2 * length
    if shape.kind == "cylinder":
        return tube, np.array([radius**2 / 4, radius**2 / 4, length**2 / 12])
    # Capsule: a tube and two half balls, whose own com lies 3r/8 outside the tube's end.
    volume = tube + ball
    if volume == 0:
        return 0.0, np.zeros(3)
    across = tube * radius**2 / 4 + ball * radius**2 / 5
    offset = length / 2 + 3 / 8 * radius
    along = tube * length**2 / 12 + ball * (radius**2 / 5 - (3 / 8 * radius) ** 2 + offset**2)
    return volume, np.array([across, across, along]) / volume


def body_from_moments(mass: float | FloatArray, second: FloatArray, pose: FloatArray) -> Body:
    """Bodies of masses (...) at poses (..., 4, 4), with second moments (..., 3) per unit mass in the pose's axes."""
    rotation = pose[..., :3, :3]
    sigma = rotation * second[..., None, :] @ rotation.swapaxes(-1, -2)
    trace = np.trace(sigma, axis1=-2, axis2=-1)[..., None, None]
    return Body(mass, pose[..., :3, 3], np.asarray(mass)[..., None, None] * (trace * np.eye(3) - sigma))
