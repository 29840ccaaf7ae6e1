"""Numbers of the experiments against values derived by hand."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars
import pytest
from numpy.testing import assert_allclose

import simcheck
from experiments import components, failure_cases, kappa, published, sweeps, tree, tree_corruptions
from experiments.benchmark_findings import agreement
from experiments.bound import used_share
from experiments.components import verdict
from experiments.experiment import Settings
from experiments.methods import METHODS, predicted
from experiments.pairs import split_distance, split_parts
from experiments.tables import load_tables
from experiments.tree_corruptions import contracted, has_duplicates, moved, nodes_of, split, with_leaf, with_range
from metric import Joint, KinematicTree, SplitNorm, cost_to_fixed, joint_distance

DOOR = Path(__file__).resolve().parents[2] / "urdfs" / "doors_and_windows" / "door.urdf"
CONTEXT: Any = SimpleNamespace(settings=Settings())


# --- Table 3 -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table_3() -> polars.DataFrame:
    return failure_cases.measure(CONTEXT)["rows"]


def of_row(table: polars.DataFrame, row: int) -> list[dict[str, Any]]:
    return table.filter(table["row"] == row).to_dicts()


def test_row_1_reversed_axis(table_3):
    (row,) = of_row(table_3, 1)
    assert (row["printed"], row["released"]) == (2.0, 0.0)
    assert row["E_alpha"] == row["E_B"] == 0.0


def test_row_2_shifted_interval(table_3):
    """{0, xi} against {xi, 2 xi}: sqrt 2 |xi|, |xi|^2 = 1 + 0.3^2 + 0.2^2."""
    (row,) = of_row(table_3, 2)
    assert row["printed"] == row["released"] == 0.0
    assert_allclose(row["E_alpha"], math.sqrt(2 * 1.13), rtol=1e-14)


def test_row_3_near_parallel(table_3):
    rows = of_row(table_3, 3)
    assert_allclose([r["printed"] for r in rows[:4]], [0, 0.05, 0, 0.05], atol=1e-9)
    assert [r["printed"] for r in rows[4:]] == [None, None]
    assert_allclose([r["released"] for r in rows[4:]], [0.0, 0.05], atol=1e-15)  # by the direction of the offset
    assert_allclose([r["E_alpha"] for r in rows[2:]], 0.05, rtol=1e-4)


def test_row_4_origin_of_a_slide(table_3):
    (row,) = of_row(table_3, 4)
    assert_allclose([row["printed"], row["released"]], 0.3, rtol=1e-15)
    assert row["E_alpha"] == row["E_B"] == 0.0


def test_row_5_towards_fixed(table_3):
    rows = of_row(table_3, 5)
    assert [r["printed"] for r in rows] == [1.0, 1.0, 1.0]
    assert_allclose([r["E_alpha"] for r in rows], np.array([1.0, 1e-2, 1e-4]) * math.sqrt(1.13), rtol=1e-14)


def test_row_6_continuous(table_3):
    """sqrt 2 (1 - tanh(L |xi| / pi)), L = 2 pi n; the released code reads a continuous joint's limits as (0, 0)."""
    rows = of_row(table_3, 6)
    assert [r["printed"] for r in rows] == [None] * 4
    assert_allclose([r["released"] for r in rows], 4 * math.pi * np.array([0, 1, 2, 4]), rtol=1e-14)
    expected = [math.sqrt(2) * (1 - math.tanh(2 * n * math.sqrt(1.13))) for n in (1, 2, 4)]
    assert rows[0]["E_alpha"] == 0.0
    assert_allclose([r["E_alpha"] for r in rows[1:]], expected, rtol=1e-6, atol=1e-15)


def test_row_7_thresholds(table_3):
    """Tilted about the world's origin by t towards x: |a - a'|^2 = 2 - 2 cos t, and o x (a - a') adds the rest."""
    rows = of_row(table_3, 7)
    assert [r["printed"] for r in rows] == [1.0, 1.0, 1.0, 0.0, 0.0]
    expected = []
    for t in (0.0, 0.2, 0.249, 0.251, 1.5):
        change = np.array([math.sin(t), 0.0, math.cos(t) - 1])
        moment = np.cross([0.3, 0.2, 0.0], change)
        expected.append(math.sqrt(change @ change + moment @ moment))
    assert_allclose([r["E_alpha"] for r in rows], expected, rtol=1e-13)


def test_every_row_of_table_3_holds_and_the_released_code_differs(table_3):
    found = failure_cases.findings({"rows": table_3}, Settings())
    assert [f.holds for f in found] == [True] * 7 + [False]
    assert found[-1].values["rows"] == [1, 3, 6]


# --- components ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "same_motion", "expected"),
    [
        ([0.1, 0.2, 0.3], False, "follows"),
        ([0.1, 0.3, 0.2], False, "erratic"),
        ([0.0, 0.0, 1.0], False, "step"),
        ([0.4, 0.4, 0.4], False, "blind"),
        ([0.1, math.nan, 0.3], False, "undefined"),
        ([0.0, 0.0, 0.0], True, "silent"),
        ([2.0, 2.0, 2.0], True, "false alarm"),
    ],
)
def test_verdicts(values, same_motion, expected):
    sweep = sweeps.Sweep("s", "s", "x", np.arange(3.0), lambda x: (sweeps.DOOR, sweeps.DOOR), sweeps.PANEL, same_motion)
    assert verdict(np.array(values), sweep) == expected


