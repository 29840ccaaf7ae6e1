"""Writing an object back as a URDF that any loader reads: every link keeps its place at rest.

A link's frame sits on its joint, so a joint that was moved takes the frame along: inertial, visual, collision and the
joints below are written relative to the new frame. Helical joints are written as a turning joint and a sliding one
that mimics it, through a helper link (SPEC section 3, spelling a).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from lxml import etree

from simcheck.asset.model import ArticulatedObject, FloatArray, Link, ObjectJoint
from simcheck.asset.numbers import limit_written
from simcheck.asset.poses import pose_of, rpy_from_rotation


def urdf_text(obj: ArticulatedObject, mesh_filename: Callable[[str], str] | None = None) -> str:
    """The object as URDF text.

    Parameters
    ----------
    obj
        The object; its world frame becomes the frame of the root link.
    mesh_filename
        Maps each mesh ``filename`` to the one to write; unchanged by default.
    """
    root = etree.Element("robot", name=obj.name)
    frames = {obj.root: np.eye(4)} | {j.child: _frame(obj, j) for j in obj.joints}
    for link in obj.links.values():
        root.append(_link(link, frames[link.name], obj.scale, mesh_filename or (lambda name: name)))
    for joint in obj.joints:
        _append_joint(root, joint, frames)
    etree.indent(root)
    return etree.tostring(root, encoding="unicode") + "\n"


def _frame(obj: ArticulatedObject, joint: ObjectJoint) -> FloatArray:
    """New frame (4, 4) of a joint's child: turned as before, at the joint's origin."""
    frame = obj.links[joint.child].pose.copy()
    frame[:3, 3] = joint.origin
    return frame


def _relative(frame: FloatArray, pose: FloatArray) -> FloatArray:
    """``frame^-1 pose``, from differences of positions so that nothing is lost far from the origin."""
    rotation = frame[:3, :3].T
    result = np.eye(4)
    result[:3, :3] = rotation @ pose[:3, :3]
    result[:3, 3] = rotation @ (pose[:3, 3] - frame[:3, 3])
    return result


def _numbers(values: FloatArray | tuple[float, ...] | list[float]) -> str:
    return " ".join(repr(float(v) + 0.0) for v in values)


def _append_origin(parent: etree._Element, pose: FloatArray) -> None:
    origin = etree.SubElement(parent, "origin", xyz=_numbers(pose[:3, 3]))
    if not np.array_equal(pose[:3, :3], np.eye(3)):
        origin.set("rpy", _numbers(rpy_from_rotation(pose[:3, :3])))


def _link(link: Link, frame: FloatArray, scale: float, mesh_filename: Callable[[str], str]) -> etree._Element:
    element = etree.Element("link", name=link.name)
    if link.inertial is not None:
        rotation = frame[:3, :3].T
        tensor = rotation @ link.inertial.inertia @ rotation.T
        inertial = etree.SubElement(element, "inertial")
        etree.SubElement(inertial, "origin", xyz=_numbers(rotation @ (link.inertial.com - frame[:3, 3])))
        etree.SubElement(inertial, "mass", value=repr(float(link.inertial.mass)))
        indices = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
        etree.SubElement(inertial, "inertia", {name: repr(float(tensor[i])) for name, i in indices.items()})
    for shape in link.source if link.source is not None else ():
        copy = etree.SubElement(element, shape.tag)
        local = pose_of(shape)
        local[:3, 3] *= scale
        _append_origin(copy, _relative(frame, link.pose @ local))
        solid = shape.find("geometry")[0]
        sizes = _sizes(solid, scale)
        if solid.tag == "mesh":
            sizes["filename"] = mesh_filename(solid.get("filename"))
        etree.SubElement(etree.SubElement(copy, "geometry"), solid.tag, sizes)
    return element


def _sizes(solid: etree._Element, scale: float) -> dict[str, str]:
    """Attributes of a geometry with its lengths scaled; the file's own texts where nothing is."""
    texts = {name: text for name, text in solid.attrib.items() if name != "filename"}
    if scale == 1:
        return texts
    if solid.tag == "mesh":
        texts.setdefault("scale", "1 1 1")
    return {name: _numbers([scale * float(x) for x in text.split()]) for name, text in texts.items()}


def _append_joint(root: etree._Element, joint: ObjectJoint, frames: dict[str, FloatArray]) -> None:
    frame = frames[joint.child]
    placed = _relative(frames[joint.parent], frame)
    axis = frame[:3, :3].T @ np.array(joint.axis)
    kind, limits = joint.kind, (joint.lower, joint.upper)
    if kind != "helical":
        element = _joint(root, joint.name, kind, joint.parent, joint.child, placed, axis, limits)
        if joint.mimic is not None:
            mimic = etree.SubElement(element, "mimic", joint=joint.mimic.leader)
            mimic.set("multiplier", repr(joint.mimic.multiplier))
            mimic.set("offset", repr(joint.mimic.offset))
        return
    pitch = joint.motion.pitch
    slide_name = next((m for m in joint.members if m != joint.name), f"{joint.name}_slide")
    helper = f"{joint.name}_helper"
    etree.SubElement(root, "link", name=helper)
    unlimited = all(map(math.isinf, limits))
    _joint(root, joint.name, "continuous" if unlimited else "revolute", joint.parent, helper, placed, axis, limits)
    slides = sorted(pitch * end for end in limits) if pitch else [0.0, 0.0]
    slide = _joint(root, slide_name, "prismatic", helper, joint.child, np.eye(4), axis, (slides[0], slides[1]))
    etree.SubElement(slide, "mimic", joint=joint.name, multiplier=repr(pitch), offset="0")


def _joint(
    root: etree._Element,
    name: str,
    kind: str,
    parent: str,
    child: str,
    placed: FloatArray,
    axis: FloatArray,
    limits: tuple[float, float],
) -> etree._Element:
    element = etree.SubElement(root, "joint", name=name, type=kind)
    etree.SubElement(element, "parent", link=parent)
    etree.SubElement(element, "child", link=child)
    _append_origin(element, placed)
    if kind != "fixed":
        etree.SubElement(element, "axis", xyz=_numbers(axis))
    if kind in ("revolute", "prismatic"):
        lower, upper = (repr(limit_written(end)) for end in limits)
        etree.SubElement(element, "limit", lower=lower, upper=upper, effort="100", velocity="10")
    return element
