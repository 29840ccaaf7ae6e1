"""Helical joints written as a turning joint and a sliding one that mimics it (SPEC section 3, spelling a)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from metric import Joint
from simcheck.asset.model import Link, ObjectJoint
from simcheck.asset.normalise import CleanUrdf

_TURNING = ("revolute", "continuous")


def merge_helical(
    joints: tuple[ObjectJoint, ...], links: Mapping[str, Link], clean: CleanUrdf
) -> tuple[tuple[ObjectJoint, ...], dict[str, Link]]:
    """Each pair that spells a screw as one helical joint; a warning where a pair almost does.

    The merged joint has name, axis, origin and limits of the turning joint; the helper link between them goes.
    """
    by_name = {joint.name: joint for joint in joints}
    merged: dict[str, ObjectJoint] = {}
    gone: set[str] = set()
    helpers: set[str] = set()
    for slide in joints:
        turn = by_name.get(slide.mimic.leader) if slide.mimic else None
        if slide.kind != "prismatic" or turn is None or turn.kind not in _TURNING:
            continue
        upper, lower = (turn, slide) if turn.child == slide.parent else (slide, turn)
        if upper.child != lower.parent:
            continue  # a mimic between distant joints, not a screw
        problem = _why_not(slide, turn, upper.child, joints, links)
        if problem:
            message = f"looks like a screw with joint {turn.name!r}, but {problem}: two joints"
            clean.warn(slide.element, message, "SCREW_ALMOST", "mimic")
            continue
        merged[turn.name] = _screw(turn, slide, upper, lower, clean)
        gone.add(slide.name)
        helpers.add(upper.child)
    kept = tuple(merged.get(j.name, j) for j in joints if j.name not in gone)
    return kept, {name: link for name, link in links.items() if name not in helpers}


def _why_not(
    slide: ObjectJoint,
    turn: ObjectJoint,
    helper: str,
    joints: tuple[ObjectJoint, ...],
    links: Mapping[str, Link],
) -> str:
    """The first condition of the spelling that does not hold, empty when all do."""
    assert slide.mimic is not None
    link = links[helper]
    if turn.mimic is not None:
        return f"joint {turn.name!r} mimics too"
    if slide.mimic.offset != 0:
        return f"the mimic offset is {slide.mimic.offset:g}, not 0"
    if float(np.linalg.norm(np.cross(slide.axis, turn.axis))) > 1e-9:
        return "the axes are not parallel"
    if sum(j.parent == helper for j in joints) > 1:
        return f"link {helper!r} between them carries another joint"
    if link.source is not None and (
        link.source.find("visual") is not None or link.source.find("collision") is not None
    ):
        return f"link {helper!r} between them has geometry"
    if link.inertial is not None:
        return f"link {helper!r} between them has mass"
    return ""


def _screw(
    turn: ObjectJoint, slide: ObjectJoint, upper: ObjectJoint, lower: ObjectJoint, clean: CleanUrdf
) -> ObjectJoint:
    assert slide.mimic is not None
    sign = math.copysign(1.0, float(np.dot(turn.axis, slide.axis)))
    limits = (turn.lower, turn.upper)
    if slide.mimic.multiplier != 0:
        ends = sorted(end / slide.mimic.multiplier for end in (slide.lower, slide.upper))
        tolerance = 1e-9 * max([1.0, *(abs(e) for e in ends if math.isfinite(e))])
        cut = (max(limits[0], ends[0]), min(limits[1], ends[1]))
        if cut[0] > cut[1]:
            cause = f"no position agrees with the limits of the turning joint {turn.name!r}"
            clean.refuse(slide.element, "limit", cause, code="SCREW_NO_RANGE", value=f"{slide.lower:g} {slide.upper:g}")
        elif cut[0] > limits[0] + tolerance or cut[1] < limits[1] - tolerance:
            message = (
                f"the limits of its sliding part {slide.name!r} shorten the range of the screw to "
                f"{cut[0]:g} … {cut[1]:g} rad"
            )
            clean.warn(turn.element, message, "SCREW_CUT", "limit", f"{slide.lower:g} {slide.upper:g}")
            limits = cut
    motion = Joint("helical", turn.axis, turn.origin, *limits, pitch=slide.mimic.multiplier * sign)
    members = (upper.name, lower.name)
    return ObjectJoint(turn.name, upper.parent, lower.child, motion, members, None)
