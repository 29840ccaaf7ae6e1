"""PyBullet behind the engine interface, with every trap of it sprung here and nowhere else (SPEC section 12)."""

from __future__ import annotations

import contextlib
import itertools
import locale
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np
import pybullet

from simcheck.asset.model import FloatArray
from simcheck.engine.base import HeldFile, HeldJoint, HeldLink, Placements, Pressed, inverse_pose, pose_matrix
from simcheck.engine.model import SimulationModel
from simcheck.engine.scratch import scratch_file
from simcheck.errors import SimulationError

_KINDS = {
    pybullet.JOINT_REVOLUTE: "revolute",
    pybullet.JOINT_PRISMATIC: "prismatic",
    pybullet.JOINT_FIXED: "fixed",
    pybullet.JOINT_SPHERICAL: "spherical",
    pybullet.JOINT_PLANAR: "planar",
}
READABLE = 121  # joints whose coordinates PyBullet reports; the 122nd and later ones read back as 0
_NO_STATE_FROM = 128  # joints from which on it reports none at all
_REMOVALS_PER_RESET = 200  # removeBody keeps some 4 kB of a model until the next reset
_TIME_STEP = 1 / 240
_STEPS, _HOLD = 60, 100  # steps of motion towards a limit, and of settling against it


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

    @property
    def client(self) -> int:
        """PyBullet's number of this simulation."""
        return self._client

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
        with scratch_file(model.text) as path:
            self._load_file(path, fixed=True)
        self._model = model
        count = pybullet.getNumJoints(self._body, physicsClientId=self._client)
        if count > READABLE:
            raise SimulationError(f"PyBullet reads joints beyond the 121st back as 0; the model has {count}")
        infos = [pybullet.getJointInfo(self._body, k, physicsClientId=self._client) for k in range(count)]
        self._joints = {info[1].decode(): k for k, info in enumerate(infos)}
        self._links = {info[12].decode(): k for k, info in enumerate(infos)}
        self._check_held()

    def _load_file(self, path: Path, *, fixed: bool) -> None:
        self._unload()
        if locale.localeconv()["decimal_point"] != ".":
            locale.setlocale(locale.LC_NUMERIC, "C")  # else PyBullet reads 0.5 as 0
        try:
            self._body = pybullet.loadURDF(
                str(path),
                useFixedBase=int(fixed),
                flags=pybullet.URDF_USE_INERTIA_FROM_FILE,
                physicsClientId=self._client,
            )
        except pybullet.error as error:
            raise SimulationError(f"PyBullet refuses the model: {error}") from None

    def reset(self) -> None:
        """Forget everything: as good as a new client, which would cost some 20 ms."""
        pybullet.resetSimulation(physicsClientId=self._client)
        self._forbid_caching()
        self._body, self._removed = -1, 0

    def _unload(self) -> None:
        """Remove the loaded model: removeBody is three times as fast as a reset, which alone gives all memory back."""
        if self._body >= 0:
            self._removed += 1
            if self._removed < _REMOVALS_PER_RESET:
                pybullet.removeBody(self._body, physicsClientId=self._client)
                self._body = -1
            else:
                self.reset()

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
        runs = {name: pressed.run_up(sign) for name, pressed in joints.items()}
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
        limited = any(run.limited for run in runs.values())
        for _ in range(_STEPS + _HOLD if limited else 2 * _STEPS):
            for screw in screws:
                self._follow(screw)
            pybullet.stepSimulation(physicsClientId=self._client)
        stops = {}
        for name, run in runs.items():
            stopped = float(pybullet.getJointState(self._body, members[name][0][0], physicsClientId=self._client)[0])
            stops[name] = run.stop(stopped)
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

    def inspect(self, path: Path, probes: Sequence[float]) -> HeldFile:
        """Load a file as it stands (base free, so that its mass is kept) and read back all that PyBullet holds."""
        self._load_file(path, fixed=False)
        body, client = self._body, self._client
        count = pybullet.getNumJoints(body, physicsClientId=client)
        infos = [pybullet.getJointInfo(body, k, physicsClientId=client) for k in range(count)]
        # All state calls fail from 128 joints on; below that, joints from the 122nd on read back as 0.
        readable = 0 if count >= _NO_STATE_FROM else min(count, READABLE)
        links = [_text(pybullet.getBodyInfo(body, physicsClientId=client)[0]), *(_text(info[12]) for info in infos)]
        dynamics = [pybullet.getDynamicsInfo(body, k, physicsClientId=client) for k in range(-1, count)]
        inertial = pose_matrix(np.array([d[3] for d in dynamics]), np.array([d[4] for d in dynamics]))
        base = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
        if count < _NO_STATE_FROM:
            base = pybullet.getBasePositionAndOrientation(body, physicsClientId=client)
        states = [pybullet.getLinkState(body, k, 0, 0, client)[:2] for k in range(readable)]
        to_link = inverse_pose(inertial)
        frames = pose_matrix(*_stacked([base, *states])) @ to_link[: readable + 1]
        parents = np.array([info[16] for info in infos], dtype=int) + 1
        upper = inverse_pose(frames)[parents[:readable]] if readable else np.zeros((0, 4, 4))
        rest, moved = np.full((count, 4, 4), np.nan), np.full((count, len(probes), 4, 4), np.nan)
        read_back = np.full((count, len(probes)), np.nan)
        rest[:readable] = upper @ frames[1:]
        for k in range(readable):
            if infos[k][2] not in (pybullet.JOINT_REVOLUTE, pybullet.JOINT_PRISMATIC):
                continue
            placed = []
            for p, q in enumerate(probes):
                pybullet.resetJointState(body, k, q, 0.0, client)
                read_back[k, p] = pybullet.getJointState(body, k, client)[0]
                placed.append(pybullet.getLinkState(body, k, 0, 0, client)[:2])
            pybullet.resetJointState(body, k, 0.0, 0.0, client)
            moved[k] = upper[k] @ pose_matrix(*_stacked(placed)) @ to_link[k + 1]
        turned = inertial[:, :3, :3]
        moments = np.array([d[2] for d in dynamics])
        tensors = np.einsum("nij,nj,nkj->nik", turned, moments, turned)
        held = {
            name: HeldLink(d[0], np.array(d[3]), tensor)
            for name, d, tensor in zip(links, dynamics, tensors, strict=True)
        }
        return HeldFile(
            names=tuple(_text(info[1]) for info in infos),
            readable=readable,
            kinds=tuple(_KINDS.get(info[2], str(info[2])) for info in infos),
            parents=tuple(links[k] for k in parents),
            children=tuple(links[1:]),
            limits=np.array([info[8:10] for info in infos], dtype=float).reshape(count, 2),
            axes=np.einsum("nij,nj->ni", turned[1:], np.array([i[13] for i in infos], dtype=float).reshape(count, 3)),
            rest=rest,
            probes=np.array(probes, dtype=float),
            moved=moved,
            read_back=read_back,
            links=held,
        )


def _stacked(states: Sequence[Sequence[Sequence[float]]]) -> tuple[FloatArray, FloatArray]:
    """Positions (n, 3) and quaternions (n, 4) of states as PyBullet returns them."""
    return np.array([s[0] for s in states]), np.array([s[1] for s in states])


def _text(name: bytes) -> str:
    return name.decode("utf-8", errors="replace")
