"""Proof that no part passes through another while a joint moves over its range, the others at rest.

Every pair of a moved and a resting solid is settled by the first of two proofs. Intervals: seen from the axis, the two
occupy different radii, heights or angles (a slide: different shadows) over the whole motion. Else, in steps: at the
middle of a piece of the range a gap is found along some direction, and the solid cannot cross it within the piece,
because its points move along that direction by no more than a closed-form bound; pieces where that is not yet certain
are divided. So what is accepted is free between the positions looked at, too. A pair that comes closer than the
clearance, or that cannot be proved free, is reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcheck.suite.assembly import Assembly, SuiteJoint
from simcheck.suite.builder import CYLINDER, MESH, SPHERE, towards
from simcheck.suite.separation import Pairs, Shapes

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

CLEARANCE = 1e-4  # m: no closer than a tenth of a millimetre, anywhere on the way
_FIRST_PIECE = 0.35  # rad
_ROUNDS, _MOST_PIECES = 14, 400_000


@dataclass(frozen=True)
class Contact:
    """Two links that come too close."""

    joint: str
    position: float  # rad or m
    links: tuple[str, str]
    gap: float  # m, negative where they overlap


@dataclass(frozen=True)
class Sweep:
    """The outcome for one object: how it was proved, or the first contacts found."""

    pairs: int  # of solids, over all joints
    by_intervals: int  # settled for the whole range at once
    positions: int  # looked at for the rest
    least_gap: float  # smallest gap seen at these, m; infinite without any
    contacts: tuple[Contact, ...]

    @property
    def free(self) -> bool:
        """Whether every pair was proved free."""
        return not self.contacts


def swept_interval(joint: SuiteJoint) -> tuple[float, float]:
    """The coordinates a joint goes through, its limits and rest; a whole turn without limits."""
    if joint.kind == "continuous":
        return -math.pi, math.pi
    return min(joint.lower, 0.0), max(joint.upper, 0.0)


def sweep(assembly: Assembly) -> Sweep:
    """Sweep every movable joint of an object."""
    shapes = Shapes.colliding(assembly.solids)
    numbers = [k for k, j in enumerate(assembly.joints) if j.movable]
    if not numbers:
        return Sweep(0, 0, 0, math.inf, ())
    joints = [assembly.joints[k] for k in numbers]
    carried = assembly.downstream()[numbers][:, shapes.link]  # (joints, solids)
    motion = _Motions.of(joints)
    total = int((carried.sum(axis=1) * (~carried).sum(axis=1)).sum())
    which, moved, resting = _unsettled_by_intervals(shapes, joints, motion, carried)
    positions, least, contacts = _in_steps(shapes, motion, which, moved, resting)
    found = []
    for k, a, b, q, gap in contacts:
        links = (assembly.links[shapes.link[a]], assembly.links[shapes.link[b]])
        found.append(Contact(joints[k].name, q, links, gap))
    return Sweep(total, total - len(which), positions, least, tuple(found))


@dataclass(frozen=True, eq=False)
class _Motions:
    """The motions of joints as arrays: unit axis, a point of it, advance, whether it turns, range."""

    axis: FloatArray  # (j, 3)
    origin: FloatArray  # (j, 3)
    advance: FloatArray  # (j,) m per unit coordinate
    turns: NDArray[np.bool_]  # (j,)
    low: FloatArray  # (j,)
    high: FloatArray  # (j,)

    @classmethod
    def of(cls, joints: Sequence[SuiteJoint]) -> _Motions:
        slides = np.array([j.kind == "prismatic" for j in joints])
        low, high = np.array([swept_interval(j) for j in joints]).T
        advance = np.where(slides, 1.0, [j.pitch for j in joints])
        return cls(
            np.array([j.axis for j in joints]), np.array([j.origin for j in joints]), advance, ~slides, low, high
        )


# --- intervals for the whole range -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _SeenFromAxis:
    """Where n solids lie around one axis: shadows (n, 3) on the frame of the axis, whose z it is; radii (n,); the angle
    of their middle and half the width of the angles they fill (n,), pi where they enclose the axis.
    """

    low: FloatArray
    high: FloatArray
    inner: FloatArray
    outer: FloatArray
    angle: FloatArray
    spread: FloatArray


def _unsettled_by_intervals(
    shapes: Shapes, joints: Sequence[SuiteJoint], motion: _Motions, carried: NDArray[np.bool_]
) -> tuple[IntArray, IntArray, IntArray]:
    """Pairs (joint, moved solid, resting solid) that the intervals do not prove free."""
    corners = _corners(shapes)
    found = []
    for k in range(len(joints)):
        seen = _seen_from_axis(shapes, corners, motion.axis[k], motion.origin[k], bool(motion.turns[k]))
        moved, resting = np.flatnonzero(carried[k]), np.flatnonzero(~carried[k])
        travel = sorted((motion.low[k] * motion.advance[k], motion.high[k] * motion.advance[k]))
        free = _apart(
            seen.low[moved, 2] + travel[0], seen.high[moved, 2] + travel[1], seen.low[resting, 2], seen.high[resting, 2]
        )
        if motion.turns[k]:
            free |= _apart(seen.inner[moved], seen.outer[moved], seen.inner[resting], seen.outer[resting])
            free |= _angles_apart(seen, moved, resting, motion.low[k], motion.high[k])
        else:
            for u in (0, 1):
                free |= _apart(seen.low[moved, u], seen.high[moved, u], seen.low[resting, u], seen.high[resting, u])
        rows, columns = np.nonzero(~free)
        found.append((np.full(len(rows), k), moved[rows], resting[columns]))
    which, a, b = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return which, a, b


def _apart(low_a: FloatArray, high_a: FloatArray, low_b: FloatArray, high_b: FloatArray) -> NDArray[np.bool_]:
    """Whether intervals (m,) and (n,) keep the clearance, (m, n)."""
    return (low_b[None, :] - high_a[:, None] >= CLEARANCE) | (low_a[:, None] - high_b[None, :] >= CLEARANCE)


def _angles_apart(
    seen: _SeenFromAxis, moved: IntArray, resting: IntArray, low: float, high: float
) -> NDArray[np.bool_]:
    """Whether a moved solid, turned from low to high, stays in other angles than a resting one, (moved, resting)."""
    middle = seen.angle[moved] + (low + high) / 2
    reach = seen.spread[moved] + (high - low) / 2
    between = seen.angle[resting][None, :] - middle[:, None]
    between = np.abs(between - 2 * math.pi * np.round(between / (2 * math.pi)))
    room = between - reach[:, None] - seen.spread[resting][None, :]
    # Two wedges so far apart in angle: their points at radius r are r sin(room) apart or more.
    radius = np.maximum(seen.inner[moved][:, None], seen.inner[resting][None, :])
    return radius * np.sin(np.clip(room, 0, math.pi / 2)) >= CLEARANCE


def _corners(shapes: Shapes) -> FloatArray:
    """Corners (n, v, 3) of a polyhedron around each solid: its box, or the vertices of its mesh."""
    signs = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    most = max(len(signs), shapes.vertices.shape[1])
    local = _padded(shapes.half[:, None, :] * signs, most)
    meshes = shapes.kind == MESH
    local[meshes] = _padded(shapes.vertices[meshes], most)
    return np.einsum("nij,nvj->nvi", shapes.rotation, local) + shapes.centre[:, None, :]


def _padded(points: FloatArray, count: int) -> FloatArray:
    """Points (n, v, 3), the first of each repeated so that there are so many."""
    return np.concatenate([points, np.repeat(points[:, :1], count - points.shape[1], axis=1)], axis=1)


def _seen_from_axis(
    shapes: Shapes, corners: FloatArray, axis: FloatArray, origin: FloatArray, turns: bool
) -> _SeenFromAxis:
    turn = towards((float(axis[0]), float(axis[1]), float(axis[2])))
    frame = np.eye(3) if turn is None else turn
    index = np.arange(len(shapes.kind))
    directions = frame.T @ shapes.rotation  # the frame's axes in each solid's frame
    low, high = shapes.extents(index, directions)
    centre = (shapes.centre - origin) @ frame
    low, high = low + centre, high + centre
    if not turns:
        nothing = np.zeros(0)
        return _SeenFromAxis(low, high, nothing, nothing, nothing, nothing)
    flat = ((corners - origin) @ frame)[..., :2]
    inner, outer, angle, spread = _around(flat, directions)
    _tighten_round_ones(shapes, directions, centre, inner, outer, angle, spread)
    return _SeenFromAxis(low, high, inner, outer, angle, spread)


def _around(flat: FloatArray, directions: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Radii and angles of convex outlines with corners (n, v, 2) around 0."""
    radius = np.linalg.norm(flat, axis=-1)
    # A line keeps the outline away from 0: tried are those across the shadows of the solid's axes and its corners.
    edges = directions[:, :2, :].swapaxes(1, 2)
    normals = np.stack([-edges[..., 1], edges[..., 0]], axis=-1)
    tried = np.concatenate([normals, -normals, flat], axis=1)
    length = np.linalg.norm(tried, axis=-1, keepdims=True)
    tried = tried / np.where(length > 1e-12, length, np.inf)
    inner = np.maximum(np.einsum("nci,nvi->ncv", tried, flat).min(axis=-1).max(axis=-1), 0.0)
    middle = flat.mean(axis=1)
    turned = np.arctan2(
        middle[:, None, 0] * flat[..., 1] - middle[:, None, 1] * flat[..., 0], np.einsum("nvi,ni->nv", flat, middle)
    )
    first, last = turned.min(axis=1), turned.max(axis=1)
    angle = np.arctan2(middle[:, 1], middle[:, 0]) + (first + last) / 2
    spread = np.where(inner > 1e-9, (last - first) / 2, math.pi)
    return inner, radius.max(axis=1), angle, spread


