"""Numbers that are taken as written but look like a slip: units, sizes, masses (SPEC section 11)."""

from __future__ import annotations

import math

import numpy as np

from simcheck.asset.bodies import geometry_body
from simcheck.asset.extent import link_box
from simcheck.asset.model import ArticulatedObject, FloatArray, ObjectJoint
from simcheck.errors import AssetWarning

LONGEST_STROKE = 20  # object sizes; a longer one is another unit
_TURNS = 3 * (1 + 1e-6)  # three turns written with few digits are not more than three
_DENSITY = (1.0, 25_000.0)


def unit_suspicions(obj: ArticulatedObject) -> list[AssetWarning]:
    """Limits that look like degrees or millimetres, and objects of an odd size."""
    found = []
    for joint in obj.joints:
        message, code = _limit_suspicion(joint, obj.size)
        if message:
            value = f"{joint.lower:g} {joint.upper:g}"
            found.append(AssetWarning(obj.file, joint.element, message, code, "limit", value))
    extent = float((obj.box[1] - obj.box[0]).max())
    message = ""
    if extent > 100:
        message = f"the object is {extent:.4g} m large: millimetres?"
    elif 0 < extent < 1e-3:
        message = f"the object is only {extent * 1000:.4g} mm large: kilometres?"
    if message:
        found.append(AssetWarning(obj.file, "robot", message, "UNIT_SIZE", "", f"{extent:.4g}"))
    return found


def _limit_suspicion(joint: ObjectJoint, size: float) -> tuple[str, str]:
    """What is odd about the range of a joint, and the code of it; empty where nothing is."""
    lower, upper = joint.lower, joint.upper
    if joint.motion.exactly_fixed or not joint.motion.bounded:
        return "", ""
    span = upper - lower
    if joint.kind == "prismatic":
        if span > LONGEST_STROKE * size or 0 < span < 1e-3 * size:
            return f"stroke {span:.6g} m for a {size:.3g} m object: millimetres?", "UNIT_LENGTH"
        return "", ""
    turns = span / (2 * math.pi)
    whole = any(abs(end) > 2 * math.pi and abs(end - round(end)) < 1e-6 for end in (lower, upper))
    if joint.kind == "revolute" and (turns > _TURNS or whole):
        shown = f"±{upper:g}" if lower == -upper else f"{lower:g} … {upper:g}"
        return f"limits {shown} rad ({turns:.1f} turns): degrees?", "UNIT_ANGLE"
    return "", ""


def mass_suspicions(obj: ArticulatedObject) -> list[AssetWarning]:
    """Densities no material has, and centres of mass outside the part (looks at every mesh)."""
    found = []
    for name, link in obj.links.items():
        if link.inertial is not None:
            found += link_suspicions(obj, name, geometry_body(obj, link).volume, link_box(obj, name))
    return found


def link_suspicions(
    obj: ArticulatedObject, name: str, volume: float | None, box: FloatArray | None
) -> list[AssetWarning]:
    """The same for one link with an inertial, given volume (m^3) and box (2, 3) of its geometry, None without any."""
    inertial = obj.links[name].inertial
    assert inertial is not None
    element, found = f"link {name!r}", []
    if volume:
        density = inertial.mass / volume
        if not _DENSITY[0] <= density <= _DENSITY[1]:
            message = f"mass {inertial.mass:.4g} kg on {volume:.3g} m^3 is {density:.3g} kg/m^3: no material"
            found.append(AssetWarning(obj.file, element, message, "DENSITY", "mass value", f"{inertial.mass:g}"))
    if box is not None:
        slack = 0.05 * float(np.linalg.norm(box[1] - box[0]))
        beyond = np.maximum(box[0] - inertial.com, inertial.com - box[1]).max()
        if beyond > slack:
            message = f"its centre of mass lies {beyond:.3g} m off the part"
            found.append(AssetWarning(obj.file, element, message, "COM_OFF_PART", "origin xyz", f"{beyond:.3g}"))
    return found
