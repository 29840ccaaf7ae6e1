"""Exponential, logarithm, adjoint: against scipy and each other, near 0, near half a turn, far beyond."""

from __future__ import annotations

import math

import inputs
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from metric import adjoint, exp, log
from metric.se3 import hat

REGIMES = [1.0, 1e-7, 1e-12, 0.25, math.pi - 1e-9, 3.0, 40.0]


def twist(rng, angle, batch=()):
    omega = rng.normal(size=(*batch, 3))
    omega *= angle / np.linalg.norm(omega, axis=-1, keepdims=True)
    return np.concatenate([omega, rng.normal(size=(*batch, 3))], axis=-1)


@pytest.mark.parametrize("angle", REGIMES)
def test_exp_is_the_matrix_exponential(rng, angle):
    from scipy.linalg import expm

    z = twist(rng, angle)
    matrix = np.zeros((4, 4))
    matrix[:3, :3], matrix[:3, 3] = hat(z[:3]), z[3:]
    assert_allclose(exp(z), expm(matrix), atol=1e-13 * max(1, angle))


@pytest.mark.parametrize("batch", inputs.BATCHES)
@pytest.mark.parametrize("angle", REGIMES[:5])
def test_log_inverts_exp(rng, batch, angle):
    z = twist(rng, angle, batch)
    assert_allclose(log(exp(z)), z, rtol=1e-9, atol=1e-14)


@given(inputs.seeds)
def test_log_beyond_half_a_turn_is_the_short_way(seed):
    rng = np.random.default_rng(seed)
    z = twist(rng, rng.uniform(math.pi, 20))
    short = log(exp(z))
    assert np.linalg.norm(short[:3]) <= math.pi * (1 + 1e-12)
    assert_allclose(exp(short), exp(z), atol=1e-8)


@given(inputs.seeds)
def test_adjoint_is_a_homomorphism_and_moves_screws(seed):
    rng = np.random.default_rng(seed)
    a, b, z = exp(rng.normal(size=6)), exp(rng.normal(size=6)), rng.normal(size=6)
    assert_allclose(adjoint(a) @ adjoint(b), adjoint(a @ b), atol=1e-12)
    assert_allclose(exp(adjoint(a) @ z), a @ exp(z) @ np.linalg.inv(a), atol=1e-11)


def test_exp_of_zero_is_exactly_the_identity():
    assert (exp(np.zeros(6)) == np.eye(4)).all()
    assert (log(np.eye(4)) == 0).all()
