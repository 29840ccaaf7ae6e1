"""Files written by hand, with screws, limits and bodies derived by hand (v = o × a)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from format_writers import GOLDEN

from simcheck.formats import load_prediction

INF = math.inf
TURN = math.pi / 2
NO = (0.0,) * 6

# file -> joint -> kind, screw (ω, v), limits, parent, child
ANSWERS = {
    "cage": {
        "door_1_joint": ("revolute", (0, 1, 0, -0.3, 0, -0.4), (-TURN, 0), "base_0", "door_1"),
        "drawer_2_joint": ("prismatic", (0, 0, 0, 0, 0, 1), (0, 0.25), "base_0", "drawer_2"),
        "knob_3_joint": ("continuous", (0, 0, 1, -0.2, -0.1, 0), (-INF, INF), "drawer_2", "knob_3"),
        "handle_4_joint": ("fixed", NO, (0, 0), "door_1", "handle_4"),
        "lid_5_joint": ("prismatic", (0, 0, 0, 0, 1, 0), (0, 0.05), "base_0", "lid_5"),
    },
    "partnet_mobility": {
        "joint_0": ("revolute", (0, -1, 0, 0.5, 0, 0.5), (0, TURN), "link_2", "link_0"),
        "joint_1_slide": ("prismatic", (0, 0, 0, 0, 1, 0), (-0.02, 0.1), "link_2", "link_1_helper"),
        "joint_1": ("continuous", (0, 1, 0, -0.1, 0, 0.2), (-INF, INF), "link_1_helper", "link_1"),
        "joint_2": ("fixed", NO, (0, 0), "base", "link_2"),
        "joint_3": ("continuous", (0, 0, 1, 0, -0.1, 0), (-INF, INF), "link_0", "link_3"),
        "joint_4": ("prismatic", (0, 0, 0, 0, 0, 1), (-0.3, 0), "link_2", "link_4"),
        "joint_5": ("fixed", NO, (0, 0), "link_4", "link_5"),
        "joint_6": ("prismatic", (0, 0, 0, 1, 0, 0), (-INF, INF), "link_2", "link_6"),
    },
    "paris_trans": {
        "joint_0": ("revolute", (0, 0, 1, -0.2, -0.5, 0), (-35 * TURN / 90, 10 * TURN / 90), "base", "part_0"),
    },
    "paris_several": {
        "joint_0": ("revolute", (1, 0, 0, 0, 0, -1), (0, math.pi / 3), "base", "part_0"),
        "joint_1": ("prismatic", (0, 0, 0, 0, 0.6, 0.8), (0.1, 0.4), "base", "part_1"),
    },
    "paris_estimate": {
        "joint_0": ("revolute", (0, 0, -1, 0.2, 0.5, 0), (0, math.pi / 4), "base", "part_0"),
    },
    "digital_twin_art": {
        "joint_0": ("revolute", (0, 0, 1, 2, -1, 0), (0, TURN), "base", "part_0"),
        "joint_1": ("prismatic", (0, 0, 0, 0.6, 0, 0.8), (0, 0.5), "base", "part_1"),
    },
    "plain": {
        "hinge": ("revolute", (0, 0, 1, 0.3, -0.5, 0), (0, TURN), "body", "door"),
        "jack": ("helical", (0, 0, 1, 0, -0.5, 0.01), (-INF, math.pi), "body", "foot"),
        "wheel": ("continuous", (1, 0, 0, 0, -0.1, 0), (-INF, INF), "foot", "tyre"),
        "slide": ("prismatic", (0, 0, 0, 0, 1, 0), (-0.2, 0.5), "body", "tray"),
        "weld": ("fixed", NO, (0, 0), "door", "mirror"),
    },
    "plain_list": {
        "door": ("revolute", (0, 0, 1, 0, -1, 0), (-1.5, 0.5), "base", "door_part"),
        "drawer": ("prismatic", (0, 0, 0, 1, 0, 0), (-INF, INF), "base", "drawer_part"),
    },
}
FORMATS = {"paris_trans": "paris", "paris_several": "paris", "paris_estimate": "paris", "plain_list": "plain"}
LISTS = {"paris_several", "digital_twin_art", "plain_list"}


def words(prediction) -> str:
    return "\n".join(str(w) for w in prediction.warnings)


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_by_hand(name):
    prediction = load_prediction(GOLDEN / f"{name}.json", limits_may_be_missing=name == "plain_list")
    assert prediction.format == FORMATS.get(name, name)
    assert prediction.tree_known == (name not in LISTS)
    assert {j.name for j in prediction.object.joints} == set(ANSWERS[name])
    assert "greater than" not in words(prediction)  # falling ranges are no fault in these formats
    for joint in prediction.object.joints:
        kind, screw, limits, parent, child = ANSWERS[name][joint.name]
        assert (joint.kind, joint.parent, joint.child) == (kind, parent, child)
        np.testing.assert_allclose(joint.screw, screw, rtol=0, atol=1e-15)
        np.testing.assert_allclose(joint.motion.limits, limits, rtol=1e-15)


def test_cage_boxes_are_bodies():
    """Door of 0.8 × 1 × 0.02 m with its handle, 1000 kg/m³: 16 kg and 80 g."""
    moved = load_prediction(GOLDEN / "cage.json").object.moved_body("door_1_joint")
    assert moved.links == ("door_1", "handle_4")
    assert moved.body.mass == pytest.approx(16.08, rel=1e-12)
    np.testing.assert_allclose(moved.body.com, [0.024 / 16.08, 0, (4.8 + 0.0264) / 16.08], atol=1e-15)


def test_plain_boxes_are_bodies():
    body = load_prediction(GOLDEN / "plain.json").object.moved_body("hinge").body
    assert body.mass == pytest.approx(20, rel=1e-12)
    np.testing.assert_allclose(body.com, [0, 0.3, 0.5], atol=1e-15)


def test_what_was_assumed_is_said():
    cage = words(load_prediction(GOLDEN / "cage.json"))
    assert "joint 'lid_5_joint': a screw without pitch" in cage
    assert "read as prismatic" in cage
    assert "y is up" in cage
    partnet = words(load_prediction(GOLDEN / "partnet_mobility.json"))
    assert "joint 'joint_1': a slider that rotates" in partnet
    assert "rotationLimit 180 is not applied" in partnet
    assert "joint 'joint_5': a static part below another part" in partnet
    assert "y is up" in partnet
    assert "has length 2: normalised" in partnet


@pytest.mark.parametrize("name", ["paris_trans", "paris_several", "paris_estimate", "digital_twin_art"])
def test_two_states_are_no_limits(name):
    prediction = load_prediction(GOLDEN / f"{name}.json")
    said = [str(w) for w in prediction.warnings if "the two observed states" in w.message]
    assert len(said) == len(prediction.object.joints)
    assert "joint 'joint_0': its limits" in said[0]


def test_lists_say_that_they_have_no_tree():
    assert "without a tree" in words(load_prediction(GOLDEN / "digital_twin_art.json"))
    assert "without a tree" not in words(load_prediction(GOLDEN / "paris_trans.json"))


def test_truth_and_estimate_of_paris_are_one_motion():
    """The same turn, start to end, once from the zero of the data and once from its start state, axis reversed."""
    truth = load_prediction(GOLDEN / "paris_trans.json").object.joints[0].motion
    estimate = load_prediction(GOLDEN / "paris_estimate.json").object.joints[0].motion
    moved = truth.reanchored(math.radians(10))  # rest at the start state
    np.testing.assert_allclose(moved.reversed().endpoints, estimate.endpoints, atol=1e-15)


def test_ditto_axis_of_any_length(tmp_path):
    """a = (0, 0, ½) through (1, 2, 0): m = p × a = (1, −½, 0), and a × m / |a|² is the point again."""
    path = tmp_path / "joint.npz"
    np.savez(path, screw_axis=[0, 0, 0.5], screw_moment=[1, -0.5, 0], joint_type=0, state_start=0.7, state_end=-0.2)
    prediction = load_prediction(path)
    (joint,) = prediction.object.joints
    assert (prediction.format, prediction.tree_known, joint.kind) == ("ditto", True, "revolute")
    np.testing.assert_allclose(joint.screw, [0, 0, 1, 2, -1, 0], atol=1e-15)
    np.testing.assert_allclose(joint.motion.limits, [-0.2, 0.7])
    assert "has length 0.5: normalised" in words(prediction)
    assert "the two observed states" in words(prediction)


def test_a_slide_of_ditto_has_no_line(tmp_path):
    path = tmp_path / "joint.npz"
    np.savez(path, screw_axis=[0, 1, 0], screw_moment=[0, 0, 0], joint_type=1, state_start=[0.0], state_end=[0.3])
    (joint,) = load_prediction(path).object.joints
    np.testing.assert_allclose(joint.endpoints, [[0] * 6, [0, 0, 0, 0, 0.3, 0]])


def test_a_moment_along_the_axis_is_named(tmp_path):
    path = tmp_path / "joint.npz"
    np.savez(path, screw_axis=[0, 0, 1], screw_moment=[0, -1, 0.25], joint_type=0, state_start=0, state_end=1)
    prediction = load_prediction(path)
    np.testing.assert_allclose(prediction.object.joints[0].screw, [0, 0, 1, 0, -1, 0])
    assert "a part along the axis, 0.25 m" in words(prediction)
