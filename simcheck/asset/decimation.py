"""Fewer triangles for the same look: vertex clustering (Rossignac and Borrel 1993)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simcheck.asset.model import FloatArray

Faces = NDArray[np.int64]


def decimated(vertices: FloatArray, faces: Faces, most: int) -> tuple[FloatArray, Faces]:
    """Triangles (v, 3), (f, 3) with at most so many faces; unchanged where there are no more.

    Vertices that share a cell of a grid become their mean; the grid is coarsened until the number is met. Open, doubled
    and inside-out meshes keep their shape, which a hull would not.
    """
    if len(faces) <= most:
        return vertices, faces
    cells = 2 * most**0.5  # along the longest edge of the box: a surface crosses about cells^2 of them
    while True:
        fewer = _clustered(vertices, faces, cells)
        if len(fewer[1]) <= most or cells < 1:
            return fewer[0], fewer[1][:most]
        cells *= 0.95 * (most / len(fewer[1])) ** 0.5


def without_doubles(vertices: FloatArray, faces: Faces) -> tuple[FloatArray, Faces]:
    """Equal vertices merged, and every triangle once whatever its winding; flat ones dropped."""
    first, number = _distinct_rows(vertices)
    return vertices[first], _distinct_faces(number[faces])


def _clustered(vertices: FloatArray, faces: Faces, cells: float) -> tuple[FloatArray, Faces]:
    low = vertices.min(axis=0)
    width = float((vertices.max(axis=0) - low).max()) / cells
    place = np.floor((vertices - low) / max(width, 1e-300)).astype(np.int64)
    across = int(cells) + 2
    _, number = np.unique((place[:, 0] * across + place[:, 1]) * across + place[:, 2], return_inverse=True)
    count = np.bincount(number)
    means = np.stack([np.bincount(number, column) / count for column in vertices.T], axis=1)
    kept = _distinct_faces(number[faces])
    used, renumbered = np.unique(kept, return_inverse=True)
    return means[used], renumbered.reshape(kept.shape)


def _distinct_faces(faces: Faces) -> Faces:
    a, b, c = faces.T
    kept = faces[(a != b) & (b != c) & (c != a)]
    return kept[first_of_each(kept)]


def first_of_each(faces: Faces) -> NDArray[np.int64]:
    """Index of the first of each set of faces with the same corners, whatever their winding."""
    first, _ = _distinct_rows(np.sort(faces, axis=1))
    return np.sort(first)


def _distinct_rows(rows: NDArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first place of each different row, in sorted order, and which of them each row is (faster than np.unique)."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.concatenate([np.ones(min(len(rows), 1), dtype=bool), (ordered[1:] != ordered[:-1]).any(axis=1)])
    number = np.empty(len(rows), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return order[new], number
