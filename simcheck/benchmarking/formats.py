"""The table as text, CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

from simcheck.benchmarking.table import BY_NAME, TableColumn, best_methods, shown_columns

_SIDE_BY_SIDE = 3
_LATEX = {
    "%": r"\%",
    "_": r"\_",
    "α": r"$\alpha$",
    "φ": r"$\phi$",
    "^": r"\^{}",
    "†": r"$\dagger$",
    "&": r"\&",
    "#": r"\#",
}


def cell_text(cell: dict[str, Any], column: TableColumn, imputed: bool) -> str:
    """A value with its interval: ``0.0123 [0.010, 0.015]``; a dash where undefined, † where limits were imputed."""
    value = cell["value"]
    if value is None or value != value:
        return "–"
    shown = f"{value:.3g}"
    if cell["lower"] is not None and cell["lower"] == cell["lower"]:
        shown += f" [{cell['lower']:.3g}, {cell['upper']:.3g}]"
    return shown + (" †" if imputed and column.needs_limits else "")


def header(column: TableColumn) -> str:
    """Title with unit, and an arrow to the better side."""
    arrow = "↓" if column.lower_is_better else "↑"
    unit = "" if column.unit == "1" else f" [{column.unit}]"
    return f"{column.title}{unit} {arrow}"


def _grid(entries: Sequence[dict[str, Any]], mark: Callable[[str], str]) -> list[list[str]]:
    best = best_methods(entries)
    columns = shown_columns(entries)
    rows = [["method", *(header(c) for c in columns)]]
    for entry in entries:
        row = [entry["name"]]
        for column in columns:
            cell = entry["columns"][column.name]
            text = cell_text(cell, column, bool(entry["imputed_joints"]))
            count = f" (n {cell['n']}" + (f", {cell['undefined']} undefined)" if cell["undefined"] else ")")
            text = text if text == "–" else text + count
            row.append(mark(text) if entry["name"] in best.get(column.name, ()) else text)
        rows.append(row)
    return rows


def as_text(entries: Sequence[dict[str, Any]]) -> str:
    """One line a measure, one column a method, three methods side by side; ``*`` marks the best."""
    titles, *methods = _grid(entries, lambda text: f"* {text}")
    blocks = []
    for first in range(0, len(methods), _SIDE_BY_SIDE):
        columns = [["", *titles[1:]], *methods[first : first + _SIDE_BY_SIDE]]
        widths = [max(map(len, column)) for column in columns]
        lines = zip(*columns, strict=True)
        blocks.append("\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines) + "\n")
    return "\n".join(blocks)


def ranks_as_text(summary: dict[str, Any]) -> str:
    """Ranks on the common objects, one line a column: ``E_B: 1 ours (1…1), 2 theirs (2…2)``."""
    lines = []
    for name, ranks in summary["ranks"].items():
        known = [r for r in ranks if r["rank"] is not None]
        if known:
            lines.append(f"  {BY_NAME[name].title}: {', '.join(map(_rank, known))}")
    if not lines:
        return ""
    heading = (
        f"Ranks on the {summary['common_objects']} objects with a valid prediction of every method (95 % interval)"
    )
    return "\n".join(["", heading, *lines]) + "\n"


def _rank(entry: dict[str, Any]) -> str:
    """A rank with its interval; one object alone has none."""
    interval = "" if entry["lower"] is None else f" ({entry['lower']:g}…{entry['upper']:g})"
    return f"{entry['rank']:g} {entry['method']}{interval}"


def as_markdown(entries: Sequence[dict[str, Any]]) -> str:
    """A GitHub table, best values in bold."""
    grid = _grid(entries, lambda text: f"**{text}**")
    lines = ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in grid]
    lines.insert(1, "|" + "---|" * len(grid[0]))
    return "\n".join(lines) + "\n"


def as_latex(entries: Sequence[dict[str, Any]]) -> str:
    """A booktabs table, best values in bold."""
    grid = _grid(entries, lambda text: f"\x01{text}\x02")
    body = [" & ".join(map(_escaped, row)) + r" \\" for row in grid]
    lines = [r"\begin{tabular}{l" + "r" * (len(grid[0]) - 1) + "}", r"\toprule", body[0], r"\midrule", *body[1:]]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _escaped(text: str) -> str:
    escaped = "".join(_LATEX.get(c, c) for c in text.replace("↓", "").replace("↑", "").strip())
    return escaped.replace("\x01", r"\textbf{").replace("\x02", "}").replace("–", "--")


def as_csv(entries: Sequence[dict[str, Any]]) -> str:
    """One line a method and column: value, interval, counts, unit."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["method", "column", "unit", "value", "lower", "upper", "n", "undefined", "imputed", "reason"])
    for entry in entries:
        for column in shown_columns(entries):
            cell = entry["columns"][column.name]
            imputed = bool(entry["imputed_joints"]) and column.needs_limits
            numbers = [
                "" if cell[k] is None or cell[k] != cell[k] else repr(cell[k]) for k in ("value", "lower", "upper")
            ]
            writer.writerow(
                [
                    entry["name"],
                    column.name,
                    column.unit,
                    *numbers,
                    cell["n"],
                    cell["undefined"],
                    int(imputed),
                    cell["reason"],
                ]
            )
    return stream.getvalue()


FORMATS: dict[str, Callable[[Sequence[dict[str, Any]]], str]] = {
    "text": as_text,
    "csv": as_csv,
    "latex": as_latex,
    "markdown": as_markdown,
}
