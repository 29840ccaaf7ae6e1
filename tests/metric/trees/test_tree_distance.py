"""The public tree distance: metric axioms, invariances, bodies, bases, options, messages."""

from __future__ import annotations

import itertools
import math
import pickle
import subprocess
import sys

import brute_force
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric import (
    Body,
    Joint,
    KinematicTree,
    KineticNorm,
    MetricError,
    RiemannianNorm,
    SplitNorm,
    cost_to_fixed,
    joint_distance,
    tree_distance,
)
from metric.trees import is_realizable
from metric.trees.costs import EditCosts

deterministic = settings(derandomize=True, deadline=None, max_examples=40)
ALPHA = SplitNorm(0.8)


def random_joint(rng: np.random.Generator) -> Joint:
    kind = ("revolute", "prismatic", "helical", "revolute", "fixed")[rng.choice(5, p=[0.4, 0.3, 0.1, 0.15, 0.05])]
    axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.5 else rng.normal(size=3)
    lower, upper = np.sort(np.round(rng.uniform(-1, 2, 2), 1))
    return Joint(kind, tuple(axis / np.linalg.norm(axis)), tuple(np.round(rng.uniform(-1, 1, 3), 1)), lower, upper, 0.1)


def random_body(rng: np.random.Generator) -> Body:
    return Body.from_points(rng.uniform(-1, 1, (5, 3)), rng.uniform(0.1, 1, 5))


def random_tree(rng: np.random.Generator, edges: int, bodies: float = 0.0) -> KinematicTree:
    """Joints from a small stock, so that equal ones occur."""
    stock = [random_joint(rng) for _ in range(max(1, edges))]
    return KinematicTree(
        [
            (a, b, stock[rng.integers(len(stock))], random_body(rng) if rng.random() < bodies else None)
            for a, b in brute_force.random_shape(rng, edges)
        ],
        base=0,
        base_body=random_body(rng) if bodies else None,
    )


def shape(tree: KinematicTree) -> brute_force.Edges:
    return tuple(edge[:2] for edge in tree.edges)


seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(0, 9)


