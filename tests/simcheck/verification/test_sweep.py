"""Parts that pass through each other: depths against an independent measure, and scenes with known answers."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from planter_geometry import Solid, depth
from scipy.spatial.transform import Rotation
from small_files import boxed, inertial, link, one
from urdf_and_command import joint, robot

import simcheck
from simcheck.engine.contact import Solids
from simcheck.verification.pieces import pieces_of
from simcheck.verification.sweep import _coordinates, _overlap, sweep_findings

seeds = st.integers(0, 2**32 - 1)


def swept(engine, tmp_path, text):
    path = tmp_path / "scene.urdf"
    path.write_text(text)
    return {(f.code, f.element): f for f in sweep_findings(simcheck.load(path), engine)}


def slide(xyz: str, lower: float, upper: float, axis: str = "1 0 0") -> str:
    return joint("j", "prismatic", "a", "b", xyz=xyz, axis=axis, limit=f'lower="{lower}" upper="{upper}"')


def random_pose(rng, spread):
    pose = np.eye(4)
    pose[:3, :3] = Rotation.random(random_state=int(rng.integers(2**31))).as_matrix()
    pose[:3, 3] = rng.uniform(-spread, spread, 3)
    return pose


@given(seeds)
def test_the_overlap_of_boxes_is_their_depth(seed):
    """Separating axes: exact for boxes, checked by the planter's search over directions."""
    rng = np.random.default_rng(seed)
    a, b = (Solid("", "box", rng.uniform(0.05, 0.6, 3), random_pose(rng, 0.3)) for _ in range(2))
    ours = _overlap(a.pose[None], a.sizes[None] / 2, b.pose[None], b.sizes[None] / 2)[0]
    theirs = depth(a, a.pose, b, b.pose)
    assert ours == pytest.approx(theirs, abs=1e-12) or (ours < 0 and theirs < 0)


@given(seeds)
def test_pybullet_measures_depths_of_all_shapes(engine, seed):
    """Never more than the planter's upper bound, and little less; a gap where the planter proves one."""
    rng = np.random.default_rng(seed)
    solids = Solids(engine, 1.0)
    shapes, made = [], []
    for _ in range(2):
        kind = str(rng.choice(["box", "sphere", "cylinder", "capsule", "mesh"]))
        sizes = rng.uniform(0.1, 0.4, 3)
        if kind == "box":
            shapes.append(Solid("", "box", sizes, random_pose(rng, 0.3)))
            made.append(solids.box(sizes))
        elif kind == "mesh":
            corners = np.asarray(trimesh.creation.icosphere(1).vertices) * sizes
            shapes.append(Solid("", "mesh", sizes, random_pose(rng, 0.3), corners))
            made.append(solids.hull(corners))
        else:
            sizes = sizes[:1] if kind == "sphere" else sizes[:2]
            shapes.append(Solid("", kind, sizes, random_pose(rng, 0.3)))
            made.append(getattr(solids, kind)(*sizes))
    a, b = shapes
    bound = depth(a, a.pose, b, b.pose)
    found = -solids.gap(made[0], a.pose, made[1], b.pose, 1.0)
    assert found <= bound + 2e-5  # a margin is a thousandth of a unit, a hundredth of a millimetre here
    if bound > 1e-3:
        assert found > 0.98 * bound - 1e-4  # the planter's search ends close to the least, not at it


def test_a_drawer_that_goes_through_the_back(engine, tmp_path):
    """Boxes of 0.1 m, 0.11 m apart, pushed 0.1 m towards each other: 0.09 m deep at the end."""
    found = swept(engine, tmp_path, one(slide("0.11 0 0", -0.1, 0.2)))
    assert set(found) == {("PARTS_COLLIDE", "joint 'j'")}
    finding = found["PARTS_COLLIDE", "joint 'j'"]
    assert float(finding.value) == pytest.approx(0.09, abs=1e-6)
    assert "at -0.1 m its part 'b' stands 90 mm deep in link 'a'" in finding.message


@pytest.mark.parametrize(("gap", "expected"), [(0.0, False), (-0.0008, False), (-0.0012, True)])
@pytest.mark.parametrize("shape", ["box", "mesh", "cylinder", "sphere"])
def test_touching_is_not_colliding(engine, tmp_path, shape, gap, expected):
    """Within 1 mm parts only touch, whatever margin PyBullet puts around their shape."""
    (tmp_path / "box.obj").write_text(trimesh.creation.box((0.1, 0.2, 0.3)).export(file_type="obj"))
    solid = {
        "box": '<box size="0.1 0.2 0.3"/>',
        "mesh": '<mesh filename="box.obj"/>',
        "cylinder": '<cylinder radius="0.05" length="0.3"/>',
        "sphere": '<sphere radius="0.05"/>',
    }[shape]
    b = link("b", inertial(), f"<collision><geometry>{solid}</geometry></collision>")
    found = swept(engine, tmp_path, one(slide(f"{0.1 + gap} 0 0", 0, 0.1), b=b))
    assert (("PARTS_OVERLAP", "joint 'j'") in found) == expected
    assert ("PARTS_COLLIDE", "joint 'j'") not in found


def test_overlap_at_rest_and_deeper_over_the_range_are_two_findings(engine, tmp_path):
    found = swept(engine, tmp_path, one(slide("0.09 0 0", -0.02, 0.0)))
    assert float(found["PARTS_OVERLAP", "joint 'j'"].value) == pytest.approx(0.01, abs=1e-6)
    assert float(found["PARTS_COLLIDE", "joint 'j'"].value) == pytest.approx(0.03, abs=1e-6)
    # What is no deeper than at rest is not said again.
    away = swept(engine, tmp_path, one(slide("0.09 0 0", 0.0, 0.3)))
    assert set(away) == {("PARTS_OVERLAP", "joint 'j'")}


