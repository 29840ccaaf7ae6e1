"""What a tree distance returns: its value, its certificate, the matching and the edits in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metric.trees.costs import EditCosts
from metric.trees.tree import Edge, KinematicTree, Node


@dataclass(frozen=True)
class Edit:
    """One step from the ground truth to the prediction; edges by index in the trees as given."""

    kind: str  # substituted, contracted or expanded
    ground_truth: int | None
    prediction: int | None
    cost: float
    words: str

    def __str__(self) -> str:
        return f"{self.words}: {self.cost:.6g}"


@dataclass(frozen=True)
class TreeDistance:
    """A tree distance with its certificate.

    Attributes
    ----------
    value : float
        Cost of ``edits``: of the best tree matching found, or of the assignment (relaxed, constant). In the unit of
        the norm; +inf if a joint is unbounded and no kappa was given.
    lower, upper : float
        True bounds of what the method computes; for ``relaxed`` of the exact distance.
    certified : bool
        ``value`` is the optimum (for ``relaxed``: of the exact distance too), up to rounding: 1e-13 of the cost of
        removing all joints, times the number of joints.
    method : str
    matching : tuple of (ground-truth edge, predicted edge)
        Indices into the edges of the trees as given.
    edits : tuple of Edit
        The edit script; ``str(edit)`` says it in words. Exactly fixed edges need no edit.
    base : node
        The predicted base that ``value`` belongs to.
    """

    value: float
    lower: float
    upper: float
    certified: bool
    method: str
    matching: tuple[tuple[int, int], ...]
    edits: tuple[Edit, ...]
    base: Node = None


def edit_script(
    ground_truth: KinematicTree, prediction: KinematicTree, costs: EditCosts, pairs: Sequence[tuple[int, int]]
) -> tuple[Edit, ...]:
    """The edits of a matching of the moving edges (costs and pairs count those only)."""
    partner = dict(pairs)
    edits = []
    for k, i in enumerate(ground_truth.moving):
        name = f"ground-truth {_named(i, ground_truth.edges[i])}"
        if k in partner:
            j = prediction.moving[partner[k]]
            words = f"{name} substituted by predicted {_named(j, prediction.edges[j])}"
            edits.append(Edit("substituted", i, j, float(costs.substitution[k, partner[k]]), words))
        else:
            edits.append(Edit("contracted", i, None, float(costs.contraction[k]), f"{name} contracted"))
    matched = set(partner.values())
    for k, j in enumerate(prediction.moving):
        if k not in matched:
            words = f"predicted {_named(j, prediction.edges[j])} expanded"
            edits.append(Edit("expanded", None, j, float(costs.expansion[k]), words))
    return tuple(edits)


def _named(index: int, edge: Edge) -> str:
    return f"edge {index} ({edge.parent} - {edge.child}, {edge.joint.kind})"
