"""Runs of ``simcheck benchmark`` at any scale, the submission checker, ``results``, the accumulator, pytest."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from cabinets import bytes_of, cabinet, methods_of, put, summary_of
from urdf_and_command import joint, killed, robot, run

import simcheck
from simcheck.saved_runs import compare_runs
from simcheck.testing import assert_same_kinematics

# --- scale ----------------------------------------------------------------------------------------------------


def test_any_number_of_workers_gives_the_same_bytes(folders, scored, tmp_path):
    out = tmp_path / "out"
    assert run("benchmark", *methods_of(folders), "--out", out, "--workers", "3", "-q").code == 0
    assert bytes_of(out) == bytes_of(scored)


def test_a_killed_run_resumes_and_ends_with_the_same_bytes(folders, scored, tmp_path):
    out = tmp_path / "out"
    done = killed("benchmark", *methods_of(folders), "--out", out, "--workers", "1", out=out, parts=2)
    assert 2 <= done < 8
    parts = out / ".parts"
    (parts / f"{done - 1:06d}.json").write_text('{"object": "kit')  # torn: does not count
    assert run("benchmark", *methods_of(folders), "--out", out, "-q").code == 0
    assert bytes_of(out) == bytes_of(scored)
    assert not parts.exists()


def test_other_settings_are_refused_unless_forced(folders, scored, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(scored, out)
    refused = run("benchmark", *methods_of(folders), "--out", out, "--alpha", "2")
    assert refused.code == 2
    assert "other settings (alpha)" in refused.err
    assert run("benchmark", *methods_of(folders), "--out", out, "--alpha", "2", "--force", "-q").code == 0


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
        command = [sys.executable, "-m", "simcheck", "benchmark", *map(str, methods_of(folders)), "--out", str(out),
                   "--scheduler", address, "-q"]  # fmt: skip
        with subprocess.Popen(command) as process:
            while time.monotonic() < deadline and not list((out / ".parts").glob("*.json")):
                assert process.poll() is None
                time.sleep(0.01)
            processes[1].kill()
            assert process.wait(timeout=120) == 0
        assert bytes_of(out) == bytes_of(scored)
    finally:
        for started in processes:
            started.kill()
            started.wait()


# --- the checker ----------------------------------------------------------------------------------------------


def test_check_lists_every_problem_at_once(folders, tmp_path):
    poor = tmp_path / "poor"
    shutil.copytree(folders / "poor", poor)
    put(poor / "office/unknown.urdf", cabinet())
    put(poor / "office/cabinet_6/mobility.urdf", cabinet())  # a second file for the same object
    put(poor / "office/cabinet_7.urdf", cabinet().replace('upper="1.5"', 'upper="90"'))  # degrees, surely
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
    together = summary_of(scored)
    for key in ("methods", "paired", "ranks", "common_objects", "by_super_category"):
        assert found[key] == together[key], key
    clash = run("results", alone[0], scored, "--json").json
    assert [m["name"] for m in clash["methods"]] == [f"good ({alone[0]})", f"good ({scored})", "poor"]


def test_results_refuses_mixed_runs(folders, scored, tmp_path):
    other = tmp_path / "other"
    assert run("benchmark", *methods_of(folders), "--out", other, "--alpha", "2", "-q").code == 0
    mixed = run("results", scored, other, "--json")
    assert (mixed.code, mixed.out) == (2, "")
    assert "different settings: alpha 1.0 and 2.0" in mixed.err
    gt = tmp_path / "gt"
    shutil.copytree(folders / "gt", gt)
    put(gt / "kitchen/cabinet_0.urdf", cabinet(stroke=0.31))
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
    together = summary_of(scored)
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
