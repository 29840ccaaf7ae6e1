"""A result about the joints of one file, saved as a folder: rows, summary, settings, page (SPEC section 9)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.run_folder import RunFolder

if TYPE_CHECKING:
    import polars

_TITLES = {
    "compare": "How far the prediction is from the truth",
    "describe": "What the file says",
    "drive": "What the joints do in the simulator",
}

_SHOWN: dict[str, dict[str, str]] = {  # heading -> path, in a notebook
    "describe": {
        "joint": "name", "kind": "kind", "parent": "parent", "child": "child", "axis": "axis", "origin (m)": "origin",
        "lower (rad, m)": "lower", "upper (rad, m)": "upper", "mass (kg)": "body.mass", "E_B (m)": "to_fixed.E_B",
        "E_α": "to_fixed.E_alpha", "d (m)": "to_fixed.d",
    },
    "drive": {
        "joint": "name", "kind": "kind", "driven (rad, m)": "driven", "effective (rad, m)": "effective",
        "error / size": "placement_error", "displacement (m)": "rms_displacement",
    },
}  # fmt: skip


def save_result(path: Path, result: Mapping[str, Any], *, force: bool) -> None:
    """Write ``rows.parquet rows.csv summary.json settings.json report.html`` of a result with ``joints``."""
    folder = RunFolder(path, {"command": result["command"], **result["settings"]}, force=force)
    rows = joint_rows(result["joints"])
    folder.write_rows(rows)
    write_page(path, result)
    folder.finish(result)


def joint_rows(joints: Sequence[Mapping[str, Any]]) -> polars.DataFrame:
    """One row a joint: nested fields joined by dots, vectors as one column a component; infinite limits are null."""
    import polars

    return polars.DataFrame([dict(_flat(joint)) for joint in joints], infer_schema_length=None)


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, Mapping) and item:
            yield from _flat(item, f"{name}.")
        elif isinstance(item, list) and item and all(isinstance(x, (int, float)) for x in item):
            yield from ((f"{name}.{k}", float(x)) for k, x in enumerate(item))
        elif isinstance(item, (list, Mapping)):
            yield name, json.dumps(item, ensure_ascii=False)
        elif isinstance(item, str) and key in ("lower", "upper"):
            yield name, None  # "inf" and "-inf"
        else:
            yield name, float(item) if isinstance(item, (int, float)) and not isinstance(item, bool) else item


def write_page(folder: Path, result: Mapping[str, Any]) -> None:
    """Write ``report.html`` of such a result into its folder."""
    from simcheck.report.page import Page, Section, TextSection, write_report
    from simcheck.report.provenance import provenance

    rows = joint_rows(result["joints"])
    sections: list[Section]
    if result["command"] == "compare":
        from simcheck.comparison.page import comparison_sections

        sections = comparison_sections(result, rows)
    else:
        sections = _sections(result, rows)
    reasons: dict[str, dict[str, None]] = {}
    for joint in result["joints"]:
        for name, reason in joint.get("null_reasons", {}).items():
            reasons.setdefault(reason, {})[name] = None
    remarks = [f"{w['element']}: {w['message']}" for w in result["warnings"]]
    remarks += [f"No {', '.join(names)}: {reason}" for reason, names in reasons.items()]
    if remarks:
        sections.append(TextSection("Remarks", (), remarks))
    files = [result[name] for name in ("file", "ground_truth", "prediction") if name in result]
    lead = f"{' → '.join(files)}: {len(result['joints'])} joints."
    write_report(folder / "report.html", Page(_TITLES[result["command"]], lead, sections, provenance(result)))


def headline_sections(result: Mapping[str, Any]) -> list[Any]:
    """The result as a few small tables, for a notebook."""
    from simcheck.report.page import SummarySection

    if result["command"] == "compare":
        from simcheck.comparison.page import headline_sections as of_comparison

        return of_comparison(result)
    chosen = _SHOWN[result["command"]]
    rows = [[_cell(joint, path) for path in chosen.values()] for joint in result["joints"]]
    return [SummarySection(f"{result['file']}: {_TITLES[result['command']].lower()}", list(chosen), rows)]


def _cell(joint: Mapping[str, Any], path: str) -> Any:
    """A field of a joint by its path; a list of numbers as one text."""
    value: Any = joint
    for name in path.split("."):
        value = None if value is None else value[name]
    if isinstance(value, list):
        return " ".join("–" if x is None else f"{x:.4g}" for x in value)
    return value


def _sections(result: Mapping[str, Any], rows: polars.DataFrame) -> list[Any]:
    """The joints of one file, and how well the simulator agrees with the closed form where it was asked."""
    from simcheck.report.columns import columns_of
    from simcheck.report.page import SummarySection, TableSection

    sections: list[Any] = []
    worst = [(j["name"], j["placement_error"]) for j in result["joints"] if "placement_error" in j]
    if worst:
        name, error = max(worst, key=lambda item: item[1] if math.isfinite(item[1]) else math.inf)
        caption = (
            f"Largest distance of a material point from the closed form, over the object's size: {error:.1e} ({name})."
        )
        sections.append(SummarySection("Agreement", ["joint", "error / size"], [[n, e] for n, e in worst], caption))
    shown = rows.select([c for c in rows.columns if not c.startswith(("null_reasons", "endpoints", "phi_endpoints"))])
    if rows.height:
        sections.append(
            TableSection(
                "Joints", columns_of(shown), rows.columns[0], "Metres, radians, kilograms; world frame at rest."
            )
        )
    return sections
