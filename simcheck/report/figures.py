"""The two calibration figures (SPEC section 5): E against d, and the departure of E_B from d by kind of error.

The table is a polars DataFrame or a dict of arrays with one row a pair and the columns ``d E_B_physical E_alpha
bound_lower bound_upper`` (m; E_alpha a number), ``axis_error largest_angle`` (rad), ``magnitude`` (relative size of the
error), ``kind``, ``error`` (text) and ``driven_interval`` (bool). Pairs over a driven interval are left out, as in the
summary's quantiles. E_B is that of the physical body throughout: it is what d is compared with.

Every artist that carries data has a label that starts with an underscore (``_points``, ``_grey``, ``_identity``, ...),
and every panel one that names it: a figure can be read back from its axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import BoundaryNorm, LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from metric.statistics import share_within, spread_in_decades
from simcheck.report.colours import HIGHLIGHT, INK, MUTED
from simcheck.report.hexagons import hexagon_medians
from simcheck.report.style import SEQUENTIAL, TEXT_WIDTH, house_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colorbar import Colorbar

Array = NDArray[np.float64]

_ERROR_TITLES = {
    "tilt": "axis tilted",
    "origin": "origin shifted",
    "lower": "lower limit wrong",
    "upper": "upper limit wrong",
    "shift": "interval shifted",
    "pitch": "pitch wrong",
    "kind": "kind wrong",
    "all": "all of them",
}
DENSE = 20_000  # points in a panel above which hexagons replace them; a quarter of that in a small panel
MAX_DECADES = 9  # of the shared range of the calibration figure; pairs below it are counted in the panel
TOP_DEPARTURE = 30.0  # of the residual figure, x31; triangles at the edge stand for pairs beyond
ANGLES = (0, 15, 30, 60, 120, 180, 360)  # degrees: the bins of the summary
_STROKE = 3.0  # width of the range of a pair, degrees
_PALE, _BAND = 0.16, 0.25  # opacity of what lies behind the points
_NUMBERS = ("d", "E_B_physical", "E_alpha", "bound_lower", "bound_upper", "axis_error", "largest_angle", "magnitude")


def calibration_figure(table: Any) -> Figure:
    """E_B and E_alpha against d, coloured by axis error (top) and by the largest angle from rest (bottom).

    Parameters
    ----------
    table : polars.DataFrame or dict of arrays
        See the module; rows without a positive d, E_B and E_alpha are left out.

    Returns
    -------
    figure : matplotlib.figure.Figure
        Four panels labelled ``E_B, axis_error``, ``E_alpha, axis_error``, ``E_B, largest_angle``,
        ``E_alpha, largest_angle`` over one square log-log range.
    """
    rows = _rows(table)
    rows = _where(rows, (rows["d"] > 0) & (rows["E_B_physical"] > 0) & (rows["E_alpha"] > 0))
    turns = rows["largest_angle"] > 0
    colourings = {
        "axis_error": (np.degrees(rows["axis_error"]), turns & (rows["axis_error"] > 0), "no axis error, or prismatic"),
        "largest_angle": (np.degrees(rows["largest_angle"]), turns, "prismatic"),
    }
    low, high = _square_range(rows)
    order = np.random.default_rng(0).permutation(len(rows["d"]))  # else the last error drawn hides the others
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 5.95), layout="constrained")
        panels = figure.subplots(2, 2, sharex=True, sharey=True)
        for (name, (value, coloured, grey_name)), line in zip(colourings.items(), panels, strict=True):
            norm = _error_norm(value[coloured]) if name == "axis_error" else _angle_norm()
            front = order[coloured[order]]
            for column, ax in zip(("E_B_physical", "E_alpha"), line, strict=True):
                ax.set_label(f"{column.removesuffix('_physical')}, {name}")
                _log_log_frame(ax, low, high)
                points = np.stack([rows["d"], rows[column]], axis=1)
                _scatter(ax, points[~coloured], None, norm, hexagons=len(points) > DENSE, label="_grey")
                _scatter(ax, points[front], value[front], norm, hexagons=len(points) > DENSE)
                told = _where(rows, turns)
                _write_inside(ax, _calibration_statement(told["d"], told[column], column, low), low=column == "E_alpha")
            if not coloured.all():
                _grey_key(line[0], grey_name)
            beside = line[1].inset_axes((1.04, 0, 0.045, 1))
            bar = figure.colorbar(ScalarMappable(norm, SEQUENTIAL), cax=beside)
            _finish_bar(bar, "axis error (°)" if name == "axis_error" else "largest angle from rest (°)")
            line[0].set_ylabel("$E_B$ (m)")
            line[1].set_ylabel(r"$E_\alpha$")
            line[1].tick_params(labelleft=True)
        for ax, title in zip(panels[0], ("kinetic norm", "split norm"), strict=True):
            ax.set_title(title)
        for ax in panels[1]:
            ax.set_xlabel("discrepancy $d$ (m)")
    return figure


def residual_figure(table: Any) -> Figure:
    """E_B/d - 1 against the largest angle from rest, one panel for each kind of error.

    The pale range of a pair is where its linearisation bound allows it to be; the grey band is 5 %; the curve in
    ``origin`` is exact for a joint whose two limits are equally far from rest, or one of them at rest.

    Parameters
    ----------
    table : polars.DataFrame or dict of arrays
        See the module; rows without a rotation or without a positive d are left out.

    Returns
    -------
    figure : matplotlib.figure.Figure
        Eight panels, labelled by the kind of error; x in degrees, y symmetric-logarithmic.
    """
    rows = _rows(table)
    rows = _where(rows, (rows["d"] > 0) & np.isfinite(rows["E_B_physical"]) & (rows["largest_angle"] > 0))
    angle, departure = np.degrees(rows["largest_angle"]), rows["E_B_physical"] / rows["d"] - 1
    norm = _error_norm(rows["magnitude"])
    top = min(TOP_DEPARTURE, max(1.5, 1.5 * np.max(departure, initial=0)))
    bottom = max(-1.0, min(-0.3, 1.3 * np.min(departure, initial=0)))
    order = np.random.default_rng(0).permutation(len(angle))
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 4.3), layout="constrained")
        panels = figure.subplots(2, 4, sharex=True, sharey=True)
        for (error, title), ax in zip(_ERROR_TITLES.items(), panels.flat, strict=True):
            ax.set_label(error)
            ax.set_title(title, pad=13)
            _residual_frame(ax, bottom, top)
            if error == "origin":
                _exact_curve(ax, top)
            chosen = order[rows["error"][order] == error]
            if len(chosen) == 0:
                _write_under_title(ax, "no pairs")
                continue
            _bound_ranges(ax, _where(rows, chosen), angle[chosen], top)
            points = np.stack([angle[chosen], departure[chosen]], axis=1)
            _scatter(ax, points, rows["magnitude"][chosen], norm, hexagons=len(points) > DENSE // 4)
            _mark_beyond(ax, points, rows["magnitude"][chosen], norm, top)
            _write_under_title(ax, f"{100 * share_within(departure[chosen] + 1):.0f} % of {len(chosen):,} within 5 %")
        bar = figure.colorbar(ScalarMappable(norm, SEQUENTIAL), ax=list(panels.flat), pad=0.015, aspect=34)
        _finish_bar(bar, "relative size of the error")
        figure.supxlabel("largest angle from rest (°)", fontsize=8)
        figure.supylabel("$E_B/d - 1$", fontsize=8)
        figure.legend(handles=_residual_key(), loc="outside upper right", ncols=3, borderpad=0)
    return figure


def _rows(table: Any) -> dict[str, NDArray]:
    """The columns of the table as arrays, null as NaN, without pairs over a driven interval."""
    rows: dict[str, NDArray] = {name: np.asarray(table[name], dtype=np.float64) for name in _NUMBERS}
    rows["error"] = np.asarray(table["error"], dtype=str)
    return _where(rows, ~np.asarray(table["driven_interval"], dtype=bool))


def _where(rows: dict[str, NDArray], keep: NDArray) -> dict[str, NDArray]:
    return {name: values[keep] for name, values in rows.items()}


def _square_range(rows: dict[str, NDArray]) -> tuple[float, float]:
    """One range for d, E_B and E_alpha, with a margin; 1e-3...1 when there is nothing to show."""
    values = np.concatenate([rows["d"], rows["E_B_physical"], rows["E_alpha"]])
    if len(values) == 0:
        return 1e-3, 1.0
    high = float(values.max())
    low = max(float(values.min()), high * 10.0**-MAX_DECADES)
    margin = (high / low) ** 0.03 * 1.1
    return low / margin, high * margin


def _calibration_statement(d: Array, e: Array, column: str, low: float) -> str:
    """What the panel shows of turning joints, in words: share on the identity (of E_B only), spread, counts."""
    if len(d) == 0:
        return "no turning pairs"
    spread = spread_in_decades(d, e)
    lines = [] if column == "E_alpha" else [f"{100 * share_within(e / d):.0f} % within 5 %"]
    lines += [] if np.isnan(spread) else [f"spread {spread:.2f} decades"]
    outside = int(np.sum((d < low) | (e < low)))
    lines += [f"{len(d):,} turning pairs", *([f"{outside:,} of them outside"] if outside else [])]
    return "\n".join(lines)


def _write_inside(ax: Axes, text: str, *, low: bool) -> None:
    """A statement where no points are: above the identity for E_B, below it for E_alpha."""
    x, y, right, bottom = (0.965, 0.15, "right", "bottom") if low else (0.035, 0.965, "left", "top")
    ax.text(x, y, text, transform=ax.transAxes, ha=right, va=bottom, fontsize=7.5, linespacing=1.35, label="_statement")


def _write_under_title(ax: Axes, text: str) -> None:
    ax.text(0, 1.03, text, transform=ax.transAxes, fontsize=6.5, label="_statement", in_layout=False)


def _scatter(
    ax: Axes, points: Array, values: Array | None, norm: Normalize, *, hexagons: bool, label: str = "_points"
) -> None:
    """Points (n, 2) coloured by value, grey without; hexagons of the median where points would hide one another."""
    if len(points) == 0:
        return
    if not hexagons:
        size = 7.0 if len(points) < 200 else 3.5
        style: dict[str, Any] = {"c": MUTED} if values is None else {"c": values, "cmap": SEQUENTIAL, "norm": norm}
        x, y = points.T
        ax.scatter(x, y, s=size, linewidths=0, rasterized=True, zorder=2.5, label=label, **style)
        return
    scale = ax.transScale
    corners, medians = hexagon_medians(
        scale.transform(points), np.zeros(len(points)) if values is None else values, _hexagon_size(ax)
    )
    shape = corners.shape
    corners = scale.inverted().transform(corners.reshape(-1, 2)).reshape(shape)
    fill: dict[str, Any] = {"facecolors": MUTED, "edgecolors": MUTED}
    if values is not None:
        fill = {"array": medians, "cmap": SEQUENTIAL, "norm": norm, "edgecolors": "face"}
    cells = PolyCollection(list(corners), linewidths=0.3, rasterized=True, zorder=2.5, label=label, **fill)
    ax.add_collection(cells, autolim=False)


def _mark_beyond(ax: Axes, points: Array, values: Array, norm: Normalize, top: float) -> None:
    """Triangles at the edge for points above the top or beyond a full turn."""
    above, beyond = points[:, 1] > top, points[:, 0] > 360
    edge = np.minimum(points, [360, top])
    for chosen, marker in ((above, "^"), (beyond & ~above, ">")):
        style: dict[str, Any] = {"c": values[chosen], "cmap": SEQUENTIAL, "norm": norm, "marker": marker}
        x, y = edge[chosen].T
        ax.scatter(x, y, s=10, linewidths=0, clip_on=False, zorder=4, label="_beyond", **style)


def _hexagon_size(ax: Axes, across: int = 80) -> Array:
    """Width and row height of the hexagons, in the axes' scaled coordinates."""
    low, high = ax.transScale.transform(np.array([ax.get_xlim(), ax.get_ylim()]).T)
    return np.abs(high - low) / across * np.array([1, np.sqrt(3) / 2])


