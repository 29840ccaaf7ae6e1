"""One object, all methods: what is kept of each joint and of each prediction (runs in a worker)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcheck.asset import ArticulatedObject, ReadOptions, load
from simcheck.comparison.frames import Placement
from simcheck.comparison.run import CompareOptions, compare_objects, read_prediction
from simcheck.comparison.trees import MEASURES
from simcheck.errors import SimcheckError
from simcheck.workers import Workers

_DISTANCES = ("E_alpha", "E_B", "E_alpha_phi", "E_B_phi", "E_norm", "E_norm_phi", "d")  # E_norm: of --norm, else null
_NUMBERS = (*_DISTANCES, "E_B_physical", "d_sweep")
_SCORES = ("axis", "origin", "origin_line", "limit_range", "limit_direction", "success", "success_literal")
_FAILED = {"success": 0.0, "success_literal": 0.0}  # a true joint that was missed or welded
_own = threading.local()

JOINT_TYPES: dict[str, type] = {
    **dict.fromkeys(("method", "object", "super_category", "status", "ground_truth", "prediction"), str),
    **dict.fromkeys(("kind", "predicted_kind", "paired_by"), str),
    **dict.fromkeys((*_NUMBERS, "bound_lower", "bound_upper", "type_error", *_SCORES), float),
    "limits_imputed": bool,
    "reason": str,
}
"""Columns of the joint rows: one row a true or predicted joint of one method; float columns may be null.

