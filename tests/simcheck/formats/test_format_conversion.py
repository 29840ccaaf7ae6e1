"""Which format, missing limits, and ``simcheck convert``: what it writes can be read and driven by others."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import yourdfpy
from format_writers import GOLDEN, save
from urdf_and_command import joint, robot, run

import simcheck
from simcheck.cli.options import FormatChoice
from simcheck.formats import load_prediction
from simcheck.formats.conversion import convert
from simcheck.formats.prediction import READERS
from simcheck.help import page

FORMATS_TEXT = page("formats")
WITH_LIMITS = sorted(p for p in GOLDEN.glob("*.json") if p.stem != "plain_list")


def test_formats_have_one_list():
    assert [choice.value for choice in FormatChoice] == list(READERS)
    for name in READERS:
        assert f"`{name}`" in FORMATS_TEXT


def test_content_tells_the_format_not_the_name(tmp_path):
    for source, name in ((GOLDEN / "cage.json", "x.urdf"), (GOLDEN / "partnet_mobility.json", "trans.json")):
        path = tmp_path / name
        path.write_bytes(source.read_bytes())
        assert load_prediction(path).format == source.stem
    text = robot(joint("j", "revolute", "a", "b"))
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_bytes(text.replace('<?xml version="1.0"?>\n', "").encode(encoding))
        assert load_prediction(path).format == "urdf"
    path.write_bytes(b" \n" * 1000 + (GOLDEN / "paris_trans.json").read_bytes())
    assert load_prediction(path).format == "paris"
    path.write_bytes((GOLDEN / "cage.json").read_text().encode("utf-16"))
    assert load_prediction(path).format == "cage"


def test_the_forced_name_is_kept():
    assert load_prediction(GOLDEN / "cage.json", "singapo").format == "singapo"


# --- limits --------------------------------------------------------------------------------------------------


def open_limits(path, missing: set[str], format: str | None = None):
    with pytest.raises(simcheck.AssetError, match="limit"):
        load_prediction(path, format)
    prediction = load_prediction(path, format, limits_may_be_missing=True)
    assert (prediction.missing_limits, prediction.limits_known) == (missing, False)
    for name in missing:
        assert prediction.object.joint(name).motion.limits.tolist() == [-math.inf, math.inf]


def without(name: str, *paths):
    value = json.loads((GOLDEN / f"{name}.json").read_text())
    for path in paths:
        inner = value
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
    return value


def test_missing_limits_are_left_open_and_named(tmp_path, write):
    path = tmp_path / "p.json"
    cage = without("cage", ("diffuse_tree", 1, "joint", "range"), ("diffuse_tree", 5, "joint", "range"))
    open_limits(save(path, cage), {"door_1_joint", "lid_5_joint"})
    partnet = without("partnet_mobility", (0, "jointData", "limit"), (1, "jointData", "limit", "a"))
    open_limits(save(path, partnet), {"joint_0", "joint_1_slide"})
    open_limits(save(path, without("paris_trans", ("trans_info", "rotate"))), {"joint_0"})
    open_limits(save(path, without("paris_estimate", ("rot_angle",))), {"joint_0"})
    twin = without("digital_twin_art", (0, "theta"))
    twin[0]["joint_type"] = "rotate"
    open_limits(save(path, twin), {"joint_0"})
    open_limits(GOLDEN / "plain_list.json", {"drawer"})
    plain = without(
        "plain", ("joints", 1, "lower"), ("joints", 1, "upper"), ("joints", 3, "lower"), ("joints", 3, "upper")
    )
    open_limits(save(path, plain), {"jack", "slide"})
    open_limits(write(robot(joint("j", "revolute", "a", "b", limit=None))), {"j"})
    np.savez(tmp_path / "joint.npz", screw_axis=[0, 0, 1], screw_moment=[0, 0, 0], joint_type=0)
    open_limits(tmp_path / "joint.npz", {"joint_0"})


def test_a_limit_of_no_range_is_not_missing(tmp_path):
    """Continuous and `noLimit` joints have no limits to impute."""
    prediction = load_prediction(GOLDEN / "partnet_mobility.json", limits_may_be_missing=True)
    assert prediction.limits_known


def test_articulate_anything_takes_no_limit_as_fixed(write):
    path = write(robot(joint("j", "revolute", "a", "b", limit=None)))
    prediction = load_prediction(path, "articulate_anything")
    assert prediction.object.joint("j").motion.limits.tolist() == [0, 0]
    assert any("as Articulate-Anything takes it" in w.message for w in prediction.warnings)
    assert prediction.limits_known
    open_one = load_prediction(path, "articulate_anything", limits_may_be_missing=True)
    assert open_one.missing_limits == {"j"}


def test_degrees_that_look_like_radians_are_voiced(tmp_path):
    value = json.loads((GOLDEN / "cage.json").read_text())
    value["diffuse_tree"][1]["joint"]["range"] = [0, 1.57]
    prediction = load_prediction(save(tmp_path / "p.json", value))
    assert any("degrees in this format" in w.message and w.message.endswith("rad?") for w in prediction.warnings)
    assert prediction.object.joint("door_1_joint").upper == math.radians(1.57)


def test_other_oddities_are_voiced(tmp_path):
    value = json.loads((GOLDEN / "cage.json").read_text())
    value["diffuse_tree"][0]["joint"]["type"] = "revolute"
    value["diffuse_tree"][1]["joint"]["range"] = [-10, 90]
    value["diffuse_tree"][2]["children"] = []
    said = [f"{w.element}: {w.message}" for w in load_prediction(save(tmp_path / "p.json", value)).warnings]
    assert any("link 'base_0': a root with a revolute joint: ignored" in s for s in said)
    assert any("joint 'door_1_joint': its range starts at -10" in s for s in said)
    assert any("diffuse_tree[2].children: it disagrees" in s for s in said)


def test_arti_tree_stands_in_for_diffuse_tree(tmp_path):
    value = json.loads((GOLDEN / "cage.json").read_text())
    path = save(tmp_path / "p.json", {"arti_tree": value["diffuse_tree"]})
    assert len(load_prediction(path).object.movable_joints) == 4


@pytest.mark.parametrize("scale", [0.1, 1e-3])
def test_digital_twin_art_tells_a_short_slide_from_a_small_turn(tmp_path, scale):
    """A slide of 0.05 m is nearly a turn of 0.05°, in theta and in rotation."""
    value = json.loads((GOLDEN / "digital_twin_art.json").read_text())[1:]
    value[0]["theta"] *= scale
    value[0]["translation"] = [x * scale for x in value[0]["translation"]]
    (one,) = load_prediction(save(tmp_path / "p.json", value)).object.joints
    assert (one.kind, one.upper) == ("prismatic", 0.5 * scale)


def test_position_of_digital_twin_art_is_checked(tmp_path):
    """Rotation and translation turn about (1, 2, 0); an axis_position 0.5 m beside moves it 0.5·√2 m otherwise."""
    value = json.loads((GOLDEN / "digital_twin_art.json").read_text())
    value[0]["joint_type"] = "revolute"
    value[0]["axis_position"] = [1.5, 2, 0]
    prediction = load_prediction(save(tmp_path / "p.json", value))
    (message,) = (w.message for w in prediction.warnings if "axis_position" in w.message)
    assert "0.707 m" in message
    assert "through 1 2 0" in message
    np.testing.assert_allclose(prediction.object.joint("joint_0").screw, [0, 0, 1, 2, -1.5, 0])
    value[0]["theta"] = 60
    prediction = load_prediction(save(tmp_path / "p.json", value))
    assert any("theta disagree with its rotation" in w.message for w in prediction.warnings)


# --- convert -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WITH_LIMITS, ids=lambda p: p.stem)
def test_other_loaders_read_what_is_written(path, tmp_path):
    """simcheck reads the same motions, yourdfpy the same joints, and PyBullet drives them where the file says."""
    out = tmp_path / "out.urdf"
    convert(path, out)
    truth, obj = load_prediction(path).object, simcheck.load(out)
    assert set(obj.links) == set(truth.links)
    for wanted in truth.joints:
        again = obj.joint(wanted.name)
        assert (again.kind, again.parent, again.child) == (wanted.kind, wanted.parent, wanted.child)
        np.testing.assert_allclose(again.screw, wanted.screw, rtol=0, atol=1e-14)
        np.testing.assert_allclose(again.motion.limits, wanted.motion.limits, rtol=1e-15)
        one, other = truth.moved_body(wanted.name).body, obj.moved_body(wanted.name).body
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_allclose(other.com, one.com, rtol=0, atol=1e-14)
            np.testing.assert_allclose(other.inertia, one.inertia, rtol=1e-12, atol=1e-14)
    robot_there = yourdfpy.URDF.load(str(out)).robot
    assert {j.name for j in robot_there.joints} >= {j.name for j in truth.joints}
    driven = simcheck.drive(out)
    assert len(driven["joints"]) == len(truth.movable_joints)
    assert all(entry["placement_error"] < 1e-12 for entry in driven["joints"])


def test_convert_command(tmp_path):
    out = tmp_path / "out.urdf"
    ran = run("convert", GOLDEN / "cage.json", out, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["format"] == "cage"
    assert ran.json["tree_known"] is True
    assert ran.json["links"] == ["base_0", "door_1", "drawer_2", "knob_3", "handle_4", "lid_5"]
    assert ran.json["joints"][0] == {"name": "door_1_joint", "kind": "revolute", "parent": "base_0", "child": "door_1"}
    assert any("without pitch" in w["message"] for w in ran.json["warnings"])
    assert set(ran.json) >= {"schema", "version", "command", "settings", "frame", "warnings", "file", "out"}
    written = out.read_bytes()
    ran = run("convert", GOLDEN / "cage.json", out)
    assert ran.code == 0
    assert "6 links" in ran.out
    assert "read as cage" in ran.out
    assert "warning: " in ran.err
    assert out.read_bytes() == written


def test_convert_never_replaces_what_it_did_not_write(tmp_path):
    out = tmp_path / "out.urdf"
    out.write_text("mine")
    ran = run("convert", GOLDEN / "plain.json", out)
    assert ran.code == 2
    assert "--force" in ran.err
    assert out.read_text() == "mine"
    convert(GOLDEN / "plain.json", out, force=True)
    assert out.read_text().startswith("<robot")
    for target, words in ((tmp_path, "is a folder"), (Path("/proc/none/out.urdf"), "cannot be written")):
        with pytest.raises(simcheck.UsageError, match=words):
            convert(GOLDEN / "plain.json", target, force=True)
    copy = tmp_path / "plain.json"
    copy.write_bytes((GOLDEN / "plain.json").read_bytes())
    with pytest.raises(simcheck.UsageError, match="the file that is read"):
        convert(copy, copy, force=True)


def test_meshes_stay_reachable(tmp_path, write):
    """A URDF written elsewhere names its meshes from there; one out of reach is said."""
    mesh = tmp_path / "meshes" / "cube.obj"
    mesh.parent.mkdir()
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    visual = '<visual><geometry><mesh filename="meshes/cube.obj"/></geometry></visual>'
    lost = visual.replace("cube", "lost")
    links = f'<link name="a"/><link name="b">{visual}{lost}</link>'
    path = write(robot(joint("j", "revolute", "a", "b"), links=links))
    near, far = tmp_path / "converted" / "out.urdf", tmp_path.joinpath(*"abcde") / "out.urdf"
    said = "\n".join(w["message"] for w in convert(path, near)["warnings"])
    assert 'filename="../meshes/cube.obj"' in near.read_text()
    assert simcheck.load(near).moved_body("j").body.mass == pytest.approx(1000 / 6)
    assert "lost.obj not found" in said
    assert "out of reach" not in said
    assert "out of reach" in "\n".join(w["message"] for w in convert(path, far)["warnings"])
    beside = tmp_path / "beside.urdf"
    convert(path, beside)
    assert 'filename="meshes/cube.obj"' in beside.read_text()


def test_example_of_the_text_is_read(tmp_path):
    (example,) = re.findall(r"```json cabinet.json\n(.*?)```", FORMATS_TEXT, re.DOTALL)
    path = tmp_path / "example.json"
    path.write_text(example)
    assert [j.kind for j in load_prediction(path).object.joints] == ["revolute", "prismatic"]


# --- describe and drive --------------------------------------------------------------------------------------


def test_other_formats_are_described_and_driven():
    path = GOLDEN / "partnet_mobility.json"
    described, driven = run("describe", path, "--json").json, run("drive", path, "--json").json
    names = [entry["name"] for entry in described["joints"]]
    assert [entry["name"] for entry in driven["joints"]] == names
    assert all(entry["placement_error"] <= 1e-12 for entry in driven["joints"])
    # The simulator never saw a text that it could refuse: there is nothing to say about "as it stands".
    assert not any("as it stands" in warning["message"] for warning in driven["warnings"])
    assert run("describe", path, "--format", "plain").code == 2
    refused = run("drive", path, "--as-is")
    assert (refused.code, "no URDF" in refused.err) == (2, True)
