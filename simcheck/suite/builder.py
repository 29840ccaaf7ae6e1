"""An object under construction: parts with solids, joined by joints, all placed in one frame while closed.

Conventions: metres, radians; x to the right, y to the back (the front is -y), z up, the floor at z = 0. Everything is
given where it stands when the object is closed (every coordinate 0); a joint's ``rest`` says how far it is open in the
finished object.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simcheck.suite.materials import Material
from simcheck.suite.meshes import Level, MeshData, Point2, prism, revolved

FloatArray = NDArray[np.float64]
Vector = tuple[float, float, float]
Range = tuple[float, float]

AXES: dict[str, Vector] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}
BOX, CYLINDER, SPHERE, MESH = range(4)


@dataclass(frozen=True, eq=False)
class Solid:
    """One solid, placed while the object is closed."""

    kind: int
    half: Vector  # box: half edges; cylinder: radius, radius, half length (its axis is z); sphere: radius three times
    centre: Vector
    rotation: FloatArray | None  # (3, 3), None for the identity
    material: Material
    mesh: MeshData | None = None
    visual: bool = True
    collision: bool = True


@dataclass(eq=False)
class JointDraft:
    """One joint, placed while the object is closed; ``rest`` is its coordinate in the finished object."""

    name: str
    kind: str
    parent: Part
    child: Part
    axis: Vector
    origin: Vector
    lower: float = 0.0
    upper: float = 0.0
    pitch: float = 0.0  # m/rad
    rest: float = 0.0
    mimic: tuple[str, float] | None = None


class Builder:
    """All parts and joints of an object; the first part is the root."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.joints: list[JointDraft] = []
        self.loop_cuts: list[str] = []
        self._rotation: FloatArray | None = None
        self._offset: Vector = (0.0, 0.0, 0.0)

    def root(self, name: str, material: Material) -> Part:
        """The first part."""
        return self._add(name, material)

    def cut_loop(self, where: str) -> None:
        """Note that a closed chain of the real thing was cut into a tree here."""
        self.loop_cuts.append(where)

    @contextmanager
    def frame(self, at: Vector = (0.0, 0.0, 0.0), turn: FloatArray | None = None) -> Iterator[None]:
        """Everything that is added inside is placed relative to a frame, itself relative to the enclosing one."""
        outer = self._rotation, self._offset
        offset = self.place(at)
        if turn is not None:
            self._rotation = turn if self._rotation is None else self._rotation @ turn
        self._offset = offset
        try:
            yield
        finally:
            self._rotation, self._offset = outer

    def place(self, point: Vector) -> Vector:
        """A point of the current frame in the object's frame."""
        if self._rotation is not None:
            point = _times(self._rotation, point)
        return (point[0] + self._offset[0], point[1] + self._offset[1], point[2] + self._offset[2])

    def orient(self, rotation: FloatArray | None) -> FloatArray | None:
        """A rotation of the current frame in the object's frame."""
        if self._rotation is None or rotation is None:
            return rotation if self._rotation is None else self._rotation
        return self._rotation @ rotation

    def direct(self, axis: str | Vector) -> Vector:
        """A direction of the current frame, by name or by components, as a unit vector of the object's frame."""
        given = AXES[axis] if isinstance(axis, str) else axis
        length = math.sqrt(sum(x * x for x in given))
        unit = (given[0] / length, given[1] / length, given[2] / length)
        return unit if self._rotation is None else _times(self._rotation, unit)

    def _add(self, name: str, material: Material) -> Part:
        if any(part.name == name for part in self.parts):
            raise ValueError(f"two parts are called {name!r}")
        part = Part(self, name, material)
        self.parts.append(part)
        return part


