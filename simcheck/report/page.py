"""The report: one self-contained HTML page of text, figures, pictures and tables. Plain data in, a file out.

The page asks the network for nothing and could not: its content security policy forbids it, and names by hash the one
script that may run. All texts are escaped; a joint may be called what it likes.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from simcheck.report.columns import Column, Glyph, format_number, pack, worst_rows
from simcheck.report.template import render, script_json, static

ROWS_IN_PART = 500_000  # of the big table: a browser limits the height of an element to some 17 million pixels
STATIC_ROWS = 50  # shown without scripts


@dataclass(frozen=True)
class Statement:
    """One number and what it says: ``Statement("65.2 %", "of pairs within 5 % of d")``."""

    value: str
    text: str


@dataclass(frozen=True)
class TextSection:
    """A row of statements, then paragraphs of plain text."""

    heading: str
    statements: Sequence[Statement] = ()
    paragraphs: Sequence[str] = ()


@dataclass(frozen=True)
class FigureSection:
    """A figure, as `simcheck.report.style.svg_for_page` writes it, and a caption that states the finding."""

    heading: str
    svg: str
    caption: str


@dataclass(frozen=True)
class SummarySection:
    """A table of a few rows; a cell is a text, a number or None."""

    heading: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]
    caption: str = ""

    @property
    def cells(self) -> list[list[str]]:
        """The cells as they are shown."""
        return [[_summary_cell(cell) for cell in row] for row in self.rows]

    @property
    def numeric(self) -> list[bool]:
        """Which columns are set to the right: those whose cells all begin as a number, or are undefined."""
        number = re.compile(r"[-+−]?[\d.∞]|–")
        cells = self.cells
        return [all(number.match(row[i]) for row in cells) for i in range(len(self.columns))]


@dataclass(frozen=True)
class Picture:
    """A small picture as PNG bytes, what it shows, and its numbers."""

    png: bytes
    title: str
    caption: str
    alt: str = ""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, from the file's header."""
        if self.png[:8] != b"\x89PNG\r\n\x1a\n":
            raise ValueError(f"png: expected the bytes of a PNG file, got {self.png[:8]!r}...")
        width, height = struct.unpack(">II", self.png[16:24])
        return width, height

    @property
    def source(self) -> str:
        """The picture as a data address."""
        return "data:image/png;base64," + base64.b64encode(self.png).decode("ascii")


@dataclass(frozen=True)
class PictureSection:
    """A grid of small pictures."""

    heading: str
    pictures: Sequence[Picture]
    text: str = ""


@dataclass(frozen=True)
class TableSection:
    """The big table: sorted, filtered and saved in the page, up to millions of rows.

    Parameters
    ----------
    heading : str
    columns : sequence of Column or Glyph
        Columns of one length; a `Glyph` is drawn from other columns.
    sort : str
        Name of the column that orders the rows at first, with a minus for the largest first: the worst on top.
    text : str
        A paragraph above the table.
    file : str
        The file beside the page that holds every row.
    """

    heading: str
    columns: Sequence[Column | Glyph]
    sort: str
    text: str = ""
    file: str = "rows.csv"


Section: TypeAlias = TextSection | FigureSection | SummarySection | PictureSection | TableSection


@dataclass(frozen=True)
class Provenance:
    """Where the numbers come from; given as data, so that the same input gives the same page.

    Parameters
    ----------
    version, command, platform : str
    seed : int or None
    settings : mapping
        Whatever changes a number.
    inputs : mapping of str to str
        SHA-256 of every input file, by name.
    """

    version: str
    command: str
    seed: int | None
    platform: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """A report: title, one or two sentences that say what was found, sections, provenance."""

    title: str
    lead: str
    sections: Sequence[Section]
    provenance: Provenance


def write_report(path: Path, page: Page) -> None:
    """Write the page as one HTML file."""
    path.write_text(render_report(page), encoding="utf-8", errors="backslashreplace", newline="\n")


def render_report(page: Page) -> str:
    """The page as HTML: the same page, the same text."""
    ids = _section_ids([section.heading for section in page.sections])
    sections = [(id, _kind(section), section) for id, section in zip(ids, page.sections, strict=True)]
    tables = {id: _table(section) for id, _, section in sections if isinstance(section, TableSection)}
    return render(
        "page.html.j2",
        [static("unpack.js") + static("table.js")] if tables else [],
        page=page,
        sections=sections,
        headings=[(id, section.heading) for id, _, section in sections if section.heading],
        tables=tables,
        css=static("theme.css") + static("page.css"),
        provenance_json=script_json(asdict(page.provenance)),
    )


def render_fragment(sections: Sequence[Section]) -> str:
    """Sections other than a `TableSection` as a piece of HTML, for a notebook: no script, nothing from the network."""
    ids = _section_ids([f"simcheck {section.heading}" for section in sections])
    numbered = [(id, _kind(section), section) for id, section in zip(ids, sections, strict=True)]
    return render("fragment.html.j2", [], sections=numbered, css=static("fragment.css"))


def _kind(section: Section) -> str:
    return type(section).__name__.removesuffix("Section").lower()


def _section_ids(headings: Sequence[str]) -> list[str]:
    """An id for each section, made of its heading; a number keeps them apart."""
    ids: list[str] = []
    for heading in headings:
        stem = re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") or "part"
        same = sum(re.fullmatch(rf"{stem}(-\d+)?", id) is not None for id in ids)
        ids.append(stem if same == 0 else f"{stem}-{same + 1}")
    return ids


def _summary_cell(cell: str | float | None) -> str:
    if isinstance(cell, str):
        return cell
    return f"{cell:,}" if isinstance(cell, int) else format_number(cell)


def _table(section: TableSection) -> dict[str, Any]:
    """What the template needs of a big table: packed columns, and the rows shown without scripts."""
    columns = [column for column in section.columns if isinstance(column, Column)]
    count = len(columns[0]) if columns else 0
    descriptions, data = pack(section.columns)
    meta = {"rows": count, "page": ROWS_IN_PART, "sort": section.sort, "file": section.file, "columns": descriptions}
    return {
        "count": f"{count:,}",
        "characters": sum(description["width"] for description in descriptions),
        "meta": script_json(meta),
        "data": data,
        "names": [f"{column.name} ({column.unit})" if column.unit else column.name for column in columns],
        "numeric": [column.numbers is not None for column in columns],
        "static": [[column.cell(row) for column in columns] for row in worst_rows(columns, section.sort, STATIC_ROWS)],
    }
