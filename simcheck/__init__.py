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
    from simcheck.benchmarking import Accumulator, Benchmark, benchmark
    from simcheck.calibration import Calibration, calibrate
    from simcheck.comparison import CompareOptions, compare
    from simcheck.description import describe
    from simcheck.driving import drive
    from simcheck.formats import load_prediction
    from simcheck.verification.run import verify
    from simcheck.viewer import View, view

_HOMES = {
    "Accumulator": "simcheck.benchmarking",
    "ArticulatedObject": "simcheck.asset",
    "Benchmark": "simcheck.benchmarking",
    "Calibration": "simcheck.calibration",
    "CompareOptions": "simcheck.comparison",
    "ReadOptions": "simcheck.asset",
    "View": "simcheck.viewer",
    "benchmark": "simcheck.benchmarking",
    "calibrate": "simcheck.calibration",
    "compare": "simcheck.comparison",
    "describe": "simcheck.description",
    "drive": "simcheck.driving",
    "load": "simcheck.asset",
    "verify": "simcheck.verification.run",
    "load_prediction": "simcheck.formats",
    "view": "simcheck.viewer",
}

__all__ = [
    "Accumulator",
    "ArticulatedObject",
    "AssetError",
    "AssetWarning",
    "Benchmark",
    "Calibration",
    "CompareOptions",
    "ReadOptions",
    "SimcheckError",
    "SimulationError",
    "UsageError",
    "View",
    "__version__",
    "benchmark",
    "calibrate",
    "compare",
    "describe",
    "drive",
    "load",
    "load_prediction",
    "verify",
    "view",
]


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module 'simcheck' has no attribute {name!r}") from None
    return getattr(import_module(home), name)
