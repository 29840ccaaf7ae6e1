"""The suite at a glance: an object of each super-category with its kinematic tree, kinds of joints, sizes of groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from simcheck.asset import ArticulatedObject, load
from simcheck.asset.scene import triangles_of
from simcheck.report.camera import Camera
from simcheck.report.colours import FIXED, HIGHLIGHT, INK, MUTED, PREDICTION, TRUTH
from simcheck.report.raster import Mesh, bounding_box, render
from simcheck.report.style import TEXT_WIDTH, house_style, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {
    "revolute": TRUTH,
    "prismatic": PREDICTION,
    "continuous": "#2f9e44",
    "helical": HIGHLIGHT,
    "fixed": FIXED,
}
_VIEW = np.array([-0.55, 0.8, -0.42])
_PIXELS = 360
_COLUMNS = 5


def write_overview(folder: Path, manifest: polars.DataFrame) -> None:
    """Write ``figures/overview.svg`` and ``.png`` of a suite."""
    with house_style():
        save_figure(overview(folder, manifest), folder / "figures", "overview")


def overview(folder: Path, manifest: polars.DataFrame) -> Figure:
    """The figure, to be made inside `house_style`."""
    shown = [_shown(group) for group in manifest.sort("super_category").partition_by("super_category")]
    rows = -(-len(shown) // _COLUMNS)
    height = 1.28 * rows + 2.3
    figure = Figure(figsize=(TEXT_WIDTH, height))
    split = 2.3 / height
    above = figure.add_gridspec(rows, _COLUMNS, left=0.01, right=0.99, top=0.97, bottom=split, hspace=0.16, wspace=0.04)
    for k, row in enumerate(shown):
        cell = above[k // _COLUMNS, k % _COLUMNS].subgridspec(1, 2, width_ratios=[3.6, 1], wspace=0)
        obj = load(folder / row["path"] / "mobility.urdf")
        _draw_object(figure.add_subplot(cell[0, 0]), obj, row)
        beside = figure.add_subplot(cell[0, 1])
        beside.set_axis_off()
        _draw_tree(beside.inset_axes((0.0, 0.6, 1.0, 0.36)), obj)
    below = figure.add_gridspec(
        1, 2, left=0.11, right=0.98, top=split - 0.06, bottom=0.03, width_ratios=[1, 1.7], wspace=0.48
    )
    _draw_kinds(figure.add_subplot(below[0, 0]), manifest)
    _draw_groups(figure.add_subplot(below[0, 1]), manifest)
    return figure


def _shown(group: polars.DataFrame) -> dict[str, Any]:
    """The object that stands for a super-category: few enough joints to see, of many kinds, about seven of them."""
    kinds = [kind for kind in _COLOURS if kind != "fixed"]

    def merit(row: Mapping[str, Any]) -> tuple[bool, int, int, str]:
        return row["movable"] > 16, -sum(row[kind] > 0 for kind in kinds), abs(row["movable"] - 7), row["id"]

    return min(group.iter_rows(named=True), key=merit)


def _draw_object(axes: Axes, obj: ArticulatedObject, row: Mapping[str, Any]) -> None:
    meshes = []
    for link in obj.links:
        joint = obj.joint_above.get(link)
        if joint is not None and joint.motion.exactly_fixed:
            joint = obj.carrier(joint)
        colour = FIXED if joint is None else _COLOURS[joint.kind]
        meshes += [Mesh(vertices, faces, colour) for vertices, faces in triangles_of(obj, [link])]
    camera = Camera.looking_at(bounding_box(meshes), _VIEW, aspect=1.0)
    axes.imshow(render(meshes, [], camera, (_PIXELS, _PIXELS)), interpolation="lanczos")
    axes.set_axis_off()
    axes.set_title(
        f"{row['super_category'].replace('_', ' ')}: {row['category'].replace('_', ' ')}", fontsize=5.6, pad=2
    )


def _draw_tree(axes: Axes, obj: ArticulatedObject) -> None:
    """Bodies as dots, joints as lines in the colour of their kind; welded links are one body."""
    places: dict[str, tuple[float, int]] = {}
    leaves = 0

    def place(link: str, depth: int) -> float:
        nonlocal leaves
        below = [j for part in obj.welded(link) for j in obj.joints_below.get(part, ()) if not j.motion.exactly_fixed]
        xs = [place(j.child, depth + 1) for j in below]
        if not xs:
            leaves += 1
        x = (xs[0] + xs[-1]) / 2 if xs else float(leaves)
        places[link] = (x, depth)
        for joint, other in zip(below, xs, strict=True):
            axes.plot(
                [x, other], [-depth, -depth - 1], color=_COLOURS[joint.kind], linewidth=0.7, solid_capstyle="round"
            )
        return x

    place(obj.root, 0)
    xs, depths = zip(*places.values(), strict=True)
    axes.plot(xs, [-d for d in depths], "o", color=INK, markersize=1.3, markeredgewidth=0)
    axes.set_xlim(0.3, leaves + 0.7)
    axes.set_ylim(-max(depths) - 0.4, 0.4)
    axes.set_axis_off()


def _draw_kinds(axes: Axes, manifest: polars.DataFrame) -> None:
    counts = [int(manifest[kind].sum()) for kind in _COLOURS]
    _draw_bars(axes, list(_COLOURS), counts, [f"{count:,}" for count in counts], list(_COLOURS.values()))
    axes.set_xlim(0, 1.28 * max(counts))
    axes.set_title(f"{sum(counts):,} joints")


def _draw_groups(axes: Axes, manifest: polars.DataFrame) -> None:
    groups = (
        manifest.group_by("super_category")
        .agg(objects=polars.len(), categories=polars.col("category").n_unique())
        .sort("objects", "super_category", descending=[True, False])
    )
    names = [name.replace("_", " ") for name in groups["super_category"]]
    counts = groups["objects"].to_list()
    notes = [f"{n:,} objects, {kinds} categories" for n, kinds in zip(counts, groups["categories"], strict=True)]
    _draw_bars(axes, names, counts, notes, MUTED)
    axes.tick_params(axis="y", labelsize=6)
    axes.set_xlim(0, 1.6 * max(counts))
    axes.set_title(f"{manifest.height:,} objects, {manifest['category'].n_unique()} categories")
    handles = [Line2D([], [], color=colour, linewidth=3, label=kind) for kind, colour in _COLOURS.items()]
    axes.legend(handles=handles, loc="lower right", fontsize=6, title="moved by", title_fontsize=6)


def _draw_bars(
    axes: Axes, names: Sequence[str], counts: Sequence[int], notes: Sequence[str], colours: str | Sequence[str]
) -> None:
    """A bar for each count, downwards, with its name before it and a note behind it; no frame."""
    places = np.arange(len(counts))
    axes.barh(places, counts, color=colours, height=0.62)
    for place, count, note in zip(places, counts, notes, strict=True):
        axes.annotate(note, (count, place), xytext=(3, 0), textcoords="offset points", va="center", fontsize=6)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xticks([])
    axes.tick_params(length=0)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
