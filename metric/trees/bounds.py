r"""What a pair of directed edges can be worth at most: the optimistic sweep over all states.

A *state* (a, b) is a directed edge a of the ground truth matched with a directed edge b of the prediction, so that
``reach(a)`` faces ``reach(b)``. Its worth ``D[a, b]`` is the saving of the pair itself plus the best saving of a
realizable matching between ``reach(a)`` and ``reach(b)``. By the theorem of `metric.trees.exact`

    D[a, b] = saving[a, b] + max over antichain matchings P of  sum over P of D[a', b'],

where P pairs edges a' ahead of a with edges b' ahead of b, one to one, no two a' one behind the other and no two b'
either. The sweep forgets that a partner serves only once. With each a' at its best partner ahead of b, the best
antichain of edges ahead of a is a sum over branches, and likewise with the roles exchanged:

    T[a, b] = max( max over b' in reach(b) of D[a, b'],  sum over children a' of a of T[a', b] )
    D[a, b] <= saving[a, b] + min( sum over children a' of T[a', b],  sum over children b' of T'[a, b'] )

Both sums bound the best P, since P is an antichain on either side. All of it together costs O(n m) for trees of
bounded degree. The bounds only fall: `sweep` keeps the smaller of the old and the new one, and a dead state, whose
bound is 0, stays dead.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric.trees.directed import DirectedTree

Table = NDArray[np.float64]

_LARGEST_GATHER = 2**22  # numbers that one step may copy; stars have many children at once


def sweep(truth: DirectedTree, guess: DirectedTree, saving: Table, bound: Table) -> None:
    """Lower the bounds of all states, in place.

    Parameters
    ----------
    truth, guess
        Trees with n and m edges, both at least 1.
    saving : array, shape (2n, 2m)
        Saving of the pair of every state.
    bound : array, shape (2n + 1, 2m + 1)
        Upper bounds of D, 0 for dead states. The last entry of all is the worth of the whole, the two roots matched;
        the rest of the last row and column does not matter.
    """
    rows, columns = bound.shape
    branch_worth = np.zeros((rows, columns))  # T
    best_behind = np.zeros((rows, columns))  # of each b: its best partner ahead of a
    for level in truth.levels:
        width = level.stop - level.start
        by_truth = np.zeros((width, columns))
        if level.start > 0:
            by_truth = _fold(np.add, branch_worth, truth, level)
            best_behind[level] = _fold(np.maximum, np.maximum(bound, best_behind), truth, level)
        by_guess, guess_worth = np.zeros((columns, width)), np.zeros((columns, width))  # transposed
        for other in guess.levels:
            if other.start > 0:
                by_guess[other] = _fold(np.add, guess_worth, guess, other)
            guess_worth[other] = np.maximum(best_behind[level, other].T, by_guess[other])
        most = np.minimum(by_truth, by_guess.T)
        if level.start == rows - 1:
            bound[-1, -1] = min(bound[-1, -1], most[0, -1])
            return
        bound[level, :-1] = np.minimum(bound[level, :-1], saving[level] + most[:, :-1])
        best_ahead, own = np.zeros((columns, width)), bound[level].T
        for other in guess.levels[1:]:
            best_ahead[other] = _fold(np.maximum, np.maximum(own, best_ahead), guess, other)
        branch_worth[level] = np.maximum(best_ahead.T, by_truth)


def _fold(operation: np.ufunc, table: Table, tree: DirectedTree, level: slice) -> Table:
    """Sum or maximum of the rows of a table over the children of each directed edge of a level."""
    begin, last = tree.first_child[level], tree.first_child[level.stop]
    children = tree.child[begin[0] : last]
    if children.size * table.shape[1] > _LARGEST_GATHER:
        return np.stack([operation.reduce(table[tree.children(d)], axis=0) for d in range(level.start, level.stop)])
    return operation.reduceat(table[children], begin - begin[0], axis=0)
