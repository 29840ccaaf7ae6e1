"""Calibration, the main job: does a norm on joints track the motion that a simulator really makes? (SPEC section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcheck.asset import ReadOptions
from simcheck.batch import Part, Progress, joined, run_parts
from simcheck.calibration.pairs import ROW_TYPES, CalibrationOptions, ObjectRows, calibrate_object
from simcheck.calibration.summary import summarise
from simcheck.defaults import collect, default_objects
from simcheck.engine.messages import simulator_warnings
from simcheck.errors import AssetError, AssetWarning, UsageError
from simcheck.norms import norm_files
from simcheck.results import input_hashes, plain, read_settings, result
from simcheck.run_folder import RunFolder
from simcheck.version import VERSION
from simcheck.workers import Outcome

if TYPE_CHECKING:
    import polars

SUITE = "suite"  # folder, inside that of the results, of the objects that --suite draws
TIMEOUT = 900.0  # seconds for one object; a hundred joints take about 20


@dataclass(frozen=True)
class Calibration:
    """The outcome of `calibrate`: the summary as plain JSON values, and one row a pair; a notebook shows it.

    Into data frames in one line: ``calibration.rows`` (polars), ``calibration.rows.to_pandas()``, or
    ``polars.read_parquet("OUT/rows.parquet")`` and ``pandas.read_parquet("OUT/rows.parquet")`` of a saved run.
    """

    summary: dict[str, Any]
    rows: polars.DataFrame
    out: Path | None

    @property
    def passed(self) -> bool:
        """No failure, and d inside the proved bound for every pair."""
        return not self.summary["failures"] and self.summary["bound_violations"] == 0

    def _repr_html_(self) -> str:
        from simcheck.calibration.report import notebook_sections
        from simcheck.report.page import render_fragment

        return render_fragment(notebook_sections(self.summary, self.rows))


def calibrate(
    paths: Sequence[str | Path] | None = None,
    *,
    alpha: float = 1.0,
    origin: str = "world",
    steps: int = 9,
    seed: int = 0,
    norm: str | None = None,
    options: ReadOptions | None = None,
    out: str | Path | None = None,
    force: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> Calibration:
    """Calibrate E_B and E_alpha against simulated displacements.

    Every movable joint is given one known error at a time; truth and prediction are driven in PyBullet; the
    displacement d of the moved body's material points is compared with the norms.

    Parameters
    ----------
    paths
        URDF files and folders of them; by default the objects of the project and PyBullet's robots.
    alpha
        Weight of the split norm, 1/length.
    origin
        ``world`` or ``base``: where E_alpha has its origin.
    steps
        Gauss-Lobatto nodes along each sweep, ends included.
    seed
        Of the drawn errors; the rows of an object depend on its bytes and the seed alone.
    norm
        ``MODULE:FUNCTION``, a norm of the user's own (`simcheck.norms`): adds ``E_norm`` to the rows.
    options
        How files are read.
    out
        Folder for rows, figures, summary and report; resumed if it holds a part of the same run.
    force
        Replace results of other settings in ``out``.
    workers
        Processes; the rows do not depend on their number.
    progress
        Called after each object with (done, total, file).

    Returns
    -------
    Calibration

    Raises
    ------
    UsageError    options that make no sense, or a folder with other results
    AssetError    the only file given cannot be used
    """
    if steps < 2:
        raise UsageError(f"--steps: expected at least 2, got {steps}")
    if workers < 1:
        raise UsageError(f"--workers: expected at least 1, got {workers}")
    read_options = options or ReadOptions()
    chosen = CalibrationOptions(alpha, origin, steps, seed, norm=norm)
    norm_sources = norm_files(norm)
    files = default_objects() if paths is None else collect([Path(p) for p in paths])
    missing = [f for f in files if not f.is_file()]
    if missing and len(files) == 1:
        raise AssetError(str(missing[0]), "no such file", code="FILE_UNREADABLE")
    settings = {
        **asdict(chosen),
        **read_settings(read_options),
        "version": VERSION,
        "inputs": input_hashes(f for f in [*files, *norm_sources] if f.is_file())
        | dict.fromkeys(map(str, missing), "missing"),
    }
    folder = None if out is None else RunFolder(Path(out), settings, force=force, also=(SUITE,))
    if folder is not None and folder.summary is not None:
        import polars

        return Calibration(folder.summary, polars.read_parquet(folder.path / "rows.parquet"), folder.path)
    names = [str(f) for f in files]
    parts = run_parts(
        calibrate_object,
        [(name, read_options, chosen) for name in names],
        lambda k, outcome: _part(names[k], outcome, chosen.engine),
        folder=folder,
        workers=workers,
        timeout=TIMEOUT,
        progress=progress,
        names=names,
    )
    facts: list[dict[str, Any]] = []
    rows = _defined(joined(_tables(parts, facts), ROW_TYPES))
    failures = [AssetError(**f["failure"]) for f in facts if "failure" in f]
    if len(failures) == len(files):
        raise failures[0] if len(files) == 1 else UsageError("\n".join(map(str, ["no file can be used", *failures])))
    summary = _summary(settings, chosen, facts, rows)
    if folder is not None:
        from simcheck.calibration.report import write_figures_and_report

        folder.write_rows(rows)
        write_figures_and_report(folder.path, summary, rows)
        folder.finish(summary)
    return Calibration(plain(summary), rows, None if folder is None else folder.path)


def _part(file: str, outcome: Outcome, engine: str) -> Part:
    """What is kept of one object: facts as plain JSON, and its rows."""
    import polars

    refusal = outcome.refusal(file)
    if refusal is not None:
        failure = {name: getattr(refusal, name) for name in ("file", "cause", "element", "attribute", "remedy")}
        return {"file": file, "failure": failure}, None
    value: ObjectRows = outcome.value
    warnings = [*value.warnings, *simulator_warnings(file, engine, outcome.output)]
    facts = {
        "file": file,
        "joints": value.joints,
        "skipped": [{"file": file, **s} for s in value.skipped],
        "warnings": [asdict(w) for w in warnings],
    }
    return facts, polars.DataFrame(value.columns) if value.columns else None


def _tables(parts: Iterable[Part], facts: list[dict[str, Any]]) -> Iterator[polars.DataFrame | None]:
    """The rows of each part; its facts are appended to a list on the way."""
    for about, rows in parts:
        facts.append(about)
        yield rows


def _defined(rows: polars.DataFrame) -> polars.DataFrame:
    """Null is the only "undefined" that leaves the program."""
    import polars

    return rows.with_columns(polars.col(polars.Float64).fill_nan(None))


def _summary(
    settings: dict[str, Any], options: CalibrationOptions, facts: list[dict[str, Any]], rows: polars.DataFrame
) -> dict[str, Any]:
    failures = [{"file": f["file"], "reason": str(AssetError(**f["failure"]))} for f in facts if "failure" in f]
    used = [f for f in facts if "failure" not in f]
    warnings = [AssetWarning(**w) for f in used for w in f["warnings"]]
    fields = {
        "objects": len(used),
        "joints": sum(f["joints"] for f in used),
        **summarise(rows),
        "skipped": [s for f in used for s in f["skipped"]],
        "failures": failures,
    }
    return result("calibrate", settings, warnings, fields, origin=options.origin)
