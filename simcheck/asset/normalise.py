"""The strict normaliser: any style of writing in, one clean URDF tree out, or one message (SPEC section 3).

The parsed tree is cleaned in place until it holds what the harness reads and nothing else: links with their inertial,
joints with origin, axis, limit and mimic. The visual and collision elements of each link are moved apart: they are
used later or never. All numbers are the texts of the file, checked one by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree

from simcheck.asset import xml
from simcheck.asset.numbers import NumberProblem, limit_meant, parse_number, parse_vector
from simcheck.asset.structure import require_tree
from simcheck.errors import AssetError, AssetWarning

MAX_JOINTS = 20_000
_TYPES = {
    **{name: name for name in ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")},
    "screw": "screw",
    "helical": "screw",
    "ball": "spherical",
}
_INERTIA = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_SIZES = {
    "box": {"size": 3},
    "sphere": {"radius": 1},
    "cylinder": {"radius": 1, "length": 1},
    "capsule": {"radius": 1, "length": 1},
}


@dataclass
class CleanUrdf:
    """The clean tree of one file, and what the tree itself cannot hold."""

    file: str
    folder: Path
    root: etree._Element
    shapes: dict[str, etree._Element] = field(default_factory=dict)  # link -> its visual and collision elements
    warnings: list[AssetWarning] = field(default_factory=list)
    pitches: dict[str, float] = field(default_factory=dict)  # joint of type screw -> m/rad
    unusable_inertials: dict[str, AssetWarning] = field(default_factory=dict)  # link -> reason
    missing_limits: set[str] = field(default_factory=set)  # joints left open for --impute-limits
    errors: list[AssetError] | None = None  # None: the first error is raised; a list: all are collected in it

    def warn(self, element: str, message: str, code: str, attribute: str = "", value: str = "") -> None:
        """Record a warning about an element of this file."""
        self.warnings.append(AssetWarning(self.file, element, message, code, attribute, value))

    def refuse(
        self, element: str, attribute: str, cause: str, remedy: str = "", *, code: str, value: str | None = ""
    ) -> None:
        """Raise an error about an element of this file, or collect it: then the caller goes on with a stand-in."""
        error = AssetError(
            self.file, cause, element=element, attribute=attribute, remedy=remedy, code=code, value=value or ""
        )
        if self.errors is None:
            raise error from None
        self.errors.append(error)


def normalise(path: Path) -> CleanUrdf:
    """Read a URDF file into a clean tree; `AssetError` for what has no single meaning."""
    return normalise_text(xml.read_bytes(path), str(path), path.resolve().parent)


def normalise_text(
    data: bytes,
    file: str,
    folder: Path,
    *,
    limits_may_be_missing: bool = False,
    errors: list[AssetError] | None = None,
) -> CleanUrdf:
    """As `normalise`, for a text that stands for a file in a folder.

    With a list for ``errors`` every error goes there, and the tree holds a harmless stand-in in each such place: only
    what leaves nothing to look at is still raised.
    """
    root, warnings = xml.parse(data, file)
    clean = CleanUrdf(file, folder, root, warnings=warnings, errors=errors)
    joints = len(root.findall("joint"))
    if joints > MAX_JOINTS:
        cause = f"the file has {joints:,} joints; the limit is {MAX_JOINTS:,}"
        raise AssetError(file, cause, code="JOINTS_TOO_MANY", value=str(joints))
    _name_robot(clean)
    for element in list(root):
        if element.tag == "link":
            _clean_link(element, clean)
        elif element.tag == "joint":
            _clean_joint(element, clean, limits_may_be_missing)
        else:
            root.remove(element)
    if not clean.shapes:
        remedy = "Is this an unexpanded xacro file or a fragment?"
        raise AssetError(file, "the robot has no <link>", remedy=remedy, code="LINKS_NONE")
    require_tree(clean)
    return clean


def _name_robot(clean: CleanUrdf) -> None:
    if not clean.root.get("name"):
        stem = Path(clean.file).stem
        clean.warn("robot", f"the robot has no name; {stem!r} is used", "ROBOT_UNNAMED", "name")
        clean.root.set("name", stem)


def _keep_first(parent: etree._Element, names: tuple[str, ...], element: str, clean: CleanUrdf) -> dict[str, Any]:
    """The first child of each name; every other child goes, with a warning if it repeats a name."""
    found: dict[str, etree._Element] = {}
    for child in list(parent):
        if child.tag in names and child.tag not in found:
            found[child.tag] = child
            continue
        if child.tag in found:
            clean.warn(element, f"more than one <{child.tag}>; the first one is used", "ELEMENT_REPEATED", child.tag)
        parent.remove(child)
    return found


def _check_numbers(
    source: etree._Element, attribute: str, length: int, element: str, clean: CleanUrdf
) -> tuple[float, ...] | None:
    """The numbers of an attribute, exactly so many; None where it is absent, or refused and taken out."""
    text = source.get(attribute)
    if text is None:
        return None
    try:
        return parse_vector(text, length)
    except NumberProblem as problem:
        remedy = "Correct it, or remove the element: one bad number refuses the whole file."
        clean.refuse(element, f"{source.tag} {attribute}", str(problem), remedy, code=problem.code, value=text)
        del source.attrib[attribute]
        return None


def _check_origin(origin: etree._Element | None, element: str, clean: CleanUrdf) -> None:
    if origin is not None:
        for attribute in ("xyz", "rpy"):
            _check_numbers(origin, attribute, 3, element, clean)


# --- links ---------------------------------------------------------------------------------------------------


def _clean_link(link: etree._Element, clean: CleanUrdf) -> None:
    name = link.get("name")
    if not name:
        clean.refuse("link", "name", "a <link> has no name", code="NAME_MISSING", value=name)
        clean.root.remove(link)
        return
    element = f"link {name!r}"
    shapes = etree.Element("link", name=name)
    for shape in list(link.iterchildren("visual", "collision")):
        if _clean_shape(shape, f"{element} {shape.tag}", clean):
            shapes.append(shape)
    if name in clean.shapes:
        cause = "two links have this name; names must differ"
        clean.refuse(element, "name", cause, code="LINK_NAME_DUPLICATE", value=name)
    clean.shapes[name] = shapes
    inertial = _keep_first(link, ("inertial",), element, clean).get("inertial")
    if inertial is not None:
        known = len(clean.errors or ())
        problem = _clean_inertial(inertial, element, clean)
        if len(clean.errors or ()) > known:
            message = "its <inertial> has a number that cannot be read"
            problem = AssetWarning(clean.file, element, message, "NUMBER_INVALID")
        if problem is not None:
            link.remove(inertial)
            clean.unusable_inertials[name] = problem


def _clean_inertial(inertial: etree._Element, element: str, clean: CleanUrdf) -> AssetWarning | None:
    """Check an <inertial>; why it cannot be used, None when it can."""
    parts = _keep_first(inertial, ("origin", "mass", "inertia"), element, clean)
    _check_origin(parts.get("origin"), element, clean)
    mass = _check_numbers(parts["mass"], "value", 1, element, clean) if "mass" in parts else None
    tensor = parts.get("inertia")
    missing = _missing_moments(tensor, element, clean) if tensor is not None else list(_INERTIA)

    def unusable(message: str, code: str, attribute: str, value: str = "") -> AssetWarning:
        return AssetWarning(clean.file, element, message, code, attribute, value)

    if mass is None:
        return unusable("its <inertial> has no mass", "INERTIAL_INCOMPLETE", "mass")
    if mass[0] <= 0:
        return unusable(
            f"its <inertial> has mass {mass[0]:g}", "MASS_NOT_POSITIVE", "mass value", parts["mass"].get("value")
        )
    if len(missing) == 6:
        return unusable("its <inertial> has no inertia", "INERTIAL_INCOMPLETE", "inertia")
    if any(a in missing for a in ("ixx", "iyy", "izz")):
        return unusable(f"its inertia lacks {', '.join(missing)}", "INERTIAL_INCOMPLETE", "inertia")
    if missing and tensor is not None:
        clean.warn(element, f"inertia without {', '.join(missing)}: 0 is used", "INERTIA_DEFAULTED", "inertia")
        tensor.attrib.update(dict.fromkeys(missing, "0"))
    return None


def _missing_moments(tensor: etree._Element, element: str, clean: CleanUrdf) -> list[str]:
    return [a for a in _INERTIA if _check_numbers(tensor, a, 1, element, clean) is None]


def _clean_shape(shape: etree._Element, element: str, clean: CleanUrdf) -> bool:
    """Check a visual or collision element; False, with a warning, where it is no solid that we know."""
    known = len(clean.errors or ())
    parts = _keep_first(shape, ("origin", "geometry"), element, clean)
    _check_origin(parts.get("origin"), element, clean)
    solid = next(iter(parts.get("geometry", ())), None)
    if solid is None:
        problem = "no geometry"
    elif solid.tag == "mesh":
        problem = _check_mesh(solid, element, clean)
    elif solid.tag in _SIZES:
        problem = _check_sizes(solid, element, clean)
    else:
        problem = f"<{solid.tag}> is not a URDF geometry"
    if problem:
        clean.warn(element, f"{problem}; left out", "GEOMETRY_UNUSABLE", "geometry")
    return not problem and len(clean.errors or ()) == known


def _check_mesh(mesh: etree._Element, element: str, clean: CleanUrdf) -> str:
    if not mesh.get("filename"):
        return "a mesh without filename"
    scale = mesh.get("scale")
    if scale is not None:
        if len(scale.split()) == 1:
            mesh.set("scale", " ".join([scale] * 3))
        values = _check_numbers(mesh, "scale", 3, element, clean)
        if values is not None and 0.0 in values:
            return f"the mesh {mesh.get('filename')} is scaled to nothing ({scale})"
    return ""


def _check_sizes(solid: etree._Element, element: str, clean: CleanUrdf) -> str:
    for attribute, length in _SIZES[solid.tag].items():
        place, text = f"{solid.tag} {attribute}", solid.get(attribute)
        if text is None:
            clean.refuse(element, place, "the attribute is missing", code="SIZE_MISSING")
            continue
        values = _check_numbers(solid, attribute, length, element, clean)
        if values is not None and min(values) < 0:
            clean.refuse(element, place, f"a size must not be negative, got {text!r}", code="SIZE_NEGATIVE", value=text)
    return ""


# --- joints --------------------------------------------------------------------------------------------------


def _clean_joint(joint: etree._Element, clean: CleanUrdf, limits_may_be_missing: bool) -> None:
    name = joint.get("name")
    if not name:
        clean.refuse("joint", "name", "a <joint> has no name", code="NAME_MISSING", value=name)
        clean.root.remove(joint)
        return
    element = f"joint {name!r}"
    kind = _joint_type(joint, element, clean)
    if kind == "screw":
        clean.pitches[name] = _thread_pitch(joint, element, clean)
    parts = _keep_first(joint, ("origin", "parent", "child", "axis", "limit", "mimic"), element, clean)
    for role in ("parent", "child"):
        if role not in parts or not parts[role].get("link"):
            clean.refuse(element, role, f"the joint names no {role} link", code="JOINT_END_MISSING")
            clean.root.remove(joint)
            return
    _check_origin(parts.get("origin"), element, clean)
    if kind in ("fixed", "floating", "spherical"):
        for part in ("axis", "limit", "mimic"):
            if part in parts:
                joint.remove(parts[part])
        return
    _clean_axis(joint, parts.get("axis"), element, clean)
    _clean_limit(joint, parts.get("limit"), element, clean, limits_may_be_missing)
    if "mimic" in parts:
        _clean_mimic(joint, parts["mimic"], element, clean)


def _joint_type(joint: etree._Element, element: str, clean: CleanUrdf) -> str:
    text = joint.get("type")
    kind = None if text is None else _TYPES.get(text.strip())
    if kind is None:
        if text is None:
            clean.refuse(element, "type", "the joint has no type", code="JOINT_TYPE_MISSING")
        else:
            known = "Known: revolute, continuous, prismatic, fixed, screw (or helical), floating, planar, spherical."
            clean.refuse(element, "type", f"unknown joint type {text!r}", known, code="JOINT_TYPE_UNKNOWN", value=text)
        kind = "fixed"
    joint.set("type", kind)
    return kind


def _clean_axis(joint: etree._Element, axis: etree._Element | None, element: str, clean: CleanUrdf) -> None:
    if axis is None:
        axis = etree.SubElement(joint, "axis", xyz="1 0 0")  # the URDF standard's default, in the joint frame
    text = axis.get("xyz")
    if text is None:
        clean.warn(element, "axis without xyz: the default 1 0 0 is used", "AXIS_DEFAULTED", "axis xyz")
    values = _check_numbers(axis, "xyz", 3, element, clean)
    if values is None:
        axis.set("xyz", "1 0 0")
        return
    length = math.hypot(*values)
    if length < 1e-150:
        cause = f"the axis is zero ({text!r}): a moving joint needs a direction"
        clean.refuse(element, "axis xyz", cause, code="AXIS_ZERO", value=text)
        axis.set("xyz", "1 0 0")
    elif abs(length - 1) > 1e-6:
        message = f"axis {text!r} has length {length:.6g}: normalised, limits as written"
        clean.warn(element, message, "AXIS_NOT_UNIT", "axis xyz", text)


def _clean_limit(
    joint: etree._Element, limit: etree._Element | None, element: str, clean: CleanUrdf, may_be_missing: bool
) -> None:
    """Leave a <limit> with lower <= upper, or none for a joint without limits."""
    kind = joint.get("type")
    if kind in ("continuous", "planar"):
        if limit is not None:
            _note_bounds_of_continuous(limit, element, clean)
            joint.remove(limit)
        return
    if limit is None:
        if kind == "screw":
            return  # a screw without limits turns on, as a continuous joint does
        if not may_be_missing:
            clean.refuse(
                element,
                "limit",
                f"a {kind} joint without <limit>",
                'Add <limit lower="…" upper="…"/>, or type="continuous" for an unlimited turning joint.',
                code="LIMIT_MISSING",
            )
        clean.missing_limits.add(joint.get("name"))
        return
    lower, upper = _bounds(limit, element, clean)
    limit.attrib.clear()
    limit.attrib.update({"lower": repr(lower), "upper": repr(upper), "effort": "0", "velocity": "0"})


def _bounds(limit: etree._Element, element: str, clean: CleanUrdf) -> tuple[float, float]:
    bounds = []
    for attribute in ("lower", "upper"):
        text = limit.get(attribute)
        if text is None:
            clean.warn(element, f"limit without {attribute}: 0 is used", "LIMIT_DEFAULTED", f"limit {attribute}")
            bounds.append(0.0)
            continue
        try:
            bounds.append(parse_number(text, infinity_allowed=True))
        except NumberProblem as problem:
            clean.refuse(element, f"limit {attribute}", str(problem), code=problem.code, value=text)
            bounds.append(-math.inf if attribute == "lower" else math.inf)
    lower, upper = bounds
    if lower > upper:
        message = f"limit lower {lower:g} is greater than upper {upper:g}: sorted"
        clean.warn(element, message, "LIMIT_ORDER", "limit", f"{lower:g} {upper:g}")
        lower, upper = upper, lower
    lower, upper = limit_meant(lower), limit_meant(upper)
    if lower == math.inf or upper == -math.inf:
        cause, value = f"lower {lower} and upper {upper} leave no position to be in", f"{lower:g} {upper:g}"
        clean.refuse(element, "limit", cause, code="LIMIT_EMPTY", value=value)
        return -math.inf, math.inf
    return lower, upper


def _note_bounds_of_continuous(limit: etree._Element, element: str, clean: CleanUrdf) -> None:
    written = " ".join(f'{a}="{limit.get(a)}"' for a in ("lower", "upper") if limit.get(a) is not None)
    if written:
        message = (
            f"a continuous joint has no limits: {written} is ignored (PyBullet reports it, and does not stop there)"
        )
        clean.warn(element, message, "CONTINUOUS_WITH_LIMITS", "limit", written)


def _thread_pitch(joint: etree._Element, element: str, clean: CleanUrdf) -> float:
    pitch = next(joint.iterchildren("thread_pitch", "screw_thread_pitch"), None)
    text = None if pitch is None else pitch.get("value", pitch.text)
    if text is None:
        cause, cure = "a screw joint without <thread_pitch>", 'Add <thread_pitch value="…"/> in m/rad.'
        clean.refuse(element, "thread_pitch", cause, cure, code="SCREW_PITCH_MISSING")
        return 0.0
    try:
        value = parse_number(text)
    except NumberProblem as problem:
        clean.refuse(element, "thread_pitch", str(problem), code=problem.code, value=text)
        return 0.0
    message = f"thread_pitch {value:g} is taken as metres per radian, right-handed positive"
    clean.warn(element, message, "SCREW_TYPE", "thread_pitch", text)
    return value


def _clean_mimic(joint: etree._Element, mimic: etree._Element, element: str, clean: CleanUrdf) -> None:
    if not mimic.get("joint"):
        clean.warn(element, "<mimic> names no joint: ignored", "MIMIC_EMPTY", "mimic joint")
        joint.remove(mimic)
        return
    for attribute, default in (("multiplier", "1"), ("offset", "0")):
        if _check_numbers(mimic, attribute, 1, element, clean) is None:
            mimic.set(attribute, default)
