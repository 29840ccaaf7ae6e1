"""The main job: rows, summary, folder, resuming, the command; and what the numbers must say."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from urdf_and_command import ASSETS, CASES, TESTS, joint, killed, robot, run

import simcheck
from simcheck.calibration.summary import quantiles, spread, summarise
from simcheck.defaults import collect, default_objects, own_objects
from simcheck.errors import UsageError

OWN = TESTS.parent / "urdfs"
DOOR, DRAWER, FAN = (
    OWN / p for p in ("doors_and_windows/door.urdf", "furniture/nightstand.urdf", "appliances/fan.urdf")
)
JAR = OWN / "containers" / "jar.urdf"


@pytest.fixture(scope="module")
def small():
    """A hinge, a drawer, a fan and a jar, calibrated in this process's workers."""
    return simcheck.calibrate([DOOR, DRAWER, FAN, JAR], workers=2, seed=3)


def test_rows_and_summary(small):
    rows, summary = small.rows, small.summary
    assert summary["objects"] == 4
    assert summary["pairs"] == rows.height
    assert summary["failures"] == []
    assert set(rows["kind"]) == {"revolute", "prismatic", "continuous", "helical"}
    assert set(rows["error"]) == {"tilt", "origin", "lower", "upper", "shift", "pitch", "kind", "all"}
    assert set(rows["range"]) == {"declared", "sub-range"}
    assert rows["magnitude"].min() == pytest.approx(1e-3)
    assert rows["magnitude"].max() == pytest.approx(1.0)
    assert rows.filter(pl.col("driven_interval"))["kind"].unique().to_list() == ["continuous"]


def test_the_simulator_agrees_with_the_closed_form(small):
    assert small.summary["max_placement_error"] <= 1e-12
    assert small.summary["max_d_error"] <= 1e-12
    rows = small.rows
    slack = 1e-12 * (rows["object_size"] + rows["d"])
    assert ((rows["d"] - rows["d_closed"]).abs() <= slack).all()


def test_the_bound_holds_for_every_pair(small):
    rows = small.rows
    slack = 1e-12 * (rows["object_size"] + rows["E_B_physical"])
    assert (rows["d"] >= rows["E_B_physical"] - rows["bound_lower"] - slack).all()
    assert (rows["d"] <= rows["E_B_physical"] + rows["bound_upper"] + slack).all()
    assert small.summary["bound_violations"] == 0


def test_what_theory_says_of_each_error(small):
    """Slides are exact; an origin shift over equal limits is exactly 1/sinc; pitch alone is exact (golden bound)."""
    rows = small.rows.filter(pl.col("ratio").is_not_null())
    slides = rows.filter((pl.col("kind") == "prismatic") & (pl.col("error") != "kind"))
    assert ((slides["ratio"] - 1).abs() < 1e-9).all()
    pitch = rows.filter((pl.col("error") == "pitch") & (pl.col("kind") != "helical"))
    assert ((pitch["ratio"] - 1).abs() < 1e-9).all()
    fan = rows.filter((pl.col("error") == "origin") & (pl.col("kind") == "continuous"))
    half = fan["largest_angle"] / 2
    np.testing.assert_allclose(fan["ratio"], half / half.sin(), rtol=1e-9)


def test_rows_do_not_depend_on_workers_order_or_neighbours(small):
    again = simcheck.calibrate([JAR, DOOR, FAN, DRAWER], workers=1, seed=3).rows
    for name in (DOOR, JAR):
        mine, theirs = (r.filter(pl.col("object") == str(name)) for r in (small.rows, again))
        assert mine.equals(theirs)
    other_seed = simcheck.calibrate([DOOR], seed=4).rows
    assert not other_seed["d"].equals(small.rows.filter(pl.col("object") == str(DOOR))["d"])


def test_d_sweep_is_the_path_integral(small):
    from metric import Joint, swept_discrepancy

    obj = simcheck.load(DOOR)
    body = obj.moved_body(obj.movable_joints[0].name).body
    fine = simcheck.calibrate([DOOR], seed=3, steps=17).rows
    mine = fine.filter(pl.col("joint") == obj.movable_joints[0].name)
    row = mine.filter((pl.col("error") == "shift") & (pl.col("range") == "declared")).row(-1, named=True)
    truth = obj.movable_joints[0].motion
    step = row["magnitude"] * (truth.upper - truth.lower)
    candidates = [
        swept_discrepancy(truth, Joint(truth.kind, truth.axis, truth.origin, truth.lower + s, truth.upper + s), body)
        for s in (step, -step)
    ]
    assert min(abs(c - row["d_sweep"]) for c in candidates) < 1e-9


def test_alpha_and_origin_change_E_alpha_alone(small):
    door = small.rows.filter(pl.col("object") == str(DOOR))
    for changes in ({"alpha": 3.0}, {"origin": "base"}):
        other = simcheck.calibrate([DOOR], seed=3, **changes).rows
        assert not np.allclose(other["E_alpha"], door["E_alpha"])
        for column in ("d", "E_B", "bound_upper"):
            np.testing.assert_allclose(other[column], door[column], rtol=1e-6, atol=1e-12)


