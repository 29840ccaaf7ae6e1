"""From a closed construction to the finished object: rest pose, place in the world, joint frames, masses; all arrays.

The world frame is that of the root link. A part's placement is a product of exponentials, ``G = W exp(q1 xi1) …``, over
the joints above it, with the screws of the closed object and the rest coordinates q; limits are shifted by -q, so that
0 is the rest pose of the finished object.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcheck.suite.builder import CYLINDER, MESH, SPHERE, Builder, JointDraft, Solid, rotation
from simcheck.suite.draw import Draw
from simcheck.suite.meshes import mesh_moments

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SuiteJoint:
    """One joint of a finished object, world frame at rest."""

    name: str
    kind: str
    parent: int  # index of the link
    child: int
    axis: tuple[float, float, float]
    origin: tuple[float, float, float]
    lower: float
    upper: float
    pitch: float
    mimic: tuple[str, float] | None

    @property
    def movable(self) -> bool:
        """Whether it moves at all."""
        return self.kind != "fixed"

    @property
    def screw(self) -> FloatArray:
        """Unit screw (6,): (a, o x a + h a), (0, a) for a slide, 0 when fixed."""
        a, o = np.array(self.axis), np.array(self.origin)
        if self.kind == "fixed":
            return np.zeros(6)
        if self.kind == "prismatic":
            return np.concatenate([np.zeros(3), a])
        return np.concatenate([a, np.cross(o, a) + self.pitch * a])


@dataclass(frozen=True, eq=False)
class SolidTable:
    """All solids of an object as arrays, world frame at rest."""

    sources: Sequence[Solid]
    kind: IntArray  # (n,)
    half: FloatArray  # (n, 3)
    centre: FloatArray  # (n, 3)
    rotation: FloatArray  # (n, 3, 3)
    turned: NDArray[np.bool_]  # (n,), False where the rotation is the identity
    link: IntArray  # (n,)


@dataclass(frozen=True, eq=False)
class Assembly:
    """A finished object."""

    links: tuple[str, ...]
    joints: tuple[SuiteJoint, ...]
    solids: SolidTable
    frames: FloatArray  # (links, 4, 4) link frames, world; exactly what is written
    rpys: tuple[tuple[float, float, float], ...]  # of each joint's frame relative to its parent link
    masses: FloatArray  # (links,), kg
    coms: FloatArray  # (links, 3), world
    inertias: FloatArray  # (links, 3, 3), about the com, world axes
    rest: Mapping[str, float]  # joint -> how far it is open

    @property
    def movable(self) -> tuple[SuiteJoint, ...]:
        """The joints that move."""
        return tuple(j for j in self.joints if j.movable)

    def downstream(self) -> NDArray[np.bool_]:
        """Whether each joint carries each link, shape (joints, links)."""
        carries = np.zeros((len(self.joints), len(self.links)), dtype=bool)
        for k in range(len(self.joints) - 1, -1, -1):  # a joint's child comes after its parent
            joint = self.joints[k]
            carries[k, joint.child] = True
            for lower in range(k + 1, len(self.joints)):
                if self.joints[lower].parent == joint.child:
                    carries[k] |= carries[lower]
        return carries

    def depth(self) -> int:
        """Largest number of movable joints between the root and a part."""
        depths = [0] * len(self.links)
        for joint in self.joints:
            depths[joint.child] = depths[joint.parent] + joint.movable
        return max(depths)


@dataclass(frozen=True)
class Placing:
    """How an object is put down and written: drawn once, whatever its rest pose."""

    yaw: float
    shift: tuple[float, float]
    rpys: tuple[tuple[float, float, float], ...]  # of the joint frames, relative to the parent

    @classmethod
    def drawn(cls, draw: Draw, joints: Sequence[JointDraft]) -> Placing:
        """A tenth of the objects stand turned and shifted; 30 % of the joints have a frame of their own direction."""
        moved = draw.chance("moved", 0.1)
        yaw = draw.angle("yaw", -180, 180) if moved else 0.0
        shift = (draw.length("shift_x", -2, 2), draw.length("shift_y", -2, 2)) if moved else (0.0, 0.0)
        turned = draw.chance("rotated_frames", 0.4)
        rpys = []
        for _ in joints:
            angles = (0.0, 0.0, 0.0)
            if turned and draw.unit() < 0.75:
                angles = tuple(round(math.pi * (2 * draw.unit() - 1), 6) for _ in range(3))  # type: ignore[assignment]
                if draw.unit() < 0.5:
                    zero = int(3 * draw.unit())
                    angles = tuple(0.0 if k == zero else a for k, a in enumerate(angles))  # type: ignore[assignment]
            rpys.append(angles)
        return cls(yaw, shift, tuple(rpys))


def assemble(build: Builder, placing: Placing, rest: Mapping[str, float], density: float) -> Assembly:
    """The finished object.

    Parameters
    ----------
    build
        The closed construction.
    placing
        Where it stands and how its frames are turned.
    rest
        Extra rest coordinates by joint, on top of those of the construction.
    density
        Factor on all densities.
    """
    index = {part.name: k for k, part in enumerate(build.parts)}
    placements = np.tile(np.eye(4), (len(build.parts), 1, 1))
    placements[0, :3, :3] = rotation("z", placing.yaw)
    placements[0, :2, 3] = placing.shift
    frames = np.tile(np.eye(4), (len(build.parts), 1, 1))
    joints, opened = [], {}
    for draft, angles in zip(build.joints, placing.rpys, strict=True):
        parent, child = index[draft.parent.name], index[draft.child.name]
        above = placements[parent]
        q = draft.rest + rest.get(draft.name, 0.0)
        placements[child] = above @ _exp(draft, q) if q else above
        axis, origin = above[:3, :3] @ draft.axis, above[:3, :3] @ draft.origin + above[:3, 3]
        frames[child, :3, :3] = frames[parent, :3, :3] @ _rpy(angles) if any(angles) else frames[parent, :3, :3]
        frames[child, :3, 3] = origin
        if q:
            opened[draft.name] = q
        limits = (round(draft.lower - q, 9), round(draft.upper - q, 9))
        joints.append(
            SuiteJoint(
                draft.name, draft.kind, parent, child, _tuple(axis), _tuple(origin), *limits, draft.pitch, draft.mimic
            )
        )
    solids = _solid_table(build, index, placements)
    masses, coms, inertias = _link_masses(solids, len(build.parts), density)
    names = tuple(part.name for part in build.parts)
    return Assembly(names, tuple(joints), solids, frames, placing.rpys, masses, coms, inertias, opened)


def _tuple(values: FloatArray) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return (x + 0.0, y + 0.0, z + 0.0)


def _rpy(angles: tuple[float, float, float]) -> FloatArray:
    roll, pitch, yaw = angles
    return rotation("z", yaw) @ rotation("y", pitch) @ rotation("x", roll)


def _exp(draft: JointDraft, q: float) -> FloatArray:
    """Placement (4, 4) of a joint's child at a coordinate, closed frame."""
    a, o = np.array(draft.axis), np.array(draft.origin)
    result = np.eye(4)
    if draft.kind == "prismatic":
        result[:3, 3] = q * a
        return result
    hat = np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
    result[:3, :3] += math.sin(q) * hat + (1 - math.cos(q)) * (hat @ hat)
    result[:3, 3] = o - result[:3, :3] @ o + q * draft.pitch * a
    return result