def _tighten_round_ones(
    shapes: Shapes,
    directions: FloatArray,
    centre: FloatArray,
    inner: FloatArray,
    outer: FloatArray,
    angle: FloatArray,
    spread: FloatArray,
) -> None:
    """Exact radii for balls and for cylinders along the axis, better ones for other cylinders; in place."""
    ball, tube = shapes.kind == SPHERE, shapes.kind == CYLINDER
    distance = np.hypot(centre[:, 0], centre[:, 1])
    along = ball | (tube & (np.abs(directions[:, 2, 2]) > 1 - 1e-12))
    radius = shapes.half[:, 0]
    outer[along] = (distance + radius)[along]
    inner[along] = np.maximum(distance - radius, 0)[along]
    beside = along & (distance > radius + 1e-9)
    angle[beside] = np.arctan2(centre[beside, 1], centre[beside, 0])
    spread[beside] = np.arcsin(radius[beside] / distance[beside])
    spread[along & ~beside] = math.pi
    tilted = np.flatnonzero(tube & ~along)
    if len(tilted):
        reach = directions[tilted, :2, 2] * shapes.half[tilted, 2:]
        middle = centre[tilted, :2]
        ends = np.maximum(np.linalg.norm(middle + reach, axis=1), np.linalg.norm(middle - reach, axis=1))
        share = -np.einsum("ni,ni->n", middle, reach) / np.maximum(np.einsum("ni,ni->n", reach, reach), 1e-30)
        nearest = np.linalg.norm(middle + np.clip(share, -1, 1)[:, None] * reach, axis=1)
        outer[tilted] = np.minimum(outer[tilted], ends + radius[tilted])
        inner[tilted] = np.maximum(inner[tilted], nearest - radius[tilted])


