"""Figures of the benchmark: success against E_B, and the ranks that each score gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from experiments import published
from experiments.benchmark_findings import SCORES, agreement, names_of, ordering, spread_of
from experiments.experiment import Drawn, Tables

if TYPE_CHECKING:
    import polars

_CYCLE = ("BLUE", "ORANGE", "GREEN", "PINK", "SKY", "GOLD", "INK", "MUTED")
_TITLES = {
    "E_B": "$E_B$", "E_α^φ": r"$E_\alpha^\phi$", "E_α^φ,tree": r"$E_\alpha^{\phi,\mathrm{tree}}$",
    "E_α^φ,tree / joint": r"$E_\alpha^{\phi,\mathrm{tree}}$ / joint",
}  # fmt: skip
_DASHES = ("-", (0, (4, 1.5)), (0, (1, 1.2)))


def draw(tables: Tables) -> dict[str, Drawn]:
    """Both panels and the paper's own ranks."""
    methods = tables["methods"]
    tau, swapped, pairs = agreement(ordering(methods, "success"), ordering(methods, "E_B"))
    return {
        "benchmark": Drawn(
            _figure(methods),
            "The same methods by two yardsticks",
            "Left: success rate and E_B, with 95 % intervals over objects († limits imputed). Right: ranks by each "
            f"score. {swapped} of {pairs} pairs of methods change places between SuccRate and E_B (Kendall τ "
            f"{tau:.2f}).",
        ),
        "published": Drawn(
            _paper(),
            "The ranks in Table 4 of the paper",
            "From the printed numbers, for reference: the paper’s outputs are not public. Without Articulate AnyMesh, "
            "whose limits are those of the truth.",
        ),
    }


def _style(k: int) -> dict[str, Any]:
    from experiments import plots

    return {"color": getattr(plots, _CYCLE[k % len(_CYCLE)]), "linestyle": _DASHES[(k // len(_CYCLE)) % len(_DASHES)]}


def _figure(methods: polars.DataFrame) -> Any:
    from experiments import plots

    names = sorted(names_of(methods), key=lambda n: -_defined(spread_of(methods, n, "success")[0]))
    imputed = set(methods.filter(methods["imputed"])["method"])
    with plots.house_style():
        figure = plots.new_figure(height=0.9 + 0.2 * max(len(names), 8))
        rates, distances, ranks = figure.subplots(1, 3, width_ratios=(0.75, 0.75, 1.5))
        for ax, column, title in ((rates, "success", "SuccRate (%)"), (distances, "E_B", "$E_B$ (m), matched joints")):
            plots.name_panel(ax, title)
            for row, name in enumerate(names):
                _interval(ax, row, spread_of(methods, name, column), _style(names_of(methods).index(name))["color"])
            ax.set_ylim(len(names) - 0.4, -0.6)
            ax.grid(axis="y", linewidth=0.3, color=plots.MUTED, alpha=0.5)
            ax.tick_params(axis="y", length=0)
            ax.spines[["top", "right", "left"]].set_visible(False)
        rates.set_yticks(range(len(names)), [f"{n}†" if n in imputed else n for n in names])
        rates.set_xlim(-3, 103)
        distances.set_yticks(range(len(names)), [])
        distances.set_xscale("log")
        distances.set_xlim(_FLOOR / 1.5, None)
        plots.name_panel(ranks, "rank by each score, 1 is best")
        _bump(ranks, _orderings(methods), names_of(methods))
        return figure


def _orderings(methods: polars.DataFrame) -> dict[str, dict[str, float]]:
    """Goodness of the methods by each score, the user's norm among them where there is one."""
    found = {title: ordering(methods, column) for column, title in {**SCORES, "E_norm": "own norm"}.items()}
    return {title: by_method for title, by_method in found.items() if by_method}


_FLOOR = 1e-4  # m: distances below are drawn as a triangle here


def _defined(x: float) -> float:
    return -math.inf if math.isnan(x) else x


def _interval(ax: Any, row: int, cell: tuple[float, float, float], colour: str) -> None:
    """A value with its interval, in its row."""
    middle, low, high = cell
    if math.isnan(middle):
        return
    if ax.get_label().startswith("$E_B") and middle < _FLOOR:
        ax.plot([_FLOOR], [row], "<", color=colour, markersize=4, label="_below")
        return
    ax.plot([low, high], [row, row], color=colour, linewidth=1.1, label="_interval")
    ax.plot([middle], [row], "o", color=colour, markersize=4, label="_method")


def _bump(ax: Any, by_score: dict[str, dict[str, float]], names: list[str]) -> None:
    from scipy.stats import rankdata

    columns = list(by_score)
    common = [n for n in names if all(n in by_score[c] for c in columns)]
    ranks = [rankdata([-by_score[column][n] for n in common]).tolist() for column in columns]
    places = {n: [column[k] for column in ranks] for k, n in enumerate(common)}
    for n in common:
        ax.plot(
            range(len(columns)), places[n], marker="o", markersize=3.2, linewidth=1.4, label=n, **_style(names.index(n))
        )
    _side_names(ax, {n: places[n][0] for n in common}, -0.08, "right")
    _side_names(ax, {n: places[n][-1] for n in common}, len(columns) - 0.92, "left")
    ax.set_xticks(range(len(columns)), [_TITLES.get(c, c) for c in columns], fontsize=6.5)
    ax.set(xlim=(-1.0, len(columns)), ylim=(len(common) + 0.6, 0.4))
    ax.set_yticks([])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _side_names(ax: Any, ranks: dict[str, float], x: float, side: str) -> None:
    """Names at the ends of the lines; those of equal rank stand below each other."""
    taken: list[float] = []
    for name, rank in sorted(ranks.items(), key=lambda item: item[1]):
        ties = [n for n, r in ranks.items() if r == rank]
        place = rank + (ties.index(name) - (len(ties) - 1) / 2) * 0.8
        while any(abs(place - other) < 0.7 for other in taken):
            place += 0.1
        taken.append(place)
        ax.text(x, place, name, ha=side, va="center", fontsize=6.3)


def _paper() -> Any:
    from experiments import plots

    columns = {
        "SuccRate": ("SuccRate (%)", 1),
        "E_B": ("E_B (m)", -1),
        "E_α^φ": ("E_α^φ", -1),
        "E_α^φ,tree": ("E_α^φ,tree", -1),
    }
    by_score = {
        title: {m: sign * v for m, v in published.column(name, imputed=False).items()}
        for title, (name, sign) in columns.items()
    }
    with plots.house_style():
        figure = plots.new_figure(width=4.4, height=2.6)
        ax = figure.subplots()
        plots.name_panel(ax, "rank by each score in Table 4")
        _bump(ax, by_score, [m for m in published.TABLE_4 if not m.endswith("†")])
        return figure
