"""The tree distance in its three methods: exact, relaxed, constant (SPEC section 2, paper 4.3 and B.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from metric.errors import MetricError
from metric.norm import Norm, SplitNorm
from metric.trees import methods
from metric.trees.assignment import best_assignment
from metric.trees.costs import edit_costs
from metric.trees.methods import Clock, Problem, Solution
from metric.trees.result import TreeDistance, edit_script
from metric.trees.tree import KinematicTree

METHODS = ("exact", "relaxed", "constant")
BASES = ("written", "free")


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
        Seconds after which the search stops with the best tree matching found and a true lower bound. Pricing,
        assignment, and loading or compiling kernels come before it and do not count; a first bound is always
        computed.

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
    clock = Clock(time_limit)
    if base not in BASES:
        raise MetricError(f"base: expected one of {', '.join(BASES)}, got {base!r}")

    bases = [prediction]
    if base == "free":
        bases += [prediction.rebased(node) for node in prediction.contracted.nodes if node != prediction.base]
    problems = []
    for tree in bases:
        costs = edit_costs(ground_truth, tree, norm, kappa, fallback)
        if not costs.finite:
            return TreeDistance(math.inf, math.inf, math.inf, True, method, (), (), prediction.base)
        problems.append(Problem(ground_truth, tree, costs if penalty is None else costs.with_penalty(penalty)))
    return _least(problems, solve, clock, method)


_Solver = Callable[[Problem, Clock, float], Solution]


def _solver(method: str, penalty: float | None, forced: bool, structural: bool) -> _Solver:
    """The function that solves one problem, options checked."""
    if method not in METHODS:
        raise MetricError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    if method != "constant":
        if penalty is not None or forced or structural:
            raise MetricError("penalty, forced, structural: only with method='constant'")
        return methods.exact if method == "exact" else methods.relaxed
    if not (isinstance(penalty, (int, float)) and 0 <= penalty < math.inf):
        raise MetricError(f"penalty: expected a number, at least 0, with method='constant', got {penalty!r}")
    if forced and structural:
        raise MetricError("forced, structural: choose one, a tree matching of all joints need not exist")
    return methods.exact if structural else methods.forced if forced else methods.unforced


def _least(problems: list[Problem], solve: _Solver, clock: Clock, method: str) -> TreeDistance:
    """The least of several distances, the most promising first; the first one among equals."""
    if len(problems) == 1:
        return _result(problems[0], solve(problems[0], clock, math.inf), method)
    floors = [problem.costs.of(best_assignment(problem.costs.saving)) for problem in problems]
    chosen, best = problems[0], Solution([], math.inf, math.inf, math.inf, True)
    lower, certified = math.inf, True
    for k in sorted(range(len(problems)), key=lambda k: floors[k]):
        if floors[k] >= best.value:
            break
        if clock.expired() and best.value < math.inf:
            lower, certified = min(lower, floors[k]), False
            break
        solution = solve(problems[k], clock, best.value)
        lower, certified = min(lower, solution.lower), certified and solution.certified
        if solution.value < best.value:
            chosen, best = problems[k], solution
    lower = best.value if certified else lower
    return _result(chosen, replace(best, lower=lower, certified=certified), method)


def _result(problem: Problem, solution: Solution, method: str) -> TreeDistance:
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
