"""Hostile and broken predictions: one message that names file and place, never another exception."""

from __future__ import annotations

import copy
import io
import json
import math
import zipfile

import numpy as np
import pytest
from format_writers import GOLDEN, save
from hypothesis import given, settings
from hypothesis import strategies as st
from urdf_and_command import joint, robot, run

import simcheck
from simcheck.formats import load_prediction
from simcheck.formats.prediction import READERS

NAN, INF = math.nan, math.inf


def golden(name: str):
    return json.loads((GOLDEN / f"{name}.json").read_text())


def read_or_message(path, *arguments, **options):
    """The prediction, or the message of the refusal; any other exception is a defect."""
    try:
        return load_prediction(path, *arguments, **options), ""
    except simcheck.AssetError as error:
        return None, str(error)


def set_at(value, path, new):
    """A copy with the entry at a path replaced, or removed where `new` is `...`."""
    result = copy.deepcopy(value)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    if new is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return result


TREE = ("diffuse_tree",)
DOOR = (*TREE, 1)
AXIS = (*DOOR, "joint", "axis")
BAD = [
    # --- CAGE
    ("cage", (*AXIS, "direction"), [0, NAN, 0], r"diffuse_tree\[1\]\.joint\.axis\.direction\[1\]: a finite number"),
    ("cage", (*AXIS, "direction"), [0, 0, 0], r"joint\.axis\.direction: the axis is zero"),
    ("cage", (*AXIS, "direction"), [0, 1], r"joint\.axis\.direction: 3 numbers expected, got 2"),
    ("cage", (*AXIS, "direction"), "0 1 0", r"joint\.axis\.direction: a list"),
    ("cage", (*AXIS, "origin"), ..., r"joint\.axis: the key 'origin' is missing; there are: 'direction'"),
    ("cage", (*AXIS, "origin"), [0, True, 0], r"joint\.axis\.origin\[1\]: a number expected, got True"),
    ("cage", (*AXIS, "origin"), [0, 1e400, 0], r"joint\.axis\.origin\[1\]: a finite number expected, got inf"),
    ("cage", (*AXIS, "origin"), [0, 1e200, 0], r"joint\.axis\.origin\[1\]: a number up to 1e\+100 expected"),
    ("cage", (*DOOR, "joint"), ..., r"diffuse_tree\[1\]: the key 'joint' is missing"),
    ("cage", (*DOOR, "joint"), [], r"diffuse_tree\[1\]\.joint: a JSON object"),
    ("cage", (*DOOR, "joint", "type"), "hinge", r"joint\.type: unknown 'hinge'\n.*revolute"),
    ("cage", (*DOOR, "joint", "range"), [0, "90"], r"joint\.range\[1\]: a number expected, got '90'"),
    ("cage", (*DOOR, "joint", "range"), [0], r"joint\.range: 2 numbers expected, got 1"),
    ("cage", (*DOOR, "joint", "range"), None, r"'door_1_joint': the file gives no limits.*\n.*--impute-limits gt"),
    ("cage", (*DOOR, "id"), 2, r"diffuse_tree\[2\]\.id: two parts have the id 2"),
    ("cage", (*DOOR, "id"), 1.5, r"diffuse_tree\[1\]\.id: a whole number"),
    ("cage", (*DOOR, "id"), -7, r"diffuse_tree\[1\]\.id: an id must not be negative"),
    ("cage", (*DOOR, "parent"), 9, r"diffuse_tree\[1\]\.parent: no part has the id 9"),
    ("cage", (*DOOR, "parent"), 1, "parent and child are the same link 'door_1'"),
    ("cage", (*DOOR, "parent"), 4, "a cycle apart from the root: .*door_1"),
    ("cage", (*DOOR, "parent"), -1, "2 root links, base_0, door_1"),
    ("cage", (*TREE, 0, "parent"), 1, "no root link: the joints form a cycle"),
    ("cage", (*DOOR, "name"), "a\x00b", r"diffuse_tree\[1\]\.name: a name with characters that cannot be printed"),
    ("cage", (*DOOR, "name"), "\ud800", r"diffuse_tree\[1\]\.name: a name with characters that cannot be printed"),
    ("cage", (*DOOR, "name"), "x" * 5000, r"diffuse_tree\[1\]\.name: a name of 5,000 characters"),
    ("cage", (*DOOR, "name"), 7, r"diffuse_tree\[1\]\.name: a name expected, got 7"),
    ("cage", (*DOOR, "aabb", "size"), [1, -1, 1], r"aabb\.size: a size must not be negative"),
    ("cage", (*DOOR, "aabb"), {"center": [0, 0, 0]}, r"aabb: the key 'size' is missing"),
    ("cage", (*DOOR, "children"), 4, r"children: a list"),
    ("cage", TREE, [], "a graph of parts without joints"),
    ("cage", TREE, {"Safe": [[[0, 1]]]}, "a graph of parts without joints.*\n.*object JSON"),
    # --- PartNet-Mobility
    ("partnet_mobility", (0, "joint"), "ball", r"\[0\]\.joint: unknown 'ball'\n.*hinge, slider"),
    ("partnet_mobility", (0, "jointData"), ..., r"\[0\]: the key 'jointData' is missing"),
    ("partnet_mobility", (0, "jointData", "axis"), ..., r"\[0\]\.jointData: the key 'axis' is missing"),
    ("partnet_mobility", (0, "jointData", "axis", "direction"), [None] * 3, r"direction\[0\]: a number expected"),
    ("partnet_mobility", (0, "jointData", "limit", "noLimit"), "no", r"limit\.noLimit: true or false"),
    ("partnet_mobility", (0, "jointData", "limit", "b"), NAN, r"limit\.b: a finite number"),
    ("partnet_mobility", (0, "jointData", "limit"), ..., "joint 'joint_0': the file gives no limits"),
    ("partnet_mobility", (0, "parent"), 99, r"\[0\]\.parent: no part has the id 99"),
    ("partnet_mobility", (2, "parent"), 0, "a cycle apart from the root|no root link"),
    ("partnet_mobility", (0, "id"), 1, "two parts have the id 1"),
    # --- PARIS
    ("paris_trans", ("trans_info",), [], "no motion in the file"),
    ("paris_trans", ("trans_info",), 3, r"trans_info: a JSON object"),
    ("paris_trans", ("trans_info", "type"), "turn", r"trans_info\.type: unknown 'turn'\n.*rotate, translate"),
    ("paris_trans", ("trans_info", "type"), "translate", "the file gives no limits"),
    ("paris_trans", ("trans_info", "axis", "o"), ..., r"trans_info\.axis: the key 'o' is missing"),
    ("paris_trans", ("trans_info", "axis", "d"), [0, 0, 0], r"trans_info\.axis\.d: the axis is zero"),
    ("paris_trans", ("trans_info", "rotate", "l"), "10", r"trans_info\.rotate\.l: a number"),
    ("paris_several", ("trans_info", 1, "axis"), ..., r"trans_info\[1\]: the key 'axis' is missing"),
    ("paris_estimate", ("rot_angle",), [1, 2], r"rot_angle: 1 numbers expected, got 2"),
    ("paris_estimate", ("type",), ..., "the key 'type' is missing"),
    # --- DigitalTwinArt
    ("digital_twin_art", (0, "axis_position"), ..., r"\[0\]: the key 'axis_position' is missing"),
    ("digital_twin_art", (0, "axis_direction"), [0, 0, 0], r"\[0\]\.axis_direction: the axis is zero"),
    ("digital_twin_art", (0, "rotation"), ..., r"\[0\]: nothing says whether the part turns or slides\n.*joint_type"),
    ("digital_twin_art", (0, "rotation"), [[1, 0, 0]], r"\[0\]\.rotation: 3 rows expected, got 1"),
    ("digital_twin_art", (0, "rotation", 1), [1, 0], r"\[0\]\.rotation\[1\]: 3 numbers expected, got 2"),
    ("digital_twin_art", (1, "joint_type"), "screw", r"\[1\]\.joint_type: unknown 'screw'"),
    ("digital_twin_art", (1, "theta"), INF, r"\[1\]\.theta: a finite number"),
    # --- plain
    ("plain", ("version",), 2, "version: version 1 expected, got 2"),
    ("plain", ("angle",), ..., "the key 'angle' is missing"),
    ("plain", ("angle",), "grad", "angle: unknown 'grad'\n.*deg, rad"),
    ("plain", ("joint",), [], "this object has no 'joint'\n.*joints"),
    ("plain", ("joints", 0, "uper"), 90, r"joints\[0\]: a revolute joint has no 'uper'\n.*upper"),
    ("plain", ("joints", 0, "pitch"), 1, r"joints\[0\]: a revolute joint has no 'pitch'"),
    ("plain", ("joints", 2, "upper"), 1, r"joints\[2\]: a continuous joint has no 'upper'"),
    ("plain", ("joints", 1, "pitch"), ..., r"joints\[1\]: the key 'pitch' is missing"),
    ("plain", ("joints", 0, "upper"), ..., r"joints\[0\]: the key 'upper' is missing"),
    ("plain", ("joints", 0, "upper"), "infinity", r"joints\[0\]\.upper: a number expected, got 'infinity'"),
    ("plain", ("joints", 0, "parent"), ..., r"joints\[0\]: the key 'parent' is missing"),
    ("plain", ("joints", 0, "name"), "jack", "2 joints have this name"),
    ("plain", ("joints", 0, "child"), "foot", "link 'foot': it is the child of two joints"),
    ("plain", ("joints", 0, "kind"), "hinge", r"joints\[0\]\.kind: unknown 'hinge'"),
    ("plain", ("links", 1, "name"), "body", "link 'body'.*two links have this name"),
    ("plain", ("links", 0, "box", "sizes"), [1, 1, 1], r"links\[0\]\.box: this object has no 'sizes'"),
    ("plain_list", ("links",), [], "links: links without a tree\n.*parent and child"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "new", "words"), BAD)
