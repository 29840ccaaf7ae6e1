"""The planter's own reading of a URDF: plain lxml and NumPy, nothing of simcheck.

What a planted defect does to an object, and whether it can be seen, is decided here; so the planter and `verify` can
only agree by both being right.
"""

from __future__ import annotations

import copy
import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from lxml import etree
from scipy.spatial.transform import Rotation

MOVING = ("revolute", "continuous", "prismatic")


def numbers(text: str) -> np.ndarray:
    return np.array([float(word) for word in text.split()])


def written(values) -> str:
    return " ".join(repr(float(v) + 0.0) for v in values)


def rotation(rpy) -> np.ndarray:
    """Rz(yaw) Ry(pitch) Rx(roll), as the URDF standard says."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def rpy_of(matrix: np.ndarray) -> np.ndarray:
    with warnings.catch_warnings():  # at the pole it warns, and is right all the same
        warnings.simplefilter("ignore")
        return Rotation.from_matrix(matrix).as_euler("xyz")


def origin_of(element: etree._Element) -> np.ndarray:
    """Pose (4, 4) of an element's <origin>."""
    origin = element.find("origin")
    return np.eye(4) if origin is None else _pose(origin.get("xyz", "0 0 0"), origin.get("rpy", "0 0 0")).copy()


@lru_cache(maxsize=20_000)
def _pose(xyz: str, rpy: str) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, :3] = rotation(numbers(rpy))
    pose[:3, 3] = numbers(xyz)
    return pose


def set_origin(element: etree._Element, pose: np.ndarray) -> None:
    origin = element.find("origin")
    if origin is None:
        origin = etree.Element("origin")
        element.insert(0, origin)
    origin.set("xyz", written(pose[:3, 3]))
    origin.set("rpy", written(rpy_of(pose[:3, :3])))


def turn_about(axis: np.ndarray, angle: float) -> np.ndarray:
    return Rotation.from_rotvec(np.asarray(axis) * angle).as_matrix()


@dataclass(frozen=True, eq=False)
class Motion:
    """One movable joint in the world frame at rest; a screw written as a pair is one motion."""

    name: str
    kind: str
    child: str
    axis: np.ndarray
    origin: np.ndarray
    lower: float
    upper: float
    pitch: float = 0.0

    def placement(self, q: float) -> np.ndarray:
        pose = np.eye(4)
        if self.kind == "prismatic":
            pose[:3, 3] = q * self.axis
            return pose
        pose[:3, :3] = turn_about(self.axis, q)
        pose[:3, 3] = self.origin - pose[:3, :3] @ self.origin + self.pitch * q * self.axis
        return pose

    @property
    def twist(self) -> np.ndarray:
        if self.kind == "prismatic":
            return np.concatenate([np.zeros(3), self.axis])
        return np.concatenate([self.axis, np.cross(self.origin, self.axis) + self.pitch * self.axis])


def pair_gap(a: Motion | None, b: Motion | None) -> float:
    """E_alpha between two motions (alpha 1); unbounded ends count by direction alone."""
    if a is None or b is None:
        return math.inf if (a is None) != (b is None) else 0.0
    ends_a, ends_b = ([m.twist * max(min(q, 1e3), -1e3) for q in (m.lower, m.upper)] for m in (a, b))
    straight = sum(float(np.sum((x - y) ** 2)) for x, y in zip(ends_a, ends_b, strict=True))
    crossed = sum(float(np.sum((x - y) ** 2)) for x, y in zip(ends_a, ends_b[::-1], strict=True))
    return math.sqrt(min(straight, crossed))


