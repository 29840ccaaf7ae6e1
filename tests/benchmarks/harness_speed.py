"""How fast the harness is, as ratios against a named peer in the same run.

    python tests/benchmarks/harness_speed.py

Prints one line a measurement: what, ours, the peer, the ratio, the limit we set ourselves. Nothing here is a test:
times on shared machines are not repeatable, ratios nearly are.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np


def best(function: Callable[[], object], repeats: int = 9) -> float:
    """Least time of one call in seconds, after a warm-up."""
    function()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return min(times)


def report(what: str, ours: float, peer: float, peer_name: str, limit: str) -> None:
    """One line of the result."""
    print(f"{what:52} {ours * 1e3:10.2f} ms   {peer_name}: {peer * 1e3:10.2f} ms   ratio {ours / peer:6.2f}   {limit}")


def sweep() -> None:
    """A kinematic sweep of one joint over 1,000 steps against the bare PyBullet loop on the same loaded model."""
    import pybullet
    import pybullet_data

    import simcheck
    from simcheck.engine import canonical, open_engine

    obj = simcheck.load(Path(pybullet_data.getDataPath()) / "kuka_iiwa" / "model.urdf")
    joint = obj.movable_joints[-1]
    coordinates = np.linspace(joint.lower, joint.upper, 1000)
    values = coordinates.tolist()
    with open_engine() as engine:
        engine.load(canonical(obj))
        body, client = engine._body, engine._client
        index = engine._joints[engine._model.coordinates[joint.name][0][0]]
        link = engine._links[engine._model.links[joint.child]]

        def bare() -> None:
            for q in values:
                pybullet.resetJointState(body, index, q, 0.0, client)
                pybullet.getLinkState(body, link, 0, 0, client)

        def ours() -> None:
            engine.sweep(joint.name, coordinates, [joint.child]).displacements()

        ratios = sorted(best(ours, 5) / best(bare, 5) for _ in range(7))
        report("sweep of one joint, 1,000 steps", best(ours), best(bare), "bare loop", "at most 1.5 [goal 1.2]")
        print(f"{'':52} median ratio of 7 paired runs {statistics.median(ratios):.2f}")


def reading() -> None:
    """Links, joints and screws of a 200-joint URDF against yourdfpy's leanest load of the same file."""
    import yourdfpy

    import simcheck

    random = np.random.default_rng(0)
    inertial = (
        '<inertial><origin xyz="0.1 0.2 0.3" rpy="0.1 0 0"/><mass value="1.5"/>'
        '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.15"/></inertial>'
    )
    shape = '<{0}><origin xyz="0 0 0.1" rpy="0 0.1 0"/><geometry><box size="0.1 0.2 0.3"/></geometry></{0}>'
    links = "".join(
        f'<link name="l{k}">{inertial}{shape.format("visual")}{shape.format("collision")}</link>\n' for k in range(201)
    )
    joints = "".join(
        f'<joint name="j{k}" type="revolute"><parent link="l{random.integers(0, k + 1)}"/><child link="l{k + 1}"/>'
        '<origin xyz="0.1 0.02 0.3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" effort="10" velocity="1"/></joint>\n'
        for k in range(200)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        path.write_text(f'<?xml version="1.0"?>\n<robot name="r">\n{links}{joints}</robot>\n')
        ours = best(lambda: [j.screw for j in simcheck.load(path).joints])
        lean = best(lambda: yourdfpy.URDF.load(str(path), build_scene_graph=False, load_meshes=False))
        report("reading a URDF of 200 joints", ours, lean, "yourdfpy, no scene, no meshes", "at most 1.5")


def calibration() -> None:
    """Some 4,000 calibration pairs with 9 nodes on two cores, processes started and all."""
    import simcheck
    from simcheck.defaults import default_objects

    files = [f for f in default_objects() if "pybullet_data" in str(f)][:8]
    started = time.perf_counter()
    result = simcheck.calibrate(files, workers=2)
    spent = time.perf_counter() - started
    pairs = result.summary["pairs"]
    print(
        f"{'calibration, 2 processes, 9 nodes':52} {pairs} pairs in {spent:.1f} s: "
        f"{4000 * spent / pairs:.1f} s for 4,000   at most 10 s [goal 4 s]"
    )


def memory() -> None:
    """Resident memory over 2,000 cycles of load, sweep, replace."""
    import pybullet_data

    import simcheck
    from simcheck.engine import canonical, open_engine

    obj = simcheck.load(Path(pybullet_data.getDataPath()) / "kuka_iiwa" / "model.urdf")
    joint = obj.movable_joints[0]
    model = canonical(obj)
    with open_engine() as engine:
        marks = []
        for cycle in range(2001):
            engine.load(model)
            engine.sweep(joint.name, [0.0, 0.5], [joint.child])
            if cycle in (200, 2000):
                gc.collect()
                marks.append(_resident_mib())
    print(f"{'memory over 1,800 further load cycles':52} {marks[0]:.1f} MiB -> {marks[1]:.1f} MiB   flat")


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def start() -> None:
    """``simcheck --help`` against a bare interpreter."""
    ours = best(
        lambda: subprocess.run([sys.executable, "-m", "simcheck", "--help"], capture_output=True, check=True), 5
    )
    bare = best(lambda: subprocess.run([sys.executable, "-c", "pass"], capture_output=True, check=True), 5)
    report("simcheck --help", ours, bare, "python -c pass", "no heavy import")


if __name__ == "__main__":
    for measure in (sweep, reading, calibration, memory, start):
        measure()
