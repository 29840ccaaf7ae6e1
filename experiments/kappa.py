"""The scale of the compactification (C.5, Fig. 10): where the transition from finite to continuous lies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.context import Context
from experiments.experiment import Drawn, Finding, Settings, Tables, table
from experiments.sweeps import PANEL, SIZE
from metric import Body, Joint, KineticNorm, SplitNorm, distance, joint_distance
from metric.distance import compactify
from simcheck.report.page import SummarySection

if TYPE_CHECKING:
    import polars

TITLE = "Kappa: where a range becomes continuous"
REPRODUCES = "Appendix C.5, Figure 10"

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)  # kappa / pi
HALF_RANGES = np.geomspace(math.pi / 16, 16 * math.pi, 81)
SCALES = np.geomspace(0.01, 100.0, 41)
_RESPONSIVE = 0.1  # of the slope at rest
_DRAWN = 400  # random pairs of joints whose ranking is compared

TYPES: dict[str, type] = {
    "measure": str, **dict.fromkeys(("factor", "half_range", "to_continuous", "to_fixed", "closed_form"), float),
}  # fmt: skip
SCALE_TYPES: dict[str, type] = dict.fromkeys(("scale", "E_B", "E_B_phi", "E_alpha_phi"), float)
RANK_TYPES: dict[str, type] = {"factor": float, "kendall": float, "pairs": int}


def measure(context: Context) -> Tables:
    """E^phi of a hinge with limits +-L to the continuous and the fixed joint; a scaled object; rankings."""
    settings = context.settings
    return {
        "rows": table([row for factor in FACTORS for row in _rows(factor, settings)], TYPES),
        "scale": table(_scaled(settings), SCALE_TYPES),
        "ranks": table(_ranks(settings), RANK_TYPES),
    }


def hinges(half_ranges: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A batch of hinges about the z axis with limits +-L: screws (n, 6) and limits (n, 2)."""
    screws = np.tile(np.array(Joint("revolute", axis=(0, 0, 1)).screw), (len(half_ranges), 1))
    return screws, np.stack([-half_ranges, half_ranges], axis=1)


def continuous_limit(half_range: Any, length: Any, kappa: float) -> Any:
    """E^phi between limits +-L and continuous: ``sqrt 2 (1 - tanh(L |xi| / kappa))``, |xi| the norm of the screw."""
    return math.sqrt(2) * (1 - np.tanh(half_range * length / kappa))


def _rows(factor: float, settings: Settings) -> list[dict[str, Any]]:
    kappa = factor * math.pi
    batch = hinges(HALF_RANGES)
    endless = Joint("continuous", axis=(0, 0, 1))
    rows = []
    for name, norm in settings.norms_of(PANEL, SIZE, "kappa").items():
        ends, weld = compactify(*batch, norm, kappa), np.zeros((2, 6))
        everlasting = compactify(np.asarray(endless.screw), np.asarray(endless.limits), norm, kappa)
        to_continuous, to_fixed = distance(ends, everlasting, norm), distance(ends, weld, norm)
        length = float(np.linalg.norm(norm.whiten(np.asarray(endless.screw))))
        closed = continuous_limit(HALF_RANGES, length, kappa)
        for k, half in enumerate(HALF_RANGES.tolist()):
            numbers = {"to_continuous": to_continuous[k], "to_fixed": to_fixed[k], "closed_form": closed[k]}
            rows.append({"measure": name, "factor": factor, "half_range": half, **numbers})
    return rows


