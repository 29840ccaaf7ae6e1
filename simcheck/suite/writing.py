"""The files of one object: `mobility.urdf`, its meshes, `meta.json`.

Joints are written with all digits (Python's ``repr``), so that a reader gets the generator's own screws back to
rounding; solids and masses with nine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcheck.asset import ObjectJoint
from simcheck.results import limit_value, to_json
from simcheck.suite.assembly import Assembly, SuiteJoint
from simcheck.suite.builder import BOX, CYLINDER, MESH, SPHERE
from simcheck.suite.draw import Draw
from simcheck.suite.materials import Material
from simcheck.suite.meshes import MeshData

FloatArray = NDArray[np.float64]

KINDS = ("revolute", "prismatic", "continuous", "helical", "fixed")  # as manifests and summaries list them
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_EFFORT = ' effort="100" velocity="10"'


def object_files(
    assembly: Assembly, name: str, meta: Mapping[str, Any], styles: Sequence[str], *, screw_type: bool
) -> dict[str, bytes]:
    """All files of an object by their name inside its folder.

    Parameters
    ----------
    assembly
        The finished object.
    name
        Of the robot.
    meta
        What `meta.json` holds besides the joints.
    styles
        For each joint, how a continuous one is written: ``plain`` or ``effort``.
    screw_type
        Write helical joints as ``type="screw"`` with a ``<thread_pitch>`` instead of a pair of joints.
    """
    meshes = _mesh_names(assembly)
    files = {f"meshes/{file}": mesh.obj_text().encode() for mesh, file in meshes.items()}
    files["mobility.urdf"] = _urdf(assembly, name, meshes, styles, screw_type).encode()
    links = assembly.links
    records = [joint_record(j, links[j.parent], links[j.child]) for j in assembly.joints]
    files["meta.json"] = (to_json({**meta, "joints": records}) + "\n").encode()
    return files


def joint_record(joint: SuiteJoint | ObjectJoint, parent: str, child: str) -> dict[str, Any]:
    """A joint between two links as `meta.json` states it, world frame at rest."""
    moves = joint.kind != "fixed"
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": parent,
        "child": child,
        "axis_world": list(joint.axis) if moves else None,
        "origin_world": list(joint.origin) if moves else None,
        "lower": limit_value(joint.lower),
        "upper": limit_value(joint.upper),
        "pitch": joint.pitch if joint.kind == "helical" else None,
        "screw": joint.screw.tolist(),
    }


def rests_outside_limits(joints: Iterable[SuiteJoint | ObjectJoint]) -> bool:
    """Whether any of the joints rests where its limits do not let it."""
    return any(not j.lower <= 0 <= j.upper for j in joints)


def write_files(folder: Path, files: Mapping[str, bytes]) -> bytes:
    """Write the files of an object into its folder; the SHA-256 of their names and contents."""
    digest = hashlib.sha256()
    for name in sorted(files):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name])
        digest.update(name.encode() + b"\0" + files[name])
    return digest.digest()


def continuous_styles(draw: Draw, joints: int) -> list[str]:
    """Half of the continuous joints are written without ``<limit>``, half with effort and velocity only."""
    return ["effort" if draw.unit() < 0.5 else "plain" for _ in range(joints)]


def _mesh_names(assembly: Assembly) -> dict[MeshData, str]:
    names: dict[MeshData, str] = {}
    for solid in assembly.solids.sources:
        if solid.mesh is not None and solid.mesh not in names:
            names[solid.mesh] = f"{solid.mesh.label}_{len(names)}.obj"
    return names


def _urdf(
    assembly: Assembly, name: str, meshes: Mapping[MeshData, str], styles: Sequence[str], screw_type: bool
) -> str:
    lines = ['<?xml version="1.0"?>', f'<robot name="{name}">']
    materials = {s.material.name: s.material for s in assembly.solids.sources if s.visual}
    lines += [_material(m) for m in materials.values()]
    shapes = _shape_lines(assembly, meshes)
    inertials = _inertial_lines(assembly)
    for k, link in enumerate(assembly.links):
        lines += [f'  <link name="{link}">', inertials[k], *shapes[k], "  </link>"]
    places = _joint_places(assembly)
    for joint, place, rpy, style in zip(assembly.joints, places, assembly.rpys, styles, strict=True):
        origin = f'<origin xyz="{_exact(place[0])}"' + (f' rpy="{_exact(rpy)}"' if any(rpy) else "") + "/>"
        lines += _joint_lines(assembly, joint, origin, f'<axis xyz="{_exact(place[1])}"/>', style, screw_type)
    lines.append("</robot>\n")
    return "\n".join(lines)


def _material(material: Material) -> str:
    colour = " ".join(f"{c:g}" for c in (*material.colour, material.opacity))
    return f'  <material name="{material.name}"><color rgba="{colour}"/></material>'


def _inertial_lines(assembly: Assembly) -> list[str]:
    rotation = assembly.frames[:, :3, :3]
    local = np.einsum("lji,lj->li", rotation, assembly.coms - assembly.frames[:, :3, 3])
    local[np.abs(local) < 1e-12] = 0.0
    tensor = rotation.swapaxes(1, 2) @ assembly.inertias @ rotation
    scale = np.trace(tensor, axis1=1, axis2=2)[:, None, None]
    tensor[np.abs(tensor) < 1e-12 * scale] = 0.0
    lines = []
    for com, mass, t in zip(local.tolist(), assembly.masses.tolist(), tensor.tolist(), strict=True):
        moments = (t[0][0], t[0][1], t[0][2], t[1][1], t[1][2], t[2][2])
        tensor_text = " ".join(f'{name}="{value:.9g}"' for name, value in zip(_MOMENTS, moments, strict=True))
        lines.append(
            f'    <inertial><origin xyz="{_short(com)}"/><mass value="{mass:.9g}"/><inertia {tensor_text}/></inertial>'
        )
    return lines


def _shape_lines(assembly: Assembly, meshes: Mapping[MeshData, str]) -> list[list[str]]:
    """The visual and collision elements of each link."""
    solids = assembly.solids
    frames = assembly.frames[solids.link]
    rotation = frames[:, :3, :3].swapaxes(1, 2) @ solids.rotation
    centre = np.einsum("nji,nj->ni", frames[:, :3, :3], solids.centre - frames[:, :3, 3])
    centre[np.abs(centre) < 1e-12] = 0.0
    turned = np.asarray((np.abs(rotation - np.eye(3)) > 1e-12).any(axis=(1, 2))).tolist()
    angles = _rpys(rotation)
    angles[np.abs(angles) < 1e-12] = 0.0
    lines: list[list[str]] = [[] for _ in assembly.links]
    places = zip(solids.sources, centre.tolist(), angles.tolist(), turned, solids.link.tolist(), strict=True)
    for solid, xyz, rpy, is_turned, link in places:
        origin = f'<origin xyz="{_short(xyz)}"'
        if is_turned and solid.kind != SPHERE:
            origin += f' rpy="{_short(rpy)}"'
        geometry = f"{origin}/><geometry>{_geometry(solid.kind, solid.half, meshes.get(solid.mesh, ''))}</geometry>"  # type: ignore[arg-type]
        if solid.visual:
            lines[link].append(f'    <visual>{geometry}<material name="{solid.material.name}"/></visual>')
        if solid.collision:
            lines[link].append(f"    <collision>{geometry}</collision>")
    return lines


def _geometry(kind: int, half: tuple[float, float, float], file: str) -> str:
    if kind == BOX:
        return f'<box size="{_short([2 * x for x in half])}"/>'
    if kind == CYLINDER:
        return f'<cylinder radius="{half[0]:.9g}" length="{2 * half[2]:.9g}"/>'
    if kind == SPHERE:
        return f'<sphere radius="{half[0]:.9g}"/>'
    assert kind == MESH
    return f'<mesh filename="meshes/{file}"/>'


def _rpys(rotation: FloatArray) -> FloatArray:
    """Roll, pitch, yaw (n, 3) of rotation matrices; yaw first, so that nothing is lost near a pitch of 90 degrees."""
    r = rotation
    yaw = np.arctan2(r[:, 1, 0], r[:, 0, 0])
    c, s = np.cos(yaw), np.sin(yaw)
    pitch = np.arctan2(-r[:, 2, 0], c * r[:, 0, 0] + s * r[:, 1, 0])
    roll = np.arctan2(s * r[:, 0, 2] - c * r[:, 1, 2], c * r[:, 1, 1] - s * r[:, 0, 1])
    return np.stack([roll, pitch, yaw], axis=1)


def _joint_places(assembly: Assembly) -> list[tuple[list[float], list[float]]]:
    """Origin in the parent's frame and axis in its own, of each joint."""
    parents = assembly.frames[[j.parent for j in assembly.joints]] if assembly.joints else np.zeros((0, 4, 4))
    children = assembly.frames[[j.child for j in assembly.joints]] if assembly.joints else np.zeros((0, 4, 4))
    xyz = np.einsum("jki,jk->ji", parents[:, :3, :3], children[:, :3, 3] - parents[:, :3, 3])
    axes = np.array([j.axis for j in assembly.joints]).reshape(-1, 3)
    axis = np.einsum("jki,jk->ji", children[:, :3, :3], axes)
    return list(zip(xyz.tolist(), axis.tolist(), strict=True))