def test_a_thin_rod_does_not_slip_between_the_positions(engine, tmp_path):
    """A 5 mm rod swings past a 5 mm post at 0.3 m: a sweep of 33 positions would miss it."""
    post = boxed(at="0 0.3 0", size="0.005 0.005 0.3")
    foot = boxed(at="0 0 -0.2", size="0.4 0.4 0.01")
    rod = boxed(at="0.15 0 0", size="0.3 0.005 0.005")
    turn = joint("j", "revolute", "a", "b", axis="0 0 1", limit='lower="0" upper="3.1"')
    text = one(turn, a=link("a", inertial(), post, foot), b=link("b", inertial(), rod))
    collides = ("PARTS_COLLIDE", "joint 'j'")
    assert collides in swept(engine, tmp_path, text)
    short = text.replace("0.3 0.005 0.005", "0.29 0.005 0.005").replace('xyz="0.15 0 0"', 'xyz="0.145 0 0"')
    assert collides not in swept(engine, tmp_path, short)


def test_a_slide_of_many_metres_is_swept_to_its_end(engine, tmp_path):
    """A slide from -8 m to 8 m meets a wall at 3 m: 2 pi is a whole turn of a hinge, not of a slide."""
    wall = link("a", inertial(), boxed(size="0.1 0.1 0.1"), boxed(at="3 0 0", size="0.5 1 1"))
    carriage = link("b", inertial(), boxed(size="0.2 0.2 0.2"))
    found = swept(engine, tmp_path, one(slide("0.5 0 0", -8, 8), a=wall, b=carriage))
    assert float(found["PARTS_COLLIDE", "joint 'j'"].value) == pytest.approx(0.25 + 0.1, abs=1e-6)


def test_positions_contain_those_of_a_coarser_sweep(engine, tmp_path):
    path = tmp_path / "scene.urdf"
    path.write_text(one(joint("j", "revolute", "a", "b", xyz="0.11 0 0", axis="1 0 0", limit='lower="-1" upper="2"')))
    obj = simcheck.load(path)
    pieces = pieces_of(obj, Solids(engine, obj.size))
    found = _coordinates(obj, obj.movable_joints[0], pieces, np.array([1]))
    assert len(found) - 1 in (33, 65, 129, 257)
    assert all(np.isclose(found, q, atol=1e-15).any() for q in [0.0, *np.linspace(-1, 2, 33)])


def test_a_part_in_the_air(engine, tmp_path):
    """Farther than 20 mm and 5 % of the size (21.3 mm here) from everything else."""
    for gap, expected in ((0.019, False), (0.021, False), (0.022, True), (0.2, True)):
        found = swept(engine, tmp_path, one(slide(f"{0.1 + gap} 0 0", 0, 0.05)))
        assert (("PART_DETACHED", "joint 'j'") in found) == expected, gap


def test_a_hollow_mesh_is_not_taken_for_a_full_one(engine, tmp_path):
    """A plug stands in a ring: the filled hull of the ring would collide with it; convex collision shapes decide."""
    ring = trimesh.creation.annulus(0.05, 0.07, 0.1)
    (tmp_path / "ring.obj").write_text(ring.export(file_type="obj"))
    plug = link("b", inertial(), '<collision><geometry><cylinder radius="0.04" length="0.1"/></geometry></collision>')
    mesh = '<{0}><geometry><mesh filename="ring.obj"/></geometry></{0}>'
    text = one(slide("0 0 0", 0, 0.3, "0 0 1"), a=link("a", inertial(), mesh.format("collision")), b=plug)
    assert set(swept(engine, tmp_path, text)) == {("SWEEP_UNDECIDED", "robot")}
    lid = boxed(at="0 0 0.2", size="0.1 0.1 0.01")
    text = one(slide("0 0 0", 0, 0.3, "0 0 1"), a=link("a", inertial(), mesh.format("visual"), lid), b=plug)
    found = swept(engine, tmp_path, text)
    assert ("PARTS_COLLIDE", "joint 'j'") in found
    assert ("SWEEP_UNDECIDED", "robot") not in found


def test_a_double_sided_board_is_convex(engine, tmp_path):
    """As most meshes of the big data sets are: every triangle twice, and open."""
    board = trimesh.creation.box((0.1, 0.2, 0.3))
    twice = trimesh.Trimesh(board.vertices, np.concatenate([board.faces, board.faces[:, ::-1]]), process=False)
    (tmp_path / "board.obj").write_text(twice.export(file_type="obj"))
    b = link("b", inertial(), '<visual><geometry><mesh filename="board.obj"/></geometry></visual>')
    found = swept(engine, tmp_path, one(slide("0.11 0 0", -0.1, 0.2), b=b))
    assert float(found["PARTS_COLLIDE", "joint 'j'"].value) == pytest.approx(0.09, abs=1e-5)


def test_objects_of_more_joints_than_pybullet_holds(engine, tmp_path):
    """The sweep loads no model: 130 keys, of which one goes through the board."""
    count = 130
    key = link("key{0}", inertial(0.01), boxed(size="0.008 0.008 0.008"))
    board = link("a", inertial(), boxed(at="0.65 0 -0.02", size="1.3 0.02 0.01"))
    links = board + "".join(key.replace("{0}", str(k)) for k in range(count))
    joints = [
        joint(f"j{k}", "prismatic", "a", f"key{k}", xyz=f"{0.01 * k:g} 0 0", axis="0 0 -1",
              limit=f'lower="0" upper="{0.02 if k == 125 else 0.005}"')
        for k in range(count)
    ]  # fmt: skip
    assert set(swept(engine, tmp_path, robot(*joints, links=links))) == {("PARTS_COLLIDE", "joint 'j125'")}
