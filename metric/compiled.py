"""The two loops that the extra `fast` compiles with numba; `metric.kernels` says when they run."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple


class Compiled(NamedTuple):
    """The loops of this module as machine code."""

    split_distance: Callable[..., int]
    all_pairs: Callable[..., None]


@functools.cache
def load() -> Compiled | None:
    """The compiled loops, None without numba. Explicit signatures compile here, once; the machine code is cached."""
    try:
        import numba

        compile_as = functools.partial(numba.njit, cache=True, error_model="numpy")
        return Compiled(
            compile_as("i8(f8[:,::1], f8[:,::1], f8, f8, f8, f8[::1])")(split_distance),
            compile_as("void(f8[:,::1], f8[:,::1], f8[:,::1])")(all_pairs),
        )
    except (ImportError, RuntimeError):  # RuntimeError: nowhere to keep the cache
        return None


def split_distance(p: Any, q: Any, alpha2: float, tiny: float, huge: float, out: Any) -> int:
    """E of endpoint pairs (n, 12) in the split norm; how many squares are not between tiny and huge."""
    doubtful = 0
    for i in range(p.shape[0]):
        direct = swapped = 0.0
        for k in range(6):
            weight = 1.0 if k < 3 else alpha2
            lower, upper = p[i, k] - q[i, k], p[i, k + 6] - q[i, k + 6]
            direct += weight * (lower * lower + upper * upper)
            lower, upper = p[i, k] - q[i, k + 6], p[i, k + 6] - q[i, k]
            swapped += weight * (lower * lower + upper * upper)
        squared = min(direct, swapped)
        doubtful += not tiny < squared < huge
        out[i] = math.sqrt(squared)
    return doubtful


def all_pairs(p: Any, q: Any, out: Any) -> None:
    """E^2 between all middles and halves p (M, 12) and q (12, N), as made by `metric.kernels`."""
    for i in range(p.shape[0]):
        for j in range(q.shape[1]):
            middle = direct = swapped = 0.0
            for k in range(6):
                difference = p[i, k] - q[k, j]
                middle += difference * difference
                difference, total = p[i, k + 6] - q[k + 6, j], p[i, k + 6] + q[k + 6, j]
                direct += difference * difference
                swapped += total * total
            out[i, j] = middle + min(direct, swapped)
