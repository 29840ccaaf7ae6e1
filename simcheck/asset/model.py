"""The articulated object: links and joints in the world frame at rest (SPEC section 3).

World frame = the frame of the root link with every joint coordinate 0. Nothing here is ever changed in place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from metric import Body, Joint
from simcheck.errors import AssetError, AssetWarning, UsageError

if TYPE_CHECKING:
    from simcheck.asset.shapes import Shape

FloatArray = NDArray[np.float64]

BODIES = ("cluster", "subtree")
INERTIAS = ("auto", "urdf", "mesh")


@dataclass(frozen=True)
class ReadOptions:
    """How a file is read; all of it changes numbers and is recorded with every result.

    Parameters
    ----------
    body
        ``cluster``: the moved body is the child link with everything welded to it; ``subtree``: everything
        downstream, rigid.
    inertia
        ``auto``: the file's inertials where usable, else geometry; ``urdf`` or ``mesh`` force one source.
    density
        kg/m^3 of bodies that come from geometry.
    packages
        Folders of ``package://NAME/`` mesh paths.
    decompose
        Split spherical and planar joints into chains of one-DOF joints instead of refusing them.
    wrap
        Shift the limits of bounded revolute joints by turns until the midpoint lies in (-pi, pi].
    """

    body: str = "cluster"
    inertia: str = "auto"
    density: float = 1000.0
    packages: Mapping[str, str] = field(default_factory=dict)
    decompose: bool = False
    wrap: bool = False

    def __post_init__(self) -> None:
        if self.body not in BODIES:
            raise UsageError(f"--body: expected {' or '.join(BODIES)}, got {self.body!r}")
        if self.inertia not in INERTIAS:
            raise UsageError(f"--inertia: expected {', '.join(INERTIAS)}, got {self.inertia!r}")
        if not 0 < self.density < float("inf"):
            raise UsageError(f"--density: expected a positive number of kg/m^3, got {self.density!r}")


@dataclass(frozen=True)
class Mimic:
    """``<mimic>``: the follower's coordinate is ``multiplier * leader + offset`` (not used by the metric)."""

    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class ObjectJoint:
    """One joint of an object: its motion in the world frame at rest, and where it stands in the file."""

    name: str
    parent: str
    child: str
    motion: Joint
    members: tuple[str, ...] = ()
    mimic: Mimic | None = None

    @property
    def kind(self) -> str:
        """revolute, continuous, prismatic, helical or fixed."""
        return self.motion.kind

    @property
    def axis(self) -> tuple[float, float, float]:
        """Unit direction, world frame at rest."""
        return self.motion.axis

    @property
    def origin(self) -> tuple[float, float, float]:
        """Origin of the joint frame, world frame at rest, m."""
        return self.motion.origin

    @property
    def lower(self) -> float:
        """Lower limit, rad or m."""
        return self.motion.lower

    @property
    def upper(self) -> float:
        """Upper limit, rad or m."""
        return self.motion.upper

    @property
    def pitch(self) -> float | None:
        """Advance in m/rad of a helical joint, None for the other kinds."""
        return self.motion.pitch if self.kind == "helical" else None

    @property
    def screw(self) -> FloatArray:
        """Unit screw (6,), world frame at rest."""
        return self.motion.screw

    @property
    def endpoints(self) -> FloatArray:
        """Endpoint twists (2, 6)."""
        return self.motion.endpoints

    @property
    def element(self) -> str:
        """The joint as messages name it."""
        return f"joint {self.name!r}"


@dataclass(frozen=True, eq=False)
class Inertial:
    """A usable <inertial> in the world frame at rest."""

    mass: float  # kg, positive
    com: FloatArray  # (3,), m
    inertia: FloatArray  # (3, 3), about the com, world axes, kg m^2

    @property
    def body(self) -> Body:
        """As a body of the metric."""
        return Body(self.mass, self.com, self.inertia)


def inertia_fault(moments: NDArray[np.floating]) -> str:
    """Code of what keeps principal moments (3,), ascending, from being those of a body; empty where nothing does."""
    if moments[0] < -1e-12 * np.abs(moments).max():
        return "INERTIA_NOT_PSD"
    return "INERTIA_TRIANGLE" if moments[2] - moments[1] - moments[0] > 4e-15 * moments[2] else ""


@dataclass(frozen=True, eq=False)
class Link:
    """One link: its frame at rest, the usable inertial, and its geometry as written."""

    name: str
    pose: FloatArray  # (4, 4), world frame at rest
    inertial: Inertial | None
    inertial_problem: str = ""  # why an <inertial> of the file is not used
    source: etree._Element | None = None  # clean <link> element: visual and collision shapes, built on first use

    def __reduce__(self) -> tuple[Any, ...]:
        text = None if self.source is None else etree.tostring(self.source)
        return _link_from_text, (self.name, self.pose, self.inertial, self.inertial_problem, text)


def _link_from_text(name: str, pose: FloatArray, inertial: Inertial | None, problem: str, text: bytes | None) -> Link:
    return Link(name, pose, inertial, problem, None if text is None else etree.fromstring(text))


@dataclass(frozen=True)
class MovedBody:
    """What a joint moves: the body, where its numbers come from, or why there is none."""

    links: tuple[str, ...]
    body: Body | None
    source: str | None = None  # inertial, visual, collision, carried, mixed
    volume: float | None = None  # m^3, of the geometry, where that was looked at
    reason: str = ""
    warnings: tuple[AssetWarning, ...] = ()


