"""Planted faults of axes, limits, kinds, origins, parents and couplings."""

from __future__ import annotations

import numpy as np
from lxml import etree
from planter_model import Urdf, numbers, origin_of, rotation, set_origin, turn_about, written
from planter_plant import Plant, by_geometry, by_text, expect, joint, kind, pick, unit_predicate


def bounded(urdf: Urdf, *kinds: str) -> list[str]:
    """Movable joints with finite, different limits, of some kinds."""
    found = []
    for name in urdf.movable():
        lower, upper = urdf.limits(urdf.joints[name])
        if urdf.joints[name].get("type") in kinds and np.isfinite([lower, upper]).all() and lower != upper:
            found.append(name)
    return found


def set_limits(element: etree._Element, lower: float, upper: float) -> None:
    element.find("limit").set("lower", repr(float(lower)))
    element.find("limit").set("upper", repr(float(upper)))


def set_axis(element: etree._Element, axis) -> None:
    found = element.find("axis")
    if found is None:
        found = etree.SubElement(element, "axis")
    found.set("xyz", written(axis))


@kind("1 axis zero")
def axis_zero(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, urdf.movable())
    if name is None:
        return None
    planted = urdf.copy()
    set_axis(planted.joints[name], np.zeros(3))
    return by_text(planted, "F+S", expect("AXIS_ZERO", joint(name)))


def _scaled_axis(urdf: Urdf, random: np.random.Generator, names: list[str], visible: str) -> Plant | None:
    name = pick(random, names)
    if name is None:
        return None
    planted = urdf.copy()
    set_axis(planted.joints[name], random.uniform(1.5, 3.0) * urdf.axis(urdf.joints[name]))
    return by_text(planted, visible, expect("AXIS_NOT_UNIT", joint(name)))


