"""d, swept d and the linearisation bound (SPEC section 2, golden bound)."""

from __future__ import annotations

import math

import inputs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from metric import (
    Body,
    Joint,
    KineticNorm,
    adjoint,
    exp,
    joint_distance,
    linearization_bound,
    motion_discrepancy,
    placement_discrepancy,
    swept_discrepancy,
)
from metric.discrepancy import endpoint_bound, twist_discrepancy
from metric.se3 import sinc, transform_points


def by_points(z1, z2, points, masses):
    """Mass-weighted RMS distance of the images of real points."""
    difference = transform_points(exp(z1), points) - transform_points(exp(z2), points)
    return math.sqrt(masses @ np.sum(difference**2, axis=-1) / masses.sum())


@given(inputs.seeds)
def test_d_is_the_rms_displacement_of_the_material(seed):
    rng = np.random.default_rng(seed)
    points, masses = rng.normal(size=(6, 3)), rng.uniform(0.1, 2, 6)
    body, (z1, z2) = Body.from_points(points, masses), 2 * rng.normal(size=(2, 6))
    expected = by_points(z1, z2, points, masses)
    assert_allclose(twist_discrepancy(z1, z2, body), expected, rtol=1e-12)
    assert_allclose(placement_discrepancy(exp(z1), exp(z2), body), expected, rtol=1e-12)
    material, weights = body.material_points()
    assert_allclose(by_points(z1, z2, material, weights), expected, rtol=1e-12)


@given(inputs.joints(), inputs.joints(), inputs.physical_bodies())
def test_d_does_not_depend_on_frame_order_or_encoding(a, b, body):
    d = motion_discrepancy(a, b, body)
    size = 1 + np.abs(body.com).max() + 30
    assert_allclose(motion_discrepancy(b, a, body), d, rtol=1e-12)
    assert_allclose(motion_discrepancy(a.reversed(), b, body), d, rtol=1e-12, atol=1e-14 * size)
    assert motion_discrepancy(a, a.reversed(), body) <= 1e-14 * size
    T = exp([0.3, -0.2, 0.5, 1.0, -2.0, 0.5])
    moved = [(adjoint(T) @ j.screw, j.limits) for j in (a, b)]
    assert_allclose(motion_discrepancy(*moved, body.transformed(T)), d, rtol=1e-9, atol=1e-8 * size)


def test_d_keeps_its_digits_for_small_and_for_close_motions():
    """Against 50 digits: 1e-9 rad, and origins 1e-9 m apart at 1 rad."""
    import mpmath as mp

    mp.mp.dps = 50
    point = Body(1.0, [1.0, 2.0, 3.0], np.zeros((3, 3)))

    def exact(z1, z2):
        def image(z):
            matrix = mp.zeros(4)
            w, v = [mp.mpf(float(x)) for x in z[:3]], [mp.mpf(float(x)) for x in z[3:]]
            rows = [[0, -w[2], w[1], v[0]], [w[2], 0, -w[0], v[1]], [-w[1], w[0], 0, v[2]], [0, 0, 0, 0]]
            for i in range(4):
                for j in range(4):
                    matrix[i, j] = rows[i][j]
            return mp.expm(matrix) * mp.matrix([1, 2, 3, 1])

        return float(mp.norm(image(z1) - image(z2)))

    small = 1e-9 * np.array([0.3, -0.5, 0.2, 1.0, 0.7, -0.4])
    assert_allclose(twist_discrepancy(small, 0 * small, point), exact(small, 0 * small), rtol=1e-14)
    here = np.array([0.6, 0.0, 0.8, 0.1, 0.2, 0.3])
    there = here + np.array([0, 0, 0, 1e-9, 2e-9, -1e-9])
    assert_allclose(twist_discrepancy(here, there, point), exact(here, there), rtol=1e-14)


FINE = np.polynomial.legendre.leggauss(200)


def reference_sweep(a, b, body):
    """A Gauss rule far beyond what is needed, straight from the definition."""
    x, w = FINE
    s, (lower1, upper1), (lower2, upper2) = ((x + 1) / 2)[:, None], a.endpoints, b.endpoints
    first = (1 - s) * lower1 + s * upper1
    both = [(1 - s) * p + s * q for p, q in ((lower2, upper2), (upper2, lower2))]
    return math.sqrt(min(w @ twist_discrepancy(first, second, body) ** 2 for second in both))


