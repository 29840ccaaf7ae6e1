"""Lines and pictures of joints: they show the motion that the joint makes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from shapes import cabinet

from metric import Joint
from simcheck.report.colours import PREDICTION, TRUTH
from simcheck.report.motion import (
    drawn_interval,
    far_end,
    motion_film,
    motion_lines,
    motion_path,
    motion_picture,
    motion_scene,
    outer_point,
)

POINT = (1.5, 2.0, 0.3)


def test_the_path_of_a_revolute_joint_is_its_arc():
    joint = Joint("revolute", (0, 0, 1), (1, 2, 0), -0.5, 1.0)
    path = motion_path(joint, POINT, (-0.5, 1.0))
    angle = np.linspace(-0.5, 1.0, len(path))
    expected = np.stack([1 + 0.5 * np.cos(angle), 2 + 0.5 * np.sin(angle), np.full(len(path), 0.3)], axis=1)
    assert_allclose(path, expected, atol=1e-14)


def test_the_path_of_a_prismatic_joint_is_its_stroke():
    joint = Joint("prismatic", (0, 1, 0), (9, 9, 9), -0.1, 0.4)
    assert_allclose(motion_path(joint, POINT, (-0.1, 0.4)), [[1.5, 1.9, 0.3], [1.5, 2.4, 0.3]])


def test_the_path_of_a_helical_joint_climbs_by_its_pitch():
    joint = Joint("helical", (0, 0, 1), (1, 2, 0), 0, 3 * math.pi, pitch=0.02)
    path = motion_path(joint, POINT, (0, 3 * math.pi))
    assert_allclose(np.hypot(path[:, 0] - 1, path[:, 1] - 2), 0.5)
    assert_allclose(path[:, 2], 0.3 + 0.02 * np.linspace(0, 3 * math.pi, len(path)))


@pytest.mark.parametrize(
    ("joint", "interval"),
    [
        (Joint("revolute", (0, 0, 1), (0, 0, 0), -0.5, 1.0), (-0.5, 1.0)),
        (Joint("continuous", (0, 0, 1)), (-math.pi, math.pi)),
        (Joint("revolute", (0, 0, 1), (0, 0, 0), 0.5, math.inf), (0.5, 0.5 + 2 * math.pi)),
        (Joint("revolute", (0, 0, 1), (0, 0, 0), -math.inf, 0.5), (0.5 - 2 * math.pi, 0.5)),
        (Joint("prismatic", (0, 0, 1), (0, 0, 0), -math.inf, math.inf), (-0.4, 0.4)),
        (Joint("prismatic", (0, 0, 1), (0, 0, 0), -math.inf, 1.0), (0.2, 1.0)),
    ],
)
def test_an_infinite_end_is_drawn_as_a_turn_or_a_slide(joint, interval):
    assert_allclose(drawn_interval(joint, 0.8), interval)


def test_a_turning_joint_has_an_axis_and_an_arc_with_arrows():
    axis, arc = motion_lines(Joint("revolute", (0, 0, 1), (1, 2, 0), 0, 1.0), POINT, 0.8, TRUTH, 3)
    assert_allclose(axis.points, [[1, 2, -0.1], [1, 2, 0.7]])  # through the axis point nearest to the shown one
    assert axis.arrow
    assert arc.arrow
    assert_allclose(np.asarray(arc.points)[0], POINT)


def test_a_full_turn_is_a_closed_circle_without_arrow():
    _, circle = motion_lines(Joint("continuous", (0, 0, 1), (1, 2, 0)), POINT, 0.8, TRUTH, 3)
    assert not circle.arrow
    assert_allclose(np.asarray(circle.points)[0], np.asarray(circle.points)[-1], atol=1e-12)


def test_sliding_and_fixed_joints_have_one_line_and_none():
    assert len(motion_lines(Joint("prismatic", (0, 0, 1), (0, 0, 0), 0, 1), POINT, 0.8, TRUTH, 3)) == 1
    assert motion_lines(Joint("fixed"), POINT, 0.8, TRUTH, 3) == []


def test_the_shown_point_is_at_the_free_edge_of_a_door():
    _, door, hinge, _ = cabinet()
    point = outer_point(hinge, door)
    arm = point - np.array(hinge.origin)
    vertices = np.concatenate([m.vertices for m in door]) - np.array(hinge.origin)
    assert_allclose(np.hypot(*arm[:2]), np.hypot(*vertices[:, :2].T).max())
    assert_allclose(point[2], 0.4)


def test_geometry_is_needed():
    with pytest.raises(ValueError, match="moved: expected meshes with vertices, got none"):
        motion_picture([], [], Joint("continuous"))


def test_the_scene_moves_the_body_and_its_ghost():
    walls, door, hinge, guess = cabinet()
    meshes, lines = motion_scene(walls, door, hinge, guess, 0.5)
    assert [m.ghost for m in meshes] == [False] * (len(walls) + 2) + [True] * 2
    for mesh, joint, q in ((meshes[len(walls)], hinge, 0.8), (meshes[-2], guess, 0.6)):
        corner = np.asarray(door[0].vertices)[5]
        assert_allclose(np.asarray(mesh.vertices)[5], motion_path(joint, corner, (0, q))[-1], atol=1e-12)
    assert [line.colour for line in lines] == [TRUTH, TRUTH, PREDICTION, PREDICTION]
    assert lines[0].width == 2 * lines[2].width
    rest, _ = motion_scene(walls, door, hinge, None, 0.0)
    assert_allclose(np.asarray(rest[-1].vertices), np.asarray(door[-1].vertices))


@pytest.mark.parametrize(("limits", "fraction"), [((0, 1), 1.0), ((-1.5, 0.2), 0.0), ((-1, 1), 1.0)])
def test_a_picture_is_taken_at_the_end_farther_from_rest(limits, fraction):
    assert far_end(Joint("revolute", (0, 0, 1), (0, 0, 0), *limits)) == fraction
    walls, door, hinge, _ = cabinet()
    joint = Joint("revolute", hinge.axis, hinge.origin, *limits)
    (expected,) = motion_film(walls, door, joint, fractions=(fraction,), size=(60, 45))
    assert_array_equal(motion_picture(walls, door, joint, size=(60, 45)), expected)


def test_a_picture_shows_truth_prediction_and_rest_from_the_open_side():
    walls, door, hinge, guess = cabinet()
    image = motion_picture(walls, door, hinge, guess, size=(160, 120)).astype(int)
    assert image.shape == (120, 160, 4)
    red, _, blue, coverage = np.moveaxis(image, -1, 0)
    solid = coverage == 255
    assert np.mean(solid & (blue > red + 25)) > 0.04  # the door, seen from the front
    assert np.mean((red > blue + 25) & (coverage > 100)) > 0.02  # its ghost
    assert np.mean(solid & (abs(red - blue) < 20)) > 0.1  # the walls
    assert_array_equal(image, motion_picture(walls, door, hinge, guess, size=(160, 120)))


def test_the_camera_of_a_film_stands_still():
    walls, door, hinge, guess = cabinet()
    first, last = motion_film(walls, door, hinge, guess, size=(80, 60), background="#ffffff")
    (again,) = motion_film(walls, door, hinge, guess, fractions=(1.0,), size=(80, 60), background="#ffffff")
    assert_array_equal(last, again)
    same = (first == last).all(axis=-1)
    assert 0.5 < same.mean() < 0.97
