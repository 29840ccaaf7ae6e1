"""The two loops that the extra `fast` compiles with numba; `metric.kernels` says when they run."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple


class Compiled(NamedTuple):
    """The loops of this module as machine code."""

    split_distance: Callable[..., bool]
    all_pairs: Callable[..., None]


@functools.cache
def load() -> Compiled | None:
    """The compiled loops, None without numba. Explicit signatures compile here, once; the machine code is cached."""
    try:
        import numba

        compile_as = functools.partial(numba.njit, cache=True, error_model="numpy")
        return Compiled(
            compile_as("b1(f8[:,::1], f8[:,::1], f8, f8, f8, f8[::1])")(split_distance),
            compile_as("void(f8[:,::1], f8[:,::1], f8[:,::1])")(all_pairs),
        )
    except (ImportError, RuntimeError):  # RuntimeError: nowhere to keep the cache
        return None


def split_distance(p: Any, q: Any, alpha2: float, tiny: float, huge: float, out: Any) -> bool:
    """E of endpoint pairs (n, 12) in the split norm; whether all squares that are numbers lie between tiny and huge."""
    smallest, largest = huge, tiny
    for i in range(p.shape[0]):
        direct = swapped = 0.0
        for k in range(6):
            weight = 1.0 if k < 3 else alpha2
            lower, upper = p[i, k] - q[i, k], p[i, k + 6] - q[i, k + 6]
            direct += weight * (lower * lower + upper * upper)
            lower, upper = p[i, k] - q[i, k + 6], p[i, k + 6] - q[i, k]
            swapped += weight * (lower * lower + upper * upper)
        squared = min(direct, swapped)
        smallest, largest = min(smallest, squared), max(largest, squared)
        out[i] = squared
    for i in range(p.shape[0]):  # a loop of its own: several roots at a time
        out[i] = math.sqrt(out[i])
    return smallest > tiny and largest < huge


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
