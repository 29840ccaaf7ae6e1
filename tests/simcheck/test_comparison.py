"""Compare: the shared cases, pairing, trees, thresholds, options."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from urdf_and_command import TESTS, case, compared, joint, robot, run

import simcheck
from metric import Joint, KineticNorm, exp, joint_distance
from simcheck.asset.frames import transformed
from simcheck.asset.write import urdf_text
from simcheck.perturb import perturbed

OWN = TESTS.parent / "urdfs"
CABINET = OWN / "storage" / "cabinet.urdf"


def values(number: str):
    return json.loads(case(number, "expected.json")[0].read_text())["values"]


def check(number: str, key: str, value) -> None:
    want = values(number)[key]
    np.testing.assert_allclose(
        value, want["value"], atol=want.get("tol_abs", 0), rtol=want.get("tol_rel", 0), err_msg=key
    )


# --- the shared cases ----------------------------------------------------------------------------------------


def test_case_04():
    (entry,) = compared(*case("04", "gt.urdf", "pred.urdf"))["joints"]
    check("04", "E_B", entry["E_B"])
    check("04", "E_alpha", entry["E_alpha"])


def test_case_10_finite_E_is_null_with_a_reason():
    (entry,) = compared(*case("10", "gt.urdf", "fixed.urdf"))["joints"] or [None]
    assert entry["paired_by"] == "fixed"
    check("10", "E_alpha_phi", entry["E_alpha_phi"])
    check("10", "E_B_phi", entry["E_B_phi"])
    assert entry["components"] == {"type": 1}
    for field in ("E_alpha", "E_B", "d", "d_sweep", "bound"):
        assert entry[field] is None
        for word in ("gt.urdf", "spin", "continuous", "E^phi"):
            assert word in entry["null_reasons"][field]


def test_case_11():
    result = compared(*case("11", "gt.urdf", "pred.urdf"))
    (entry,) = result["joints"]
    check("11", "E_alpha", entry["E_alpha"])
    check("11", "E_B", entry["E_B"])
    assert any(
        "pred.urdf" in w["file"] and "drop" in w["element"] and "lower" in w["message"] for w in result["warnings"]
    )


@pytest.mark.parametrize("name", ["half", "both"])
def test_case_16(name):
    gt, guess = case("16", "gt.urdf", f"{name}.urdf")
    (entry,) = compared(gt, guess)["joints"]
    check("16", f"E_alpha_phi({name},gt)", entry["E_alpha_phi"])
    assert "infinite upper limit" in entry["null_reasons"]["E_alpha"]


def test_case_17_a_bad_prediction_is_refused():
    for name in ("pred.urdf", "pred_mass.urdf", "pred_origin.urdf"):
        ran = run("compare", *case("17", "gt.urdf", name), "--json")
        assert (ran.code, ran.out) == (2, "")
        assert name in ran.err
        assert "nan" in ran.err


def test_case_26_welded_and_merged_are_one():
    result = compared(*case("26", "with_knob.urdf", "merged.urdf"))
    check("26", "E_tree_alpha(with_knob,merged)", result["tree"]["E_alpha"]["value"])
    check("26", "E_tree_B(with_knob,merged)", result["tree"]["E_B"]["value"])


def test_case_37_reversed_axis():
    (entry,) = compared(*case("37", "gt.urdf", "pred.urdf"))["joints"]
    for key in ("E_alpha", "E_B", "E_alpha_phi", "d"):
        check("37", key, entry[key])
    components = entry["components"]
    for key, field in (("e_type", "type"), ("e_axis", "axis"), ("e_lim_range", "limit_range"),
                       ("e_lim_dir", "limit_direction"), ("e_orig_rev", "origin_line")):  # fmt: skip
        check("37", key, components[field])
    assert components["origin"] is None
    assert entry["null_reasons"]["components.origin"] == "the axes are parallel"
    assert entry["explanation"]["sentence"] == "the same motion, written differently: reversed axis"


@pytest.mark.parametrize(("gt", "guess", "key"), [
    ("gt", "same", "e_axis(same,gt)"), ("gt", "anti", "e_axis(anti,gt)"), ("z", "tiny", "e_axis(tiny,z)"),
])  # fmt: skip
def test_case_38_angles_at_the_edge_of_arccos(gt, guess, key):
    (entry,) = compared(*case("38", f"{gt}.urdf", f"{guess}.urdf"))["joints"]
    check("38", key, entry["components"]["axis"])


def test_case_40_angles_are_never_wrapped():
    (turn,) = compared(*case("40", "gt_turn.urdf", "fixed.urdf"))["joints"]
    (other,) = compared(*case("40", "gt_270.urdf", "pred_m90.urdf"))["joints"]
    for entry, name in ((turn, "turn,fixed"), (other, "270,m90")):
        check("40", f"E_alpha({name})", entry["E_alpha"])
        check("40", f"E_B({name})", entry["E_B"])
        check("40", f"d({name})", entry["d"])
    assert other["swapped"]["d"] != other["swapped"]["E_B"]


def test_case_41_types_are_a_continuum():
    for gt, guess, name in (("fixed", "rev_1e-9", "rev_1e-9,fixed"), ("pris", "pris_moved", "pris_moved,pris"),
                            ("pris", "rev_far", "rev_far,pris")):  # fmt: skip
        (entry,) = compared(*case("41", f"{gt}.urdf", f"{guess}.urdf"))["joints"]
        check("41", f"E_alpha({name})", entry["E_alpha"])
        if name != "pris_moved,pris":
            check("41", f"e_type({name})", entry["components"]["type"])
        else:
            check("41", "e_orig_pris(pris_moved,pris)", entry["components"]["origin"])
            assert "moved prismatic origin" in entry["explanation"]["sentence"]


def test_case_43_trees_up_to_names_order_and_base():
    tree = compared(*case("43", "gt.urdf", "pred.urdf"))["tree"]
    check("43", "E_tree_alpha", tree["E_alpha"]["value"])
    check("43", "E_alpha_phi_tree", tree["E_alpha_phi"]["value"])
    assert dict(tree["E_alpha"]["matching"]) == values("43")["matching"]["value"]
    assert tree["E_alpha"]["certified"]


def test_case_44_a_missing_wheel():
    result = compared(*case("44", "gt.urdf", "pred.urdf"))
    check("44", "E_alpha_phi_tree", result["tree"]["E_alpha_phi"]["value"])
    finite = result["tree"]["E_alpha"]
    assert finite["value"] is None
    for word in ("gt.urdf", "'w'", "continuous", "E^phi,tree"):
        assert word in finite["reason"]
    (missing,) = result["unmatched"]["ground_truth"]
    assert missing["name"] == "w"
    assert missing["E_alpha_phi"] == pytest.approx(math.sqrt(2))


# --- what a comparison is --------------------------------------------------------------------------------------


def test_an_object_against_itself_is_zero():
    for path in (CABINET, OWN / "furniture" / "swivel_chair.urdf", OWN / "containers" / "jar.urdf"):
        result = compared(path, path)
        assert all(j["ground_truth"] == j["prediction"] for j in result["joints"])
        for entry in result["joints"]:
            assert entry["E_alpha_phi"] == 0.0
            assert entry["E_B"] in (0.0, None)
            assert entry["explanation"]["sentence"] == "the same motion"
        assert result["tree"]["E_alpha_phi"]["value"] == 0.0
        assert result["tree"]["E_alpha_phi"]["certified"]


def test_fields(tmp_path):
    result = compared(CABINET, CABINET, flags=("--protocols", "ditto,paris"))
    fields = {"ground_truth", "prediction", "paired_by", "E_alpha", "E_B", "E_B_physical", "E_alpha_phi", "E_B_phi",
              "d", "d_ends", "d_sweep", "bound", "swapped", "components", "rest_pose", "inertia_clipped", "explanation",
              "null_reasons"}  # fmt: skip
    for entry in result["joints"]:
        assert set(entry) >= fields
        assert set(entry["swapped"]) == {"E_alpha", "E_B", "E_alpha_phi", "E_B_phi", "d", "d_sweep"}
        assert set(entry["protocols"]) == {
            f"{p}@{m}" for p in ("ditto", "paris") for m in ("as_published", "corrected")
        }
        assert set(entry["explanation"]) >= {"shares", "sentence"}
    assert set(result["tree"]) == {"E_alpha", "E_alpha_phi", "E_B", "E_B_phi"}
    for tree in result["tree"].values():
        assert set(tree) >= {"value", "lower", "upper", "certified", "method", "matching", "edits", "reason"}


units = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)


@given(units, st.tuples(*[st.floats(-0.5, 0.5)] * 3), st.floats(-2, 0), st.floats(0.1, 2))
def test_simulated_d_is_the_closed_form_and_inside_the_bound(axis, origin, lower, upper):
    truth = simcheck.load(OWN / "doors_and_windows" / "door.urdf")
    joint = truth.movable_joints[0]
    unit = tuple((np.array(axis) / np.linalg.norm(axis)).tolist())
    guess = perturbed(truth, joint.name, Joint("revolute", unit, origin, lower, upper))
    from simcheck.comparison.measures import MotionPair, closed_form, simulated

    pair = MotionPair(
        joint.motion, guess.joint(joint.name).motion, truth.moved_body(joint.name).body, joint.name, joint.name
    )
    (found,) = simulated(truth, guess, [pair], 17, "pybullet")
    closed = closed_form(pair)
    assert found["d"] == pytest.approx(closed["d"], abs=1e-12 * (truth.size + closed["d"]))
    assert found["d_sweep"] == pytest.approx(closed["d_sweep"], abs=1e-9)
    e = joint_distance(pair.ground_truth, pair.prediction, KineticNorm(pair.body.physical()))
    low, high = closed["bound"]
    assert e - low - 1e-12 <= found["d"] <= e + high + 1e-12


def test_pairing_by_cost_name_and_file(tmp_path, write):
    gt = write(robot(joint("a", "revolute", "a", "b"), joint("b", "prismatic", "b", "c")), "gt.urdf")
    crossed = write(robot(joint("b", "revolute", "a", "b"), joint("a", "prismatic", "b", "c")), "pred.urdf")
    by_cost = compared(gt, crossed)["joints"]
    assert [(j["ground_truth"], j["prediction"], j["paired_by"]) for j in by_cost] == [
        ("a", "b", "cost"),
        ("b", "a", "cost"),
    ]
    by_name = compared(gt, crossed, flags=("--match", "name"))["joints"]
    assert [(j["ground_truth"], j["prediction"], j["paired_by"]) for j in by_name] == [
        ("a", "a", "name"),
        ("b", "b", "name"),
    ]
    table = tmp_path / "match.csv"
    table.write_text("ground_truth,prediction\na,a\n")
    result = compared(gt, crossed, flags=("--match", table))
    assert [(j["ground_truth"], j["prediction"]) for j in result["joints"]] == [("a", "a")]
    assert [j["name"] for j in result["unmatched"]["ground_truth"]] == ["b"]
    assert [j["name"] for j in result["unmatched"]["prediction"]] == ["b"]
    for text, words in (("x,y\n1,2\n", "columns"), ("ground_truth,prediction\na,zz\n", "'zz'"),
                        ("ground_truth,prediction\na,a\nb,a\n", "stands twice")):  # fmt: skip
        table.write_text(text)
        ran = run("compare", gt, crossed, "--match", table)
        assert ran.code == 2
        assert words in ran.err


def test_ties_go_to_equal_names_then_to_the_order(write):
    """Four equal drawers: any assignment costs the same."""

    def drawers(names):
        links = '<link name="a"/>' + "".join(f'<link name="l{n}"/>' for n in names)
        return robot(*(joint(n, "prismatic", "a", f"l{n}") for n in names), links=links)

    gt = write(drawers(["p", "q", "r", "s"]), "gt.urdf")
    renamed = write(drawers(["s", "r", "x", "p"]), "pred.urdf")
    pairs = [(j["ground_truth"], j["prediction"]) for j in compared(gt, renamed)["joints"]]
    assert pairs == [("p", "p"), ("q", "x"), ("r", "r"), ("s", "s")]


def test_a_fixed_joint_of_the_same_name_is_the_partner(write):
    gt = write(robot(joint("lid", "revolute", "a", "b"), joint("k", "prismatic", "b", "c")), "gt.urdf")
    guess = write(robot(joint("lid", "fixed", "a", "b"), joint("k", "prismatic", "b", "c")), "pred.urdf")
    lid = next(j for j in compared(gt, guess)["joints"] if j["ground_truth"] == "lid")
    assert (lid["paired_by"], lid["components"]) == ("fixed", {"type": 1})
    back = next(j for j in compared(guess, gt)["joints"] if j["prediction"] == "lid")
    assert lid["E_alpha"] == pytest.approx(back["E_alpha"])
    assert lid["E_B"] == pytest.approx(back["E_B"])  # the movable side's own body, whichever side it is


def test_a_prediction_stored_in_another_state_is_seen(write):
    """The door was scanned open: its part stands at q0, the limits are shifted."""
    truth = simcheck.load(OWN / "doors_and_windows" / "door.urdf")
    joint = truth.movable_joints[0]
    q0 = 0.6
    moved = exp(q0 * joint.screw)
    links = {
        name: (transformed(truth, moved).links[name] if name in truth.downstream(joint.child) else link)
        for name, link in truth.links.items()
    }
    stored = replace(perturbed(truth, joint.name, joint.motion.reanchored(q0)), links=links)
    guess = write(urdf_text(stored), "stored.urdf")
    entry = next(j for j in compared(truth.file, guess)["joints"] if j["ground_truth"] == joint.name)
    assert entry["E_B"] > 0.1
    assert "stored at 0.6" in entry["explanation"]["encoding"][-1]


# --- options -------------------------------------------------------------------------------------------------


def test_imputed_limits(write):
    gt = write(robot(joint("j", "revolute", "a", "b", limit='lower="0" upper="1.5"')), "gt.urdf")
    guess = write(robot(joint("j", "revolute", "a", "b", axis="0 0 -1", limit=None)), "pred.urdf")
    assert run("compare", gt, guess).code == 2
    (entry,) = compared(gt, guess, flags=("--impute-limits", "gt"))["joints"]
    assert entry["limits_imputed"]
    assert entry["E_alpha"] == pytest.approx(0.0)


def test_thresholds_for_ci():
    gt, guess = case("04", "gt.urdf", "pred.urdf")
    assert run("compare", gt, guess, "--max-E-B", "0.2", "--max-d", "0.2").code == 0
    over = run("compare", gt, guess, "--max-E-B", "0.1", "--json")
    assert over.code == 1
    assert over.json["joints"]
    assert "E_B 0.146855 is over 0.1" in over.err
    undefined = run("compare", *case("10", "gt.urdf", "fixed.urdf"), "--max-E-B", "1")
    assert undefined.code == 1
    assert "undefined" in undefined.err


def test_no_body_falls_back_on_demand(write):
    links = '<link name="a"/><link name="b"/>'
    gt = write(robot(joint("j", "revolute", "a", "b"), links=links), "gt.urdf")
    guess = write(robot(joint("j", "revolute", "a", "b", limit='lower="0" upper="2"'), links=links), "pred.urdf")
    result = compared(gt, guess)
    (entry,) = result["joints"]
    assert entry["E_B"] is None
    assert "link 'b'" in entry["null_reasons"]["E_B"]
    assert entry["E_alpha"] == pytest.approx(1.0)
    assert result["tree"]["E_B"]["value"] is None
    assert "--fallback alpha" in result["tree"]["E_B"]["reason"]
    priced = compared(gt, guess, flags=("--fallback", "alpha"))["tree"]["E_B"]
    assert priced["value"] == pytest.approx(1.0)


def test_closed_form_on_demand():
    gt, guess = case("04", "gt.urdf", "pred.urdf")
    (simulated,), (closed,) = (compared(gt, guess, flags=f)["joints"] for f in ((), ("--closed-form",)))
    assert closed["d"] == pytest.approx(simulated["d"], abs=1e-14)
    assert closed["d_sweep"] == pytest.approx(simulated["d_sweep"], abs=1e-6)


def test_plot(tmp_path):
    from PIL import Image

    picture = tmp_path / "pairs.png"
    assert run("compare", CABINET, OWN / "storage" / "chest_of_drawers.urdf", "--plot", picture).code == 0
    image = np.asarray(Image.open(picture).convert("RGBA"))
    assert image.shape == (720, 1440, 4)
    colours = image[image[..., 3] > 200][:, :3].astype(int)
    blue = (colours[:, 2] > colours[:, 0] + 60).sum()
    orange = (colours[:, 0] > colours[:, 2] + 40).sum()
    assert blue > 1000
    assert orange > 1000
    assert run("compare", CABINET, CABINET, "--plot", tmp_path / "x.jpg").code == 2


def test_out_saves_rows_and_page(tmp_path):
    out = tmp_path / "out"
    ran = run("compare", CABINET, CABINET, "--out", out, "--json")
    assert ran.code == 0
    assert json.loads((out / "summary.json").read_text()) == ran.json
    for name in ("rows.csv", "rows.parquet", "report.html", "settings.json"):
        assert (out / name).exists()


def test_from_python():
    result = simcheck.compare(CABINET, CABINET, alpha=2.0, simulate=False)
    assert result["settings"]["alpha"] == 2.0
    with pytest.raises(TypeError):
        simcheck.compare(CABINET, CABINET, alhpa=2.0)


def test_every_planted_limit_axis_or_origin_error_names_its_joint(write):
    """One wrong parameter in one joint of a cabinet: that joint alone has a distance, and the sentence says why."""
    truth = simcheck.load(CABINET)
    hinge = next(j for j in truth.movable_joints if j.kind == "revolute")
    m = hinge.motion
    plants = {
        "tilted": Joint(m.kind, tuple(exp([0.3, 0, 0, 0, 0, 0])[:3, :3] @ m.axis), m.origin, m.lower, m.upper),
        "off": Joint(m.kind, m.axis, tuple(np.add(m.origin, (0.05, 0, 0))), m.lower, m.upper),
        "travels": Joint(m.kind, m.axis, m.origin, m.lower, m.upper / 2),
        "prismatic instead": Joint("prismatic", m.axis, m.origin, 0, 0.3),
    }
    for words, motion in plants.items():
        path = write(urdf_text(perturbed(truth, hinge.name, motion), lambda n: str(CABINET.parent / n)), "plant.urdf")
        entries = compared(CABINET, path)["joints"]
        wrong = [j for j in entries if j["E_B"] > 1e-9]
        assert [j["ground_truth"] for j in wrong] == [hinge.name]
        assert words in wrong[0]["explanation"]["sentence"]


# --- a norm of the user's ------------------------------------------------------------------------------------


def test_a_norm_of_the_users_stands_beside_ours(tmp_path, monkeypatch):
    (tmp_path / "own_norm.py").write_text(
        "from metric import KineticNorm\n"
        "def kinetic(body, size):\n    return KineticNorm(body)\n"
        "def nothing(body, size):\n    return None\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(TESTS.parent))
    door = TESTS.parent / "urdfs" / "doors_and_windows" / "door.urdf"
    fan = TESTS.parent / "urdfs" / "appliances" / "fan.urdf"
    result = run("compare", door, fan, "--norm", "own_norm:kinetic", "--json").json
    entries = [*result["joints"], *result["unmatched"]["ground_truth"], *result["unmatched"]["prediction"]]
    for entry in entries:
        for name in ("E_B", "E_B_phi"):  # the kinetic norm, given as one's own, has the same values and the same gaps
            own = entry[name.replace("E_B", "E_norm")]
            assert own is entry[name] is None or own == pytest.approx(entry[name], rel=1e-12, abs=1e-15)
        assert ("E_norm" in entry["null_reasons"]) == (entry["E_norm"] is None)
    assert any(Path(file).name == "own_norm.py" for file in result["settings"]["inputs"])
    assert "E_kinetic" in run("compare", door, fan, "--norm", "own_norm:kinetic").out
    for spec in ("own_norm:nothing", "own_norm:absent", "absent:absent", "own_norm"):
        refused = run("compare", door, fan, "--norm", spec)
        assert (refused.code, refused.out) == (2, "")
        assert "--norm" in refused.err


# --- what people read ----------------------------------------------------------------------------------------


def test_protocols_are_printed_beside_ours():
    door, window = (OWN / "doors_and_windows" / name for name in ("door.urdf", "window.urdf"))
    ran = run("compare", door, window, "--protocols", "paris", "-q")
    lines = [line.split() for line in ran.out.splitlines()]
    (line,) = (line for line in lines if line[:2] == ["paris@corrected", "rotation"])
    # The hinge opens 110 degrees and its match 90; the lever 45 against 90 the other way; a slide has no rotation.
    assert line == ["paris@corrected", "rotation", "[deg]", "20", "135", "–"]
    assert "-90° … 0° instead of" in " ".join(ran.out.split())  # a reversed limit of 0 is no "-0°"


def test_titles_of_pictures_have_every_letter(tmp_path):
    from PIL import Image

    from simcheck.pictures import _titled

    blank = np.zeros((40, 200, 4), dtype=np.uint8)
    shown = {text: _titled(blank, text).tobytes() for text in ("→", "\ufffe", "ж")}
    assert len(set(shown.values())) == 3  # a missing glyph would be the same box for all
    assert Image.fromarray(_titled(blank, "→")).getbbox() is not None
