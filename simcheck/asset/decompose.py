"""Joints with several degrees of freedom: refused, or split into chains of one-DOF joints (SPEC section 3)."""

from __future__ import annotations

import numpy as np
from lxml import etree

from simcheck.asset.normalise import CleanUrdf
from simcheck.asset.numbers import parse_vector


def decompose(clean: CleanUrdf, *, split: bool) -> None:
    """Replace floating, planar and spherical joints of the clean tree, or raise `AssetError`."""
    roots = {link.get("name") for link in clean.root.iterfind("link")}
    roots -= {child.get("link") for child in clean.root.iterfind("joint/child")}
    for joint in list(clean.root.iterfind("joint")):
        kind = joint.get("type")
        element = f"joint {joint.get('name')!r}"
        if kind == "floating":
            if joint.find("parent").get("link") not in roots:
                cause = "a floating joint below a moving part has no single motion"
                cure = "Only the base may float."
                clean.refuse(element, "type", cause, cure, code="JOINT_FREEDOMS", value=kind)
            else:
                message = "floating joint of the base: the object is held at its rest pose"
                clean.warn(element, message, "JOINT_FLOATING_BASE", "type", kind)
            joint.set("type", "fixed")
        elif kind in ("planar", "spherical"):
            if not split:
                cause = f"a {kind} joint has several degrees of freedom"
                cure = "Ask with --decompose to split it into a chain of one-DOF joints."
                clean.refuse(element, "type", cause, cure, code="JOINT_FREEDOMS", value=kind)
            _split(joint, kind, clean)
            if split:
                parts = "two prismatic and one continuous" if kind == "planar" else "three continuous"
                message = f"{kind} joint split into {parts} joints {joint.get('name')}/1 … /3"
                clean.warn(element, message, "JOINT_DECOMPOSED", "type", kind)


def _split(joint: etree._Element, kind: str, clean: CleanUrdf) -> None:
    """Three one-DOF joints through two massless links in place of one joint, at its place in the file."""
    name = joint.get("name")
    parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
    helpers = [f"{name}/link1", f"{name}/link2"]
    for helper in helpers:
        etree.SubElement(clean.root, "link", name=helper)
    if kind == "planar":
        normal = np.array(parse_vector(joint.find("axis").get("xyz"), 3))
        first, second = _tangents(normal)
        parts = [("prismatic", first), ("prismatic", second), ("continuous", normal)]
    else:
        parts = [("continuous", axis) for axis in np.eye(3)]
    chain = [parent, *helpers, child]
    place = clean.root.index(joint)
    for k, (part, axis) in enumerate(parts):
        piece = etree.Element("joint", name=f"{name}/{k + 1}", type=part)
        etree.SubElement(piece, "parent", link=chain[k])
        etree.SubElement(piece, "child", link=chain[k + 1])
        if k == 0 and joint.find("origin") is not None:
            piece.append(joint.find("origin"))
        etree.SubElement(piece, "axis", xyz=" ".join(map(repr, axis.tolist())))
        if part == "prismatic":
            etree.SubElement(piece, "limit", lower="-inf", upper="inf", effort="0", velocity="0")
        clean.root.insert(place + k, piece)
    clean.root.remove(joint)


def _tangents(normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors that span the plane, the first as close to x (or y) as the plane allows."""
    unit = normal / np.linalg.norm(normal)
    guide = np.eye(3)[0] if abs(unit[0]) < 0.9 else np.eye(3)[1]
    first = guide - guide @ unit * unit
    first /= np.linalg.norm(first)
    return first, np.cross(unit, first)
