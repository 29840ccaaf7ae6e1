"""The kernels compiled by numba. Importing this module compiles them, or loads them from numba's cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import boolean, float64, int64, njit, types, void
from numpy.typing import NDArray

from metric.trees import antichain
from metric.trees.directed import DirectedTree, Index

Table = NDArray[np.float64]

_TABLE, _INDICES, _PAIRS, _MASK = float64[:, ::1], int64[::1], int64[:, ::1], boolean[:, ::1]


def _compiled(signature: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile now, for the one layout we use; keep the result on disk where that is possible."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            return njit(signature, cache=True)(function)
        except RuntimeError:  # no writable place for the cache
            return njit(signature)(function)

    return decorate


greedy = _compiled(_PAIRS(_TABLE, _INDICES, _INDICES))(antichain.greedy)
simplex = _compiled(types.Tuple((float64, _INDICES, float64[::1]))(_TABLE, _PAIRS, _PAIRS, int64, _PAIRS, int64))(
    antichain.simplex
)


def sweep(truth: DirectedTree, guess: DirectedTree, saving: Table, alive: NDArray[np.bool_], bound: Table) -> None:
    """See `bounds.sweep`: the same numbers, state by state."""
    _sweep(truth.first_child, truth.child, guess.first_child, guess.child, saving, alive, bound)


@_compiled(void(_INDICES, _INDICES, _INDICES, _INDICES, _TABLE, _MASK, _TABLE))
def _sweep(
    first1: Index, child1: Index, first2: Index, child2: Index, saving: Table, alive: NDArray[np.bool_], bound: Table
) -> None:
    rows, columns = bound.shape
    ahead = np.zeros((rows, columns))  # best partner of a ahead of b
    behind = np.zeros((rows, columns))  # best partner of b ahead of a
    truth_worth = np.zeros((rows, columns))
    guess_worth = np.zeros((rows, columns))
    for a in range(rows):
        for b in range(columns):
            by_guess = 0.0
            best_ahead = 0.0
            for k in range(first2[b], first2[b + 1]):
                c = child2[k]
                by_guess += guess_worth[a, c]
                best_ahead = max(best_ahead, ahead[a, c], bound[a, c])
            by_truth = 0.0
            best_behind = 0.0
            for k in range(first1[a], first1[a + 1]):
                c = child1[k]
                by_truth += truth_worth[c, b]
                best_behind = max(best_behind, behind[c, b], bound[c, b])
            ahead[a, b] = best_ahead
            behind[a, b] = best_behind
            truth_worth[a, b] = max(best_ahead, by_truth)
            guess_worth[a, b] = max(best_behind, by_guess)
            most = min(by_truth, by_guess)
            if a < rows - 1 and b < columns - 1:
                bound[a, b] = min(bound[a, b], saving[a, b] + most) if alive[a, b] else 0.0
            elif a == rows - 1 and b == columns - 1:
                bound[a, b] = min(bound[a, b], most)
