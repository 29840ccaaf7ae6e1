"""The six panels of Fig. 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.experiment import Drawn, Tables
from experiments.tree import CONSTANT, SWEEPS
from experiments.tree_corruptions import EDITS
from experiments.tree_findings import among_constants, kendall_table, schemes

if TYPE_CHECKING:
    import polars

_TITLES = {
    "spurious": ("a spurious joint", "its motion $E(J, J_0)$"),
    "missing": ("a missing joint", "factor of its range"),
    "split": ("a part split in two", "share of the first joint"),
    "range": ("the range of one joint", "factor k"),
}
_TICKS = {"E_tree": "$E$", "D_0.25": "$D_{1/4}$", "D_0.5": "$D_{1/2}$", "D_1": "$D_1$", "D_2": "$D_2$",
          "forced_1": "$D_1$ forced", "own": "own"}  # fmt: skip


def draw(tables: Tables) -> dict[str, Drawn]:
    """The figure with its caption."""
    tau = kendall_table(tables["rows"])
    among = among_constants(tau)
    return {
        "tree": Drawn(
            _figure(tables, tau),
            "Edits priced by motion, and by a constant",
            f"E_tree (median and quartiles over {tables['rows']['object'].n_unique()} trees) starts at 0 where a joint "
            "does not move yet and grows with its motion; D_λ jumps by λ and stops at 2λ. On random corruptions D_1 "
            "forms bands at whole numbers (bottom middle), and its ranking depends on λ: Kendall τ between different λ "
            f"{among.min():.2f} to {among.max():.2f} (bottom right). Distances below 0.001, 0 among them, are drawn at "
            "the edge.",
        )
    }


def _figure(tables: Tables, tau: NDArray[np.float64]) -> Any:
    from experiments import plots

    rows, sweeps = tables["rows"], tables["sweeps"]
    with plots.house_style():
        figure = plots.new_figure(height=5.1)
        panels = figure.subplots(2, 3)
        for ax, name in zip(panels.flat, SWEEPS, strict=False):
            _sweep(ax, sweeps.filter(sweeps["sweep"] == name), name)
        panels[0, 0].set_ylabel("distance")
        panels[1, 0].set_ylabel("distance")
        handles, labels = panels[0, 0].get_legend_handles_labels()
        figure.legend(handles[::-1], labels[::-1], loc="outside upper center", ncols=len(labels), handlelength=2.2)
        _scatter(panels[1, 1], rows)
        _kendall(panels[1, 2], tau, list(schemes(rows)))
        return figure


def _sweep(ax: Any, rows: polars.DataFrame, name: str) -> None:
    from experiments import plots

    x = SWEEPS[name]
    title, label = _TITLES[name]
    plots.name_panel(ax, title)
    for (column, penalty), colour in zip(CONSTANT.items(), plots.CONSTANT, strict=True):
        values = rows[column].to_numpy().reshape(-1, len(x))
        ax.plot(
            x, np.median(values, axis=0), color=colour, linestyle=(0, (4, 1.5)), label=f"$D_\\lambda$, λ = {penalty:g}"
        )
    low, middle, high = plots.quartiles(rows["E_tree"].to_numpy().reshape(-1, len(x)))
    plots.band(ax, x, low, high, plots.E_ALPHA)
    ax.plot(x, middle, color=plots.E_ALPHA, linewidth=2.0, label="$E$, by motion")
    top = max(2.3, 1.08 * float(high.max())) if name != "spurious" else 3.2
    margin = 0.03 * (max(x) - min(x))  # so that a jump at the end is seen
    ax.set(xlabel=label, ylim=(-0.06 * top, top), xlim=(min(x) - margin, max(x) + margin))
    if name == "missing":
        ax.invert_xaxis()
    if name == "range":
        ax.set_ylim(-0.3, min(top, 9.0))


def _scatter(ax: Any, rows: polars.DataFrame) -> None:
    from matplotlib.lines import Line2D

    from experiments import plots

    plots.name_panel(ax, f"{rows.height:,} corruptions")
    colours = (plots.BLUE, plots.SKY, plots.ORANGE, plots.GOLD, plots.GREEN, plots.PINK)
    order = np.random.default_rng(0).permutation(rows.height)
    named = dict(zip(EDITS, colours, strict=True))
    first = rows["first_edit"].to_numpy()[order]
    x, y = (np.maximum(rows[c].to_numpy()[order], 1e-3) for c in ("E_tree", "D_1"))
    ax.scatter(x, y, c=[named[e] for e in first], s=3.0, linewidths=0, alpha=0.55, rasterized=True, label="_points")
    ax.set(xscale="log", yscale="log", xlabel="$E$, by motion", ylabel="$D_1$", xlim=(8e-4, 60), ylim=(8e-4, 60))
    key = [Line2D([], [], color=c, marker="o", linestyle="", markersize=3, label=e) for e, c in named.items()]
    ax.legend(handles=key, loc="lower right", fontsize=5.8, handletextpad=0.1, borderpad=0, labelspacing=0.25,
              title="first edit", title_fontsize=5.8)  # fmt: skip


def _kendall(ax: Any, tau: NDArray[np.float64], names: list[str]) -> None:
    from experiments import plots
    from simcheck.report.style import SEQUENTIAL

    plots.name_panel(ax, "rank agreement, Kendall τ")
    size = len(names)
    ax.imshow(np.where(np.isnan(tau), 0.0, tau), cmap=SEQUENTIAL, vmin=0.0, vmax=1.0, interpolation="nearest")
    for i in range(size):
        for j in range(size):
            colour = "#ffffff" if tau[i, j] < 0.65 else "#202428"
            ax.text(j, i, f"{tau[i, j]:.2f}", ha="center", va="center", fontsize=6.3, color=colour)
    ax.set_xticks(
        range(size), [_TICKS[n] for n in names], fontsize=6.5, rotation=35, ha="right", rotation_mode="anchor"
    )
    ax.set_yticks(range(size), [_TICKS[n] for n in names], fontsize=6.5)
    ax.tick_params(length=0)
