"""Tables for people: units in the header, four digits, a dash where there is no value."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simcheck.cli.options import AngleUnit, LengthUnit

_PER_METRE = {LengthUnit.m: 1.0, LengthUnit.cm: 100.0, LengthUnit.mm: 1000.0}


def console(*, stderr: bool = False) -> Console:
    """A console that does not cut tables when its output is a file or a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else 180, highlight=False)


def table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1, words_last: bool = False
) -> Table:
    """A table with so many left-aligned columns, the rest to the right; the last one may hold sentences."""
    result = Table(
        title=Text(title) if title else None,
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        header_style="bold",
    )
    for k, column in enumerate(columns):
        words = words_last and k == len(columns) - 1
        side: Literal["left", "right"] = "left" if k < left or words else "right"
        result.add_column(Text(column), justify=side, no_wrap=not words, overflow="fold")
    for row in rows:
        result.add_row(*map(Text, row))  # names may hold what Rich would take for markup
    return result


def number(value: float | None, digits: int = 4) -> str:
    """Four significant digits, a dash for no value."""
    return "–" if value is None else f"{value + 0.0:.{digits}g}"


def length(value: float | None, unit: LengthUnit) -> str:
    """A length in metres, shown in the unit."""
    return number(None if value is None else value * _PER_METRE[unit])


def coordinate(value: float | str | None, kind: str, unit: LengthUnit, angle: AngleUnit) -> str:
    """A limit: rad or m as JSON gives it, infinite ends as words."""
    if value is None:
        return "–"
    x = float(value)
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    if kind == "prismatic":
        return length(x, unit)
    return number(math.degrees(x) if angle is AngleUnit.deg else x)


def vector(values: Sequence[float] | None, scale: float = 1.0) -> str:
    """Three numbers."""
    return "–" if values is None else " ".join(f"{scale * v + 0.0:.3g}" for v in values)


def per_metre(unit: LengthUnit) -> float:
    """How many of the unit make a metre."""
    return _PER_METRE[unit]


@contextlib.contextmanager
def progress_bar(what: str, quiet: bool) -> Iterator[Callable[[int, int, str], None] | None]:
    """A progress bar on stderr, where that is a terminal: a function of (done, total, name of what was finished)."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda done, total, name: bar.update(task, completed=done, total=total, description=Path(name).name)


def print_json(value: Any) -> None:
    """The JSON object, alone on stdout."""
    from simcheck.results import to_json

    print(to_json(value))


def print_warnings(warnings: Iterable[dict[str, str]], quiet: bool) -> None:
    """Warnings on stderr, one a line."""
    if quiet:
        return
    for warning in warnings:
        place = ": ".join(part for part in (warning["file"], warning["element"]) if part)
        print(": ".join(part for part in ("warning", place, warning["message"]) if part), file=sys.stderr)


def complain(line: str) -> None:
    """One line on stderr."""
    print(line, file=sys.stderr)


def print_reasons(entries: Iterable[dict[str, Any]]) -> None:
    """Why there are dashes: each reason once, with the fields it explains."""
    seen: dict[str, list[str]] = {}
    for entry in entries:
        for field, reason in entry["null_reasons"].items():
            if "." in field:
                continue  # a component score: the table does not show it
            seen.setdefault(reason, []).append(field)
    for reason, fields in seen.items():
        print(f"– {', '.join(dict.fromkeys(fields))}: {reason}", file=sys.stderr)


def finish(
    result: dict[str, Any],
    print_table: Callable[[dict[str, Any]], None],
    *,
    json: bool,
    out: Path | None,
    force: bool,
    quiet: bool,
) -> None:
    """Save a result where asked, then print it: as JSON, or as a table with its warnings."""
    if out is not None:
        from simcheck.saved import save_result

        save_result(out, result, force=force)
    if json:
        print_json(result)
        return
    print_table(result)
    print_warnings(result["warnings"], quiet)
