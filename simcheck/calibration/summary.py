"""What the rows of a calibration say: ratios by angle, error and kind, spreads, violations (SPEC section 5)."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metric.statistics import share_within, spread_in_decades
from simcheck.asset.model import FloatArray
from simcheck.perturb import ERRORS

if TYPE_CHECKING:
    import polars

KINDS = ("revolute", "continuous", "helical", "prismatic")
ANGLE_BINS = (0.0, 15.0, 30.0, 60.0, 120.0, 180.0, 360.0, math.inf)  # degrees, largest angle from rest


def summarise(rows: polars.DataFrame) -> dict[str, Any]:
    """The measured fields of the summary.

    Ratios are E_B_physical / d. Unbounded joints, driven over an interval of our choice, are counted and left out of
    every quantile; sliding joints are exact and appear in ``by_kind`` alone.
    """
    declared = ~rows["driven_interval"].to_numpy()
    kind, error = rows["kind"].to_numpy(), rows["error"].to_numpy()
    ratio = rows["ratio"].to_numpy()
    turning = declared & (kind != "prismatic")
    angle = np.degrees(rows["largest_angle"].to_numpy())
    d = rows["d"].to_numpy()
    by_angle = []
    for low, high in itertools.pairwise(ANGLE_BINS):
        inside = turning & ((angle > low) | (low == 0)) & (angle <= high)
        ends = {"lo": math.radians(low), "hi": None if math.isinf(high) else math.radians(high)}
        by_angle.append(ends | quantiles(ratio[inside]))
    return {
        "pairs": rows.height,
        "ratio_E_B": quantiles(ratio[turning]),
        "spread_E_alpha_decades": spread(rows["E_alpha"].to_numpy()[turning], d[turning], ratio[turning]),
        "spread_E_B_decades": spread(rows["E_B_physical"].to_numpy()[turning], d[turning], ratio[turning]),
        **_own_spread(rows["E_norm"].to_numpy()[turning], d[turning], ratio[turning]),
        "bound_violations": int(rows["bound_violated"].sum()),
        "max_placement_error": _maximum(rows["placement_error"]),
        "max_d_error": _maximum(rows["d_error"]),
        "by_largest_angle": by_angle,
        "by_error": [{"error": e, **quantiles(ratio[turning & (error == e)])} for e in ERRORS],
        "by_kind": [{"kind": k, **quantiles(ratio[(declared | (k == "continuous")) & (kind == k)])} for k in KINDS],
        "by_range": [
            {"range": r, **quantiles(ratio[turning & (rows["range"].to_numpy() == r)])}
            for r in ("declared", "sub-range")
        ],
        "driven_interval_pairs": int((~declared).sum()),
        "inertia_clipped_pairs": int(rows["inertia_clipped"].sum()),
        "no_ratio": {
            reason: int((rows["ratio_reason"] == reason).sum())
            for reason in ("body does not move", "d is 0 to rounding")
        },
    }


def quantiles(ratio: FloatArray) -> dict[str, float | int | None]:
    """Count, 5th, 50th, 95th percentile and share within 5 % of 1, over the defined ratios."""
    known = ratio[np.isfinite(ratio)]
    if known.size == 0:
        return {"n": 0, "p05": None, "p50": None, "p95": None, "within_5_percent": None}
    low, middle, high = np.percentile(known, [5, 50, 95])
    return {
        "n": int(known.size),
        "p05": float(low),
        "p50": float(middle),
        "p95": float(high),
        "within_5_percent": share_within(known),
    }


def spread(value: FloatArray, d: FloatArray, ratio: FloatArray) -> float | None:
    """`spread_in_decades` of a distance over the rows that have a ratio."""
    known = np.isfinite(ratio) & (value > 0)
    decades = spread_in_decades(d[known], value[known])
    return None if math.isnan(decades) else decades


def _own_spread(value: FloatArray, d: FloatArray, ratio: FloatArray) -> dict[str, float | None]:
    """The same of a norm of the user's, where there is one."""
    return {"spread_E_norm_decades": spread(value, d, ratio)} if np.isfinite(value).any() else {}


def _maximum(column: polars.Series) -> float | None:
    return float(column.max()) if len(column) else None  # type: ignore[arg-type]


def describe_angle(low: float, high: float | None) -> str:
    """A bin of the largest angle from rest, in degrees."""
    return f"{math.degrees(low):g}–{math.degrees(high):g}°" if high is not None else f"over {math.degrees(low):g}°"