@deterministic
@given(seeds, sizes, sizes, sizes)
def test_metric_axioms(seed, n, m, k):
    """Theorem B.20: symmetry, triangle inequality, 0 for a tree against itself, for any fixed norm."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(6, 6))
    norm = (ALPHA, RiemannianNorm(root @ root.T + np.eye(6)), KineticNorm(random_body(rng)))[seed % 3]
    kappa = math.pi if seed % 2 else None
    x, y, z = (random_tree(rng, size) for size in (n, m, k))
    xy, yx, yz, xz = (tree_distance(p, q, norm, kappa=kappa) for p, q in ((x, y), (y, x), (y, z), (x, z)))
    assert all(result.certified for result in (xy, yx, yz, xz))
    assert xy.value == pytest.approx(yx.value, rel=1e-12, abs=1e-12)
    assert xz.value <= (xy.value + yz.value) * (1 + 1e-12) + 1e-12
    assert tree_distance(x, x, norm, kappa=kappa).value == 0.0


@deterministic
@given(seeds, sizes, sizes)
def test_bounds_and_matching(seed, n, m):
    """relaxed <= exact <= its upper bound; the matching is a tree matching; the edits add up to the value."""
    rng = np.random.default_rng(seed)
    one, other = random_tree(rng, n, bodies=0.6), random_tree(rng, m, bodies=0.6)
    exact, relaxed = (tree_distance(one, other, method=method) for method in ("exact", "relaxed"))
    assert relaxed.value == relaxed.lower <= exact.value + 1e-12
    assert exact.value <= relaxed.upper + 1e-12
    if relaxed.certified:
        assert relaxed.value == pytest.approx(exact.value, rel=1e-12, abs=1e-12)
    assert exact.lower == exact.value == exact.upper
    assert sum(edit.cost for edit in exact.edits) == pytest.approx(exact.value, rel=1e-12)
    moving = [(one.moving.index(i), other.moving.index(j)) for i, j in exact.matching]
    assert is_realizable(one.contracted, other.contracted, moving)
    structural = tree_distance(one, other, method="constant", penalty=0.3, structural=True)
    free = tree_distance(one, other, method="constant", penalty=0.3)
    forced = tree_distance(one, other, method="constant", penalty=0.3, forced=True)
    assert free.value <= min(structural.value, forced.value) + 1e-12


@deterministic
@given(seeds, st.integers(1, 8))
def test_what_leaves_the_distance_unchanged(seed, n):
    """Other names, edge order and node order; endpoints swapped; a fixed edge anywhere; another relabelled root."""
    rng = np.random.default_rng(seed)
    one, other = random_tree(rng, n), random_tree(rng, n)
    value = tree_distance(one, other, ALPHA).value
    edges = [list(edge) for edge in other.edges]
    new = dict(zip(other.nodes, rng.permutation(100)[: len(other.nodes)].tolist(), strict=True))
    for edge in edges:
        edge[:2] = [new[node] for node in edge[:2]][:: rng.choice([1, -1])]
        if rng.random() < 0.5:
            edge[2] = edge[2].reversed()
    hub = int(rng.choice(list(new.values())))
    for edge in edges:  # a fixed edge splits a node
        edge[:2] = [1000 if node == hub and rng.random() < 0.5 else node for node in edge[:2]]
    edges += [(hub, 1000, Joint("revolute"))]
    changed = KinematicTree([edges[k] for k in rng.permutation(len(edges))])
    assert tree_distance(one, changed, ALPHA).value == pytest.approx(value, rel=1e-11, abs=1e-11)
    assert tree_distance(other, changed, ALPHA).value == pytest.approx(0, abs=1e-11)


@pytest.mark.parametrize("scale", [1e-150, 1e-7, 1.0, 1e7, 1e150])
def test_scale(scale):
    """The certificate follows the unit: prismatic joints of any size."""
    rng = np.random.default_rng(2)
    trees = []
    for _ in range(2):
        lengths = rng.uniform(0.1, 1, 8)
        trees.append([(a, b, length) for (a, b), length in zip(brute_force.random_shape(rng, 8), lengths, strict=True)])
    values = []
    for s in (1.0, scale):
        one, other = (
            KinematicTree([(a, b, Joint("prismatic", upper=s * length)) for a, b, length in edges]) for edges in trees
        )
        result = tree_distance(one, other, SplitNorm())
        assert result.certified
        values.append(result.value / s)
    assert values[0] == pytest.approx(values[1], rel=1e-9)


@deterministic
@given(seeds, st.integers(1, 5), st.integers(1, 5))
def test_own_bodies_by_definition(seed, n, m):
    """Per-edge norms, no triangle inequality: prices by single joints, minimum over all tree matchings."""
    rng = np.random.default_rng(seed)
    truth, guess = random_tree(rng, n, bodies=0.7).contracted, random_tree(rng, m, bodies=0.7).contracted
    kappa = 2.0 if seed % 2 else None

    def norm(edge):
        return ALPHA if edge.body is None else KineticNorm(edge.body)

    costs = EditCosts(
        np.array(
            [[joint_distance(e.joint, f.joint, norm(e), kappa) for f in guess.edges] for e in truth.edges]
        ).reshape(len(truth.edges), len(guess.edges)),
        np.array([cost_to_fixed(e.joint, norm(e), kappa) for e in truth.edges]),
        np.array([cost_to_fixed(f.joint, norm(f), kappa) for f in guess.edges]),
    )
    expected = brute_force.least_cost(shape(truth), shape(guess), costs)
    assert tree_distance(truth, guess, kappa=kappa, fallback=ALPHA).value == pytest.approx(
        expected, rel=1e-9, abs=1e-11
    )


@deterministic
@given(seeds, st.integers(0, 6), st.integers(0, 6))
def test_free_base_is_the_least_over_all_bases(seed, n, m):
    rng = np.random.default_rng(seed)
    truth, guess = random_tree(rng, n, bodies=0.5), random_tree(rng, m, bodies=0.5)
    for options in (
        {"norm": ALPHA},
        {"fallback": ALPHA},
        {"norm": ALPHA, "method": "relaxed"},
        {"norm": ALPHA, "method": "constant", "penalty": 0.4},
        {"norm": ALPHA, "method": "constant", "penalty": 0.4, "structural": True},
    ):
        values = {node: tree_distance(truth, guess.rebased(node), **options).value for node in guess.nodes}
        result = tree_distance(truth, guess, base="free", **options)
        assert result.value == pytest.approx(min(values.values()), rel=1e-12, abs=1e-12)
        assert result.value == pytest.approx(values[result.base], rel=1e-12, abs=1e-12)
        if options.get("method") != "relaxed":
            assert result.certified
            assert result.lower == result.value


def test_free_base_undoes_an_export_from_another_link():
    rng = np.random.default_rng(4)
    truth = KinematicTree(
        [
            (a, b, Joint("revolute", tuple(np.eye(3)[rng.integers(3)]), tuple(rng.normal(size=3)), -0.2, 1.0))
            for a, b in brute_force.random_shape(rng, 12)
        ]
    )
    exported = truth.rebased(12)
    assert tree_distance(truth, exported, ALPHA).value > 0.1
    result = tree_distance(truth, exported, ALPHA, base="free")
    assert result.value == 0.0
    assert result.certified
    assert result.base == 0
    assert tree_distance(truth, exported, ALPHA, base="free", time_limit=0.0).lower <= 0.0


def test_time_limit_over_bases():
    """Cut off at once: bounds that hold for the least distance over all bases."""
    rng = np.random.default_rng(8)
    truth, guess = random_tree(rng, 14), random_tree(rng, 14)
    full = tree_distance(truth, guess, ALPHA, base="free")
    cut = tree_distance(truth, guess, ALPHA, base="free", time_limit=0.0)
    assert full.certified
    assert cut.lower <= full.value <= cut.value
    assert cut.upper == cut.value


def test_continuous_joints():
    """Case 44: a missing wheel costs sqrt(2) under phi, and nothing finite is said without it."""
    door = Joint("revolute", (0, 0, 1), (0.3, 0, 0), 0.0, 1.5)
    wheel = Joint("continuous", (0, 1, 0), (0, 0, 0.1))
    truth = KinematicTree([("base", "door", door), ("base", "wheel", wheel)])
    guess = KinematicTree([("base", "door", door)])
    result = tree_distance(truth, guess, SplitNorm(), kappa=math.pi)
    assert result.value == pytest.approx(math.sqrt(2), rel=1e-15)
    assert result.matching == ((0, 0),)
    both = tree_distance(truth, truth, SplitNorm(), kappa=math.pi)
    assert (both.value, both.matching) == (0.0, ((0, 0), (1, 1)))
    for method in ({}, {"method": "relaxed"}, {"method": "constant", "penalty": 1.0}, {"base": "free"}):
        for pair in ((truth, guess), (guess, truth), (truth, KinematicTree([]))):
            unbounded = tree_distance(*pair, SplitNorm(), **method)
            assert (unbounded.value, unbounded.lower, unbounded.upper) == (math.inf,) * 3
            assert unbounded.certified
            assert unbounded.matching == unbounded.edits == ()


@pytest.mark.parametrize("seed", range(3))
def test_random_trees_with_unbounded_joints(seed):
    rng = np.random.default_rng(seed)
    kinds = [Joint("continuous", tuple(axis), tuple(rng.normal(size=3))) for axis in np.eye(3)]
    kinds += [Joint("prismatic", upper=math.inf), Joint("revolute", lower=-math.inf, upper=1.0), random_joint(rng)]
    one, other = (
        KinematicTree([(a, b, kinds[rng.integers(6)]) for a, b in brute_force.random_shape(rng, 5)]).contracted
        for _ in range(2)
    )
    costs = EditCosts(
        np.array([[joint_distance(a, b, ALPHA, 2.0) for b in other.joints] for a in one.joints]),
        np.array([cost_to_fixed(a, ALPHA, 2.0) for a in one.joints]),
        np.array([cost_to_fixed(b, ALPHA, 2.0) for b in other.joints]),
    )
    expected = brute_force.least_cost(shape(one), shape(other), costs)
    assert tree_distance(one, other, ALPHA, kappa=2.0).value == pytest.approx(expected, rel=1e-12)


def test_edit_script_in_words():
    lid, knob = Joint("revolute", upper=1.5), Joint("prismatic", upper=0.1)
    truth = KinematicTree([("box", "frame", Joint("fixed")), ("frame", "lid", lid), ("lid", "knob", knob)])
    guess = KinematicTree([("a", "b", Joint("fixed")), ("a", "c", Joint("revolute", upper=1.4))])
    result = tree_distance(truth, guess, SplitNorm())
    assert result.matching == ((1, 1),)  # indices of the trees as given, the fixed edges counted
    assert [str(edit) for edit in result.edits] == [
        "ground-truth edge 1 (frame - lid, revolute) substituted by predicted edge 1 (a - c, revolute): 0.1",
        "ground-truth edge 2 (lid - knob, prismatic) contracted: 0.1",
    ]
    back = tree_distance(guess, truth, SplitNorm()).edits
    assert [(edit.kind, edit.ground_truth, edit.prediction) for edit in back] == [
        ("substituted", 1, 1),
        ("expanded", None, 2),
    ]
    assert str(back[1]) == "predicted edge 2 (lid - knob, prismatic) expanded: 0.1"


def test_edges_without_a_body_are_named():
    body = Body(1.0, [0, 0, 0], np.eye(3))
    door = Joint("revolute", upper=1.0)
    truth = KinematicTree([("a", "b", door, body), ("b", "c", door)])
    guess = KinematicTree([("w", "x", Joint("fixed")), ("x", "y", door), ("y", "z", door, body)])
    message = r"body on every edge, none on ground_truth edge 1 \('b' - 'c'\) and prediction edge 1 \('x' - 'y'\)"
    with pytest.raises(MetricError, match=message):
        tree_distance(truth, guess, fallback=None)
    assert tree_distance(truth, guess).value == 0
    assert tree_distance(truth, guess, ALPHA, fallback=None).value == 0  # a norm prices everything


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "best"}, "method: expected one of exact, relaxed, constant, got 'best'"),
        ({"method": "constant"}, "penalty: expected a number, at least 0, with method='constant', got None"),
        ({"method": "constant", "penalty": -1.0}, "penalty: expected a number"),
        ({"method": "constant", "penalty": math.nan}, "penalty: expected a number"),
        ({"penalty": 1.0}, "only with method='constant'"),
        ({"forced": True}, "only with method='constant'"),
        ({"method": "constant", "penalty": 1.0, "forced": True, "structural": True}, "choose one"),
        ({"base": "best"}, "base: expected one of written, free, got 'best'"),
        ({"time_limit": -1.0}, "time_limit: expected seconds, at least 0, got -1.0"),
        ({"time_limit": math.nan}, "time_limit: expected seconds"),
        ({"kappa": -1.0}, "kappa: expected a positive finite number"),
        (
            {"norm": KineticNorm(Body(np.ones(3), np.zeros((3, 3)), np.ones((3, 1, 1)) * np.eye(3)))},
            "expected one norm",
        ),
    ],
)
def test_bad_options(options, message):
    tree = KinematicTree([("a", "b", Joint("revolute", upper=1.0)), ("a", "c", Joint("revolute", upper=1.0))])
    with pytest.raises(MetricError, match=message):
        tree_distance(tree, tree, **{"norm": ALPHA, **options})


def test_bad_trees():
    tree = KinematicTree([("a", "b", Joint("revolute", upper=1.0))])
    with pytest.raises(MetricError, match="prediction: expected a KinematicTree, got list"):
        tree_distance(tree, [], ALPHA)
    adrift = KinematicTree([("b", "a", Joint("revolute", upper=1.0)), ("c", "a", Joint("revolute", upper=1.0))])
    with pytest.raises(MetricError, match="base is unknown"):
        tree_distance(tree, adrift, ALPHA, base="free")


def test_empty_trees():
    empty, door = KinematicTree([]), KinematicTree([("a", "b", Joint("revolute", upper=1.0))])
    for options in ({}, {"norm": ALPHA}, {"method": "relaxed"}, {"base": "free"}):
        assert tree_distance(empty, empty, **options).value == 0.0
        assert tree_distance(empty, door, **options).value == tree_distance(door, empty, **options).value == 1.0
    for variant in ({}, {"forced": True}, {"structural": True}):
        assert tree_distance(empty, door, ALPHA, method="constant", penalty=0.7, **variant).value == 0.7


def test_equal_drawers_need_no_search_over_permutations():
    """40 equal drawers with equal handles, one handle missing: exact and immediate, with or without numba."""
    drawer, handle = Joint("prismatic", (1, 0, 0), upper=0.4), Joint("revolute", (0, 1, 0), upper=1.0)
    edges = [("body", f"drawer {i}", drawer) for i in range(40)]
    handles = [(f"drawer {i}", f"handle {i}", handle) for i in range(40)]
    result = tree_distance(KinematicTree(edges + handles), KinematicTree(edges + handles[1:]), SplitNorm())
    assert result.certified
    assert result.value == 1.0


def test_same_input_same_result():
    rng = np.random.default_rng(0)
    one, other = random_tree(rng, 20), random_tree(rng, 20)
    first = tree_distance(one, other, ALPHA)
    again = tree_distance(KinematicTree(one.edges), KinematicTree(other.edges), ALPHA)
    assert first == again == pickle.loads(pickle.dumps(first))


def test_importing_stays_light():
    """Neither numba nor scipy.optimize before they are needed."""
    code = "import metric, sys; print([m for m in ('numba', 'scipy.optimize') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_without_numba():
    """The plain kernels take over silently."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from metric.trees import backend\n"
        "assert backend.kernels(10_000) is backend.plain()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_all_pairs_of_a_small_family_are_consistent():
    """A distance matrix over 12 trees: symmetric, zero diagonal, triangle inequality in every triple."""
    rng = np.random.default_rng(11)
    trees = [random_tree(rng, int(rng.integers(2, 7))) for _ in range(12)]
    matrix = np.array([[tree_distance(a, b, ALPHA).value for b in trees] for a in trees])
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
    assert (np.diag(matrix) == 0).all()
    for i, j, k in itertools.product(range(12), repeat=3):
        assert matrix[i, k] <= matrix[i, j] + matrix[j, k] + 1e-12
