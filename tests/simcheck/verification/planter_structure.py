"""Planted faults of structure, names, numbers and the text itself."""

from __future__ import annotations

import re

import numpy as np
from lxml import etree
from planter_model import Urdf
from planter_plant import Expected, Plant, by_text, expect, joint, kind, link, pick


def raw(urdf: Urdf, text: str | bytes, visible: str, expected: Expected) -> Plant:
    """A plant made in the text; it must have changed the bytes."""
    data = text if isinstance(text, bytes) else text.encode()
    assert data != urdf.text.encode()
    return Plant(None, data, expected, visible)


@kind("17 a number that is none")
def bad_number(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, urdf.movable())
    if name is None:
        return None
    planted = urdf.copy()
    element = planted.joints[name]
    limit, origin = element.find("limit"), element.find("origin")
    choices = [("axis", "xyz", v) for v in ("0, 0, 1", "0 1", "0 0 1 0", "0 0 l")]
    if limit is not None and element.get("type") != "continuous":
        choices += [("limit", "upper", v) for v in ("nan", "O.8", "0,8", "")]
    if origin is not None:
        choices += [("origin", a, v) for a in ("xyz", "rpy") for v in ("0.1;0;0", "1 2", "1 2 3 4", "0 0 1e")]
    tag, attribute, value = choices[int(random.integers(len(choices)))]
    if element.find(tag) is None:
        etree.SubElement(element, tag)
    element.find(tag).set(attribute, value)
    return by_text(planted, "F+S", expect("NUMBER_INVALID NUMBER_COUNT", joint(name)))


