"""The harness: reads articulated objects, drives them in a simulator, measures and compares their motions.

The names below are imported on first use, so that ``import simcheck`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simcheck.errors import AssetError, AssetWarning, SimcheckError, SimulationError, UsageError
from simcheck.version import VERSION as __version__

if TYPE_CHECKING:
    from simcheck.asset import ArticulatedObject, ReadOptions, load
    from simcheck.calibration import Calibration, calibrate
    from simcheck.description import describe
    from simcheck.driving import drive
    from simcheck.verification import verify

_HOMES = {
    "ArticulatedObject": "simcheck.asset",
    "Calibration": "simcheck.calibration",
    "ReadOptions": "simcheck.asset",
    "calibrate": "simcheck.calibration",
    "describe": "simcheck.description",
    "drive": "simcheck.driving",
    "load": "simcheck.asset",
    "verify": "simcheck.verification",
}

__all__ = [
    "ArticulatedObject",
    "AssetError",
    "AssetWarning",
    "Calibration",
    "ReadOptions",
    "SimcheckError",
    "SimulationError",
    "UsageError",
    "__version__",
    "calibrate",
    "describe",
    "drive",
    "load",
    "verify",
]


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module 'simcheck' has no attribute {name!r}") from None
    return getattr(import_module(home), name)
