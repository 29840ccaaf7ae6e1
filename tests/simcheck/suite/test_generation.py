"""A generated suite: the same bytes however it is made, a true manifest, and objects that are what they say."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pybullet
import pytest
import separating_axes as axes
from lxml import etree
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from urdf_and_command import killed, run

from metric import exp
from simcheck import load
from simcheck.engine.pybullet import PyBulletEngine
from simcheck.errors import UsageError
from simcheck.suite import generate_suite
from simcheck.suite.catalogue import Category, categories, quotas, roster
from simcheck.suite.checking import CheckFailed, check
from simcheck.suite.generate import CHUNK, _summary, make_chunk, write_object
from simcheck.suite.materials import STEEL
from simcheck.suite.overview import _draw_groups
from simcheck.suite.production import ATTEMPTS, produce

OBJECTS = 2 * CHUNK + 20  # three chunks
KINDS = ("revolute", "prismatic", "continuous", "helical", "fixed")


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """A small suite, made by one worker."""
    return generate_suite(tmp_path_factory.mktemp("suite") / "whole", objects=OBJECTS, seed=7, workers=1)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# --- the whole -----------------------------------------------------------------------------------------------------


def test_a_killed_run_with_two_workers_ends_with_the_same_bytes(suite, tmp_path):
    out = tmp_path / "killed"
    command = ["suite", "generate", str(out), "--objects", str(OBJECTS), "--seed", "7", "--workers", "2"]
    done = killed(*command, out=out, parts=1)
    assert done, "killed before anything was done"
    parts = out / ".parts"
    (parts / "000002.json").write_text('{"rejected": [')  # a half-written part must not count
    resumed = run(*command, "--json")
    assert resumed.code == 0
    assert contents(out) == contents(suite.path)
    assert resumed.json == {**suite.summary, "out": str(out)}
    # A finished run is only read.
    stamp = (out / "manifest.parquet").stat().st_mtime_ns
    assert run(*command).code == 0
    assert (out / "manifest.parquet").stat().st_mtime_ns == stamp


def test_another_seed_is_another_suite_and_a_larger_one_has_the_same_objects(suite):
    assert roster(50, 1) != roster(50, 2)
    by_number = {c.number: c for c in categories()}
    (entry,) = [e for e in roster(3 * OBJECTS, 7) if (e[0].name, e[1]) == ("jar", 1)]
    made, _ = produce(by_number[entry[0].number], entry[1], 7)
    meta = json.loads(next(suite.path.rglob("jar_0001/meta.json")).read_text())
    assert made.draw.parameters == meta["parameters"]
    other, _ = produce(by_number[entry[0].number], entry[1], 8)
    assert other.draw.parameters != meta["parameters"]


def test_the_roster_has_every_category_by_its_weight():
    numbers = [c.number for c in categories()]
    assert numbers == list(range(1, 99))
    assert len({c.super_category for c in categories()}) == 15
    shares = quotas(20_000)
    assert sum(shares) == 20_000
    weights = np.array([c.weight for c in categories()])
    assert_allclose(shares, 20_000 * weights / weights.sum(), atol=1)
    counts = Counter(c.number for c, _ in roster(1000, 3))
    assert [counts[k] for k in numbers] == quotas(1000)
    assert len(set(roster(1000, 3))) == 1000


def test_the_manifest_says_what_the_files_say(suite):
    """Each row against its files, read with nothing of ours."""
    manifest = suite.manifest
    assert manifest.height == OBJECTS
    for row in manifest.iter_rows(named=True):
        files = contents(suite.path / row["path"])
        assert row["files"] == len(files)
        assert row["bytes"] == sum(map(len, files.values()))
        digest = hashlib.sha256(b"".join(name.encode() + b"\0" + files[name] for name in sorted(files)))
        assert row["sha256"] == digest.digest()
        robot = etree.fromstring(files["mobility.urdf"])
        assert row["mass"] == pytest.approx(sum(float(m.get("value")) for m in robot.iter("mass")), rel=1e-8)
        kinds = Counter(joint["kind"] for joint in json.loads(files["meta.json"])["joints"])
        assert {k: row[k] for k in KINDS} == {k: kinds[k] for k in KINDS}
        assert row["movable"] == sum(kinds.values()) - kinds["fixed"]
        written = Counter(joint.get("type") for joint in robot.iter("joint"))
        screws = kinds["helical"]
        as_pairs = screws if row["helical_spelling"] == "pair" else 0
        assert written["screw"] == screws - as_pairs
        assert written["revolute"] == kinds["revolute"] + as_pairs
        assert written["prismatic"] == kinds["prismatic"] + as_pairs
    assert pl.read_parquet(suite.path / "manifest.parquet").equals(manifest)
    assert (suite.path / "figures" / "overview.png").stat().st_size > 50_000


def test_groups_of_equal_size_stand_by_name_in_the_overview():
    manifest = pl.DataFrame({"super_category": list("hdagcfbe") * 2, "category": list("stuvwxyz") * 2})
    drawing = Figure().add_subplot()
    _draw_groups(drawing, manifest)
    assert [label.get_text() for label in drawing.get_yticklabels()] == list("abcdefgh")


def test_the_summary_adds_the_manifest_up(suite):
    summary, manifest = suite.summary, suite.manifest
    assert suite.passed
    assert summary["objects"] == OBJECTS
    assert summary["joints_by_kind"] == {k: manifest[k].sum() for k in KINDS}
    assert all(summary["joints_by_kind"].values())
    groups = summary["by_super_category"]
    assert len(groups) == 15
    assert sum(g["objects"] for g in groups.values()) == OBJECTS
    assert sum(g["movable"] for g in groups.values()) == summary["movable_joints"] == manifest["movable"].sum()
    assert summary["max_screw_error"] <= 1e-12
    assert summary["max_placement_error"] <= 1e-12
    assert summary["max_limit_error"] <= 1e-9
    assert manifest["sweep_free"].all()
    assert summary["sha256"] == hashlib.sha256(b"".join(manifest["sha256"])).hexdigest()
    assert json.loads((suite.path / "summary.json").read_text()) == summary


# --- every category --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One object of every category, those with a screw twice: spelt as a pair and as a screw; with file and box."""
    out, found = tmp_path_factory.mktemp("made"), []
    for category in categories():
        produced, rejected = produce(category, 0, seed=11)
        assert produced is not None, rejected
        spellings = (False, True) if any(j.kind == "helical" for j in produced.assembly.joints) else (False,)
        for screw_type in spellings:
            again = replace(produced, screw_type=screw_type)
            _, path, box = write_object(again, 11, out)
            found.append((again, path, box))
    return found


