"""Many files through supervised workers: what one of them does to its process costs the others nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from simcheck.batch import Part, Progress, run_parts
from simcheck.engine.messages import split_messages
from simcheck.errors import ProcessLost, ProcessTimeout, SimcheckError
from simcheck.run_folder import RunFolder
from simcheck.verification.examination import Checks, examine
from simcheck.verification.finding import FileReport, Finding, finding, ordered
from simcheck.verification.simulation import AS_IT_STANDS, REFUSED, stages
from simcheck.workers import TIMEOUT, Outcome, Workers

_LAST_WORDS = 8  # pieces of text: PyBullet prints a sentence in several


def examine_all(
    files: Iterable[str],
    checks: Checks,
    *,
    workers: int = 1,
    timeout: float = TIMEOUT,
    folder: RunFolder | None = None,
    progress: Progress | None = None,
) -> Iterator[FileReport]:
    """The report of each file, in the order given, as soon as it is known; those saved in a folder come from it."""
    names = list(files)
    with Workers(1, timeout) as spare:

        def part(k: int, outcome: Outcome) -> Part:
            if outcome.error is None:
                return _with_messages(outcome.value, outcome.output).entry, None
            return _without_simulator(names[k], checks, outcome, spare).entry, None

        tasks = [(name, checks) for name in names]
        parts = run_parts(
            examine, tasks, part, folder=folder, workers=workers, timeout=timeout, progress=progress, names=names
        )
        for entry, _ in parts:
            yield FileReport.from_entry(entry)


def _with_messages(report: FileReport, output: str) -> FileReport:
    """The report with what the simulator printed while it loaded the file; a refusal says it in its own line."""
    said = _last_words(stages(output).get(AS_IT_STANDS, ""))
    if not said:
        return report
    refusals = [f for f in report.findings if f.code == "SIM_REFUSED" and f.message == REFUSED]
    if not refusals:
        return _extended(report, [finding("SIM_MESSAGE", "robot", said)])
    told = [replace(f, message=f"{REFUSED}; it says: {said}") if f in refusals else f for f in report.findings]
    return replace(report, findings=tuple(told))


def _without_simulator(name: str, checks: Checks, lost: Outcome, spare: Workers) -> FileReport:
    """The report of a file that cost its process: looked at again without simulator, and what happened."""
    assert lost.error is not None
    stage = list(stages(lost.output))[-1:]
    if isinstance(lost.error, ProcessLost) and stage:
        happened = _lost(lost.error, stage[0], lost.output)
        again = next(iter(spare.map(examine, [(name, replace(checks, simulate=False))])))
        report = again.value if again.error is None else FileReport(name, ())
        return _extended(report, [happened, *([] if again.error is None else [_failed(again.error)])])
    return _extended(FileReport(name, ()), [_failed(lost.error)])


def _lost(error: ProcessLost, stage: str, output: str) -> Finding:
    words = _last_words(stages(output)[stage])
    said = f"; its last words: {words}" if words else ""
    event = str(error).split(";")[0]
    code = "SIM_TIMEOUT" if isinstance(error, ProcessTimeout) else "SIM_CRASHED"
    return finding(code, "robot", f"{event} while {stage}{said}", value=stage)


def _last_words(output: str) -> str:
    return " ".join(split_messages(output)[-_LAST_WORDS:])


def _failed(error: SimcheckError) -> Finding:
    remedy = "Allow it more time with --timeout." if isinstance(error, ProcessTimeout) else ""
    return finding("CHECK_FAILED", "", str(error), remedy=remedy)


def _extended(report: FileReport, findings: Iterable[Finding]) -> FileReport:
    placed = [replace(f, file=report.file) for f in findings]
    return replace(report, findings=ordered([*report.findings, *placed]))
