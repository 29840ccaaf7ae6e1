"""One object of another library in the suite's form: plain unique names, masses on every part, its own mesh files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path

from lxml import etree

from simcheck.asset import ArticulatedObject, ObjectJoint
from simcheck.asset.mesh_files import MeshProblem, find_mesh, load_mesh
from simcheck.asset.model import Inertial, Link

_KEPT_FORMATS = (".obj", ".stl", ".dae")  # what PyBullet and most loaders read


@dataclass(frozen=True)
class Change:
    """What was done to a file on import, and where."""

    kind: str  # read, name, inertial, mesh, shape, state
    element: str
    message: str


@dataclass
class NormalForm:
    """An object in the form of the suite, the mesh files that it needs, and what was changed on the way."""

    object: ArticulatedObject
    meshes: dict[str, bytes] = field(default_factory=dict)  # file name -> content
    mesh_names: dict[str, str] = field(default_factory=dict)  # name in the source -> name in `meshes`
    changes: list[Change] = field(default_factory=list)

    def note(self, kind: str, element: str, message: str) -> None:
        """Record a change."""
        self.changes.append(Change(kind, element, message))


def normal_form(obj: ArticulatedObject) -> NormalForm:
    """The object with plain names, with an inertial wherever one can be had, and with its meshes collected."""
    form = NormalForm(obj)
    for warning in obj.warnings:
        form.note("read", warning.element, warning.message)
    form.object = _with_inertials(form)  # before names change: bodies are cached by name
    form.object = _with_meshes(form)
    form.object = _with_plain_names(form)
    return form


def _with_inertials(form: NormalForm) -> ArticulatedObject:
    obj, links = form.object, {}
    for name, link in obj.links.items():
        links[name] = link
        if link.inertial is None:
            found = obj.link_body(name)
            if found.body is not None:
                body = found.body
                links[name] = replace(link, inertial=Inertial(float(body.mass), body.com, body.inertia))
                cause = link.inertial_problem or "no <inertial>"
                message = f"{cause}: filled from its {found.source} geometry at {obj.options.density:g} kg/m^3"
                form.note("inertial", f"link {name!r}", message)
    return replace(obj, links=links)


# --- meshes ------------------------------------------------------------------------------------------------------


def _with_meshes(form: NormalForm) -> ArticulatedObject:
    obj = form.object
    links = {name: replace(link, source=_usable_shapes(form, link)) for name, link in obj.links.items()}
    return replace(obj, links=links)


def _usable_shapes(form: NormalForm, link: Link) -> etree._Element | None:
    """The link's shapes without those whose mesh cannot be had; the others' files are collected."""
    if link.source is None:
        return None
    kept = etree.Element("link", name=link.name)
    for shape in link.source:
        solid = shape.find("geometry")[0]
        if solid.tag == "mesh" and not _collect(form, solid.get("filename"), f"link {link.name!r} {shape.tag}"):
            continue
        kept.append(deepcopy(shape))
    return kept


def _collect(form: NormalForm, filename: str, element: str) -> bool:
    """Take a mesh file along; False, with a note, where it cannot be used."""
    if filename in form.mesh_names:
        return bool(form.mesh_names[filename])
    form.mesh_names[filename] = ""
    obj = form.object
    try:
        path = find_mesh(filename, obj.folder, obj.options.packages)
        mesh = load_mesh(path)
        data, suffix = path.read_bytes(), path.suffix.lower()
        if suffix not in _KEPT_FORMATS:
            data, suffix = mesh.export(file_type="obj", include_texture=False).encode(), ".obj"
            form.note("mesh", element, f"{filename}: converted to OBJ, which every loader reads")
    except MeshProblem as problem:
        form.note("shape", element, f"left out: {problem}")
        return False
    form.mesh_names[filename] = _stored(form, plain_name(path.stem) + suffix, data)
    return True


def _stored(form: NormalForm, name: str, data: bytes) -> str:
    """A name for the content among the meshes: the same content under one name only."""
    for known, content in form.meshes.items():
        if content == data and Path(known).suffix == Path(name).suffix:
            return known
    stem, suffix = Path(name).stem, Path(name).suffix
    unique, number = name, 2
    while unique in form.meshes:
        unique, number = f"{stem}_{number}{suffix}", number + 1
    form.meshes[unique] = data
    return unique


# --- names -------------------------------------------------------------------------------------------------------


def plain_name(name: str) -> str:
    """A name of ASCII letters, digits and underscores that starts with a letter."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9]+", "_", ascii_name).strip("_")
    return plain if plain[:1].isalpha() else f"n_{plain}" if plain else "unnamed"


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Plain names for all names, unique; a name that is plain already keeps it."""
    names = list(names)
    taken = {name for name in names if plain_name(name) == name}
    found = {name: name for name in taken}
    for name in names:
        if name in found:
            continue
        unique, number = plain_name(name), 2
        while unique in taken:
            unique, number = f"{plain_name(name)}_{number}", number + 1
        taken.add(unique)
        found[name] = unique
    return found


def _with_plain_names(form: NormalForm) -> ArticulatedObject:
    obj = form.object
    links = plain_names(obj.links)
    joints = plain_names(name for j in obj.joints for name in (j.name, *j.members))
    robot = plain_name(obj.name)
    renamed = [("link", links), ("joint", joints), ("robot", {obj.name: robot})]
    for what, names in renamed:
        for old, new in names.items():
            if old != new:
                form.note("name", f"{what} {old!r}", f"renamed to {new!r}")
    return replace(
        obj,
        name=robot,
        root=links[obj.root],
        links={links[name]: replace(link, name=links[name]) for name, link in obj.links.items()},
        joints=tuple(_renamed(joint, links, joints) for joint in obj.joints),
    )


def _renamed(joint: ObjectJoint, links: Mapping[str, str], joints: Mapping[str, str]) -> ObjectJoint:
    mimic = joint.mimic
    if mimic is not None:
        mimic = replace(mimic, leader=joints.get(mimic.leader, plain_name(mimic.leader)))
    members = tuple(joints[m] for m in joint.members)
    return replace(
        joint,
        name=joints[joint.name],
        parent=links[joint.parent],
        child=links[joint.child],
        members=members,
        mimic=mimic,
    )
