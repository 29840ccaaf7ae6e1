"""The weight of the split norm (C.2): no single alpha tracks real motion, and what the best one leaves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.context import Context
from experiments.experiment import Drawn, Finding, Settings, Tables, table
from experiments.pairs import judged, split_distance
from experiments.words import decades
from simcheck.calibration.summary import spread
from simcheck.report.page import SummarySection

if TYPE_CHECKING:
    import polars

TITLE = "Alpha: what the weight of translation decides"
REPRODUCES = "Appendix C.2, §4.1"

ALPHAS = np.logspace(-2, 2, 41)
ORIGINS = {"world": "sliding", "com": "sliding_at_com"}
"""Where twists have their origin: the world's, or each moved body's centre of mass."""
TYPES: dict[str, type] = {
    **dict.fromkeys(("measure", "origin"), str),
    **dict.fromkeys(("alpha", "spread_decades", "kendall_d", "kendall_1", "median_gyration"), float),
    **dict.fromkeys(("pairs", "objects"), int),
}
"""One row a measure.

``measure``: alpha (the same for all joints), gyration (1 / radius of gyration of each body), E_B, own (the user's
norm). ``spread_decades``: at equal d, turning pairs. ``kendall_d``, ``kendall_1``: rank agreement with d and with
alpha = 1 in the world's frame, over all bounded pairs, slides too.
"""


def measure(context: Context) -> Tables:
    """Spread and ranks of the calibration pairs, for every alpha."""
    return {"rows": table(list(_rows(judged(context.pairs()))), TYPES)}


def _rows(pairs: polars.DataFrame) -> Any:
    from scipy.stats import kendalltau

    d = pairs["d"].to_numpy()
    gyration = np.maximum(pairs["gyration"].to_numpy(), 1e-12)
    unit = split_distance(pairs, 1.0)
    turning = pairs["kind"].to_numpy() != "prismatic"
    ratio = pairs["ratio"].to_numpy()

    def entry(name: str, origin: str | None, alpha: float | None, values: NDArray[np.float64]) -> dict[str, Any]:
        return {
            "measure": name,
            "origin": origin,
            "alpha": alpha,
            "spread_decades": spread(values[turning], d[turning], ratio[turning]),
            "kendall_d": kendalltau(values, d).statistic,
            "kendall_1": kendalltau(values, unit).statistic,
            "median_gyration": float(np.median(gyration)) if len(gyration) else None,
            "pairs": len(d),
            "objects": pairs["object"].n_unique(),
        }

    for origin, column in ORIGINS.items():
        for alpha in ALPHAS.tolist():
            yield entry("alpha", origin, alpha, split_distance(pairs, alpha, column))
        # In metres: the rotation counts by the radius of gyration, so that bodies of all sizes compare.
        yield entry("gyration", origin, None, gyration * split_distance(pairs, 1 / gyration, column))
    yield entry("E_B", None, None, pairs["E_B_physical"].to_numpy())
    if pairs["E_norm"].is_not_null().any():
        yield entry("own", None, None, pairs["E_norm"].to_numpy())


# --- what the table says ---------------------------------------------------------------------------------------


def _curve(rows: polars.DataFrame, origin: str) -> polars.DataFrame:
    return rows.filter((rows["measure"] == "alpha") & (rows["origin"] == origin).fill_null(False))


def _value(rows: polars.DataFrame, measure: str, column: str, origin: str | None = None) -> float:
    chosen = rows.filter(rows["measure"] == measure)
    if origin is not None:
        chosen = chosen.filter(chosen["origin"] == origin)
    value = chosen[column][0] if chosen.height else None
    return math.nan if value is None else float(value)


def _at(rows: polars.DataFrame, column: str, alpha: float) -> float:
    curve = _curve(rows, "world")
    value = curve[column][int(np.argmin(np.abs(np.log(curve["alpha"].to_numpy() / alpha))))]
    return math.nan if value is None else float(value)


def best(rows: polars.DataFrame, origin: str) -> tuple[float, float]:
    """The single alpha with the least spread at equal d, and that spread in decades."""
    curve = _curve(rows, origin).drop_nulls("spread_decades")
    if not curve.height:
        return math.nan, math.nan
    k = int(np.argmin(curve["spread_decades"].to_numpy()))
    return float(curve["alpha"][k]), float(curve["spread_decades"][k])


def figures(tables: Tables, settings: Settings) -> dict[str, Drawn]:
    """Spread and rank agreement against alpha."""
    rows = tables["rows"]
    alpha, left = best(rows, "world")
    return {
        "alpha": Drawn(
            _figure(rows, settings),
            "No α tracks the displacement",
            f"Left: spread at equal d. The best single α ({alpha:.2g} per metre) leaves {decades(left)}; 1/radius of "
            f"gyration of each link leaves {decades(_value(rows, 'gyration', 'spread_decades', 'world'))} about the "
            f"world's origin and {decades(_value(rows, 'gyration', 'spread_decades', 'com'))} about the link's centre "
            f"of mass; E_B {decades(_value(rows, 'E_B', 'spread_decades'))}. Right: the ranking of the same pairs "
            "changes with α.",
        )
    }


def _figure(rows: polars.DataFrame, settings: Settings) -> Any:
    from experiments import plots

    with plots.house_style():
        figure = plots.new_figure(height=3.2)
        left, right = figure.subplots(1, 2)
        plots.name_panel(left, "spread at equal $d$")
        plots.name_panel(right, "rank agreement, Kendall τ")
        styles = {"world": (plots.E_ALPHA, "-", "world's origin"), "com": (plots.GOLD, (0, (4, 1.5)), "link's com")}
        for origin, (colour, dashes, label) in styles.items():
            curve = _curve(rows, origin)
            x = curve["alpha"].to_numpy()
            left.plot(x, curve["spread_decades"].to_numpy(), color=colour, linestyle=dashes,
                      label=rf"$E_\alpha$, {label}")  # fmt: skip
            level = _value(rows, "gyration", "spread_decades", origin)
            left.axhline(level, color=colour, linewidth=1.0, linestyle=(0, (1, 1.5)),
                         label=f"α = 1/radius of gyration, {label}")  # fmt: skip
            right.plot(x, curve["kendall_d"].to_numpy(), color=colour, linestyle=dashes,
                       label=rf"$E_\alpha$ with $d$, {label}")  # fmt: skip
        world = _curve(rows, "world")
        right.plot(world["alpha"].to_numpy(), world["kendall_1"].to_numpy(), color=plots.MUTED, linewidth=1.2,
                   label=r"$E_\alpha$ with $E_1$")  # fmt: skip
        levels = {"E_B": ("$E_B$", plots.E_B), "own": (settings.norm_name, plots.OWN)}
        for name, (label, colour) in levels.items():
            if (rows["measure"] == name).any():
                left.axhline(_value(rows, name, "spread_decades"), color=colour, linewidth=1.6, label=label)
                right.axhline(_value(rows, name, "kendall_d"), color=colour, linewidth=1.6, label=f"{label} with $d$")
        for ax in (left, right):
            ax.set(xscale="log", xlabel="α (1/m)", xlim=(ALPHAS[0], ALPHAS[-1]))
        left.set(ylabel="decades, 5–95 %", ylim=(0, 1.12 * max(1.0, _highest(rows))))
        right.set(ylabel="τ", ylim=(0, 1.02))
        left.legend(loc="upper right", fontsize=6.5)
        right.legend(loc="lower left", fontsize=6.5)
        return figure


def _highest(rows: polars.DataFrame) -> float:
    largest = rows["spread_decades"].max()
    return float(largest) if largest is not None else 1.0  # type: ignore[arg-type]


def findings(tables: Tables, settings: Settings) -> list[Finding]:
    """What alpha decides, what the best one leaves, what a size of one's own for each link gives."""
    rows = tables["rows"]
    return [_every(rows), _best(rows), _gyration(rows), _ranking(rows)]


