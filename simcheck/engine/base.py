"""What the harness asks of a simulator."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

import numpy as np

from simcheck.asset.model import FloatArray
from simcheck.asset.numbers import UNLIMITED
from simcheck.engine.model import SimulationModel


@dataclass(frozen=True, eq=False)
class Placements:
    """Body-fixed frames of some links at some coordinates, in the frame of the model.

    The frames are the simulator's own (PyBullet: centre-of-mass frames); only their changes have a meaning.
    """

    position: FloatArray  # (..., n, links, 3), m
    quaternion: FloatArray  # (..., n, links, 4), (x, y, z, w)

    @classmethod
    def stack(cls, several: Sequence[Placements]) -> Placements:
        """Many sweeps of the same shape as one, along a new first axis."""
        return cls(np.array([p.position for p in several]), np.array([p.quaternion for p in several]))

    def displacements(self) -> FloatArray:
        """``D(q) = T(q) T(0)^-1``, shape (..., n, links, 4, 4), relative to the first coordinate of each sweep."""
        rotation = rotation_from_quaternion(self.quaternion)
        turned = rotation @ rotation[..., :1, :, :, :].swapaxes(-1, -2)
        matrix = np.zeros((*turned.shape[:-2], 4, 4))
        matrix[..., :3, :3] = turned
        matrix[..., :3, 3] = self.position - np.einsum("...ij,...j->...i", turned, self.position[..., :1, :, :])
        matrix[..., 3, 3] = 1.0
        return matrix


def pose_matrix(position: FloatArray, quaternion: FloatArray) -> FloatArray:
    """Homogeneous matrices (..., 4, 4) of positions (..., 3) and quaternions (x, y, z, w) (..., 4)."""
    matrix = np.zeros((*position.shape[:-1], 4, 4))
    matrix[..., :3, :3] = rotation_from_quaternion(quaternion)
    matrix[..., :3, 3] = position
    matrix[..., 3, 3] = 1.0
    return matrix


def inverse_pose(matrix: FloatArray) -> FloatArray:
    """Inverses (..., 4, 4) of rigid placements."""
    inverse = np.zeros_like(matrix)
    turned = matrix[..., :3, :3].swapaxes(-1, -2)
    inverse[..., :3, :3] = turned
    inverse[..., :3, 3] = -np.einsum("...ij,...j->...i", turned, matrix[..., :3, 3])
    inverse[..., 3, 3] = 1.0
    return inverse


def rotation_from_quaternion(quaternion: FloatArray) -> FloatArray:
    """Rotation matrices (..., 3, 3) of quaternions (x, y, z, w), shape (..., 4), renormalised."""
    q = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


@dataclass(frozen=True)
class HeldJoint:
    """A joint as the simulator holds it after loading."""

    name: str
    kind: str  # revolute, prismatic, fixed, or the simulator's own word
    lower: float
    upper: float
    axis: tuple[float, float, float]  # in the frame of the link at rest, as far as the simulator tells
    link: str


@dataclass(frozen=True, eq=False)
class HeldLink:
    """Mass properties of a link as the simulator holds them, in the link's frame."""

    mass: float  # kg
    com: FloatArray  # (3,), m
    inertia: FloatArray  # (3, 3), about the com, kg m^2


@dataclass(frozen=True, eq=False)
class HeldFile:
    """Everything that a simulator holds of a file, in the frames of the file: each joint and link by itself.

    Arrays have one entry a joint, in the simulator's order.
    """

    names: tuple[str, ...]
    readable: int  # so many joints have coordinates that the simulator reports; arrays hold NaN for the later ones
    kinds: tuple[str, ...]
    parents: tuple[str, ...]
    children: tuple[str, ...]
    limits: FloatArray  # (J, 2)
    axes: FloatArray  # (J, 3), in the child's frame
    rest: FloatArray  # (J, 4, 4), the child's frame in the parent's, all coordinates 0
    probes: FloatArray  # (P,) coordinates that each joint was set to, by itself
    moved: FloatArray  # (J, P, 4, 4), as `rest`, at the probes; NaN for kinds with other than one coordinate
    read_back: FloatArray  # (J, P), the coordinates that the simulator then reported
    links: Mapping[str, HeldLink]


@dataclass(frozen=True)
class Pressed:
    """A joint to drive by its motor against both limits."""

    lower: float
    upper: float
    reach: float  # the travel beyond which it counts as unlimited: a turn, or the object's size

    def run_up(self, sign: float) -> RunUp:
        """From where it is driven in one direction (+1 or -1): from inside a limit, or the place nearest to rest."""
        limit = self.upper if sign > 0 else self.lower
        if abs(limit) >= UNLIMITED:
            return RunUp(sign, sign * math.inf, min(max(0.0, self.lower), self.upper), self.reach)
        span = self.upper - self.lower if max(-self.lower, self.upper) < UNLIMITED else math.inf
        length = min(span / 2, self.reach)
        return RunUp(sign, limit, limit - sign * length, length)


@dataclass(frozen=True)
class RunUp:
    """How a joint is driven in one direction."""

    sign: float
    limit: float  # infinite where the model has none
    start: float
    length: float  # to the limit; without one, the travel beyond which it counts as unlimited

    @property
    def limited(self) -> bool:
        """Whether there is a limit to meet."""
        return math.isfinite(self.limit)

    def stop(self, stopped: float) -> float:
        """The coordinate where the joint came to rest, infinite where nothing stopped it."""
        if self.limited:
            passed = self.sign * (stopped - self.limit) > self.length / 2 + 1e-9
        else:
            passed = self.sign * (stopped - self.start) >= self.length
        return self.sign * math.inf if passed else stopped


class Engine(Protocol):
    """A simulator with at most one model loaded."""

    name: str

    def load(self, model: SimulationModel) -> None:
        """Replace the loaded model; `SimulationError` if the simulator refuses it."""
        ...

    def held(self) -> list[HeldJoint]:
        """The joints that the simulator holds, in its own order."""
        ...

    def sweep(self, joint: str, coordinates: Sequence[float] | FloatArray, links: Sequence[str]) -> Placements:
        """Set one joint of the object to each coordinate, the others at rest, and read the named links."""
        ...

    def press(self, joint: str, lower: float, upper: float, reach: float) -> tuple[float, float]:
        """Drive a joint by its motor against both limits; where it stops, infinite where nothing stops it.

        ``reach`` is the travel beyond which a joint counts as unlimited: a turn, or the object's size.
        """
        ...

    def press_all(self, joints: Mapping[str, Pressed]) -> dict[str, tuple[float, float]]:
        """The same for several joints at once, each of which stands on the fixed base."""
        ...

    def inspect(self, path: Path, probes: Sequence[float]) -> HeldFile:
        """Load a file as it stands and say what the simulator holds; `SimulationError` if it refuses the file."""
        ...

    def close(self) -> None:
        """Disconnect; the engine cannot be used afterwards."""
        ...

    def __enter__(self) -> Engine: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
