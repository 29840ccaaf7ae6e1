"""Scores gathered one object at a time, for evaluation loops."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.asset import ArticulatedObject, ReadOptions
from simcheck.benchmarking.score import JOINT_TYPES, OBJECT_TYPES, Scored, score_objects
from simcheck.benchmarking.table import tables
from simcheck.comparison.run import CompareOptions
from simcheck.errors import UsageError
from simcheck.results import plain

if TYPE_CHECKING:
    import polars


class Accumulator:
    """Gathers scores of one or more methods and computes the benchmark's table.

    Parameters
    ----------
    options, read
        Of each comparison; simulation is off unless asked for.

    Examples
    --------
    >>> scores = Accumulator()
    >>> for name, truth, guess in []:                            # an evaluation loop
    ...     scores.update(truth, guess, object=name, method="ours")
    >>> scores.compute()["methods"]
    []
    """

    def __init__(self, options: CompareOptions | None = None, read: ReadOptions | None = None) -> None:
        self.options = options or CompareOptions(simulate=False)
        self.read = read or ReadOptions()
        self._scored: dict[tuple[str, str], Scored] = {}

    def update(
        self,
        ground_truth: str | Path | ArticulatedObject,
        prediction: str | Path | ArticulatedObject | None,
        *,
        object: str,
        method: str = "prediction",
        super_category: str = "all",
    ) -> None:
        """Score one prediction; None is a missing one. A second score of an object by a method is an error."""
        key = (method, object)
        if key in self._scored:
            raise UsageError(f"object {object!r} of method {method!r} was scored already")
        self._scored[key] = score_objects(
            ground_truth, {method: prediction}, object, super_category, self.options, self.read
        )

    def merge(self, other: Accumulator) -> None:
        """Take over the scores of another accumulator with the same options."""
        if (other.options, other.read) != (self.options, self.read):
            raise UsageError("accumulators with different options cannot be merged")
        doubled = self._scored.keys() & other._scored.keys()
        if doubled:
            raise UsageError(f"both accumulators hold {len(doubled)} scores of the same method and object")
        self._scored.update(other._scored)

    def reset(self) -> None:
        """Forget all scores."""
        self._scored.clear()

    def rows(self) -> tuple[polars.DataFrame, polars.DataFrame]:
        """Joint rows and object rows, ordered by method and object: the same for any order of updates."""
        import polars

        ordered = [self._scored[key] for key in sorted(self._scored)]
        return _frame(polars, (s.joints for s in ordered), JOINT_TYPES), _frame(
            polars, (s.objects for s in ordered), OBJECT_TYPES
        )

    def compute(self, seed: int = 0) -> dict[str, Any]:
        """The benchmark's table: columns with intervals, common sets, paired differences, ranks."""
        joints, objects = self.rows()
        methods = sorted({method for method, _ in self._scored})
        return plain(tables(joints, objects, methods, seed))


def _frame(polars: Any, rows: Iterable[list[dict[str, Any]]], types: dict[str, type]) -> Any:
    return polars.DataFrame([row for several in rows for row in several], schema=types)
