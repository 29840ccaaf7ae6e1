"""``simcheck compare``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from simcheck.cli import options as given
from simcheck.cli.options import AngleUnit, BodyChoice, InertiaChoice, LengthUnit, OriginChoice

_CHECKS = "Checks"
_NOTHING = 1e-12  # an edit that costs less is none


def compare(
    ground_truth: Annotated[Path, typer.Argument(metavar="GT", help="The true URDF.", show_default=False)],
    prediction: Annotated[Path, typer.Argument(metavar="PRED", help="The prediction.", show_default=False)],
    max_e_b: Annotated[
        float | None, typer.Option("--max-E-B", help="Exit 1 if a joint's E_B is larger, m.", rich_help_panel=_CHECKS)
    ] = None,
    max_e_alpha: Annotated[
        float | None, typer.Option("--max-E-alpha", help="The same for E_alpha.", rich_help_panel=_CHECKS)
    ] = None,
    max_e_alpha_phi: Annotated[
        float | None, typer.Option("--max-E-alpha-phi", help="The same for E_alpha^phi.", rich_help_panel=_CHECKS)
    ] = None,
    max_d: Annotated[float | None, typer.Option("--max-d", help="The same for d, m.", rich_help_panel=_CHECKS)] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE.png", help="Draw both motions.", rich_help_panel=given.OUTPUT),
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate/--closed-form", help="d from PyBullet, or in closed form.")
    ] = True,
    alpha: given.Alpha = 1.0,
    kappa: given.Kappa = math.pi,
    norm: given.Norm = None,
    match: given.Match = "cost",
    base: given.Base = "written",
    fallback: given.Fallback = "none",
    impute_limits: given.ImputeLimits = "none",
    protocols: given.Protocols = "",
    steps: given.Steps = 9,
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
    time_limit: given.TimeLimit = 60.0,
    json: given.Json = False,
    out: given.Out = None,
    unit: given.Unit = LengthUnit.m,
    angle: given.Angle = AngleUnit.rad,
    force: given.Force = False,
    config: given.Config = None,
    quiet: given.Quiet = False,
    debug: given.Debug = False,
) -> None:
    """How far is one object's motion from another's, joint by joint and as a tree, and why."""
    from simcheck.asset import ReadOptions
    from simcheck.cli import output
    from simcheck.comparison import CompareOptions, FrameOptions, exceeded
    from simcheck.comparison import compare as compare_files

    result = compare_files(
        ground_truth,
        prediction,
        options=CompareOptions(
            alpha=alpha,
            kappa=kappa,
            match=match,
            frame=FrameOptions(align, up, scale, origin.value),
            base=base,
            fallback=fallback,
            time_limit=time_limit,
            simulate=simulate,
            steps=steps,
            impute_limits=impute_limits,
            protocols=tuple(p for p in protocols.split(",") if p),
            format=None if format_name is None else format_name.value,
            norm=norm,
        ),
        read=ReadOptions(body.value, inertia.value, density, given.packages(package), decompose, wrap),
        plot=plot,
    )
    output.finish(result, lambda r: print_comparison(r, unit, angle), json=json, out=out, force=force, quiet=quiet)
    limits = {"E_B": max_e_b, "E_alpha": max_e_alpha, "E_alpha_phi": max_e_alpha_phi, "d": max_d}
    over = exceeded(result, {name: most for name, most in limits.items() if most is not None})
    for line in over:
        output.complain(line)
    if over:
        raise typer.Exit(1)


def print_comparison(result: dict[str, Any], unit: LengthUnit, angle: AngleUnit) -> None:
    """The joints, what stands alone, the trees, and the means, for people."""
    from simcheck.cli import output

    joints, unmatched = result["joints"], result["unmatched"]
    missing, spurious = unmatched["ground_truth"], unmatched["prediction"]
    turn = "°" if angle is AngleUnit.deg else "rad"
    norm = result["settings"]["norm"]
    own = [] if norm is None else [f"E_{norm.rpartition(':')[2]}"]
    columns = ["joint (gt → pred)", "kind", f"E_B [{unit.value}]", f"d [{unit.value}]", "E_α", "E_α^φ", *own,
               f"axis [{turn}]", f"origin [{unit.value}]", "why"]  # fmt: skip
    rows = [_row(joint, unit, angle) for joint in joints]
    rows += [_alone(j["name"], "(missing)", j, unit) for j in missing]
    rows += [_alone("(spurious)", j["name"], j, unit) for j in spurious]
    title = (
        f"{result['ground_truth']} → {result['prediction']}: {len(joints)} joints matched, "
        f"{len(missing)} missing, {len(spurious)} spurious"
    )
    screen = output.console()
    screen.print(output.table(title, columns, rows, left=2, words_last=True))
    if result["settings"]["protocols"]:
        _print_protocols([joint for joint in joints if "protocols" in joint])
    for name, tree in result["tree"].items():
        print(_tree_line(name, tree, unit))
    for name, field in (("E_B", "E_B"), ("d", "d"), ("E_α^φ", "E_alpha_phi")):
        values = [joint[field] for joint in joints]
        if field == "E_alpha_phi":
            print(_statistics(name, values, 1.0, ""))
        else:
            print(_statistics(name, values, output.per_metre(unit), f" {unit.value}"))
    for remark in result["remarks"]:
        print(f"remark: {remark}")
    output.print_reasons([*joints, *missing, *spurious])


def _row(joint: dict[str, Any], unit: LengthUnit, angle: AngleUnit) -> list[str]:
    from simcheck.cli import output

    kinds = dict.fromkeys(joint["kind"])
    components = joint["components"]
    tilt = components.get("axis")
    imputed = " †" if joint["limits_imputed"] else ""
    return [
        f"{joint['ground_truth']} → {joint['prediction']}{imputed}",
        " / ".join(kinds),
        *_distances(joint, unit),
        output.number(tilt if tilt is None or angle is AngleUnit.rad else math.degrees(tilt)),
        output.length(components.get("origin_line"), unit),
        joint["explanation"]["sentence"],
    ]


def _alone(truth: str, guess: str, joint: dict[str, Any], unit: LengthUnit) -> list[str]:
    return [f"{truth} → {guess}", joint["kind"], *_distances(joint, unit), "–", "–", "distance to the fixed joint"]


def _distances(joint: dict[str, Any], unit: LengthUnit) -> list[str]:
    from simcheck.cli import output

    lengths = [output.length(joint[name], unit) for name in ("E_B", "d")]
    return lengths + [output.number(joint[name]) for name in ("E_alpha", "E_alpha_phi", "E_norm") if name in joint]


def _print_protocols(joints: list[dict[str, Any]]) -> None:
    """Scores of published protocols in units of their own: one line a score, one column a pair."""
    from metric.protocols import PROTOCOLS
    from simcheck.cli import output

    rows = []
    for name in joints[0]["protocols"] if joints else ():
        protocol, _, mode = name.partition("@")
        for score, quantity in PROTOCOLS[protocol].quantities(mode).items():
            values = [output.number(joint["protocols"][name][score]) for joint in joints]
            rows.append([name, f"{score} [{quantity.unit}]", *values])
    pairs = [f"{joint['ground_truth']} → {joint['prediction']}" for joint in joints]
    output.console().print(output.table("", ["protocol", "score", *pairs], rows, left=2))


def _tree_line(name: str, tree: dict[str, Any], unit: LengthUnit) -> str:
    from simcheck.cli import output

    if tree["value"] is None:
        return f"tree {name}: – ({tree['reason']})"
    shown = f"{output.length(tree['value'], unit)} {unit.value}" if name == "E_B" else output.number(tree["value"])
    state = "certified" if tree["certified"] else f"between {tree['lower']:.4g} and {tree['upper']:.4g}"
    costly = [edit["edit"] for edit in tree["edits"] if edit["cost"] > _NOTHING]
    counts = {kind: costly.count(kind) for kind in ("substituted", "contracted", "expanded")}
    edits = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "no edits"
    return f"tree {name}: {shown} ({tree['method']}, {state}; {edits})"


def _statistics(name: str, values: list[float | None], scale: float, unit: str) -> str:
    import statistics

    known = [v * scale for v in values if v is not None]
    if not known:
        return f"{name}: undefined {len(values)}"
    return (
        f"{name}: mean {statistics.fmean(known):.4g}{unit}  median {statistics.median(known):.4g}{unit}  "
        f"max {max(known):.4g}{unit}  n {len(known)}  undefined {len(values) - len(known)}"
    )
