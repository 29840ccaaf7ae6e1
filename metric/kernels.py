"""Fast NumPy evaluation of E and E^phi, in blocks that stay in the cache.

`metric.distance` holds the definition; the functions here return the same values (tests hold them to each other).
Twists are laid out component first, ``(6, ..., n)``, so that every operation runs along contiguous memory. Squares
are summed without scaling; the few values for which that is not exact (overflow, underflow, cancellation) are
suspicious and are computed again from differences scaled to 1. The extra `fast` (numba) takes over large inputs.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric import compiled
from metric.arrays import magnitude
from metric.norm import KineticNorm, RiemannianNorm, SplitNorm, zero_threshold

Floats = NDArray[np.float64]
Index = tuple[Any, ...]

_BLOCK, _FLAT_BLOCK = 7168, 16384  # pairs at a time, component first and flat: fit the cache, few calls
_TILE = (16, 2000)  # rows and columns of all-pairs blocks: BLAS does not split products this small over threads
_COMPILED_FROM = 50_000  # pairs from which the import of numba (half a second, once) pays
_TINY, _HUGE = 1e-280, 1e300  # squares between the two lost nothing to underflow or overflow
_CANCELLED = 1 / 8  # flat: a square below this share of the direct one has lost more than three bits
# All pairs: a square below this share of |a|^2 + |b|^2 has lost digits, to the expanded square or to whitening first.
_CLOSE, _CLOSE_COMPILED = 1e-4, 1e-8

_TAME = (1e-10, 1e10)  # alphas whose square may be a weight


def supports(norm: Any, *arrays: Any) -> bool:
    """Whether the norm and the arrays are ones that this module evaluates."""
    if not all(isinstance(array, np.ndarray) for array in arrays):
        return False
    if isinstance(norm, KineticNorm):
        return isinstance(norm.body.mass, np.ndarray)
    return isinstance(norm, SplitNorm) or (isinstance(norm, RiemannianNorm) and isinstance(norm.matrix, np.ndarray))


def batch_shape(norm: Any) -> tuple[int, ...]:
    """Batch shape of a norm's own numbers; () for norms of other classes."""
    if isinstance(norm, KineticNorm):
        return tuple(np.broadcast_shapes(*(part.shape[:-2] for part in _kinetic_parts(norm))))
    return tuple(norm.matrix.shape[:-2]) if isinstance(norm, RiemannianNorm) else ()


def distance(z1: Floats, z2: Floats, norm: Any) -> Floats:
    """E of endpoint pairs (..., 2, 6); not finite where an entry is not (or where E is beyond the floats)."""
    shape = np.broadcast_shapes(z1.shape[:-2], z2.shape[:-2], batch_shape(norm))
    with np.errstate(over="ignore", invalid="ignore"):
        if isinstance(norm, SplitNorm) and _TAME[0] < norm.alpha < _TAME[1]:
            return _split_distance(z1, z2, norm, shape)
        out, whitener = np.empty(shape), _whitener(norm, shape)
        for index in blocks(shape, _BLOCK):
            p, q = (_components(_rows(z, (*shape, 2, 6), index, 12)) for z in (z1, z2))
            out[index] = _least(_differences(p, q), whitener(index)).reshape(out[index].shape)
        return out


def compact_distance(
    joint1: tuple[Floats, Floats], joint2: tuple[Floats, Floats], norm: Any, kappa: float
) -> tuple[Floats, bool]:
    """E^phi of joints (screw (..., 6), limits (..., 2)), and whether a joint moves although its norm is 0."""
    leading = [part.shape[:-1] for joint in (joint1, joint2) for part in joint]
    shape = np.broadcast_shapes(*leading, batch_shape(norm))
    out, idle = np.empty(shape), False
    whitener = _whitener(norm, shape)
    with np.errstate(over="ignore", invalid="ignore"):
        for index in blocks(shape, _BLOCK):
            screws, limits = (
                _stacked([_rows(part, (*shape, width), index, width) for part in parts])
                for parts, width in zip(zip(joint1, joint2, strict=True), (6, 2), strict=True)
            )
            white = whitener(index)(screws)  # (6, 2 joints, n)
            length, still = _lengths(norm, white, screws, index, shape)
            length[still] = 1.0
            factor = np.tanh(limits * (length / kappa)) / length  # (2 ends, 2 joints, n); tanh of an infinity is 1
            if still.any():
                idle = idle or bool((still & (screws != 0).any(axis=0) & (limits != 0).any(axis=0)).any())
                factor[:, still] = 0.0
            white = factor * white[:, None]  # of the images: (6, 2 ends, 2 joints, n)
            out[index] = _least(_differences(white[:, :, 0], white[:, :, 1])).reshape(out[index].shape)
    return out, idle


