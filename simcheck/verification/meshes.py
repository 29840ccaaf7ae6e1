"""The mesh files of a URDF: there, readable by the simulator, closed, the right way out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from simcheck.asset.bodies import file_moments
from simcheck.asset.mesh_files import MeshProblem, find_mesh
from simcheck.asset.model import ArticulatedObject
from simcheck.asset.shapes import Shape, body_role, shapes_of
from simcheck.verification.finding import Finding, finding

_PYBULLET_READS = (".obj", ".stl", ".dae", ".cdf")
_ONLY_FOR_MASS = ("MESH_HOLES", "MESH_OPEN")  # info where no mass is computed from the mesh


def mesh_findings(raw: etree._Element, obj: ArticulatedObject) -> Iterator[Finding]:
    """Findings about every mesh of every link, each file once a link and role."""
    for link in obj.links:
        for role in ("visual", "collision"):
            used = obj.links[link].inertial is None and body_role(obj, link) == role
            meshes = {shape.filename: shape for shape in shapes_of(obj, link, role) if shape.kind == "mesh"}
            for shape in meshes.values():
                yield from _mesh(obj, shape, f"link {link!r} {role}", for_mass=used)
    for mesh in raw.iter("mesh"):
        owner, scale = next(mesh.iterancestors("link"), None), mesh.get("scale", "")
        if owner is not None and len(scale.split()) == 1:
            element, message = (
                f"link {owner.get('name')!r}",
                f"the mesh {mesh.get('filename')} has a scale of one number",
            )
            yield finding("MESH_SCALE_SINGLE", element, message, attribute="mesh scale", value=scale)


def _mesh(obj: ArticulatedObject, shape: Shape, element: str, *, for_mass: bool) -> Iterator[Finding]:
    name = shape.filename
    if Path(name).suffix.lower() not in _PYBULLET_READS:
        yield finding("MESH_FORMAT", element, f"PyBullet does not read {name}", attribute="mesh filename", value=name)
    if math.prod(shape.dimensions) < 0:
        scale = " ".join(f"{x:g}" for x in shape.dimensions)
        yield finding(
            "MESH_MIRRORED", element, f"the scale {scale} mirrors {name}", attribute="mesh scale", value=scale
        )
    try:
        path = find_mesh(name, obj.folder, obj.options.packages)
        moments = file_moments(path, tuple(abs(float(x)) for x in shape.dimensions))
    except MeshProblem as problem:
        yield finding(problem.code, element, str(problem), attribute="mesh filename", value=name)
        return
    if moments is None:
        message = f"mesh {path.name} has no volume and no area"
        yield finding("MESH_EMPTY", element, message, attribute="mesh filename", value=name)
        return
    for code, words in zip(moments.faults, moments.steps, strict=True):
        severity = "info" if code in _ONLY_FOR_MASS and not for_mass else ""
        yield finding(code, element, f"mesh {name}: {words}", attribute="mesh filename", value=name, severity=severity)
