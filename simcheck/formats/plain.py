"""Plain JSON: a documented format of our own for methods that have none, version 1.

::

    {
      "format": "simcheck",
      "version": 1,
      "angle": "deg",
      "name": "cabinet",
      "links": [
        {"name": "body", "box": {"center": [0, 0, 0.5], "size": [1, 0.6, 1]}},
        {"name": "door"}
      ],
      "joints": [
        {"name": "hinge", "kind": "revolute", "parent": "body", "child": "door",
         "axis": [0, 0, 1], "origin": [0.5, 0.3, 0.5], "lower": 0, "upper": 90}
      ]
    }

``format``, ``version``, ``angle`` and ``joints`` are required. Everything is in one right-handed frame, that of the
object at rest (every coordinate 0), in metres; ``angle`` (``deg`` or ``rad``) is the unit of the limits of revolute and
helical joints.

- ``kind``: revolute, continuous, prismatic, helical or fixed. Every kind but fixed has ``axis`` (need not be of unit
  length) and ``origin``, a point on it (a prismatic joint may leave it out). A helical joint has ``pitch``, metres per
  **radian** whatever ``angle`` says, right-handed positive.
- ``lower``, ``upper``: limits, numbers or ``"inf"`` and ``"-inf"``. Leave both out where they are not known. A
  continuous joint has none.
- ``parent``, ``child``: links. Either every joint has them, and they form one tree, or none has: then the file is a
  list of joints without a tree, and only the relaxed tree distance is given.
- ``links``: optional, in a tree only. A ``box`` gives the link a body; without it a link has no mass.

Unknown keys are refused, so that a misspelt one is not lost.
"""

from __future__ import annotations

import math

from simcheck.formats.assembly import BASE, Part, PartJoint, assemble, assemble_list, read_box, read_origin
from simcheck.formats.json_value import JsonValue
from simcheck.formats.source import Reading, Source

VERSION = 1
_ROOT_KEYS = ("format", "version", "angle", "name", "links", "joints")
_EVERY_KEY = ("name", "kind", "parent", "child")
_KEYS = {
    "revolute": (*_EVERY_KEY, "axis", "origin", "lower", "upper"),
    "continuous": (*_EVERY_KEY, "axis", "origin"),
    "prismatic": (*_EVERY_KEY, "axis", "origin", "lower", "upper"),
    "helical": (*_EVERY_KEY, "axis", "origin", "lower", "upper", "pitch"),
    "fixed": _EVERY_KEY,
}
_INFINITE = {"inf": math.inf, "-inf": -math.inf}


def read(source: Source) -> Reading:
    """The joints of a plain JSON file."""
    root = source.json
    root.only(_ROOT_KEYS)
    root["format"].choice(("simcheck",))
    version = root["version"].integer()
    if version != VERSION:
        raise root["version"].error(f"version {VERSION} expected, got {version}")
    in_degrees = root["angle"].choice(("deg", "rad")) == "deg"
    name, links, entries = root.get("name"), root.get("links"), root["joints"].items()
    title = source.path.stem if name is None else name.text()
    if not entries or any(e.get("parent") is not None or e.get("child") is not None for e in entries):
        joints = [_joint(e, e["parent"].text(), e["child"].text(), in_degrees) for e in entries]
        parts = [_part(entry) for entry in ([] if links is None else links.items())]
        return assemble(source, title, [*parts, *_unlisted(parts, joints)], joints)
    if links is not None:
        raise links.error("links without a tree", "Give every joint its parent and child, or leave the links out.")
    joints = [_joint(e, BASE, f"{e['name'].text()}_part", in_degrees) for e in entries]
    return assemble_list(source, title, joints)


def _part(entry: JsonValue) -> Part:
    entry.only(("name", "box"))
    box = entry.get("box")
    if box is not None:
        box.only(("center", "size"))
    return Part(entry["name"].text(), None if box is None else read_box(box))


def _unlisted(parts: list[Part], joints: list[PartJoint]) -> list[Part]:
    """The links that only the joints name; a file without any joint still has one link."""
    listed = {part.name for part in parts}
    named = dict.fromkeys(link for joint in joints for link in (joint.parent, joint.child))
    return [Part(link) for link in named if link not in listed] or ([] if parts else [Part(BASE)])


def _joint(entry: JsonValue, parent: str, child: str, in_degrees: bool) -> PartJoint:
    name, kind = entry["name"].text(), entry["kind"].choice(_KEYS)
    entry.only(_KEYS[kind], f"a {kind} joint")
    if kind == "fixed":
        return PartJoint(name, kind, parent, child)
    origin = read_origin(entry, "origin", kind)
    return PartJoint(
        name,
        kind,
        parent,
        child,
        entry["axis"].direction(),
        origin,
        _limits(entry, in_degrees and kind != "prismatic"),
        entry["pitch"].number() if kind == "helical" else 0.0,
    )


def _limits(entry: JsonValue, in_degrees: bool) -> tuple[float, float] | None:
    if entry.get("lower") is None and entry.get("upper") is None:
        return None
    lower, upper = (_end(entry[key]) for key in ("lower", "upper"))
    return (math.radians(lower), math.radians(upper)) if in_degrees else (lower, upper)


def _end(value: JsonValue) -> float:
    return _INFINITE[value.raw] if value.raw in ("inf", "-inf") else value.number()