def test_unphysical_inertia_is_clipped_and_flagged():
    rows = simcheck.calibrate([CASES / "28-inertia-not-physical" / "principal.urdf"]).rows
    assert rows["inertia_clipped"].all()
    assert not np.allclose(rows["E_B"], rows["E_B_physical"])
    assert not rows["bound_violated"].any()


def test_a_body_that_does_not_move_has_no_ratio():
    calibration = simcheck.calibrate([CASES / "50-kinetic-norm-degenerate" / "rev.urdf"])
    reasons = set(calibration.rows.filter(pl.col("ratio").is_null())["ratio_reason"])
    assert "body does not move" in reasons


# --- the summary's arithmetic, by hand -----------------------------------------------------------------------


def test_quantiles_by_hand():
    ratio = np.array([0.9, 0.96, 1.0, 1.0, 1.04, 2.0, np.nan])
    got = quantiles(ratio)
    assert got["n"] == 6
    assert got["within_5_percent"] == pytest.approx(4 / 6)
    assert got["p50"] == pytest.approx(1.0)
    assert quantiles(np.array([np.nan]))["p50"] is None


def test_spread_by_hand():
    """E/d uniform in the exponent over two decades: the 5-95 % range is 1.8 decades."""
    d = np.repeat([0.02, 0.3], 1001)
    value = d * 10 ** np.tile(np.linspace(-1, 1, 1001), 2)
    assert spread(value, d, np.ones_like(d)) == pytest.approx(1.8)
    assert spread(value[:20], d[:20], np.ones(20)) is None


def test_bins_and_groups(small):
    summary = summarise(small.rows)
    turning = small.rows.filter(
        (pl.col("kind") != "prismatic") & ~pl.col("driven_interval") & pl.col("ratio").is_not_null()
    )
    assert summary["ratio_E_B"]["n"] == turning.height
    assert sum(b["n"] for b in summary["by_largest_angle"]) == turning.height
    assert sum(b["n"] for b in summary["by_error"]) == turning.height
    edges = [math.degrees(b["lo"]) for b in summary["by_largest_angle"]]
    assert edges == pytest.approx([0, 15, 30, 60, 120, 180, 360])
    assert summary["by_largest_angle"][-1]["hi"] is None


# --- objects -------------------------------------------------------------------------------------------------


def test_the_default_objects_are_enough():
    """Issue: at least 20 objects, 60 movable joints, ten robots of pybullet_data."""
    files = default_objects()
    assert len(files) >= 20
    assert len(own_objects()) >= 16
    assert sum("pybullet_data" in str(f) for f in files) >= 10
    assert sum(len(simcheck.load(f).movable_joints) for f in files) >= 60


def test_folders_and_files_are_collected(tmp_path):
    files = collect([CASES / "01-axis-in-joint-frame-nested", ASSETS / "urdf_loaders"])
    assert [f.suffix.lower() for f in files] == [".urdf"] * 5
    with pytest.raises(UsageError, match=r"no \*\.urdf file"):
        collect([tmp_path])


# --- the command ---------------------------------------------------------------------------------------------


def test_command_writes_a_folder(tmp_path):
    out = tmp_path / "out"
    ran = run("calibrate", DOOR, DRAWER, "--out", out, "--workers", "2", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["out"] == str(out)
    files = {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()}
    figures = {f"figures/{name}.{kind}" for name in ("calibration", "residual") for kind in ("png", "svg")}
    assert files == {"rows.parquet", "rows.csv", "summary.json", "settings.json", "report.html"} | figures
    summary = json.loads((out / "summary.json").read_text())
    assert {**summary, "out": str(out)} == ran.json
    rows = pl.read_parquet(out / "rows.parquet")
    assert rows.height == summary["pairs"]
    assert pl.read_csv(out / "rows.csv").height == rows.height
    assert not np.isinf(rows.select(pl.col(pl.Float64).fill_null(0.0)).to_numpy()).any()
    settings = json.loads((out / "settings.json").read_text())
    assert set(settings["inputs"]) == {str(DOOR), str(DRAWER)}
    assert not {"out", "workers", "quiet", "debug"} & set(settings)


def test_command_prints_what_the_data_says(tmp_path):
    ran = run("calibrate", DOOR, "--out", tmp_path / "out")
    assert ran.code == 0
    for words in (
        "Calibration: 1 objects",
        "within 5 %",
        "largest angle",
        "error tilt",
        "bound violated: 0",
        "report.html",
    ):
        assert words in ran.out
    assert "━" not in ran.err  # no progress bar where stderr is no terminal


def test_other_settings_are_refused_and_forced(tmp_path):
    out = tmp_path / "out"
    assert run("calibrate", DRAWER, "--out", out).code == 0
    refused = run("calibrate", DRAWER, "--out", out, "--seed", "1")
    assert refused.code == 2
    assert "other settings (seed)" in refused.err
    (out / "mine.txt").write_text("keep")
    assert run("calibrate", DRAWER, "--out", out, "--seed", "1", "--force").code == 0
    assert json.loads((out / "settings.json").read_text())["seed"] == 1
    assert (out / "mine.txt").read_text() == "keep"
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "mine.txt").write_text("keep")
    assert run("calibrate", DRAWER, "--out", notes).code == 2