class Urdf:
    """A URDF as a tree of elements that can be edited, and what it means."""

    def __init__(self, root: etree._Element, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.memo: dict[tuple[str, ...], float] = {}  # what was measured; a copy, to be edited, has none

    @classmethod
    def read(cls, path: Path) -> Urdf:
        parser = etree.XMLParser(remove_comments=True)
        return cls(etree.parse(str(path), parser).getroot(), path.parent)

    def copy(self) -> Urdf:
        return Urdf(copy.deepcopy(self.root), self.folder)

    @property
    def text(self) -> str:
        etree.indent(self.root)
        return '<?xml version="1.0"?>\n' + etree.tostring(self.root, encoding="unicode") + "\n"

    @property
    def links(self) -> dict[str, etree._Element]:
        return {e.get("name"): e for e in self.root.iterchildren("link")}

    @property
    def joints(self) -> dict[str, etree._Element]:
        return {e.get("name"): e for e in self.root.iterchildren("joint")}

    def ends(self, joint: etree._Element) -> tuple[str, str]:
        return joint.find("parent").get("link"), joint.find("child").get("link")

    def poses(self) -> dict[str, np.ndarray]:
        """World pose (4, 4) of every link at rest."""
        below: dict[str, list[etree._Element]] = {}
        children = set()
        for joint in self.joints.values():
            parent, child = self.ends(joint)
            below.setdefault(parent, []).append(joint)
            children.add(child)
        root = next(name for name in self.links if name not in children)
        poses, stack = {root: np.eye(4)}, [root]
        while stack:
            parent = stack.pop()
            for joint in below.get(parent, ()):
                child = self.ends(joint)[1]
                poses[child] = poses[parent] @ origin_of(joint)
                stack.append(child)
        return poses

    @staticmethod
    def moves(joint: etree._Element) -> bool:
        return joint.get("type") in MOVING

    @staticmethod
    def limits(joint: etree._Element) -> tuple[float, float]:
        limit = joint.find("limit")
        if joint.get("type") == "continuous" or limit is None:
            return -math.inf, math.inf
        ends = (float(limit.get(a, "0")) for a in ("lower", "upper"))
        return tuple(math.copysign(math.inf, x) if abs(x) >= 1e10 else x for x in ends)  # type: ignore[return-value]

    @staticmethod
    def axis(joint: etree._Element) -> np.ndarray:
        axis = joint.find("axis")
        vector = np.array([1.0, 0.0, 0.0]) if axis is None else numbers(axis.get("xyz"))
        return vector / max(float(np.linalg.norm(vector)), 1e-300)

    def screws(self) -> dict[str, str]:
        """Slide -> turn, for the pairs that spell a screw."""
        joints = self.joints
        pairs = {}
        for name, joint in joints.items():
            mimic = joint.find("mimic")
            leader = joints.get(mimic.get("joint")) if mimic is not None else None
            if leader is None or joint.get("type") != "prismatic" or leader.get("type") == "prismatic":
                continue
            if self.ends(leader)[1] == self.ends(joint)[0] or self.ends(joint)[1] == self.ends(leader)[0]:
                pairs[name] = leader.get("name")
        return pairs

    def motion(self, name: str) -> Motion | None:
        """The motion of a joint, None where it has none."""
        joint = self.joints.get(name)
        if joint is None or not self.moves(joint):
            return None
        lower, upper = sorted(self.limits(joint))
        if lower == upper == 0:
            return None
        pitch, child = 0.0, self.ends(joint)[1]
        for slide, turn in self.screws().items():
            if turn == name:
                other = self.joints[slide]
                sign = math.copysign(1.0, float(self._world_axis(joint) @ self._world_axis(other)))
                pitch = sign * float(other.find("mimic").get("multiplier", "1"))
                child = self.ends(other)[1] if self.ends(other)[0] == child else child
                lower, upper = _cut(lower, upper, self.limits(other), abs(pitch) and pitch * sign)
        frame = self.poses()[self.ends(joint)[1]]
        kind = "helical" if pitch else joint.get("type")
        return Motion(name, kind, child, self._world_axis(joint), frame[:3, 3], lower, upper, pitch)

    def _world_axis(self, joint: etree._Element) -> np.ndarray:
        return self.poses()[self.ends(joint)[1]][:3, :3] @ self.axis(joint)

    def movable(self) -> list[str]:
        """Joints that can be planted on alone: they move, and are no half of a screw and no follower."""
        screws = self.screws()
        taken = {*screws, *screws.values()}
        return [
            name
            for name, joint in self.joints.items()
            if self.moves(joint) and name not in taken and joint.find("mimic") is None
            if self.limits(joint) != (0.0, 0.0)
        ]

    def downstream(self, link: str) -> set[str]:
        found, stack = set(), [link]
        while stack:
            found.add(stack.pop())
            stack += [c for p, c in map(self.ends, self.joints.values()) if p in found and c not in found]
        return found

    def welded(self, link: str) -> set[str]:
        """The link and what is fixed to it from below."""
        found, stack = set(), [link]
        fixed = [self.ends(j) for j in self.joints.values() if not self.moves(j) or self.limits(j) == (0.0, 0.0)]
        while stack:
            found.add(stack.pop())
            stack += [c for p, c in fixed if p in found and c not in found]
        return found

    def bodies(self) -> dict[str, tuple[float, np.ndarray, np.ndarray]]:
        """Mass, com and inertia (world axes) of every link with an inertial."""
        found = {}
        poses = self.poses()
        for name, link in self.links.items():
            inertial = link.find("inertial")
            if inertial is None or inertial.find("mass") is None or inertial.find("inertia") is None:
                continue
            frame = poses[name] @ origin_of(inertial)
            tensor = tensor_of(inertial)
            turned = frame[:3, :3] @ tensor @ frame[:3, :3].T
            found[name] = (float(inertial.find("mass").get("value")), frame[:3, 3], turned)
        return found


def _cut(lower: float, upper: float, slide: tuple[float, float], factor: float) -> tuple[float, float]:
    """The range of a screw: what both halves allow."""
    if not factor:
        return lower, upper
    ends = sorted(end / factor for end in slide)
    return max(lower, ends[0]), min(upper, ends[1])


def tensor_of(inertial: etree._Element) -> np.ndarray:
    moments = inertial.find("inertia")
    xx, xy, xz, yy, yz, zz = (float(moments.get(a, "0")) for a in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def set_tensor(inertial: etree._Element, tensor: np.ndarray) -> None:
    places = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    for name, place in places.items():
        inertial.find("inertia").set(name, repr(float(tensor[place])))


def unchanged(before: Urdf, after: Urdf) -> bool:
    """Whether structure, motions and bodies are the same: then the plant does nothing."""
    if {n: before.ends(j) for n, j in before.joints.items()} != {n: after.ends(j) for n, j in after.joints.items()}:
        return False
    names = {n for n, j in before.joints.items() if before.moves(j)}
    names |= {n for n, j in after.joints.items() if after.moves(j)}
    size = max(1e-3, max(float(np.linalg.norm(p[:3, 3])) for p in before.poses().values()))
    if any(pair_gap(before.motion(n), after.motion(n)) > 1e-9 * (1 + size) for n in names):
        return False
    old, new = before.poses(), after.poses()
    if old.keys() != new.keys() or any(np.abs(old[k] - new[k]).max() > 1e-9 * (1 + size) for k in old):
        return False
    bodies, changed = before.bodies(), after.bodies()
    return bodies.keys() == changed.keys() and all(
        all(np.abs(np.subtract(x, y)).max() <= 1e-9 * (np.abs(x).max() + 1e-12) for x, y in zip(a, b, strict=True))
        for a, b in ((bodies[k], changed[k]) for k in bodies)
    )
