"""Topic pages: the Markdown files of this folder, shown by ``simcheck help TOPIC``."""

from __future__ import annotations

from importlib.resources import files

# In reading order: a page for each kind of user, then what all of them look up.
TOPICS = ("reconstruction", "metrics", "libraries", "reproduction", "conventions", "formats", "findings", "extending")


def page(topic: str) -> str:
    """The Markdown text of a topic."""
    return files(__name__).joinpath(f"{topic}.md").read_text(encoding="utf-8")


def title(topic: str) -> str:
    """The heading of a topic."""
    return page(topic).splitlines()[0].removeprefix("# ")