def test_every_category_is_what_it_was_meant_to_be(made):
    """Read back, driven and pressed: within the tolerances, every joint."""
    assert {p.category.number for p, _, _ in made} == set(range(1, 99))
    assert any(p.screw_type for p, _, _ in made)
    with PyBulletEngine() as engine:
        for produced, path, box in made:
            checked = check(path, produced.assembly, box, engine)
            assert checked.joints == len(produced.assembly.movable)
            assert checked.screw_error <= 1e-12
            assert checked.placement_error <= 1e-12
            assert checked.limit_error <= 1e-9


def test_pybullet_moves_the_files_as_they_stand(made):
    """Without our engine between: every joint of every file at both ends, seen from PyBullet's own reading of it."""
    client = pybullet.connect(pybullet.DIRECT)
    try:
        pybullet.setPhysicsEngineParameter(enableFileCaching=0, physicsClientId=client)
        for produced, path, box in made:
            if produced.screw_type:
                with pytest.raises(pybullet.error):
                    _loaded(path, client)
            elif len(produced.assembly.joints) <= 100:  # beyond 121 joints PyBullet reads states back as 0
                _check_as_it_stands(produced, path, box, client)
    finally:
        pybullet.disconnect(client)


def _loaded(path, client):
    flags = pybullet.URDF_USE_INERTIA_FROM_FILE | pybullet.URDF_IGNORE_VISUAL_SHAPES | 1024  # no collision shapes
    return pybullet.loadURDF(str(path), useFixedBase=True, flags=flags, physicsClientId=client)