@dataclass(eq=False)
class Part:
    """One link: its solids, and the joints that hang on it."""

    build: Builder
    name: str
    material: Material
    joint: JointDraft | None = None  # that carries it; the root has none
    solids: list[Solid] = field(default_factory=list)

    # --- solids ----------------------------------------------------------------------------------------------

    def box(
        self, x: Range, y: Range, z: Range, material: Material | None = None, turn: FloatArray | None = None
    ) -> None:
        """A box between two values on each axis; ``turn`` rotates it about its own centre."""
        half, centre = [], []
        for low, high in (x, y, z):
            half.append(abs(high - low) / 2)
            centre.append((low + high) / 2)
        self._solid(BOX, (half[0], half[1], half[2]), (centre[0], centre[1], centre[2]), turn, material)

    def bar(self, start: Vector, end: Vector, width: float, thickness: float, material: Material | None = None) -> None:
        """A box along a segment: ``width`` lies level (for an upright one along x), ``thickness`` across it."""
        along = np.subtract(end, start)
        length = float(np.linalg.norm(along))
        along = along / length
        side = np.cross((0.0, 0.0, 1.0), along) if math.hypot(along[0], along[1]) > 1e-9 else np.array([1.0, 0.0, 0.0])
        side = side / np.linalg.norm(side)
        turn = np.stack([side, np.cross(along, side), along], axis=1)
        self._solid(BOX, (width / 2, thickness / 2, length / 2), _middle(start, end), turn, material)

    def cylinder(self, radius: float, start: Vector, end: Vector, material: Material | None = None) -> None:
        """A cylinder between the centres of its ends."""
        along = np.subtract(end, start)
        turn = towards((float(along[0]), float(along[1]), float(along[2])))
        half = float(np.linalg.norm(along)) / 2
        self._solid(CYLINDER, (radius, radius, half), _middle(start, end), turn, material)

    def sphere(self, radius: float, centre: Vector, material: Material | None = None) -> None:
        """A ball."""
        self._solid(SPHERE, (radius, radius, radius), centre, None, material)

    def prism(self, outline: Sequence[Point2], axis: str, between: Range) -> None:
        """A convex outline extruded along an axis; the outline is in (y, z), (x, z) or (x, y)."""
        us, vs = [p[0] for p in outline], [p[1] for p in outline]
        u, v, w = (min(us) + max(us)) / 2, (min(vs) + max(vs)) / 2, (between[0] + between[1]) / 2
        local = [(round(p - u, 7), round(q - v, 7)) for p, q in outline]
        centre = {"x": (w, u, v), "y": (u, w, v), "z": (u, v, w)}[axis]
        mesh = prism(local, abs(between[1] - between[0]))
        half = (max(us) - u, max(vs) - v, abs(between[1] - between[0]) / 2)
        self._solid(MESH, half, centre, _PRISM_AXES[axis], None, mesh)

    def turned(
        self,
        levels: Sequence[Level],
        at: Vector = (0.0, 0.0, 0.0),
        axis: str | Vector = "z",
        material: Material | None = None,
        sections: int = 20,
    ) -> None:
        """A body of revolution: at each level a height along the axis from ``at``, an inner and an outer radius.

        It is seen as a mesh. It collides as staves around a bore, as cylinders where it is solid (a cone in slices);
        together they contain what is seen, and leave the bore free.
        """
        turn = towards(AXES[axis] if isinstance(axis, str) else axis)
        mesh = revolved([(round(z, 7), round(r, 7), round(outer, 7)) for z, r, outer in levels], sections)
        self._solid(MESH, (0.0, 0.0, 0.0), at, turn, material, mesh, collision=False)
        with self.build.frame(at, turn):
            for low, high in pairwise(levels):
                if high[0] - low[0] < 1e-9:
                    continue
                if low[1] <= 0 and high[1] <= 0:
                    self._slices(low, high, material)
                else:
                    self._staves(low, high, material, sections)

    def _slices(self, low: Level, high: Level, material: Material | None) -> None:
        """The solid between two levels as cylinders of its largest radius, four where it is a cone."""
        count = 4 if abs(high[2] - low[2]) > 0.1 * max(low[2], high[2]) else 1
        for k in range(count):
            bottom, top = (low[0] + (high[0] - low[0]) * share / count for share in (k, k + 1))
            radius = max(low[2] + (high[2] - low[2]) * share / count for share in (k, k + 1))
            half = (radius, radius, (top - bottom) / 2)
            self._solid(CYLINDER, half, (0.0, 0.0, (bottom + top) / 2), None, material, visual=False)

    def _staves(self, low: Level, high: Level, material: Material | None, sections: int) -> None:
        """The wall between two levels as staves: boxes where it is upright, else prisms over its cross section."""
        flat, half_width = math.cos(math.pi / sections), max(low[2], high[2]) * math.sin(math.pi / sections)
        outline = [(r, z) for z, r, _ in (low, high)] + [(outer * flat, z) for z, _, outer in (high, low)]
        middle = (sum(r for r, _ in outline) / 4, (low[0] + high[0]) / 2)
        upright = abs(high[1] - low[1]) < 1e-9 and abs(high[2] - low[2]) < 1e-9
        half = ((low[2] * flat - low[1]) / 2, (high[0] - low[0]) / 2, half_width)
        mesh = None
        if not upright:
            local = [(round(r - middle[0], 7), round(z - middle[1], 7)) for r, z in outline]
            mesh = prism([p for k, p in enumerate(local) if p != local[k - 1]], 2 * half_width, "stave")
        for k in range(sections):
            angle = 2 * math.pi * k / sections
            c, s = math.cos(angle), math.sin(angle)
            # Columns: outwards, along the axis, along the wall.
            turn = np.array([[c, 0.0, s], [s, 0.0, -c], [0.0, 1.0, 0.0]])
            centre = (middle[0] * c, middle[0] * s, middle[1])
            self._solid(BOX if mesh is None else MESH, half, centre, turn, material, mesh, visual=False)

    def _solid(
        self,
        kind: int,
        half: Vector,
        centre: Vector,
        turn: FloatArray | None,
        material: Material | None,
        mesh: MeshData | None = None,
        *,
        visual: bool = True,
        collision: bool = True,
    ) -> None:
        if kind != MESH and min(half) <= 1e-6:
            raise ValueError(f"{self.name}: a solid without thickness, half sizes {half}")
        place, rotation = self.build.place(centre), self.build.orient(turn)
        self.solids.append(Solid(kind, half, place, rotation, material or self.material, mesh, visual, collision))

    # --- joints ----------------------------------------------------------------------------------------------

    def mount(self, name: str, material: Material | None = None) -> Part:
        """A part of its own that is fixed to this one."""
        return self._join(f"{name}_mount", "fixed", name, "x", (0.0, 0.0, 0.0), material)

    def hinge(
        self,
        name: str,
        axis: str | Vector,
        at: Vector,
        upper: float,
        lower: float = 0.0,
        *,
        rest: float = 0.0,
        material: Material | None = None,
    ) -> Part:
        """A part that turns about an axis between two limits (revolute)."""
        return self._join(f"{name}_hinge", "revolute", name, axis, at, material, lower, upper, rest=rest)

    def spin(self, name: str, axis: str | Vector, at: Vector, *, material: Material | None = None) -> Part:
        """A part that turns without limits (continuous)."""
        return self._join(f"{name}_axle", "continuous", name, axis, at, material, -math.inf, math.inf)

    def slide(
        self,
        name: str,
        axis: str | Vector,
        upper: float,
        lower: float = 0.0,
        *,
        at: Vector = (0.0, 0.0, 0.0),
        material: Material | None = None,
    ) -> Part:
        """A part that slides along an axis between two limits (prismatic)."""
        return self._join(f"{name}_slide", "prismatic", name, axis, at, material, lower, upper)

    def screw(
        self,
        name: str,
        axis: str | Vector,
        at: Vector,
        lead: float,
        upper: float,
        lower: float = 0.0,
        *,
        material: Material | None = None,
    ) -> Part:
        """A part that turns and advances by ``lead`` metres a turn along the axis (helical); limits in radians."""
        pitch = lead / (2 * math.pi)
        return self._join(f"{name}_screw", "helical", name, axis, at, material, lower, upper, pitch)

    def _join(
        self,
        name: str,
        kind: str,
        child: str,
        axis: str | Vector,
        at: Vector,
        material: Material | None,
        lower: float = 0.0,
        upper: float = 0.0,
        pitch: float = 0.0,
        rest: float = 0.0,
    ) -> Part:
        if kind not in ("fixed", "continuous") and not lower < upper:
            raise ValueError(f"joint {name!r}: limits {lower} … {upper}")
        if kind == "fixed" and self.joint is not None:
            at = self.joint.origin  # its frame coincides with that of the part that carries it
            origin, direction = at, (1.0, 0.0, 0.0)
        else:
            origin, direction = self.build.place(at), self.build.direct(axis)
        part = self.build._add(child, material or self.material)
        joint = JointDraft(name, kind, self, part, direction, origin, lower, upper, pitch, rest)
        part.joint = joint
        self.build.joints.append(joint)
        return part


