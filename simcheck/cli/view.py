"""``simcheck view``."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import BodyChoice, InertiaChoice, OriginChoice

if TYPE_CHECKING:
    from simcheck.viewer import View


def view(
    ground_truth: Annotated[Path, typer.Argument(metavar="GT", help="The (true) URDF.", show_default=False)],
    prediction: Annotated[
        Path | None, typer.Argument(metavar="[PRED]", help="A prediction, shown over it.", show_default=False)
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="FILE.html|gif|png",
            help="Write this file and open nothing: no display, no browser needed.",
            rich_help_panel=given.OUTPUT,
        ),
    ] = None,
    joint: Annotated[
        str | None,
        typer.Option(
            "--joint",
            metavar="NAME",
            help="Joint in view at first; by default the one with the largest error.",
            rich_help_panel=given.OUTPUT,
        ),
    ] = None,
    alpha: given.Alpha = 1.0,
    kappa: given.Kappa = math.pi,
    match: given.Match = "cost",
    impute_limits: given.ImputeLimits = "none",
    align: given.Align = "none",
    up: given.Up = "z",
    scale: given.Scale = None,
    origin: given.Origin = OriginChoice.world,
    format_name: given.Format = None,
    body: given.Body = BodyChoice.cluster,
    inertia: given.Inertia = InertiaChoice.auto,
    density: given.Density = 1000.0,
    package: given.Package = None,
    decompose: given.Decompose = False,
    wrap: given.Wrap = False,
    json: given.Json = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """Look at an object, or at a prediction over its truth: one page, every joint on a slider."""
    from simcheck.asset import ReadOptions
    from simcheck.cli import output
    from simcheck.comparison import CompareOptions, FrameOptions
    from simcheck.viewer import view as look_at

    shown = look_at(
        ground_truth,
        prediction,
        joint=joint,
        options=CompareOptions(
            alpha=alpha,
            kappa=kappa,
            match=match,
            frame=FrameOptions(align, up, scale, origin.value),
            impute_limits=impute_limits,
            format=None if format_name is None else format_name.value,
        ),
        read=ReadOptions(body.value, inertia.value, density, given.packages(package), decompose, wrap),
    )
    written = shown.save(_scratch_page(ground_truth) if export is None else export)
    if json:
        output.print_json({**shown.result, "out": str(written)})
    else:
        _print_joints(shown)
        print(f"{'Page' if export is None else 'Written'}: {written}")
        output.print_warnings(shown.result["warnings"], quiet)
    if export is None and not _opened(written):
        output.complain(f"no browser to open here: open {written} yourself, or give --export FILE.html")


def _scratch_page(ground_truth: Path) -> Path:
    """A new place for a page that nobody asked to keep."""
    import tempfile

    return Path(tempfile.mkdtemp(prefix="simcheck-view-")) / f"{ground_truth.stem}.html"


def _opened(page: Path) -> bool:
    """Whether the page opens in a browser; one that runs inside the terminal is left alone."""
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return webbrowser.open(page.resolve().as_uri())


def _print_joints(shown: View) -> None:
    """The list of the page: joints by error."""
    from simcheck.cli import output

    overlaid = shown.result.get("prediction") is not None
    columns = ["joint", "E_B [m]", "d [m]", "E_α", "E_α^φ", "why" if overlaid else "remarks"]
    rows = [_row(joint.name, joint.numbers, [joint.sentence, *joint.remarks]) for joint in shown.scene.joints]
    files = " → ".join(str(shown.result[name]) for name in ("ground_truth", "prediction") if name in shown.result)
    title = f"{files}: {'largest error first' if overlaid else 'distances to fixed, largest first'}"
    if rows:
        output.console().print(output.table(title, columns, rows, words_last=True))
    else:
        print(f"{files}: no movable joint")


def _row(name: str, numbers: Any, words: list[str]) -> list[str]:
    from simcheck.cli import output

    values = [output.number(numbers[key]) for key in ("E_B", "d", "E_alpha", "E_alpha_phi")]
    return [name, *values, "; ".join(word for word in words if word)]
