"""Runs of experiments: files, findings, page, resuming, redrawing, determinism, the user's norm, the command line."""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import polars
import pytest
from urdf_and_command import run

from experiments import failure_cases
from experiments.experiment import Settings
from experiments.registry import EXPERIMENTS
from experiments.run import ablate, redraw
from experiments.tables import load_tables
from simcheck.errors import UsageError

URDFS = Path(__file__).resolve().parents[2] / "urdfs"
DOOR, SOAP, JAR = (
    URDFS / "doors_and_windows" / "door.urdf",
    URDFS / "bathroom" / "soap_dispenser.urdf",
    URDFS / "containers" / "jar.urdf",
)
FIELDS = {"claim", "source", "measured", "holds", "note", "values"}


def contents(folder: Path) -> dict[str, bytes]:
    """Bytes of every result of a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def copied(out: Path, place: Path, *names: str) -> Path:
    """A copy of some experiments of a run."""
    copy = place / "copy"
    for name in names:
        shutil.copytree(out / name, copy / name)
    shutil.copy(out / "settings.json", copy / "settings.json")
    return copy


def test_every_experiment_leaves_its_files(finished):
    out, summary = finished
    assert [record["experiment"] for record in summary["experiments"]] == list(EXPERIMENTS)
    for name in EXPERIMENTS:
        names = {p.name for p in (out / name).iterdir()}
        assert {"rows.parquet", "rows.csv", "findings.json", "figures", "settings.json"} <= names
        pictures = sorted(p.suffix for p in (out / name / "figures").iterdir())
        assert pictures == sorted([".png", ".svg"] * (len(pictures) // 2)) != []
        assert not (out / name / ".parts").exists()


def test_findings_have_all_their_fields(finished):
    out, summary = finished
    assert summary["findings"] >= 40
    assert summary["findings"] == sum(len(r["findings"]) for r in summary["experiments"])
    for name in EXPERIMENTS:
        record = json.loads((out / name / "findings.json").read_text())
        assert record["experiment"] == name
        assert record["seed"] == 3
        for finding in record["findings"]:
            assert set(finding) == FIELDS
            assert finding["holds"] in (True, False, None)
            assert all(isinstance(finding[k], str) and finding[k] for k in ("claim", "source", "measured", "note"))
            assert "nan" not in finding["measured"]


def test_what_must_hold_on_any_objects(finished):
    """Exact statements do not depend on the objects."""
    _, summary = finished
    holds = {f["claim"]: f["holds"] for record in summary["experiments"] for f in record["findings"]}
    for beginning in (
        "d measured in the simulator is",
        "E_B(s · object)",
        "The departures of E_B from d are exactly",
        "With only the origin wrong",
        "E is 0 where the motion is the same",
        "Finite ranges approach",
        "With an exact rule",
        "Comparing endpoints already controls",
        "d_n measured in the simulator",
        "E_tree starts from zero",
        "Forcing the match",
        "The tree edit distance is computed exactly",
        "A method that writes every joint the other way",
    ):
        (claim,) = [c for c in holds if c.startswith(beginning)]
        assert holds[claim] is True, claim
    (equal,) = [c for c in holds if "every n ≥ 3 coincides with the n → ∞ limit" in c]
    assert holds[equal] is False


def test_page_shows_every_finding_and_figure(finished):
    out, summary = finished
    page = html.unescape((out / "report.html").read_text(encoding="utf-8"))
    for record in summary["experiments"]:
        for finding in record["findings"]:
            assert finding["claim"] in page
    figures = sum(len(record["figures"]) for record in summary["experiments"])
    assert page.count("<svg") >= figures >= 10
    assert not re.search(r'(src|href)="https?:', page)


def test_finished_experiments_are_not_measured_again(finished, tmp_path):
    """A part of a run that was killed: the same bytes when it goes on."""
    out, _ = finished
    copy = copied(out, tmp_path, "kappa", "alpha", "pairs")
    (copy / "kappa" / "findings.json").unlink()
    (copy / "alpha" / "rows.csv").unlink()  # alpha is complete, so nobody notices
    before = contents(out / "kappa")
    objects = [str(DOOR), str(SOAP)]
    ablate(["kappa", "alpha"], copy, settings=Settings(seed=3), objects=objects, workers=1)
    assert contents(copy / "kappa") == before
    assert not (copy / "alpha" / "rows.csv").exists()


def test_figures_only_redraws_the_same(finished, tmp_path):
    out, summary = finished
    names = ["sampling", "tree", "benchmark"]
    copy = copied(out, tmp_path, *names)
    for name in names:
        shutil.rmtree(copy / name / "figures")
    again = redraw(["all"], copy)
    assert again["experiments"] == [r for r in summary["experiments"] if r["experiment"] in names]
    for name in names:
        assert contents(copy / name / "figures") == contents(out / name / "figures")


def test_figures_only_without_results(tmp_path):
    with pytest.raises(UsageError, match="holds no results"):
        redraw(["kappa"], tmp_path)


def test_any_number_of_workers_gives_the_same_bytes(tmp_path):
    names = ["sampling", "tree", "benchmark"]
    for workers in (1, 2):
        ablate(names, tmp_path / str(workers), objects=[str(JAR), str(SOAP)], workers=workers)
    first, second = (contents(tmp_path / str(workers)) for workers in (1, 2))
    assert list(first) == list(second)
    differing = [name for name in first if first[name] != second[name] and not name.endswith("report.html")]
    assert differing == []


NORM = """
import numpy as np

