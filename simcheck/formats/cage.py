"""CAGE and SINGAPO: the object JSON with its ``diffuse_tree`` (or ``arti_tree``) of parts.

Axes and origins are in the frame of the object at rest, not of the parent part; y is up. A revolute range is in
degrees, a prismatic or screw range in the object's units, ``[0, upper]`` with an upper end that may be negative. A
continuous joint turns without end whatever its range says. A screw has a range along its axis but no pitch: nothing
says how far it turns, so it is read as prismatic, with a warning. Bodies come from the boxes (``aabb``), not from the
meshes (``plys``).
"""

from __future__ import annotations

from simcheck.errors import AssetError, AssetWarning
from simcheck.formats.assembly import Part, PartJoint, assemble, read_box
from simcheck.formats.degrees import radians
from simcheck.formats.json_value import JsonValue
from simcheck.formats.numbered import by_number, parent_of
from simcheck.formats.source import Reading, Source

_KINDS = ("fixed", "revolute", "continuous", "prismatic", "screw")


def read(source: Source) -> Reading:
    """The tree of parts of a CAGE or SINGAPO object."""
    nodes = by_number(_nodes(source.json))
    names = {number: f"{_label(node)}_{number}" for number, node in nodes.items()}
    parents = {number: parent_of(node, nodes) for number, node in nodes.items()}
    warnings = [
        AssetWarning(source.file, "frame", "y is up in CAGE and SINGAPO files: --up y turns it to z", "FORMAT_ASSUMED")
    ]
    warnings += _about_children(nodes, parents)
    parts, joints = [], []
    for number, node in nodes.items():
        box, parent = node.get("aabb"), parents[number]
        parts.append(Part(names[number], None if box is None else read_box(box)))
        if parent is None:
            warnings += _about_root(node, names[number])
        else:
            joints.append(_joint(node["joint"], names[parent], names[number], warnings))
    return assemble(source, _object_name(source), parts, joints, warnings)


def _nodes(root: JsonValue) -> list[JsonValue]:
    tree = root.get("diffuse_tree") or root.get("arti_tree")
    if tree is None:
        raise AssetError(
            root.file, "no diffuse_tree and no arti_tree: not a CAGE or SINGAPO object", code="FORMAT_EMPTY"
        )
    if isinstance(tree.raw, dict) or not any(isinstance(n.raw, dict) and "joint" in n.raw for n in tree.items()):
        raise tree.error(
            "a graph of parts without joints: the input of CAGE and SINGAPO, not an object",
            "Pass the object JSON that the method writes.",
        )
    return tree.items()


def _label(node: JsonValue) -> str:
    name = node.get("name")
    return "part" if name is None else name.text()


def _object_name(source: Source) -> str:
    meta = source.json.get("meta")
    category = None if meta is None else meta.get("obj_cat")
    return source.path.stem if category is None else category.text()


def _joint(joint: JsonValue, parent: str, child: str, warnings: list[AssetWarning]) -> PartJoint:
    name, kind = f"{child}_joint", joint["type"].choice(_KINDS)
    if kind == "fixed":
        return PartJoint(name, kind, parent, child)
    element = f"joint {name!r}"
    if kind == "screw":
        message = "a screw without pitch: how far it turns is not in the file; read as prismatic along its axis"
        warnings.append(AssetWarning(joint.file, element, message, "FORMAT_ASSUMED"))
        kind = "prismatic"
    direction, origin = joint["axis"]["direction"].direction(), joint["axis"]["origin"].vector()
    limits = None if kind == "continuous" else _limits(joint, kind, element, warnings)
    return PartJoint(name, kind, parent, child, direction, origin, limits)


def _limits(joint: JsonValue, kind: str, element: str, warnings: list[AssetWarning]) -> tuple[float, float] | None:
    given = joint.get("range")
    if given is None:
        return None
    first, second = given.vector(2)
    if first != 0:
        message = f"its range starts at {first:g}, though the format's always starts at 0: taken as written"
        warnings.append(AssetWarning(joint.file, element, message, "FORMAT_ASSUMED"))
    lower, upper = min(first, second), max(first, second)
    return radians(lower, upper, joint.file, element, warnings) if kind == "revolute" else (lower, upper)


def _about_root(node: JsonValue, name: str) -> list[AssetWarning]:
    joint = node.get("joint")
    kind = "fixed" if joint is None else joint["type"].choice(_KINDS)
    return (
        []
        if kind == "fixed"
        else [AssetWarning(node.file, f"link {name!r}", f"a root with a {kind} joint: ignored", "FORMAT_CONTRADICTION")]
    )


def _about_children(nodes: dict[int, JsonValue], parents: dict[int, int | None]) -> list[AssetWarning]:
    """The tree is that of ``parent``; a ``children`` that says otherwise is ignored."""
    below: dict[int | None, set[int]] = {}
    for number, parent in parents.items():
        below.setdefault(parent, set()).add(number)
    listed = {number: node.get("children") for number, node in nodes.items()}
    return [
        AssetWarning(
            children.file,
            children.place,
            "it disagrees with the parents that the parts name: ignored",
            "FORMAT_CONTRADICTION",
        )
        for number, children in listed.items()
        if children is not None and {c.integer() for c in children.items()} != below.get(number, set())
    ]
