"""What an experiment is: data, then figures and findings that are drawn from the data alone.

An experiment is a module with

- ``TITLE`` and ``REPRODUCES``: what it is about, and which figure or table of the paper,
- ``measure(context) -> Tables``: the numbers, one of the tables called ``rows``,
- ``figures(tables, settings) -> {name: Drawn}``,
- ``findings(tables, settings) -> [Finding]``: each claim, our number, and whether it holds,
- ``summaries(tables, settings) -> [SummarySection]``: small tables for the page.

Only ``measure`` looks at objects; the other three read the saved tables, so that a figure can be drawn again without
measuring again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from metric import Body, KineticNorm, SplitNorm
from metric.norm import Norm
from simcheck.asset import ReadOptions
from simcheck.norms import load_norm
from simcheck.results import read_options, read_settings

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure

    from experiments.context import Context
    from simcheck.report.page import SummarySection

Tables: TypeAlias = "dict[str, polars.DataFrame]"

_OWN = ("seed", "alpha", "kappa", "origin", "norm")  # settings besides how files are read


def table(rows: Any, types: Mapping[str, type]) -> polars.DataFrame:
    """Rows (dicts, columns or a table) with columns of these types; undefined is null, never NaN."""
    import polars

    made = polars.DataFrame(rows, schema=types, strict=False)
    return made.with_columns(polars.col(polars.Float64).fill_nan(None))


@dataclass(frozen=True)
class Settings:
    """What changes the numbers of every experiment.

    Parameters
    ----------
    seed
        Of everything that is drawn.
    alpha, kappa
        Split norm (1/length) and compactification.
    origin
        ``world`` or ``base``: where E_alpha has its origin.
    norm
        ``MODULE:FUNCTION`` of a further inner product (see `simcheck.norms`), or None.
    read
        How files are read.
    """

    seed: int = 0
    alpha: float = 1.0
    kappa: float = math.pi
    origin: str = "world"
    norm: str | None = None
    read: ReadOptions = field(default_factory=ReadOptions)

    @property
    def plain(self) -> dict[str, Any]:
        """As they are saved with the results."""
        return {name: getattr(self, name) for name in _OWN} | read_settings(self.read)

    @classmethod
    def saved(cls, settings: Mapping[str, Any]) -> Settings:
        """The settings of a run from what was saved of them: the inverse of `plain`."""
        return cls(**{name: settings[name] for name in _OWN}, read=read_options(settings))

    @property
    def norm_name(self) -> str:
        """Name of the user's norm in figures and findings; empty without one."""
        return "" if self.norm is None else self.norm.rpartition(":")[2]

    def norms_of(self, body: Body, size: float, about: str) -> dict[str, Norm]:
        """The norms of the joint that moves a body, by the name of their distance: E_alpha, E_B, E_norm if asked for.

        ``size`` and ``about`` are for the user's norm (see `simcheck.norms`).
        """
        norms: dict[str, Norm] = {"E_alpha": SplitNorm(self.alpha), "E_B": KineticNorm(body)}
        if self.norm is not None:
            norms["E_norm"] = load_norm(self.norm).norm(body, size, about)
        return norms


@dataclass(frozen=True)
class Finding:
    """A claim and what the data says about it.

    Parameters
    ----------
    claim
        In the words of the paper where it makes one.
    source
        Section, table or figure of the paper; ``ours`` for a claim of this project.
    measured
        Our number, in a sentence.
    holds
        Whether the data bears the claim out; None where there is too little data to tell.
    note
        Why it holds or does not, and under what choices.
    values
        The numbers of ``measured``, for programs.
    """

    claim: str
    source: str
    measured: str
    holds: bool | None
    note: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Drawn:
    """A figure, its heading in the page, and a caption that says what it shows."""

    figure: Figure
    heading: str
    caption: str


class Experiment(Protocol):
    """The shape that every experiment's module has."""

    TITLE: str
    REPRODUCES: str

    def measure(self, context: Context) -> Tables:
        """The numbers."""
        ...

    def figures(self, tables: Tables, settings: Settings) -> dict[str, Drawn]:
        """The figures, by file name."""
        ...

    def findings(self, tables: Tables, settings: Settings) -> list[Finding]:
        """The claims, and what holds."""
        ...

    def summaries(self, tables: Tables, settings: Settings) -> Sequence[SummarySection]:
        """Small tables for the page."""
        ...
