"""A calibration report made of synthetic rows: what `simcheck calibrate` will write, at any number of rows."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from calibration_data import calibration_table
from shapes import cabinet

from simcheck.report.columns import Glyph, columns_of
from simcheck.report.figures import calibration_figure, residual_figure
from simcheck.report.images import png_bytes
from simcheck.report.motion import motion_film
from simcheck.report.page import (
    FigureSection,
    Page,
    Picture,
    PictureSection,
    Provenance,
    Section,
    Statement,
    SummarySection,
    TableSection,
    TextSection,
)
from simcheck.report.style import svg_for_page

PROVENANCE = Provenance(
    version="0.1.0",
    command="simcheck calibrate --seed 0",
    seed=0,
    platform="Linux x86_64, Python 3.11.9, NumPy 2.4.6",
    settings={"alpha": 1.0, "norm": "kinetic", "steps": 9},
    inputs={f"urdfs/door_{i}/door.urdf": f"{i:064x}" for i in range(22)},
)


def table_data(rows: int) -> dict[str, Any]:
    """Columns of so many rows: names, numbers, and some that are undefined."""
    rng = np.random.default_rng(7)
    data: dict[str, Any] = {name: v[:rows] for name, v in calibration_table(max(10, rows // 45)).items()}
    assert len(data["d"]) == rows
    number = rng.integers(0, 120, rows)
    data = {
        "object": np.array([f"object_{i // 4}" for i in number]),
        "joint": np.array([f"joint_{i}" for i in number]),
        **data,
    }
    undefined = rng.random(rows) < 0.05
    data["d"] = np.where(undefined, np.nan, data["d"])
    data["reason"] = [None if ok else "body does not move" for ok in ~undefined]
    data["lower"] = -rng.random(rows)
    data["upper"] = rng.random(rows) * 3
    data["predicted_lower"] = data["lower"] * 1.2
    data["predicted_upper"] = data["upper"] * 0.8
    data["nodes"] = rng.integers(3, 18, rows)
    return data


def table_section(data: dict[str, Any], sort: str = "-E_B") -> TableSection:
    units = {"d": "m", "E_B": "m", "E_B_physical": "m", "axis_error": "rad", "largest_angle": "rad"}
    columns = columns_of(data, units, {"d": "simulated discrepancy of the two motions"})
    glyph = Glyph("motion", "kind", ("lower", "upper"), ("predicted_lower", "predicted_upper"))
    return TableSection("All pairs", (*columns[:2], glyph, *columns[2:]), sort)


@cache
def calibration_page(rows: int) -> Page:
    """Every kind of section. Figures take a second each, so the page is kept."""
    data = table_data(rows)
    figures = calibration_figure(data), residual_figure(data)
    walls, door, hinge, guess = cabinet()
    film = motion_film(walls, door, hinge, guess, np.linspace(0, 1, 8).tolist(), size=(160, 120))
    pictures = [
        Picture(png_bytes(image, 32), f"cabinet / door, {i}", "d 0.143 m, E_B 0.151 m", "An open door and its ghost")
        for i, image in enumerate(film)
    ]
    sections: list[Section] = [
        TextSection(
            "What was found",
            [
                Statement("79 %", "of pairs within 5 % of d"),
                Statement("0.06", "decades of spread of E_B at a given d, where E_α has 1.62"),
                Statement("0", "violations of the linearisation bound"),
                Statement("1.9e-15", "largest placement error, over the object's size"),
            ],
            ["E_B is the linearised distance between two joints; d is what the simulator measured."],
        ),
        FigureSection(
            "E against d",
            svg_for_page(figures[0], "calibration"),
            "E_B lies on the identity below 60°; E_α scatters over 1.6 decades.",
        ),
        FigureSection(
            "", svg_for_page(figures[1], "residual"), "The departure depends on the angle, not on the error."
        ),
        SummarySection(
            "By largest angle",
            ["angle", "pairs", "median", "within 5 %"],
            [["0–15°", 13002, 1.0, "98 %"], ["above 360°", 0, None, None]],
            "Ratio E_B/d.",
        ),
        PictureSection("Worst cases", pictures),
        table_section(data),
    ]
    return Page("Calibration", "E_B is within 5 % of the simulated discrepancy for most pairs.", sections, PROVENANCE)
