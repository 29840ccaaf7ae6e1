"""What component scores see of a joint's motion (C.1, Fig. 6): sweeps of one parameter, every published protocol."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.context import Context
from experiments.experiment import Drawn, Finding, Settings, Tables, table
from experiments.sweeps import SIZE, SWEEPS, Sweep
from metric import Joint, component_errors, joint_distance
from metric.joint import stacked
from metric.protocols import MODES, NOT_JOINT_PARAMETERS, PROTOCOLS
from metric.quantities import Quantity
from simcheck.report.page import SummarySection

if TYPE_CHECKING:
    import polars

TITLE = "Components: what each published score sees"
REPRODUCES = "Figure 6, Appendix C.1, Table 5"

OURS = "metric"
TYPES: dict[str, type] = {
    **dict.fromkeys(("sweep", "protocol", "mode", "score", "unit"), str),
    "lower_is_better": bool,
    "x": float,
    "value": float,
    "reason": str,
}
_UNITS = {"E_alpha": "1", "E_B": "m", "E_norm": ""}
_TEMPLATE = ("type", "axis", "origin", "limit_range", "limit_direction")
_LEFT_OUT = ("ill_conditioned", "permutation_cost", "orientation", "origin_line", "success_literal")
_SAME = 1e-6  # of the largest value: a score that varies less does not vary

VERDICTS = {
    "follows": "grows with the error",
    "silent": "0, and the motion is the same",
    "step": "a threshold: two values",
    "erratic": "jumps, or goes the wrong way",
    "blind": "does not change",
    "false alarm": "not 0, the motion is the same",
    "undefined": "no value somewhere",
}
"""What a score does along a sweep."""
RIGHT = ("follows", "silent")


def measure(context: Context) -> Tables:
    """Every score along every sweep. No object is needed: the joints are a door, a drawer and a screw cap."""
    return {"rows": table([row for sweep in SWEEPS for row in _rows(sweep, context.settings)], TYPES)}


def _rows(sweep: Sweep, settings: Settings) -> Iterator[dict[str, Any]]:
    truths, predictions = zip(*(sweep.pair(float(x)) for x in sweep.values), strict=True)
    for name, (values, unit) in _distances(sweep, list(truths), list(predictions), settings).items():
        for x, value in zip(sweep.values, values, strict=True):
            yield _row(sweep, x, OURS, "", Quantity(name, name, unit, "distance"), value, "")
    for protocol, mode in itertools.product(PROTOCOLS, MODES):
        given = {"diagonal": SIZE} if protocol == "opd" else {}
        errors = component_errors(ground_truth=truths, prediction=predictions, protocol=protocol, mode=mode, **given)
        for name, quantity in errors.quantities(mode).items():
            if name in _LEFT_OUT and not (protocol == "template" and name == "origin_line"):
                continue
            values, reasons = getattr(errors, name), errors.reason(name)
            for x, value, reason in zip(sweep.values, values, reasons, strict=True):
                yield _row(sweep, x, protocol, mode, quantity, value, reason)


def _row(
    sweep: Sweep, x: float, protocol: str, mode: str, score: Quantity, value: float, reason: str
) -> dict[str, Any]:
    return {
        "sweep": sweep.name, "protocol": protocol, "mode": mode, "score": score.name, "unit": score.unit,
        "lower_is_better": score.lower_is_better, "x": float(x),
        "value": float(value) if math.isfinite(value) else math.nan, "reason": reason,
    }  # fmt: skip


def _distances(
    sweep: Sweep, truths: list[Joint], predictions: list[Joint], settings: Settings
) -> dict[str, tuple[NDArray[np.float64], str]]:
    """E, or E^phi where a joint is unbounded, by name, with its unit."""
    bounded = all(j.bounded for j in (*truths, *predictions))
    found = {}
    for name, norm in settings.norms_of(sweep.body, SIZE, f"sweep {sweep.name}").items():
        kappa = None if bounded else settings.kappa
        values = joint_distance(stacked(truths), stacked(predictions), norm, kappa)
        found[name if bounded else f"{name}_phi"] = (np.asarray(values), _UNITS[name] if bounded else "1")
    return found


# --- what the scores do ----------------------------------------------------------------------------------------


def verdict(values: NDArray[np.float64], sweep: Sweep, lower_is_better: bool = True) -> str:
    """A key of `VERDICTS` for the values (n,) of one score, in the order of the sweep; NaN is undefined."""
    if np.isnan(values).any():
        return "undefined"
    if sweep.same_motion:
        right = np.abs(values).max() <= _SAME if lower_is_better else values.min() >= 1
        return "silent" if right else "false alarm"
    steps = np.diff(values) * (1 if lower_is_better else -1) * (-1 if sweep.falling else 1)
    tolerance = _SAME * max(float(np.abs(values).max()), _SAME)
    if np.all(np.abs(steps) <= tolerance):
        return "blind"
    if np.all(steps >= -tolerance):
        return "step" if len(np.unique(values)) == 2 else "follows"
    return "erratic"


def verdicts(rows: polars.DataFrame, mode: str = "as_published") -> dict[tuple[str, str], dict[str, str]]:
    """{(protocol, score): {sweep: verdict}} of every score in one mode, ours first."""
    import polars

    found: dict[tuple[str, str], dict[str, str]] = {}
    sweeps = {s.name: s for s in SWEEPS}
    chosen = rows.filter(polars.col("mode").is_in(["", mode]))
    for (protocol, score, sweep), group in chosen.group_by(["protocol", "score", "sweep"], maintain_order=True):
        values = group["value"].fill_null(math.nan).to_numpy()
        name = str(score).removesuffix("_phi") if protocol == OURS else str(score)
        found.setdefault((str(protocol), name), {})[str(sweep)] = verdict(
            values, sweeps[str(sweep)], bool(group["lower_is_better"][0])
        )
    return found


def figures(tables: Tables, settings: Settings) -> dict[str, Drawn]:
    """Fig. 6 and the table of who sees what."""
    rows = tables["rows"]
    found = verdicts(rows)
    others = [v for (protocol, _), by in found.items() if protocol != OURS for v in by.values()]
    right = sum(v in RIGHT for v in others)
    all_right = all(v in RIGHT for (protocol, _), by in found.items() if protocol == OURS for v in by.values())
    return {
        "sweeps": Drawn(
            _sweeps_figure(rows, settings),
            "One parameter wrong at a time",
            "Each curve as a share of its own largest value. E (thick) is 0 where the motion is the same (first three) "
            "and grows with the error everywhere else; each component score is blind, undefined or erratic somewhere.",
        ),
        "protocols": Drawn(
            _protocols_figure(found, settings),
            "Which score sees what",
            f"Published scores, as their code computes them: {right} of {len(others)} cells are right (blue)."
            + (" Only E is right in every column." if all_right else ""),
        ),
    }


def _sweeps_figure(rows: polars.DataFrame, settings: Settings) -> Any:
    from experiments import plots

    with plots.house_style():
        figure = plots.new_figure(height=6.0)
        panels = figure.subplots(3, 4, sharey=True, gridspec_kw={"hspace": 0.09})
        for ax, sweep in zip(panels.flat, SWEEPS, strict=True):
            plots.name_panel(ax, sweep.title)
            ax.set_title(sweep.title, fontsize=7.5, pad=17, in_layout=False)
            _sweep_panel(ax, rows.filter(rows["sweep"] == sweep.name), sweep, settings)
        for ax in panels[:, 0]:
            ax.set_ylabel("share of the largest")
        figure.legend(handles=_sweep_key(settings), loc="outside upper center", ncols=8, columnspacing=1.2)
        return figure


def _curves(settings: Settings) -> dict[tuple[str, str], tuple[str, dict[str, Any]]]:
    """Label and line of each drawn score."""
    from experiments import plots

    own = {(OURS, "E_norm"): (settings.norm_name, {"color": plots.OWN, "linewidth": 1.8, "linestyle": (0, (1, 1))})}
    return {
        (OURS, "E_alpha"): (r"$E_\alpha$", {"color": plots.E_ALPHA, "linewidth": 2.4}),
        (OURS, "E_B"): ("$E_B$", {"color": plots.E_B, "linewidth": 1.8, "linestyle": (0, (4, 2))}),
        **(own if settings.norm is not None else {}),
        ("template", "type"): ("type", {"color": plots.MUTED}),
        ("template", "axis"): ("axis", {"color": plots.GREEN, "linestyle": (0, (5, 1, 1, 1))}),
        ("template", "origin"): ("origin", {"color": plots.PINK}),
        ("template", "limit_range"): ("range", {"color": plots.GOLD, "linestyle": (0, (3, 1))}),
        ("template", "limit_direction"): ("direction", {"color": plots.SKY}),
    }


def _sweep_key(settings: Settings) -> list[Any]:
    from matplotlib.lines import Line2D

    return [Line2D([], [], label=label, **style) for label, style in _curves(settings).values()]


def _sweep_panel(ax: Any, rows: polars.DataFrame, sweep: Sweep, settings: Settings) -> None:
    import polars

    from experiments import plots

    silent, undefined = [], []
    for (protocol, score), (label, style) in _curves(settings).items():
        names = [score, f"{score}_phi"] if protocol == OURS else [score]
        mode = "" if protocol == OURS else "as_published"
        chosen = rows.filter(
            (polars.col("protocol") == protocol) & polars.col("score").is_in(names) & (polars.col("mode") == mode)
        )
        if not chosen.height:
            continue
        values = chosen["value"].fill_null(math.nan).to_numpy()
        largest = np.nanmax(values) if np.isfinite(values).any() else math.nan
        if math.isnan(largest):
            undefined.append(label)
        elif largest <= _SAME and protocol != OURS:
            silent.append(label)
        else:
            scale = largest if largest > _SAME else 1.0
            ax.plot(chosen["x"].to_numpy(), values / scale, zorder=2.5 if protocol == OURS else 3, label=label, **style)
    ax.set(ylim=(-0.05, 1.08), xlabel=sweep.axis)
    ax.xaxis.label.set_fontsize(7)
    if sweep.logarithmic:
        ax.set_xscale("log")
    for y, words, labels in ((1.13, "0", silent), (1.04, "no value", undefined)):
        if labels:
            ax.text(0, y, f"{words}: {', '.join(labels)}", color=plots.MUTED, fontsize=5.8, transform=ax.transAxes,
                    in_layout=False, label="_statement")  # fmt: skip
    ax.tick_params(labelsize=6.5)
    ax.set_yticks([0, 0.5, 1])
    if not sweep.logarithmic:
        ax.locator_params(axis="x", nbins=4)


def _colours() -> dict[str, tuple[str, str]]:
    """Colour and sign of each verdict: no two differ by colour alone."""
    from experiments import plots

    return {
        "follows": (plots.BLUE, ""),
        "silent": ("#8db2ea", ""),
        "step": ("#f3e2ad", "s"),
        "erratic": (plots.PINK, "×"),
        "blind": ("#f3b79b", "–"),
        "false alarm": (plots.ORANGE, "!"),
        "undefined": (plots.CONSTANT[0], "?"),
    }


def _protocols_figure(found: dict[tuple[str, str], dict[str, str]], settings: Settings) -> Any:
    from matplotlib.patches import Patch

    from experiments import plots

    colours, lines = _colours(), list(found.items())
    with plots.house_style():
        figure = plots.new_figure(height=0.62 + 0.165 * len(lines) + 1.25)
        ax = figure.subplots()
        ax.set_label("protocols")
        place = 0.0
        ticks, before = [], None
        for (protocol, score), by_sweep in lines:
            place += 0.45 if before not in (None, protocol) else 0.0
            for column, sweep in enumerate(SWEEPS):
                colour, sign = colours[by_sweep[sweep.name]]
                ax.barh(place, 0.94, left=column - 0.47, height=0.9, color=colour, linewidth=0)
                ax.text(column, place, sign, ha="center", va="center", fontsize=6.5, color="#202428")
            ticks.append((place, f"{_protocol_name(protocol)}: {_score_name(score, settings)}"))
            place, before = place + 1, protocol
        ax.set_yticks([p for p, _ in ticks], [name for _, name in ticks], fontsize=6.3)
        ax.set_xticks(range(len(SWEEPS)), [s.title for s in SWEEPS], rotation=38, ha="left", fontsize=6.5)
        ax.xaxis.tick_top()
        ax.set(xlim=(-0.5, len(SWEEPS) - 0.5), ylim=(place - 0.4, -0.6))
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        key = [Patch(color=c, label=f"{sign} {name}: {VERDICTS[name]}".strip()) for name, (c, sign) in colours.items()]
        figure.legend(handles=key, loc="outside lower center", ncols=3, fontsize=6.5, handlelength=1.0)
        return figure


def _protocol_name(protocol: str) -> str:
    return {
        OURS: "ours", "template": "template (§3.2)", "digital_twin_art": "DigitalTwinArt", "artgs": "ArtGS",
        "articulate_anything": "Articulate-Anything", "real2code": "Real2Code", "paris": "PARIS", "ditto": "Ditto",
        "opd": "OPD/S2O",
    }[protocol]  # fmt: skip


def _score_name(score: str, settings: Settings) -> str:
    return {"E_alpha": r"$E_\alpha$", "E_B": "$E_B$", "E_norm": settings.norm_name}.get(score, score.replace("_", " "))


def findings(tables: Tables, settings: Settings) -> list[Finding]:
    """What the paper says of component scores, and what Table 5 says of the protocols."""
    rows = tables["rows"]
    found = verdicts(rows)
    return [
        _ours(found),
        _components(found),
        _ill_conditioned(rows),
        _nobody(found),
        _table_5(),
    ]


def _ours(found: dict[tuple[str, str], dict[str, str]]) -> Finding:
    measures = {name: by for (protocol, name), by in found.items() if protocol == OURS}
    wrong = [f"{name} in “{sweep}”: {v}" for name, by in measures.items() for sweep, v in by.items() if v not in RIGHT]
    return Finding(
        "E is 0 where the motion is the same and grows with every single-parameter error.",
        "Figure 6, Appendix C.1",
        f"{', '.join(measures)}: right in {sum(v in RIGHT for by in measures.values() for v in by.values())} of "
        f"{sum(map(len, measures.values()))} sweeps{'; ' if wrong else ''}{'; '.join(wrong)}.",
        not wrong,
        "“Grows” means: from each value of the parameter to the next. Towards a continuous joint E^φ falls with the "
        "range.",
        {"wrong": len(wrong)},
    )


def _components(found: dict[tuple[str, str], dict[str, str]]) -> Finding:
    failing = {s: [k for k, v in found["template", s].items() if v not in RIGHT] for s in _TEMPLATE}
    told = "; ".join(f"{s.replace('_', ' ')} {len(SWEEPS) - len(sweeps)}" for s, sweeps in failing.items())
    return Finding(
        "Every component score of the template misreads some motion.",
        "§3.2, §5.1, Figure 6",
        f"Sweeps (of {len(SWEEPS)}) in which each score does what the motion does: {told}.",
        all(failing.values()),
        "By design: each one reads its own parameter. The point is that no choice of one or two of them will do.",
        {f"right_{s}": len(SWEEPS) - len(sweeps) for s, sweeps in failing.items()},
    )


def _ill_conditioned(rows: polars.DataFrame) -> Finding:
    tilt = rows.filter((rows["sweep"] == "tilt") & (rows["protocol"] == "template") & (rows["mode"] == "as_published"))
    origin = tilt.filter((tilt["score"] == "origin") & (tilt["x"] < 1e-2))["value"].drop_nulls().to_numpy()
    low, high = (float(f(origin)) for f in (np.min, np.max))
    return Finding(
        "The origin error is ill-conditioned exactly where predictions become accurate.",
        "§5.1, Table 3 row 3",
        f"Axes 5 cm apart and less than 0.01 rad from parallel: the printed origin error takes values from {low:.2g} "
        f"to {high:.2g} m, as the axis leans this way or that.",
        high - low > 0.04,
        "The distance between two lines depends on the direction of a tilt however small it is. E moves by the size of "
        "the tilt.",
        {"least": low, "largest": high},
    )


def _nobody(found: dict[tuple[str, str], dict[str, str]]) -> Finding:
    sweeps = {s.name: s for s in SWEEPS if not s.same_motion}
    protocols = {protocol for protocol, _ in found if protocol != OURS}
    blind = {
        name: sum(
            not any(by[name] in ("follows", "step", "erratic") for (p, _), by in found.items() if p == protocol)
            for protocol in protocols
        )
        for name in sweeps
    }
    told = "; ".join(f"{sweeps[name].title}: {count}" for name, count in blind.items() if count)
    return Finding(
        "Protocols score subsets of the motion, so numbers of different papers cannot be compared.",
        "§1, Table 5",
        f"Protocols (of {len(protocols)}) in which no score changes at all along a sweep: {told}.",
        any(blind.values()),
        "As published. None of them has a score for the pitch or for an interval that keeps its width.",
        {f"blind_{name}": count for name, count in blind.items()},
    )


TABLE_5 = {
    "ditto": ("type", "axis", "origin"),
    "paris": ("axis", "origin"),
    "real2code": ("type", "axis", "origin"),
    "articulate_anything": ("type", "axis", "origin", "limit", "success"),
}
"""Table 5 of the paper, for the methods whose code is public."""


def scored(protocol: str) -> set[str]:
    """Components that a protocol's code scores, in the words of Table 5."""
    names = set(PROTOCOLS[protocol].quantities())
    found = names & {"type", "axis", "origin", "success"}
    if names & {"limit_range", "limit_direction", "rotation", "translation"}:
        found.add("limit")
    return found


