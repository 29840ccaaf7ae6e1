"""Pieces that many categories share: boxes of panels, drawers, doors, handles, knobs, wheels, buttons.

Clearances are designed in here: 2.5 mm around inset fronts, 12 mm beside drawers, 1 mm between turning parts; what is
smaller than a hand scales them down, to 0.3 mm at least.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from simcheck.suite.builder import AXES, Part, Range, Vector, rotation, towards
from simcheck.suite.draw import Draw, turns
from simcheck.suite.materials import DARK_STEEL, NYLON, RUBBER, STEEL, Material

GAP = 0.0025  # around inset fronts
SIDE = 0.012  # between a drawer and what it slides in


def shell(
    part: Part, x: Range, y: Range, z: Range, wall: float, *, without: str = "", material: Material | None = None
) -> None:
    """A hollow box of panels; ``without`` names the open sides by their axes: ``"-y"`` the front, ``"z"`` the top."""
    open_sides = set(without.split())
    x0, x1 = min(x), max(x)
    y0, y1 = min(y), max(y)
    z0, z1 = min(z), max(z)
    if "-x" not in open_sides:
        part.box((x0, x0 + wall), (y0, y1), (z0, z1), material)
    if "x" not in open_sides:
        part.box((x1 - wall, x1), (y0, y1), (z0, z1), material)
    inner = (x0 + wall * ("-x" not in open_sides), x1 - wall * ("x" not in open_sides))
    if "-z" not in open_sides:
        part.box(inner, (y0, y1), (z0, z0 + wall), material)
    if "z" not in open_sides:
        part.box(inner, (y0, y1), (z1 - wall, z1), material)
    between = (z0 + wall * ("-z" not in open_sides), z1 - wall * ("z" not in open_sides))
    if "-y" not in open_sides:
        part.box(inner, (y0, y0 + wall), between, material)
    if "y" not in open_sides:
        part.box(inner, (y1 - wall, y1), between, material)


def legs(part: Part, x: Range, y: Range, height: float, side: float) -> None:
    """Four square legs under the corners of a rectangle."""
    for left in (min(x), max(x) - side):
        for front in (min(y), max(y) - side):
            part.box((left, left + side), (front, front + side), (0, height))


def pull(part: Part, name: str, centre: Vector, length: float, *, upright: bool = False) -> Part:
    """A bow handle on a front, as a part of its own: two posts and a bar."""
    handle = part.mount(name, STEEL)
    thick, stand = max(0.004, 0.06 * length), max(0.018, 0.12 * length)
    x, y, z = centre

    def point(share: float, away: float) -> Vector:
        along = share * length
        return (x, y - away, z + along) if upright else (x + along, y - away, z)

    for end in (-0.42, 0.42):
        handle.cylinder(thick / 2, point(end, 0.0), point(end, stand))
    handle.cylinder(thick / 2 * 1.15, point(-0.5, stand), point(0.5, stand))
    return handle


def knob(part: Part, name: str, at: Vector, radius: float) -> Part:
    """A fixed round knob on a front."""
    handle = part.mount(name, STEEL)
    handle.turned(
        [
            (0, 0, 0.45 * radius),
            (0.8 * radius, 0, 0.45 * radius),
            (1.0 * radius, 0, radius),
            (1.7 * radius, 0, 0.9 * radius),
        ],
        at,
        "-y",
        sections=14,
    )
    return handle


def grip(draw_name: str, part: Part, name: str, at: Vector, width: float, *, upright: bool = False) -> Part | None:
    """A handle in one of the styles ``bar``, ``knob``, ``none``."""
    if draw_name == "bar":
        return pull(part, name, at, min(0.16, 0.4 * width), upright=upright)
    if draw_name == "knob":
        return knob(part, name, at, 0.014)
    return None


def drawer(
    carcass: Part,
    name: str,
    x: Range,
    z: Range,
    front: float,
    depth: float,
    stroke: float,
    material: Material,
    *,
    thickness: float = 0.018,
    style: str = "bar",
) -> Part:
    """An inset drawer in an opening ``x``, ``z`` whose front lies in the plane y = front; it slides to the front.

    ``depth`` is that of the box behind the front; ``stroke`` its travel.
    """
    x0, x1, z0, z1 = min(x), max(x), min(z), max(z)
    gap, side = min(GAP, 0.02 * (x1 - x0)), min(SIDE, 0.06 * (x1 - x0))
    part = carcass.slide(name, "-y", stroke, at=((x0 + x1) / 2, front, (z0 + z1) / 2), material=material)
    part.box((x0 + gap, x1 - gap), (front, front + thickness), (z0 + gap, z1 - gap))
    wall = min(0.012, 0.3 * side + 0.006, 0.08 * (x1 - x0))
    low, high = z0 + min(0.008, 0.1 * (z1 - z0)), z1 - max(0.015, 0.2 * (z1 - z0))
    shell(
        part,
        (x0 + side, x1 - side),
        (front + thickness, front + thickness + depth),
        (low, max(high, low + 0.3 * (z1 - z0))),
        wall,
        without="z -y",
    )
    grip(style, part, f"{name}_handle", ((x0 + x1) / 2, front, (z0 + z1) / 2), x1 - x0)
    return part


def hinged_front(
    carcass: Part,
    name: str,
    x: Range,
    z: Range,
    front: float,
    opening: float,
    side: str,
    material: Material,
    *,
    thickness: float = 0.018,
    style: str = "bar",
) -> Part:
    """An inset door or flap that closes an opening; hinged 1 mm before the front, at ``side``: -x, x, -z or z."""
    x0, x1, z0, z1 = min(x) + GAP, max(x) - GAP, min(z) + GAP, max(z) - GAP
    upright = side in ("x", "-x")
    swing = (thickness + 0.001) ** 2 / (2 * (x1 - x0 if upright else z1 - z0))  # of the free edge's inner corner
    axis, px, pz = {"-x": ("-z", x0, z0), "x": ("z", x1, z0), "-z": ("x", x0, z0), "z": ("-x", x0, z1)}[side]
    x0, x1 = x0 + swing * (side == "x"), x1 - swing * (side == "-x")
    z0, z1 = z0 + swing * (side == "z"), z1 - swing * (side == "-z")
    door = carcass.hinge(name, axis, (px, front - 0.001, pz), opening, material=material)
    door.box((x0, x1), (front, front + thickness), (z0, z1))
    inset = min(0.045, 0.15 * (x1 - x0), 0.15 * (z1 - z0))
    at_x = {"-x": x1 - inset, "x": x0 + inset}.get(side, (x0 + x1) / 2)
    at_z = {"-z": z1 - inset, "z": z0 + inset}.get(side, (z0 + z1) / 2)
    grip(style, door, f"{name}_handle", (at_x, front, at_z), z1 - z0 if upright else x1 - x0, upright=upright)
    return door


def wheel(
    part: Part,
    name: str,
    centre: Vector,
    radius: float,
    width: float,
    *,
    axis: str = "x",
    tyre: Material = RUBBER,
    hub: Material = STEEL,
) -> Part:
    """A free wheel: a tyre and a hub that is a little wider."""
    a = AXES[axis]
    turning = part.spin(name, axis, centre, material=tyre)
    turning.cylinder(radius, _along(centre, a, -width / 2), _along(centre, a, width / 2), tyre)
    turning.cylinder(0.45 * radius, _along(centre, a, -0.55 * width), _along(centre, a, 0.55 * width), hub)
    return turning


def spoked_wheel(
    part: Part,
    name: str,
    centre: Vector,
    radius: float,
    width: float,
    *,
    axis: str = "x",
    spokes: int = 6,
) -> Part:
    """A free wheel with a tyre as a ring and spokes."""
    turning = part.spin(name, axis, centre, material=RUBBER)
    x, y, z = centre
    inner = radius - 1.1 * width
    half: Vector = (width / 2, 0.0, 0.0) if axis == "x" else (0.0, width / 2, 0.0)
    turning.turned([(-width / 2, inner, radius), (width / 2, inner, radius)], centre, axis)
    turning.cylinder(0.9 * width, (x - half[0], y - half[1], z), (x + half[0], y + half[1], z), STEEL)
    for k in range(spokes):
        a = 2 * math.pi * k / spokes
        u, v = (inner + 0.2 * width) * math.cos(a), (inner + 0.2 * width) * math.sin(a)
        end: Vector = (x, y + u, z + v) if axis == "x" else (x + u, y, z + v)
        turning.bar(centre, end, 0.006, 0.006, STEEL)
    return turning


def castor(part: Part, name: str, at: Vector, radius: float, *, trail: float = 0.6, direction: float = 0.0) -> Part:
    """A swivel castor below a point: a fork that turns about z and a wheel in it; it reaches ``2.42 radius`` down.

    ``direction`` is where the wheel trails, an angle about z.
    """
    x, y, z = at
    width = 0.7 * radius
    fork = part.spin(f"{name}_fork", "z", at, material=DARK_STEEL)
    with part.build.frame((x, y, z), rotation("z", direction) if direction else None):
        plate = -0.001
        fork.cylinder(0.35 * radius, (0, 0, plate - 0.25 * radius), (0, 0, plate))
        back = -trail * radius
        top, hub = plate - 0.25 * radius, -1.42 * radius
        fork.box(
            (back - 0.3 * radius, 0.3 * radius),
            (-width / 2 - 0.12 * radius, width / 2 + 0.12 * radius),
            (top - 0.08 * radius, top),
        )
        for side in (-1, 1):
            fork.box(
                (back - 0.25 * radius, back + 0.25 * radius),
                (side * (width / 2 + 0.03 * radius), side * (width / 2 + 0.12 * radius)),
                (hub - 0.1 * radius, top - 0.08 * radius),
            )
        turning = fork.spin(f"{name}_wheel", "y", (back, 0, hub), material=NYLON)
        turning.cylinder(radius, (back, -width / 2 + 0.001, hub), (back, width / 2 - 0.001, hub))
    return fork


def button(
    part: Part,
    name: str,
    x: Range,
    y: Range,
    top: float,
    travel: float,
    *,
    height: float | None = None,
    material: Material | None = None,
) -> Part:
    """A push button over a deck: it goes down by ``travel`` and stops 0.5 mm above the deck; ``top`` is the deck."""
    low = top + travel + 0.0005
    key = part.slide(name, "-z", travel, at=((x[0] + x[1]) / 2, (y[0] + y[1]) / 2, low), material=material)
    key.box(x, y, (low, low + (height or 0.003)))
    return key


def screwed(
    part: Part,
    draw: Draw,
    name: str,
    axis: str,
    at: Vector,
    lead: float,
    number: float,
    *,
    material: Material | None = None,
) -> Part:
    """A part that unscrews along an axis by so many turns; 15 % of the threads are left-handed."""
    stop = turns(number)
    if draw.chance(f"{name}_left_handed", 0.15):
        return part.screw(name, axis, at, -lead, 0.0, -stop, material=material)
    return part.screw(name, axis, at, lead, stop, material=material)


def tube(part: Part, points: Sequence[Vector], radius: float) -> None:
    """A bent round tube through points."""
    for start, end in pairwise(points):
        part.cylinder(radius, start, end)
    for point in points[1:-1]:
        part.sphere(radius, point)


def arc(centre: Vector, radius: float, start: float, end: float, count: int, plane: str = "yz") -> list[Vector]:
    """Points on an arc in a plane, angles from its first axis in radians."""
    found = []
    for k in range(count + 1):
        angle = start + (end - start) * k / count
        u, v = radius * math.cos(angle), radius * math.sin(angle)
        x, y, z = centre
        found.append({"yz": (x, y + u, z + v), "xz": (x + u, y, z + v), "xy": (x + u, y + v, z)}[plane])
    return found


def ring_of(
    part: Part,
    centre: Vector,
    axis: str,
    inner: float,
    outer: float,
    height: float,
    *,
    material: Material | None = None,
    sections: int = 20,
) -> None:
    """A plain ring around an axis, from ``centre`` along it."""
    part.turned([(0.0, inner, outer), (height, inner, outer)], centre, axis, material, sections)


def hand_wheel(part: Part, centre: Vector, axis: str, radius: float, thickness: float, *, spokes: int = 3) -> None:
    """A rim with spokes and a hub, added to a part; ``centre`` is the middle of the hub."""
    with part.build.frame(centre, towards(AXES[axis])):
        part.turned([(-thickness / 2, radius - thickness, radius), (thickness / 2, radius - thickness, radius)])
        part.cylinder(0.25 * radius, (0, 0, -0.7 * thickness), (0, 0, 0.7 * thickness))
        for k in range(spokes):
            angle = 2 * math.pi * k / spokes
            end = radius - 0.6 * thickness
            part.bar((0, 0, 0), (end * math.cos(angle), end * math.sin(angle), 0), 0.5 * thickness, 0.5 * thickness)


def spaced(low: float, high: float, count: int) -> list[Range]:
    """Equal intervals that fill a range."""
    step = (high - low) / count
    return [(low + k * step, low + (k + 1) * step) for k in range(count)]


def centres(low: float, high: float, count: int) -> list[float]:
    """Middles of `spaced`."""
    return [(a + b) / 2 for a, b in spaced(low, high, count)]


def grid(
    low: tuple[float, float], high: tuple[float, float], counts: tuple[int, int]
) -> Sequence[tuple[int, int, Range, Range]]:
    """Cells of a grid: column, row, and the range of each."""
    columns, rows = spaced(low[0], high[0], counts[0]), spaced(low[1], high[1], counts[1])
    return [(i, j, u, v) for j, v in enumerate(rows) for i, u in enumerate(columns)]


def _along(point: Vector, axis: Vector, distance: float) -> Vector:
    return (point[0] + distance * axis[0], point[1] + distance * axis[1], point[2] + distance * axis[2])
