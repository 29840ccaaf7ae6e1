"""Bringing a prediction into the frame of its truth: up, scale, alignment (SPEC sections 8 and 11)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcheck.asset.frames import ORIGINS, base_centre, shifted, transformed, translation
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.errors import UsageError

_UP = {
    "z": np.eye(3),
    "y": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),  # (x, y, z) -> (x, -z, y)
    "x": np.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]]),  # (x, y, z) -> (-z, y, x)
}

Placement = tuple[tuple[float, ...], ...]
"""A rigid placement as four rows of four numbers."""


@dataclass(frozen=True)
class FrameOptions:
    """How a prediction is placed; recorded with every result.

    Parameters
    ----------
    align
        ``none``; ``bbox``: centre on centre of the boxes at rest, and the diagonals made equal unless a scale is given;
        ``base:LINK``: the predicted link LINK onto the true link of that name; a file with a placement (4, 4); or the
        placement itself, four rows.
    up
        Axis of the prediction that points up: x, y or z.
    scale
        Factor of the prediction's lengths; None for 1 (or, with bbox, the ratio of the diagonals).
    origin
        ``world`` or ``base``: then both are shifted by the centre of the ground truth's base.
    """

    align: str | Placement = "none"
    up: str = "z"
    scale: float | None = None
    origin: str = "world"

    def __post_init__(self) -> None:
        if self.up not in _UP:
            raise UsageError(f"--up: expected x, y or z, got {self.up!r}")
        if self.scale is not None and not 0 < self.scale < float("inf"):
            raise UsageError(f"--scale: expected a positive number, got {self.scale!r}")
        if self.origin not in ORIGINS:
            raise UsageError(f"--origin: expected {' or '.join(ORIGINS)}, got {self.origin!r}")


def brought_together(
    ground_truth: ArticulatedObject, prediction: ArticulatedObject, options: FrameOptions
) -> tuple[ArticulatedObject, ArticulatedObject, dict[str, Any]]:
    """Truth and prediction in one frame, and the record of what was done to the prediction."""
    upright = np.eye(4)
    upright[:3, :3] = _UP[options.up]
    prediction = transformed(prediction, upright)
    scale = options.scale or 1.0
    if options.align == "bbox" and options.scale is None:
        scale = ground_truth.size / prediction.size
    prediction = transformed(prediction, np.eye(4), scale)
    placement = _placement(ground_truth, prediction, options.align)
    prediction = transformed(prediction, placement)
    if options.origin == "base":
        centre = base_centre(ground_truth)
        ground_truth, prediction = shifted(ground_truth, centre), shifted(prediction, centre)
    applied = {"scale": scale, "placement": placement @ upright}
    return ground_truth, prediction, applied


def _placement(ground_truth: ArticulatedObject, prediction: ArticulatedObject, align: str | Placement) -> FloatArray:
    if not isinstance(align, str):
        return rigid(align, "--align")
    if align == "none":
        return np.eye(4)
    if align == "bbox":
        return translation(ground_truth.box.mean(axis=0) - prediction.box.mean(axis=0))
    if align.startswith("base:"):
        return onto_link(ground_truth, prediction, align.removeprefix("base:"))
    return read_placement(Path(align))


def onto_link(ground_truth: ArticulatedObject, prediction: ArticulatedObject, link: str) -> FloatArray:
    """Placement (4, 4) that puts a predicted link onto the true link of the same name."""
    for obj, side in ((ground_truth, "ground truth"), (prediction, "prediction")):
        if link not in obj.links:
            names = ", ".join(list(obj.links)[:20])
            raise UsageError(f"--align base:{link}: the {side} {obj.file} has no such link; its links are: {names}")
    return ground_truth.links[link].pose @ np.linalg.inv(prediction.links[link].pose)


def read_placement(path: Path) -> FloatArray:
    """A rigid placement (4, 4) from a text file of 16 numbers or a ``.npy`` file."""
    try:
        raw = np.load(path, allow_pickle=False) if path.suffix == ".npy" else np.loadtxt(path, delimiter=None)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--align: {path}: expected none, bbox, base:LINK or a file with a 4 x 4 placement: {error}"
        ) from None
    return rigid(raw, f"--align: {path}")


def read_placements(path: Path) -> dict[str, Placement]:
    """Placements of many objects from a JSON file ``{ID: [[…], …], …}``; an ID may be ``METHOD/OBJECT``."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"--align: {path}: {error}") from None
    if not isinstance(data, dict):
        raise UsageError(f"--align: {path}: expected an object {{ID: 4 x 4 placement, ...}}")
    return {name: tuple(map(tuple, rigid(m, f"--align: {path}: {name!r}").tolist())) for name, m in data.items()}


def placement_for(given: Mapping[str, Placement], method: str, name: str) -> Placement | None:
    """Where a method's prediction of an object is put: its own entry of `read_placements`, else the object's."""
    return given.get(f"{method}/{name}", given.get(name))


def rigid(value: Any, where: str) -> FloatArray:
    """A value as a rigid placement (4, 4), or a `UsageError` that says where it stands."""
    try:
        matrix = np.asarray(value, dtype=np.float64).reshape(4, 4)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{where}: expected 4 x 4 numbers: {error}") from None
    rotation = matrix[:3, :3]
    proper = (
        np.isfinite(matrix).all()
        and np.abs(rotation @ rotation.T - np.eye(3)).max() < 1e-6
        and np.linalg.det(rotation) > 0
        and np.array_equal(matrix[3], [0, 0, 0, 1])
    )
    if not proper:
        raise UsageError(f"{where}: not a rigid placement (rotation, translation, last row 0 0 0 1)")
    return matrix
