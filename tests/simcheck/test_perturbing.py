"""Controlled errors: one thing wrong at a time, every link in its place; and writing objects back."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from urdf_and_command import ASSETS, CASES, joint, robot

import simcheck
from metric import Body, Joint, KineticNorm, SplitNorm, joint_distance
from simcheck.asset.shapes import shapes_of
from simcheck.asset.write import urdf_text
from simcheck.defaults import own_objects
from simcheck.perturb import ERRORS, Scales, axis_angle_between, bounded, erroneous, perturbed, scaled_interval

BODY = Body(2.0, [0.4, 0.1, 0.2], np.diag([0.02, 0.03, 0.04]))
SCALES = Scales(1.5, BODY)
HINGE = Joint("revolute", (0, 0.6, 0.8), (0.1, 0.2, 0.3), -0.4, 1.2)
SLIDE = Joint("prismatic", (1, 0, 0), (0.1, 0.2, 0.3), 0.0, 0.3)
SCREW = Joint("helical", (0, 0, 1), (0.1, 0, 0), 0.0, 6.0, pitch=0.01)

seeds = st.integers(0, 2**32 - 1)
magnitudes = st.floats(1e-4, 1.0)


def with_error(motion, error, magnitude, seed=0):
    return erroneous(motion, error, magnitude, SCALES, np.random.default_rng(seed))


@given(magnitudes, seeds, st.sampled_from([HINGE, SLIDE, SCREW]))
def test_tilt_turns_the_axis_about_its_point_nearest_to_the_com(magnitude, seed, motion):
    wrong = with_error(motion, "tilt", magnitude, seed)
    assert axis_angle_between(motion, wrong) == pytest.approx(magnitude, abs=1e-12)
    assert (wrong.kind, wrong.lower, wrong.upper, wrong.pitch) == (
        motion.kind,
        motion.lower,
        motion.upper,
        motion.pitch,
    )
    axis, com = np.array(motion.axis), np.asarray(BODY.com)
    nearest = np.array(motion.origin) + axis * (axis @ (com - np.array(motion.origin)))
    np.testing.assert_allclose(wrong.origin, nearest, atol=1e-12)


@given(magnitudes, seeds, st.sampled_from([HINGE, SCREW]))
def test_origin_moves_perpendicular_to_the_axis(magnitude, seed, motion):
    wrong = with_error(motion, "origin", magnitude, seed)
    step = np.array(wrong.origin) - motion.origin
    assert np.linalg.norm(step) == pytest.approx(1.5 * magnitude)
    assert abs(step @ np.array(motion.axis)) < 1e-12
    assert wrong.axis == motion.axis


@given(magnitudes, seeds, st.sampled_from([HINGE, SLIDE, SCREW]), st.sampled_from(["lower", "upper", "shift"]))
def test_limit_errors_have_the_right_size(magnitude, seed, motion, error):
    wrong = with_error(motion, error, magnitude, seed)
    step = magnitude * (motion.upper - motion.lower)
    below, above = abs(wrong.lower - motion.lower), abs(wrong.upper - motion.upper)
    expected = {"lower": (step, 0.0), "upper": (0.0, step), "shift": (step, step)}[error]
    assert (below, above) == pytest.approx(expected, abs=1e-12)
    assert wrong.axis == motion.axis
    np.testing.assert_array_equal(wrong.origin, motion.origin)


@given(magnitudes, seeds)
def test_pitch_is_a_share_of_the_size_a_turn(magnitude, seed):
    wrong = with_error(HINGE, "pitch", magnitude, seed)
    assert wrong.kind == "helical"
    assert abs(wrong.pitch) * 2 * math.pi == pytest.approx(1.5 * magnitude)


def test_what_a_slide_cannot_get_wrong():
    assert with_error(SLIDE, "origin", 0.1) is None
    assert with_error(SLIDE, "pitch", 0.1) is None


def test_wrong_kind_keeps_the_arc_length():
    slide = with_error(HINGE, "kind", 1.0)
    arm = float(KineticNorm(BODY)(HINGE.screw))
    assert (slide.kind, slide.axis) == ("prismatic", HINGE.axis)
    assert (slide.lower, slide.upper) == pytest.approx((-0.4 * arm, 1.2 * arm))
    hinge = with_error(SLIDE, "kind", 1.0)
    np.testing.assert_allclose(hinge.origin, BODY.com)
    assert float(KineticNorm(BODY)(hinge.screw)) * hinge.upper == pytest.approx(0.3)


def test_kind_of_a_body_that_no_turn_moves_is_no_error():
    rod = Body(1.0, [0, 0, 0], np.diag([0.1, 0.1, 0.0]))
    spin = Joint("revolute", (0, 0, 1), (0, 0, 0), 0, 1)
    assert erroneous(spin, "kind", 1.0, Scales(1.0, rod), np.random.default_rng(0)) is None


@pytest.mark.parametrize("motion", [HINGE, SLIDE, SCREW])
@pytest.mark.parametrize("error", ERRORS)
def test_every_error_is_felt(motion, error):
    wrong = with_error(motion, error, 0.1)
    if wrong is not None:
        assert joint_distance(motion, wrong, SplitNorm()) > 1e-3


def test_equal_limits_have_no_range_to_err_in():
    held = Joint("revolute", (0, 0, 1), (0, 0, 0), 0.5, 0.5)
    assert with_error(held, "lower", 0.1) is None
    assert with_error(held, "all", 0.1) is not None


@given(st.floats(-5, 5), st.floats(0, 5), st.floats(0.01, 1))
def test_sub_ranges_lie_inside_next_to_rest(lower, span, fraction):
    upper = lower + span
    low, high = scaled_interval(lower, upper, fraction)
    assert lower - 1e-12 <= low <= high <= upper + 1e-12
    assert high - low == pytest.approx(fraction * span, abs=1e-9)
    nearest = min(max(0.0, lower), upper)
    assert low - 1e-12 <= nearest <= high + 1e-12


def test_bounded_continuous_is_revolute():
    assert bounded(Joint("continuous"), (-1, 2)) == Joint("revolute", lower=-1, upper=2)


# --- writing -------------------------------------------------------------------------------------------------


def same_at_rest(before, after, size):
    """Every link's material and every joint's motion stand where they stood, to 1e-12 of the size."""
    for name, link in before.links.items():
        other = after.links[name]
        assert (link.inertial is None) == (other.inertial is None)
        if link.inertial is not None:
            np.testing.assert_allclose(other.inertial.com, link.inertial.com, atol=1e-12 * size)
            scale = np.abs(link.inertial.inertia).max()
            np.testing.assert_allclose(other.inertial.inertia, link.inertial.inertia, atol=1e-12 * scale)
            assert other.inertial.mass == link.inertial.mass
        for role in ("visual", "collision"):
            shapes = zip(shapes_of(before, name, role), shapes_of(after, name, role), strict=True)
            for shape, copy in shapes:
                np.testing.assert_allclose(copy.pose, shape.pose, atol=1e-12 * max(1.0, size))
                assert (copy.kind, copy.dimensions, copy.filename) == (shape.kind, shape.dimensions, shape.filename)


def same_motions(before, after, size):
    assert [j.name for j in after.joints] == [j.name for j in before.joints]
    for old, new in zip(before.joints, after.joints, strict=True):
        assert (new.kind, new.parent, new.child) == (old.kind, old.parent, old.child)
        if old.kind != "fixed":
            np.testing.assert_allclose(new.motion.limits, old.motion.limits, rtol=1e-14)
            np.testing.assert_allclose(new.screw, old.screw, atol=1e-12 * max(1.0, size))
        assert (new.mimic is None) == (old.mimic is None)


@pytest.mark.parametrize("path", own_objects(), ids=lambda p: p.stem)
def test_objects_are_written_and_read_back(path, tmp_path):
    obj = simcheck.load(path)
    copy = tmp_path / "copy.urdf"
    copy.write_text(urdf_text(obj))
    again = simcheck.load(copy)
    same_at_rest(obj, again, obj.size)
    same_motions(obj, again, obj.size)


@pytest.mark.parametrize("error", [e for e in ERRORS if e != "kind"])
@pytest.mark.parametrize("name", ["swing", "poke"])
def test_a_prediction_is_a_real_file_with_every_link_in_its_place(tmp_path, name, error):
    """Only the perturbed joint differs, also for the joint below it; an independent reader agrees."""
    import yourdfpy

    obj = simcheck.load(CASES / "01-axis-in-joint-frame-nested" / "crate.urdf")
    scales = Scales(obj.size, obj.moved_body(name).body)
    motion = erroneous(obj.joint(name).motion, error, 0.3, scales, np.random.default_rng(1))
    if motion is None:
        return
    wrong = perturbed(obj, name, motion)
    path = tmp_path / "prediction.urdf"
    path.write_text(urdf_text(wrong))
    again = simcheck.load(path)
    same_at_rest(obj, again, obj.size)
    same_motions(wrong, again, obj.size)
    model = yourdfpy.URDF.load(str(path), load_meshes=False)
    for link in obj.links.values():
        if link.inertial is not None:
            frame = model.get_transform(link.name) @ model.link_map[link.name].inertial.origin
            np.testing.assert_allclose(frame[:3, 3], link.inertial.com, atol=1e-12)


def test_mesh_names_can_be_mapped(tmp_path):
    obj = simcheck.load(CASES / "32-mesh-inside-out" / "good.urdf")
    folder = CASES / "32-mesh-inside-out"
    text = urdf_text(obj, lambda name: str(folder / name))
    assert str(folder / "good.obj") in text
    path = Path(tmp_path / "copy.urdf")
    path.write_text(text)
    moved = simcheck.load(path, packages={"here": str(folder)}).moved_body("fold")
    np.testing.assert_allclose(moved.body.com, obj.moved_body("fold").body.com)


def test_unlimited_joints_survive_writing(tmp_path, write):
    text = robot(
        joint("c", "continuous", "a", "b"),
        joint("up", "revolute", "b", "c", limit='lower="1" upper="inf"'),
        joint("t", "screw", "c", "d", limit=None, more='<thread_pitch value="-0.01"/>'),
    )
    obj = simcheck.load(write(text))
    again = simcheck.load(write(urdf_text(obj), "again.urdf"))
    same_motions(obj, again, 1.0)


def test_files_that_others_wrote_survive_writing(tmp_path):
    for path in sorted(ASSETS.rglob("*.urdf")):
        try:
            obj = simcheck.load(path)
        except simcheck.AssetError:
            continue
        copy = tmp_path / "copy.urdf"
        copy.write_text(urdf_text(obj))
        again = simcheck.load(copy)
        reach = 1 + max(float(np.abs(link.pose[:3, 3]).max()) for link in obj.links.values())
        same_at_rest(obj, again, reach)
        same_motions(obj, again, reach)
