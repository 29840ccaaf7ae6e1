"""Other libraries in the suite's form: the motion stays, the form changes, and every change and refusal is told."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pybullet
import pytest
import trimesh
from lxml import etree
from numpy.testing import assert_allclose
from urdf_and_command import ASSETS, joint, robot, run

from metric import exp
from simcheck import load
from simcheck.asset import ReadOptions
from simcheck.errors import AssetError, UsageError
from simcheck.suite import import_library, importing
from simcheck.suite.importing import import_object
from simcheck.suite.normal_form import plain_name, plain_names
from simcheck.suite.reanchoring import reanchored

MESH = '<visual><origin xyz="0.1 0 0"/><geometry><mesh filename="{}" scale="1 1 1"/></geometry></visual>'


def link(name, inside=""):
    return f'<link name="{name}">{inside}</link>'


def cube(path: Path, size=0.2):
    path.parent.mkdir(parents=True, exist_ok=True)
    trimesh.creation.box((size, size, size)).export(path)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Four objects of different make, and three files that cannot be read."""
    root = tmp_path_factory.mktemp("library") / "source"
    cube(root / "chest" / "parts" / "lid.stl")
    cube(root / "chest" / "parts" / "same.stl")
    cube(root / "chest" / "parts" / "body.ply")
    links = (
        link("Körper 1", MESH.format("parts/body.ply"))
        + link("lid/top", MESH.format("parts/lid.stl") + MESH.format("parts/same.stl"))
        + link("lid_top", MESH.format("parts/absent.stl"))
        + link("screw")
    )
    joints = (
        joint(
            "hinge", "revolute", "Körper 1", "lid/top", axis="0 0 2", limit='lower="1" upper="-0.5"', rpy="0.3 0.2 0.1"
        ),
        joint("hinge #2", "prismatic", "lid/top", "lid_top", axis="1 1 0", xyz="0.1 0.2 0.3"),
        joint("s", "screw", "lid_top", "screw", more='<thread_pitch value="0.002"/>'),
    )
    texts = {
        "chest/mobility.urdf": robot(*joints, links=links, name="my chest"),
        "arm.urdf": robot(joint("a", "revolute", "a", "b"), joint("b", "continuous", "b", "c", xyz="1 0 0")),
        "arm/mobility.urdf": robot(joint("a", "fixed", "a", "b")),
        "more/arm.urdf": robot(joint("a", "prismatic", "a", "b")),
        "bad/cycle.urdf": robot(joint("x", "revolute", "a", "b"), joint("y", "revolute", "b", "a")),
        "bad/axis.urdf": robot(joint("x", "revolute", "a", "b", axis="0 0 0")),
        "bad/text.urdf": "this is no XML",
    }
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def imported(library):
    """The library, imported by one worker; it must not have changed."""
    before = contents(library)
    made = import_library(library, library.parent / "imported")
    assert contents(library) == before
    return made