# --- rotations ---------------------------------------------------------------------------------------------------


def rotation(axis: str, angle: float) -> FloatArray:
    """Rotation matrix (3, 3) about x, y or z."""
    c, s = math.cos(angle), math.sin(angle)
    return {
        "x": np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]),
        "y": np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]),
        "z": np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]),
    }[axis]


def towards(direction: Vector) -> FloatArray | None:
    """A rotation that takes z to a direction, exact for the axes of the frame; None for z itself."""
    x, y, z = direction
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    flat = math.hypot(x, y)
    if flat < 1e-12:
        return None if z > 0 else np.diag([1.0, -1.0, -1.0])
    c, s = x / flat, y / flat  # yaw of the direction, then tilt by its angle from z
    return np.array([[c * z, -s, x], [s * z, c, y], [-flat, 0.0, z]])


_PRISM_AXES: dict[str, FloatArray | None] = {
    "z": None,  # outline (x, y)
    "x": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),  # outline (y, z)
    "y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),  # outline (x, z), extruded along -y
}


def _times(rotation: FloatArray, point: Vector) -> Vector:
    x, y, z = point
    a, b, c = rotation.tolist()
    return (
        a[0] * x + a[1] * y + a[2] * z,
        b[0] * x + b[1] * y + b[2] * z,
        c[0] * x + c[1] * y + c[2] * z,
    )


def _middle(start: Vector, end: Vector) -> Vector:
    return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, (start[2] + end[2]) / 2)
