"""Statistics of reports: undefined values counted, intervals by bootstrap over objects.

A value that is NaN or infinite is undefined: it is counted beside every statistic and enters none. Joints of one
object are not independent, so objects are resampled, each with all its values. Every function is deterministic for
its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric.arrays import validated
from metric.errors import MetricError, ShapeError

Floats = NDArray[np.float64]

_ENTRIES = 2_000_000  # numbers held at a time while resampling


@dataclass(frozen=True)
class Summary:
    """Statistics of the defined values, and how many values there are of each sort; NaN where none is defined."""

    n: int
    undefined: int
    mean: float
    median: float
    p90: float
    rms: float
    max: float


@dataclass(frozen=True)
class Interval:
    """A statistic with its bootstrap interval.

    `lower` and `upper` are NaN, and `reason` says why, where there is no interval.
    """

    value: float
    lower: float
    upper: float
    n: int
    undefined: int
    reason: str = ""


@dataclass(frozen=True)
class PairedInterval(Interval):
    """Mean difference of two methods over their common objects; `share_better` is how often the first was better."""

    share_better: float = float("nan")


@dataclass(frozen=True)
class RankInterval:
    """Rank of a method among others, 1 is best, with its bootstrap interval; ties share the mean rank."""

    method: str
    rank: float
    lower: float
    upper: float
    share_first: float


def summarize(values: Any) -> Summary:
    """Mean, median, 90th percentile, root mean square and maximum of the defined values.

    Parameters
    ----------
    values : array_like, shape (n,)

    Examples
    --------
    >>> summarize([1.0, 3.0, float("nan"), float("inf")])
    Summary(n=2, undefined=2, mean=2.0, median=2.0, p90=2.8, rms=2.23606797749979, max=3.0)
    """
    x = _vector("values", values)
    defined = x[np.isfinite(x)]
    undefined = x.size - defined.size
    if not defined.size:
        return Summary(0, undefined, *(float("nan"),) * 5)
    numbers = (STATISTICS[name](defined, np.ones_like(defined)) for name in ("mean", "median", "p90", "rms", "max"))
    return Summary(defined.size, undefined, *(float(number) for number in numbers))


def bootstrap_interval(
    values: Any,
    objects: Any = None,
    statistic: str = "mean",
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """Percentile interval of a statistic, resampling objects with replacement.

    Parameters
    ----------
    values : array_like, shape (n,)
        One value a joint; NaN and infinities are undefined.
    objects : array_like, shape (n,)
        Label of the object of each value; None: every value is an object of its own.
    statistic
        A key of `STATISTICS`: mean, median, p90, rms, max.
    level
        Share of the resamples inside the interval.
    resamples, seed
        Number of resamples, and the seed that makes them repeatable.

    Returns
    -------
    interval : Interval
        Without bounds, with a reason, where fewer than two values or objects are defined.

    Raises
    ------
    MetricError    unknown statistic, level outside (0, 1), labels that do not match the values

    Examples
    --------
    >>> interval = bootstrap_interval([1, 2, 3, 4], objects=["a", "a", "b", "b"])
    >>> interval.value, interval.lower, interval.upper
    (2.5, 1.5, 3.5)
    """
    _require_options(statistic, level, resamples)
    x, labels = _values_and_objects(values, objects)
    keep = np.isfinite(x)
    undefined, x, labels = int(np.sum(~keep)), x[keep], np.unique(labels[keep], return_inverse=True)[1]
    evaluate, count = STATISTICS[statistic], int(labels.max(initial=-1)) + 1
    value = float(evaluate(x, np.ones_like(x))) if x.size else float("nan")
    if count < 2:
        reason = "fewer than 2 defined values" if x.size < 2 else "fewer than 2 objects"
        return Interval(value, float("nan"), float("nan"), x.size, undefined, reason)
    order = np.argsort(x, kind="stable")
    x, labels = x[order], labels[order]
    drawn = np.concatenate(
        [evaluate(x, weights[:, labels]) for weights in _resampled(count, resamples, seed, wide=x.size)]
    )
    return Interval(value, *_percentiles(drawn, level), x.size, undefined)


def paired_bootstrap(
    first: Any,
    second: Any,
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    lower_is_better: bool = True,
) -> PairedInterval:
    """Mean of first - second over the objects that both methods have, with its interval.

    Parameters
    ----------
    first, second : array_like, shape (n,)
        One value an object in the same order; an object undefined in either is left out and counted.
    level, resamples, seed
        As in `bootstrap_interval`.
    lower_is_better
        Direction, for `share_better`.

    Examples
    --------
    >>> paired = paired_bootstrap([1.0, 2.0, 3.0], [1.5, 2.5, 3.5])
    >>> paired.value, paired.lower, paired.upper, paired.share_better
    (-0.5, -0.5, -0.5, 1.0)
    """
    _require_options("mean", level, resamples)
    a, b = _vector("first", first), _vector("second", second)
    if a.shape != b.shape:
        raise ShapeError(f"first, second: expected one value an object each, got {a.size} and {b.size}")
    keep = np.isfinite(a) & np.isfinite(b)
    difference, undefined = (a - b)[keep], int(np.sum(~keep))
    n = difference.size
    value = float(difference.mean()) if n else float("nan")
    if n < 2:
        return PairedInterval(value, float("nan"), float("nan"), n, undefined, "fewer than 2 common objects")
    drawn = np.concatenate([weights @ difference / n for weights in _resampled(n, resamples, seed)])
    better = drawn < 0 if lower_is_better else drawn > 0
    share = float(np.mean(better + (drawn == 0) / 2))
    return PairedInterval(value, *_percentiles(drawn, level), n, undefined, share_better=share)


def rank_intervals(
    methods: Mapping[str, Any],
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    lower_is_better: bool = True,
) -> list[RankInterval]:
    """Ranks of methods by their mean over the common objects, each with an interval; best first.

    Parameters
    ----------
    methods
        Values of each method, one an object, in the same order; objects undefined in any method are left out.
    level, resamples, seed, lower_is_better
        As in `paired_bootstrap`.

    Returns
    -------
    ranks : list of RankInterval
        Bounds are NaN with fewer than two common objects.

    Examples
    --------
    >>> ranks = rank_intervals({"near": [1.0, 1.1, 1.2], "far": [3.0, 3.1, 3.2]})
    >>> [(r.method, r.rank, r.lower, r.upper) for r in ranks]
    [('near', 1.0, 1.0, 1.0), ('far', 2.0, 2.0, 2.0)]
    """
    from scipy.stats import rankdata

    _require_options("mean", level, resamples)
    if not methods:
        raise MetricError("methods: expected at least one method")
    names = list(methods)
    columns = [_vector(name, methods[name]) for name in names]
    if len({column.size for column in columns}) > 1:
        sizes = ", ".join(f"{name} {column.size}" for name, column in zip(names, columns, strict=True))
        raise ShapeError(f"methods: expected one value an object each, got {sizes}")
    table = np.stack(columns, axis=1)
    table = table[np.isfinite(table).all(axis=1)] * (1.0 if lower_is_better else -1.0)
    n, undefined = len(table), float("nan")
    if n == 0:
        return [RankInterval(name, *(undefined,) * 4) for name in names]
    ranks = rankdata(table.mean(axis=0))
    if n < 2:
        bounds, first = np.full((2, len(names)), undefined), np.full(len(names), undefined)
    else:
        drawn = np.concatenate([rankdata(weights @ table, axis=1) for weights in _resampled(n, resamples, seed)])
        bounds = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0, method="nearest")
        first = np.mean(drawn == drawn.min(axis=1, keepdims=True), axis=0)
    order = np.argsort(ranks, kind="stable")
    return [RankInterval(names[k], *(float(v) for v in (ranks[k], *bounds[:, k], first[k]))) for k in order]


# ---------------------------------------------------------------------------------------------- weighted statistics


def _weighted_mean(x: Floats, weights: Floats) -> Floats:
    return np.asarray(weights @ x / weights.sum(axis=-1))


def _weighted_quantile(share: float) -> Callable[[Floats, Floats], Floats]:
    """Linear-interpolated quantile of sorted x repeated `weights` times, as numpy.quantile of the repetition."""

    def evaluate(x: Floats, weights: Floats) -> Floats:
        if np.any(np.diff(x) < 0):
            order = np.argsort(x, kind="stable")
            x, weights = x[order], weights[..., order]
        upto = np.cumsum(weights, axis=-1)
        position = share * (upto[..., -1] - 1)
        low, high = (_at(x, upto, np.floor(position) + k) for k in (0, 1))
        return np.asarray(low + (high - low) * (position - np.floor(position)))

    return evaluate


def _at(x: Floats, upto: Floats, place: Floats) -> Floats:
    """The entry at a place (0 is the first) of x repeated; `upto` holds the running number of repetitions."""
    index = np.sum(upto <= np.minimum(place, upto[..., -1] - 1)[..., None], axis=-1)
    return np.asarray(x[index])


STATISTICS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "mean": _weighted_mean,
    "median": _weighted_quantile(0.5),
    "p90": _weighted_quantile(0.9),
    "rms": lambda x, weights: np.sqrt(_weighted_mean(x * x, weights)),
    "max": lambda x, weights: np.max(np.where(weights > 0, x, -np.inf), axis=-1),
}
"""Statistics by name: functions of values (n,) and the number of times each counts (..., n)."""


# ---------------------------------------------------------------------------------------------- resampling


def _resampled(count: int, resamples: int, seed: int, wide: int = 0) -> Iterator[Floats]:
    """How often each of `count` objects is drawn, in chunks (k, count) of all resamples."""
    generator = np.random.default_rng(seed)
    chunk = max(1, _ENTRIES // max(count, wide, 1))
    for start in range(0, resamples, chunk):
        yield _counts(generator.integers(0, count, (min(chunk, resamples - start), count)), count)


def _counts(drawn: NDArray[np.int64], count: int) -> Floats:
    rows = np.arange(len(drawn))[:, None] * count
    return np.bincount((drawn + rows).reshape(-1), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)


def _percentiles(drawn: Floats, level: float) -> tuple[float, float]:
    lower, upper = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(lower), float(upper)


def _vector(name: str, values: Any) -> Floats:
    (x,) = validated(**{name: (values, ())})
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 1:
        raise ShapeError(f"{name}: expected shape (n,), got {x.shape}")
    return x


def _values_and_objects(values: Any, objects: Any) -> tuple[Floats, NDArray[Any]]:
    x = _vector("values", values)
    labels = np.arange(x.size) if objects is None else np.asarray(objects)
    if labels.shape != x.shape:
        raise ShapeError(f"objects: expected one label a value, shape {x.shape}, got {labels.shape}")
    return x, labels


def _require_options(statistic: str, level: float, resamples: int) -> None:
    if statistic not in STATISTICS:
        raise MetricError(f"statistic: expected one of {', '.join(STATISTICS)}, got {statistic!r}")
    if not 0 < level < 1:
        raise MetricError(f"level: expected a share between 0 and 1, got {level!r}")
    if isinstance(resamples, bool) or not isinstance(resamples, (int, np.integer)) or resamples < 1:
        raise MetricError(f"resamples: expected a positive integer, got {resamples!r}")


def share_within(ratio: Floats, tolerance: float = 0.05) -> float:
    """Share of ratios that differ from 1 by at most the tolerance; NaN without ratios."""
    return float(np.mean(np.abs(ratio - 1) <= tolerance)) if len(ratio) else np.nan


def spread_in_decades(d: Floats, e: Floats, least: int = 30) -> float:
    """Scatter of e at a given d: the 5-95 % range of log10(e/d), median over the decades of d.

    Parameters
    ----------
    d, e : array, shape (n,)
        Positive.
    least : int
        A decade with fewer pairs is left out.

    Returns
    -------
    spread : float
        Decades; NaN when no decade has enough pairs.
    """
    decade = np.floor(np.log10(d))
    ratio = np.log10(e / d)
    groups = [ratio[decade == k] for k in np.unique(decade)]
    ranges = [np.subtract(*np.percentile(g, [95, 5])) for g in groups if len(g) >= least]
    return float(np.median(ranges)) if ranges else np.nan