@dataclass(frozen=True)
class LinkBody:
    """What one link contributes to the body it belongs to."""

    body: Body | None
    source: str = ""  # inertial, visual, collision
    volume: float | None = None
    reason: str = ""
    warnings: tuple[AssetWarning, ...] = ()


@dataclass(frozen=True, eq=False)
class ArticulatedObject:
    """Links and joints of one file, immutable; bodies, meshes and sizes are built on first use."""

    file: str
    folder: Path
    name: str
    root: str
    links: Mapping[str, Link]  # file order
    joints: tuple[ObjectJoint, ...]  # file order, fixed ones too
    options: ReadOptions = field(default_factory=ReadOptions)
    warnings: tuple[AssetWarning, ...] = ()  # of the reading alone; `all_warnings` adds bodies and suspicion
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)  # subtracted from every position (--origin base)
    scale: float = 1.0  # of the geometry against the file (predictions with --scale or --align bbox)

    def __post_init__(self) -> None:
        object.__setattr__(self, "links", MappingProxyType(dict(self.links)))

    def __reduce__(self) -> tuple[Any, ...]:
        values = [getattr(self, f.name) for f in fields(self)]
        return ArticulatedObject, tuple(dict(v) if isinstance(v, MappingProxyType) else v for v in values)

    @cached_property
    def movable_joints(self) -> tuple[ObjectJoint, ...]:
        """The joints that are not exactly fixed, in file order."""
        return tuple(j for j in self.joints if not j.motion.exactly_fixed)

    @cached_property
    def joints_below(self) -> Mapping[str, tuple[ObjectJoint, ...]]:
        """Joints by their parent link."""
        below: dict[str, list[ObjectJoint]] = {}
        for joint in self.joints:
            below.setdefault(joint.parent, []).append(joint)
        return {link: tuple(joints) for link, joints in below.items()}

    @cached_property
    def joint_above(self) -> Mapping[str, ObjectJoint]:
        """The joint that carries each link (the root has none)."""
        return {joint.child: joint for joint in self.joints}

    def carrier(self, joint: ObjectJoint) -> ObjectJoint | None:
        """The nearest joint above another that is not exactly fixed: it takes the other along when it moves."""
        above = self.joint_above.get(joint.parent)
        while above is not None and above.motion.exactly_fixed:
            above = self.joint_above.get(above.parent)
        return above

    def joint(self, name: str) -> ObjectJoint:
        """The joint of that name; `AssetError` lists the names there are."""
        for joint in self.joints:
            if joint.name == name:
                return joint
        names = ", ".join(j.name for j in self.joints[:20]) or "none"
        raise AssetError(self.file, f"no joint {name!r}; the joints are: {names}", code="JOINT_UNKNOWN")

    def welded(self, link: str) -> tuple[str, ...]:
        """The link and all links joined to it from below by exactly fixed joints."""
        found, stack = [], [link]
        while stack:
            found.append(stack.pop())
            below = self.joints_below.get(found[-1], ())
            stack.extend(j.child for j in reversed(below) if j.motion.exactly_fixed)
        return tuple(found)

    def downstream(self, link: str) -> tuple[str, ...]:
        """The link and everything it carries."""
        found, stack = [], [link]
        while stack:
            found.append(stack.pop())
            stack.extend(j.child for j in reversed(self.joints_below.get(found[-1], ())))
        return tuple(found)

    def moved_body(self, joint: str) -> MovedBody:
        """The body that a joint moves (SPEC section 3); cached."""
        from simcheck.asset.bodies import moved_body

        if joint not in self._bodies:
            self._bodies[joint] = moved_body(self, self.joint(joint))
        return self._bodies[joint]

    def link_body(self, link: str) -> LinkBody:
        """What a link weighs by the object's inertia policy; cached."""
        from simcheck.asset.bodies import link_body

        if link not in self._link_bodies:
            self._link_bodies[link] = link_body(self, self.links[link])
        return self._link_bodies[link]

    @cached_property
    def shape_cache(self) -> dict[tuple[str, str], tuple[Shape, ...]]:
        """Shapes by link and role, filled by `simcheck.asset.shapes.shapes_of`."""
        return {}

    @cached_property
    def _bodies(self) -> dict[str, MovedBody]:
        return {}

    @cached_property
    def _link_bodies(self) -> dict[str, LinkBody]:
        return {}

    @cached_property
    def box(self) -> FloatArray:
        """Corners (2, 3) of the axis-aligned box of everything at rest: geometry, joint origins, coms; world, m."""
        from simcheck.asset.extent import box_at_rest

        return box_at_rest(self)

    @cached_property
    def size(self) -> float:
        """Length of the diagonal of `box`, m; 1 for an object without any extent."""
        diagonal = float(np.linalg.norm(self.box[1] - self.box[0]))
        return diagonal if diagonal > 0 else 1.0

    @property
    def body_warnings(self) -> tuple[AssetWarning, ...]:
        """What is said of the moved bodies."""
        return tuple(w for j in self.movable_joints for w in self.moved_body(j.name).warnings)

    @cached_property
    def all_warnings(self) -> tuple[AssetWarning, ...]:
        """Everything worth a look: reading, bodies, units and sizes (SPEC sections 3 and 11)."""
        from simcheck.asset.suspicion import mass_suspicions, unit_suspicions

        found = [*self.warnings, *self.body_warnings, *unit_suspicions(self), *mass_suspicions(self)]
        return tuple(dict.fromkeys(found))