def _grey_key(ax: Axes, name: str) -> None:
    handle = ax.scatter([], [], s=12, c=MUTED, linewidths=0)
    ax.legend([handle], [name], loc="lower right", handletextpad=0.1, borderpad=0.2)


def _log_log_frame(ax: Axes, low: float, high: float) -> None:
    """Equal logarithmic axes with the identity, below the points, and guides at a factor of ten."""
    ax.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), box_aspect=1)
    ends = np.array([low, high])
    ax.plot(ends, ends, color=INK, linewidth=0.6, zorder=1, label="_identity")
    for factor in (0.1, 10.0):
        ax.plot(ends, factor * ends, color=MUTED, linewidth=0.6, linestyle=(0, (1, 2)), zorder=1, label="_guide")
    ax.tick_params(which="both", top=True, right=True)


def _residual_frame(ax: Axes, bottom: float, top: float) -> None:
    ax.set_yscale("symlog", linthresh=0.01, linscale=0.6)
    ax.set(xlim=(0, 360), ylim=(bottom, top))
    ax.set_xticks(range(0, 361, 90))
    named = {-0.5: "−50 %", -0.1: "−10 %", -0.01: "−1 %", 0: "0", 0.01: "1 %", 0.1: "10 %", 1: "×2", 10: "×11"}
    ticks = [value for value in named if bottom <= value <= top]
    ax.set_yticks(ticks, [named[value] for value in ticks])
    ax.yaxis.set_minor_locator(NullLocator())
    ax.tick_params(direction="out", length=2.5)
    ax.axhspan(-0.05, 0.05, color=MUTED, alpha=_BAND, linewidth=0, zorder=0.5, label="_band")
    ax.axhline(0, color=INK, linewidth=0.5, zorder=0.6, label="_zero")


