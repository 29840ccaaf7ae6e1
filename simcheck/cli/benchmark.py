"""``simcheck benchmark``."""

from __future__ import annotations

import math
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import BodyChoice, InertiaChoice, OriginChoice

if TYPE_CHECKING:
    from simcheck.asset import ReadOptions

_SHOWN = 10  # problems and failures on the screen; all of them are in the results


class TableFormat(str, Enum):
    """How the table is printed."""

    text = "text"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"
    json = "json"


def benchmark(
    gt: Annotated[Path, typer.Option("--gt", metavar="DIR", help="Folder of the true objects.", show_default=False)],
    pred: Annotated[
        list[str],
        typer.Option("--pred", metavar="NAME=DIR", help="Predictions of a method (repeatable).", show_default=False),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="List every problem of the predictions, score nothing; exit 1 if any.")
    ] = False,
    table: Annotated[
        TableFormat, typer.Option("--table", help="How the table is printed.", rich_help_panel=given.OUTPUT)
    ] = TableFormat.text,
    simulate: Annotated[
        bool, typer.Option("--simulate/--closed-form", help="d from PyBullet, or in closed form.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Score a sample of N objects.")] = None,
    alpha: given.Alpha = 1.0,
    kappa: given.Kappa = math.pi,
    norm: given.Norm = None,
    match: given.Match = "cost",
    base: given.Base = "written",
    fallback: given.Fallback = "none",
    impute_limits: given.ImputeLimits = "none",
    steps: given.Steps = 9,
    align: given.Align = "none",
    up: given.Up = "z",
    scale: given.Scale = None,
    origin: given.Origin = OriginChoice.world,
    format_name: given.Format = None,
    body: given.Body = BodyChoice.cluster,
    inertia: given.Inertia = InertiaChoice.auto,
    density: given.Density = 1000.0,
    package: given.Package = None,
    decompose: given.Decompose = False,
    wrap: given.Wrap = False,
    time_limit: given.TimeLimit = 60.0,
    json: given.Json = False,
    out: given.Out = Path("simcheck-benchmark"),
    seed: given.Seed = 0,
    workers: given.WorkersOption = 0,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Dask scheduler whose workers do the scoring.",
            rich_help_panel=given.USE,
        ),
    ] = None,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Score methods over a folder of true objects: the paper's Table 4, with counts and intervals."""
    from simcheck.asset import ReadOptions
    from simcheck.benchmarking import benchmark as score_folders
    from simcheck.cli import output
    from simcheck.comparison import CompareOptions, FrameOptions

    read = ReadOptions(body.value, inertia.value, density, given.packages(package), decompose, wrap)
    if check:
        _check(gt, pred, read, None if format_name is None else format_name.value, impute_limits == "gt", json)
        return
    with output.progress_bar("scoring", quiet) as progress:
        result = score_folders(
            gt,
            pred,
            options=CompareOptions(
                alpha=alpha,
                kappa=kappa,
                match=match,
                frame=FrameOptions(align, up, scale, origin.value),
                base=base,
                fallback=fallback,
                time_limit=time_limit,
                simulate=simulate,
                steps=steps,
                impute_limits=impute_limits,
                format=None if format_name is None else format_name.value,
                norm=norm,
            ),
            read=read,
            limit=limit,
            seed=seed,
            out=out,
            force=force,
            workers=workers or given.usable_cores(),
            scheduler=scheduler,
            progress=progress,
        )
    if json or table is TableFormat.json:
        output.print_json({**result.summary, "out": str(result.out)})
    else:
        print_benchmark(result.summary, table)
        if not quiet:
            _remarks(result.summary, result.out)
    if not result.passed:
        raise typer.Exit(1)


def _check(gt: Path, pred: list[str], read: ReadOptions, format_name: str | None, imputed: bool, json: bool) -> None:
    from simcheck.benchmarking.check import check_submission
    from simcheck.benchmarking.objects import named_folders
    from simcheck.cli import output

    problems = check_submission(gt, named_folders(pred), read, format_name=format_name, limits_may_be_missing=imputed)
    errors = sum(p["severity"] == "error" for p in problems)
    if json:
        output.print_json({"problems": problems})
    else:
        for p in problems:
            print(f"{p['severity']}: {p['method']}: {p['object']}: {p['problem']}: {p['message']}")
        print(f"{errors} errors, {len(problems) - errors} warnings")
    if errors:
        raise typer.Exit(1)


def print_benchmark(summary: dict[str, Any], table: TableFormat) -> None:
    """The table, in the format asked for; as text with the ranks below it."""
    from simcheck.benchmarking.formats import FORMATS, ranks_as_text

    print(FORMATS[table.value](summary["methods"]), end="")
    if table is TableFormat.text:
        print(ranks_as_text(summary), end="")


def _remarks(summary: dict[str, Any], out: Path | None) -> None:
    """What went wrong, and where the rest is, on stderr: the table on stdout stays clean."""
    from simcheck.cli import output

    failures = summary["failures"]
    for failure in failures[:_SHOWN]:
        output.complain(f"ground truth not used: {failure['reason']}")
    if len(failures) > _SHOWN:
        output.complain(f"{len(failures) - _SHOWN} more ground truths could not be used: see summary.json")
    output.print_warnings(summary["warnings"][:_SHOWN], quiet=False)
    if len(summary["warnings"]) > _SHOWN:
        output.complain(f"{len(summary['warnings']) - _SHOWN} more warnings: see summary.json")
    if out is not None:
        output.complain(f"Rows, tables and report: {out}/report.html")
