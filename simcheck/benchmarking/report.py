"""The files and the page of a benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcheck.benchmarking.formats import FORMATS, cell_text, header
from simcheck.benchmarking.table import COLUMNS, COMPARED
from simcheck.report.columns import columns_of
from simcheck.report.page import Page, Section, Statement, SummarySection, TableSection, TextSection, write_report
from simcheck.report.provenance import provenance
from simcheck.run_folder import RunFolder, parquet_bytes, write_atomically

if TYPE_CHECKING:
    import polars

_FILES = {"text": "table.txt", "csv": "table.csv", "latex": "table.tex", "markdown": "table.md"}
_UNITS = {"E_B": "m", "E_B_physical": "m", "d": "m", "d_sweep": "m", "bound_lower": "m", "bound_upper": "m",
          "axis": "rad", "origin": "m", "origin_line": "m", "tree_E_B": "m", "tree_E_B_per_joint": "m"}  # fmt: skip


def write_benchmark(
    folder: RunFolder, summary: dict[str, Any], rows: polars.DataFrame, objects: polars.DataFrame
) -> None:
    """Write joint rows, object rows, the table in every format, and the page."""
    folder.write_rows(rows)
    write_atomically(folder.path / "objects.parquet", parquet_bytes(objects))
    write_atomically(folder.path / "objects.csv", objects.write_csv())
    for name, file in _FILES.items():
        write_atomically(folder.path / file, FORMATS[name](summary["methods"]))
    write_report(folder.path / "report.html", _page(summary, rows, objects))


def _page(summary: dict[str, Any], rows: polars.DataFrame, objects: polars.DataFrame) -> Page:
    methods = summary["methods"]
    sections: list[Section] = [
        TextSection("", [Statement(f"{summary['objects']:,}", "objects"), Statement(f"{len(methods)}", "methods"),
                         Statement(f"{summary['common_objects']:,}", "objects with a valid prediction of every method"),
                         Statement(f"{len(summary['failures'])}", "true objects that could not be read")]),
        _table("Every object", methods, "columns"),
        _table("Objects with a valid prediction of every method", methods, "common"),
    ]  # fmt: skip
    if summary["ranks"]:
        sections += [_ranks(summary), _paired(summary)]
    sections.append(_categories(summary))
    problems = objects.filter(objects["status"] != "ok").select("method", "object", "status", "reason")
    if problems.height:
        sections.append(
            TableSection("Predictions that do not count", columns_of(problems), "object", file="objects.csv")
        )
    sections.append(TableSection("All joints", columns_of(rows, _UNITS), "-E_B", "One row a joint of a method."))
    sections.append(TableSection("All objects", columns_of(objects, _UNITS), "object", file="objects.csv"))
    return Page("Benchmark", _lead(summary), sections, provenance(summary))


def _lead(summary: dict[str, Any]) -> str:
    ranks = summary["ranks"].get("E_alpha_phi") or []
    if not ranks:
        return f"{len(summary['methods'])} method over {summary['objects']:,} objects."
    best = ranks[0]
    sure = "in every resample" if best["share_first"] == 1 else f"in {100 * best['share_first']:.0f} % of the resamples"
    return (
        f"{len(summary['methods'])} methods over {summary['objects']:,} objects. By E_α^φ on the common objects "
        f"{best['method']} is first, {sure}."
    )


def _table(heading: str, methods: list[dict[str, Any]], key: str) -> SummarySection:
    columns = ["", *(m["name"] for m in methods)]
    rows: list[list[Any]] = []
    for column in COLUMNS:
        cells = [m[key][column.name] for m in methods]
        texts = [
            cell_text(cell, column, bool(m["imputed_joints"])) + (f"  n {cell['n']}" if cell["n"] else "")
            + (f", {cell['undefined']} undefined" if cell["undefined"] else "")
            for m, cell in zip(methods, cells, strict=True)
        ]  # fmt: skip
        rows.append([header(column), *texts])
    note = "Mean [95 % bootstrap interval over objects], count, undefined values. † limits taken from the truth."
    return SummarySection(heading, columns, rows, note)


def _ranks(summary: dict[str, Any]) -> SummarySection:
    titles = {c.name: c.title for c in COLUMNS}
    rows = [
        [titles[name], r["method"], r["rank"], f"{r['lower']} … {r['upper']}", f"{100 * r['share_first']:.0f} %"]
        for name in COMPARED
        for r in summary["ranks"][name]
        if r["rank"] is not None and r["share_first"] is not None
    ]
    return SummarySection(
        "Ranks on the common objects", ["column", "method", "rank", "95 % interval", "first in"], rows
    )


def _paired(summary: dict[str, Any]) -> SummarySection:
    titles = {c.name: header(c) for c in COLUMNS}
    rows = [
        [
            titles[p["column"]],
            f"{p['first']} − {p['second']}",
            p["value"],
            f"[{_short(p['lower'])}, {_short(p['upper'])}]",
            p["n"],
        ]
        for p in summary["paired"]
    ]
    return SummarySection(
        "Paired differences on the common objects", ["column", "difference", "mean", "95 % interval", "objects"], rows
    )


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


def _categories(summary: dict[str, Any]) -> SummarySection:
    by_name = {c.name: c for c in COLUMNS}
    names = list(summary["by_super_category"][0]["columns"]) if summary["by_super_category"] else []
    rows = [
        [
            e["super_category"],
            e["method"],
            e["objects"],
            *(cell_text(e["columns"][n], by_name[n], False) for n in names),
        ]
        for e in sorted(summary["by_super_category"], key=lambda e: (e["super_category"], e["method"]))
    ]
    return SummarySection(
        "By super-category", ["super-category", "method", "objects", *(header(by_name[n]) for n in names)], rows
    )