def test_sweeps_as_they_are_read():
    """The template's scores, derived by hand: which parameter each one reads."""
    found = components.verdicts(components.measure(CONTEXT)["rows"])
    assert found["template", "type"]["to-fixed"] == "blind"
    assert found["template", "axis"]["tilt"] == "follows"
    assert found["template", "limit_direction"]["reversed"] == "false alarm"
    assert found["template", "origin"]["sliding-origin"] == "false alarm"
    assert found["template", "limit_range"]["shift"] == "blind"
    assert found["articulate_anything", "limit_direction"]["reversed"] == "silent"
    for name in ("E_alpha", "E_B"):
        assert set(found["metric", name].values()) == {"silent", "follows"}


def test_published_table_5():
    assert components.scored("articulate_anything") == {"type", "axis", "origin", "limit", "success"}
    assert "type" not in components.scored("paris")


# --- kappa -----------------------------------------------------------------------------------------------------------


def test_closed_form_of_the_continuous_limit():
    assert_allclose(kappa.continuous_limit(0.0, 1.0, math.pi), math.sqrt(2))
    assert_allclose(kappa.continuous_limit(math.pi, 1.0, math.pi), math.sqrt(2) * (1 - math.tanh(1)))
    endless, turn = Joint("continuous", axis=(0, 0, 1)), Joint("revolute", axis=(0, 0, 1), lower=-2.0, upper=2.0)
    assert_allclose(joint_distance(endless, turn, SplitNorm(), 1.5), kappa.continuous_limit(2.0, 1.0, 1.5), rtol=1e-14)


def test_response():
    """sech^2 at one and two kappa: 42 % and 7 %."""
    assert_allclose(kappa.response([0.0, math.pi, 2 * math.pi], math.pi), [1, 0.419974, 0.070651], rtol=1e-5)


# --- pairs, bound, sampling --------------------------------------------------------------------------------------


def test_split_parts_give_the_distance_for_any_alpha():
    random = np.random.default_rng(0)
    difference, com = random.normal(size=(5, 2, 6)), random.normal(size=(5, 3))
    rotation, sliding, at_com = split_parts(difference, com)
    for alpha in (0.1, 1.0, 7.0):
        norm = SplitNorm(alpha)
        expected = np.sqrt((np.asarray(norm(difference)) ** 2).sum(axis=1))
        assert_allclose(np.hypot(rotation, alpha * sliding), expected, rtol=1e-13)
    shifted = difference.copy()
    shifted[..., 3:] += np.cross(difference[..., :3], com[:, None])
    assert_allclose(at_com, np.sqrt((shifted[..., 3:] ** 2).sum(axis=(1, 2))), rtol=1e-13)


def test_split_distance_is_e_alpha(finished):
    out, _ = finished
    rows = load_tables(out / "inner-product")["rows"]
    assert_allclose(split_distance(rows, 1.0), rows["E_alpha"].to_numpy(), rtol=1e-9, atol=1e-12)


def test_used_share():
    rows = polars.DataFrame(
        {"d": [1.0, 1.1, 0.9, 1.0], "E_B_physical": [1.0] * 4, "object_size": [1.0] * 4,
         "bound_lower": [0.0, 0.4, 0.4, 0.5], "bound_upper": [0.0, 0.2, 0.2, 0.5]}
    )  # fmt: skip
    assert_allclose(used_share(rows), [math.nan, 0.5, 0.25, 0.0], atol=1e-12)


def test_one_wrong_end_under_equal_weights(finished):
    """Delta(s) = s Delta: E_2^2 = 1, E_3^2 = 2 (0 + 1/4 + 1)/3, E_inf^2 = 2/3."""
    out, _ = finished
    rows = load_tables(out / "sampling")["rows"]
    ends = rows.filter((rows["error"] == "upper") & (rows["rule"] == "uniform") & (rows["n"] == 3))
    assert ends.height > 0
    assert_allclose((ends["E_n"] / ends["E_limit"]).to_numpy(), math.sqrt(1.25), rtol=1e-12)
    two = rows.filter((rows["error"] == "upper") & (rows["n"] == 2))
    assert_allclose((two["E_n"] / two["E_limit"]).to_numpy(), math.sqrt(1.5), rtol=1e-12)


def test_simulated_sweep_is_the_closed_form(finished):
    out, _ = finished
    rows = load_tables(out / "sampling")["rows"]
    assert_allclose(rows["d_n"].to_numpy(), rows["d_n_closed"].to_numpy(), rtol=0, atol=1e-12)


# --- trees -----------------------------------------------------------------------------------------------------------

LID = Joint("revolute", axis=(0, 0, 1), upper=1.0)  # E to fixed 1
KNOB = Joint("prismatic", axis=(1, 0, 0), upper=0.1)  # 0.1
BOX = [("box", "lid", LID), ("lid", "knob", KNOB)]


