"""The objects of `urdfs/` against the answers beside them: derived from the design, not read from the file."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pybullet
import pytest
from lxml import etree
from numpy.testing import assert_allclose

import simcheck
from metric import exp, screw

URDFS = Path(__file__).parents[1] / "urdfs"
FILES = sorted(URDFS.glob("*/*.urdf"))
SUPER_CATEGORIES = {
    "appliances",
    "bathroom",
    "containers",
    "doors_and_windows",
    "electronics",
    "furniture",
    "kitchen",
    "lighting",
    "machines",
    "robots",
    "sport",
    "storage",
    "tools",
    "toys",
    "vehicles",
}
NOT_STANDARD = "globe_valve"  # type="screw" is outside the URDF standard: PyBullet refuses it

# Masses and tensors are written with 12 and 10 digits; STL vertices are float32.
BODY_TOLERANCE = {"inertial": 1e-8, "carried": 1e-8, "visual": 1e-6, "mixed": 1e-6}

every_object = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@lru_cache
def answer(path: Path) -> dict[str, Any]:
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


@lru_cache
def xml(path: Path) -> etree._Element:
    return etree.parse(path).getroot()


@lru_cache
def loaded(path: Path) -> Any:
    return simcheck.load(path)


def moving(path: Path) -> list[dict[str, Any]]:
    return [joint for joint in answer(path)["joints"] if joint["kind"] != "fixed"]


def limits(joint: dict[str, Any]) -> list[float]:
    return [float(joint["lower"]), float(joint["upper"])]


# ------------------------------------------------------------------ the reader against the answers


@every_object
def test_joints_are_those_of_the_design(path):
    """Names in file order, kinds, ends, mimics; a helical pair is one joint."""
    obj = loaded(path)
    expected = [(j["name"], j["kind"], j["parent"], j["child"], j["mimic"]) for j in answer(path)["joints"]]
    found = [
        (
            j.name,
            j.kind,
            j.parent,
            j.child,
            j.mimic and {"leader": j.mimic.leader, "multiplier": j.mimic.multiplier, "offset": j.mimic.offset},
        )
        for j in obj.joints
    ]
    assert [f[:4] for f in found] == [e[:4] for e in expected]
    for (*_, mimic), (*_, design) in zip(found, expected, strict=True):
        assert (mimic and mimic["leader"]) == (design and design["leader"])
        if design:
            assert_allclose(
                [mimic["multiplier"], mimic["offset"]], [design["multiplier"], design["offset"]], rtol=1e-12
            )


@every_object
def test_axes_points_limits_and_pitches(path):
    """World frame at rest. Any point of a turning joint's axis will do; a sliding joint has its frame's origin."""
    joints = {joint.name: joint for joint in loaded(path).joints}
    for design in moving(path):
        joint = joints[design["name"]]
        assert_allclose(joint.axis, design["axis"], rtol=0, atol=1e-12, err_msg=joint.name)
        offset = np.subtract(joint.origin, design["point"])
        if design["kind"] != "prismatic":
            offset = np.cross(offset, design["axis"])
        assert np.linalg.norm(offset) < 1e-11, joint.name
        assert_allclose([joint.lower, joint.upper], limits(design), rtol=1e-12, atol=1e-12, err_msg=joint.name)
        if design["kind"] == "helical":
            assert_allclose(joint.pitch, design["pitch"], rtol=1e-12, err_msg=joint.name)
        if design["endpoints"] is None:
            assert not np.all(np.isfinite([joint.lower, joint.upper])), joint.name
        else:
            scale = max(1.0, *map(abs, limits(design)))
            assert_allclose(joint.endpoints, design["endpoints"], rtol=0, atol=1e-11 * scale, err_msg=joint.name)


@every_object
def test_moved_bodies(path):
    """Source, mass, centre of mass and inertia of the child link with everything welded to it."""
    obj = loaded(path)
    for design in moving(path):
        moved = obj.moved_body(design["name"])
        expected = design["body"]
        tolerance = BODY_TOLERANCE[expected["source"]]
        assert moved.source == expected["source"], design["name"]
        assert_allclose(moved.body.mass, expected["mass"], rtol=tolerance, err_msg=design["name"])
        assert_allclose(moved.body.com, expected["com"], rtol=0, atol=tolerance, err_msg=design["name"])
        scale = np.abs(expected["inertia"]).max()
        assert_allclose(
            moved.body.inertia, expected["inertia"], rtol=0, atol=10 * tolerance * scale, err_msg=design["name"]
        )


@every_object
def test_size(path):
    """No joint frame and no centre of mass lies outside the drawn geometry, so the box is the geometry's."""
    assert_allclose(np.ptp(loaded(path).box, axis=0), answer(path)["size"], rtol=0, atol=1e-6)


