"""PyBullet behind the engine interface, with every trap of it sprung here and nowhere else (SPEC section 12)."""

from __future__ import annotations

import contextlib
import itertools
import locale
import math
import os
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
import pybullet

from simcheck.asset.model import FloatArray
from simcheck.engine.base import HeldJoint, Placements, Pressed
from simcheck.engine.model import UNLIMITED, SimulationModel
from simcheck.errors import SimulationError

_KINDS = {
    pybullet.JOINT_REVOLUTE: "revolute",
    pybullet.JOINT_PRISMATIC: "prismatic",
    pybullet.JOINT_FIXED: "fixed",
    pybullet.JOINT_SPHERICAL: "spherical",
    pybullet.JOINT_PLANAR: "planar",
}
_REMOVALS_PER_RESET = 200  # removeBody keeps some 4 kB of a model until the next reset
_TIME_STEP = 1 / 240
_STEPS, _HOLD = 60, 100  # steps of motion towards a limit, and of settling against it


def _scratch_folder() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None


class PyBulletEngine:
    """One PyBullet client in DIRECT mode, base fixed, gravity off."""

    name = "pybullet"

    def __init__(self) -> None:
        self._client = pybullet.connect(pybullet.DIRECT)
        if self._client < 0:
            raise SimulationError("PyBullet gives no further client")
        self._body = -1
        self._model: SimulationModel | None = None
        self._joints: dict[str, int] = {}
        self._links: dict[str, int] = {}
        self._removed = 0
        self._forbid_caching()

    def close(self) -> None:
        """Disconnect."""
        if self._client >= 0:
            with contextlib.suppress(pybullet.error):
                pybullet.disconnect(physicsClientId=self._client)
            self._client = -1

    def __enter__(self) -> PyBulletEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def load(self, model: SimulationModel) -> None:
        """Replace the loaded model."""
        self._unload()
        if locale.localeconv()["decimal_point"] != ".":
            locale.setlocale(locale.LC_NUMERIC, "C")  # else PyBullet reads 0.5 as 0
        folder = _scratch_folder()
        path = Path(folder or tempfile.gettempdir()) / f"simcheck-{uuid.uuid4().hex}.urdf"
        try:
            path.write_text(model.text, encoding="utf-8")
            self._body = pybullet.loadURDF(
                str(path),
                useFixedBase=1,
                flags=pybullet.URDF_USE_INERTIA_FROM_FILE,
                physicsClientId=self._client,
            )
        except pybullet.error as error:
            raise SimulationError(f"PyBullet refuses the model: {error}") from None
        finally:
            path.unlink(missing_ok=True)
        self._model = model
        count = pybullet.getNumJoints(self._body, physicsClientId=self._client)
        if count > 121:
            raise SimulationError(f"PyBullet reads joints beyond the 121st back as 0; the model has {count}")
        infos = [pybullet.getJointInfo(self._body, k, physicsClientId=self._client) for k in range(count)]
        self._joints = {info[1].decode(): k for k, info in enumerate(infos)}
        self._links = {info[12].decode(): k for k, info in enumerate(infos)}
        self._check_held()

    def _unload(self) -> None:
        """Remove the loaded model: removeBody is three times as fast as a reset, which alone gives all memory back."""
        if self._body >= 0:
            self._removed += 1
            if self._removed % _REMOVALS_PER_RESET:
                pybullet.removeBody(self._body, physicsClientId=self._client)
            else:
                pybullet.resetSimulation(physicsClientId=self._client)
                self._forbid_caching()
            self._body = -1

    def _forbid_caching(self) -> None:
        """PyBullet caches texts by file name: a second text under one name would simulate the first."""
        pybullet.setPhysicsEngineParameter(enableFileCaching=0, physicsClientId=self._client)

    def held(self) -> list[HeldJoint]:
        """The joints as PyBullet holds them; axes in its principal inertial frames."""
        joints = []
        for name, index in self._joints.items():
            info = pybullet.getJointInfo(self._body, index, physicsClientId=self._client)
            kind = _KINDS.get(info[2], str(info[2]))
            joints.append(HeldJoint(name, kind, info[8], info[9], tuple(info[13]), info[12].decode()))
        return joints

    def _check_held(self) -> None:
        """The copy must be held as written: kinds and limits exactly, axes to rounding (SPEC section 12)."""
        assert self._model is not None
        expected = self._model.expected
        if not expected:
            return
        held = {joint.name: joint for joint in self.held()}
        for name, (kind, lower, upper, axis) in expected.items():
            joint = held.get(name)
            if joint is None:
                raise SimulationError(f"PyBullet lost joint {name} of the model")
            if joint.kind != kind:
                raise SimulationError(f"PyBullet holds joint {name} as {joint.kind}, the model says {kind}")
            if kind == "fixed":
                continue
            if (joint.lower, joint.upper) != (lower, upper):
                raise SimulationError(
                    f"PyBullet holds limits {joint.lower!r}, {joint.upper!r} of joint {name}; "
                    f"the model says {lower!r}, {upper!r}"
                )
            if np.abs(np.subtract(joint.axis, axis)).max() > 1e-12:
                raise SimulationError(f"PyBullet holds axis {joint.axis} of joint {name}; the model says {axis}")
        for name, position in self._model.rest.items():
            state = pybullet.getLinkState(self._body, self._links[name], physicsClientId=self._client)
            error = max(float(np.abs(state[0] - position).max()), (1 - abs(state[1][3])) * self._model.size)
            if error > 1e-12 * self._model.size:
                raise SimulationError(f"PyBullet puts link {name} at rest {error:.3g} m off its place")

    def _indices(self, joint: str) -> list[tuple[int, float]]:
        assert self._model is not None
        try:
            return [(self._joints[name], factor) for name, factor in self._model.coordinates[joint]]
        except KeyError:
            raise SimulationError(f"joint {joint!r} is not in the loaded model") from None

    def sweep(self, joint: str, coordinates: Sequence[float] | FloatArray, links: Sequence[str]) -> Placements:
        """Set one joint to each coordinate and read the centre-of-mass frames of the links (double precision)."""
        assert self._model is not None
        members = self._indices(joint)
        body, client = self._body, self._client
        reset, state = pybullet.resetJointState, pybullet.getLinkState
        indices = [self._links[self._model.links[link]] for link in links]
        values = np.asarray(coordinates, dtype=np.float64).tolist()
        numbers: list[float] = []
        extend = numbers.extend
        # Arguments by position (velocity 0; no velocities, no forward kinematics): PyBullet itself takes all the time.
        for q in values:
            for moved, factor in members:
                reset(body, moved, factor * q, 0.0, client)
            for target in indices:
                found = state(body, target, 0, 0, client)
                extend(found[0])
                extend(found[1])
        for moved, _ in members:
            reset(body, moved, 0.0, 0.0, client)
        table = np.array(numbers).reshape(len(values), len(indices), 7)
        return Placements(table[..., :3], table[..., 3:])

    def press(self, joint: str, lower: float, upper: float, reach: float) -> tuple[float, float]:
        """Drive a joint against both limits by its motor; see `press_all`."""
        return self.press_all({joint: Pressed(lower, upper, reach)})[joint]

    def press_all(self, joints: Mapping[str, Pressed]) -> dict[str, tuple[float, float]]:
        """Drive joints against both limits by their motors, from just inside each (the recipe of SPEC section 4).

        Split impulse off (it never corrects an overshoot beyond 0.04), strong but capped force (a limit's impulse is
        capped at 100 a step), and enough steps to settle: exact to rounding for ranges from 1e-12 to 1e6.
        """
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=_TIME_STEP,
            numSolverIterations=50,
            useSplitImpulse=0,
            erp=0.5,
            physicsClientId=self._client,
        )
        pybullet.setGravity(0, 0, 0, physicsClientId=self._client)
        members = {name: self._indices(name) for name in joints}
        for index, _ in itertools.chain.from_iterable(members.values()):
            pybullet.changeDynamics(
                self._body,
                index,
                linearDamping=0,
                angularDamping=0,
                jointDamping=0,
                maxJointVelocity=1e12,
                physicsClientId=self._client,
            )
        below = self._press_towards(members, joints, -1.0)
        above = self._press_towards(members, joints, 1.0)
        return {name: (below[name], above[name]) for name in joints}

    def _press_towards(
        self, members: Mapping[str, list[tuple[int, float]]], joints: Mapping[str, Pressed], sign: float
    ) -> dict[str, float]:
        """Coordinate where each joint comes to rest in one direction, infinite where it passes its ``reach``."""
        runs = {name: _run_up(pressed, sign) for name, pressed in joints.items()}
        for name, run in runs.items():
            self._set(members[name], run.start)
            speed = max(run.length, 1e-3) / (_STEPS * _TIME_STEP)
            pybullet.setJointMotorControl2(
                self._body,
                members[name][0][0],
                pybullet.VELOCITY_CONTROL,
                targetVelocity=sign * speed,
                force=min(2 * speed / _TIME_STEP, 50 / _TIME_STEP),
                maxVelocity=1e12,
                physicsClientId=self._client,
            )
        screws = [m for m in members.values() if len(m) > 1]
        limited = any(math.isfinite(run.limit) for run in runs.values())
        for _ in range(_STEPS + _HOLD if limited else 2 * _STEPS):
            for screw in screws:
                self._follow(screw)
            pybullet.stepSimulation(physicsClientId=self._client)
        stops = {}
        for name, run in runs.items():
            stopped = float(pybullet.getJointState(self._body, members[name][0][0], physicsClientId=self._client)[0])
            if math.isfinite(run.limit):
                passed = sign * (stopped - run.limit) > run.length / 2 + 1e-9
            else:
                passed = sign * (stopped - run.start) >= joints[name].reach
            stops[name] = sign * math.inf if passed else stopped
        return stops

    def _set(self, members: list[tuple[int, float]], q: float) -> None:
        for index, factor in members:
            pybullet.resetJointState(self._body, index, factor * q, 0.0, physicsClientId=self._client)

    def _follow(self, members: list[tuple[int, float]]) -> None:
        """The sliding half of a screw follows the turning one: a strong position motor set anew each step."""
        turned = pybullet.getJointState(self._body, members[0][0], physicsClientId=self._client)[0]
        for index, factor in members[1:]:
            pybullet.setJointMotorControl2(
                self._body,
                index,
                pybullet.POSITION_CONTROL,
                targetPosition=factor * turned,
                positionGain=1,
                velocityGain=1,
                force=2e4,
                physicsClientId=self._client,
            )


@dataclass(frozen=True)
class _RunUp:
    """How a joint is driven in one direction."""

    limit: float  # infinite where the model has none
    start: float
    length: float


def _run_up(pressed: Pressed, sign: float) -> _RunUp:
    lower, upper = pressed.lower, pressed.upper
    limit = upper if sign > 0 else lower
    if abs(limit) >= UNLIMITED:
        return _RunUp(sign * math.inf, min(max(0.0, lower), upper), pressed.reach)
    span = upper - lower if abs(upper) < UNLIMITED and abs(lower) < UNLIMITED else math.inf
    length = min(span / 2, pressed.reach)
    return _RunUp(limit, limit - sign * length, length)
