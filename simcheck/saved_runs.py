"""Saved runs beside each other; runs of different settings are refused, since their numbers mean different things."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.errors import UsageError
from simcheck.results import plain, result
from simcheck.version import VERSION

if TYPE_CHECKING:
    import polars

_SUBJECT = ("inputs", "predictions", "ground_truth", "limit")  # what runs are about, not how they measure


@dataclass(frozen=True)
class SavedRun:
    """A finished results folder."""

    path: Path
    command: str
    settings: dict[str, Any]
    summary: dict[str, Any]


def read_run(path: str | Path) -> SavedRun:
    """Read a finished results folder.

    Raises
    ------
    UsageError    no results folder, or an unfinished run
    """
    folder = Path(path)
    if not folder.is_dir():
        raise UsageError(f"{folder}: not a folder")
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        command = summary["command"]
    except FileNotFoundError:
        begun = (folder / "settings.json").exists()
        cure = "the run is not finished: give its command again" if begun else "no results of simcheck in it"
        raise UsageError(f"{folder}: no summary.json: {cure}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder / 'summary.json'}: not a summary of simcheck: {error}") from None
    return SavedRun(folder, command, summary["settings"], summary)


def compare_runs(paths: Sequence[str | Path], *, seed: int = 0) -> dict[str, Any]:
    """Two or more saved runs of one command with the same settings.

    Benchmarks of the same true objects become one table over all their methods, with paired differences and ranks;
    the runs of any other command give their headline numbers beside each other.

    Returns
    -------
    dict
        ``{"runs": [{"path"}], "of": command, …}``, and either the fields of a benchmark's summary, or
        ``"numbers": [{"field", "values": [one a run], "differences": [to the first run]}]``.

    Raises
    ------
    UsageError    fewer than two different runs, an unfinished one, different commands or settings, other true objects
    """
    if len({Path(path).resolve() for path in paths}) < max(2, len(paths)):
        raise UsageError("results: name at least two folders, each once")
    runs = [read_run(path) for path in paths]
    first = runs[0]
    for other in runs[1:]:
        _require_same(first, other)
    fields = _one_table(runs, seed) if first.command == "benchmark" else {"numbers": _numbers(runs)}
    settings = {"version": VERSION, "seed": seed, **{k: v for k, v in first.settings.items() if k not in _SUBJECT}}
    about = {"of": first.command, "runs": [{"path": str(run.path)} for run in runs]}
    origin = first.summary.get("frame", {}).get("origin", "world")
    return plain(result("results", settings, [], {**about, **fields}, origin=origin))


def _require_same(first: SavedRun, other: SavedRun) -> None:
    if first.command != other.command:
        raise UsageError(f"{first.path} holds results of {first.command}, {other.path} of {other.command}")
    names = sorted({*first.settings, *other.settings} - set(_SUBJECT))
    differing = [n for n in names if first.settings.get(n) != other.settings.get(n)]
    if differing:
        told = ", ".join(f"{n} {first.settings.get(n)!r} and {other.settings.get(n)!r}" for n in differing)
        raise UsageError(f"{first.path} and {other.path} were made with different settings: {told}")


def _one_table(runs: Sequence[SavedRun], seed: int) -> dict[str, Any]:
    """The methods of several benchmarks in one table."""
    import polars

    from simcheck.benchmarking.table import tables

    truths = [_true_objects(run) for run in runs]
    for run, truth in zip(runs[1:], truths[1:], strict=True):
        if truth != truths[0]:
            differing = sorted(k for k in {*truth, *truths[0]} if truth.get(k) != truths[0].get(k))
            raise UsageError(
                f"{runs[0].path} and {run.path} are about other true objects: {len(differing)} differ or are in one "
                f"only, for example {differing[0]}"
            )
    names = _method_names(runs)
    rows, objects = (
        polars.concat([_renamed(polars.read_parquet(r.path / file), own) for r, own in zip(runs, names, strict=True)])
        for file in ("rows.parquet", "objects.parquet")
    )
    methods = [new for own in names for new in own.values()]
    return {"objects": objects["object"].n_unique(), **tables(rows, objects, methods, seed)}


def _true_objects(run: SavedRun) -> dict[str, str]:
    """Hash of every true object by its path below the folder."""
    root = Path(run.settings["ground_truth"])
    found = {}
    for name, digest in run.settings["inputs"].items():
        path = Path(name)
        if path.is_relative_to(root):
            found[path.relative_to(root).as_posix()] = digest
    return found


def _method_names(runs: Sequence[SavedRun]) -> list[dict[str, str]]:
    """Name of each method in the common table; where two runs have the same name, the run's folder is added."""
    methods = [[m["name"] for m in run.summary["methods"]] for run in runs]
    often = [name for own in methods for name in own]
    return [
        {name: name if often.count(name) == 1 else f"{name} ({run.path})" for name in own}
        for run, own in zip(runs, methods, strict=True)
    ]


def _renamed(table: polars.DataFrame, names: Mapping[str, str]) -> polars.DataFrame:
    import polars

    return table.with_columns(polars.col("method").replace(names))


def _numbers(runs: Sequence[SavedRun]) -> list[dict[str, Any]]:
    found = [dict(_leaves(run.summary)) for run in runs]
    fields = list(dict.fromkeys(name for own in found for name in own))
    rows = []
    for name in fields:
        values = [own.get(name) for own in found]
        base = values[0]
        differences = [None if v is None or base is None else v - base for v in values]
        rows.append({"field": name, "values": values, "differences": differences})
    return rows


def _leaves(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float | None]]:
    """Every number of a summary with its path; entries of lists are named by their first words."""
    for key, item in value.items():
        name = f"{prefix}{key}"
        if name in ("schema", "version", "command", "settings", "frame", "warnings", "failures", "skipped"):
            continue
        if isinstance(item, Mapping):
            yield from _leaves(item, f"{name}.")
        elif isinstance(item, list):
            for k, entry in enumerate(item):
                if isinstance(entry, Mapping):
                    label = next((v for v in entry.values() if isinstance(v, str)), str(k))
                    yield from _leaves(entry, f"{name}[{label}].")
        elif item is None or (isinstance(item, (int, float)) and not isinstance(item, bool)):
            yield name, item