# --- in steps ----------------------------------------------------------------------------------------------------

_Found = list[tuple[int, int, int, float, float]]


def _in_steps(
    shapes: Shapes, motion: _Motions, which: IntArray, moved: IntArray, resting: IntArray
) -> tuple[int, float, _Found]:
    """Prove the given pairs free piece by piece: positions looked at, least gap, and the contacts if there are any."""
    span = motion.high - motion.low
    pieces = np.where(motion.turns, np.maximum(1, np.ceil(span / _FIRST_PIECE)), 1).astype(np.int64)[which]
    item, width, middle = _divided(np.arange(len(which)), motion.low[which], span[which], pieces)
    positions, least = 0, math.inf
    for _ in range(_ROUNDS):
        if len(item) == 0:
            return positions, least, []
        if positions + len(item) > _MOST_PIECES:
            break
        joint, a, b = which[item], moved[item], resting[item]
        pairs, turned = _placed(shapes, motion, joint, a, b, middle)
        gap, direction = pairs.gaps()
        positions += len(item)
        least = min(least, float(gap.min()))
        close = np.flatnonzero(gap < CLEARANCE)
        if len(close):
            worst = close[np.argsort(gap[close], kind="stable")[:3]]
            return positions, least, [_contact(k, joint, a, b, middle, gap) for k in worst]
        bound = _reach_along(shapes, motion, joint, a, pairs, turned, direction, width / 2)
        room = gap - CLEARANCE
        open_ = np.flatnonzero(bound > room)
        parts = np.clip(np.ceil(1.1 * bound[open_] / np.maximum(room[open_], 1e-12)), 2, 32).astype(np.int64)
        item, width, middle = _divided(item[open_], middle[open_] - width[open_] / 2, width[open_], parts)
    k = int(np.argmin(width)) if len(width) else 0
    return positions, least, [(int(which[item[k]]), int(moved[item[k]]), int(resting[item[k]]), float(middle[k]), 0.0)]


