"""Draws, meshes, solids, masses, frames: what objects are made of."""

from __future__ import annotations

import math

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from simcheck.suite.assembly import Placing, assemble
from simcheck.suite.builder import BOX, CYLINDER, MESH, SPHERE, Builder, rotation, towards
from simcheck.suite.draw import Draw
from simcheck.suite.materials import STEEL
from simcheck.suite.meshes import mesh_moments, prism, revolved
from simcheck.suite.separation import Shapes


def assembled(build, rest=None, density=1.0):
    placing = Placing(0.0, (0.0, 0.0), tuple((0.0, 0.0, 0.0) for _ in build.joints))
    return assemble(build, placing, rest or {}, density)


def test_the_raw_bits_do_not_change():
    """PCG64's raw output is promised by NumPy; a change here would change every object."""
    draw = Draw(0, (8, 3, 0))
    assert [draw.length("a", 0, 1), draw.integer("b", 0, 10**6), draw.pick("c", "xyz")] == [0.313, 739751, "y"]


def test_draws_are_rounded_and_recorded():
    draw = Draw(1, (1, 2, 3))
    length, angle = draw.length("length", 0.1, 0.2), draw.angle("angle", 10, 20)
    assert length == round(length, 4)
    assert angle == round(angle, 6)
    assert math.radians(10) <= angle <= math.radians(20)
    again = draw.length("length", 0.1, 0.2)
    assert draw.parameters == {"length": [length, again], "angle": angle}


def test_streams_differ_by_category_number_and_attempt():
    keys = [(1, 2, 0), (1, 2, 1), (1, 3, 0), (2, 2, 0)]
    assert len({Draw(5, key).unit() for key in keys}) == len(keys)
    assert Draw(5, (1, 2, 0)).unit() == Draw(5, (1, 2, 0)).unit()
    assert Draw(5, (1, 2, 0)).unit() != Draw(6, (1, 2, 0)).unit()


def test_counts_have_their_median_and_a_long_tail():
    draw = Draw(0, (0,))
    counts = np.array([draw.count("n", 2, 6, 60) for _ in range(4000)])
    assert counts.min() >= 2
    assert counts.max() <= 60
    assert abs(np.median(counts) - 6) <= 1
    assert 0.04 < np.mean(counts > 12) < 0.09  # a tenth of the draws is log-uniform on [6, 60]


@given(sides=st.integers(3, 8), radius=st.floats(0.01, 0.5), length=st.floats(0.01, 0.5), turn=st.floats(0, 6))
def test_prisms_are_closed_and_their_moments_right(sides, radius, length, turn):
    angles = [turn + 2 * math.pi * k / sides for k in range(sides)]
    _check_mesh(prism([(radius * math.cos(a), radius * math.sin(a)) for a in angles], length))


@given(
    st.lists(st.tuples(st.floats(0.005, 0.05), st.floats(0.0, 0.05), st.floats(0.01, 0.05)), min_size=2, max_size=5),
    st.integers(8, 24),
)
def test_bodies_of_revolution_are_closed_and_their_moments_right(steps, sections):
    height, levels = 0.0, []
    for rise, inner, wall in steps:
        levels.append((round(height, 4), round(inner, 4), round(inner + wall, 4)))
        height += rise
    _check_mesh(revolved(levels, sections))


def _check_mesh(data):
    mesh = trimesh.Trimesh(data.points, np.array(data.faces), process=False)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    volume, centroid, second = mesh_moments(data)
    assert volume > 0
    assert_allclose(volume, mesh.volume, rtol=1e-9)
    assert_allclose(centroid, mesh.center_mass, atol=1e-9)
    inertia = volume * (np.trace(second) * np.eye(3) - second)
    assert_allclose(inertia, mesh.moment_inertia, rtol=1e-6, atol=1e-9 * np.abs(mesh.moment_inertia).max())


def test_a_prism_must_be_convex():
    with pytest.raises(ValueError, match="not strictly convex"):
        prism([(0, 0), (1, 0), (0.2, 0.2), (0, 1)], 1.0)


def test_a_bored_body_collides_with_what_is_seen_and_leaves_the_bore_free():
    """The staves contain every vertex of the mesh; none of them reaches into the bore or beyond the outer radius."""
    for levels in ([(0, 0.03, 0.04), (0.1, 0.03, 0.04)], [(0, 0.02, 0.03), (0.05, 0.05, 0.06)]):
        build = Builder()
        build.root("ring", STEEL).turned(levels, sections=18)
        table = assembled(build).solids
        shapes = Shapes.colliding(table)
        inner, outer = min(r for _, r, _ in levels), max(r for _, _, r in levels)
        for k in range(len(shapes.kind)):
            corners = _corners(shapes, k)
            assert np.hypot(corners[:, 0], corners[:, 1]).max() <= outer * 1.02 + 1e-9
            between = corners.mean(axis=0)
            towards_axis = between[:2] / np.linalg.norm(between[:2])
            assert (corners[:, :2] @ towards_axis).min() >= inner - 1e-6
        seen = next(s for s in table.sources if s.visual)
        assert all(any(_inside(shapes, k, v) for k in range(len(shapes.kind))) for v in seen.mesh.points)


