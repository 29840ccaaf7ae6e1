"""The fast NumPy kernels against the definition, and the compiled loops against both."""

from __future__ import annotations

import importlib
import importlib.util
import tracemalloc

import inputs
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from metric import (
    Body,
    Joint,
    KineticNorm,
    SplitNorm,
    compactify,
    compiled,
    distance,
    endpoint_twists,
    joint_distance,
    kernels,
    pairwise_distance,
)

definition = importlib.import_module("metric.distance")._definition
SHAPES = [((), ()), ((5,), (5,)), ((5,), ()), ((4, 1), (3,)), ((2, 1, 3), (4, 1)), ((0,), (1,))]


def compact_definition(a, b, norm, kappa):
    return definition(compactify(*a, norm, kappa), compactify(*b, norm, kappa), norm)


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks so small that tests cross their borders."""
    for name, size in (("_BLOCK", 3), ("_FLAT_BLOCK", 4), ("_TILE", (2, 3))):
        monkeypatch.setattr(kernels, name, size)


@pytest.fixture(params=["numpy", "loops"])
def loops(request, monkeypatch):
    """Without and with the loops that numba compiles: as Python where numba is not installed."""
    if request.param == "loops":
        python = compiled.Compiled(compiled.split_distance, compiled.all_pairs)
        monkeypatch.setattr(compiled, "load", lambda: python)
        monkeypatch.setattr(kernels, "_COMPILED_FROM", 0)
    return request.param


@pytest.mark.usefixtures("small_blocks", "loops")
@pytest.mark.parametrize("shapes", SHAPES)
def test_distance_is_the_definition(rng, shapes):
    full = np.broadcast_shapes(*shapes)
    for norm in [*inputs.norms(rng), *inputs.norms(rng, full)[2:], *inputs.norms(rng, full[-1:])[2:]]:
        x, y = (rng.normal(size=(*shape, 2, 6)) for shape in shapes)
        value = distance(x, y, norm)
        assert value.shape == full
        assert_allclose(value, definition(x, y, norm), rtol=1e-15)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("shapes", SHAPES)
def test_compactified_distance_is_the_definition(rng, shapes):
    full = np.broadcast_shapes(*shapes)
    for norm in [*inputs.norms(rng), *inputs.norms(rng, full)[2:]]:
        a, b = (inputs.batch_of_joints(rng, shape) for shape in shapes)
        a[1][..., 0], b[1][..., 1] = -np.inf, np.inf
        value = joint_distance(a, b, norm, 2.0)
        assert value.shape == full
        assert_allclose(value, compact_definition(a, b, norm, 2.0), rtol=2e-15)


@pytest.mark.usefixtures("loops")
def test_large_random_batch(rng):
    x, y = rng.normal(size=(2, 3000, 2, 6))
    for norm in inputs.norms(rng):
        assert_allclose(distance(x, y, norm), definition(x, y, norm), rtol=1.5e-15)
        assert_allclose(
            pairwise_distance_of(x[:70], y[:60], norm), definition(x[:70, None], y[None, :60], norm), rtol=1e-11
        )


def pairwise_distance_of(x, y, norm):
    return kernels.pairwise_distance(x, y, norm)


@pytest.mark.usefixtures("loops")
@pytest.mark.parametrize("apart", [0.0, 1e-15, 1e-10, 1e-5, 1e-2])
@pytest.mark.parametrize("swapped", [False, True])
def test_near_coincident_pairs_keep_their_digits(rng, apart, swapped):
    """Pairs 1e-10 apart among pairs that are not: no expanded square, no cancellation."""
    x = rng.normal(size=(40, 2, 6))
    y = x + apart * rng.normal(size=x.shape)
    y = y[:, ::-1] if swapped else y
    for norm in inputs.norms(rng):
        assert_allclose(distance(x, y, norm), definition(x, y, norm), rtol=1.5e-15)
        pairs = pairwise_distance_of(x, y, norm)
        assert_allclose(np.diag(pairs), definition(x, y, norm), rtol=1e-14 if apart < 1e-3 else 1e-11)
        assert_allclose(pairs, definition(x[:, None], y[None], norm), rtol=1e-11)


@pytest.mark.usefixtures("loops")
def test_mixed_magnitudes_in_one_batch(rng):
    """Suspicious rows are repaired, the others left alone; no warning."""
    scale = 10.0 ** rng.choice([-300, -200, -160, -3, 0, 3, 150, 200, 300], size=(200, 1, 1))
    x, y = scale * rng.normal(size=(2, 200, 2, 6))
    y[::7] = x[::7, ::-1] * (1 + 1e-9)
    y[3::7] = x[3::7]
    for norm in (SplitNorm(), SplitNorm(1e-3), SplitNorm(1e-100), inputs.norms(rng)[2]):
        with np.errstate(under="ignore"):
            assert_allclose(distance(x, y, norm), definition(x, y, norm), rtol=2e-15)
            assert_allclose(
                pairwise_distance_of(x[:30], y[:30], norm), definition(x[:30, None], y[None, :30], norm), rtol=1e-11
            )


@pytest.mark.usefixtures("loops")
def test_infinite_endpoints_and_overflow(rng):
    x, y = rng.normal(size=(2, 6, 2, 6))
    x[1, 0, 2], y[3, 1, 5], x[4, 1, 1], y[4, 1, 1] = np.inf, -np.inf, np.inf, np.inf
    for norm in inputs.norms(rng):
        assert_array_equal(np.isinf(distance(x, y, norm)), [False, True, False, True, True, False])
    assert distance(1.7e308 * np.ones((2, 6)), -1.7e308 * np.ones((2, 6)), SplitNorm()) == np.inf


def test_rows_do_not_depend_on_their_neighbours(rng):
    """The same pair gives the same bits wherever it stands in a batch."""
    x, y = rng.normal(size=(2, 37, 2, 6))
    a, b = inputs.batch_of_joints(rng, (37,)), inputs.batch_of_joints(rng, (37,))
    body = inputs.bodies(rng, (37,))
    value, kinetic = distance(x, y, SplitNorm()), distance(x, y, KineticNorm(body))
    phi = joint_distance(a, b, SplitNorm(), 2.0)
    for start in (1, 2, 3, 5, 16):
        rows = slice(start, None)
        assert_array_equal(distance(x[rows], y[rows], SplitNorm()), value[rows])
        part = Body(body.mass[rows], body.com[rows], body.inertia[rows])
        assert_array_equal(distance(x[rows], y[rows], KineticNorm(part)), kinetic[rows])
        assert_array_equal(
            joint_distance(tuple(p[rows] for p in a), tuple(p[rows] for p in b), SplitNorm(), 2.0), phi[rows]
        )


def test_inputs_are_not_changed_and_any_layout_will_do(rng):
    x, y = np.asfortranarray(rng.normal(size=(50, 2, 6))), rng.normal(size=(50, 4, 12))[:, ::2, ::2]
    before = x.copy(), y.copy()
    for norm in inputs.norms(rng):
        assert_allclose(distance(x, y, norm), definition(x.copy(), y.copy(), norm), rtol=1e-15)
    assert_array_equal(x, before[0])
    assert_array_equal(y, before[1])


@pytest.mark.parametrize("kind", ["split", "kinetic", "compactified"])
def test_memory_stays_within_a_tenth_of_the_inputs(rng, kind):
    n = 200_000
    x, y = rng.normal(size=(2, n, 2, 6))
    inputs_size = x.nbytes + y.nbytes
    norm = SplitNorm()
    distance(x, y, norm)  # numba is imported once, outside
    if kind == "kinetic":
        norm = KineticNorm(Body(np.ones(n), rng.normal(size=(n, 3)), np.broadcast_to(np.eye(3), (n, 3, 3))))
        distance(x[:, :, :], y, norm)  # the norm's own factors are made once, outside
    tracemalloc.start()
    if kind == "compactified":
        joint_distance((x[:, 0], x[:, 1, :2]), (y[:, 0], y[:, 1, :2]), norm, 2.0)
        inputs_size = 2 * n * 8 * 8
    else:
        distance(x, y, norm)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    workspace = 5e6  # blocks that do not grow with n
    assert peak - n * 8 <= workspace
    assert (n * 8) <= 0.1 * inputs_size


def test_numba_is_used_exactly_where_it_is_installed(rng):
    loaded = compiled.load()
    assert (loaded is not None) == (importlib.util.find_spec("numba") is not None)
    x, y = rng.normal(size=(2, kernels._COMPILED_FROM, 2, 6))
    assert_allclose(distance(x, y, SplitNorm(0.4)), definition(x, y, SplitNorm(0.4)), rtol=1.5e-15)
    p, q = x[:300], y[:300]
    assert_allclose(pairwise_distance_of(p, q, SplitNorm()), definition(p[:, None], q[None], SplitNorm()), rtol=1e-11)


def test_pairwise_distance_of_identical_collections_is_exact():
    joints = [Joint("revolute", axis=(0, 0, 1), origin=(k, 0, 0), upper=1.0) for k in range(40)]
    value = pairwise_distance(joints, joints, SplitNorm())
    assert (np.diag(value) == 0).all()
    assert_allclose(value, value.T, rtol=1e-12)
    z = np.stack([endpoint_twists(j.screw, j.limits) for j in joints])
    assert_allclose(value, definition(z[:, None], z[None], SplitNorm()), rtol=1e-12)