def imported_one(source: Path, out: Path):
    """One file, imported in this process; its folder is ``out/here``."""
    return import_object(str(source), source.name, "here", str(out), ReadOptions(), "joint_states.json")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def changes_of(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "changes.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_library_is_brought_into_the_form_of_the_suite(imported):
    made, out = imported, imported.path
    assert made.manifest["path"].to_list() == ["arm", "arm_2", "chest", "more/arm"]
    assert made.summary["objects"] == 4
    reasons = {r["source"]: r["reason"] for r in made.summary["refused"]}
    assert set(reasons) == {"bad/axis.urdf", "bad/cycle.urdf", "bad/text.urdf"}
    assert "joint 'x', axis xyz: the axis is zero" in reasons["bad/axis.urdf"]
    assert "cycle apart from the root: a -> b -> a" in reasons["bad/cycle.urdf"]
    assert "not well-formed XML" in reasons["bad/text.urdf"]
    assert sum(made.summary["refused_by_cause"].values()) == 3
    text = (out / "chest" / "mobility.urdf").read_text()
    assert text.isascii()
    tree = etree.fromstring(text.encode())
    for axis in tree.iter("axis"):
        assert math.hypot(*map(float, axis.get("xyz").split())) == pytest.approx(1, abs=1e-15)
    assert not [j for j in tree.iter("joint") if j.get("type") == "screw"]
    for mesh in tree.iter("mesh"):
        assert (out / "chest" / mesh.get("filename")).is_file()
    assert len(list((out / "chest" / "meshes").iterdir())) == 2  # the same content once, the PLY as OBJ
    for name in ("arm", "arm_2", "chest", "more/arm"):
        body = pybullet.connect(pybullet.DIRECT)
        try:
            pybullet.loadURDF(str(out / name / "mobility.urdf"), physicsClientId=body)
        finally:
            pybullet.disconnect(body)


def test_the_motion_stays(library, imported):
    """Joint by joint the same screws, limits and masses, whatever the names are now."""
    before, after = load(library / "chest" / "mobility.urdf"), load(imported.path / "chest" / "mobility.urdf")
    meta = json.loads((imported.path / "chest" / "meta.json").read_text())
    assert len(before.joints) == len(after.joints) == len(meta["joints"]) == 3
    for old, new, told in zip(before.joints, after.joints, meta["joints"], strict=True):
        assert new.kind == old.kind == told["kind"]
        assert_allclose(new.screw, old.screw, atol=1e-12)
        assert_allclose((new.lower, new.upper), (old.lower, old.upper), rtol=1e-15)
        assert_allclose(told["screw"], old.screw, atol=1e-12)
    assert_allclose(after.box, before.box, atol=1e-9)
    masses = [b.inertial.mass for b in after.links.values() if b.inertial is not None]
    assert_allclose(masses, [1000 * 0.2**3, 2 * 1000 * 0.2**3], rtol=1e-6)


def test_every_change_is_told(imported):
    made = imported
    chest = [c for c in changes_of(imported.path) if c["source"] == "chest/mobility.urdf"]
    told = {(c["kind"], c["element"]) for c in chest}
    assert {
        ("name", "link 'Körper 1'"),
        ("name", "link 'lid/top'"),
        ("name", "joint 'hinge #2'"),
        ("name", "robot 'my chest'"),
        ("inertial", "link 'Körper 1'"),
        ("inertial", "link 'lid/top'"),
        ("mesh", "link 'Körper 1' visual"),
        ("shape", "link 'lid_top' visual"),
        ("read", "joint 'hinge'"),
    } <= told
    messages = " ".join(c["message"] for c in chest)
    assert "normalised" in messages
    assert "sorted" in messages
    assert "absent.stl not found" in messages
    assert "renamed to 'lid_top_2'" in messages  # 'lid_top' was taken
    row = made.manifest.filter(pl.col("path") == "chest").row(0, named=True)
    counts = {kind: sum(c["kind"] == kind for c in chest) for kind in ("read", "name", "inertial", "mesh", "shape")}
    assert {kind: row[f"changes_{kind}"] for kind in counts} == counts
    assert made.summary["changes_by_kind"]["name"] == counts["name"]


def test_an_import_of_an_import_changes_nothing(imported, tmp_path):
    again = import_library(imported.path, tmp_path)
    assert again.summary["refused"] == []
    assert again.summary["changes_by_kind"] == {}
    for place in imported.manifest["path"]:
        once, twice = (load(out / place / "mobility.urdf") for out in (imported.path, tmp_path))
        assert list(once.links) == list(twice.links)
        for a, b in zip(once.joints, twice.joints, strict=True):
            assert (a.name, a.kind, a.parent, a.child, a.lower, a.upper) == (
                b.name, b.kind, b.parent, b.child, b.lower, b.upper,
            )  # fmt: skip
            assert_allclose(a.screw, b.screw, atol=1e-14)


def test_the_bytes_do_not_depend_on_the_workers(library, imported, tmp_path):
    out = tmp_path / "two"
    two = run("suite", "import", library, out, "--workers", 2, "--json")
    assert two.code == 1  # some were refused
    assert two.json == {**imported.summary, "out": str(out)}
    assert contents(out) == contents(imported.path)


# --- stored states -----------------------------------------------------------------------------------------------


def test_a_stored_state_becomes_the_rest_pose(tmp_path):
    """Limits move by -q, what is downstream is carried along, and the motion is the same from there."""
    source = tmp_path / "source"
    source.mkdir()
    file = source / "mobility.urdf"
    file.write_text(
        robot(
            joint("a", "revolute", "a", "b", xyz="0.1 0 0", limit='lower="-1" upper="2"'),
            joint("b", "prismatic", "b", "c", xyz="0.3 0.2 0", axis="0 1 0"),
            joint("c", "screw", "c", "d", axis="1 0 0", more='<thread_pitch value="0.01"/>'),
        )
    )
    (source / "joint_states.json").write_text('{"a": 0.5, "b": 0.25}')
    made = import_library(source, tmp_path / "out")
    assert made.summary["changes_by_kind"] == {"read": 1, "state": 2}  # read: the unit of the thread's pitch
    before, after = load(file), load(tmp_path / "out" / made.manifest["path"][0] / "mobility.urdf")
    at = exp(0.5 * before.joint("a").screw)
    assert_allclose((after.joint("a").lower, after.joint("a").upper), (-1.5, 1.5))
    assert_allclose((after.joint("b").lower, after.joint("b").upper), (-0.25, 0.75))
    assert_allclose(after.joint("a").screw, before.joint("a").screw, atol=1e-14)
    carried = at @ exp(0.25 * before.joint("b").screw)
    for q in (-0.7, 0.4):  # to where the last joint takes its part from there
        meant = carried @ exp(q * before.joint("c").screw) @ np.linalg.inv(carried)
        assert_allclose(exp(q * after.joint("c").screw), meant, atol=1e-12)
    com = before.links["d"].inertial.com
    assert_allclose(after.links["d"].inertial.com, (carried @ [*com, 1])[:3], atol=1e-9)


def test_going_there_and_back_gives_the_object_again():
    obj = load(ASSETS.parent.parent / "urdfs" / "containers" / "jar.urdf")
    state = {j.name: 0.3 for j in obj.movable_joints}
    there = reanchored(obj, state)
    back = reanchored(there, {name: -q for name, q in state.items()})
    for a, b in zip(obj.joints, back.joints, strict=True):
        assert_allclose(a.screw, b.screw, atol=1e-14)
        assert_allclose((a.lower, a.upper), (b.lower, b.upper), atol=1e-14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not a stored state"),
        ("[1, 2]", "joint names and finite coordinates"),
        ('{"a": "open"}', "joint names and finite coordinates"),
        ('{"a": NaN}', "joint names and finite coordinates"),
        ('{"lid": 0.5}', "lid"),
        pytest.param('{"a": 1' + 400 * "0" + "}", "joint names and finite coordinates", id="huge"),
        pytest.param(100_000 * "[", "not a stored state", id="deep"),
    ],
)
def test_a_state_that_cannot_be_used_refuses_the_object(tmp_path, text, words):
    (tmp_path / "r.urdf").write_text(robot(joint("a", "revolute", "a", "b")))
    (tmp_path / "joint_states.json").write_text(text)
    with pytest.raises(AssetError, match=words):
        imported_one(tmp_path / "r.urdf", tmp_path / "out")
    assert not (tmp_path / "out").exists()


