"""Driving: PyBullet against the closed form, effective limits, what moves, copies, our reading against PyBullet's."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from urdf_and_command import ASSETS, CASES, joint, robot, run

import simcheck
from metric import Joint, exp
from simcheck.defaults import default_objects
from simcheck.driving import driven_interval
from simcheck.engine import canonical, open_engine, single_joint
from simcheck.engine.model import MAX_JOINTS, as_written, fits, needed_for
from simcheck.errors import SimulationError
from simcheck.perturb import perturbed
from simcheck.workers import Workers


@pytest.fixture(scope="module")
def workers():
    with Workers(2) as pool:
        yield pool


@pytest.mark.parametrize("path", default_objects(), ids=lambda p: p.stem)
def test_default_objects_move_as_the_closed_form(path, workers):
    """Placement within 1e-12 of the size, stops within 1e-9 of (range + |limit|), nothing else moves."""
    obj = simcheck.load(path)
    result = simcheck.drive(obj, mode="motor", workers=workers)
    assert [j["name"] for j in result["joints"]] == [j.name for j in obj.movable_joints]
    for entry in result["joints"]:
        motion = obj.joint(entry["name"]).motion
        assert entry["placement_error"] <= 1e-12, entry["name"]
        assert set(entry["moves"]) == set(obj.downstream(obj.joint(entry["name"]).child))
        np.testing.assert_allclose(entry["axis"], motion.axis, atol=1e-12)
        assert entry["effective"] is not None
        for stop, limit in zip(map(float, entry["effective"]), motion.limits, strict=True):
            if math.isinf(limit):
                assert stop == limit
            elif motion.bounded:
                assert abs(stop - limit) <= 1e-9 * (motion.upper - motion.lower + abs(limit))
    told = [w for w in result["warnings"] if "moves it otherwise" in w["message"]]
    assert not told, told


kinds = st.sampled_from(["revolute", "prismatic", "helical", "continuous"])
units = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)
points = st.tuples(*[st.floats(-2, 2)] * 3)
limits = st.tuples(st.floats(-6, 6), st.floats(-6, 6)).map(sorted)


@settings(max_examples=40)
@given(kinds, units, points, limits, st.floats(-0.5, 0.5), units, points)
def test_any_joint_in_any_place(kind, axis, origin, interval, pitch, below_axis, below_origin):
    """A random joint with another one below it: simulated placements of both links against exp(q xi)."""
    unit = np.array(axis) / np.linalg.norm(axis)
    motion = Joint(kind, tuple(unit), origin, *interval, pitch=pitch)
    base = simcheck.load(CASES / "01-axis-in-joint-frame-nested" / "crate.urdf")
    below = Joint("revolute", tuple(np.array(below_axis) / np.linalg.norm(below_axis)), below_origin, -1, 1)
    obj = perturbed(perturbed(base, "swing", motion), "poke", below)
    with open_engine() as engine:
        model = canonical(obj)
        engine.load(model)
        q = np.array([0.0, *np.linspace(*driven_interval(obj.joint("swing"), obj.size), 7)])
        moved = engine.sweep("swing", q, ["flap", "peg"]).displacements()
        still = engine.sweep("poke", [0.0, 0.7], ["flap"])
    centred = motion.screw.copy()
    centred[3:] -= np.cross(model.centre, centred[:3])
    for link in (0, 1):
        np.testing.assert_allclose(
            moved[:, link], exp(q[:, None] * centred), atol=3e-14 * (1 + abs(interval[0]) + abs(interval[1]))
        )
    assert (still.quaternion[1] == still.quaternion[0]).all()
    assert (still.position[1] == still.position[0]).all()


@settings(max_examples=25)
@given(kinds, limits, st.floats(1e-9, 1e3), st.floats(-0.3, 0.3))
def test_motor_stops_at_any_limits(kind, interval, scale, pitch):
    base = simcheck.load(CASES / "05-base-com-offset" / "safe.urdf")
    lower, upper = (scale * end for end in interval)
    motion = Joint(kind, (0.6, 0, 0.8), (0.1, 0.2, 0.3), lower, upper, pitch=pitch)
    obj = perturbed(base, "hinge", motion)
    reach = obj.size if kind == "prismatic" else 2 * math.pi
    with open_engine() as engine:
        engine.load(single_joint(obj, obj.joint("hinge")))
        stops = engine.press("hinge", motion.lower, motion.upper, reach)
    for stop, limit in zip(stops, motion.limits, strict=True):
        if math.isinf(limit):
            assert stop == limit
        else:
            assert abs(stop - limit) <= 1e-9 * (upper - lower + abs(limit)) + 1e-15


def test_a_limit_held_otherwise_is_found():
    """A simulator that stops elsewhere than the file says is seen: here the copy is told another limit."""
    obj = simcheck.load(CASES / "05-base-com-offset" / "safe.urdf")
    wrong = perturbed(obj, "hinge", Joint("revolute", (0, 0, 1), (0.3, 0.1, 0), 0.2, 0.9))
    with open_engine() as engine:
        engine.load(single_joint(wrong, wrong.joint("hinge")))
        assert engine.press("hinge", 0.0, 1.2, 2 * math.pi) == pytest.approx((0.2, 0.9), abs=1e-9)
        free = perturbed(obj, "hinge", Joint("continuous", (0, 0, 1), (0.3, 0.1, 0)))
        engine.load(single_joint(free, free.joint("hinge")))
        assert engine.press("hinge", -1.0, 1.0, 2 * math.pi) == (-math.inf, math.inf)


@pytest.mark.parametrize("mode", ["kinematic", "motor"])
def test_more_than_120_joints(write, mode):
    """PyBullet reads joints beyond the 121st back as 0; every joint of a pruned copy is read right."""
    count = 140
    names = [f"l{k}" for k in range(count + 1)]
    links = "".join(f'<link name="{n}"/>' for n in names)
    joints = [
        joint(f"j{k}", "revolute", names[k // 2], names[k + 1], xyz="0.1 0 0.1", axis="0 1 1") for k in range(count)
    ]
    obj = simcheck.load(write(robot(*joints, links=links)))
    assert not fits(obj)
    with pytest.raises(SimulationError, match="more than 120 joints"):
        canonical(obj)
    wanted = ["j0", "j70", "j139"]
    result = simcheck.drive(obj, joints=wanted, mode=mode)
    for entry in result["joints"]:
        assert entry["placement_error"] < 1e-12
        assert obj.joint(entry["name"]).child in entry["moves"]
        if mode == "motor":
            assert entry["effective"] == pytest.approx([0, 1], abs=1e-9)
    assert "beyond the 121st" in json.dumps(result["warnings"])


def test_a_chain_deeper_than_a_copy(write):
    count = 200
    links = "".join(f'<link name="l{k}"/>' for k in range(count + 1))
    chain = [joint(f"j{k}", "revolute", f"l{k}", f"l{k + 1}", xyz="0.01 0 0", rpy="0.1 0.2 0.3") for k in range(count)]
    obj = simcheck.load(write(robot(*chain, links=links)))
    (entry,) = simcheck.drive(obj, joints=["j199"])["joints"]
    assert entry["placement_error"] < 1e-12
    assert len(canonical(obj, "j199").links) <= MAX_JOINTS
    assert needed_for(obj, "j199", np.zeros(3), 1.0).text.count("<joint") <= MAX_JOINTS


def test_far_from_the_origin_nothing_is_lost(write):
    """The copy is centred: a hinge 10 km away is as exact as one at home."""
    path = write(
        robot(joint("far", "fixed", "a", "b", xyz="10000 0 0"), joint("j", "revolute", "b", "c", xyz="0 0.1 0"))
    )
    (entry,) = simcheck.drive(path)["joints"]
    assert entry["placement_error"] < 1e-12


def test_unbounded_joints_are_driven_over_a_turn_or_the_size(write):
    obj = simcheck.load(
        write(
            robot(
                joint("c", "continuous", "a", "b"),
                joint("up", "revolute", "b", "c", limit='lower="1" upper="inf"'),
                joint("p", "prismatic", "c", "d", limit='lower="-inf" upper="inf"'),
            )
        )
    )
    entries = {j["name"]: j for j in simcheck.drive(obj, mode="motor")["joints"]}
    assert entries["c"]["driven"] == pytest.approx([-math.pi, math.pi])
    assert entries["c"]["effective"] == ["-inf", "inf"]
    assert entries["up"]["driven"] == pytest.approx([1, 1 + 2 * math.pi])
    assert entries["up"]["effective"] == [pytest.approx(1, abs=1e-9), "inf"]
    assert entries["p"]["driven"] == pytest.approx([-obj.size / 2, obj.size / 2])


def test_without_a_body_the_size_box_is_measured(write):
    path = write(robot(joint("j", "revolute", "a", "b", xyz="1 0 0"), links='<link name="a"/><link name="b"/>'))
    (entry,) = simcheck.drive(path)["joints"]
    assert entry["rms_displacement"] is None
    assert entry["placement_error"] < 1e-12


def test_pybullet_reads_the_text_as_we_do():
    """`--as-is` drives the user's own text; where both readings agree nothing is said."""
    path = CASES / "01-axis-in-joint-frame-nested" / "crate.urdf"
    result = run("drive", path, "--as-is", "--json").json
    assert max(j["placement_error"] for j in result["joints"]) < 1e-9
    assert not run("drive", path, "--json").json["warnings"]


