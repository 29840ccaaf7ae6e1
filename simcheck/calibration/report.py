"""The figures and the page of a calibration: what the rows say, in pictures and in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from metric import Joint, KineticNorm, joint_distance
from simcheck.asset import load
from simcheck.asset.frames import placed
from simcheck.calibration.pairs import CalibrationOptions, draw_joint_pairs
from simcheck.calibration.summary import describe_angle
from simcheck.report.columns import Column, Glyph
from simcheck.report.page import (
    FigureSection,
    Page,
    Picture,
    PictureSection,
    Section,
    Statement,
    SummarySection,
    TableSection,
    TextSection,
    write_report,
)
from simcheck.report.provenance import provenance
from simcheck.results import read_options, unchanged

if TYPE_CHECKING:
    import polars

WORST = 12  # pictures of the joints where E_B and d differ most
_COLUMNS = {
    "object": "", "joint": "", "kind": "", "error": "", "magnitude": "", "range": "", "lower": "rad, m",
    "upper": "rad, m", "largest_angle": "rad", "axis_error": "rad", "d": "m", "d_sweep": "m", "E_B": "m",
    "E_alpha": "", "bound_lower": "m", "bound_upper": "m", "ratio": "E_B/d",
}  # fmt: skip
_NOTES = {
    "magnitude": "Size of the error: rad for a tilt, else a share of the object's size or of the range.",
    "largest_angle": "The larger of the two limits' angles from rest; the linearisation is at rest.",
    "d": "Displacement of the moved material in the simulator, truth against prediction, both ends.",
    "d_sweep": "The same along the whole path.",
    "E_B": "Kinetic norm, with the inertia as written.",
    "bound_lower": "Proved: E_B − bound_lower ≤ d.",
    "bound_upper": "Proved: d ≤ E_B + bound_upper.",
}


def write_page(folder: Path, summary: Mapping[str, Any]) -> None:
    """Write the figures and the page again from the rows that are in the folder."""
    import polars

    write_figures_and_report(folder, summary, polars.read_parquet(folder / "rows.parquet"))


def notebook_sections(summary: Mapping[str, Any], rows: polars.DataFrame) -> list[Section]:
    """The headline, the calibration figure and the tables."""
    import polars

    from simcheck.report.figures import calibration_figure
    from simcheck.report.style import svg_for_page

    heading, caption = _captions(summary)["calibration"]
    svg = svg_for_page(calibration_figure(rows.filter(polars.col("ratio").is_not_null())), "calibration")
    return [
        TextSection("", _statements(summary), [_lead(summary)]), FigureSection(heading, svg, caption), *_tables(summary)
    ]  # fmt: skip


def write_figures_and_report(folder: Path, summary: Mapping[str, Any], rows: polars.DataFrame) -> None:
    """Write ``figures/calibration``, ``figures/residual`` (SVG, PNG) and ``report.html`` into the folder."""
    import polars

    from simcheck.report.figures import calibration_figure, residual_figure
    from simcheck.report.style import save_figure, svg_for_page

    measured = rows.filter(polars.col("ratio").is_not_null())
    sections: list[Section] = [TextSection("", _statements(summary))]
    captions = _captions(summary)
    for name, draw in (("calibration", calibration_figure), ("residual", residual_figure)):
        figure = draw(measured)
        save_figure(figure, folder / "figures", name)
        heading, caption = captions[name]
        sections.append(FigureSection(heading, svg_for_page(figure, name), caption))
    sections += _worst_pairs(summary["settings"], measured)
    sections += [*_tables(summary), *_remarks(summary), _all_rows(rows), *_warnings(summary)]
    page = Page("Calibration", _lead(summary), sections, provenance(summary))
    write_report(folder / "report.html", page)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _power(value: float | None) -> str:
    return "–" if value is None else f"{value:.1e}"


def _bin(summary: Mapping[str, Any], degrees: float) -> Mapping[str, Any]:
    """The bin of the largest angle that starts at so many degrees."""
    return next(b for b in summary["by_largest_angle"] if abs(np.degrees(b["lo"]) - degrees) < 1e-9)


def _lead(summary: Mapping[str, Any]) -> str:
    overall = summary["ratio_E_B"]
    small, large = _bin(summary, 0), _bin(summary, 120)
    sentences = [
        f"Over {overall['n']:,} pairs of turning joints, E_B lies within 5 % of the displacement d that the simulator "
        f"makes in {_percent(overall['within_5_percent'])}"
    ]
    if small["n"] and large["n"]:
        sentences[0] += (
            f": {_percent(small['within_5_percent'])} where no limit is more than 15° from rest, "
            f"{_percent(large['within_5_percent'])} between 120° and 180°"
        )
    if summary["spread_E_alpha_decades"] is not None:
        own = summary.get("spread_E_norm_decades")
        sentences.append(
            f"At equal d, E_α scatters over {summary['spread_E_alpha_decades']:.2f} decades, "
            f"E_B over {summary['spread_E_B_decades']:.2f}"
            + ("" if own is None else f", {summary['settings']['norm']} over {own:.2f}")
        )
    return ". ".join(sentences) + "."


def _statements(summary: Mapping[str, Any]) -> list[Statement]:
    return [
        Statement(f"{summary['pairs']:,}", f"pairs of {summary['joints']} joints of {summary['objects']} objects"),
        Statement(_percent(summary["ratio_E_B"]["within_5_percent"]), "of turning pairs: E_B within 5 % of d"),
        Statement(f"{summary['bound_violations']}", "violations of the proved bound"),
        Statement(_power(summary["max_placement_error"]), "of the size: simulator from the closed form, at most"),
        Statement(_power(summary["max_d_error"]), "d simulated from d in closed form, at most"),
    ]


def _tables(summary: Mapping[str, Any]) -> list[Section]:
    columns = ["", "pairs", "5 %", "median", "95 %", "within 5 %"]

    def rows(groups: list[tuple[str, Mapping[str, Any]]]) -> list[list[Any]]:
        return [
            [name, g["n"], g["p05"], g["p50"], g["p95"], _percent(g["within_5_percent"])]
            for name, g in groups
            if g["n"]
        ]

    angles = [(describe_angle(b["lo"], b["hi"]), b) for b in summary["by_largest_angle"]]
    return [
        SummarySection(
            "E_B / d by the largest angle from rest",
            columns,
            rows([("all turning joints", summary["ratio_E_B"]), *angles]),
            "The linearisation is at rest, so the largest angle from rest is the variable that matters.",
        ),
        SummarySection(
            "E_B / d by kind of error",
            columns,
            rows([(b["error"], b) for b in summary["by_error"]]),
            "Turning joints. A pitch error alone is exact; an origin error is 1/sinc of half the angle.",
        ),
        SummarySection(
            "E_B / d by kind of joint and by range",
            columns,
            rows(
                [(b["kind"], b) for b in summary["by_kind"]]
                + [(f"{b['range']} (turning)", b) for b in summary["by_range"]]
            ),
            "Sliding joints are exact unless their kind is wrong. Unbounded joints were driven half a turn each way.",
        ),
    ]


def _captions(summary: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Heading and caption of each figure, from the numbers of this run."""
    overall, spread = summary["ratio_E_B"], summary["spread_E_alpha_decades"]
    first = (
        f"E_B (left) lies within 5 % of the identity in {_percent(overall['within_5_percent'])} of the turning pairs; "
        "it departs upwards as the largest angle from rest grows (bottom), whatever the size of the axis error (top). "
    )
    if spread is not None:
        first += (
            f"E_α (right) spreads over {spread:.2f} decades at equal d, E_B over {summary['spread_E_B_decades']:.2f}. "
        )
    first += "E_B is that of the physical body; dotted: a factor of ten; pairs of unbounded joints are left out."
    tilt = next(b for b in summary["by_error"] if b["error"] == "tilt")
    second = (
        "Departure of E_B from d by kind of error. A shifted origin follows the exact curve; a wrong pitch is exact; a "
        f"tilted axis scatters to both sides at every size of the error ({_percent(tilt['within_5_percent'])} within "
        "5 %); wrong limits depart with the size of the error. The pale range of each pair is what the bound allows."
    )
    return {
        "calibration": ("E against the simulated displacement", first),
        "residual": ("Where the linearisation departs", second),
    }


