"""Kinematic trees: links are nodes, joints are edges, nodes carry no label (SPEC section 2, paper 4.3)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metric.body import Body
from metric.errors import MetricError
from metric.joint import Joint, screw
from metric.trees.directed import DirectedTree

Node = Hashable

_PARAMETERS = ("kind", "axis", "origin", "pitch")


class Edge(NamedTuple):
    """One joint between two links; ``body`` is what the joint moves, seen from the base."""

    parent: Node
    child: Node
    joint: Joint
    body: Body | None


class KinematicTree:
    """Links as nodes, joints as edges; for the distance unrooted, with node names that mean nothing. Immutable.

    Parameters
    ----------
    edges
        Sequence of ``(node, node, Joint)`` or ``(node, node, Joint, Body | None)``. Nodes are any hashable names.
        All joints are given in one world frame at rest. The body is what the joint moves: the cluster of links
        welded to its child. No edges: one bare node.
    base
        Node that stands still. An edge's joint is the motion of its far side, seen from the base, relative to
        its near side. Default: the node that all edges, read as (parent, child), point away from; None where the
        edges point in no such way. Only `rebased` and ``base="free"`` need it: the distance itself does not.
    base_body
        Body of the base's own cluster, which no joint moves as written. A re-based tree needs it, to price the
        joints that then move it.

    Raises
    ------
    MetricError    an edge is malformed, joins a node to itself, repeats another one or closes a cycle; the edges
                   form several components; the base is no node

    Examples
    --------
    >>> lid, knob = Joint("revolute", upper=1.5), Joint("prismatic", upper=0.1)
    >>> tree = KinematicTree([("box", "lid", lid), ("lid", "knob", knob)])
    >>> tree.base, tree.nodes
    ('box', ('box', 'lid', 'knob'))
    """

    def __init__(
        self, edges: Iterable[Sequence[Any]], *, base: Node | None = None, base_body: Body | None = None
    ) -> None:
        self.edges: tuple[Edge, ...] = tuple(_edge(i, edge) for i, edge in enumerate(_listed(edges)))
        _require_tree(self.edges)
        _require_body("base_body", base_body)
        if base is not None and self.edges and base not in self.nodes:
            raise MetricError(f"base: expected a node of the tree, got {base!r}")
        self.base = _written_base(self.edges) if base is None else base
        self.base_body = base_body

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Nodes in the order in which the edges name them; a tree without edges has one node, its base."""
        if not self.edges:
            return (self.base,)
        return tuple(dict.fromkeys(node for edge in self.edges for node in edge[:2]))

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joint of each edge."""
        return tuple(edge.joint for edge in self.edges)

    @property
    def bodies(self) -> tuple[Body | None, ...]:
        """The moved body of each edge, None where it is unknown."""
        return tuple(edge.body for edge in self.edges)

    @cached_property
    def screws(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Unit screws (n, 6) and limits (n, 2) of all joints, computed at once."""
        joints = self.joints
        if not joints:
            return np.zeros((0, 6)), np.zeros((0, 2))
        kinds, axes, origins, pitches = ([getattr(j, name) for j in joints] for name in _PARAMETERS)
        return screw(kinds, axes, origins, pitches), np.array([(j.lower, j.upper) for j in joints])

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """Indices of the edges that are not exactly fixed; edge k of `contracted` is edge ``moving[k]``."""
        return tuple(i for i, joint in enumerate(self.joints) if not joint.exactly_fixed)

    @cached_property
    def contracted(self) -> KinematicTree:
        """The tree with the two nodes of every exactly fixed edge merged: at distance 0 (paper 4.3)."""
        if len(self.moving) == len(self.edges):
            return self
        cluster = {node: node for node in self.nodes}
        for edge in self.edges:
            if edge.joint.exactly_fixed:
                kept, merged = _find(cluster, edge.parent), _find(cluster, edge.child)
                if self.base is not None and merged == _find(cluster, self.base):
                    kept, merged = merged, kept  # the base keeps its name
                cluster[merged] = kept
        edges = [self.edges[i] for i in self.moving]
        return KinematicTree(
            tuple(e._replace(parent=_find(cluster, e.parent), child=_find(cluster, e.child)) for e in edges),
            base=self.base,
            base_body=self.base_body,
        )

    @cached_property
    def directed(self) -> DirectedTree:
        """Both directions of every edge, in the order that the exact distance works through them."""
        return DirectedTree.of([(edge.parent, edge.child) for edge in self.edges])

    def rebased(self, base: Node) -> KinematicTree:
        """The same object exported from another base link, world frame unchanged.

        Every joint between the old and the new base now moves its old parent side: its twists change sign
        (``z -> -z``), and its own body is the cluster of its former parent. Edges keep their places.

        Raises
        ------
        MetricError    no such node, or the present base is unknown

        Examples
        --------
        >>> tree = KinematicTree([("box", "lid", Joint("prismatic", axis=(0, 0, 1), upper=0.2))])
        >>> tree.rebased("lid").edges[0].joint.endpoints[1] + 0.0
        array([ 0. ,  0. ,  0. ,  0. ,  0. , -0.2])
        """
        if base not in self.nodes:
            raise MetricError(f"base: expected a node of the tree, got {base!r}")
        if base == self.base:
            return self
        upward = self._edge_to_base
        edges, node = list(self.edges), base
        while node != self.base:
            index, parent = upward[node]
            edge = self.edges[index]
            body = edge.body if edge.joint.exactly_fixed else self._cluster_body(parent)
            edges[index] = Edge(node, parent, _inverted(edge.joint), body)
            node = parent
        return KinematicTree(tuple(edges), base=base, base_body=self._cluster_body(base))

    @cached_property
    def _edge_to_base(self) -> dict[Node, tuple[int, Node]]:
        """For every node but the base: the edge towards the base, and the node at its other end."""
        if self.base is None:
            raise MetricError(
                "base: the edges do not all point away from one node, so the base is unknown: "
                "pass KinematicTree(edges, base=node)"
            )
        incident: dict[Node, list[tuple[int, Node]]] = {node: [] for node in self.nodes}
        for i, edge in enumerate(self.edges):
            incident[edge.parent].append((i, edge.child))
            incident[edge.child].append((i, edge.parent))
        upward: dict[Node, tuple[int, Node]] = {}
        waiting = [self.base]
        while waiting:
            node = waiting.pop()
            for i, far in incident[node]:
                if far != self.base and far not in upward:
                    upward[far] = (i, node)
                    waiting.append(far)
        return upward

    def _cluster_body(self, node: Node) -> Body | None:
        """Body of the links that move with a node: that of the nearest joint towards the base."""
        while node != self.base:
            index, node = self._edge_to_base[node]
            if not self.edges[index].joint.exactly_fixed:
                return self.edges[index].body
        return self.base_body


