"""An object whose stored state becomes its rest pose (SPEC section 2, re-anchoring)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from simcheck.asset.frames import moved_link, moved_motion, placements
from simcheck.asset.model import ArticulatedObject


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
    where = placements(obj, state)
    return replace(
        obj,
        links={name: moved_link(link, where[name]) for name, link in obj.links.items()},
        joints=tuple(
            replace(j, motion=moved_motion(j.motion.reanchored(state.get(j.name, 0.0)), where[j.parent]))
            for j in obj.joints
        ),
    )
