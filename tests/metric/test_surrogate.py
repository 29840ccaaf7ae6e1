"""Smooth surrogates: what they bound, where they vanish, their gradients (paper A.3)."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path

import inputs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from libraries import FOREIGN, finite_differences
from numpy.testing import assert_allclose

from metric import Joint, SplitNorm, compactify, distance, invariant_loss, soft_distance, swap_invariants

XI = np.array([0.0, 0, 1, 0, -1, 0])


def pairs(seed, spread):
    """Pairs and neighbours of them, apart by 10^-spread, some with equal or opposite extents."""
    rng = np.random.default_rng(seed)
    p = rng.normal(size=(30, 2, 6))
    q = rng.choice([p, p[:, ::-1], 0 * p, -p]) + 10.0**-spread * rng.normal(size=p.shape)
    return p, q


@given(inputs.seeds, st.integers(0, 9))
def test_invariant_loss_lies_between_half_and_twice_e_squared(seed, spread):
    p, q = pairs(seed, spread)
    for norm in inputs.norms(np.random.default_rng(seed)):
        loss, e = invariant_loss(p, q, norm), distance(p, q, norm)
        assert (loss >= e**2 / 2 * (1 - 1e-9)).all()
        assert (loss <= 2 * e**2 * (1 + 1e-9)).all()
        assert_allclose(invariant_loss(p[:, ::-1], q, norm), loss, rtol=1e-12)
        assert_allclose(invariant_loss(q, p, norm), loss, rtol=1e-12)


def test_invariant_loss_is_the_formula_of_its_docstring(rng):
    p, q = rng.normal(size=(2, 20, 2, 6))
    norm = inputs.norms(rng)[2]
    (s1, d1), (s2, d2) = (swap_invariants(np.stack([norm.whiten(z[:, 0]), norm.whiten(z[:, 1])], 1)) for z in (p, q))
    squares = [np.trace(d, axis1=-2, axis2=-1) for d in (d1, d2)]
    expected = np.sum((s1 - s2) ** 2, -1) / 2 + np.sum((d1 - d2) ** 2, (-1, -2)) / (2 * (squares[0] + squares[1]))
    assert_allclose(invariant_loss(p, q, norm), expected, rtol=1e-12)


@given(inputs.joints())
def test_invariant_loss_vanishes_on_equal_motions(joint):
    assert invariant_loss(joint, joint.reversed(), SplitNorm()) == 0
    assert invariant_loss(joint.endpoints, joint.endpoints, SplitNorm()) == 0
    assert invariant_loss(Joint("fixed"), Joint("fixed"), SplitNorm()) == 0


@given(inputs.seeds, st.floats(1e-6, 1e3))
def test_soft_distance_is_within_t_ln_2_of_e_squared(seed, temperature):
    p, q = pairs(seed, 1)
    for norm in inputs.norms(np.random.default_rng(seed)):
        e2 = distance(p, q, norm) ** 2
        soft = soft_distance(p, q, norm, temperature)
        assert (soft >= e2 * (1 - 1e-12)).all()
        assert (soft <= e2 * (1 + 1e-12) + temperature * math.log(2)).all()


@given(inputs.seeds)
def test_soft_distance_anneals_to_e_squared(seed):
    p, q = pairs(seed, 1)
    for temperature in (1e-300, 1e-9):
        e2 = distance(p, q, SplitNorm()) ** 2
        assert_allclose(soft_distance(p, q, SplitNorm(), temperature), e2, rtol=1e-12, atol=temperature)


def test_soft_distance_at_a_tie_and_at_infinite_temperature(rng):
    p, q = rng.normal(size=(2, 2, 6))
    tied = np.stack([q[0], q[0]])
    assert_allclose(soft_distance(p, tied, SplitNorm(), 0.1), distance(p, tied, SplitNorm()) ** 2, rtol=1e-12)
    mean = (np.sum((p - q) ** 2) + np.sum((p - q[::-1]) ** 2)) / 2
    assert_allclose(soft_distance(p, q, SplitNorm(), 1e9), mean, rtol=1e-6)


SPECIAL = {
    "equal": (np.stack([0 * XI, XI]), np.stack([0 * XI, XI])),
    "swapped": (np.stack([0 * XI, XI]), np.stack([XI, 0 * XI])),
    "tie": (np.stack([-XI, XI]), np.stack([2 * XI[::-1], -2 * XI[::-1]])),
    "closed": (np.stack([XI, XI]), np.stack([-XI, 2 * XI])),
    "both closed": (np.stack([XI, XI]), np.stack([2 * XI, 2 * XI])),
    "both fixed": (np.zeros((2, 6)), np.zeros((2, 6))),
    "tiny": (1e-150 * np.stack([0 * XI, XI]), 1e-150 * np.stack([-XI, XI])),
}


@pytest.mark.parametrize("library", FOREIGN)
@pytest.mark.parametrize("surrogate", ["invariant_loss", "soft_distance"])
def test_gradients_at_ties_and_at_zero(library, surrogate):
    """Finite, and where the loss is smooth equal to finite differences: everywhere but at the scale 1e-150."""
    function = invariant_loss if surrogate == "invariant_loss" else lambda p, q, norm: soft_distance(p, q, norm, 0.3)
    p, q = (np.stack([case[k] for case in SPECIAL.values()]) for k in (0, 1))
    values, gradients = library.values_and_gradients(lambda p, q: function(p, q, SplitNorm(0.7)), p, q)
    assert_allclose(values, function(p, q, SplitNorm(0.7)), rtol=1e-12)
    expected = finite_differences(lambda p, q: function(p, q, SplitNorm(0.7)).sum(), [p[:-1], q[:-1]])
    for gradient, reference in zip(gradients, expected, strict=True):
        assert np.isfinite(gradient).all()
        assert_allclose(gradient[:-1], reference, rtol=1e-5, atol=2e-6)


def test_a_closed_prediction_has_no_gradient_that_opens_it():
    """As the docstring says: D is quadratic in the extent."""
    closed, target = np.stack([XI, XI]), np.stack([0 * XI, 2 * XI])
    opened = [np.stack([XI * (1 - t), XI * (1 + t)]) for t in (1e-4, -1e-4)]
    losses = [float(invariant_loss(z, target, SplitNorm())) for z in opened]
    assert abs(losses[0] - losses[1]) < 1e-12
    assert float(invariant_loss(closed, target, SplitNorm())) > losses[0]


def test_invariants_determine_the_pair(rng):
    z = rng.normal(size=(2, 6))
    s, D = swap_invariants(z)
    values, vectors = np.linalg.eigh(D)
    extent = math.sqrt(values[-1]) * vectors[:, -1]
    again = np.stack([(s + extent) / 2, (s - extent) / 2])
    assert distance(again, z, SplitNorm()) < 1e-12


def test_compactified_endpoints_of_unbounded_joints_are_fine():
    spin = Joint("continuous", axis=(0, 0, 1))
    ends = compactify(spin.screw, spin.limits, SplitNorm())
    assert invariant_loss(ends, ends[::-1], SplitNorm()) == 0


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_example_recovers_a_hinge():
    sys.path.insert(0, str(Path(__file__).parent / "examples"))
    try:
        import recover_hinge
    finally:
        sys.path.pop(0)
    before, after = recover_hinge.recover()
    assert before > 0.5
    assert after < 1e-3