def _inverted(joint: Joint) -> Joint:
    """The joint seen from its other side: twists ``-z``. Not `Joint.reversed`, which writes the same motion."""
    x, y, z = joint.axis
    return replace(joint, axis=(-x, -y, -z))


def _listed(edges: Any) -> list[Any]:
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise MetricError(f"edges: expected a sequence of (node, node, Joint), got {type(edges).__name__}")
    return list(edges)


def _edge(index: int, edge: Any) -> Edge:
    """A checked edge, body None where none is given."""
    parts = tuple(edge) if isinstance(edge, (tuple, list)) else ()
    if len(parts) not in (3, 4):
        raise MetricError(f"edge {index}: expected (node, node, Joint) or (node, node, Joint, Body), got {edge!r}")
    parent, child, joint = parts[:3]
    body = parts[3] if len(parts) == 4 else None
    for node in (parent, child):
        if not isinstance(node, Hashable) or node is None:
            raise MetricError(f"edge {index}: expected a hashable node name, got {node!r}")
    if not isinstance(joint, Joint):
        raise MetricError(f"edge {index}: expected a Joint after its two nodes, got {type(joint).__name__}")
    _require_body(f"edge {index}", body)
    return Edge(parent, child, joint, body)


def _require_body(name: str, body: Any) -> None:
    if body is not None and not (isinstance(body, Body) and body.mass.ndim == 0):
        found = f"a batch of shape {body.mass.shape}" if isinstance(body, Body) else type(body).__name__
        raise MetricError(f"{name}: expected one Body or None, got {found}")


def _find(cluster: dict[Node, Node], node: Node) -> Node:
    """Representative of a node's cluster (union-find with path halving)."""
    while cluster[node] != node:
        cluster[node] = cluster[cluster[node]]
        node = cluster[node]
    return node


def _require_tree(edges: tuple[Edge, ...]) -> None:
    """Raise `MetricError` unless the edges form one tree, naming the first edge that breaks it."""
    first: dict[frozenset[Node], int] = {}
    cluster = {node: node for edge in edges for node in edge[:2]}
    for i, (parent, child, _, _) in enumerate(edges):
        named = f"edge {i} ({parent!r} - {child!r})"
        if parent == child:
            raise MetricError(f"{named}: joins a node to itself")
        earlier = first.setdefault(frozenset((parent, child)), i)
        if earlier != i:
            raise MetricError(f"{named}: repeats edge {earlier}")
        one, other = _find(cluster, parent), _find(cluster, child)
        if one == other:
            raise MetricError(f"{named}: closes a cycle, a tree has none")
        cluster[other] = one
    components: dict[Node, Node] = {}
    for node in cluster:
        components.setdefault(_find(cluster, node), node)
    if len(components) > 1:
        examples = ", ".join(repr(node) for node in list(components.values())[:3])
        raise MetricError(
            f"edges: expected one tree, got {len(components)} components that no edge joins, around {examples}"
        )


def _written_base(edges: tuple[Edge, ...]) -> Node | None:
    """The node that all edges point away from, None if there is none."""
    children = [edge.child for edge in edges]
    tops = dict.fromkeys(edge.parent for edge in edges if edge.parent not in set(children))
    return next(iter(tops)) if len(tops) == 1 and len(set(children)) == len(children) else None
