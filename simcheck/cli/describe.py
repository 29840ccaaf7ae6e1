"""``simcheck describe``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import AngleUnit, BodyChoice, InertiaChoice, LengthUnit, OriginChoice


def describe(
    urdf: Annotated[
        Path, typer.Argument(metavar="URDF", help="A URDF, or a prediction in another format.", show_default=False)
    ],
    all_joints: Annotated[bool, typer.Option("--all", help="List fixed joints too.")] = False,
    alpha: given.Alpha = 1.0,
    kappa: given.Kappa = math.pi,
    origin: given.Origin = OriginChoice.world,
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
    """What a file says: each joint in the world frame at rest, what it moves, how far it is from fixed."""
    from simcheck.asset import ReadOptions
    from simcheck.description import describe as describe_file

    read_options = ReadOptions(body.value, inertia.value, density, given.packages(package), decompose, wrap)
    result = describe_file(
        urdf,
        alpha=alpha,
        kappa=kappa,
        origin=origin.value,
        all_joints=all_joints,
        format=None if format_name is None else format_name.value,
        options=read_options,
    )
    from simcheck.cli import output

    output.finish(result, lambda r: _print_table(r, unit, angle), json=json, out=out, force=force, quiet=quiet)


def _print_table(result: dict[str, Any], unit: LengthUnit, angle: AngleUnit) -> None:
    from simcheck.cli import output

    turn = "°" if angle is AngleUnit.deg else "rad"
    length = unit.value
    columns = [
        "joint", "kind", "parent → child", f"limits [{turn}, {length}]", "axis", f"origin [{length}]",
        "mass [kg]", "source", "E_α", f"E_B [{length}]", "E_α^φ", "E_B^φ", f"d [{length}]",
    ]  # fmt: skip
    rows = [_row(joint, unit, angle) for joint in result["joints"]]
    title = (
        f"{result['name']}  ({result['file']}): {len(result['links'])} links, {len(rows)} joints; distances to fixed"
    )
    screen = output.console()
    screen.print(output.table(title, columns, rows, left=3))
    if not rows:
        screen.print("no movable joint")
    output.print_reasons(result["joints"])


def _row(joint: dict[str, Any], unit: LengthUnit, angle: AngleUnit) -> list[str]:
    from simcheck.cli import output

    body, distances = joint["body"], joint["to_fixed"]
    ends = [output.coordinate(joint[end], joint["kind"], unit, angle) for end in ("lower", "upper")]
    pitch = "" if joint["pitch"] is None else f" ({output.length(joint['pitch'], unit)} {unit.value}/rad)"
    return [
        joint["name"],
        joint["kind"] + pitch,
        f"{joint['parent']} → {joint['child']}",
        " … ".join(ends),
        output.vector(joint["axis"]),
        output.vector(joint["origin"], output.per_metre(unit)),
        output.number(None if body is None else body["mass"]),
        "–" if body is None else body["source"],
        output.number(distances["E_alpha"]),
        output.length(distances["E_B"], unit),
        output.number(distances["E_alpha_phi"]),
        output.number(distances["E_B_phi"]),
        output.length(distances["d"], unit),
    ]
