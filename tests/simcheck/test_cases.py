"""The shared cases that `describe`, `drive` and Python can answer, through the command line.

Each folder of `tests/cases` is one kind of trouble that people reported, with the right answer beside it. What needs
`compare` is tested there.
"""

from __future__ import annotations

import functools
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from urdf_and_command import case_folder, run

import metric
import simcheck


def expected(number: str) -> dict[str, Any]:
    return json.loads((case_folder(number) / "expected.json").read_text())


@functools.cache
def described(number: str, file: str, *flags: str) -> dict[str, Any]:
    ran = run("describe", case_folder(number) / file, "--json", "--all", *flags)
    assert ran.code == 0, ran.err
    return ran.json


def joint_of(result: dict[str, Any], name: str) -> dict[str, Any]:
    return next(j for j in result["joints"] if j["name"] == name)


def check(number: str, key: str, value: Any) -> None:
    """A value against expected.json at its own tolerance, endpoint pairs in either order."""
    want = expected(number)["values"][key]
    atol, rtol = want.get("tol_abs", 0.0), want.get("tol_rel", 0.0)
    got, right = np.asarray(value, dtype=float), np.asarray(want["value"], dtype=float)
    if want.get("unordered") and not np.allclose(got, right, rtol=rtol, atol=atol):
        got = got[::-1]
    np.testing.assert_allclose(got, right, rtol=rtol, atol=atol, err_msg=f"case {number}: {key}")


def check_not(number: str, value: Any) -> None:
    """None of the wrong answers that a known fault would print."""
    for fault, wrong in expected(number).get("wrong_answers", {}).items():
        if isinstance(wrong, (int, float, list)) and np.shape(wrong) == np.shape(value):
            assert not np.allclose(value, wrong, rtol=0, atol=1e-6), f"case {number}: {fault}"


