"""What every result carries: schema, version, command, settings, frame, warnings; and how numbers become JSON."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcheck.asset.model import ArticulatedObject, ReadOptions
from simcheck.errors import AssetWarning
from simcheck.version import VERSION

if TYPE_CHECKING:
    import polars

SCHEMA = 1


class Result(dict[str, Any]):
    """The JSON object of a command about the joints of a file: a dict that a notebook shows as a table.

    Into data frames in one line::

        simcheck.compare(gt, pred).rows                              # polars, one row a joint
        pandas.json_normalize(simcheck.compare(gt, pred)["joints"])  # pandas
        polars.read_parquet("OUT/rows.parquet")                      # what --out OUT has saved
    """

    @property
    def rows(self) -> polars.DataFrame:
        """One row a joint: nested fields joined by dots, vectors as one column a component."""
        from simcheck.saved import joint_rows

        return joint_rows(self["joints"])

    def _repr_html_(self) -> str:
        from simcheck.report.page import render_fragment
        from simcheck.saved import headline_sections

        return render_fragment(headline_sections(self))


def result(
    command: str,
    settings: Mapping[str, Any],
    warnings: Iterable[AssetWarning],
    fields: Mapping[str, Any],
    *,
    origin: str = "world",
    shift: Iterable[float] = (0.0, 0.0, 0.0),
) -> dict[str, Any]:
    """The JSON object of a command: the common fields, then its own (SPEC section 9)."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "command": command,
        "settings": dict(settings),
        "frame": {"origin": origin, "shift": list(shift)},
        "warnings": [_warning_entry(w) for w in dict.fromkeys(warnings)],
        **fields,
    }


def _warning_entry(warning: AssetWarning) -> dict[str, str]:
    return {"file": warning.file, "element": warning.element, "message": warning.message, "code": warning.code}


def read_settings(options: ReadOptions) -> dict[str, Any]:
    """The reading options as settings."""
    return {
        "body": options.body,
        "inertia": options.inertia,
        "density": options.density,
        "package": dict(options.packages),
        "decompose": options.decompose,
        "wrap": options.wrap,
    }


def read_options(settings: Mapping[str, Any]) -> ReadOptions:
    """The reading options that settings hold: the inverse of `read_settings`."""
    names = ("body", "inertia", "density", "package", "decompose", "wrap")
    return ReadOptions(*(settings[name] for name in names))


def unchanged(path: str, inputs: Mapping[str, str]) -> bool:
    """Whether a file is still the one whose SHA-256 was recorded under its name."""
    try:
        return input_hashes([path])[path] == inputs.get(path)
    except OSError:
        return False


def input_hashes(paths: Iterable[str | Path]) -> dict[str, str]:
    """SHA-256 of every input file."""
    return {str(path): hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in paths}


def plain(value: Any) -> Any:
    """A value as JSON can hold it: arrays as lists, NumPy scalars as Python's, no inf, no NaN."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None  # + 0.0: no negative zero in the output
    return value


def to_json(value: Any) -> str:
    """JSON text with full precision and a stable layout."""
    return json.dumps(plain(value), indent=1, ensure_ascii=False, allow_nan=False)


def limit_value(value: float) -> float | str:
    """A limit as JSON writes it: infinite ends are the strings "inf" and "-inf"."""
    return value if math.isfinite(value) else str(value)


def unbounded_reason(obj: ArticulatedObject, joint: str) -> str:
    """Why E and d of an unbounded joint are null, and what to ask instead; empty for a bounded one."""
    motion = obj.joint(joint).motion
    if motion.bounded:
        return ""
    if motion.kind == "continuous":
        cause = "a continuous joint is unbounded"
    else:
        ends = [name for name, end in (("lower", motion.lower), ("upper", motion.upper)) if math.isinf(end)]
        cause = f"infinite {' and '.join(ends)} limit"
    return f"{obj.file}: joint {joint!r}: {cause}: E and d have no finite value; ask for E^phi"
