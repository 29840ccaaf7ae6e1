"""Is what was written what was meant? The file is read back, and PyBullet drives and presses every joint."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metric import exp
from simcheck.asset import ArticulatedObject, ObjectJoint, load
from simcheck.engine import Engine, Placements, Pressed, driving_copies, side_by_side
from simcheck.errors import SimcheckError
from simcheck.suite.assembly import Assembly, SuiteJoint
from simcheck.suite.sweep import swept_interval

FloatArray = NDArray[np.float64]

PLACEMENT_TOLERANCE = 1e-12  # of the object's size
LIMIT_TOLERANCE = 1e-9  # of range + |limit|
_SCREW_TOLERANCE = 1e-12  # of 1 rad, and of 1 m or the object's size
_MASS_TOLERANCE = 1e-8  # masses are written with nine digits
_TOGETHER = 8  # joints pressed in one model: more cost more than they save
_EXPECTED_WARNINGS = ("thread_pitch", "mimic of joint")


class CheckFailed(SimcheckError):
    """A generated object is not what it should be: a defect of the generator."""


@dataclass(frozen=True)
class Checked:
    """What was verified of one object, and how exactly it holds."""

    joints: int  # read back, driven and pressed
    screw_error: float  # largest difference of a component, rad and m
    placement_error: float  # simulator against closed form, of the object's size
    limit_error: float  # where motors stop, of range + |limit|
    unlimited: int  # continuous joints, which turned a full turn each way


def check(path: Path, assembly: Assembly, box: FloatArray, engine: Engine) -> Checked:
    """Read a written object back, drive and press every joint; `CheckFailed` says what does not hold.

    Parameters
    ----------
    path
        The URDF.
    assembly
        What was meant.
    box : shape (2, 3)
        Corners of the object at rest, world frame.
    """
    obj = load(path)
    size = float(np.linalg.norm(box[1] - box[0]))
    screw_error = _read_back(obj, assembly, size)
    centre = box.mean(axis=0)
    placement_error = _drive(obj, assembly, centre, size, box, engine)
    limit_error = _press(obj, centre, size, engine)
    unlimited = sum(j.kind == "continuous" for j in assembly.movable)
    return Checked(len(assembly.movable), screw_error, placement_error, limit_error, unlimited)


def _read_back(obj: ArticulatedObject, assembly: Assembly, size: float) -> float:
    """Every joint and mass as the reader has it must be the generator's own."""
    found = {joint.name: joint for joint in obj.joints}
    if set(found) != {joint.name for joint in assembly.joints}:
        raise CheckFailed(f"{obj.file}: other joints come back than were written")
    worst = 0.0
    for joint in assembly.joints:
        read = found[joint.name]
        meant = (joint.kind, assembly.links[joint.parent], assembly.links[joint.child])
        if (read.kind, read.parent, read.child) != meant:
            raise CheckFailed(f"{obj.file}: {read.element}: kind or links differ")
        if not joint.movable:
            continue
        if (read.lower, read.upper) != (joint.lower, joint.upper):
            raise CheckFailed(f"{obj.file}: {read.element}: limits {read.lower!r}, {read.upper!r} come back")
        error = np.abs(read.screw - joint.screw)
        if error[:3].max() > _SCREW_TOLERANCE or error[3:].max() > _SCREW_TOLERANCE * max(1.0, size):
            raise CheckFailed(f"{obj.file}: {read.element}: its screw comes back {error.max():.3g} off")
        worst = max(worst, float(error.max()))
    for name, mass in zip(assembly.links, assembly.masses, strict=True):
        inertial = obj.links[name].inertial
        if inertial is None or abs(inertial.mass - mass) > _MASS_TOLERANCE * mass:
            raise CheckFailed(f"{obj.file}: link {name!r}: mass {mass:.6g} kg does not come back")
    unexpected = [w for w in obj.warnings if not any(known in w.message for known in _EXPECTED_WARNINGS)]
    if unexpected:
        raise CheckFailed(str(unexpected[0]))
    return worst


def _drive(
    obj: ArticulatedObject, assembly: Assembly, centre: FloatArray, size: float, box: FloatArray, engine: Engine
) -> float:
    """Every joint at its ends and in the middle of its range, in PyBullet and by ``exp(q xi)`` of the meant screw."""
    meant = {joint.name: joint for joint in assembly.movable}
    order, coordinates, sweeps = [], [], []
    for model, names in driving_copies(obj, centre, size):
        engine.load(model)
        for name in names:
            low, high = swept_interval(meant[name])
            path = [low, (low + high) / 2, high]
            sweeps.append(engine.sweep(name, [0.0, *path], [obj.joint(name).child]))
            order.append(meant[name])
            coordinates.append(path)
    simulated = Placements.stack(sweeps).displacements()[:, 1:, 0]
    closed = np.asarray(exp(np.array(coordinates)[:, :, None] * _screws(order, centre)[:, None, :]))
    corners = np.array(list(itertools.product(*(box - centre).T)))
    difference = simulated - closed
    moved = np.einsum("jnik,mk->jnmi", difference[..., :3, :3], corners) + difference[:, :, None, :3, 3]
    error = np.linalg.norm(moved, axis=-1).max(axis=(1, 2)) / size
    worst = int(np.argmax(error))
    if error[worst] > PLACEMENT_TOLERANCE:
        raise CheckFailed(f"{obj.file}: joint {order[worst].name!r}: PyBullet is {error[worst]:.3g} of the size off")
    return float(error[worst])


def _screws(joints: Sequence[SuiteJoint], centre: FloatArray) -> FloatArray:
    """Unit screws (n, 6) in a frame whose origin is at ``centre``."""
    screws = np.array([joint.screw for joint in joints])
    screws[:, 3:] -= np.cross(centre, screws[:, :3])
    return screws


def _press(obj: ArticulatedObject, centre: FloatArray, size: float, engine: Engine) -> float:
    """Every joint is driven by its motor against both limits; one without limits must turn all round."""
    worst = 0.0
    for joints in _batches(obj.movable_joints):
        engine.load(side_by_side(obj, joints, centre, size))
        pressed = {j.name: Pressed(j.lower, j.upper, size if j.kind == "prismatic" else 2 * math.pi) for j in joints}
        stops = engine.press_all(pressed)
        for joint in joints:
            for stop, limit in zip(stops[joint.name], (joint.lower, joint.upper), strict=True):
                error = 0.0 if stop == limit else abs(stop - limit)
                if math.isfinite(error):
                    error /= joint.upper - joint.lower + abs(limit)
                if error > LIMIT_TOLERANCE:
                    raise CheckFailed(f"{obj.file}: {joint.element}: a motor stops at {stop!r}, the limit is {limit!r}")
                worst = max(worst, error)
    return worst


def _batches(joints: Sequence[ObjectJoint]) -> Iterator[Sequence[ObjectJoint]]:
    for start in range(0, len(joints), _TOGETHER):
        yield joints[start : start + _TOGETHER]
