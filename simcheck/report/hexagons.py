"""Medians over hexagons, for panels with more points than can be told apart, on any scale of the axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_CORNERS = np.array([[0, 2 / 3], [0.5, 1 / 3], [0.5, -1 / 3], [0, -2 / 3], [-0.5, -1 / 3], [-0.5, 1 / 3]])


def hexagon_medians(points: Array, values: Array, size: Array) -> tuple[Array, Array]:
    """Group points by hexagon and take the median value of each group.

    Parameters
    ----------
    points : array, shape (n, 2)
        In coordinates in which the axes are linear.
    values : array, shape (n,)
    size : array, shape (2,)
        Width of a hexagon, and the height from one row of hexagons to the next.

    Returns
    -------
    corners : array, shape (m, 6, 2)
        The hexagons that hold a point.
    medians : array, shape (m,)
    """
    # Centres are two rectangular lattices, one shifted by half a cell; the nearer one has the point.
    scaled = points / size
    cell = np.array([1.0, 2.0])
    even = np.round(scaled / cell) * cell
    odd = (np.floor(scaled / cell) + 0.5) * cell
    weight = np.array([1.0, 0.75])  # in a regular hexagon the rows are sqrt(3/4) widths apart
    nearer = ((scaled - odd) ** 2 @ weight < (scaled - even) ** 2 @ weight)[:, None]
    centre = np.where(nearer, odd, even)
    cells, group = np.unique(np.round(2 * centre).astype(np.int64), axis=0, return_inverse=True)
    group = group.ravel()
    order = np.lexsort((values, group))
    count = np.bincount(group)
    first = np.cumsum(count) - count
    ranked = values[order]
    medians = (ranked[first + (count - 1) // 2] + ranked[first + count // 2]) / 2
    corners = (cells[:, None, :] / 2 + _CORNERS) * size
    return corners, medians
