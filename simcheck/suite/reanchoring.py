"""An object whose stored state becomes its rest pose (SPEC section 2, re-anchoring)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from metric import exp
from simcheck.asset.model import ArticulatedObject, FloatArray, Inertial, Link, ObjectJoint


def reanchored(obj: ArticulatedObject, state: Mapping[str, float]) -> ArticulatedObject:
    """The object at rest where its joints stood at the coordinates of a state.

    Limits become ``[lower - q, upper - q]``, and everything downstream of a joint, screws included, is carried along by
    ``exp(q xi)``. Joints that the state does not name stay at 0.

    Raises
    ------
    AssetError    the state names a joint that the object does not have
    """
    for name in state:
        obj.joint(name)
    carried: dict[str, FloatArray] = {obj.root: np.eye(4)}
    joints: dict[str, ObjectJoint] = {}
    stack = [obj.root]
    while stack:
        parent = stack.pop()
        for joint in obj.joints_below.get(parent, ()):
            above, q = carried[parent], state.get(joint.name, 0.0)
            carried[joint.child] = above @ np.asarray(exp(q * joint.screw)) if q else above
            joints[joint.name] = _moved_joint(joint, above, q)
            stack.append(joint.child)
    links = {name: _moved_link(link, carried[name]) for name, link in obj.links.items()}
    return replace(obj, links=links, joints=tuple(joints[j.name] for j in obj.joints))


def _moved_joint(joint: ObjectJoint, above: FloatArray, q: float) -> ObjectJoint:
    motion = joint.motion
    axis, origin = above[:3, :3] @ motion.axis, above[:3, :3] @ motion.origin + above[:3, 3]
    moved = replace(
        motion,
        axis=tuple(axis.tolist()),
        origin=tuple(origin.tolist()),
        lower=motion.lower - q,
        upper=motion.upper - q,
    )
    return replace(joint, motion=moved)


def _moved_link(link: Link, placement: FloatArray) -> Link:
    inertial = link.inertial
    if inertial is not None:
        rotation = placement[:3, :3]
        com = rotation @ inertial.com + placement[:3, 3]
        inertial = Inertial(inertial.mass, com, rotation @ inertial.inertia @ rotation.T)
    return replace(link, pose=placement @ link.pose, inertial=inertial)
