"""The text that a simulator is given in place of the user's file (SPEC section 4).

A canonical copy has unique plain names, every link frame parallel to the world, unit axes, numbers as Python's
``repr``, the object's centre at 0, no geometry, unit mass and identity inertia at the link origin. Its kinematics
are exact to rounding, which no other way of writing the file reaches (rpy costs 1e-11, tensors 1e-6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from lxml import etree

from simcheck.asset.model import ArticulatedObject, FloatArray, ObjectJoint
from simcheck.asset.numbers import limit_written
from simcheck.asset.xml import parse
from simcheck.errors import SimulationError

MAX_JOINTS = 120  # PyBullet silently reads joints with index >= 121 back as 0


@dataclass(frozen=True)
class SimulationModel:
    """A URDF text for a simulator, and what its names mean."""

    text: str
    centre: FloatArray  # (3,) world position that is 0 in the model
    coordinates: Mapping[str, tuple[tuple[str, float], ...]]  # object joint -> (model joint, factor), …
    links: Mapping[str, str]  # object link -> model link, without the root
    expected: Mapping[str, tuple[str, float, float, FloatArray]] = field(default_factory=dict)
    """Model joint -> kind, lower, upper, axis that the simulator must hold; empty where that is not checked."""
    rest: Mapping[str, FloatArray] = field(default_factory=dict)
    """Model link -> position (3,) at rest, rotation the identity; empty where that is not checked."""
    size: float = 1.0  # of the object, the unit of tolerances


def canonical(
    obj: ArticulatedObject,
    joint: str | None = None,
    *,
    centre: FloatArray | None = None,
    size: float | None = None,
) -> SimulationModel:
    """Canonical copy of an object, whole, or cut to what fits around one joint.

    Above 120 joints the copy keeps the driven joint's ancestors, then its subtree, then the rest in file order. Centre
    and size are the object's own unless given, as they are for a prediction beside its truth.
    """
    kept = [j for j in obj.joints if _slots(j)] if joint is None else _kept_for(obj, obj.joint(joint))
    if sum(map(_slots, kept)) > MAX_JOINTS:
        raise SimulationError(f"{obj.file}: more than {MAX_JOINTS} joints in one copy: drive one joint at a time")
    return _write(obj, kept, centre_of(obj) if centre is None else centre, obj.size if size is None else size)


def fits(obj: ArticulatedObject) -> bool:
    """Whether one copy holds all joints."""
    return sum(map(_slots, obj.joints)) <= MAX_JOINTS


def centre_of(obj: ArticulatedObject) -> FloatArray:
    """Centre (3,) of the object's box at rest, world frame."""
    return obj.box.mean(axis=0)


def _slots(joint: ObjectJoint) -> int:
    return 2 if joint.kind == "helical" else 1


