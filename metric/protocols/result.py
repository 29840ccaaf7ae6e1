"""What every protocol returns: named scores with units, and the reason for each undefined one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metric.errors import MetricError
from metric.quantities import Quantity

Rule = tuple[Any, str]  # where a score is undefined, and why


def score(unit: str, meaning: str, *, published_unit: str | None = None, lower_is_better: bool = True) -> Any:
    """A dataclass field that knows its unit (in ``as_published`` mode, if that differs) and direction."""
    about = {"meaning": meaning, "lower_is_better": lower_is_better}
    return field(metadata={"corrected": unit, "as_published": published_unit or unit, **about})


@dataclass(frozen=True, kw_only=True)
class ComponentErrors:
    """Scores of one protocol: a float each for a pair of joints, arrays (N,) for sequences.

    An undefined score is NaN (or infinite, where a published formula divides by 0); `reason` says why.
    """

    protocol: ClassVar[str]
    source: ClassVar[str]

    mode: str
    reasons: Mapping[str, Any] = field(repr=False)

    @classmethod
    def quantities(cls, mode: str = "corrected") -> dict[str, Quantity]:
        """Name, unit, direction and meaning of every score, in order."""
        return {
            f.name: Quantity(f.name, f.name, f.metadata[mode], f.metadata["meaning"], f.metadata["lower_is_better"])
            for f in fields(cls)
            if "meaning" in f.metadata
        }

    @property
    def units(self) -> dict[str, str]:
        """Unit of every score in this result's mode."""
        return {name: quantity.unit for name, quantity in self.quantities(self.mode).items()}

    def as_dict(self) -> dict[str, Any]:
        """Score by name, in order."""
        return {name: getattr(self, name) for name in self.quantities()}

    def reason(self, name: str) -> Any:
        """Why a score is undefined: a string, or an array (N,) of strings; empty where it is defined."""
        if name not in self.quantities():
            raise MetricError(f"name: expected one of {', '.join(self.quantities())}, got {name!r}")
        return self.reasons[name]

    @property
    def undefined(self) -> dict[str, int]:
        """Number of undefined values of each score."""
        return {name: int(np.sum(np.asarray(self.reasons[name], dtype=object) != "")) for name in self.quantities()}

    @classmethod
    def build(cls, mode: str, single: bool, scores: dict[str, tuple[Any, list[Rule]]]) -> Any:
        """Result from arrays (N,), each with the rules that make it undefined (the first that holds is named)."""
        values: dict[str, Any] = {}
        reasons: dict[str, Any] = {}
        for name, (value, rules) in scores.items():
            array, why = _blanked(value, rules)
            if cls.quantities()[name].unit == "0/1":
                array = array.astype(int)
            values[name], reasons[name] = (array[0].item(), why[0]) if single else (array, why)
        return cls(mode=mode, reasons=reasons, **values)


def _blanked(value: Any, rules: list[Rule]) -> tuple[NDArray[Any], NDArray[Any]]:
    array = np.array(value, dtype=np.float64)
    why = np.full(array.shape, "", dtype=object)
    for where, reason in rules:
        new = np.broadcast_to(np.asarray(where), array.shape) & (why == "")
        array[new], why[new] = np.nan, reason
    why[~np.isfinite(array) & (why == "")] = "not a finite number as published"
    return array, why
