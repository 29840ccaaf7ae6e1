"""Which point of the world is the origin of the results (SPEC section 11)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

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
    """The object with ``shift`` (3,) subtracted from every position."""
    total = np.asarray(obj.shift) + shift
    links = {name: _shifted_link(link, shift) for name, link in obj.links.items()}
    joints = tuple(
        replace(j, motion=replace(j.motion, origin=tuple((np.array(j.origin) - shift).tolist()))) for j in obj.joints
    )
    return replace(obj, links=links, joints=joints, shift=tuple(total.tolist()))


def _shifted_link(link: Link, shift: FloatArray) -> Link:
    pose = link.pose.copy()
    pose[:3, 3] -= shift
    inertial = link.inertial
    if inertial is not None:
        inertial = Inertial(inertial.mass, inertial.com - shift, inertial.inertia)
    return replace(link, pose=pose, inertial=inertial)
