"""Tests of other projects: that two files describe the same motions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simcheck.asset import ArticulatedObject


def assert_same_kinematics(
    gt: str | Path | ArticulatedObject, pred: str | Path | ArticulatedObject, tol: float = 1e-9, **options: Any
) -> None:
    """Assert that two objects have the same joints, with the same motions, hung together in the same way.

    Parameters
    ----------
    gt, pred
        Files (the second of any known format) or objects that were read.
    tol
        Largest E_alpha^phi of a pair, and largest E_B (of an unbounded joint E_B^phi) as a share of the true object's
        size. How the same motion is written down (names, order, a reversed axis with negated limits, the point on the
        axis) does not matter; which joint carries which does.
    options
        Of `simcheck.compare`: ``match="name"`` and so on.

    Raises
    ------
    AssertionError    says for every joint what differs and by how much
    AssetError        a file has no single meaning
    """
    __tracebackhide__ = True
    from simcheck.asset import load
    from simcheck.comparison import compare

    truth = gt if isinstance(gt, ArticulatedObject) else load(gt)
    found = compare(truth, pred, **{"simulate": False, **options})
    problems = [line for joint in found["joints"] for line in _differences(joint, tol, truth.size)]
    problems += [f"joint {j['name']!r} is missing" for j in found["unmatched"]["ground_truth"]]
    problems += [f"joint {j['name']!r} is not in the truth" for j in found["unmatched"]["prediction"]]
    problems += found["remarks"]
    if problems:
        raise AssertionError("\n".join([f"{found['prediction']} does not move as {found['ground_truth']}:", *problems]))


def _differences(joint: dict[str, Any], tol: float, size: float) -> list[str]:
    physical, share = (joint["E_B"], "E_B") if joint["E_B"] is not None else (joint["E_B_phi"], "E_B^phi")
    if joint["E_alpha_phi"] <= tol and (physical is None or physical <= tol * size):
        return []
    shown = "" if physical is None else f", {share} {physical:.6g} m"
    return [
        f"{joint['ground_truth']!r} -> {joint['prediction']!r}: {joint['explanation']['sentence']} "
        f"(E_alpha^phi {joint['E_alpha_phi']:.6g}{shown})"
    ]
