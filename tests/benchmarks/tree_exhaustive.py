"""The exact tree distance against independent methods, far beyond what the test suite has time for.

    python tests/benchmarks/tree_exhaustive.py [--repeats 20] [--seed 0] [--plain]

1. Every pair of tree shapes with up to five edges, six kinds of costs (random, ties, all equal, zeros, near ties,
   small substitutions), against the minimum over all matchings, each contracted and compared literally.
2. Random trees with six and seven edges, the same way.
3. Random trees and corrupted objects with 7 to 13 edges against a plain recursion over forests.

Prints what was compared and every mismatch; exit code 1 if there was one.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "metric" / "trees"))
import brute_force
import tree_objects as objects

from metric import SplitNorm
from metric.trees import backend, is_realizable, methods
from metric.trees.costs import EditCosts, edit_costs
from metric.trees.methods import Clock, Problem


def mismatch(one: brute_force.Edges, other: brute_force.Edges, costs: EditCosts, truth: float) -> str:
    """What is wrong with our answer; empty if nothing is."""
    problem = Problem(brute_force.tree(one), brute_force.tree(other), costs)
    found, bound = (method(problem, Clock(None), math.inf) for method in (methods.exact, methods.relaxed))
    rounding = 1e-13 * (len(one) + len(other) + 10) * costs.removal + 1e-15
    if not found.certified:
        return "not certified"
    if not is_realizable(problem.ground_truth, problem.prediction, found.pairs):
        return f"no tree matching: {found.pairs}"
    if abs(found.value - truth) > rounding:
        return f"value {found.value!r}, not {truth!r}"
    if not bound.lower - rounding <= truth <= bound.upper + rounding:
        return f"bounds {bound.lower!r} and {bound.upper!r} do not hold {truth!r}"
    return ""


def by_forests(one: brute_force.Edges, other: brute_force.Edges, costs: EditCosts) -> float:
    """The distance by plain recursion over forests, for every root of the second tree.

    The first edge of the first forest is dropped, or matched with any edge f of the second one: then what lies
    below the two is matched, and the rest with what is neither below nor above f.
    """
    saving = costs.saving
    below1, top1 = rooted(one, 0)

    def best_at(root: int) -> float:
        below2, top2 = rooted(other, root)

        def edges(forest: frozenset[int]) -> set[int]:
            return set().union(forest, *(edges(below2[f]) for f in forest))

        def beside(f: int, forest: frozenset[int]) -> frozenset[int]:
            """Forest without f, what lies below it and what lies above it."""
            if f in forest:
                return forest - {f}
            (above,) = (g for g in forest if f in edges(below2[g]))
            return (forest - {above}) | beside(f, below2[above])

        @functools.cache
        def best(first: tuple[int, ...], second: frozenset[int]) -> float:
            if not first or not second:
                return 0.0
            e, rest = first[0], first[1:]
            return max(
                best(tuple(sorted(below1[e])) + rest, second),
                *(
                    saving[e, f] + best(tuple(sorted(below1[e])), below2[f]) + best(rest, beside(f, second))
                    for f in edges(second)
                ),
            )

        return best(tuple(sorted(top1)), top2)

    return costs.removal - max(best_at(root) for root in {node for edge in other for node in edge})


def rooted(shape: brute_force.Edges, root: int) -> tuple[list[frozenset[int]], frozenset[int]]:
    """Edges right below each edge, and those at the root."""
    below: list[frozenset[int]] = [frozenset()] * len(shape)

    def hang(node: int, above: int) -> frozenset[int]:
        here = frozenset(k for k, edge in enumerate(shape) if node in edge and k != above)
        for k in here:
            below[k] = hang(sum(shape[k]) - node, k)
        return here

    return below, hang(root, -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=20, help="draws of every kind of costs for a pair of shapes")
    parser.add_argument("--larger", type=int, default=100, help="pairs of trees with six or seven edges")
    parser.add_argument("--forests", type=int, default=60, help="pairs solved by recursion over forests, twice as many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plain", action="store_true", help="without numba")
    options = parser.parse_args()
    chosen = backend.plain() if options.plain else backend.compiled()
    methods.kernels = lambda pairs: chosen  # whatever the size
    rng = np.random.default_rng(options.seed)
    wrong = 0

    def compare(title: str, cases) -> None:
        nonlocal wrong
        count = 0
        for one, other, costs, truth in cases:
            count += 1
            problem = mismatch(one, other, costs, truth)
            if problem:
                wrong += 1
                print(f"  {one} against {other}: {problem}")
        print(f"{title}: {count} compared, {wrong} mismatches so far", flush=True)

    def small():
        for one, other in itertools.product(brute_force.SHAPES, repeat=2):
            for kind in brute_force.KINDS:
                for _ in range(options.repeats):
                    costs = brute_force.random_costs(rng, len(one), len(other), kind)
                    yield one, other, costs, brute_force.least_cost(one, other, costs)

    def larger():
        for k in range(options.larger):
            one, other = (brute_force.random_shape(rng, edges) for edges in ((6, 6), (7, 5), (7, 6), (7, 7))[k % 4])
            for kind in brute_force.KINDS:
                for _ in range(2):
                    costs = brute_force.random_costs(rng, len(one), len(other), kind)
                    yield one, other, costs, brute_force.least_cost(one, other, costs)
            brute_force.realizable_matchings.cache_clear()

    def forests():
        for k in range(options.forests):
            one, other = (brute_force.random_shape(rng, int(rng.integers(7, 11))) for _ in range(2))
            costs = brute_force.random_costs(rng, len(one), len(other), brute_force.KINDS[k % len(brute_force.KINDS)])
            yield one, other, costs, by_forests(one, other, costs)
            make = (objects.uniform, objects.chain, objects.cabinet)[k % 3]
            shape = make(rng, int(rng.integers(7, 12)))
            joints = objects.random_joints(rng, len(shape), duplicates=(0.0, 0.6)[k % 2])
            moved = objects.corrupted(
                rng, shape, joints, *rng.integers(0, 3, size=3), noise=(0.0, 0.05, 0.3)[k // 6 % 3]
            )
            pair = objects.tree(shape, joints), objects.tree(*moved)
            costs = edit_costs(*pair, SplitNorm(), None, None)
            yield tuple(shape), tuple(moved[0]), costs, by_forests(tuple(shape), tuple(moved[0]), costs)

    compare("all shapes up to five edges", small())
    brute_force.realizable_matchings.cache_clear()
    compare("six and seven edges", larger())
    compare("7 to 13 edges, recursion over forests", forests())
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
