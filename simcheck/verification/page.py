"""Findings as one HTML page, and as a table with one row a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.verification.catalogue import CATALOGUE, SEVERITIES

if TYPE_CHECKING:
    import polars

_COLUMNS = ("file", "line", "severity", "code", "element", "attribute", "value", "message", "remedy")


def finding_rows(result: Mapping[str, Any]) -> polars.DataFrame:
    """One row a finding; a file without any has none."""
    import polars

    types = {name: polars.Int64 if name == "line" else polars.String for name in _COLUMNS}
    return polars.DataFrame([{name: f[name] for name in _COLUMNS} for f in _findings(result)], schema=types)


def write_page(folder: Path, result: Mapping[str, Any]) -> None:
    """Write ``report.html`` of a results folder."""
    write_html(folder / "report.html", result)


def write_html(path: Path, result: Mapping[str, Any]) -> None:
    """Write the page: what was found, by code, and every finding."""
    from simcheck.report.columns import columns_of
    from simcheck.report.page import Page, Statement, SummarySection, TableSection, TextSection, write_report
    from simcheck.report.provenance import provenance

    files, found = result["files"], _findings(result)
    of = Counter(f["severity"] for f in found)
    bad = sum(not entry["ok"] for entry in files)
    statements = [
        Statement(str(len(files)), "files"),
        Statement(str(len(files) - bad), "without an error"),
        *(Statement(str(of[severity]), f"{severity}s") for severity in SEVERITIES),
    ]
    sections: list[Any] = [TextSection("Result", statements)]
    count = Counter((f["severity"], f["code"]) for f in found)
    owners = {key: len({f["file"] for f in found if (f["severity"], f["code"]) == key}) for key in count}
    if count:
        order = sorted(count, key=lambda key: (SEVERITIES.index(key[0]), -count[key], key[1]))
        rows = [[code, severity, CATALOGUE[code].title, count[severity, code], owners[severity, code]]
                for severity, code in order]  # fmt: skip
        sections.append(SummarySection("By code", ["code", "severity", "what", "findings", "files"], rows))
        table = {"n": list(range(1, len(found) + 1)), **{c: [f[c] for f in found] for c in _COLUMNS}}
        sections.append(TableSection("Findings", columns_of(table), "n"))
        codes = [code for code in CATALOGUE if any(key[1] == code for key in count)]
        texts = [f"{code}: {CATALOGUE[code].title}. {CATALOGUE[code].why} {CATALOGUE[code].remedy}" for code in codes]
        sections.append(TextSection("What the codes mean", (), texts))
    lead = f"{len(files)} files: {bad} with errors." if bad else f"{len(files)} files, none with an error."
    write_report(path, Page("What is wrong with these files", lead, sections, provenance(result)))


def _findings(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All findings, errors of all files first."""
    return [f for kind in ("errors", "warnings", "infos") for entry in result["files"] for f in entry[kind]]
