"""What a simulator does with a file as it stands, and with our own copy of it (SPEC section 4). Runs in a worker."""

from __future__ import annotations

import ctypes
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace

from lxml import etree

from simcheck.asset.model import ArticulatedObject
from simcheck.asset.normalise import normalise_text
from simcheck.engine import Engine, HeldFile, Pressed, label
from simcheck.engine.model import fits, joints_as_written, weighted, without_geometry
from simcheck.engine.scratch import scratch_file
from simcheck.errors import SimulationError
from simcheck.verification.claims import Claims, JointClaim, claims_of
from simcheck.verification.comparison import Tolerance, differences
from simcheck.verification.finding import Finding, finding
from simcheck.verification.reading import Reading

PROBES = (1.0, -0.5)  # coordinates that every joint is set to by itself, rad or m
AS_IT_STANDS = "loading the file as it stands"
REFUSED = "PyBullet refuses the file"
_AT_ONCE = 6  # joints pressed in one model: the solver's cost grows faster than their number
_STAGE = "simcheck stage: "


def stage(name: str) -> None:
    """Note in the output what is done next, so that a crash can be placed and messages can be told apart."""
    ctypes.CDLL(None).fflush(None)
    print(f"\n{_STAGE}{name}", flush=True)


def stages(output: str) -> dict[str, str]:
    """What was printed in each stage."""
    parts = re.split(rf"^{_STAGE}(.*)$", output, flags=re.MULTILINE)
    return dict(itertools.zip_longest(parts[1::2], parts[2::2], fillvalue=""))


def simulator_findings(reading: Reading, engine: Engine, *, motor: bool) -> Iterator[Finding]:
    """Everything that the simulator holds or does otherwise than the file says."""
    held, found = _load(reading, engine)
    yield from found
    claims, obj = reading.claims, reading.obj
    if obj is None:
        return
    stops = _stops(reading.raw, claims, obj.size, engine) if motor else {}
    differing: list[Finding] = []
    if held is not None:
        differing = differences(claims, held, Tolerance(1e-9 * obj.size, obj.size), label(engine.name))
        yield from _with_stops(differing, claims, stops)
    told = {f.element for f in differing if f.code in ("SIM_LIMITS", "SIM_KIND") and f.severity == "error"}
    yield from (f for f in _wrong_stops(claims, stops, label(engine.name)) if f.element not in told)
    if fits(obj):
        yield from _copy_findings(obj, engine)


def _load(reading: Reading, engine: Engine) -> tuple[HeldFile | None, list[Finding]]:
    """The file as the simulator takes it, or else its text without geometry."""
    stage(AS_IT_STANDS)
    try:
        held = engine.inspect(reading.path, PROBES)
        return held, list(_beyond(held, label(engine.name)))
    except SimulationError:
        found = _refused(reading, engine, "")
    if reading.obj is None:
        return None, found
    stage("loading the text without geometry")
    root = deepcopy(reading.raw)
    for element in _screws(root):
        element.set("type", "continuous")
    try:
        with scratch_file(without_geometry(root)) as path:
            return engine.inspect(path, PROBES), found
    except SimulationError:
        return None, found


def _refused(reading: Reading, engine: Engine, reason: str) -> list[Finding]:
    """A refusal, which is a limit of the simulator where the file has joints of a type that it does not know."""
    name = label(engine.name)
    screws = _screws(reading.raw)
    if not screws:
        return [finding("SIM_REFUSED", "robot", f"{name} refuses the file{reason}")]
    message = f"{name} refuses the file: it does not know joints of this type"
    return [
        finding("ENGINE_LIMIT", f"joint {e.get('name')!r}", message, attribute="type", value=e.get("type"))
        for e in screws
    ]


def _screws(root: etree._Element) -> list[etree._Element]:
    return [e for e in root.iterchildren("joint") if e.get("type") in ("screw", "helical")]


def _beyond(held: HeldFile, engine: str) -> Iterator[Finding]:
    """Joints that are loaded but cannot be looked at."""
    unread = held.names[held.readable :]
    if unread:
        first = f"from joint {unread[0]!r} on" if held.readable else "for any of them"
        message = f"{len(held.names)} joints: {engine} reports no coordinates {first} ({len(unread)} joints)"
        yield finding("ENGINE_LIMIT", "robot", message, value=str(len(held.names)))


