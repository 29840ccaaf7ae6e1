"""Speed of the metric against named peers in the same run: ``python tests/benchmarks/metric_speed.py [PAIRS]``.

Peers: a loop of one small NumPy function a pair (measured on the first pairs), the memory triad on the bytes that a
pair reads and writes, and `scipy.spatial.distance.cdist` on the same 12 numbers. Each figure is the best of several
interleaved repetitions; ratios are what counts, absolute times depend on the machine. With the extra `fast` installed
the two kernels that numba compiles are used.
"""

from __future__ import annotations

import math
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from metric import (
    Body,
    KineticNorm,
    SplitNorm,
    compiled,
    distance,
    joint_distance,
    motion_discrepancy,
    pairwise_distance,
    swept_discrepancy,
)
from metric.joint import endpoint_twists

ALPHA, KAPPA = 1.0, math.pi


def best(tasks: dict[str, tuple[Callable[[], object], float]], repetitions: int = 7) -> dict[str, float]:
    """Best time of each task in ns for one of its items, repetitions interleaved."""
    times = dict.fromkeys(tasks, math.inf)
    for _ in range(repetitions):
        for name, (task, items) in tasks.items():
            start = time.perf_counter()
            task()
            times[name] = min(times[name], (time.perf_counter() - start) / items * 1e9)
    return times


# ------------------------------------------------------------------------------- peers: one pair at a time


def split_square(z: np.ndarray) -> float:
    return z[:3] @ z[:3] + ALPHA**2 * (z[3:] @ z[3:])


def kinetic_square(z: np.ndarray, mass: float, com: np.ndarray, inertia: np.ndarray) -> float:
    moving = z[3:] + np.cross(z[:3], com)
    return z[:3] @ inertia @ z[:3] / mass + moving @ moving


def pair_distance(z1: np.ndarray, z2: np.ndarray, square: Callable[..., float], *body: object) -> float:
    direct = square(z1[0] - z2[0], *body) + square(z1[1] - z2[1], *body)
    swapped = square(z1[0] - z2[1], *body) + square(z1[1] - z2[0], *body)
    return math.sqrt(min(direct, swapped))


def pair_compactified(xi1: np.ndarray, l1: np.ndarray, xi2: np.ndarray, l2: np.ndarray) -> float:
    images = []
    for xi, limits in ((xi1, l1), (xi2, l2)):
        length = math.sqrt(split_square(xi))
        images.append(np.outer(np.tanh(limits * length / KAPPA), xi / length))
    return pair_distance(images[0], images[1], split_square)


# ------------------------------------------------------------------------------- the run


def report(name: str, value: float, peer: str, required: float, goal: float) -> None:
    verdict = "goal" if value >= goal else "ok" if value >= required else "BELOW"
    print(f"{name:44s} {value:8.2f} x {peer:28s} required {required:<6g} goal {goal:<6g} {verdict}")