@every_object
def test_warnings(path):
    """What the answer names is said; an object whose answer names nothing is read in silence."""
    said = [f"{w.element} {w.message}".lower() for w in loaded(path).all_warnings]
    for word in answer(path)["warnings"]:
        assert any(word.lower() in text for text in said), (word, said)
    if not answer(path)["warnings"]:
        assert said == []


# ------------------------------------------------------------------ PyBullet against the answers


@pytest.fixture
def client():
    number = pybullet.connect(pybullet.DIRECT)
    yield number
    pybullet.disconnect(number)


@every_object
def test_pybullet_takes_the_file_and_moves_it_as_designed(path, client):
    """The file as it stands, without our reader: every joint carries its child by exp(q xi)."""
    flags = pybullet.URDF_USE_INERTIA_FROM_FILE
    if path.stem == NOT_STANDARD:
        with pytest.raises(pybullet.error):
            pybullet.loadURDF(str(path), flags=flags, physicsClientId=client)
        return
    body = pybullet.loadURDF(str(path), useFixedBase=True, flags=flags, physicsClientId=client)
    count = pybullet.getNumJoints(body, physicsClientId=client)
    assert count == len(xml(path).findall("joint"))
    index = {pybullet.getJointInfo(body, i, physicsClientId=client)[1].decode(): i for i in range(count)}

    def com_of_child(i: int) -> np.ndarray:
        state = pybullet.getLinkState(body, i, computeForwardKinematics=True, physicsClientId=client)
        return np.array([*state[0], 1.0])

    for design in moving(path):
        if design["kind"] == "helical":  # two joints for PyBullet
            continue
        i = index[design["name"]]
        xi = screw(design["kind"], design["axis"], design["point"])
        rest = com_of_child(i)
        for q in np.clip(limits(design), -2.0, 2.0):
            pybullet.resetJointState(body, i, q, physicsClientId=client)
            assert_allclose(com_of_child(i), exp(q * xi) @ rest, rtol=0, atol=1e-9, err_msg=design["name"])
        pybullet.resetJointState(body, i, 0.0, physicsClientId=client)


# ------------------------------------------------------------------ what the collection shows


def depth(joints: list[dict[str, Any]]) -> int:
    """Largest number of moving joints between the root and a link."""
    above = {j["child"]: j for j in joints}

    def count(link: str) -> int:
        return 0 if link not in above else count(above[link]["parent"]) + (above[link]["kind"] != "fixed")

    return max(count(link) for link in above)


def holds(condition: Any) -> list[str]:
    """Stems of the objects for which a condition on (file, joints of the answer) holds."""
    return [path.stem for path in FILES if condition(path, answer(path)["joints"])]


def test_every_object_has_its_answer():
    assert len(FILES) >= 32
    assert {p.with_suffix("") for p in FILES} == {p.with_suffix("") for p in URDFS.glob("*/*.json")}
    assert {p.parent.name for p in FILES} == SUPER_CATEGORIES
    assert all(xml(path).get("name") == path.stem and answer(path)["derivation"] for path in FILES)


def test_every_mesh_is_used_and_small():
    meshes = {p for p in URDFS.glob("*/meshes/*") if p.is_file()}
    named = {path.parent / m.get("filename") for path in FILES for m in xml(path).iter("mesh")}
    assert meshes == named
    assert {p.suffix for p in meshes} == {".obj", ".stl"}
    assert sum(p.stat().st_size for p in meshes) < 100_000


