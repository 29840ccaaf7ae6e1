"""Origins of URDF elements as homogeneous matrices, and back."""

from __future__ import annotations

import math

import numpy as np
from lxml import etree

from simcheck.asset.model import FloatArray


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> FloatArray:
    """``Rz(yaw) Ry(pitch) Rx(roll)``: angles about the fixed axes of the parent, shape (3, 3)."""
    cr, sr, cp, sp, cy, sy = (f(a) for a in (roll, pitch, yaw) for f in (math.cos, math.sin))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_from_rotation(rotation: FloatArray) -> tuple[float, float, float]:
    """Roll, pitch, yaw of a rotation matrix (3, 3), accurate to 1e-15 at every pitch.

    Yaw first, then roll in the frame that the yaw leaves: the textbook's three independent atan2 lose half the
    digits near a pitch of 90 degrees.
    """
    r = rotation
    yaw = math.atan2(r[1, 0], r[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-r[2, 0], c * r[0, 0] + s * r[1, 0])
    roll = math.atan2(s * r[0, 2] - c * r[1, 2], c * r[1, 1] - s * r[0, 1])
    return roll, pitch, yaw


def pose(xyz: tuple[float, ...], rpy: tuple[float, ...]) -> FloatArray:
    """Homogeneous matrix (4, 4) of an origin."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_from_rpy(*rpy)
    matrix[:3, 3] = xyz
    return matrix


def pose_of(element: etree._Element | None) -> FloatArray:
    """Pose of the ``<origin>`` of a clean element, the identity without one."""
    origin = None if element is None else element.find("origin")
    if origin is None:
        return np.eye(4)
    xyz, rpy = (tuple(map(float, origin.get(a, "0 0 0").split())) for a in ("xyz", "rpy"))
    return pose(xyz, rpy)
