"""Supervised worker processes: a crash, a hang or a flood of C output costs one task, never the run.

A worker is a fresh interpreter (``python -m simcheck.worker``), so nothing depends on the caller's ``__main__``, its
threads or its locale. Each task is ``(function, arguments)``; the outcome is a value, or the reason why there is none.
"""

from __future__ import annotations

import contextlib
import multiprocessing.connection
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any

from simcheck.errors import AssetError, ProcessLost, ProcessTimeout, SimcheckError

TIMEOUT = 120.0  # seconds a task may take; the slowest real file takes about 10

_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
)


@dataclass(frozen=True)
class Outcome:
    """How one task ended."""

    index: int  # of the task, in the order given
    value: Any = None
    error: SimcheckError | None = None
    output: str = ""  # what C code printed meanwhile

    def refusal(self, file: str) -> AssetError | None:
        """The error as one about a file, None where there is none."""
        if self.error is None or isinstance(self.error, AssetError):
            return self.error
        return AssetError(file, str(self.error), code="CHECK_FAILED")

    def unwrap(self) -> Any:
        """The value, or the error raised."""
        if self.error is not None:
            raise self.error
        return self.value


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    connection: Connection
    capture: int  # file descriptor of what its C code prints
    task: int = -1
    deadline: float = 0.0


@dataclass
class Workers:
    """A fixed number of worker processes; use it in a ``with`` block.

    Parameters
    ----------
    count
        Processes; a task runs in one of them.
    timeout
        Seconds after which a task's process is killed.
    """

    count: int = 1
    timeout: float = TIMEOUT
    _workers: list[_Worker] = field(default_factory=list, init=False)

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            _end(worker)
        self._workers.clear()

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """One task: its value, or its error raised; its C output goes to this process's log of warnings."""
        return next(iter(self.map(function, [arguments]))).unwrap()

    def map(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        """The outcomes of ``function(*arguments)`` for each task, in the order of the tasks.

        Few tasks are ahead of the one handed out, so that memory does not grow with their number.
        """
        waiting = enumerate(tasks)
        finished: dict[int, Outcome] = {}
        running: deque[int] = deque()
        exhausted = False
        next_index = 0
        while True:
            while not exhausted and len(running) < self.count and len(finished) < 4 * self.count:
                index, arguments = next(waiting, (-1, ()))
                if index < 0:
                    exhausted = True
                    break
                self._start(index, function, arguments)
                running.append(index)
            if not running and next_index not in finished:
                return
            while next_index not in finished:
                for outcome in self._wait():
                    running.remove(outcome.index)
                    finished[outcome.index] = outcome
                if len(finished) < 4 * self.count and not exhausted:
                    break
            while next_index in finished:
                yield finished.pop(next_index)
                next_index += 1

    def _start(self, index: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        idle = next((w for w in self._workers if w.task < 0), None) or self._add()
        try:
            idle.connection.send((function, arguments))
        except (BrokenPipeError, ConnectionError):  # it died while idle
            self._workers.remove(idle)
            _end(idle)
            idle = self._add()
            idle.connection.send((function, arguments))
        idle.task, idle.deadline = index, time.monotonic() + self.timeout

    def _add(self) -> _Worker:
        worker = _launch()
        self._workers.append(worker)
        return worker

    def _wait(self) -> list[Outcome]:
        """Wait until at least one running task has ended."""
        busy = [w for w in self._workers if w.task >= 0]
        patience = max(0.0, min(w.deadline for w in busy) - time.monotonic())
        ready = multiprocessing.connection.wait([w.connection for w in busy], patience)
        outcomes = []
        for worker in busy:
            if worker.connection in ready:
                outcomes.append(self._collect(worker))
            elif time.monotonic() >= worker.deadline:
                message = f"no answer within {self.timeout:g} s: the process was ended"
                outcomes.append(self._abandon(worker, ProcessTimeout, message))
        return outcomes

    def _collect(self, worker: _Worker) -> Outcome:
        try:
            ok, value, output = worker.connection.recv()
        except (EOFError, ConnectionError):
            code = worker.process.wait()
            return self._abandon(worker, ProcessLost, f"the process died ({_death(code)})")
        index, worker.task = worker.task, -1
        return Outcome(index, value, None, output) if ok else Outcome(index, None, value, output)

    def _abandon(self, worker: _Worker, kind: type[ProcessLost], message: str) -> Outcome:
        output = _captured(worker.capture)
        last = output.strip().splitlines()[-1:] or [""]
        said = f"; its last words: {last[0][:200]!r}" if last[0] else ""
        self._workers.remove(worker)
        index = worker.task
        _end(worker)
        return Outcome(index, None, kind(message + said), output)


def _death(code: int) -> str:
    if code < 0:
        import signal

        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _launch() -> _Worker:
    ours, theirs = socket.socketpair()
    capture = _scratch_file()
    environment = {
        **os.environ,
        **dict.fromkeys(_ONE_THREAD, "1"),
        "LC_NUMERIC": "C",
        "PYTHONPATH": os.pathsep.join(p or os.getcwd() for p in sys.path),
    }
    environment.pop("LC_ALL", None)  # it would override LC_NUMERIC
    process = subprocess.Popen(
        [sys.executable, "-m", "simcheck.worker", str(theirs.fileno()), str(capture)],
        pass_fds=[theirs.fileno(), capture],
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    theirs.close()
    return _Worker(process, Connection(ours.detach()), capture)


def _scratch_file() -> int:
    """A file without a name: nothing is left of it whatever kills whom."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="simcheck-", dir=folder) as scratch:
        return os.open(os.path.join(scratch, "output"), os.O_RDWR | os.O_APPEND | os.O_CREAT)


def _end(worker: _Worker) -> None:
    with contextlib.suppress(OSError):
        worker.connection.close()
    worker.process.kill()
    worker.process.wait()
    with contextlib.suppress(OSError):
        os.close(worker.capture)


def _captured(capture: int) -> str:
    return os.pread(capture, os.fstat(capture).st_size, 0).decode("utf-8", errors="replace")
