"""The routines that carry the time of the exact distance, compiled where numba is installed (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

# Below this number of edge pairs, numba takes longer to load than plain NumPy to finish hundreds of such trees.
_WORTH_LOADING = 256


class Kernels(NamedTuple):
    """Compiled or plain, the same contract: see `bounds.sweep`, `antichain.greedy` and `relaxation.simplex`."""

    sweep: Callable[..., None]
    greedy: Callable[..., Any]
    simplex: Callable[..., Any]


def kernels(pairs: int) -> Kernels:
    """The kernels for two trees with so many pairs of edges; the first compiled ones take seconds to compile."""
    return plain() if pairs < _WORTH_LOADING else compiled()


@cache
def plain() -> Kernels:
    """The NumPy kernels."""
    from metric.trees import antichain, bounds, relaxation

    return Kernels(bounds.sweep, antichain.greedy, relaxation.simplex)


@cache
def compiled() -> Kernels:
    """The numba kernels, or the plain ones without numba."""
    from metric.trees.compiled import compile_kernels

    try:
        return Kernels(*compile_kernels())
    except ImportError:
        return plain()
