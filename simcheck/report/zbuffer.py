"""The z-buffer under `simcheck.report.raster`: which triangle is in front at each sample of the screen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_CHUNK = 4_000_000  # samples evaluated at once


def depth_slope(screen: Array, inverse: Array) -> Array:
    """Gradient (t, 2) of 1/depth, which is linear on the screen, over triangles (t, 3, 2)."""
    ab, ac = screen[:, 1] - screen[:, 0], screen[:, 2] - screen[:, 0]
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    area = np.where(np.abs(area) > 1e-12, area, np.nan)
    db, dc = inverse[:, 1] - inverse[:, 0], inverse[:, 2] - inverse[:, 0]
    return np.stack([db * ac[:, 1] - dc * ab[:, 1], dc * ab[:, 0] - db * ac[:, 0]], axis=1) / area[:, None]


def rasterise(screen: Array, inverse: Array, width: int, height: int) -> tuple[Array, Index]:
    """The front triangle of every sample: 1/depth (0 for none) and index (-1), both (height * width,).

    Each triangle is cut into its rows, each row into its samples, all triangles at once.
    """
    front, owner = np.zeros(height * width), np.full(height * width, -1, dtype=np.int64)
    slope = depth_slope(screen, inverse)
    number = np.flatnonzero(np.isfinite(slope).all(axis=1))
    screen, inverse, slope = screen[number], inverse[number], slope[number]
    plane = inverse[:, 0] - np.sum(slope * screen[:, 0], axis=1)
    lowest, highest = inverse.min(axis=1), inverse.max(axis=1)
    first = np.clip(np.ceil(screen[..., 1].min(axis=1) - 0.5), 0, height).astype(np.int64)
    last = np.clip(np.floor(screen[..., 1].max(axis=1) - 0.5), -1, height - 1).astype(np.int64)
    triangle, y = _ranges(first, last)
    left, right = _row_ends(screen[triangle], y + 0.5)
    begin = np.clip(np.ceil(left - 0.5), 0, width).astype(np.int64)
    end = np.clip(np.floor(right - 0.5), -1, width - 1).astype(np.int64)
    for part in _parts(np.maximum(end - begin + 1, 0)):
        row, x = _ranges(begin[part], end[part])
        row += part.start
        t = triangle[row]
        depth = plane[t] + slope[t, 0] * (x + 0.5) + slope[t, 1] * (y[row] + 0.5)
        depth = np.clip(depth, lowest[t], highest[t])  # the slope of a sliver is mostly rounding
        sample = y[row] * width + x
        np.maximum.at(front, sample, depth)
        wins = depth == front[sample]
        owner[sample[wins]] = number[t[wins]]
    return front, owner


def _row_ends(screen: Array, y: NDArray[np.floating]) -> tuple[Array, Array]:
    """Where the rows y (r,) enter and leave the triangles (r, 3, 2)."""
    begin, end = screen, np.roll(screen, -1, axis=1)
    low, high = np.minimum(begin[..., 1], end[..., 1]), np.maximum(begin[..., 1], end[..., 1])
    crosses = (low <= y[:, None]) & (y[:, None] <= high) & (high > low)
    share = (y[:, None] - begin[..., 1]) / np.where(crosses, end[..., 1] - begin[..., 1], 1)
    x = begin[..., 0] + share * (end[..., 0] - begin[..., 0])
    return np.where(crosses, x, np.inf).min(axis=1), np.where(crosses, x, -np.inf).max(axis=1)


def _ranges(first: Index, last: Index) -> tuple[Index, Index]:
    """All whole numbers of the ranges first..last: the number of its range, and each number."""
    count = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(len(count)), count)
    start = np.cumsum(count) - count
    return which, np.arange(len(which)) - start[which] + first[which]


def _parts(count: Index) -> Iterator[slice]:
    """Slices of rows that hold about `_CHUNK` samples each."""
    total = np.cumsum(count)
    if len(total) == 0:
        return
    cuts = np.searchsorted(total, np.arange(_CHUNK, total[-1], _CHUNK))
    yield from (slice(a, b) for a, b in zip([0, *cuts], [*cuts, len(total)], strict=True))
