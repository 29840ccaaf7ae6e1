"""Reading a URDF file into an articulated object, and writing one back."""

from simcheck.asset.model import ArticulatedObject, Inertial, Link, Mimic, MovedBody, ObjectJoint, ReadOptions
from simcheck.asset.read import load

__all__ = [
    "ArticulatedObject",
    "Inertial",
    "Link",
    "Mimic",
    "MovedBody",
    "ObjectJoint",
    "ReadOptions",
    "load",
]
