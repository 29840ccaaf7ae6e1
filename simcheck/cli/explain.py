"""``simcheck explain``."""

from __future__ import annotations

from typing import Annotated

import typer

from simcheck.cli import options as given


def explain(
    code: Annotated[str, typer.Argument(metavar="[CODE]", help="A code of verify; all of them without it.")] = "",
    debug: given.Debug = False,
) -> None:
    """What a code of verify means, why it matters, and how to mend it."""
    from simcheck.errors import UsageError
    from simcheck.verification.catalogue import CATALOGUE

    if not code:
        for entry in CATALOGUE.values():
            print(f"{entry.code:24} {entry.severity:8} {entry.title}")
        return
    found = CATALOGUE.get(code.upper())
    if found is None:
        import difflib

        near = difflib.get_close_matches(code.upper(), CATALOGUE, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`simcheck explain` lists them all"
        raise UsageError(f"no code {code!r}: {hint}")
    print(f"{found.code} ({found.severity}): {found.title}")
    print(f"  Why it matters: {found.why}")
    print(f"  How to mend it: {found.remedy}")
