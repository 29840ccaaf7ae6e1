"""Saving figures: repeatable bytes, and ink that follows the page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from simcheck.report.colours import INK
from simcheck.report.style import house_style, save_figure, svg_for_page


def example() -> Figure:
    with house_style():
        figure = Figure(figsize=(3, 2), layout="constrained")
        ax = figure.subplots()
        ax.plot([0, 1, 2], [0, 1, 4], marker="o", label="a < b & c")
        ax.scatter([0, 1], [1, 2], rasterized=True)
        ax.set_xlabel("x (m)")
        ax.legend()
        ax.text(0.5, 2, "--> <!-- not a comment -->")
    return figure


def test_the_same_figure_gives_the_same_bytes(tmp_path):
    first = [path.read_bytes() for path in save_figure(example(), tmp_path / "a", "name")]
    again = [path.read_bytes() for path in save_figure(example(), tmp_path / "b", "name")]
    assert first == again
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["name.png", "name.svg"]
    assert b"matplotlib.org" not in first[0]
    assert not re.search(rb"<dc:date|Creation|tEXt", first[0] + first[1])
    assert b"x (m)" in first[0]  # text stays text


def test_saved_figures_have_a_white_ground_and_page_figures_none(tmp_path):
    svg, _ = save_figure(example(), tmp_path, "name")
    assert "fill: #ffffff" in svg.read_text()
    assert "fill: #ffffff" not in svg_for_page(example(), "a").split('id="a-legend_1"')[0]


def test_the_ink_of_a_page_figure_is_the_text_colour_of_the_page():
    text = svg_for_page(example(), "fig")
    assert INK not in text
    assert text.count("currentColor") > 5


def test_ids_are_prefixed_and_every_reference_is_found():
    text = svg_for_page(example(), "one") + svg_for_page(example(), "two")
    ids = re.findall(r'\sid="([^"]*)"', text)
    assert len(ids) == len(set(ids)) > 10
    references = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', text)
    assert references
    assert {a or b for a, b in references} <= set(ids)
    assert all(id.startswith(("one-", "two-")) for id in ids)


def test_a_page_figure_is_one_clean_element():
    text = svg_for_page(example(), "fig")
    root = ElementTree.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
    assert root.tag.endswith("svg")
    assert "viewBox" in root.attrib
    assert not set(root.attrib) & {"width", "height"}
    for unwanted in ("<metadata", "<style", "<script", "<?xml", "<!DOCTYPE"):
        assert unwanted not in text
    assert "not a comment" in text


@pytest.mark.parametrize("prefix", ["", "1a", 'a"', "a b"])
def test_a_prefix_that_is_no_id_is_refused(prefix):
    with pytest.raises(ValueError, match="prefix: expected a letter"):
        svg_for_page(example(), prefix)