def _corners(shapes, k):
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
    local = shapes.vertices[k] if shapes.kind[k] == MESH else signs * shapes.half[k]
    return local @ shapes.rotation[k].T + shapes.centre[k]


def _inside(shapes, k, point):
    """Inside a convex solid, to 1e-6 m: no direction of its own separates the point."""
    local = (point - shapes.centre[k]) @ shapes.rotation[k]
    if shapes.kind[k] == BOX:
        return bool((np.abs(local) <= shapes.half[k] + 1e-6).all())
    hull = trimesh.convex.convex_hull(shapes.vertices[k])
    planes = hull.face_normals, np.einsum("ij,ij->i", hull.face_normals, hull.triangles[:, 0])
    return bool((planes[0] @ local <= planes[1] + 1e-6).all())


def test_masses_are_those_of_the_solids():
    """A box, a cylinder, a ball, a cone frustum: against trimesh's bodies of the same sizes."""
    build = Builder()
    part = build.root("part", STEEL.at(1000))
    part.box((0, 0.2), (-0.1, 0.1), (0, 0.05))
    part.cylinder(0.03, (0.3, 0.1, 0), (0.4, 0.2, 0.1))
    part.sphere(0.04, (-0.2, 0, 0.1))
    found = assembled(build, density=1.1)
    pieces = [
        trimesh.creation.box((0.2, 0.2, 0.05), transform=_at((0.1, 0, 0.025))),
        trimesh.creation.cylinder(0.03, segment=[(0.3, 0.1, 0), (0.4, 0.2, 0.1)], sections=400),
        trimesh.creation.icosphere(5, 0.04).apply_translation((-0.2, 0, 0.1)),
    ]
    whole = trimesh.util.concatenate(pieces)
    whole.density = 1100
    assert_allclose(found.masses[0], whole.mass, rtol=1e-3)
    assert_allclose(found.coms[0], whole.center_mass, atol=1e-4)
    assert_allclose(found.inertias[0], whole.moment_inertia, rtol=2e-3, atol=1e-5)


def _at(place):
    matrix = np.eye(4)
    matrix[:3, 3] = place
    return matrix


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 1e-3))
def test_towards_takes_z_to_a_direction(direction):
    turn = towards(direction)
    matrix = np.eye(3) if turn is None else turn
    assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
    assert_allclose(np.linalg.det(matrix), 1, atol=1e-12)
    assert_allclose(matrix[:, 2], np.array(direction) / np.linalg.norm(direction), atol=1e-9)


def test_an_open_rest_pose_is_the_same_object_opened():
    """Opening by q moves everything downstream by exp(q xi) and shifts the limits by -q, chains included."""
    build = Builder()
    base = build.root("base", STEEL)
    base.box((0, 0.1), (0, 0.1), (0, 0.1))
    arm = base.hinge("arm", "z", (0.2, 0, 0), 1.0, -0.5)
    arm.box((0.2, 0.4), (0, 0.05), (0, 0.05))
    tip = arm.slide("tip", "x", 0.3)
    tip.sphere(0.02, (0.5, 0.0, 0.0))
    closed, opened = assembled(build), assembled(build, {"arm_hinge": 0.4, "tip_slide": 0.1})
    hinge, slide = opened.joints
    assert (hinge.lower, hinge.upper, slide.lower, slide.upper) == (-0.9, 0.6, -0.1, 0.2)
    assert opened.rest == {"arm_hinge": 0.4, "tip_slide": 0.1}
    turn = rotation("z", 0.4)
    pivot = np.array([0.2, 0, 0])
    assert_allclose(slide.axis, turn @ (1, 0, 0), atol=1e-15)
    ball = int(np.flatnonzero(closed.solids.kind == SPHERE)[0])
    expected = pivot + turn @ (closed.solids.centre[ball] - pivot + (0.1, 0, 0))
    assert_allclose(opened.solids.centre[ball], expected, atol=1e-12)


def test_frames_place_and_turn_what_is_inside():
    build = Builder()
    part = build.root("part", STEEL)
    with build.frame((1, 0, 0), rotation("z", math.pi / 2)), build.frame((0.5, 0, 0)):
        part.cylinder(0.01, (0, 0, 0), (0.2, 0, 0))
        joint = part.spin("wheel", "x", (0.1, 0, 0)).joint
    solid = part.solids[0]
    assert solid.kind == CYLINDER
    assert_allclose(solid.centre, (1, 0.6, 0), atol=1e-12)
    assert_allclose(solid.rotation[:, 2], (0, 1, 0), atol=1e-12)
    assert_allclose(joint.axis, (0, 1, 0), atol=1e-12)
    assert_allclose(joint.origin, (1, 0.6, 0), atol=1e-12)


def test_faults_of_a_construction_are_named():
    build = Builder()
    base = build.root("base", STEEL)
    with pytest.raises(ValueError, match="without thickness"):
        base.box((0, 0.1), (0, 0), (0, 0.1))
    with pytest.raises(ValueError, match="limits"):
        base.hinge("door", "z", (0, 0, 0), 0.0)
    base.slide("drawer", "x", 0.1)
    with pytest.raises(ValueError, match="two parts are called"):
        base.slide("drawer", "x", 0.1)
