"""The batch contract of every public function, in every array library (SPEC section 2, Arrays)."""

from __future__ import annotations

import functools

import inputs
import numpy as np
import pytest
from libraries import EAGER, FOREIGN, JAX, finite_differences
from numpy.testing import assert_allclose

import metric
from metric import (
    Body,
    Joint,
    KineticNorm,
    MetricError,
    RiemannianNorm,
    SplitNorm,
    compactify,
    cost_to_fixed,
    distance,
    endpoint_twists,
    exp,
    invariant_loss,
    joint_distance,
    linearization_bound,
    log,
    motion_discrepancy,
    pairwise_distance,
    placement_discrepancy,
    sampled_distance,
    screw,
    soft_distance,
    swap_invariants,
    swept_discrepancy,
)
from metric.sampling import sampled_discrepancy

BODY = Body.from_points([[0, 0, 0], [1, 0, 0.2], [0.3, 1, 0], [0, 0.1, 1]], [1, 2, 1, 0.5])
GRAM = np.diag([1.0, 2, 3, 4, 5, 6]) + 0.1


def _weighted(lower, upper):
    return lower + 2 * upper


# Of two joints in a batch, as (screw (..., 6), limits (..., 2)) each.
OF_JOINTS = {
    "distance": lambda x, u, y, v: distance(endpoint_twists(x, u), endpoint_twists(y, v), SplitNorm(0.7)),
    "distance_kinetic": lambda x, u, y, v: distance(endpoint_twists(x, u), endpoint_twists(y, v), KineticNorm(BODY)),
    "distance_riemannian": lambda x, u, y, v: joint_distance((x, u), (y, v), RiemannianNorm(GRAM)),
    "compactified": lambda x, u, y, v: joint_distance((x, u), (y, v), SplitNorm(), 2.0),
    "compactified_kinetic": lambda x, u, y, v: joint_distance((x, u), (y, v), KineticNorm(BODY), 2.0),
    "cost_to_fixed": lambda x, u, y, v: cost_to_fixed((x, u), SplitNorm()) + cost_to_fixed((y, v), SplitNorm(), 1.0),
    "sampled": lambda x, u, y, v: sampled_distance((x, u), (y, v), SplitNorm(), 5),
    "sampled_path": lambda x, u, y, v: sampled_discrepancy((x, u), (y, v), BODY, 4, "uniform"),
    "motion": lambda x, u, y, v: motion_discrepancy((x, u), (y, v), BODY),
    "swept": lambda x, u, y, v: swept_discrepancy((x, u), (y, v), BODY),
    "bounds": lambda x, u, y, v: _weighted(*linearization_bound((x, u), (y, v), BODY)),
    "placements": lambda x, u, y, v: placement_discrepancy(exp(x * u[..., 1:]), exp(y * v[..., 1:]), BODY),
    "invariant_loss": lambda x, u, y, v: invariant_loss(endpoint_twists(x, u), endpoint_twists(y, v), SplitNorm()),
    "soft": lambda x, u, y, v: soft_distance(endpoint_twists(x, u), endpoint_twists(y, v), KineticNorm(BODY), 0.5),
    "norm": lambda x, u, y, v: KineticNorm(BODY)(x * u[..., :1]) + RiemannianNorm(GRAM)(y * v[..., :1]),
    "log": lambda x, u, y, v: log(exp(x * u[..., 1:]) @ exp(y * v[..., 1:]))[..., 0],
}


def pair(rng, batch, largest=1.5):
    return [*inputs.batch_of_joints(rng, batch, largest), *inputs.batch_of_joints(rng, batch, largest)]


