"""From a clean URDF tree, through yourdfpy, to an articulated object in the world frame at rest."""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from metric import Joint
from metric.joint import stacked
from simcheck.asset.decompose import decompose
from simcheck.asset.helical import merge_helical
from simcheck.asset.model import (
    ArticulatedObject,
    FloatArray,
    Inertial,
    Link,
    Mimic,
    ObjectJoint,
    ReadOptions,
    inertia_fault,
)
from simcheck.asset.normalise import CleanUrdf, normalise
from simcheck.errors import AssetWarning


def load(path: str | Path, options: ReadOptions | None = None, **changes: Any) -> ArticulatedObject:
    """Read a URDF file.

    Parameters
    ----------
    path
        The file.
    options
        How it is read; or give single options by name: ``load(path, inertia="mesh", density=400)``.

    Returns
    -------
    ArticulatedObject
        Links and joints in the world frame at rest; bodies, meshes and sizes are built on first use.

    Raises
    ------
    AssetError
        The file has no single meaning; the message names file, element, attribute, cause and cure.
    """
    read_options = ReadOptions(**changes) if options is None else options
    return build(normalise(Path(path)), read_options)


def build(clean: CleanUrdf, options: ReadOptions) -> ArticulatedObject:
    """The articulated object of a clean tree."""
    decompose(clean, split=options.decompose)
    robot = _read_with_yourdfpy(clean.root)
    poses, root = _poses_at_rest(robot)
    inertials = _inertials(robot.links, poses, clean)
    unusable = {name: problem.message for name, problem in clean.unusable_inertials.items()}
    links = {
        link.name: Link(
            link.name,
            poses[link.name],
            inertials.get(link.name),
            unusable.get(link.name, ""),
            clean.shapes.get(link.name),
        )
        for link in robot.links
    }
    joints = _joints(robot.joints, poses, clean, options.wrap)
    joints, links = merge_helical(joints, links, clean)
    _note_mimics(joints, clean)
    _note_exactly_fixed(joints, clean)
    return ArticulatedObject(
        clean.file, clean.folder, robot.name, root, links, joints, options, tuple(dict.fromkeys(clean.warnings))
    )


def _read_with_yourdfpy(root: etree._Element) -> Any:
    """The robot as yourdfpy reads it from the clean tree, which holds no shapes: those are read on first use."""
    import yourdfpy

    logging.getLogger("yourdfpy").setLevel(logging.ERROR)
    stream = io.BytesIO(etree.tostring(root))
    return yourdfpy.URDF.load(stream, build_scene_graph=False, load_meshes=False).robot


def _poses_at_rest(robot: Any) -> tuple[dict[str, FloatArray], str]:
    """World pose (4, 4) of every link frame with all coordinates 0, and the root's name."""
    below: dict[str, list[Any]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    carried = {joint.child for joint in robot.joints}
    root = next(link.name for link in robot.links if link.name not in carried)
    poses, stack = {root: np.eye(4)}, [root]
    while stack:
        parent = stack.pop()
        for joint in below.get(parent, ()):
            poses[joint.child] = poses[parent] if joint.origin is None else poses[parent] @ joint.origin
            stack.append(joint.child)
    return poses, root


def _inertials(links: list[Any], poses: Mapping[str, FloatArray], clean: CleanUrdf) -> dict[str, Inertial]:
    """The usable inertials in world axes; an unusable tensor is noted in `clean.unusable_inertials`."""
    given = [link for link in links if link.inertial is not None]
    if not given:
        return {}
    origins = [np.eye(4) if link.inertial.origin is None else link.inertial.origin for link in given]
    frames = np.array([poses[link.name] for link in given]) @ np.array(origins)
    tensors = np.array([link.inertial.inertia for link in given])
    moments = np.linalg.eigvalsh(tensors)
    rotations = frames[:, :3, :3]
    turned = rotations @ tensors @ rotations.transpose(0, 2, 1)
    inertials = {}
    for k, link in enumerate(given):
        if inertia_fault(moments[k]) == "INERTIA_NOT_PSD":
            shown = ", ".join(f"{x:.4g}" for x in moments[k])
            message = f"its inertia is not positive semidefinite (principal moments {shown})"
            clean.unusable_inertials[link.name] = AssetWarning(
                clean.file, f"link {link.name!r}", message, "INERTIA_NOT_PSD", "inertia", shown
            )
        else:
            inertials[link.name] = Inertial(link.inertial.mass, frames[k, :3, 3], turned[k])
    return inertials


def _joints(
    sources: list[Any], poses: Mapping[str, FloatArray], clean: CleanUrdf, wrap: bool
) -> tuple[ObjectJoint, ...]:
    """All joints of the file with their motions in the world frame at rest."""
    if not sources:
        return ()
    frames = np.array([poses[joint.child] for joint in sources])
    axes = np.array([(1.0, 0.0, 0.0) if joint.type == "fixed" else joint.axis for joint in sources])
    axes = np.einsum("kij,kj->ki", frames[:, :3, :3], axes / np.linalg.norm(axes, axis=1, keepdims=True))
    limits = [(j.limit.lower, j.limit.upper) if j.limit is not None else (-math.inf, math.inf) for j in sources]
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    motions = [
        _motion(joint, axis, frame[:3, 3].tolist(), ends, clean, wrap)
        for joint, axis, frame, ends in zip(sources, axes.tolist(), frames, limits, strict=True)
    ]
    stacked(motions)  # all screws at once: one by one they would cost more than the reading
    return tuple(
        ObjectJoint(
            joint.name,
            joint.parent,
            joint.child,
            motion,
            (joint.name,),
            None if joint.mimic is None else Mimic(joint.mimic.joint, joint.mimic.multiplier, joint.mimic.offset),
        )
        for joint, motion in zip(sources, motions, strict=True)
    )


def _motion(
    source: Any, axis: list[float], origin: list[float], limits: tuple[float, float], clean: CleanUrdf, wrap: bool
) -> Joint:
    kind = "helical" if source.type == "screw" else source.type
    (x, y, z), (ox, oy, oz) = axis, origin
    motion = Joint(kind, (x, y, z), (ox, oy, oz), *limits, pitch=clean.pitches.get(source.name, 0.0))
    return motion.wrapped() if wrap else motion


def _note_mimics(joints: tuple[ObjectJoint, ...], clean: CleanUrdf) -> None:
    names = {name for joint in joints for name in joint.members}
    for joint in joints:
        if joint.mimic is None:
            continue
        leader = joint.mimic.leader
        known, code = ("", "MIMIC_INDEPENDENT") if leader in names else (" (no such joint)", "MIMIC_LEADER_UNKNOWN")
        message = f"mimic of joint {leader!r}{known}: treated as an independent joint, at rest at 0"
        clean.warn(joint.element, message, code, "mimic joint", leader)


def _note_exactly_fixed(joints: tuple[ObjectJoint, ...], clean: CleanUrdf) -> None:
    for joint in joints:
        if joint.kind != "fixed" and joint.motion.exactly_fixed:
            message = f"a {joint.kind} joint with limits 0 and 0 never moves: treated as fixed"
            clean.warn(joint.element, message, "JOINT_NEVER_MOVES", "limit", "0 0")