def _kept_for(obj: ArticulatedObject, joint: ObjectJoint) -> list[ObjectJoint]:
    if fits(obj):
        return list(obj.joints)
    chain = [joint]
    while chain[-1].parent != obj.root:
        chain.append(obj.joint_above[chain[-1].parent])
    # A chain deeper than a copy holds is cut above: the ancestors stand still, so they may as well be the base.
    kept = dict.fromkeys(j.name for j in chain[: MAX_JOINTS // 2])
    room = MAX_JOINTS - sum(_slots(obj.joint(name)) for name in kept)
    below = [obj.joint_above[link] for link in obj.downstream(joint.child)[1:]]
    complete = len(chain) <= MAX_JOINTS // 2
    for candidate in [*below, *(obj.joints if complete else ())]:
        known = candidate.parent == obj.root or obj.joint_above[candidate.parent].name in kept
        if candidate.name not in kept and known and _slots(candidate) <= room:
            kept[candidate.name] = None
            room -= _slots(candidate)
    return [j for j in obj.joints if j.name in kept]


def needed_for(obj: ArticulatedObject, joint: str, centre: FloatArray, size: float) -> SimulationModel:
    """Copy with what the motion of one joint needs: the joint and its ancestors.

    Centre and size are given, so that a prediction stands in the frame of its truth.
    """
    return _write(obj, reversed(_chain(obj, obj.joint(joint))), centre, size)


def _chain(obj: ArticulatedObject, joint: ObjectJoint) -> list[ObjectJoint]:
    """A joint and its ancestors, upwards, as many as a copy holds."""
    chain, slots = [joint], _slots(joint)
    while chain[-1].parent != obj.root and slots < MAX_JOINTS - 2:
        chain.append(obj.joint_above[chain[-1].parent])
        slots += _slots(chain[-1])
    return chain


def driving_copies(obj: ArticulatedObject, centre: FloatArray, size: float) -> list[tuple[SimulationModel, list[str]]]:
    """As few copies as hold every movable joint with its ancestors, and the joints to be driven in each.

    One copy for most objects; above 120 joints the joints are split. A chain deeper than a copy is cut above.
    """
    copies: list[tuple[dict[str, ObjectJoint], list[str]]] = []
    for joint in obj.movable_joints:
        chain = _chain(obj, joint)
        kept, driven = copies[-1] if copies else ({}, [])
        added = {j.name: j for j in chain if j.name not in kept}
        if not copies or sum(map(_slots, kept.values())) + sum(map(_slots, added.values())) > MAX_JOINTS:
            kept, driven, added = {}, [], {j.name: j for j in chain}
            copies.append((kept, driven))
        kept.update(added)
        driven.append(joint.name)
    return [(_write(obj, [j for j in obj.joints if j.name in kept], centre, size), driven) for kept, driven in copies]


def side_by_side(
    obj: ArticulatedObject, joints: Iterable[ObjectJoint], centre: FloatArray, size: float
) -> SimulationModel:
    """Copy with several joints, each between the base and its child alone: `single_joint` for all of them at once."""
    return _write(obj, [replace(j, parent=obj.root) for j in joints], centre, size)


def single_joint(obj: ArticulatedObject, joint: ObjectJoint) -> SimulationModel:
    """Copy with one joint between the base and its child link: everything else welded, as it is while at rest."""
    return _write(obj, [joint], centre_of(obj), obj.size)


def weighted(obj: ArticulatedObject) -> SimulationModel:
    """Whole canonical copy whose links carry the object's own masses and inertias, to be held against what is loaded.

    A tensor at or beyond the triangle inequality stays out: PyBullet sets it to zero, at the border by rounding.
    """
    if not fits(obj):
        raise SimulationError(f"{obj.file}: more than {MAX_JOINTS} joints in one copy")
    origins = {obj.root: centre_of(obj)} | {joint.child: np.asarray(joint.origin) for joint in obj.joints}
    inertials = {}
    for name in origins:
        body = obj.links[name].inertial or obj.link_body(name).body
        if body is not None and _clearly_physical(body.inertia):
            inertials[name] = _inertial(float(body.mass), body.com - origins[name], body.inertia)
    return _write(obj, obj.joints, centre_of(obj), obj.size, inertials)


def _clearly_physical(inertia: FloatArray) -> bool:
    moments = np.linalg.eigvalsh(inertia)
    return bool(moments[0] > 0 and moments[2] < (moments[0] + moments[1]) * (1 - 1e-9))


def _write(
    obj: ArticulatedObject,
    joints: Iterable[ObjectJoint],
    centre: FloatArray,
    size: float,
    inertials: Mapping[str, str] = MappingProxyType({}),
) -> SimulationModel:
    joints = list(joints)
    positions = {j.child: np.asarray(j.origin) - centre for j in joints}
    links = {j.child: f"link{k}" for k, j in enumerate(joints)}
    coordinates: dict[str, tuple[tuple[str, float], ...]] = {}
    expected: dict[str, tuple[str, float, float, FloatArray]] = {}
    lines = ['<?xml version="1.0"?>', '<robot name="copy">', _link("base", inertials.get(obj.root, _UNIT_INERTIAL))]
    for k, joint in enumerate(joints):
        name, motion = f"joint{k}", joint.motion
        upper_link = links.get(joint.parent, "base")
        offset = positions[joint.child] - positions.get(joint.parent, np.zeros(3))
        axis = np.asarray(motion.axis)
        kind = {"continuous": "revolute", "helical": "revolute"}.get(motion.kind, motion.kind)
        members = [(name, kind, motion.lower, motion.upper, upper_link, links[joint.child], offset)]
        coordinates[joint.name] = ((name, 1.0),)
        if motion.kind == "helical":
            slide = sorted((motion.lower * motion.pitch, motion.upper * motion.pitch)) if motion.pitch else (0.0, 0.0)
            members = [
                (name, kind, motion.lower, motion.upper, upper_link, f"helper{k}", offset),
                (f"slide{k}", "prismatic", *slide, f"helper{k}", links[joint.child], np.zeros(3)),
            ]
            coordinates[joint.name] = ((name, 1.0), (f"slide{k}", motion.pitch))
            lines.append(_link(f"helper{k}"))
        lines.append(_link(links[joint.child], inertials.get(joint.child, _UNIT_INERTIAL)))
        for member, member_kind, lower, upper, parent, child, xyz in members:
            lower, upper = limit_written(lower), limit_written(upper)
            expected[member] = (member_kind, lower, upper, axis)
            lines.append(_joint(member, member_kind, parent, child, xyz, axis, lower, upper))
    lines.append("</robot>\n")
    rest = {links[link]: position for link, position in positions.items()}
    return SimulationModel("\n".join(lines), centre, coordinates, links, expected, rest, size)


_UNIT_INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def _link(name: str, inertial: str = _UNIT_INERTIAL) -> str:
    return f'<link name="{name}">{inertial}</link>'


def _inertial(mass: float, com: FloatArray, tensor: FloatArray) -> str:
    """An <inertial> in a frame parallel to the world, with the full tensor about the com."""
    places = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    moments = " ".join(f'{name}="{float(tensor[place])!r}"' for name, place in places.items())
    return f'<inertial><origin xyz="{_numbers(com)}"/><mass value="{mass!r}"/><inertia {moments}/></inertial>'


def _joint(
    name: str, kind: str, parent: str, child: str, xyz: FloatArray, axis: FloatArray, lower: float, upper: float
) -> str:
    motion = (
        ""
        if kind == "fixed"
        else (
            f'<axis xyz="{_numbers(axis)}"/><limit lower="{lower!r}" upper="{upper!r}" effort="1e10" velocity="1e10"/>'
        )
    )
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{_numbers(xyz)}"/>{motion}</joint>'
    )


def _numbers(values: FloatArray) -> str:
    return " ".join(repr(float(v)) for v in values)


_DROPPED = ("visual", "collision", "material", "gazebo", "transmission", "sensor")


def without_geometry(root: etree._Element) -> str:
    """The text of a parsed file with only its geometry stripped (in place)."""
    for element in [e for e in root.iter(*_DROPPED) if e.getparent() is not None]:
        element.getparent().remove(element)
    etree.indent(root)  # PyBullet splits lines of more than 8,191 bytes inside a number
    return etree.tostring(root, encoding="unicode")


def joints_as_written(elements: Mapping[str, etree._Element]) -> SimulationModel:
    """Joints in the file's own words (type, axis, limit), each alone between the fixed base and a unit mass.

    Where a motor stops them is what the simulator makes of those words, undisturbed by inertias and neighbours.
    """
    lines = ['<robot name="joints">', _link("base")]
    for k, element in enumerate(elements.values()):
        words = "".join(
            etree.tostring(part, encoding="unicode", with_tail=False) for part in element.iterchildren("axis", "limit")
        )
        lines.append(_link(f"link{k}"))
        lines.append(
            f'<joint name="joint{k}" type="{element.get("type")}"><parent link="base"/><child link="link{k}"/>'
            f"{words}</joint>"
        )
    lines.append("</robot>\n")
    coordinates = {name: ((f"joint{k}", 1.0),) for k, name in enumerate(elements)}
    return SimulationModel("\n".join(lines), np.zeros(3), coordinates, {})


def as_written(obj: ArticulatedObject, data: bytes) -> SimulationModel:
    """The user's own text with only its geometry stripped: the independent check of our reading."""
    root, _ = parse(data, obj.file)
    text = without_geometry(root)
    coordinates: dict[str, tuple[tuple[str, float], ...]] = {}
    for joint in obj.joints:
        if joint.kind == "helical" and len(joint.members) == 2:
            slide = next(m for m in joint.members if m != joint.name)
            coordinates[joint.name] = ((joint.name, 1.0), (slide, _multiplier(root, slide)))
        else:
            coordinates[joint.name] = ((joint.name, 1.0),)
    return SimulationModel(text, np.zeros(3), coordinates, {name: name for name in obj.links if name != obj.root})


def _multiplier(root: etree._Element, joint: str) -> float:
    """Multiplier of a joint's <mimic>."""
    mimic = next(j.find("mimic") for j in root.iterfind("joint") if j.get("name") == joint)
    return float(mimic.get("multiplier", "1"))
