"""Sampled distances and their rules (SPEC section 2, paper C.6)."""

from __future__ import annotations

import math

import inputs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from metric import (
    Joint,
    KineticNorm,
    SplitNorm,
    joint_distance,
    motion_discrepancy,
    sampled_distance,
    swept_discrepancy,
)
from metric.sampling import lobatto, sampled_discrepancy, uniform

COUNTS = [2, 3, 4, 5, 9, 30, 200, 1000]


@pytest.mark.parametrize("n", COUNTS)
def test_lobatto_rule(n):
    """Both ends, symmetric, exact to degree 2n - 3 and no further."""
    s, w = lobatto(n)
    assert s.shape == w.shape == (n,)
    assert (s[0], s[-1]) == (0, 1)
    assert (np.diff(s) > 0).all()
    assert (w > 0).all()
    assert_allclose(s, 1 - s[::-1], atol=1e-16)
    assert_allclose(w, w[::-1], rtol=1e-12)
    assert_allclose(w.sum(), 1, rtol=1e-15)
    degrees = np.arange(min(2 * n - 2, 60))
    assert_allclose([w @ s**k for k in degrees], 1 / (degrees + 1), rtol=1e-12)
    if n < 10:
        assert abs(w @ s ** (2 * n - 2) - 1 / (2 * n - 1)) > 1e-12


def test_lobatto_of_seven_nodes_against_the_tables():
    """Abramowitz and Stegun, table 25.6."""
    s, w = lobatto(7)
    assert_allclose(2 * s[4:] - 1, [0.468848793470714, 0.830223896278567, 1.0], rtol=1e-14)
    assert_allclose(2 * w[3:], [0.487619047619048, 0.431745381209863, 0.276826047361566, 0.047619047619048], rtol=1e-13)


def test_rules_are_copies():
    lobatto(5)[0][:] = 7
    assert lobatto(5)[0][1] < 1


def sampled_by_definition(a, b, norm, s, w):
    """2 sum w |z1(s) - z2(s)|^2, the better orientation, by really sampling."""
    (lower1, upper1), (lower2, upper2) = a.endpoints, b.endpoints
    column = s[:, None]
    first = (1 - column) * lower1 + column * upper1
    both = [(1 - column) * x + column * y for x, y in ((lower2, upper2), (upper2, lower2))]
    return math.sqrt(min(2 * w @ norm(first - second) ** 2 for second in both))


@pytest.mark.parametrize("n", COUNTS)
@settings(max_examples=25)
@given(inputs.joints(), inputs.joints(), inputs.physical_bodies())
def test_moments_are_sampling(n, a, b, body):
    for norm in (SplitNorm(0.5), KineticNorm(body)):
        for name, rule in (("lobatto", lobatto), ("uniform", uniform)):
            expected = sampled_by_definition(a, b, norm, *rule(n))
            assert_allclose(sampled_distance(a, b, norm, n, name), expected, rtol=1e-9, atol=1e-11)


@given(inputs.joints(), inputs.joints())
def test_two_samples_are_e_and_three_are_exact(a, b):
    e = joint_distance(a, b, SplitNorm())
    for rule in ("lobatto", "uniform"):
        assert_allclose(sampled_distance(a, b, SplitNorm(), 2, rule), e, rtol=1e-14)
    exact = sampled_distance(a, b, SplitNorm(), 3)
    for n in (4, 17, 1000):
        assert_allclose(sampled_distance(a, b, SplitNorm(), n), exact, rtol=1e-13)
    assert e / math.sqrt(3) * (1 - 1e-12) <= exact <= e * (1 + 1e-12)  # E/sqrt 6 <= L2 <= E/sqrt 2


@given(inputs.joints(), inputs.joints())
def test_uniform_rule_converges_like_one_over_n(a, b):
    exact = sampled_distance(a, b, SplitNorm(), 3)
    errors = [abs(sampled_distance(a, b, SplitNorm(), n, "uniform") ** 2 - exact**2) * (n - 1) for n in (50, 100, 400)]
    assert_allclose(errors, errors[0], rtol=0.1, atol=1e-9)


@given(inputs.joints(), inputs.joints(), inputs.physical_bodies())
def test_sampled_path_has_the_two_ends_and_the_sweep_as_limits(a, b, body):
    d, size = motion_discrepancy(a, b, body), np.abs(body.com).max() + 20
    assert_allclose(sampled_discrepancy(a, b, body, 2), d, atol=1e-13 * size)
    assert_allclose(sampled_discrepancy(a, b, body, 60), swept_discrepancy(a, b, body), rtol=1e-9, atol=1e-12 * size)


@given(inputs.joints(kinds=("prismatic",)), inputs.joints(kinds=("prismatic",)), st.integers(3, 9))
def test_prismatic_paths_are_straight(a, b, n):
    """No rotation: the path is the segment, and d is E_B."""
    body = inputs.bodies(np.random.default_rng(0))
    norm = KineticNorm(body)
    assert_allclose(sampled_discrepancy(a, b, body, n), sampled_distance(a, b, norm, n), rtol=1e-12, atol=1e-14)


def test_unbounded_joints():
    spin, door = Joint("continuous"), Joint("revolute", upper=1.0)
    body = inputs.bodies(np.random.default_rng(0))
    assert sampled_distance(spin, door, SplitNorm(), 5) == math.inf
    assert math.isnan(sampled_discrepancy(door, spin, body, 5))


@pytest.mark.parametrize("batch", inputs.BATCHES)
def test_sampled_batches_with_a_body_for_each_pair(rng, batch):
    a, b, body = inputs.batch_of_joints(rng, batch), inputs.batch_of_joints(rng, batch), inputs.bodies(rng, batch)
    assert sampled_distance(a, b, KineticNorm(body), 4).shape == batch
    assert sampled_discrepancy(a, b, body, 4).shape == batch
