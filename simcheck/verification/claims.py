"""What a file says of each joint and link by itself, in the file's own frames: what a simulator is held against.

Taken from the clean tree, before screws are merged and chains decomposed: a simulator knows nothing of either.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from lxml import etree

from simcheck.asset.model import FloatArray, Mimic
from simcheck.asset.normalise import CleanUrdf
from simcheck.asset.numbers import parse_vector
from simcheck.asset.poses import pose_of


@dataclass(frozen=True, eq=False)
class JointClaim:
    """One joint as the file says it."""

    name: str
    kind: str  # revolute, continuous, prismatic, fixed, floating, planar, spherical, screw
    parent: str
    child: str
    rest: FloatArray  # (4, 4), the child's frame in the parent's at coordinate 0
    axis: FloatArray  # (3,), unit, in the child's frame
    axis_length: float  # as written
    limits: tuple[float, float]  # lower <= upper, infinite where there are none
    mimic: Mimic | None
    doubtful: frozenset[str]  # parts that the reader refused and replaced: origin, axis, limit, type, mimic

    @property
    def element(self) -> str:
        """The joint as messages name it."""
        return f"joint {self.name!r}"

    @property
    def rounded(self) -> bool:
        """Whether its axis has unit length up to the digits written: no defect."""
        return abs(self.axis_length - 1) <= 1e-3

    @property
    def turns(self) -> bool:
        """Whether its coordinate is an angle."""
        return self.kind in ("revolute", "continuous")

    @property
    def moves(self) -> bool:
        """Whether it has one coordinate that every simulator knows."""
        return self.kind in ("revolute", "continuous", "prismatic")


@dataclass(frozen=True, eq=False)
class LinkClaim:
    """Mass properties of a link as the file says them, in the link's frame."""

    name: str
    mass: float
    com: FloatArray  # (3,)
    inertia: FloatArray  # (3, 3), about the com
    written: FloatArray  # (3, 3), the same in the axes of its <inertial>: number for number
    doubtful: frozenset[str]
    scaling: float = 1.0  # of the inertia, by Bullet's own element <contact><inertia_scaling>


@dataclass(frozen=True)
class Claims:
    """What one file says."""

    joints: Mapping[str, JointClaim]
    links: Mapping[str, LinkClaim]  # those with an <inertial> that can be read
    names: frozenset[str]  # of all links

    @property
    def doubtful(self) -> frozenset[str]:
        """Joints, as messages name them, of which the reader refused a part."""
        return frozenset(joint.element for joint in self.joints.values() if joint.doubtful)


def claims_of(clean: CleanUrdf, raw: etree._Element | None = None) -> Claims:
    """The claims of a clean tree; ``raw``, the tree as written, tells what only Bullet reads."""
    doubtful: dict[str, set[str]] = {}
    for error in clean.errors or ():
        doubtful.setdefault(error.element, set()).add(error.attribute.split(" ")[0])

    def doubts(element: str) -> frozenset[str]:
        return frozenset(doubtful.get(element, ()))

    joints = [_joint(e, doubts(f"joint {e.get('name')!r}")) for e in clean.root.iterfind("joint")]
    scalings = {} if raw is None else _scalings(raw)
    links = [
        _link(e.get("name"), e.find("inertial"), doubts(f"link {e.get('name')!r}"), scalings.get(e.get("name"), 1.0))
        for e in clean.root.iterfind("link")
        if e.find("inertial") is not None
    ]
    return Claims({j.name: j for j in joints}, {link.name: link for link in links}, frozenset(clean.shapes))


def _joint(element: etree._Element, doubtful: frozenset[str]) -> JointClaim:
    axis, limit, mimic = (element.find(tag) for tag in ("axis", "limit", "mimic"))
    vector = np.array((1.0, 0.0, 0.0) if axis is None else parse_vector(axis.get("xyz"), 3))
    length = float(np.linalg.norm(vector))
    limits = (-math.inf, math.inf) if limit is None else (float(limit.get("lower")), float(limit.get("upper")))
    return JointClaim(
        element.get("name"),
        element.get("type"),
        element.find("parent").get("link"),
        element.find("child").get("link"),
        pose_of(element),
        vector / length,
        length,
        limits,
        None
        if mimic is None
        else Mimic(mimic.get("joint"), float(mimic.get("multiplier")), float(mimic.get("offset"))),
        doubtful,
    )


def _scalings(raw: etree._Element) -> dict[str, float]:
    found = {}
    for element in raw.iterfind("link/contact/inertia_scaling"):
        with contextlib.suppress(ValueError):
            link = element.getparent().getparent()
            found[link.get("name")] = float(element.get("value", "1"))
    return found


def _link(name: str, inertial: etree._Element, doubtful: frozenset[str], scaling: float) -> LinkClaim:
    pose, moments = pose_of(inertial), inertial.find("inertia")
    xx, xy, xz, yy, yz, zz = (float(moments.get(a)) for a in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    rotation = pose[:3, :3]
    mass = float(inertial.find("mass").get("value"))
    return LinkClaim(name, mass, pose[:3, 3], rotation @ tensor @ rotation.T, tensor, doubtful, scaling)
