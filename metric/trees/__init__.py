"""Distances between kinematic trees: exact, relaxed to an assignment, or with a constant penalty.

To read in this order: `tree` (what a tree is), `costs` (what an edit costs), `realizable` (which matchings count),
`methods` (exact, relaxed, constant), `exact` (the theorem and the search), and what the search is made of:
`directed` (its index sets), `bounds` (upper bounds of all states), `antichain` and `relaxation` (its one hard step),
`backend` and `compiled` (NumPy or numba). `distance` is the public function, `result` what it returns.
"""

from metric.trees.distance import tree_distance
from metric.trees.realizable import is_realizable
from metric.trees.result import Edit, TreeDistance
from metric.trees.tree import Edge, KinematicTree

__all__ = ["Edge", "Edit", "KinematicTree", "TreeDistance", "is_realizable", "tree_distance"]
