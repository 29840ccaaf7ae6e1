"""The page in a real browser: it asks for nothing, complains about nothing, and its table does what it says."""

from __future__ import annotations

import csv
import re
import time
from pathlib import Path

import numpy as np
import pytest
from example_page import PROVENANCE, calibration_page, table_data, table_section

from simcheck.report import page as page_module
from simcheck.report.columns import Column, Glyph
from simcheck.report.page import Page, TableSection, TextSection, write_report

pytestmark = pytest.mark.browser

ROWS = 20_000
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def data():
    return table_data(ROWS)


@pytest.fixture(scope="module")
def report(tmp_path_factory, data):
    """The big table alone, on disk."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(path, Page("Rows", "All of them.", [table_section(data)], PROVENANCE))
    return path


def write_table(folder: Path, *columns: Column | Glyph, sort: str) -> Path:
    path = folder / "table.html"
    write_report(path, Page("Rows", "All of them.", [TableSection("Rows", columns, sort)], PROVENANCE))
    return path


def heads(browser) -> list[str]:
    return browser.run("return [...document.querySelectorAll('.names th .name')].map(n => n.textContent)")


def cells(browser, name: str) -> list[str]:
    """What the drawn rows show in a column."""
    return browser.run(
        """const i = [...document.querySelectorAll('.names th .name')].findIndex(n => n.textContent === arguments[0]);
        return [...document.querySelectorAll('.scroller tbody tr:not(.space)')].map(row => row.cells[i].textContent)""",
        name,
    )


def click_head(browser, name: str) -> None:
    browser.run(
        "[...document.querySelectorAll('.names button')].find(b => b.textContent === arguments[0]).click()", name
    )


def filter_by(browser, name: str, text: str) -> None:
    """Type into a filter as a person does."""
    field = browser.run("return document.querySelector(`input[aria-label='Filter ${arguments[0]}']`)", name)
    browser.run("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('input'))", field)
    field.send_keys(text)


def count(browser) -> str:
    return browser.run("return document.querySelector('.count').textContent")


def saved(browser) -> list[dict[str, str]]:
    """The rows of the file that the page saves: all that pass the filters, in their order."""
    target = browser.folder / "downloads" / "shown_rows.csv"
    target.unlink(missing_ok=True)
    browser.run("document.querySelector('.save').click()")
    deadline = time.monotonic() + 20
    while not target.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    with target.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def floats(rows: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([float(row[name] or "nan") for row in rows])


def test_a_report_loads_in_silence(browser, tmp_path, screenshots):
    path = tmp_path / "report.html"
    write_report(path, calibration_page(3000))
    browser.open(path)
    assert browser.console() == []
    assert browser.requests() == []
    assert count(browser) == "3,000 of 3,000 rows"
    browser.screenshot(screenshots / "report-light.png")
    with browser.appearance(prefers_color_scheme="dark"):
        browser.screenshot(screenshots / "report-dark.png")
    browser.print_pdf(screenshots / "report.pdf")
    pdf = (screenshots / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert 5 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 20
    assert browser.console() == []


def test_the_worst_rows_are_on_top_and_only_rows_in_view_are_drawn(browser, report, data):
    browser.open(report)
    shown = cells(browser, "E_B")
    assert 30 < len(shown) < 100
    worst = np.sort(data["E_B"])[::-1][: len(shown)]
    assert [float(text) for text in shown] == pytest.approx(list(worst), rel=1e-3)
    assert browser.run("return document.querySelector('[aria-sort]').getAttribute('aria-sort')") == "descending"
    assert browser.run("return document.querySelectorAll('*').length") < 3000


def test_sorting_by_a_number_keeps_undefined_rows_last_both_ways(browser, report, data):
    browser.open(report)
    order = np.argsort(-data["E_B"], kind="stable")  # breaks ties: what was sorted by before
    for sign, state in ((-1, "descending"), (1, "ascending")):
        click_head(browser, "d")
        rows = saved(browser)
        expected = order[np.argsort(sign * data["d"][order], kind="stable")]
        np.testing.assert_array_equal(floats(rows, "d"), data["d"][expected])
        np.testing.assert_array_equal(floats(rows, "E_B"), data["E_B"][expected])
        assert np.isnan(floats(rows, "d"))[-900:].all()
        head = browser.run("return document.querySelector('[aria-sort]')")
        assert (head.text.split()[0], head.get_attribute("aria-sort")) == ("d", state)
    assert cells(browser, "d")[-1] != "–"
    browser.run("document.querySelector('.scroller').scrollTop = 1e9")
    browser.settle()
    assert cells(browser, "d")[-1] == "–"


def test_names_are_in_natural_order_and_nulls_last(browser, tmp_path):
    names = ["joint_10", None, "joint_9", "Joint_2", "joint_1", "a", None, "joint_9"]
    path = write_table(tmp_path, Column("name", names), Column("i", list(range(8))), sort="i")
    browser.open(path)
    click_head(browser, "name")
    assert cells(browser, "name") == ["a", "joint_1", "Joint_2", "joint_9", "joint_9", "joint_10", "–", "–"]
    assert cells(browser, "i") == ["5", "4", "3", "2", "7", "0", "1", "6"]
    click_head(browser, "name")
    assert cells(browser, "name") == ["joint_10", "joint_9", "joint_9", "Joint_2", "joint_1", "a", "–", "–"]


def test_rows_are_saved_bit_for_bit(browser, report, data):
    browser.open(report)
    rows = saved(browser)
    assert len(rows) == ROWS
    order = np.argsort(-data["E_B"], kind="stable")
    for name in ("d", "E_B", "E_alpha", "bound_upper", "nodes"):
        np.testing.assert_array_equal(floats(rows, name), data[name][order])
    assert [row["joint"] for row in rows] == list(data["joint"][order])
    assert "motion" not in rows[0]


@pytest.mark.parametrize(
    ("name", "text", "test"),
    [
        ("E_B", ">0.1", lambda d: d["E_B"] > 0.1),
        ("E_B", ">0.1 <=3", lambda d: (d["E_B"] > 0.1) & (d["E_B"] <= 3)),
        ("E_B", "0.1..0.5", lambda d: (d["E_B"] >= 0.1) & (d["E_B"] <= 0.5)),
        ("E_B", "1e-3...01", lambda d: (d["E_B"] >= 1e-3) & (d["E_B"] <= 0.01)),
        ("E_B", "0.5", lambda d: np.abs(d["E_B"] - 0.5) <= 0.05),
        ("nodes", "=7", lambda d: d["nodes"] == 7),
        ("nodes", "7", lambda d: d["nodes"] == 7),
        ("d", "null", lambda d: np.isnan(d["d"])),
        ("d", "!null", lambda d: ~np.isnan(d["d"])),
        ("d", "<1e9", lambda d: ~np.isnan(d["d"])),
        ("reason", "null", lambda d: np.array([r is None for r in d["reason"]])),
        ("reason", "!null", lambda d: np.array([r is not None for r in d["reason"]])),
        ("reason", '"not move"', lambda d: np.array([r is not None for r in d["reason"]])),
        ("kind", "REV", lambda d: d["kind"] == "revolute"),
        ("kind", "!rev", lambda d: d["kind"] != "revolute"),
        ("kind", "!rev !pris", lambda d: ~np.isin(d["kind"], ["revolute", "prismatic"])),
        ("joint", "=joint_1", lambda d: d["joint"] == "joint_1"),
        ("joint", "joint_1", lambda d: np.char.find(d["joint"], "joint_1") >= 0),
        ("driven_interval", "true", lambda d: d["driven_interval"]),
    ],
)
def test_a_filter_shows_the_rows_it_describes(browser, report, data, name, text, test):
    if browser.driver.current_url.split("#")[0] != report.as_uri():
        browser.open(report)
    browser.run("document.querySelector('.bar button').click()")
    filter_by(browser, name, text)
    expected = int(np.sum(test(data)))
    assert 0 < expected < ROWS
    assert count(browser) == f"{expected:,} of 20,000 rows"


def test_filters_hold_together_and_can_be_cleared(browser, report, data):
    browser.open(report)
    filter_by(browser, "kind", "revolute")
    filter_by(browser, "E_B", ">0.1")
    rows = saved(browser)
    keep = (data["kind"] == "revolute") & (data["E_B"] > 0.1)
    assert count(browser) == f"{keep.sum():,} of 20,000 rows"
    np.testing.assert_array_equal(floats(rows, "E_B"), np.sort(data["E_B"][keep])[::-1])
    browser.run("document.querySelector('.bar button').click()")
    assert count(browser) == "20,000 of 20,000 rows"
    assert browser.run("return document.querySelector('.bar button').disabled")


@pytest.mark.parametrize("text", ["abc", ">", "1,5", "3..", "5..1", ">1 x"])
def test_a_filter_that_is_not_understood_is_marked_and_hides_nothing(browser, report, text):
    if browser.driver.current_url.split("#")[0] != report.as_uri():
        browser.open(report)
    filter_by(browser, "E_B", text)
    field = browser.run("return document.querySelector(`input[aria-label='Filter E_B']`)")
    assert field.get_attribute("aria-invalid") == "true"
    assert count(browser) == "20,000 of 20,000 rows"


def test_nothing_found(browser, report):
    browser.open(report)
    filter_by(browser, "joint", "no such joint")
    assert count(browser) == "0 of 20,000 rows"
    assert cells(browser, "joint") == []


def test_the_table_works_with_the_keyboard_alone(browser, report):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.open(report)
    browser.run("document.querySelector('.save').focus()")
    for key in (Keys.TAB, Keys.TAB, Keys.ENTER):
        ActionChains(browser.driver).send_keys(key).perform()
    focused = browser.run("return document.activeElement")
    assert focused.text.startswith("object")
    head = browser.run("return document.activeElement.closest('th').getAttribute('aria-sort')")
    assert head == "ascending"
    assert browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert float(browser.run("return parseFloat(getComputedStyle(document.activeElement).outlineOffset)")) < 0


def test_the_address_keeps_the_view_for_sharing(browser, report):
    browser.open(report)
    click_head(browser, "joint")
    click_head(browser, "d")
    filter_by(browser, "kind", "helical")
    address = browser.driver.current_url
    seen = cells(browser, "joint"), cells(browser, "d"), count(browser)
    fragment = "#" + address.split("#", 1)[1]
    assert "all-pairs-rows.sort=-d%2Cjoint%2C-E_B" in fragment
    browser.open(report, fragment)
    assert (cells(browser, "joint"), cells(browser, "d"), count(browser)) == seen
    assert browser.run("return document.querySelector(`input[aria-label='Filter kind']`).value") == "helical"
    browser.run("location.hash = arguments[0]", fragment.replace("helical", "revolute"))
    browser.settle()
    assert set(cells(browser, "kind")) == {"revolute"}
    browser.open(report, "#all-pairs-rows.sort=-nonsense&all-pairs-rows.where.nonsense=1")
    assert count(browser) == "20,000 of 20,000 rows"
    assert browser.console() == []


def test_scrolling_reaches_every_row_and_moves_no_column(browser, report, data):
    browser.open(report)
    lefts = "return [...document.querySelectorAll('.names th')].map(th => th.getBoundingClientRect().left)"
    before = browser.run(lefts)
    order = np.argsort(-data["E_B"], kind="stable")
    for position in (0.0, 0.31, 0.77, 1.0):
        browser.run(
            "const s = document.querySelector('.scroller'); s.scrollTop = arguments[0] * s.scrollHeight", position
        )
        browser.settle()
        index = int(browser.run("return document.querySelector('.scroller tbody tr[aria-rowindex]').ariaRowIndex")) - 3
        shown = cells(browser, "joint")
        assert shown == list(data["joint"][order][index : index + len(shown)])
        assert browser.run(lefts) == before
        covered = browser.run("""const s = document.querySelector('.scroller').getBoundingClientRect();
            const rows = [...document.querySelectorAll('tbody tr[aria-rowindex]')].map(r => r.getBoundingClientRect());
            return rows[0].top <= s.top + 80 && rows.at(-1).bottom >= s.bottom - 20""")
        assert covered
    assert index + len(shown) == ROWS
    head = browser.run("""return document.querySelector('.scroller thead').getBoundingClientRect().top
        - document.querySelector('.scroller').getBoundingClientRect().top""")
    assert abs(head) < 3  # the head stays


def test_20000_rows_sort_and_filter_at_once(browser, report):
    """The only timed test: 500 ms is far above what was measured (35 ms) and far below what annoys."""
    browser.open(report)
    script = """const done = arguments[0], start = performance.now();
        {action};
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));"""
    number = "[...document.querySelectorAll('.names button')].find(b => b.textContent === 'E_alpha').click()"
    text = "[...document.querySelectorAll('.names button')].find(b => b.textContent === 'joint').click()"
    words = """const f = document.querySelector("input[aria-label='Filter joint']");
        f.value = 'joint_1'; f.dispatchEvent(new Event('input'))"""
    times = [browser.driver.execute_async_script(script.replace("{action}", a)) for a in (number, text, words)]
    assert max(times) < 500, times


def test_long_tables_are_cut_into_parts(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(page_module, "ROWS_IN_PART", 100)
    path = write_table(tmp_path, Column("i", np.arange(250)), sort="i")
    browser.open(path)
    assert count(browser) == "250 of 250 rows, part 1 of 3"
    previous, following = browser.run("return [...document.querySelectorAll('.pager button')]")
    assert (previous.is_enabled(), following.is_enabled()) == (False, True)
    following.click()
    following.click()
    assert count(browser) == "250 of 250 rows, part 3 of 3"
    assert cells(browser, "i")[0] == "200"
    assert (previous.is_enabled(), following.is_enabled()) == (True, False)
    browser.run("document.querySelector('.scroller').scrollTop = 1e9")
    browser.settle()
    assert cells(browser, "i")[-1] == "249"
    filter_by(browser, "i", "<10")
    assert count(browser) == "10 of 250 rows"
    assert not browser.run("return document.querySelector('.pager').checkVisibility()")


def test_hostile_names_are_shown_as_text(browser, tmp_path):
    path = tmp_path / "report.html"
    columns = [Column("joint", [HOSTILE, "a"]), Column(HOSTILE, [1.0, 2.0], note=HOSTILE)]
    sections = [TextSection(HOSTILE, paragraphs=[HOSTILE]), TableSection("Rows", columns, "joint")]
    write_report(path, Page(HOSTILE, HOSTILE, sections, PROVENANCE))
    browser.open(path)
    assert HOSTILE in cells(browser, "joint")
    assert heads(browser) == ["joint", HOSTILE]
    assert browser.driver.title == HOSTILE
    assert browser.run("return document.querySelectorAll('img').length") == 0
    click_head(browser, HOSTILE)
    assert browser.console() == []
    assert browser.requests() == []


def test_the_policy_stops_a_script_that_is_not_ours(browser, tmp_path, report):
    path = tmp_path / "tampered.html"
    text = report.read_text(encoding="utf-8")
    path.write_text(text.replace("</h1>", "</h1><img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"))
    browser.open(path)
    assert browser.run("return window.hacked ?? null") is None
    assert any("Content Security Policy" in message for message in browser.console())


def test_numbers_look_the_same_with_and_without_scripts(browser, tmp_path):
    rng = np.random.default_rng(3)
    values = rng.normal(size=30) * 10.0 ** rng.integers(-12, 12, 30)
    values[:10] = [0, -0.0, 1e-3, 9.9996e-4, 9999.96, 1000.5, -12.3456, np.nan, np.inf, -np.inf]
    columns = Column("x", values), Column("whole", np.arange(30) * 1001), Column("i", np.arange(30))
    path = write_table(tmp_path, *columns, sort="i")
    browser.open(path)
    shown = cells(browser, "x"), cells(browser, "whole")
    assert shown == ([columns[0].cell(i) for i in range(30)], [columns[1].cell(i) for i in range(30)])


def test_without_scripts_there_is_a_table_of_the_worst(browser, report):
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.driver.get(report.as_uri())
        table = browser.driver.find_element("css selector", "noscript table")
        assert table.is_displayed()
        assert len(table.find_elements("css selector", "tbody tr")) == 50
        assert not browser.driver.find_element("css selector", ".scroller").is_displayed()
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
        browser.driver.get("about:blank")


def test_data_that_cannot_be_unpacked_leave_a_message(browser, tmp_path, report):
    path = tmp_path / "broken.html"
    path.write_text(re.sub(r'(class="data">)[^<]{40}', r"\1AAAA", report.read_text(encoding="utf-8")))
    browser.open(path)
    assert count(browser).startswith("This table could not be shown (")
    assert "rows.csv beside this page" in count(browser)


def test_dark_and_light_differ_and_figures_follow(browser, tmp_path):
    path = tmp_path / "report.html"
    write_report(path, calibration_page(3000))
    browser.open(path)
    colours = """const svg = document.querySelector('figure svg');
        const text = [...svg.querySelectorAll('text')].find(t => t.textContent.includes('within 5'));
        return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
                getComputedStyle(text).fill]"""
    light = browser.run(colours)
    with browser.appearance(prefers_color_scheme="dark"):
        dark = browser.run(colours)
    with browser.appearance(prefers_color_scheme="dark", media="print"):
        paper = browser.run(colours)
    assert [brightness(c) > 128 for c in light] == [True, False, False]
    assert [brightness(c) > 128 for c in dark] == [False, True, True]
    assert [brightness(c) > 128 for c in paper] == [True, False, False]
    assert light[1] == light[2]
    assert dark[1] == dark[2]


def test_paper_has_the_first_200_rows_and_says_so(browser, report):
    browser.open(report)
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert len(cells(browser, "d")) == 200
    with browser.appearance(media="print"):
        note = browser.run("return document.querySelector('.printed')")
        assert note.is_displayed()
        assert note.text == "The first 200 of 20,000 rows, by E_B descending. Every row is in rows.csv."
        width = browser.run("return document.querySelector('.scroller table').getBoundingClientRect().width")
        assert width <= browser.run("return document.body.clientWidth") + 1
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert len(cells(browser, "d")) < 100


def test_a_motion_is_drawn_from_the_numbers_of_its_row(browser, tmp_path):
    columns = [
        Column("kind", ["revolute", "prismatic", "continuous", "revolute"]),
        Column("low", [0, -0.2, -np.inf, None]),
        Column("high", [np.pi / 2, 0.4, np.inf, None]),
        Column("i", [0, 1, 2, 3]),
    ]
    path = write_table(tmp_path, Glyph("motion", "kind", ("low", "high"), ("low", "high")), *columns, sort="i")
    browser.open(path)
    drawn = browser.run("""return [...document.querySelectorAll('td.glyph')].map(cell =>
        [...cell.querySelectorAll('path:not(.rest)')].map(p => [p.getAttribute('class'), p.getAttribute('d')]))""")
    quarter, bar, circle, nothing = drawn
    path_numbers = [float(x) for x in re.findall(r"-?[\d.]+", quarter[0][1])]
    assert path_numbers == [0, -8, 8, 8, 0, 0, 0, -8, 0]  # from the top, anticlockwise, to the left
    assert [name for name, _ in quarter] == ["truth", "prediction"]
    assert bar[0] == ["truth", "M-4.50 -2.5H9.00"]
    assert circle[0][1].startswith("M0 -8a8 8 0 1 0")
    assert nothing == []


def test_an_empty_table(browser, tmp_path):
    path = write_table(tmp_path, Column("d", []), Column("name", []), sort="-d")
    browser.open(path)
    assert count(browser) == "0 of 0 rows"
    assert browser.console() == []


def brightness(colour: str) -> float:
    red, green, blue = (float(x) for x in re.findall(r"[\d.]+", colour)[:3])
    return 0.3 * red + 0.6 * green + 0.1 * blue