@settings(max_examples=40)
@given(inputs.joints(largest=8.0), inputs.joints(largest=8.0), inputs.physical_bodies())
def test_swept_d_is_exact_to_its_tolerance(a, b, body):
    expected, size = reference_sweep(a, b, body), np.abs(body.com).max() + 10
    for rtol in (1e-3, 1e-6, 1e-10, 1e-14):
        value = swept_discrepancy(a, b, body, rtol=rtol)
        assert_allclose(value, expected, rtol=max(rtol, 3e-14), atol=1e-14 * size)


@pytest.mark.parametrize("turns", [1, 3, 40, 1000])
def test_swept_d_over_many_turns(turns):
    """A point at radius 1 against rest: d^2 = 2 - 2 cos q, so d_sweep^2 = 4 (1 - sin(q)/q)."""
    angle = 2 * math.pi * turns + 0.5
    hinge, point = Joint("revolute", axis=(0, 0, 1), upper=angle), Body(1.0, [1, 0, 0], np.zeros((3, 3)))
    expected = 2 * math.sqrt(1 - math.sin(angle) / angle)
    assert_allclose(swept_discrepancy(hinge, Joint("fixed"), point), expected, rtol=1e-10)


def test_swept_d_of_close_joints_keeps_its_digits():
    body = inputs.bodies(np.random.default_rng(3))
    a = Joint("revolute", axis=(0, 0, 1), origin=(0.5, 0, 0), upper=1.5)
    b = Joint("revolute", axis=(0, 0, 1), origin=(0.5 + 1e-9, 0, 0), upper=1.5)
    unit = Joint("revolute", axis=(0, 0, 1), origin=(1.5, 0, 0), upper=1.5)
    assert_allclose(swept_discrepancy(a, b, body) / swept_discrepancy(a, unit, body), 1e-9, rtol=1e-7)


def test_unbounded_and_endless_limits_are_nan():
    body, door = inputs.bodies(np.random.default_rng(0)), Joint("revolute", upper=1.0)
    for upper in (math.inf, 1e100, 1.7e308):
        endless = Joint("revolute", axis=(0, 1, 0), upper=upper)
        assert math.isnan(motion_discrepancy(endless, door, body))
        assert math.isnan(swept_discrepancy(door, endless, body))
        assert np.isnan(linearization_bound(endless, door, body)).all()
    x, q = inputs.batch_of_joints(np.random.default_rng(1), (3,))
    q[1, 0] = -np.inf
    assert (np.isnan(motion_discrepancy((x, q), door, body)) == [False, True, False]).all()