def test_a_broken_file_is_refused_by_place(tmp_path, name, path, new, words):
    file = save(tmp_path / "broken.json", set_at(golden(name), path, new))
    with pytest.raises(simcheck.AssetError, match=words) as caught:
        load_prediction(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert len(str(caught.value).splitlines()) <= 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"hello", "not a known format.*\n.*URDF, CAGE"),
        (b'{"diffuse_tree": [', "not JSON at line 1, column"),
        (b'{"a": 1,\n "a": 2}', "the key 'a' stands twice"),
        (b'{"diffuse_tree": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "nested hundreds of levels deep"),
        (b'{"a":' * 100_000, "nested hundreds of levels deep"),
        (b"{}", "no known format of predictions .no keys at all.\n.*simcheck help formats"),
        (b"[1, 2]", "no known format of predictions"),
        (b'{"joints": []}', "no known format of predictions .keys: 'joints'."),
        (b'{"diffuse_tree": ' + b"9" * 5000 + b"}", "diffuse_tree: a list"),
        (b'{"R_axis_d": [0, 0, 1]}', "no PARIS motion with one axis"),
        (b'{"failure_reason": "joint_axis"}', "critic's verdict of Articulate-Anything"),
        (b"<mujoco/>", "MJCF"),
        (b"\x93NUMPY\x01\x00", "one npy array"),
    ],
)
def test_rubbish(tmp_path, text, words):
    path = tmp_path / "rubbish.json"
    path.write_bytes(text)
    with pytest.raises(simcheck.AssetError, match=words) as caught:
        load_prediction(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 600


def test_programs_are_not_run(tmp_path):
    path = tmp_path / "joint_pred.py"
    marker = tmp_path / "ran"
    path.write_text(f"from articulate_anything.api.odio_urdf import *\nopen({str(marker)!r}, 'w')\n")
    with pytest.raises(simcheck.AssetError, match=r"runs no program.*\n.*pass the URDF"):
        load_prediction(path)
    assert not marker.exists()


def test_floods(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.write(b'{"diffuse_tree": [')
        stream.truncate(200 * 2**20)  # sparse: costs no disk
    with pytest.raises(simcheck.AssetError, match="200 MB; the limit for JSON is 8 MB"):
        load_prediction(path)
    nodes = [{"id": k, "name": "p", "parent": k - 1, "joint": {"type": "fixed"}} for k in range(20_001)]
    with pytest.raises(simcheck.AssetError, match="diffuse_tree: a list of 20,001 entries; the limit is 20,000"):
        load_prediction(save(path, {"diffuse_tree": nodes}))


def test_depth_of_the_tree_is_no_danger(tmp_path):
    nodes = [{"id": k, "name": "p", "parent": k - 1, "joint": {"type": "fixed"}} for k in range(2_000)]
    assert len(load_prediction(save(tmp_path / "chain.json", {"diffuse_tree": nodes})).object.links) == 2_000


def test_names_of_files_do_no_harm(tmp_path):
    path = tmp_path / "bell\x07.json"
    path.write_bytes((GOLDEN / "paris_trans.json").read_bytes())
    assert load_prediction(path).object.name == "bell"
    assert load_prediction(path.rename(tmp_path / "\x07.json")).object.name == "prediction"


def test_no_such_file_folder_pipe_and_format(tmp_path):
    import os

    with pytest.raises(simcheck.AssetError, match="no such file"):
        load_prediction(tmp_path / "none.json")
    with pytest.raises(simcheck.AssetError, match="this is a folder"):
        load_prediction(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(simcheck.AssetError, match="no regular file"):
        load_prediction(tmp_path / "pipe")
    with pytest.raises(simcheck.UsageError, match="no format 'cake'; there are: urdf, cage"):
        load_prediction(GOLDEN / "cage.json", "cake")


def test_a_forced_format_that_does_not_fit(tmp_path):
    """Every reader on every golden file, on a URDF and on an npz: an object or one message."""
    urdf = tmp_path / "robot.urdf"
    urdf.write_text(robot(joint("j", "revolute", "a", "b")))
    np.savez(tmp_path / "joint.npz", a=1)
    for path in [*GOLDEN.glob("*.json"), urdf, tmp_path / "joint.npz"]:
        for name in READERS:
            prediction, message = read_or_message(path, name)
            assert str(path) in message if prediction is None else prediction.format == name


# --- npz -----------------------------------------------------------------------------------------------------

JOINT = {"screw_axis": [0.0, 0, 1], "screw_moment": [0.0, -1, 0], "joint_type": 0, "state_start": 0.0, "state_end": 1.0}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"screw_axis": np.array([0, 0, 1], dtype=object)}, "screw_axis: a pickled object; pickles can run programs"),
        ({"screw_axis": [0, 0, 0]}, "screw_axis: the axis is zero"),
        ({"screw_axis": [0, 1]}, "screw_axis: 3 numbers expected, got 2"),
        ({"screw_axis": [0, NAN, 1]}, "screw_axis: finite numbers expected"),
        ({"screw_axis": np.zeros((9, 9))}, "screw_axis: a few numbers expected, got float64 of shape"),
        ({"screw_axis": ["a", "b", "c"]}, "screw_axis: a few numbers expected, got <U1"),
        ({"screw_moment": [0, 1e200, 0]}, r"screw_moment: numbers up to 1e\+100 expected"),
        ({"joint_type": 2}, "joint_type: 0 .revolute. or 1 .prismatic. expected, got 2"),
        ({"joint_type": [0, 1]}, "joint_type: one number expected, got 2"),
        ({"screw_moment": ...}, "screw_moment: the array is missing; there are: 'joint_type'"),
        ({"state_end": ...}, "joint 'joint_0': the file gives no limits"),
    ],
)
def test_a_broken_npz_is_refused_by_array(tmp_path, changes, words):
    path = tmp_path / "joint.npz"
    arrays = {name: value for name, value in {**JOINT, **changes}.items() if value is not ...}
    np.savez(path, allow_pickle=True, **arrays)
    with pytest.raises(simcheck.AssetError, match=words) as caught:
        load_prediction(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_header_that_promises_too_much_costs_nothing(tmp_path):
    """A shape of 8 TB, and one of a short array, in a file of a few bytes."""
    for shape, words in (((10**12,), "a few numbers expected"), ((3,), "the array is cut off")):
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": shape})
        path = tmp_path / "joint.npz"
        np.savez(path, **{k: v for k, v in JOINT.items() if k != "screw_axis"})
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("screw_axis.npy", header.getvalue())
        with pytest.raises(simcheck.AssetError, match=f"screw_axis: {words}"):
            load_prediction(path)


@settings(max_examples=150)
@given(st.data())
def test_damaged_npz(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("npz", numbered=True)
    path = folder / "joint.npz"
    np.savez_compressed(path, **JOINT)
    content = bytearray(path.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=6)):
        content[place] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content[: data.draw(st.integers(4, len(content)))]))
    prediction, message = read_or_message(path)
    assert prediction is not None or str(path) in message


