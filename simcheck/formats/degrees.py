"""Limits in degrees."""

from __future__ import annotations

import math

from simcheck.errors import AssetWarning


def radians(lower: float, upper: float, file: str, element: str, warnings: list[AssetWarning]) -> tuple[float, float]:
    """Limits in rad from limits in degrees, as written; a range that looks like rad is voiced in ``warnings``."""
    reach = max(abs(lower), abs(upper))
    if 0 < reach <= 2 * math.pi:
        message = f"limits {lower:.6g} … {upper:.6g} are degrees in this format and taken so: rad?"
        warnings.append(AssetWarning(file, element, message, "UNIT_ANGLE"))
    return math.radians(lower), math.radians(upper)