@pytest.mark.parametrize("library", EAGER)
@pytest.mark.parametrize("batch", inputs.BATCHES)
@pytest.mark.parametrize("name", OF_JOINTS)
def test_batches_equal_single_calls(rng, name, batch, library):
    """Each entry of a batch is what the scalar case () gives in NumPy, in the library's own arrays."""
    parts = pair(rng, batch)
    value = OF_JOINTS[name](*(library.array(p) for p in parts))
    assert type(value) is type(library.array(0.0)) or library.name == "numpy"
    assert tuple(value.shape) == batch
    assert value.dtype == library.array(0.0).dtype
    for index in np.ndindex(batch):
        assert_allclose(np.asarray(value[index]), OF_JOINTS[name](*(p[index] for p in parts)), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("library", EAGER)
@pytest.mark.parametrize("name", OF_JOINTS)
def test_leading_dimensions_broadcast(rng, name, library):
    x, u = inputs.batch_of_joints(rng, (4, 1))
    y, v = inputs.batch_of_joints(rng, (3,))
    value = OF_JOINTS[name](*(library.array(p) for p in (x, u, y, v)))
    full = [np.broadcast_to(p, (4, 3, p.shape[-1])) for p in (x, u, y, v)]
    assert_allclose(np.asarray(value), OF_JOINTS[name](*full), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("library", FOREIGN)
@pytest.mark.parametrize("name", OF_JOINTS)
def test_values_and_gradients(rng, name, library):
    """Every library's values are NumPy's and its gradients finite differences; compiled in JAX.

    The first rows are the delicate ones (E = 0, ties, zero limits, a fixed joint): the value may have a kink there,
    never a NaN.
    """
    if (name, library.name) == ("swept", "jax"):
        with pytest.raises(MetricError, match="traced arrays: the number of nodes depends"):
            library.values_and_gradients(OF_JOINTS[name], *pair(rng, (2,)))
        return
    xi = np.array([0, 0, 1.0, 0, -1, 0])
    joints = [(xi, [-1.0, 1.0]), (xi, [0.0, 1.0]), (xi, [0.0, 0.0]), (np.zeros(6), [0.0, 0.0])]
    delicate = [(*a, *b) for a in joints for b in joints]
    if name == "log":  # of a half turn: either of two opposite twists
        delicate = []
    parts = [np.array([*(d[k] for d in delicate), *part]) for k, part in enumerate(pair(rng, (4,)))]
    value, gradients = library.values_and_gradients(OF_JOINTS[name], *parts)
    assert_allclose(value, OF_JOINTS[name](*parts), rtol=1e-10, atol=1e-14)
    assert all(np.isfinite(g).all() for g in gradients)
    generic = [part[len(delicate) :] for part in parts]
    expected = finite_differences(lambda *p: OF_JOINTS[name](*p).sum(), generic)
    for gradient, reference in zip(gradients, expected, strict=True):
        assert_allclose(gradient[len(delicate) :], reference, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("library", FOREIGN)
@pytest.mark.parametrize("name", ["distance_kinetic", "compactified", "soft"])
def test_single_precision_is_kept(rng, name, library):
    parts = pair(rng, (3,))
    value = library.call(OF_JOINTS[name], *parts, dtype="float32")
    assert value.dtype == library.array(0.0, "float32").dtype
    assert_allclose(np.asarray(value), OF_JOINTS[name](*parts), rtol=2e-3, atol=2e-5)


@pytest.mark.parametrize("library", [JAX])
@pytest.mark.parametrize("name", ["distance", "compactified"])
def test_jax_vmap(rng, name, library):
    parts = pair(rng, (3,))
    arrays = [library.array(p) for p in parts]
    import jax

    assert_allclose(jax.jit(jax.vmap(OF_JOINTS[name]))(*arrays), OF_JOINTS[name](*parts), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("library", [JAX])
def test_jax_without_jit(rng, library):
    """Swept d looks at its limits: eager arrays only."""
    x, u, y, v = pair(rng, ())
    value = swept_discrepancy((library.array(x), library.array(u)), (library.array(y), library.array(v)), BODY)
    assert_allclose(np.asarray(value), swept_discrepancy((x, u), (y, v), BODY), rtol=1e-10)


@pytest.mark.parametrize("library", FOREIGN)
def test_norms_follow_the_twists_and_joints_follow_the_batch(rng, library):
    """NumPy norms (reversed arrays too), bodies and `Joint`s next to arrays of another library."""
    truth = Joint("revolute", axis=(0, 0, 1), origin=(1, 0, 0), upper=1.2)
    x, u = inputs.batch_of_joints(rng, (4,))

    def both(norm, kappa, x, u):
        one = joint_distance(truth, (x, u), norm, kappa)
        return one, pairwise_distance([truth, truth], (x, u), norm, kappa)

    for norm, kappa in zip(inputs.norms(rng)[1:], (None, 2.0, 1.0), strict=True):
        function = functools.partial(both, norm, kappa)
        for value, expected in zip(library.call(function, x, u), function(x, u), strict=True):
            assert type(value) is type(library.array(0.0))
            assert_allclose(np.asarray(value), expected, rtol=1e-10)
    backwards = Body(1.0, np.arange(3.0)[::-1], np.eye(3)[::-1, ::-1])
    value = library.call(KineticNorm(backwards), x)
    assert_allclose(np.asarray(value), KineticNorm(backwards)(x), rtol=1e-12)
    d = library.call(lambda x, u: motion_discrepancy((x, u), truth, BODY), x, u)
    assert_allclose(np.asarray(d), motion_discrepancy((x, u), truth, BODY), rtol=1e-12)
    loss = library.call(lambda z: invariant_loss(z, truth, SplitNorm()), endpoint_twists(x, u))
    assert_allclose(np.asarray(loss), invariant_loss(endpoint_twists(x, u), truth, SplitNorm()), rtol=1e-12)


@pytest.mark.parametrize("library", FOREIGN)
def test_bodies_and_norms_of_other_libraries(rng, library):
    """A body made of the library's arrays is one; its values are NumPy's."""
    points, weights, z, T = rng.normal(size=(2, 5, 3)), rng.uniform(1, 2, (2, 5)), *np.split(rng.normal(size=(4, 6)), 2)

    def everything(points, weights, z, twist):
        body = Body.from_points(points, weights)
        moved = body.transformed(exp(twist))
        again = Body.from_points(*body.material_points())
        parts = (body.mass, body.com, body.inertia, body.second_moment, moved.inertia, again.inertia)
        norm = KineticNorm(Body.combine([body, moved, moved.physical()]))
        return *parts, norm(z), norm.gram, norm.inner(z, twist)

    values = library.call(everything, points, weights, z, T)
    for value, expected in zip(values, everything(points, weights, z, T), strict=True):
        assert type(value) is type(library.array(0.0))
        assert_allclose(np.asarray(value), expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("library", FOREIGN)
def test_mixed_libraries_are_an_error(library):
    z, other = np.zeros((2, 6)), library.array(np.zeros((2, 6)))
    with pytest.raises(MetricError, match=r"one library, got .*numpy.*: convert them first"):
        distance(z, other, SplitNorm())
    with pytest.raises(MetricError, match="one library"):
        distance(z, z, KineticNorm(Body(library.array(1.0), library.array([0, 0, 0]), library.array(np.eye(3)))))
    with pytest.raises(MetricError, match="one library"):
        screw("revolute", other[0, :3], z[0, :3])


@pytest.mark.parametrize("library", FOREIGN)
def test_invariants_and_compactified_endpoints(rng, library):
    x, u = inputs.batch_of_joints(rng, (3,))
    u[0, 1], u[1] = np.inf, (-np.inf, np.inf)

    def image_and_invariants(x, u):
        image = compactify(x, u, SplitNorm())
        return image, *swap_invariants(image)

    values = library.call(image_and_invariants, x, u)
    for value, expected in zip(values, image_and_invariants(x, u), strict=True):
        assert_allclose(np.asarray(value), expected, rtol=1e-12)


def test_lists_and_integers_become_float64():
    assert distance(np.zeros((2, 6), int), [[0] * 6, [1] * 6], SplitNorm()).dtype == np.float64


def test_every_public_name_is_documented():
    for name in metric.__all__:
        assert getattr(metric, name).__doc__, name


@pytest.mark.parametrize("library", FOREIGN)
def test_gradient_of_e_is_zero_where_e_is(library):
    """A kink: 0 is the one of its slopes that is no direction."""
    z = np.stack([np.zeros(6), [0, 0, 1.0, 0, -1, 0]])
    value, gradients = library.values_and_gradients(lambda p, q: distance(p, q, SplitNorm()), z, z[::-1])
    assert value == 0
    assert all((gradient == 0).all() for gradient in gradients)
