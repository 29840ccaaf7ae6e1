"""Edit costs by motion against a constant penalty (Fig. 5): four sweeps, random corruptions, rankings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from experiments import tree_corruptions as edits
from experiments.context import Context
from experiments.experiment import Drawn, Finding, Settings, Tables
from experiments.objects import ObjectFile
from experiments.tree_corruptions import EDITS, Edges
from metric import Body, Joint, KinematicTree, SplitNorm, cost_to_fixed, tree_distance
from metric.norm import Norm
from simcheck.asset import ArticulatedObject
from simcheck.benchmarking.objects import sample
from simcheck.driving import driven_interval
from simcheck.norms import load_norm
from simcheck.perturb import bounded
from simcheck.report.page import SummarySection

TITLE = "Trees: edits priced by motion, or by a constant"
REPRODUCES = "Figure 5"

TREES = 100
CORRUPTIONS = 20  # of a tree: 2,000 in all
PENALTIES = (0.25, 0.5, 1.0, 2.0)
CONSTANT = {f"D_{penalty:g}": penalty for penalty in PENALTIES}
_MOST_EDITS = 4
_LEAST = 1e-3  # the first step of a sweep

SWEEPS: dict[str, np.ndarray] = {
    "spurious": np.array([0.0, _LEAST, *np.linspace(0.25, 3.0, 12)]),  # E of the spurious joint to the fixed one
    "missing": np.array([*np.linspace(1.0, 0.1, 10), _LEAST, 0.0]),  # factor of the missing joint's range
    "split": np.array([0.0, _LEAST, *np.linspace(0.05, 0.5, 10)]),  # share of the first half
    "range": np.array([0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0]),  # factor of one joint's range
}
TYPES: dict[str, type] = {
    "object": str, "joints": int, "duplicates": bool, "driven_interval": bool, "sweep": str, "x": float,
    "own_motion": float, "number": int, "edits": int, "first_edit": str, "moved": bool,
    **dict.fromkeys(("E_tree", "lower", "relaxed", "removal", *CONSTANT, "forced_1", "own"), float), "certified": bool,
}  # fmt: skip
"""One row a prediction: of a sweep (``x``), or a random corruption (``number``).

``own_motion`` is E of the swept joint to the fixed one, ``removal`` the cost of removing all true joints.
"""


def measure(context: Context) -> Tables:
    """Sweeps and corruptions of a sample of the objects with two or more movable joints."""
    import polars

    trees = context.gather(measure_tree, types=TYPES, objects=_multi_joint(context))
    swept = trees["sweep"].is_not_null()
    columns = ["number", "edits", "first_edit", "moved", "forced_1", "own"]
    return {
        "rows": trees.filter(~swept).drop("sweep", "x", "own_motion"),
        "sweeps": trees.filter(swept).drop(columns),
        "triangles": polars.DataFrame([_forced_triangle()]),
    }


def _multi_joint(context: Context) -> list[ObjectFile]:
    chosen = [about for about in context.objects if len(_movable(about, context.settings)) > 1]
    return sample(chosen, TREES, context.settings.seed)


def _movable(about: ObjectFile, settings: Settings) -> tuple[Any, ...]:
    from simcheck.errors import SimcheckError

    try:
        return about.open(settings).movable_joints
    except SimcheckError:
        return ()  # the experiments that use every object report it


def measure_tree(about: ObjectFile, settings: Settings) -> list[dict[str, Any]]:
    """All predictions of one tree (runs in a worker)."""
    obj = about.open(settings)
    truth, driven = bounded_edges(obj)
    joints = [joint for _, _, joint in truth]
    scorer = Scorer(truth, settings, _own_norm(obj, settings))
    told = {
        "object": about.id, "joints": len(truth), "duplicates": edits.has_duplicates(joints), "driven_interval": driven,
        "removal": float(np.sum([cost_to_fixed(j, SplitNorm(settings.alpha)) for j in joints])),
    }  # fmt: skip
    random = np.random.default_rng([settings.seed, 7, *about.id.encode()])
    empty = dict.fromkeys(TYPES)
    rows = []
    for name, x, moving, truth_edges, prediction in _swept(truth, random, obj.box, settings):
        numbers = Scorer(truth_edges, settings).score(prediction)
        rows.append({**empty, **told, "sweep": name, "x": x, "own_motion": moving, **numbers})
    for number in range(CORRUPTIONS):
        count = int(random.integers(1, _MOST_EDITS + 1))
        kinds = [EDITS[k] for k in random.integers(len(EDITS), size=count)]
        prediction = truth
        for kind in kinds:
            prediction = edits.edited(prediction, kind, random, obj.box)
        numbers = scorer.score(prediction, extra=True)
        rows.append({**empty, **told, "number": number, "edits": count, "first_edit": kinds[0],
                     "moved": "moved" in kinds, **numbers})  # fmt: skip
    return rows


def bounded_edges(obj: ArticulatedObject) -> tuple[Edges, bool]:
    """The joints that move, links welded to each other as one, unbounded joints over their driven interval."""
    driven = any(not j.motion.bounded for j in obj.movable_joints)
    edges = [
        (j.parent, j.child, j.motion if j.motion.bounded else bounded(j.motion, driven_interval(j, obj.size)))
        for j in obj.joints
    ]
    return [(str(e.parent), str(e.child), e.joint) for e in KinematicTree(edges).contracted.edges], driven


def _own_norm(obj: ArticulatedObject, settings: Settings) -> Norm | None:
    """The user's norm of the whole object: a tree has one inner product."""
    if settings.norm is None:
        return None
    bodies = [body for j in obj.movable_joints if (body := obj.moved_body(j.name).body) is not None]
    whole = Body.combine(bodies) if bodies else Body(1.0, obj.box.mean(axis=0), np.eye(3) * obj.size**2 / 12)
    return load_norm(settings.norm).norm(whole, obj.size, str(obj.file))


