"""The options that commands share: one name, one meaning, one help text each (SPEC section 9)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.errors import UsageError

METRIC, FRAMES, READING, OUTPUT, USE = "Metric", "Frames", "Reading", "Output", "Use"


class BodyChoice(str, Enum):
    """What a joint moves."""

    cluster = "cluster"
    subtree = "subtree"


class InertiaChoice(str, Enum):
    """Where masses come from."""

    auto = "auto"
    urdf = "urdf"
    mesh = "mesh"


class OriginChoice(str, Enum):
    """The point that is 0 in results."""

    world = "world"
    base = "base"


class ModeChoice(str, Enum):
    """How a joint is driven."""

    kinematic = "kinematic"
    motor = "motor"


class EngineChoice(str, Enum):
    """Simulators."""

    pybullet = "pybullet"
    mujoco = "mujoco"


class FormatChoice(str, Enum):
    """Formats of predictions."""

    urdf = "urdf"
    cage = "cage"
    singapo = "singapo"
    paris = "paris"
    digital_twin_art = "digital_twin_art"
    ditto = "ditto"
    partnet_mobility = "partnet_mobility"
    articulate_anything = "articulate_anything"
    plain = "plain"


class LengthUnit(str, Enum):
    """Unit of lengths in tables."""

    m = "m"
    cm = "cm"
    mm = "mm"


class AngleUnit(str, Enum):
    """Unit of angles in tables."""

    rad = "rad"
    deg = "deg"


def read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Defaults of the command from a TOML file: top-level keys, and a table with the command's name."""
    if path is None:
        return None
    try:
        data = _parse_toml(path)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{path}: {error}") from None
    leaves = dict(_leaves(context.find_root().command, ()))
    own = tuple(c.info_name or "" for c in _lineage(context))
    everywhere = {option for command in leaves.values() for option in _option_names(command)}
    names = _option_names(context.command)
    defaults: dict[str, Any] = {}
    for place, key, value in _entries(data, (), leaves, own):
        if key in names:
            defaults[names[key]] = _as_option(value)
        elif place == own:
            raise typer.BadParameter(f"{path}: [{'.'.join(place)}]: unknown key {key!r}")
        elif key not in everywhere:
            raise typer.BadParameter(f"{path}: unknown key {key!r}; known: {', '.join(sorted(names))}")
    context.default_map = {**(context.default_map or {}), **defaults}
    return path


Place = tuple[str, ...]  # names of commands from the outermost inwards: ("calibrate",), ("suite", "generate")


def _lineage(context: typer.Context) -> list[Any]:
    """The contexts from the outermost command to this one, without the program itself."""
    found: list[Any] = []
    while context.parent is not None:
        found.insert(0, context)
        context = context.parent  # type: ignore[assignment]
    return found


