"""Calibration, the main job: pairs of joints, driven and measured; what the rows say; the report."""

from simcheck.calibration.run import Calibration, calibrate

__all__ = ["Calibration", "calibrate"]
