"""Many independent tasks: on the processes of this machine, or on a Dask cluster; the same outcomes in the same order.

Each finished task is saved as a part of a results folder, so that a killed run goes on where it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simcheck.errors import SimulationError, UsageError
from simcheck.run_folder import RunFolder
from simcheck.worker import guarded
from simcheck.workers import Outcome, Workers

if TYPE_CHECKING:
    import polars

Part = tuple[dict[str, Any], "polars.DataFrame | None"]  # facts as plain JSON, and rows
Progress = Callable[[int, int, str], None]  # done, total, what was finished

_AHEAD = 64  # tasks handed to a cluster before the first result is taken
_LOOSE = 256  # small tables held before they are packed


def run_parts(
    function: Callable[..., Any],
    tasks: Sequence[tuple[Any, ...]],
    to_part: Callable[[int, Outcome], Part],
    *,
    folder: RunFolder | None,
    workers: int,
    timeout: float,
    scheduler: str | None = None,
    progress: Progress | None = None,
    names: Sequence[str],
) -> Iterator[Part]:
    """The parts of all tasks, in order and one at a time: those of an earlier run, and new ones, saved as they finish.

    Parameters
    ----------
    function, tasks
        ``function(*task)`` runs in another process.
    to_part
        Turns the outcome of a task, by its number, into what is kept of it.
    folder
        Where parts are saved and found again; None saves nothing.
    workers, timeout
        Processes of this machine, and seconds before one that hangs is ended.
    scheduler
        Address of a Dask scheduler; its workers are used instead of processes of this machine.
    progress, names
        Called after each task with (done, total, its name).
    """
    todo = [k for k in range(len(tasks)) if folder is None or not folder.has_part(k)]
    missing = set(todo)
    outcomes = (
        _local(function, tasks, todo, workers, timeout)
        if scheduler is None
        else _cluster(function, tasks, todo, scheduler)
    )
    for k, name in enumerate(names):
        if k in missing:
            part = to_part(k, next(outcomes))
            if folder is not None:
                folder.write_part(k, *part)
        else:
            assert folder is not None
            part = folder.part(k)
        yield part
        if progress is not None:
            progress(k + 1, len(tasks), name)


def joined(tables: Iterable[polars.DataFrame | None], schema: Mapping[str, type]) -> polars.DataFrame:
    """One table of many small ones, packed as they come: many small pieces would cost more than their numbers."""
    import polars

    packed, loose = polars.DataFrame(schema=schema), []
    for table in tables:
        if table is not None:
            loose.append(table)
        if len(loose) == _LOOSE:
            packed, loose = polars.concat([packed, *loose]).rechunk(), []
    return polars.concat([packed, *loose]).rechunk()


def _local(
    function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], todo: list[int], workers: int, timeout: float
) -> Iterator[Outcome]:
    with Workers(max(1, min(workers, len(todo))), timeout) as pool:
        yield from pool.map(function, (tasks[k] for k in todo))


def _cluster(
    function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], todo: list[int], address: str
) -> Iterator[Outcome]:
    """Outcomes in order from a Dask cluster; a lost worker's tasks are run again elsewhere by Dask."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise UsageError("--scheduler needs Dask: install the extra [cluster]") from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"--scheduler {address}: no Dask scheduler answers there ({type(error).__name__})") from None
    with client:
        running: deque[Any] = deque()
        waiting = iter(todo)
        index = 0
        while True:
            while len(running) < _AHEAD and (k := next(waiting, None)) is not None:
                running.append(client.submit(guarded, function, tasks[k], pure=False))
            if not running:
                return
            yield _outcome(index, running.popleft())
            index += 1


def _outcome(index: int, future: Any) -> Outcome:
    try:
        ok, value = future.result()
    except Exception as error:  # Dask gave the task up, for example after its workers died
        return Outcome(index, None, SimulationError(f"the cluster gave the task up: {type(error).__name__}"))
    return Outcome(index, value) if ok else Outcome(index, None, value)
