"""Which point of the world is the origin of the results (SPEC section 11)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metric import Joint
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
    rotation = placement[:3, :3]

    def point(p: FloatArray) -> FloatArray:
        return scale * (rotation @ p) + placement[:3, 3]

    def link(old: Link) -> Link:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = rotation @ old.pose[:3, :3], point(old.pose[:3, 3])
        inertial = old.inertial
        if inertial is not None:
            tensor = scale**2 * (rotation @ inertial.inertia @ rotation.T)
            inertial = Inertial(inertial.mass, point(inertial.com), tensor)
        return replace(old, pose=pose, inertial=inertial)

    def motion(old: Joint) -> Joint:
        stretch = scale if old.kind == "prismatic" else 1.0
        return replace(
            old,
            axis=_tuple(rotation @ np.array(old.axis)),
            origin=_tuple(point(np.array(old.origin))),
            lower=stretch * old.lower,
            upper=stretch * old.upper,
            pitch=scale * old.pitch,
        )

    return replace(
        obj,
        links={name: link(old) for name, old in obj.links.items()},
        joints=tuple(replace(j, motion=motion(j.motion)) for j in obj.joints),
        scale=scale * obj.scale,
    )


def _tuple(vector: FloatArray) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z
