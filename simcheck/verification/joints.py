"""What each joint says: limits, units, screws, followers. Facts of the file; no simulator."""

from __future__ import annotations

import math
from collections.abc import Iterator

from lxml import etree

from simcheck.asset.model import ArticulatedObject
from simcheck.asset.shapes import body_role
from simcheck.asset.suspicion import LONGEST_STROKE, unit_suspicions
from simcheck.verification.claims import Claims, JointClaim
from simcheck.verification.finding import Finding, finding, from_warning

_AGREE = 1e-6  # of the range: limits of coupled joints that differ by less are the same
_LONG = 1.5  # strokes longer than so many object sizes


def joint_findings(raw: etree._Element, claims: Claims) -> Iterator[Finding]:
    """Findings about each joint's own words; ``raw`` is the parsed tree as written."""
    with_axis = {e.get("name") for e in raw.iterchildren("joint") if e.find("axis") is not None}
    for claim in claims.joints.values():
        if claim.moves and not claim.doubtful:
            yield from _limits(claim)
        if claim.moves and claim.name not in with_axis:
            message = "no <axis>: 1 0 0 of the joint's frame applies"
            yield finding("AXIS_DEFAULTED", claim.element, message, attribute="axis")


def unit_findings(claims: Claims, obj: ArticulatedObject) -> Iterator[Finding]:
    """Findings about joints beside the size of the object and beside each other."""
    doubtful = {claim.element for claim in claims.joints.values() if "limit" in claim.doubtful}
    yield from (from_warning(w) for w in unit_suspicions(obj) if w.element not in doubtful)
    shaped = any(body_role(obj, link) for link in obj.links)  # else the size is that of a skeleton
    for joint in obj.movable_joints if shaped else ():
        value = f"{joint.lower:g} {joint.upper:g}"
        stroke = joint.upper - joint.lower
        if joint.kind == "prismatic" and _LONG * obj.size < stroke <= LONGEST_STROKE * obj.size:
            message = f"stroke {stroke:.4g} m for an object of {obj.size:.4g} m"
            yield finding("STROKE_LONG", joint.element, message, attribute="limit", value=value)
        if joint.pitch is not None and 2 * math.pi * abs(joint.pitch) > obj.size:
            message = f"one turn advances {2 * math.pi * abs(joint.pitch):.4g} m, the object has {obj.size:.4g} m"
            yield finding("PITCH_LARGE", joint.element, message, attribute="mimic multiplier", value=f"{joint.pitch:g}")
    yield from _followers(claims, obj)


def _limits(claim: JointClaim) -> Iterator[Finding]:
    lower, upper = claim.limits
    value = f"{lower:g} {upper:g}"
    if lower == upper != 0:
        yield finding("LIMIT_EQUAL", claim.element, f"both limits are {lower:g}", attribute="limit", value=value)
    if lower > 0 or upper < 0:
        message = f"0 lies outside {lower:g} … {upper:g}: the drawn pose cannot be reached"
        yield finding("LIMIT_EXCLUDES_REST", claim.element, message, attribute="limit", value=value)


def _followers(claims: Claims, obj: ArticulatedObject) -> Iterator[Finding]:
    screws = {member for joint in obj.joints for member in joint.members if joint.kind == "helical"}
    for claim in claims.joints.values():
        if claim.mimic is None or "mimic" in claim.doubtful:
            continue
        leader = claims.joints.get(claim.mimic.leader)
        if leader is claim:
            yield finding("MIMIC_SELF", claim.element, "it mimics itself", attribute="mimic joint", value=claim.name)
            continue
        if leader is None:
            continue  # the reader says so
        if claim.name in (loop := _leaders(claim, claims)):
            message = f"joints mimic each other in a circle: {' -> '.join([claim.name, *loop])}"
            yield finding("MIMIC_LOOP", claim.element, message, attribute="mimic joint", value=leader.name)
            continue
        if claim.mimic.offset != 0:
            offset = f"{claim.mimic.offset:g}"
            message = f"with joint {leader.name!r} at 0 it is at {offset}: not the pose drawn in the file"
            yield finding("MIMIC_OFFSET", claim.element, message, attribute="mimic offset", value=offset)
        if not (claim.doubtful | leader.doubtful):
            yield from _ranges(claim, leader, screw=claim.name in screws)


def _leaders(claim: JointClaim, claims: Claims) -> list[str]:
    """The joints that a follower follows, one after the other; ends with a joint that came before."""
    chain: list[str] = []
    current: JointClaim | None = claim
    while current is not None and current.mimic is not None and current.mimic.leader not in chain:
        chain.append(current.mimic.leader)
        current = claims.joints.get(current.mimic.leader)
    return chain


def _ranges(claim: JointClaim, leader: JointClaim, *, screw: bool) -> Iterator[Finding]:
    """Whether the follower's limits fit the leader's: the same positions for a screw, no less for any other."""
    assert claim.mimic is not None
    factor, offset = claim.mimic.multiplier, claim.mimic.offset
    if factor == 0:
        return
    low, high = sorted(factor * end + offset for end in leader.limits)
    lower, upper = claim.limits
    span = max((x for x in (high - low, upper - lower) if math.isfinite(x)), default=0.0)
    slack = _AGREE * span
    leaves = lower > low + slack or upper < high - slack
    wider = lower < low - slack or upper > high + slack
    value = f"{lower:g} {upper:g}"
    if not screw and leaves:
        message = f"joint {leader.name!r} would take it to {low:g} … {high:g}, its limits are {lower:g} … {upper:g}"
        yield finding("MIMIC_LIMITS", claim.element, message, attribute="limit", value=value)
    # One half of a screw may be left without limits; a slide that cuts the range is said by the reader.
    bounded = all(map(math.isfinite, (low, high, lower, upper)))
    if screw and bounded and wider and not leaves:
        message = f"the turning half {leader.name!r} moves it {low:g} … {high:g}, its limits are {lower:g} … {upper:g}"
        yield finding("SCREW_LIMITS", claim.element, message, attribute="limit", value=value)