# --- PartNet-Mobility --------------------------------------------------------------------------------------------


@pytest.fixture
def partnet(tmp_path):
    """A cupboard as PartNet-Mobility stores one: an annotation with y up, and the meshes of its parts elsewhere."""
    folder = tmp_path / "source" / "1234"
    cube(folder / "textured_objs" / "original-1.obj", 1.0)
    cube(folder / "textured_objs" / "original-2.obj", 0.4)
    axis = {"origin": [0.5, 0.0, 0.5], "direction": [0, 1, 0]}
    annotation = [
        {"id": 0, "parent": -1, "joint": "free", "name": "body", "parts": [{"id": 1}], "jointData": {}},
        {
            "id": 1,
            "parent": 0,
            "joint": "hinge",
            "name": "door",
            "parts": [{"id": 2}],
            "jointData": {"axis": axis, "limit": {"a": 90, "b": 0, "noLimit": False}},
        },
        {
            "id": 2,
            "parent": 0,
            "joint": "slider",
            "name": "drawer",
            "parts": [],
            "jointData": {
                "axis": {"origin": [0, 0, 0], "direction": [0, 0, 1]},
                "limit": {"a": 0.3, "b": 0.0, "noLimit": False},
            },
        },
    ]
    parts = [
        {
            "id": 0,
            "name": "cupboard",
            "children": [
                {"id": 1, "name": "body", "objs": ["original-1"]},
                {"id": 2, "name": "fronts", "children": [{"id": 3, "name": "door", "objs": ["original-2"]}]},
            ],
        }
    ]
    (folder / "mobility_v2.json").write_text(json.dumps(annotation))
    (folder / "result.json").write_text(json.dumps(parts))
    (folder / "meta.json").write_text(json.dumps({"model_cat": "StorageFurniture"}))
    return folder


def test_an_annotation_of_partnet_mobility_is_an_object(partnet, tmp_path):
    """Turned to z up as PartNet's own URDFs are, (x, y, z) -> (-z, -x, y); degrees become radians; meshes by part."""
    out = tmp_path / "out"
    made = import_library(partnet.parent, out)
    assert made.summary["refused"] == []
    obj = load(out / "1234" / "mobility.urdf")
    door, drawer = obj.joint("joint_1"), obj.joint("joint_2")
    assert (door.kind, drawer.kind) == ("revolute", "prismatic")
    assert_allclose(abs(door.screw[:3]), (0, 0, 1), atol=1e-12)
    sign = door.screw[2]
    assert_allclose(sign * door.screw[3:], np.cross((-0.5, -0.5, 0), (0, 0, 1)), atol=1e-12)
    assert_allclose(sorted((sign * door.lower, sign * door.upper)), (0, math.pi / 2), atol=1e-12)
    ends = sorted((drawer.lower * drawer.screw[3], drawer.upper * drawer.screw[3]))
    assert_allclose(ends, (-0.3, 0), atol=1e-12)
    assert_allclose(obj.box, [[-0.5] * 3, [0.5] * 3], atol=1e-9)
    assert obj.links["link_1"].inertial.mass == pytest.approx(1000 * 0.4**3)
    meta = json.loads((out / "1234" / "meta.json").read_text())
    assert meta["category"] == "StorageFurniture"
    assert meta["source"] == "1234/mobility_v2.json"


