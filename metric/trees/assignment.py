"""Distances without the tree: the assignment relaxation and the constant penalty D_lambda (SPEC section 2).

All joints of both trees are assigned freely, without asking whether a tree isomorphism induces the assignment: a
lower bound of the exact distance (paper B.5). Dropping a joint on either side is part of the model, so the cost
matrix is reduced to ``min(0, E_ij - c_i - c_j)``, n x m, instead of one of size n + m: the same optimum, several
times as fast (derivation: add the constant ``sum c_i + sum c_j`` back).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric.errors import MetricError
from metric.trees.costs import EditCosts

Pair = tuple[int, int]


def best_assignment(saving: NDArray[np.float64]) -> list[Pair]:
    """One-to-one pairs of largest total saving, those that save nothing left out.

    Raises
    ------
    MetricError    an entry is not finite: SciPy accepts a single infinity without a word
    """
    from scipy.optimize import linear_sum_assignment  # half the import time of the package if done up front

    if not np.isfinite(saving).all():
        raise MetricError("costs: expected finite edit costs, got an infinity or NaN")
    rows, columns = linear_sum_assignment(saving, maximize=True)
    used = saving[rows, columns] > 0
    return list(zip(rows[used].tolist(), columns[used].tolist(), strict=True))


def forced_assignment(costs: EditCosts) -> list[Pair]:
    """The cheapest assignment that matches every joint of the smaller tree."""
    substitution = costs.substitution
    if not substitution.size:
        return []
    apart = 1.0 + substitution.max() - substitution  # positive: no pair is left out
    return best_assignment(apart)
