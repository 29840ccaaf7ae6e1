"""The files and the page of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.benchmarking.figure import shares, shares_figure
from simcheck.benchmarking.formats import FORMATS, cell_text, header
from simcheck.benchmarking.objects import find_objects
from simcheck.benchmarking.table import BY_NAME, COMPARED, shown_columns
from simcheck.comparison.frames import Placement, placement_for, read_placements
from simcheck.comparison.pictures import NOTHING, WORST, Case, compared_with, worst_section
from simcheck.report.columns import NULL, columns_of, format_number
from simcheck.report.page import (
    FigureSection,
    Page,
    Section,
    Statement,
    SummarySection,
    TableSection,
    TextSection,
    write_report,
)
from simcheck.report.provenance import provenance
from simcheck.report.style import save_figure, svg_for_page
from simcheck.results import unchanged
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
    write_page(folder.path, summary)


def write_page(folder: Path, summary: Mapping[str, Any]) -> None:
    """Write ``figures/shares`` and ``report.html`` from the summary and the tables that are in the folder."""
    import polars

    rows, objects = (polars.read_parquet(folder / f"{name}.parquet") for name in ("rows", "objects"))
    figure = shares_figure(rows, objects, [method["name"] for method in summary["methods"]])
    save_figure(figure, folder / "figures", "shares")
    write_report(folder / "report.html", _page(summary, rows, objects, svg_for_page(figure, "shares")))


def notebook_sections(summary: Mapping[str, Any], rows: polars.DataFrame, objects: polars.DataFrame) -> list[Section]:
    """The headline, the figure and the table of all objects."""
    methods = summary["methods"]
    figure = shares_figure(rows, objects, [method["name"] for method in methods])
    return [
        TextSection("", (), [_lead(summary)]),
        _table("Every object", methods, "columns"),
        FigureSection("How many joints are how good", svg_for_page(figure, "shares"), _caption(rows, objects, methods)),
    ]


def _page(summary: Mapping[str, Any], rows: polars.DataFrame, objects: polars.DataFrame, svg: str) -> Page:
    methods = summary["methods"]
    sections: list[Section] = [
        TextSection("", [Statement(f"{summary['objects']:,}", "objects"), Statement(f"{len(methods)}", "methods"),
                         Statement(f"{summary['common_objects']:,}", "objects with a valid prediction of every method"),
                         Statement(f"{len(summary['failures'])}", "true objects that could not be read")]),
        FigureSection("How many joints are how good", svg, _caption(rows, objects, methods)),
        _table("Every object", methods, "columns"),
        _table("Objects with a valid prediction of every method", methods, "common"),
    ]  # fmt: skip
    if summary["ranks"]:
        sections += [_ranks(summary), _paired(summary)]
    sections += worst_section("The worst joints of each method", _cases(summary, rows), summary["settings"]["inputs"])
    sections.append(_categories(summary))
    problems = objects.filter(objects["status"] != "ok").select("method", "object", "status", "reason")
    if problems.height:
        sections.append(
            TableSection("Predictions that do not count", columns_of(problems), "object", file="objects.csv")
        )
    sections.append(TableSection("All joints", columns_of(rows, _UNITS), "-E_B", "One row a joint of a method."))
    sections.append(TableSection("All objects", columns_of(objects, _UNITS), "object", file="objects.csv"))
    return Page("Benchmark", _lead(summary), sections, provenance(summary))


def _caption(rows: polars.DataFrame, objects: polars.DataFrame, methods: list[dict[str, Any]]) -> str:
    """What the figure shows, and where each method ends: the share of joints that have a number at all."""
    ends = []
    for method in methods:
        values, total = shares(rows, objects, method["name"], "E_B")
        ends.append(f"{method['name']} {len(values):,} of {total:,}")
    return (
        "Share of all true movable joints whose prediction has at most this error. A joint that was missed, welded, "
        "or of an object without a valid prediction never counts, nor does one whose E_B is undefined; so no curve "
        f"need reach 1. Joints with an E_B: {', '.join(ends)}."
    )


def _cases(summary: Mapping[str, Any], rows: polars.DataFrame) -> Iterator[Case]:
    """The matched joints with the largest E_B, equally many of each method, with the files they come from."""
    import polars

    settings, methods = summary["settings"], summary["methods"]
    options, read = compared_with(settings)
    placements = _placements(settings)
    truths = _files(settings["ground_truth"], suffixes=(".urdf",))
    for method in methods:
        predictions = _files(settings["predictions"][method["name"]])
        wrong = (polars.col("status") == "matched") & (polars.col("E_B") > NOTHING)
        own = rows.filter(wrong & (polars.col("method") == method["name"]))
        worst = own.sort("E_B", descending=True, maintain_order=True)
        for row in worst.head(max(WORST // len(methods), 2)).iter_rows(named=True):
            name = row["object"]
            yield Case(
                str(truths.get(name, "")),
                str(predictions.get(name, "")),
                row["ground_truth"],
                options.placed_by(placement_for(placements, method["name"], name)),
                read,
                f"{method['name']}: {name} / {row['ground_truth']}",
                f"E_B {format_number(row['E_B'])} m, d {format_number(row['d'])} m",
            )


def _files(folder: str, **only: Any) -> dict[str, Path]:
    """The objects of a folder; none when it is gone."""
    return find_objects(Path(folder), **only)[0] if Path(folder).is_dir() else {}


def _placements(settings: Mapping[str, Any]) -> dict[str, Placement]:
    """Where each prediction is put, if a JSON file says so and is still the one that was read."""
    file = settings["align"]
    given = isinstance(file, str) and file.endswith(".json") and unchanged(file, settings["inputs"])
    return read_placements(Path(file)) if given else {}


def _lead(summary: Mapping[str, Any]) -> str:
    ranks = summary["ranks"].get("E_alpha_phi") or []
    if not ranks:
        return f"{len(summary['methods'])} method over {summary['objects']:,} objects."
    best = ranks[0]
    lead = (
        f"{len(summary['methods'])} methods over {summary['objects']:,} objects. By E_α^φ on the common objects "
        f"{best['method']} is first"
    )
    if best["share_first"] is None:
        return f"{lead}; too few objects to say how surely."
    sure = "in every resample" if best["share_first"] == 1 else f"in {100 * best['share_first']:.0f} % of the resamples"
    return f"{lead}, {sure}."


def _table(heading: str, methods: list[dict[str, Any]], key: str) -> SummarySection:
    columns = ["", *(m["name"] for m in methods)]
    rows: list[list[Any]] = []
    for column in shown_columns(methods):
        cells = [m[key][column.name] for m in methods]
        texts = [
            cell_text(cell, column, bool(m["imputed_joints"])) + (f"  n {cell['n']}" if cell["n"] else "")
            + (f", {cell['undefined']} undefined" if cell["undefined"] else "")
            for m, cell in zip(methods, cells, strict=True)
        ]  # fmt: skip
        rows.append([header(column), *texts])
    note = "Mean [95 % bootstrap interval over objects], count, undefined values. † limits taken from the truth."
    return SummarySection(heading, columns, rows, note)


def _ranks(summary: Mapping[str, Any]) -> SummarySection:
    rows = [
        [BY_NAME[name].title, r["method"], f"{r['rank']:g}", *_how_surely(r)]
        for name in COMPARED
        for r in summary["ranks"][name]
        if r["rank"] is not None
    ]
    return SummarySection(
        "Ranks on the common objects", ["column", "method", "rank", "95 % interval", "first in"], rows
    )


def _how_surely(rank: Mapping[str, Any]) -> list[str]:
    """Interval and share of first places; a single object gives none."""
    if rank["share_first"] is None:
        return [NULL, NULL]
    return [f"{rank['lower']:g} … {rank['upper']:g}", f"{100 * rank['share_first']:.0f} %"]


def _paired(summary: Mapping[str, Any]) -> SummarySection:
    rows = [
        [
            header(BY_NAME[p["column"]]),
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


def _categories(summary: Mapping[str, Any]) -> SummarySection:
    names = list(summary["by_super_category"][0]["columns"]) if summary["by_super_category"] else []
    rows = [
        [
            e["super_category"],
            e["method"],
            e["objects"],
            *(cell_text(e["columns"][n], BY_NAME[n], False) for n in names),
        ]
        for e in sorted(summary["by_super_category"], key=lambda e: (e["super_category"], e["method"]))
    ]
    return SummarySection(
        "By super-category", ["super-category", "method", "objects", *(header(BY_NAME[n]) for n in names)], rows
    )