def _contact(
    k: int, joint: IntArray, a: IntArray, b: IntArray, middle: FloatArray, gap: FloatArray
) -> tuple[int, int, int, float, float]:
    return int(joint[k]), int(a[k]), int(b[k]), float(middle[k]), float(gap[k])


def _divided(
    item: IntArray, start: FloatArray, span: FloatArray, parts: IntArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Intervals cut into equal parts: item, width and middle of each."""
    owner = np.repeat(np.arange(len(item)), parts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)
    width = (span / parts)[owner]
    return item[owner], width, start[owner] + (number + 0.5) * width


def _placed(
    shapes: Shapes, motion: _Motions, joint: IntArray, a: IntArray, b: IntArray, q: FloatArray
) -> tuple[Pairs, FloatArray]:
    """The pairs with the first solid moved to a coordinate, and its centre relative to the axis."""
    axis, origin = motion.axis[joint], motion.origin[joint]
    angle = np.where(motion.turns[joint], q, 0.0)
    hat = np.zeros((len(joint), 3, 3))
    hat[:, 0, 1], hat[:, 0, 2], hat[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    hat -= hat.swapaxes(1, 2)
    turn = np.eye(3) + np.sin(angle)[:, None, None] * hat + (1 - np.cos(angle))[:, None, None] * (hat @ hat)
    arm = np.einsum("kij,kj->ki", turn, shapes.centre[a] - origin)
    centre = origin + arm + (motion.advance[joint] * q)[:, None] * axis
    return Pairs(shapes, a, turn @ shapes.rotation[a], centre, b), arm


def _reach_along(
    shapes: Shapes,
    motion: _Motions,
    joint: IntArray,
    a: IntArray,
    pairs: Pairs,
    arm: FloatArray,
    direction: FloatArray,
    half: FloatArray,
) -> FloatArray:
    """Bound on how far the points of the moved solids go along a direction within +-half of a coordinate.

    For a turn by t a point at x from the axis moves by ``sin t (a x x) - (1 - cos t) x_across``, so along n by at most
    ``|t| |(n x a).x| + t^2/2 |n_across| |x_across|``, and an advance adds ``|t| |h n.a|``.
    """
    axis = motion.axis[joint]
    slope = np.abs(motion.advance[joint] * np.einsum("ki,ki->k", direction, axis))
    bound = half * slope
    turning = np.flatnonzero(motion.turns[joint])
    if len(turning) == 0:
        return bound
    n, t = direction[turning], half[turning]
    lever = np.cross(n, axis[turning])
    solid, rotation, middle = a[turning], pairs.rotation[turning], arm[turning]
    low, high = shapes.extents(solid, np.einsum("ki,kij->kj", lever, rotation)[:, None, :])
    at = np.einsum("ki,ki->k", lever, middle)
    speed = np.maximum(np.abs(at + low[:, 0]), np.abs(at + high[:, 0]))
    far = np.linalg.norm(middle - np.einsum("ki,ki->k", middle, axis[turning])[:, None] * axis[turning], axis=1)
    far = far + _radius_of(shapes)[solid]
    bound[turning] += t * speed + t**2 / 2 * np.linalg.norm(lever, axis=1) * far
    return bound


def _radius_of(shapes: Shapes) -> FloatArray:
    """Radius (n,) of a ball around each solid's centre."""
    return np.maximum(np.linalg.norm(shapes.half, axis=1), np.linalg.norm(shapes.vertices, axis=2).max(axis=1))
