"""Simulators behind one small interface: load a model, set a coordinate, read placements, press on a limit."""

from simcheck.engine.base import Engine, HeldFile, HeldJoint, HeldLink, Placements, Pressed
from simcheck.engine.model import SimulationModel, as_written, canonical, driving_copies, side_by_side, single_joint
from simcheck.errors import UsageError

__all__ = [
    "Engine",
    "HeldFile",
    "HeldJoint",
    "HeldLink",
    "Placements",
    "Pressed",
    "SimulationModel",
    "as_written",
    "canonical",
    "driving_copies",
    "label",
    "open_engine",
    "side_by_side",
    "single_joint",
]


_LABELS = {"pybullet": "PyBullet", "mujoco": "MuJoCo"}


def label(name: str) -> str:
    """A simulator as messages name it."""
    return _LABELS.get(name, name)


def open_engine(name: str = "pybullet") -> Engine:
    """A fresh simulator by name; use it in a ``with`` block, so that it is always disconnected."""
    if name == "pybullet":
        from simcheck.engine.pybullet import PyBulletEngine

        return PyBulletEngine()
    if name == "mujoco":
        try:
            from simcheck.engine.mujoco import MuJoCoEngine
        except ModuleNotFoundError:
            raise UsageError("--engine mujoco: MuJoCo is not installed; install the extra [mujoco]") from None
        return MuJoCoEngine()
    raise UsageError(f"--engine: expected pybullet or mujoco, got {name!r}")
