"""The data of Fig. 5: random trees, random corruptions, exact distances against D_lambda, and what they take.

    python tests/benchmarks/tree_batch.py [--trees 100] [--corruptions 20] [--most-joints 100]

A batch is a loop over `tree_distance`: the tree objects keep what they computed, so each ground truth is prepared
once. Goal: 100 trees x 20 corruptions exactly in under a minute.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import tree_objects as objects

from metric import SplitNorm, tree_distance


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--corruptions", type=int, default=20)
    parser.add_argument("--most-joints", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    pairs = []
    for k in range(options.trees):
        shape = (objects.uniform, objects.cabinet, objects.chain)[k % 3](
            rng, int(np.exp(rng.uniform(np.log(2), np.log(options.most_joints))))
        )
        joints = objects.random_joints(rng, len(shape), duplicates=0.4)
        truth = objects.tree(shape, joints)
        for _ in range(options.corruptions):
            edits = rng.integers(0, min(3, len(shape)), size=3) * (len(shape) > 3)
            guess = objects.corrupted(rng, shape, joints, *edits, noise=0.1 * rng.random())
            pairs.append((truth, objects.tree(*guess)))
    norm = SplitNorm()
    print(f"{len(pairs)} pairs, {np.median([len(truth.edges) for truth, _ in pairs]):.0f} joints at the median")
    tree_distance(*pairs[0], norm)
    results = {}
    for name, method in (
        ("exact", {}),
        ("relaxed", {"method": "relaxed"}),
        ("D_1", {"method": "constant", "penalty": 1.0}),
        ("D_1 structural", {"method": "constant", "penalty": 1.0, "structural": True}),
    ):
        begin = time.perf_counter(), time.process_time()
        results[name] = [tree_distance(truth, guess, norm, **method) for truth, guess in pairs]
        wall, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
        certified = np.mean([result.certified for result in results[name]])
        print(f"{name:15s} {wall:7.2f} s wall, {cpu:7.2f} s CPU, certified {100 * certified:.1f} %")
    exact, relaxed = (np.array([result.value for result in results[name]]) for name in ("exact", "relaxed"))
    print(f"exact equal to the relaxation: {100 * np.mean(exact <= relaxed * (1 + 1e-9) + 1e-12):.1f} %")


if __name__ == "__main__":
    main()
