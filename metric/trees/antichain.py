r"""Antichain matching: the one step of the exact tree distance that is not a sum over branches.

Given the worth of every pair (row, column), where rows and columns are edges of two forests, choose one-to-one
pairs of largest total worth such that no chosen row lies behind another chosen row, and no column behind another.
In general this is NP-hard; in practice its linear relaxation

    max sum V z,   sum of z over every path from a root to a leaf <= 1 in either forest,   z >= 0

is almost always integral, and the greedy choice almost always attains it. So `match` tries, in this order: greedy;
a plain assignment where nothing lies behind anything; the linear programme; branching on a fractional pair. What
it returns as ``bound`` holds whatever the rounding: prices are clipped at 0 and the largest violation is charged
once for every pair that there can be.

A forest is given in preorder: the edges behind place i are i + 1 … end[i] - 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metric.trees.assignment import best_assignment
from metric.trees.directed import Index

if TYPE_CHECKING:
    from metric.trees.backend import Kernels

Table = NDArray[np.float64]

GREEDY, RELAXED, BRANCHED = range(3)

ROUNDING = 1e-13  # two worths this close are the same, the whole being at most 1
_WHOLE = 1e-7  # a variable of the linear programme this close to 0 or 1 is there
_PIVOTS_PER_LIMIT = 100


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
    bound, shares = _relax(worth, row_end, column_end, kernels)
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
    """Depth-first branch and bound on the pair that is least decided: taken or forbidden."""
    pairs, value, bound = found.pairs, found.value, found.value
    rests_on = np.zeros_like(known)
    waiting = [(worth, found.bound)]
    while waiting:
        part, limit = waiting.pop()
        if limit > max(value, floor) + ROUNDING and not expired():
            relaxed, shares = _relax(part, row_end, column_end, kernels)
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
    if max(row_doubt, column_doubt) <= _WHOLE:
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
    doubt = np.where(behind + ahead > _WHOLE, np.minimum(use, 1.0 - use), 0.0)
    place = int(doubt.argmax())
    return place, float(doubt[place])


def _related(end: Index, i: int) -> NDArray[np.bool_]:
    """Places before or behind place i on a common path, i included."""
    places = np.arange(len(end))
    return ((places <= i) & (end > i)) | ((places >= i) & (places < end[i]))


def _relax(worth: Table, row_end: Index, column_end: Index, kernels: Kernels) -> tuple[float, Table]:
    """Upper bound and shares z of the relaxation, an assignment where no pair lies behind another."""
    shares = np.zeros_like(worth)
    rows, columns = np.flatnonzero((worth > 0).any(axis=1)), np.flatnonzero((worth > 0).any(axis=0))
    if not len(rows):
        return 0.0, shares
    part = np.ascontiguousarray(worth[np.ix_(rows, columns)])
    ends = np.searchsorted(rows, row_end[rows]), np.searchsorted(columns, column_end[columns])
    if all((end == np.arange(1, len(end) + 1)).all() for end in ends):
        pairs = best_assignment(np.maximum(part, 0.0))
        chosen = np.array(pairs, dtype=np.int64)
        shares[rows[chosen[:, 0]], columns[chosen[:, 1]]] = 1.0
        return _total(part, chosen), shares
    row_span, column_span = _leaves(ends[0]), _leaves(ends[1])
    row_leaves, column_leaves = int(row_span[-1, 1]), int(column_span[-1, 1])
    limits = row_leaves + column_leaves
    start = kernels.greedy(part, *ends)
    bound, basis, level = kernels.simplex(
        part, row_span, column_span + row_leaves, limits, start, _PIVOTS_PER_LIMIT * limits
    )
    used = (basis >= 0) & (level > _WHOLE)
    i, j = np.divmod(basis[used], part.shape[1])
    shares[rows[i], columns[j]] = level[used] * (part[i, j] > 0)  # a pair that does not exist may stand for a slack
    return float(bound), shares


def _leaves(end: Index) -> Index:
    """Range of leaves at or behind each place, shape (k, 2)."""
    before = np.concatenate([[0], np.cumsum(end == np.arange(1, len(end) + 1))])
    return np.stack([before[:-1], before[end]], axis=1)


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


def simplex(
    worth: Table, row_span: Index, column_span: Index, limits: int, start: Index, most_pivots: int
) -> tuple[float, Index, Table]:
    """Primal simplex for the relaxation, its basis inverse kept explicitly.

    A variable (i, j) counts in the limits of the leaves at or behind row i and at or behind column j: two ranges,
    so that prices of all variables are differences of one running sum of leaf prices.

    Parameters
    ----------
    worth : array, shape (rows, columns)
    row_span, column_span : array, shape (rows, 2), (columns, 2)
        First and last + 1 limit of each row and column; those of columns follow those of rows.
    limits
        Number of leaves on both sides.
    start : array, shape (k, 2)
        Compatible pairs that enter first.
    most_pivots
        Where to stop; the bound holds then too.

    Returns
    -------
    bound : float
        True upper bound of the relaxation.
    basis : array, shape (limits,)
        Basic variable of each row of the basis: ``i * columns + j``, or negative for a slack.
    level : array, shape (limits,)
        Their values.
    """
    columns = worth.shape[1]
    inverse = np.eye(limits)
    basis = np.full(limits, -1, dtype=np.int64)
    # Distinct right-hand sides against degeneracy; levels and bound are those of the true one.
    perturbed = 1.0 + 1e-6 * ((0.6180339887498949 * np.arange(1, limits + 1)) % 1.0)
    price = np.zeros(limits)
    running = np.zeros(limits + 1)
    tolerance = 1e-15 * worth.max()
    pivots = 0
    while pivots < most_pivots:
        running[1:] = np.cumsum(price)
        row_price = running[row_span[:, 1]] - running[row_span[:, 0]]
        column_price = running[column_span[:, 1]] - running[column_span[:, 0]]
        if pivots < len(start):
            i, j = start[pivots, 0], start[pivots, 1]
            gain = worth[i, j] - row_price[i] - column_price[j]
            enters = i * columns + j
        else:
            gains = worth - row_price.reshape(-1, 1) - column_price
            enters = np.argmax(gains)
            i, j = enters // columns, enters % columns
            gain = gains[i, j]
        slack = np.argmin(price)
        if -price[slack] >= gain:
            gain = -price[slack]
            enters = -1
            direction = inverse[:, slack].copy()
        else:
            direction = inverse[:, row_span[i, 0] : row_span[i, 1]].sum(axis=1)
            direction += inverse[:, column_span[j, 0] : column_span[j, 1]].sum(axis=1)
        if gain <= tolerance:
            break
        grows = direction > 1e-9
        steps = np.where(grows, perturbed / np.where(grows, direction, 1.0), np.inf)
        leaves = np.argmin(steps)
        if not grows[leaves]:
            break
        pivot_row = inverse[leaves] / direction[leaves]
        step = steps[leaves]
        perturbed -= step * direction
        perturbed[leaves] = step
        inverse -= np.outer(direction, pivot_row)
        inverse[leaves] = pivot_row
        price += gain * pivot_row
        basis[leaves] = enters
        pivots += 1
    price = np.maximum(price, 0.0)
    running[1:] = np.cumsum(price)
    row_price = running[row_span[:, 1]] - running[row_span[:, 0]]
    column_price = running[column_span[:, 1]] - running[column_span[:, 0]]
    violation = max((worth - row_price.reshape(-1, 1) - column_price).max(), 0.0)
    row_leaves = row_span[-1, 1]
    bound = running[limits] + violation * min(row_leaves, limits - row_leaves)
    return bound, basis, inverse.sum(axis=1)
