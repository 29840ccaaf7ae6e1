"""What a simulator holds against what the file says, joint by joint and link by link (SPEC sections 4 and 12)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from metric import exp
from simcheck.asset.model import FloatArray
from simcheck.asset.numbers import limit_meant
from simcheck.engine import HeldFile, HeldLink
from simcheck.verification.claims import Claims, JointClaim, LinkClaim
from simcheck.verification.finding import Finding, finding

# How a simulator without the kind holds it; that it does is said by the reader's finding about the type.
_KINDS = {"continuous": "revolute", "floating": "fixed"}
_NO_INERTIA = 1e-14  # kg m^2; what a simulator may hold in place of 0


@dataclass(frozen=True)
class Tolerance:
    """How far held and claimed numbers may differ."""

    length: float  # m; rotations count as the way of a point one object size away
    size: float  # m
    direction: float = 1e-9
    mass: float = 1e-12  # relative
    inertia: float = 1e-5  # relative


def differences(claims: Claims, held: HeldFile, tolerance: Tolerance, engine: str) -> list[Finding]:
    """Each difference as a finding that names the joint or link."""
    index = {name: k for k, name in enumerate(held.names)}
    found = []
    for name, claim in claims.joints.items():
        k = index.get(name)
        if k is None:
            found.append(finding("SIM_TREE", claim.element, f"{engine} does not hold this joint"))
        else:
            found += _joint(claim, held, k, tolerance, engine)
    for link in claims.links.values():
        if link.name in held.links:
            found += _link(link, held.links[link.name], tolerance, engine)
    return found


def _joint(claim: JointClaim, held: HeldFile, k: int, tolerance: Tolerance, engine: str) -> Iterator[Finding]:
    ends = (held.parents[k], held.children[k])
    if ends != (claim.parent, claim.child):
        message = f"{engine} joins {ends[0]!r} and {ends[1]!r}, the file says {claim.parent!r} and {claim.child!r}"
        yield finding("SIM_TREE", claim.element, message, attribute="parent child")
    if "type" in claim.doubtful or claim.kind == "screw":
        return
    kind = _KINDS.get(claim.kind, claim.kind)
    if held.kinds[k] != kind:
        message = f"{engine} holds a {held.kinds[k]} joint, the file says {claim.kind}"
        yield finding("SIM_KIND", claim.element, message, attribute="type", value=held.kinds[k])
        return
    if claim.moves and "limit" not in claim.doubtful:
        yield from _limits(claim, held.limits[k], engine)
    wrong = held.read_back[k] != held.probes
    if claim.moves and k < held.readable and wrong.any():
        message = f"set to {held.probes[wrong][0]:g}, it reads back {held.read_back[k][wrong][0]:g} in {engine}"
        yield finding("SIM_READBACK", claim.element, message)
        return
    yield from _poses(claim, held, k, tolerance, engine)


def _limits(claim: JointClaim, held: FloatArray, engine: str) -> Iterator[Finding]:
    lower, upper = (float(x) for x in held)
    free = lower > upper
    unlimited = (limit_meant(lower), limit_meant(upper))
    says = "no limits" if claim.limits == (-math.inf, math.inf) else f"{claim.limits[0]:g} … {claim.limits[1]:g}"
    if unlimited == claim.limits or (free and says == "no limits"):
        return
    value = f"{lower:g} {upper:g}"
    if claim.kind == "continuous":
        message = f"{engine} reports the limits {lower:g} … {upper:g} for a continuous joint"
        yield finding("SIM_LIMITS", claim.element, message, attribute="limit", value=value, severity="warning")
        return
    holds = "no limits" if free else f"{lower:g} … {upper:g}"
    message = f"{engine} holds {holds}, the file says {says}"
    yield finding("SIM_LIMITS", claim.element, message, attribute="limit", value=value)


def _poses(claim: JointClaim, held: HeldFile, k: int, tolerance: Tolerance, engine: str) -> Iterator[Finding]:
    rest, moved = held.rest[k], held.moved[k]
    moves = claim.moves and bool(held.probes.size)
    if k >= held.readable:
        return  # said once for the file
    if np.isnan(rest).any() or (moves and np.isnan(moved).any()):
        yield finding("SIM_NAN", claim.element, f"{engine}'s pose of its child {claim.child!r} is not a number")
        return
    if "origin" not in claim.doubtful:
        error = _gap(rest, claim.rest, tolerance.size)
        if error > tolerance.length:
            message = f"{engine} puts its child {claim.child!r} {error:.3g} m off the place that the file says"
            yield finding("SIM_POSE", claim.element, message, attribute="origin")
    if not moves or "axis" in claim.doubtful:
        return
    axis = held.axes[k] / max(float(np.linalg.norm(held.axes[k])), 1e-300)
    off = float(np.abs(axis - claim.axis).max())
    if off > tolerance.direction:
        shown = " ".join(f"{x + 0.0:.6g}" for x in axis)
        message = f"{engine} holds the axis {shown}, the file says {' '.join(f'{x + 0.0:.6g}' for x in claim.axis)}"
        yield finding("SIM_AXIS", claim.element, message, attribute="axis xyz", value=shown)
    # Relative to the held rest pose, so that a wrong place is not also a wrong motion.
    travelled = np.linalg.solve(rest, moved)
    error = max(_gap(travelled, _motion(claim, held.probes), tolerance.size))
    if error <= tolerance.length or off > tolerance.direction:
        return
    scale = claim.axis_length
    if (
        not claim.turns
        and max(_gap(travelled, _motion(claim, scale * held.probes), tolerance.size)) <= tolerance.length
    ):
        if not claim.rounded:  # else it moves a slide by that share too far: said elsewhere, as info
            message = f"{engine} moves it {scale:.6g} times as far: it does not normalise the axis of a sliding joint"
            yield finding("SIM_MOTION", claim.element, message, attribute="axis xyz", value=f"{scale:.6g}")
        return
    message = (
        f"set to {held.probes[0]:g}, its child {claim.child!r} is {error:.3g} m off where the file says, in {engine}"
    )
    yield finding("SIM_MOTION", claim.element, message)


def _motion(claim: JointClaim, coordinates: FloatArray) -> FloatArray:
    """Placements (P, 4, 4) of the child in its frame at rest."""
    screw = np.zeros(6)
    screw[slice(0, 3) if claim.turns else slice(3, 6)] = claim.axis
    return np.asarray(exp(coordinates[:, None] * screw))


def _gap(a: FloatArray, b: FloatArray, size: float) -> FloatArray:
    """Largest component of the difference of placements (..., 4, 4), rotations times the size, m."""
    difference = np.abs(a - b)
    turned = size * difference[..., :3, :3].max(axis=(-1, -2))
    return np.maximum(turned, difference[..., :3, 3].max(axis=-1))


def _link(claim: LinkClaim, held: HeldLink, tolerance: Tolerance, engine: str) -> Iterator[Finding]:
    element = f"link {claim.name!r}"
    if "mass" not in claim.doubtful and abs(held.mass - claim.mass) > tolerance.mass * abs(claim.mass):
        message = f"{engine} holds {held.mass:g} kg, the file says {claim.mass:g} kg"
        yield finding("SIM_MASS", element, message, attribute="mass value", value=f"{held.mass:g}")
    if "origin" in claim.doubtful:
        return
    off = float(np.abs(held.com - claim.com).max())
    if off > tolerance.length:
        message = f"{engine} holds its centre of mass {off:.3g} m off the place that the file says"
        yield finding("SIM_COM", element, message, attribute="origin xyz")
    tensor = claim.inertia if engine != "PyBullet" else claim.scaling * claim.inertia
    scale = float(np.abs(tensor).max())
    off = float(np.abs(held.inertia - tensor).max())
    if "inertia" in claim.doubtful or off <= tolerance.inertia * scale + _NO_INERTIA:
        return
    if not held.inertia.any():
        moments = " ".join(f"{x:.4g}" for x in np.linalg.eigvalsh(tensor))
        message = f"{engine} sets its inertia to zero: no body has the principal moments {moments}"
    else:
        message = (
            f"{engine} holds another inertia, off by {off / scale if scale else math.inf:.3g} of the largest moment"
        )
    yield finding("SIM_INERTIA", element, message, attribute="inertia")
