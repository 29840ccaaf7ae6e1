"""Statistics of reports: undefined values counted, bootstrap over objects."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from metric.statistics import (
    STATISTICS,
    bootstrap_interval,
    paired_bootstrap,
    rank_intervals,
    share_within,
    spread_in_decades,
    summarize,
)

values = st.lists(st.one_of(st.floats(-1e3, 1e3), st.just(math.nan), st.just(math.inf)), min_size=1, max_size=30)


@given(values)
def test_summary_against_numpy(x):
    summary = summarize(x)
    defined = [v for v in x if math.isfinite(v)]
    assert (summary.n, summary.undefined) == (len(defined), len(x) - len(defined))
    if not defined:
        assert math.isnan(summary.mean)
        return
    expected = (np.mean(defined), np.median(defined), np.quantile(defined, 0.9), np.sqrt(np.mean(np.square(defined))))
    assert_allclose((summary.mean, summary.median, summary.p90, summary.rms), expected, rtol=1e-12, atol=1e-12)
    assert summary.max == max(defined)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=8), st.data())
def test_weighted_statistics_are_those_of_repeated_values(x, data):
    counts = data.draw(st.lists(st.integers(0, 4), min_size=len(x), max_size=len(x)).filter(any))
    repeated = np.repeat(x, counts)
    order = np.argsort(x)
    for name, reference in (("mean", np.mean), ("median", np.median), ("max", np.max)):
        value = STATISTICS[name](np.array(x)[order], np.array(counts, float)[order])
        assert_allclose(value, reference(repeated), rtol=1e-12, atol=1e-12)
    value = STATISTICS["p90"](np.array(x)[order], np.array(counts, float)[order])
    assert_allclose(value, np.quantile(repeated, 0.9), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_bootstrap_agrees_with_scipy_for_single_values(rng, statistic):
    """Without objects it is the ordinary percentile bootstrap."""
    from scipy.stats import bootstrap

    x = rng.normal(size=60) + 3
    functions = {
        "mean": np.mean,
        "median": np.median,
        "p90": lambda v, axis: np.quantile(v, 0.9, axis=axis),
        "rms": lambda v, axis: np.sqrt(np.mean(v * v, axis=axis)),
        "max": np.max,
    }
    ours = bootstrap_interval(x, statistic=statistic, resamples=4000)
    generator = np.random.default_rng(7)
    theirs = bootstrap((x,), functions[statistic], n_resamples=4000, method="percentile", random_state=generator)
    assert_allclose((ours.lower, ours.upper), theirs.confidence_interval, atol=0.06)
    assert_allclose(ours.value, functions[statistic](x, axis=0))
    assert ours.lower <= ours.value <= ours.upper


def test_objects_are_resampled_whole(rng):
    """Ten copies of each value in one object: the interval is that of the objects, not ten times narrower."""
    x = rng.normal(size=30)
    copies = bootstrap_interval(np.repeat(x, 10), objects=np.repeat(np.arange(30), 10))
    single = bootstrap_interval(x)
    naive = bootstrap_interval(np.repeat(x, 10))
    assert_allclose((copies.lower, copies.upper), (single.lower, single.upper), atol=1e-12)
    assert naive.upper - naive.lower < 0.5 * (copies.upper - copies.lower)


@pytest.mark.parametrize(("statistic", "function"), [("mean", np.mean), ("median", np.median), ("max", np.max)])
def test_bootstrap_by_really_repeating_the_objects(rng, statistic, function):
    x, objects = rng.normal(size=40), rng.integers(0, 9, 40)
    names, labels = np.unique(objects, return_inverse=True)
    drawn = np.random.default_rng(5).integers(0, len(names), (300, len(names)))
    repeated = [function(np.concatenate([x[labels == k] for k in row])) for row in drawn]
    interval = bootstrap_interval(x, objects, statistic, resamples=300, seed=5)
    assert_allclose((interval.lower, interval.upper), np.quantile(repeated, [0.025, 0.975]), rtol=1e-12)


def test_coverage_of_the_interval(rng):
    intervals = [bootstrap_interval(rng.normal(size=40), resamples=300, seed=k) for k in range(300)]
    covered = [interval.lower <= 0 <= interval.upper for interval in intervals]
    assert 0.89 <= np.mean(covered) <= 0.98


@pytest.mark.parametrize(("x", "n", "undefined"), [([], 0, 0), ([1.0], 1, 0), ([math.nan, 2.0, math.inf], 1, 2)])
def test_too_few_values_have_no_interval(x, n, undefined):
    interval = bootstrap_interval(x)
    assert (interval.n, interval.undefined, interval.reason) == (n, undefined, "fewer than 2 defined values")
    assert math.isnan(interval.lower)
    assert math.isnan(interval.upper)
    one = bootstrap_interval([1.0, 2.0], objects=["a", "a"])
    assert (one.value, one.reason) == (1.5, "fewer than 2 objects")


def test_same_seed_same_bytes_whatever_the_chunks(rng, monkeypatch):
    from metric import statistics

    x, objects = rng.normal(size=50), rng.integers(0, 12, 50)
    first = bootstrap_interval(x, objects, "p90", seed=3)
    assert bootstrap_interval(x, objects, "p90", seed=3) == first
    assert bootstrap_interval(x, objects, "p90", seed=4) != first
    monkeypatch.setattr(statistics, "_ENTRIES", 500)
    assert bootstrap_interval(x, objects, "p90", seed=3) == first


def test_paired_bootstrap_sees_what_two_intervals_do_not(rng):
    """A constant difference between methods, far smaller than the spread of the objects."""
    a = 10 * rng.normal(size=50)
    b = a + 0.1 + 0.01 * rng.normal(size=50)
    b[3] = math.nan
    paired = paired_bootstrap(a, b)
    assert (paired.n, paired.undefined) == (49, 1)
    assert paired.lower < paired.value < paired.upper < 0
    assert paired.share_better == 1.0
    assert paired_bootstrap(a, b, lower_is_better=False).share_better == 0.0
    assert paired_bootstrap(a, a).share_better == 0.5
    assert paired_bootstrap([1.0], [2.0]).reason == "fewer than 2 common objects"


def test_rank_intervals(rng):
    base = rng.normal(size=40)
    methods = {"c": base + 2, "a": base, "b": base + 0.001 * rng.normal(size=40), "d": np.where(base > 0, np.nan, 9.0)}
    ranks = {r.method: r for r in rank_intervals({k: methods[k] for k in "abc"})}
    assert (ranks["c"].rank, ranks["c"].lower, ranks["c"].upper) == (3, 3, 3)
    assert (ranks["a"].lower, ranks["a"].upper) == (ranks["b"].lower, ranks["b"].upper) == (1, 2)
    assert_allclose(ranks["a"].share_first + ranks["b"].share_first, 1.0)
    assert rank_intervals({k: methods[k] for k in "abc"}, lower_is_better=False)[0].method == "c"
    tied = rank_intervals({"x": base, "y": base})
    assert [r.rank for r in tied] == [1.5, 1.5]
    assert math.isnan(rank_intervals({"x": [1.0], "y": [2.0]})[0].lower)
    assert math.isnan(rank_intervals({"x": [math.nan]})[0].rank)
    assert_array_equal([r.method for r in rank_intervals(methods)], [r.method for r in rank_intervals(methods)])


def test_spread_is_the_median_over_decades_with_enough_pairs():
    rng = np.random.default_rng(0)
    d = np.concatenate([10 ** rng.uniform(k, k + 0.99, n) for k, n in ((-3, 400), (-2, 400), (-1, 400), (0, 29))])
    width = np.concatenate([np.full(400, 1.0), np.full(400, 2.0), np.full(400, 3.0), np.full(29, 9.0)])
    e = d * 10 ** (width * rng.uniform(-0.5, 0.5, len(d)))
    assert_allclose(spread_in_decades(d, e), 2.0 * 0.9, rtol=0.05)
    assert np.isnan(spread_in_decades(d[-29:], e[-29:]))
    assert np.isnan(share_within(np.array([])))
    assert share_within(np.array([1.0, 1.04, 0.96, 1.06, 2.0])) == 0.6