class Scorer:
    """Distances of predictions from one true tree."""

    def __init__(self, truth: Edges, settings: Settings, own: Norm | None = None) -> None:
        self._truth, self._norm, self._own = KinematicTree(truth), SplitNorm(settings.alpha), own

    def score(self, prediction: Edges, *, extra: bool = False) -> dict[str, Any]:
        """Exact, relaxed and constant-penalty distances; with ``extra`` the forced one and the user's norm too."""
        guess = KinematicTree(prediction)
        exact = tree_distance(self._truth, guess, self._norm)
        relaxed = tree_distance(self._truth, guess, self._norm, method="relaxed")
        found: dict[str, Any] = {
            "E_tree": exact.value, "lower": exact.lower, "certified": exact.certified, "relaxed": relaxed.value,
            **{name: self.constant(guess, penalty) for name, penalty in CONSTANT.items()},
        }  # fmt: skip
        if extra:
            found["forced_1"] = self.constant(guess, 1.0, forced=True)
            if self._own is not None:
                found["own"] = tree_distance(self._truth, guess, self._own).value
        return found

    def constant(self, guess: KinematicTree, penalty: float, *, forced: bool = False) -> float:
        """D_lambda."""
        return tree_distance(self._truth, guess, self._norm, method="constant", penalty=penalty, forced=forced).value


def _swept(
    truth: Edges, random: np.random.Generator, box: np.ndarray, settings: Settings
) -> Iterator[tuple[str, float, float, Edges, Edges]]:
    """Name, x, E of the joint to the fixed one, true tree and prediction of each point of each sweep."""
    norm = SplitNorm(settings.alpha)
    k = int(random.integers(len(truth)))
    nodes = edits.nodes_of(truth)
    node = nodes[int(random.integers(len(nodes)))]
    spurious = edits.random_joint(random, box)
    unit, cost = float(cost_to_fixed(spurious, norm)), float(cost_to_fixed(truth[k][2], norm))
    make: dict[str, Callable[[float], tuple[float, Edges, Edges]]] = {
        "spurious": lambda x: (x, truth, edits.with_leaf(truth, node, edits.with_range(spurious, x / unit))),
        "missing": lambda x: (
            x * cost,
            edits.with_joint(truth, k, edits.with_range(truth[k][2], x)),
            edits.contracted(truth, k),
        ),
        "split": lambda x: (cost, truth, edits.split(truth, k, x)),
        "range": lambda x: (cost, truth, edits.with_joint(truth, k, edits.with_range(truth[k][2], x))),
    }
    for name, values in SWEEPS.items():
        for x in values.tolist():
            moving, true_edges, prediction = make[name](x)
            yield name, x, moving, true_edges, prediction


def _forced_triangle() -> dict[str, Any]:
    """One drawer, no drawer, another drawer: forced D_1 from the first to the last, and by way of the middle."""
    first, last = (Joint("prismatic", upper=u) for u in (0.1, 5.1))
    trees = [KinematicTree([("box", "drawer", j)]) for j in (first, Joint("fixed"), last)]
    norm = SplitNorm(1.0)

    def forced(a: KinematicTree, b: KinematicTree) -> float:
        return tree_distance(a, b, norm, method="constant", penalty=1.0, forced=True).value

    exact = [tree_distance(a, b, norm).value for a, b in itertools.pairwise(trees)]
    return {
        "forced_direct": forced(trees[0], trees[2]),
        "forced_by_way": forced(trees[0], trees[1]) + forced(trees[1], trees[2]),
        "exact_direct": tree_distance(trees[0], trees[2], norm).value,
        "exact_by_way": sum(exact),
    }


def figures(tables: Tables, settings: Settings) -> dict[str, Drawn]:
    """Fig. 5."""
    from experiments.tree_figure import draw

    return draw(tables)


def findings(tables: Tables, settings: Settings) -> list[Finding]:
    """What the paper says of Fig. 5."""
    from experiments.tree_findings import conclude

    return conclude(tables)


def summaries(tables: Tables, settings: Settings) -> list[SummarySection]:
    """Kendall tau between the schemes; shares certified and equal to the relaxation."""
    from experiments.tree_findings import kendall_table, schemes, shares

    rows = tables["rows"]
    titles = list(schemes(rows).values())
    lines: list[list[Any]] = [[title, *tau] for title, tau in zip(titles, kendall_table(rows).tolist(), strict=True)]
    columns = ["predictions", "count", "certified", "equal to the relaxation", "largest gap, of E_tree"]
    return [
        SummarySection("Kendall τ over the corruptions", ["", *titles], lines),
        SummarySection("Exact and relaxed", columns, shares(tables)),
    ]
