"""``simcheck calibrate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import BodyChoice, InertiaChoice, OriginChoice

_SHOWN = 5  # warnings and skipped joints on the screen; all of them are in the results


def calibrate(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="URDF files and folders; by default our own objects and PyBullet's robots."),
    ] = None,
    suite: Annotated[
        int, typer.Option("--suite", metavar="N", min=0, help="Besides these, N generated objects, drawn by the seed.")
    ] = 0,
    steps: Annotated[int, typer.Option(help="Gauss-Lobatto nodes along each sweep.")] = 9,
    alpha: given.Alpha = 1.0,
    norm: given.Norm = None,
    origin: given.Origin = OriginChoice.world,
    body: given.Body = BodyChoice.cluster,
    inertia: given.Inertia = InertiaChoice.auto,
    density: given.Density = 1000.0,
    package: given.Package = None,
    decompose: given.Decompose = False,
    wrap: given.Wrap = False,
    json: given.Json = False,
    out: given.Out = Path("simcheck-calibrate"),
    seed: given.Seed = 0,
    workers: given.WorkersOption = 0,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Does a distance between joints track real motion? Drive known errors in PyBullet and compare."""
    from simcheck.asset import ReadOptions
    from simcheck.calibration import calibrate as calibrate_files
    from simcheck.calibration.run import SUITE
    from simcheck.cli import output
    from simcheck.defaults import default_objects

    files = list(paths or default_objects())
    if suite:
        from simcheck.suite import suite_files

        assert out is not None  # it has a default
        files += suite_files(out / SUITE, suite, seed, workers or given.usable_cores())
    with output.progress_bar("calibrating", quiet) as progress:
        calibration = calibrate_files(
            files,
            alpha=alpha,
            origin=origin.value,
            steps=steps,
            seed=seed,
            norm=norm,
            options=ReadOptions(body.value, inertia.value, density, given.packages(package), decompose, wrap),
            out=out,
            force=force,
            workers=workers or given.usable_cores(),
            progress=progress,
        )
    if json:
        output.print_json({**calibration.summary, "out": str(calibration.out)})
    else:
        _print_summary(calibration.summary, calibration.out)
        output.print_warnings(_few(calibration.summary["warnings"]), quiet)
    if not calibration.passed:
        raise typer.Exit(1)


def _few(warnings: list[dict[str, str]]) -> list[dict[str, str]]:
    """A handful of warnings; all of them are in the results."""
    if len(warnings) <= _SHOWN:
        return warnings
    rest = {"file": "", "element": "", "message": f"{len(warnings) - _SHOWN} more are in summary.json"}
    return [*warnings[:_SHOWN], rest]


def _print_summary(summary: dict[str, Any], out: Path | None) -> None:
    from simcheck.calibration.summary import describe_angle
    from simcheck.cli import output

    screen = output.console()
    screen.print(
        f"[bold]Calibration[/bold]: {summary['objects']} objects, {summary['joints']} movable joints, "
        f"{summary['pairs']:,} pairs of a true joint and one with a known error"
    )
    groups = [("all turning joints", summary["ratio_E_B"])]
    groups += [(f"largest angle {describe_angle(b['lo'], b['hi'])}", b) for b in summary["by_largest_angle"]]
    groups += [(f"error {b['error']}", b) for b in summary["by_error"]]
    groups += [(f"kind {b['kind']}", b) for b in summary["by_kind"]]
    rows = [
        [name, f"{g['n']:,}", *(output.number(g[q], 4) for q in ("p05", "p50", "p95")), _percent(g["within_5_percent"])]
        for name, g in groups
        if g["n"]
    ]
    columns = ["E_B / d", "pairs", "5 %", "median", "95 %", "within 5 %"]
    screen.print(output.table("", columns, rows))
    own = ""
    if "spread_E_norm_decades" in summary:
        own = f", {summary['settings']['norm']} over {output.number(summary['spread_E_norm_decades'], 2)}"
    screen.print(
        f"At equal d, E_α is spread over {output.number(summary['spread_E_alpha_decades'], 2)} decades, "
        f"E_B over {output.number(summary['spread_E_B_decades'], 2)}{own}."
    )
    screen.print(
        f"Proved bound violated: {summary['bound_violations']}. Simulator against closed form: placements "
        f"{output.number(summary['max_placement_error'], 2)} of the object's size, "
        f"d {output.number(summary['max_d_error'], 2)}."
    )
    if summary["driven_interval_pairs"]:
        screen.print(
            f"{summary['driven_interval_pairs']:,} pairs of unbounded joints, driven over half a turn each way, "
            "are in the rows and in the kind continuous only."
        )
    for failure in summary["failures"]:
        print(f"failed: {failure['reason']}")
    for skipped in summary["skipped"][:_SHOWN]:
        print(f"skipped: {skipped['reason']}")
    if len(summary["skipped"]) > _SHOWN:
        print(f"skipped: {len(summary['skipped']) - _SHOWN} more joints, named in summary.json")
    if out is not None:
        print(f"Results, figures and report: {out}/report.html")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
