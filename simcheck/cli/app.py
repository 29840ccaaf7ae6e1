"""The commands of ``simcheck``."""

from __future__ import annotations

from typing import Annotated

import typer

from simcheck.cli.ablate import ablate
from simcheck.cli.benchmark import benchmark
from simcheck.cli.calibrate import calibrate
from simcheck.cli.compare import compare
from simcheck.cli.convert import convert
from simcheck.cli.describe import describe
from simcheck.cli.drive import drive
from simcheck.cli.errors import reported
from simcheck.cli.explain import explain
from simcheck.cli.help import help
from simcheck.cli.report import report
from simcheck.cli.results import results
from simcheck.cli.suite import suite
from simcheck.cli.verify import verify
from simcheck.cli.view import view

app = typer.Typer(
    name="simcheck",
    help="How far is one articulated motion from another, proved against a physics simulator.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from simcheck.version import VERSION

        print(f"simcheck {VERSION}")
        raise typer.Exit


@app.callback()
def simcheck(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version and stop.")
    ] = False,
) -> None:
    """How far is one articulated motion from another, proved against a physics simulator."""


for command in (
    ablate, benchmark, calibrate, compare, convert, describe, drive, explain, help, report, results, verify, view,
):  # fmt: skip
    app.command()(reported(command))
app.add_typer(suite, name="suite")
