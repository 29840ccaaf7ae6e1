"""How long `simcheck benchmark` takes, what PyBullet's d adds, and that memory does not grow with the objects.

    python tests/benchmarks/benchmark_speed.py [OBJECTS]

Objects of the generated suite are scored against predictions with a tilted axis and a shifted origin at every joint:
a quarter of the objects, then all, then all with the simulator. Each run is a process of its own; its CPU seconds and
the peak memory of it and of its largest worker are the kernel's. Prints, and compares the first run with the second.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import simcheck
from simcheck.asset.write import urdf_text
from simcheck.benchmarking.objects import find_objects
from simcheck.perturb import perturbed
from simcheck.suite import suite_files

WORKERS = 2
TILT, SHIFT = np.array([0.03, -0.02, 0.01]), np.array([0.01, 0.0, 0.02])


def write_prediction(truth: Path, out: Path) -> int:
    """Every joint a little wrong; the number of joints."""
    obj = guess = simcheck.load(truth)
    for joint in obj.movable_joints:
        axis = joint.motion.axis + TILT
        origin = tuple(joint.motion.origin + SHIFT)
        wrong = replace(joint.motion, axis=tuple(axis / np.linalg.norm(axis)), origin=origin)
        guess = perturbed(guess, joint.name, wrong)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(urdf_text(guess))
    return len(obj.movable_joints)


def measured(folder: Path, limit: int, *flags: str) -> tuple[float, float, float]:
    """Wall and CPU seconds of a run, and the peak memory in MiB of the largest of its processes."""
    command = [sys.executable, "-m", "simcheck", "benchmark", "--gt", str(folder / "gt")]
    command += ["--pred", f"guess={folder / 'guess'}", "--limit", str(limit), "--workers", str(WORKERS), "-q", *flags]
    start = time.perf_counter()
    child = os.posix_spawnp(
        command[0],
        [*command, "--out", tempfile.mkdtemp(dir=folder)],
        {**os.environ, "OMP_NUM_THREADS": "1"},
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, usage = os.wait4(child, 0)
    assert status == 0, command
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(objects: int = 2000) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        suite_files(folder / "gt", objects, 1, WORKERS)
        truths, _ = find_objects(folder / "gt", (".urdf",))
        joints = sum(write_prediction(path, folder / "guess" / f"{name}.urdf") for name, path in truths.items())
        print(f"{len(truths)} objects, {joints} joints, {joints / len(truths):.1f} an object, {WORKERS} workers")
        runs = [("closed form", len(truths) // 4, ()), ("closed form", len(truths), ()),
                ("--simulate", len(truths), ("--simulate",))]  # fmt: skip
        found = []
        for title, count, flags in runs:
            wall, cpu, memory = measured(folder, count, *flags)
            found.append((wall, cpu, memory))
            each = f"{1e3 * cpu / count:6.1f} ms CPU an object"
            print(f"{title:12} {count:6} objects {wall:8.1f} s {cpu:8.1f} s CPU {each} {memory:6.0f} MiB at most")
        extra = [1e3 * (b - a) / joints for a, b in zip(found[1], found[2], strict=True)]
        print(f"the simulator adds {extra[0]:.2f} ms a joint ({extra[1]:.2f} ms CPU)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
