"""``simcheck report``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from simcheck.cli import options as given

# What writes the page of each command's results: a module's `write_page(folder, summary)`.
PAGES = {
    "ablate": "experiments.page",
    "benchmark": "simcheck.benchmarking.report",
    "calibrate": "simcheck.calibration.report",
    "compare": "simcheck.saved",
    "describe": "simcheck.saved",
    "drive": "simcheck.saved",
    "verify": "simcheck.verification.page",
}


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.", show_default=False)],
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Write report.html of a results folder again, from its summary and rows; nothing is computed anew."""
    from simcheck.errors import UsageError
    from simcheck.saved_runs import read_run

    run = read_run(folder)
    if run.command not in PAGES:
        raise UsageError(f"{folder}: results of {run.command} have no page")
    import_module(PAGES[run.command]).write_page(folder, run.summary)
    if not quiet:
        print(f"Page: {folder / 'report.html'}")
