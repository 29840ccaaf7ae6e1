"""Reading: golden values, both spellings of a screw, mimic, several degrees of freedom, style of writing."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from urdf_and_command import ASSETS, TESTS, joint, robot

import simcheck
from simcheck.asset.model import ReadOptions
from simcheck.asset.normalise import normalise_text
from simcheck.asset.numbers import NumberProblem, parse_number, parse_vector
from simcheck.asset.poses import rotation_from_rpy, rpy_from_rotation
from simcheck.asset.read import build

GOLDEN = json.loads((TESTS / "metric" / "golden" / "urdf.json").read_text())


def read_text(text: str, **options):
    return build(normalise_text(text.encode(), "robot.urdf", Path.cwd()), ReadOptions(**options))


def messages(obj) -> str:
    return "\n".join(str(w) for w in obj.warnings)


def golden_cases(op):
    return pytest.mark.parametrize("case", [c for c in GOLDEN if c["op"] == op], ids=lambda c: c["id"])


@golden_cases("urdf")
def test_golden_frames_and_twists(case):
    obj = read_text(case["input"]["urdf"])
    tolerance = {"rtol": case["rtol"], "atol": case["atol"]}
    for name, frame in case["expected"]["frames"].items():
        np.testing.assert_allclose(obj.links[name].pose[:3, :3], frame["R"], **tolerance)
        np.testing.assert_allclose(obj.links[name].pose[:3, 3], frame["t"], **tolerance)
    for name, want in case["expected"]["joints"].items():
        got = obj.joint(name)
        assert got.kind == {"continuous": "continuous"}.get(want["type"], want["type"])
        assert (got.parent, got.child) == (want["parent"], want["child"])
        np.testing.assert_allclose(got.screw, want["twist"], **tolerance)
        np.testing.assert_allclose(got.origin, want["origin"], **tolerance)
        if want["axis"] is not None:
            np.testing.assert_allclose(got.axis, want["axis"], **tolerance)


@golden_cases("urdf_body")
def test_golden_bodies(case):
    name = case["input"]["joint"]
    for scope in ("cluster", "subtree"):
        want = case["expected"][scope]
        moved = read_text(case["input"]["urdf"], body=scope, inertia="urdf").moved_body(name)
        if want is None:
            assert moved.body is None
            assert moved.reason
            continue
        for key in ("mass", "com", "inertia"):
            np.testing.assert_allclose(getattr(moved.body, key), want[key], rtol=case["rtol"], atol=case["atol"])
    child = read_text(case["input"]["urdf"]).joint(name).child
    alone = read_text(case["input"]["urdf"]).links[child].inertial
    assert (alone is None) == (case["expected"]["link"] is None)
    if alone is not None:
        np.testing.assert_allclose(alone.com, case["expected"]["link"]["com"], rtol=case["rtol"], atol=case["atol"])


# --- numbers -------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3))
def test_numbers_survive_their_text(values):
    assert parse_vector("\t".join(map(repr, values)) + " \n", 3) == tuple(values)


@pytest.mark.parametrize(
    "text", ["1,0", "O.8", "nan", "inf", "", "1 2", "1e", "0x10", "1_0", "--1", "1.0.0", "${pi}", "١"]
)
def test_bad_numbers_are_refused(text):
    with pytest.raises(NumberProblem):
        parse_number(text)


@pytest.mark.parametrize(
    ("text", "value"), [("-inf", -math.inf), ("Infinity", math.inf), ("+.5e1", 5.0), (" 3. ", 3.0)]
)
def test_good_numbers_are_read(text, value):
    assert parse_number(text, infinity_allowed=True) == value


@given(st.tuples(*[st.floats(-7, 7)] * 3))
def test_rpy_round_trip(rpy):
    rotation = rotation_from_rpy(*rpy)
    np.testing.assert_allclose(rotation_from_rpy(*rpy_from_rotation(rotation)), rotation, atol=2e-15)


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, math.pi / 2 + 1e-12])
def test_rpy_round_trip_at_the_pole(pitch):
    rotation = rotation_from_rpy(0.3, pitch, -1.2)
    np.testing.assert_allclose(rotation_from_rpy(*rpy_from_rotation(rotation)), rotation, atol=2e-15)


# --- helical -------------------------------------------------------------------------------------------------

EMPTY = '<link name="a"/><link name="b"/><link name="c"/>'
BOX = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
MIMIC = '<mimic joint="turn" multiplier="{}"/>'


def screw_pair(*, slide_first=False, multiplier="0.002", slide_axis="0 0 1", slide_limit='lower="0" upper="0.02"',
               turn_limit='lower="0" upper="10"', kind="revolute", links=EMPTY, more=""):  # fmt: skip
    turn = {"xyz": "0.1 0 0", "limit": turn_limit} if not slide_first else {"limit": turn_limit}
    slide = {"xyz": "0.1 0 0"} if slide_first else {}
    ends = [("b", "c"), ("a", "b")] if slide_first else [("a", "b"), ("b", "c")]
    return robot(
        joint("turn", kind, *ends[0], **turn),
        joint(
            "slide", "prismatic", *ends[1], axis=slide_axis, limit=slide_limit, more=MIMIC.format(multiplier), **slide
        ),
        more,
        links=links,
    )


@pytest.mark.parametrize("slide_first", [False, True])
def test_screw_is_one_joint_in_either_order(slide_first):
    obj = read_text(screw_pair(slide_first=slide_first))
    (one,) = obj.joints
    assert (one.name, one.kind, one.parent, one.child) == ("turn", "helical", "a", "c")
    assert one.pitch == pytest.approx(0.002)
    assert set(one.members) == {"turn", "slide"}
    assert (one.lower, one.upper) == (0.0, 10.0)
    assert "b" not in obj.links
    np.testing.assert_allclose(one.screw, [0, 0, 1, 0, -0.1, 0.002], atol=1e-15)


@pytest.mark.parametrize(("axis", "multiplier", "limit", "pitch"), [
    ("0 0 -1", "0.002", 'lower="0" upper="0.02"', -0.002),
    ("0 0 1", "-0.002", 'lower="-0.02" upper="0"', -0.002),
    ("0 0 -1", "-0.002", 'lower="-0.02" upper="0"', 0.002),
])  # fmt: skip
def test_left_handed_screws(axis, multiplier, limit, pitch):
    (one,) = read_text(screw_pair(slide_axis=axis, multiplier=multiplier, slide_limit=limit)).joints
    assert one.pitch == pytest.approx(pitch)
    assert (one.lower, one.upper) == (0.0, 10.0)


def test_slide_limits_shorten_a_screw():
    obj = read_text(screw_pair(slide_limit='lower="0.002" upper="0.01"'))
    (one,) = obj.joints
    assert (one.lower, one.upper) == pytest.approx((1.0, 5.0))
    assert "shorten the range" in messages(obj)


def test_continuous_screw_is_bounded_by_its_slide():
    (one,) = read_text(screw_pair(kind="continuous")).joints
    assert (one.kind, one.lower, one.upper) == ("helical", pytest.approx(0.0), pytest.approx(10.0))


@pytest.mark.parametrize(("changes", "words"), [
    ({"slide_axis": "0 0.001 1"}, "not parallel"),
    ({"links": EMPTY + '<link name="d"/>', "more": joint("other", "fixed", "b", "d")}, "carries another joint"),
    ({"links": EMPTY.replace('"b"/>', f'"b">{BOX}</link>')}, "has geometry"),
    ({"links": EMPTY.replace('"b"/>', f'"b">{MASS}</link>')}, "has mass"),
])  # fmt: skip
def test_almost_a_screw_is_two_joints(changes, words):
    obj = read_text(screw_pair(**changes))
    assert [j.kind for j in obj.joints[:2]] == ["revolute", "prismatic"]
    assert "looks like a screw" in messages(obj)
    assert words in messages(obj)


def test_screw_with_offset_is_two_joints():
    text = screw_pair().replace('multiplier="0.002"', 'multiplier="0.002" offset="0.1"')
    obj = read_text(text)
    assert len(obj.joints) == 2
    assert "offset is 0.1" in messages(obj)


@pytest.mark.parametrize("kind", ["screw", "helical"])
@pytest.mark.parametrize("pitch", ['<thread_pitch value="0.003"/>', "<thread_pitch> 0.003 </thread_pitch>"])
def test_screw_type(kind, pitch):
    obj = read_text(robot(joint("turn", kind, "a", "b", more=pitch), links='<link name="a"/><link name="b"/>'))
    (one,) = obj.joints
    assert (one.kind, one.pitch, one.lower, one.upper) == ("helical", 0.003, 0.0, 1.0)
    assert "metres per radian" in messages(obj)


def test_screw_type_without_pitch_is_refused():
    with pytest.raises(simcheck.AssetError, match=r"joint 'turn', thread_pitch: a screw joint without"):
        read_text(robot(joint("turn", "screw", "a", "b")))


# --- other joints --------------------------------------------------------------------------------------------


def test_mimic_is_an_independent_joint():
    text = robot(
        joint("lead", "revolute", "a", "b"),
        joint("follow", "revolute", "b", "c", more=MIMIC.format("2").replace("turn", "lead")),
    )
    obj = read_text(text)
    follow = obj.joint("follow")
    assert (follow.mimic.leader, follow.mimic.multiplier, follow.mimic.offset) == ("lead", 2.0, 0.0)
    assert "joint 'follow': mimic of joint 'lead': treated as an independent joint" in messages(obj)


def test_mimic_of_nobody():
    obj = read_text(robot(joint("follow", "revolute", "a", "b", more=MIMIC.format("2"))))
    assert "no such joint" in messages(obj)


@pytest.mark.parametrize("kind", ["planar", "spherical", "ball"])
def test_several_degrees_of_freedom(kind):
    text = robot(joint("j", kind, "a", "b", xyz="1 0 0", axis="0 1 1"))
    with pytest.raises(simcheck.AssetError, match=r"several degrees of freedom.*\n.*--decompose"):
        read_text(text)
    obj = read_text(text, decompose=True)
    assert [j.name for j in obj.joints] == ["j/1", "j/2", "j/3"]
    kinds = ["prismatic", "prismatic", "continuous"] if kind == "planar" else ["continuous"] * 3
    assert [j.kind for j in obj.joints] == kinds
    assert obj.joints[0].parent == "a"
    assert obj.joints[-1].child == "b"
    assert all(j.origin == (1.0, 0.0, 0.0) for j in obj.joints)
    axes = np.array([j.axis for j in obj.joints])
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)
    if kind == "planar":
        np.testing.assert_allclose(axes[2], np.array([0, 1, 1]) / math.sqrt(2), atol=1e-15)
    assert obj.moved_body("j/1").source == "carried"


def test_floating_base_is_held():
    obj = read_text(robot(joint("free", "floating", "a", "b"), joint("j", "revolute", "b", "c")))
    assert [j.kind for j in obj.joints] == ["fixed", "revolute"]
    assert "floating" in messages(obj)


def test_floating_part_is_refused():
    with pytest.raises(simcheck.AssetError, match="Only the base may float"):
        read_text(robot(joint("j", "revolute", "a", "b"), joint("free", "floating", "b", "c")))


def test_zero_limits_are_exactly_fixed():
    obj = read_text(
        robot(joint("j", "revolute", "a", "b", limit='lower="0" upper="0"'), joint("k", "revolute", "b", "c"))
    )
    assert [j.name for j in obj.movable_joints] == ["k"]
    assert "never moves" in messages(obj)
    assert obj.welded("a") == ("a", "b")


def test_wrap():
    text = robot(joint("j", "revolute", "a", "b", limit='lower="5" upper="7"'))
    assert read_text(text).joint("j").lower == 5.0
    wrapped = read_text(text, wrap=True).joint("j")
    assert (wrapped.lower, wrapped.upper) == pytest.approx((5 - 2 * math.pi, 7 - 2 * math.pi))


@pytest.mark.parametrize(("limit", "lower", "upper"), [
    ('lower="-1e10" upper="1"', -math.inf, 1.0),
    ('lower="0" upper="inf"', 0.0, math.inf),
    ('upper="0.6"', 0.0, 0.6),
    ('lower="1" upper="-1"', -1.0, 1.0),
])  # fmt: skip
def test_limits(limit, lower, upper):
    got = read_text(robot(joint("j", "revolute", "a", "b", limit=limit))).joint("j")
    assert (got.lower, got.upper) == (lower, upper)


def test_limits_that_leave_no_position():
    with pytest.raises(simcheck.AssetError, match="no position to be in"):
        read_text(robot(joint("j", "revolute", "a", "b", limit='lower="inf" upper="inf"')))


def test_non_unit_axis_is_normalised_with_a_warning():
    obj = read_text(robot(joint("j", "prismatic", "a", "b", axis="0 0 2")))
    assert obj.joint("j").axis == (0.0, 0.0, 1.0)
    assert "length 2: normalised" in messages(obj)


# --- style of writing ----------------------------------------------------------------------------------------


def test_styles_that_are_accepted():
    text = robot(joint("j", "revolute", "a", "b", limit='lower="0" upper="1" effort="10" velocity="fast"'))
    plain = read_text(text).joint("j")
    variants = [
        text.replace("<robot ", '<robot xmlns="http://www.ros.org" '),
        text.replace("</robot>", "<!-- a -- b --><gazebo><x/></gazebo></robot>"),
        text.replace(" ", "\n\t ", 30),
        text.replace("</robot>", '<xacro:property name="w" value="${1}"/></robot>'),
        text.encode("utf-16").decode("utf-16").replace('version="1.0"', 'version="1.0" encoding="UTF-8"'),
        text.replace('<?xml version="1.0"?>', "\ufeff"),
        text + "\n<!-- end -->\n",
    ]
    for variant in variants:
        assert read_text(variant).joint("j") == plain


def test_robot_without_name_takes_the_file_stem():
    obj = read_text(robot(joint("j", "revolute", "a", "b")).replace('name="r"', ""))
    assert obj.name == "robot"
    assert "no name" in messages(obj)


def test_second_elements_are_named():
    obj = read_text(robot(joint("j", "revolute", "a", "b", more='<axis xyz="1 0 0"/>')))
    assert obj.joint("j").axis == (0.0, 0.0, 1.0)
    assert "more than one <axis>" in messages(obj)


def test_objects_travel_to_other_processes():
    obj = simcheck.load(TESTS / "cases" / "26-fixed-child-mass-lumped" / "with_knob.urdf")
    copy = pickle.loads(pickle.dumps(obj))
    assert copy.joints == obj.joints
    assert list(copy.links) == list(obj.links)
    np.testing.assert_array_equal(copy.moved_body("swing").body.inertia, obj.moved_body("swing").body.inertia)
    np.testing.assert_array_equal(copy.box, obj.box)


# --- every file that others wrote ----------------------------------------------------------------------------

OUTCOMES = [line.split("\t") for line in (ASSETS / "outcomes.tsv").read_text().splitlines()[1:]]


@pytest.mark.parametrize(("file", "outcome", "says"), OUTCOMES, ids=[row[0] for row in OUTCOMES])
def test_outcome_of_every_file(file, outcome, says):
    if outcome == "read":
        obj = simcheck.load(ASSETS / file)
        assert f"{len(obj.joints)} joints, {len(obj.movable_joints)} movable" == says
        assert all(np.isfinite(link.pose).all() for link in obj.links.values())
        return
    element, attribute, cause = says.split(" | ", 2)
    with pytest.raises(simcheck.AssetError) as caught:
        simcheck.load(ASSETS / file)
    error = caught.value
    assert (error.element, error.attribute, error.cause) == (element, attribute, cause)
    assert str(error).startswith(str(ASSETS / file))


def test_outcomes_are_complete():
    files = {str(p.relative_to(ASSETS)) for p in ASSETS.rglob("*") if p.suffix.lower() == ".urdf"}
    assert files == {row[0] for row in OUTCOMES}
