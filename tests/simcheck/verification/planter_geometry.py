"""The planter's own geometry: convex shapes by their support functions, depth, gaps, volumes. Nothing of simcheck.

The depth of two convex shapes is the least overlap over all directions. Directions are tried: face normals, crossed
edges, the centre line and its parts across cylinder axes, an even set over the sphere, then ever closer to the best.
So it is never too small, and for boxes exact.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import trimesh
from planter_model import Motion, Urdf, numbers, origin_of

POSITIONS = 33


def _sphere_directions(count: int) -> np.ndarray:
    k = np.arange(count) + 0.5
    polar, around = np.arccos(1 - 2 * k / count), math.pi * (1 + 5**0.5) * k
    return np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=1)


_EVEN = _sphere_directions(300)


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex shape: half edges of a core box, a radius around it in a plane or all round, or corners."""

    link: str
    kind: str
    sizes: np.ndarray
    pose: np.ndarray  # (4, 4), world at rest
    corners: np.ndarray | None = None  # (n, 3), in the shape's frame, for hulls

    def support(self, pose: np.ndarray, directions: np.ndarray) -> np.ndarray:
        """Largest coordinate along each direction (n, 3)."""
        local = directions @ pose[:3, :3]
        along = directions @ pose[:3, 3]
        if self.corners is not None:
            return along + (local @ self.corners.T).max(axis=1)
        if self.kind == "box":
            return along + np.abs(local) @ (self.sizes / 2)
        if self.kind == "sphere":
            return along + self.sizes[0]
        radius, length = self.sizes
        if self.kind == "capsule":
            return along + np.abs(local[:, 2]) * length / 2 + radius
        return along + np.abs(local[:, 2]) * length / 2 + radius * np.hypot(local[:, 0], local[:, 1])

    @property
    def volume(self) -> float:
        if self.corners is not None:
            return float(trimesh.Trimesh(self.corners).convex_hull.volume)
        if self.kind == "box":
            return float(np.prod(self.sizes))
        radius = self.sizes[0]
        ball = 4 / 3 * math.pi * radius**3
        if self.kind == "sphere":
            return ball
        return math.pi * radius**2 * self.sizes[1] + (ball if self.kind == "capsule" else 0.0)

    def second(self) -> np.ndarray:
        """Second moments (3, 3) of the volume about its centre, per volume, world axes (no meshes)."""
        if self.kind == "box":
            diagonal = self.sizes**2 / 12
        elif self.kind == "sphere":
            diagonal = np.full(3, self.sizes[0] ** 2 / 5)
        else:
            radius, length = self.sizes
            diagonal = np.array([radius**2 / 4, radius**2 / 4, length**2 / 12])
        turn = self.pose[:3, :3]
        return turn @ np.diag(diagonal) @ turn.T


def solids(urdf: Urdf, role: str = "", of: str = "") -> list[Solid]:
    """Convex solids of all links (or of one): collision shapes, else visual ones; or the shapes of one role."""
    poses = urdf.poses()
    found = []
    for name, link in urdf.links.items():
        if of and name != of:
            continue
        shapes = link.findall(role) if role else link.findall("collision") or link.findall("visual")
        for shape in shapes:
            geometry = shape.find("geometry")
            solid = None if geometry is None or not len(geometry) else geometry[0]
            if solid is None:
                continue
            pose = poses[name] @ origin_of(shape)
            if solid.tag == "mesh":
                found += _mesh_solids(urdf, name, solid, pose)
            elif solid.tag == "box":
                found.append(Solid(name, "box", numbers(solid.get("size")), pose))
            elif solid.tag == "sphere":
                found.append(Solid(name, "sphere", numbers(solid.get("radius")), pose))
            else:
                sizes = np.array([float(solid.get("radius")), float(solid.get("length"))])
                found.append(Solid(name, solid.tag, sizes, pose))
    return found


