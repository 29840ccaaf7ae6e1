"""House style of the figures, and how they are saved: repeatable bytes on disk, adaptable ink in a page."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.colors import LinearSegmentedColormap

from simcheck.report.colours import INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RASTER_DPI = 220  # of the points inside an SVG
PNG_DPI = 300
PAGE_PIXELS_PER_INCH = 126  # 8 pt letters of the figure are 14 px in a page
COLUMN_WIDTH, TEXT_WIDTH = 3.35, 6.9  # inches: one and two columns of a conference page

# viridis without its ends: the darkest part is lost on a dark page, the lightest on paper.
SEQUENTIAL = LinearSegmentedColormap.from_list(
    "simcheck", matplotlib.colormaps["viridis"].resampled(256)([int(i) for i in range(52, 238)])
)

_SETTINGS: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial", "sans-serif"],
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "axes.titlelocation": "left",
    "lines.linewidth": 1.0,
    "figure.facecolor": "white",
    "axes.facecolor": "none",
    "savefig.facecolor": "auto",
    "svg.hashsalt": "simcheck",
    "svg.fonttype": "none",
}


def house_style() -> Any:
    """Context in which every figure is made and saved: ``with house_style(): ...``."""
    return matplotlib.rc_context(_SETTINGS)


def save_figure(figure: Figure, folder: Path, name: str) -> tuple[Path, Path]:
    """Write ``NAME.svg`` and ``NAME.png`` into the folder, which is made if missing; same figure, same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    svg, png = folder / f"{name}.svg", folder / f"{name}.png"
    svg.write_text(_svg(figure, transparent=False), encoding="utf-8", newline="\n")
    with house_style():
        _settle(figure)
        figure.savefig(png, dpi=PNG_DPI, metadata={"Software": None})
    return svg, png


def _settle(figure: Figure) -> None:
    """Lay the figure out once for all: each saving would do it again, which costs more than the drawing."""
    engine = figure.get_layout_engine()
    if engine is not None:
        for _ in range(2):  # square axes find their place on the second pass
            engine.execute(figure)
        figure.set_layout_engine(None)


def svg_for_page(figure: Figure, prefix: str) -> str:
    """The figure as an ``<svg>`` element for a page: no ground, ink in the colour of the page's text.

    Parameters
    ----------
    figure
        A figure made inside `house_style`.
    prefix : str
        Put before every id, so that clip paths and markers of several figures in a page do not collide.
    """
    if not re.fullmatch(r"[A-Za-z][\w-]*", prefix):
        raise ValueError(f"prefix: expected a letter, then letters, digits, _ or -, got {prefix!r}")
    width = PAGE_PIXELS_PER_INCH * figure.get_figwidth()
    text = _svg(figure, transparent=True)
    text = re.sub(r"<!--.*?-->\s*|<metadata>.*?</metadata>\s*|<style.*?</style>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)', f"{prefix}-", text)
    opening = re.search(r'<svg[^>]*?viewBox="([^"]*)"[^>]*>', text)
    assert opening, "matplotlib writes one svg element with a viewBox"
    style = f"width: {width:.0f}px; stroke-linejoin: round; stroke-linecap: butt"
    place = f'viewBox="{opening[1]}" preserveAspectRatio="xMinYMid" style="{style}"'
    root = f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" {place}>'
    return (root + text[opening.end() :]).replace(INK, "currentColor").strip()


def _svg(figure: Figure, *, transparent: bool) -> str:
    buffer = io.StringIO()
    with house_style():
        _settle(figure)
        figure.savefig(
            buffer, format="svg", dpi=RASTER_DPI, transparent=transparent, metadata={"Date": None, "Creator": None}
        )
    return buffer.getvalue()