def _residual_key() -> list[Any]:
    return [
        Patch(color=MUTED, alpha=_PALE, label="allowed by the bound"),
        Patch(color=MUTED, alpha=_BAND, label="within 5 %"),
        Line2D([], [], color=HIGHLIGHT, label=r"exact for a shifted origin, $1/|\mathrm{sinc}(\theta/2)| - 1$"),
    ]


def _bound_ranges(ax: Axes, rows: dict[str, NDArray], angle: Array, top: float) -> None:
    """Where d may be, ``E_B - lower <= d <= E_B + upper``: a vertical stroke a pair, all in one pale shape.

    Every range holds 0, so pairs at the same angle (to a quarter of a degree) share one stroke.
    """
    e = rows["E_B_physical"]
    least = e / (e + rows["bound_upper"]) - 1
    rest = e - rows["bound_lower"]
    most = np.divide(e, rest, out=np.full_like(e, np.inf), where=rest > 0) - 1
    known = np.isfinite(least) & ~np.isnan(most)
    x, group = np.unique(np.round(4 * angle[known]) / 4, return_inverse=True)
    low, high = np.zeros((2, len(x)))
    np.minimum.at(low, group, least[known])
    np.maximum.at(high, group, np.minimum(most[known], 2 * top))
    left, right = x - _STROKE / 2, x + _STROKE / 2
    corners = np.stack([[left, low], [right, low], [right, high], [left, high], [left, low]]).transpose(2, 0, 1)
    codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(x))
    # One filled path: strokes side by side, or each on its own, would add up to mud.
    shape = PathPatch(Path(corners.reshape(-1, 2), codes), facecolor=MUTED, alpha=_PALE, linewidth=0, rasterized=True)
    shape.set(label="_bound", zorder=0.4)
    ax.add_patch(shape)


def _exact_curve(ax: Axes, top: float) -> None:
    """``1/|sinc(theta/2)| - 1`` with sinc x = sin(x)/x (SPEC section 2, only the origin wrong)."""
    theta = np.linspace(0, 359.5, 720)
    curve = 1 / np.sinc(theta / 360) - 1
    below = curve < 2 * top
    ax.plot(theta[below], curve[below], color=HIGHLIGHT, linewidth=1.0, zorder=3, label="_exact")


def _error_norm(values: Array) -> LogNorm:
    """Logarithmic colours over the sizes that occur; the protocol's 1e-3...1 when nothing does."""
    positive = values[values > 0]
    if len(positive) == 0 or positive.min() == positive.max():
        middle = float(positive.min()) if len(positive) else 10**-1.5
        return LogNorm(middle / 10**1.5, middle * 10**1.5)
    return LogNorm(float(positive.min()), float(positive.max()))


def _angle_norm() -> BoundaryNorm:
    return BoundaryNorm(ANGLES, SEQUENTIAL.N)


def _finish_bar(bar: Colorbar, label: str) -> None:
    bar.set_label(label)
    bar.outline.set_linewidth(0.4)
    bar.solids.set_rasterized(True)  # type: ignore[union-attr]
