"""One worker process: receives tasks over a socket, runs them, keeps what C code prints apart.

Started by `simcheck.workers`; its arguments are the file descriptors of the socket and of the file for the C output.
"""

from __future__ import annotations

import contextlib
import ctypes
import locale
import os
import resource
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from simcheck.errors import SimcheckError

_KEPT = 20_000  # characters of C output that are handed on
_LARGEST_FILE = 64 * 2**20  # bytes a worker may write into one file: C output without end must not fill the disk


def main() -> None:
    """Serve tasks until the other end closes."""
    connection = Connection(int(sys.argv[1]))
    capture = int(sys.argv[2])
    debug = os.dup(2)
    # Before anything is imported that prints at import, as PyBullet does.
    for stream in (1, 2):
        os.dup2(capture, stream)
    locale.setlocale(locale.LC_NUMERIC, "C")
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    while True:
        try:
            function, arguments = connection.recv()
        except (EOFError, ConnectionError):
            return
        except Exception as error:  # a task that cannot even be unpacked is that task's failure
            connection.send((False, SimcheckError(f"{type(error).__name__}: {error}"), ""))
            continue
        reply = guarded(function, arguments, debug)
        connection.send((*reply, _take_output(capture)))


def guarded(function: Callable[..., Any], arguments: tuple[Any, ...], debug: int | None = None) -> tuple[bool, Any]:
    """A task's value, or its error as a value; ``debug`` is where the traceback goes with ``SIMCHECK_DEBUG``."""
    try:
        return True, function(*arguments)
    except SimcheckError as error:
        return False, error
    except Exception as error:
        if debug is not None and os.environ.get("SIMCHECK_DEBUG"):
            os.write(debug, traceback.format_exc().encode())
        return False, SimcheckError(f"internal error: {type(error).__name__}: {error}")


def _take_output(capture: int) -> str:
    """What was printed since the last task, C buffers flushed; the file is emptied."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)
    size = os.fstat(capture).st_size
    text = os.pread(capture, min(size, _KEPT), 0).decode("utf-8", errors="replace") if size else ""
    os.ftruncate(capture, 0)
    return text


if __name__ == "__main__":
    main()
