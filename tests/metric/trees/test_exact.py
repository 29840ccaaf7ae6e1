"""The exact search against brute force by the definition, its bounds, and the two sets of kernels."""

from __future__ import annotations

import itertools
import math

import brute_force
import numpy as np
import pytest

from metric.trees import backend, is_realizable, methods
from metric.trees.antichain import BRANCHED, match
from metric.trees.costs import EditCosts
from metric.trees.methods import Clock, Problem

KERNELS = {"plain": backend.plain, "compiled": backend.compiled}  # compiled is plain where numba is not installed


@pytest.fixture(params=KERNELS)
def kernels(request, monkeypatch):
    chosen = KERNELS[request.param]()
    monkeypatch.setattr(methods, "kernels", lambda pairs: chosen)
    return chosen


def check(one: brute_force.Edges, other: brute_force.Edges, costs: EditCosts) -> None:
    truth = brute_force.least_cost(one, other, costs)
    rounding = 1e-13 * (len(one) + len(other) + 10) * costs.removal + 1e-15  # what the certificate promises
    problem = Problem(brute_force.tree(one), brute_force.tree(other), costs)
    found = methods.exact(problem, Clock(None), math.inf)
    assert found.certified
    assert found.value == pytest.approx(truth, abs=rounding)
    assert found.lower == found.value == found.upper == costs.of(found.pairs)
    assert is_realizable(problem.ground_truth, problem.prediction, found.pairs)
    bound = methods.relaxed(problem, Clock(None), math.inf)
    assert bound.value <= found.value + 1e-12
    assert bound.upper >= found.value - 1e-12
    if bound.certified:
        assert bound.value == pytest.approx(truth, abs=rounding)


@pytest.mark.parametrize("kind", brute_force.KINDS)
def test_all_small_trees(kernels, kind):
    """All pairs of shapes with up to five edges; `benchmarks/tree_exhaustive.py` draws many more costs."""
    rng = np.random.default_rng(brute_force.KINDS.index(kind))
    for one, other in itertools.product(brute_force.SHAPES, repeat=2):
        check(one, other, brute_force.random_costs(rng, len(one), len(other), kind))


@pytest.mark.parametrize("seed", range(6))
def test_larger_trees(kernels, seed):
    """Random trees with six or seven edges; the costs try all kinds."""
    rng = np.random.default_rng(seed)
    one, other = brute_force.random_shape(rng, 6 + seed % 2), brute_force.random_shape(rng, 5 + seed % 2)
    for kind in brute_force.KINDS:
        for _ in range(3):
            check(one, other, brute_force.random_costs(rng, len(one), len(other), kind))


def random_problem(rng: np.random.Generator, edges: int, kind: str) -> Problem:
    one, other = (brute_force.tree(brute_force.random_shape(rng, edges)) for _ in range(2))
    return Problem(one, other, brute_force.random_costs(rng, edges, edges, kind))


@pytest.mark.parametrize("kind", brute_force.KINDS)
def test_both_kernels_give_the_same(kind, monkeypatch):
    rng = np.random.default_rng(7)
    for edges in (10, 25):
        problem = random_problem(rng, edges, kind)
        found = []
        for choice in KERNELS.values():
            monkeypatch.setattr(methods, "kernels", lambda pairs, choice=choice: choice())
            found.append(methods.exact(problem, Clock(None), math.inf))
        assert all(solution.certified for solution in found)
        assert found[0].value == pytest.approx(found[1].value, abs=1e-11)
        if kind == "random":  # no ties: one optimum
            assert sorted(found[0].pairs) == sorted(found[1].pairs)


def test_same_sweep():
    """Both kernels lower the bounds of all states to the same numbers, with states dead here and there."""
    rng = np.random.default_rng(1)
    for edges in (3, 8, 20):
        one, other = (brute_force.tree(brute_force.random_shape(rng, edges)).directed for _ in range(2))
        saving = rng.random((2 * edges, 2 * edges))
        alive = rng.random(saving.shape) < 0.7
        bounds = []
        for choice in KERNELS.values():
            bound = np.full((2 * edges + 1, 2 * edges + 1), np.inf)
            bound[:-1, :-1][~alive] = 0.0
            bound[:-1, -1] = 0.0
            for _ in range(2):
                choice().sweep(one, other, saving, bound)
            bounds.append(bound)
        np.testing.assert_allclose(bounds[0][:-1, :-1], bounds[1][:-1, :-1], rtol=1e-14)
        assert bounds[0][-1, -1] == pytest.approx(bounds[1][-1, -1], rel=1e-14)


def test_sweep_of_a_star_in_pieces(monkeypatch):
    """A node with many children is folded piece by piece: the same numbers."""
    from metric.trees import bounds

    star = brute_force.tree(tuple((0, i + 1) for i in range(12))).directed
    saving = np.random.default_rng(0).random((24, 24))
    results = []
    for largest in (2**22, 10):
        monkeypatch.setattr(bounds, "_LARGEST_GATHER", largest)
        bound = np.full((25, 25), np.inf)
        bounds.sweep(star, star, saving, bound)
        results.append(bound)
    np.testing.assert_allclose(results[0], results[1], rtol=1e-14)