def test_known_disagreements_are_told_with_their_cause():
    result = run("drive", ASSETS / "minimal" / "pris_axis2.urdf", "--json").json
    told = [w["message"] for w in result["warnings"]]
    assert any("moves it otherwise" in m and "does not normalise a prismatic axis" in m for m in told)


def test_a_file_that_pybullet_refuses_is_driven_all_the_same(write):
    path = write(robot(joint("t", "screw", "a", "b", more='<thread_pitch value="0.01"/>')))
    result = run("drive", path, "--json").json
    (entry,) = result["joints"]
    assert entry["placement_error"] < 1e-12
    assert any("does not take the file as it stands" in w["message"] for w in result["warnings"])
    refused = run("drive", path, "--as-is", "--json")
    assert (refused.code, refused.out) == (2, "")


def test_helical_spelled_by_two_joints_moves_as_one_in_the_text_too(write):
    mimic = '<mimic joint="turn" multiplier="-0.01"/>'
    text = robot(
        joint("turn", "revolute", "a", "h", limit='lower="0" upper="6"'),
        joint("slide", "prismatic", "h", "b", limit='lower="-1" upper="0"', axis="0 0 -1", more=mimic),
        links='<link name="a"/><link name="h"/><link name="b"/>',
    )  # fmt: skip
    obj = simcheck.load(write(text))
    model = as_written(obj, text.encode())
    assert model.coordinates["turn"] == (("turn", 1.0), ("slide", -0.01))
    (entry,) = simcheck.drive(obj, as_is=True)["joints"]
    assert entry["placement_error"] < 1e-9


def test_joints_can_be_chosen():
    path = CASES / "01-axis-in-joint-frame-nested" / "crate.urdf"
    assert [j["name"] for j in run("drive", path, "--joint", "poke", "--json").json["joints"]] == ["poke"]
    unknown = run("drive", path, "--joint", "pok")
    assert unknown.code == 2
    assert "no joint 'pok'; the joints are: swing, poke" in unknown.err


def test_no_movable_joint(write):
    path = write(robot(joint("w", "fixed", "a", "b")))
    for command in ("describe", "drive"):
        ran = run(command, path, "--json")
        assert (ran.code, ran.json["joints"]) == (0, [])
        assert "no movable joint" in run(command, path).out


def test_bad_options():
    path = CASES / "01-axis-in-joint-frame-nested" / "crate.urdf"
    for flags, words in (
        (("--steps", "1"), "--steps"),
        (("--mode", "electric"), "--mode"),
        (("--as-is", "--mode", "motor"), "--as-is"),
        (("--density", "-1"), "--density"),
    ):
        ran = run("drive", path, *flags)
        assert ran.code == 2
        assert words in ran.err