``status``: matched, missing, spurious, welded (a true joint predicted as fixed), loosened (a fixed one predicted to
move).
"""

OBJECT_TYPES: dict[str, type] = {
    **dict.fromkeys(("method", "object", "super_category", "status", "reason", "format"), str),
    **dict.fromkeys(("true_joints", "predicted_joints", "matched", "missing", "spurious"), int),
    **dict.fromkeys((f"tree_{name}" for name in MEASURES), float),
    **dict.fromkeys((f"tree_{name}_per_joint" for name in MEASURES), float),
    "tree_certified": bool,
    "tree_method": str,
}
"""Columns of the object rows: one row an object of one method."""


@dataclass(frozen=True)
class Scored:
    """What one object contributes."""

    joints: list[dict[str, Any]]
    objects: list[dict[str, Any]]
    warnings: list[dict[str, str]]


def score_object(
    name: str,
    category: str,
    truth_path: str,
    predictions: Mapping[str, str | None],
    problems: Mapping[str, str],
    options: CompareOptions,
    read: ReadOptions,
    placements: Mapping[str, Placement],
) -> Scored:
    """Score the predictions of all methods for one true object.

    Parameters
    ----------
    name, category
        Id and super-category of the object.
    truth_path, predictions
        Files; None where a method has none.
    problems
        By method, why a prediction cannot even be opened (several files claim the object).
    placements
        By method, where a prediction is put, instead of what the options say.

    Raises
    ------
    AssetError    the ground truth cannot be read
    """
    given: dict[str, Any] = {
        method: BrokenPrediction(problems[method]) if method in problems else path
        for method, path in predictions.items()
    }
    return score_objects(truth_path, given, name, category, options, read, placements)


@dataclass(frozen=True)
class BrokenPrediction:
    """Stands for a prediction that cannot even be opened."""

    reason: str


def score_objects(
    ground_truth: str | Path | ArticulatedObject,
    predictions: Mapping[str, str | Path | ArticulatedObject | BrokenPrediction | None],
    name: str,
    category: str,
    options: CompareOptions,
    read: ReadOptions,
    placements: Mapping[str, Placement] | None = None,
) -> Scored:
    """As `score_object`, for files or objects that were read; None is a missing prediction."""
    truth = ground_truth if isinstance(ground_truth, ArticulatedObject) else load(ground_truth, read)
    joints: list[dict[str, Any]] = []
    objects: list[dict[str, Any]] = []
    warnings: list[dict[str, str]] = []
    for method, prediction in predictions.items():
        about = {"method": method, "object": name, "super_category": category}
        result: dict[str, Any] | None = None
        if isinstance(prediction, BrokenPrediction):
            status, reason = "broken", prediction.reason
        elif prediction is None:
            status, reason = "missing", "no file for this object"
        else:
            own = options.placed_by((placements or {}).get(method))
            status, reason, result = _compared(truth, prediction, own, read)
        rows, summary = _rows(truth, about, status, reason, result)
        joints += rows
        objects.append(summary)
        warnings += [] if result is None else result["warnings"]
    return Scored(joints, objects, warnings)


def _compared(
    truth: ArticulatedObject, prediction: str | Path | ArticulatedObject, options: CompareOptions, read: ReadOptions
) -> tuple[str, str, dict[str, Any] | None]:
    """Status, reason and comparison of one prediction."""
    try:
        guessed = read_prediction(prediction, options, read)
        if not guessed.object.movable_joints and truth.movable_joints:
            return "empty", "no movable joint", None
        simulator = _simulator() if options.simulate else None
        return "ok", "", compare_objects(truth, guessed, options, {}, workers=simulator, explained=False)
    except SimcheckError as error:
        return "broken", str(error), None


def _simulator() -> Workers:
    """The simulator process of this thread: a crash in it costs one prediction, not the object."""
    if not hasattr(_own, "simulator"):
        _own.simulator = Workers(1)
    simulator: Workers = _own.simulator
    return simulator


def _rows(
    truth: ArticulatedObject, about: dict[str, str], status: str, reason: str, result: dict[str, Any] | None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    count = len(truth.movable_joints)
    summary = {
        **dict.fromkeys(OBJECT_TYPES),
        **about,
        "status": status,
        "reason": reason,
        "true_joints": count,
        "predicted_joints": 0,
        "matched": 0,
        "missing": count,
        "spurious": 0,
    }
    if result is None:
        return [], summary
    rows = [_joint_row(truth, about, joint) for joint in result["joints"]]
    for side, label in (("ground_truth", "missing"), ("prediction", "spurious")):
        rows += [_alone_row(about, joint, side, label) for joint in result["unmatched"][side]]
    matched = sum(row["status"] == "matched" for row in rows)
    spurious = len(result["unmatched"]["prediction"]) + sum(row["status"] == "loosened" for row in rows)
    predicted = matched + spurious
    summary |= {
        "format": result["applied"]["format"],
        "predicted_joints": predicted,
        "matched": matched,
        "missing": count - matched,
        "spurious": spurious,
        "tree_certified": all(tree["certified"] is not False for tree in result["tree"].values()),
        "tree_method": next((t["method"] for t in result["tree"].values() if t["method"]), None),
    }
    for name in MEASURES:
        value = result["tree"][name]["value"]
        summary[f"tree_{name}"] = value
        larger = max(count, predicted)
        summary[f"tree_{name}_per_joint"] = None if value is None else value / larger if larger else 0.0
    return rows, summary


def _joint_row(truth: ArticulatedObject, about: dict[str, str], joint: dict[str, Any]) -> dict[str, Any]:
    fixed = joint["paired_by"] == "fixed"
    loosened = fixed and truth.joint(joint["ground_truth"]).motion.exactly_fixed
    components = joint["components"]
    bound = joint["bound"] or (None, None)
    return {
        **dict.fromkeys(JOINT_TYPES),
        **about,
        "status": "loosened" if loosened else "welded" if fixed else "matched",
        "ground_truth": joint["ground_truth"],
        "prediction": joint["prediction"],
        "kind": joint["kind"][0],
        "predicted_kind": joint["kind"][1],
        "paired_by": joint["paired_by"],
        **{name: joint.get(name) for name in _NUMBERS},
        "bound_lower": bound[0],
        "bound_upper": bound[1],
        "type_error": float(components["type"]),
        **{name: _number(components.get(name)) for name in _SCORES},
        **(_FAILED if fixed and not loosened else {}),
        "limits_imputed": joint["limits_imputed"],
        "reason": _reason(joint),
    }


def _alone_row(about: dict[str, str], joint: dict[str, Any], side: str, label: str) -> dict[str, Any]:
    kinds = ("kind", "predicted_kind") if side == "ground_truth" else ("predicted_kind", "kind")
    return {
        **dict.fromkeys(JOINT_TYPES),
        **about,
        "status": label,
        side: joint["name"],
        kinds[0]: joint["kind"],
        **{name: joint.get(name) for name in _DISTANCES},
        **(_FAILED if label == "missing" else {}),
        "limits_imputed": False,
        "reason": _reason(joint),
    }


def _reason(joint: dict[str, Any]) -> str:
    """Why numbers of a joint have no value, each reason once."""
    return "; ".join(dict.fromkeys(joint["null_reasons"].values()))


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
