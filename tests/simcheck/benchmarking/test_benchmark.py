"""``simcheck benchmark``: the numbers, bad inputs, tables and the page."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil

import numpy as np
import polars
import pytest
from cabinets import cabinet, methods_of, put, summary_of
from urdf_and_command import run

import simcheck
from simcheck.benchmarking.formats import FORMATS
from simcheck.benchmarking.table import COLUMNS, best_methods

# --- the numbers ----------------------------------------------------------------------------------------------


def test_statuses_of_objects_and_joints(scored):
    good, poor = summary_of(scored)["methods"]
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
    (poor,) = (m for m in summary_of(scored)["methods"] if m["name"] == "poor")
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
    summary = summary_of(scored)
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
    put(tmp_path / "gt/a.urdf", cabinet())
    put(tmp_path / "with/a.urdf", cabinet(tilt=0.2))
    bare = {"kind": "revolute", "axis": [0, 0, 1], "origin": [0, 0, 0], "parent": "a"}
    joints = [
        {**bare, "name": "door", "child": "b"},
        {**bare, "name": "drawer", "kind": "prismatic", "axis": [1, 0, 0], "child": "c"},
        {**bare, "name": "flap", "axis": [0, 1, 0], "origin": [0, 0.5, 0], "child": "d"},
    ]
    put(tmp_path / "without/a.json", json.dumps({"format": "simcheck", "version": 1, "angle": "rad", "joints": joints}))
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
    put(moved / "kitchen/cabinet_0.urdf", cabinet(shift=1.0))  # the door lies 1 m off
    shift = np.eye(4)
    shift[0, 3] = -1.0
    table = {"m/kitchen/cabinet_0": shift.tolist(), "kitchen/cabinet_0": np.eye(4).tolist()}
    file = tmp_path / "placements.json"
    file.write_text(json.dumps(table))
    gt = tmp_path / "gt"
    put(gt / "kitchen/cabinet_0.urdf", cabinet())
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
    put(gt / "office/cabinet_5.urdf", "<robot")
    done = run("benchmark", "--gt", gt, "--pred", f"good={folders / 'good'}", "--out", tmp_path / "out")
    assert done.code == 1
    assert "ground truth not used" in done.err
    assert "cabinet_5.urdf" in done.err
    assert summary_of(tmp_path / "out")["objects"] == 7
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
        done = run("benchmark", *methods_of(folders), "--out", scored, "--table", name)  # finished: only read
        assert done.code == 0
        return done.out

    methods = summary_of(scored)["methods"]
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
