"""Driving joints in a simulator: what moves, where to, and how far that is from the closed form (SPEC section 4)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metric import Body, exp, log
from simcheck.asset import ArticulatedObject, ObjectJoint, ReadOptions
from simcheck.asset.frames import translation
from simcheck.engine import Engine, SimulationModel, as_written, canonical, label, open_engine, single_joint
from simcheck.engine.messages import simulator_warnings
from simcheck.engine.model import fits
from simcheck.errors import AssetError, AssetWarning, SimcheckError, SimulationError, UsageError
from simcheck.formats import load_prediction
from simcheck.formats.detection import detect
from simcheck.formats.source import Source
from simcheck.results import Result, input_hashes, limit_value, plain, read_settings, result
from simcheck.workers import TIMEOUT, Workers

FloatArray = np.ndarray[Any, np.dtype[np.float64]]

MODES = ("kinematic", "motor")
AGREEMENT = 1e-9  # of the size: how far PyBullet's reading of the user's text may be from ours


def driven_interval(joint: ObjectJoint, size: float) -> tuple[float, float]:
    """The interval a joint is driven over: its limits; an infinite end is half a turn (or half the size) away.

    A joint with one infinite end is driven a whole turn (or the size) from the other end.
    """
    half = size / 2 if joint.kind == "prismatic" else math.pi
    lower, upper = joint.lower, joint.upper
    if math.isinf(lower) and math.isinf(upper):
        return -half, half
    if math.isinf(upper):
        return lower, lower + 2 * half
    if math.isinf(lower):
        return upper - 2 * half, upper
    return lower, upper


def material_points(body: Body | None, box: FloatArray) -> FloatArray:
    """Points (n, 3) that stand for the moved material: the body's material points, else corners of a box; world."""
    if body is not None:
        return np.asarray(body.physical().material_points()[0])
    return np.array(list(itertools.product(*box.T)))


def placement_error(simulated: FloatArray, screw: FloatArray, coordinates: FloatArray, points: FloatArray) -> float:
    """Largest distance between points moved by the simulator and by ``exp(q xi)``, m.

    Parameters
    ----------
    simulated : shape (n, 4, 4)
        ``D(q)`` of the driven link.
    screw : shape (6,)
    coordinates : shape (n,)
    points : shape (m, 3)
        All in one frame.
    """
    closed = np.asarray(exp(coordinates[:, None] * screw))
    difference = simulated - closed
    moved = np.einsum("nij,mj->nmi", difference[:, :3, :3], points) + difference[:, None, :3, 3]
    return float(np.linalg.norm(moved, axis=-1).max())


@dataclass(frozen=True)
class _Target:
    """One joint in the frame of its model."""

    joint: ObjectJoint
    screw: FloatArray  # (6,), model frame
    body: Body | None  # physical, model frame
    points: FloatArray  # (m, 3), model frame
    size: float


def _target(obj: ArticulatedObject, joint: ObjectJoint, centre: FloatArray) -> _Target:
    body = obj.moved_body(joint.name).body
    moved = None if body is None else body.physical().transformed(translation(-centre))
    screw = joint.screw.copy()
    screw[3:] -= np.cross(centre, screw[:3])
    return _Target(joint, screw, moved, material_points(moved, obj.box - centre), obj.size)


def drive_joint(
    engine: Engine, obj: ArticulatedObject, joint: ObjectJoint, model: SimulationModel, steps: int
) -> dict[str, Any]:
    """Drive one joint of the loaded model over its interval; the entry of SPEC section 9 without ``effective``."""
    target = _target(obj, joint, model.centre)
    interval = driven_interval(joint, obj.size)
    # A unit turn, or a tenth of the size, from rest shows the axis and what moves, whatever the limits are.
    probe = obj.size / 10 if joint.kind == "prismatic" else 1.0
    path = np.linspace(*interval, steps)
    coordinates = np.concatenate([[0.0, probe], path])
    placements = engine.sweep(joint.name, coordinates, [joint.child])
    displaced = placements.displacements()[:, 0]
    error = placement_error(displaced, target.screw, coordinates, target.points)
    rms = None if target.body is None else [float(rms_displacement(displaced[k], target.body)) for k in (2, -1)]
    return {
        "name": joint.name,
        "kind": joint.kind,
        "driven": list(interval),
        "effective": None,
        "placement_error": error / obj.size,
        "rms_displacement": rms,
        "moves": moved_links(engine, joint, model, probe),
        "axis": measured_axis(displaced[1], joint.kind),
    }


