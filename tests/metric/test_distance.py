"""E, E^phi and the costs built on them: axioms, invariances, limits (paper section 4, Theorem B.1, Prop. B.2)."""

from __future__ import annotations

import math
import warnings

import inputs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from metric import (
    Body,
    Joint,
    KineticNorm,
    MetricWarning,
    SplitNorm,
    adjoint,
    compactify,
    cost_to_fixed,
    distance,
    endpoint_twists,
    exp,
    joint_distance,
    pairwise_distance,
)

INFINITIES = st.sampled_from([(-math.inf, math.inf), (-math.inf, 1.5), (-0.5, math.inf)])


@pytest.mark.parametrize("batch", inputs.BATCHES)
@pytest.mark.parametrize("scale", [1.0, 1e-7, 1e7, 1e-200, 1e200])
def test_metric_axioms(rng, batch, scale):
    """Theorem B.1, at every magnitude and without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for norm in inputs.norms(rng, batch):
            x, y, z = scale * rng.normal(size=(3, *batch, 2, 6))
            xy, yz, xz = distance(x, y, norm), distance(y, z, norm), distance(x, z, norm)
            assert xy.shape == batch
            assert (xy > 0).all()
            assert_allclose(xy, distance(y, x, norm), rtol=1e-14)
            assert (xz <= (xy + yz) * (1 + 1e-14)).all()
            assert (distance(x, x, norm) == 0).all()
            assert (distance(x[..., ::-1, :], x, norm) == 0).all()
            assert_allclose(distance(x[..., ::-1, :], y, norm), xy, rtol=1e-14)


@pytest.mark.parametrize("scale", [1e-200, 1e-150, 1.0, 1e150, 1e200])
def test_homogeneous_at_every_magnitude(rng, scale):
    x, y = rng.normal(size=(2, 40, 2, 6))
    for norm in inputs.norms(rng):
        assert_allclose(distance(scale * x, scale * y, norm) / scale, distance(x, y, norm), rtol=1e-13)


@given(inputs.joints(), inputs.joints(), inputs.physical_bodies())
def test_encodings_do_not_matter(a, b, body):
    """The reversed encoding, the point chosen on the axis, and a common change of the world frame (for E_B)."""
    for norm in (SplitNorm(), SplitNorm(0.2), KineticNorm(body)):
        for kappa in (None, math.pi):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MetricWarning)  # a point mass on its own axis
                e = joint_distance(a, b, norm, kappa)
                assert_allclose(joint_distance(a.reversed(), b, norm, kappa), e, rtol=1e-12, atol=1e-15)
                assert joint_distance(a, a.reversed(), norm, kappa) == 0
                assert joint_distance(b, a, norm, kappa) == e
    along = Joint(b.kind, b.axis, tuple(np.add(b.origin, 2.0 * np.array(b.axis))), b.lower, b.upper, b.pitch)
    assert_allclose(joint_distance(a, along, SplitNorm()), joint_distance(a, b, SplitNorm()), rtol=1e-9, atol=1e-12)
    T = exp([0.3, -0.2, 0.5, 1.0, -2.0, 0.5])
    moved = [(adjoint(T) @ j.screw, j.limits) for j in (a, b)]
    expected = joint_distance(a, b, KineticNorm(body))
    assert_allclose(joint_distance(*moved, KineticNorm(body.transformed(T))), expected, rtol=1e-7, atol=1e-9)


def test_worked_value():
    """Table 3, row 2: {0, xi} against {xi, 2 xi}, |xi| = 1."""
    xi = np.eye(6)[2]
    assert_allclose(distance([0 * xi, xi], [xi, 2 * xi], SplitNorm()), math.sqrt(2), rtol=1e-15)


@given(inputs.joints(), INFINITIES)
def test_unbounded_joints(joint, limits):
    """E is infinite, E^phi is not, and it is the limit of growing finite ranges."""
    spin = Joint(joint.kind, joint.axis, joint.origin, *limits, joint.pitch)
    assert joint_distance(spin, joint, SplitNorm()) == math.inf
    assert cost_to_fixed(spin, SplitNorm()) == math.inf
    assert pairwise_distance([joint, spin], [spin, joint], SplitNorm())[0, 0] == math.inf
    value = joint_distance(spin, joint, SplitNorm(), 1.0)
    finite = np.clip(limits, -1e3, 1e3)
    near = joint_distance((spin.screw, finite), joint, SplitNorm(), 1.0)
    assert_allclose(value, near, rtol=1e-12)
    assert 0 <= value <= 2 * math.sqrt(2) + 1e-12
    assert joint_distance(spin, spin.reversed(), SplitNorm(), 1.0) == 0


def test_an_infinite_end_that_moves_nothing_is_bounded():
    """The fixed joint's screw is 0, so its endpoints are, whatever its limits."""
    fixed = (np.zeros(6), np.array([-np.inf, np.inf]))
    assert joint_distance(fixed, Joint("fixed"), SplitNorm()) == 0
    assert joint_distance(fixed, Joint("fixed"), SplitNorm(), 1.0) == 0