def test_a_urdf_goes_before_the_annotation_beside_it(partnet, tmp_path):
    (partnet / "mobility.urdf").write_text(robot(joint("a", "prismatic", "a", "b")))
    made = import_library(partnet.parent, tmp_path / "out")
    assert made.manifest["source"].to_list() == ["1234/mobility.urdf"]


@pytest.mark.parametrize("text", ["", "{}", "[]", '[{"id": 0}]', "[1]", '[{"id": 0, "parent": -1, "joint": "ball"}]'])
def test_a_broken_annotation_is_refused(partnet, tmp_path, text):
    (partnet / "mobility_v2.json").write_text(text)
    with pytest.raises(AssetError, match=r"mobility_v2\.json"):
        imported_one(partnet / "mobility_v2.json", tmp_path / "out")


_TABLES = ("", "{}", "7", "[1]", '[{"children": 3, "objs": 4}]', '[{"id": 1, "objs": ["../../secret", 5]}]')


@pytest.mark.parametrize("text", _TABLES)
def test_broken_mesh_tables_cost_the_shapes_only(partnet, tmp_path, text):
    (partnet / "result.json").write_text(text)
    assert imported_one(partnet / "mobility_v2.json", tmp_path / "out").row["movable"] == 2


@pytest.mark.parametrize(
    "text", [100_000 * "[", 4_000 * '[{"id": 1, "children":' + "[]" + 4_000 * "}]"], ids=["brackets", "parts"]
)
def test_tables_nested_without_end_cost_what_they_say_only(partnet, tmp_path, text):
    for name in ("result.json", "meta.json"):
        (partnet / name).write_text(text)
    made = import_library(partnet.parent, tmp_path / "out")
    assert made.summary["refused"] == []
    assert made.manifest["movable"].to_list() == [2]
    assert json.loads((tmp_path / "out" / "1234" / "meta.json").read_text())["category"] is None


# --- names and misuse --------------------------------------------------------------------------------------------


def test_plain_names():
    assert [plain_name(n) for n in ("a b", "Größe-2", "7th", "\u6f22", "ok_1", "__x")] == [
        "a_b", "Groe_2", "n_7th", "unnamed", "ok_1", "x",
    ]  # fmt: skip
    assert plain_names(["a b", "a-b", "a_b"]) == {"a_b": "a_b", "a b": "a_b_2", "a-b": "a_b_3"}


def test_meshes_from_elsewhere_are_not_taken_along(tmp_path):
    cube(tmp_path / "secret.stl")
    source = tmp_path / "a" / "b" / "c" / "d" / "r.urdf"
    source.parent.mkdir(parents=True)
    links = link("a", MESH.format(tmp_path / "secret.stl")) + link("b", MESH.format("../../../../secret.stl"))
    source.write_text(robot(joint("a", "revolute", "a", "b"), links=links))
    made = imported_one(source, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.stl"))
    assert sum("lies outside" in change["message"] for change in made.changes) == 2


def test_what_cannot_be_imported_at_all_is_an_error(tmp_path):
    """A wrong folder, and one in which nothing can be read: exit code 2."""
    with pytest.raises(UsageError, match="not a folder"):
        import_library(tmp_path / "absent", tmp_path / "out")
    ran = run("suite", "import", tmp_path, tmp_path / "out")
    assert (ran.code, ran.out) == (2, "")
    assert "neither a *.urdf nor a mobility_v2.json" in ran.err.replace("\n", " ")
    (tmp_path / "r.urdf").write_text(robot(joint("a", "revolute", "a", "nowhere"), links=link("a")))
    ran = run("suite", "import", tmp_path, tmp_path / "out", "--json")
    assert ran.code == 2
    assert "link 'nowhere' is not defined" in ran.json["refused"][0]["reason"]


def test_what_does_not_come_back_the_same_is_refused_and_removed(tmp_path, monkeypatch):
    (tmp_path / "r.urdf").write_text(robot(joint("a", "revolute", "a", "b")))
    monkeypatch.setattr(importing, "urdf_text", lambda obj, name: robot(joint("a", "prismatic", "a", "b")))
    with pytest.raises(AssetError, match="does not come back"):
        imported_one(tmp_path / "r.urdf", tmp_path / "out")
    assert not (tmp_path / "out" / "here").exists()
