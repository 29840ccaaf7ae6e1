"""Every golden value of the motions, norms, distances and discrepancies (SPEC section 2)."""

from __future__ import annotations

import math

import golden_files as golden
import numpy as np
import pytest

from metric import (
    Joint,
    KineticNorm,
    adjoint,
    compactify,
    component_errors,
    exp,
    joint_distance,
    linearization_bound,
    motion_discrepancy,
    placement_discrepancy,
    sampled_distance,
    soft_distance,
    swap_invariants,
    swept_discrepancy,
)
from metric.discrepancy import endpoint_bound, twist_discrepancy
from metric.sampling import sampled_discrepancy


def each(*topics: str, op: str | None = None):
    chosen = [c for c in golden.cases(*topics) if op is None or c["op"] == op]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=lambda c: c["id"])


@each("twists", op="twist")
def test_screw(case):
    golden.check(case, "twist", golden.joint(case["input"]["joint"]).screw)


@each("twists", op="endpoints")
def test_endpoints(case):
    golden.check(case, "pair", golden.joint(case["input"]["joint"]).endpoints)


@each("twists", op="exp")
def test_exp(case):
    T = exp(case["input"]["z"])
    golden.check(case, "R", T[:3, :3])
    golden.check(case, "t", T[:3, 3])


@each("norms", op="norm")
def test_norm(case):
    norm = golden.norm(case["input"]["norm"])
    z = np.array(case["input"]["z"])
    golden.check(case, "norm", norm(z))
    golden.check(case, "norm", math.sqrt(z @ norm.gram @ z))


@each("norms", op="inner")
def test_inner_product(case):
    golden.check(case, "inner", golden.norm(case["input"]["norm"]).inner(case["input"]["x"], case["input"]["y"]))


@each("E")
def test_distance(case):
    a, b = golden.joint(case["input"]["joint1"]), golden.joint(case["input"]["joint2"])
    golden.check(case, "E", joint_distance(a, b, golden.norm(case["input"]["norm"])), undefined=math.inf)


@each("compactification")
def test_compactified_distance(case):
    joints = [golden.joint(case["input"][k]) for k in ("joint1", "joint2")]
    norm, kappa = golden.norm(case["input"]["norm"]), case["input"].get("kappa", math.pi)
    for key, joint in zip(("pair1", "pair2"), joints, strict=True):
        golden.check(case, key, compactify(joint.screw, joint.limits, norm, kappa))
    golden.check(case, "E_phi", joint_distance(*joints, norm, kappa))


@each("discrepancy", op="moments")
def test_moments_of_points(case):
    body = golden.body(case["input"])
    for key in ("mass", "com", "inertia"):
        golden.check(case, key, getattr(body, key))


@each("discrepancy", op="displacement")
def test_displacement(case):
    body, z1, z2 = golden.body(case["input"]["body"]), case["input"]["z1"], case["input"]["z2"]
    golden.check(case, "d", twist_discrepancy(z1, z2, body))
    golden.check(case, "d", placement_discrepancy(exp(z1), exp(z2), body))
    golden.check(case, "norm_dz", KineticNorm(body)(np.subtract(z1, z2)))


@each("discrepancy", op="pair_d")
def test_motion_discrepancy(case):
    a, b = golden.joint(case["input"]["joint1"]), golden.joint(case["input"]["joint2"])
    body = golden.body(case["input"]["body"])
    golden.check(case, "d", motion_discrepancy(a, b, body))
    golden.check(case, "E_B", joint_distance(a, b, KineticNorm(body)), undefined=math.inf)


@each("bound")
def test_endpoint_bound(case):
    z1, z2 = np.array(case["input"]["z1"]), np.array(case["input"]["z2"])
    body = golden.body(case["input"]["body"])
    length, upper, lower = endpoint_bound(z1, z2, KineticNorm(body))
    d = twist_discrepancy(z1, z2, body)
    golden.check(case, "norm_dz", length)
    golden.check(case, "gap_upper", upper)
    golden.check(case, "gap_lower", -lower)
    golden.check(case, "d", d)
    golden.check(case, "gap", d - length)


@each("discrepancy", op="pair_d")
def test_bound_holds_on_golden_pairs(case):
    a, b = golden.joint(case["input"]["joint1"]), golden.joint(case["input"]["joint2"])
    if not (a.bounded and b.bounded):
        assert np.isnan(linearization_bound(a, b, golden.body(case["input"]["body"]))).all()
        return
    body = golden.body(case["input"]["body"])
    e, d = joint_distance(a, b, KineticNorm(body)), motion_discrepancy(a, b, body)
    lower, upper = linearization_bound(a, b, body)
    assert e - lower - 1e-12 <= d <= e + upper + 1e-12


