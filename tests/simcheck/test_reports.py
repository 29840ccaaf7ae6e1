"""`simcheck report`, results in notebooks and data frames, completion, and what the distribution carries."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars
import pytest
from urdf_and_command import joint, robot, run

import simcheck
from experiments.run import ablate
from simcheck.benchmarking.figure import shares, shares_figure
from simcheck.benchmarking.score import JOINT_TYPES, OBJECT_TYPES
from simcheck.cli.report import PAGES, report
from simcheck.saved import save_result
from simcheck.saved_runs import read_run

ROOT = Path(__file__).resolve().parents[2]
BOX = '<visual><geometry><box size="0.4 0.3 0.02"/></geometry></visual>'


def door(tilt: float = 0.0, name: str = "door") -> str:
    """A door and a drawer with something to see."""
    links = "".join(f'<link name="{n}">{BOX}</link>' for n in "abc")
    return robot(
        joint(name, "revolute", "a", "b", axis=f"0 {tilt} 1", xyz="0 0.2 0"),
        joint("drawer", "prismatic", "a", "c", axis="1 0 0", limit='lower="0" upper="0.3"'),
        links=links,
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Path:
    """A results folder of every command that has a page."""
    root = tmp_path_factory.mktemp("runs")
    for folder, text in (("gt", door()), ("good", door(0.01)), ("poor", door(0.4))):
        (root / folder).mkdir()
        (root / folder / "cupboard.urdf").write_text(text)
    truth, guess = root / "gt/cupboard.urdf", root / "poor/cupboard.urdf"
    results = {
        "compare": simcheck.compare(truth, guess, simulate=False),
        "describe": simcheck.describe(truth),
        "drive": simcheck.drive(truth),
    }
    for name, result in results.items():
        save_result(root / f"out-{name}", result, force=False)
    simcheck.calibrate([truth], out=root / "out-calibrate")
    simcheck.verify([truth], out=root / "out-verify")
    ablate(["failure-cases"], root / "out-ablate")
    simcheck.benchmark(root / "gt", {m: root / m for m in ("good", "poor")}, out=root / "out-benchmark")
    return root


def written_again(folder: Path) -> bytes:
    """The page that is written where there was none."""
    (folder / "report.html").unlink()
    report(folder, quiet=True)
    return (folder / "report.html").read_bytes()


def test_report_writes_the_same_pages_again(runs, tmp_path):
    for name in PAGES:
        shutil.copytree(runs / f"out-{name}", tmp_path / name)
        page = (tmp_path / name / "report.html").read_bytes()
        assert written_again(tmp_path / name) == page
    done = run("report", tmp_path / "drive")
    assert (done.code, done.out) == (0, f"Page: {tmp_path / 'drive' / 'report.html'}\n")


def test_pages_show_the_worst_motions(runs):
    """The drawer is right: no picture of it where joints are compared; calibration makes errors of its own."""
    pages = {name: (runs / f"out-{name}" / "report.html").read_text() for name in PAGES}
    pictures = {name: page.count('src="data:image/png;base64,') for name, page in pages.items()}
    assert pictures == dict.fromkeys(PAGES, 0) | {"compare": 1, "calibrate": 2, "benchmark": 2}
    assert [name for name, page in pages.items() if "<figure role" in page] == ["ablate", "benchmark", "calibrate"]


def test_inputs_that_changed_are_not_drawn_and_the_page_says_so(runs, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(runs / "out-benchmark", copy)
    guess = runs / "poor" / "cupboard.urdf"
    text = guess.read_text()
    try:
        guess.write_text(text.replace("0.4", "0.5"))
        page = written_again(copy).decode()
    finally:
        guess.write_text(text)
    assert page.count('src="data:image/png;base64,') == 1
    assert "Not drawn: 1, " in page


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: None, "not a folder"),
        (lambda folder: folder.mkdir(), "no results"),
        (lambda folder: (folder.mkdir(), (folder / "summary.json").write_text("{")), "not a summary"),
    ],
)
def test_report_of_what_is_no_result_is_2(tmp_path, make, words):
    make(tmp_path / "x")
    done = run("report", tmp_path / "x")
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_report_of_a_command_without_a_page_is_2(tmp_path):
    (tmp_path / "summary.json").write_text(json.dumps({"command": "convert", "settings": {}}))
    done = run("report", tmp_path)
    assert done.code == 2
    assert "convert" in done.err


def test_results_are_dicts_that_show_themselves(runs):
    truth, guess = runs / "gt/cupboard.urdf", runs / "poor/cupboard.urdf"
    compared = simcheck.compare(truth, guess, simulate=False)
    assert json.loads(json.dumps(compared)) == compared
    for result, words in (
        (compared, "the axis is tilted"),
        (simcheck.describe(truth), "drawer"),
        (simcheck.drive(truth), "displacement"),
    ):
        shown = result._repr_html_()
        assert words in shown
        assert "<script" not in shown
        assert isinstance(result.rows, polars.DataFrame)
        assert result.rows.height == 2
    assert compared.rows["E_B"].to_list() == [entry["E_B"] for entry in compared["joints"]]


def test_runs_show_their_figures(runs):
    scored = simcheck.benchmark(runs / "gt", {"good": runs / "good"})
    assert "<svg" in scored._repr_html_()
    calibration = simcheck.calibrate([runs / "gt/cupboard.urdf"], out=runs / "out-calibrate")
    assert "<svg" in calibration._repr_html_()
    assert calibration.rows.equals(polars.read_parquet(runs / "out-calibrate/rows.parquet"))
    assert read_run(runs / "out-calibrate").summary == calibration.summary


def test_names_stay_text_in_a_notebook(write):
    evil = "&lt;/td&gt;&lt;img src=x onerror=alert(1)&gt;"
    path = write(door(name=evil))
    for result in (simcheck.describe(path), simcheck.compare(path, path, simulate=False)):
        assert "<img" not in result._repr_html_()
        assert "&lt;img src=x" in result._repr_html_()


def test_the_figure_counts_what_is_missing_as_never():
    """Three true joints: one with an error, one undefined, one in an object without a prediction."""
    rows = polars.DataFrame(
        [
            {"method": "m", "object": "o", "status": "matched", "E_B": 0.2, "E_alpha_phi": 0.1},
            {"method": "m", "object": "o", "status": "matched", "E_B": None, "E_alpha_phi": 0.4},
            {"method": "m", "object": "o", "status": "spurious", "E_B": 0.01, "E_alpha_phi": 0.01},
        ],
        schema=JOINT_TYPES,
    )
    objects = polars.DataFrame(
        [
            {"method": "m", "object": "o", "status": "ok", "true_joints": 2},
            {"method": "m", "object": "p", "status": "missing", "true_joints": 1},
        ],
        schema=OBJECT_TYPES,
    )
    values, total = shares(rows, objects, "m", "E_B")
    assert (values.tolist(), total) == ([0.2], 3)
    e_b, e_phi = shares_figure(rows, objects, ["m"]).axes
    (curve,) = (line for line in e_b.lines if line.get_label() == "m")
    assert curve.get_ydata()[-1] == pytest.approx(1 / 3)
    (curve,) = (line for line in e_phi.lines if line.get_label() == "m")
    assert curve.get_ydata()[-1] == pytest.approx(2 / 3)


# --- in the browser ---------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_pages_load_in_silence(browser, runs, screenshots):
    for name in PAGES:
        browser.open(runs / f"out-{name}" / "report.html")
        browser.screenshot(screenshots / f"report-{name}.png")
        with browser.appearance(prefers_color_scheme="dark"):
            browser.screenshot(screenshots / f"report-{name}-dark.png")
        assert browser.console() == []
        assert browser.requests() == []


@pytest.mark.browser
def test_the_benchmark_page_sorts_and_filters(browser, runs):
    browser.open(runs / "out-benchmark" / "report.html")
    column = """
        const table = document.querySelector("#all-joints-rows"), name = arguments[0];
        const k = [...table.querySelectorAll(".names th")].findIndex((head) => head.dataset.name === name);
        return [...table.querySelectorAll("tbody tr:not(.space)")].map((row) => row.cells[k].textContent);"""
    rows = polars.read_parquet(runs / "out-benchmark" / "rows.parquet")
    first = [float(text) for text in browser.run(column, "E_B")]
    assert first == sorted(first, reverse=True)
    assert len(first) == rows.height
    browser.run("document.querySelector('#all-joints-rows [data-name=E_B] button').click()")
    assert [float(text) for text in browser.run(column, "E_B")] == sorted(first)
    field = browser.run("return document.querySelector('#all-joints-rows input[aria-label=\"Filter method\"]')")
    field.send_keys("poor")
    assert set(browser.run(column, "method")) == {"poor"}
    assert browser.run("return document.querySelector('#all-joints-rows .count').textContent") == "2 of 4 rows"


@pytest.mark.browser
def test_a_result_looks_like_one_in_a_notebook(browser, runs, tmp_path, screenshots):
    shown = simcheck.compare(runs / "gt/cupboard.urdf", runs / "poor/cupboard.urdf", simulate=False)
    page = tmp_path / "cell.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><title>cell</title>{shown._repr_html_()}", encoding="utf-8")
    browser.open(page)
    browser.screenshot(screenshots / "notebook.png")
    assert browser.console() == []
    assert browser.run("return document.querySelectorAll('.simcheck-result tbody tr').length") == 6  # 2 pairs, 4 trees


# --- the distribution -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "offered"), [("simcheck vi", "view"), ("simcheck view --al", "--align")])
def test_the_shell_completes_commands_and_options(words, offered):
    env = {**os.environ, "_SIMCHECK_COMPLETE": "complete_bash", "COMP_WORDS": words}
    env["COMP_CWORD"] = str(len(words.split()) - 1)
    code = "from simcheck.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert offered in done.stdout.split()


def test_completion_is_offered():
    out = run("--help").out
    assert "--install-completion" in out
    assert "python -m" not in out


def test_packages_are_typed():
    text = (ROOT / "pyproject.toml").read_text()
    data = text[text.index("[tool.setuptools.package-data]") : text.index("[tool.ruff]")]
    for package in ("metric", "simcheck", "experiments"):
        assert (ROOT / package / "py.typed").is_file()
        assert re.search(rf"^{package} = \[.*\"py\.typed\"", data, flags=re.MULTILINE)


def test_citation_and_changes_are_of_this_version():
    found = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), flags=re.MULTILINE)
    assert found is not None
    assert f"\nversion: {found[1]}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(rf"^## {re.escape(found[1])}\b", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