def _table_5() -> Finding:
    beyond = {p: sorted(scored(p) - set(listed)) for p, listed in TABLE_5.items()}
    missing = {p: sorted(set(listed) - scored(p)) for p, listed in TABLE_5.items()}
    told = "; ".join(f"{_protocol_name(p)} also scores {', '.join(extra)}" for p, extra in beyond.items() if extra)
    return Finding(
        "Table 5 lists the components that each method's evaluation scores.",
        "Table 5",
        f"Against the released code of {len(TABLE_5)} methods: "
        + (told or "nothing beyond it")
        + ("." if not any(missing.values()) else f"; not found: {missing}."),
        not any(beyond.values()) and not any(missing.values()),
        "Ditto and PARIS score the motion between the two observed states (rotation or translation), which is the "
        "travel of the joint where its limits are those states. No joint score in public code: "
        + "; ".join(f"{name} ({reason})" for name, reason in NOT_JOINT_PARAMETERS.items())
        + ".",
        {f"beyond_{p}": ", ".join(extra) for p, extra in beyond.items()},
    )


def summaries(tables: Tables, settings: Settings) -> list[SummarySection]:
    """Which score does what in which sweep, as published and corrected."""
    published, corrected = (verdicts(tables["rows"], mode) for mode in ("as_published", "corrected"))
    lines: list[list[Any]] = []
    for (protocol, score), by_sweep in published.items():
        cells = []
        for sweep in SWEEPS:
            now = corrected[protocol, score][sweep.name]
            cells.append(by_sweep[sweep.name] + (f" ({now})" if now != by_sweep[sweep.name] else ""))
        lines.append([_protocol_name(protocol), score.replace("_", " "), *cells])
    columns = ["protocol", "score", *(s.title for s in SWEEPS)]
    return [SummarySection("Verdicts, as published (and corrected, where that differs)", columns, lines)]
