"""What parts are made of: density and colour."""

from __future__ import annotations

from dataclasses import dataclass, replace

from simcheck.suite.draw import Draw

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Material:
    """A material; ``density`` in kg/m^3, of the solid that stands for the part."""

    name: str
    density: float
    colour: Colour
    opacity: float = 1.0

    def at(self, density: float) -> Material:
        """The same material where a solid stands for a hollow part: an effective density."""
        return replace(self, density=density)

    def coloured(self, name: str, colour: Colour) -> Material:
        """The same material painted; the name tells the colour."""
        return replace(self, name=f"{self.name}_{name}", colour=colour)


STEEL = Material("steel", 7850, (0.62, 0.64, 0.67))
DARK_STEEL = Material("dark_steel", 7850, (0.28, 0.29, 0.31))
IRON = Material("cast_iron", 7200, (0.33, 0.36, 0.36))
ALUMINIUM = Material("aluminium", 2700, (0.78, 0.80, 0.82))
BRASS = Material("brass", 8500, (0.80, 0.65, 0.30))
CHROME = Material("chrome", 8500, (0.83, 0.85, 0.87))
ZINC = Material("zinc", 6600, (0.70, 0.72, 0.75))
GLASS = Material("glass", 2500, (0.75, 0.88, 0.92), 0.4)
CERAMIC = Material("ceramic", 2300, (0.95, 0.95, 0.93))
ABS = Material("abs", 1050, (0.90, 0.90, 0.88))
DARK_ABS = Material("dark_abs", 1050, (0.16, 0.17, 0.19))
PP = Material("pp", 900, (0.55, 0.62, 0.68))
PET = Material("pet", 1350, (0.70, 0.85, 0.90), 0.5)
NYLON = Material("nylon", 1150, (0.14, 0.14, 0.15))
RUBBER = Material("rubber", 1100, (0.10, 0.10, 0.11))
BOARD = Material("board", 680, (0.90, 0.88, 0.83))
OAK = Material("oak", 700, (0.72, 0.53, 0.33))
BEECH = Material("beech", 680, (0.84, 0.68, 0.48))
WALNUT = Material("walnut", 640, (0.42, 0.28, 0.19))
PINE = Material("pine", 600, (0.88, 0.73, 0.50))
FOAM = Material("foam", 60, (0.50, 0.55, 0.60))
CARDBOARD = Material("cardboard", 300, (0.76, 0.61, 0.43))
LEATHER = Material("leather", 200, (0.36, 0.22, 0.16))

WOODS = (OAK, BEECH, WALNUT, PINE)
_PAINTS: dict[str, Colour] = {
    "white": (0.93, 0.93, 0.91),
    "grey": (0.55, 0.57, 0.60),
    "black": (0.15, 0.15, 0.17),
    "red": (0.75, 0.19, 0.16),
    "blue": (0.18, 0.36, 0.62),
    "green": (0.25, 0.50, 0.32),
    "yellow": (0.92, 0.74, 0.20),
    "orange": (0.90, 0.48, 0.14),
    "teal": (0.18, 0.52, 0.54),
    "cream": (0.92, 0.87, 0.74),
}


def wood(draw: Draw) -> Material:
    """One of the woods, with its density drawn."""
    material = draw.pick("wood", [m.name for m in WOODS])
    density = round(draw.number("wood_density", 600, 750))
    return next(m for m in WOODS if m.name == material).at(density)


def painted(draw: Draw, material: Material = ABS, colours: tuple[str, ...] = tuple(_PAINTS)) -> Material:
    """A material in one of the house colours."""
    name = draw.pick("colour", colours)
    return material.coloured(name, _PAINTS[name])


def fronts(draw: Draw) -> Material:
    """What furniture fronts are made of: painted board or wood."""
    if draw.chance("wooden", 0.5):
        return wood(draw)
    return painted(draw, BOARD.at(round(draw.number("board_density", 620, 720))), ("white", "grey", "cream", "teal"))