def _check_as_it_stands(produced, path, box, client):
    pybullet.resetSimulation(physicsClientId=client)
    body = _loaded(path, client)
    infos = [pybullet.getJointInfo(body, k, physicsClientId=client) for k in range(pybullet.getNumJoints(body, client))]
    index = {info[1].decode(): info for info in infos}
    assembly, size = produced.assembly, float(np.linalg.norm(box[1] - box[0]))
    for joint in assembly.movable:
        info = index[joint.name]
        feed = index.get(f"{joint.name}_feed")
        if joint.kind != "continuous":
            assert info[8:10] == (joint.lower, joint.upper)
        child = (feed or info)[0]
        assert (feed or info)[12].decode() == assembly.links[joint.child]
        at_rest = _pose(body, child, client)
        for q in (1.0,) if joint.kind == "continuous" else (joint.lower, joint.upper):
            pybullet.resetJointState(body, info[0], q, physicsClientId=client)
            if feed:
                pybullet.resetJointState(body, feed[0], joint.pitch * q, physicsClientId=client)
            moved = _pose(body, child, client) @ np.linalg.inv(at_rest)
            pybullet.resetJointState(body, info[0], 0.0, physicsClientId=client)
            if feed:
                pybullet.resetJointState(body, feed[0], 0.0, physicsClientId=client)
            assert_allclose(moved, exp(q * joint.screw), atol=1e-9 * max(1.0, size), err_msg=f"{path} {joint.name}")


def _pose(body, link, client):
    state = pybullet.getLinkState(body, link, computeForwardKinematics=True, physicsClientId=client)
    pose = np.eye(4)
    pose[:3, :3] = np.reshape(pybullet.getMatrixFromQuaternion(state[1]), (3, 3))
    pose[:3, 3] = state[0]
    return pose


def test_an_independent_check_finds_no_parts_that_overlap(made):
    """Brute force over the written files, round solids as polyhedra inside them, of objects that are not too large."""
    small = [path for p, path, _ in made if p.sweep.pairs <= 3000 and not p.screw_type]
    assert len(small) > 40
    for path in small[::2]:
        assert axes.overlaps_on_the_way(load(path), positions=5) == []


def test_the_rules_of_the_suite_show_in_it(suite):
    """Shares that the taxonomy asks for, within what so few objects can tell."""
    manifest = suite.manifest
    assert (
        0.2
        < manifest["rotated_frames"].sum() / manifest.select(pl.sum_horizontal("movable", "fixed").sum()).item()
        < 0.4
    )
    assert 0.65 < (manifest["rest"] == "closed").mean() < 0.9
    assert manifest["rest_outside_limits"].sum() == (manifest["rest"] == "outside").sum() > 0
    assert (manifest["depth"] >= 2).mean() > 0.12
    assert 0.05 < (manifest["helical"] > 0).mean() < 0.25
    assert (manifest["path"].str.starts_with("screw_spelling/")).equals(
        (manifest["helical_spelling"] == "screw").fill_null(False)
    )


# --- what is wrong is found --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "old", "new"),
    [
        ("limits", 'upper="1.5"', 'upper="1.5000000001"'),
        ("kind or links", 'name="door_hinge" type="revolute"', 'name="door_hinge" type="prismatic"'),
        ("screw", 'axis xyz="0 0 1"', 'axis xyz="0 1e-9 1"'),
        ("mass", 'mass value="', 'mass value="1'),
        ("other joints", "door_hinge", "door_hing"),
        ("axis", 'axis xyz="0 0 1"', 'axis xyz="0 0 2"'),
    ],
)
def test_a_file_that_says_something_else_does_not_pass(tmp_path, what, old, new):
    produced, path, box = _door(tmp_path)
    with PyBulletEngine() as engine:
        assert check(path, produced.assembly, box, engine).joints == 1
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(CheckFailed, match=what):
            check(path, produced.assembly, box, engine)


def _door(out):
    def build_door(build, draw):
        frame = build.root("frame", STEEL)
        frame.box((-0.1, -0.05), (0, 0.1), (0, 1))
        frame.hinge("door", "z", (0, 0, 0), 1.5).box((0, 0.5), (0, 0.03), (0, 1))

    for number in range(40):
        produced, _ = produce(Category(200, "test", "door", 1, build_door), number, 0)
        plain = not any(map(any, produced.assembly.rpys)) and produced.rest == "closed"
        if plain and produced.assembly.joints[0].axis == (0, 0, 1) and produced.assembly.frames[0, 0, 0] == 1:
            _, path, box = write_object(produced, 0, out)
            return produced, path, box
    raise AssertionError("no plain door")


class CrookedEngine(PyBulletEngine):
    """PyBullet with a fault: placements or stops a little off."""

    def __init__(self, sweep=0.0, stop=0.0):
        super().__init__()
        self.sweep_fault, self.stop_fault = sweep, stop

    def sweep(self, joint, coordinates, links):
        return super().sweep(joint, [q * (1 + self.sweep_fault) for q in coordinates], links)

    def press_all(self, joints):
        stops = super().press_all(joints)
        return {name: (low, high + self.stop_fault) for name, (low, high) in stops.items()}