def kinetic(body, size):
    from metric import KineticNorm
    return KineticNorm(body).gram + 1e-12 * np.eye(6)

def wrong(body, size):
    return -np.eye(6)
"""


def test_own_norm(tmp_path, monkeypatch):
    """The kinetic norm given as a user's: the same numbers as E_B in every experiment that has both."""
    (tmp_path / "mine.py").write_text(NORM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    out = tmp_path / "out"
    settings = Settings(norm="mine:kinetic")
    summary = ablate(["inner-product"], out, settings=settings, objects=[str(JAR)], workers=1)
    rows = load_tables(out / "inner-product")["rows"].filter(polars.col("E_B") > 1e-3)
    assert (rows["E_norm"] / rows["E_B"] - 1).abs().max() < 1e-5
    assert (out / "inner-product" / "figures" / "calibration-norm.png").exists()
    claims = [f["claim"] for record in summary["experiments"] for f in record["findings"]]
    assert any("mine:kinetic" in claim for claim in claims)
    cases = failure_cases.measure(SimpleNamespace(settings=settings))["rows"].filter(~polars.col("compactified"))
    assert (cases["E_norm"] - cases["E_B"]).abs().max() < 1e-5


def test_a_function_that_is_no_norm(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(NORM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match="positive definite"):
        ablate(["kappa"], tmp_path / "out", settings=Settings(norm="mine:wrong"))
    with pytest.raises(UsageError, match="expected MODULE:FUNCTION"):
        ablate(["kappa"], tmp_path / "out", settings=Settings(norm="mine"))


def test_real_predictions_take_the_place_of_the_simulated(tmp_path):
    truth, guess = tmp_path / "truth", tmp_path / "guess"
    for folder in (truth, guess):
        folder.mkdir()
        shutil.copy(JAR, folder / "jar.urdf")
    summary = ablate(["benchmark"], tmp_path / "out", ground_truth=truth, predictions={"copy": guess})
    methods = load_tables(tmp_path / "out" / "benchmark")["methods"]
    assert set(methods["method"]) == {"copy"}
    perfect = methods.filter((methods["column"] == "E_B") & (methods["scope"] == "own"))
    assert perfect["value"].to_list() == [0.0]
    assert "simulated" not in summary["experiments"][0]["findings"][0]["measured"]


def test_the_command(tmp_path):
    done = run("ablate", "failure-cases", "kappa", "--out", tmp_path / "out", "--json", "--seed", 1)
    assert done.code == 0
    assert done.json["command"] == "ablate"
    assert [r["experiment"] for r in done.json["experiments"]] == ["failure-cases", "kappa"]
    assert done.json["out"] == str(tmp_path / "out")
    assert done.json["settings"]["seed"] == 1
    again = run("ablate", "kappa", "--out", tmp_path / "out", "--figures-only")
    assert again.code == 0
    assert "Finite ranges approach" in again.out
    other = run("ablate", "kappa", "--out", tmp_path / "out", "--seed", 2, "--json")
    assert (other.code, other.out) == (2, "")
    assert "other settings (seed)" in other.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["kapa"], "no experiment 'kapa'"),
        (["kappa", "--kappa", "-1"], "expected a positive number"),
        (["benchmark", "--gt", "somewhere"], "--gt and --pred go together"),
        (["kappa", "--norm", "no_such_module:f"], "cannot import no_such_module"),
    ],
)
def test_bad_usage_is_one_message(tmp_path, arguments, words):
    done = run("ablate", *arguments, "--out", tmp_path / "out", "--json")
    assert (done.code, done.out) == (2, "")
    assert words in done.err
