"""``simcheck suite generate`` and ``simcheck suite import``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.errors import reported

_SHOWN = 10  # refused files and failures on the screen; all of them are in the results

suite = typer.Typer(
    help="Standard objects with verified kinematics, and other libraries in their form.", no_args_is_help=True
)


def generate(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder of the suite.", show_default=False)],
    objects: Annotated[int, typer.Option("--objects", metavar="N", help="How many objects.")] = 20_000,
    json: given.Json = False,
    seed: given.Seed = 0,
    workers: given.WorkersOption = 0,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Generate articulated objects, each read back, driven and pressed in PyBullet, and proved free of collisions."""
    from simcheck.cli import output
    from simcheck.suite import generate_suite

    with output.progress_bar("generating", quiet) as progress:
        made = generate_suite(
            out,
            objects=objects,
            seed=seed,
            workers=workers or given.usable_cores(),
            force=force,
            progress=progress,
        )
    if json:
        output.print_json({**made.summary, "out": str(made.path)})
    else:
        _print_suite(made.summary, made.path)
    if not made.passed:
        raise typer.Exit(1)


def import_(
    source: Annotated[
        Path, typer.Argument(metavar="SRC", help="Folder of URDFs or PartNet-Mobility objects.", show_default=False)
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the objects.", show_default=False)],
    states: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="JSON beside an object: the stored state that becomes its rest pose.",
            rich_help_panel=given.READING,
        ),
    ] = "joint_states.json",
    density: given.Density = 1000.0,
    package: given.Package = None,
    decompose: given.Decompose = False,
    json: given.Json = False,
    workers: given.WorkersOption = 0,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Bring a library into the form of the suite, and report every change and every refused file."""
    from simcheck.asset import ReadOptions
    from simcheck.cli import output
    from simcheck.suite import import_library

    read_options = ReadOptions(density=density, packages=given.packages(package), decompose=decompose)
    with output.progress_bar("importing", quiet) as progress:
        library = import_library(
            source,
            out,
            options=read_options,
            states=states,
            workers=workers or given.usable_cores(),
            force=force,
            progress=progress,
        )
    if json:
        output.print_json({**library.summary, "out": str(library.path)})
    else:
        _print_library(library.summary, library.path, quiet)
    if library.summary["refused"]:
        raise typer.Exit(2 if library.summary["objects"] == 0 else 1)


suite.command("generate")(reported(generate, "suite generate"))
suite.command("import")(reported(import_, "suite import"))


def _print_suite(summary: dict[str, Any], out: Path) -> None:
    from simcheck.cli import output

    screen = output.console()
    screen.print(
        f"[bold]Suite[/bold]: {summary['objects']:,} objects in {summary['categories']} categories, "
        f"{summary.get('movable_joints', 0):,} movable joints"
    )
    if summary["objects"]:
        groups = summary["by_super_category"].items()
        rows = [[name.replace("_", " "), f"{g['objects']:,}", f"{g['movable']:,}"] for name, g in groups]
        screen.print(output.table("", ["super-category", "objects", "movable joints"], rows))
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary["joints_by_kind"].items())
        screen.print(f"Joints: {kinds}.")
        screen.print(
            f"Read back within {output.number(summary['max_screw_error'], 2)}, driven in PyBullet within "
            f"{output.number(summary['max_placement_error'], 2)} of the size, stopped by motors within "
            f"{output.number(summary['max_limit_error'], 2)} of the range; every sweep is proved free."
        )
        print(f"SHA-256 of the suite: {summary['sha256']}")
    print(
        f"Rejected attempts, drawn again: {summary['rejected']}; "
        f"rest poses, drawn again: {summary.get('rest_poses_drawn_again', 0)}"
    )
    for name in summary["faulty_categories"]:
        print(f"faulty: category {name}: too many rejected attempts ({summary['rejected_by_category'][name]})")
    for failure in summary["failures"][:_SHOWN]:
        print(f"failed: {failure['id']}: {failure['reason']}")
    print(f"Manifest: {out}/manifest.parquet; overview: {out}/figures/overview.png")


def _print_library(summary: dict[str, Any], out: Path, quiet: bool) -> None:
    from simcheck.cli import output

    kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary["joints_by_kind"].items())
    output.console().print(f"[bold]Library[/bold]: {summary['objects']:,} objects; joints: {kinds}")
    changes = ", ".join(f"{count:,} {kind}" for kind, count in summary["changes_by_kind"].items()) or "none"
    print(f"Changes: {changes} (changes.jsonl)")
    refused = summary["refused"]
    print(f"Refused: {len(refused)}")
    for entry in refused[: 0 if quiet else _SHOWN]:
        print(f"refused: {entry['source']}: {entry['reason'].splitlines()[0]}")
    if len(refused) > _SHOWN and not quiet:
        print(f"refused: {len(refused) - _SHOWN} more are in summary.json")
    print(f"Manifest: {out}/manifest.parquet")
