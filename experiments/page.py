"""The page of a run: every finding, figure and table of its experiments in one file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experiments.experiment import Drawn, Settings
from experiments.registry import experiment
from experiments.tables import load_tables
from simcheck.report.page import (
    FigureSection,
    Page,
    Section,
    Statement,
    SummarySection,
    TextSection,
    write_report,
)
from simcheck.report.provenance import provenance

WORDS = {True: "holds", False: "does not hold", None: "too little data"}


def write_page(
    folder: Path, summary: Mapping[str, Any], drawn: Mapping[str, Mapping[str, Drawn]] | None = None
) -> None:
    """Write ``report.html`` over the experiments of a summary, drawn from the tables in the folder.

    ``drawn`` holds the figures of experiments that were drawn already.
    """
    records, settings = summary["experiments"], Settings.saved(summary["settings"])
    sections: list[Section] = [
        TextSection(
            "",
            [
                *([Statement(f"{summary['objects']:,}", "objects")] if summary["objects"] else []),
                Statement(f"{summary['findings']}", "findings"),
                Statement(f"{summary['hold']}", "hold"),
                Statement(f"{summary['do_not_hold']}", "do not hold"),
            ],
        )
    ]
    for record in records:
        name = record["experiment"]
        sections += _sections(folder / name, record, settings, (drawn or {}).get(name))
    if summary["failures"]:
        failed = [[f["file"], f["reason"]] for f in summary["failures"]]
        sections.append(SummarySection("Objects that could not be used", ["object", "reason"], failed))
    names = ", ".join(record["experiment"] for record in records)
    lead = (
        f"{len(records)} experiments ({names}): of {summary['findings']} claims, {summary['hold']} hold and "
        f"{summary['do_not_hold']} do not, on these objects."
    )
    write_report(folder / "report.html", Page("The paper's experiments, again", lead, sections, provenance(summary)))


def _sections(
    folder: Path, record: Mapping[str, Any], settings: Settings, drawn: Mapping[str, Drawn] | None
) -> Iterator[Section]:
    """Findings, figures and tables of one experiment."""
    from simcheck.report.style import svg_for_page

    tables, chosen = load_tables(folder), experiment(record["experiment"])
    rows = [[f["claim"], f["source"], f["measured"], WORDS[f["holds"]], f["note"]] for f in record["findings"]]
    yield SummarySection(
        record["title"], ["claim", "source", "measured", "verdict", "why"], rows, f"Reproduces: {record['reproduces']}."
    )
    for name, figure in (drawn or chosen.figures(tables, settings)).items():
        prefix = f"{record['experiment']}-{name}"
        yield FigureSection(figure.heading, svg_for_page(figure.figure, prefix), figure.caption)
    yield from chosen.summaries(tables, settings)