def _scaled(settings: Settings) -> list[dict[str, Any]]:
    """A door that opens by 90 degrees predicted as 60 degrees, the whole object scaled."""
    rows = []
    truth, guess = (Joint("revolute", axis=(0, 0, 1), upper=upper) for upper in (math.pi / 2, math.pi / 3))
    for scale in SCALES.tolist():
        body = Body(PANEL.mass, scale * np.asarray(PANEL.com), scale**2 * np.asarray(PANEL.inertia))
        kinetic = KineticNorm(body)
        rows.append(
            {
                "scale": scale,
                "E_B": joint_distance(truth, guess, kinetic),
                "E_B_phi": joint_distance(truth, guess, kinetic, settings.kappa),
                "E_alpha_phi": joint_distance(truth, guess, SplitNorm(settings.alpha), settings.kappa),
            }
        )
    return rows


def random_pairs(seed: int, count: int) -> tuple[Any, Any]:
    """Screws and limits of true hinges and slides, and of predictions near them: ((n, 6), (n, 2)) twice."""
    random = np.random.default_rng([seed, 5])
    turning = random.random(count) < 0.6
    axis = random.normal(size=(2, count, 3))
    axis[1] = axis[0] + 0.4 * random.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    origin = random.uniform(-0.5, 0.5, (2, count, 3))
    origin[1] = origin[0] + 0.2 * random.normal(size=(count, 3))
    span = np.where(turning, np.exp(random.uniform(math.log(0.3), math.log(4 * math.pi), count)), 0.5)
    span = np.stack([span, span * np.exp(0.5 * random.normal(size=count))])
    screws = np.concatenate(
        [np.where(turning[:, None], axis, 0.0), np.where(turning[:, None], np.cross(origin, axis), axis)], axis=-1
    )
    limits = np.stack([-0.5 * span, 0.5 * span], axis=-1)
    return (screws[0], limits[0]), (screws[1], limits[1])


def _ranks(settings: Settings) -> list[dict[str, Any]]:
    from scipy.stats import kendalltau

    norm = SplitNorm(settings.alpha)
    truths, guesses = random_pairs(settings.seed, _DRAWN)
    values = {}
    for factor in FACTORS:
        first, second = (compactify(screws, limits, norm, factor * math.pi) for screws, limits in (truths, guesses))
        values[factor] = distance(first, second, norm)
    return [{"factor": f, "kendall": kendalltau(v, values[1.0]).statistic, "pairs": _DRAWN} for f, v in values.items()]


# --- what the tables say ---------------------------------------------------------------------------------------


def figures(tables: Tables, settings: Settings) -> dict[str, Drawn]:
    """Fig. 10, its slope, and the size of the object."""
    return {
        "kappa": Drawn(
            _figure(tables),
            "κ moves the transition",
            "Left: E^φ of a hinge with limits ±L to the continuous joint, for five κ (lines), and √2 (1 − "
            "tanh(L‖ξ‖/κ)) (circles). Middle: what an error of the limit still changes at L, relative to rest; at κ = "
            "π it is 42 % at half a turn, 7 % at a turn from rest. Right: the same error in the same object, larger: "
            "E_B^φ depends on the size, since κ is in metres there.",
        )
    }


def _colours() -> dict[float, str]:
    from matplotlib.colors import to_hex

    from simcheck.report.style import SEQUENTIAL

    return {f: to_hex(SEQUENTIAL(0.95 * k / (len(FACTORS) - 1))) for k, f in enumerate(FACTORS)}


def _name(factor: float) -> str:
    return {0.25: "π/4", 0.5: "π/2", 1.0: "π", 2.0: "2π", 4.0: "4π"}[factor]