def _remarks(summary: Mapping[str, Any]) -> list[Section]:
    told = []
    if summary["driven_interval_pairs"]:
        told.append(
            f"{summary['driven_interval_pairs']:,} pairs of unbounded joints, driven over an interval of our choice, "
            "are in the rows and under the kind “continuous” only."
        )
    if summary["inertia_clipped_pairs"]:
        told.append(
            f"{summary['inertia_clipped_pairs']:,} pairs move a body whose inertia no body can have: d and the ratio "
            "are those of the nearest possible body."
        )
    told += [f"{count:,} pairs have no ratio: {reason}." for reason, count in summary["no_ratio"].items() if count]
    told += [f"Failed: {f['reason']}" for f in summary["failures"]]
    told += [f"Skipped: {s['reason']}" for s in summary["skipped"]]
    return [TextSection("Remarks", (), told)] if told else []


def _warnings(summary: Mapping[str, Any]) -> list[Section]:
    warnings = [f"{w['file']}: {w['element']}: {w['message']}" for w in summary["warnings"]]
    return [SummarySection(f"{len(warnings)} warnings", ["warning"], [[w] for w in warnings])] if warnings else []


def _all_rows(rows: polars.DataFrame) -> TableSection:
    columns: list[Column | Glyph] = [Glyph("motion", "kind", ("lower", "upper"))]
    for name, unit in _COLUMNS.items():
        values = rows[name]
        if name == "object":
            values = values.str.split("/").list.last()
        columns.append(Column(name, values, unit, _NOTES.get(name, "")))
    text = (
        "One row a pair: a true joint and one with a known error. Unit of the limits: rad for turning joints, else m."
    )
    return TableSection("All pairs", columns, "-ratio", text)