@each("reanchor", op="shift_anchor")
def test_reanchoring(case):
    joint = golden.joint(case["input"]["joint"])
    golden.check(case, "limits", joint.reanchored(case["input"]["delta"]).limits)


@each("reanchor", op="stored_state")
def test_stored_state(case):
    joint, delta = golden.joint(case["input"]["joint"]), case["input"]["delta"]
    norm, stored = golden.norm(case["input"]["norm"]), joint.reanchored(delta)
    golden.check(case, "E_raw", joint_distance(joint, stored, norm))
    golden.check(case, "E_reanchored", joint_distance(joint, stored.reanchored(-delta), norm))


@each("reanchor", op="wrap")
def test_wrap(case):
    golden.check(case, "limits", golden.joint(case["input"]["joint"]).wrapped().limits)


@each("reanchor", op="chain")
def test_chain(case):
    placement = np.eye(4)
    twists = []
    for spec, q in zip(case["input"]["joints"], case["input"]["q"], strict=True):
        joint: Joint = golden.joint(spec)
        twists.append(adjoint(placement) @ joint.screw)
        placement = placement @ exp(q * joint.screw)
    golden.check(case, "twists", twists)


@each("sampling", op="segment")
def test_sampled_distance(case):
    a, b = golden.joint(case["input"]["joint1"]), golden.joint(case["input"]["joint2"])
    norm = golden.norm(case["input"]["norm"])
    golden.check(case, "E", joint_distance(a, b, norm), undefined=math.inf)
    for n, expected in case["expected"]["E_n"].items():
        value = sampled_distance(a, b, norm, int(n), "uniform")
        golden.check({**case, "expected": {"E_n": expected}}, "E_n", value, undefined=math.inf)
    for n in (3, 4, 1000):
        golden.check(case, "L2", sampled_distance(a, b, norm, n) / math.sqrt(2), undefined=math.inf)


@each("sampling", op="path")
def test_sampled_path(case):
    a, b = golden.joint(case["input"]["joint1"]), golden.joint(case["input"]["joint2"])
    body = golden.body(case["input"]["body"])
    for n, expected in case["expected"]["path_n"].items():
        value = sampled_discrepancy(a, b, body, int(n), "uniform")
        golden.check({**case, "expected": {"path_n": expected}}, "path_n", value)
    golden.check(case, "path_L2", swept_discrepancy(a, b, body) / math.sqrt(2))
    golden.check(case, "path_L2", sampled_discrepancy(a, b, body, 40) / math.sqrt(2))


@each("components")
def test_components(case):
    truth, prediction = golden.joint(case["input"]["gt"]), golden.joint(case["input"]["pred"])
    published = component_errors(ground_truth=truth, prediction=prediction, mode="as_published")
    corrected = component_errors(ground_truth=truth, prediction=prediction)
    names = {"origin_fallback": "origin_line", "limit_dir": "limit_direction"}
    for key in case["expected"]:
        name = names.get(key, key)
        golden.check(case, key, getattr(published, name))
        if name == "limit_range" and corrected.reason(name) == "units differ":
            assert {truth.kind == "prismatic", prediction.kind == "prismatic"} == {True, False}
        else:
            golden.check(case, key, getattr(corrected, name))
        assert (case["expected"][key] is None) == (published.reason(name) != "")


@each("surrogates", op="invariants")
def test_swap_invariants(case):
    joint = golden.joint(case["input"]["joint"])
    for pair in (joint, joint.endpoints, joint.endpoints[::-1]):
        for key, value in zip(("s", "D"), swap_invariants(pair), strict=True):
            golden.check(case, key, value)


@each("surrogates", op="soft")
def test_soft_distance(case):
    a, b = golden.joint(case["input"]["joint1"]), golden.joint(case["input"]["joint2"])
    norm, temperature = golden.norm(case["input"]["norm"]), case["input"]["T"]
    golden.check(case, "soft_E2", soft_distance(a.endpoints, b.endpoints, norm, temperature))


def test_every_golden_case_has_a_test():
    """By topic and op; trees and URDF have tests of their own beside the code that they test."""
    elsewhere = {"trees_exact", "trees_relaxed", "trees_constant", "trees_B", "urdf"}
    tested = {mark.args[1][k]["id"] for test in _tests() for mark in test.pytestmark for k in range(len(mark.args[1]))}
    topics = {path.stem for path in golden.FOLDER.glob("*.json")} - elsewhere
    assert topics
    assert tested == {case["id"] for case in golden.cases(*topics)}


def _tests():
    return [value for name, value in globals().items() if name.startswith("test_") and hasattr(value, "pytestmark")]
