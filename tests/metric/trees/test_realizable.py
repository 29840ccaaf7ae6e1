"""Which matchings are tree matchings: the linear check against the definition."""

from __future__ import annotations

import itertools

import brute_force
import numpy as np
import pytest

from metric.trees import is_realizable
from metric.trees.realizable import realizable_subset


@pytest.mark.parametrize("shape", brute_force.SHAPES[:8], ids=str)
def test_against_literal_contraction(shape):
    """Every matching between all trees with up to four edges."""
    one = brute_force.tree(shape)
    for other_shape in brute_force.SHAPES[:8]:
        other = brute_force.tree(other_shape)
        real = set(brute_force.realizable_matchings(shape, other_shape))
        for k in range(min(len(shape), len(other_shape)) + 1):
            for rows in itertools.combinations(range(len(shape)), k):
                for columns in itertools.permutations(range(len(other_shape)), k):
                    pairs = tuple(zip(rows, columns, strict=True))
                    assert is_realizable(one, other, pairs) == (pairs in real), (other_shape, pairs)


def test_subsets_of_realizable_matchings_are_realizable():
    """The reason why pairs that save nothing may be dropped; `brute_force` prunes by it from six edges on."""
    for one, other in itertools.product(brute_force.SHAPES[5:8], brute_force.SHAPES[8:12]):
        literal = brute_force.realizable_matchings(one, other)
        assert set(literal) == set(brute_force.realizable_matchings(one, other, prune=True))


@pytest.mark.parametrize("seed", range(20))
def test_greedy_subset(seed):
    rng = np.random.default_rng(seed)
    one, other = (brute_force.tree(brute_force.random_shape(rng, 9)) for _ in range(2))
    pairs = list(zip(range(9), rng.permutation(9).tolist(), strict=True))
    saving = rng.random((9, 9))
    kept = realizable_subset(one.directed, other.directed, pairs, saving)
    assert is_realizable(one, other, kept)
    for pair in set(pairs) - set(kept):
        heavier = [p for p in kept if saving[p] > saving[pair]]
        assert not is_realizable(one, other, [*heavier, pair])


def test_large_trees_are_checked_in_no_time():
    rng = np.random.default_rng(0)
    shape = brute_force.random_shape(rng, 5_000)
    tree = brute_force.tree(shape)
    matching = [(k, k) for k in range(5_000)]
    assert is_realizable(tree, tree, matching)
    matching[5], matching[4_000] = (5, 4_000), (4_000, 5)
    assert not is_realizable(tree, tree, matching)