def _mesh_solids(urdf: Urdf, link: str, mesh, pose: np.ndarray) -> list[Solid]:
    path = urdf.folder / mesh.get("filename")
    if not path.is_file():
        return []
    scale = numbers(mesh.get("scale", "1 1 1"))
    return [Solid(link, "mesh", scale, pose, corners * scale) for corners in _convex_parts(path)]


@lru_cache(maxsize=500)
def _convex_parts(path: Path) -> list[np.ndarray]:
    """Hull corners of the closed convex components of a mesh: the hull of any other would be too large."""
    parts = trimesh.load(path, force="mesh").split(only_watertight=True)
    hulls = [(part, part.convex_hull) for part in parts]
    return [np.asarray(h.vertices) for part, h in hulls if abs(h.volume - abs(part.volume)) <= 0.02 * h.volume]


@lru_cache(maxsize=500)
def _vertices(path: Path) -> np.ndarray:
    return np.asarray(trimesh.load(path, force="mesh").vertices)


def box_of(shapes: list[Solid]) -> np.ndarray | None:
    """Corners (2, 3) of the box around shapes at rest."""
    if not shapes:
        return None
    axes = np.eye(3)
    high = np.max([s.support(s.pose, axes) for s in shapes], axis=0)
    low = -np.max([s.support(s.pose, -axes) for s in shapes], axis=0)
    return np.array([low, high])


def size_of(urdf: Urdf) -> float:
    """Diagonal of the box of everything shown, coms and joint origins, m (as verify states it)."""
    if ("size",) not in urdf.memo:
        urdf.memo["size",] = _size_of(urdf)
    return urdf.memo["size",]


def _size_of(urdf: Urdf) -> float:
    boxes = [box for name in urdf.links if (box := box_of(shown(urdf, name))) is not None]
    points = [com[None] for _, com, _ in urdf.bodies().values()]
    joints = [urdf.motion(name) for name in urdf.joints]
    points += [m.origin[None] for m in joints if m is not None]
    everything = np.concatenate([*boxes, *points])
    return float(np.linalg.norm(everything.max(axis=0) - everything.min(axis=0)))


def shown(urdf: Urdf, link: str) -> list[Solid]:
    """What a link shows: its visual shapes, else its collision shapes; meshes as they are boxed."""
    role = "visual" if urdf.links[link].find("visual") is not None else "collision"
    poses = urdf.poses()
    found = [s for s in solids(urdf, role, link) if s.kind != "mesh"]
    for shape in urdf.links[link].findall(role):
        mesh = shape.find("geometry/mesh")
        if mesh is None or not (urdf.folder / mesh.get("filename")).is_file():
            continue
        scale = numbers(mesh.get("scale", "1 1 1"))
        corners = _vertices(urdf.folder / mesh.get("filename")) * scale
        found.append(Solid(link, "mesh", scale, poses[link] @ origin_of(shape), corners))
    return found


def driven(motion: Motion, size: float) -> tuple[float, float]:
    half = size / 2 if motion.kind == "prismatic" else math.pi
    lower, upper = motion.lower, motion.upper
    if math.isinf(lower) and math.isinf(upper):
        return -half, half
    if math.isinf(upper):
        return lower, lower + 2 * half
    if math.isinf(lower):
        return upper - 2 * half, upper
    return lower, upper


def deepest(urdf: Urdf, name: str) -> float:
    """Largest depth, m, of what a joint moves in the rest, over 33 positions and at rest; 0 where nothing touches."""
    if ("deepest", name) not in urdf.memo:
        urdf.memo["deepest", name] = _deepest(urdf, name)
    return urdf.memo["deepest", name]