@kind("2 axis not unit, sliding")
def axis_not_unit_slide(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    names = [n for n in urdf.movable() if urdf.joints[n].get("type") == "prismatic"]
    return _scaled_axis(urdf, random, names, "F+S")


@kind("3 axis not unit, turning")
def axis_not_unit_turn(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    names = [n for n in urdf.movable() if urdf.joints[n].get("type") != "prismatic"]
    return _scaled_axis(urdf, random, names, "F")


def _turned_axis(urdf: Urdf, random: np.random.Generator, change) -> Plant | None:
    name = pick(random, urdf.movable())
    if name is None:
        return None
    planted = urdf.copy()
    set_axis(planted.joints[name], change(urdf, name))
    return by_geometry(urdf, planted, name)


@kind("4 axis reversed")
def axis_reversed(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _turned_axis(urdf, random, lambda u, n: -u.axis(u.joints[n]))


@kind("5 axis perpendicular")
def axis_perpendicular(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _turned_axis(urdf, random, lambda u, n: np.roll(u.axis(u.joints[n]), 1))


@kind("6 axis tilted by 5 degrees")
def axis_tilted(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    def tilted(u: Urdf, name: str):
        axis = u.axis(u.joints[name])
        across = np.cross(axis, random.normal(size=3))
        return turn_about(across / np.linalg.norm(across), np.radians(5)) @ axis

    return _turned_axis(urdf, random, tilted)


@kind("7 axis in the wrong frame")
def axis_wrong_frame(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _turned_axis(urdf, random, lambda u, n: u.motion(n).axis)


@kind("8 limits swapped")
def limits_swapped(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, bounded(urdf, "revolute", "prismatic"))
    if name is None:
        return None
    planted = urdf.copy()
    lower, upper = urdf.limits(urdf.joints[name])
    set_limits(planted.joints[name], upper, lower)
    return by_text(planted, "F+S", expect("LIMIT_ORDER", joint(name)))


def _changed_limits(
    urdf: Urdf, random: np.random.Generator, kinds: tuple[str, ...], change, *, units: bool
) -> Plant | None:
    name = pick(random, bounded(urdf, *kinds))
    if name is None:
        return None
    planted = urdf.copy()
    set_limits(planted.joints[name], *change(*urdf.limits(urdf.joints[name])))
    code, applies = unit_predicate(planted, name) if units else ("", False)
    return by_geometry(urdf, planted, name, code, applies=applies)


@kind("9 limits negated")
def limits_negated(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _changed_limits(urdf, random, ("revolute", "prismatic"), lambda a, b: (-b, -a), units=False)


@kind("10 limits in degrees")
def limits_in_degrees(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    def degrees(lower: float, upper: float) -> tuple[float, float]:
        # As people write degrees: whole where they are whole.
        return tuple(round(x, 9) for x in np.degrees([lower, upper]))  # type: ignore[return-value]

    return _changed_limits(urdf, random, ("revolute",), degrees, units=True)


@kind("11 limits in millimetres")
def limits_in_millimetres(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _changed_limits(urdf, random, ("prismatic",), lambda a, b: (1000 * a, 1000 * b), units=True)


@kind("12 limits in kilometres")
def limits_in_kilometres(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _changed_limits(urdf, random, ("prismatic",), lambda a, b: (a / 1000, b / 1000), units=True)


@kind("13 limit missing")
def limit_missing(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, bounded(urdf, "revolute", "prismatic"))
    if name is None:
        return None
    planted = urdf.copy()
    planted.joints[name].remove(planted.joints[name].find("limit"))
    return by_text(planted, "F+S", expect("LIMIT_MISSING", joint(name)))


@kind("14 lower and upper missing")
def bounds_missing(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, bounded(urdf, "revolute", "prismatic"))
    if name is None:
        return None
    planted = urdf.copy()
    for end in ("lower", "upper"):
        del planted.joints[name].find("limit").attrib[end]
    return by_text(planted, "F+S", expect("LIMIT_DEFAULTED", joint(name)))


@kind("15 limits 0 and 0")
def limits_zero(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, bounded(urdf, "revolute", "prismatic"))
    if name is None:
        return None
    planted = urdf.copy()
    set_limits(planted.joints[name], 0.0, 0.0)
    return by_text(planted, "F", expect("JOINT_NEVER_MOVES", joint(name)))


@kind("16 limits huge")
def limits_huge(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _changed_limits(urdf, random, ("revolute", "prismatic"), lambda a, b: (-1e6, 1e6), units=True)


@kind("18 limits too wide or too narrow")
def limits_scaled(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    factor = float(random.choice([0.5, 1.5]))
    return _changed_limits(urdf, random, ("revolute", "prismatic"), lambda a, b: (a, a + factor * (b - a)), units=False)


@kind("19 kind: revolute to continuous")
def to_continuous(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, bounded(urdf, "revolute"))
    if name is None:
        return None
    planted = urdf.copy()
    planted.joints[name].set("type", "continuous")
    planted.joints[name].remove(planted.joints[name].find("limit"))
    return by_geometry(urdf, planted, name)


@kind("20 kind: revolute to prismatic")
def to_prismatic(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, bounded(urdf, "revolute"))
    if name is None:
        return None
    planted = urdf.copy()
    planted.joints[name].set("type", "prismatic")
    code, applies = unit_predicate(planted, name)
    return by_geometry(urdf, planted, name, code, applies=applies)


@kind("21 kind: to fixed")
def to_fixed(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    followed = {m.get("joint") for m in urdf.root.iter("mimic")}
    name = pick(random, [n for n in urdf.movable() if n not in followed])
    if name is None:
        return None
    planted = urdf.copy()
    planted.joints[name].set("type", "fixed")
    return by_text(planted, "N", expect(""))


@kind("23 origin moved, the part with it")
def origin_moved(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, urdf.movable())
    if name is None:
        return None
    planted = urdf.copy()
    pose = origin_of(planted.joints[name])
    step = random.normal(size=3)
    pose[:3, 3] += 0.05 * step / np.linalg.norm(step)
    set_origin(planted.joints[name], pose)
    return by_geometry(urdf, planted, name)


@kind("24 hinge line moved, rest pose kept")
def pivot_moved(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, [n for n in urdf.movable() if urdf.joints[n].get("type") != "prismatic"])
    if name is None:
        return None
    planted = urdf.copy()
    step = random.normal(size=3)
    step *= 0.05 / np.linalg.norm(step)
    pose = origin_of(planted.joints[name])
    pose[:3, 3] += pose[:3, :3] @ step
    set_origin(planted.joints[name], pose)
    child = urdf.ends(urdf.joints[name])[1]
    parts = [e for e in planted.links[child] if e.tag in ("inertial", "visual", "collision")]
    parts += [j for j in planted.joints.values() if planted.ends(j)[0] == child]
    for part in parts:
        inner = origin_of(part)
        inner[:3, 3] -= step
        set_origin(part, inner)
    return by_geometry(urdf, planted, name)


@kind("25 rpy in the wrong order")
def rpy_order(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    names = []
    for name in urdf.movable():
        origin = urdf.joints[name].find("origin")
        rpy = numbers(origin.get("rpy", "0 0 0")) if origin is not None else np.zeros(3)
        if np.abs(rotation(rpy) - rotation(rpy[::-1])).max() > 1e-6:
            names.append(name)
    name = pick(random, names)
    if name is None:
        return None
    planted = urdf.copy()
    origin = planted.joints[name].find("origin")
    origin.set("rpy", written(numbers(origin.get("rpy"))[::-1]))
    return by_geometry(urdf, planted, name)


def _reparented(urdf: Urdf, random: np.random.Generator, *, keep_pose: bool) -> Plant | None:
    name = pick(random, urdf.movable())
    if name is None:
        return None
    parent, child = urdf.ends(urdf.joints[name])
    below = urdf.downstream(child)
    helpers = {urdf.ends(urdf.joints[n])[1] for n in (*urdf.screws(), *urdf.screws().values())}
    other = pick(random, [n for n in urdf.links if n not in below | helpers | {parent}])
    if other is None:
        return None
    planted = urdf.copy()
    planted.joints[name].find("parent").set("link", other)
    if keep_pose:
        poses = urdf.poses()
        set_origin(planted.joints[name], np.linalg.inv(poses[other]) @ poses[child])
    return by_geometry(urdf, planted, name, others=True)


@kind("26 parent wrong, rest pose kept")
def parent_wrong(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _reparented(urdf, random, keep_pose=True)


@kind("27 parent wrong, text only")
def parent_wrong_text(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _reparented(urdf, random, keep_pose=False)


@kind("52 mimic with an offset")
def mimic_offset(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    screws = urdf.screws()
    followers = [n for n, j in urdf.joints.items() if j.find("mimic") is not None and n not in screws]
    planted = urdf.copy()
    name = pick(random, followers)
    if name is None:
        names = urdf.movable()
        if len(names) < 2:
            return None
        name, leader = (names[int(k)] for k in random.permutation(len(names))[:2])
        etree.SubElement(planted.joints[name], "mimic", joint=leader, multiplier="1")
    planted.joints[name].find("mimic").set("offset", "0.02")
    return by_text(planted, "F+S", expect("MIMIC_OFFSET", joint(name)))


@kind("53 mimic of nothing, of itself, in a circle")
def mimic_broken(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    names = urdf.movable()
    name = pick(random, names)
    if name is None:
        return None
    planted = urdf.copy()
    fault = str(random.choice(["MIMIC_LEADER_UNKNOWN", "MIMIC_SELF", "MIMIC_LOOP"]))
    others = [n for n in names if n != name]
    if fault == "MIMIC_LOOP" and others:
        other = pick(random, others)
        assert other is not None
        for a, b in ((name, other), (other, name)):
            etree.SubElement(planted.joints[a], "mimic", joint=b)
        return by_text(planted, "F", expect(fault, joint(name), joint(other)))
    fault = "MIMIC_SELF" if fault == "MIMIC_LOOP" else fault
    etree.SubElement(planted.joints[name], "mimic", joint=name if fault == "MIMIC_SELF" else "no_such_joint")
    return by_text(planted, "F", expect(fault, joint(name)))


@kind("54 screw pitch in millimetres")
def pitch_in_millimetres(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    from planter_geometry import size_of

    slide = pick(random, list(urdf.screws()))
    if slide is None:
        return None
    turn = urdf.screws()[slide]
    planted = urdf.copy()
    mimic = planted.joints[slide].find("mimic")
    mimic.set("multiplier", repr(1000 * float(mimic.get("multiplier", "1"))))
    lower, upper = urdf.limits(urdf.joints[slide])
    set_limits(planted.joints[slide], 1000 * lower, 1000 * upper)
    motion = planted.motion(turn)
    assert motion is not None
    applies = 2 * np.pi * abs(motion.pitch) > size_of(planted)
    return by_geometry(urdf, planted, turn, "PITCH_LARGE", applies=applies)


@kind("55 halves of a screw disagree")
def screw_limits(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    # Only where turn and slide are both bounded and agree now: else there is nothing to disagree with.
    found = []
    for slide, turn in urdf.screws().items():
        ends, limits = urdf.limits(urdf.joints[turn]), urdf.limits(urdf.joints[slide])
        factor = float(urdf.joints[slide].find("mimic").get("multiplier", "1"))
        image = sorted(factor * e for e in ends)
        if np.isfinite([*ends, *limits]).all() and np.allclose(image, limits, rtol=1e-6, atol=1e-9):
            found.append(slide)
    slide = pick(random, found)
    if slide is None:
        return None
    planted = urdf.copy()
    lower, upper = urdf.limits(urdf.joints[slide])
    factor = float(random.choice([0.5, 1.5]))
    set_limits(planted.joints[slide], factor * lower, factor * upper)
    elements = (joint(slide), joint(urdf.screws()[slide]))
    return by_text(planted, "F", expect("SCREW_CUT SCREW_LIMITS SCREW_NO_RANGE", *elements))
