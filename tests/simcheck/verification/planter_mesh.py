"""Planted faults of mesh files. Objects need not have meshes: a visual shape is replaced by one, box for box."""

from __future__ import annotations

import numpy as np
import trimesh
from lxml import etree
from planter_geometry import box_of, link_volume, size_of, solids
from planter_model import Urdf, numbers
from planter_plant import Plant, by_text, expect, kind, link

_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 123\n"


def box_mesh(edges, *, scale: float = 1.0, flipped: bool = False, open_: bool = False) -> bytes:
    mesh = trimesh.creation.box(np.asarray(edges) * scale)
    if flipped:
        mesh.invert()
    if open_:
        mesh.update_faces(np.arange(len(mesh.faces)) >= 2)
    return mesh.export(file_type="obj").encode()


def _box_link(
    urdf: Urdf, random: np.random.Generator, role: str = "visual"
) -> tuple[str, etree._Element, np.ndarray] | None:
    """A link with a box among its shapes of a role: its name, the <geometry> in a copy, the edges."""
    found = [(n, s) for n, e in urdf.links.items() for s in e.findall(role) if s.find("geometry/box") is not None]
    if not found:
        return None
    name, shape = found[int(random.integers(len(found)))]
    return name, shape.find("geometry"), numbers(shape.find("geometry/box").get("size"))


def _with_mesh(urdf: Urdf, random: np.random.Generator, filename: str, scale: str = "1 1 1", role: str = "visual"):
    """A copy in which a box is a mesh: the copy, the link's name, the edges."""
    planted = urdf.copy()
    found = _box_link(planted, random, role)
    if found is None:
        return None
    name, geometry, edges = found
    geometry.clear()
    etree.SubElement(geometry, "mesh", filename=filename, scale=scale)
    return planted, name, edges


@kind("39 mesh missing")
def mesh_missing(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    role = str(random.choice(["visual", "collision"]))
    found = _with_mesh(urdf, random, "no_such_file.obj", role=role)
    if found is None:
        return None
    return by_text(found[0], "F+S", expect("MESH_MISSING", f"{link(found[1])} {role}"))


@kind("40 mesh a pointer, empty or glb")
def mesh_unusable(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name, content, codes = [
        ("pointer.obj", _POINTER, "MESH_POINTER"),
        ("empty.obj", b"", "MESH_EMPTY MESH_UNREADABLE"),
        ("other.glb", b"glTF\x02\x00\x00\x00", "MESH_FORMAT"),
    ][int(random.integers(3))]
    found = _with_mesh(urdf, random, name)
    if found is None:
        return None
    return by_text(found[0], "F+S", expect(codes, f"{link(found[1])} visual"), {name: content})


@kind("41 mesh mirrored")
def mesh_mirrored(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    found = _with_mesh(urdf, random, "box.obj", "-1 1 1")
    if found is None:
        return None
    planted, name, edges = found
    return by_text(planted, "F", expect("MESH_MIRRORED", f"{link(name)} visual"), {"box.obj": box_mesh(edges)})


@kind("42 mesh inside out or open")
def mesh_not_closed(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    found = _with_mesh(urdf, random, "box.obj")
    if found is None:
        return None
    planted, name, edges = found
    flipped = bool(random.integers(2))
    codes = "MESH_INSIDE_OUT" if flipped else "MESH_OPEN MESH_HOLES"
    files = {"box.obj": box_mesh(edges, flipped=flipped, open_=not flipped)}
    return by_text(planted, "F", expect(codes, f"{link(name)} visual"), files)


@kind("43 mesh in millimetres")
def mesh_in_millimetres(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    """The mesh is drawn in millimetres; its scale 0.001 is left out."""
    found = _with_mesh(urdf, random, "box.obj")
    if found is None:
        return None
    planted, name, edges = found
    volume = link_volume(urdf, name)
    mass = float(m.get("value")) if (m := urdf.links[name].find("inertial/mass")) is not None else 0.0
    # What is stated of the file: the box itself 1,000 times as large, all else as it was.
    grown = (volume - float(np.prod(edges))) + float(np.prod(1000 * edges)) if volume else 0.0
    others = box_of([s for s in solids(urdf, "visual") if s.link != name])
    rest = float(np.linalg.norm(others[1] - others[0])) if others is not None else 0.0
    seen = set()
    if grown and mass and not 1 <= mass / grown <= 25_000:
        seen.add("DENSITY")
    if max(1000 * edges) > 100 + size_of(urdf):
        seen.add("UNIT_SIZE")
    if rest and max(1000 * edges) > 20 * rest:
        seen.add("LINK_OVERSIZED")
    files = {"box.obj": box_mesh(edges, scale=1000)}
    if not seen:
        return by_text(planted, "N", expect(""), files)
    return by_text(planted, "G", expect(" ".join(seen), link(name), "robot"), files)
