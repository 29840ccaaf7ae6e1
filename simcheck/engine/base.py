"""What the harness asks of a simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

import numpy as np

from simcheck.asset.model import FloatArray
from simcheck.engine.model import SimulationModel


@dataclass(frozen=True)
class Placements:
    """Body-fixed frames of some links at some coordinates, in the frame of the model.

    The frames are the simulator's own (PyBullet: centre-of-mass frames); only their changes have a meaning.
    """

    rotation: FloatArray  # (n, links, 3, 3)
    position: FloatArray  # (n, links, 3), m

    def displacements(self, rest: int = 0) -> FloatArray:
        """``D(q) = T(q) T(rest)^-1``, shape (n, links, 4, 4), relative to the coordinate with that index."""
        rotation = self.rotation @ self.rotation[rest].swapaxes(-1, -2)
        matrix = np.zeros((*rotation.shape[:-2], 4, 4))
        matrix[..., :3, :3] = rotation
        matrix[..., :3, 3] = self.position - np.einsum("...ij,...j->...i", rotation, self.position[rest])
        matrix[..., 3, 3] = 1.0
        return matrix


@dataclass(frozen=True)
class HeldJoint:
    """A joint as the simulator holds it after loading."""

    name: str
    kind: str  # revolute, prismatic, fixed, or the simulator's own word
    lower: float
    upper: float
    axis: tuple[float, float, float]  # in the frame of the link at rest, as far as the simulator tells
    link: str


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

    def close(self) -> None:
        """Disconnect; the engine cannot be used afterwards."""
        ...

    def __enter__(self) -> Engine: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
