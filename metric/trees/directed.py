"""The directed edges of a tree rooted at its centroid: the index sets of the exact distance.

Every edge gives two *directed edges*. ``reach(d)`` are the directed edges that lie ahead of d and point away from
it. Directed edges are numbered by level: a level holds those whose longest way ahead has equal length, so that all
of ``reach(d)`` has smaller numbers than d. One more number, after the last, stands for the root itself; its reach
is every edge, directed away from the root.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DirectedTree:
    """Directed edges of a tree with n edges, rooted at its centroid.

    *Preorder* is a depth-first order of the edges: the edges below p are p + 1 … end[p] - 1. Directed edges are
    0 … 2n - 1; number 2n is the root.
    """

    order: Index  # (n,) edge of the given list at each preorder place
    end: Index  # (n,) preorder place after the last edge below
    down: Index  # (n,) directed edge away from the root, by preorder place
    up: Index  # (n,) directed edge towards the root, by preorder place
    place: Index  # (2n,) preorder place of a directed edge
    back: Index  # (2n,) the other direction of the same edge
    size: Index  # (2n,) number of edges in reach(d)
    first_child: Index  # (2n + 2,) children of d are child[first_child[d] : first_child[d + 1]]
    child: Index  # the directed edges that leave the node d leads to, but for the one back
    levels: tuple[slice, ...]  # numbers of each level, children first; the last one is the root alone
    _reach: dict[int, tuple[Index, Index]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.order)

    @property
    def root(self) -> int:
        """Number that stands for the root."""
        return 2 * len(self)

    def children(self, d: int) -> Index:
        """Directed edges that follow d immediately."""
        return self.child[self.first_child[d] : self.first_child[d + 1]]

    def reach(self, d: int) -> tuple[Index, Index]:
        """Directed edges ahead of d in preorder, and for each the place after the last one behind it."""
        if d not in self._reach:
            ahead: list[int] = []
            waiting = self.children(d)[::-1].tolist()
            while waiting:
                ahead.append(waiting.pop())
                waiting.extend(self.children(ahead[-1])[::-1].tolist())
            numbers = np.array(ahead, dtype=np.int64)
            self._reach[d] = numbers, np.arange(1, len(ahead) + 1) + self.size[numbers]
        return self._reach[d]

    @staticmethod
    def of(edges: Sequence[tuple[Hashable, Hashable]]) -> DirectedTree:
        """Directed edges of a tree given by the two nodes of each edge."""
        incident: dict[Hashable, list[tuple[int, Hashable]]] = {}
        for i, (a, b) in enumerate(edges):
            incident.setdefault(a, []).append((i, b))
            incident.setdefault(b, []).append((i, a))
        order, parent, far, end = _preorder(incident, next(iter(incident), None))
        order, parent, far, end = _preorder(incident, _centroid(incident, far, end))
        n = len(order)
        below: list[list[int]] = [[] for _ in range(n + 1)]  # below[n]: the edges at the root
        for p in range(n):
            below[parent[p]].append(p)
        ahead: list[list[int]] = [*below[:n]]  # directed edges numbered p (down) and n + p (up) for the moment
        for p in range(n):
            q = parent[p]
            ahead.append([s for s in below[q] if s != p] + ([n + q] if q >= 0 else []))
        below_size = np.array(end, dtype=np.int64) - np.arange(1, n + 1)
        size = np.concatenate([below_size, n - 1 - below_size])
        level = _levels(ahead, size)
        by_level = np.argsort(level, kind="stable")
        number = np.empty(2 * n, dtype=np.int64)
        number[by_level] = np.arange(2 * n)
        children = [number[ahead[d]].tolist() for d in by_level] + [number[below[n]].tolist()]
        bounds = [*np.flatnonzero(np.diff(level[by_level], prepend=-1)).tolist(), 2 * n, 2 * n + 1]
        return DirectedTree(
            order=np.array(order, dtype=np.int64),
            end=np.array(end, dtype=np.int64),
            down=number[:n].copy(),
            up=number[n:].copy(),
            place=by_level % max(n, 1),
            back=number[(by_level + n) % max(2 * n, 1)],
            size=size[by_level],
            first_child=np.cumsum([0, *map(len, children)], dtype=np.int64),
            child=np.array([c for listed in children for c in listed], dtype=np.int64),
            levels=tuple(slice(a, b) for a, b in pairwise(bounds)),
        )


def _preorder(
    incident: dict[Hashable, list[tuple[int, Hashable]]], root: Hashable
) -> tuple[list[int], list[int], list[Hashable], list[int]]:
    """Edges depth first from a root: edge, place of the parent edge (-1: none), far node, end of the part below."""
    order: list[int] = []
    parent: list[int] = []
    far: list[Hashable] = []
    waiting = [(i, node, -1) for i, node in reversed(incident.get(root, []))]
    while waiting:
        i, node, above = waiting.pop()
        place = len(order)
        order.append(i)
        parent.append(above)
        far.append(node)
        waiting.extend((k, other, place) for k, other in reversed(incident[node]) if k != i)
    end = list(range(1, len(order) + 1))
    for place in range(len(order) - 1, -1, -1):
        if parent[place] >= 0:
            end[parent[place]] = max(end[parent[place]], end[place])
    return order, parent, far, end


def _centroid(incident: dict[Hashable, list[tuple[int, Hashable]]], far: list[Hashable], end: list[int]) -> Hashable:
    """The node whose largest branch has fewest edges; any root is valid, this one makes the parts small."""
    heavy = [p for p in range(len(far)) if 2 * (end[p] - p) > len(far)]  # branches with more than half of the edges
    return far[heavy[-1]] if heavy else next(iter(incident), None)


def _levels(ahead: list[list[int]], size: Index) -> Index:
    """Length of the longest way ahead of each directed edge, those with less ahead first."""
    level = np.zeros(len(ahead), dtype=np.int64)
    for d in np.argsort(size, kind="stable"):
        if ahead[d]:
            level[d] = 1 + max(level[c] for c in ahead[d])
    return level
