"""The routines that carry the time of the exact distance, compiled where numba is installed (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple


class Kernels(NamedTuple):
    """Compiled or plain, the same contract: see `bounds.sweep`, `antichain.greedy` and `antichain.simplex`."""

    sweep: Callable[..., None]
    greedy: Callable[..., Any]
    simplex: Callable[..., Any]


@cache
def kernels() -> Kernels:
    """Compiled kernels, or plain NumPy ones without numba. The first call may compile, seconds; later ones do not."""
    try:
        from metric.trees import compiled
    except ImportError:
        return plain()
    return Kernels(compiled.sweep, compiled.greedy, compiled.simplex)


def plain() -> Kernels:
    """The NumPy kernels."""
    from metric.trees import antichain, bounds

    return Kernels(bounds.sweep, antichain.greedy, antichain.simplex)
