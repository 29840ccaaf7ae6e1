"""Compare: bringing a prediction into the frame of its truth."""

from __future__ import annotations

import numpy as np
import pytest
from urdf_and_command import TESTS, case, compared, joint, robot, run

import simcheck
from metric import exp
from simcheck.asset.frames import transformed
from simcheck.asset.write import urdf_text

CABINET = TESTS.parent / "urdfs" / "storage" / "cabinet.urdf"


def test_up_scale_and_placement(tmp_path, write):
    """A prediction in another frame and unit comes back to zero, and the record says how."""
    truth = simcheck.load(CABINET)
    turned = np.eye(4)
    turned[:3, :3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # z up -> y up
    guess = write(urdf_text(transformed(truth, turned, 1000.0), lambda n: str(CABINET.parent / n)), "y_up_mm.urdf")
    assert max(j["E_B"] for j in compared(CABINET, guess)["joints"]) > 0.01
    result = compared(CABINET, guess, flags=("--up", "y", "--scale", "0.001"))
    assert max(j["E_B"] for j in result["joints"]) < 1e-9
    assert result["applied"]["scale"] == 0.001
    assert result["settings"]["up"] == "y"
    shift = np.asarray(exp([0.1, 0.2, 0.3, 1, 2, 3]))
    away = write(urdf_text(transformed(truth, np.linalg.inv(shift)), lambda n: str(CABINET.parent / n)), "away.urdf")
    matrix = tmp_path / "placement.txt"
    np.savetxt(matrix, shift)
    assert max(j["E_B"] for j in compared(CABINET, away, flags=("--align", matrix))["joints"]) < 1e-9
    link = truth.joints[0].child
    assert max(j["E_B"] for j in compared(CABINET, away, flags=("--align", f"base:{link}"))["joints"]) < 1e-9


def test_align_bbox(write):
    truth = simcheck.load(CABINET)
    small = transformed(truth, np.asarray(exp([0, 0, 0, 3, -1, 2])), 0.1)
    guess = write(urdf_text(small, lambda n: str(CABINET.parent / n)), "small.urdf")
    result = compared(CABINET, guess, flags=("--align", "bbox"))
    assert max(j["E_B"] for j in result["joints"]) < 1e-6
    assert result["applied"]["scale"] == pytest.approx(10.0)


def test_bad_frames(tmp_path):
    matrix = tmp_path / "m.txt"
    np.savetxt(matrix, 2 * np.eye(4))
    for flags, words in ((("--align", "base:nolink"), "no such link"), (("--align", matrix), "not a rigid placement"),
                         (("--align", "nothing"), "--align"), (("--up", "w"), "--up"), (("--scale", "-1"), "--scale"),
                         (("--base", "x"), "--base"), (("--fallback", "x"), "--fallback"),
                         (("--impute-limits", "x"), "--impute-limits"), (("--protocols", "nope"), "nope")):  # fmt: skip
        ran = run("compare", CABINET, CABINET, *flags)
        assert ran.code == 2, flags
        assert words in ran.err


def test_origin_base_changes_E_alpha_alone():
    gt, guess = case("04", "gt.urdf", "pred.urdf")
    world, base = compared(gt, guess)["joints"][0], compared(gt, guess, flags=("--origin", "base"))["joints"][0]
    assert base["E_B"] == pytest.approx(world["E_B"])
    assert base["d"] == pytest.approx(world["d"])


def test_another_base_link_is_seen_and_freed(write):
    """A two-joint arm exported from its tip: written, it differs; placed and with a free base, it does not."""
    arm = robot(
        joint("j", "revolute", "a", "b", xyz="1 0 0", limit='lower="0" upper="1"'),
        joint("k", "revolute", "b", "c", xyz="0 1 0", axis="1 0 0", limit='lower="-0.5" upper="0.2"'),
    )
    gt = write(arm, "gt.urdf")
    turned = robot(
        joint("k", "revolute", "c", "b", axis="1 0 0", limit='lower="-0.2" upper="0.5"'),
        joint("j", "revolute", "b", "a", xyz="0 -1 0", limit='lower="-1" upper="0"'),
    )
    guess = write(turned, "pred.urdf")
    result = compared(gt, guess)
    assert result["tree"]["E_alpha"]["value"] > 0.1
    assert result["remarks"]
    assert "base link 'c'" in result["remarks"][0]
    freed = compared(gt, guess, flags=("--align", "base:c", "--base", "free"))
    assert freed["tree"]["E_alpha"]["value"] == pytest.approx(0.0, abs=1e-12)
    assert freed["tree"]["E_alpha"]["base"] == "a"
