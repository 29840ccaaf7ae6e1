"""Random kinematic trees and corrupted predictions, as the goals of the exact tree distance describe them.

A shape is a list of (node, node) edges; a `Joints` batch holds the parameters of its joints.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from metric import Joint, KinematicTree

Shape = list[tuple[int, int]]


@dataclass(frozen=True)
class Joints:
    """Parameters of k joints: revolute or prismatic, lower limit 0."""

    revolute: NDArray[np.bool_]
    axis: NDArray[np.float64]
    origin: NDArray[np.float64]
    upper: NDArray[np.float64]

    def take(self, index: NDArray[np.intp]) -> Joints:
        return Joints(*(getattr(self, f.name)[index] for f in fields(self)))

    def joined(self, other: Joints) -> Joints:
        return Joints(*(np.concatenate([getattr(self, f.name), getattr(other, f.name)]) for f in fields(self)))

    def listed(self) -> list[Joint]:
        kinds = np.where(self.revolute, "revolute", "prismatic")
        rows = zip(kinds.tolist(), self.axis.tolist(), self.origin.tolist(), self.upper.tolist(), strict=True)
        return [Joint(kind, tuple(axis), tuple(origin), 0.0, upper) for kind, axis, origin, upper in rows]


def random_joints(rng: np.random.Generator, count: int, duplicates: float = 0.0) -> Joints:
    """Joints in a unit box; a share of them are exact copies of an earlier one, as equal drawers are."""
    revolute = rng.random(count) < 0.6
    axis = rng.normal(size=(count, 3))
    joints = Joints(
        revolute,
        axis / np.linalg.norm(axis, axis=1, keepdims=True),
        rng.uniform(-0.5, 0.5, (count, 3)),
        np.where(revolute, rng.uniform(0.3, 2.0, count), rng.uniform(0.1, 0.6, count)),
    )
    source = np.arange(count)
    for i in range(1, count):
        if rng.random() < duplicates:
            source[i] = source[rng.integers(i)]
    return joints.take(source)


def noisy(rng: np.random.Generator, joints: Joints, noise: float) -> Joints:
    """Axis and origin off by Gaussian noise."""
    if noise == 0:
        return joints
    axis = joints.axis + noise * rng.normal(size=joints.axis.shape)
    origin = joints.origin + noise * rng.normal(size=joints.origin.shape)
    return Joints(joints.revolute, axis / np.linalg.norm(axis, axis=1, keepdims=True), origin, joints.upper)


def uniform(rng: np.random.Generator, count: int) -> Shape:
    """A random recursive tree."""
    return [(int(rng.integers(i + 1)), i + 1) for i in range(count)]


def chain(rng: np.random.Generator, count: int) -> Shape:
    return [(i, i + 1) for i in range(count)]


def cabinet(rng: np.random.Generator, count: int) -> Shape:
    """A body with drawers and doors, each with up to two handles; a few units hang on other units."""
    shape: Shape = []
    while len(shape) < count:
        nested = len(shape) >= 3 and rng.random() < 0.2
        shape.append((int(rng.integers(len(shape) + 1)) if nested else 0, len(shape) + 1))
        unit = len(shape)
        for _ in range(min(int(rng.integers(3)), count - len(shape))):
            shape.append((unit, len(shape) + 1))
    return shape


def star(rng: np.random.Generator, count: int) -> Shape:
    return [(0, i + 1) for i in range(count)]


def repeated(units: int, length: int) -> Shape:
    """A hub with equal chains: drawers with handles, fingers."""
    return [(0 if j == 0 else i * length + j, i * length + j + 1) for i in range(units) for j in range(length)]


def contract(rng: np.random.Generator, shape: Shape, joints: Joints) -> tuple[Shape, Joints]:
    k = int(rng.integers(len(shape)))
    kept, merged = shape[k]
    ends = [tuple(kept if node == merged else node for node in edge) for i, edge in enumerate(shape) if i != k]
    return ends, joints.take(np.delete(np.arange(len(shape)), k))


def expand(rng: np.random.Generator, shape: Shape, joints: Joints) -> tuple[Shape, Joints]:
    """Split a node in two with a new joint between them; about half of its edges move to the new node."""
    nodes = sorted({node for edge in shape for node in edge})
    node, new = nodes[int(rng.integers(len(nodes)))], nodes[-1] + 1
    ends = [
        tuple(new if end == node else end for end in edge) if node in edge and rng.random() < 0.5 else edge
        for edge in shape
    ]
    return [*ends, (node, new)], joints.joined(random_joints(rng, 1))


def reparent(rng: np.random.Generator, shape: Shape, joints: Joints) -> tuple[Shape, Joints]:
    """Hang one side of a random edge on another node of its other side."""
    while True:
        k = int(rng.integers(len(shape)))
        near, far = shape[k]
        side, grew = {near}, True
        while grew:
            ahead = {b if a in side else a for i, (a, b) in enumerate(shape) if i != k and (a in side) != (b in side)}
            grew = bool(ahead)
            side |= ahead
        others = sorted(side - {near})
        if others:
            ends = list(shape)
            ends[k] = (others[int(rng.integers(len(others)))], far)
            return ends, joints


def corrupted(
    rng: np.random.Generator,
    shape: Shape,
    joints: Joints,
    contracted: int,
    expanded: int,
    reparented: int,
    noise: float,
) -> tuple[Shape, Joints]:
    """A prediction: noise in every joint, edits, edges shuffled."""
    joints = noisy(rng, joints, noise)
    for edit, times in ((contract, contracted), (expand, expanded), (reparent, reparented)):
        for _ in range(times):
            shape, joints = edit(rng, shape, joints)
    shuffled = rng.permutation(len(shape))
    return [shape[i] for i in shuffled], joints.take(shuffled)


def tree(shape: Shape, joints: Joints) -> KinematicTree:
    return KinematicTree([(a, b, joint) for (a, b), joint in zip(shape, joints.listed(), strict=True)])
