"""Moved bodies: every source of mass, and meshes as real data sets have them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from urdf_and_command import joint, robot

import simcheck
from metric import Body
from simcheck.asset.mesh_moments import mesh_moments
from simcheck.asset.shapes import Shape, body_from_moments, primitive_moments


def obj_text(vertices, faces) -> str:
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    return "\n".join(lines) + "\n"


@pytest.fixture
def object_with(tmp_path, write):
    """An object whose moved link has these meshes and primitives as visual shapes, and nothing else."""

    def build(*shapes: str, meshes: dict[str, trimesh.Trimesh] | None = None, role: str = "visual", **options):
        for name, mesh in (meshes or {}).items():
            (tmp_path / name).write_text(obj_text(mesh.vertices, mesh.faces))
        text = "".join(f"<{role}>{shape}</{role}>" for shape in shapes)
        links = f'<link name="a"/><link name="b">{text}</link>'
        return simcheck.load(write(robot(joint("j", "revolute", "a", "b"), links=links)), **options)

    return build


def mesh_shape(name: str, scale: str = "1 1 1", origin: str = "") -> str:
    return f'{origin}<geometry><mesh filename="{name}" scale="{scale}"/></geometry>'


BOX = trimesh.creation.box((0.4, 0.2, 0.1))
BOX_MASS = 0.4 * 0.2 * 0.1 * 1000


def box_inertia(mass, x, y, z):
    return mass / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])


def double_sided(mesh: trimesh.Trimesh) -> trimesh.Trimesh:
    faces = np.concatenate([mesh.faces, mesh.faces[:, ::-1]])
    return trimesh.Trimesh(mesh.vertices, faces, process=False)


def open_side(mesh: trimesh.Trimesh, count: int = 2) -> trimesh.Trimesh:
    top = np.argsort(-mesh.triangles_center[:, 2])[:count]
    return trimesh.Trimesh(mesh.vertices, np.delete(mesh.faces, top, axis=0), process=False)


@pytest.mark.parametrize(
    ("mesh", "words"),
    [
        (BOX, None),
        (double_sided(BOX), "double-sided"),
        (trimesh.Trimesh(BOX.vertices, BOX.faces[:, ::-1], process=False), "inward normals, negative volume"),
        (open_side(BOX), "not watertight: holes filled"),
        (double_sided(open_side(BOX)), "double-sided"),
    ],
    ids=["closed", "double-sided", "inside out", "open", "double-sided and open"],
)
def test_meshes_of_one_box(object_with, mesh, words):
    obj = object_with(mesh_shape("box.obj"), meshes={"box.obj": mesh})
    moved = obj.moved_body("j")
    assert moved.source == "visual"
    assert moved.volume == pytest.approx(0.008)
    assert moved.body.mass == pytest.approx(BOX_MASS)
    np.testing.assert_allclose(moved.body.com, 0, atol=1e-12)
    np.testing.assert_allclose(moved.body.inertia, box_inertia(BOX_MASS, 0.4, 0.2, 0.1), rtol=1e-9, atol=1e-12)
    texts = " ".join(w.message for w in moved.warnings)
    assert (words or "no <inertial>") in texts


def test_open_mesh_that_does_not_fill_becomes_its_hull():
    sphere = trimesh.creation.icosphere(2, 0.1)
    half = trimesh.Trimesh(sphere.vertices, sphere.faces[sphere.triangles_center[:, 2] > 0], process=False)
    ragged = trimesh.Trimesh(half.vertices, half.faces[1:], process=False)  # two holes of different kinds
    moments = mesh_moments(ragged)
    assert any("hull" in step or "holes filled" in step for step in moments.steps)
    assert moments.volume == pytest.approx(2 / 3 * math.pi * 0.1**3, rel=0.1)


def test_flat_mesh_is_a_sheet():
    square = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    for mesh in (square, double_sided(square)):
        moments = mesh_moments(mesh)
        np.testing.assert_allclose(moments.centroid, [0.5, 1, 0], atol=1e-12)
        np.testing.assert_allclose(moments.second / moments.volume, np.diag([1 / 12, 4 / 12, 0]), atol=1e-12)
        assert any("thin sheet" in step for step in moments.steps)


def test_no_material_at_all():
    line = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]], process=False)
    assert mesh_moments(line) is None


def test_mixed_windings_do_not_cancel(object_with):
    inverted = trimesh.Trimesh(BOX.vertices, BOX.faces[:, ::-1], process=False)
    obj = object_with(
        mesh_shape("good.obj"),
        mesh_shape("bad.obj", origin='<origin xyz="1 0 0"/>'),
        meshes={"good.obj": BOX, "bad.obj": inverted},
    )
    moved = obj.moved_body("j")
    assert moved.body.mass == pytest.approx(2 * BOX_MASS)
    np.testing.assert_allclose(moved.body.com, [0.5, 0, 0], atol=1e-12)


@pytest.mark.parametrize("scale", ["-1 1 1", "2 3 0.5", "0.001 0.001 0.001"])
def test_scaled_and_mirrored_meshes(object_with, scale):
    moved = object_with(mesh_shape("box.obj", scale), meshes={"box.obj": BOX}).moved_body("j")
    x, y, z = np.abs(np.array(scale.split(), dtype=float)) * (0.4, 0.2, 0.1)
    mass = 1000 * x * y * z
    assert moved.body.mass == pytest.approx(mass)
    np.testing.assert_allclose(moved.body.inertia, box_inertia(mass, x, y, z), rtol=1e-9, atol=1e-18)


@given(st.integers(0, 2**32 - 1))
def test_volume_integrals_agree_with_trimesh(seed):
    random = np.random.default_rng(seed)
    hull = trimesh.convex.convex_hull(random.normal(size=(20, 3)) + random.normal(size=3) * 5)
    moments = mesh_moments(trimesh.Trimesh(hull.vertices, hull.faces, process=False))
    assert moments.volume == pytest.approx(hull.volume, rel=1e-9)
    np.testing.assert_allclose(moments.centroid, hull.center_mass, rtol=1e-9)
    inertia = np.trace(moments.second) * np.eye(3) - moments.second
    np.testing.assert_allclose(inertia, hull.moment_inertia, rtol=1e-7, atol=1e-9)


PRIMITIVES = {
    "box": (0.4, 0.2, 0.1),
    "sphere": (0.3,),
    "cylinder": (0.1, 0.5),
    "capsule": (0.1, 0.5),
}


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_primitives_against_sampled_volume(kind):
    """Moments of the primitives against a fine grid of points inside them."""
    shape = Shape(kind, PRIMITIVES[kind], np.eye(4))
    volume, second = primitive_moments(shape)
    axis = np.linspace(-0.5, 0.5, 161)[:-1] + 0.5 / 160
    points = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    radial, z = np.hypot(points[:, 0], points[:, 1]), np.abs(points[:, 2])
    inside = {
        "box": (np.abs(points) < np.array([0.2, 0.1, 0.05])).all(axis=1),
        "sphere": radial**2 + z**2 < 0.09,
        "cylinder": (radial < 0.1) & (z < 0.25),
        "capsule": (radial < 0.1) & (z < 0.25) | (radial**2 + (z - 0.25) ** 2 < 0.01),
    }[kind]
    assert volume == pytest.approx(inside.sum() / 160**3, rel=0.02)
    np.testing.assert_allclose(second, (points[inside] ** 2).mean(axis=0), rtol=0.02)


def test_body_from_moments_in_a_turned_frame():
    pose = np.eye(4)
    pose[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    body = body_from_moments(2.0, np.array([0.4**2, 0.2**2, 0.1**2]) / 12, pose)
    np.testing.assert_allclose(body.inertia, box_inertia(2.0, 0.2, 0.4, 0.1), atol=1e-15)


# --- policies ------------------------------------------------------------------------------------------------

INERTIAL = '<inertial><mass value="{}"/><inertia ixx="{}" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
SOLID = "<{0}><geometry><box size='{1} 1 1'/></geometry></{0}>"


def one_link(write, content: str, **options):
    links = f'<link name="a"/><link name="b">{content}</link>'
    return simcheck.load(write(robot(joint("j", "revolute", "a", "b"), links=links)), **options).moved_body("j")


def test_inertia_policies(write):
    content = INERTIAL.format(3, 1) + SOLID.format("visual", 1) + SOLID.format("collision", 2)
    assert one_link(write, content).source == "inertial"
    assert one_link(write, content, inertia="urdf").body.mass == 3
    mesh = one_link(write, content, inertia="mesh", density=10)
    assert (mesh.source, mesh.body.mass) == ("visual", 10)
    only = one_link(write, SOLID.format("collision", 2))
    assert (only.source, only.body.mass) == ("collision", 2000)
    none = one_link(write, SOLID.format("visual", 1), inertia="urdf")
    assert none.body is None
    assert "link 'b' has no <inertial>" in none.reason


@pytest.mark.parametrize(
    ("inertial", "words"),
    [
        (INERTIAL.format(0, 1), "mass 0"),
        (INERTIAL.format(-2, 1), "mass -2"),
        (INERTIAL.format(1, -1), "not positive semidefinite"),
        ('<inertial><mass value="1"/></inertial>', "no inertia"),
        ("<inertial/>", "no mass"),
    ],
)
def test_unusable_inertials_fall_back_to_geometry(write, inertial, words):
    moved = one_link(write, inertial + SOLID.format("visual", 1))
    assert (moved.source, moved.body.mass) == ("visual", 1000)
    assert any(words in w.message for w in moved.warnings)
    nothing = one_link(write, inertial)
    assert nothing.body is None
    assert words in nothing.reason
    assert "link 'b'" in nothing.reason


def test_welded_fixed_and_mixed(write):
    links = (
        f'<link name="a"/><link name="b">{INERTIAL.format(1, 1)}</link>'
        f'<link name="c">{SOLID.format("visual", 1)}</link><link name="d">{INERTIAL.format(5, 1)}</link>'
    )
    joints = (
        joint("j", "revolute", "a", "b"),
        joint("w", "fixed", "b", "c", xyz="0 0 1"),
        joint("k", "revolute", "c", "d"),
    )
    path = write(robot(*joints, links=links))
    cluster = simcheck.load(path).moved_body("j")
    assert (cluster.source, cluster.body.mass, cluster.links) == ("mixed", 1001, ("b", "c"))
    subtree = simcheck.load(path, body="subtree").moved_body("j")
    assert (subtree.body.mass, set(subtree.links)) == (1006, {"b", "c", "d"})


def test_massless_helper_carries_what_hangs_on_it(write):
    solid = f'<link name="b">{INERTIAL.format(2, 1)}</link><link name="c">{INERTIAL.format(3, 1)}</link>'
    links = f'<link name="a"/><link name="h"/>{solid}'
    joints = (
        joint("j", "revolute", "a", "h"),
        joint("k", "revolute", "h", "b", xyz="1 0 0"),
        joint("l", "prismatic", "h", "c", xyz="-1 0 0"),
    )
    moved = simcheck.load(write(robot(*joints, links=links))).moved_body("j")
    assert (moved.source, moved.body.mass) == ("carried", 5)
    np.testing.assert_allclose(moved.body.com, [(2 - 3) / 5, 0, 0], atol=1e-15)


def test_unphysical_tensor_is_told(write):
    moved = one_link(write, INERTIAL.format(1, 5))  # 1 + 1 < 5
    assert moved.source == "inertial"
    assert sum("triangle inequality" in w.message for w in moved.warnings) == 2  # the link's, and the body's
    assert isinstance(moved.body, Body)
    assert not moved.body.is_physical


def test_size_and_box(object_with):
    obj = object_with(
        '<origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><geometry><cylinder radius="0.1" length="2"/></geometry>'
    )
    np.testing.assert_allclose(obj.box, [[0, -0.1, -0.1], [2, 0.1, 0.1]], atol=1e-12)
    assert obj.size == pytest.approx(math.sqrt(4 + 0.04 + 0.04))


# --- mesh files ----------------------------------------------------------------------------------------------


def refused_mesh(object_with, filename: str, **options) -> str:
    moved = object_with(f'<geometry><mesh filename="{filename}"/></geometry>', **options).moved_body("j")
    assert moved.body is None
    return moved.reason


@pytest.mark.parametrize(
    ("filename", "words"),
    [
        ("missing.obj", "not found"),
        ("http://example.org/a.obj", "network addresses are not read"),
        ("https://example.org/a.obj", "network addresses are not read"),
        ("ftp://example.org/a.obj", "network addresses are not read"),
        ("file://example.org/share/a.obj", "network addresses are not read"),
        ("package://nowhere/a.obj", "not found"),
        ("/etc/passwd", "outside the folders"),
        ("file:///etc/passwd", "outside the folders"),
        ("../../../../../../../../etc/passwd", "outside the folders"),
    ],
)
def test_meshes_that_are_not_read(object_with, filename, words):
    reason = refused_mesh(object_with, filename)
    assert words in reason
    assert "link 'b'" in reason


def test_symbolic_links_do_not_lead_outside(object_with, tmp_path):
    (tmp_path / "link.obj").symlink_to("/etc/passwd")
    assert "outside the folders" in refused_mesh(object_with, "link.obj")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "Git LFS pointer"),
        (b"", "no triangles"),
        (b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
        (b"\x00\xff garbage", "mesh bad.obj"),
    ],
)
def test_bad_mesh_files(object_with, tmp_path, content, words):
    (tmp_path / "bad.obj").write_bytes(content)
    assert words in refused_mesh(object_with, "bad.obj")


def test_packages(object_with, tmp_path):
    elsewhere = tmp_path / "other" / "share"
    elsewhere.mkdir(parents=True)
    (elsewhere / "box.obj").write_text(obj_text(BOX.vertices, BOX.faces))
    obj = object_with(mesh_shape("package://parts/box.obj"), packages={"parts": str(elsewhere)})
    assert obj.moved_body("j").body.mass == pytest.approx(BOX_MASS)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "box.obj").write_text(obj_text(BOX.vertices, BOX.faces))
    assert object_with(mesh_shape("package://parts/box.obj")).moved_body("j").body.mass == pytest.approx(BOX_MASS)


def test_mesh_does_not_pull_in_other_files(object_with, tmp_path):
    """A glTF that names a buffer outside its folder is not followed."""
    secret = tmp_path / "secret.bin"
    secret.write_bytes(bytes(1000))
    inside = tmp_path / "meshes"
    inside.mkdir()
    gltf = (
        '{"asset":{"version":"2.0"},"buffers":[{"uri":"../secret.bin","byteLength":1000}],"scenes":[{"nodes":[0]}],'
        '"nodes":[{"mesh":0}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,'
        '"componentType":5126,"count":3,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]}'
    )
    (inside / "a.gltf").write_text(gltf)
    assert "not beside the mesh" in refused_mesh(object_with, "meshes/a.gltf")


def test_a_bad_mesh_leaves_the_other_numbers(object_with):
    obj = object_with('<geometry><mesh filename="missing.obj"/></geometry>')
    (entry,) = simcheck.describe(Path(obj.file))["joints"]
    assert entry["to_fixed"]["E_alpha"] == pytest.approx(1.0)
    assert entry["to_fixed"]["E_B"] is None
    assert "missing.obj" in entry["null_reasons"]["E_B"]
