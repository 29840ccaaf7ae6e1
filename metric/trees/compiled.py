"""The kernels compiled by numba, for the one array layout that the search uses, and kept in numba's disk cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric.trees import antichain, relaxation
from metric.trees.directed import DirectedTree, Index

Table = NDArray[np.float64]

_SWEEP = "void(int64[::1], int64[::1], int64[::1], int64[::1], f8[:, ::1], f8[:, ::1])"
_GREEDY = "int64[:, ::1](f8[:, ::1], int64[::1], int64[::1])"
_SIMPLEX = "Tuple((f8, int64[::1], f8[::1]))(f8[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1])"


def compile_kernels() -> tuple[Callable[..., None], Callable[..., Any], Callable[..., Any]]:
    """Sweep, greedy and simplex as machine code: seconds the first time, then loaded from the cache.

    Raises
    ------
    ImportError    numba is not installed, or does not fit the NumPy that is
    """
    from numba import njit

    def compiled(signature: str, function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            return njit(signature, cache=True)(function)
        except RuntimeError:  # no writable place for the cache
            return njit(signature)(function)

    by_state = compiled(_SWEEP, sweep_by_state)

    def sweep(truth: DirectedTree, guess: DirectedTree, saving: Table, bound: Table) -> None:
        by_state(truth.first_child, truth.child, guess.first_child, guess.child, saving, bound)

    return sweep, compiled(_GREEDY, antichain.greedy), compiled(_SIMPLEX, relaxation.simplex)


def sweep_by_state(first1: Index, child1: Index, first2: Index, child2: Index, saving: Table, bound: Table) -> None:
    """`bounds.sweep` state by state: the same numbers."""
    rows, columns = bound.shape
    best_ahead = np.zeros((rows, columns))  # of each a: its best partner ahead of b
    best_behind = np.zeros((rows, columns))  # of each b: its best partner ahead of a
    truth_worth = np.zeros((rows, columns))
    guess_worth = np.zeros((rows, columns))
    for a in range(rows):
        for b in range(columns):
            by_guess = 0.0
            best = 0.0
            for k in range(first2[b], first2[b + 1]):
                c = child2[k]
                by_guess += guess_worth[a, c]
                best = max(best, best_ahead[a, c], bound[a, c])
            by_truth = 0.0
            best_back = 0.0
            for k in range(first1[a], first1[a + 1]):
                c = child1[k]
                by_truth += truth_worth[c, b]
                best_back = max(best_back, best_behind[c, b], bound[c, b])
            best_ahead[a, b] = best
            best_behind[a, b] = best_back
            truth_worth[a, b] = max(best, by_truth)
            guess_worth[a, b] = max(best_back, by_guess)
            most = min(by_truth, by_guess)
            if a < rows - 1 and b < columns - 1:
                bound[a, b] = min(bound[a, b], saving[a, b] + most)
            elif a == rows - 1 and b == columns - 1:
                bound[a, b] = min(bound[a, b], most)
