"""What the figures of the experiments share: colours, frames, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from simcheck.report.colours import INK, MUTED
from simcheck.report.style import TEXT_WIDTH, house_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# After Okabe and Ito, darkened or lightened until readable on white and on near black.
BLUE, ORANGE, GREEN, PINK, SKY, GOLD = "#2b6fd4", "#e0561b", "#0f9b72", "#d0559c", "#4aa8d8", "#b8860b"
E_B, E_ALPHA, OWN = BLUE, ORANGE, GREEN  # one colour a measure, in every figure
CONSTANT = ("#b4bac2", "#949ba4", "#757c86", "#575e68")  # D_lambda, lambda growing
PALE = 0.18  # opacity of a band


def new_figure(width: float = TEXT_WIDTH, height: float = 3.0) -> Figure:
    """An empty figure in the house style; use it inside `house_style`."""
    return Figure(figsize=(width, height), layout="constrained")


def name_panel(ax: Axes, title: str) -> None:
    """Title of a panel; also its label, so that a figure can be read back."""
    ax.set_title(title)
    ax.set_label(title)


def band(ax: Axes, x: Array, low: Array, high: Array, colour: str) -> None:
    """A pale range behind a line."""
    ax.fill_between(x, low, high, color=colour, alpha=PALE, linewidth=0, label="_band")


def guide(ax: Axes, *, x: float | None = None, y: float | None = None, text: str = "") -> None:
    """A thin dotted line; a horizontal one may carry a word."""
    style: dict[str, Any] = {"color": MUTED, "linewidth": 0.7, "linestyle": (0, (1, 2)), "zorder": 0.5}
    if x is not None:
        ax.axvline(x, label="_guide", **style)
    if y is not None:
        ax.axhline(y, label="_guide", **style)
        ax.text(0.99, y, text, transform=ax.get_yaxis_transform(), va="bottom", ha="right", color=MUTED, fontsize=6.5)


def inside(ax: Axes, text: str) -> None:
    """A statement inside a panel, in its upper left corner."""
    ax.text(
        0.03, 0.965, text, transform=ax.transAxes, ha="left", va="top", fontsize=7, linespacing=1.35,
        label="_statement",
    )  # fmt: skip


def quartiles(table: Array) -> tuple[Array, Array, Array]:
    """25th, 50th and 75th percentile over the first axis, undefined entries left out."""
    low, middle, high = np.nanpercentile(table, [25, 50, 75], axis=0)
    return low, middle, high


__all__ = [
    "BLUE", "CONSTANT", "E_ALPHA", "E_B", "GOLD", "GREEN", "INK", "MUTED", "ORANGE", "OWN", "PINK", "SKY", "band",
    "guide", "house_style", "inside", "name_panel", "new_figure", "quartiles",
]  # fmt: skip
