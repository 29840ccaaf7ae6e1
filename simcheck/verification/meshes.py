"""The mesh files of a URDF: there, readable by the simulator, closed, the right way out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lxml import etree

from simcheck.asset.mesh_files import MeshProblem, find_mesh, load_mesh
from simcheck.asset.mesh_moments import mesh_moments
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
        faults = _faults(path, path.stat().st_mtime_ns)
    except MeshProblem as problem:
        yield finding(problem.code, element, str(problem), attribute="mesh filename", value=name)
        return
    for code, words in faults:
        severity = "info" if code in _ONLY_FOR_MASS and not for_mass else ""
        yield finding(code, element, f"mesh {name}: {words}", attribute="mesh filename", value=name, severity=severity)


@lru_cache(maxsize=256)
def _faults(path: Path, _modified: int) -> tuple[tuple[str, str], ...]:
    """Code and words of each thing that the mesh needs before it has a volume."""
    moments = mesh_moments(load_mesh(path))
    if moments is None:
        raise MeshProblem(f"mesh {path.name} has no volume and no area", "MESH_EMPTY")
    return tuple(zip(moments.faults, moments.steps, strict=True))
