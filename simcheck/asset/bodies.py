"""The body that each joint moves, and every fallback on the way to its inertia (SPEC section 3)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from metric import Body
from simcheck.asset.mesh_files import MeshProblem, find_mesh, load_mesh
from simcheck.asset.mesh_moments import MeshMoments, mesh_moments
from simcheck.asset.model import ArticulatedObject, FloatArray, Link, LinkBody, MovedBody, ObjectJoint, inertia_fault
from simcheck.asset.shapes import Shape, body_from_moments, primitive_moments, shapes_of
from simcheck.errors import AssetWarning


def moved_body(obj: ArticulatedObject, joint: ObjectJoint) -> MovedBody:
    """The moved body of a joint: child link and everything welded to it, or its whole subtree."""
    links = obj.downstream(joint.child) if obj.options.body == "subtree" else obj.welded(joint.child)
    return _combined(obj, joint, links)


def _combined(obj: ArticulatedObject, joint: ObjectJoint, links: tuple[str, ...]) -> MovedBody:
    parts = [obj.link_body(link) for link in links]
    warnings = tuple(w for part in parts for w in part.warnings)
    solid = [part for part in parts if part.body is not None]
    if not solid:
        return _carried(obj, joint, links, parts, warnings)
    body = Body.combine([part.body for part in solid if part.body is not None])
    sources = {part.source for part in solid}
    volumes = [part.volume for part in solid if part.volume is not None]
    return MovedBody(
        links,
        body,
        sources.pop() if len(sources) == 1 else "mixed",
        sum(volumes) if volumes else None,
        "",
        warnings + _unusual_tensor(obj, joint, body),
    )


def _carried(
    obj: ArticulatedObject,
    joint: ObjectJoint,
    links: tuple[str, ...],
    parts: list[LinkBody],
    warnings: tuple[AssetWarning, ...],
) -> MovedBody:
    """A massless helper stands for what it carries: the moved bodies of the joints directly below it."""
    below = [j for link in links for j in obj.joints_below.get(link, ()) if not j.motion.exactly_fixed]
    if all(not part.reason for part in parts) and below:
        inner = [_combined(obj, j, obj.welded(j.child)) for j in below]
        solid = [m.body for m in inner if m.body is not None]
        warnings += tuple(w for m in inner for w in m.warnings)
        if solid:
            reached = (*links, *(link for m in inner for link in m.links))
            return MovedBody(reached, Body.combine(solid), "carried", None, "", warnings)
    reasons = [part.reason for part in parts if part.reason]
    missing = f"link {links[0]!r} has neither a usable <inertial> nor geometry" if not reasons else "; ".join(reasons)
    return MovedBody(links, None, None, None, f"{obj.file}: {joint.element}: no body: {missing}", warnings)


def _unusual_tensor(obj: ArticulatedObject, joint: ObjectJoint, body: Body) -> tuple[AssetWarning, ...]:
    if np.all(body.is_physical):
        return ()
    moments = np.linalg.eigvalsh(body.inertia)
    return (
        AssetWarning(
            obj.file,
            joint.element,
            "the inertia of its moved body breaks the triangle inequality of the principal moments "
            f"({moments[0]:.4g} + {moments[1]:.4g} < {moments[2]:.4g}): no body has it. E_B uses it as written, "
            "d, material points and the bound use the nearest possible one (PyBullet sets it to zero)",
            "INERTIA_TRIANGLE",
            "inertia",
        ),
    )


def link_body(obj: ArticulatedObject, link: Link) -> LinkBody:
    """Body of one link by the object's inertia policy: inertial, else visual, else collision geometry."""
    policy = obj.options.inertia
    element = f"link {link.name!r}"
    if policy != "mesh" and link.inertial is not None:
        return LinkBody(link.inertial.body, "inertial", warnings=_inertial_warnings(obj, link))
    reason = f"link {link.name!r}: {link.inertial_problem}" if link.inertial_problem else ""
    if policy == "urdf":
        return LinkBody(None, reason=reason or f"link {link.name!r} has no <inertial>")
    shaped = geometry_body(obj, link)
    if shaped.body is None:
        return LinkBody(None, reason="; ".join(r for r in (reason, shaped.reason) if r), warnings=shaped.warnings)
    if policy == "auto":
        cause = link.inertial_problem or "it has no <inertial>"
        message = f"{cause}: mass from its {shaped.source} geometry at {obj.options.density:g} kg/m^3"
        note = AssetWarning(obj.file, element, message, "INERTIAL_MISSING", "inertial")
        return LinkBody(shaped.body, shaped.source, shaped.volume, "", (note, *shaped.warnings))
    return shaped


