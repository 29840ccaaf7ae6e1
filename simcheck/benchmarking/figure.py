"""How many joints of a method are how good: the share of true joints with at most an error, for every error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from simcheck.asset.model import FloatArray
from simcheck.report.colours import HIGHLIGHT, INK, MUTED, PREDICTION, TRUTH
from simcheck.report.style import TEXT_WIDTH, house_style

if TYPE_CHECKING:
    import polars

_PANELS = (("E_B", "$E_B$ (m)"), ("E_alpha_phi", r"$E_\alpha^\varphi$"))
_LINES = ("-", "--", "-.", ":")
_COLOURS = (TRUTH, PREDICTION, "#2a9d5c", HIGHLIGHT, "#8a5cd1", MUTED)
_DECADES = 6  # shown below the largest error


def shares(rows: polars.DataFrame, objects: polars.DataFrame, method: str, column: str) -> tuple[FloatArray, int]:
    """The defined errors of a method's matched joints in order, and the number of all true joints it was asked for."""
    import polars

    own = rows.filter((polars.col("method") == method) & (polars.col("status") == "matched"))
    total = objects.filter(polars.col("method") == method)["true_joints"].sum()
    return np.sort(own[column].drop_nulls().to_numpy()), int(total)


def shares_figure(rows: polars.DataFrame, objects: polars.DataFrame, methods: Sequence[str]) -> Figure:
    """Two panels, E_B and E_alpha^phi, one curve a method.

    Parameters
    ----------
    rows, objects
        Joint rows and object rows of a benchmark.
    methods
        Their names, in the order of the table.

    Returns
    -------
    figure : matplotlib.figure.Figure
        The curves are labelled with the methods' names.
    """
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 2.9), layout="constrained")
        panels = figure.subplots(1, len(_PANELS), sharey=True)
        for ax, (column, label) in zip(panels, _PANELS, strict=True):
            found = {method: shares(rows, objects, method, column) for method in methods}
            largest = max((values[-1] for values, _ in found.values() if len(values)), default=0.0) or 1.0
            least = largest / 10**_DECADES
            for k, (method, (values, total)) in enumerate(found.items()):
                x = np.concatenate([[least], np.maximum(values, least), [largest * 1.5]])
                y = np.concatenate([[0], np.arange(1, len(values) + 1), [len(values)]]) / max(total, 1)
                style = {"color": _COLOURS[k % len(_COLOURS)], "linestyle": _LINES[k // len(_COLOURS) % len(_LINES)]}
                ax.step(x, y, where="post", label=method, linewidth=1.4, **style)
            ax.set(xscale="log", xlim=(least, largest * 1.5), ylim=(0, 1.02), xlabel=label)
            ax.axhline(1, color=INK, linewidth=0.4, label="_one")
            ax.grid(visible=True, color=MUTED, linewidth=0.3, alpha=0.5)
        panels[0].set_ylabel("share of true joints")
        panels[0].legend(loc="upper left")
    return figure
