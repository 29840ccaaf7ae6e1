"""One object of the suite from its seed: drawn, built, put down, and swept until it is proved free."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simcheck.suite.assembly import Assembly, Placing, assemble
from simcheck.suite.builder import Builder
from simcheck.suite.catalogue import Category
from simcheck.suite.combinations import combinations_free
from simcheck.suite.draw import Draw
from simcheck.suite.sweep import Contact, Sweep, sweep
from simcheck.suite.writing import continuous_styles, rests_outside_limits

ATTEMPTS = 8
_REST_TRIALS = 3


@dataclass(frozen=True, eq=False)
class Produced:
    """A finished object that was proved free, and how it came about."""

    category: Category
    number: int
    assembly: Assembly
    sweep: Sweep
    draw: Draw
    attempt: int
    rest: str  # closed, open, centred, outside
    rest_trials: int  # rest poses that were not free
    loop_cuts: tuple[str, ...]
    styles: tuple[str, ...]
    screw_type: bool
    combinations_free: bool

    @property
    def name(self) -> str:
        """Of the object: category and number."""
        return self.category.object_name(self.number)


@dataclass(frozen=True)
class Rejected:
    """An attempt that was drawn again: why."""

    category: str
    number: int
    attempt: int
    reason: str


def produce(category: Category, number: int, seed: int) -> tuple[Produced | None, list[Rejected]]:
    """The object, or None after too many attempts, with the attempts that were rejected."""
    rejected: list[Rejected] = []
    for attempt in range(ATTEMPTS):
        draw = Draw(seed, (category.number, number, attempt))
        build = Builder()
        category.build(build, draw)
        combinations = Draw(seed, (category.number, number, attempt, 1))
        made = _finished(category, number, build, draw, attempt, combinations)
        if isinstance(made, Produced):
            return made, rejected
        rejected.append(Rejected(category.name, number, attempt, describe(made)))
    return None, rejected


def describe(contact: Contact) -> str:
    """A contact in words."""
    return f"{contact.joint} at {contact.position:.4g}: {contact.links[0]} and {contact.links[1]}, {contact.gap:.3g} m"


def _finished(
    category: Category, number: int, build: Builder, draw: Draw, attempt: int, combinations: Draw
) -> Produced | Contact:
    """The object in the first of its drawn rest poses that is free, or the contact that its closed pose has."""
    placing = Placing.drawn(draw, build.joints)
    styles = tuple(continuous_styles(draw, len(build.joints)))
    helical = any(j.kind == "helical" for j in build.joints)
    screw_type = helical and draw.chance("screw_type", 0.1)
    density = draw.number("density_factor", 0.9, 1.1)
    for trials, (pose, rest) in enumerate(_rest_poses(build, draw)):
        assembly = assemble(build, placing, rest, density)
        swept = sweep(assembly)
        if swept.free:
            cuts, together = tuple(build.loop_cuts), combinations_free(assembly, combinations)
            return Produced(
                category, number, assembly, swept, draw, attempt, pose, trials, cuts, styles, screw_type, together
            )
    return swept.contacts[0]


def _rest_poses(build: Builder, draw: Draw) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Rest poses to try: most objects rest closed, the others with one joint open, centred or beyond its stop."""
    pose = draw.pick("rest", ("closed", "open", "centred", "outside"), (0.76, 0.15, 0.04, 0.05))
    leaders = {j.mimic[0] for j in build.joints if j.mimic}
    free = [j for j in build.joints if j.mimic is None and j.name not in leaders and math.isfinite(j.upper - j.lower)]
    if pose != "closed" and any(j.kind not in ("fixed", "continuous") for j in free):
        bounded = [j for j in free if j.kind not in ("fixed", "continuous")]
        if pose == "centred":
            bounded = [j for j in bounded if j.kind == "revolute"] or bounded
        for joint in draw.shuffled(bounded)[:_REST_TRIALS]:
            span, share = joint.upper - joint.lower, draw.unit()
            q = {
                "open": joint.lower + (0.1 + 0.6 * share) * span,
                "centred": (joint.lower + joint.upper) / 2,
                "outside": joint.upper + (0.03 + 0.07 * share) * span,
            }[pose]
            extra = round(q - joint.rest, 6)
            yield pose, {joint.name: extra}
    yield "closed", {}


def meta_of(produced: Produced, seed: int) -> dict[str, Any]:
    """What `meta.json` says besides the joints."""
    a = produced.assembly
    return {
        "id": produced.name,
        "super_category": produced.category.super_category,
        "category": produced.category.name,
        "seed": seed,
        "attempt": produced.attempt,
        "parameters": produced.draw.parameters,
        "rest": produced.rest,
        "rest_coordinates": dict(a.rest),
        "rest_outside_limits": rests_outside_limits(a.movable),
        "loop_cut": list(produced.loop_cuts),
        "combinations_free": produced.combinations_free,
        "helical_spelling": "screw" if produced.screw_type else "pair",
    }
