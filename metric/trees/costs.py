"""Prices of the edits between two trees: substitute, contract, expand (SPEC section 2, paper 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metric.body import Body
from metric.distance import compactify, distance
from metric.errors import MetricError
from metric.joint import endpoint_twists
from metric.norm import KineticNorm, Norm
from metric.trees.tree import Edge, KinematicTree

Costs = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EditCosts:
    """What each edit between two trees with n and m edges costs; +inf where a joint is unbounded."""

    substitution: Costs  # (n, m) E(J, J')
    contraction: Costs  # (n,) E(J, J0): remove a ground-truth joint
    expansion: Costs  # (m,) E(J0, J'): add a predicted joint

    @property
    def finite(self) -> bool:
        """Whether every price is a number: nothing else may reach an assignment routine."""
        return bool(np.isfinite(self.substitution).all()) and bool(np.isfinite(self.removal))

    @property
    def removal(self) -> float:
        """Cost of contracting every edge and expanding every other: no distance is larger."""
        return float(self.contraction.sum() + self.expansion.sum())

    @cached_property
    def saving(self) -> Costs:
        """What matching a pair saves against contracting and expanding it, at least 0, shape (n, m)."""
        apart = self.contraction[:, None] + self.expansion
        return np.maximum(apart - self.substitution, 0.0)

    def of(self, pairs: Sequence[tuple[int, int]]) -> float:
        """Cost of a matching, summed directly: an exact copy costs exactly 0."""
        rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        matched = self.substitution[rows, columns].sum()
        return float(matched + np.delete(self.contraction, rows).sum() + np.delete(self.expansion, columns).sum())

    def with_penalty(self, penalty: float) -> EditCosts:
        """The same substitutions, with one constant price for every unmatched joint."""
        return EditCosts(
            self.substitution, np.full_like(self.contraction, penalty), np.full_like(self.expansion, penalty)
        )


def edit_costs(
    ground_truth: KinematicTree,
    prediction: KinematicTree,
    norm: Norm | None,
    kappa: float | None,
    fallback: Norm | None,
) -> EditCosts:
    """Prices of all edits between the moving edges of two trees, E or, given kappa, E^phi.

    With a norm, it prices everything. With ``norm=None`` each ground-truth edge's own kinetic norm prices its
    substitutions and its contraction, each predicted edge's own its expansion; ``fallback`` prices edges without a
    body.

    Raises
    ------
    MetricError    ``norm=None``, ``fallback=None`` and edges without a body, which are named; a batched norm
    """
    if norm is None and fallback is None:
        _require_bodies(ground_truth, prediction)
    ground_truth, prediction = ground_truth.contracted, prediction.contracted
    truth, guess = ground_truth.screws, prediction.screws
    n, m = len(truth[0]), len(guess[0])
    substitution, contraction, expansion = np.zeros((n, m)), np.zeros(n), np.zeros(m)
    for rows, own in _norms(ground_truth.edges, norm, fallback):
        z = _endpoints(truth[0][rows, None], truth[1][rows, None], own, kappa)
        others = _endpoints(guess[0][None], guess[1][None], own, kappa)
        contraction[rows] = _one_norm(distance(z, np.zeros_like(z), own), (len(rows), 1))[:, 0]
        substitution[rows] = _one_norm(distance(z, others, own), (len(rows), m))
    for columns, own in _norms(prediction.edges, norm, fallback):
        z = _endpoints(guess[0][columns, None], guess[1][columns, None], own, kappa)
        expansion[columns] = _one_norm(distance(z, np.zeros_like(z), own), (len(columns), 1))[:, 0]
    return EditCosts(substitution, contraction, expansion)


def _endpoints(screw: Costs, limits: Costs, norm: Norm, kappa: float | None) -> Costs:
    return endpoint_twists(screw, limits) if kappa is None else compactify(screw, limits, norm, kappa)


def _norms(edges: Sequence[Edge], norm: Norm | None, fallback: Norm | None) -> list[tuple[NDArray[np.intp], Norm]]:
    """Edges grouped by what prices them: (indices, norm); a batch of kinetic norms broadcasts as (k, 1)."""
    everything = np.arange(len(edges))
    if norm is not None:
        return [(everything, norm)] if len(edges) else []
    owned = np.array([edge.body is not None for edge in edges], dtype=bool)
    groups: list[tuple[NDArray[np.intp], Norm]] = []
    bodies = [edge.body for edge in edges if edge.body is not None]
    if bodies:
        stacked = Body(
            np.array([b.mass for b in bodies])[:, None],
            np.array([b.com for b in bodies])[:, None],
            np.array([b.inertia for b in bodies])[:, None],
        )
        groups.append((everything[owned], KineticNorm(stacked)))
    if fallback is not None and not owned.all():
        groups.append((everything[~owned], fallback))
    return groups


def _one_norm(costs: Costs, shape: tuple[int, ...]) -> Costs:
    if costs.shape != shape:
        raise MetricError(f"norm: expected one norm, got a batch (costs of shape {costs.shape}, not {shape})")
    return costs


def _require_bodies(ground_truth: KinematicTree, prediction: KinematicTree) -> None:
    """Raise `MetricError` naming every edge that no norm prices."""
    missing = []
    for name, tree in (("ground_truth", ground_truth), ("prediction", prediction)):
        bare = [(i, tree.edges[i]) for i in tree.moving if tree.edges[i].body is None]
        if bare:
            missing.append(f"{name} edge {', '.join(f'{i} ({e.parent!r} - {e.child!r})' for i, e in bare)}")
    if missing:
        raise MetricError(f"norm: expected a body on every edge, none on {' and '.join(missing)}; pass a fallback norm")