@pytest.mark.parametrize("batch", [*inputs.BATCHES, (0,), (40, 30)])
def test_bodies_for_each_pair(rng, batch):
    """Also across the borders of blocks."""
    a, b, body = inputs.batch_of_joints(rng, batch), inputs.batch_of_joints(rng, batch[-1:]), inputs.bodies(rng, batch)
    for function in (motion_discrepancy, swept_discrepancy, lambda *p: linearization_bound(*p)[1]):
        value = function(a, b, body)
        assert value.shape == batch
        for index in list(np.ndindex(batch))[:: max(1, value.size // 5)]:
            one = Body(body.mass[index], body.com[index], body.inertia[index])
            single = function(tuple(p[index] for p in a), tuple(p[index[-1:]] for p in b), one)
            assert_allclose(value[index], single, rtol=1e-9)


# ------------------------------------------------------------------------------------------- the bound


def gaps(z1, z2, body):
    """(d - |dz|) and its two bounds at one endpoint."""
    length, upper, lower = endpoint_bound(z1, z2, KineticNorm(body))
    return twist_discrepancy(z1, z2, body) - length, lower, upper, length


@settings(max_examples=300)
@given(inputs.seeds)
def test_bound_at_one_endpoint(seed):
    """The theorem, on spread-out magnitudes: nearly equal, opposite, collinear and zero twists."""
    rng = np.random.default_rng(seed)
    n = 200
    points = rng.normal(size=(n, 4, 3)) * 10.0 ** rng.uniform(-3, 1, (n, 1, 1)) + rng.normal(size=(n, 1, 3))
    body = Body.from_points(points, rng.uniform(0.1, 2, (n, 4)))
    z1 = rng.normal(size=(n, 6)) * 10.0 ** rng.uniform(-4, 0.5, (n, 1))
    other = rng.normal(size=(n, 6)) * 10.0 ** rng.uniform(-4, 0.5, (n, 1))
    factor = rng.choice([0.0, 1.0, -1.0, 0.5], size=(n, 1))
    z2 = factor * z1 + other * rng.choice([0.0, 1e-6, 1.0], size=(n, 1))
    gap, lower, upper, length = gaps(z1, z2, body)
    slack = 1e-13 * (1 + length + np.linalg.norm(z1, axis=-1) + np.linalg.norm(z2, axis=-1))
    assert (gap <= upper + slack).all()
    assert (gap >= -lower - slack).all()


@given(inputs.joints(largest=10), inputs.joints(largest=10), inputs.physical_bodies())
def test_bound_between_joints(a, b, body):
    e = joint_distance(a, b, KineticNorm(body.physical()))
    d = motion_discrepancy(a, b, body)
    lower, upper = linearization_bound(a, b, body)
    slack = 1e-12 * (1 + e)
    assert 0 <= lower <= e + slack
    assert upper >= 0
    assert e - lower - slack <= d <= e + upper + slack


@given(inputs.joints(), inputs.physical_bodies())
def test_bound_against_rest(joint, body):
    """One end against rest: |sinc(t/2)| |z|_B <= d <= |z|_B."""
    for z in joint.endpoints:
        length = float(KineticNorm(body)(z))
        d = float(twist_discrepancy(z, 0 * z, body))
        shrink = abs(float(sinc(np.linalg.norm(z[:3]) / 2)))
        assert shrink * length - 1e-12 <= d <= length + 1e-12


@given(inputs.joints(kinds=("revolute", "helical")), inputs.vectors, inputs.physical_bodies())
def test_only_the_origin_wrong(joint, shift, body):
    """d = |sinc(t/2)| |dz|_B exactly, at each endpoint, for any body."""
    moved = Joint(joint.kind, joint.axis, tuple(np.add(joint.origin, shift)), joint.lower, joint.upper, joint.pitch)
    for z1, z2 in zip(joint.endpoints, moved.endpoints, strict=True):
        expected = abs(float(sinc(np.linalg.norm(z1[:3]) / 2))) * float(KineticNorm(body)(z1 - z2))
        assert_allclose(twist_discrepancy(z1, z2, body), expected, rtol=1e-9, atol=1e-12)


@given(inputs.joints(kinds=("helical",)), st.floats(-1, 1), inputs.physical_bodies())
def test_only_the_pitch_wrong_or_both_prismatic(joint, pitch, body):
    """d = |dz|_B; with both prismatic the bound is 0."""
    other = Joint("helical", joint.axis, joint.origin, joint.lower, joint.upper, pitch)
    for z1, z2 in zip(joint.endpoints, other.endpoints, strict=True):
        assert_allclose(twist_discrepancy(z1, z2, body), KineticNorm(body)(z1 - z2), rtol=1e-9, atol=1e-12)
    slides = [Joint("prismatic", j.axis, upper=abs(j.upper)) for j in (joint, other)]
    assert linearization_bound(*slides, body) == (0.0, 0.0)
    assert_allclose(motion_discrepancy(*slides, body), joint_distance(*slides, KineticNorm(body)), rtol=1e-12)


@pytest.mark.parametrize("side", [1, -1])
def test_an_optimiser_does_not_break_the_bound_and_comes_close(side):
    """Nelder-Mead on gap / bound from the worst of random starts, in the principal frame at the com (golden bound)."""
    from scipy.optimize import minimize

    def ratio(x):
        body = Body.from_points(*_points_of(np.exp(np.clip(x[12:], -8, 3))))
        z1, z2 = x[:6], x[6:12]
        gap, lower, upper, length = gaps(z1, z2, body)
        bound = upper if side > 0 else lower
        if bound <= 1e-9 * (length + np.abs(x[:12]).sum()):
            return 0.0
        return -float(side * gap / bound)

    rng = np.random.default_rng(side + 5)
    starts = np.concatenate([rng.normal(size=(400, 12)), rng.uniform(-6, 1, (400, 3))], axis=1)
    starts[:200, 6:12] = -starts[:200, :6] + 0.1 * starts[:200, 6:12]  # opposite ends: where the lower side is sharp
    worst = sorted(starts, key=ratio)[:3]
    found = min(minimize(ratio, x, method="Nelder-Mead", options={"maxfev": 800}).fun for x in worst)
    assert -1 - 1e-9 <= found <= -0.9


def _points_of(second_moments):
    arms = np.sqrt(3 * second_moments)
    return np.concatenate([np.diag(arms), -np.diag(arms)]), np.ones(6)