def _solid_table(build: Builder, index: Mapping[str, int], placements: FloatArray) -> SolidTable:
    pairs = [(solid, index[part.name]) for part in build.parts for solid in part.solids]
    sources = [solid for solid, _ in pairs]
    link = np.array([k for _, k in pairs])
    placed = placements[link]
    identity = np.eye(3)
    local = np.array([identity if s.rotation is None else s.rotation for s in sources])
    centre = np.einsum("nij,nj->ni", placed[:, :3, :3], np.array([s.centre for s in sources])) + placed[:, :3, 3]
    rotations = placed[:, :3, :3] @ local
    turned = (rotations != identity).any(axis=(1, 2))
    return SolidTable(
        sources,
        np.array([s.kind for s in sources]),
        np.array([s.half for s in sources]),
        centre,
        rotations,
        turned,
        link,
    )


def _link_masses(solids: SolidTable, links: int, density: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mass, com and inertia about it of every link: closed forms over what is seen of it."""
    half, kind = solids.half, solids.kind
    seen = np.array([s.visual for s in solids.sources])
    volume = 8 * half.prod(axis=1)
    volume[kind == CYLINDER] *= math.pi / 4
    volume[kind == SPHERE] *= math.pi / 6
    share = np.ones_like(half) / 3  # second moments per unit volume over half sizes squared
    share[kind == CYLINDER, :2] = 1 / 4
    share[kind == SPHERE] = 1 / 5
    second = np.einsum("nik,nk,njk->nij", solids.rotation, share * half**2, solids.rotation)
    centroid = solids.centre.copy()
    for k in np.flatnonzero((kind == MESH) & seen).tolist():
        mesh = solids.sources[k].mesh
        assert mesh is not None
        volume[k], offset, about = mesh_moments(mesh)
        centroid[k] += solids.rotation[k] @ offset
        second[k] = solids.rotation[k] @ about @ solids.rotation[k].T
    mass = np.where(seen, volume * density * np.array([s.material.density for s in solids.sources]), 0.0)
    total = np.asarray(np.bincount(solids.link, mass, links), dtype=np.float64)
    if (total <= 0).any():
        raise ValueError(f"link {int(np.argmin(total))} has no solid")
    first = np.stack([np.bincount(solids.link, mass * x, links) for x in centroid.T], axis=1)
    com = first / total[:, None]
    offset = centroid - com[solids.link]
    sigma = np.zeros((links, 3, 3))
    np.add.at(sigma, solids.link, mass[:, None, None] * (second + offset[:, :, None] * offset[:, None, :]))
    return total, com, np.trace(sigma, axis1=1, axis2=2)[:, None, None] * np.eye(3) - sigma
