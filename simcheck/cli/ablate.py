"""``simcheck ablate``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import BodyChoice, InertiaChoice, OriginChoice

_SHOWN = 5  # failures on the screen; all of them are in the results


def ablate(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME|all",
            help="inner-product, bound, components, failure-cases, alpha, kappa, sampling, tree, benchmark; or all.",
            show_default=False,
        ),
    ],
    objects: Annotated[
        list[Path] | None,
        typer.Option("--objects", metavar="PATH", help="URDF file or folder (repeatable), instead of a suite."),
    ] = None,
    suite: Annotated[int, typer.Option("--suite", metavar="N", min=1, help="Objects of the generated suite.")] = 200,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Use a sample of N objects.")] = None,
    gt: Annotated[
        Path | None, typer.Option("--gt", metavar="DIR", help="benchmark: true objects of real predictions.")
    ] = None,
    pred: Annotated[
        list[str] | None,
        typer.Option("--pred", metavar="NAME=DIR", help="benchmark: real predictions (repeatable)."),
    ] = None,
    figures_only: Annotated[
        bool, typer.Option("--figures-only", help="Draw and conclude again from the saved data; measure nothing.")
    ] = False,
    norm: given.Norm = None,
    alpha: given.Alpha = 1.0,
    kappa: given.Kappa = math.pi,
    origin: given.Origin = OriginChoice.world,
    body: given.Body = BodyChoice.cluster,
    inertia: given.Inertia = InertiaChoice.auto,
    density: given.Density = 1000.0,
    package: given.Package = None,
    decompose: given.Decompose = False,
    wrap: given.Wrap = False,
    json: given.Json = False,
    out: given.Out = Path("simcheck-ablate"),
    seed: given.Seed = 0,
    workers: given.WorkersOption = 0,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Run the experiments of the paper again, on a generated suite or your objects: what holds, and what does not."""
    from experiments.experiment import Settings
    from experiments.run import ablate as run_experiments
    from experiments.run import redraw
    from simcheck.asset import ReadOptions
    from simcheck.benchmarking.objects import named_folders
    from simcheck.cli import output

    assert out is not None  # it has a default
    if figures_only:
        summary = redraw(names, out)
    else:
        read = ReadOptions(body.value, inertia.value, density, given.packages(package), decompose, wrap)
        with output.progress_bar("ablating", quiet) as bar:
            summary = run_experiments(
                names,
                out,
                settings=Settings(seed, alpha, kappa, origin.value, norm, read),
                objects=objects or None,
                suite=suite,
                limit=limit,
                ground_truth=gt,
                predictions=named_folders(pred) if pred else None,
                force=force,
                workers=workers or given.usable_cores(),
                progress=None if bar is None else lambda name, done, total, what: bar(done, total, f"{name}: {what}"),
            )
    if json:
        output.print_json({**summary, "out": str(out)})
    else:
        _print_findings(summary, out)
    if summary["failures"]:
        raise typer.Exit(1)


def _print_findings(summary: dict[str, Any], out: Path) -> None:
    from experiments.page import WORDS
    from simcheck.cli import output

    screen = output.console()
    for record in summary["experiments"]:
        screen.print(f"[bold]{record['title']}[/bold] ({record['reproduces']})")
        for finding in record["findings"]:
            print(f"  {WORDS[finding['holds']]}: {finding['claim']} [{finding['source']}]")
            print(f"      {finding['measured']}")
    print(f"{summary['findings']} findings: {summary['hold']} hold, {summary['do_not_hold']} do not.")
    for failure in summary["failures"][:_SHOWN]:
        output.complain(f"failed: {failure['file']}: {failure['reason']}")
    if len(summary["failures"]) > _SHOWN:
        output.complain(f"failed: {len(summary['failures']) - _SHOWN} more objects: see summary.json")
    print(f"Data, figures and report: {out}/report.html")
