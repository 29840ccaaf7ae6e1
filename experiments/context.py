"""What a measuring experiment is given: the settings, the objects, and processes to spread the work over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.experiment import Settings, table
from experiments.objects import ObjectFile
from simcheck import batch
from simcheck.batch import Part, joined, run_parts
from simcheck.errors import UsageError
from simcheck.results import to_json
from simcheck.run_folder import RunFolder, parquet_bytes, write_atomically
from simcheck.workers import Outcome

if TYPE_CHECKING:
    import polars

TIMEOUT = 900.0  # seconds for one object; the largest take about 30
Progress = Callable[[str, int, int, str], None]  # experiment, done, total, what was finished


@dataclass(frozen=True)
class Context:
    """The surroundings of one experiment.

    Parameters
    ----------
    name
        Of the experiment.
    settings
        What changes the numbers.
    find
        The objects; called by the first experiment that needs them.
    out, identity
        Results folder of the whole run, and its settings as saved.
    ground_truth, predictions
        Real predictions for the benchmark; without them methods are simulated.
    workers, force, progress
        Processes; whether results of other settings are replaced; a callback.
    """

    name: str
    settings: Settings
    find: Callable[[], Sequence[ObjectFile]]
    out: Path
    identity: Mapping[str, Any]
    ground_truth: Path | None = None
    predictions: Mapping[str, Path] = field(default_factory=dict)
    workers: int = 1
    force: bool = False
    progress: Progress | None = None

    def named(self, name: str) -> Context:
        """The same surroundings for another experiment."""
        return replace(self, name=name)

    @property
    def told(self) -> batch.Progress | None:
        """The callback for the steps of this experiment."""
        return None if self.progress is None else partial(self.progress, self.name)

    @property
    def objects(self) -> Sequence[ObjectFile]:
        """The objects that experiments work on."""
        return self.find()

    @property
    def folder(self) -> RunFolder:
        """The experiment's own folder."""
        return RunFolder(self.out / self.name, {"experiment": self.name, **self.identity}, force=self.force)

    def gather(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        types: Mapping[str, type],
        objects: Sequence[ObjectFile] | None = None,
    ) -> polars.DataFrame:
        """Rows of ``function(object, settings, *arguments)`` over all objects, in their order.

        Parameters
        ----------
        function
            Runs in another process; returns rows as a list of dicts or as columns. Its rows may depend on its
            arguments only.
        types
            Columns and their types; NaN becomes null.
        objects
            Others than those of the run.

        Returns
        -------
        polars.DataFrame
            An object that failed has no rows; ``failures.json`` in the experiment's folder says why.
        """
        chosen = self.objects if objects is None else objects
        parts = run_parts(
            function,
            [(o, self.settings, *arguments) for o in chosen],
            lambda k, outcome: _part(chosen[k], outcome, types),
            folder=self.folder,
            workers=self.workers,
            timeout=TIMEOUT,
            progress=self.told,
            names=[o.id for o in chosen],
        )
        failed: list[dict[str, str]] = []
        rows = joined(_tables(parts, failed), types)
        if chosen and len(failed) == len(chosen):
            raise UsageError("\n".join(["no object can be used", *(f["reason"] for f in failed)]))
        write_atomically(self.out / self.name / "failures.json", to_json(failed) + "\n")
        return rows

    def pairs(self) -> polars.DataFrame:
        """The calibration pairs of all objects, measured once for every experiment that reads them."""
        import polars

        from experiments.pairs import PAIR_TYPES, measure_pairs

        shared = self.named("pairs")
        file = self.out / "pairs" / "rows.parquet"
        folder = shared.folder
        if not file.exists():
            rows = shared.gather(measure_pairs, types=PAIR_TYPES)
            write_atomically(file, parquet_bytes(rows))
        folder.drop_parts()
        return polars.read_parquet(file)


def _tables(parts: Iterable[Part], failed: list[dict[str, str]]) -> Iterator[polars.DataFrame | None]:
    """The rows of each part; failures are appended on the way."""
    for facts, rows in parts:
        failed += [facts["failure"]] if facts["failure"] else []
        yield rows


def _part(about: ObjectFile, outcome: Outcome, types: Mapping[str, type]) -> Part:
    if isinstance(outcome.error, UsageError):
        raise outcome.error  # not the object is at fault, but what was asked
    if outcome.error is not None:
        return {"failure": {"file": about.id, "reason": str(outcome.error).replace(about.path, about.id)}}, None
    return {"failure": None}, table(outcome.value, types)
