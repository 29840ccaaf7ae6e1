"""The calibration pairs of `simcheck.calibration`, with what the experiments on norms ask besides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.experiment import Settings
from experiments.objects import ObjectFile
from metric import endpoint_twists
from metric.joint import stacked
from simcheck.asset import ArticulatedObject
from simcheck.asset.model import ObjectJoint
from simcheck.calibration.pairs import ROW_TYPES, CalibrationOptions, Pair, draw_joint_pairs, draw_pairs, pair_columns
from simcheck.perturb import MAGNITUDES

if TYPE_CHECKING:
    import polars

Array = NDArray[np.float64]

_MAGNITUDE = float(MAGNITUDES[5])  # relative size of an error that is neither tiny nor as large as the object
PARTS = ("rotation", "sliding", "sliding_at_com")
PAIR_TYPES: dict[str, type] = {
    **ROW_TYPES,
    **{f"{part}_{assignment}": float for part in PARTS for assignment in ("direct", "swapped")},
    "gyration": float,
}
"""Columns of the pairs: those of a calibration, then

- for both assignments of the ends, the root of the sum over the two ends of ``|dw|^2`` (rad), of ``|dv|^2`` (m) and of
  ``|dv|^2`` with the origin at the body's centre of mass: E_alpha for any alpha follows from them,
- ``gyration``, the radius of gyration of the moved body about its centre of mass, m.
"""


def measure_pairs(about: ObjectFile, settings: Settings) -> dict[str, Any]:
    """Columns of all pairs of one object (runs in a worker)."""
    obj = about.open(settings)
    pairs, _ = draw_pairs(obj, Path(about.path).read_bytes(), settings.seed)
    if not pairs:
        return {name: [] for name in PAIR_TYPES}
    options = CalibrationOptions(settings.alpha, settings.origin, seed=settings.seed, norm=settings.norm)
    columns: dict[str, Any] = {**pair_columns(obj, pairs, options), "object": [about.id] * len(pairs)}
    a, b = (
        np.asarray(endpoint_twists(*stacked(joints)))
        for joints in ([p.truth for p in pairs], [p.prediction for p in pairs])
    )
    com = np.array([np.asarray(p.body.com) for p in pairs])
    for assignment, other in (("direct", b), ("swapped", b[:, ::-1])):
        parts = split_parts(a - other, com)
        columns |= {f"{name}_{assignment}": value for name, value in zip(PARTS, parts, strict=True)}
    columns["gyration"] = [gyration_radius(p.body) for p in pairs]
    return columns


def middle_pairs(obj: ArticulatedObject, joint: ObjectJoint, data: bytes, seed: int) -> list[Pair]:
    """The calibration pairs of one joint over its whole range whose error is of middle size."""
    return [p for p in draw_joint_pairs(obj, joint, data, seed) if p.declared and p.magnitude == _MAGNITUDE]


def split_parts(difference: Array, com: Array) -> tuple[Array, Array, Array]:
    """Roots of the sums over the ends of |dw|^2, |dv|^2, and |dv + dw x com|^2, for differences (n, 2, 6)."""
    turning, sliding = difference[..., :3], difference[..., 3:]
    at_com = sliding + np.cross(turning, com[:, None])
    rotation, translation, moved = (np.sqrt((part**2).sum(axis=(1, 2))) for part in (turning, sliding, at_com))
    return rotation, translation, moved


def gyration_radius(body: Any) -> float:
    """RMS distance of the body's material from its centre of mass, m."""
    return float(np.sqrt(max(np.trace(np.asarray(body.physical().second_moment)), 0.0)))


def judged(rows: polars.DataFrame) -> polars.DataFrame:
    """The pairs that have a ratio E_B / d, over intervals of their own."""
    return rows.filter(~rows["driven_interval"] & rows["ratio"].is_not_null())


def turning(rows: polars.DataFrame) -> polars.DataFrame:
    """The pairs of turning joints; sliding ones are exact."""
    return rows.filter(rows["kind"] != "prismatic")


def split_distance(rows: polars.DataFrame, alpha: Any, sliding: str = "sliding") -> Array:
    """E_alpha of the pairs for any alpha (a number, or one a row), from the parts; ``sliding`` names the origin."""
    columns = {name: rows[name].to_numpy() for name in rows.columns if name.startswith(("rotation", sliding))}
    both = [
        np.hypot(columns[f"rotation_{assignment}"], alpha * columns[f"{sliding}_{assignment}"])
        for assignment in ("direct", "swapped")
    ]
    return np.asarray(np.minimum(*both))
