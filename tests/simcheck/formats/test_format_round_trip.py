"""Random objects written in each format, read back, and written as URDF: screws and limits agree to 1e-9."""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory

import format_writers as writers
import numpy as np
from format_writers import Drawn, objects
from hypothesis import given, settings
from hypothesis import strategies as st

import simcheck
from simcheck.formats import load_prediction
from simcheck.formats.conversion import convert

CLOSE = {"rtol": 0, "atol": 1e-9}
FEW = settings(max_examples=60)


def check(joint, drawn: Drawn, limits: tuple[float, float]) -> None:
    assert joint.kind == drawn.kind
    np.testing.assert_allclose(joint.screw, drawn.screw, **CLOSE)
    if drawn.kind == "continuous":
        limits = (-math.inf, math.inf)
    np.testing.assert_allclose(joint.motion.limits, sorted(limits), **CLOSE)


def read_back(value: object, **options):
    """Read a JSON value as a prediction, convert it, and read that: the joints of both, in file order."""
    with TemporaryDirectory() as folder:
        path = writers.save(Path(folder) / "prediction.json", value)
        prediction = load_prediction(path)
        convert(path, Path(folder) / "out.urdf")
        return prediction, simcheck.load(Path(folder) / "out.urdf")


def check_both(value: object, joints: list[Drawn], names, parents, limits) -> None:
    prediction, converted = read_back(value)
    for drawn in joints:
        for obj in (prediction.object, converted):
            joint = obj.joint(names(drawn))
            check(joint, drawn, limits(drawn))
            assert joint.parent == parents(drawn)


@FEW
@given(objects(("revolute", "prismatic", "continuous")))
def test_cage(joints):
    check_both(
        writers.cage(joints),
        joints,
        lambda j: f"part_{j.index + 1}_joint",
        lambda j: f"part_{j.parent}" if j.parent else "base_0",
        lambda j: (0.0, j.limits[1]),
    )


@FEW
@given(objects(("revolute", "prismatic", "continuous")))
def test_partnet_mobility(joints):
    names = lambda j: f"joint_{j.index + 1}"  # noqa: E731
    check_both(writers.partnet(joints), joints, names, lambda j: f"link_{j.parent}", lambda j: j.limits)


@FEW
@given(objects(("revolute", "prismatic"), tree=False))
def test_paris(joints):
    value = writers.paris(joints)
    check_both(value, joints, lambda j: f"joint_{j.index}", lambda j: "base", lambda j: j.limits)
    assert load_prediction_of(value).tree_known == (len(joints) == 1)


@FEW
@given(objects(("revolute", "prismatic"), tree=False))
def test_digital_twin_art(joints):
    joints = [j for j in joints if abs(j.limits[1]) > 0.1 and abs(j.limits[1] - 2 * math.pi) > 0.1]
    if not joints:
        return
    renumbered = [Drawn(k, 0, j.kind, j.axis, j.origin, j.limits) for k, j in enumerate(joints)]
    value = writers.digital_twin_art(renumbered)
    check_both(value, renumbered, lambda j: f"joint_{j.index}", lambda j: "base", lambda j: (0.0, j.limits[1]))
    prediction = load_prediction_of(value)
    assert not any("rotation" in w.message for w in prediction.warnings)


@FEW
@given(objects(("revolute", "prismatic"), most=1))
def test_ditto(joints):
    (drawn,) = joints
    with TemporaryDirectory() as folder:
        path = Path(folder) / "joint.npz"
        writers.ditto(drawn, path)
        check(load_prediction(path).object.joint("joint_0"), drawn, drawn.limits)


@FEW
@given(joints=objects(("revolute", "prismatic", "continuous", "helical")), angle=st.sampled_from(["deg", "rad"]))
def test_plain(joints, angle):
    value = writers.plain(joints, angle)
    check_both(value, joints, lambda j: f"j{j.index}", lambda j: f"p{j.parent}", lambda j: j.limits)


def load_prediction_of(value: object):
    with TemporaryDirectory() as folder:
        return load_prediction(writers.save(Path(folder) / "prediction.json", value))


def test_urdf_is_passed_through(write):
    from urdf_and_command import joint, robot

    path = write(robot(joint("j", "revolute", "a", "b", xyz="1 0 0", limit='lower="-1" upper="0.5"')), "prediction.txt")
    prediction = load_prediction(path)
    obj, truth = prediction.object, simcheck.load(path)
    assert (prediction.format, prediction.tree_known, prediction.limits_known) == ("urdf", True, True)
    np.testing.assert_array_equal(obj.joint("j").endpoints, truth.joint("j").endpoints)
    assert obj.moved_body("j").body.mass == truth.moved_body("j").body.mass
