"""Simulated methods for the benchmark: known error models in place of published outputs, which are not public."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from metric import Joint
from simcheck.asset import ArticulatedObject
from simcheck.asset.model import Inertial, Link, ObjectJoint
from simcheck.asset.write import urdf_text

Random = np.random.Generator


@dataclass(frozen=True)
class Method:
    """How a method errs; every number is a standard deviation or a share.

    Parameters
    ----------
    name, words
        In tables, and what it stands for.
    tilt
        Of the axis, rad.
    origin
        Of each coordinate of the origin, as a share of the object's size.
    limit
        Of the logarithm of each limit.
    missing, confused
        Share of joints predicted as fixed, or of another kind (hinge and slide exchanged).
    spurious
        Share of true joints to which a joint is added that is not there.
    off
        A constant tilt in a random direction, rad.
    guessed
        Axes drawn at random.
    reversed
        Every joint written with its axis reversed and its limits negated.
    limits
        Whether limits are predicted at all.
    most_joints
        No output for objects with more movable joints.
    """

    name: str
    words: str
    tilt: float = 0.0
    origin: float = 0.0
    limit: float = 0.0
    missing: float = 0.0
    confused: float = 0.0
    spurious: float = 0.0
    off: float = 0.0
    guessed: bool = False
    reversed: bool = False
    limits: bool = True
    most_joints: int | None = None


METHODS = (
    Method("fine", "small errors in everything", tilt=0.005, origin=0.001, limit=0.02),
    Method("good", "ten times those of fine", tilt=0.05, origin=0.01, limit=0.2),
    Method("rough", "a hundred times in axes", tilt=0.4, origin=0.08, limit=0.5),
    Method("poor", "twice those of rough", tilt=0.8, origin=0.16, limit=1.0),
    Method("reversed", "exact, axes and limits reversed", reversed=True),
    Method("just-off", "axes 0.26 rad off, the rest exact", off=0.26),
    Method("bad-limits", "limits wrong, the rest exact", limit=1.2),
    Method("no-limits", "as good, limits not predicted", tilt=0.05, origin=0.01, limits=False),
    Method("misses", "as good, 30 % of joints missing", tilt=0.05, origin=0.01, limit=0.2, missing=0.3),
    Method("invents", "as good, 30 % more joints", tilt=0.05, origin=0.01, limit=0.2, spurious=0.3),
    Method("confuses", "as good, 30 % of kinds wrong", tilt=0.05, origin=0.01, limit=0.2, confused=0.3),
    Method("picky", "as rough, objects of up to 3 joints", tilt=0.4, origin=0.08, limit=0.5, most_joints=3),
    Method("guess", "random axes", origin=0.16, limit=0.5, guessed=True),
)


def predicted(obj: ArticulatedObject, method: Method, random: Random) -> str | None:
    """URDF text of what a method predicts for an object; None where it gives no output.

    Links keep their names, places and masses; geometry is left out. At least one joint is predicted.
    """
    if method.most_joints is not None and len(obj.movable_joints) > method.most_joints:
        return None
    joints = [replace(j, motion=_motion(obj, j.motion, method, random), mimic=None) for j in obj.joints]
    moving = [k for k, j in enumerate(joints) if not j.motion.exactly_fixed]
    lost = random.random(len(moving)) < method.missing
    if moving and lost.all():
        lost[random.integers(len(moving))] = False
    for k, gone in zip(moving, lost, strict=True):
        if gone:
            m = joints[k].motion
            joints[k] = replace(joints[k], motion=Joint("fixed", m.axis, m.origin))
    links = {name: replace(link, source=None) for name, link in obj.links.items()}
    for number in range(int(random.binomial(len(moving), method.spurious))):
        link, joint = _spurious(obj, number, random)
        links[link.name] = link
        joints.append(joint)
    text = urdf_text(replace(obj, joints=tuple(joints), links=links, warnings=()))
    return text if method.limits else _without_limits(text)


def _motion(obj: ArticulatedObject, motion: Joint, method: Method, random: Random) -> Joint:
    """The predicted motion of one joint; the draws are the same for every method."""
    lean, shift, stretch = random.normal(size=3), random.normal(size=3), random.normal(size=2)
    direction, other = random.normal(size=3), random.random()
    if motion.exactly_fixed:
        return motion
    axis = np.array(motion.axis)
    if method.guessed:
        axis = direction / np.linalg.norm(direction)
    across = lean - axis * (axis @ lean)
    angle = method.tilt * float(np.linalg.norm(across)) + method.off
    axis = math.cos(angle) * axis + math.sin(angle) * across / np.linalg.norm(across)
    origin = np.array(motion.origin) + method.origin * obj.size * shift
    factors = np.exp(method.limit * stretch)
    a, b, c = axis.tolist()
    x, y, z = origin.tolist()
    changed = replace(motion, axis=(a, b, c), origin=(x, y, z))
    if motion.kind != "continuous":
        lower, upper = sorted((motion.lower * factors[0], motion.upper * factors[1]))
        changed = replace(changed, lower=float(lower), upper=float(upper))
    if other < method.confused:
        changed = _confused(changed, obj.size)
    return changed.reversed() if method.reversed else changed


def _confused(motion: Joint, size: float) -> Joint:
    """A hinge as a slide over a fifth of the size, a slide as a hinge over a right angle."""
    if motion.kind == "prismatic":
        return Joint("revolute", motion.axis, motion.origin, 0.0, math.pi / 2)
    return Joint("prismatic", motion.axis, motion.origin, 0.0, 0.2 * size)


def _spurious(obj: ArticulatedObject, number: int, random: Random) -> tuple[Link, ObjectJoint]:
    """A small part on the root link that moves a little."""
    name, size = f"spurious_{number}", obj.size
    low, high = obj.box
    place = random.uniform(low, high)
    pose = np.eye(4)
    pose[:3, 3] = place
    part = Inertial(0.1, place + np.array([0.05 * size, 0.0, 0.0]), np.eye(3) * 0.1 * (0.03 * size) ** 2)
    a, b, c = np.eye(3)[random.integers(3)].tolist()
    x, y, z = place.tolist()
    if random.random() < 0.5:
        motion = Joint("revolute", (a, b, c), (x, y, z), 0.0, float(random.uniform(0.1, 1.5)))
    else:
        motion = Joint("prismatic", (a, b, c), (x, y, z), 0.0, float(size * random.uniform(0.02, 0.3)))
    return Link(name, pose, part), ObjectJoint(f"{name}_joint", obj.root, name, motion)


def _without_limits(text: str) -> str:
    root = etree.fromstring(text)
    for limit in root.findall("joint/limit"):
        limit.getparent().remove(limit)
    return str(etree.tostring(root, encoding="unicode")) + "\n"


def write_predictions(obj: ArticulatedObject, name: str, folder: Path, seed: int) -> dict[str, str | None]:
    """The predictions of all methods for one object as files ``folder/METHOD/NAME.urdf``; None where there is none."""
    found: dict[str, str | None] = {}
    for method in METHODS:
        text = predicted(obj, method, np.random.default_rng([seed, 8, *name.encode()]))
        found[method.name] = None
        if text is not None:
            path = folder / method.name / f"{name}.urdf"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            found[method.name] = str(path)
    return found


def described(method: Method) -> dict[str, Any]:
    """The error model as a row of a table."""
    return {name: value for name, value in vars(method).items() if name not in ("name", "words")}
