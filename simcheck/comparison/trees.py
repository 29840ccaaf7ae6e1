"""Tree distances between two objects, with certificate and edit script (SPEC sections 2 and 8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from metric import Body, KinematicTree, SplitNorm, tree_distance
from metric.trees import TreeDistance
from simcheck.asset.model import ArticulatedObject, ObjectJoint
from simcheck.comparison.options import CompareOptions

MEASURES = ("E_alpha", "E_alpha_phi", "E_B", "E_B_phi")


def kinematic_tree(obj: ArticulatedObject) -> KinematicTree:
    """The object's links and joints with each joint's moved body, in the world frame at rest."""
    edges = [
        (j.parent, j.child, j.motion, None if j.motion.exactly_fixed else obj.moved_body(j.name).body)
        for j in obj.joints
    ]
    return KinematicTree(edges, base=obj.root, base_body=_base_body(obj))


def _base_body(obj: ArticulatedObject) -> Body | None:
    parts = [obj.link_body(link).body for link in obj.welded(obj.root)]
    known = [part for part in parts if part is not None]
    return Body.combine(known) if known else None


def tree_distances(
    ground_truth: ArticulatedObject, prediction: ArticulatedObject, options: CompareOptions, method: str
) -> dict[str, dict[str, Any]]:
    """The four tree distances as JSON objects, exact or relaxed; a value that does not exist is None with a reason."""
    trees = kinematic_tree(ground_truth), kinematic_tree(prediction)
    return {name: _measure(name, ground_truth, prediction, trees, options, method) for name in MEASURES}


def _measure(
    name: str,
    ground_truth: ArticulatedObject,
    prediction: ArticulatedObject,
    trees: tuple[KinematicTree, KinematicTree],
    options: CompareOptions,
    method: str,
) -> dict[str, Any]:
    compact, kinetic = name.endswith("_phi"), name.startswith("E_B")
    reason = "" if compact else _unbounded(ground_truth, prediction)
    if kinetic and options.fallback == "none":
        reason = "; ".join(r for r in (reason, _without_body(ground_truth, prediction)) if r)
    if reason:
        return {
            **dict.fromkeys(("value", "lower", "upper", "certified", "method", "matching", "edits")),
            "reason": reason,
        }
    found = tree_distance(
        *trees,
        norm=None if kinetic else SplitNorm(options.alpha),
        kappa=options.kappa if compact else None,
        fallback=SplitNorm(options.alpha),
        method=method,
        base=options.base,
        time_limit=options.time_limit if method == "exact" else None,
    )
    return _entry(found, ground_truth, prediction)


def _entry(found: TreeDistance, ground_truth: ArticulatedObject, prediction: ArticulatedObject) -> dict[str, Any]:
    truths, predictions = ground_truth.joints, prediction.joints
    edits = [
        {
            "edit": edit.kind,
            "ground_truth": None if edit.ground_truth is None else truths[edit.ground_truth].name,
            "prediction": None if edit.prediction is None else predictions[edit.prediction].name,
            "cost": edit.cost,
        }
        for edit in found.edits
    ]
    return {
        "value": found.value,
        "lower": found.lower,
        "upper": found.upper,
        "certified": found.certified,
        "method": found.method,
        "matching": [[truths[i].name, predictions[j].name] for i, j in found.matching],
        "edits": edits,
        "base": found.base,
        "reason": None,
    }


def _unbounded(*objects: ArticulatedObject) -> str:
    found = [
        f"{obj.file}: joint {j.name!r} ({_how(j)})"
        for obj in objects
        for j in obj.movable_joints
        if not j.motion.bounded
    ]
    return f"unbounded: {_few(found)}; ask for E^phi,tree" if found else ""


def _how(joint: ObjectJoint) -> str:
    return "continuous" if joint.kind == "continuous" else "an infinite limit"


def _without_body(*objects: ArticulatedObject) -> str:
    found = [
        f"{obj.file}: joint {j.name!r}"
        for obj in objects
        for j in obj.movable_joints
        if obj.moved_body(j.name).body is None
    ]
    return f"no body: {_few(found)}; --fallback alpha prices them in the split norm" if found else ""


def _few(names: Iterable[str], most: int = 5) -> str:
    listed = list(names)
    shown = ", ".join(listed[:most])
    return shown if len(listed) <= most else f"{shown} and {len(listed) - most} more"
