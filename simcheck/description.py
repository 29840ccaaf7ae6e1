"""What a file says: its joints in the world frame at rest, what they move, how far from fixed they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metric import Body, KineticNorm, SplitNorm, compactify, cost_to_fixed, motion_discrepancy
from simcheck.asset import ArticulatedObject, MovedBody, ObjectJoint, ReadOptions
from simcheck.asset.frames import placed
from simcheck.errors import AssetWarning
from simcheck.formats import load_prediction
from simcheck.results import Result, input_hashes, limit_value, plain, read_settings, result, unbounded_reason

STILL = "the twist has zero kinetic norm: nothing moves (E_B^phi is 0)"


def describe(
    path: str | Path,
    *,
    alpha: float = 1.0,
    kappa: float = math.pi,
    origin: str = "world",
    all_joints: bool = False,
    format: str | None = None,
    options: ReadOptions | None = None,
) -> Result:
    """Describe one file as the JSON object of SPEC section 9.

    Parameters
    ----------
    path
        The file: a URDF, or a prediction in a format of `simcheck.formats`.
    alpha, kappa
        Weight of the split norm (1/length) and scale of the compactification.
    origin
        ``world`` or ``base``.
    all_joints
        List joints of type fixed too.
    format
        Name of the file's format; by default told from its content.
    options
        How the file is read.

    Returns
    -------
    Result
        Plain JSON values in a dict; what has no value is None, with a reason in ``null_reasons``. ``.rows`` is a polars
        data frame, and a notebook shows it as a table.

    Raises
    ------
    AssetError     the file has no single meaning
    """
    read_options = options or ReadOptions()
    obj = placed(load_prediction(path, format, read_options).object, origin)
    joints = [j for j in obj.joints if all_joints or j.kind != "fixed"]
    described, warnings = describe_joints(obj, joints, alpha, kappa)
    settings = {
        "alpha": alpha,
        "kappa": kappa,
        "origin": origin,
        "format": format,
        **read_settings(read_options),
        "inputs": input_hashes([path]),
    }
    fields = {
        "file": obj.file,
        "name": obj.name,
        "links": [
            {"name": link.name, "position": link.pose[:3, 3], "rotation": link.pose[:3, :3]}
            for link in obj.links.values()
        ],
        "joints": described,
    }
    found = [*obj.all_warnings, *warnings]
    return Result(plain(result("describe", settings, found, fields, origin=origin, shift=obj.shift)))


def describe_joints(
    obj: ArticulatedObject, joints: Sequence[ObjectJoint], alpha: float, kappa: float
) -> tuple[list[dict[str, Any]], list[AssetWarning]]:
    """The ``joints`` entries of describe, and the warnings that the numbers raise."""
    if not joints:
        return [], []
    bodies = [obj.moved_body(j.name) if j.kind != "fixed" else MovedBody((), None) for j in joints]
    batch = (np.array([j.screw for j in joints]), np.array([j.motion.limits for j in joints]))
    split = SplitNorm(alpha)
    values = {
        "E_alpha": cost_to_fixed(batch, split),
        "E_alpha_phi": cost_to_fixed(batch, split, kappa),
    }
    pairs = compactify(*batch, split, kappa)
    with_body = np.array([b.body is not None for b in bodies])
    values |= {name: np.full(len(joints), np.nan) for name in ("E_B", "E_B_phi", "d")}
    still = np.zeros(len(joints), dtype=bool)
    if with_body.any():
        chosen = (batch[0][with_body], batch[1][with_body])
        body = stack_bodies([b.body for b in bodies if b.body is not None])
        norm = KineticNorm(body)
        still[with_body] = norm.vanishes(chosen[0])
        moving = (np.where(still[with_body, None], 0.0, chosen[0]), chosen[1])
        values["E_B"][with_body] = cost_to_fixed(chosen, norm)
        values["E_B_phi"][with_body] = cost_to_fixed(moving, norm, kappa)
        values["d"][with_body] = motion_discrepancy(chosen, (np.zeros_like(chosen[0]), np.zeros((1, 2))), body)
    warnings = [
        AssetWarning(obj.file, j.element, STILL, "JOINT_STILL")
        for j, nothing in zip(joints, still, strict=True)
        if nothing and not j.motion.exactly_fixed
    ]
    entries = [
        _entry(obj, j, bodies[k], pairs[k], {name: float(v[k]) for name, v in values.items()})
        for k, j in enumerate(joints)
    ]
    return entries, warnings


def stack_bodies(bodies: Sequence[Body]) -> Body:
    """Bodies as one batch (N)."""
    return Body(
        np.array([b.mass for b in bodies]), np.array([b.com for b in bodies]), np.array([b.inertia for b in bodies])
    )


def _entry(
    obj: ArticulatedObject, joint: ObjectJoint, moved: MovedBody, phi: np.ndarray, to_fixed: dict[str, float]
) -> dict[str, Any]:
    fixed = joint.kind == "fixed"
    reasons: dict[str, str] = {}
    unbounded = unbounded_reason(obj, joint.name)
    if unbounded:
        reasons |= dict.fromkeys(("endpoints", "E_alpha", "E_B", "d"), unbounded)
    if moved.body is None and not fixed:
        reasons |= dict.fromkeys(("body", "E_B", "E_B_phi", "d"), moved.reason)
        if unbounded:
            reasons |= dict.fromkeys(("E_B", "d"), f"{unbounded}; {moved.reason}")
    if fixed:
        to_fixed = dict.fromkeys(to_fixed, 0.0)
    return {
        "name": joint.name,
        "members": joint.members,
        "kind": joint.kind,
        "parent": joint.parent,
        "child": joint.child,
        "axis": None if fixed else joint.axis,
        "origin": None if fixed else joint.origin,
        "lower": limit_value(joint.lower),
        "upper": limit_value(joint.upper),
        "pitch": joint.pitch,
        "mimic": None
        if joint.mimic is None
        else {"leader": joint.mimic.leader, "multiplier": joint.mimic.multiplier, "offset": joint.mimic.offset},
        "screw": joint.screw,
        "endpoints": None if unbounded else joint.endpoints,
        "phi_endpoints": phi,
        "body": body_entry(moved),
        "to_fixed": {name: None if name in reasons else to_fixed[name] for name in _TO_FIXED},
        "null_reasons": reasons,
    }


_TO_FIXED = ("E_alpha", "E_B", "E_alpha_phi", "E_B_phi", "d")


def body_entry(moved: MovedBody) -> dict[str, Any] | None:
    """A moved body as JSON: com and inertia about it in world axes."""
    body = moved.body
    if body is None:
        return None
    return {
        "mass": body.mass,
        "com": body.com,
        "inertia": body.inertia,
        "volume": moved.volume,
        "principal_moments": np.linalg.eigvalsh(body.inertia),
        "source": moved.source,
    }