def _inertial_warnings(obj: ArticulatedObject, link: Link) -> tuple[AssetWarning, ...]:
    assert link.inertial is not None
    element = f"link {link.name!r}"
    if not link.inertial.inertia.any():
        return (AssetWarning(obj.file, element, "zero inertia: taken as a point mass", "INERTIA_ZERO", "inertia"),)
    moments = np.linalg.eigvalsh(link.inertial.inertia)
    if inertia_fault(moments):
        return (
            AssetWarning(
                obj.file,
                element,
                "its inertia breaks the triangle inequality of the principal moments "
                f"({moments[0]:.4g} + {moments[1]:.4g} < {moments[2]:.4g}); PyBullet sets such a tensor to zero",
                "INERTIA_TRIANGLE",
                "inertia",
            ),
        )
    return ()


def geometry_body(obj: ArticulatedObject, link: Link) -> LinkBody:
    """Uniform density over the visual shapes, else over the collision shapes."""
    warnings: list[AssetWarning] = []
    reasons: list[str] = []
    for role in ("visual", "collision"):
        shapes = shapes_of(obj, link.name, role)
        bodies, volume, problems, notes = _solid(obj, link, shapes)
        warnings += notes
        reasons += [problem.message for problem in problems]
        if bodies:
            warnings += problems
            return LinkBody(_joined(bodies), role, volume, "", tuple(warnings))
    return LinkBody(None, reason="; ".join(dict.fromkeys(reasons)), warnings=tuple(warnings))


def _solid(
    obj: ArticulatedObject, link: Link, shapes: tuple[Shape, ...]
) -> tuple[list[Body], float, list[AssetWarning], list[AssetWarning]]:
    """Bodies of the shapes, their volume, what could not be used, and what had to be done to use the others.

    The primitives are one batch: a link may have a hundred of them.
    """
    bodies: list[Body] = []
    primitives: list[tuple[float, FloatArray, FloatArray]] = []
    total = 0.0
    problems: list[AssetWarning] = []
    notes: list[AssetWarning] = []
    element = f"link {link.name!r}"
    for shape in shapes:
        if shape.kind != "mesh":
            volume, second = primitive_moments(shape)
            if volume > 0:
                primitives.append((obj.options.density * volume, second, shape.pose))
                total += volume
            continue
        try:
            moments = _mesh_moments(obj, shape)
        except MeshProblem as problem:
            problems.append(
                AssetWarning(obj.file, element, f"{element}: {problem}", problem.code, "mesh", shape.filename)
            )
            continue
        if moments is None:
            message = f"{element}: mesh {shape.filename} has no volume and no area"
            problems.append(AssetWarning(obj.file, element, message, "MESH_EMPTY", "mesh", shape.filename))
            continue
        body, moments_of_mesh = moments
        bodies.append(body)
        total += moments_of_mesh.volume
        if moments_of_mesh.faults:
            message = f"mesh {shape.filename}: {'; '.join(moments_of_mesh.steps)}"
            code = next(iter(moments_of_mesh.faults))
            notes.append(AssetWarning(obj.file, element, message, code, "mesh", shape.filename))
    if primitives:
        bodies.append(body_from_moments(*(np.array(values) for values in zip(*primitives, strict=True))))
    return bodies, total, problems, notes


def _joined(bodies: list[Body]) -> Body:
    """One rigid body of several, each of which may be a batch (parallel-axis theorem)."""
    masses = np.concatenate([np.atleast_1d(body.mass) for body in bodies])
    coms = np.concatenate([np.reshape(body.com, (-1, 3)) for body in bodies])
    inertias = np.concatenate([np.reshape(body.inertia, (-1, 3, 3)) for body in bodies])
    mass = masses.sum()
    com = masses @ coms / mass
    offset = coms - com
    square = np.einsum("ni,ni->n", offset, offset)[:, None, None] * np.eye(3)
    steiner = masses[:, None, None] * (square - offset[:, :, None] * offset[:, None, :])
    return Body(mass, com, (inertias + steiner).sum(axis=0))


def file_moments(path: Path, scale: tuple[float, ...]) -> MeshMoments | None:
    """Moments of a mesh file at a scale; None where there is no material, `MeshProblem` if it is no mesh."""
    return _file_moments(path, path.stat().st_mtime_ns, scale)


@lru_cache(maxsize=256)
def _file_moments(path: Path, _modified: int, scale: tuple[float, ...]) -> MeshMoments | None:
    mesh = load_mesh(path)
    scaled = mesh.copy()
    scaled.vertices = mesh.vertices * np.array(scale)
    return mesh_moments(scaled)


def _mesh_moments(obj: ArticulatedObject, shape: Shape) -> tuple[Body, MeshMoments] | None:
    path = find_mesh(shape.filename, obj.folder, obj.options.packages)
    moments = file_moments(path, tuple(float(x) for x in shape.dimensions))
    if moments is None:
        return None
    mass = obj.options.density * moments.volume
    sigma = moments.second / moments.volume
    body = Body(mass, moments.centroid, mass * (np.trace(sigma) * np.eye(3) - sigma))
    return body.transformed(shape.pose), moments
