"""Numbers that are taken as written but look like a slip: units, sizes, masses (SPEC section 11)."""

from __future__ import annotations

import math

import numpy as np

from simcheck.asset.extent import link_box
from simcheck.asset.mesh_files import MeshProblem
from simcheck.asset.model import ArticulatedObject, ObjectJoint
from simcheck.errors import AssetWarning

_TURNS = 3
_DENSITY = (1.0, 25_000.0)


def unit_suspicions(obj: ArticulatedObject) -> list[AssetWarning]:
    """Limits that look like degrees or millimetres, and objects of an odd size."""
    found = []
    for joint in obj.joints:
        message = _limit_suspicion(joint, obj.size)
        if message:
            found.append(AssetWarning(obj.file, joint.element, message))
    extent = float((obj.box[1] - obj.box[0]).max())
    if extent > 100:
        found.append(AssetWarning(obj.file, "robot", f"the object is {extent:.4g} m large: millimetres?"))
    elif 0 < extent < 1e-3:
        found.append(AssetWarning(obj.file, "robot", f"the object is only {extent * 1000:.4g} mm large: kilometres?"))
    return found


def _limit_suspicion(joint: ObjectJoint, size: float) -> str:
    lower, upper = joint.lower, joint.upper
    if joint.motion.exactly_fixed or not joint.motion.bounded:
        return ""
    span = upper - lower
    if joint.kind == "prismatic":
        if span > 20 * size or 0 < span < 1e-3 * size:
            return f"stroke {span:.6g} m for a {size:.3g} m object: millimetres?"
        return ""
    turns = span / (2 * math.pi)
    whole = any(abs(end) > 2 * math.pi and abs(end - round(end)) < 1e-6 for end in (lower, upper))
    if joint.kind == "revolute" and (turns > _TURNS or whole):
        shown = f"±{upper:g}" if lower == -upper else f"{lower:g} … {upper:g}"
        return f"limits {shown} rad ({turns:.1f} turns): degrees?"
    return ""


def mass_suspicions(obj: ArticulatedObject) -> list[AssetWarning]:
    """Densities no material has, and centres of mass outside the part (looks at every mesh)."""
    from simcheck.asset.bodies import geometry_body

    found = []
    for name, link in obj.links.items():
        if link.inertial is None:
            continue
        element = f"link {name!r}"
        try:
            volume = geometry_body(obj, link).volume
        except MeshProblem:
            volume = None
        if volume:
            density = link.inertial.mass / volume
            if not _DENSITY[0] <= density <= _DENSITY[1]:
                found.append(
                    AssetWarning(
                        obj.file,
                        element,
                        f"mass {link.inertial.mass:.4g} kg on {volume:.3g} m^3 is {density:.3g} kg/m^3: no material",
                    )
                )
        box = link_box(obj, name)
        if box is not None:
            slack = 0.05 * float(np.linalg.norm(box[1] - box[0]))
            beyond = np.maximum(box[0] - link.inertial.com, link.inertial.com - box[1]).max()
            if beyond > slack:
                found.append(AssetWarning(obj.file, element, f"its centre of mass lies {beyond:.3g} m off the part"))
    return found