def _figure(tables: Tables) -> Any:
    from experiments import plots

    rows, scaled = tables["rows"], tables["scale"]
    with plots.house_style():
        figure = plots.new_figure(height=2.9)
        left, middle, right = figure.subplots(1, 3)
        plots.name_panel(left, r"$E_\alpha^\phi$ to continuous")
        plots.name_panel(middle, "response to an error at L")
        plots.name_panel(right, "an object made larger")
        for factor, colour in _colours().items():
            chosen = _split(rows, factor)
            x, y = chosen["half_range"].to_numpy(), chosen["to_continuous"].to_numpy()
            width = 2.0 if factor == 1.0 else 1.1
            left.plot(x, y, color=colour, linewidth=width, label=f"κ = {_name(factor)}")
            left.plot(x[::8], chosen["closed_form"].to_numpy()[::8], "o", color=colour, markersize=3, mfc="none",
                      markeredgewidth=0.7, label="_closed")  # fmt: skip
            middle.plot(x, response(x, factor * math.pi), color=colour, linewidth=width, label=f"κ = {_name(factor)}")
        for ax in (left, middle):
            ax.set(xscale="log", xlabel="half range L (rad)")
            ax.set_xticks([math.pi / 16, math.pi / 4, math.pi, 4 * math.pi, 16 * math.pi],
                          ["π/16", "π/4", "π", "4π", "16π"])  # fmt: skip
            ax.minorticks_off()
            plots.guide(ax, x=math.pi)
        plots.guide(middle, y=_RESPONSIVE, text="10 %")
        left.set(ylabel=r"$E_\alpha^\phi$", ylim=(-0.03, 1.5))
        middle.set(ylabel="relative to rest", ylim=(-0.02, 1.05))
        left.legend(loc="upper right", fontsize=6, handlelength=1.2, borderpad=0)
        x = scaled["scale"].to_numpy()
        curves = {
            "E_B": ("$E_B$ (m)", plots.INK, (0, (3, 1.5))),
            "E_B_phi": (r"$E_B^\phi$", plots.E_B, "-"),
            "E_alpha_phi": (r"$E_\alpha^\phi$", plots.E_ALPHA, "-"),
        }
        for name, (label, colour, dashes) in curves.items():
            right.plot(x, scaled[name].to_numpy(), color=colour, label=label, linestyle=dashes)
        right.set(xscale="log", yscale="log", xlabel="scale of a 2 m door", ylabel="E", ylim=(1e-6, 1e2))
        right.legend(loc="upper left", fontsize=6.5)
        return figure


def response(half_range: Any, kappa: float) -> NDArray[np.float64]:
    """Slope of tanh(L/kappa) at L over that at 0."""
    return np.asarray(1 - np.tanh(np.asarray(half_range) / kappa) ** 2)


def _split(rows: polars.DataFrame, factor: float, measure: str = "E_alpha") -> polars.DataFrame:
    return rows.filter((rows["measure"] == measure) & (rows["factor"] == factor))


def findings(tables: Tables, settings: Settings) -> list[Finding]:
    """Limit, monotony, what stays the same, what is responsive, and size."""
    return [
        _limit(tables["rows"]),
        _monotone(tables["rows"]),
        _qualitative(tables["ranks"]),
        _responsive(),
        _size(tables["scale"]),
    ]


def _limit(rows: polars.DataFrame) -> Finding:
    gap = float((rows["to_continuous"] - rows["closed_form"]).abs().max())  # type: ignore[arg-type]
    return Finding(
        "Finite ranges approach the continuous joint: E^φ = √2 (1 − tanh(L‖ξ‖/κ)).",
        "§4.2, Appendix C.5",
        f"Largest difference over {rows.height} ranges, κ and norms: {gap:.1e}.",
        gap < 1e-12,
        "Exact for limits ±L of the same screw.",
        {"largest_difference": gap},
    )


def _monotone(rows: polars.DataFrame) -> Finding:
    wrong = 0
    for (_, _), group in rows.group_by(["measure", "factor"], maintain_order=True):
        wrong += bool((np.diff(group["to_continuous"].to_numpy()) > 1e-15).any())
        wrong += bool((np.diff(group["to_fixed"].to_numpy()) < -1e-15).any())
    return Finding(
        "κ sets where the transition between finite and continuous ranges happens, not whether it happens.",
        "§5.2, Figure 10",
        f"For κ = π/4 … 4π, E^φ to the continuous joint falls with the range and E^φ to the fixed joint rises: {wrong} "
        "exceptions.",
        wrong == 0,
        "The half of the way is at L‖ξ‖ = 0.55 κ for every κ.",
        {"exceptions": wrong},
    )


