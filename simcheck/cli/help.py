"""``simcheck help``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from simcheck.cli import options as given


def help(
    context: typer.Context,
    topic: Annotated[
        str, typer.Argument(metavar="[TOPIC]", help="A topic or a command; a list of the topics without it.")
    ] = "",
    debug: given.Debug = False,
) -> None:
    """Tutorials, conventions, formats, findings, extending: pages to read."""
    from simcheck.errors import UsageError
    from simcheck.help import TOPICS, page, title

    if not topic:
        for name in TOPICS:
            print(f"{name:16}{title(name)}")
        return
    if topic in TOPICS:
        _show(page(topic))
        return
    above = context.parent
    command = getattr(above.command, "commands", {}).get(topic) if above else None
    if command is None:
        raise UsageError(f"no topic or command {topic!r}; topics: {', '.join(TOPICS)}")
    print(command.get_help(command.context_class(command, info_name=topic, parent=above)))


def _show(text: str) -> None:
    """Markdown drawn for a terminal, as it is for a pipe."""
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))
