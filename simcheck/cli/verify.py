"""``simcheck verify``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import OUTPUT, EngineChoice, InertiaChoice

if TYPE_CHECKING:
    from simcheck.verification import FileReport


def verify(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help="URDF files and folders of them.", show_default=False)
    ],
    sweep: Annotated[
        bool, typer.Option("--sweep/--no-sweep", help="Look for parts that pass through each other.")
    ] = True,
    motor: Annotated[
        bool, typer.Option("--motor/--no-motor", help="Press each joint against its limits with a motor.")
    ] = True,
    engine: Annotated[
        EngineChoice, typer.Option(help="mujoco: a second opinion beside PyBullet's (extra mujoco).")
    ] = EngineChoice.pybullet,
    timeout: Annotated[float, typer.Option(help="Seconds before the process of one file is ended.")] = 120.0,
    inertia: given.Inertia = InertiaChoice.auto,
    density: given.Density = 1000.0,
    package: given.Package = None,
    decompose: given.Decompose = False,
    json: given.Json = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write JUnit XML (- is stdout).", rich_help_panel=OUTPUT)
    ] = None,
    sarif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0 (- is stdout).", rich_help_panel=OUTPUT)
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one HTML page.", rich_help_panel=OUTPUT)
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A saved --json result: its findings are not reported again.", rich_help_panel=OUTPUT
        ),
    ] = None,
    out: given.Out = None,
    workers: given.WorkersOption = 0,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Does a file say what it means, and does PyBullet do what it says? One finding a line; exit 1 on any error."""
    from simcheck.asset import ReadOptions
    from simcheck.cli import output
    from simcheck.errors import UsageError
    from simcheck.verification.run import verify as verify_files

    to_stdout = [json, *(str(target) == "-" for target in (junit, sarif))]
    if sum(to_stdout) > 1:
        raise UsageError("--json, --junit -, --sarif -: only one of them can have stdout")
    lines = not any(to_stdout)
    with output.progress_bar("verifying", quiet or lines) as progress:
        result = verify_files(
            paths,
            motor=motor,
            sweep=sweep,
            engine=engine.value,
            baseline=baseline,
            workers=workers or given.usable_cores(),
            timeout=timeout,
            options=ReadOptions("cluster", inertia.value, density, given.packages(package), decompose),
            out=out,
            force=force,
            watch=partial(_print_findings, errors_only=quiet) if lines else None,
            progress=progress,
        )
    if json:
        output.print_json(result)
    _write(result, junit, sarif, html)
    if lines:
        print(_summary(result))
    if any(not entry["ok"] for entry in result["files"]):
        raise typer.Exit(1)


def _print_findings(report: FileReport, *, errors_only: bool) -> None:
    """Print the findings of a file as soon as they are known."""
    for finding in report.errors if errors_only else report.findings:
        print(finding)
    sys.stdout.flush()


def _write(result: dict[str, Any], junit: Path | None, sarif: Path | None, html: Path | None) -> None:
    from simcheck.run_folder import write_atomically

    if junit is not None:
        from simcheck.verification.junit import junit_text

        print(junit_text(result), end="") if str(junit) == "-" else write_atomically(junit, junit_text(result))
    if sarif is not None:
        from simcheck.verification.sarif import sarif_text

        print(sarif_text(result)) if str(sarif) == "-" else write_atomically(sarif, sarif_text(result) + "\n")
    if html is not None:
        from simcheck.verification.page import write_html

        html.parent.mkdir(parents=True, exist_ok=True)
        write_html(html, result)


def _summary(result: dict[str, Any]) -> str:
    files = result["files"]
    bad = sum(not entry["ok"] for entry in files)
    counts = [_counted(sum(len(entry[f"{kind}s"]) for entry in files), kind) for kind in ("error", "warning", "info")]
    known = sum(entry["known"] for entry in files)
    if known:
        counts.append(f"{known} known from the baseline")
    return f"{_counted(len(files), 'file')}, {bad} with errors: {', '.join(counts)}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
