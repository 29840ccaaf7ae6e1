"""What the data of the benchmark says, and what Table 4 of the paper says of itself."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from experiments import published
from experiments.experiment import Finding, Tables
from experiments.methods import METHODS, described
from experiments.words import share
from simcheck.report.page import SummarySection

if TYPE_CHECKING:
    import polars

SCORES = {"success": "SuccRate", "E_B": "E_B", "E_alpha_phi": "E_α^φ", "tree_per_joint": "E_α^φ,tree / joint"}
"""Columns that methods are ordered by."""
_SUPER_CATEGORIES = 15
_CHANCE = 1.0  # rad, the mean angle up to sign between two random directions


def value(methods: polars.DataFrame, method: str, column: str, scope: str = "own", number: str = "value") -> float:
    """One cell, or an end of its interval; NaN where undefined."""
    chosen = methods.filter((methods["method"] == method) & (methods["column"] == column) & (methods["scope"] == scope))
    found = chosen[number][0] if chosen.height else None
    return math.nan if found is None else float(found)


def names_of(methods: polars.DataFrame) -> list[str]:
    """The methods, in their order."""
    return list(dict.fromkeys(methods["method"]))


def ordering(methods: polars.DataFrame, column: str) -> dict[str, float]:
    """Goodness by method (the larger the better); methods without a value, or with imputed limits, are left out."""
    imputed = set(methods.filter((methods["column"] == "E_B") & methods["imputed"])["method"])
    sign = 1.0 if column == "success" else -1.0
    found = {name: sign * value(methods, name, column) for name in names_of(methods) if name not in imputed}
    return {name: v for name, v in found.items() if not math.isnan(v)}


def agreement(first: Mapping[str, float], second: Mapping[str, float]) -> tuple[float, int, int]:
    """Kendall tau, and how many of the pairs of methods are ordered the other way."""
    from scipy.stats import kendalltau

    names = [name for name in first if name in second]
    if len(names) < 2:
        return math.nan, 0, 0
    tau = float(kendalltau([first[n] for n in names], [second[n] for n in names]).statistic)
    pairs = list(itertools.combinations(names, 2))
    swapped = sum((first[a] - first[b]) * (second[a] - second[b]) < 0 for a, b in pairs)
    return tau, swapped, len(pairs)


def conclude(tables: Tables) -> list[Finding]:
    """All findings; those on known errors only for the simulated methods."""
    methods = tables["methods"]
    found = [
        _orderings(methods),
        _paper_orderings(),
        _coverage(tables["objects"]),
        _tree_sum(methods),
        _chance(methods),
    ]
    if bool(tables["simulated"]["simulated"][0]):
        found += [_levels(methods), _reversed(methods), _limits_matter(tables), _just_off(methods), _picky(methods)]
    return found


def _orderings(methods: polars.DataFrame) -> Finding:
    success = ordering(methods, "success")
    told, swaps, numbers = [], 0, {}
    for column in ("E_B", "E_alpha_phi", "tree_per_joint"):
        tau, swapped, pairs = agreement(success, ordering(methods, column))
        told.append(f"{SCORES[column]} τ {tau:.2f}, {swapped} of {pairs} pairs of methods the other way")
        swaps += swapped
        numbers[f"tau_{column}"] = tau
    return Finding(
        "The quotient scores induce different orderings from the thresholded component protocol.",
        "§5.3, Table 4",
        f"Against SuccRate: {'; '.join(told)}.",
        None if len(success) < 3 else swaps > 0,
        "SuccRate does not see limits, counts a hair’s breadth as failure, and calls everything beyond it equal. "
        "Methods with imputed limits are left out.",
        numbers,
    )


def _paper_orderings() -> Finding:
    success = published.column("SuccRate (%)", imputed=False)
    told, numbers = [], {}
    for name in ("E_B (m)", "E_α^φ", "E_α^φ,tree"):
        other = {m: -v for m, v in published.column(name, imputed=False).items()}
        tau, swapped, pairs = agreement(success, other)
        told.append(f"{name} τ {tau:.2f}, {swapped} of {pairs} pairs swapped")
        numbers[f"tau_{name}"] = tau
    return Finding(
        "In Table 4 itself the orderings differ.",
        "Table 4, as printed",
        f"Against SuccRate: {'; '.join(told)}.",
        True,
        "Computed from the printed numbers alone, without Articulate AnyMesh†. The two families agree on most pairs; "
        "whether a swap is more than noise needs the intervals of Appendix D, which are not public.",
        numbers,
    )


def _coverage(objects: polars.DataFrame) -> Finding:
    groups, count = objects["super_category"].n_unique(), objects["object"].n_unique()
    most = max(objects["true_joints"].to_list(), default=0)
    return Finding(
        "200 objects that cover every super-category.",
        "§4.4, §5.3",
        f"{count} objects in {groups} super-categories, {most} movable joints at most.",
        count >= 200 and groups >= _SUPER_CATEGORIES,
        "Generated objects in the paper’s 15 super-categories, not the paper’s own, which are not public."
        if groups >= _SUPER_CATEGORIES
        else "The objects are those that were given.",
        {"objects": count, "super_categories": groups},
    )


def _tree_sum(methods: polars.DataFrame) -> Finding:
    names = [n for n in names_of(methods) if value(methods, n, "E_alpha_phi") > 0]
    sums = sum(value(methods, n, "tree") < value(methods, n, "E_alpha_phi") for n in names)
    shares = sum(value(methods, n, "tree_per_joint") < value(methods, n, "E_alpha_phi") for n in names)
    tree, joint = published.column("E_α^φ,tree"), published.column("E_α^φ")
    printed = sum(tree[m] < joint[m] for m in tree)
    return Finding(
        "Table 4 reports the exact edit distance of §4.3, a sum over all edits of a tree.",
        "§4.3, Table 4",
        f"In Table 4 the tree score is below the mean E_α^φ of one joint for {printed} of {len(tree)} methods. Ours: "
        f"the sum is below it for {sums} of {len(names)} methods, the sum per joint for {shares}.",
        False if printed > sums else None,
        "A sum over several joints that is less than the mean of one: the printed numbers must be normalised somehow, "
        "which the paper does not say. We give both, the sum and the sum by the larger number of joints.",
        {"printed_below": printed, "sum_below": sums, "per_joint_below": shares},
    )


def _chance(methods: polars.DataFrame) -> Finding:
    axis = published.column("AxisErr (rad)")
    near = {m: v for m, v in axis.items() if v > 0.75 * _CHANCE}
    guess = value(methods, "guess", "axis_error")
    measured = "" if math.isnan(guess) else f" (our method with random axes: {guess:.2f})"
    return Finding(
        "The axis errors of Table 4 tell methods apart.",
        "ours, on Table 4",
        f"Two random directions are {_CHANCE:.2f} rad apart up to sign{measured}. {len(near)} of {len(axis)} methods "
        f"of Table 4 are above {0.75 * _CHANCE:.2f} rad: {', '.join(f'{m} {v:.2f}' for m, v in near.items())}.",
        len(near) == 0,
        "The mean angle between two random lines is 1 rad exactly, and pairing joints by cost lowers it. Either these "
        "axes are close to guesses, or the frames of predictions and truth differ: an axis in another frame is a "
        "random one.",
        {"near_chance": len(near), "guess": guess},
    )


def _levels(methods: polars.DataFrame) -> Finding:
    levels = ("fine", "good", "rough", "poor")
    table = {column: [value(methods, n, column) for n in levels] for column in SCORES}
    right = {c: sorted(v, reverse=c == "success") == v and len(set(v)) == len(v) for c, v in table.items()}
    told = "; ".join(f"{SCORES[c]} {', '.join(f'{x:.3g}' for x in v)}" for c, v in table.items())
    apart = {c: v[1] / v[0] for c, v in table.items() if v[0]}
    return Finding(
        "E orders methods by the size of their errors.",
        "ours",
        f"Four methods with growing errors (fine, good, rough, poor): {told}.",
        None if any(math.isnan(x) for v in table.values() for x in v) else right["E_B"] and right["E_alpha_phi"],
        f"From fine to good all errors are ten times as large: E_B grows {apart.get('E_B', math.nan):.1f} times, "
        "SuccRate falls by a factor that depends on its tolerances.",
        {f"{c}_{n}": x for c, v in table.items() for n, x in zip(levels, v, strict=True)},
    )


def _reversed(methods: polars.DataFrame) -> Finding:
    direction, e, succeeded = (value(methods, "reversed", c) for c in ("limit_direction", "E_B", "success"))
    return Finding(
        "A method that writes every joint the other way round is perfect under E, and maximally wrong in its limits.",
        "Table 3 row 1, §5.1",
        f"LimitErr direction {direction:.3g} of at most 2, E_B {e:.1e} m, SuccRate {succeeded:.3g} %.",
        None if math.isnan(e) else e < 1e-9 and direction > 1.9,
        "The printed formula; SuccRate does not look at limits.",
        {"limit_direction": direction, "E_B": e, "success": succeeded},
    )


def _limits_matter(tables: Tables) -> Finding:
    methods, rows = tables["methods"], tables["rows"]
    rate, e, rough = (
        value(methods, *cell) for cell in (("bad-limits", "success"), ("bad-limits", "E_B"), ("good", "E_B"))
    )
    own = rows.filter((rows["method"] == "bad-limits") & (rows["ground_truth"] == rows["prediction"]))
    seen = 100 * share(own["success"].drop_nulls().to_numpy() == 1)
    return Finding(
        "The success rate does not see wrong limits.",
        "Appendix A.4",
        f"With every limit wrong by a factor of about e^±1.2 and all else exact, {seen:.1f} % of the joints that are "
        f"paired with their own counterpart succeed ({rate:.1f} % of all); E_B is {e:.3g} m, {e / rough:.1f} times "
        "that of the method “good”.",
        None if math.isnan(e) else seen > 99 and e > rough,
        "The paper’s indicator is type, axis and origin. The others were paired, by motion, with a neighbour that the "
        "wrong limits make more alike. The released code of Articulate-Anything has a limit tolerance (1.6057, rad and "
        "m alike), which the paper says is unspecified.",
        {"success": rate, "success_of_own": seen, "E_B": e},
    )


def _just_off(methods: polars.DataFrame) -> Finding:
    off, rough = ({c: value(methods, n, c) for c in ("success", "E_B")} for n in ("just-off", "rough"))
    return Finding(
        "A prediction just past a tolerance and one that is wildly wrong are the same failure.",
        "Appendix A.4",
        f"All axes 0.26 rad off (tolerance 0.25), all else exact: SuccRate {off['success']:.1f} %, E_B "
        f"{off['E_B']:.3g} m. “rough”: SuccRate {rough['success']:.1f} %, E_B {rough['E_B']:.3g} m.",
        None if math.isnan(off["E_B"]) else off["success"] <= rough["success"] and off["E_B"] < rough["E_B"],
        "The rate prefers the method whose joints are wrong by chance to the one that is a little off throughout.",
        {"success": off["success"], "E_B": off["E_B"]},
    )


def _picky(methods: polars.DataFrame) -> Finding:
    own = {n: value(methods, n, "tree") for n in ("picky", "rough")}
    common = {n: value(methods, n, "tree", "common") for n in ("picky", "rough")}
    gen = value(methods, "picky", "gen")
    return Finding(
        "Entries conditional on a valid output compare methods fairly.",
        "ours, on §5.3",
        f"“picky” errs as “rough” does but answers for {gen:.0f} % of the objects only, the simple ones: its tree "
        f"score is {own['picky']:.3g} against {own['rough']:.3g}; on the common set {common['picky']:.3g} and "
        f"{common['rough']:.3g}.",
        None if math.isnan(own["picky"]) or gen > 99 else own["picky"] > 0.9 * own["rough"],
        "The common set and Gen have to be read beside every conditional mean; our table prints both.",
        {"gen": gen, "own_picky": own["picky"], "own_rough": own["rough"]},
    )


def table_sections(tables: Tables) -> list[SummarySection]:
    """Our Table 4, the error models, and the paper's table."""
    from simcheck.benchmarking.table import COLUMNS

    methods = tables["methods"]
    words = {m.name: m.words for m in METHODS} if bool(tables["simulated"]["simulated"][0]) else {}
    shown = [c for c in COLUMNS if c.name in set(methods["column"])]
    headings = [f"{c.title} ({c.unit})" if c.unit != "1" else c.title for c in shown]
    own: list[list[Any]] = []
    for name in names_of(methods):
        marked = methods.filter((methods["method"] == name) & methods["imputed"]).height > 0
        cells = [value(methods, name, c.name) for c in shown]
        own.append([f"{name}{'†' if marked else ''}", *(None if math.isnan(x) else x for x in cells)])
    sections = [
        SummarySection(
            "Our Table 4",
            ["method", *headings],
            own,
            "Simulated methods. † limits imputed from the truth." if words else "† limits imputed from the truth.",
        )
    ]
    if words:
        models = [[m.name, m.words, *(str(v) for v in described(m).values())] for m in METHODS]
        sections.append(SummarySection("Error models", ["method", "", *described(METHODS[0])], models))
    printed: list[list[Any]] = [[name, *values] for name, values in published.TABLE_4.items()]
    sections.append(
        SummarySection(
            "Table 4 of the paper, for reference", ["method", *published.COLUMNS], printed, "Not measured here."
        )
    )
    return sections


def spread_of(methods: polars.DataFrame, name: str, column: str) -> tuple[float, float, float]:
    """Value and interval of one cell."""
    middle, low, high = (value(methods, name, column, number=number) for number in ("value", "lower", "upper"))
    return middle, low, high
