"""The calibration figures, read back from their axes: what is drawn is what the table says."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from calibration_data import ERRORS, calibration_table
from numpy.testing import assert_allclose, assert_array_equal

from metric.statistics import spread_in_decades
from simcheck.report import figures
from simcheck.report.figures import calibration_figure, residual_figure
from simcheck.report.hexagons import hexagon_medians
from simcheck.report.style import svg_for_page


@pytest.fixture(scope="module")
def table():
    """E_B differs from E_B_physical as where an inertia was clipped: the figures must take the latter."""
    rows = calibration_table(30)
    return rows | {"E_B": 1.5 * rows["E_B"]}


def panel(figure, name):
    (ax,) = [ax for ax in figure.axes if ax.get_label() == name]
    return ax


def artists(ax, label):
    return [a for a in ax.get_children() if a.get_label() == label]


def offsets(ax, label="_points"):
    found = artists(ax, label)
    return np.concatenate([np.empty((0, 2)), *(np.asarray(a.get_offsets()) for a in found)])


def by_rows(points):
    return points[np.lexsort(np.asarray(points).T)]


@pytest.mark.parametrize("column", ["E_B", "E_alpha"])
@pytest.mark.parametrize("colouring", ["axis_error", "largest_angle"])
def test_calibration_panels_hold_every_declared_pair(table, column, colouring):
    ax = panel(calibration_figure(table), f"{column}, {colouring}")
    keep = ~table["driven_interval"]
    assert 0 < keep.sum() < len(keep)
    y = table["E_B_physical" if column == "E_B" else column]
    expected = np.stack([table["d"], y], axis=1)[keep]
    coloured = (table["largest_angle"] > 0) & ((colouring == "largest_angle") | (table["axis_error"] > 0))
    assert_array_equal(by_rows(offsets(ax)), by_rows(expected[coloured[keep]]))
    assert_array_equal(by_rows(offsets(ax, "_grey")), by_rows(expected[~coloured[keep]]))
    (points,) = artists(ax, "_points")
    value = np.degrees(table[colouring][keep & coloured])
    assert_array_equal(np.sort(points.get_array()), np.sort(value))


def test_calibration_panels_share_one_square_range_and_the_identity_lies_below(table):
    figure = calibration_figure(table)
    panels = [ax for ax in figure.axes if ", " in ax.get_label()]
    assert len(panels) == 4
    assert len({(*ax.get_xlim(), *ax.get_ylim()) for ax in panels}) == 1
    for ax in panels:
        assert ax.get_xlim() == ax.get_ylim()
        assert ax.get_xscale() == ax.get_yscale() == "log"
        (identity,) = artists(ax, "_identity")
        assert_array_equal(identity.get_xdata(), identity.get_ydata())
        assert identity.get_zorder() < artists(ax, "_points")[0].get_zorder()
        factors = [line.get_ydata() / line.get_xdata() for line in artists(ax, "_guide")]
        assert_allclose(np.ravel(factors), [0.1, 0.1, 10, 10])


def test_the_statement_in_the_panel_is_the_number_of_the_table(table):
    keep = ~table["driven_interval"] & (table["largest_angle"] > 0)
    ratio = (table["E_B_physical"] / table["d"])[keep]
    (text,) = artists(panel(calibration_figure(table), "E_B, axis_error"), "_statement")
    share = np.mean(np.abs(ratio - 1) <= 0.05)
    spread = spread_in_decades(table["d"][keep], table["E_B_physical"][keep])
    counted = f"{keep.sum():,} turning pairs"
    assert text.get_text() == f"{100 * share:.0f} % within 5 %\nspread {spread:.2f} decades\n{counted}"


def test_residual_panels_hold_the_departure_of_each_kind_of_error(table):
    figure = residual_figure(table)
    keep = ~table["driven_interval"] & (table["largest_angle"] > 0)
    for error in ERRORS:
        chosen = keep & (table["error"] == error)
        assert chosen.any()
        x = np.degrees(table["largest_angle"][chosen])
        y = table["E_B_physical"][chosen] / table["d"][chosen] - 1
        assert_allclose(by_rows(offsets(panel(figure, error))), by_rows(np.stack([x, y], axis=1)))
    assert_allclose(offsets(panel(figure, "pitch"))[:, 1], 0, atol=1e-9)  # exact: only the pitch is wrong


def test_every_pair_lies_in_the_pale_range_of_its_bound(table):
    figure = residual_figure(table)
    for error in ERRORS:
        ax = panel(figure, error)
        (shape,) = artists(ax, "_bound")
        strokes = shape.get_path().vertices.reshape(-1, 5, 2)
        middle = strokes[:, :2, 0].mean(axis=1)
        low, high = dict(zip(middle, strokes[:, 0, 1], strict=True)), dict(zip(middle, strokes[:, 2, 1], strict=True))
        for x, y in offsets(ax):
            angle = np.round(4 * x) / 4
            assert low[angle] - 1e-9 <= min(y, ax.get_ylim()[1]) <= high[angle] + 1e-9
    chosen = (table["error"] == "tilt") & ~table["driven_interval"] & (table["largest_angle"] > 0)
    tightest = table["E_B_physical"] / (table["E_B_physical"] + table["bound_upper"]) - 1
    (shape,) = artists(panel(figure, "tilt"), "_bound")
    assert_allclose(shape.get_path().vertices[:, 1].min(), tightest[chosen].min())


def test_origin_shifts_lie_on_the_exact_curve():
    """SPEC section 2: d = |sinc(theta/2)| |dz|_B per endpoint, with real d and E_B."""
    table = calibration_table(120, seed=3)
    ax = panel(residual_figure(table), "origin")
    (curve,) = artists(ax, "_exact")
    x, y = np.asarray(curve.get_xdata()), np.asarray(curve.get_ydata())
    assert_allclose(y[x == 180], np.pi / 2 - 1)
    points = offsets(ax)
    points = points[(points[:, 0] > 30) & (points[:, 0] < x[-1])]
    on_curve = np.abs(points[:, 1] - np.interp(points[:, 0], x, y)) < 1e-3 * (1 + points[:, 1])
    assert len(points) > 50
    assert on_curve.mean() > 0.5  # the others have limits at unequal angles, or shifts beyond the size
    small = calibration_table(120, seed=3)
    keep = (small["error"] == "origin") & (small["magnitude"] < 0.01)
    ax = panel(residual_figure({name: v[keep] for name, v in small.items()}), "origin")
    points = offsets(ax)
    assert np.all(points[:, 1] <= np.interp(points[:, 0], x, y, right=np.inf) + 1e-6)


def test_pairs_beyond_the_axes_are_marked_at_the_edge(table):
    table = {name: values.copy() for name, values in table.items()}
    (first, second, *_) = np.flatnonzero(
        (table["error"] == "shift") & ~table["driven_interval"] & (table["largest_angle"] > 0)
    )
    table["d"][first] = table["E_B_physical"][first] / 500
    table["largest_angle"][second] = 7
    ax = panel(residual_figure(table), "shift")
    marked = offsets(ax, "_beyond")
    beyond = (offsets(ax)[:, 0] > 360) | (offsets(ax)[:, 1] > ax.get_ylim()[1])
    assert len(marked) == beyond.sum() >= 2
    assert np.all(marked <= [360, ax.get_ylim()[1]])
    assert ax.get_xlim() == (0, 360)


@pytest.mark.parametrize("make", [calibration_figure, residual_figure])
def test_a_dataframe_and_a_dict_give_the_same_figure(table, make):
    first, second = make(pl.DataFrame(table)), make(table)
    for one, other in zip(first.axes, second.axes, strict=True):
        for label in ("_points", "_grey"):
            assert_array_equal(offsets(one, label), offsets(other, label))


@pytest.mark.parametrize("make", [calibration_figure, residual_figure])
@pytest.mark.parametrize("rows", [0, 1, 10])
def test_few_rows_and_empty_panels(table, make, rows):
    few = {name: values[:: len(values) // 10][:rows] for name, values in table.items()}
    figure = make(few)
    nothing = "no turning pairs" if make is calibration_figure else "no pairs"
    assert nothing in svg_for_page(figure, "a") or (make is calibration_figure and rows)


def test_null_values_are_left_out(table):
    frame = pl.DataFrame(table).with_columns(pl.when(pl.col("error") != "tilt").then(pl.col("d")).alias("d"))
    ax = panel(residual_figure(frame), "tilt")
    assert [a.get_text() for a in artists(ax, "_statement")] == ["no pairs"]
    assert len(offsets(panel(calibration_figure(frame), "E_B, largest_angle"))) > 0


def test_many_points_become_hexagons_of_the_median(table, monkeypatch):
    monkeypatch.setattr(figures, "DENSE", 100)
    ax = panel(calibration_figure(table), "E_B, largest_angle")
    (cells,) = artists(ax, "_points")
    keep = ~table["driven_interval"] & (table["largest_angle"] > 0)
    assert 20 < len(cells.get_paths()) < keep.sum()
    centres = np.array([path.vertices[:6].prod(axis=0) ** (1 / 6) for path in cells.get_paths()])
    assert np.all((centres > ax.get_xlim()[0]) & (centres < ax.get_xlim()[1]))
    low, high = np.degrees(table["largest_angle"][keep]).min(), np.degrees(table["largest_angle"][keep]).max()
    assert low <= cells.get_array().min() <= cells.get_array().max() <= high
    residual = panel(residual_figure(table), "tilt")
    assert artists(residual, "_points")[0].get_array().max() <= 1


def test_hexagons_partition_the_points():
    rng = np.random.default_rng(5)
    points, values, size = rng.normal(size=(3000, 2)) * [3, 0.1], rng.normal(size=3000), np.array([0.4, 0.02])
    corners, medians = hexagon_medians(points, values, size)
    centres = corners.mean(axis=1)
    metric = np.array([1, np.sqrt(0.75)]) / size
    nearest = np.argmin(np.linalg.norm((points[:, None] - centres) * metric, axis=2), axis=1)
    assert set(nearest) == set(range(len(centres)))
    assert_allclose(medians, [np.median(values[nearest == i]) for i in range(len(centres))])
    sides = np.linalg.norm(np.diff(corners * metric, axis=1, append=corners[:, :1] * metric), axis=2)
    assert_allclose(sides, sides[0, 0])


def test_points_are_drawn_in_a_shuffled_order(table):
    """Else the kind of error drawn last hides the others."""
    drawn = offsets(panel(calibration_figure(table), "E_B, largest_angle"))[:, 0]
    again = offsets(panel(calibration_figure(table), "E_B, largest_angle"))[:, 0]
    in_table = table["d"][~table["driven_interval"] & (table["largest_angle"] > 0)]
    assert_array_equal(drawn, again)
    assert np.mean(drawn == in_table) < 0.1