def _leaves(command: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    """Every command that does something, with its place."""
    inside = getattr(command, "commands", None)
    if inside is None:
        yield place, command
        return
    for name, child in inside.items():
        yield from _leaves(child, (*place, name))


def _entries(
    table: dict[str, Any], place: Place, leaves: dict[Place, Any], own: Place
) -> Iterator[tuple[Place, str, Any]]:
    """The keys of a file with the table they stand in; tables of other commands are passed over."""
    for key, value in table.items():
        inner = (*place, key)
        if isinstance(value, dict) and any(leaf[: len(inner)] == inner for leaf in leaves):
            if own[: len(inner)] == inner:
                yield from _entries(value, inner, leaves, own)
        else:
            yield place, key, value


def _parse_toml(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _option_names(command: Any) -> dict[str, str]:
    """Flag without dashes -> parameter name, for everything that a file may set."""
    excluded = {"config", "help", "debug"}
    return {
        flag.lstrip("-"): option.name
        for option in command.params
        for flag in option.opts
        if flag.startswith("--") and option.name not in excluded
    }


def _as_option(value: Any) -> Any:
    """A table (``package``) as the repeated option that it stands for."""
    return [f"{name}={folder}" for name, folder in value.items()] if isinstance(value, dict) else value


Alpha = Annotated[
    float, typer.Option(help="Weight of the translation in the split norm, 1/length.", rich_help_panel=METRIC)
]
Kappa = Annotated[float, typer.Option(help="Scale of the compactification.", rich_help_panel=METRIC)]
Norm = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:FUNCTION",
        help="A norm of your own beside ours (simcheck help extending).",
        rich_help_panel=METRIC,
    ),
]
Origin = Annotated[
    OriginChoice,
    typer.Option(help="Origin of E_alpha: the root link's frame, or the centre of the base.", rich_help_panel=METRIC),
]
Body = Annotated[
    BodyChoice,
    typer.Option(
        help="What a joint moves: its child with everything welded to it, or all downstream.", rich_help_panel=READING
    ),
]
Inertia = Annotated[
    InertiaChoice,
    typer.Option(
        help="Masses from the file where usable, from the file only, or from geometry.", rich_help_panel=READING
    ),
]
Density = Annotated[float, typer.Option(help="kg/m^3 of bodies from geometry.", rich_help_panel=READING)]
Format = Annotated[
    FormatChoice | None,
    typer.Option("--format", help="Format of the file; by default told from its content.", rich_help_panel=READING),
]
Match = Annotated[
    str,
    typer.Option(
        metavar="cost|name|FILE",
        help="How joints are paired; FILE: CSV ground_truth,prediction.",
        rich_help_panel=METRIC,
    ),
]
Align = Annotated[
    str,
    typer.Option(metavar="none|bbox|base:LINK|FILE", help="How the prediction is placed.", rich_help_panel=FRAMES),
]
Up = Annotated[
    str, typer.Option(metavar="x|y|z", help="Axis of the prediction that points up.", rich_help_panel=FRAMES)
]
Scale = Annotated[float | None, typer.Option(help="Factor of the prediction's lengths.", rich_help_panel=FRAMES)]
Base = Annotated[
    str, typer.Option(metavar="written|free", help="Base link of the predicted tree.", rich_help_panel=METRIC)
]
Fallback = Annotated[
    str,
    typer.Option(metavar="none|alpha", help="What prices joints without a body in E_B trees.", rich_help_panel=METRIC),
]
TimeLimit = Annotated[float, typer.Option(help="Seconds for each exact tree distance.", rich_help_panel=USE)]
ImputeLimits = Annotated[
    str,
    typer.Option(
        metavar="none|gt", help="gt: predicted joints without limits take those of their match.", rich_help_panel=METRIC
    ),
]
Protocols = Annotated[
    str, typer.Option(metavar="NAME,…", help="Published component protocols to add.", rich_help_panel=METRIC)
]
Steps = Annotated[int, typer.Option(help="Gauss-Lobatto nodes of each simulated sweep.", rich_help_panel=METRIC)]
Package = Annotated[
    list[str] | None,
    typer.Option(
        "--package", metavar="NAME=DIR", help="Folder of package://NAME/ (repeatable).", rich_help_panel=READING
    ),
]
Decompose = Annotated[
    bool,
    typer.Option("--decompose", help="Split spherical and planar joints into one-DOF chains.", rich_help_panel=READING),
]
Wrap = Annotated[
    bool,
    typer.Option(
        "--wrap", help="Shift revolute limits by whole turns, midpoint in (-pi, pi].", rich_help_panel=READING
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="The result as JSON on stdout, nothing else there.", rich_help_panel=OUTPUT)
]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Folder for the results.", rich_help_panel=OUTPUT)
]
Unit = Annotated[LengthUnit, typer.Option(help="Lengths in tables.", rich_help_panel=OUTPUT)]
Angle = Annotated[AngleUnit, typer.Option(help="Angles in tables.", rich_help_panel=OUTPUT)]
Seed = Annotated[int, typer.Option(help="Of everything that is drawn.", rich_help_panel=USE)]
WorkersOption = Annotated[
    int, typer.Option("--workers", metavar="N", help="Processes; 0: one a core.", rich_help_panel=USE)
]
Force = Annotated[bool, typer.Option("--force", help="Replace results of other settings.", rich_help_panel=USE)]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        is_eager=True,
        callback=read_config,
        help="TOML file of options; flags given here win over it.",
        rich_help_panel=USE,
    ),
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No warnings, no progress.", rich_help_panel=USE)]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel=USE)]


def packages(values: list[str] | None) -> dict[str, str]:
    """``NAME=DIR`` options as a mapping."""
    found = {}
    for value in values or ():
        name, separator, folder = value.partition("=")
        if not separator or not name or not folder:
            raise UsageError(f"--package: expected NAME=DIR, got {value!r}")
        if not Path(folder).is_dir():
            raise UsageError(f"--package: {folder} is not a folder")
        found[name] = folder
    return found


def usable_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