def _short(values: Sequence[float]) -> str:
    """Three numbers with nine digits."""
    x, y, z = values
    return f"{x:.9g} {y:.9g} {z:.9g}"


def _exact(values: Sequence[float]) -> str:
    """All digits; sums of short decimals lose their last, meaningless one."""
    return " ".join(_digits(v) for v in values)


def _digits(value: float) -> str:
    short = round(value, 15) + 0.0
    return repr(int(short)) if short.is_integer() and abs(short) < 1e6 else repr(short)


def _joint_lines(
    assembly: Assembly, joint: SuiteJoint, origin: str, axis: str, style: str, screw_type: bool
) -> list[str]:
    parent, child = assembly.links[joint.parent], assembly.links[joint.child]
    if joint.kind == "fixed":
        return [_joint(joint.name, "fixed", parent, child, origin)]
    if joint.kind == "continuous":
        limit = f"<limit{_EFFORT}/>" if style == "effort" else ""
        return [_joint(joint.name, "continuous", parent, child, origin, axis, limit, _mimic(joint))]
    limit = _limit(joint.lower, joint.upper)
    if joint.kind != "helical":
        return [_joint(joint.name, joint.kind, parent, child, origin, axis, limit, _mimic(joint))]
    if screw_type:
        pitch = f'<thread_pitch value="{_digits(joint.pitch)}"/>'
        return [_joint(joint.name, "screw", parent, child, origin, axis, limit, pitch)]
    helper, ends = f"{joint.name}_helper", sorted((joint.pitch * joint.lower, joint.pitch * joint.upper))
    follow = f'<mimic joint="{joint.name}" multiplier="{_digits(joint.pitch)}" offset="0"/>'
    return [
        f'  <link name="{helper}"/>',
        _joint(joint.name, "revolute", parent, helper, origin, axis, limit),
        _joint(f"{joint.name}_feed", "prismatic", helper, child, "", axis, _limit(ends[0], ends[1]), follow),
    ]


def _limit(lower: float, upper: float) -> str:
    return f'<limit lower="{_digits(lower)}" upper="{_digits(upper)}"{_EFFORT}/>'


def _mimic(joint: SuiteJoint) -> str:
    if joint.mimic is None:
        return ""
    leader, ratio = joint.mimic
    return f'<mimic joint="{leader}" multiplier="{_digits(ratio)}" offset="0"/>'


def _joint(name: str, kind: str, parent: str, child: str, *parts: str) -> str:
    inside = "".join(parts)
    return f'  <joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'
