"""The per-component template of the paper (3.2, A.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metric.protocols.geometry import (
    FIXED,
    PARALLEL,
    UNBOUNDED,
    Floats,
    Joints,
    axis_angle,
    dot,
    line_distance,
    norm,
)
from metric.protocols.result import ComponentErrors, score

AXIS_TOLERANCE = 0.25  # rad
ORIGIN_TOLERANCE = 0.05  # m
ILL_CONDITIONED = 1e-3  # |a x a'| below which the printed origin formula amplifies errors a thousand times


@dataclass(frozen=True, kw_only=True)
class TemplateErrors(ComponentErrors):
    """Scores of the template; the two modes differ only in `limit_range` between radians and metres."""

    protocol = "template"
    source = "paper 3.2 and A.4"

    type: int = score("0/1", "1 where the types differ")
    axis: float = score("rad", "angle between the axes up to sign, [0, pi/2]")
    origin: float = score("m", "distance of the lines by |p . (a x a')| / |a x a'|; |p| for a true prismatic joint")
    origin_line: float = score("m", "as origin, with the distance of parallel lines")
    limit_range: float = score(
        "rad or m", "length of the difference of m = a (upper - lower)", published_unit="rad, m or both mixed"
    )
    limit_direction: float = score("1", "1 - cosine of the angle between the m, [0, 2]")
    success: int = score("0/1", "type equal, axis < 0.25 rad, origin_line < 0.05 m", lower_is_better=False)
    success_literal: int = score("0/1", "the same with origin; undefined is a failure", lower_is_better=False)
    ill_conditioned: int = score("0/1", "1 where the origin formula divides by less than 1e-3")


def evaluate(truth: Joints, prediction: Joints, mode: str, single: bool) -> TemplateErrors:
    """Scores of N pairs."""
    a, b = prediction.axis, truth.axis
    offset = prediction.origin - truth.origin
    different = truth.kind != prediction.kind
    fixed, both_fixed = truth.fixed | prediction.fixed, truth.fixed & prediction.fixed
    sine = norm(np.cross(a, b))
    parallel = ~truth.slides & (sine < PARALLEL)
    axis, origin_line = axis_angle(a, b), np.where(truth.slides, norm(offset), line_distance(offset, a, b))
    m1, m2 = (j.axis * np.where(np.isnan(j.travel), 0.0, j.travel)[:, None] for j in (truth, prediction))
    unbounded = truth.unbounded | prediction.unbounded
    close = ~different & ~fixed & (axis < AXIS_TOLERANCE) & (origin_line < ORIGIN_TOLERANCE)
    limit_rules = [(fixed, FIXED), (unbounded, UNBOUNDED)]
    mixed = [(truth.slides != prediction.slides, "units differ")] if mode == "corrected" else []
    return TemplateErrors.build(
        mode,
        single,
        {
            "type": (different, []),
            "axis": (axis, [(fixed, FIXED)]),
            "origin": (origin_line, [(fixed, FIXED), (parallel, "the axes are parallel")]),
            "origin_line": (origin_line, [(fixed, FIXED)]),
            "limit_range": (norm(m1 - m2), [*limit_rules, *mixed]),
            "limit_direction": (
                direction_difference(m1, m2),
                [*limit_rules, ((norm(m1) == 0) | (norm(m2) == 0), "a range is zero")],
            ),
            "success": (close | both_fixed, []),
            "success_literal": ((close & ~parallel) | both_fixed, []),
            "ill_conditioned": (~fixed & ~truth.slides & (sine < ILL_CONDITIONED), []),
        },
    )


def direction_difference(m1: Floats, m2: Floats) -> Floats:
    """``1 - cos`` of the angle between vectors, without cancellation; meaningless where one is 0."""
    u1, u2 = (m / np.where(norm(m) > 0, norm(m), 1.0)[:, None] for m in (m1, m2))
    return dot(u1 - u2, u1 - u2) / 2
