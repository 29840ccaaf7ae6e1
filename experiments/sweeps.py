"""One parameter of a true joint at a time, swept: the pairs that the component scores are tried on (Fig. 6, C.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metric import Body, Joint

Array = NDArray[np.float64]

SIZE = 2.2  # diagonal of the object that the joints belong to, m
PANEL = Body(20.0, (0.7, 0.2, 0.0), np.diag([6.669, 7.733, 1.069]))  # a door leaf, 0.8 x 0.04 x 2 m
DRAWER_BODY = Body(5.0, (0.2, 0.0, 0.4), np.diag([0.079, 0.0835, 0.154]))  # 0.4 x 0.45 x 0.15 m
CAP_BODY = Body(0.02, (0.0, 0.0, 0.31), np.diag([5e-6, 5e-6, 9e-6]))  # a screw cap of 3 cm radius

DOOR = Joint("revolute", axis=(0, 0, 1), origin=(0.3, 0.2, 0.0), lower=0.0, upper=math.pi / 2)
DRAWER = Joint("prismatic", axis=(1, 0, 0), origin=(0.0, 0.0, 0.4), lower=0.0, upper=0.35)
CAP = Joint("helical", axis=(0, 0, 1), origin=(0.0, 0.0, 0.3), lower=0.0, upper=4 * math.pi, pitch=5e-4)
_OFFSET = 0.05  # m; how far the axis of a tilted door misses the true one


@dataclass(frozen=True)
class Sweep:
    """A family of predictions that differ from a true joint in one thing.

    Parameters
    ----------
    name, title
        In the data, and in figures.
    axis
        What is swept, with its unit.
    values
        Of the swept parameter, shape (n,).
    pair
        True joint and prediction for a value.
    body
        Moved body of the true joint.
    same_motion
        Whether every prediction moves exactly as the truth does: then every score should be 0.
    falling
        Whether the motions come closer as the parameter grows.
    logarithmic
        How the figure's axis is scaled.
    """

    name: str
    title: str
    axis: str
    values: Array
    pair: Callable[[float], tuple[Joint, Joint]]
    body: Body
    same_motion: bool = False
    falling: bool = False
    logarithmic: bool = False


def _tilted(joint: Joint, angle: float, towards: float) -> tuple[float, float, float]:
    """The axis turned by an angle; ``towards`` is where it leans, about the axis."""
    axis = np.array(joint.axis)
    guide = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(axis, guide)
    across = math.cos(towards) * first + math.sin(towards) * np.cross(axis, first)
    x, y, z = (math.cos(angle) * axis + math.sin(angle) * across).tolist()
    return x, y, z


def _moved(joint: Joint, step: tuple[float, float, float]) -> Joint:
    x, y, z = (np.array(joint.origin) + step).tolist()
    return replace(joint, origin=(x, y, z))


def _door_tilted(angle: float) -> tuple[Joint, Joint]:
    """Missing the true axis by 5 cm, and leaning by the angle into a direction that differs from value to value.

    It leans about its point at the height of the panel's centre: the shift and the lean then move the panel in
    directions of their own, and the error in the motion grows with the angle whatever the direction.
    """
    towards = 2.4 * round(8 * math.log10(angle))  # 2.4 rad, the golden angle: no two neighbours lean alike
    return DOOR, replace(_moved(DOOR, (_OFFSET, 0, 0)), axis=_tilted(DOOR, angle, towards))


def _linear(high: float) -> Array:
    return np.linspace(0.0, high, 33)


def _log(low: float, high: float, n: int = 33) -> Array:
    return np.geomspace(low, high, n)


SWEEPS = (
    Sweep("reversed", "the same joint, axis reversed", "range (rad)", _linear(math.pi / 2)[1:],
          lambda x: (replace(DOOR, upper=x), replace(DOOR, upper=x).reversed()), PANEL, same_motion=True),
    Sweep("origin-along", "origin moved along the axis", "shift (m)", _linear(1.0),
          lambda x: (DOOR, _moved(DOOR, (0, 0, x))), PANEL, same_motion=True),
    Sweep("sliding-origin", "origin of a slide moved", "shift (m)", _linear(1.0),
          lambda x: (DRAWER, _moved(DRAWER, (0, x, 0))), DRAWER_BODY, same_motion=True),
    Sweep("origin-across", "origin moved across the axis", "shift (m)", _linear(0.5),
          lambda x: (DOOR, _moved(DOOR, (x, 0, 0))), PANEL),
    Sweep("tilt", "axis tilted, 5 cm beside", "tilt (rad)", _log(1e-6, 1.0, 49), _door_tilted, PANEL, logarithmic=True),
    Sweep("sliding-tilt", "direction of a slide tilted", "tilt (rad)", _log(1e-6, 1.0, 25),
          lambda x: (DRAWER, replace(DRAWER, axis=_tilted(DRAWER, x, 0.0))), DRAWER_BODY, logarithmic=True),
    Sweep("upper", "upper limit wrong", "error (rad)", _linear(1.5),
          lambda x: (DOOR, replace(DOOR, upper=DOOR.upper + x)), PANEL),
    Sweep("lower", "lower limit wrong", "error (rad)", _linear(1.5),
          lambda x: (DOOR, replace(DOOR, lower=-x)), PANEL),
    Sweep("shift", "interval shifted, same width", "shift (rad)", _linear(1.5),
          lambda x: (DOOR, replace(DOOR, lower=x, upper=DOOR.upper + x)), PANEL),
    Sweep("to-fixed", "range shrinking to fixed", "range ε (rad)", _log(1e-4, math.pi / 2),
          lambda x: (Joint("fixed"), replace(DOOR, upper=x)), PANEL, logarithmic=True),
    Sweep("to-continuous", "range growing to continuous", "half range (rad)", _log(math.pi / 8, 16 * math.pi),
          lambda x: (Joint("continuous", DOOR.axis, DOOR.origin), replace(DOOR, lower=-x, upper=x)), PANEL,
          falling=True, logarithmic=True),
    Sweep("pitch", "pitch of a screw cap wrong", "error (m/rad)", _linear(2e-3),
          lambda x: (CAP, replace(CAP, pitch=CAP.pitch + x)), CAP_BODY),
)  # fmt: skip
"""The sweeps; in the first three the motion stays the same."""