def _stops(raw: etree._Element, claims: Claims, size: float, engine: Engine) -> dict[str, tuple[float, float]]:
    """Where a motor stops each joint, driven in the file's own words for type, axis and limit."""
    stage("pressing the joints against their limits")
    wanted = [c for c in claims.joints.values() if c.moves and not c.doubtful & {"type", "axis", "limit"}]
    elements = {e.get("name"): e for e in raw.iterchildren("joint")}
    stops: dict[str, tuple[float, float]] = {}
    for first in range(0, len(wanted), _AT_ONCE):
        together = wanted[first : first + _AT_ONCE]
        stops |= _press({c.name: elements[c.name] for c in together}, together, size, engine)
    return stops


def _press(
    elements: Mapping[str, etree._Element], claims: list[JointClaim], size: float, engine: Engine
) -> dict[str, tuple[float, float]]:
    targets = {c.name: Pressed(*c.limits, 2 * math.pi if c.turns else size) for c in claims}
    try:
        engine.load(joints_as_written(elements))
    except SimulationError:
        if len(claims) == 1:
            return {}  # said by what refuses the file
        return {n: s for c in claims for n, s in _press({c.name: elements[c.name]}, [c], size, engine).items()}
    return engine.press_all(targets)


def _wrong_stops(claims: Claims, stops: Mapping[str, tuple[float, float]], engine: str) -> Iterator[Finding]:
    for name, found in stops.items():
        claim = claims.joints[name]
        if not _agree(found, claim.limits):
            message = f"in {engine} {_stopped(found)}, the file says {_range(claim.limits)}"
            value = " ".join(f"{x:g}" for x in found)
            yield finding("SIM_STOPS", claim.element, message, attribute="limit", value=value)


def _with_stops(findings: list[Finding], claims: Claims, stops: Mapping[str, tuple[float, float]]) -> Iterator[Finding]:
    """Findings about limits, with what the motor did added: one line a fault."""
    by_element = {claim.element: stops[name] for name, claim in claims.joints.items() if name in stops}
    for f in findings:
        stop = by_element.get(f.element) if f.code == "SIM_LIMITS" else None
        yield f if stop is None else replace(f, message=f"{f.message}; {_stopped(stop)}")


def _agree(found: tuple[float, float], limits: tuple[float, float]) -> bool:
    """Within 1e-6 of the range: an axis that is not of length 1 slows the settling, which costs the last digits."""
    span = limits[1] - limits[0]
    scale = 1.0 if math.isinf(span) else span
    return all(
        stop == end or abs(stop - end) <= 1e-6 * (scale + abs(end)) for stop, end in zip(found, limits, strict=True)
    )


def _stopped(found: tuple[float, float]) -> str:
    if all(map(math.isinf, found)):
        return "a motor turns it on and on"
    return f"a motor stops it at {_range(found)}"


def _range(ends: tuple[float, float]) -> str:
    return " … ".join("no limit" if math.isinf(end) else f"{end:.6g}" for end in ends)


def _copy_findings(obj: ArticulatedObject, engine: Engine) -> Iterator[Finding]:
    """Our own clean copy with our own inertias, read by our own reader and held by the simulator: they must agree."""
    stage("loading our own copy")
    text = weighted(obj).text
    claims = claims_of(normalise_text(text.encode(), obj.file, obj.folder))
    try:
        with scratch_file(text) as path:
            held = engine.inspect(path, PROBES)
    except SimulationError as error:
        yield finding("COPY_DIFFERS", "robot", f"our own copy: {error}")
        return
    tolerance = Tolerance(1e-12 * obj.size, obj.size, direction=1e-12)
    for f in differences(claims, held, tolerance, label(engine.name)):
        yield finding("COPY_DIFFERS", "robot", f"our own copy, {f.element}: {f.message}", value=f.code)


def second_opinion(reading: Reading, engine: Engine) -> list[Finding]:
    """What another simulator makes of the file's text without its geometry."""
    if reading.obj is None:
        return []
    stage(f"loading the text without geometry in {label(engine.name)}")
    text = without_geometry(deepcopy(reading.raw))
    try:
        with scratch_file(text) as path:
            held = engine.inspect(path, PROBES)
    except SimulationError as error:
        return _refused(reading, engine, f"'s text without geometry: {error}")
    return differences(reading.claims, held, Tolerance(1e-9 * reading.obj.size, reading.obj.size), label(engine.name))
