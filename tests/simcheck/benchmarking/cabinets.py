"""Cabinets with known errors, and what a benchmark of them has saved."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from urdf_and_command import joint, robot

_HINGE = 'lower="0" upper="1.5"'


def cabinet(*, tilt: float = 0.0, shift: float = 0.0, stroke: float = 0.3, doors: int = 2, weld: bool = False) -> str:
    """A door, a drawer and a second door; the errors are in the first door and in the drawer."""
    axis = f"0 {np.sin(tilt)} {np.cos(tilt)}"
    parts = [
        joint("door", "fixed" if weld else "revolute", "a", "b", xyz=f"{shift} 0 0", axis=axis, limit=_HINGE),
        joint("drawer", "prismatic", "a", "c", axis="1 0 0", limit=f'lower="0" upper="{stroke}"'),
    ]
    if doors == 2:
        parts.append(joint("flap", "revolute", "a", "d", xyz="0 0.5 0", axis="0 1 0", limit=_HINGE))
    return robot(*parts)


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def methods_of(folders: Path) -> list[object]:
    return ["--gt", folders / "gt", "--pred", f"good={folders / 'good'}", "--pred", f"poor={folders / 'poor'}"]


def summary_of(out: Path) -> dict:
    return json.loads((out / "summary.json").read_text())


def bytes_of(out: Path) -> dict[str, bytes]:
    names = ("rows.parquet", "rows.csv", "objects.parquet", "summary.json", "settings.json", "table.csv", "table.tex")
    return {name: (out / name).read_bytes() for name in names}
