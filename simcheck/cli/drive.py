"""``simcheck drive``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import AngleUnit, BodyChoice, EngineChoice, InertiaChoice, LengthUnit, ModeChoice


def drive(
    urdf: Annotated[
        Path, typer.Argument(metavar="URDF", help="A URDF, or a prediction in another format.", show_default=False)
    ],
    joint: Annotated[
        list[str] | None, typer.Option("--joint", metavar="NAME", help="Drive this joint only (repeatable).")
    ] = None,
    mode: Annotated[ModeChoice, typer.Option(help="Set coordinates, or also press against the limits.")] = (
        ModeChoice.kinematic
    ),
    steps: Annotated[int, typer.Option(help="Coordinates from limit to limit.")] = 9,
    as_is: Annotated[
        bool, typer.Option("--as-is", help="Drive the file's own text (geometry stripped), not our clean copy.")
    ] = False,
    engine: Annotated[EngineChoice, typer.Option(help="The simulator; MuJoCo needs the extra mujoco.")] = (
        EngineChoice.pybullet
    ),
    timeout: Annotated[float, typer.Option(help="Seconds before a simulator that hangs is ended.")] = 120.0,
    body: given.Body = BodyChoice.cluster,
    inertia: given.Inertia = InertiaChoice.auto,
    density: given.Density = 1000.0,
    package: given.Package = None,
    format_name: given.Format = None,
    decompose: given.Decompose = False,
    wrap: given.Wrap = False,
    json: given.Json = False,
    out: given.Out = None,
    unit: given.Unit = LengthUnit.m,
    angle: given.Angle = AngleUnit.rad,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """What each joint really does in a simulator: where it goes, what it moves, where it stops."""
    from simcheck.asset import ReadOptions
    from simcheck.cli import output
    from simcheck.driving import drive as drive_file

    result = drive_file(
        urdf,
        joints=joint,
        mode=mode.value,
        steps=steps,
        as_is=as_is,
        engine=engine.value,
        timeout=timeout,
        format=None if format_name is None else format_name.value,
        options=ReadOptions(body.value, inertia.value, density, given.packages(package), decompose, wrap),
    )
    output.finish(result, lambda r: _print_table(r, unit, angle), json=json, out=out, force=force, quiet=quiet)


def _print_table(result: dict[str, Any], unit: LengthUnit, angle: AngleUnit) -> None:
    from simcheck.cli import output

    turn = "°" if angle is AngleUnit.deg else "rad"
    motor = result["settings"]["mode"] == "motor"
    interval = f"driven [{turn}, {unit.value}]"
    columns = ["joint", "kind", interval, *(["stops at"] if motor else []), "error / size",
               f"RMS displacement [{unit.value}]", "axis (measured)", "moves"]  # fmt: skip
    rows = []
    for joint in result["joints"]:
        ends = {
            name: "–"
            if joint[name] is None
            else " … ".join(output.coordinate(x, joint["kind"], unit, angle) for x in joint[name])
            for name in ("driven", "effective")
        }
        rms = joint["rms_displacement"]
        rows.append(
            [
                joint["name"],
                joint["kind"],
                ends["driven"],
                *([ends["effective"]] if motor else []),
                f"{joint['placement_error']:.1e}",
                "–" if rms is None else " … ".join(output.length(x, unit) for x in rms),
                output.vector(joint["axis"]),
                ", ".join(joint["moves"][:6]) + (f" +{len(joint['moves']) - 6}" if len(joint["moves"]) > 6 else ""),
            ]
        )
    screen = output.console()
    screen.print(output.table(f"{result['file']}: {len(rows)} joints driven", columns, rows, left=2, words_last=True))
    if not rows:
        screen.print("no movable joint")
