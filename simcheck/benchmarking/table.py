"""From rows to Table 4: means with counts and intervals, common sets, paired differences, ranks (SPEC section 8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metric.statistics import bootstrap_interval, paired_bootstrap, rank_intervals, summarize
from simcheck.asset.model import FloatArray

if TYPE_CHECKING:
    import polars

TRUE_JOINTS = ("matched", "missing", "welded")  # statuses of a true movable joint
TYPED = ("matched", "welded", "loosened")  # statuses whose kinds can be compared


@dataclass(frozen=True)
class TableColumn:
    """One column of the table: where its values come from and how it is read."""

    name: str
    title: str
    unit: str
    lower_is_better: bool
    over: str  # joints, objects or valid: which rows
    values: Callable[[Any], tuple[FloatArray, FloatArray]]  # rows -> (values, object labels)
    needs_limits: bool = False  # a mean that imputed limits change


def _joints(column: str, statuses: Sequence[str], kinds: Sequence[str] | None = None, scale: float = 1.0) -> Any:
    def values(rows: polars.DataFrame) -> tuple[FloatArray, FloatArray]:
        import polars

        chosen = rows.filter(polars.col("status").is_in(list(statuses)))
        if kinds is not None:
            chosen = chosen.filter(
                polars.col("kind").is_in(list(kinds)) & polars.col("predicted_kind").is_in(list(kinds))
            )
        return scale * chosen[column].cast(polars.Float64).to_numpy(), chosen["object"].to_numpy()

    return values


def _objects(column: str) -> Any:
    def values(rows: polars.DataFrame) -> tuple[FloatArray, FloatArray]:
        import polars

        return rows[column].cast(polars.Float64).to_numpy(), rows["object"].to_numpy()

    return values


def _generated(rows: polars.DataFrame) -> tuple[FloatArray, FloatArray]:
    return 100.0 * (rows["status"] == "ok").to_numpy().astype(np.float64), rows["object"].to_numpy()


_TURNING = ("revolute", "helical", "continuous")

COLUMNS = (
    TableColumn("gen", "Gen", "%", False, "objects", _generated),
    TableColumn("type_error", "TypeErr", "%", True, "joints", _joints("type_error", TYPED, scale=100.0)),
    TableColumn("origin_error", "OriginErr", "m", True, "joints", _joints("origin_line", ("matched",))),
    TableColumn("axis_error", "AxisErr", "rad", True, "joints", _joints("axis", ("matched",))),
    TableColumn(
        "limit_range_turning", "LimitErr range", "rad", True, "joints",
        _joints("limit_range", ("matched",), _TURNING), needs_limits=True,
    ),
    TableColumn(
        "limit_range_sliding", "LimitErr range", "m", True, "joints",
        _joints("limit_range", ("matched",), ("prismatic",)), needs_limits=True,
    ),
    TableColumn(
        "limit_direction", "LimitErr direction", "1", True, "joints",
        _joints("limit_direction", ("matched",)), needs_limits=True,
    ),
    TableColumn("success", "SuccRate", "%", False, "joints", _joints("success", TRUE_JOINTS, scale=100.0)),
    TableColumn("E_B", "E_B", "m", True, "joints", _joints("E_B", ("matched",)), needs_limits=True),
    TableColumn("E_norm", "E_norm", "1", True, "joints", _joints("E_norm", ("matched",)), needs_limits=True),
    TableColumn("E_alpha_phi", "E_α^φ", "1", True, "joints", _joints("E_alpha_phi", ("matched",)), needs_limits=True),
    TableColumn("tree", "E_α^φ,tree", "1", True, "valid", _objects("tree_E_alpha_phi"), needs_limits=True),
    TableColumn(
        "tree_per_joint", "E_α^φ,tree / joint", "1", True, "valid", _objects("tree_E_alpha_phi_per_joint"),
        needs_limits=True,
    ),
    TableColumn("tree_B", "E_B^tree", "m", True, "valid", _objects("tree_E_B"), needs_limits=True),
    TableColumn(
        "tree_B_per_joint", "E_B^tree / joint", "m", True, "valid", _objects("tree_E_B_per_joint"), needs_limits=True
    ),
)  # fmt: skip
BY_NAME = {column.name: column for column in COLUMNS}
COMPARED = ("E_B", "E_alpha_phi", "tree_per_joint", "success")  # columns that methods are ranked by


def shown_columns(entries: Sequence[dict[str, Any]]) -> list[TableColumn]:
    """The columns that the entries of methods have."""
    return [column for column in COLUMNS if all(column.name in entry["columns"] for entry in entries)]


def _method_table(
    columns: Sequence[TableColumn], joints: polars.DataFrame, objects: polars.DataFrame, seed: int
) -> dict[str, dict[str, Any]]:
    """Every column of one method: value, bootstrap interval over objects, counts."""
    return {column.name: _cell(column, joints, objects, seed) for column in columns}


def _rows_of(column: TableColumn, joints: polars.DataFrame, objects: polars.DataFrame) -> polars.DataFrame:
    if column.over == "joints":
        return joints
    return objects if column.over == "objects" else objects.filter(objects["status"] == "ok")


def _cell(column: TableColumn, joints: polars.DataFrame, objects: polars.DataFrame, seed: int) -> dict[str, Any]:
    values, labels = column.values(_rows_of(column, joints, objects))
    interval = bootstrap_interval(values, labels, seed=seed) if len(values) else None
    if interval is None:
        return {"value": None, "lower": None, "upper": None, "n": 0, "undefined": 0, "reason": "no rows"}
    return asdict(interval)


def tables(joints: polars.DataFrame, objects: polars.DataFrame, methods: Sequence[str], seed: int) -> dict[str, Any]:
    """Everything the summary of a benchmark says, from its rows."""
    import polars

    by_method = {
        m: (joints.filter(polars.col("method") == m), objects.filter(polars.col("method") == m)) for m in methods
    }
    valid = [set(o.filter(polars.col("status") == "ok")["object"]) for _, o in by_method.values()]
    common = sorted(set.intersection(*valid)) if valid else []
    own_norm = joints["E_norm"].is_not_null().any()
    columns = [c for c in COLUMNS if c.name != "E_norm" or own_norm]
    entries = []
    for name, (own, objs) in by_method.items():
        counts = {s: int((own["status"] == s).sum()) for s in ("matched", "missing", "spurious", "welded", "loosened")}
        states = {s: int((objs["status"] == s).sum()) for s in ("ok", "missing", "broken", "empty")}
        shared = polars.col("object").is_in(common)
        entries.append(
            {
                "name": name,
                "objects": states,
                "joints": counts,
                "imputed_joints": int(own["limits_imputed"].sum()),
                "columns": _method_table(columns, own, objs, seed),
                "common": _method_table(columns, own.filter(shared), objs.filter(shared), seed),
                "E_B_statistics": asdict(summarize(own.filter(polars.col("status") == "matched")["E_B"].to_numpy()))
                if own.height
                else None,
            }
        )
    per_object = {c: {m: _per_object(c, *by_method[m], common) for m in methods} for c in COMPARED}
    return {
        "methods": entries,
        "common_objects": len(common),
        "paired": _paired(per_object, methods, seed),
        "ranks": {c: _ranks(c, per_object[c], seed) for c in COMPARED} if len(methods) > 1 else {},
        "by_super_category": _by_category(by_method, seed),
    }


def _per_object(name: str, joints: polars.DataFrame, objects: polars.DataFrame, ids: Sequence[str]) -> FloatArray:
    """Mean of a column over each of the objects, NaN where undefined."""
    column = BY_NAME[name]
    values, labels = column.values(_rows_of(column, joints, objects))
    index = {label: k for k, label in enumerate(ids)}
    total, count = np.zeros(len(ids)), np.zeros(len(ids))
    place = np.array([index.get(label, -1) for label in labels], dtype=int)
    known = (place >= 0) & np.isfinite(values)
    np.add.at(total, place[known], values[known])
    np.add.at(count, place[known], 1)
    return np.divide(total, count, out=np.full(len(ids), np.nan), where=count > 0)


def _paired(per_object: dict[str, dict[str, FloatArray]], methods: Sequence[str], seed: int) -> list[dict[str, Any]]:
    found = []
    for name, values in per_object.items():
        better = BY_NAME[name].lower_is_better
        for i, first in enumerate(methods):
            for second in methods[i + 1 :]:
                interval = paired_bootstrap(values[first], values[second], seed=seed, lower_is_better=better)
                found.append({"column": name, "first": first, "second": second, **asdict(interval)})
    return found


def _ranks(name: str, values: dict[str, FloatArray], seed: int) -> list[dict[str, Any]]:
    return [asdict(r) for r in rank_intervals(values, seed=seed, lower_is_better=BY_NAME[name].lower_is_better)]


def _by_category(by_method: dict[str, tuple[polars.DataFrame, polars.DataFrame]], seed: int) -> list[dict[str, Any]]:
    found = []
    for method, (joints, objects) in by_method.items():
        for category in sorted(set(objects["super_category"])):
            own = joints.filter(joints["super_category"] == category)
            objs = objects.filter(objects["super_category"] == category)
            columns = {
                c: _cell(BY_NAME[c], own, objs, seed)
                for c in ("gen", "success", "E_B", "E_alpha_phi", "tree_per_joint")
            }
            found.append({"method": method, "super_category": category, "objects": objs.height, "columns": columns})
    return found


def best_methods(entries: Sequence[dict[str, Any]]) -> dict[str, set[str]]:
    """Per column, the methods with the best value; those with imputed limits are not marked where limits matter."""
    best: dict[str, set[str]] = {}
    for column in shown_columns(entries):
        values = {
            e["name"]: e["columns"][column.name]["value"]
            for e in entries
            if not (column.needs_limits and e["imputed_joints"])
        }
        known = {name: v for name, v in values.items() if v is not None and np.isfinite(v)}
        if len(known) > 1:
            top = min(known.values()) if column.lower_is_better else max(known.values())
            best[column.name] = {name for name, v in known.items() if v == top}
    return best
