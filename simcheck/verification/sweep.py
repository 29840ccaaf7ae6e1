"""Parts that pass through each other over the range of a joint, or hang in the air (findings, never errors).

One joint at a time, the others at rest. Bounding boxes of all pieces at all positions are tested at once (a separating
axis bounds the depth from above); PyBullet measures only the pairs that may be deep, the most promising first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from metric import exp
from simcheck.asset.model import ArticulatedObject, FloatArray, ObjectJoint
from simcheck.asset.suspicion import LONGEST_STROKE
from simcheck.driving import driven_interval
from simcheck.engine.contact import Solids
from simcheck.engine.pybullet import PyBulletEngine
from simcheck.verification.finding import Finding, finding
from simcheck.verification.pieces import Pieces, pieces_of

DEPTH = 1e-3  # m; what stands less deep in something else only touches it
_POSITIONS = (33, 65, 129, 257)  # each set contains the one before
_AIR = (0.02, 0.05)  # m, and share of the size: farther from everything else, a part hangs in the air
_MOST_AT_ONCE = 200_000  # pairs of boxes tested in one go


@dataclass(frozen=True)
class _Contact:
    """The deepest place of two parts."""

    depth: float  # m
    excess: float  # m deeper than at rest
    coordinate: float
    moved: str  # link
    other: str  # link


def sweep_findings(obj: ArticulatedObject, engine: PyBulletEngine, doubtful: Collection[str] = ()) -> Iterator[Finding]:
    """Findings about collisions and detached parts, one a joint and code; none of joints that were not read whole."""
    solids = Solids(engine, obj.size)
    pieces = pieces_of(obj, solids)
    if pieces.undecided:
        shown = ", ".join(pieces.undecided[:3]) + (" and others" if len(pieces.undecided) > 3 else "")
        message = f"not convex, left out of the collision sweep: {shown}"
        yield finding("SWEEP_UNDECIDED", "robot", message, value=str(len(pieces.undecided)))
    number = {link: k for k, link in enumerate(obj.links)}
    owners = np.array([number[link] for link in pieces.links], dtype=int)

    def belonging(links: Iterable[str]) -> np.ndarray:
        chosen = np.zeros(len(number), dtype=bool)
        chosen[[number[link] for link in links]] = True
        return chosen[owners]

    far = max(_AIR[0], _AIR[1] * obj.size)
    for joint in obj.movable_joints:
        if joint.element in doubtful:
            continue
        moved = belonging(obj.downstream(joint.child))
        if moved.any() and not moved.all():
            yield from _collisions(obj, joint, pieces, solids, moved)
        cluster = belonging(obj.welded(joint.child))
        if cluster.any() and not cluster.all() and _detached(pieces, solids, cluster, far):
            message = f"at rest the part is farther than {far:.3g} m from everything else"
            yield finding("PART_DETACHED", joint.element, message, attribute="origin")


def _collisions(
    obj: ArticulatedObject, joint: ObjectJoint, pieces: Pieces, solids: Solids, moved: np.ndarray
) -> Iterator[Finding]:
    movers, others = np.flatnonzero(moved & pieces.judged), np.flatnonzero(~moved & pieces.judged)
    resting, worst = deepest(obj, joint, pieces, solids, movers, others)
    if resting is not None:
        message = f"at rest {_named(resting)} stands {1000 * resting.depth:.3g} mm deep in link {resting.other!r}"
        yield finding("PARTS_OVERLAP", joint.element, message, value=f"{resting.depth:.6g}")
    if worst is not None:
        unit = "m" if joint.kind == "prismatic" else "rad"
        message = (
            f"at {worst.coordinate:.4g} {unit} {_named(worst)} stands {1000 * worst.depth:.3g} mm deep in link "
            f"{worst.other!r}"
        )
        yield finding("PARTS_COLLIDE", joint.element, message, value=f"{worst.depth:.6g}")


def _named(contact: _Contact) -> str:
    return f"its part {contact.moved!r}"


def deepest(
    obj: ArticulatedObject, joint: ObjectJoint, pieces: Pieces, solids: Solids, movers: np.ndarray, others: np.ndarray
) -> tuple[_Contact | None, _Contact | None]:
    """The deepest contact at rest, and over the range the one that exceeds rest by most; None for less than DEPTH."""
    coordinates = _coordinates(obj, joint, pieces, movers)
    placements = np.asarray(exp(coordinates[:, None] * joint.screw))
    position, mover, other, bound = _near(pieces, placements, movers, others)
    order = np.argsort(-bound, kind="stable")
    position, mover, other, bound = position[order], mover[order], other[order], bound[order]

    def depth(k: int) -> float:
        pose = placements[position[k]] @ pieces.local[mover[k]]
        return -solids.gap(pieces.solids[mover[k]], pose, pieces.solids[other[k]], pieces.local[other[k]], 0.0)

    at_rest: dict[tuple[str, str], float] = {}
    resting: _Contact | None = None
    for k in np.flatnonzero(position == 0).tolist():
        pair = (pieces.links[mover[k]], pieces.links[other[k]])
        found = depth(k)
        at_rest[pair] = max(at_rest.get(pair, 0.0), found)
        if found > (resting.depth if resting else DEPTH):
            resting = _Contact(found, found, 0.0, *pair)
    worst: _Contact | None = None
    for k in np.flatnonzero(position > 0).tolist():
        pair = (pieces.links[mover[k]], pieces.links[other[k]])
        rest = at_rest.get(pair, 0.0)
        least = worst.excess if worst else DEPTH
        if bound[k] <= least:
            break  # no later pair can be deeper
        if bound[k] - rest <= least:
            continue
        found = depth(k)
        if found - rest > least:
            worst = _Contact(found, found - rest, float(coordinates[position[k]]), *pair)
    return resting, worst


def _coordinates(obj: ArticulatedObject, joint: ObjectJoint, pieces: Pieces, movers: np.ndarray) -> FloatArray:
    """Rest, then positions over the range: so many that the part moves less than its neighbours are thick a step."""
    lower, upper = driven_interval(joint, obj.size)
    if joint.kind == "prismatic":
        if upper - lower > LONGEST_STROKE * obj.size:
            lower, upper = max(lower, -2 * obj.size), min(upper, 2 * obj.size)  # beyond, the part has left the object
    elif joint.kind != "helical":
        upper = min(upper, lower + 2 * math.pi)
    if not lower <= upper:
        return np.zeros(1)
    corners = pieces.boxes[movers][:, :3, 3]
    reach = pieces.half[movers].max(axis=1) if len(movers) else np.zeros(0)
    screw = joint.screw
    speed = np.linalg.norm(np.cross(screw[:3], corners) + screw[3:], axis=1) + np.linalg.norm(screw[:3]) * reach
    travel = float(speed.max(initial=0.0)) * (upper - lower)
    thinnest = float(2 * pieces.half.min()) if len(pieces.half) else 1.0
    wanted = 1 + 2 * travel / max(thinnest, 1e-9)
    count = next((n for n in _POSITIONS if n >= wanted), _POSITIONS[-1])
    return np.concatenate([[0.0], np.linspace(lower, upper, count)])


def _near(
    pieces: Pieces, placements: FloatArray, movers: np.ndarray, others: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, FloatArray]:
    """Pairs that may be deeper than DEPTH: position, mover, other, and the most their depth can be."""
    found = [(np.zeros(0, int), np.zeros(0, int), np.zeros(0, int), np.zeros(0))]
    half, boxes = pieces.half, pieces.boxes
    still = np.abs(boxes[others][:, :3, :3]) @ half[others][:, :, None]
    step = max(1, _MOST_AT_ONCE // max(1, len(movers) * len(others)))
    for first in range(0, len(placements), step):
        turned = placements[first : first + step, None] @ boxes[movers]  # (n, M, 4, 4)
        extent = np.abs(turned[..., :3, :3]) @ half[movers][:, :, None]
        between = np.abs(turned[:, :, None, :3, 3] - boxes[others][:, :3, 3])
        near = (between < extent[:, :, None, :, 0] + still[:, :, 0] - DEPTH).all(axis=-1)
        n, m, s = np.nonzero(near)
        bound = _overlap(turned[n, m], half[movers[m]], boxes[others[s]], half[others[s]])
        deep = bound > DEPTH
        found.append((n[deep] + first, movers[m[deep]], others[s[deep]], bound[deep]))
    position, mover, other, most = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return position, mover, other, most


def _overlap(a: FloatArray, half_a: FloatArray, b: FloatArray, half_b: FloatArray) -> FloatArray:
    """Least overlap (K,) of two boxes along the 15 axes that can separate them; negative where one does."""
    ra, rb = a[:, :3, :3], b[:, :3, :3]
    crossed = np.cross(ra[:, :, :, None], rb[:, :, None, :], axis=1).reshape(len(a), 3, 9)
    length = np.linalg.norm(crossed, axis=1)
    parallel = length < 1e-6  # of two parallel edges: no axis of its own
    crossed = crossed / np.where(parallel, 1.0, length)[:, None]
    axes = np.concatenate([ra, rb, crossed], axis=2)  # (K, 3, 15), columns
    apart = np.abs(np.einsum("ki,kil->kl", a[:, :3, 3] - b[:, :3, 3], axes))
    overlap = _reach(ra, half_a, axes) + _reach(rb, half_b, axes) - apart
    overlap[:, 6:][parallel] = np.inf
    return overlap.min(axis=1, initial=np.inf)


def _reach(rotation: FloatArray, half: FloatArray, axes: FloatArray) -> FloatArray:
    """Half extent (K, L) of boxes along axes (K, 3, L)."""
    return np.einsum("kjl,kj->kl", np.abs(rotation.swapaxes(1, 2) @ axes), half)


def _detached(pieces: Pieces, solids: Solids, cluster: np.ndarray, far: float) -> bool:
    """Whether a part is farther than ``far``, m, from everything else at rest."""
    inside, outside = np.flatnonzero(cluster), np.flatnonzero(~cluster)
    extent = np.einsum("nij,nj->ni", np.abs(pieces.boxes[:, :3, :3]), pieces.half)
    centre = pieces.boxes[:, :3, 3]
    gaps = np.abs(centre[inside][:, None] - centre[outside]) - extent[inside][:, None] - extent[outside]
    apart = np.linalg.norm(np.maximum(gaps, 0.0), axis=-1)
    for k in np.argsort(apart, axis=None):
        a, b = inside[k // len(outside)], outside[k % len(outside)]
        if apart.flat[k] > far:
            return True
        if solids.gap(pieces.solids[a], pieces.local[a], pieces.solids[b], pieces.local[b], far) <= far:
            return False
    return True