def pairwise_distance(a: Floats, b: Floats, norm: Any) -> Floats:
    """E between all of (M, 2, 6) and all of (N, 2, 6), one norm for all, finite entries."""
    out = np.empty((len(a), len(b)))
    loops = compiled.load() if out.size >= _COMPILED_FROM else None
    height, width = (_TILE[0], max(1, len(b))) if loops else _TILE
    with np.errstate(over="ignore", invalid="ignore"):
        p, q = (_middle_and_half(norm.whiten(z)) for z in (a, b))
        squares1, squares2 = (np.einsum("ij,ij->i", z, z) for z in (p, q))
        close = _CLOSE_COMPILED if loops else _CLOSE
        least1, least2 = close * squares1 + _TINY, close * squares2
        left = np.column_stack([-2.0 * p[:, :6], squares1, np.ones(len(p))])
        right = np.column_stack([q[:, :6], np.ones(len(q)), squares2]).T.copy()
        half1, half2, q = 2.0 * p[:, 6:], q[:, 6:].T.copy(), q.T.copy()
        for i, j in itertools.product(range(0, len(a), height), range(0, len(b), width)):
            rows, columns = slice(i, i + height), slice(j, j + width)
            tile = out[rows, columns]
            if loops:
                loops.all_pairs(p[rows], q, tile)
            else:  # |p|^2 + |q|^2 - 2 <m, m'> - 2 |<h, h'>|, middles m and halves h
                swap = half1[rows] @ half2[:, columns]
                np.subtract(left[rows] @ right[:, columns], np.abs(swap, out=swap), out=tile)
            doubtful = not tile.min() > least1[rows].max() + least2[columns].max()  # also when it is NaN
            k, m = np.nonzero(~(tile > np.add.outer(least1[rows], least2[columns]))) if doubtful else ((), ())
            np.sqrt(tile, out=tile)
            if len(k):
                tile[k, m] = distance(a[rows][k], b[columns][m], norm)
    return out


# ---------------------------------------------------------------------------------------------- layout


