"""Each code: a small file that has the fault, and the finding on the right element with the right severity."""

from __future__ import annotations

import re

import pytest
from small_files import CLEAN, HINGE, SLIDE, A, B, boxed, inertial, link, one, two
from urdf_and_command import joint, robot

import simcheck
from simcheck.verification import CATALOGUE

SECOND = joint("k", "revolute", "b", "c", xyz="0.11 0 0", axis="1 0 0", limit='lower="-0.5" upper="1"')
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n"
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
OUTWARD = [(1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4)]


def tetrahedron(faces) -> str:
    return "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + "".join(f"f {a} {b} {c}\n" for a, b, c in faces)


def mesh(name: str, scale: str = "0.1 0.1 0.1") -> str:
    return f'<visual><geometry><mesh filename="{name}" scale="{scale}"/></geometry></visual>'


def with_mesh(name: str, scale: str = "0.1 0.1 0.1", *, weighed: bool = True) -> str:
    return one(b=link("b", inertial() if weighed else "", mesh(name, scale)))


def screw(turn_limit: str, slide_limit: str, mimic: str = 'joint="turn" multiplier="0.01"', helper: str = "") -> str:
    slide = joint("slide", "prismatic", "h", "b", axis="1 0 0", limit=slide_limit, more=f"<mimic {mimic}/>")
    turn = joint("turn", "revolute", "a", "h", xyz="0.11 0 0", axis="1 0 0", limit=turn_limit)
    return robot(turn, slide, links=A + link("h", helper) + B)


def weighed(moments: str) -> str:
    """Link b with the moments xx, yy, zz."""
    xx, yy, zz = moments.split()
    return one(b=link("b", inertial(moments=f'ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"'), boxed()))


PITCH = "<thread_pitch>0.01</thread_pitch><axis"
TYPED_SCREW = one(HINGE.replace("revolute", "screw").replace("<axis", PITCH))
SIZELESS = B.replace('<box size="0.1 0.2 0.3"/></geometry></c', "<box/></geometry></c")
HUGE = one(a=link("a", boxed(size="300 1 1")), b=link("b", boxed(at="200 0 0", size="30 1 1")))
RUNAWAY = screw('lower="0" upper="1"', 'lower="0" upper="10"', 'joint="turn" multiplier="10"')
FILLED_HELPER = screw('lower="0" upper="1"', 'lower="0" upper="0.01"', helper=boxed(size="0.01 0.01 0.01"))


def follower(more: str) -> str:
    return two(HINGE, SECOND.replace("</joint>", f"{more}</joint>"))


CIRCLE = follower('<mimic joint="j"/>').replace("</joint>", '<mimic joint="k"/></joint>', 1)

