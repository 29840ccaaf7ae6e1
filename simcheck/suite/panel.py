"""What sits on the panels of machines: dials and push buttons."""

from __future__ import annotations

from simcheck.suite.builder import Part, Range, Vector
from simcheck.suite.draw import radians
from simcheck.suite.materials import ABS, DARK_ABS, Material


def dial(
    part: Part,
    name: str,
    at: Vector,
    radius: float,
    *,
    axis: str = "-y",
    degrees: float = 300,
    endless: bool = False,
) -> Part:
    """A control knob with a pointer, half a millimetre before a panel."""
    knob = (
        part.spin(name, axis, at, material=DARK_ABS)
        if endless
        else part.hinge(name, axis, at, radians(degrees), material=DARK_ABS)
    )
    knob.turned([(0.0006, 0, radius), (0.9 * radius, 0, 0.85 * radius)], at, axis, sections=14)
    x, y, z = at
    deep = 0.9 * radius
    if axis == "-y":
        knob.box(
            (x - 0.08 * radius, x + 0.08 * radius),
            (y - deep - 0.001, y - deep),
            (z + 0.2 * radius, z + 0.8 * radius),
            ABS,
        )
    else:
        knob.box(
            (x - 0.08 * radius, x + 0.08 * radius),
            (y + 0.2 * radius, y + 0.8 * radius),
            (z + deep, z + deep + 0.001),
            ABS,
        )
    return knob


def press(
    part: Part, name: str, x: Range, z: Range, front: float, travel: float, material: Material = DARK_ABS
) -> Part:
    """A push button on an upright panel at y = front."""
    far = front - travel - 0.0005
    key = part.slide(name, "y", travel, at=((x[0] + x[1]) / 2, front, (z[0] + z[1]) / 2), material=material)
    key.box(x, (far - 0.004, far), z)
    return key