@kind("17b a tab or line break in a vector")
def white_space(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    """Legal, and a no-op for a reader of XML; PyBullet reads zeros, or nothing where the axis is concerned."""
    text = urdf.text
    found = [m for m in re.finditer(r'<(axis|origin) xyz="([^"]+)"', text) if set(m.group(2)) - set("0 .-")]
    if not found:
        return None
    match = found[int(random.integers(len(found)))]
    broken = match.group(2).replace(" ", str(random.choice(["\t", "\n"])))
    owner = re.findall(r'<(link|joint) name="([^"]*)"', text[: match.start()])[-1]
    changed = f"{text[: match.start(2)]}{broken}{text[match.end(2) :]}"
    return raw(urdf, changed, "S", expect("NUMBER_WHITESPACE", f"{owner[0]} {owner[1]!r}"))


@kind("22 joint type unknown or missing")
def bad_type(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, urdf.movable())
    if name is None:
        return None
    planted = urdf.copy()
    if random.random() < 0.5:
        planted.joints[name].set("type", "hinge")
        return by_text(planted, "F+S", expect("JOINT_TYPE_UNKNOWN", joint(name)))
    del planted.joints[name].attrib["type"]
    return by_text(planted, "F+S", expect("JOINT_TYPE_MISSING", joint(name)))


@kind("45 two joints of one name")
def duplicate_joint(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    names = list(urdf.joints)
    if len(names) < 2:
        return None
    a, b = (names[int(k)] for k in random.permutation(len(names))[:2])
    planted = urdf.copy()
    planted.joints[b].set("name", a)
    return by_text(planted, "F+S", expect("JOINT_NAME_DUPLICATE", joint(a)))


@kind("46 two links of one name")
def duplicate_link(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    names = list(urdf.links)
    a, b = (names[int(k)] for k in random.permutation(len(names))[:2])
    planted = urdf.copy()
    planted.links[b].set("name", a)
    return by_text(planted, "F+S", expect("LINK_NAME_DUPLICATE", link(a)))


@kind("47 two roots")
def two_roots(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, list(urdf.joints))
    assert name is not None
    planted = urdf.copy()
    planted.root.remove(planted.joints[name])
    return by_text(planted, "F+S", expect("ROOTS_SEVERAL", ""))


def _extra_joint(urdf: Urdf, name: str, parent: str, child: str) -> Urdf:
    planted = urdf.copy()
    element = etree.SubElement(planted.root, "joint", name=name, type="fixed")
    etree.SubElement(element, "parent", link=parent)
    etree.SubElement(element, "child", link=child)
    return planted


def _root(urdf: Urdf) -> str:
    children = {urdf.ends(j)[1] for j in urdf.joints.values()}
    return next(n for n in urdf.links if n not in children)


@kind("48 no root: a cycle")
def no_root(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    root = _root(urdf)
    other = pick(random, [n for n in urdf.links if n != root])
    if other is None:
        return None
    return by_text(_extra_joint(urdf, "back_to_root", other, root), "F+S", expect("ROOT_MISSING", ""))


@kind("49 a link with two parents")
def two_parents(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    root = _root(urdf)
    carried = [(urdf.ends(j)) for j in urdf.joints.values()]
    child = pick(random, [c for _, c in carried])
    assert child is not None
    parent = next(p for p, c in carried if c == child)
    other = pick(random, [n for n in urdf.links if n not in urdf.downstream(child) | {parent}]) or root
    return by_text(_extra_joint(urdf, "second_parent", other, child), "F+S", expect("PARENTS_SEVERAL", link(child)))


@kind("50 a link that is not defined")
def undefined_link(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, list(urdf.joints))
    assert name is not None
    planted = urdf.copy()
    planted.joints[name].find(str(random.choice(["parent", "child"]))).set("link", "no_such_link")
    return by_text(planted, "F+S", expect("LINK_UNDEFINED", joint(name)))


@kind("51 a line longer than 8,191 bytes")
def long_line(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    """On one line, padded so that PyBullet's cut falls inside a number of a joint."""
    text = re.sub(r">\s+<", "><", urdf.text.partition("\n")[2])
    found = [m for m in re.finditer(r'(?:xyz|lower|upper)="(-?\d+\.\d{3,})', text) if "<joint" in text[: m.start()]]
    if not found:
        return None
    match = found[int(random.integers(len(found)))]
    cut = match.start(1) + len(match.group(1)) // 2
    if cut >= 8191:
        # Comments between elements do not change the meaning; the part before the cut goes on lines of its own.
        head = text[:cut]
        breaks = [m.start() + 1 for m in re.finditer("><", head)]
        last = max(b for b in breaks if cut - b < 8000)
        text, cut = text[:last] + "\n" + text[last:], cut - last
        start = last + 1
    else:
        start = 0
    padding = 8191 - cut
    first = text.index("<", start) if start else text.index("<link")
    text = f"{text[:first]}<!--{'x' * (padding - 7)}-->{text[first:]}" if padding >= 7 else text
    if max(map(len, text.encode().split(b"\n"))) <= 8191:
        return None
    return raw(urdf, text, "S", expect("LINE_TOO_LONG", "robot"))


@kind("56 a name with spaces or outside ASCII")
def odd_name(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, [n for n in urdf.movable() if not urdf.root.xpath(f"//mimic[@joint='{n}']")])
    if name is None:
        return None
    planted = urdf.copy()
    odd = str(random.choice(["Türband", "my joint", "関節"]))
    planted.joints[name].set("name", odd)
    return by_text(planted, "F", expect("NAME_UNUSUAL", joint(odd)))


@kind("56b a joint with an empty name")
def empty_name(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, urdf.movable())
    if name is None:
        return None
    planted = urdf.copy()
    planted.joints[name].set("name", "")
    return by_text(planted, "F+S", expect("NAME_MISSING", "joint"))


@kind("57 a default name space")
def name_space(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    text = urdf.text.replace("<robot ", '<robot xmlns="http://www.ros.org/wiki/urdf" ', 1)
    return raw(urdf, text, "F", expect("XML_NAMESPACE", "robot"))


@kind("57b an XML entity")
def entity(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    text = urdf.text.replace("<robot ", '<!DOCTYPE robot [<!ENTITY pi "3.14">]>\n<robot ', 1)
    return raw(urdf, text, "F", expect("XML_ENTITY", ""))


@kind("57c a byte order mark, or DOS line ends")
def line_ends(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    data = urdf.text.encode()
    changed = b"\xef\xbb\xbf" + data if random.random() < 0.5 else data.replace(b"\n", b"\r\n")
    return raw(urdf, changed, "N", expect(""))


@kind("59 more joints than PyBullet reads back")
def many_joints(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    """130 keys in a row: nothing is wrong with the file."""
    inertial = (
        '<inertial><mass value="0.01"/><inertia ixx="1e-7" ixy="0" ixz="0" iyy="1e-7" iyz="0" izz="1e-7"/></inertial>'
    )
    box = '<{0}><geometry><box size="0.008 0.008 0.008"/></geometry></{0}>'
    base = (
        '<inertial><mass value="0.5"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="0.15" iyz="0" izz="0.15"/></inertial>'
        '<collision><origin xyz="0.65 0 -0.02"/><geometry><box size="1.3 0.02 0.01"/></geometry></collision>'
    )
    count = int(random.integers(122, 140))
    links = "".join(
        f'<link name="key{k}">{inertial}{box.format("visual")}{box.format("collision")}</link>\n' for k in range(count)
    )
    joints = "".join(
        f'<joint name="press{k}" type="prismatic"><parent link="base"/><child link="key{k}"/>'
        f'<origin xyz="{0.01 * k:g} 0 0"/><axis xyz="0 0 -1"/><limit lower="0" upper="0.005"/></joint>\n'
        for k in range(count)
    )
    text = f'<?xml version="1.0"?>\n<robot name="keys"><link name="base">{base}</link>\n{links}{joints}</robot>\n'
    return Plant(None, text.encode(), expect("ENGINE_LIMIT", "robot"), "S")
