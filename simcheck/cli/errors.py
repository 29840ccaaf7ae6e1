"""How a failure reaches the user: one message on stderr and an exit code, never a traceback."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

import typer

from simcheck.errors import SimcheckError

Command = TypeVar("Command", bound=Callable[..., Any])


def reported(command: Command, name: str = "") -> Command:
    """The command with its errors printed: exit code 2 for a `SimcheckError` and for a defect of ours."""
    title = name or command.__name__

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        debug = bool(kwargs.get("debug"))
        if debug:
            os.environ["SIMCHECK_DEBUG"] = "1"  # worker processes print their tracebacks too
        try:
            return command(*args, **kwargs)
        except SimcheckError as error:
            _fail(title, str(error), debug)
        except ModuleNotFoundError as error:
            _fail(title, f"{error.name} is not installed; install the extra [sim]", debug)
        except (typer.Exit, typer.Abort, KeyboardInterrupt):
            raise
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader went away, as `head` does
            raise typer.Exit(1) from None
        except Exception as error:
            message = f"internal error: {type(error).__name__}: {error} (--debug shows where; please report it)"
            _fail(title, message, debug)

    return run  # type: ignore[return-value]


def _fail(command: str, message: str, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    print(f"simcheck {command}: error: {message}", file=sys.stderr)
    raise typer.Exit(2)