# code, severity, element, file text[, further files]
CASES = [
    ("XML_BROKEN", "error", "line 3", CLEAN[: len(CLEAN) // 2]),
    ("XML_ENTITY", "error", "", CLEAN.replace("<robot", '<!DOCTYPE r [<!ENTITY e "1">]><robot', 1)),
    ("XML_STYLE", "warning", "line 2", CLEAN.replace("<link", "<!-- a -- b --><link", 1)),
    ("XML_NAMESPACE", "info", "robot", CLEAN.replace("<robot", '<robot xmlns="http://ros.org"', 1)),
    ("FILE_EMPTY", "error", "", "  \n"),
    ("NOT_URDF", "error", "", "<sdf/>"),
    ("LINKS_NONE", "error", "", '<robot name="r"/>'),
    ("LINE_TOO_LONG", "warning", "robot", CLEAN.replace("<link", f"<!--{'x' * 9000}--><link", 1)),
    ("ROBOT_UNNAMED", "warning", "robot", CLEAN.replace(' name="r"', "", 1)),
    ("ELEMENT_REPEATED", "warning", "joint 'j'", one(HINGE.replace("<axis", '<axis xyz="0 1 0"/><axis'))),
    ("NAME_MISSING", "error", "joint", one(HINGE.replace('name="j"', 'name=""'))),
    ("NAME_UNUSUAL", "info", "joint 'j k'", one(HINGE.replace('name="j"', 'name="j k"'))),
    ("JOINT_NAME_DUPLICATE", "error", "joint 'j'", two(HINGE, SECOND.replace('"k"', '"j"'))),
    ("LINK_NAME_DUPLICATE", "error", "link 'b'", one(b=B + B)),
    ("JOINT_END_MISSING", "error", "joint 'j'", one(HINGE.replace('<child link="b"/>', ""))),
    ("LINK_UNDEFINED", "error", "joint 'j'", one(HINGE.replace('parent link="a"', 'parent link="x"'))),
    ("JOINT_SELF_LOOP", "error", "joint 'k'", two(HINGE, SECOND.replace('child link="c"', 'child link="b"'))),
    ("PARENTS_SEVERAL", "error", "link 'b'", two(HINGE, SECOND.replace("k", "k2") + joint("l", "fixed", "c", "b"))),
    ("ROOTS_SEVERAL", "error", "", one(b=B + link("c"))),
    ("STOPPED_HERE", "info", "robot", one(b=B + link("c"))),
    ("ROOT_MISSING", "error", "", two(HINGE, SECOND + joint("l", "fixed", "c", "a"))),
    ("CYCLE", "error", "", robot(SECOND, joint("l", "fixed", "c", "b"), links=A + B + link("c"))),
    ("JOINT_TYPE_MISSING", "error", "joint 'j'", one(HINGE.replace(' type="revolute"', ""))),
    ("JOINT_TYPE_UNKNOWN", "error", "joint 'j'", one(HINGE.replace("revolute", "hinge"))),
    ("JOINT_FREEDOMS", "error", "joint 'j'", one(HINGE.replace("revolute", "planar"))),
    ("JOINT_FLOATING_BASE", "info", "joint 'j'", one(HINGE.replace("revolute", "floating"))),
    ("NUMBER_INVALID", "error", "joint 'j'", one(HINGE.replace('upper="1"', 'upper="O.8"'))),
    ("NUMBER_COUNT", "error", "joint 'j'", one(HINGE.replace('axis xyz="1 0 0"', 'axis xyz="1 0"'))),
    ("NUMBER_WHITESPACE", "warning", "joint 'j'", one(HINGE.replace('xyz="0.11 0 0"', 'xyz="0.11\t0 0"'))),
    ("SIZE_MISSING", "error", "link 'b' collision", one(b=SIZELESS)),
    ("SIZE_NEGATIVE", "error", "link 'b' visual", one(b=B.replace('size="0.1', 'size="-0.1', 1))),
    ("GEOMETRY_UNUSABLE", "warning", "link 'b' visual", one(b=B.replace('<box size="0.1 0.2 0.3"/>', "<blob/>", 1))),
    ("AXIS_ZERO", "error", "joint 'j'", one(HINGE.replace('axis xyz="1 0 0"', 'axis xyz="0 0 0"'))),
    ("AXIS_NOT_UNIT", "error", "joint 'j'", one(SLIDE.replace('axis xyz="1 0 0"', 'axis xyz="2 0 0"'))),
    ("AXIS_NOT_UNIT", "warning", "joint 'j'", one(HINGE.replace('axis xyz="1 0 0"', 'axis xyz="2 0 0"'))),
    ("AXIS_NOT_UNIT", "info", "joint 'j'", one(SLIDE.replace('axis xyz="1 0 0"', 'axis xyz="0.7071 0.7071 0"'))),
    ("AXIS_DEFAULTED", "info", "joint 'j'", one(HINGE.replace('<axis xyz="1 0 0"/>', ""))),
    ("LIMIT_MISSING", "error", "joint 'j'", one(re.sub("<limit[^>]*>", "", HINGE))),
    ("LIMIT_DEFAULTED", "warning", "joint 'j'", one(HINGE.replace('upper="1"', ""))),
    ("LIMIT_ORDER", "error", "joint 'j'", one(HINGE.replace('lower="-0.5"', 'lower="2"'))),
    ("LIMIT_EMPTY", "error", "joint 'j'", one(HINGE.replace('lower="-0.5" upper="1"', 'lower="inf" upper="inf"'))),
    ("LIMIT_EQUAL", "warning", "joint 'j'", one(HINGE.replace('lower="-0.5"', 'lower="1"'))),
    ("LIMIT_EXCLUDES_REST", "info", "joint 'j'", one(HINGE.replace('lower="-0.5"', 'lower="0.5"'))),
    ("JOINT_NEVER_MOVES", "warning", "joint 'j'", one(HINGE.replace('lower="-0.5" upper="1"', 'lower="0" upper="0"'))),
    ("CONTINUOUS_WITH_LIMITS", "warning", "joint 'j'", one(HINGE.replace("revolute", "continuous"))),
    ("SIM_LIMITS", "warning", "joint 'j'", one(HINGE.replace("revolute", "continuous"))),
    ("UNIT_ANGLE", "warning", "joint 'j'", one(HINGE.replace('upper="1"', 'upper="90"'))),
    ("UNIT_LENGTH", "warning", "joint 'j'", one(SLIDE.replace('upper="0.2"', 'upper="200"'))),
    ("UNIT_SIZE", "warning", "robot", HUGE),
    ("LINK_OVERSIZED", "warning", "link 'a'", one(a=link("a", inertial(), boxed(at="-10 0 0", size="19 1 1")))),
    ("STROKE_LONG", "warning", "joint 'j'", one(SLIDE.replace('upper="0.2"', 'upper="1.2"'))),
    ("PITCH_LARGE", "warning", "joint 'turn'", RUNAWAY),
    ("SCREW_TYPE", "warning", "joint 'j'", TYPED_SCREW),
    ("ENGINE_LIMIT", "warning", "joint 'j'", TYPED_SCREW),
    ("SCREW_PITCH_MISSING", "error", "joint 'j'", one(HINGE.replace("revolute", "screw"))),
    ("SCREW_ALMOST", "warning", "joint 'slide'", FILLED_HELPER),
    ("SCREW_CUT", "warning", "joint 'turn'", screw('lower="0" upper="1"', 'lower="0" upper="0.005"')),
    ("SCREW_LIMITS", "warning", "joint 'slide'", screw('lower="0" upper="1"', 'lower="0" upper="0.02"')),
    ("SCREW_NO_RANGE", "error", "joint 'slide'", screw('lower="0" upper="1"', 'lower="1" upper="2"')),
    ("MIMIC_EMPTY", "warning", "joint 'k'", follower("<mimic/>")),
    ("MIMIC_INDEPENDENT", "info", "joint 'k'", follower('<mimic joint="j"/>')),
    ("MIMIC_LEADER_UNKNOWN", "error", "joint 'k'", follower('<mimic joint="x"/>')),
    ("MIMIC_SELF", "error", "joint 'k'", follower('<mimic joint="k"/>')),
    ("MIMIC_LOOP", "error", "joint 'k'", CIRCLE),
    ("MIMIC_OFFSET", "warning", "joint 'k'", follower('<mimic joint="j" offset="0.1"/>')),
    ("MIMIC_LIMITS", "warning", "joint 'k'", follower('<mimic joint="j" multiplier="3"/>')),
    ("INERTIAL_MISSING", "warning", "link 'b'", one(b=link("b", boxed()))),
    ("INERTIAL_MISSING", "info", "link 'b'", one(b=link("b"))),
    ("INERTIAL_INCOMPLETE", "error", "link 'b'", one(b=B.replace('<mass value="4.2"/>', ""))),
    ("MASS_NOT_POSITIVE", "error", "link 'b'", one(b=B.replace('<mass value="4.2"/>', '<mass value="-1"/>'))),
    ("INERTIA_DEFAULTED", "warning", "link 'b'", one(b=B.replace(' ixy="0"', ""))),
    ("INERTIA_NOT_PSD", "error", "link 'b'", one(b=B.replace('ixx="', 'ixx="-'))),
    ("INERTIA_TRIANGLE", "error", "link 'b'", weighed("1 1 3")),
    ("SIM_INERTIA", "error", "link 'b'", weighed("1 1 3")),
    ("INERTIA_ZERO", "warning", "link 'b'", weighed("0 0 0")),
    ("INERTIA_PLACEHOLDER", "warning", "link 'b'", weighed("1 1 1")),
    ("INERTIA_GYRATION", "warning", "link 'b'", weighed("1 1 1.1")),
    ("DENSITY", "warning", "link 'b'", one(b=link("b", inertial(8400), boxed()))),
    ("DENSITY_RATIO", "warning", "link 'b'", one(b=link("b", inertial(8400), boxed()))),
    ("COM_OFF_PART", "warning", "link 'b'", one(b=link("b", inertial(at="0.5 0 0"), boxed()))),
    ("MESH_MISSING", "error", "link 'b' visual", with_mesh("none.obj")),
    ("SIM_REFUSED", "error", "robot", with_mesh("none.obj")),
    ("MESH_OUTSIDE", "error", "link 'b' visual", with_mesh("/etc/hostname.obj")),
    ("MESH_OUTSIDE", "error", "link 'b' visual", with_mesh("http://localhost:9/x.obj")),
    ("MESH_POINTER", "error", "link 'b' visual", with_mesh("pointer.obj")),
    ("MESH_EMPTY", "error", "link 'b' visual", with_mesh("points.obj")),
    ("MESH_UNREADABLE", "error", "link 'b' visual", with_mesh("rubbish.dae")),
    ("MESH_FORMAT", "error", "link 'b' visual", with_mesh("closed.ply")),
    ("MESH_MIRRORED", "warning", "link 'b' visual", with_mesh("closed.obj", "-0.1 0.1 0.1")),
    ("MESH_INSIDE_OUT", "warning", "link 'b' visual", with_mesh("inward.obj")),
    ("MESH_HOLES", "info", "link 'b' visual", with_mesh("open.obj")),
    ("MESH_HOLES", "warning", "link 'b' visual", with_mesh("open.obj", weighed=False)),
    ("MESH_OPEN", "warning", "link 'b' visual", with_mesh("wide_open.obj", weighed=False)),
    ("MESH_DOUBLE_SIDED", "info", "link 'b' visual", with_mesh("double.obj")),
    ("MESH_FLAT", "info", "link 'b' visual", with_mesh("flat.obj")),
    ("MESH_SCALE_SINGLE", "warning", "link 'b'", with_mesh("closed.obj", "0.1")),
    ("COLLISION_OFFSET", "warning", "link 'b'", one(b=link("b", inertial(), boxed("visual"), boxed(at="0.2 0 0")))),
    ("PARTS_COLLIDE", "warning", "joint 'j'", one(SLIDE.replace('lower="0"', 'lower="-0.1"'))),
    ("PARTS_OVERLAP", "warning", "joint 'j'", one(HINGE.replace("0.11 0 0", "0.05 0 0"))),
    ("PART_DETACHED", "warning", "joint 'j'", one(HINGE.replace("0.11 0 0", "0.5 0 0"))),
    ("SWEEP_UNDECIDED", "info", "robot", with_mesh("dented.obj")),
    ("SIM_CRASHED", "error", "robot", one(HINGE.replace(' type="revolute"', ""))),
    ("SIM_LIMITS", "error", "joint 'j'", one(HINGE.replace('lower="-0.5"', 'lower="2"'))),
    ("SIM_POSE", "error", "joint 'j'", one(HINGE.replace('xyz="0.11 0 0"', 'xyz="0.11\t0 0"'))),
    ("SIM_MOTION", "error", "joint 'j'", one(SLIDE.replace('axis xyz="1 0 0"', 'axis xyz="2 0 0"'))),
    ("SIM_NAN", "error", "joint 'j'", one(HINGE.replace('axis xyz="1 0 0"', 'axis xyz="0 0 0"'))),
    ("SIM_COM", "error", "link 'b'", one(b=link("b", inertial(at="0.01\t0 0"), boxed()))),
    ("SIM_MESSAGE", "info", "robot", one(HINGE.replace('<axis xyz="1 0 0"/>', ""))),
]  # fmt: skip

FILES = {
    "pointer.obj": POINTER,
    "points.obj": "v 0 0 0\nv 1 0 0\n",
    "rubbish.dae": "this is no mesh",
    "closed.obj": TETRAHEDRON,
    "closed.ply": "ply\n",
    "inward.obj": tetrahedron([face[::-1] for face in OUTWARD]),
    "open.obj": tetrahedron(OUTWARD[:3]),
    "wide_open.obj": tetrahedron(OUTWARD[:2]),
    "double.obj": tetrahedron([*OUTWARD, *(face[::-1] for face in OUTWARD)]),
    "flat.obj": "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n",
    # A square pyramid with a second apex pushed into it: closed, not convex.
    "dented.obj": "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\nv 0.5 0.5 0.6\n"
    "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 2 1 6\nf 3 2 6\nf 4 3 6\nf 1 4 6\n",
}


def test_each_code_is_found_where_its_fault_is(tmp_path):
    """All cases through one pool of workers, as a user checks a folder."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    for k, (_, _, _, text) in enumerate(CASES):
        (tmp_path / f"{k:03d}.urdf").write_text(text)
    wrong = []
    for case, entry in zip(CASES, simcheck.verify(tmp_path, workers=2)["files"], strict=True):
        found = [f for kind in ("errors", "warnings", "infos") for f in entry[kind]]
        named = {(f["code"], f["severity"], f["element"]) for f in found}
        if case[:3] not in named or {"CHECK_FAILED", "COPY_DIFFERS"} & {f["code"] for f in found}:
            wrong.append((case[:3], named))
    assert not wrong


def test_a_clean_file_has_no_finding(tmp_path):
    path = tmp_path / "clean.urdf"
    path.write_text(CLEAN)
    assert simcheck.verify(path)["files"] == [
        {"file": str(path), "ok": True, "errors": [], "warnings": [], "infos": [], "known": 0}
    ]


def test_a_finding_says_all_that_it_should(tmp_path):
    """SPEC section 9: fields; and line, why and remedy."""
    path = tmp_path / "swapped.urdf"
    path.write_text(next(text for code, _, _, text in CASES if code == "LIMIT_ORDER"))
    (report,) = simcheck.verify(path)["files"]
    finding = next(f for f in report["errors"] if f["code"] == "LIMIT_ORDER")
    entry = CATALOGUE["LIMIT_ORDER"]
    assert finding == {
        "code": "LIMIT_ORDER",
        "severity": "error",
        "file": str(path),
        "element": "joint 'j'",
        "attribute": "limit",
        "value": "2 1",
        "message": "limit lower 2 is greater than upper 1: sorted",
        "remedy": entry.remedy,
        "line": 4,
        "why": entry.why,
    }


def test_every_code_has_a_case():
    """All but those that a small file cannot have, or that would be a defect of ours or of the simulator."""
    elsewhere = {
        "FILE_UNREADABLE", "FILE_TOO_LARGE", "JOINTS_TOO_MANY", "JOINT_DECOMPOSED", "SIM_TIMEOUT", "SIM_TREE",
        "SIM_KIND", "SIM_STOPS", "SIM_AXIS", "SIM_READBACK", "SIM_MASS", "COPY_DIFFERS", "CHECK_FAILED",
    }  # fmt: skip
    elsewhere |= {  # said by describe, and about predictions in other formats
        "JOINT_UNKNOWN", "JOINT_STILL", "FORMAT_UNKNOWN", "FORMAT_EMPTY", "FORMAT_ASSUMED", "FORMAT_CONTRADICTION",
        "JSON_BROKEN", "NPZ_BROKEN", "FIELD_INVALID",
    }  # fmt: skip
    assert set(CATALOGUE) - {case[0] for case in CASES} == elsewhere


def test_all_bad_numbers_of_a_file_are_found_at_once(tmp_path):
    path = tmp_path / "bad.urdf"
    bad = HINGE.replace('xyz="0.11 0 0"', 'xyz="0,11 0 0"').replace('upper="1"', 'upper="nan"')
    path.write_text(
        one(bad, b=B.replace('size="0.1 0.2 0.3"', 'size="0.1 0.2"').replace('mass value="4.2"', 'mass value="4.2kg"'))
    )
    (entry,) = simcheck.verify(path)["files"]
    places = {(f["element"], f["attribute"]) for f in entry["errors"] if f["code"].startswith("NUMBER")}
    assert places == {
        ("joint 'j'", "origin xyz"),
        ("joint 'j'", "limit upper"),
        ("link 'b' visual", "box size"),
        ("link 'b' collision", "box size"),
        ("link 'b'", "mass value"),
    }
    # What was refused is not also found missing.
    assert not {"INERTIAL_INCOMPLETE", "INERTIAL_MISSING", "SIM_POSE", "SIM_LIMITS"} & {
        f["code"] for f in entry["errors"]
    }


def test_strict_reading_still_stops_at_the_first_error(tmp_path):
    path = tmp_path / "bad.urdf"
    path.write_text(one(HINGE.replace('xyz="0.11 0 0"', 'xyz="0,11 0 0"').replace('upper="1"', 'upper="nan"')))
    with pytest.raises(simcheck.AssetError, match="0,11") as caught:
        simcheck.load(path)
    assert (caught.value.code, caught.value.value) == ("NUMBER_INVALID", "0,11 0 0")


def test_codes_that_depend_on_options(tmp_path):
    path = tmp_path / "planar.urdf"
    path.write_text(one(HINGE.replace("revolute", "planar")))
    options = simcheck.ReadOptions(decompose=True)
    (entry,) = simcheck.verify(path, options=options)["files"]
    assert entry["ok"]
    assert "JOINT_DECOMPOSED" in {f["code"] for f in entry["infos"]}


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    from simcheck.asset import normalise
    from simcheck.verification.examination import Checks, examine

    huge = tmp_path / "huge.urdf"
    with huge.open("wb") as stream:
        stream.truncate(100 * 2**20)
    assert [f.code for f in examine(str(huge), Checks()).findings] == ["FILE_TOO_LARGE"]
    assert [f.code for f in examine(str(tmp_path), Checks()).findings] == ["FILE_UNREADABLE"]
    monkeypatch.setattr(normalise, "MAX_JOINTS", 0)
    path = tmp_path / "many.urdf"
    path.write_text(CLEAN)
    assert [f.code for f in examine(str(path), Checks()).findings] == ["JOINTS_TOO_MANY"]
