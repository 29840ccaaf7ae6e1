"""Distances between kinematic trees: exact, relaxed to an assignment, or with a constant penalty."""

from metric.trees.distance import tree_distance
from metric.trees.realizable import is_realizable
from metric.trees.result import Edit, TreeDistance
from metric.trees.tree import Edge, KinematicTree

__all__ = ["Edge", "Edit", "KinematicTree", "TreeDistance", "is_realizable", "tree_distance"]
