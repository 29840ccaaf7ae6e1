"""Norms: axioms, meaning, frames, magnitudes (SPEC section 2, paper 4.1)."""

from __future__ import annotations

import inputs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from metric import Body, KineticNorm, RiemannianNorm, SplitNorm, adjoint, exp


@pytest.mark.parametrize("batch", inputs.BATCHES)
@pytest.mark.parametrize("scale", [1.0, 1e-7, 1e7, 1e-200, 1e200])
def test_seminorm_axioms(rng, batch, scale):
    for norm in inputs.norms(rng, batch):
        x, y = scale * rng.normal(size=(2, *batch, 6))
        assert norm(x).shape == batch
        assert (norm(x) > 0).all()
        assert_allclose(norm(-2 * x), 2 * norm(x), rtol=1e-14)
        assert (norm(x + y) <= (norm(x) + norm(y)) * (1 + 1e-14)).all()
        assert (norm(0 * x) == 0).all()


@pytest.mark.parametrize("batch", inputs.BATCHES)
def test_gram_matrix_gives_the_norm(rng, batch):
    for norm in inputs.norms(rng, batch):
        x, y = rng.normal(size=(2, *batch, 6))
        gram = norm.gram
        assert_allclose(gram, np.swapaxes(gram, -1, -2), atol=1e-14)
        assert_allclose(np.einsum("...i,...ij,...j", x, gram, x), norm(x) ** 2, rtol=1e-12)
        assert_allclose(np.einsum("...i,...ij,...j", x, gram, y), norm.inner(x, y), rtol=1e-10, atol=1e-12)


@given(inputs.seeds)
def test_kinetic_norm_is_the_rms_speed_of_the_material(seed):
    """The definition of E_B: no formula with the inertia in it."""
    rng = np.random.default_rng(seed)
    points, masses, z = rng.normal(size=(7, 3)), rng.uniform(0.1, 2, 7), rng.normal(size=6)
    velocity = np.cross(z[:3], points) + z[3:]
    rms = np.sqrt(np.sum(masses * np.sum(velocity**2, axis=-1)) / masses.sum())
    assert_allclose(KineticNorm(Body.from_points(points, masses))(z), rms, rtol=1e-12)


@given(inputs.seeds)
def test_kinetic_norm_does_not_depend_on_the_world_frame(seed):
    """The split norm does: SPEC section 11."""
    rng = np.random.default_rng(seed)
    body, z, T = inputs.bodies(rng), rng.normal(size=6), exp(rng.normal(size=6))
    moved = adjoint(T) @ z
    assert_allclose(KineticNorm(body.transformed(T))(moved), KineticNorm(body)(z), rtol=1e-10)
    assert abs(SplitNorm()(moved) / SplitNorm()(z) - 1) > 1e-12


@given(st.floats(1e-6, 1e6))
def test_kinetic_norm_scales_with_the_object(scale):
    """Lengths times s: masses times s^3, inertia times s^5, v times s; E_B times s (experiment inner-product)."""
    rng = np.random.default_rng(5)
    body, z = inputs.bodies(rng), rng.normal(size=6)
    larger = Body(body.mass * scale**3, body.com * scale, body.inertia * scale**5)
    assert_allclose(KineticNorm(larger)(z * [1, 1, 1, scale, scale, scale]), scale * KineticNorm(body)(z), rtol=1e-10)


def test_a_rod_does_not_move_when_it_turns_about_itself():
    rod = KineticNorm(Body.from_points([[1, 0, 0], [3, 0, 0]], [1, 2]))
    spin, pitch = np.array([1.0, 0, 0, 0, 0, 0]), np.array([1.0, 0, 0, 1e-3, 0, 0])
    assert rod(spin) == 0
    assert rod.vanishes(spin)
    assert not rod.vanishes(pitch)
    tilted = exp([0.3, -0.5, 0.7, 1, 2, 3])
    assert KineticNorm(rod.body.transformed(tilted)).vanishes(adjoint(tilted) @ spin)


def test_unphysical_inertia_is_used_as_written_and_clipped_on_request():
    """Principal moments 1, 1, 3 break the triangle inequality; the nearest body has 1, 1, 2."""
    body = Body(1.0, [0, 0, 0], np.diag([1.0, 1.0, 3.0]))
    z = np.array([0, 0, 1.0, 0, 0, 0])
    assert not body.is_physical
    assert_allclose(KineticNorm(body)(z), np.sqrt(3))
    clipped = body.physical()
    assert clipped.is_physical
    assert_allclose(clipped.inertia, np.diag([1.5, 1.5, 3.0]), atol=1e-14)
    assert body.physical().physical() is not None
    fine = Body(1.0, [0, 0, 0], np.eye(3))
    assert fine.physical() is fine


@given(inputs.seeds, st.integers(1, 3))
def test_thin_bodies_are_physical_whatever_the_rounding(seed, dimensions):
    """Rods and plates have eigenvalues of Sigma that are 0 up to rounding of either sign."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(50, 6, dimensions)) @ rng.normal(size=(dimensions, 3))
    body = Body.from_points(points, rng.uniform(0.1, 2, (50, 6)))
    assert body.is_physical.all()
    assert body.physical() is body


@given(inputs.physical_bodies())
def test_bodies_are_their_material_points(body):
    points, weights = body.material_points()
    again = Body.from_points(points, weights)
    size = np.abs(points).max()
    assert_allclose(again.mass, body.mass, rtol=1e-14)
    assert_allclose(again.com, body.com, atol=1e-14 * size)
    assert_allclose(again.inertia, body.inertia, atol=1e-12 * body.mass * size**2)


@given(inputs.seeds)
def test_combined_bodies_are_the_body_of_all_points(seed):
    rng = np.random.default_rng(seed)
    points, masses = rng.normal(size=(8, 3)), rng.uniform(0.1, 2, 8)
    parts = [Body.from_points(points[k::3], masses[k::3]) for k in range(3)]
    together, whole = Body.combine(parts), Body.from_points(points, masses)
    assert_allclose(together.mass, whole.mass)
    assert_allclose(together.com, whole.com, atol=1e-14)
    assert_allclose(together.inertia, whole.inertia, atol=1e-12)


@pytest.mark.parametrize("alpha", [1e-200, 1e-6, 1.0, 1e6, 1e200])
def test_any_alpha(alpha):
    z = np.array([3.0, 0, 0, 0, 4.0, 0]) * [1, 1, 1, 1 / alpha, 1 / alpha, 1 / alpha]
    assert_allclose(SplitNorm(alpha)(z), 5.0, rtol=1e-14)


def test_riemannian_norm_of_another_norms_gram_is_that_norm(rng):
    norm = KineticNorm(inputs.bodies(rng))
    z = rng.normal(size=(4, 6))
    assert_allclose(RiemannianNorm(norm.gram)(z), norm(z), rtol=1e-10)
