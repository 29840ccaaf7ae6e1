"""``simcheck results``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.benchmark import TableFormat, print_benchmark

_SHOWN = 60  # changed numbers on the screen; all of them are in the JSON


def results(
    folders: Annotated[list[Path], typer.Argument(metavar="A B…", help="Results folders.", show_default=False)],
    table: Annotated[
        TableFormat, typer.Option("--table", help="How the table is printed.", rich_help_panel=given.OUTPUT)
    ] = TableFormat.text,
    json: given.Json = False,
    seed: given.Seed = 0,
    config: given.Config = None,
    debug: given.Debug = False,
) -> None:
    """Saved runs beside each other: benchmarks as one table, other runs by their numbers."""
    from simcheck.cli import output
    from simcheck.saved_runs import compare_runs

    compared = compare_runs(folders, seed=seed)
    if json or table is TableFormat.json:
        output.print_json(compared)
    elif compared["of"] == "benchmark":
        print_benchmark(compared, table)
    else:
        _print_numbers(compared)


def _print_numbers(compared: dict[str, Any]) -> None:
    from simcheck.cli import output

    changed = [n for n in compared["numbers"] if len(set(n["values"])) > 1]
    paths = [run["path"] for run in compared["runs"]]
    if not changed:
        print(f"{len(compared['numbers'])} numbers, none differs between {' and '.join(paths)}")
        return
    rows = [
        [n["field"], *map(output.number, n["values"]), *map(output.number, n["differences"][1:])]
        for n in changed[:_SHOWN]
    ]
    letters = [chr(ord("A") + k % 26) * (1 + k // 26) for k in range(len(paths))]
    columns = [compared["of"], *letters, *(f"{x} − A" for x in letters[1:])]
    output.console().print(output.table(f"{len(changed)} of {len(compared['numbers'])} numbers differ", columns, rows))
    if len(changed) > _SHOWN:
        print(f"{len(changed) - _SHOWN} more: --json lists all")
    for letter, path in zip(letters, paths, strict=True):
        print(f"{letter}: {path}")
