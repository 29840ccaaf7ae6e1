"""Explanations: shares of the error, sentences, and the same motion written differently."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric import Body, Joint, KineticNorm, joint_distance
from simcheck.comparison.explain import FACTORS, explain

BODY = Body(1.0, [0.4, 0.0, 0.0], 0.02 * np.eye(3))
HINGE = Joint("revolute", (0, 0, 1), (0, 0, 0), 0.0, 1.2)


@pytest.mark.parametrize(("guess", "factor", "words"), [
    (Joint("revolute", (0, 0, 1), (0.0, 0.12, 0), 0, 1.2), "position", "points the right way but lies 12 cm off"),
    (Joint("revolute", (0, 0, 1), (0, 0, 0), 0.3, 1.5), "interval", "interval is shifted by 17.2°: 100 %"),
    (Joint("revolute", (0, 0, 1), (0, 0, 0), -1.2, 0.0), "interval", "moves the other way: 100 %"),
    (Joint("revolute", (0, 0, -1), (0, 0, 0), 0.0, 1.2), "interval", "moves the other way: 100 %"),
    (Joint("revolute", (0, 0, 1), (0, 0, 0), 0.0, 1.5), "interval", "travels 0° … 85.9° instead of 0° … 68.8°"),
    (Joint("helical", (0, 0, 1), (0, 0, 0), 0, 1.2, pitch=0.1), "kind", "it is helical instead of revolute: 100 %"),
])  # fmt: skip
def test_one_wrong_thing_takes_all_of_the_error(guess, factor, words):
    told = explain(HINGE, guess, BODY)
    assert told.shares[factor] == pytest.approx(1.0)
    assert words in told.sentence
    assert told.repaired[factor] == pytest.approx(0.0, abs=1e-12)


def test_a_tilt_about_the_nearest_point_is_all_direction():
    tilted = Joint("revolute", (math.sin(0.3), 0, math.cos(0.3)), (0, 0, 0), 0, 1.2)
    body = Body(1.0, [0.0, 0.0, 0.0], 0.02 * np.eye(3))
    told = explain(HINGE, tilted, body)
    assert told.shares["direction"] == pytest.approx(1.0)
    assert "tilted by 17.2°" in told.sentence


@given(st.integers(0, 2**32 - 1))
def test_shares_add_up_and_do_not_depend_on_the_encoding(seed):
    random = np.random.default_rng(seed)
    axis = random.normal(size=3)
    guess = Joint(
        "revolute", tuple(axis / np.linalg.norm(axis)), tuple(random.normal(size=3)), -0.3, float(random.uniform(0, 2))
    )
    told, other = (explain(HINGE, j, BODY) for j in (guess, guess.reversed()))
    assert sum(told.shares.values()) == pytest.approx(1.0)
    for factor in FACTORS:
        assert told.shares[factor] == pytest.approx(other.shares[factor], abs=1e-9)


def test_shapley_by_hand():
    """Two independent errors of a slide: direction and interval, from the four distances."""
    truth = Joint("prismatic", (1, 0, 0), upper=1.0)
    guess = Joint("prismatic", (math.cos(0.5), math.sin(0.5), 0), upper=0.6)
    told = explain(truth, guess, BODY)
    norm = KineticNorm(BODY)
    both = joint_distance(truth, guess, norm)
    direction_right = joint_distance(truth, Joint("prismatic", (1, 0, 0), upper=0.6), norm)
    interval_right = joint_distance(truth, Joint("prismatic", guess.axis, upper=1.0), norm)
    direction = ((both - direction_right) + interval_right) / 2
    assert told.shares["direction"] == pytest.approx(direction / both)
    assert told.shares["interval"] == pytest.approx(1 - direction / both)


@pytest.mark.parametrize(("guess", "encoding"), [
    (HINGE.reversed(), "reversed axis"),
    (Joint("revolute", (0, 0, 1), (0, 0, 0.7), 0, 1.2), "origin moved along the axis"),
    (HINGE.reanchored(2 * math.pi), "shifted by a turn"),
    (HINGE.reanchored(-4 * math.pi), "shifted by 2 turns"),
])  # fmt: skip
def test_encodings_of_the_same_motion_are_named(guess, encoding):
    assert encoding in explain(HINGE, guess, BODY).encoding


def test_unbounded_joints_are_explained_by_phi():
    told = explain(Joint("continuous"), HINGE, BODY)
    assert told.measure == "E_alpha_phi"
    assert sum(told.shares.values()) == pytest.approx(1.0)
