"""The tree distance in its three methods: exact, relaxed, constant (SPEC section 2, paper 4.3 and B.5)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from metric.errors import MetricError
from metric.norm import Norm, SplitNorm
from metric.trees.assignment import Pair, best_assignment, forced_assignment
from metric.trees.backend import kernels
from metric.trees.costs import EditCosts, edit_costs
from metric.trees.exact import search
from metric.trees.realizable import is_realizable, realizable_subset
from metric.trees.result import TreeDistance, edit_script
from metric.trees.tree import KinematicTree

METHODS = ("exact", "relaxed", "constant")
BASES = ("written", "free")

_ROUNDING = 1e-11  # share of the cost of removing everything; see TreeDistance.certified
_T = TypeVar("_T")


def tree_distance(
    ground_truth: KinematicTree,
    prediction: KinematicTree,
    norm: Norm | None = None,
    *,
    kappa: float | None = None,
    fallback: Norm | None = SplitNorm(),  # noqa: B008 (immutable)
    method: str = "exact",
    penalty: float | None = None,
    forced: bool = False,
    structural: bool = False,
    base: str = "written",
    time_limit: float | None = None,
) -> TreeDistance:
    """Motion-aware edit distance between two kinematic trees (paper 4.3).

    Links are nodes, joints are edges, unrooted, nodes unlabelled. Exactly fixed edges are contracted first.
    Substituting J by J' costs E(J, J'), contracting or expanding J costs E(J, J0); the distance is the least sum
    over edge matchings for which contracting every unmatched edge leaves two isomorphic trees.

    Parameters
    ----------
    ground_truth, prediction
        `KinematicTree`, joints in one world frame at rest.
    norm
        Prices every edit. None: each ground-truth edge's own kinetic norm prices its substitution and contraction,
        each predicted edge's own its expansion (m). Such prices obey no triangle inequality, nor symmetry.
    kappa
        None: E. A number: E^phi with that scale.
    fallback
        With ``norm=None``, prices edges without a body; it mixes units. None: such edges are an error.
    method
        ``exact``; ``relaxed``, the assignment that ignores the trees, a lower bound; ``constant``, D_lambda: the
        assignment with ``penalty`` for every unmatched joint.
    penalty, forced, structural
        Only with ``constant``: lambda; match every joint of the smaller tree; ask for a tree matching.
    base
        ``written``: joints as they are written. ``free``: the least distance over all links of the prediction as
        its base (see `KinematicTree.rebased`).
    time_limit
        Seconds after which a search stops with the best tree matching found and a true lower bound. A first bound
        is always computed; time to compile kernels does not count.

    Returns
    -------
    TreeDistance
        ``value`` is +inf (and certified) if a joint is unbounded and kappa is None.

    Raises
    ------
    MetricError
        Not a tree, an unknown option, options that do not go together, an edge that no norm prices.

    Notes
    -----
    For a batch call it in a loop, and keep the tree objects: each one computes its contraction and rooting once.
    Results and arguments can be pickled, so that a process pool can share the work.

    Examples
    --------
    >>> from metric import Joint
    >>> lid, knob = Joint("revolute", upper=1.5), Joint("prismatic", upper=0.1)
    >>> box = KinematicTree([("box", "lid", lid), ("lid", "knob", knob)])
    >>> result = tree_distance(box, KinematicTree([("a", "b", lid)]), SplitNorm())
    >>> result.value, result.certified, result.matching
    (0.1, True, ((0, 0),))
    >>> print(result.edits[1])
    ground-truth edge 1 (lid - knob, prismatic) contracted: 0.1
    """
    for name, tree in (("ground_truth", ground_truth), ("prediction", prediction)):
        if not isinstance(tree, KinematicTree):
            raise MetricError(f"{name}: expected a KinematicTree, got {type(tree).__name__}")
    solve = _solver(method, penalty, forced, structural)
    clock = _Clock(time_limit)
    if base not in BASES:
        raise MetricError(f"base: expected one of {', '.join(BASES)}, got {base!r}")

    def priced(tree: KinematicTree) -> _Problem:
        costs = edit_costs(ground_truth.contracted, tree.contracted, norm, kappa, fallback)
        return _Problem(ground_truth, tree, costs if penalty is None else costs.with_penalty(penalty))

    problem = priced(prediction)
    if not problem.costs.finite:
        return TreeDistance(math.inf, math.inf, math.inf, True, method, (), (), prediction.base)
    if base == "written":
        return _result(problem, solve(problem, clock, math.inf), method)
    others = [prediction.rebased(node) for node in prediction.contracted.nodes if node != prediction.base]
    return _least([problem, *map(priced, others)], solve, clock, method)


@dataclass(frozen=True, eq=False)
class _Problem:
    """Two trees as given, and the prices of the edits between their moving edges."""

    ground_truth: KinematicTree
    prediction: KinematicTree
    costs: EditCosts


@dataclass(frozen=True)
class _Solution:
    """A matching of the moving edges, what it costs, and bounds of the optimum."""

    pairs: list[Pair]
    value: float
    lower: float
    upper: float
    certified: bool


class _Clock:
    """Whether a time limit has passed; work may be left out of account."""

    def __init__(self, seconds: float | None) -> None:
        if not (seconds is None or (isinstance(seconds, (int, float)) and seconds >= 0)):
            raise MetricError(f"time_limit: expected seconds, at least 0, got {seconds!r}")
        self._end = math.inf if seconds is None else time.perf_counter() + seconds

    def expired(self) -> bool:
        return time.perf_counter() >= self._end

    def not_counting(self, work: Callable[[], _T]) -> _T:
        begin = time.perf_counter()
        result = work()
        self._end += time.perf_counter() - begin
        return result


_Solver = Callable[[_Problem, _Clock, float], _Solution]


def _solver(method: str, penalty: float | None, forced: bool, structural: bool) -> _Solver:
    """The function that solves one problem, options checked."""
    if method not in METHODS:
        raise MetricError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    if method != "constant":
        if penalty is not None or forced or structural:
            raise MetricError("penalty, forced, structural: only with method='constant'")
        return _exact if method == "exact" else _relaxed
    if not (isinstance(penalty, (int, float)) and 0 <= penalty < math.inf):
        raise MetricError(f"penalty: expected a number, at least 0, with method='constant', got {penalty!r}")
    if forced and structural:
        raise MetricError("forced, structural: choose one, a tree matching of all joints need not exist")
    return _exact if structural else _forced if forced else _free


def _relaxed(problem: _Problem, clock: _Clock, below: float) -> _Solution:
    """The assignment, a lower bound; certified where its own matching is a tree matching."""
    pairs, value, realizable = _assigned(problem)
    if realizable:
        return _Solution(pairs, value, value, value, True)
    return _Solution(pairs, value, value, problem.costs.of(_realizable_part(problem, pairs)), False)


def _free(problem: _Problem, clock: _Clock, below: float) -> _Solution:
    pairs, value, _ = _assigned(problem)
    return _Solution(pairs, value, value, value, True)


def _forced(problem: _Problem, clock: _Clock, below: float) -> _Solution:
    pairs = forced_assignment(problem.costs)
    value = problem.costs.of(pairs)
    return _Solution(pairs, value, value, value, True)


def _exact(problem: _Problem, clock: _Clock, below: float) -> _Solution:
    """The least cost of a tree matching; only one that costs less than ``below`` is looked for."""
    costs = problem.costs
    pairs, value, realizable = _assigned(problem)
    if realizable:
        return _Solution(pairs, value, value, value, True)
    lower = value
    truth, guess = problem.ground_truth.contracted.directed, problem.prediction.contracted.directed
    known = _realizable_part(problem, pairs)
    routines = clock.not_counting(kernels)
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
        floor = min(value, below)
        return _Solution(known, value, floor, value, True)
    margin = _ROUNDING * costs.removal
    return _Solution(known, value, min(max(lower, costs.removal - best.upper - margin), value), value, False)


def _assigned(problem: _Problem) -> tuple[list[Pair], float, bool]:
    """The best assignment, its cost, and whether it is a tree matching."""
    pairs = best_assignment(problem.costs.saving)
    realizable = is_realizable(problem.ground_truth.contracted, problem.prediction.contracted, pairs)
    return pairs, problem.costs.of(pairs), realizable


def _saved(costs: EditCosts, pairs: list[Pair]) -> float:
    return sum(float(costs.saving[pair]) for pair in pairs)


def _realizable_part(problem: _Problem, pairs: list[Pair]) -> list[Pair]:
    truth, guess = problem.ground_truth.contracted, problem.prediction.contracted
    return realizable_subset(truth.directed, guess.directed, pairs, problem.costs.saving)


def _least(problems: list[_Problem], solve: _Solver, clock: _Clock, method: str) -> TreeDistance:
    """The least distance over the bases of the prediction, the most promising first, the written one among equals."""
    floors = [problem.costs.of(best_assignment(problem.costs.saving)) for problem in problems]
    if method == "constant":
        floors = [0.0] * len(problems)
    chosen, best = problems[0], _Solution([], math.inf, math.inf, math.inf, True)
    lower, certified = math.inf, True
    for k in sorted(range(len(problems)), key=lambda k: floors[k]):
        if floors[k] >= best.value:
            break
        if clock.expired() and best.pairs:
            lower, certified = min(lower, floors[k]), False
            break
        solution = solve(problems[k], clock, best.value)
        lower, certified = min(lower, solution.lower), certified and solution.certified
        if solution.value < best.value:
            chosen, best = problems[k], solution
    if certified:
        lower = best.value
    return _result(chosen, replace(best, lower=lower, certified=certified), method)


def _result(problem: _Problem, solution: _Solution, method: str) -> TreeDistance:
    pairs = sorted(solution.pairs)
    truth, guess = problem.ground_truth, problem.prediction
    return TreeDistance(
        solution.value,
        solution.lower,
        solution.upper,
        solution.certified,
        method,
        tuple((truth.moving[i], guess.moving[j]) for i, j in pairs),
        edit_script(truth, guess, problem.costs, pairs),
        guess.base,
    )