def _deepest(urdf: Urdf, name: str) -> float:
    motion = urdf.motion(name)
    if motion is None:
        return 0.0
    lower, upper = driven(motion, size_of(urdf))
    if motion.kind not in ("prismatic", "helical"):
        upper = min(upper, lower + 2 * math.pi)
    moved = urdf.downstream(motion.child)
    shapes = solids(urdf)
    movers, others = [s for s in shapes if s.link in moved], [s for s in shapes if s.link not in moved]
    if not movers or not others:
        return 0.0
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    fixed = np.array([s.support(s.pose, axes) for s in others])
    deep = 0.0
    for q in [0.0, *np.linspace(lower, upper, POSITIONS)]:
        placed = motion.placement(q)
        for solid in movers:
            pose = placed @ solid.pose
            reach = solid.support(pose, axes)
            # Overlap of the boxes along each world axis: no deeper than the least of them.
            overlap = np.minimum(reach[:3] + fixed[:, 3:], fixed[:, :3] + reach[3:]).min(axis=1)
            for k in np.flatnonzero(overlap > deep):
                deep = max(deep, depth(solid, pose, others[k], others[k].pose))
    return deep


def depth(a: Solid, pose_a: np.ndarray, b: Solid, pose_b: np.ndarray) -> float:
    """Least overlap over the directions tried; negative where one separates the shapes."""

    def least(tried: np.ndarray) -> tuple[float, np.ndarray]:
        overlap = a.support(pose_a, tried) + b.support(pose_b, -tried)
        k = int(overlap.argmin())
        return float(overlap[k]), tried[k]

    found, best = least(_directions(a, pose_a, b, pose_b))
    cone = 0.15  # about the spacing of the even set; halved until it no longer matters
    while found > 0 and cone > 1e-4 and not a.kind == b.kind == "box":
        around = best + cone * _EVEN
        lower, closer = least(around / np.linalg.norm(around, axis=1, keepdims=True))
        cone = cone if lower < found - 1e-7 else cone / 2
        found, best = min((found, tuple(best)), (lower, tuple(closer)))
        best = np.array(best)
    return found


def gap(a: Solid, b: Solid) -> float:
    """A lower bound of the distance of two shapes at rest."""
    return -depth(a, a.pose, b, b.pose)


def _directions(a: Solid, pose_a: np.ndarray, b: Solid, pose_b: np.ndarray) -> np.ndarray:
    ra, rb = pose_a[:3, :3].T, pose_b[:3, :3].T
    crossed = np.cross(ra[:, None], rb[None]).reshape(9, 3)
    line = pose_b[:3, 3] - pose_a[:3, 3]
    across = [line - (line @ r[2]) * r[2] for r in (ra, rb)]
    tried = np.concatenate([ra, rb, crossed, [line, *across], _EVEN])
    length = np.linalg.norm(tried, axis=1)
    tried = tried[length > 1e-9] / length[length > 1e-9, None]
    return np.concatenate([tried, -tried])


def detached(urdf: Urdf, name: str) -> bool:
    """G2: the part that a joint carries is farther from everything else at rest than 20 mm and 5 % of the size."""
    joint = urdf.joints[name]
    motion = urdf.motion(name)
    cluster = urdf.welded(urdf.ends(joint)[1] if motion is None else motion.child)
    shapes = solids(urdf)
    inside, outside = [s for s in shapes if s.link in cluster], [s for s in shapes if s.link not in cluster]
    if not inside or not outside:
        return False
    far = max(0.02, 0.05 * size_of(urdf))
    return all(gap(a, b) > far for a, b in itertools.product(inside, outside))


def link_volume(urdf: Urdf, link: str) -> float:
    """Volume of a link's shown shapes, m^3; 0 where a mesh is among them (its volume is not ours to say)."""
    shapes = shown(urdf, link)
    return 0.0 if any(s.kind == "mesh" for s in shapes) else sum(s.volume for s in shapes)


def gyration(urdf: Urdf, link: str) -> float | None:
    """Radius of gyration of the evenly filled shapes of a link, None with meshes or capsules among them."""
    shapes = shown(urdf, link)
    if not shapes or any(s.kind in ("mesh", "capsule") for s in shapes):
        return None
    volumes = np.array([s.volume for s in shapes])
    centres = np.array([s.pose[:3, 3] for s in shapes])
    centre = volumes @ centres / volumes.sum()
    total = sum(
        v * (np.trace(s.second()) + float(np.sum((c - centre) ** 2)))
        for v, s, c in zip(volumes, shapes, centres, strict=True)
    )
    return math.sqrt(total / volumes.sum())
