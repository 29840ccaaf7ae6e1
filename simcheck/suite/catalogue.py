"""The categories: which there are, how many objects of each, and the function that builds one.

A category is a function ``name(build, draw)`` in a module of `simcheck.suite.categories`, registered by `category` with
a number that never changes: random streams depend on it, so a new category leaves all others as they were.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from simcheck.suite.builder import Builder
from simcheck.suite.draw import Draw

BuildFunction = Callable[[Builder, Draw], None]


@dataclass(frozen=True)
class Category:
    """One category; ``weight`` is its share of objects."""

    number: int
    super_category: str
    name: str
    weight: int
    build: BuildFunction

    def object_name(self, number: int) -> str:
        """Name of one of its objects."""
        return f"{self.name}_{number:04d}"


_registered: dict[int, Category] = {}


def category(number: int, super_category: str, weight: int) -> Callable[[BuildFunction], BuildFunction]:
    """Register a function as the category of its name."""

    def register(function: BuildFunction) -> BuildFunction:
        if number in _registered:
            raise ValueError(f"category {number} is {_registered[number].name!r} already")
        _registered[number] = Category(number, super_category, function.__name__, weight, function)
        return function

    return register


@cache
def categories() -> tuple[Category, ...]:
    """All categories by number."""
    from simcheck.suite import categories as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return tuple(_registered[number] for number in sorted(_registered))


def quotas(objects: int) -> list[int]:
    """How many objects each category gets: shares by weight, the largest remainders rounded up."""
    weights = [c.weight for c in categories()]
    shares = [objects * w / sum(weights) for w in weights]
    counts = [math.floor(s) for s in shares]
    left = sorted(range(len(shares)), key=lambda k: (counts[k] - shares[k], k))
    for k in left[: objects - sum(counts)]:
        counts[k] += 1
    return counts


def roster(objects: int, seed: int) -> list[tuple[Category, int]]:
    """The objects of a suite in order: category and number in it, shuffled by the seed so that work is even."""
    entries = [(c, k) for c, count in zip(categories(), quotas(objects), strict=True) for k in range(count)]
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(0,)))
    keys = [int(bits.random_raw()) for _ in entries]
    return [entry for _, _, entry in sorted(zip(keys, range(len(entries)), entries, strict=True), key=lambda t: t[:2])]
