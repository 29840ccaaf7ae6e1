"""The objects that a command works on: those of a folder, and ours when none are given."""

from __future__ import annotations

from pathlib import Path

from simcheck.errors import UsageError

# Articulated robots that come with PyBullet, chosen to cover arms, legs, wheels, grippers and helper joints.
PYBULLET_ROBOTS = (
    "TwoJointRobot_w_fixedJoints.urdf",
    "a1/a1.urdf",
    "cartpole.urdf",
    "differential/diff_ring.urdf",
    "franka_panda/panda.urdf",
    "kuka_iiwa/model.urdf",
    "laikago/laikago_toes_limits.urdf",
    "pendulum5.urdf",
    "pr2_gripper.urdf",
    "quadruped/minitaur.urdf",
    "r2d2.urdf",
    "racecar/racecar.urdf",
    "xarm/xarm6_robot.urdf",
)


def own_objects() -> list[Path]:
    """The hand-checked objects of the project, in a source tree or in an installed package."""
    package = Path(__file__).resolve().parent
    folder = next((f for f in (package / "urdfs", package.parent / "urdfs") if f.is_dir()), None)
    return [] if folder is None else sorted(folder.rglob("*.urdf"))


def default_objects() -> list[Path]:
    """Our own objects and PyBullet's robots."""
    import importlib.util

    spec = importlib.util.find_spec("pybullet_data")
    if spec is None or spec.origin is None:
        raise UsageError("pybullet_data is not installed; it comes with PyBullet: install the extra [sim]")
    data = Path(spec.origin).parent
    return [*own_objects(), *(data / name for name in PYBULLET_ROBOTS)]


def urdf_files(folder: Path) -> list[Path]:
    """Every ``*.urdf`` in a folder and below it, in whatever case its name is written."""
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".urdf" and p.is_file())


def collect(paths: list[Path]) -> list[Path]:
    """The files that a list of files and folders names; a folder stands for every ``*.urdf`` in it."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = urdf_files(path)
            if not inside:
                raise UsageError(f"{path}: no *.urdf file in this folder")
            found += inside
        else:
            found.append(path)
    return list(dict.fromkeys(found))
