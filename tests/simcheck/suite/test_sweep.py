"""The proof that nothing collides: against an independent check, against PyBullet, and with collisions planted."""

from __future__ import annotations

import math

import numpy as np
import pytest
import separating_axes as axes
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from metric import exp
from simcheck.suite.assembly import Placing, assemble
from simcheck.suite.builder import Builder, rotation
from simcheck.suite.combinations import combinations_free
from simcheck.suite.draw import Draw
from simcheck.suite.materials import STEEL
from simcheck.suite.sweep import CLEARANCE, sweep

KINDS = ("box", "cylinder", "sphere", "prism")


def add(part, kind, centre, size=0.1):
    """A solid about as large as a cube of this edge."""
    x, y, z = centre
    half = size / 2
    if kind == "box":
        part.box((x - half, x + half), (y - half, y + half), (z - half, z + half))
    elif kind == "cylinder":
        part.cylinder(half, (x, y, z - half), (x, y, z + half))
    elif kind == "sphere":
        part.sphere(half, centre)
    else:
        part.prism([(x - half, y - half), (x + half, y - half), (x, y + half)], "z", (z - half, z + half))


def assembled(build):
    placing = Placing(0.4, (0.1, 0.2), tuple((0.3, 0.2, 0.1) for _ in build.joints))
    return assemble(build, placing, {}, 1.0)


def swept(build):
    return sweep(assembled(build))


@pytest.mark.parametrize("resting", KINDS)
@pytest.mark.parametrize("moved", KINDS)
@pytest.mark.parametrize("joint", ["hinge", "slide", "spin", "screw"])
def test_a_planted_collision_is_found_and_a_clear_way_is_proved(joint, moved, resting):
    def built(height):
        """Two solids that meet half way, or pass at a distance."""
        build = Builder()
        base = build.root("base", STEEL)
        add(base, resting, (0.0, 0.4, height))
        part = {
            "hinge": lambda: base.hinge("arm", "z", (0, 0, 0), math.pi),
            "slide": lambda: base.slide("arm", (-1, 1, 0), 0.8),
            "spin": lambda: base.spin("arm", "z", (0, 0, 0)),
            "screw": lambda: base.screw("arm", "z", (0, 0, 0), 0.002, 2.2 * math.pi),
        }[joint]()
        add(part, moved, (0.4, 0.0, 0.0))
        return build

    hit = swept(built(0.0))
    assert not hit.free
    assert {hit.contacts[0].links[0], hit.contacts[0].links[1]} == {"arm", "base"}
    assert hit.contacts[0].gap < CLEARANCE
    assert swept(built(0.103)).free


def test_a_thin_rod_that_passes_a_thin_post_is_found():
    """9, 17 and 33 even positions miss it; the proof cannot."""
    build = Builder()
    base = build.root("base", STEEL)
    base.cylinder(
        0.0025, (0.3 * math.cos(0.61), 0.3 * math.sin(0.61), -0.1), (0.3 * math.cos(0.61), 0.3 * math.sin(0.61), 0.1)
    )
    arm = base.hinge("arm", "z", (0, 0, 0), math.pi / 2)
    arm.cylinder(0.0025, (0.05, 0, 0), (0.35, 0, 0))
    for positions in (9, 17, 33):
        at = np.linspace(0, math.pi / 2, positions)
        assert np.abs(0.3 * np.sin(at - 0.61)).min() > 0.005
    assert not swept(build).free


def test_parts_that_come_closer_than_the_clearance_are_reported():
    def gap(distance):
        build = Builder()
        base = build.root("base", STEEL)
        add(base, "box", (0.0, 0.0, 0.0))
        lid = base.slide("lid", "x", 0.5)
        add(lid, "box", (0.0, 0.0, 0.1 + distance))
        return swept(build)

    assert not gap(0.5 * CLEARANCE).free
    assert gap(2 * CLEARANCE).free


def test_what_is_nested_is_checked_against_everything_that_rests():
    """A drawer behind a closed door, driven alone, meets the door."""
    build = Builder()
    base = build.root("base", STEEL)
    base.box((-0.2, 0.2), (0.3, 0.31), (0, 0.3))
    door = base.hinge("door", "-z", (-0.2, -0.02, 0), 1.5)
    door.box((-0.19, 0.19), (-0.018, 0.0), (0, 0.3))
    drawer = base.slide("drawer", "-y", 0.2)
    drawer.box((-0.1, 0.1), (0.02, 0.25), (0.1, 0.2))
    found = swept(build)
    assert not found.free
    assert found.contacts[0].joint == "drawer_slide"


vectors = st.tuples(*[st.floats(-0.35, 0.35)] * 3)