def rms_displacement(placement: FloatArray, body: Body) -> Any:
    """Mass-weighted RMS displacement of a body's material by placements (..., 4, 4), m."""
    from metric import placement_discrepancy

    return placement_discrepancy(placement, np.eye(4), body)


def moved_links(engine: Engine, joint: ObjectJoint, model: SimulationModel, probe: float) -> list[str]:
    """The links whose frame changes at all (not by a tolerance) when the joint moves from rest to ``probe``."""
    links = list(model.links)
    placements = engine.sweep(joint.name, [0.0, probe], links)
    turned = (placements.quaternion[1] != placements.quaternion[0]).any(axis=1)
    carried = (placements.position[1] != placements.position[0]).any(axis=1)
    return [link for link, moves in zip(links, turned | carried, strict=True) if moves]


def measured_axis(displacement: FloatArray, kind: str) -> list[float]:
    """Unit direction of a displacement (4, 4) from rest: of its rotation, or of its translation for a slide."""
    direction = displacement[:3, 3] if kind == "prismatic" else np.asarray(log(displacement))[:3]
    length = float(np.linalg.norm(direction))
    return (direction / length if length > 0 else direction).tolist()


def effective_limits(engine: Engine, obj: ArticulatedObject, joint: ObjectJoint) -> list[float | str] | None:
    """Where a motor stops the joint, infinite ends as strings; None where it runs through a declared limit."""
    engine.load(single_joint(obj, joint))
    reach = obj.size if joint.kind == "prismatic" else 2 * math.pi
    found = engine.press(joint.name, joint.lower, joint.upper, reach)
    if any(math.isinf(stop) and math.isfinite(end) for stop, end in zip(found, joint.motion.limits, strict=True)):
        return None
    return [limit_value(stop) for stop in found]


def drive_object(
    obj: ArticulatedObject, names: Sequence[str] | None, mode: str, steps: int, engine_name: str
) -> tuple[list[dict[str, Any]], list[AssetWarning]]:
    """Drive the movable joints of an object, each in turn (runs in a worker)."""
    joints = [j for j in obj.movable_joints if names is None or j.name in names]
    entries, warnings = [], []
    with open_engine(engine_name) as engine:
        whole = canonical(obj) if fits(obj) else None
        if whole is not None and joints:
            engine.load(whole)
        for joint in joints:
            model = whole or canonical(obj, joint.name)
            if whole is None or mode == "motor":
                engine.load(model)
            entry = drive_joint(engine, obj, joint, model, steps)
            warnings += _unexpected_motion(obj, joint, model, entry["moves"])
            if mode == "motor":
                entry["effective"] = effective_limits(engine, obj, joint)
            entries.append(entry)
    return entries, warnings


def _unexpected_motion(
    obj: ArticulatedObject, joint: ObjectJoint, model: SimulationModel, moves: Iterable[str]
) -> list[AssetWarning]:
    expected = {link for link in obj.downstream(joint.child) if link in model.links}
    if set(moves) == expected:
        return []
    others = ", ".join(sorted(set(moves) ^ expected))
    return [
        AssetWarning(
            obj.file, joint.element, f"the simulator moves other links than those downstream: {others}", "COPY_DIFFERS"
        )
    ]


def drive_as_written(
    obj: ArticulatedObject, names: Sequence[str] | None, steps: int, engine_name: str
) -> list[dict[str, Any]]:
    """Drive the user's own text, only its geometry stripped (runs in a worker)."""
    joints = [j for j in obj.movable_joints if names is None or j.name in names]
    model = as_written(obj, Path(obj.file).read_bytes())
    with open_engine(engine_name) as engine:
        engine.load(model)
        return [drive_joint(engine, obj, joint, model, steps) for joint in joints]


