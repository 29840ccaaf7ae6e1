"""Distances between articulated motions: pure mathematics, no URDF, no simulator (SPEC section 2)."""

from metric.body import Body
from metric.discrepancy import (
    linearization_bound,
    motion_discrepancy,
    placement_discrepancy,
    swept_discrepancy,
)
from metric.distance import compactify, cost_to_fixed, distance, joint_distance, pairwise_distance
from metric.errors import MetricError, MetricWarning, ShapeError
from metric.joint import Joint, endpoint_twists, screw
from metric.norm import KineticNorm, RiemannianNorm, SplitNorm
from metric.protocols import component_errors
from metric.sampling import sampled_distance
from metric.se3 import adjoint, exp, log
from metric.surrogate import invariant_loss, soft_distance, swap_invariants
from metric.trees import KinematicTree, tree_distance

__all__ = [
    "Body",
    "Joint",
    "KinematicTree",
    "KineticNorm",
    "MetricError",
    "MetricWarning",
    "RiemannianNorm",
    "ShapeError",
    "SplitNorm",
    "adjoint",
    "compactify",
    "component_errors",
    "cost_to_fixed",
    "distance",
    "endpoint_twists",
    "exp",
    "invariant_loss",
    "joint_distance",
    "linearization_bound",
    "log",
    "motion_discrepancy",
    "pairwise_distance",
    "placement_discrepancy",
    "sampled_distance",
    "screw",
    "soft_distance",
    "swap_invariants",
    "swept_discrepancy",
    "tree_distance",
]
