"""Running experiments into a folder, and drawing them again from what the folder holds.

``OUT/NAME/`` holds what an experiment measured (``rows.parquet``, ``rows.csv``, further tables in ``tables/``), its
``figures/`` and ``findings.json``, which is written last and makes it complete. ``OUT/`` holds ``summary.json`` and
``report.html`` over every complete experiment, and ``pairs/``, the calibration that several experiments read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from experiments.context import Context, Progress
from experiments.experiment import Drawn, Finding, Settings, Tables
from experiments.objects import ObjectFile, generated, named_objects
from experiments.page import write_page
from experiments.registry import EXPERIMENTS, experiment
from experiments.tables import load_tables, save_tables
from simcheck.benchmarking.objects import sample
from simcheck.errors import UsageError
from simcheck.norms import norm_files
from simcheck.results import input_hashes, plain, result, to_json
from simcheck.run_folder import RunFolder, write_atomically
from simcheck.version import VERSION

SUITE = 200  # objects of the generated suite, as many as the paper evaluates on
SUITE_FOLDER = "suite"


def ablate(
    names: Sequence[str],
    out: str | Path,
    *,
    settings: Settings | None = None,
    objects: Sequence[str | Path] | None = None,
    suite: int = SUITE,
    limit: int | None = None,
    ground_truth: str | Path | None = None,
    predictions: Mapping[str, str | Path] | None = None,
    force: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Run experiments into a folder; those that it holds already are not measured again.

    Parameters
    ----------
    names
        Of experiments, or ``all``.
    out
        Results folder; resumed if it holds a part of the same run.
    settings
        What changes the numbers.
    objects
        URDF files and folders of them; by default a suite of ``suite`` objects is generated into ``out/suite``.
    limit
        A sample of so many objects, drawn by the seed.
    ground_truth, predictions
        Folders of real predictions for the benchmark, in place of the simulated methods.
    force
        Replace results of other settings.
    workers, progress
        Processes; the numbers do not depend on them. Called after each step with (experiment, done, total, what).

    Returns
    -------
    dict
        The summary as plain JSON values.

    Raises
    ------
    UsageError    an unknown experiment, options that make no sense, or a folder with other results
    """
    chosen_settings = settings or Settings()
    chosen = _known(names)
    if workers < 1:
        raise UsageError(f"--workers: expected at least 1, got {workers}")
    if (ground_truth is None) != (not predictions):
        raise UsageError("--gt and --pred go together: a folder of true objects, and folders of predictions of them")
    for name in ("alpha", "kappa"):
        value = getattr(chosen_settings, name)
        if not (value > 0 and math.isfinite(value)):
            raise UsageError(f"--{name}: expected a positive number, got {value}")
    norm_sources = norm_files(chosen_settings.norm)
    folder = Path(out)
    given = None if objects is None else named_objects([Path(p) for p in objects])
    identity = {
        **chosen_settings.plain,
        "objects": None if objects is None else [str(p) for p in objects],
        "suite": suite if objects is None else None,  # a suite is fixed by the seed, its size and the versions
        "limit": limit,
        "ground_truth": None if ground_truth is None else str(ground_truth),
        "predictions": {name: str(path) for name, path in (predictions or {}).items()},
        "version": VERSION,
        "numpy": np.__version__,
        "norm_sha256": list(input_hashes(norm_sources).values()),
        "inputs": {f.id: input_hashes([f.path])[f.path] for f in given or ()},
    }
    RunFolder(folder, identity, force=force).drop_parts()

    @cache
    def find() -> list[ObjectFile]:
        made = given
        if made is None:
            told = None if progress is None else partial(progress, SUITE_FOLDER)
            made = generated(folder / SUITE_FOLDER, suite, chosen_settings.seed, workers, told)
        return sample(made, limit, chosen_settings.seed)

    context = Context(
        "",
        chosen_settings,
        find,
        folder,
        identity,
        None if ground_truth is None else Path(ground_truth),
        {name: Path(path) for name, path in (predictions or {}).items()},
        workers,
        force,
        progress,
    )
    return _finish(folder, identity, {name: run_experiment(context.named(name)) for name in chosen})


