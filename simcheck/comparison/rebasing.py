"""Seeing that a prediction is its truth exported from another base link (SPEC section 2, Trees)."""

from __future__ import annotations

from metric import SplitNorm, tree_distance
from simcheck.asset.frames import transformed
from simcheck.asset.model import ArticulatedObject
from simcheck.comparison.frames import onto_link
from simcheck.comparison.trees import kinematic_tree

_MOST_JOINTS = 60  # beyond, the search over all bases costs more than the remark is worth


def other_base(
    truth: ArticulatedObject, guess: ArticulatedObject, alpha: float, kappa: float, written: float
) -> str | None:
    """The link that the prediction has as its base, if putting it in place and freeing the base makes E^tree vanish."""
    if guess.root not in truth.links or guess.root == truth.root or len(guess.joints) > _MOST_JOINTS:
        return None
    placed = transformed(guess, onto_link(truth, guess, guess.root))
    freed = tree_distance(
        kinematic_tree(truth), kinematic_tree(placed), SplitNorm(alpha), kappa=kappa, base="free", time_limit=10.0
    )
    return guess.root if freed.value <= 1e-9 * max(1.0, written) else None
