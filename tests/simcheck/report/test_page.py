"""The page as a file: complete, escaped, the same every time, without any address but its own."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from example_page import PROVENANCE, calibration_page, table_data, table_section
from lxml import html

from simcheck.report.columns import Column
from simcheck.report.page import (
    FigureSection,
    Page,
    Picture,
    PictureSection,
    Statement,
    SummarySection,
    TableSection,
    TextSection,
    render_report,
    write_report,
)

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def text():
    return render_report(calibration_page(300))


@pytest.fixture(scope="module")
def document(text):
    return html.document_fromstring(text)


def only_table(*columns: Column, sort: str) -> Page:
    return Page("Rows", "All of them.", [TableSection("Rows", columns, sort)], PROVENANCE)


def test_the_sections_stand_in_their_order(document):
    assert [h.text for h in document.iter("h1", "h2")] == [
        "Calibration", "What was found", "E against d", "By largest angle", "Worst cases", "All pairs",
        "Where this comes from",
    ]  # fmt: skip
    assert [a.get("href") for a in document.find(".//nav")] == [
        "#what-was-found", "#e-against-d", "#by-largest-angle", "#worst-cases", "#all-pairs",
    ]  # fmt: skip
    assert len(document.findall(".//figure")) == 2 + 8
    assert len(document.xpath("//*[local-name()='svg']")) == 2


def test_ids_are_unique(document):
    ids = document.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_the_page_names_no_address(text):
    addresses = set(re.findall(r"https?://[^\s\"'<>)]*", text))
    assert addresses <= {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}  # names, not addresses
    assert not re.search(r"<(?:link(?! rel=\"icon\")|iframe|object|embed|form|base)\b", text)


def test_only_its_own_script_may_run(document):
    (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (script,) = document.xpath("//script[not(@type)]")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest}';" in policy
    assert "unsafe-inline" not in re.sub(r"style-src 'unsafe-inline'", "", policy)


def test_without_a_table_there_is_no_script():
    page = Page("Title", "Lead.", [TextSection("Heading", paragraphs=["Text."])], PROVENANCE)
    document = html.document_fromstring(render_report(page))
    assert not document.xpath("//script[not(@type)]")
    assert document.find(".//nav") is None


def test_the_same_page_gives_the_same_bytes(text, tmp_path):
    page = calibration_page.__wrapped__(300)  # made anew
    write_report(tmp_path / "report.html", page)
    assert (tmp_path / "report.html").read_bytes() == text.encode()


def test_without_scripts_the_worst_rows_are_there(document):
    rows = document.xpath("//noscript//tbody/tr")
    data = table_data(300)
    assert len(rows) == 50
    heads = [th.text_content() for th in document.xpath("//noscript//th")]
    worst = np.argsort(-data["E_B"], kind="stable")[:50]
    column = heads.index("E_B (m)")
    assert [float(row[column].text) for row in rows] == pytest.approx(data["E_B"][worst], rel=1e-3)
    assert [row[heads.index("joint")].text for row in rows] == list(data["joint"][worst])
    assert "first 50 of 300 rows, by E_B" in document.find(".//noscript/p").text


def test_hostile_names_are_text_everywhere():
    data = Column("name", [HOSTILE, HOSTILE]), Column(HOSTILE, [1.0, 2.0], HOSTILE, HOSTILE)
    picture = Picture(png(), HOSTILE, HOSTILE, '"><script>alert(1)</script>')
    sections = [
        TextSection(HOSTILE, [Statement(HOSTILE, HOSTILE)], [HOSTILE]),
        FigureSection(HOSTILE, "<svg></svg>", HOSTILE),
        SummarySection(HOSTILE, [HOSTILE], [[HOSTILE]], HOSTILE),
        PictureSection(HOSTILE, [picture], HOSTILE),
        TableSection(HOSTILE, data, HOSTILE, HOSTILE, HOSTILE),
    ]
    provenance = replace(PROVENANCE, command=HOSTILE, settings={HOSTILE: HOSTILE}, inputs={HOSTILE: HOSTILE})
    document = html.document_fromstring(render_report(Page(HOSTILE, HOSTILE, sections, provenance)))
    assert len(document.findall(".//img")) == 1  # the picture
    assert len(document.findall(".//script")) == 4  # description, data, provenance, ours
    assert not document.xpath("//@onerror")
    assert [h.text for h in document.iter("h1", "h2")][:2] == [HOSTILE, HOSTILE]
    (meta,) = document.xpath("//script[@class='meta']")
    described = json.loads(meta.text)
    assert described["columns"][0]["words"] == [HOSTILE]
    assert described["columns"][1]["name"] == HOSTILE


def test_names_that_are_no_unicode_do_not_stop_the_report(tmp_path):
    name = b"caf\xe9.urdf".decode("utf-8", "surrogateescape")
    page = replace(only_table(Column("file", [name]), sort="file"), title=name)
    write_report(tmp_path / "report.html", page)
    assert "caf\\udce9.urdf" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_undefined_values_are_a_dash():
    page = only_table(Column("d", [None, 0.5, float("nan")]), Column("why", ["x", None, None]), sort="-d")
    rows = html.document_fromstring(render_report(page)).xpath("//noscript//tbody/tr")
    assert [[cell.text for cell in row] for row in rows] == [["0.5000", "–"], ["–", "x"], ["–", "–"]]


@pytest.mark.parametrize("rows", [0, 1])
def test_tables_of_no_and_of_one_row(rows):
    page = only_table(Column("d", [0.5] * rows), Column("name", ["a"] * rows), sort="-d")
    document = html.document_fromstring(render_report(page))
    assert len(document.xpath("//noscript//tbody/tr")) == rows


def test_summaries_show_numbers_to_the_right(document):
    (table,) = document.xpath("//section[@id='by-largest-angle']//table")
    rows = [[cell.text for cell in row] for row in table.xpath("tbody/tr")]
    assert rows == [["0–15°", "13,002", "1.000", "98 %"], ["above 360°", "0", "–", "–"]]
    assert [th.get("class") for th in table.xpath("thead//th")] == [None, "number", "number", "number"]
    assert table.find("caption").text == "Ratio E_B/d."


def test_provenance_is_shown_and_can_be_read_back(document):
    shown = document.find(".//footer").text_content()
    for value in (
        "simcheck 0.1.0",
        "simcheck calibrate --seed 0",
        "Linux x86_64",
        "kinetic",
        "22 input files",
        "0" * 62 + "15",
    ):
        assert value in shown
    (script,) = document.xpath("//script[@id='provenance']")
    read = json.loads(script.text)
    assert read["seed"] == 0
    assert read["inputs"] == PROVENANCE.inputs


def test_a_section_without_heading_belongs_to_the_one_before(document):
    (section,) = document.xpath("//section[@class='continued']")
    assert section.find("h2") is None


def test_headings_that_are_alike_get_different_ids():
    sections = [TextSection(name) for name in ("By error", "by error!", "–", "By error 2")]
    document = html.document_fromstring(render_report(Page("T", "L", sections, PROVENANCE)))
    assert document.xpath("//section/@id") == ["by-error", "by-error-2", "part", "by-error-2-2"]


def test_a_picture_must_be_a_png():
    with pytest.raises(ValueError, match="png: expected the bytes of a PNG file"):
        _ = Picture(b"GIF89a....", "t", "c").size


def test_pictures_state_their_size(document):
    image = document.find(".//img")
    assert (image.get("width"), image.get("height")) == ("160", "120")
    assert image.get("alt") == "An open door and its ghost"


def test_the_widths_of_columns_are_fixed(document):
    (meta,) = document.xpath("//script[@class='meta']")
    widths = {c["name"]: c["width"] for c in json.loads(meta.text)["columns"]}
    assert all(width > len(name) for name, width in widths.items())
    assert widths["object"] >= len("object_29") + 2
    assert table_section(table_data(300)).sort == "-E_B"


def png() -> bytes:
    from simcheck.report.images import png_bytes

    return png_bytes(np.zeros((2, 3, 4), dtype=np.uint8))