def _qualitative(ranks: polars.DataFrame) -> Finding:
    by_factor = {_name(row["factor"]): row["kendall"] for row in ranks.to_dicts()}
    told = ", ".join(f"κ = {name} {value:.2f}" for name, value in by_factor.items() if name != "π")
    least = min(by_factor.values())
    return Finding(
        "Sweeping κ around the default changes no qualitative property of E^φ, only how resolution is allocated.",
        "§5.2, Figure 10",
        f"Kendall τ with the ranking at κ = π over {ranks['pairs'][0]} random pairs: {told}.",
        least >= 0.95,
        "Axioms and limits are the same for every κ. The order of two predictions is not: a small κ forgets errors of "
        "long ranges, so a benchmark has to state it.",
        {f"kendall_{name}": value for name, value in by_factor.items()},
    )


def _responsive() -> Finding:
    half, whole = (float(response(x, math.pi)) for x in (math.pi, 2 * math.pi))
    end = math.pi * math.atanh(math.sqrt(1 - _RESPONSIVE))
    return Finding(
        "κ = π keeps ranges up to a full turn in the responsive part of the curve.",
        "§5.2, Appendix C.5",
        f"An error of a limit changes E^φ by {100 * half:.0f} % of what it changes near rest at ±180°, by "
        f"{100 * whole:.0f} % at 360° from rest; it falls below 10 % at {math.degrees(end):.0f}°.",
        half >= _RESPONSIVE and whole >= _RESPONSIVE,
        "True of a full turn centred at rest, [−180°, 180°]; a turn that starts at rest, [0°, 360°], ends in the flat "
        "part. This is for ‖ξ‖ = 1: under E_α an axis r away from the world's origin has ‖ξ‖² = 1 + α²r² and saturates "
        "earlier.",
        {"response_180": half, "response_360": whole, "ten_percent_at_degrees": math.degrees(end)},
    )


def _size(scaled: polars.DataFrame) -> Finding:
    values, x = scaled["E_B_phi"].to_numpy(), scaled["scale"].to_numpy()
    k = int(np.argmax(values))
    tiny = float(values[0] / x[0] / (values[len(x) // 2] / x[len(x) // 2]))
    return Finding(
        "One κ serves objects of all sizes.",
        "ours, on §4.2",
        f"The same 30° error of a door scores E_B^φ = {values[0]:.1e} at 1/100 of its size, {values[len(x) // 2]:.2g} "
        f"at its size, {values[k]:.2g} at {x[k]:.2g} times, {values[-1]:.1e} at 100 times.",
        bool(values[-1] > values[len(x) // 2]),
        "It holds for E_α^φ, whose norm is in radians. Under the kinetic norm κ is a length (π m): objects much "
        "smaller are scored by E_B/κ, in much larger ones every range counts as continuous.",
        {"small": float(values[0]), "unit": float(values[len(x) // 2]), "large": float(values[-1]), "linear": tiny},
    )


def summaries(tables: Tables, settings: Settings) -> list[SummarySection]:
    """E^phi to the continuous joint at a few ranges."""
    rows = tables["rows"]
    chosen = [0, 16, 32, 40, 48, 64, 80]
    lines: list[list[Any]] = []
    for measure in dict.fromkeys(rows["measure"]):
        for factor in FACTORS:
            values = _split(rows, factor, measure)["to_continuous"].to_numpy()
            name = {"E_norm": settings.norm_name}.get(str(measure), str(measure))
            lines.append([name, _name(factor), *(float(values[k]) for k in chosen)])
    columns = ["norm", "κ", *(f"±{math.degrees(HALF_RANGES[k]):.3g}°" for k in chosen)]
    return [SummarySection("E^φ to the continuous joint", columns, lines)]
