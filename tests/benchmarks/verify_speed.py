"""What `simcheck verify` costs a file in a batch, against PyBullet's own load of the same file in the same run.

    python tests/benchmarks/verify_speed.py [FILES]

A clean object of four moving joints (urdfs/storage/cabinet.urdf, 66 shapes), copied so that nothing is cached by name.
Nothing here is a test: times on shared machines are not repeatable, ratios nearly are.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from simcheck.verification.batch import examine_all
from simcheck.verification.examination import Checks

OBJECT = Path(__file__).resolve().parents[2] / "urdfs" / "storage" / "cabinet.urdf"


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """PyBullet's C output goes nowhere."""
    kept = os.dup(1)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        yield
        os.dup2(kept, 1)
        os.close(kept)


def load_alone(files: list[str]) -> float:
    """Seconds a file that PyBullet takes to load it and forget it."""
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    started = time.perf_counter()
    with quiet():
        for file in files:
            pybullet.loadURDF(file, flags=pybullet.URDF_USE_INERTIA_FROM_FILE, physicsClientId=client)
            pybullet.resetSimulation(physicsClientId=client)
    spent = time.perf_counter() - started
    pybullet.disconnect(client)
    return spent / len(files)


def verify(files: list[str], checks: Checks) -> float:
    """Seconds a file of the batch, in one worker, without the start of the process and the first file."""
    reports = examine_all(files, checks)
    next(reports)
    started = time.perf_counter()
    count = 0
    for report in reports:
        assert not report.findings, report.findings[0]
        count += 1
    return (time.perf_counter() - started) / count


def main() -> None:
    """Three runs of each kind; the median counts."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    kinds = {
        "file and simulator": (Checks(motor=False, sweep=False), "at most 30 ms"),
        "with motor": (Checks(sweep=False), ""),
        "with motor and sweep": (Checks(), "at most 80 ms"),
    }
    with tempfile.TemporaryDirectory() as folder:
        files = [str(shutil.copy(OBJECT, Path(folder) / f"{k}.urdf")) for k in range(count)]
        bare = statistics.median(load_alone(files) for _ in range(3))
        print(f"{'PyBullet: loadURDF, resetSimulation':40} {bare * 1e3:6.1f} ms a file")
        for name, (checks, limit) in kinds.items():
            ours = statistics.median(verify(files, checks) for _ in range(3))
            print(f"{'verify: ' + name:40} {ours * 1e3:6.1f} ms a file   ratio {ours / bare:5.1f}   {limit}")


if __name__ == "__main__":
    main()
