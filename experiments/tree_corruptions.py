"""Edits of kinematic trees: the predictions that the tree experiment scores (Fig. 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from metric import Joint, SplitNorm, pairwise_distance

Edges = list[tuple[str, str, Joint]]
Random = np.random.Generator

EDITS = ("joint error", "range", "missing", "spurious", "split", "moved")
"""Kinds of edits, in the order of the figure's key."""


def nodes_of(edges: Edges) -> list[str]:
    """Nodes in the order of their first mention."""
    return list(dict.fromkeys(node for parent, child, _ in edges for node in (parent, child)))


def contracted(edges: Edges, k: int) -> Edges:
    """Without joint k: its two links are one."""
    kept, merged, _ = edges[k]
    joined = [tuple(kept if node == merged else node for node in edge[:2]) for edge in edges]
    return [(*ends, edge[2]) for i, (ends, edge) in enumerate(zip(joined, edges, strict=True)) if i != k]  # type: ignore[misc]


def with_leaf(edges: Edges, node: str, joint: Joint, name: str = "spurious") -> Edges:
    """With a further link that hangs on a node by the joint."""
    return [*edges, (node, _fresh(edges, name), joint)]


def split(edges: Edges, k: int, share: float) -> Edges:
    """Joint k as two in a row along the same screw, the first with that share of the limits."""
    parent, child, joint = edges[k]
    between = _fresh(edges, "half")
    first, second = with_range(joint, share), with_range(joint, 1 - share)
    return [*edges[:k], (parent, between, first), (between, child, second), *edges[k + 1 :]]


def with_range(joint: Joint, factor: float) -> Joint:
    """The joint with both limits scaled."""
    return replace(joint, lower=factor * joint.lower, upper=factor * joint.upper)


def with_joint(edges: Edges, k: int, joint: Joint) -> Edges:
    """With another joint in place k."""
    return [(*edge[:2], joint) if i == k else edge for i, edge in enumerate(edges)]


def moved(edges: Edges, k: int, random: Random) -> Edges:
    """Joint k and all below it, hung on another link; unchanged if there is none."""
    parent, child, joint = edges[k]
    below = {child}
    while True:
        further = {c for p, c, _ in edges if p in below} - below
        if not further:
            break
        below |= further
    others = [node for node in nodes_of(edges) if node not in below and node != parent]
    if not others:
        return edges
    return [*edges[:k], (others[random.integers(len(others))], child, joint), *edges[k + 1 :]]


def random_joint(random: Random, box: np.ndarray) -> Joint:
    """A hinge or a slide inside a box (2, 3), its range log-uniform from tiny to large."""
    axis = np.eye(3)[random.integers(3)]
    origin = random.uniform(box[0], box[1])
    x, y, z = origin.tolist()
    a, b, c = axis.tolist()
    if random.random() < 0.5:
        return Joint("revolute", (a, b, c), (x, y, z), 0.0, math.exp(random.uniform(math.log(0.02), math.log(2.0))))
    size = float(np.linalg.norm(box[1] - box[0]))
    return Joint("prismatic", (a, b, c), (x, y, z), 0.0, size * math.exp(random.uniform(math.log(0.01), math.log(0.5))))


def _tilted(joint: Joint, random: Random, box: np.ndarray) -> Joint:
    """Axis and origin off, the axis by up to half a radian."""
    size = float(np.linalg.norm(box[1] - box[0]))
    strength = math.exp(random.uniform(math.log(0.01), math.log(0.5)))
    axis = np.array(joint.axis) + strength * random.normal(size=3)
    origin = np.array(joint.origin) + 0.3 * strength * size * random.normal(size=3)
    a, b, c = (axis / np.linalg.norm(axis)).tolist()
    x, y, z = origin.tolist()
    return replace(joint, axis=(a, b, c), origin=(x, y, z))


def edited(edges: Edges, edit: str, random: Random, box: np.ndarray) -> Edges:
    """With one random edit of the kind; a tree of one joint is not made empty."""
    k = int(random.integers(len(edges)))
    joint = edges[k][2]
    if edit == "joint error":
        return with_joint(edges, k, _tilted(joint, random, box))
    if edit == "range":
        return with_joint(edges, k, with_range(joint, math.exp(random.uniform(-1.4, 1.4))))
    if edit == "missing":
        return contracted(edges, k) if len(edges) > 1 else edges
    if edit == "spurious":
        nodes = nodes_of(edges)
        return with_leaf(edges, nodes[random.integers(len(nodes))], random_joint(random, box))
    if edit == "split":
        return split(edges, k, random.uniform(0.05, 0.5))
    return moved(edges, k, random)


def has_duplicates(joints: Sequence[Joint]) -> bool:
    """Whether two of the joints are the same motion, as equal drawers are."""
    apart = pairwise_distance(joints, joints, SplitNorm()) + np.diag(np.full(len(joints), np.inf))
    return bool((apart < 1e-9).any())


def _fresh(edges: Edges, name: str) -> str:
    taken = set(nodes_of(edges))
    return next(f"{name}-{k}" for k in range(len(taken) + 1) if f"{name}-{k}" not in taken)