# --- anything anywhere ---------------------------------------------------------------------------------------

JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 10**30), st.floats(), st.text(max_size=5), st.just([]), st.just({}),
    st.lists(st.floats(allow_nan=True), max_size=4), st.just({"a": [1]}), st.just([[1, 2], 3]),
)  # fmt: skip


def places(value, path=()):
    """Paths to everything inside a JSON value."""
    if path:
        yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in children:
        yield from places(inner, (*path, key))


@settings(max_examples=400)
@given(st.data())
def test_junk_anywhere_is_read_or_refused(tmp_path_factory, data):
    """Whatever stands at whatever place: an object with finite screws, or one message of one or two lines."""
    value = golden(data.draw(st.sampled_from(sorted(p.stem for p in GOLDEN.glob("*.json")))))
    path = data.draw(st.sampled_from(list(places(value))))
    file = save(tmp_path_factory.mktemp("junk", numbered=True) / "p.json", set_at(value, path, data.draw(JUNK)))
    prediction, message = read_or_message(file, limits_may_be_missing=data.draw(st.booleans()))
    if prediction is None:
        assert str(file) in message
        assert len(message.splitlines()) <= 2
    else:
        assert all(np.isfinite(joint.screw).all() for joint in prediction.object.joints)


def test_command_line_shows_the_message_alone(tmp_path):
    bad = save(tmp_path / "bad.json", set_at(golden("cage"), (*AXIS, "direction"), [0, NAN, 0]))
    ran = run("convert", bad, tmp_path / "out.urdf", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "diffuse_tree[1].joint.axis.direction[1]: a finite number expected, got nan" in ran.err
    assert not (tmp_path / "out.urdf").exists()
