"""Simulators behind one small interface: load a model, set a coordinate, read placements, press on a limit."""

from simcheck.engine.base import Engine, HeldJoint, Placements, Pressed
from simcheck.engine.model import SimulationModel, as_written, canonical, driving_copies, side_by_side, single_joint

__all__ = [
    "Engine",
    "HeldJoint",
    "Placements",
    "Pressed",
    "SimulationModel",
    "as_written",
    "canonical",
    "driving_copies",
    "open_engine",
    "side_by_side",
    "single_joint",
]


def open_engine(name: str = "pybullet") -> Engine:
    """A fresh simulator by name; use it in a ``with`` block, so that it is always disconnected."""
    if name != "pybullet":
        from simcheck.errors import UsageError

        raise UsageError(f"--engine: expected pybullet, got {name!r}")
    from simcheck.engine.pybullet import PyBulletEngine

    return PyBulletEngine()