@examples(max_examples=60)
@given(
    kinds=st.tuples(st.sampled_from(KINDS), st.sampled_from(KINDS)),
    joint=st.sampled_from(["hinge", "slide", "screw"]),
    places=st.tuples(vectors, vectors),
    angles=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    span=st.floats(0.2, 3.0),
)
def test_a_verdict_agrees_with_dense_sampling(kinds, joint, places, angles, span):
    """Free means that no sampled position overlaps; a wide margin all along means free."""
    build = Builder()
    base = build.root("base", STEEL)
    with build.frame(places[0], rotation("x", angles[0]) @ rotation("z", angles[1])):
        add(base, kinds[0], (0, 0, 0))
    axis, lead = (0.3, -0.2, 1.0), 0.05
    part = {
        "hinge": lambda: base.hinge("part", axis, (0.02, 0.01, 0), span),
        "slide": lambda: base.slide("part", axis, 0.2 * span),
        "screw": lambda: base.screw("part", axis, (0.02, 0.01, 0), lead, span),
    }[joint]()
    with build.frame(places[1], rotation("y", angles[1])):
        add(part, kinds[1], (0, 0, 0))
    assembly = assemble(build, Placing(0.3, (0.1, -0.2), ((0.1, 0.2, 0.3),)), {}, 1.0)
    verdict = sweep(assembly).free
    table, motion = assembly.solids, assembly.joints[0]
    at_rest = [_polyhedron(kinds[k]).placed(_pose(table, k)) for k in (0, 1)]
    wide = [_polyhedron(kinds[k], 1.12).placed(_pose(table, k)) for k in (0, 1)]
    placements = [np.asarray(exp(q * motion.screw)) for q in np.linspace(0, motion.upper, 120)]
    hits = any(axes.overlap(at_rest[0], at_rest[1].placed(p)) for p in placements)
    near = any(axes.overlap(wide[0], wide[1].placed(p)) for p in placements)
    assert not (verdict and hits)
    assert verdict or near


def _polyhedron(kind, scale=1.0):
    size = 0.1 * scale
    if kind == "prism":
        half = size / 2
        outline = np.array([(-half, -half), (half, -half), (0, half)])
        outline = outline - (outline.min(axis=0) + outline.max(axis=0)) / 2
        return axes.hull([(x, y, z) for x, y in outline for z in (-half, half)])
    return {
        "box": lambda: axes.box((size, size, size)),
        "cylinder": lambda: axes.cylinder(size / 2, size),
        "sphere": lambda: axes.sphere(size / 2),
    }[kind]()


def _pose(table, k):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = table.rotation[k], table.centre[k]
    return pose


def _together(build):
    assert swept(build).free
    return combinations_free(assembled(build), Draw(0, (1, 2, 3)))


@pytest.mark.parametrize(("reach", "free"), [(0.3, True), (0.9, False)])
def test_joints_that_meet_only_together_are_told(reach, free):
    """Two slides towards one another: each stops before the other one's rest."""
    build = Builder()
    base = build.root("base", STEEL)
    base.box((-1, 1), (-1, 1), (-0.2, -0.1))
    base.slide("left", "x", reach).box((-1, -0.5), (-1, 1), (0, 0.1))
    base.slide("right", "-x", reach).box((0.5, 1), (-1, 1), (0, 0.1))
    assert _together(build) is free


@pytest.mark.parametrize(("wall", "free"), [(2.4, True), (1.4, False)])
def test_all_joints_at_once_carry_what_hangs_on_them(wall, free):
    """A carriage on a carriage reaches twice as far as either; its fixed handle touches it, as it may."""
    build = Builder()
    base = build.root("base", STEEL)
    base.box((wall, wall + 2), (-1, 1), (0, 1))
    outer = base.slide("outer", "x", 1.0)
    outer.box((0, 0.1), (-1, 1), (0, 0.2))
    inner = outer.slide("inner", "x", 1.0)
    inner.box((0, 0.1), (-1, 1), (0.3, 0.5))
    inner.mount("handle").box((0, 0.05), (-0.1, 0.1), (0.45, 0.6))
    assert _together(build) is free


@pytest.mark.parametrize("follows", [True, False])
def test_followers_go_with_their_leaders(follows):
    """A slide that flees before another one, or stands in its way."""
    build = Builder()
    base = build.root("base", STEEL)
    base.box((-1, 1), (-1, 1), (-0.2, -0.1))
    base.slide("leader", "x", 0.9).box((-1, -0.5), (-1, 1), (0, 0.1))
    follower = base.slide("follower", "x", 0.9)
    follower.box((-0.4, 0.1), (-1, 1), (0, 0.1))
    if follows:
        follower.joint.mimic = ("leader_slide", 1.0)
    assert combinations_free(assembled(build), Draw(0, (1, 2, 3))) is follows


def test_the_independent_check_can_fail():
    a, b = axes.box((1, 1, 1)), axes.cylinder(0.3, 1.0)
    shift = np.eye(4)
    shift[0, 3] = 0.79
    assert axes.overlap(a, b.placed(shift))
    shift[0, 3] = 0.81
    assert not axes.overlap(a, b.placed(shift))
    edge_on = np.eye(4)
    edge_on[:3, :3], edge_on[:3, 3] = rotation("z", math.pi / 4) @ rotation("x", math.pi / 4), (0.9, 0.9, 0.0)
    assert not axes.overlap(a, a.placed(edge_on))
    edge_on[:3, 3] = (0.8, 0.8, 0.0)
    assert axes.overlap(a, a.placed(edge_on))
