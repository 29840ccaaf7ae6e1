"""The random numbers of one object, each with a name, so that its parameters can be written down.

Numbers come from the raw 64-bit output of PCG64, which does not change between versions of NumPy; lengths are rounded
to 0.1 mm and angles to 1e-6 rad before anything is derived from them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Value = float | int | str | bool
T = TypeVar("T")


class Draw:
    """A stream of named draws.

    Parameters
    ----------
    seed
        Of the suite.
    key
        What tells this stream from all others: category number, number of the object in it, attempt.
    """

    def __init__(self, seed: int, key: Sequence[int]) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=tuple(key)))
        self.parameters: dict[str, Value | list[Value]] = {}

    def unit(self) -> float:
        """A number in [0, 1) without a name."""
        return (self._bits.random_raw() >> 11) * 2.0**-53

    def _named(self, name: str, value: T) -> T:
        """Record a value; a name that was drawn before becomes a list."""
        known = self.parameters.get(name)
        if known is None:
            self.parameters[name] = value  # type: ignore[assignment]
        elif isinstance(known, list):
            known.append(value)  # type: ignore[arg-type]
        else:
            self.parameters[name] = [known, value]  # type: ignore[list-item]
        return value

    def length(self, name: str, low: float, high: float) -> float:
        """A length in m, uniform, rounded to 0.1 mm."""
        return self._named(name, round(low + (high - low) * self.unit(), 4))

    def angle(self, name: str, low: float, high: float) -> float:
        """An angle between two given in degrees, uniform, in radians rounded to 1e-6."""
        return self._named(name, radians(low + (high - low) * self.unit()))

    def number(self, name: str, low: float, high: float) -> float:
        """A plain number, uniform, three decimals."""
        return self._named(name, round(low + (high - low) * self.unit(), 3))

    def integer(self, name: str, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return self._named(name, low + int((high - low + 1) * self.unit()))

    def count(self, name: str, least: int, median: int, most: int) -> int:
        """How many parts: a triangular body around the median, and a long tail that reaches to ``most``."""
        if self.unit() < 0.9:
            left, right = median - least, max(median - least, 1)
            u = self.unit()
            share = left / (left + right)
            if u < share:
                value = least + math.sqrt(u * (left + right) * left)
            else:
                value = median + right - math.sqrt((1 - u) * (left + right) * right)
        else:
            value = median * (most / median) ** self.unit()
        return self._named(name, min(most, max(least, round(value))))

    def pick(self, name: str, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
        """One of several options; weights need not add up to 1."""
        shares = [1.0] * len(options) if weights is None else weights
        rest = self.unit() * sum(shares)
        for option, share in zip(options, shares, strict=True):
            rest -= share
            if rest < 0:
                return self._named(name, option)
        return self._named(name, options[-1])

    def chance(self, name: str, probability: float) -> bool:
        """True with a probability."""
        return self._named(name, self.unit() < probability)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order, without a name."""
        return [item for _, item in sorted(((self.unit(), k), item) for k, item in enumerate(items))]


def radians(degrees: float) -> float:
    """Radians, rounded to 1e-6."""
    return round(math.radians(degrees), 6)


def turns(number: float) -> float:
    """Turns in radians, rounded to 1e-6."""
    return round(2 * math.pi * number, 6)
