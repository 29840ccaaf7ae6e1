"""The command line: parsing and printing only; each command imports its work when it runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the console script ``simcheck``."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ModuleNotFoundError as error:
        print(
            f"simcheck: error: {error.name} is not installed; the command line needs the extra [sim]:\n"
            '  pip install "articulate-simcheck[sim]"',
            file=sys.stderr,
        )
        sys.exit(2)
    from simcheck.cli.app import app

    app(prog_name="simcheck")
