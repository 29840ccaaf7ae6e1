"""``simcheck benchmark``, ``results``, the submission checker, the accumulator and the pytest plugin."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import polars
import pytest
from urdf_and_command import joint, robot, run

import simcheck
from simcheck.benchmarking.formats import FORMATS
from simcheck.benchmarking.table import COLUMNS, best_methods
from simcheck.saved_runs import compare_runs
from simcheck.testing import assert_same_kinematics

_HINGE = 'lower="0" upper="1.5"'
_DRAWER = 'lower="0" upper="0.3"'


def _cabinet(*, tilt: float = 0.0, shift: float = 0.0, stroke: float = 0.3, doors: int = 2, weld: bool = False) -> str:
    """A door, a drawer and a second door; the errors are in the first door and in the drawer."""
    axis = f"0 {np.sin(tilt)} {np.cos(tilt)}"
    parts = [
        joint("door", "fixed" if weld else "revolute", "a", "b", xyz=f"{shift} 0 0", axis=axis, limit=_HINGE),
        joint("drawer", "prismatic", "a", "c", axis="1 0 0", limit=f'lower="0" upper="{stroke}"'),
    ]
    if doors == 2:
        parts.append(joint("flap", "revolute", "a", "d", xyz="0 0.5 0", axis="0 1 0", limit=_HINGE))
    return robot(*parts)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> Path:
    """Eight true cabinets in two categories; `good` has small errors, `poor` large ones and every kind of failure."""
    root = tmp_path_factory.mktemp("benchmark")
    for k in range(8):
        name = f"{'kitchen' if k < 5 else 'office'}/cabinet_{k}.urdf"
        _put(root / "gt" / name, _cabinet())
        _put(root / "good" / name, _cabinet(tilt=0.02 * k, shift=0.01 * k))
        _put(root / "poor" / name, _cabinet(tilt=0.3, shift=0.1 + 0.01 * k, stroke=0.2))
    poor = root / "poor"
    (poor / "kitchen/cabinet_0.urdf").unlink()
    _put(poor / "kitchen/cabinet_1.urdf", "<robot")
    _put(poor / "kitchen/cabinet_2.urdf", robot(joint("door", "fixed", "a", "b")))
    _put(poor / "kitchen/cabinet_3.urdf", _cabinet(tilt=0.3, shift=0.1, doors=1))
    _put(poor / "kitchen/cabinet_4.urdf", _cabinet(stroke=0.1, weld=True))
    (poor / "office/cabinet_5.urdf").unlink()
    _put(poor / "office/cabinet_5/mobility.urdf", _cabinet(tilt=0.3))  # a folder with a generic name
    return root


def _methods(folders: Path) -> list[object]:
    return ["--gt", folders / "gt", "--pred", f"good={folders / 'good'}", "--pred", f"poor={folders / 'poor'}"]


@pytest.fixture(scope="module")
def scored(folders, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("scored") / "out"
    done = run("benchmark", *_methods(folders), "--out", out, "--workers", "1", "-q")
    assert done.code == 0, done.err
    return out


def _summary(out: Path) -> dict:
    return json.loads((out / "summary.json").read_text())


def _bytes(out: Path) -> dict[str, bytes]:
    names = ("rows.parquet", "rows.csv", "objects.parquet", "summary.json", "settings.json", "table.csv", "table.tex")
    return {name: (out / name).read_bytes() for name in names}


# --- the numbers ----------------------------------------------------------------------------------------------


def test_statuses_of_objects_and_joints(scored):
    good, poor = _summary(scored)["methods"]
    assert good["objects"] == {"ok": 8, "missing": 0, "broken": 0, "empty": 0}
    assert poor["objects"] == {"ok": 5, "missing": 1, "broken": 1, "empty": 1}
    assert good["joints"] == {"matched": 24, "missing": 0, "spurious": 0, "welded": 0, "loosened": 0}
    # Five objects: 3 + 3 + 3 joints matched, one lacks a joint, one has it welded.
    assert poor["joints"] == {"matched": 13, "missing": 1, "spurious": 0, "welded": 1, "loosened": 0}
    objects = polars.read_parquet(scored / "objects.parquet").filter(polars.col("method") == "poor")
    reasons = dict(zip(objects["object"], objects["reason"], strict=True))
    assert reasons["kitchen/cabinet_0"] == "no file for this object"
    assert "XML" in reasons["kitchen/cabinet_1"]
    assert reasons["kitchen/cabinet_2"] == "no movable joint"


def test_columns_are_means_of_what_compare_says(folders, scored):
    """Every column again, by hand from the JSON of `compare`."""
    (poor,) = (m for m in _summary(scored)["methods"] if m["name"] == "poor")
    pairs, trees = [], []
    for k, file in ((3, "kitchen/cabinet_3.urdf"), (4, "kitchen/cabinet_4.urdf"), (5, "office/cabinet_5/mobility.urdf"),
                    (6, "office/cabinet_6.urdf"), (7, "office/cabinet_7.urdf")):  # fmt: skip
        category = "kitchen" if k < 5 else "office"
        found = simcheck.compare(folders / f"gt/{category}/cabinet_{k}.urdf", folders / "poor" / file, simulate=False)
        pairs += found["joints"]
        trees.append(found["tree"]["E_alpha_phi"]["value"])
    matched = [p for p in pairs if p["paired_by"] != "fixed"]
    assert len(matched) == 13
    columns = {name: cell["value"] for name, cell in poor["columns"].items()}
    counts = {name: (cell["n"], cell["undefined"]) for name, cell in poor["columns"].items()}

    def mean(values):
        return pytest.approx(float(np.mean(list(values))), rel=1e-12)

    assert columns["gen"] == mean([0, 0, 0, 100, 100, 100, 100, 100])
    assert counts["gen"] == (8, 0)
    assert columns["type_error"] == mean(100 * p["components"]["type"] for p in pairs)
    assert counts["type_error"] == (14, 0)  # the welded door is a wrong type
    for name, key in (("origin_error", "origin_line"), ("axis_error", "axis"), ("limit_direction", "limit_direction")):
        assert columns[name] == mean(p["components"][key] for p in matched), name
    turning = [p for p in matched if p["kind"][0] == "revolute"]
    sliding = [p for p in matched if p["kind"][0] == "prismatic"]
    assert columns["limit_range_turning"] == mean(p["components"]["limit_range"] for p in turning)
    assert columns["limit_range_sliding"] == mean(p["components"]["limit_range"] for p in sliding)
    success = [100 * p["components"]["success"] for p in matched] + [0, 0]  # the missing and the welded joint
    assert columns["success"] == mean(success)
    assert counts["success"] == (15, 0)
    assert columns["E_B"] == mean(p["E_B"] for p in matched)
    assert columns["E_alpha_phi"] == mean(p["E_alpha_phi"] for p in matched)
    assert columns["tree"] == mean(trees)
    assert columns["tree_per_joint"] == mean(t / 3 for t in trees)
    for cell in poor["columns"].values():
        assert cell["lower"] <= cell["value"] <= cell["upper"]


def test_common_set_ranks_and_paired_differences(scored):
    summary = _summary(scored)
    assert summary["common_objects"] == 5
    (good,) = (m for m in summary["methods"] if m["name"] == "good")
    rows = polars.read_parquet(scored / "rows.parquet").filter(
        (polars.col("method") == "good") & (polars.col("status") == "matched")
    )
    shared = rows.filter(polars.col("object").str.extract(r"(\d)$").cast(int) >= 3)
    assert good["common"]["E_B"]["value"] == pytest.approx(shared["E_B"].mean(), rel=1e-12)
    assert good["columns"]["E_B"]["value"] == pytest.approx(rows["E_B"].mean(), rel=1e-12)
    ranks = {r["method"]: (r["rank"], r["lower"], r["upper"]) for r in summary["ranks"]["E_B"]}
    assert ranks == {"good": (1, 1, 1), "poor": (2, 2, 2)}
    (paired,) = (p for p in summary["paired"] if p["column"] == "E_B")
    assert (paired["first"], paired["second"], paired["n"]) == ("good", "poor", 5)
    assert paired["upper"] < 0  # good is better, surely
    categories = {(c["method"], c["super_category"]): c["objects"] for c in summary["by_super_category"]}
    assert categories == {(m, c): n for m in ("good", "poor") for c, n in (("kitchen", 5), ("office", 3))}


def test_simulated_d_is_the_closed_form(folders, tmp_path):
    out = tmp_path / "out"
    arguments = ("--gt", folders / "gt", "--pred", f"good={folders / 'good'}", "--limit", "2", "-q")
    assert run("benchmark", *arguments, "--simulate", "--out", out).code == 0
    assert run("benchmark", *arguments, "--out", tmp_path / "closed").code == 0
    simulated, closed = (polars.read_parquet(o / "rows.parquet") for o in (out, tmp_path / "closed"))
    assert simulated["object"].n_unique() == 2
    assert simulated.drop("d", "d_sweep").equals(closed.drop("d", "d_sweep"))
    for name in ("d", "d_sweep"):
        np.testing.assert_allclose(simulated[name].to_numpy(), closed[name].to_numpy(), rtol=0, atol=1e-12)


def test_a_sample_depends_on_the_seed_alone(folders):
    picked = []
    for seed in (0, 0, 1, 2):
        found = simcheck.benchmark(folders / "gt", {"good": folders / "good"}, limit=3, seed=seed)
        picked.append(tuple(found.objects["object"]))
    assert picked[0] == picked[1]
    assert len(set(picked)) > 1
    assert all(len(p) == 3 for p in picked)


def test_imputed_limits_are_marked_and_not_the_best(tmp_path):
    _put(tmp_path / "gt/a.urdf", _cabinet())
    _put(tmp_path / "with/a.urdf", _cabinet(tilt=0.2))
    bare = {"kind": "revolute", "axis": [0, 0, 1], "origin": [0, 0, 0], "parent": "a"}
    joints = [
        {**bare, "name": "door", "child": "b"},
        {**bare, "name": "drawer", "kind": "prismatic", "axis": [1, 0, 0], "child": "c"},
        {**bare, "name": "flap", "axis": [0, 1, 0], "origin": [0, 0.5, 0], "child": "d"},
    ]
    _put(
        tmp_path / "without/a.json", json.dumps({"format": "simcheck", "version": 1, "angle": "rad", "joints": joints})
    )
    folders = {"with": tmp_path / "with", "without": tmp_path / "without"}
    refused = simcheck.benchmark(tmp_path / "gt", folders)
    assert refused.summary["methods"][1]["objects"]["broken"] == 1  # limits are needed unless they are imputed
    options = simcheck.CompareOptions(simulate=False, impute_limits="gt")
    summary = simcheck.benchmark(tmp_path / "gt", folders, options=options).summary
    without = summary["methods"][1]
    assert without["imputed_joints"] == 3
    assert without["columns"]["E_B"]["value"] == pytest.approx(0, abs=1e-12)
    best = best_methods(summary["methods"])
    assert "without" in best["axis_error"]
    assert "E_B" not in best  # only one method is left, and one is no contest
    text = FORMATS["text"](summary["methods"])
    assert re.search(r"E_B \[m\].*†", text)
    assert not re.search(r"AxisErr.*†", text)


def test_placements_for_each_object(folders, tmp_path):
    moved = tmp_path / "moved"
    _put(moved / "kitchen/cabinet_0.urdf", _cabinet(shift=1.0))  # the door lies 1 m off
    shift = np.eye(4)
    shift[0, 3] = -1.0
    table = {"m/kitchen/cabinet_0": shift.tolist(), "kitchen/cabinet_0": np.eye(4).tolist()}
    file = tmp_path / "placements.json"
    file.write_text(json.dumps(table))
    gt = tmp_path / "gt"
    _put(gt / "kitchen/cabinet_0.urdf", _cabinet())
    arguments = ("--gt", gt, "--pred", f"m={moved}", "-q", "--json", "--align")
    found = run("benchmark", *arguments, file, "--out", tmp_path / "out").json
    by_joint = polars.read_parquet(tmp_path / "out/rows.parquet")
    values = dict(zip(by_joint["ground_truth"], by_joint["origin_line"], strict=True))
    assert values["door"] == pytest.approx(0, abs=1e-12)
    assert values["flap"] == pytest.approx(1)  # the whole object was moved
    assert found["settings"]["align"] == str(file)
    file.write_text(json.dumps({"other": np.eye(4).tolist()}))
    refused = run("benchmark", *arguments, file, "--out", tmp_path / "refused")
    assert refused.code == 2
    assert "no placement for m/kitchen/cabinet_0" in refused.err


def test_bad_ground_truths_are_failures(tmp_path, folders):
    gt = tmp_path / "gt"
    shutil.copytree(folders / "gt", gt)
    _put(gt / "office/cabinet_5.urdf", "<robot")
    done = run("benchmark", "--gt", gt, "--pred", f"good={folders / 'good'}", "--out", tmp_path / "out")
    assert done.code == 1
    assert "ground truth not used" in done.err
    assert "cabinet_5.urdf" in done.err
    assert _summary(tmp_path / "out")["objects"] == 7
    for path in gt.rglob("*.urdf"):
        path.write_text("<robot")
    done = run("benchmark", "--gt", gt, "--pred", f"good={folders / 'good'}", "--out", tmp_path / "none", "--json")
    assert done.code == 2
    assert done.out == ""
    assert "no ground truth can be used" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--gt", "nowhere", "--pred", "a=."), "nowhere: not a folder"),
        (("--gt", ".", "--pred", "a=nowhere"), "--pred a=nowhere: nowhere is not a folder"),
        (("--gt", "{root}/gt", "--pred", "a={root}/good", "--pred", "a={root}/poor"), "two methods are called 'a'"),
        (("--gt", "{root}/gt", "--pred", "a={root}/good", "--limit", "0"), "--limit: expected at least 1"),
        (("--gt", "{root}/gt", "--pred", "a={root}/good", "--scheduler", "127.0.0.1:9"), "no Dask scheduler answers"),
    ],
)
def test_usage(arguments, words, folders, tmp_path):
    filled = [a.format(root=folders) for a in arguments]
    done = run("benchmark", *filled, "--json", "--out", tmp_path / "out")
    assert done.code == 2
    assert done.out == ""
    assert words in done.err


# --- tables ---------------------------------------------------------------------------------------------------


def test_formats(folders, scored):
    def told(name: str) -> str:
        done = run("benchmark", *_methods(folders), "--out", scored, "--table", name)  # finished: only read
        assert done.code == 0
        return done.out

    methods = _summary(scored)["methods"]
    columns = [column for column in COLUMNS if column.name != "E_norm"]  # nobody gave a norm
    rows = list(csv.DictReader(io.StringIO(told("csv"))))
    assert len(rows) == 2 * len(columns)
    for row in rows:
        (method,) = (m for m in methods if m["name"] == row["method"])
        cell = method["columns"][row["column"]]
        assert float(row["value"]) == cell["value"]
        assert int(row["n"]) == cell["n"]
    latex = told("latex")
    lines = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 3
    assert all(line.count(" & ") == len(columns) for line in lines)
    assert not re.search(r"[^\\](%|_)", latex.replace("tabular", ""))  # every special character is escaped
    assert latex.count(r"\textbf{") >= 10
    markdown = told("markdown").splitlines()
    assert len(markdown) == 4
    assert {line.count("|") for line in markdown} == {len(columns) + 2}
    text = told("text")
    assert re.search(r"SuccRate \[%\] ↑ .*\(n 24\).*\(n 15\)", text)
    assert "E_B: 1 good (1…1), 2 poor (2…2)" in text
    assert json.loads(told("json"))["methods"] == methods


def test_page_holds_table_rows_and_problems(scored):
    page = (scored / "report.html").read_text()
    for words in ("no file for this object", "SuccRate", "Ranks on the common objects", "All joints"):
        assert words in page


# --- scale ----------------------------------------------------------------------------------------------------


def test_any_number_of_workers_gives_the_same_bytes(folders, scored, tmp_path):
    out = tmp_path / "out"
    assert run("benchmark", *_methods(folders), "--out", out, "--workers", "3", "-q").code == 0
    assert _bytes(out) == _bytes(scored)


def test_a_killed_run_resumes_and_ends_with_the_same_bytes(folders, scored, tmp_path):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "simcheck", "benchmark", *map(str, _methods(folders)), "--out", str(out), "-q"]
    process = subprocess.Popen([*command, "--workers", "1"], start_new_session=True)
    parts = out / ".parts"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(list(parts.glob("*.json"))) < 2 and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    done = len(list(parts.glob("*.json")))
    assert 2 <= done < 8
    assert not (out / "summary.json").exists()
    (parts / f"{done - 1:06d}.json").write_text('{"object": "kit')  # torn: does not count
    assert run("benchmark", *_methods(folders), "--out", out, "-q").code == 0
    assert _bytes(out) == _bytes(scored)
    assert not parts.exists()


def test_other_settings_are_refused_unless_forced(folders, scored, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(scored, out)
    refused = run("benchmark", *_methods(folders), "--out", out, "--alpha", "2")
    assert refused.code == 2
    assert "other settings (alpha)" in refused.err
    assert run("benchmark", *_methods(folders), "--out", out, "--alpha", "2", "--force", "-q").code == 0


def test_dask_gives_the_same_bytes_though_a_worker_is_killed(folders, scored, tmp_path):
    """A real scheduler and two worker processes on loopback; one dies in the middle."""
    pytest.importorskip("distributed")
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "10"}
    address_file = tmp_path / "scheduler.json"

    def start(*arguments: str) -> subprocess.Popen:
        code = "import sys; from distributed.cli import {0}; sys.argv[0] = '{0}'; {0}.main()".format(arguments[0])
        log = (tmp_path / f"{arguments[0]}.log").open("ab")
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments[1:]], env=environment, stdout=log, stderr=log, cwd=tmp_path
        )

    processes = [start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                       "--scheduler-file", str(address_file))]  # fmt: skip
    try:
        deadline = time.monotonic() + 60
        while not address_file.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        for _ in range(2):
            processes.append(
                start("dask_worker", "--scheduler-file", str(address_file), "--nthreads", "1", "--no-nanny",
                      "--no-dashboard", "--host", "127.0.0.1")
            )  # fmt: skip
        address = json.loads(address_file.read_text())["address"]
        out = tmp_path / "out"
        command = [sys.executable, "-m", "simcheck", "benchmark", *map(str, _methods(folders)), "--out", str(out),
                   "--scheduler", address, "-q"]  # fmt: skip
        with subprocess.Popen(command) as process:
            while time.monotonic() < deadline and not list((out / ".parts").glob("*.json")):
                assert process.poll() is None
                time.sleep(0.01)
            processes[1].kill()
            assert process.wait(timeout=120) == 0
        assert _bytes(out) == _bytes(scored)
    finally:
        for started in processes:
            started.kill()
            started.wait()


# --- the checker ----------------------------------------------------------------------------------------------


def test_check_lists_every_problem_at_once(folders, tmp_path):
    poor = tmp_path / "poor"
    shutil.copytree(folders / "poor", poor)
    _put(poor / "office/unknown.urdf", _cabinet())
    _put(poor / "office/cabinet_6/mobility.urdf", _cabinet())  # a second file for the same object
    _put(poor / "office/cabinet_7.urdf", _cabinet().replace('upper="1.5"', 'upper="90"'))  # degrees, surely
    arguments = ("benchmark", "--gt", folders / "gt", "--pred", f"poor={poor}", "--check")
    done = run(*arguments, "--json")
    assert done.code == 1
    problems = {(p["object"].rpartition("/")[2], p["problem"]) for p in done.json["problems"]}
    assert problems == {("cabinet_0", "missing"), ("cabinet_1", "broken"), ("cabinet_2", "empty"),
                        ("cabinet_6", "ambiguous"), ("cabinet_7", "suspicious"), ("unknown", "unknown")}  # fmt: skip
    text = run(*arguments).out
    assert "error: poor: kitchen/cabinet_1: broken:" in text
    assert "warning: poor: office/cabinet_7: suspicious:" in text
    assert text.endswith("5 errors, 2 warnings\n")  # both doors turn by 90
    clean = run("benchmark", "--gt", folders / "gt", "--pred", f"good={folders / 'good'}", "--check")
    assert (clean.code, clean.out) == (0, "0 errors, 0 warnings\n")


# --- saved runs -----------------------------------------------------------------------------------------------


def test_results_puts_benchmarks_into_one_table(folders, scored, tmp_path):
    alone = []
    for method in ("good", "poor"):
        out = tmp_path / method
        assert run("benchmark", "--gt", folders / "gt", "--pred", folders / method, "--out", out, "-q").code == 0
        alone.append(out)
    found = run("results", *alone, "--json").json
    together = _summary(scored)
    for key in ("methods", "paired", "ranks", "common_objects", "by_super_category"):
        assert found[key] == together[key], key
    clash = run("results", alone[0], scored, "--json").json
    assert [m["name"] for m in clash["methods"]] == [f"good ({alone[0]})", f"good ({scored})", "poor"]


def test_results_refuses_mixed_runs(folders, scored, tmp_path):
    other = tmp_path / "other"
    assert run("benchmark", *_methods(folders), "--out", other, "--alpha", "2", "-q").code == 0
    mixed = run("results", scored, other, "--json")
    assert (mixed.code, mixed.out) == (2, "")
    assert "different settings: alpha 1.0 and 2.0" in mixed.err
    gt = tmp_path / "gt"
    shutil.copytree(folders / "gt", gt)
    _put(gt / "kitchen/cabinet_0.urdf", _cabinet(stroke=0.31))
    elsewhere = tmp_path / "elsewhere"
    assert run("benchmark", "--gt", gt, "--pred", folders / "good", "--out", elsewhere, "-q").code == 0
    mixed = run("results", scored, elsewhere)
    assert mixed.code == 2
    assert "other true objects: 1 differ" in mixed.err
    assert "kitchen/cabinet_0.urdf" in mixed.err
    assert run("results", scored).code == 2
    assert run("results", scored, scored).code == 2
    assert "not a folder" in run("results", scored, tmp_path / "nowhere").err
    assert "no results of simcheck" in run("results", scored, folders).err


def test_results_of_other_commands_are_numbers_beside_each_other(folders, tmp_path):
    truth = folders / "gt/kitchen/cabinet_0.urdf"
    for k in (6, 7):
        pred = folders / f"good/office/cabinet_{k}.urdf"
        assert run("compare", truth, pred, "--out", tmp_path / str(k), "--closed-form").code == 0
    found = compare_runs([tmp_path / "6", tmp_path / "7"])
    numbers = {n["field"]: n for n in found["numbers"]}
    first, second = numbers["joints[door].E_B"]["values"]
    assert 0 < first < second
    assert numbers["joints[door].E_B"]["differences"] == [0, second - first]
    text = run("results", tmp_path / "6", tmp_path / "7").out
    assert "joints[door].E_B" in text
    assert "joints[drawer].E_B" not in text  # equal in both


# --- Python ---------------------------------------------------------------------------------------------------


def test_accumulator_gives_the_table_of_the_benchmark(folders, scored):
    """In any order, and merged from two."""
    one, two = simcheck.Accumulator(), simcheck.Accumulator()
    for path in sorted((folders / "gt").rglob("*.urdf"), reverse=True):
        name = path.relative_to(folders / "gt").with_suffix("").as_posix()
        for method, scores in (("good", one), ("poor", two)):
            guess: Path | None = folders / method / f"{name}.urdf"
            if not guess.exists():
                guess = folders / method / name / "mobility.urdf"
            if not guess.exists():
                guess = None
            scores.update(path, guess, object=name, method=method, super_category=name.split("/")[0])
    one.merge(two)
    found = one.compute()
    together = _summary(scored)
    for key in ("methods", "paired", "ranks", "common_objects", "by_super_category"):
        assert found[key] == together[key], key
    with pytest.raises(simcheck.UsageError, match="same method and object"):
        one.merge(two)
    with pytest.raises(simcheck.UsageError, match="scored already"):
        two.update(folders / "gt/office/cabinet_7.urdf", None, object="office/cabinet_7", method="poor")
    with pytest.raises(simcheck.UsageError, match="different options"):
        one.merge(simcheck.Accumulator(simcheck.CompareOptions(simulate=False, alpha=2.0)))
    one.reset()
    assert one.compute()["methods"] == []


def test_same_kinematics(folders, write):
    truth = folders / "gt/kitchen/cabinet_0.urdf"
    text = truth.read_text()
    ahead, back = (
        f'<axis xyz="0 {y} 0"/><limit lower="{lo}" upper="{hi}"/>' for y, lo, hi in ((1, 0, 1.5), (-1, -1.5, 0))
    )
    assert ahead in text
    renamed = text.replace('"door"', '"porte"').replace(ahead, back)
    assert_same_kinematics(truth, write(renamed))
    with pytest.raises(
        AssertionError, match=r"'door' -> 'door': the axis lies 7 cm off: 78 % of the error; .* E_B 0\.1"
    ):
        assert_same_kinematics(truth, folders / "good/office/cabinet_7.urdf")
    assert_same_kinematics(truth, folders / "good/office/cabinet_7.urdf", tol=1.0)
    with pytest.raises(AssertionError, match="joint 'flap' is missing"):
        assert_same_kinematics(truth, folders / "poor/kitchen/cabinet_3.urdf", tol=10)
    chain = robot(joint("i", "revolute", "a", "b"), joint("j", "revolute", "b", "c", axis="1 0 0"))
    star = robot(joint("i", "revolute", "a", "b"), joint("j", "revolute", "a", "c", axis="1 0 0"))
    with pytest.raises(AssertionError, match="joint 'j' is carried by the base, its true one 'j' by joint 'i'"):
        assert_same_kinematics(write(chain, "chain.urdf"), write(star, "star.urdf"))


def test_pytest_knows_the_fixture(folders, tmp_path):
    (tmp_path / "test_export.py").write_text(
        "def test_same(assert_same_kinematics):\n"
        f"    assert_same_kinematics({str(folders / 'gt/kitchen/cabinet_0.urdf')!r},\n"
        f"                           {str(folders / 'good/kitchen/cabinet_0.urdf')!r})\n\n"
        "def test_other(assert_same_kinematics):\n"
        f"    assert_same_kinematics({str(folders / 'gt/kitchen/cabinet_0.urdf')!r},\n"
        f"                           {str(folders / 'good/kitchen/cabinet_4.urdf')!r})\n"
    )
    options = ["-q", "-p", "no:cacheprovider", "-c", "/dev/null"]
    if not any(e.value == "simcheck.pytest_plugin" for e in entry_points(group="pytest11")):
        options += ["-p", "simcheck.pytest_plugin"]  # run from a checkout that is not installed
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "the axis lies 4 cm off" in done.stdout