@pytest.mark.parametrize(("fault", "words"), [({"sweep": 1e-9}, "PyBullet is .* off"), ({"stop": 1e-6}, "motor stops")])
def test_a_simulator_that_does_something_else_does_not_pass(tmp_path, fault, words):
    produced, path, box = _door(tmp_path)
    with CrookedEngine(**fault) as engine, pytest.raises(CheckFailed, match=words):
        check(path, produced.assembly, box, engine)


def test_a_category_that_always_collides_is_given_up_and_named():
    def colliding(build, draw):
        base = build.root("base", STEEL)
        base.box((0, 0.1), (0, 0.1), (0, 0.1))
        base.slide("part", "x", 0.3).box((-0.2, -0.1001), (0, 0.1), (0, 0.1))

    produced, rejected = produce(Category(201, "test", "colliding", 1, colliding), 0, 0)
    assert produced is None
    assert [r.attempt for r in rejected] == list(range(ATTEMPTS))
    assert rejected[0].reason.startswith("part_slide at ")


@pytest.mark.parametrize(("rejections", "faulty"), [(2, False), (3, True)])
def test_too_many_rejected_attempts_make_a_category_faulty(suite, rejections, faulty):
    """5 % of the attempts; two are forgiven where there are few objects."""
    entry = {"category": "jar", "number": 0, "attempt": 0, "reason": "lid"}
    facts = [{"failures": [], "rejected": [entry] * rejections}]
    summary = _summary(suite.manifest, facts)
    assert summary["rejected_by_category"] == {"jar": rejections}
    assert summary["faulty_categories"] == (["jar"] if faulty else [])


def test_a_failing_object_is_named_and_the_others_go_on(monkeypatch, tmp_path):
    """A fault of one object: its reason in the outcome, no row, the rest made."""

    def failing(path, assembly, box, engine):
        if "door" in path.parts:
            raise CheckFailed("a joint is bent")
        return check(path, assembly, box, engine)

    monkeypatch.setattr("simcheck.suite.generate.check", failing)
    chosen = {c.name: c.number for c in categories()}
    chunk = make_chunk([(chosen["door"], 0), (chosen["jar"], 0)], 0, str(tmp_path))
    assert chunk.failures == [{"id": "door_0000", "reason": "a joint is bent"}]
    assert [row["id"] for row in chunk.rows] == ["jar_0000"]


# --- use and misuse ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"objects": 0}, {"workers": 0}])
def test_senseless_options_are_refused(tmp_path, options):
    with pytest.raises(UsageError, match="expected at least 1, got 0"):
        generate_suite(tmp_path / "out", **options)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    out = tmp_path / "out"
    generate_suite(out, objects=2)
    (out / "mine.txt").write_text("precious")
    refused = run("suite", "generate", out, "--objects", 3)
    assert (refused.code, refused.out) == (2, "")
    assert "--force" in refused.err
    assert generate_suite(out, objects=3, force=True).summary["objects"] == 3
    assert len(list(out.rglob("mobility.urdf"))) == 3
    assert (out / "mine.txt").read_text() == "precious"


def test_calibrate_draws_objects_of_the_suite(tmp_path):
    """`--suite N`: N objects by the seed, made in the results folder, calibrated with what else is given."""
    own = Path(__file__).resolve().parents[3] / "urdfs" / "containers" / "jar.urdf"
    out = tmp_path / "out"
    command = ("calibrate", own, "--suite", 3, "--seed", 5, "--out", out, "--workers", 2, "--json")
    ran = run(*command)
    assert ran.code == 0, ran.err
    assert ran.json["objects"] == 4
    assert ran.json["failures"] == []
    files = sorted(out.glob("suite/**/mobility.urdf"))
    assert len(files) == 3
    assert {c.name for c, _ in roster(3, 5)} == {f.parents[1].name for f in files}
    objects = set(pl.read_parquet(out / "rows.parquet")["object"])
    assert len(objects) == 4
    stamp = (out / "rows.parquet").stat().st_mtime_ns
    assert run(*command).code == 0
    assert (out / "rows.parquet").stat().st_mtime_ns == stamp