def _every(rows: polars.DataFrame) -> Finding:
    spreads = _curve(rows, "world")["spread_decades"].drop_nulls().to_numpy()
    low, high = (float(spreads.min()), float(spreads.max())) if spreads.size else (math.nan, math.nan)
    return Finding(
        "The scatter of E_α is the cost of assuming that every link has size 1/α.",
        "§5.2, §4.1",
        f"For every α from 0.01 to 100 per metre E_α spreads over {low:.2f} to {high:.2f} decades at equal d, "
        f"E_B over {_value(rows, 'E_B', 'spread_decades'):.2f}.",
        None if not spreads.size else bool(low > 2 * _value(rows, "E_B", "spread_decades")),
        "Not the choice of α is at fault, but that there is one.",
        {"least": low, "most": high, "E_B": _value(rows, "E_B", "spread_decades")},
    )


def _best(rows: polars.DataFrame) -> Finding:
    alpha, left = best(rows, "world")
    unit = _at(rows, "spread_decades", 1.0)
    return Finding(
        "α = 1 is a fair choice of the single weight.",
        "§5.3 (default), Appendix C.2",
        f"α = 1 spreads over {unit:.2f} decades; the best single α, {alpha:.2g} per metre, over {left:.2f}.",
        None if math.isnan(left) else unit <= 1.25 * left,
        f"“Fair”: within a quarter of the best. The median radius of gyration of these links is "
        f"{_value(rows, 'E_B', 'median_gyration'):.2g} m.",
        {"spread_at_1": unit, "best_alpha": alpha, "spread_at_best": left},
    )


