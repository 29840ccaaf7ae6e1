"""Moving and scaling whole objects: distances follow as they must."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from urdf_and_command import TESTS

import simcheck
from metric import KineticNorm, cost_to_fixed, exp, motion_discrepancy
from metric.joint import Joint
from simcheck.asset.frames import base_centre, shifted, transformed

URDFS = TESTS.parent / "urdfs"
OBJECTS = [
    simcheck.load(URDFS / p) for p in ("containers/jar.urdf", "furniture/swivel_chair.urdf", "toys/windmill.urdf")
]

twists = st.tuples(*[st.floats(-2, 2)] * 6)


@given(st.sampled_from(OBJECTS), twists, st.floats(0.1, 10))
def test_E_B_and_d_follow_scale_and_ignore_the_frame(obj, twist, scale):
    moved = transformed(obj, np.asarray(exp(twist)), scale)
    for before, after in zip(obj.movable_joints, moved.movable_joints, strict=True):
        if not before.motion.bounded:
            continue
        bodies = [o.moved_body(before.name).body for o in (obj, moved)]
        e = [cost_to_fixed(j.motion, KineticNorm(b)) for j, b in zip((before, after), bodies, strict=True)]
        d = [motion_discrepancy(j.motion, Joint("fixed"), b) for j, b in zip((before, after), bodies, strict=True)]
        assert e[1] == pytest.approx(scale * e[0], rel=1e-7, abs=1e-9)
        assert d[1] == pytest.approx(scale * d[0], rel=1e-7, abs=1e-9)


@given(st.sampled_from(OBJECTS), st.floats(0.1, 10))
def test_geometry_scales_with_the_object(obj, scale):
    grown = transformed(obj, np.eye(4), scale)
    np.testing.assert_allclose(grown.box, scale * obj.box, rtol=1e-9, atol=1e-9)


@given(st.sampled_from(OBJECTS), st.tuples(*[st.floats(-3, 3)] * 3))
def test_shift_moves_everything_and_is_recorded(obj, vector):
    moved = shifted(obj, np.array(vector))
    np.testing.assert_allclose(moved.box, obj.box - vector, atol=1e-9)
    np.testing.assert_allclose(moved.shift, vector)
    np.testing.assert_allclose(base_centre(moved), base_centre(obj) - vector, atol=1e-9)


def test_there_and_back():
    obj = OBJECTS[1]
    placement = np.asarray(exp([0.3, -0.2, 0.5, 1, 2, 3]))
    there = transformed(obj, placement, 2.0)
    inverse = np.linalg.inv(placement)
    inverse[:3, 3] /= 2.0
    back = transformed(there, inverse, 0.5)
    for a, b in zip(obj.joints, back.joints, strict=True):
        np.testing.assert_allclose(a.screw, b.screw, atol=1e-12)
        np.testing.assert_allclose(a.motion.limits, b.motion.limits, rtol=1e-12)
    np.testing.assert_allclose(back.box, obj.box, atol=1e-12)
