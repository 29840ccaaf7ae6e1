"""``simcheck verify``: files in, findings out, optionally into a folder that a killed run resumes from."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from simcheck.asset import xml
from simcheck.asset.model import ReadOptions
from simcheck.batch import Progress
from simcheck.defaults import collect
from simcheck.engine import open_engine
from simcheck.errors import AssetError, UsageError
from simcheck.results import plain, read_settings, result
from simcheck.run_folder import RunFolder
from simcheck.verification.baseline import read_baseline, without_known
from simcheck.verification.batch import examine_all
from simcheck.verification.examination import Checks
from simcheck.verification.finding import FileReport
from simcheck.version import VERSION
from simcheck.workers import TIMEOUT

Source = str | os.PathLike[str]


def verify(
    source: Source | Sequence[Source],
    *,
    motor: bool = True,
    sweep: bool = True,
    engine: str = "pybullet",
    baseline: Source | None = None,
    workers: int = 1,
    timeout: float = TIMEOUT,
    options: ReadOptions | None = None,
    out: Source | None = None,
    force: bool = False,
    watch: Callable[[FileReport], None] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Check URDF files: the text, the geometry, and what PyBullet makes of them as they stand.

    Parameters
    ----------
    source
        A file, a folder (every ``*.urdf`` in it), or several of them.
    motor
        Press each joint against its limits with a motor and compare where it stops.
    sweep
        Look for parts that pass through each other over the range of each joint.
    engine
        ``mujoco`` asks MuJoCo beside PyBullet (the extra ``mujoco``).
    baseline
        A saved result; its findings are counted as known and left out.
    workers
        Processes.
    timeout
        Seconds after which the process of one file is ended.
    options
        How the files are read.
    out
        Folder for ``rows.parquet rows.csv summary.json settings.json report.html``.
    force
        Replace results of other settings in ``out``.
    watch
        Called with the report of each file as soon as it is known.
    progress
        Called after each file with (done, total, file).

    Returns
    -------
    dict
        The JSON object of SPEC section 9; ``files[k]["ok"]`` is True where there is no error.

    Raises
    ------
    UsageError     a path does not exist, or the baseline is not a result of verify
    """
    if engine != "pybullet":
        open_engine(engine).close()  # one that is not there is refused here, not once a file
    files = found_files([source] if isinstance(source, str | os.PathLike) else source)
    known = None if baseline is None else read_baseline(Path(baseline))
    checks = Checks(True, motor, sweep, "" if engine == "pybullet" else engine, options or ReadOptions())
    settings = {
        "motor": motor,
        "sweep": sweep,
        "engine": engine,
        "baseline": None if baseline is None else _digest(Path(baseline)),
        **read_settings(checks.options),
        "inputs": {file: _digest(Path(file)) for file in files},
    }
    saved = {"command": "verify", "version": VERSION, **settings}
    folder = None if out is None else RunFolder(Path(out), saved, force=force)
    reports = []
    for report in examine_all(files, checks, workers=workers, timeout=timeout, folder=folder, progress=progress):
        shown = report if known is None else without_known(report, known)
        reports.append(shown)
        if watch is not None:
            watch(shown)
    found = plain(result("verify", settings, [], {"files": [report.entry for report in reports]}))
    if folder is not None:
        from simcheck.verification.page import finding_rows, write_page

        folder.write_rows(finding_rows(found))
        write_page(folder.path, found)
        folder.finish(found)
    return found


def found_files(paths: Iterable[Source]) -> list[str]:
    """The files that files and folders name; `UsageError` for what does not exist."""
    given = [Path(path) for path in paths]
    missing = [str(path) for path in given if not path.exists()]
    if missing:
        raise UsageError(f"{missing[0]}: no such file or folder")
    return [str(path) for path in collect(given)]


def _digest(path: Path) -> str:
    """SHA-256 of a file that can be read, else nothing."""
    try:
        return hashlib.sha256(xml.read_bytes(path)).hexdigest() if path.is_file() else ""
    except AssetError:
        return ""