def _gyration(rows: polars.DataFrame) -> Finding:
    world, com = (_value(rows, "gyration", "spread_decades", origin) for origin in ORIGINS)
    kinetic = _value(rows, "E_B", "spread_decades")
    alpha, left = best(rows, "com")
    return Finding(
        "With 1/α the radius of gyration of each link, the split norm tracks the displacement as E_B does.",
        "ours",
        f"It spreads over {world:.2f} decades with twists about the world's origin and over {com:.2f} about the link's "
        f"centre of mass; E_B over {kinetic:.2f}. The best single α about the centre of mass ({alpha:.2g}) leaves "
        f"{left:.2f}.",
        None if math.isnan(world) else world <= 1.5 * kinetic,
        "Where a link is matters more than how large it is, and neither is enough: one length stands for three "
        "principal moments, and axles, rods and knobs turn about their thin direction.",
        {"world": world, "com": com, "E_B": kinetic},
    )


def _ranking(rows: polars.DataFrame) -> Finding:
    low, high = _at(rows, "kendall_1", 0.01), _at(rows, "kendall_1", 100.0)
    with_d = _curve(rows, "world")["kendall_d"].to_numpy()
    return Finding(
        "α is a change of scale: it does not change which of two predictions is better.",
        "ours, on C.2",
        f"Kendall τ with the ranking of α = 1: {low:.2f} at α = 0.01, {high:.2f} at α = 100. With the ranking of d: "
        f"{with_d.min():.2f} to {with_d.max():.2f} over all α, E_B {_value(rows, 'E_B', 'kendall_d'):.2f}."
        if len(with_d)
        else "no pairs",
        None if math.isnan(low) else min(low, high) >= 0.95,
        "Over all bounded pairs of the suite, slides and hinges together: α prices one against the other. The text of "
        "C.2 is not public; this is the claim that a free parameter has to meet.",
        {"kendall_0.01": low, "kendall_100": high},
    )


def summaries(tables: Tables, settings: Settings) -> list[SummarySection]:
    """A few alphas, both origins."""
    rows = tables["rows"]
    names = {"E_B": "E_B", "own": settings.norm_name, "gyration": "α = 1/radius of gyration"}
    chosen = [
        row for row in rows.to_dicts() if row["alpha"] is None or round(math.log10(row["alpha"]) * 2, 6).is_integer()
    ]
    lines = [
        [
            names.get(row["measure"], f"α = {row['alpha'] or 0:.3g}"),
            row["origin"],
            *(row[name] for name in ("spread_decades", "kendall_d", "kendall_1")),
        ]
        for row in chosen
    ]  # fmt: skip
    columns = ["measure", "origin", "spread (decades)", "τ with d", "τ with α = 1"]
    return [SummarySection("Spread and ranks", columns, lines)]