def blocks(shape: tuple[int, ...], size: int) -> Iterator[Index]:
    """Indices that cut an array of this shape into contiguous blocks of at most about `size` entries."""
    if math.prod(shape) <= size:
        yield (...,)
        return
    axis = next(k for k in range(len(shape)) if math.prod(shape[k + 1 :]) <= size)
    step = max(1, size // max(1, math.prod(shape[axis + 1 :])))
    for outer in np.ndindex(*shape[:axis]):
        for start in range(0, shape[axis], step):
            yield (*outer, slice(start, start + step))


def _rows(array: Floats, shape: tuple[int, ...], index: Index, width: int) -> Floats:
    """Block of an array broadcast to `shape`, as contiguous rows (n, width); a view where that is possible."""
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    return np.ascontiguousarray(array[index]).reshape(-1, width)


def _on_cache_lines(*shape: int) -> Floats:
    """An empty array that begins on a cache line: flat operations that write to it are a tenth faster."""
    line, size = 64, 8 * math.prod(shape)
    memory = np.empty(size + line, np.uint8)
    start = -memory.ctypes.data % line
    return memory[start : start + size].view(np.float64).reshape(shape)


def _flat_blocks(z1: Floats, z2: Floats, shape: tuple[int, ...]) -> Iterator[tuple[Floats, Floats]]:
    """Endpoint pairs (..., 2, 6) broadcast to `shape`, in flat blocks (12 n,); views where that is possible."""
    if all(z.shape[:-2] == shape and z.flags.c_contiguous for z in (z1, z2)):
        p, q = z1.reshape(-1), z2.reshape(-1)
        for start in range(0, len(p), 12 * _FLAT_BLOCK):
            stop = start + 12 * _FLAT_BLOCK
            yield p[start:stop], q[start:stop]
    else:
        for index in blocks(shape, _FLAT_BLOCK):
            p, q = (_rows(z, (*shape, 2, 6), index, 12).reshape(-1) for z in (z1, z2))
            yield p, q


def _components(rows: Floats) -> Floats:
    """Endpoint pairs (n, 12) as (6, 2, n)."""
    return np.ascontiguousarray(rows.reshape(-1, 2, 6).T)


def _stacked(parts: list[Floats]) -> Floats:
    """Rows (n, w) of k parts as (w, k, n), contiguous."""
    out = np.empty((parts[0].shape[1], len(parts), len(parts[0])))
    for k, part in enumerate(parts):
        out[:, k] = part.T
    return out


def _differences(p: Floats, q: Floats) -> Floats:
    """(6, 4, n): lower - lower, upper - upper, lower - upper, upper - lower."""
    delta = np.empty((p.shape[0], 4, p.shape[2]))
    np.subtract(p, q, out=delta[:, :2])
    np.subtract(p, q[:, ::-1], out=delta[:, 2:])
    return delta


# ---------------------------------------------------------------------------------------------- norms

Whiten = Callable[[Floats], Floats]


def _kinetic_parts(norm: KineticNorm) -> tuple[Floats, Floats]:
    return norm.gyration, norm.body.com[..., None, :]


def _whitener(norm: Any, shape: tuple[int, ...]) -> Callable[[Index], Whiten]:
    """For each block, the map from twists (6, k, n) to their whitened coordinates."""
    if isinstance(norm, SplitNorm) and norm.alpha == 1.0:
        return lambda index: lambda z: z
    if batch_shape(norm) == ():
        root = norm.whiten(np.eye(6)).T  # the norm is linear: its matrix
        return lambda index: lambda z: np.matmul(root, z.swapaxes(0, 1)).swapaxes(0, 1)
    if isinstance(norm, KineticNorm):
        gyration, com = (np.broadcast_to(part, (*shape, *part.shape[-2:])) for part in _kinetic_parts(norm))
        return lambda index: functools.partial(
            _kinetic, gyration[index].reshape(-1, 3, 3).transpose(1, 2, 0), com[index].reshape(-1, 3).T
        )
    roots = np.moveaxis(norm.whiten(np.eye(6)[(slice(None), *(None,) * len(batch_shape(norm)))]), 0, -1)
    roots = np.broadcast_to(roots, (*shape, 6, 6))
    return lambda index: lambda z: np.einsum("nij,jkn->ikn", roots[index].reshape(-1, 6, 6), z)


def _kinetic(gyration: Floats, com: Floats, z: Floats) -> Floats:
    """`KineticNorm.whiten` on components: gyration (3, 3, n), com (3, n), twists (6, k, n)."""
    omega, v = z[:3], z[3:]
    out = np.empty_like(z)
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        out[i] = gyration[i, 0] * omega[0] + gyration[i, 1] * omega[1] + gyration[i, 2] * omega[2]
        out[3 + i] = v[i] + (omega[j] * com[k] - omega[k] * com[j])
    return out


# ---------------------------------------------------------------------------------------------- E from differences


def _in_range(squared: Floats) -> NDArray[np.bool_]:
    """Where sums of squares lost nothing to underflow or overflow."""
    return (squared > _TINY) & (squared < _HUGE)


def _all_in_range(squared: Floats) -> bool:
    """Whether all are in range, in two quick passes; False also when one is NaN."""
    smallest, largest = (reduce(squared, axis=None, initial=1.0) for reduce in (np.minimum.reduce, np.maximum.reduce))
    return bool(smallest > _TINY and largest < _HUGE)


def _sum_of_squares(white: Floats) -> Floats:
    return np.einsum("i...,i...->...", white, white)


def _least(delta: Floats, whiten: Whiten | None = None) -> Floats:
    """E from the four differences (6, 4, n)."""
    white = whiten(delta) if whiten else delta
    squares = _sum_of_squares(white)
    squared = np.minimum(squares[0] + squares[1], squares[2] + squares[3])
    value = np.sqrt(squared)
    if not _all_in_range(squared):
        weak = np.flatnonzero(~_in_range(squared))
        value[weak] = _scaled_least(white[..., weak])
    return value


def _scaled_least(white: Floats) -> Floats:
    """E from whitened differences (6, 4, n), each assignment scaled to 1: no overflow, no underflow."""
    lengths = []
    for half in (white[:, :2], white[:, 2:]):
        scale = np.abs(half).max(axis=(0, 1), initial=0.0)
        scale = np.where((scale > 0) & (scale < np.inf), scale, 1.0)
        lengths.append(scale * np.sqrt(np.add.reduce((half / scale) ** 2, axis=(0, 1))))
    return np.minimum(*lengths)


def _split_distance(z1: Floats, z2: Floats, norm: SplitNorm, shape: tuple[int, ...]) -> Floats:
    """E in the split norm: fast sums of squares first, then the suspicious ones again from their differences."""
    out, start = np.empty(shape), 0
    values, weak = out.reshape(-1), []
    loops = compiled.load() if out.size >= _COMPILED_FROM else None
    size = min(out.size, _FLAT_BLOCK)
    workspace, (direct, squared) = _on_cache_lines(2, 12 * size), _on_cache_lines(2, size)
    weights = np.tile(np.repeat([1.0, norm.alpha**2], 3), 2)
    twice_first_half = weights * np.repeat([2.0, 0.0], 6)
    for p, q in _flat_blocks(z1, z2, shape):
        n = len(p) // 12
        block = values[start : start + n]
        if loops:
            whole = loops.split_distance(p.reshape(-1, 12), q.reshape(-1, 12), norm.alpha**2, _TINY, _HUGE, block)
            doubtful = None if whole else ~_in_range(block**2)
        else:
            least, squares = direct[:n], squared[:n]
            _flat_squares(p, q, weights, twice_first_half, workspace[:, : 12 * n], least, squares)
            doubtful = squares <= least
            if not _all_in_range(squares):
                doubtful |= ~_in_range(squares)
            np.sqrt(squares, out=block)
        if doubtful is not None and doubtful.any():
            weak.append(start + np.flatnonzero(doubtful))
        start += n
    if weak:
        _repair(values, np.concatenate(weak), z1, z2, norm, shape or (1,))
    return out


def _repair(values: Floats, weak: NDArray[np.intp], z1: Floats, z2: Floats, norm: Any, shape: tuple[int, ...]) -> None:
    """Compute the values at these flat positions again, from the differences themselves."""
    whiten = _whitener(norm, ())((...,))
    z1, z2 = (np.broadcast_to(z, (*shape, 2, 6)) for z in (z1, z2))
    for start in range(0, len(weak), _BLOCK):
        chunk = weak[start : start + _BLOCK]
        where = np.unravel_index(chunk, shape)
        p, q = (_components(z[where].reshape(-1, 12)) for z in (z1, z2))
        values[chunk] = _least(_differences(p, q), whiten)


def _flat_squares(
    p: Floats, q: Floats, weights: Floats, twice_first_half: Floats, workspace: Floats, direct: Floats, squared: Floats
) -> None:
    """Write E^2 of flat endpoint pairs (12 n,), and into `direct` the square below which it is not to be trusted.

    With ``t = <z1- - z1+, z2- - z2+>`` the swapped assignment costs ``direct + 2 t``, which loses digits where the
    two nearly cancel. ``p[:-6] - p[6:]`` holds z- - z+ in the first half of each row of 12; zero weights drop the
    rest.
    """
    first, second = workspace
    np.subtract(p, q, out=first)
    np.multiply(first, first, out=first)
    np.dot(first.reshape(-1, 12), weights, out=direct)
    np.subtract(p[:-6], p[6:], out=first[:-6])
    np.subtract(q[:-6], q[6:], out=second[:-6])
    np.multiply(first, second, out=first)
    first[-6:] = 0.0  # the end of the last row was never written: the same bits whatever it held
    np.dot(first.reshape(-1, 12), twice_first_half, out=squared)
    np.minimum(squared, 0.0, out=squared)
    squared += direct
    direct *= _CANCELLED


# ---------------------------------------------------------------------------------------------- compactification


def _lengths(
    norm: Any, white: Floats, screws: Floats, index: Index, shape: tuple[int, ...]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Norms of screws (6, k, n) from their whitened coordinates, and `norm.vanishes`."""
    squared = _sum_of_squares(white)
    length = np.sqrt(squared)
    if not _all_in_range(squared):
        scale = np.abs(white).max(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        length = scale * np.sqrt(_sum_of_squares(white / scale))
    if not isinstance(norm, KineticNorm):
        return length, length == 0
    reach = np.broadcast_to(norm.reach, shape)[index].reshape(-1)
    turning, sliding = (np.abs(part).max(axis=0) for part in (screws[:3], screws[3:]))
    parts = np.maximum(reach * turning, sliding)  # |parts| / sqrt 3 at least: only the doubtful need more
    doubtful = length <= 2.0 * zero_threshold(screws) * parts
    if doubtful.any():
        j, n = np.nonzero(doubtful)
        turning, sliding = (magnitude(part[:, j, n].T) for part in (screws[:3], screws[3:]))
        doubtful[j, n] = length[j, n] <= zero_threshold(screws) * np.hypot(reach[n] * turning, sliding)
    return length, doubtful


def _middle_and_half(white: Floats) -> Floats:
    """(M, 12): ``(z- + z+)/sqrt 2`` and ``(z- - z+)/sqrt 2``; swapping the ends changes the sign of the second."""
    lower, upper = white[:, 0, :], white[:, 1, :]
    return np.concatenate([lower + upper, lower - upper], axis=1) * 0.5**0.5
