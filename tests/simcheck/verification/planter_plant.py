"""Planted defects: one named fault put into a clean object, and what must be found because of it.

A kind is a function ``(urdf, random) -> Plant | None``; None where the object has no place for it or the draw would do
nothing. Classes: F the text alone decides, S the simulator differs from the text, G a stated predicate holds for this
instance, N nothing in the file tells. For G the kinds list their predicates, and `classify` evaluates them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from planter_geometry import deepest, detached, size_of
from planter_model import Urdf, unchanged

SWEEP = frozenset({"PARTS_COLLIDE", "PARTS_OVERLAP"})
DEEPER = 2e-3  # m deeper than in the clean object


@dataclass(frozen=True)
class Expected:
    """Codes of which one must be found, on one of the elements."""

    codes: frozenset[str]
    elements: frozenset[str]


@dataclass(frozen=True, eq=False)
class Plant:
    """A file with one planted fault."""

    urdf: Urdf | None  # None where the text is no tree any more
    text: bytes
    expected: Expected
    visible: str  # F, F+S, S, G, N
    files: dict[str, bytes] = field(default_factory=dict)  # further files beside it


Kind = Callable[[Urdf, np.random.Generator], Plant | None]
KINDS: dict[str, Kind] = {}


def kind(name: str) -> Callable[[Kind], Kind]:
    """Register a kind under its number and name."""

    def register(function: Kind) -> Kind:
        KINDS[name] = function
        return function

    return register


def joint(name: str) -> str:
    return f"joint {name!r}"


def link(name: str) -> str:
    return f"link {name!r}"


def expect(codes: str, *elements: str) -> Expected:
    return Expected(frozenset(codes.split()), frozenset(elements))


def pick(random: np.random.Generator, names: list[str]) -> str | None:
    return names[int(random.integers(len(names)))] if names else None


def by_text(urdf: Urdf, visible: str, expected: Expected, files: dict[str, bytes] | None = None) -> Plant:
    """A plant that the text alone decides."""
    return Plant(urdf, urdf.text.encode(), expected, visible, files or {})


def by_geometry(
    clean: Urdf, planted: Urdf, name: str, codes: str = "", *, applies: bool = False, others: bool = False
) -> Plant | None:
    """A kinematic plant on a joint: visible where it collides (G1), hangs in the air (G2), or ``applies``.

    With ``others`` the collisions of each joint count that now carries other parts.
    """
    if unchanged(clean, planted):
        return None
    seen, elements = set(codes.split()) if applies else set(), {joint(name)}
    carried = [{n: u.downstream(u.ends(u.joints[n])[1]) for n in u.movable()} for u in (clean, planted)]
    carriers = [n for n in carried[0] if others and carried[0][n] != carried[1].get(n)]
    for moved in sorted({name, *carriers}):
        if deepest(planted, moved) > deepest(clean, moved) + DEEPER:
            seen |= SWEEP
            elements.add(joint(moved))
    if detached(planted, name) and not detached(clean, name):
        seen.add("PART_DETACHED")
    expected = Expected(frozenset(seen), frozenset(elements))
    return Plant(planted, planted.text.encode(), expected, "G" if seen else "N")


def unit_predicate(planted: Urdf, name: str) -> tuple[str, bool]:
    """G6 and G7: the code of limits in another unit, and whether they show it."""
    motion = planted.motion(name)
    assert motion is not None
    lower, upper = motion.lower, motion.upper
    if not np.isfinite([lower, upper]).all():
        return "UNIT_ANGLE", False
    if motion.kind == "prismatic":
        size = size_of(planted)
        return "UNIT_LENGTH", upper - lower > 20 * size or 0 < upper - lower < 1e-3 * size
    whole = any(abs(x) > 2 * np.pi and abs(x - round(x)) < 1e-6 for x in (lower, upper))
    return "UNIT_ANGLE", motion.kind == "revolute" and (upper - lower > 6 * np.pi or whole)
