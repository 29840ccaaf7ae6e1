"""``simcheck convert``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given


def convert(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The prediction.", show_default=False)],
    out: Annotated[Path, typer.Argument(metavar="OUT.urdf", help="The URDF to write.", show_default=False)],
    format_name: given.Format = None,
    package: given.Package = None,
    decompose: given.Decompose = False,
    wrap: given.Wrap = False,
    json: given.Json = False,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """A prediction in a format of the field as a URDF that every loader reads."""
    from simcheck.asset import ReadOptions
    from simcheck.cli import output
    from simcheck.formats.conversion import convert as convert_file

    options = ReadOptions(packages=given.packages(package), decompose=decompose, wrap=wrap)
    name = None if format_name is None else format_name.value
    result = convert_file(file, out, format=name, force=force, options=options)
    output.finish(result, _print_line, json=json, out=None, force=force, quiet=quiet)


def _print_line(result: dict[str, Any]) -> None:
    kinds = Counter(joint["kind"] for joint in result["joints"])
    joints = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"
    print(f"{result['out']}: {len(result['links'])} links; joints: {joints}; read as {result['format']}")
