r"""The linear relaxation of antichain matching, by a simplex method made for it.

A variable (i, j) counts on every path from a root to a leaf that holds row i, and on every one that holds column j:
these are the paths of the leaves at or behind i, and at or behind j, two ranges in preorder. So the prices of all
variables are differences of one running sum of path prices, and a column of the programme is two ranges of ones.

The bound holds whatever the rounding, and wherever the method stops: prices are clipped at 0, and the largest
violation is charged once for every pair that there can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metric.trees.assignment import best_assignment
from metric.trees.directed import Index

if TYPE_CHECKING:
    from metric.trees.backend import Kernels

Table = NDArray[np.float64]

WHOLE = 1e-7  # a share this close to 0 or 1 is there
_PIVOTS_PER_PATH = 100


def relax(worth: Table, row_end: Index, column_end: Index, kernels: Kernels) -> tuple[float, Table]:
    """Upper bound and shares z of the relaxation, an assignment where no pair lies behind another."""
    shares = np.zeros_like(worth)
    rows, columns = np.flatnonzero((worth > 0).any(axis=1)), np.flatnonzero((worth > 0).any(axis=0))
    if not len(rows):
        return 0.0, shares
    part = np.ascontiguousarray(worth[np.ix_(rows, columns)])
    ends = np.searchsorted(rows, row_end[rows]), np.searchsorted(columns, column_end[columns])
    if all((end == np.arange(1, len(end) + 1)).all() for end in ends):
        i, j = np.array(best_assignment(np.maximum(part, 0.0)), dtype=np.int64).T
        shares[rows[i], columns[j]] = 1.0
        return float(part[i, j].sum()), shares
    row_span, column_span = _leaves(ends[0]), _leaves(ends[1])
    column_span += row_span[-1, 1]
    start = kernels.greedy(part, *ends)
    bound, basis, level = kernels.simplex(part, row_span, column_span, start)
    used = (basis >= 0) & (level > WHOLE)
    i, j = np.divmod(basis[used], part.shape[1])
    shares[rows[i], columns[j]] = level[used] * (part[i, j] > 0)  # a pair that does not exist may stand for a slack
    return float(bound), shares


def _leaves(end: Index) -> Index:
    """Range of leaves at or behind each place, shape (k, 2)."""
    before = np.concatenate([[0], np.cumsum(end == np.arange(1, len(end) + 1))])
    return np.stack([before[:-1], before[end]], axis=1)


def simplex(worth: Table, row_span: Index, column_span: Index, start: Index) -> tuple[float, Index, Table]:
    """Primal simplex method for the relaxation, its basis inverse kept explicitly.

    Parameters
    ----------
    worth : array, shape (rows, columns)
    row_span, column_span : array, shape (rows, 2), (columns, 2)
        First and last + 1 path of each row and column; the paths of columns follow those of rows.
    start : array, shape (k, 2)
        Compatible pairs that enter first.

    Returns
    -------
    bound : float
        True upper bound of the relaxation.
    basis : array, shape (paths,)
        Basic variables: ``i * columns + j``, or negative for a slack.
    level : array, shape (paths,)
        Their values.
    """
    columns = worth.shape[1]
    row_paths, paths = row_span[-1, 1], column_span[-1, 1]
    inverse = np.eye(paths)
    basis = np.full(paths, -1, dtype=np.int64)
    # Distinct right-hand sides against degeneracy; bound and levels are those of the true one.
    right = 1.0 + 1e-6 * ((0.6180339887498949 * np.arange(1, paths + 1)) % 1.0)
    price = np.zeros(paths)
    running = np.zeros(paths + 1)
    tolerance = 1e-15 * worth.max()
    for pivot in range(_PIVOTS_PER_PATH * paths):
        running[1:] = np.cumsum(price)
        row_price = running[row_span[:, 1]] - running[row_span[:, 0]]
        column_price = running[column_span[:, 1]] - running[column_span[:, 0]]
        if pivot < len(start):
            i, j = start[pivot, 0], start[pivot, 1]
            gain = worth[i, j] - row_price[i] - column_price[j]
        else:
            gains = worth - row_price.reshape(-1, 1) - column_price
            best = np.argmax(gains)
            i, j = best // columns, best % columns
            gain = gains[i, j]
        slack = np.argmin(price)
        if -price[slack] >= gain:
            gain = -price[slack]
            entering = -1
            direction = inverse[:, slack].copy()
        else:
            entering = i * columns + j
            direction = inverse[:, row_span[i, 0] : row_span[i, 1]].sum(axis=1)
            direction += inverse[:, column_span[j, 0] : column_span[j, 1]].sum(axis=1)
        if gain <= tolerance:
            break
        grows = direction > 1e-9
        steps = np.where(grows, right / np.where(grows, direction, 1.0), np.inf)
        leaving = np.argmin(steps)
        if not grows[leaving]:
            break
        step = steps[leaving]
        right -= step * direction
        right[leaving] = step
        pivot_row = inverse[leaving] / direction[leaving]
        inverse -= np.outer(direction, pivot_row)
        inverse[leaving] = pivot_row
        price += gain * pivot_row
        basis[leaving] = entering
    price = np.maximum(price, 0.0)
    running[1:] = np.cumsum(price)
    row_price = running[row_span[:, 1]] - running[row_span[:, 0]]
    column_price = running[column_span[:, 1]] - running[column_span[:, 0]]
    violation = max((worth - row_price.reshape(-1, 1) - column_price).max(), 0.0)
    bound = running[paths] + violation * min(row_paths, paths - row_paths)
    return bound, basis, inverse.sum(axis=1)