def _worst_pairs(settings: Mapping[str, Any], measured: polars.DataFrame) -> list[Section]:
    """Pictures of the worst pair of each of the worst joints."""
    import polars

    departure = (polars.col("ratio").log().abs()).alias("departure")
    numbered = measured.with_columns(departure).filter(~polars.col("driven_interval"))
    worst = (
        numbered.sort("departure", descending=True)
        .unique(["object", "joint"], keep="first", maintain_order=True)
        .head(WORST)
    )
    drawn = [row for row in worst.iter_rows(named=True) if unchanged(row["object"], settings["inputs"])]
    pictures = list(_pictures(settings, drawn))
    text = (
        "The pair with the largest departure of each joint, truth in blue, prediction in orange, at the end farther "
        "from rest."
    )
    if len(drawn) < worst.height:
        text += f" Not drawn: {worst.height - len(drawn)}, whose files are gone or have changed since."
    return [PictureSection("Where E_B is farthest from d", pictures, text)] if pictures else []


def _pictures(settings: Mapping[str, Any], worst: list[dict[str, Any]]) -> Iterator[Picture]:
    """One picture a row; the pairs are drawn again from the seed."""
    from simcheck.pictures import pair_picture
    from simcheck.report.images import png_bytes

    options = read_options(settings)
    chosen = CalibrationOptions(settings["alpha"], settings["origin"], settings["steps"], settings["seed"])
    for row in worst:
        obj = placed(load(row["object"], options), chosen.origin)
        joint = obj.joint(row["joint"])
        pair = draw_joint_pairs(obj, joint, Path(row["object"]).read_bytes(), chosen.seed)[row["pair"]]
        prediction = _as_paired(pair.truth, pair.prediction, KineticNorm(pair.body))
        picture = pair_picture(obj, joint.name, pair.truth, prediction, (240, 180))
        if picture is None:
            continue
        yield Picture(
            png_bytes(picture, 32),
            f"{obj.name} / {row['joint']}",
            f"{row['error']} {row['magnitude']:.2g}, {np.degrees(row['largest_angle'] or 0):.0f}° from rest: "
            f"d {row['d']:.3g} m, E_B {row['E_B']:.3g} m",
        )


def _as_paired(truth: Joint, prediction: Joint, norm: KineticNorm) -> Joint:
    """The prediction with its ends in the order in which E pairs them with the truth's."""
    direct = [norm(z) for z in truth.endpoints - prediction.endpoints]
    return (
        prediction
        if np.hypot(*direct) <= joint_distance(truth, prediction, norm) * (1 + 1e-9)
        else prediction.reversed()
    )