def drive(
    source: str | Path | ArticulatedObject,
    *,
    joints: Sequence[str] | None = None,
    mode: str = "kinematic",
    steps: int = 9,
    as_is: bool = False,
    engine: str = "pybullet",
    timeout: float = TIMEOUT,
    format: str | None = None,
    options: ReadOptions | None = None,
    workers: Workers | None = None,
) -> Result:
    """Drive every movable joint of an object in a simulator, in a process of its own.

    Parameters
    ----------
    source
        A URDF file, a prediction in a format of `simcheck.formats`, or an object that was read.
    joints
        Names of the joints to drive; all movable ones by default.
    mode
        ``kinematic``: set coordinates from limit to limit; ``motor``: also press against the limits and report
        where the joint really stops.
    steps
        Coordinates per joint, evenly spaced from limit to limit.
    as_is
        Drive the file's own text (geometry stripped) instead of the canonical copy.
    engine
        ``pybullet`` or ``mujoco``.
    timeout
        Seconds after which the simulator's process is ended.
    format
        Name of the file's format; by default told from its content.
    options
        How the file is read.
    workers
        Processes to use; one of its own by default.

    Returns
    -------
    dict
        The JSON object of SPEC section 9; ``joints[k]["placement_error"]`` is the largest distance of a material
        point from the closed form ``exp(q xi)``, over the object's size.

    Raises
    ------
    AssetError         the file has no single meaning
    SimulationError    the simulator refused, crashed or hung
    """
    if mode not in MODES:
        raise UsageError(f"--mode: expected {' or '.join(MODES)}, got {mode!r}")
    if steps < 2:
        raise UsageError(f"--steps: expected at least 2, got {steps}")
    if as_is and mode == "motor":
        raise UsageError("--as-is drives kinematically; the file's own inertias make a motor stop anywhere")
    obj = source if isinstance(source, ArticulatedObject) else load_prediction(source, format, options).object
    if as_is and not _is_urdf(obj):
        raise UsageError(f"--as-is: {obj.file} is no URDF; a simulator can drive only our own copy of it")
    for name in joints or ():
        obj.joint(name)
    if workers is None:
        with Workers(1, timeout) as own:
            entries, warnings = _drive_in(own, obj, joints, mode, steps, as_is, engine)
    else:
        entries, warnings = _drive_in(workers, obj, joints, mode, steps, as_is, engine)
    settings = {
        "mode": mode,
        "steps": steps,
        "as_is": as_is,
        "engine": engine,
        "joints": None if joints is None else list(joints),
        "format": format,
        **read_settings(obj.options),
        "inputs": input_hashes([obj.file]),
    }
    found = [*obj.warnings, *obj.body_warnings, *warnings]
    return Result(plain(result("drive", settings, found, {"file": obj.file, "joints": entries})))


def _drive_in(
    workers: Workers,
    obj: ArticulatedObject,
    joints: Sequence[str] | None,
    mode: str,
    steps: int,
    as_is: bool,
    engine: str,
) -> tuple[list[dict[str, Any]], list[AssetWarning]]:
    written = next(iter(workers.map(drive_as_written, [(obj, joints, steps, engine)]))) if _is_urdf(obj) else None
    if as_is and written is not None:
        if written.error is not None:
            raise _about(obj, written.error)
        return written.value, simulator_warnings(obj.file, engine, written.output)
    outcome = next(iter(workers.map(drive_object, [(obj, joints, mode, steps, engine)])))
    if outcome.error is not None:
        raise _about(obj, outcome.error)
    entries, warnings = outcome.value
    warnings += simulator_warnings(obj.file, engine, outcome.output)
    if written is None:
        return entries, warnings
    if written.error is not None:
        known = "our own copy was driven instead"
        warnings.append(
            AssetWarning(
                obj.file, label(engine), f"does not take the file as it stands: {written.error}; {known}", "SIM_REFUSED"
            )
        )
    else:
        warnings += disagreements(obj, written.value, label(engine))
    return entries, warnings


def _is_urdf(obj: ArticulatedObject) -> bool:
    """Whether the object's file is one that a simulator may read itself."""
    return detect(Source(Path(obj.file))) == "urdf"


def _about(obj: ArticulatedObject, error: SimcheckError) -> SimcheckError:
    return error if isinstance(error, AssetError) else SimulationError(f"{obj.file}: {error}")


def disagreements(obj: ArticulatedObject, written: Iterable[dict[str, Any]], engine: str) -> list[AssetWarning]:
    """Where the simulator's own reading of the text moves a joint otherwise than ours, with the known cause."""
    found = []
    for entry in written:
        error = entry["placement_error"]
        if error <= AGREEMENT:
            continue
        joint = obj.joint(entry["name"])
        cause = _known_cause(obj, joint) or "no known cause: one of the two readings is wrong"
        found.append(
            AssetWarning(
                obj.file,
                joint.element,
                f"{engine} moves it otherwise than the file says, by {error:.3g} of the object's size: {cause}",
                "SIM_MOTION",
            )
        )
    return found


def _known_cause(obj: ArticulatedObject, joint: ObjectJoint) -> str:
    """The documented trap that explains a different motion, if one applies."""
    for warning in obj.warnings:
        if warning.element == joint.element and "normalised" in warning.message:
            return "it does not normalise a prismatic axis"
    reach = float(np.abs(obj.box).max())
    if reach > 100 * obj.size:
        return f"the object lies {reach:.3g} m from the origin, where sums lose digits"
    return ""
