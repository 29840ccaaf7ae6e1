"""From parts and joints in one common frame to a clean URDF tree, through the same checks as a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lxml import etree

from simcheck.asset.normalise import normalise_text
from simcheck.errors import AssetError, AssetWarning
from simcheck.formats.json_value import JsonValue, shown
from simcheck.formats.source import Reading, Source

BASE = "base"


@dataclass(frozen=True)
class Box:
    """Axis-aligned box of a part at rest, in the frame that all parts share, m."""

    center: tuple[float, ...]
    size: tuple[float, ...]


def read_box(value: JsonValue) -> Box:
    """A box from ``{"center": [x, y, z], "size": [x, y, z]}``."""
    size = value["size"].vector()
    if min(size) < 0:
        raise value["size"].error(f"a size must not be negative, got {shown(value['size'].raw)}")
    return Box(value["center"].vector(), size)


def read_origin(entry: JsonValue, key: str, kind: str) -> tuple[float, ...]:
    """The point on the axis of a joint of some kind; a slide has no place and may leave it out."""
    value = entry.get(key) if kind == "prismatic" else entry[key]
    return (0.0, 0.0, 0.0) if value is None else value.vector()


@dataclass(frozen=True)
class Part:
    """One rigid part: a link, its geometry where the format has it."""

    name: str
    box: Box | None = None


@dataclass(frozen=True)
class PartJoint:
    """One joint with axis and origin in the frame that all parts share, at rest.

    Limits in rad or m; both None where the format gives none. Pitch in m/rad, helical only.
    """

    name: str
    kind: str  # revolute, continuous, prismatic, helical, fixed
    parent: str
    child: str
    axis: tuple[float, ...] = (1.0, 0.0, 0.0)
    origin: tuple[float, ...] = (0.0, 0.0, 0.0)
    limits: tuple[float, float] | None = None
    pitch: float = 0.0

    @property
    def element(self) -> str:
        """The joint as messages name it."""
        return f"joint {self.name!r}"


def assemble(
    source: Source,
    name: str,
    parts: Sequence[Part],
    joints: Sequence[PartJoint],
    warnings: Iterable[AssetWarning] = (),
    *,
    tree_known: bool = True,
) -> Reading:
    """The reading of a format that gives parts and joints.

    Every link frame is parallel to the common frame and sits on its joint's origin, the root's on 0: the world frame
    of the object is the frame of the file.

    Raises
    ------
    AssetError
        No tree, a name that stands twice, a joint without limits (unless `Source.limits_may_be_missing`).
    """
    without = [j for j in joints if j.limits is None and j.kind not in ("fixed", "continuous")]
    if without and not source.limits_may_be_missing:
        raise AssetError(
            source.file,
            "the file gives no limits for it",
            element=without[0].element,
            remedy="Write its limits into the file, or compare with --impute-limits gt, which takes the true ones.",
            code="LIMIT_MISSING",
        )
    clean = normalise_text(
        _urdf(name, parts, joints), source.file, source.folder, limits_may_be_missing=source.limits_may_be_missing
    )
    clean.missing_limits.update(j.name for j in without)  # the normaliser lets a screw without limits turn on
    clean.warnings[:0] = [*warnings, *(() if tree_known else (_no_tree(source),))]
    return Reading(clean, tree_known)


def assemble_list(
    source: Source, name: str, joints: Sequence[PartJoint], warnings: Iterable[AssetWarning] = ()
) -> Reading:
    """The reading of a format that lists joints without saying what hangs on what: all hang on one base link."""
    parts = [Part(BASE), *(Part(j.child) for j in joints)]
    return assemble(source, name, parts, joints, warnings, tree_known=len(joints) <= 1)


def _no_tree(source: Source) -> AssetWarning:
    message = "the file lists joints without a tree: all of them hang on one base link, the tree distance is relaxed"
    return AssetWarning(source.file, "tree", message, "FORMAT_ASSUMED")


def _urdf(name: str, parts: Sequence[Part], joints: Sequence[PartJoint]) -> bytes:
    title = "".join(character for character in name if character.isprintable())  # a file's name may hold anything
    root = etree.Element("robot", name=title or "prediction")
    frames = {joint.child: joint.origin for joint in joints}
    for part in parts:
        _append_link(root, part, frames.get(part.name, (0.0, 0.0, 0.0)))
    for joint in joints:
        _append_joint(root, joint, frames.get(joint.parent, (0.0, 0.0, 0.0)))
    return etree.tostring(root)


def _difference(a: Sequence[float], b: Sequence[float]) -> str:
    return " ".join(repr(x - y) for x, y in zip(a, b, strict=True))


def _append_link(root: etree._Element, part: Part, frame: Sequence[float]) -> None:
    link = etree.SubElement(root, "link", name=part.name)
    if part.box is not None:
        visual = etree.SubElement(link, "visual")
        etree.SubElement(visual, "origin", xyz=_difference(part.box.center, frame))
        etree.SubElement(etree.SubElement(visual, "geometry"), "box", size=" ".join(map(repr, part.box.size)))


def _append_joint(root: etree._Element, joint: PartJoint, parent_frame: Sequence[float]) -> None:
    kind = "screw" if joint.kind == "helical" else joint.kind
    element = etree.SubElement(root, "joint", name=joint.name, type=kind)
    etree.SubElement(element, "parent", link=joint.parent)
    etree.SubElement(element, "child", link=joint.child)
    etree.SubElement(element, "origin", xyz=_difference(joint.origin, parent_frame))
    if kind == "fixed":
        return
    etree.SubElement(element, "axis", xyz=" ".join(map(repr, joint.axis)))
    if joint.limits is not None:
        lower, upper = map(repr, joint.limits)
        etree.SubElement(element, "limit", lower=lower, upper=upper)
    if kind == "screw":
        etree.SubElement(element, "thread_pitch", value=repr(joint.pitch))
