"""The tree distance by its definition: literal contraction, literal isomorphism, every matching."""

from __future__ import annotations

from functools import cache

import numpy as np

from metric import Joint, KinematicTree
from metric.trees.costs import EditCosts

Edges = tuple[tuple[int, int], ...]

# Every shape of a tree with up to five edges (1 + 1 + 1 + 2 + 3 + 6).
SHAPES: tuple[Edges, ...] = (
    (),
    ((0, 1),),
    ((0, 1), (1, 2)),
    ((0, 1), (1, 2), (2, 3)),
    ((0, 1), (0, 2), (0, 3)),
    ((0, 1), (1, 2), (2, 3), (3, 4)),
    ((0, 1), (0, 2), (0, 3), (0, 4)),
    ((0, 1), (0, 2), (0, 3), (3, 4)),
    ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5)),
    ((0, 1), (0, 2), (0, 3), (0, 4), (0, 5)),
    ((0, 1), (0, 2), (0, 3), (0, 4), (4, 5)),
    ((0, 1), (0, 2), (0, 3), (3, 4), (3, 5)),
    ((0, 1), (0, 2), (0, 3), (3, 4), (4, 5)),
    ((0, 1), (0, 2), (2, 3), (0, 4), (4, 5)),
)


def random_shape(rng: np.random.Generator, edges: int) -> Edges:
    return tuple((int(rng.integers(0, i + 1)), i + 1) for i in range(edges))


def tree(edges: Edges) -> KinematicTree:
    """A tree of that shape; its joints do not matter where the costs are given."""
    return KinematicTree([(a, b, Joint("revolute", upper=1.0)) for a, b in edges], base=0)


def contracted(edges: Edges, kept: tuple[int, ...]) -> list[tuple[int, int]]:
    """Ends of the kept edges after merging the ends of all others."""
    label = {node: node for edge in edges for node in edge}
    for k, (a, b) in enumerate(edges):
        if k not in kept:
            one, other = label[a], label[b]
            label = {node: one if x == other else x for node, x in label.items()}
    return [(label[edges[k][0]], label[edges[k][1]]) for k in kept]


def isomorphic(ends1: list[tuple[int, int]], ends2: list[tuple[int, int]]) -> bool:
    """Whether a one-to-one node map sends edge k of the one tree to edge k of the other, for every k."""

    def extend(k: int, image: dict[int, int]) -> bool:
        if k == len(ends1):
            return len(set(image.values())) == len(image)
        (a, b), (c, d) = ends1[k], ends2[k]
        return any(
            image.get(a, x) == x and image.get(b, y) == y and extend(k + 1, {**image, a: x, b: y})
            for x, y in ((c, d), (d, c))
        )

    return extend(0, {})


@cache
def realizable_matchings(edges1: Edges, edges2: Edges, prune: bool = False) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every tree matching. ``prune`` does not extend a matching that is none (subsets stay realizable: tested)."""
    found = []

    def extend(i: int, chosen: tuple[tuple[int, int], ...], fine: bool) -> None:
        if i == len(edges1):
            if fine:
                found.append(chosen)
            return
        extend(i + 1, chosen, fine)
        for j in set(range(len(edges2))) - {pair[1] for pair in chosen}:
            longer = (*chosen, (i, j))
            rows, columns = zip(*longer, strict=True)
            good = isomorphic(contracted(edges1, rows), contracted(edges2, columns))
            if good or not prune:
                extend(i + 1, longer, good)

    extend(0, (), True)
    return tuple(found)


def least_cost(edges1: Edges, edges2: Edges, costs: EditCosts) -> float:
    prune = max(len(edges1), len(edges2)) > 5
    return min(costs.of(matching) for matching in realizable_matchings(edges1, edges2, prune))


def random_costs(rng: np.random.Generator, n: int, m: int, kind: str) -> EditCosts:
    """Costs that obey no triangle inequality, with the ties and zeros that break careless code."""
    substitution, contraction, expansion = rng.random((n, m)), rng.random(n), rng.random(m)
    if kind == "ties":
        substitution, contraction, expansion = (np.round(3 * x) / 3 for x in (substitution, contraction, expansion))
    elif kind == "equal":
        substitution, contraction, expansion = np.full((n, m), 0.25), np.ones(n), np.ones(m)
    elif kind == "zero":
        contraction[rng.random(n) < 0.4] = 0.0
        expansion[rng.random(m) < 0.4] = 0.0
        substitution[rng.random((n, m)) < 0.3] = 0.0
    elif kind == "near":
        substitution = 0.3 + 1e-9 * substitution
        contraction, expansion = 1 + 1e-9 * contraction, 1 + 1e-9 * expansion
    elif kind == "small":  # almost every pair saves almost everything
        substitution = 0.1 * substitution
        contraction, expansion = 0.5 + contraction, 0.5 + expansion
    return EditCosts(substitution, contraction, expansion)


KINDS = ("random", "ties", "equal", "zero", "near", "small")
