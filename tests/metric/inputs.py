"""Random joints, bodies and norms for property tests, as arrays and as hypothesis strategies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from metric import Body, Joint, KineticNorm, RiemannianNorm, SplitNorm, screw

KINDS = ("revolute", "prismatic", "helical")
BATCHES = [(), (1,), (3, 1, 2)]


def bodies(rng: np.random.Generator, batch: tuple[int, ...] = ()) -> Body:
    return Body.from_points(rng.normal(size=(*batch, 5, 3)), rng.uniform(0.1, 2, (*batch, 5)))


def batch_of_joints(rng: np.random.Generator, batch: tuple[int, ...] = (), largest: float = 2.0) -> tuple[Any, Any]:
    """(screw, limits) of bounded joints of every kind."""
    kinds = rng.choice(KINDS, size=batch)
    axis = rng.normal(size=(*batch, 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    limits = np.sort(rng.uniform(-largest, largest, (*batch, 2)), axis=-1)
    return screw(kinds, axis, rng.normal(size=(*batch, 3)), rng.normal(size=batch)), limits


def norms(rng: np.random.Generator, batch: tuple[int, ...] = ()) -> list[Any]:
    """One norm of each class; the kinetic and the Riemannian one with this batch shape."""
    root = rng.normal(size=(*batch, 6, 6))
    gram = root @ np.swapaxes(root, -1, -2) + np.eye(6)
    return [SplitNorm(), SplitNorm(0.3), KineticNorm(bodies(rng, batch)), RiemannianNorm(gram)]


numbers = st.floats(-3, 3, allow_subnormal=False)
vectors = st.tuples(numbers, numbers, numbers)
directions = vectors.filter(lambda v: np.linalg.norm(v) > 1e-3).map(lambda v: tuple(np.array(v) / np.linalg.norm(v)))
seeds = st.integers(0, 2**32 - 1)


@st.composite
def joints(draw: Any, kinds: tuple[str, ...] = KINDS, largest: float = 2 * math.pi) -> Joint:
    kind = draw(st.sampled_from(kinds))
    lower, upper = sorted((draw(st.floats(-largest, largest)), draw(st.floats(-largest, largest))))
    pitch = draw(st.floats(-1, 1)) if kind == "helical" else 0.0
    return Joint(kind, draw(directions), draw(vectors), lower, upper, pitch)


@st.composite
def physical_bodies(draw: Any) -> Body:
    rng = np.random.default_rng(draw(seeds))
    points = rng.normal(size=(draw(st.integers(1, 6)), 3)) * draw(st.sampled_from([1e-3, 1.0, 10.0]))
    return Body.from_points(points, rng.uniform(0.1, 3, len(points)))
