"""The methods of the tree distance, once the edits are priced: each takes a problem and finds a matching.

All have one signature, ``(problem, clock, below)``, so that the least distance over several bases can be taken with
any of them.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from metric.errors import MetricError
from metric.trees.assignment import Pair, best_assignment, forced_assignment
from metric.trees.backend import kernels
from metric.trees.costs import EditCosts
from metric.trees.exact import search
from metric.trees.realizable import is_realizable, realizable_subset
from metric.trees.tree import KinematicTree


@dataclass(frozen=True, eq=False)
class Problem:
    """Two trees as given, and the prices of the edits between their moving edges."""

    ground_truth: KinematicTree
    prediction: KinematicTree
    costs: EditCosts


@dataclass(frozen=True)
class Solution:
    """A matching of the moving edges, what it costs, and bounds of the optimum."""

    pairs: list[Pair]
    value: float
    lower: float
    upper: float
    certified: bool


class Clock:
    """Whether a time limit has passed since the first search began."""

    def __init__(self, seconds: float | None) -> None:
        if not (seconds is None or (isinstance(seconds, (int, float)) and seconds >= 0)):
            raise MetricError(f"time_limit: expected seconds, at least 0, got {seconds!r}")
        self._seconds = math.inf if seconds is None else seconds
        self._end = math.inf

    def start(self) -> None:
        """Begin to count, unless begun."""
        if self._end == math.inf:
            self._end = time.perf_counter() + self._seconds

    def expired(self) -> bool:
        """Whether time is up."""
        return time.perf_counter() >= self._end


def relaxed(problem: Problem, clock: Clock, below: float) -> Solution:
    """The assignment, a lower bound; certified where its own matching is a tree matching."""
    pairs, value, realizable = _assigned(problem)
    if realizable:
        return Solution(pairs, value, value, value, True)
    return Solution(pairs, value, value, problem.costs.of(_realizable_part(problem, pairs)), False)


def unforced(problem: Problem, clock: Clock, below: float) -> Solution:
    """The assignment as a distance of its own: D_lambda."""
    pairs, value, _ = _assigned(problem)
    return Solution(pairs, value, value, value, True)


def forced(problem: Problem, clock: Clock, below: float) -> Solution:
    """D_lambda over the assignments that match every joint of the smaller tree."""
    pairs = forced_assignment(problem.costs)
    value = problem.costs.of(pairs)
    return Solution(pairs, value, value, value, True)


def exact(problem: Problem, clock: Clock, below: float) -> Solution:
    """The least cost of a tree matching; only one that costs less than ``below`` is looked for."""
    costs = problem.costs
    pairs, value, realizable = _assigned(problem)
    if realizable:
        return Solution(pairs, value, value, value, True)
    lower = value
    truth, guess = problem.ground_truth.contracted.directed, problem.prediction.contracted.directed
    known = _realizable_part(problem, pairs)
    routines = kernels(costs.substitution.size)
    clock.start()
    best = search(
        truth,
        guess,
        costs.saving[np.ix_(truth.order, guess.order)],
        costs.removal,
        routines,
        known=max(_saved(costs, known), costs.removal - below),
        expired=clock.expired,
    )
    if best.pairs is not None:
        known = [(int(truth.order[p]), int(guess.order[q])) for p, q in best.pairs]
    value = costs.of(known)
    if best.certified:
        return Solution(known, value, min(value, below), value, True)
    return Solution(known, value, min(max(lower, costs.removal - best.upper), value), value, False)


def _assigned(problem: Problem) -> tuple[list[Pair], float, bool]:
    """The best assignment, its cost, and whether it is a tree matching."""
    pairs = best_assignment(problem.costs.saving)
    realizable = is_realizable(problem.ground_truth.contracted, problem.prediction.contracted, pairs)
    return pairs, problem.costs.of(pairs), realizable


def _saved(costs: EditCosts, pairs: list[Pair]) -> float:
    return sum(float(costs.saving[pair]) for pair in pairs)


def _realizable_part(problem: Problem, pairs: list[Pair]) -> list[Pair]:
    truth, guess = problem.ground_truth.contracted, problem.prediction.contracted
    return realizable_subset(truth.directed, guess.directed, pairs, problem.costs.saving)
