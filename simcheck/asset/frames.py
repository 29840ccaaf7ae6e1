"""Objects placed elsewhere: the origin of the results (SPEC section 11), rigid motions, links at joint coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from metric import Joint, exp
from simcheck.asset.extent import link_box
from simcheck.asset.model import ArticulatedObject, FloatArray, Inertial, Link
from simcheck.errors import UsageError

ORIGINS = ("world", "base")


def placed(obj: ArticulatedObject, origin: str) -> ArticulatedObject:
    """The object with positions relative to an origin: ``world`` (as read) or ``base``; axes are not turned."""
    if origin not in ORIGINS:
        raise UsageError(f"--origin: expected {' or '.join(ORIGINS)}, got {origin!r}")
    return obj if origin == "world" else shifted(obj, base_centre(obj))


def base_centre(obj: ArticulatedObject) -> FloatArray:
    """Centre (3,) of the base body's bounding box, its com without geometry, else the root's origin; world, m."""
    links = obj.welded(obj.root)
    boxes = [box for box in (link_box(obj, name) for name in links) if box is not None]
    if boxes:
        corners = np.concatenate(boxes)
        return (corners.min(axis=0) + corners.max(axis=0)) / 2
    inertials = [i for i in (obj.links[name].inertial for name in links) if i is not None]
    if inertials:
        mass = sum(i.mass for i in inertials)
        return np.sum([i.mass * i.com for i in inertials], axis=0) / mass
    return np.zeros(3)


def shifted(obj: ArticulatedObject, shift: FloatArray) -> ArticulatedObject:
    """The object with ``shift`` (3,) subtracted from every position; recorded in its ``shift``."""
    total = np.asarray(obj.shift) + shift
    return replace(transformed(obj, translation(-np.asarray(shift))), shift=tuple(total.tolist()))


def translation(vector: FloatArray) -> FloatArray:
    """Placement (4, 4) that moves by a vector."""
    placement = np.eye(4)
    placement[:3, 3] = vector
    return placement


def transformed(obj: ArticulatedObject, placement: FloatArray, scale: float = 1.0) -> ArticulatedObject:
    """The object scaled about the world's origin, then moved by a placement (4, 4).

    Lengths scale: positions, strokes, pitches, geometry; masses stay, inertias scale with the square.
    """
    return replace(
        obj,
        links={name: moved_link(link, placement, scale) for name, link in obj.links.items()},
        joints=tuple(replace(j, motion=moved_motion(j.motion, placement, scale)) for j in obj.joints),
        scale=scale * obj.scale,
    )


def moved_link(link: Link, placement: FloatArray, scale: float = 1.0) -> Link:
    """A link scaled about the world's origin, then moved."""
    rotation, pose, inertial = placement[:3, :3], np.eye(4), link.inertial
    pose[:3, :3], pose[:3, 3] = rotation @ link.pose[:3, :3], _moved_point(link.pose[:3, 3], placement, scale)
    if inertial is not None:
        tensor = scale**2 * (rotation @ inertial.inertia @ rotation.T)
        inertial = Inertial(inertial.mass, _moved_point(inertial.com, placement, scale), tensor)
    return replace(link, pose=pose, inertial=inertial)


def moved_motion(motion: Joint, placement: FloatArray, scale: float = 1.0) -> Joint:
    """A motion scaled about the world's origin, then moved."""
    stretch = scale if motion.kind == "prismatic" else 1.0
    return replace(
        motion,
        axis=as_tuple(placement[:3, :3] @ np.array(motion.axis)),
        origin=as_tuple(_moved_point(np.array(motion.origin), placement, scale)),
        lower=stretch * motion.lower,
        upper=stretch * motion.upper,
        pitch=scale * motion.pitch,
    )


def _moved_point(point: FloatArray, placement: FloatArray, scale: float) -> FloatArray:
    return scale * (placement[:3, :3] @ point) + placement[:3, 3]


def as_tuple(vector: FloatArray) -> tuple[float, float, float]:
    """A vector (3,) as a joint keeps it."""
    x, y, z = vector.tolist()
    return x, y, z


def placements(obj: ArticulatedObject, coordinates: Mapping[str, float]) -> dict[str, FloatArray]:
    """Placement (4, 4) of every link relative to rest: the product of the exponentials of the joints above it.

    Parameters
    ----------
    obj
    coordinates
        Joint coordinates by name, rad or m; the others are at rest, ``<mimic>`` followers too.
    """
    found = {obj.root: np.eye(4)}
    stack = [obj.root]
    while stack:
        parent = stack.pop()
        for joint in obj.joints_below.get(parent, ()):
            coordinate = coordinates.get(joint.name, 0.0)
            moved = np.asarray(exp(coordinate * joint.screw)) if coordinate else np.eye(4)
            found[joint.child] = found[parent] @ moved
            stack.append(joint.child)
    return found
