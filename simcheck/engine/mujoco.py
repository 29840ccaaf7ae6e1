"""MuJoCo behind the engine interface: a second opinion (the extra ``mujoco``).

MuJoCo reads URDF text itself. What its reader would change is switched off: fixed links stay links of their own, and
masses and inertias are bounded only so far that a massless helper link is taken at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import mujoco
import numpy as np
from lxml import etree

from simcheck.asset.model import FloatArray
from simcheck.asset.numbers import UNLIMITED
from simcheck.engine.base import HeldFile, HeldJoint, HeldLink, Placements, Pressed, inverse_pose, pose_matrix
from simcheck.engine.model import SimulationModel
from simcheck.errors import SimulationError

_COMPILER = {
    "fusestatic": "false",
    "discardvisual": "true",
    "strippath": "false",
    "balanceinertia": "false",
    "boundmass": "1e-12",
    "boundinertia": "1e-15",
}
_KINDS = {
    int(mujoco.mjtJoint.mjJNT_HINGE): "revolute",
    int(mujoco.mjtJoint.mjJNT_SLIDE): "prismatic",
    int(mujoco.mjtJoint.mjJNT_BALL): "spherical",
    int(mujoco.mjtJoint.mjJNT_FREE): "floating",
}
_TIME_STEP = 1 / 240
_PUSH, _SETTLE = 120, 400  # steps of pushing beyond a limit, and of coming back to it
_DAMPING = 100.0  # of a unit inertia: a joint let go beyond its limit creeps back to it and stays there


class MuJoCoEngine:
    """One MuJoCo model at a time, gravity off."""

    name = "mujoco"

    def __init__(self) -> None:
        self._model: Any = None
        self._data: Any = None
        self._source: SimulationModel | None = None

    def close(self) -> None:
        """Drop the model."""
        self._model = self._data = self._source = None

    def __enter__(self) -> MuJoCoEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def load(self, model: SimulationModel) -> None:
        """Replace the loaded model; it must be held as the model expects."""
        self._compile(etree.fromstring(model.text.encode()))
        self._source = model
        held = {joint.name: joint for joint in self.held()}
        for name, (kind, lower, upper, axis) in model.expected.items():
            joint = held.get(name)
            if kind == "fixed":
                continue
            limits = (lower, upper) if max(-lower, upper) < UNLIMITED else None
            if joint is None or joint.kind != kind or np.abs(np.subtract(joint.axis, axis)).max() > 1e-12:
                raise SimulationError(f"MuJoCo does not hold joint {name} of the model as written")
            if limits is not None and (joint.lower, joint.upper) != limits:
                raise SimulationError(f"MuJoCo holds limits {joint.lower!r}, {joint.upper!r} of joint {name}")

    def _compile(self, root: etree._Element) -> None:
        for element in root.findall("mujoco"):
            root.remove(element)
        options = etree.Element("mujoco")
        etree.SubElement(options, "compiler", _COMPILER)
        root.insert(0, options)
        try:
            self._model = mujoco.MjModel.from_xml_string(etree.tostring(root, encoding="unicode"))
        except ValueError as error:
            raise SimulationError(f"MuJoCo refuses the model: {' '.join(str(error).split())}") from None
        self._model.opt.gravity[:] = 0
        self._data = mujoco.MjData(self._model)

    def _names(self, kind: Any, count: int) -> list[str]:
        return [mujoco.mj_id2name(self._model, kind, k) or "" for k in range(count)]

    def held(self) -> list[HeldJoint]:
        """The joints as MuJoCo holds them; fixed joints are not joints to it."""
        m = self._model
        bodies = self._names(mujoco.mjtObj.mjOBJ_BODY, m.nbody)
        names = self._names(mujoco.mjtObj.mjOBJ_JOINT, m.njnt)
        return [
            HeldJoint(
                name,
                _KINDS[int(m.jnt_type[k])],
                *self._limits(k),
                tuple(m.jnt_axis[k].tolist()),
                bodies[int(m.jnt_bodyid[k])],
            )
            for k, name in enumerate(names)
        ]

    def _limits(self, joint: int) -> tuple[float, float]:
        """Lower and upper; (0, -1) where nothing limits the joint, as PyBullet has it."""
        m = self._model
        return tuple(m.jnt_range[joint].tolist()) if m.jnt_limited[joint] else (0.0, -1.0)

    def _addresses(self, joint: str) -> list[tuple[int, float]]:
        """Places of a joint's members in ``qpos``, and their factors."""
        assert self._source is not None
        found = []
        for name, factor in self._source.coordinates.get(joint, ()):
            k = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_JOINT, name)
            if k < 0:
                raise SimulationError(f"joint {joint!r} is not in the loaded model")
            found.append((int(self._model.jnt_qposadr[k]), factor))
        if not found:
            raise SimulationError(f"joint {joint!r} is not in the loaded model")
        return found

    def sweep(self, joint: str, coordinates: Sequence[float] | FloatArray, links: Sequence[str]) -> Placements:
        """Set one joint to each coordinate and read the frames of the links."""
        assert self._source is not None
        m, d = self._model, self._data
        members = self._addresses(joint)
        bodies = [mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, self._source.links[link]) for link in links]
        positions, quaternions = [], []
        for q in np.asarray(coordinates, dtype=np.float64).tolist():
            for address, factor in members:
                d.qpos[address] = factor * q
            mujoco.mj_kinematics(m, d)
            positions.append(d.xpos[bodies].copy())
            quaternions.append(d.xquat[bodies][:, [1, 2, 3, 0]])
        for address, _ in members:
            d.qpos[address] = 0.0
        return Placements(np.array(positions), np.array(quaternions))

    def press(self, joint: str, lower: float, upper: float, reach: float) -> tuple[float, float]:
        """Push a joint against both limits; see `press_all`."""
        return self.press_all({joint: Pressed(lower, upper, reach)})[joint]

    def press_all(self, joints: Mapping[str, Pressed]) -> dict[str, tuple[float, float]]:
        """Push joints beyond both limits and let go: MuJoCo's limits are springs, to which a damped joint returns."""
        m = self._model
        m.opt.timestep = _TIME_STEP
        m.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        m.dof_damping[:] = _DAMPING
        below, above = self._push(joints, -1.0), self._push(joints, 1.0)
        return {name: (below[name], above[name]) for name in joints}

    def _push(self, joints: Mapping[str, Pressed], sign: float) -> dict[str, float]:
        m, d = self._model, self._data
        mujoco.mj_resetData(m, d)
        members = {name: self._addresses(name) for name in joints}
        runs = {name: pressed.run_up(sign) for name, pressed in joints.items()}
        forces = {}
        for name, run in runs.items():
            speed = max((2 if run.limited else 3) * run.length, 2e-3) / (_PUSH * _TIME_STEP)
            forces[name] = sign * _DAMPING * speed
            for address, factor in members[name]:
                d.qpos[address] = factor * run.start
        for step in range(_PUSH + _SETTLE):
            for name, places in members.items():
                d.qfrc_applied[places[0][0]] = forces[name] if step < _PUSH else 0.0
                for address, factor in places[1:]:  # the sliding half of a screw follows the turning one
                    d.qpos[address] = factor * d.qpos[places[0][0]]
            mujoco.mj_step(m, d)
        d.qfrc_applied[:] = 0.0
        stops = {name: run.stop(float(d.qpos[members[name][0][0]])) for name, run in runs.items()}
        mujoco.mj_resetData(m, d)
        return stops

    def inspect(self, path: Path, probes: Sequence[float]) -> HeldFile:
        """Load a file's text and say what MuJoCo holds of it; fixed joints are named by the link they carry."""
        root = etree.fromstring(path.read_bytes())
        joints = {j.find("child").get("link"): j.get("name") for j in root.iterfind("joint")}
        self._compile(root)
        m, d = self._model, self._data
        bodies = self._names(mujoco.mjtObj.mjOBJ_BODY, m.nbody)
        carried = [k for k, name in enumerate(bodies) if name in joints]
        parents = [int(m.body_parentid[k]) for k in carried]
        first = [int(m.body_jntadr[k]) for k in carried]  # -1: fixed
        moving = [n for n, j in enumerate(first) if j >= 0 and _KINDS[int(m.jnt_type[j])] in ("revolute", "prismatic")]
        rest = self._relative(carried, parents)
        moved = np.full((len(carried), len(probes), 4, 4), np.nan)
        for n in moving:
            address = int(m.jnt_qposadr[first[n]])
            for p, q in enumerate(probes):
                d.qpos[address] = q
                moved[n, p] = self._relative([carried[n]], [parents[n]])[0]
            d.qpos[address] = 0.0
        read_back = np.full((len(carried), len(probes)), np.nan)
        read_back[moving] = probes
        inertial = pose_matrix(m.body_ipos, m.body_iquat[:, [1, 2, 3, 0]])[:, :3, :3]
        tensors = np.einsum("nij,nj,nkj->nik", inertial, m.body_inertia, inertial)
        return HeldFile(
            names=tuple(joints[bodies[k]] for k in carried),
            readable=len(carried),
            kinds=tuple("fixed" if j < 0 else _KINDS[int(m.jnt_type[j])] for j in first),
            parents=tuple(bodies[k] for k in parents),
            children=tuple(bodies[k] for k in carried),
            limits=np.array([(0.0, -1.0) if j < 0 else self._limits(j) for j in first]).reshape(-1, 2),
            axes=np.array([np.zeros(3) if j < 0 else m.jnt_axis[j] for j in first]).reshape(-1, 3),
            rest=rest,
            probes=np.array(probes, dtype=float),
            moved=moved,
            read_back=read_back,
            links={
                name: HeldLink(float(m.body_mass[k]), m.body_ipos[k].copy(), tensors[k])
                for k, name in enumerate(bodies)
                if k > 0
            },
        )

    def _relative(self, bodies: list[int], parents: list[int]) -> FloatArray:
        """Frames (n, 4, 4) of bodies in those of their parents, at the present coordinates."""
        mujoco.mj_kinematics(self._model, self._data)
        frames = pose_matrix(self._data.xpos, self._data.xquat[:, [1, 2, 3, 0]])
        return inverse_pose(frames[parents]) @ frames[bodies]
