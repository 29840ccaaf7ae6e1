"""Benchmark: score methods over a folder of true objects (SPEC section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.asset import ReadOptions
from simcheck.batch import Part, Progress, joined, run_parts
from simcheck.benchmarking.objects import find_objects, named_folders, sample, super_category
from simcheck.benchmarking.score import JOINT_TYPES, OBJECT_TYPES, score_object
from simcheck.benchmarking.table import tables
from simcheck.comparison.frames import Placement, placement_for, read_placements
from simcheck.comparison.run import CompareOptions
from simcheck.errors import AssetWarning, UsageError
from simcheck.norms import norm_files
from simcheck.results import input_hashes, plain, read_settings, result
from simcheck.run_folder import RunFolder
from simcheck.version import VERSION
from simcheck.workers import Outcome

if TYPE_CHECKING:
    import polars

TIMEOUT = 300.0  # seconds for one object and all methods


@dataclass(frozen=True)
class Benchmark:
    """The outcome of `benchmark`: the summary as plain JSON values, joint rows and object rows; a notebook shows it.

    Into data frames in one line: ``scored.rows`` (polars), ``scored.rows.to_pandas()``, or
    ``polars.read_parquet("OUT/rows.parquet")`` and ``pandas.read_parquet("OUT/rows.parquet")`` of a saved run.
    """

    summary: dict[str, Any]
    rows: polars.DataFrame
    objects: polars.DataFrame
    out: Path | None

    @property
    def passed(self) -> bool:
        """Whether every ground truth could be read."""
        return not self.summary["failures"]

    def _repr_html_(self) -> str:
        from simcheck.benchmarking.report import notebook_sections
        from simcheck.report.page import render_fragment

        return render_fragment(notebook_sections(self.summary, self.rows, self.objects))


def benchmark(
    ground_truth: str | Path,
    predictions: Mapping[str, str | Path] | Sequence[str],
    *,
    options: CompareOptions | None = None,
    read: ReadOptions | None = None,
    limit: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    force: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> Benchmark:
    """Score the predictions of methods against true objects.

    Parameters
    ----------
    ground_truth
        Folder of URDF files; objects are named by their path below it.
    predictions
        ``{name: folder}``, or a sequence of ``NAME=DIR``.
    options
        Of each comparison; ``simulate`` is off unless set: d in closed form, equal to rounding. ``frame.align`` may
        also name a JSON file of placements by object, or by ``METHOD/OBJECT``.
    read
        How files are read.
    limit, seed
        Score a sample of so many objects; the seed also draws the bootstrap.
    out, force, workers, scheduler, progress
        Results folder, resumed if it holds a part of the same run; processes; a Dask scheduler's address instead; a
        callback.

    Returns
    -------
    Benchmark

    Raises
    ------
    UsageError    folders or options that make no sense
    """
    import polars

    if workers < 1:
        raise UsageError(f"--workers: expected at least 1, got {workers}")
    chosen = options or CompareOptions(simulate=False)
    read_options = read or ReadOptions()
    root = Path(ground_truth)
    folders = (
        {name: Path(path) for name, path in predictions.items()}
        if isinstance(predictions, Mapping)
        else named_folders(list(predictions))
    )
    truths, doubled = find_objects(root, (".urdf",))
    if not truths:
        raise UsageError(f"{root}: no URDF file of a true object")
    names = sample(sorted(truths), limit, seed)
    found = {method: find_objects(folder) for method, folder in folders.items()}
    placements = _placements(chosen, names, found)
    tasks = [(*_task(name, truths[name], found, chosen, read_options), placements.get(name, {})) for name in names]
    settings = _settings(root, folders, names, truths, found, chosen, read_options, limit, seed)
    folder = None if out is None else RunFolder(Path(out), settings, force=force)
    if folder is not None and folder.summary is not None:
        return _finished(folder)
    parts = run_parts(
        score_object,
        tasks,
        lambda k, outcome: _part(str(truths[names[k]]), names[k], outcome),
        folder=folder,
        workers=workers,
        timeout=TIMEOUT,
        scheduler=scheduler,
        progress=progress,
        names=names,
    )
    failures: list[dict[str, str]] = []
    warnings: list[AssetWarning] = []
    entries: list[dict[str, Any]] = []
    rows = joined(_tables(parts, failures, warnings, entries), JOINT_TYPES)
    objects = polars.DataFrame(entries, schema=OBJECT_TYPES)
    failures += [
        {"file": str(paths[0]), "reason": f"several files claim the object {name}"} for name, paths in doubled.items()
    ]
    if not objects.height:
        raise UsageError("\n".join(["no ground truth can be used", *(f["reason"] for f in failures[:20])]))
    fields = {
        "objects": objects["object"].n_unique(),
        "failures": failures,
        **tables(rows, objects, list(folders), seed),
    }
    summary = result("benchmark", settings, warnings, fields, origin=chosen.frame.origin)
    if folder is not None:
        from simcheck.benchmarking.report import write_benchmark

        write_benchmark(folder, plain(summary), rows, objects)
        folder.finish(summary)
    return Benchmark(plain(summary), rows, objects, None if folder is None else folder.path)


def _placements(
    options: CompareOptions, names: Sequence[str], found: Mapping[str, tuple[dict[str, Path], dict[str, list[Path]]]]
) -> dict[str, dict[str, Placement]]:
    """By object and method, where predictions are put, if a file says so for each."""
    align = options.frame.align
    if not isinstance(align, str) or not align.endswith(".json"):
        return {}
    given = read_placements(Path(align))
    placements: dict[str, dict[str, Placement]] = {name: {} for name in names}
    absent = []
    for name in names:
        for method, (clear, _) in found.items():
            if name not in clear:
                continue
            placement = placement_for(given, method, name)
            if placement is None:
                absent.append(f"{method}/{name}")
            else:
                placements[name][method] = placement
    if absent:
        raise UsageError(f"--align: {align}: no placement for {', '.join(absent[:10])}{' …' if absent[10:] else ''}")
    return placements


def _task(
    name: str,
    truth: Path,
    found: Mapping[str, tuple[dict[str, Path], dict[str, list[Path]]]],
    options: CompareOptions,
    read: ReadOptions,
) -> tuple[Any, ...]:
    predictions = {m: str(clear[name]) if name in clear else None for m, (clear, _) in found.items()}
    problems = {
        m: f"several files claim the object: {', '.join(p.name for p in claimed[name])}"
        for m, (_, claimed) in found.items()
        if name in claimed
    }
    return name, super_category(truth, name), str(truth), predictions, problems, options, read


def _settings(
    root: Path,
    folders: Mapping[str, Path],
    names: list[str],
    truths: Mapping[str, Path],
    found: Mapping[str, tuple[dict[str, Path], dict[str, list[Path]]]],
    options: CompareOptions,
    read: ReadOptions,
    limit: int | None,
    seed: int,
) -> dict[str, Any]:
    files = [truths[name] for name in names]
    for clear, claimed in found.values():
        files += [clear[name] for name in names if name in clear]
        files += [path for name in names for path in claimed.get(name, ())]
    align = options.frame.align
    files += [Path(p) for p in (align, options.match) if isinstance(p, str) and Path(p).is_file()]
    files += norm_files(options.norm)
    return {
        "ground_truth": str(root),
        "predictions": {name: str(path) for name, path in folders.items()},
        "limit": limit,
        "seed": seed,
        **options.settings(),
        **read_settings(read),
        "version": VERSION,
        "inputs": input_hashes(files),
    }


def _part(truth: str, name: str, outcome: Outcome) -> Part:
    import polars

    refusal = outcome.refusal(truth)
    if refusal is not None:
        return {"object": name, "failure": {"file": truth, "reason": str(refusal)}}, None
    scored = outcome.value
    facts = {"object": name, "objects": scored.objects, "warnings": scored.warnings}
    rows = polars.DataFrame(scored.joints, schema=JOINT_TYPES) if scored.joints else None
    return facts, rows


def _tables(
    parts: Iterable[Part], failures: list[dict[str, str]], warnings: list[AssetWarning], entries: list[dict[str, Any]]
) -> Iterator[polars.DataFrame | None]:
    """The joint rows of each part; what else it says is appended to the lists on the way."""
    for facts, rows in parts:
        failures += [facts["failure"]] if "failure" in facts else []
        warnings += [AssetWarning(**w) for w in facts.get("warnings", ())]
        entries += facts.get("objects", ())
        yield rows


def _finished(folder: RunFolder) -> Benchmark:
    import polars

    assert folder.summary is not None
    rows, objects = (polars.read_parquet(folder.path / name) for name in ("rows.parquet", "objects.parquet"))
    return Benchmark(folder.summary, rows, objects, folder.path)
