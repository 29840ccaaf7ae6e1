r"""Antichain matching: the one step of the exact tree distance that is not a sum over branches.

Given the worth of every pair (row, column), where rows and columns are edges of two forests, choose one-to-one
pairs of largest total worth such that no chosen row lies behind another chosen row, and no column behind another.
In general this is NP-hard; in practice its linear relaxation

    max sum V z,   sum of z over every path from a root to a leaf <= 1 in either forest,   z >= 0

is almost always integral (`metric.trees.relaxation`), and the greedy choice almost always attains it. So `match`
chooses greedily, then solves the relaxation, then branches, each only where it must.

A forest is given in preorder: the edges behind place i are i + 1 … end[i] - 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metric.trees.directed import Index
from metric.trees.relaxation import WHOLE, relax

if TYPE_CHECKING:
    from metric.trees.backend import Kernels

Table = NDArray[np.float64]

GREEDY, RELAXED, BRANCHED = range(3)

ROUNDING = 1e-13  # two worths this close are the same, the whole being at most 1


@dataclass(frozen=True, eq=False)
class Match:
    """A matching and what no other one exceeds."""

    pairs: Index  # (k, 2) a valid antichain matching
    value: float  # what it is worth
    bound: float  # no antichain matching is worth more
    support: Index  # (k, 2) pairs whose worth the bound rests on

    @property
    def closed(self) -> bool:
        """Whether the matching is a best one."""
        return self.value >= self.bound - ROUNDING


def match(
    worth: Table,
    row_end: Index,
    column_end: Index,
    kernels: Kernels,
    *,
    effort: int,
    enough: float,
    floor: float,
    known: NDArray[np.bool_],
    expired: Callable[[], bool],
) -> Match:
    """Best antichain matching, or a good one with an upper bound.

    Parameters
    ----------
    worth : array, shape (rows, columns)
        What a pair adds; 0 or less: the pair does not exist.
    row_end, column_end : array, shape (rows,), (columns,)
        The two forests.
    kernels
        Compiled or plain routines.
    effort
        `GREEDY`, `RELAXED` or `BRANCHED`: how far to go while the matching is not closed.
    enough
        An upper bound that the caller has.
    floor
        A matching worth no more than this is of no use: branching does not look for it.
    known : array of bool, shape (rows, columns)
        Pairs whose worth is exact, not only a bound. Branching goes on only where the relaxation rests on such
        pairs; elsewhere it keeps the bound and returns the others in ``support``, for the caller to find out.
    expired
        Asked between steps of the branching; when True it stops, with a bound that still holds.
    """
    pairs = kernels.greedy(worth, row_end, column_end)
    found = Match(pairs, _total(worth, pairs), enough, pairs)
    if found.closed or effort == GREEDY:
        return found
    bound, shares = relax(worth, row_end, column_end, kernels)
    rounded = kernels.greedy(shares, row_end, column_end)
    if _total(worth, rounded) > found.value:
        pairs = rounded
    found = Match(pairs, _total(worth, pairs), min(bound, enough), np.argwhere(shares > 0))
    if found.closed:
        return Match(pairs, found.value, found.bound, pairs)
    return _branch(worth, row_end, column_end, kernels, found, floor, known, expired) if effort == BRANCHED else found


def _total(worth: Table, pairs: Index) -> float:
    return float(worth[pairs[:, 0], pairs[:, 1]].sum())


def _branch(
    worth: Table,
    row_end: Index,
    column_end: Index,
    kernels: Kernels,
    found: Match,
    floor: float,
    known: NDArray[np.bool_],
    expired: Callable[[], bool],
) -> Match:
    """Depth-first branch and bound, on whether an edge is used."""
    pairs, value, bound = found.pairs, found.value, found.value
    rests_on = np.zeros_like(known)
    waiting = [(worth, found.bound)]
    while waiting:
        part, limit = waiting.pop()
        if limit > max(value, floor) + ROUNDING and not expired():
            relaxed, shares = relax(part, row_end, column_end, kernels)
            limit = min(limit, relaxed)
            rounded = kernels.greedy(shares, row_end, column_end)
            if _total(part, rounded) > value:
                pairs, value = rounded, _total(part, rounded)
            if limit > max(value, floor) + ROUNDING:
                unknown = (shares > 0) & ~known
                rests_on |= unknown
                if not unknown.any():
                    parts = _split(part, shares, row_end, column_end)
                    waiting += [(smaller, limit) for smaller in parts]
                    if parts:
                        continue
        bound = max(bound, limit)
    rests_on[pairs[:, 0], pairs[:, 1]] = True
    return Match(pairs, value, min(max(bound, value), found.bound), np.argwhere(rests_on))


def _split(part: Table, shares: Table, row_end: Index, column_end: Index) -> list[Table]:
    """Two problems that together hold every matching: the least decided edge is used, or not.

    An edge is a row or a column. Once no edge in use has another one in use behind it, on either side, the
    relaxation is an assignment problem and needs no branching.
    """
    row, row_doubt = _least_decided(shares.sum(axis=1), row_end)
    column, column_doubt = _least_decided(shares.sum(axis=0), column_end)
    if max(row_doubt, column_doubt) <= WHOLE:
        return []
    unused, used = part.copy(), part.copy()
    if row_doubt >= column_doubt:
        unused[row] = 0.0
        others = _related(row_end, row)
        others[row] = False
        used[others] = 0.0
    else:
        unused[:, column] = 0.0
        others = _related(column_end, column)
        others[column] = False
        used[:, others] = 0.0
    return [unused, used]


def _least_decided(use: Table, end: Index) -> tuple[int, float]:
    """The edge whose use in [0, 1] is nearest to a half, among those with use before or behind them."""
    running = np.concatenate([[0.0], np.cumsum(use)])
    places = np.arange(len(use))
    behind = running[end] - running[places + 1]
    ahead = ((places[:, None] < places) & (end[:, None] > places)).T @ use
    doubt = np.where(behind + ahead > WHOLE, np.minimum(use, 1.0 - use), 0.0)
    place = int(doubt.argmax())
    return place, float(doubt[place])


def _related(end: Index, i: int) -> NDArray[np.bool_]:
    """Places before or behind place i on a common path, i included."""
    places = np.arange(len(end))
    return ((places <= i) & (end > i)) | ((places >= i) & (places < end[i]))


def greedy(worth: Table, row_end: Index, column_end: Index) -> Index:
    """Pairs in order of falling worth, each taken if it is compatible with those before; shape (k, 2)."""
    left = worth.copy()
    rows, columns = left.shape
    pairs = np.empty((min(rows, columns), 2), dtype=np.int64)
    count = 0
    while count < len(pairs):
        best = np.argmax(left)
        i, j = best // columns, best % columns
        if left[i, j] <= 0.0:
            break
        pairs[count, 0], pairs[count, 1] = i, j
        count += 1
        left[i : row_end[i]] = 0.0
        left[np.flatnonzero(row_end[:i] > i)] = 0.0
        left[:, j : column_end[j]] = 0.0
        left[:, np.flatnonzero(column_end[:j] > j)] = 0.0
    return pairs[:count].copy()