def test_edits():
    assert contracted(BOX, 0) == [("box", "knob", KNOB)]
    assert with_leaf(BOX, "lid", KNOB)[2][:2] == ("lid", "spurious-0")
    halves = split(BOX, 0, 0.25)
    assert [e[:2] for e in halves] == [("box", "half-0"), ("half-0", "lid"), ("lid", "knob")]
    assert [e[2].upper for e in halves] == [0.25, 0.75, 0.1]
    (_, elsewhere) = moved(BOX, 1, np.random.default_rng(0))
    assert elsewhere[:2] == ("box", "knob")
    assert moved(BOX[:1], 0, np.random.default_rng(0)) == BOX[:1]
    assert nodes_of(BOX) == ["box", "lid", "knob"]


def test_random_edits_leave_trees():
    random, box = np.random.default_rng(1), np.array([[0.0, 0, 0], [1, 1, 1]])
    for _ in range(60):
        edges = BOX
        for _ in range(4):
            edges = tree_corruptions.edited(edges, tree_corruptions.EDITS[random.integers(6)], random, box)
        KinematicTree(edges)


def test_duplicates():
    assert has_duplicates([KNOB, LID, KNOB.reversed()])
    assert not has_duplicates([KNOB, LID])


def test_prices_of_edits():
    """A spurious joint costs its motion or lambda, a split 2 t, a range |k - 1| up to 2 lambda."""
    scorer = tree.Scorer(BOX, Settings())
    found = scorer.score(with_leaf(BOX, "box", Joint("prismatic", axis=(0, 1, 0), upper=0.05)))
    assert_allclose([found[n] for n in ("E_tree", "D_0.25", "D_1")], [0.05, 0.25, 1.0], rtol=1e-12)
    found = scorer.score(split(BOX, 0, 0.25))
    assert_allclose([found["E_tree"], found["D_1"], found["D_0.25"]], [0.5, 1.25, 0.5], rtol=1e-12)
    wide = [("box", "lid", with_range(LID, 6.0)), BOX[1]]
    found = scorer.score(wide, extra=True)
    assert_allclose([found[n] for n in ("E_tree", "D_1", "D_2", "forced_1")], [5.0, 2.0, 4.0, 5.0], rtol=1e-12)
    assert found["certified"]


def test_relaxation_does_not_see_where_a_part_hangs():
    """Three joints in a row against three on one body: the assignment costs nothing, the trees differ."""
    joints = [Joint("prismatic", axis=(1, 0, 0), upper=u) for u in (0.1, 0.2, 0.4)]
    row = [(str(k), str(k + 1), j) for k, j in enumerate(joints)]
    star = [("0", str(k + 1), j) for k, j in enumerate(joints)]
    found = tree.Scorer(row, Settings()).score(star)
    assert found["relaxed"] == 0.0
    # two joints always match; the least one is contracted on one side and expanded on the other
    assert_allclose(found["E_tree"], 2 * cost_to_fixed(joints[0], SplitNorm()), rtol=1e-12)


# --- benchmark -----------------------------------------------------------------------------------------------------


def test_agreement():
    tau, swapped, pairs = agreement({"a": 3.0, "b": 2.0, "c": 1.0}, {"a": 3.0, "b": 1.0, "c": 2.0})
    assert_allclose(tau, 1 / 3)
    assert (swapped, pairs) == (1, 3)


def test_table_4_as_printed():
    assert len(published.TABLE_4) == 8
    assert all(len(values) == len(published.COLUMNS) for values in published.TABLE_4.values())
    assert published.column("SuccRate (%)", imputed=False)["Articraft"] == 17.1
    assert "Articulate AnyMesh†" not in published.column("E_B (m)", imputed=False)


def test_error_models(tmp_path):
    """What each model leaves right, read back from the file it writes."""
    truth = simcheck.load(DOOR)
    by_name = {m.name: m for m in METHODS}
    texts = {n: predicted(truth, m, np.random.default_rng(1)) for n, m in by_name.items()}
    assert texts["picky"] is not None  # a door has three joints
    assert "<limit" not in str(texts["no-limits"])
    objects = {}
    for name in ("reversed", "just-off", "bad-limits", "misses", "invents"):
        file = tmp_path / f"{name}.urdf"
        file.write_text(str(texts[name]))
        objects[name] = simcheck.load(file)
    for joint in truth.movable_joints:
        same, off, wide = (objects[n].joint(joint.name).motion for n in ("reversed", "just-off", "bad-limits"))
        assert joint_distance(joint.motion, same, SplitNorm()) < 1e-12
        assert_allclose(same.axis, -np.array(joint.axis), atol=1e-12)
        assert_allclose(math.acos(np.dot(off.axis, joint.axis)), 0.26, atol=1e-9)
        assert_allclose(wide.axis, joint.axis, atol=1e-12)
        assert wide.limits.tolist() != joint.motion.limits.tolist()
    assert 1 <= len(objects["misses"].movable_joints) <= 3
    assert len(objects["invents"].movable_joints) >= 3