def main(pairs: int = 1_000_000) -> None:
    """Print one line a comparison."""
    rng = np.random.default_rng(0)
    z1, z2 = rng.normal(size=(2, pairs, 2, 6))
    xi1, xi2 = rng.normal(size=(2, pairs, 6))
    l1, l2 = np.sort(rng.normal(size=(2, pairs, 2)), axis=-1)
    masses, coms = rng.uniform(1, 2, pairs), rng.normal(size=(pairs, 3))
    roots = rng.normal(size=(pairs, 3, 3))
    inertias = roots @ np.swapaxes(roots, -1, -2)
    inertias = np.trace(inertias, axis1=-2, axis2=-1)[:, None, None] * np.eye(3) - inertias
    split, kinetic = SplitNorm(ALPHA), KineticNorm(Body(masses, coms, inertias))
    distance(z1, z2, split), distance(z1[:, :, :], z2, kinetic)  # compile, and make the bodies' factors

    some = min(pairs, 3000)
    y, x, scratch = rng.normal(size=(3, 25 * pairs // 3))  # 24 bytes each: 200 bytes a pair in all

    tasks: dict[str, tuple[Callable[[], object], float]] = {
        "E": (lambda: distance(z1, z2, split), pairs),
        "E loop": (lambda: [pair_distance(z1[k], z2[k], split_square) for k in range(some)], some),
        "triad": (lambda: np.add(x, y, out=scratch), pairs),
        "E_B": (lambda: distance(z1, z2, kinetic), pairs),
        "E_B loop": (
            lambda: [
                pair_distance(z1[k], z2[k], kinetic_square, masses[k], coms[k], inertias[k]) for k in range(some // 10)
            ],
            some // 10,
        ),
        "E^phi": (lambda: joint_distance((xi1, l1), (xi2, l2), split, KAPPA), pairs),
        "E^phi loop": (lambda: [pair_compactified(xi1[k], l1[k], xi2[k], l2[k]) for k in range(some)], some),
    }
    ns = best(tasks)
    print(f"{pairs:,} pairs; numba {'used' if compiled.load() else 'not installed'}; NumPy {np.__version__}")
    print(" ".join(f"{name} {value:,.1f}" for name, value in ns.items()), "(ns a pair)")
    report("E over pairs", ns["E loop"] / ns["E"], "per-pair NumPy loop", 300, 600)
    report("E over pairs, % of the triad's speed", 100 * ns["triad"] / ns["E"], "memory triad, 200 B a pair", 25, 60)
    report("E_B, a body for each pair", ns["E_B loop"] / ns["E_B"], "per-pair NumPy loop", 200, 600)
    report("E^phi over pairs", ns["E^phi loop"] / ns["E^phi"], "per-pair NumPy loop", 120, 400)

    screws, limits = (xi1[:2000], l1[:2000]), (xi2[:2000], l2[:2000])
    ends = [endpoint_twists(*joint).reshape(-1, 12) for joint in (screws, limits)]
    count = 2000**2
    ns = best(
        {
            "pairs": (lambda: pairwise_distance(screws, limits, split), count),
            "cdist": (lambda: cdist(*ends), count),
        },
        15,
    )
    print(" ".join(f"{name} {value:,.2f}" for name, value in ns.items()), "(ns a pair)")
    report("all pairs 2,000 x 2,000", ns["cdist"] / ns["pairs"], "scipy cdist, one assignment", 0.8, 1.5)

    apart = (screws[0] + 1e-10 * rng.normal(size=screws[0].shape), screws[1])
    exact = distance(endpoint_twists(*screws), endpoint_twists(*apart), split)
    error = np.max(np.abs(np.diag(pairwise_distance(screws, apart, split)) / exact - 1))
    print(f"all pairs, 1e-10 apart: largest relative error {error:.1e}, at most 1e-5")

    for name, task, inputs in (
        ("E", lambda: distance(z1, z2, split), (z1, z2)),
        ("E_B", lambda: distance(z1, z2, kinetic), (z1, z2, masses, coms, inertias)),
        ("E^phi", lambda: joint_distance((xi1, l1), (xi2, l2), split, KAPPA), (xi1, l1, xi2, l2)),
    ):
        tracemalloc.start()
        task()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        share = 100 * peak / sum(array.nbytes for array in inputs)
        print(f"{name} memory: {share:.1f} % of the inputs beside them, at most 10")

    few = min(pairs, 5000)
    body = Body(masses[:few], coms[:few], inertias[:few])
    unit1, unit2 = (xi[:few] / np.linalg.norm(xi[:few, :3], axis=-1, keepdims=True) for xi in (xi1, xi2))
    hinges = (unit1, l1[:few]), (unit2, l2[:few])
    ns = best(
        {
            "d": (lambda: motion_discrepancy(*hinges, body), few),
            "d_sweep": (lambda: swept_discrepancy(*hinges, body), few),
        }
    )
    print(f"d {ns['d'] / 1e3:.2f}, d_sweep {ns['d_sweep'] / 1e3:.2f} microseconds a pair")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
