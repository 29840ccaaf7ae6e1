"""Kinematic trees: what is a tree, contraction of fixed edges, export from another base."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from metric import Body, Joint, KinematicTree, MetricError

DOOR, SLIDE, WELD = Joint("revolute", upper=1.0), Joint("prismatic", upper=0.3), Joint("fixed")


def body(mass: float) -> Body:
    return Body(mass, [0.1, 0, 0], np.eye(3))


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (3, "expected a sequence"),
        ("ab", "expected a sequence"),
        ([("a", "b")], "edge 0: expected"),
        ([("a", "b", "hinge")], "edge 0: expected a Joint after its two nodes, got str"),
        ([("a", "b", DOOR, "heavy")], "edge 0: expected one Body or None, got str"),
        ([("a", "b", DOOR, Body([1, 2], np.zeros((2, 3)), np.ones((2, 1, 1)) * np.eye(3)))], "a batch of shape"),
        ([(["a"], "b", DOOR)], "edge 0: expected a hashable node name"),
        ([(None, "b", DOOR)], "edge 0: expected a hashable node name"),
        ([("a", "a", DOOR)], r"edge 0 \('a' - 'a'\): joins a node to itself"),
        ([("a", "b", DOOR), ("b", "a", SLIDE)], r"edge 1 \('b' - 'a'\): repeats edge 0"),
        ([("a", "b", DOOR), ("b", "c", DOOR), ("c", "a", DOOR)], r"edge 2 \('c' - 'a'\): closes a cycle"),
        (
            [("a", "b", DOOR), ("c", "d", DOOR)],
            "expected one tree, got 2 components that no edge joins, around 'a', 'c'",
        ),
    ],
)
def test_what_is_no_tree(edges, message):
    with pytest.raises(MetricError, match=message):
        KinematicTree(edges)


def test_base_is_read_from_the_edges():
    assert KinematicTree([("a", "b", DOOR), ("a", "c", DOOR)]).base == "a"
    assert KinematicTree([("b", "a", DOOR), ("c", "a", DOOR)]).base is None
    assert KinematicTree([("b", "a", DOOR), ("c", "a", DOOR)], base="c").base == "c"
    with pytest.raises(MetricError, match="base: expected a node of the tree, got 'x'"):
        KinematicTree([("a", "b", DOOR)], base="x")


def test_bare_node():
    tree = KinematicTree([])
    assert tree.nodes == (None,)
    assert tree.contracted.edges == ()
    assert KinematicTree([], base="table").nodes == ("table",)


def test_contraction_merges_the_ends_of_fixed_edges_only():
    still = Joint("revolute", lower=0.0, upper=0.0)  # exactly fixed by its limits
    held = Joint("revolute", lower=0.2, upper=0.2)  # not fixed: holds the part away from rest
    tree = KinematicTree([("a", "b", WELD), ("b", "c", DOOR), ("c", "d", still), ("d", "e", SLIDE), ("b", "f", held)])
    smaller = tree.contracted
    assert tree.moving == (1, 3, 4)
    assert [edge[:2] for edge in smaller.edges] == [("a", "c"), ("c", "e"), ("a", "f")]
    assert smaller.base == "a"
    assert smaller.contracted is smaller


def test_rebasing_inverts_the_joints_on_the_way():
    tree = KinematicTree(
        [("base", "arm", DOOR, body(1)), ("arm", "hand", SLIDE, body(2)), ("base", "lid", DOOR, body(3))],
        base_body=body(9),
    )
    other = tree.rebased("hand")
    assert [edge[:2] for edge in other.edges] == [("arm", "base"), ("hand", "arm"), ("base", "lid")]
    for k, sign in enumerate((-1, -1, 1)):
        np.testing.assert_array_equal(other.edges[k].joint.endpoints, sign * tree.edges[k].joint.endpoints)
    assert [float(edge.body.mass) for edge in other.edges] == [9, 1, 3]  # each moves its former parent's cluster
    assert float(other.base_body.mass) == 2
    assert other.base == "hand"


def test_rebasing_sees_clusters_through_fixed_edges():
    tree = KinematicTree(
        [
            ("base", "plate", WELD),
            ("plate", "arm", DOOR, body(1)),
            ("arm", "bracket", WELD),
            ("bracket", "hand", SLIDE, body(2)),
        ],
        base_body=body(9),
    )
    other = tree.rebased("hand")
    assert float(other.edges[1].body.mass) == 9
    assert float(other.edges[3].body.mass) == 1
    assert [e.body for e in KinematicTree([("a", "b", DOOR, body(1))]).rebased("b").edges] == [None]


@pytest.mark.parametrize("seed", range(5))
def test_rebasing_there_and_back(seed):
    rng = np.random.default_rng(seed)
    joints = [DOOR, SLIDE, WELD, Joint("continuous", axis=(0, 1, 0)), Joint("helical", upper=2.0, pitch=0.01)]
    edges = [
        (int(rng.integers(i + 1)), i + 1, joints[rng.integers(5)], body(i + 1.0) if rng.random() < 0.7 else None)
        for i in range(12)
    ]
    tree = KinematicTree(edges, base_body=body(50))
    for node in tree.nodes:
        back = tree.rebased(node).rebased(0)
        assert back.base_body is tree.base_body
        for one, other in zip(tree.edges, back.edges, strict=True):
            assert one[:2] == other[:2]
            assert one.body is other.body
            np.testing.assert_array_equal(one.joint.screw, other.joint.screw)
            np.testing.assert_array_equal(one.joint.limits, other.joint.limits)


def test_rebasing_needs_a_base():
    with pytest.raises(MetricError, match="base is unknown: pass KinematicTree"):
        KinematicTree([("b", "a", DOOR), ("c", "a", DOOR)]).rebased("a")
    with pytest.raises(MetricError, match="base: expected a node of the tree, got 'x'"):
        KinematicTree([("a", "b", DOOR)]).rebased("x")


def test_screws_of_all_joints_at_once():
    tree = KinematicTree([(0, 1, DOOR), (1, 2, WELD), (2, 3, Joint("helical", (0, 1, 0), (1, 2, 3), -1.0, 2.0, 0.1))])
    screws, limits = tree.screws
    np.testing.assert_array_equal(screws, [joint.screw for joint in tree.joints])
    np.testing.assert_array_equal(limits, [joint.limits for joint in tree.joints])


def test_trees_can_be_sent_to_other_processes():
    tree = KinematicTree([("a", "b", DOOR, body(1)), ("b", "c", SLIDE)])
    assert tree.contracted.directed.root == 4
    copy = pickle.loads(pickle.dumps(tree))
    assert copy.nodes == tree.nodes
    assert copy.joints == tree.joints


@pytest.mark.parametrize("seed", range(8))
def test_directed_edges(seed):
    """Numbers, levels, reach and preorder against plain walks on the tree."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 12))
    edges = [(int(rng.integers(i + 1)), i + 1) for i in range(count)]
    directed = KinematicTree([(a, b, DOOR) for a, b in edges]).directed

    def ahead(edge: int, start: int) -> set[tuple[int, int]]:
        """Directed edges (edge, node it leads to) beyond a node, not through the given edge."""
        found = set()
        for k, (a, b) in enumerate(edges):
            if k != edge and start in (a, b):
                far = b if start == a else a
                found |= {(k, far)} | ahead(k, far)
        return found

    leads_to = {}
    for d in range(2 * count):
        edge = int(directed.order[directed.place[d]])
        options = [node for node in edges[edge] if len(ahead(edge, node)) == directed.size[d]]
        reach = {int(directed.order[directed.place[c]]) for c in directed.reach(d)[0]}
        (leads_to[d],) = {node for node in options if {k for k, _ in ahead(edge, node)} == reach} or {None}
        assert leads_to[d] is not None
        assert directed.back[directed.back[d]] == d != directed.back[d]
        assert all(c < d for c in directed.reach(d)[0])
        numbers, end = directed.reach(d)
        for place, c in enumerate(numbers):
            assert set(numbers[place + 1 : end[place]].tolist()) == set(directed.reach(int(c))[0].tolist())
    below = directed.end - np.arange(count) - 1
    assert (2 * below <= count).all()  # rooted at a centroid
    np.testing.assert_array_equal(directed.reach(directed.root)[0], directed.down)
    assert [s.start for s in directed.levels[1:]] == [s.stop for s in directed.levels[:-1]]
