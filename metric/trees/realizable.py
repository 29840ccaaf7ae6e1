r"""Which edge matchings are tree matchings (paper B.5; own proof).

A matching between the edges of two trees is *realizable* when contracting every unmatched edge leaves two trees
that are isomorphic by a node map that induces the matching.

**By nodes.** After the contraction, the sets of edges that meet at each node must agree, as multisets, under the
matching. Necessary, as an isomorphism carries incidence along. Sufficient, as equal sets give the node map; end
nodes, where one edge meets none, follow. This costs O(n).

**By splits.** Removing edge e splits the other edges of a tree in two sides; contracting others does not change
who is separated from whom. The matching is realizable iff every matched edge splits the other matched edges in the
same two sides, unordered. (An isomorphism carries splits to splits. Conversely two surviving edges are adjacent iff
no surviving edge separates them, so the matching is an isomorphism of line graphs; the maximal cliques of a tree's
line graph are its nodes of degree 2 or more, so nodes are carried along.) Two matched pairs or fewer always are
realizable, and so is every subset of a realizable matching.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metric.trees.directed import DirectedTree
from metric.trees.tree import KinematicTree

Pairs = Sequence[tuple[int, int]]


def is_realizable(ground_truth: KinematicTree, prediction: KinematicTree, matching: Pairs) -> bool:
    """Whether a matching of edges is a tree matching, in time linear in the number of edges.

    Parameters
    ----------
    ground_truth, prediction
        Trees; their edges are matched as given, fixed ones too.
    matching
        Pairs (edge of the ground truth, edge of the prediction), one to one.

    Examples
    --------
    >>> from metric import Joint
    >>> path = KinematicTree([(0, 1, Joint("fixed")), (1, 2, Joint("fixed")), (2, 3, Joint("fixed"))])
    >>> star = KinematicTree([(0, 1, Joint("fixed")), (0, 2, Joint("fixed")), (0, 3, Joint("fixed"))])
    >>> is_realizable(path, star, [(0, 0), (1, 1), (2, 2)]), is_realizable(path, star, [(0, 0), (2, 1)])
    (False, True)
    """
    if len(matching) < 3:
        return True
    truth, guess = zip(*matching, strict=True)
    return _meetings(ground_truth, truth) == _meetings(prediction, guess)


def _meetings(tree: KinematicTree, kept: Sequence[int]) -> Counter[tuple[int, ...]]:
    """Sets of kept edges, by place in ``kept``, that meet at a node when all others are contracted."""
    place = {edge: k for k, edge in enumerate(kept)}
    directed = tree.directed
    # A node goes by the preorder place of the edge above it, plus 1; the root is 0.
    cluster = [0] * (len(directed) + 1)
    ends: list[tuple[int, int]] = [(0, 0)] * len(place)
    path = [(0, len(directed))]  # nodes from the root to the present one, each with the place where its part ends
    for p, (edge, end) in enumerate(zip(directed.order.tolist(), directed.end.tolist(), strict=True)):
        while path[-1][1] <= p:
            path.pop()
        near = cluster[path[-1][0]]
        cluster[p + 1] = p + 1 if edge in place else near
        if edge in place:
            ends[place[edge]] = (near, p + 1)
        path.append((p + 1, end))
    meeting: list[list[int]] = [[] for _ in cluster]
    for k, (near, far) in enumerate(ends):
        meeting[near].append(k)
        meeting[far].append(k)
    return Counter(tuple(met) for met in meeting if met)


def realizable_subset(
    ground_truth: DirectedTree, prediction: DirectedTree, pairs: Pairs, saving: NDArray[np.float64]
) -> list[tuple[int, int]]:
    """A realizable part of a matching: its pairs in order of falling saving, each kept if it fits those before."""
    ordered = sorted(pairs, key=lambda pair: (-saving[pair], pair))
    rows, columns = np.array(ordered, dtype=np.int64).reshape(-1, 2).T
    # differ[i, j]: edge j lies below edge i in one tree only; row i without the diagonal must be constant.
    differ = _below(ground_truth)[np.ix_(rows, rows)] != _below(prediction)[np.ix_(columns, columns)]
    kept = list(range(min(2, len(ordered))))
    turned = np.zeros(len(ordered), dtype=bool)  # the constant of each kept row
    turned[kept] = differ[kept, kept[::-1]]
    for j in range(2, len(ordered)):
        own = differ[j, kept]
        if (differ[kept, j] == turned[kept]).all() and (own == own[0]).all():
            turned[j] = own[0]
            kept.append(j)
    return [ordered[j] for j in kept]


def _below(tree: DirectedTree) -> NDArray[np.bool_]:
    """Whether edge j lies below edge i in the rooted tree, shape (n, n)."""
    places = np.arange(len(tree))
    by_place = (places > places[:, None]) & (places < tree.end[:, None])
    place = np.argsort(tree.order)
    return by_place[np.ix_(place, place)]
