"""The command line: start, help, exit codes, what goes to which stream, tables and units."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import pytest
from rich.markup import render
from typer.main import get_command
from urdf_and_command import CASES, TESTS, joint, robot, run

from simcheck.cli.app import app

CRATE = CASES / "01-axis-in-joint-frame-nested" / "crate.urdf"
HEAVY = ("pybullet", "yourdfpy", "trimesh", "scipy", "matplotlib", "polars", "numpy")


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("calibrate", "--help"), ("describe", "--help"), ("explain", "CYCLE")]
)
def test_help_starts_without_heavy_imports(arguments):
    code = (
        "import sys, runpy\n"
        f"sys.argv = ['simcheck', *{arguments!r}]\n"
        "try:\n    runpy.run_module('simcheck', run_name='__main__')\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        f"print('IMPORTED', [m for m in {HEAVY!r} if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "IMPORTED []"


def test_help_names_every_command():
    out = run("--help").out
    for command in ("calibrate", "describe", "drive"):
        assert command in out
    assert run("--version").out.startswith("simcheck ")


def test_no_word_of_a_help_text_is_lost_as_markup():
    def texts(command, path):
        yield path, command.help
        yield from ((f"{path} {p.name}", p.help) for p in command.params if getattr(p, "help", None))
        for name, below in getattr(command, "commands", {}).items():
            yield from texts(below, f"{path} {name}")

    found = dict(texts(get_command(app), "simcheck"))
    assert "simcheck suite generate workers" in found
    for where, text in found.items():
        assert render(text).plain == text, where


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("describ", CRATE), "describ"),
        (("describe",), "URDF"),
        (("describe", CRATE, "--alpa", "2"), "--alpa"),
        (("describe", CRATE, "--alpha", "x"), "--alpha"),
        (("describe", CRATE, "--body", "half"), "--body"),
        (("describe", CRATE, "--alpha", "0"), "alpha"),
        (("describe", CRATE, "--kappa", "-1"), "kappa"),
        (("describe", CRATE, "--density", "nan"), "--density"),
        (("describe", CRATE, "--package", "nodir"), "NAME=DIR"),
        (("describe", CRATE, "--package", "a=/nowhere"), "not a folder"),
        (("calibrate", CRATE, "--workers", "-1"), "--workers"),
        (("calibrate", CRATE, "--config", "/nowhere.toml"), "nowhere.toml"),
    ],
)
def test_bad_usage_is_2_with_a_word_on_stderr(arguments, words, tmp_path):
    extra = ("--out", tmp_path / "out") if arguments[0] == "calibrate" else ()
    ran = run(*arguments, *extra)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_debug_shows_the_traceback():
    done = subprocess.run(
        [sys.executable, "-m", "simcheck", "describe", "none.urdf", "--debug"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" in done.stderr
    assert done.stdout == ""


def test_without_the_extra_it_says_what_to_install(tmp_path):
    """`simcheck` on a core installation: one line, exit 2."""
    (tmp_path / "typer.py").write_text("raise ModuleNotFoundError(\"No module named 'typer'\", name='typer')")
    done = subprocess.run(
        [sys.executable, "-m", "simcheck", "describe", str(CRATE)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{TESTS.parent}"},
    )
    assert done.returncode == 2
    assert "articulate-simcheck[sim]" in done.stderr
    assert "Traceback" not in done.stderr


def test_json_is_alone_on_stdout():
    ran = run("describe", CASES / "25-mimic-offset-rest-pose" / "claw.urdf", "--json")
    result = json.loads(ran.out)
    assert ran.err == ""
    for key in ("schema", "version", "command", "settings", "frame", "warnings"):
        assert key in result
    assert result["schema"] == 1
    assert result["frame"] == {"origin": "world", "shift": [0, 0, 0]}
    (digest,) = result["settings"]["inputs"].values()
    assert len(digest) == 64


def test_fields_of_describe():
    result = run("describe", CRATE, "--json", "--all").json
    assert set(result) >= {"file", "name", "links", "joints"}
    fields = {"name", "members", "kind", "parent", "child", "axis", "origin", "lower", "upper", "pitch", "mimic",
              "screw", "endpoints", "phi_endpoints", "body", "to_fixed", "null_reasons"}  # fmt: skip
    for entry in result["joints"]:
        assert set(entry) == fields
        assert set(entry["body"]) == {"mass", "com", "inertia", "volume", "principal_moments", "source"}
        assert set(entry["to_fixed"]) == {"E_alpha", "E_B", "E_alpha_phi", "E_B_phi", "d"}
    assert set(result["links"][0]) == {"name", "position", "rotation"}


def test_fixed_joints_are_listed_on_demand(write):
    path = write(robot(joint("w", "fixed", "a", "b"), joint("z", "revolute", "b", "c", limit='lower="0" upper="0"')))
    plain = run("describe", path, "--json").json
    assert [j["name"] for j in plain["joints"]] == ["z"]
    assert any("never moves" in w["message"] for w in plain["warnings"])
    welded, _ = run("describe", path, "--json", "--all").json["joints"]
    assert (welded["axis"], welded["origin"], welded["body"], welded["screw"]) == (None, None, None, [0] * 6)


def test_fields_of_drive():
    result = run("drive", CRATE, "--json", "--mode", "motor").json
    fields = {"name", "kind", "driven", "effective", "placement_error", "rms_displacement", "moves", "axis"}
    assert all(set(entry) == fields for entry in result["joints"])


def test_origin_at_the_base(write):
    base = '<link name="a"><visual><origin xyz="1 2 3"/><geometry><box size="1 1 1"/></geometry></visual></link>'
    path = write(robot(joint("j", "revolute", "a", "b", xyz="1 0 0"), links=base + '<link name="b"/>'))
    result = run("describe", path, "--json", "--origin", "base").json
    assert result["frame"] == {"origin": "base", "shift": [1, 2, 3]}
    (entry,) = result["joints"]
    assert entry["origin"] == [0, -2, -3]
    assert entry["axis"] == [0, 0, 1]
    world = run("describe", path, "--json").json["joints"][0]
    assert world["to_fixed"]["E_alpha"] == pytest.approx(math.sqrt(2))
    assert entry["to_fixed"]["E_alpha"] == pytest.approx(math.sqrt(1 + 4))


def test_tables_have_units_in_their_header():
    ran = run("describe", CRATE, "--unit", "mm", "--angle", "deg")
    assert "limits [°, mm]" in ran.out
    assert "E_B [mm]" in ran.out
    assert "-50 … 150" in ran.out
    assert "74.48" in ran.out or "74.5" in ran.out


def test_tables_explain_their_dashes():
    ran = run("describe", CASES / "10-continuous-no-limit-tag" / "gt.urdf")
    assert "−∞ … ∞" in ran.out
    assert "ask for E^phi" in ran.err
    assert ran.code == 0


def test_names_are_not_markup(write):
    path = write(robot(joint("[red]lid[/red]", "revolute", "a", "b")))
    assert "[red]lid[/red]" in run("describe", path).out


def test_warnings_are_on_stderr_and_can_be_silenced():
    path = CASES / "25-mimic-offset-rest-pose" / "claw.urdf"
    assert "warning:" in run("describe", path).err
    assert run("describe", path, "-q").err == ""


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m simcheck describe {CRATE} --json | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "{"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_out_saves_the_result(tmp_path):
    for command in ("describe", "drive"):
        out = tmp_path / command
        ran = run(command, CRATE, "--out", out, "--json")
        assert ran.code == 0
        assert json.loads((out / "summary.json").read_text()) == ran.json
        assert (out / "settings.json").exists()
        for name in ("rows.parquet", "rows.csv", "report.html"):
            assert (out / name).exists(), name


def test_output_is_the_same_twice():
    assert run("describe", CRATE, "--json").out == run("describe", CRATE, "--json").out