@given(inputs.joints(largest=1e-4), inputs.joints(largest=1e-4))
def test_small_ranges_are_not_compressed(a, b):
    """phi is z / kappa to first order: E^phi = E / kappa for small motions (paper eq. 8)."""
    e, phi = joint_distance(a, b, SplitNorm()), joint_distance(a, b, SplitNorm(), 2.0)
    assert_allclose(phi, e / 2.0, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("limit", [1e-200, 1e-10, 1.0, 50.0, 1e10, 1e200, 1.7e308, math.inf])
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_compactified_magnitudes(limit, scale):
    """No overflow for any limit and any size of the screw; tanh, exactly."""
    xi = scale * np.array([0.6, 0, 0, 0, 0.8, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cost = cost_to_fixed((xi, np.array([0.0, limit])), SplitNorm(), 2.0)
        pair = joint_distance((xi, np.array([0.0, limit])), Joint("fixed"), SplitNorm(), 2.0)
    reach = min(float(limit), 1e3 / scale) * scale / 2.0
    assert_allclose([cost, pair], math.tanh(reach), rtol=1e-13)


def test_zero_norm_screws_warn_and_count_as_still():
    rod = KineticNorm(Body.from_points([[1, 0, 0], [3, 0, 0]], [1, 2]))
    spin, slide = Joint("continuous", axis=(1, 0, 0)), Joint("prismatic", upper=0.5)
    for call in (
        lambda: joint_distance(spin, slide, rod, 1.0),
        lambda: cost_to_fixed(spin, rod, 1.0),
        lambda: compactify(spin.screw, spin.limits, rod),
    ):
        with pytest.warns(MetricWarning, match="zero norm, nothing moves"):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_allclose(joint_distance(spin, slide, rod, 1.0), cost_to_fixed(slide, rod, 1.0), rtol=1e-14)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cost_to_fixed(Joint("fixed"), rod, 1.0) == 0
        assert cost_to_fixed((spin.screw, np.zeros(2)), rod, 1.0) == 0


@given(inputs.joints(), st.sampled_from([None, 1.0]))
def test_cost_to_fixed_is_the_distance_to_the_fixed_joint(joint, kappa):
    assert_allclose(cost_to_fixed(joint, SplitNorm(), kappa), joint_distance(joint, Joint("fixed"), SplitNorm(), kappa))


@pytest.mark.parametrize("kappa", [None, 1.5])
def test_pairwise_is_every_pair(rng, kappa):
    """Sequences of joints, batches and empty collections; bounded or not."""
    joints = [Joint("fixed"), Joint("continuous", axis=(0, 1, 0)), Joint("prismatic", upper=0.4)]
    others = [Joint("revolute", axis=(0, 0, 1), origin=(1, 2, 3), upper=1.1), Joint("prismatic", lower=-math.inf)]
    for norm in inputs.norms(rng):
        value = pairwise_distance(joints, others, norm, kappa)
        expected = [[joint_distance(a, b, norm, kappa) for b in others] for a in joints]
        assert_allclose(value, expected, rtol=1e-13)
    x, u = inputs.batch_of_joints(rng, (5,))
    assert pairwise_distance((x, u), joints, SplitNorm(), kappa).shape == (5, 3)
    assert pairwise_distance([], joints, SplitNorm(), kappa).shape == (0, 3)
    assert pairwise_distance(tuple(joints), [], SplitNorm(), kappa).shape == (3, 0)


def test_pairwise_with_a_norm_for_each_row(rng):
    """A batch of norms broadcasts: the true joint's own body prices its row."""
    bodies = inputs.bodies(rng, (4, 1))
    x, u = inputs.batch_of_joints(rng, (4,))
    y, v = inputs.batch_of_joints(rng, (3,))
    value = pairwise_distance((x, u), (y, v), KineticNorm(bodies))
    for i, j in np.ndindex(4, 3):
        body = Body(bodies.mass[i, 0], bodies.com[i, 0], bodies.inertia[i, 0])
        assert_allclose(value[i, j], joint_distance((x[i], u[i]), (y[j], v[j]), KineticNorm(body)), rtol=1e-13)


def test_a_users_own_norm():
    """Anything with `whiten` and `vanishes` is a norm."""

    class Weighted:
        def whiten(self, z):
            return z * np.array([1, 1, 1, 2, 2, 2.0])

        def vanishes(self, z):
            return (z == 0).all(axis=-1)

    a, b = Joint("revolute", axis=(0, 0, 1), origin=(1, 0, 0), upper=1.0), Joint("prismatic", upper=0.5)
    for kappa in (None, 2.0):
        assert_allclose(
            joint_distance(a, b, Weighted(), kappa), joint_distance(a, b, SplitNorm(2.0), kappa), rtol=1e-14
        )
        assert_allclose(
            pairwise_distance([a, b], [b, a], Weighted(), kappa),
            pairwise_distance([a, b], [b, a], SplitNorm(2.0), kappa),
        )


def test_endpoint_twists_with_infinite_ends():
    z = endpoint_twists([0, 0, 1, 0, -1, 0], [-math.inf, 2.0])
    assert_allclose(z, [[0, 0, -math.inf, 0, math.inf, 0], [0, 0, 2, 0, -2, 0]])
