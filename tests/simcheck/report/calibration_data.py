"""Calibration rows with the structure of real ones: random joints and bodies, one error at a time, real d and E_B."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric import Body, KineticNorm, SplitNorm, distance, endpoint_twists, linearization_bound, motion_discrepancy

ERRORS = ("tilt", "origin", "lower", "upper", "shift", "pitch", "kind", "all")
KINDS = ("revolute", "continuous", "prismatic", "helical")

Array = NDArray[np.float64]


def calibration_table(joints: int, seed: int = 0) -> dict[str, NDArray]:
    """About ``joints`` x 50 rows as `simcheck calibrate` records them, in the columns that the figures read."""
    rng = np.random.default_rng(seed)
    error, index, magnitude = (
        a.ravel() for a in np.meshgrid(np.arange(8), np.arange(joints), np.logspace(-3, 0, 8), indexing="ij")
    )
    kind = rng.choice(4, size=joints, p=[0.45, 0.2, 0.25, 0.1])[index]
    slides, helical, tilt, shift = kind == 2, kind == 3, np.isin(error, (0, 7)), np.isin(error, (1, 7))
    keep = ~((slides & (error == 1)) | (~helical & (error == 5)))
    error, index, magnitude, kind, slides, helical, tilt, shift = (
        a[keep] for a in (error, index, magnitude, kind, slides, helical, tilt, shift)
    )

    size, body, axis, arm, full, share, centred = _objects(rng, joints)
    span = np.where(slides, size[index] * 0.5, full[index]) * 10 ** rng.uniform(-1.4, 0, index.size)
    span = np.where(rng.random(index.size) < 0.3, np.where(slides, size[index] * 0.5, full[index]), span)
    lower = np.where(centred[index], -span / 2, np.where(share[index] < 0.5, 0, -share[index] * span))
    upper = lower + span
    axis, arm, size, gyration = (
        axis[index],
        arm[index],
        size[index],
        np.sqrt(np.trace(body.second_moment, 0, 1, 2))[index],
    )
    pitch = np.where(helical, 0.02 * size, 0.0)
    body = Body(body.mass[index], body.com[index], body.inertia[index])
    origin = body.com + arm

    across = _across(rng, axis)
    angle = np.where(tilt, magnitude, 0)[:, None]
    axis_2 = np.cos(angle) * axis + np.sin(angle) * across
    near = origin + np.sum((body.com - origin) * axis, axis=1, keepdims=True) * axis
    origin_2 = near + np.where(shift, magnitude * size, 0)[:, None] * _across(rng, axis_2)
    limit_error = np.where(np.isin(error, (2, 3, 4, 7)), magnitude, 0) * span
    lower_2 = lower - np.where(np.isin(error, (2, 7)), limit_error, 0) + np.where(error == 4, limit_error, 0)
    upper_2 = upper + np.where(np.isin(error, (3, 4, 7)), limit_error, 0)
    pitch_2 = pitch + np.where(error == 5, magnitude * 0.02 * size, 0)
    turned = (error == 6) & ~helical
    scale = np.where(turned, np.where(slides, 1 / gyration, gyration), 1.0)
    slides_2 = np.where(turned, ~slides, slides)

    truth = _screw(axis, origin, pitch, slides), np.stack([lower, upper], axis=1)
    guess = _screw(axis_2, origin_2, pitch_2, slides_2), np.stack([lower_2, upper_2], axis=1) * scale[:, None]
    ends = endpoint_twists(*truth), endpoint_twists(*guess)
    e_b = distance(*ends, KineticNorm(body))
    bound_lower, bound_upper = linearization_bound(truth, guess, body)
    largest = np.maximum(
        np.where(slides, 0, np.abs(truth[1]).max(axis=1)), np.where(slides_2, 0, np.abs(guess[1]).max(axis=1))
    )
    rows = {
        "d": motion_discrepancy(truth, guess, body),
        "E_B": e_b,
        "E_B_physical": e_b,
        "E_alpha": distance(*ends, SplitNorm()),
        "axis_error": angle[:, 0],
        "largest_angle": largest,
        "magnitude": magnitude,
        "kind": np.array(KINDS)[kind],
        "error": np.array(ERRORS)[error],
        "driven_interval": (kind == 1) & (span == full[index]),
        "bound_lower": bound_lower,
        "bound_upper": bound_upper,
    }
    moves = rows["d"] > 1e-9 * size
    moves &= ~((rows["error"] == "kind") & (rows["kind"] == "helical"))
    return {name: values[moves] for name, values in rows.items()}


def _objects(rng: np.random.Generator, n: int) -> tuple[Array, Body, Array, Array, Array, Array, Array]:
    """Sizes, boxes at random places, axes, offsets of the axis from the com, full ranges."""
    size = 10 ** rng.uniform(-1.2, 0.6, n)
    sides = size[:, None] * rng.uniform(0.05, 0.6, (n, 3))
    square = sides**2
    moments = (square.sum(axis=1, keepdims=True) - square) / 12
    turn = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]
    inertia = np.einsum("nij,nj,nkj->nik", turn, moments, turn)
    com = size[:, None] * rng.normal(size=(n, 3))
    axis = rng.normal(size=(n, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    full = rng.choice(np.array([0.5, 1, 1, 1, 2]) * np.pi, n)
    arm = size[:, None] * rng.normal(size=(n, 3)) * 0.2
    return size, Body(np.ones(n), com, inertia), axis, arm, full, rng.random(n), rng.random(n) < 0.5


def _across(rng: np.random.Generator, axis: Array) -> Array:
    """Unit vectors perpendicular to the axes (n, 3)."""
    v = rng.normal(size=axis.shape)
    v -= np.sum(v * axis, axis=1, keepdims=True) * axis
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def _screw(axis: Array, origin: Array, pitch: Array, slides: NDArray) -> Array:
    turning = np.hstack([axis, np.cross(origin, axis) + pitch[:, None] * axis])
    return np.where(slides[:, None], np.hstack([np.zeros_like(axis), axis]), turning)