def redraw(names: Sequence[str], out: str | Path) -> dict[str, Any]:
    """Figures, findings and page again, from the saved data alone.

    Raises
    ------
    UsageError    an unknown experiment, or one that the folder does not hold
    """
    folder = Path(out)
    chosen = _known(names)
    identity = _read_json(folder / "settings.json")
    if identity is None:
        raise UsageError(f"--figures-only: {folder} holds no results; run without it first")
    complete = _complete(folder, identity)
    missing = [name for name in chosen if name not in complete]
    if missing and "all" not in names:
        raise UsageError(f"--figures-only: {folder} holds no results of {', '.join(missing)}; it holds {complete}")
    settings = Settings.saved(identity)
    held = [name for name in chosen if name in complete]
    drawn = {name: _conclude(folder / name, name, load_tables(folder / name), settings) for name in held}
    return _finish(folder, identity, drawn)


def run_experiment(context: Context) -> dict[str, Drawn]:
    """Measure, draw and conclude one experiment, unless its folder is complete; the figures that were drawn."""
    folder = context.folder
    if (folder.path / "findings.json").exists():
        folder.drop_parts()
        return {}
    tables = experiment(context.name).measure(context)
    save_tables(folder.path, tables)
    # From the saved tables, so that drawing again can give nothing else.
    drawn = _conclude(folder.path, context.name, load_tables(folder.path), context.settings)
    folder.drop_parts()
    return drawn


def _known(names: Sequence[str]) -> list[str]:
    for name in names:
        if name != "all" and name not in EXPERIMENTS:
            raise UsageError(f"no experiment {name!r}; there are: all, {', '.join(EXPERIMENTS)}")
    if not names:
        raise UsageError(f"name an experiment: all, {', '.join(EXPERIMENTS)}")
    return [name for name in EXPERIMENTS if "all" in names or name in names]


# --- files -----------------------------------------------------------------------------------------------------


def _conclude(folder: Path, name: str, tables: Tables, settings: Settings) -> dict[str, Drawn]:
    """Draw the figures, then write the findings, which make the experiment complete; the figures."""
    from simcheck.report.style import save_figure

    chosen = experiment(name)
    drawn = chosen.figures(tables, settings)
    for figure_name, figure in drawn.items():
        save_figure(figure.figure, folder / "figures", figure_name)
    findings = chosen.findings(tables, settings)
    write_atomically(folder / "findings.json", to_json(_record(name, tables, settings, findings, drawn)) + "\n")
    return drawn


def _record(
    name: str, tables: Tables, settings: Settings, findings: Sequence[Finding], drawn: Mapping[str, Drawn]
) -> dict[str, Any]:
    return {
        "experiment": name,
        "seed": settings.seed,
        "title": experiment(name).TITLE,
        "reproduces": experiment(name).REPRODUCES,
        "objects": _objects_in(tables),
        "findings": [asdict(finding) for finding in findings],
        "figures": [{"name": n, "heading": d.heading, "caption": d.caption} for n, d in drawn.items()],
    }


def _objects_in(tables: Tables) -> int:
    """How many objects the data comes from; 0 for experiments that need none."""
    named = [table["object"].n_unique() for table in tables.values() if "object" in table.columns]
    counted = [max(table["objects"]) for table in tables.values() if "objects" in table.columns and table.height]
    return int(max(named + counted, default=0))


def _finish(folder: Path, identity: Mapping[str, Any], drawn: Mapping[str, Mapping[str, Drawn]]) -> dict[str, Any]:
    """Summary and page over every complete experiment of the folder; what was ``drawn`` is not drawn again."""
    records = [_read_json(folder / name / "findings.json") for name in _complete(folder, identity)]
    found = [finding for record in records for finding in record["findings"]]
    told = [_read_json(folder / name / "failures.json") or [] for name in ("pairs", *EXPERIMENTS)]
    failures = {f["file"]: f for several in told for f in several}
    fields = {
        "objects": max((record["objects"] for record in records), default=0),
        "experiments": records,
        "findings": len(found),
        "hold": sum(f["holds"] is True for f in found),
        "do_not_hold": sum(f["holds"] is False for f in found),
        "failures": list(failures.values()),
    }
    summary = plain(result("ablate", identity, [], fields, origin=identity["origin"]))
    write_atomically(folder / "summary.json", to_json(summary) + "\n")
    write_page(folder, summary, drawn)
    return dict(summary)


def _complete(folder: Path, identity: Mapping[str, Any]) -> list[str]:
    """The experiments that a folder holds results of, for these settings."""
    wanted = json.loads(to_json(identity))
    return [
        name
        for name in EXPERIMENTS
        if (folder / name / "findings.json").exists()
        and _read_json(folder / name / "settings.json") == {"experiment": name, **wanted}
    ]


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
