"""MuJoCo behind the same interface (the extra ``mujoco``): the same sweeps, its own stops, a second opinion."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from small_files import CLEAN, HINGE, SLIDE, one

import simcheck
from simcheck.defaults import own_objects
from simcheck.engine import canonical, open_engine, single_joint

pytest.importorskip("mujoco")

NAMES = ("jar", "cabinet", "track_lights", "turnbuckle", "fishing_reel")


def objects():
    return [p for p in own_objects() if p.stem in NAMES]


@pytest.mark.parametrize("path", objects(), ids=lambda p: p.stem)
def test_sweeps_agree_with_pybullet_and_with_the_closed_form(path):
    obj = simcheck.load(path)
    sweeps = []
    for name in ("mujoco", "pybullet"):
        with open_engine(name) as engine:
            engine.load(canonical(obj))
            sweeps.append(
                [engine.sweep(j.name, [0.0, 0.3, 0.7], [j.child]).displacements() for j in obj.movable_joints]
            )
    np.testing.assert_allclose(*sweeps, atol=1e-12 * obj.size)
    for entry in simcheck.drive(obj, engine="mujoco")["joints"]:
        assert entry["placement_error"] < 1e-12


@pytest.mark.parametrize("path", objects(), ids=lambda p: p.stem)
def test_joints_stop_at_their_limits(path):
    """Springs, not walls: a joint let go beyond its limit comes back to it."""
    obj = simcheck.load(path)
    with open_engine("mujoco") as engine:
        for joint in obj.movable_joints:
            engine.load(single_joint(obj, joint))
            reach = obj.size if joint.kind == "prismatic" else 2 * math.pi
            stops = engine.press(joint.name, joint.lower, joint.upper, reach)
            span = joint.upper - joint.lower
            assert stops == pytest.approx((joint.lower, joint.upper), abs=1e-9 * (span if math.isfinite(span) else 1))


def test_a_second_opinion_agrees_on_clean_objects_and_sees_what_it_does_otherwise(tmp_path):
    result = simcheck.verify(objects(), engine="mujoco", sweep=False, motor=False)
    assert all(entry["ok"] for entry in result["files"])
    path = tmp_path / "r.urdf"
    path.write_text(CLEAN)
    assert simcheck.verify(path, engine="mujoco")["files"][0]["infos"] == []
    # MuJoCo normalises the axis of a slide, PyBullet does not.
    path.write_text(one(SLIDE.replace('axis xyz="1 0 0"', 'axis xyz="2 0 0"')))
    (entry,) = simcheck.verify(path, engine="mujoco")["files"]
    said = [f["message"] for f in entry["errors"] if f["code"] == "SIM_MOTION"]
    assert len(said) == 1
    assert said[0].startswith("PyBullet")
    # Both turn on where lower is greater than upper.
    path.write_text(one(HINGE.replace('lower="-0.5"', 'lower="2"')))
    (entry,) = simcheck.verify(path, engine="mujoco")["files"]
    said = [f["message"].split(" ")[0] for f in entry["errors"] if f["code"] == "SIM_LIMITS"]
    assert sorted(said) == ["MuJoCo", "PyBullet"]
    # It refuses what PyBullet sets to zero.
    path.write_text(re.sub('izz="[^"]*"', 'izz="9"', CLEAN))
    (entry,) = simcheck.verify(path, engine="mujoco")["files"]
    assert any(f["message"].startswith("MuJoCo refuses") for f in entry["errors"]), entry["errors"]
