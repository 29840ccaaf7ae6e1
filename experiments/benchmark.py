"""Methods scored by components and by E (Tables 4 and 5, D): who is best, by which number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.context import Context
from experiments.experiment import Drawn, Finding, Settings, Tables, table
from experiments.methods import METHODS, write_predictions
from experiments.objects import ObjectFile
from simcheck.report.page import SummarySection

if TYPE_CHECKING:
    import polars

TITLE = "Benchmark: how scores order methods"
REPRODUCES = "Tables 4 and 5, Appendix D"

PREDICTIONS = "predictions"  # folder of the simulated predictions, beside the data
METHOD_TYPES: dict[str, type] = {
    **dict.fromkeys(("method", "scope", "column", "unit"), str),
    **dict.fromkeys(("value", "lower", "upper"), float),
    **dict.fromkeys(("n", "undefined"), int),
    "imputed": bool,
}
"""One row a method and column of Table 4; ``scope``: own (all its valid outputs) or common (of every method)."""
RANK_TYPES: dict[str, type] = {
    **dict.fromkeys(("column", "method"), str), **dict.fromkeys(("rank", "lower", "upper"), float),
}  # fmt: skip


def measure(context: Context) -> Tables:
    """Simulated methods over the objects, or real predictions if they were given."""
    from simcheck.benchmarking.score import JOINT_TYPES, OBJECT_TYPES

    rows, objects, found = _real(context) if context.predictions else _simulated(context)
    methods = [row for entry in found["methods"] for row in _method_rows(entry)]
    ranks = [
        {"column": column, "method": r["method"], "rank": r["rank"], "lower": r["lower"], "upper": r["upper"]}
        for column, several in found["ranks"].items()
        for r in several
    ]
    return {
        "rows": table(rows, JOINT_TYPES),
        "objects": table(objects, OBJECT_TYPES),
        "methods": table(methods, METHOD_TYPES),
        "ranks": table(ranks, RANK_TYPES),
        "simulated": table({"simulated": [not context.predictions]}, {"simulated": bool}),
    }


def _method_rows(entry: dict[str, Any]) -> list[dict[str, Any]]:
    from simcheck.benchmarking.table import COLUMNS

    rows = []
    for scope, key in (("own", "columns"), ("common", "common")):
        for column in (c for c in COLUMNS if c.name in entry[key]):
            cell = entry[key][column.name]
            numbers = {name: cell[name] for name in ("value", "lower", "upper", "n", "undefined")}
            imputed = column.needs_limits and entry["imputed_joints"] > 0
            rows.append({"method": entry["name"], "scope": scope, "column": column.name, "unit": column.unit,
                         "imputed": imputed, **numbers})  # fmt: skip
    return rows


def _options(settings: Settings) -> Any:
    from simcheck.comparison import CompareOptions, FrameOptions

    # No time limit: a distance that depended on the clock could not be repeated.
    return CompareOptions(
        alpha=settings.alpha, kappa=settings.kappa, frame=FrameOptions(origin=settings.origin), simulate=False,
        impute_limits="gt", time_limit=None, norm=settings.norm,
    )  # fmt: skip


def _real(context: Context) -> tuple[polars.DataFrame, polars.DataFrame, dict[str, Any]]:
    """Scores of the predictions that were given."""
    from simcheck.benchmarking import benchmark

    assert context.ground_truth is not None
    scored = benchmark(
        context.ground_truth,
        context.predictions,
        options=_options(context.settings),
        read=context.settings.read,
        seed=context.settings.seed,
        workers=context.workers,
        progress=context.told,
    )
    return scored.rows, scored.objects, scored.summary


def _simulated(context: Context) -> tuple[polars.DataFrame, polars.DataFrame, dict[str, Any]]:
    """Scores of the simulated methods, whose predictions are written beside the data and read back."""
    import polars

    from simcheck.benchmarking.score import JOINT_TYPES, OBJECT_TYPES
    from simcheck.benchmarking.table import tables
    from simcheck.results import plain

    folder = context.out / context.name / PREDICTIONS
    types = {**OBJECT_TYPES, **JOINT_TYPES, "of_object": bool}
    both = context.gather(score_simulated, str(folder), types=types)
    rows = both.filter(~polars.col("of_object")).select(list(JOINT_TYPES))
    objects = both.filter(polars.col("of_object")).select(list(OBJECT_TYPES))
    names = [method.name for method in METHODS]
    return rows, objects, plain(tables(rows, objects, names, context.settings.seed))


def score_simulated(about: ObjectFile, settings: Settings, folder: str) -> list[dict[str, Any]]:
    """Write and score the predictions of all methods for one object (runs in a worker)."""
    from simcheck.benchmarking.score import JOINT_TYPES, OBJECT_TYPES, score_object

    obj = about.open(Settings(seed=settings.seed, read=settings.read))
    files = write_predictions(obj, about.id, Path(folder), settings.seed)
    scored = score_object(about.id, about.super_category, about.path, files, {}, _options(settings), settings.read, {})
    empty = dict.fromkeys((*OBJECT_TYPES, *JOINT_TYPES))
    rows = [
        *({**empty, **row, "of_object": False} for row in scored.joints),
        *({**empty, **row, "of_object": True} for row in scored.objects),
    ]
    for row in rows:  # the numbers do not depend on where the folders lie, and neither should the words
        if row["reason"]:
            row["reason"] = row["reason"].replace(folder, PREDICTIONS).replace(about.path, about.id)
    return rows


def figures(tables: Tables, settings: Settings) -> dict[str, Drawn]:
    """Success against E_B, and ranks."""
    from experiments.benchmark_figure import draw

    return draw(tables)


def findings(tables: Tables, settings: Settings) -> list[Finding]:
    """What the scores make of the methods, and what Table 4 says of itself."""
    from experiments.benchmark_findings import conclude

    return conclude(tables)


def summaries(tables: Tables, settings: Settings) -> list[SummarySection]:
    """Our table, the error models, and the paper's table as a reference."""
    from experiments.benchmark_findings import table_sections

    return table_sections(tables)