def test_all_kinds_of_joint():
    kinds = {joint["kind"] for path in FILES for joint in answer(path)["joints"]}
    assert kinds == {"revolute", "continuous", "prismatic", "helical", "fixed"}
    assert sum(len(moving(path)) for path in FILES) >= 200


SHOWN = {
    "helical as turn and slide": lambda path, joints: (
        any(j["kind"] == "helical" for j in joints) and path.stem != NOT_STANDARD
    ),
    "helical as screw": lambda path, joints: xml(path).find("joint[@type='screw']/thread_pitch") is not None,
    "left-handed thread": lambda path, joints: any((j["pitch"] or 0) < 0 for j in joints),
    "mimic": lambda path, joints: any(j["mimic"] for j in joints),
    "single joint": lambda path, joints: len(joints) == 1,
    "tree of 30 joints": lambda path, joints: len(joints) >= 30 and depth(joints) >= 3,
    "chain of 12 joints": lambda path, joints: depth(joints) >= 12,
    "arm of 6 joints": lambda path, joints: path.stem == "arm" and depth(joints) >= 6,
    "limits that exclude 0": lambda path, joints: any(
        float(j["lower"]) > 0 or float(j["upper"]) < 0 for j in joints if j["kind"] != "continuous"
    ),
    "one infinite limit": lambda path, joints: any(
        math.isinf(float(j["lower"])) != math.isinf(float(j["upper"])) for j in joints
    ),
    "carried body": lambda path, joints: any(j["body"] and j["body"]["source"] == "carried" for j in joints),
    "body from meshes alone": lambda path, joints: (
        xml(path).find(".//inertial") is None
        and all(j["body"] is None or j["body"]["source"] == "visual" for j in joints)
    ),
    "body from inertial and mesh": lambda path, joints: any(
        j["body"] and j["body"]["source"] == "mixed" for j in joints
    ),
    "welded parts": lambda path, joints: any(
        f["kind"] == "fixed" and any(m["child"] == f["parent"] and m["kind"] != "fixed" for m in joints) for f in joints
    ),
    "rotated joint frames": lambda path, joints: any(
        np.count_nonzero([float(v) for v in (o.get("rpy") or "0").split()]) == 3
        for o in xml(path).iterfind("joint/origin")
    ),
    "off the origin": lambda path, joints: joints[0]["kind"] == "fixed" and joints[0]["name"] == "placement",
    "tilted axis": lambda path, joints: any(j["axis"] and np.abs(j["axis"]).max() < 0.99 for j in joints),
}


@pytest.mark.parametrize("what", SHOWN)
def test_the_collection_shows(what):
    assert holds(SHOWN[what]), f"no object shows: {what}"


def test_double_sided_mesh():
    """Every triangle of the chest's lid is there twice, with opposite winding."""
    lines = (URDFS / "containers/meshes/chest_lid.obj").read_text().splitlines()
    faces = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("f ")]

    def wound(face: tuple[int, ...]) -> tuple[int, ...]:
        start = face.index(min(face))
        return face[start:] + face[:start]

    once = {wound(face) for face in faces}
    assert len(once) == len(faces)
    assert {wound(face[::-1]) for face in faces} == once


def test_equal_drawers():
    """Four drawers with one stroke and one body, but for the height."""
    drawers = [j for j in moving(URDFS / "storage/chest_of_drawers.urdf") if j["name"].startswith("slide")]
    assert len(drawers) == 4
    assert len({j["upper"] for j in drawers}) == 1
    assert_allclose([j["body"]["inertia"] for j in drawers], [drawers[0]["body"]["inertia"]] * 4, rtol=1e-9, atol=1e-12)


def test_slide_and_turn_on_one_part():
    """The swivel chair's seat slides and turns about one line."""
    joints = {j["name"]: j for j in moving(URDFS / "furniture/swivel_chair.urdf")}
    lift, swivel = joints["lift"], joints["swivel"]
    assert (lift["kind"], swivel["kind"]) == ("prismatic", "continuous")
    assert lift["child"] == swivel["parent"]
    assert lift["axis"] == swivel["axis"]
    assert lift["body"]["mass"] == swivel["body"]["mass"]