def test_bad_files_are_rows_of_failures(tmp_path):
    bad = CASES / "07-zero-axis" / "movable.urdf"
    mixed = run("calibrate", DRAWER, bad, "--out", tmp_path / "mixed", "--json")
    assert mixed.code == 1
    (failure,) = mixed.json["failures"]
    assert failure["file"] == str(bad)
    assert "axis" in failure["reason"]
    assert mixed.json["objects"] == 1
    alone = run("calibrate", bad, "--out", tmp_path / "alone", "--json")
    assert (alone.code, alone.out) == (2, "")
    assert "joint 'spin'" in alone.err
    missing = run("calibrate", tmp_path / "none.urdf", "--out", tmp_path / "missing")
    assert missing.code == 2
    assert "no such file" in missing.err


def test_all_bad_is_2(tmp_path):
    ran = run("calibrate", CASES / "22-several-roots", "--out", tmp_path / "out", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "two_trees.urdf" in ran.err


def test_nothing_to_calibrate_is_no_failure(tmp_path, write):
    ran = run("calibrate", write(robot(joint("w", "fixed", "a", "b"))), "--out", tmp_path / "out", "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["objects"], ran.json["joints"], ran.json["pairs"]) == (1, 0, 0)
    assert pl.read_parquet(tmp_path / "out" / "rows.parquet").height == 0
    assert (tmp_path / "out" / "report.html").exists()


def test_joints_without_a_body_are_skipped_with_a_reason(tmp_path, write):
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    links = f'<link name="a"/><link name="b">{inertial}</link><link name="c"/>'
    path = write(robot(joint("j", "revolute", "a", "b"), joint("k", "revolute", "b", "c"), links=links))
    result = run("calibrate", path, "--out", tmp_path / "out", "--json").json
    assert result["joints"] == 1
    (skipped,) = result["skipped"]
    assert skipped["joint"] == "k"
    assert "link 'c'" in skipped["reason"]


def test_config_file_below_flags(tmp_path):
    config = tmp_path / "simcheck.toml"
    config.write_text('seed = 5\nunit = "mm"\n[calibrate]\nalpha = 2.0\nsteps = 5\n[describe]\nalpha = 7.0\n')
    result = run("calibrate", DRAWER, "--config", config, "--steps", "3", "--out", tmp_path / "out", "--json").json
    assert [result["settings"][k] for k in ("seed", "alpha", "steps")] == [5, 2.0, 3]
    assert run("describe", DRAWER, "--config", config, "--json").json["settings"]["alpha"] == 7.0
    for text, words in (("sed = 5", "unknown key 'sed'"), ("[calibrate]\nx = 1", "unknown key 'x'"), ("a = ", "toml")):
        config.write_text(text)
        ran = run("calibrate", DRAWER, "--config", config, "--out", tmp_path / "other")
        assert ran.code == 2
        assert words in ran.err.replace("\n", " ") or "simcheck.toml" in ran.err


# --- killed and resumed --------------------------------------------------------------------------------------


def _digest(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in ("rows.parquet", "rows.csv", "summary.json", "settings.json")}


def test_a_killed_run_resumes_and_ends_with_the_same_bytes(tmp_path):
    objects = [DRAWER, FAN, JAR, OWN / "tools" / "scissors.urdf", OWN / "electronics" / "laptop.urdf", DOOR]
    files = []
    for path in objects:  # same relative names in both runs: names are part of the rows
        files.append(str(path))
    whole = tmp_path / "whole"
    assert run("calibrate", *files, "--out", whole, "--workers", "1").code == 0
    out = tmp_path / "killed"
    done = killed("calibrate", *files, "--out", out, "--workers", "2", out=out, parts=2)
    assert done, "killed before anything was done"
    parts = out / ".parts"
    # A half-written part must not count.
    (parts / "000005.json").write_text('{"file": "ca')
    assert run("calibrate", *files, "--out", out, "--workers", "2").code == 0
    assert _digest(out) == _digest(whole)
    assert not parts.exists()
    # A finished run is only read.
    stamp = (out / "rows.parquet").stat().st_mtime_ns
    assert run("calibrate", *files, "--out", out).code == 0
    assert (out / "rows.parquet").stat().st_mtime_ns == stamp


def test_a_copy_of_the_files_gives_the_same_numbers(tmp_path):
    copy = tmp_path / "door.urdf"
    shutil.copy(DOOR, copy)
    rows = simcheck.calibrate([copy], seed=3).rows.drop("object")
    assert rows.equals(simcheck.calibrate([DOOR], seed=3).rows.drop("object"))
