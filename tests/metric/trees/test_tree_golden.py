"""Every golden value of the tree distances (`golden/README.md`)."""

from __future__ import annotations

import math

import golden_files as golden
import pytest

from metric import KinematicTree, SplitNorm, tree_distance


def tree(edges) -> KinematicTree:
    return KinematicTree(
        [(a, b, golden.joint(joint), *(body and golden.body(body) for body in rest)) for a, b, joint, *rest in edges]
    )


def options(case) -> dict:
    given = case["input"]
    return {"kappa": given.get("kappa", math.pi) if given.get("compact") else None}


def each(topic: str):
    return pytest.mark.parametrize("case", golden.cases(topic), ids=lambda case: case["id"])


def two_trees(case):
    given = case["input"]
    return tree(given["tree1"]), tree(given["tree2"]), golden.norm(given["norm"])


@each("trees_exact")
def test_exact(case):
    result = tree_distance(*two_trees(case), **options(case))
    golden.check(case, "E_tree", result.value, undefined=math.inf)
    assert result.certified
    assert sum(edit.cost for edit in result.edits) == pytest.approx(result.value)


@each("trees_relaxed")
def test_relaxed(case):
    result = tree_distance(*two_trees(case), method="relaxed", **options(case))
    golden.check(case, "relaxation", result.value, undefined=math.inf)
    exact = tree_distance(*two_trees(case), **options(case))
    assert result.lower - 1e-12 <= exact.value <= result.upper + 1e-12


@each("trees_constant")
@pytest.mark.parametrize("variant", ["", "forced", "structural"])
def test_constant(case, variant):
    extra = {variant: True} if variant else {}
    result = tree_distance(
        *two_trees(case), method="constant", penalty=case["input"]["lambda"], **extra, **options(case)
    )
    golden.check(case, f"D_lambda_{variant}" if variant else "D_lambda", result.value, undefined=math.inf)
    assert result.certified


@each("trees_B")
def test_own_bodies(case):
    given = case["input"]
    trees, fallback = (tree(given["gt"]), tree(given["pred"])), SplitNorm(given["alpha"])
    exact = tree_distance(*trees, fallback=fallback, **options(case))
    golden.check(case, "E_tree_B", exact.value, undefined=math.inf)
    relaxed = tree_distance(*trees, method="relaxed", fallback=fallback, **options(case))
    golden.check(case, "relaxation", relaxed.value, undefined=math.inf)
