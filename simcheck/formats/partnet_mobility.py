"""PartNet-Mobility: ``mobility_v2.json``, the annotation behind its ``mobility.urdf``.

Axes and origins are in the frame of the object, y up, not in that of the parent. ``hinge`` is revolute, its limits in
degrees, or continuous with ``noLimit``; ``slider`` is prismatic, and one that ``rotates`` also turns freely about the
same axis: two joints through a helper link, as in the released URDF, which applies no ``rotationLimit``. ``free``,
``heavy`` and ``static`` parts do not move against their parent. Roots hang on a link ``base``; names are those of the
URDF. The meshes are named in another file (``result.json``): there is no geometry.
"""

from __future__ import annotations

import math

from simcheck.errors import AssetError, AssetWarning
from simcheck.formats.assembly import BASE, Part, PartJoint, assemble
from simcheck.formats.degrees import radians
from simcheck.formats.json_value import JsonValue
from simcheck.formats.numbered import by_number, parent_of
from simcheck.formats.source import Reading, Source

_STILL = ("free", "heavy", "static")
_KINDS = ("hinge", "slider", *_STILL)


def read(source: Source) -> Reading:
    """The tree of a PartNet-Mobility annotation."""
    entries = source.json.items()
    if not entries:
        raise AssetError(source.file, "an empty list: no parts in the file", code="FORMAT_EMPTY")
    warnings = [
        AssetWarning(
            source.file,
            "frame",
            "y is up in this format, taken as written: --up y turns it to z (PartNet's own mobility.urdf turns it "
            "by rpy 90° 0 −90°)",
            "FORMAT_ASSUMED",
        )
    ]
    numbered = by_number(entries)
    parts, joints = [Part(BASE)], []
    for number, entry in numbered.items():
        above = _joints(entry, number, parent_of(entry, numbered), warnings)
        parts += [Part(joint.child) for joint in above]
        joints += above
    return assemble(source, source.path.stem, parts, joints, warnings)


def _joints(entry: JsonValue, number: int, above: int | None, warnings: list[AssetWarning]) -> list[PartJoint]:
    """The joint above a part, or the two of a slider that rotates."""
    child, parent = f"link_{number}", BASE if above is None else f"link_{above}"
    name = f"joint_{number}"
    element = f"joint {name!r}"
    kind = entry["joint"].choice(_KINDS)
    if kind in _STILL:
        if above is not None:
            message = f"a {kind} part below another part: taken as fixed to it"
            warnings.append(AssetWarning(entry.file, element, message, "FORMAT_ASSUMED"))
        return [PartJoint(name, "fixed", parent, child)]
    data = entry["jointData"]
    direction, origin = data["axis"]["direction"].direction(), data["axis"]["origin"].vector()
    limit = data.get("limit") or JsonValue(entry.file, f"{data.place}.limit", {})
    limits = _limits(limit)
    if kind == "hinge":
        if _is_set(limit, "noLimit"):
            return [PartJoint(name, "continuous", parent, child, direction, origin)]
        if limits is not None:
            limits = radians(*limits, entry.file, element, warnings)
        return [PartJoint(name, "revolute", parent, child, direction, origin, limits)]
    if not _is_set(limit, "rotates"):
        return [PartJoint(name, "prismatic", parent, child, direction, origin, limits)]
    warnings.append(AssetWarning(entry.file, element, _about_rotation(limit), "FORMAT_ASSUMED"))
    helper = f"{child}_helper"
    return [
        PartJoint(f"{name}_slide", "prismatic", parent, helper, direction, origin, limits),
        PartJoint(name, "continuous", helper, child, direction, origin),
    ]


def _is_set(limit: JsonValue, key: str) -> bool:
    value = limit.get(key)
    return value is not None and value.flag()


def _limits(limit: JsonValue) -> tuple[float, float] | None:
    """The two ends in the units of the file, None where they are not given."""
    if _is_set(limit, "noLimit"):
        return -math.inf, math.inf
    if limit.get("a") is None or limit.get("b") is None:
        return None
    a, b = limit["a"].number(), limit["b"].number()
    return min(a, b), max(a, b)


def _about_rotation(limit: JsonValue) -> str:
    message = "a slider that rotates: a slide and a free turn about the same axis, two joints"
    bound = limit.get("rotationLimit")
    if bound is not None and bound.number() != 0:
        message += f" (rotationLimit {bound.number():g} is not applied, as in PartNet's own URDF)"
    return message
