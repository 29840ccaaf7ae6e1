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


def save_result(path: Path, result: Mapping[str, Any], *, force: bool) -> None:
    """Write ``rows.parquet rows.csv summary.json settings.json report.html`` of a result with ``joints``."""
    folder = RunFolder(path, {"command": result["command"], **result["settings"]}, force=force)
    rows = joint_rows(result["joints"])
    folder.write_rows(rows)
    _write_page(path / "report.html", result, rows)
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


def _write_page(path: Path, result: Mapping[str, Any], rows: polars.DataFrame) -> None:
    from simcheck.report.columns import columns_of
    from simcheck.report.page import Page, SummarySection, TableSection, TextSection, write_report
    from simcheck.report.provenance import provenance

    reasons = {reason for joint in result["joints"] for reason in joint.get("null_reasons", {}).values()}
    remarks = [f"{w['element']}: {w['message']}" for w in result["warnings"]] + sorted(reasons)
    sections: list[Any] = [TextSection("Remarks", (), remarks)] if remarks else []
    shown = rows.select([c for c in rows.columns if not c.startswith(("null_reasons", "endpoints", "phi_endpoints"))])
    if rows.height:
        sections.append(
            TableSection(
                "Joints", columns_of(shown), rows.columns[0], "Metres, radians, kilograms; world frame at rest."
            )
        )
    worst = [(j["name"], j["placement_error"]) for j in result["joints"] if "placement_error" in j]
    if worst:
        name, error = max(worst, key=lambda item: item[1] if math.isfinite(item[1]) else math.inf)
        caption = (
            f"Largest distance of a material point from the closed form, over the object's size: {error:.1e} ({name})."
        )
        sections.insert(0, SummarySection("Agreement", ["joint", "error / size"], [[n, e] for n, e in worst], caption))
    files = [result[name] for name in ("file", "ground_truth", "prediction") if name in result]
    lead = f"{' → '.join(files)}: {len(result['joints'])} joints."
    write_report(path, Page(_TITLES[result["command"]], lead, sections, provenance(result)))