def refused(number: str, file: str, *words: str, command: str = "describe") -> None:
    """The file is refused: exit code 2, nothing on stdout, one message with these words."""
    ran = run(command, case_folder(number) / file, "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert len(ran.err.strip().splitlines()) <= 2
    for word in (file, *words):
        assert word in ran.err, (word, ran.err)


def warned(result: dict[str, Any], *words: str) -> None:
    """One warning of the result holds all these words."""
    texts = [f"{w['file']} {w['element']} {w['message']}" for w in result["warnings"]]
    assert any(all(word in text for word in words) for text in texts), (words, texts)


def null_because(joint: dict[str, Any], field: str, *words: str) -> None:
    assert joint["to_fixed"][field] is None
    for word in words:
        assert word in joint["null_reasons"][field], (word, joint["null_reasons"])


@pytest.mark.parametrize("name", ["swing", "poke"])
def test_01_axis_in_the_joint_frame(name):
    joint = joint_of(described("01", "crate.urdf"), name)
    for key, field in (("axis", "axis"), ("origin", "origin"), ("endpoint_pair", "endpoints")):
        check("01", f"{name}.{key}", joint[field])
    check_not("01", joint["axis"])


def test_02_rpy_about_fixed_axes():
    result = described("02", "kiosk.urdf")
    joint = joint_of(result, "turn")
    check("02", "turn.axis", joint["axis"])
    check("02", "turn.v", joint["screw"][3:])
    check("02", "turn.endpoint_pair", joint["endpoints"])
    door = next(link for link in result["links"] if link["name"] == "door")
    check("02", "link door rotation (row major)", door["rotation"])
    check_not("02", joint["axis"])


def test_04_inertial_frame_rotated():
    joint = joint_of(described("04", "gt.urdf"), "hinge")
    check("04", "hinge.axis", joint["axis"])
    check("04", "com_world", joint["body"]["com"])
    check("04", "inertia_world_about_com", joint["body"]["inertia"])
    check("04", "E_B(gt,fixed)", joint["to_fixed"]["E_B"])
    check_not("04", joint["axis"])
    check_not("04", joint["to_fixed"]["E_B"])


def test_05_base_com_offset():
    joint = joint_of(described("05", "safe.urdf"), "hinge")
    check("05", "hinge.axis", joint["axis"])
    check("05", "hinge.origin", joint["origin"])
    check("05", "hinge.endpoint_pair", joint["endpoints"])
    check("05", "com_door", joint["body"]["com"])
    check("05", "E_B(gt,fixed)", joint["to_fixed"]["E_B"])
    check_not("05", joint["origin"])


def test_07_zero_axis():
    refused("07", "movable.urdf", "joint 'spin'", "axis", "zero", "0 0 0")
    assert joint_of(described("07", "fixed.urdf"), "glue")["endpoints"] == [[0.0] * 6] * 2


def test_08_missing_axis_is_x():
    joint = joint_of(described("08", "tray.urdf"), "slide")
    check("08", "slide.axis", joint["axis"])
    check("08", "slide.endpoint_pair", joint["endpoints"])
    check_not("08", joint["axis"])


def test_10_continuous_without_limit():
    joint = joint_of(described("10", "gt.urdf"), "spin")
    check("10", "E_alpha_phi", joint["to_fixed"]["E_alpha_phi"])
    check("10", "E_B_phi", joint["to_fixed"]["E_B_phi"])
    for field in ("E_alpha", "E_B", "d"):
        null_because(joint, field, "gt.urdf", "spin", "continuous", "E^phi")
    assert (joint["lower"], joint["upper"], joint["endpoints"]) == ("-inf", "inf", None)


def test_11_limits_reversed():
    result = described("11", "pred.urdf")
    check("11", "pred endpoint_pair", joint_of(result, "drop")["endpoints"])
    warned(result, "pred.urdf", "drop", "lower", "upper")


def test_13_lower_limit_omitted():
    joint = joint_of(described("13", "vat.urdf"), "lift")
    check("13", "lift.endpoint_pair", joint["endpoints"])
    check("13", "E_alpha(gt,fixed)", joint["to_fixed"]["E_alpha"])
    check_not("13", [joint["lower"], joint["upper"]])


def test_14_range_excludes_zero():
    result = described("14", "clamp.urdf")
    bite, slip = joint_of(result, "bite"), joint_of(result, "slip")
    check("14", "bite.endpoint_pair", bite["endpoints"])
    check("14", "slip.axis", slip["axis"])
    check("14", "slip.endpoint_pair", slip["endpoints"])
    check("14", "E_B(bite,fixed; body jaw)", bite["to_fixed"]["E_B"])
    check("14", "d(bite,fixed; body jaw)", bite["to_fixed"]["d"])
    check_not("14", slip["axis"])
    driven = run("drive", case_folder("14") / "clamp.urdf", "--json").json
    check("14", "d(bite,fixed; body jaw)", math.hypot(*joint_of(driven, "bite")["rms_displacement"]))


def test_16_one_sided_infinite_limit():
    gt, both = (joint_of(described("16", f"{n}.urdf"), "move") for n in ("gt", "both"))
    check("16", "gt.phi_pair", gt["phi_endpoints"])
    check("16", "both.phi_pair", both["phi_endpoints"])
    check("16", "E_alpha_phi(fixed,gt)", gt["to_fixed"]["E_alpha_phi"])
    for field in ("E_alpha", "E_B"):
        null_because(gt, field, "gt.urdf", "move", "infinite upper limit", "E^phi")


@pytest.mark.parametrize(
    ("file", "element", "attribute"),
    [
        ("pred.urdf", "move", "limit upper"),
        ("pred_mass.urdf", "jib", "mass value"),
        ("pred_origin.urdf", "move", "xyz"),
    ],
)
def test_17_nan_in_attributes(file, element, attribute):
    refused("17", file, element, attribute, "nan")


@pytest.mark.parametrize(
    ("file", "attribute", "text"),
    [
        ("comma.urdf", "origin xyz", "0.1,"),
        ("empty.urdf", "origin xyz", "3 numbers expected"),
        ("four.urdf", "origin xyz", "0.1 -0.2 0.3 0"),
        ("two.urdf", "origin xyz", "3 numbers expected"),
        ("word.urdf", "axis xyz", "O.8"),
    ],
)
def test_19_malformed_vectors(file, attribute, text):
    refused("19", file, "joint 'swing'", attribute, text)


def _comma_locale() -> str | None:
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    return next((name for name in listed if name.lower() in ("de_de.utf8", "de_de.utf-8")), None)


def test_20_decimal_comma_locale():
    refused("20", "comma.urdf", "joint 'pull'", "upper", "0,375")
    locale_name = _comma_locale()
    if locale_name is None:
        pytest.skip("no de_DE locale on this machine (Debian: package locales, then localedef)")
    script = f"""
import json, locale
locale.setlocale(locale.LC_ALL, {locale_name!r})
import simcheck
from simcheck.engine import canonical, open_engine
obj = simcheck.load({str(case_folder("20") / "dot.urdf")!r})
with open_engine() as engine:  # in this very process, whose locale has a comma
    engine.load(canonical(obj))
    here = engine.sweep("pull", [0.0, 0.375], [obj.joint("pull").child]).displacements()
driven = simcheck.drive(obj)["joints"][0]
j = obj.joint("pull")
print(json.dumps(dict(origin=j.origin, axis=j.axis, endpoints=j.endpoints.tolist(), here=here[1, 0, :3, 3].tolist(),
                      rms=driven["rms_displacement"][1], error=driven["placement_error"])))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    check("20", "pull.origin", found["origin"])
    check("20", "pull.axis", found["axis"])
    check("20", "pull.endpoint_pair", found["endpoints"])
    check("20", "sim stroke at upper", found["rms"])
    check("20", "sim stroke at upper", np.linalg.norm(found["here"]))
    assert found["error"] < 1e-12


def test_22_several_roots():
    refused("22", "two_trees.urdf", "plinth", "stray")
    refused("22", "orphan_link.urdf", "plinth", "loose")


def test_23_cycles_and_two_parents():
    refused("23", "cycle.urdf", "no root link", "p", "q", "r")
    refused("23", "two_parents.urdf", "rod", "j3", "j4")
    refused("23", "self_loop.urdf", "j2", "'a'")


def test_25_mimic_offset():
    result = described("25", "claw.urdf")
    slot, follow = joint_of(result, "slot"), joint_of(result, "follow")
    check("25", "slot.axis", slot["axis"])
    check("25", "slot.origin", slot["origin"])
    check("25", "slot.endpoint_pair", slot["endpoints"])
    check("25", "follow.endpoint_pair", follow["endpoints"])
    check_not("25", slot["axis"])
    warned(result, "follow", "mimic", "lead", "treated as an independent joint")
    driven = run("drive", case_folder("25") / "claw.urdf", "--json").json
    assert joint_of(driven, "lead")["moves"] == expected("25")["values"]["links moved by lead"]["value"]


def test_26_welded_mass():
    for file in ("with_knob.urdf", "merged.urdf"):
        joint = joint_of(described("26", file), "swing")
        check("26", "m", joint["body"]["mass"])
        check("26", "com_world", joint["body"]["com"])
        check("26", "inertia_world_about_com", joint["body"]["inertia"])
        check("26", "E_B(swing,fixed)", joint["to_fixed"]["E_B"])
        check_not("26", joint["to_fixed"]["E_B"])


def test_28_unphysical_inertia():
    principal = described("28", "principal.urdf")
    tip = joint_of(principal, "tip")
    check("28", "principal.urdf principal moments", tip["body"]["principal_moments"])
    check("28", "principal.urdf E_B(tip,fixed)", tip["to_fixed"]["E_B"])
    moments = tip["body"]["principal_moments"]
    check("28", "principal.urdf violation J1+J2-J3", moments[0] + moments[1] - moments[2])
    warned(principal, "lid", "inertia", "triangle inequality of the principal moments")
    zero = described("28", "zero.urdf")
    check("28", "zero.urdf E_B(tip,fixed)", joint_of(zero, "tip")["to_fixed"]["E_B"])
    warned(zero, "lid", "zero inertia")
    negative = joint_of(described("28", "negative.urdf"), "tip")
    null_because(negative, "E_B", "negative.urdf", "lid", "inertia", "not positive semidefinite")


@pytest.mark.parametrize(("file", "mass"), [("fan.urdf", "mass 0"), ("neg.urdf", "mass -1")])
def test_29_no_mass(file, mass):
    joint = joint_of(described("29", file), "spin")
    for field in ("E_B", "d"):
        null_because(joint, field, file, "hub", mass)
    want = expected("29")["also"]["E_alpha(spin,fixed)"]
    assert joint["to_fixed"]["E_alpha"] == pytest.approx(want, abs=1e-9)


def test_31_inertia_of_the_file():
    joint = joint_of(described("31", "gt.urdf"), "turn")
    check("31", "E_B(turn,fixed)", joint["to_fixed"]["E_B"])
    check("31", "inertia diag used", np.diag(joint["body"]["inertia"]))
    check_not("31", joint["to_fixed"]["E_B"])


@pytest.mark.parametrize("file", ["good.urdf", "flipped.urdf"])
def test_32_mesh_inside_out(file):
    result = described("32", file, "--density", "400")
    body = joint_of(result, "fold")["body"]
    check("32", "volume", body["volume"])
    check("32", "mass at 400 kg/m^3", body["mass"])
    check("32", "com_world", body["com"])
    check("32", "inertia_over_mass", np.array(body["inertia"]) / body["mass"])
    check("32", "E_B(fold,fixed)", joint_of(result, "fold")["to_fixed"]["E_B"])
    if file == "flipped.urdf":
        warned(result, "flipped.obj", "inward", "negative volume")


def test_34_open_mesh():
    result = described("34", "gt.urdf")
    joint = joint_of(result, "fold")
    check("34", "hull fallback: com_world", joint["body"]["com"])
    check("34", "hull fallback: inertia_over_mass", np.array(joint["body"]["inertia"]) / joint["body"]["mass"])
    check("34", "hull fallback: E_B(fold,fixed)", joint["to_fixed"]["E_B"])
    warned(result, "tub.obj", "ramp_leaf", "not watertight", "holes filled")
    check_not("34", joint["to_fixed"]["E_B"])


def test_35_uneven_vertices():
    joint = joint_of(described("35", "gt.urdf"), "fold")
    check("35", "volume", joint["body"]["volume"])
    check("35", "com_world", joint["body"]["com"])
    check("35", "inertia_over_mass", np.array(joint["body"]["inertia"]) / joint["body"]["mass"])
    check("35", "E_B(fold,fixed)", joint["to_fixed"]["E_B"])


def test_40_full_turn_against_fixed():
    (joint,) = (j for j in described("40", "gt_turn.urdf")["joints"] if j["kind"] == "revolute")
    check("40", "E_alpha(turn,fixed)", joint["to_fixed"]["E_alpha"])
    check("40", "E_B(turn,fixed)", joint["to_fixed"]["E_B"])
    check("40", "d(turn,fixed)", joint["to_fixed"]["d"])
    check_not("40", joint["to_fixed"]["E_alpha"])


def test_41_nearly_welded_and_helical():
    (joint,) = described("41", "rev_1e-9.urdf")["joints"]
    check("41", "E_alpha(rev_1e-9,fixed)", joint["to_fixed"]["E_alpha"])
    spec = json.loads((case_folder("41") / "helical.json").read_text())
    first, second = (
        metric.Joint(j["type"], tuple(j["axis"]), tuple(j["origin"]), *j["limits"], j.get("pitch_m_per_rad", 0.0))
        for j in (spec["J1"], spec["J2"])
    )
    body = metric.Body(spec["body"]["m"], spec["body"]["com"], spec["body"]["I"])
    check("41", "helical.json: E_alpha(J1,J2)", metric.joint_distance(first, second, metric.SplitNorm()))
    check("41", "helical.json: E_B(J1,J2)", metric.joint_distance(first, second, metric.KineticNorm(body)))
    check("41", "helical.json: d(J1,J2)", metric.motion_discrepancy(first, second, body))
    check("41", "helical.json: J1 endpoint pair", first.endpoints)


def _d(path: Path) -> float:
    """d of the file's one joint against rest, from the simulator."""
    (joint,) = simcheck.drive(path)["joints"]
    return math.hypot(*joint["rms_displacement"])


def test_46_clients_interleaved():
    import pybullet

    from simcheck.engine import canonical, open_engine
    from simcheck.workers import Workers

    one, two = (case_folder("46") / name for name in ("one.urdf", "two.urdf"))
    objects = [simcheck.load(one), simcheck.load(two)]
    names = [o.movable_joints[0] for o in objects]
    values = []
    with Workers(2) as workers:  # processes started afresh, reused
        for k in range(40):
            (joint,) = simcheck.drive(objects[k % 2], workers=workers)["joints"]
            values.append(math.hypot(*joint["rms_displacement"]))
            assert not pybullet.isConnected()
    check("46", "d(one,fixed)", values[0])
    check("46", "d(two,fixed)", values[1])
    assert set(values[::2]) == {values[0]}
    assert set(values[1::2]) == {values[1]}
    with open_engine() as first, open_engine() as second:
        second.load(canonical(objects[1]))
        first.load(canonical(objects[0]))
        for engine, joint in ((first, names[0]), (second, names[1])):
            placements = engine.sweep(joint.name, [0.0, 0.1], [joint.child]).displacements()
            assert np.allclose(placements[1, 0], metric.exp(0.1 * joint.screw), atol=1.0)
    assert not pybullet.isConnected()
    with pytest.raises(simcheck.AssetError):
        simcheck.drive(case_folder("46") / "missing.urdf")
    assert _d(one) == values[0]
    assert not pybullet.isConnected()


@pytest.mark.parametrize(
    ("file", "words"),
    [("degrees.urdf", ("j", "±90 rad", "28.6 turns", "degrees?")), ("millimetres.urdf", ("250 m", "millimetres?"))],
)
def test_47_suspect_units(file, words):
    result = described("47", file)
    warned(result, file, *words)
    key = f"{Path(file).stem}: E_alpha"
    check("47", key, joint_of(result, "j")["to_fixed"]["E_alpha"])


@pytest.mark.parametrize("name", ["turn", "slide"])
def test_49_small_motion_far_away(name):
    (joint,) = described("49", f"{name}.urdf")["joints"]
    check("49", f"{name}: E_alpha", joint["to_fixed"]["E_alpha"])
    check("49", f"{name}: E_B", joint["to_fixed"]["E_B"])
    (driven,) = run("drive", case_folder("49") / f"{name}.urdf", "--json").json["joints"]
    check("49", f"{name}: d", math.hypot(*driven["rms_displacement"]))


def test_50_degenerate_norm():
    (rev,) = described("50", "rev.urdf")["joints"]
    for field in ("E_alpha", "E_B", "d", "E_B_phi"):
        check("50", f"rev: {field}", rev["to_fixed"][field])
    result = described("50", "cont.urdf")
    (cont,) = result["joints"]
    check("50", "cont: E_alpha_phi", cont["to_fixed"]["E_alpha_phi"])
    assert cont["to_fixed"]["E_B_phi"] == 0.0
    warned(result, "cont.urdf", "roll", "zero kinetic norm", "nothing moves")


def test_52_same_file_name_rewritten(tmp_path):
    work = tmp_path / "work.urdf"
    for step in ("step1", "step2"):
        shutil.copy(case_folder("52") / f"{step}.urdf", work)
        (driven,) = simcheck.drive(work)["joints"]
        check("52", f"after {step}: d", math.hypot(*driven["rms_displacement"]))
        (joint,) = simcheck.describe(work)["joints"]
        check("52", f"after {step}: E_alpha", joint["to_fixed"]["E_alpha"])
    check("52", "after step2: simulated axis", driven["axis"])


def test_52_in_one_client(tmp_path):
    """The cache that this case is about lives in a client: two texts one after the other in the same one."""
    from simcheck.engine import canonical, open_engine

    with open_engine() as engine:
        for step in ("step1", "step2"):
            obj = simcheck.load(case_folder("52") / f"{step}.urdf")
            (joint,) = obj.movable_joints
            engine.load(canonical(obj))
            moved = engine.sweep(joint.name, [0.0, joint.upper], [joint.child]).displacements()[1, 0, :3, 3]
            assert np.allclose(moved, joint.upper * np.array(joint.axis), atol=1e-15)


def test_every_case_is_asked_somewhere():
    """No case folder is forgotten: those left for `compare` are named here."""
    asked = {name.split("_")[1] for name in globals() if name.startswith("test_") and name[5:7].isdigit()}
    left_for_compare = {"37", "38", "43", "44"}
    folders = {name[:2] for name in os.listdir(case_folder("01").parent) if name[:2].isdigit()}
    assert asked | left_for_compare == folders
