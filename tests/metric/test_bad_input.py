"""Bad input: a `MetricError` (a `ValueError`) that says what was expected, what came, and where."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metric import (
    Body,
    Joint,
    KineticNorm,
    MetricError,
    MetricWarning,
    RiemannianNorm,
    SplitNorm,
    adjoint,
    compactify,
    component_errors,
    cost_to_fixed,
    distance,
    endpoint_twists,
    exp,
    invariant_loss,
    joint_distance,
    linearization_bound,
    log,
    motion_discrepancy,
    pairwise_distance,
    placement_discrepancy,
    sampled_distance,
    screw,
    soft_distance,
    swap_invariants,
    swept_discrepancy,
)
from metric.errors import ShapeError
from metric.sampling import lobatto, sampled_discrepancy, uniform
from metric.statistics import bootstrap_interval, paired_bootstrap, rank_intervals, summarize

NAN, INF, I3, Z = math.nan, math.inf, np.eye(3), np.zeros((2, 6))
BODY, DOOR, SPLIT = Body(1.0, [0, 0, 0], I3), Joint("revolute", upper=1.0), SplitNorm()
BAD_ROW = np.where(np.arange(24).reshape(2, 2, 6) == 15, NAN, 1.0)
SHEAR, MIRROR = np.eye(4), np.diag([1.0, 1, -1, 1])
SHEAR[0, 1] = 0.1
PROJECTIVE = np.eye(4)
PROJECTIVE[3, 0] = 1.0

CASES = {
    # shapes
    "z1 shape": (lambda: distance(np.zeros(6), Z, SPLIT), r"z1: expected shape \(\.\.\., 2, 6\), got \(6,\)"),
    "z2 shape": (lambda: distance(Z, np.zeros((2, 7)), SPLIT), r"z2: expected shape \(\.\.\., 2, 6\), got \(2, 7\)"),
    "leading": (
        lambda: distance(np.zeros((3, 2, 6)), np.zeros((4, 2, 6)), SPLIT),
        r"leading dimensions \(3,\), \(4,\)",
    ),
    "norm batch": (
        lambda: distance(np.zeros((3, 2, 6)), Z, KineticNorm(Body([1, 1], Z[:, :3], np.stack([I3, I3])))),
        r"z1, z2 and norm: leading dimensions \(3,\), \(\), \(2,\) do not broadcast",
    ),
    "limits": (lambda: endpoint_twists(np.zeros(6), [0, 1, 2]), r"limits: expected shape \(\.\.\., 2\), got \(3,\)"),
    "screw and limits": (lambda: endpoint_twists(np.zeros((3, 6)), np.zeros((4, 2))), "screw and limits: leading"),
    "exp": (lambda: exp(np.zeros(5)), r"z: expected shape \(\.\.\., 6\), got \(5,\)"),
    "log": (lambda: log(np.eye(3)), r"T: expected shape \(\.\.\., 4, 4\), got \(3, 3\)"),
    "gram": (lambda: RiemannianNorm(np.eye(5)), r"matrix: expected shape \(\.\.\., 6, 6\)"),
    "axis": (lambda: Joint("revolute", axis=(0, 1)), r"axis: expected three numbers, got \(0, 1\); pass a batch"),
    "batch in Joint": (
        lambda: Joint("revolute", axis=np.ones((2, 3)) / 3**0.5),
        "axis: expected three numbers, got array.*pass a batch as",
    ),
    "inertia": (lambda: Body(1, [0, 0, 0], [1, 2, 3]), r"inertia: expected shape \(\.\.\., 3, 3\), got \(3,\)"),
    "body batch": (lambda: Body([1, 1], np.zeros((3, 3)), I3), "mass, com and inertia: leading"),
    "points": (lambda: Body.from_points([0, 0, 0], [1]), r"points: expected shape \(\.\.\., n, 3\), got \(3,\)"),
    "weights": (lambda: Body.from_points(np.zeros((2, 3)), [1, 1, 1]), r"weights: expected 2 masses, got shape \(3,\)"),
    "motion batch": (
        lambda: motion_discrepancy((np.zeros((3, 6)), np.zeros((3, 2))), (np.zeros((2, 6)), np.zeros((2, 2))), BODY),
        "a, b and body: leading dimensions",
    ),
    # not numbers
    "text": (lambda: exp("six numbers"), "z: expected numbers in a regular array, got 'six numbers'"),
    "texts": (lambda: exp(["1"] * 6), "z: expected numbers"),
    "none": (lambda: distance(None, Z, SPLIT), "z1: expected numbers in a regular array, got None"),
    "ragged": (lambda: distance([[0] * 6, [0] * 5], Z, SPLIT), "z1: expected numbers in a regular array"),
    "complex": (lambda: exp(np.zeros(6, complex)), "z: expected numbers in a regular array"),
    "lower": (lambda: Joint("revolute", lower="open"), "lower: expected a number, got 'open'"),
    "summary": (lambda: summarize("abc"), "values: expected numbers"),
    # NaN and infinity
    "nan in z1": (lambda: distance(BAD_ROW, Z, SPLIT), r"z1: expected no NaN, got nan at index \(1, 0, 3\)"),
    "nan in z2": (
        lambda: distance(Z, BAD_ROW, KineticNorm(BODY)),
        r"z2: expected no NaN, got nan at index \(1, 0, 3\)",
    ),
    "nan screw": (
        lambda: endpoint_twists([NAN] * 6, [0, 1]),
        r"screw: expected finite numbers, got nan at index \(0,\)",
    ),
    "inf screw": (lambda: joint_distance(([INF] * 6, [0, 1]), DOOR, SPLIT, 1.0), "screw of a: expected finite numbers"),
    "nan limit": (lambda: joint_distance(DOOR, (Z[0], [0, NAN]), SPLIT, 1.0), r"limits of b: expected no NaN.*\(1,\)"),
    "nan limits": (lambda: compactify(Z[0], [NAN, 1], SPLIT), r"limits: expected no NaN, got nan at index \(0,\)"),
    "nan in exp": (lambda: exp([0, 0, NAN, 0, 0, 0]), r"z: expected finite numbers, got nan at index \(2,\)"),
    "inf in norm": (lambda: SPLIT([INF, 0, 0, 0, 0, 0]), r"z: expected finite numbers, got inf at index \(0,\)"),
    "nan com": (lambda: Body(1, [0, NAN, 0], I3), r"com: expected finite numbers, got nan at index \(1,\)"),
    "nan matrix": (lambda: RiemannianNorm(NAN * np.eye(6)), "matrix: expected finite numbers, got nan"),
    "nan point": (lambda: Body.from_points([[0, 0, NAN]], [1]), "points: expected finite numbers"),
    "nan placement": (lambda: placement_discrepancy(NAN * np.eye(4), np.eye(4), BODY), "T1: expected finite numbers"),
    "unbounded pair": (lambda: swap_invariants(Joint("continuous")), "pair: expected finite numbers, got"),
    "unbounded loss": (lambda: invariant_loss(DOOR, Joint("continuous"), SPLIT), "q: expected finite numbers"),
    "nan limits of Joint": (lambda: Joint("revolute", lower=NAN), "limits: expected lower <= upper, got lower nan"),
    # meaning
    "kind": (lambda: Joint("floating"), "kind: expected one of revolute, continuous, .*, got 'floating'"),
    "zero axis": (lambda: Joint("prismatic", axis=(0, 0, 0)), r"axis: expected a direction, got the zero vector"),
    "zero axis in a batch": (lambda: screw(["revolute", "fixed"], Z[:, :3], Z[:, :3]), "axis: expected a direction"),
    "reversed limits": (lambda: Joint("revolute", lower=1, upper=0), r"lower <= upper, got lower 1.0, upper 0.0"),
    "empty interval": (lambda: Joint("prismatic", lower=INF, upper=INF), "interval that holds a real number"),
    "not a joint": (
        lambda: joint_distance(5, DOOR, SPLIT),
        r"joint: expected a Joint or a pair \(screw, limits\), got int",
    ),
    "not joints": (lambda: pairwise_distance(5, [DOOR], SPLIT), "joint: expected a Joint or a pair"),
    "mass": (lambda: Body(-1, [0, 0, 0], I3), "mass: expected a positive mass, got -1"),
    "no mass": (lambda: Body(0, [0, 0, 0], I3), "mass: expected a positive mass, got 0"),
    "weights sign": (
        lambda: Body.from_points(np.zeros((2, 3)), [1, -1]),
        "weights: expected masses that are not negative",
    ),
    "asymmetric": (
        lambda: Body(1, [0, 0, 0], [[1, 1, 0], [0, 1, 0], [0, 0, 1]]),
        "inertia: expected a symmetric tensor",
    ),
    "indefinite": (lambda: Body(1, [0, 0, 0], np.diag([1, 1, -1])), "inertia: expected a positive semidefinite tensor"),
    "no bodies": (lambda: Body.combine([]), r"bodies: expected one or more bodies, got \[\]"),
    "alpha": (lambda: SplitNorm(-1.0), "alpha: expected a positive finite number, got -1.0"),
    "alpha text": (lambda: SplitNorm("1"), "alpha: expected a positive finite number, got '1'"),
    "kinetic body": (lambda: KineticNorm(I3), "body: expected a Body, got ndarray"),
    "d body": (lambda: motion_discrepancy(DOOR, DOOR, I3), "body: expected a Body, got ndarray"),
    "not symmetric": (
        lambda: RiemannianNorm(np.triu(np.ones((6, 6)))),
        "matrix: expected a symmetric matrix, got entries",
    ),
    "not definite": (lambda: RiemannianNorm(np.diag([1, 1, 1, 1, 1, -2.0])), "positive definite.*least eigenvalue -2"),
    "singular": (lambda: RiemannianNorm(np.diag([1, 1, 1, 1, 1, 0.0])), "matrix: expected a positive definite matrix"),
    "kappa": (lambda: joint_distance(DOOR, DOOR, SPLIT, 0.0), "kappa: expected a positive finite number, got 0.0"),
    "kappa inf": (lambda: compactify(Z[0], [0, 1], SPLIT, INF), "kappa: expected a positive finite number, got inf"),
    "kappa cost": (lambda: cost_to_fixed(DOOR, SPLIT, -1), "kappa: expected a positive finite number, got -1"),
    "shear": (lambda: log(SHEAR), "T: expected a rotation"),
    "mirror": (lambda: adjoint(MIRROR), "T: expected a rotation"),
    "sheared body": (lambda: BODY.transformed(SHEAR), "T: expected a rotation"),
    "projective": (lambda: log(PROJECTIVE), "T: expected the last row 0 0 0 1, got"),
    "samples": (lambda: sampled_distance(DOOR, DOOR, SPLIT, 1), "n: expected an integer from 2 on, got 1"),
    "samples float": (lambda: lobatto(3.0), r"n: expected an integer from 2 on, got 3\.0"),
    "samples bool": (lambda: uniform(True), "n: expected an integer from 2 on, got True"),
    "rule": (
        lambda: sampled_distance(DOOR, DOOR, SPLIT, 3, "simpson"),
        "rule: expected one of lobatto, uniform, got 'simpson'",
    ),
    "rule of path": (lambda: sampled_discrepancy(DOOR, DOOR, BODY, 3, "x"), "rule: expected one of lobatto, uniform"),
    "rtol": (lambda: swept_discrepancy(DOOR, DOOR, BODY, rtol=0), "rtol: expected a number from 1e-14 to 1, got 0"),
    "degrees": (
        lambda: swept_discrepancy(Joint("revolute", upper=1e6), DOOR, BODY),
        r"at most 10,000 turns, got 1e\+06 rad; are the limits in degrees\?",
    ),
    "bound body": (lambda: linearization_bound(DOOR, DOOR, None), "body: expected a Body, got NoneType"),
    "temperature": (lambda: soft_distance(Z, Z, SPLIT, 0), "temperature: expected a positive finite number, got 0"),
    # protocols and statistics
    "protocol": (lambda: errors(protocol="carto"), "protocol: expected one of template, ditto, .*, got 'carto'"),
    "geometry protocol": (lambda: errors(protocol="singapo"), "singapo compares the geometry at several states"),
    "mode": (lambda: errors(mode="fixed"), "mode: expected one of corrected, as_published, got 'fixed'"),
    "not a Joint": (lambda: errors(prediction=Z), "prediction: expected a Joint or a sequence of them, got ndarray"),
    "lengths": (lambda: errors(ground_truth=[DOOR] * 2, prediction=[DOOR] * 3), "expected as many joints, got 2 and 3"),
    "option": (lambda: errors(diagonal=1.0), "diagonal: template does not use it"),
    "diagonal": (lambda: errors(protocol="opd", diagonal=-1.0), "diagonal: expected a positive length"),
    "reason": (lambda: errors().reason("pivot"), "name: expected one of type, axis, .*, got 'pivot'"),
    "statistic": (lambda: bootstrap_interval([1, 2], statistic="mode"), "statistic: expected one of mean, median"),
    "level": (lambda: bootstrap_interval([1, 2], level=95), "level: expected a share between 0 and 1, got 95"),
    "resamples": (lambda: bootstrap_interval([1, 2], resamples=0), "resamples: expected a positive integer, got 0"),
    "labels": (lambda: bootstrap_interval([1, 2], objects=["a"]), r"objects: expected one label a value, shape \(2,\)"),
    "matrix of values": (lambda: summarize(I3), r"values: expected shape \(n,\), got \(3, 3\)"),
    "pairs": (lambda: paired_bootstrap([1, 2], [1]), "first, second: expected one value an object each, got 2 and 1"),
    "methods": (lambda: rank_intervals({}), "methods: expected at least one method"),
    "method sizes": (
        lambda: rank_intervals({"a": [1], "b": [1, 2]}),
        "expected one value an object each, got a 1, b 2",
    ),
}


def errors(**arguments):
    return component_errors(**{"ground_truth": DOOR, "prediction": DOOR, **arguments})


@pytest.mark.parametrize("name", CASES)
def test_message(name):
    call, message = CASES[name]
    with pytest.raises(MetricError, match=message) as caught:
        call()
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 300


def test_shapes_have_an_error_of_their_own():
    with pytest.raises(ShapeError):
        distance(np.zeros(6), Z, SPLIT)


def test_axis_of_another_length_is_normalised_with_a_warning():
    with pytest.warns(MetricWarning, match="axis: not of unit length, normalised"):
        joint = Joint("prismatic", axis=(0, 0, 2), upper=0.5)
    assert joint.axis == (0, 0, 1)
    assert (joint.endpoints[1] == [0, 0, 0, 0, 0, 0.5]).all()


def test_public_arrays_of_a_joint_cannot_be_written():
    for array in (DOOR.screw, DOOR.limits, DOOR.endpoints):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