def independent(end: np.ndarray, chosen: tuple[int, ...]) -> bool:
    """Whether none of the places lies behind another one."""
    return all(not (i <= k < end[i] or k <= i < end[k]) for i, k in itertools.combinations(chosen, 2))


def best_antichain_matching(worth: np.ndarray, ends: list[np.ndarray]) -> float:
    best = 0.0
    for k in range(1, len(worth) + 1):
        for rows in itertools.combinations(range(len(worth)), k):
            if independent(ends[0], rows):
                for columns in itertools.permutations(range(len(worth)), k):
                    if independent(ends[1], columns):
                        best = max(best, float(worth[rows, columns].sum()))
    return best


# Where greedy and rounding miss the optimum and the relaxation is fractional: 1 % of the random cases.
FRACTIONAL = (45, 95, 196, 201, 536, 771, 959, 968, 1355, 1458, 1644, 1700, 1719)


@pytest.mark.parametrize("seed", [*range(10), *FRACTIONAL])
def test_antichain_matching(kernels, seed):
    """The best choice of pairs that never lie behind one another, against trying all of them."""
    rng = np.random.default_rng(seed)
    forests = [brute_force.tree(brute_force.random_shape(rng, 6)).directed for _ in range(2)]
    ends = [forest.end for forest in forests]
    # An edge is worth about the sum of what lies behind it: the hard case.
    sizes = [end - np.arange(6) for end in ends]
    worth = np.minimum.outer(*sizes) * (1 + 0.3 * np.round(rng.random((6, 6)), 1 if seed % 2 else 9))
    worth *= rng.random((6, 6)) < 0.9
    best = best_antichain_matching(worth, ends)
    known, unknown = np.ones((6, 6), dtype=bool), np.zeros((6, 6), dtype=bool)
    options = {"enough": math.inf, "expired": lambda: False}
    found = match(worth, *ends, kernels, effort=BRANCHED, floor=0.0, known=known, **options)
    assert found.closed
    assert found.value == pytest.approx(best, abs=1e-12) == worth[tuple(found.pairs.T)].sum()
    assert independent(ends[0], found.pairs[:, 0].tolist())
    assert independent(ends[1], found.pairs[:, 1].tolist())
    # Whatever stops the search early, the bound holds and the pairs are a matching.
    for effort, floor, exact in itertools.product(range(BRANCHED + 1), (0.0, 0.98 * best, 2 * best), (known, unknown)):
        early = match(worth, *ends, kernels, effort=effort, floor=floor, known=exact, **options)
        assert early.bound >= best - 1e-12
        assert early.value == worth[tuple(early.pairs.T)].sum() <= best + 1e-12
    options["expired"] = iter([False, True, True, True]).__next__
    assert match(worth, *ends, kernels, effort=BRANCHED, floor=0.0, known=known, **options).bound >= best - 1e-12


@pytest.mark.parametrize("steps", [0, 1, 3, 10, 30])
def test_cut_off_leaves_true_bounds(kernels, steps):
    """Out of time after so many looks at the clock: a tree matching, bounds that hold, no false certificate."""
    rng = np.random.default_rng(steps)
    for kind in brute_force.KINDS:
        problem = random_problem(rng, 25, kind)
        optimum = methods.exact(problem, Clock(None), math.inf).value
        left = iter(range(steps))
        clock = Clock(None)
        clock.expired = lambda left=left: next(left, None) is None
        found = methods.exact(problem, clock, math.inf)
        assert found.lower <= optimum + 1e-11
        assert found.value == found.upper == problem.costs.of(found.pairs) >= optimum - 1e-11
        assert is_realizable(problem.ground_truth, problem.prediction, found.pairs)
        assert not found.certified or found.value == pytest.approx(optimum, abs=1e-11)


def test_time_limit_is_kept_and_certificates_are_honest():
    rng = np.random.default_rng(3)
    problem = random_problem(rng, 60, "small")
    found = methods.exact(problem, Clock(0.0), math.inf)
    assert found.lower <= found.value
    assert is_realizable(problem.ground_truth, problem.prediction, found.pairs)


def test_only_better_than_a_known_value():
    """Below a value that is the optimum itself nothing is found, and that is certain."""
    rng = np.random.default_rng(5)
    problem = random_problem(rng, 15, "random")
    optimum = methods.exact(problem, Clock(None), math.inf).value
    again = methods.exact(problem, Clock(None), optimum)
    assert again.certified
    assert again.lower == pytest.approx(optimum, abs=1e-11)
    assert methods.exact(problem, Clock(None), optimum + 0.1).value == pytest.approx(optimum, abs=1e-11)
