"""Bathroom: toilets, taps, showers, mirror cabinets, dispensers."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, BOARD, BRASS, CERAMIC, CHROME, DARK_ABS, GLASS, PET, STEEL, fronts, painted
from simcheck.suite.parts import arc, button, drawer, hinged_front, ring_of, screwed, shell, spaced, tube

_SUPER = "bathroom"


@category(40, _SUPER, 350)
def toilet(build: Builder, draw: Draw) -> None:
    """A bowl with a tank; seat and lid on one pair of hinges, the lid resting open or the seat alone."""
    width, rim = draw.length("width", 0.36, 0.40), draw.length("rim", 0.38, 0.43)
    china = CERAMIC.at(1035)
    body, radius = build.root("bowl", china), width / 2
    body.turned(
        [
            (0, 0, 0.55 * radius),
            (0.2, 0, 0.6 * radius),
            (0.2, 0.35 * radius, 0.6 * radius),
            (rim, 0.8 * radius, radius),
        ],
        (0, -0.05, 0),
    )
    body.box((-0.55 * radius, 0.55 * radius), (0.0, 0.29), (0, rim - 0.05))
    body.box((-radius, radius), (0.14, 0.29), (rim - 0.06, rim))
    tank_y, tank = 0.30, draw.length("tank", 0.30, 0.38)
    body.box((-0.5 * radius, 0.5 * radius), (0.25, tank_y + 0.05), (rim - 0.1, rim + 0.02))
    body.box((-0.95 * radius, 0.95 * radius), (tank_y, tank_y + 0.17), (rim + 0.02, rim + tank))
    lid_top = rim + tank + 0.022
    body.box((-radius, radius), (tank_y - 0.01, tank_y + 0.18), (rim + tank, lid_top))
    seat_up, lid_up = draw.angle("seat_opening", 82, 86), draw.angle("lid_opening", 99, 104)
    style = draw.pick("style", ("both", "both", "lid_only"))
    pin_y = 0.155
    for s in (-1, 1):
        body.box((s * 0.06, s * 0.09), (pin_y - 0.012, pin_y + 0.012), (rim, rim + 0.016), ABS)
    plastic = painted(draw, ABS, ("white", "cream", "black", "grey")) if draw.chance("coloured", 0.3) else ABS
    low = rim + 0.004
    if style == "both":
        seat = body.hinge("seat", "-x", (0, pin_y, rim + 0.022), seat_up, material=plastic)
        seat.turned([(0, 0.68 * radius, 0.98 * radius), (0.014, 0.7 * radius, 0.96 * radius)], (0, -0.05, low))
        seat.box((-0.05, 0.05), (-0.05 + 0.8 * radius, pin_y + 0.008), (low + 0.014, low + 0.022))
    else:
        ring_of(body, (0, -0.05, rim), "z", 0.7 * radius, 0.97 * radius, 0.012, material=plastic)
    top = low + 0.024
    lid = body.hinge(
        "lid", "-x", (0, pin_y + 0.014, top + 0.004), lid_up, material=plastic, rest=lid_up if style == "both" else 0.0
    )
    lid.turned([(0, 0, 0.98 * radius), (0.012, 0, 0.94 * radius)], (0, -0.05, top))
    lid.box((-0.055, 0.055), (-0.05 + 0.8 * radius, pin_y + 0.02), (top, top + 0.010))
    if draw.chance("lever", 0.4):
        at = (-0.7 * radius, tank_y - 0.002, rim + 0.8 * tank)
        lever = body.hinge("flush_lever", "y", at, draw.angle("flush", 25, 40), material=CHROME)
        lever.cylinder(0.012, (at[0], at[1] - 0.012, at[2]), at)
        lever.box((at[0] - 0.006, at[0] + 0.075), (at[1] - 0.020, at[1] - 0.012), (at[2] - 0.008, at[2] + 0.008))
    else:
        for k, x in enumerate((-0.021, 0.021) if draw.chance("dual", 0.4) else (0.0,)):
            button(
                body,
                f"flush_{k}",
                (x - 0.019, x + 0.019),
                (tank_y + 0.06, tank_y + 0.1),
                lid_top,
                0.008,
                height=0.005,
                material=CHROME,
            )


@category(41, _SUPER, 350)
def faucet_bath(build: Builder, draw: Draw) -> None:
    """Two handles, quarter-turn or on screws, a spout that may swing, a diverter."""
    finish = {"chrome": CHROME, "brass": BRASS, "steel": STEEL}[draw.pick("finish", ("chrome", "brass", "steel"))]
    body, span = build.root("body", finish), draw.length("span", 0.07, 0.1)
    body.box((-span - 0.025, span + 0.025), (-0.03, 0.042), (0, 0.02))
    body.cylinder(0.022, (0, 0, 0.02), (0, 0, 0.05))
    reach, height = draw.length("reach", 0.10, 0.17), draw.length("height", 0.08, 0.25)
    swings = draw.chance("swings", 0.6)
    if swings:
        stop = radians(draw.pick("swing", (45, 60)))
        spout = body.hinge("spout", "z", (0, 0, 0.05), stop, -stop)
        spout.cylinder(0.018, (0, 0, 0.051), (0, 0, 0.075))
    else:
        spout = body.mount("spout", finish)
        spout.cylinder(0.018, (0, 0, 0.05), (0, 0, 0.075))
    bend = arc((0, -reach / 2, max(height, 0.11)), reach / 2, 0.0, math.pi, 5)
    tube(spout, [(0, 0, 0.07), *bend, (0, -reach, max(height, 0.11) - 0.03)], 0.010)
    kind = draw.pick("handles", ("quarter", "screw", "one"), (5, 2, 2))
    if kind == "one":
        x = span
        body.cylinder(0.02, (x, 0, 0.02), (x, 0, 0.045))
        lever = body.hinge("lever", "z", (x, 0, 0.046), radians(50), -radians(50))
        lever.cylinder(0.019, (x, 0, 0.046), (x, 0, 0.06))
        lever.box((x - 0.008, x + 0.008), (-0.07, 0.0), (0.05, 0.058))
    for name, s in (("hot", -1), ("cold", 1)) if kind != "one" else ():
        x = s * span
        body.cylinder(0.02, (x, 0, 0.02), (x, 0, 0.04))
        at = (x, 0.0, 0.041)
        if kind == "quarter":
            handle = body.hinge(f"{name}_handle", "z" if s < 0 else "-z", at, radians(90))
            handle.cylinder(0.016, at, (x, 0, 0.06))
            handle.cylinder(0.006, (x, 0, 0.055), (x, -0.045, 0.06))
        else:
            body.cylinder(0.006, (x, 0, 0.04), (x, 0, 0.05), BRASS)
            lead = draw.pick("lead", (0.00125, 0.0015, 0.00175))
            handle = screwed(body, draw, f"{name}_handle", "z", at, lead, draw.number(f"{name}_turns", 2, 4))
            handle.turned(
                [(0.001, 0.0075, 0.017), (0.012, 0.0075, 0.019), (0.012, 0, 0.019), (0.026, 0, 0.015)], at, sections=16
            )
            for u, v in ((0.028, 0.0), (0.0, 0.028)):
                handle.cylinder(0.0045, (x - u, -v, 0.058), (x + u, v, 0.058))
    if draw.chance("diverter", 0.35):
        body.cylinder(0.003, (0, 0.031, 0.02), (0, 0.031, 0.04), BRASS)
        rod = body.slide("diverter", "z", 0.012, at=(0, 0.031, 0.02))
        rod.turned([(0.022, 0, 0.008), (0.032, 0, 0.006)], (0, 0.031, 0.02), sections=12)


@category(42, _SUPER, 150)
def shower(build: Builder, draw: Draw) -> None:
    """A wall rail with a sliding holder, a tilting head, a mixer, sometimes a turning rain shower."""
    rail, metal = draw.length("rail", 0.6, 0.9), CHROME.at(2500)
    base, y = build.root("rail", metal), -0.06
    low, high = 0.9, 0.9 + rail
    base.cylinder(0.011, (0, y, low - 0.03), (0, y, high + 0.03))
    for z in (low - 0.02, high + 0.02):
        base.cylinder(0.016, (0, y, z), (0, 0, z))
        base.cylinder(0.028, (0, -0.008, z), (0, 0, z))
    holder = base.slide("holder", "z", round(rail - 0.12, 4), at=(0, y, low + 0.03), material=DARK_ABS)
    z = low + 0.05
    ring_of(holder, (0, y, z - 0.02), "z", 0.0125, 0.022, 0.04, sections=14)
    for s in (-1, 1):
        holder.box((s * 0.018, s * 0.023), (y - 0.085, y - 0.012), (z - 0.012, z + 0.012))
    head = holder.hinge("hand_shower", "x", (0, y - 0.075, z), radians(35), -radians(15), material=ABS)
    with build.frame((0, y - 0.075, z), rotation("x", radians(25))):
        head.cylinder(0.012, (-0.0165, 0, 0), (0.0165, 0, 0))
        head.cylinder(0.013, (0, 0, -0.03), (0, 0, 0.12))
        head.cylinder(draw.length("head_radius", 0.04, 0.055), (0, -0.032, 0.15), (0, -0.008, 0.165), CHROME.at(2500))
    mixer = 0.75
    base.box((-0.13, 0.13), (-0.045, 0), (mixer - 0.025, mixer + 0.025))
    base.cylinder(0.006, (0, -0.02, mixer), (0, y, low - 0.03))
    for name, s in (("flow", -1), ("temperature", 1)):
        if name == "flow" or draw.chance("thermostat", 0.6):
            at = (s * 0.132, -0.022, mixer)
            endless = name == "flow" and draw.chance("endless", 0.3)
            axis = "x" if s > 0 else "-x"
            knob = (
                base.spin(f"{name}_knob", axis, at)
                if endless
                else base.hinge(f"{name}_knob", axis, at, radians(draw.integer(f"{name}_range", 90, 300)))
            )
            knob.turned([(0, 0, 0.022), (0.03, 0, 0.02), (0.034, 0, 0.014)], at, axis, CHROME)
            knob.box((at[0] + s * 0.005, at[0] + s * 0.022), (-0.06, -0.03), (mixer - 0.004, mixer + 0.004), CHROME)
    if draw.chance("rain", 0.4):
        top = high + 0.18
        tube(base, [(0, y, high + 0.03), (0, y, top), (0, y - 0.3, top)], 0.010)
        rain = (
            base.hinge("rain_shower", "x", (0, y - 0.3, top - 0.022), radians(15), -radians(15))
            if draw.chance("tilting", 0.5)
            else base.spin("rain_shower", "z", (0, y - 0.3, top - 0.022))
        )
        rain.cylinder(0.1, (0, y - 0.3, top - 0.05), (0, y - 0.3, top - 0.042))


@category(43, _SUPER, 250)
def bathroom_cabinet(build: Builder, draw: Draw) -> None:
    """A mirror cabinet with hinged or sliding doors or wings, or a vanity with drawers."""
    width, depth, height = (
        draw.length("width", 0.4, 1.2),
        draw.length("depth", 0.12, 0.2),
        draw.length("height", 0.5, 0.8),
    )
    style = draw.pick("style", ("hinged", "sliding", "wings", "drawers"), (5, 2, 1.5, 2))
    board, body = 0.016, build.root("carcass", BOARD)
    base, skin = 1.2, fronts(draw)
    shell(body, (-width / 2, width / 2), (0, depth), (base, base + height), board, without="-y")
    inner, levels = (-width / 2 + board, width / 2 - board), (base + board, base + height - board)
    for low, _ in spaced(*levels, 3)[1:]:
        body.box(inner, (0.03, depth - board), (low, low + 0.008), GLASS)
    mirror = STEEL.at(2500)
    if style == "drawers":
        for k, z in enumerate(spaced(*levels, draw.integer("drawers", 2, 4))):
            if k:
                body.box(inner, (0, 0.02), (z[0] - 0.003, z[0] + 0.003))
            low = z[0] + (0.003 if k else 0)
            drawer(
                body,
                f"drawer_{k}",
                inner,
                (low, z[1] - 0.003),
                0.0,
                0.6 * depth - 0.03,
                round(0.5 * depth, 4),
                skin,
                style="knob",
            )
        body.solids[:] = [s for s in body.solids if s.material is not GLASS]
    elif style == "sliding":
        for k, (x0, x1) in enumerate(spaced(-width / 2, width / 2, 2)):
            front, room = -0.010 - 0.009 * k, round(0.94 * (x1 - x0), 4)
            pane = body.slide(
                f"door_{k}", "x" if k == 0 else "-x", room, at=((x0 + x1) / 2, front, base), material=mirror
            )
            pane.box((x0, x1), (front, front + 0.006), (base + 0.012, base + height - 0.012))
        for low in (base, base + height - 0.01):
            body.box((-width / 2, width / 2), (-0.022, 0), (low, low + 0.01))
    elif style == "wings":
        t = 0.018
        centre = body.mount("centre_mirror", mirror)
        centre.box((-0.25 * width, 0.25 * width), (-t, 0), (base, base + height))
        for name, s, axis in (("left", -1, "z"), ("right", 1, "-z")):
            x = s * (0.25 * width + 0.0015)
            wing = body.hinge(
                f"wing_{name}",
                "-z" if s > 0 else "z",
                (x, -t - 0.001, base + height / 2),
                draw.angle("fold", 60, 85),
                material=mirror,
            )
            wing.box((x + s * 0.0012, s * width / 2), (-t, -0.001), (base, base + height))
            if draw.chance("bifold", 0.5):
                x2 = s * (width / 2 + 0.0015)
                flap = wing.hinge(
                    f"flap_{name}", axis, (x2, -t - 0.001, base + height / 2), radians(80), material=mirror
                )
                flap.box((x2 + s * 0.0012, x2 + s * 0.16 * width), (-t, -0.001), (base, base + height))
    else:
        doors, opened = (1 if width < 0.55 else draw.pick("doors", (2, 3), (3, 1))), draw.angle("opening", 90, 110)
        for k, cell in enumerate(spaced(*inner, doors)):
            side = "-x" if k == 0 else "x"
            door = hinged_front(body, f"door_{k}", cell, levels, 0.0, opened, side, skin, thickness=0.012, style="none")
            pane = door.mount(f"mirror_{k}", mirror)
            pane.box((cell[0] + 0.012, cell[1] - 0.012), (-0.0035, 0), (levels[0] + 0.012, levels[1] - 0.012))


@category(44, _SUPER, 250)
def soap_dispenser(build: Builder, draw: Draw) -> None:
    """A bottle with a screwed collar and a pump that sinks and turns."""
    radius, height = draw.length("radius", 0.025, 0.04), draw.length("height", 0.11, 0.16)
    square = draw.chance("square", 0.35)
    material = painted(draw, PET) if draw.chance("opaque", 0.5) else GLASS if draw.chance("glass", 0.4) else PET
    body, neck = build.root("bottle", material), 0.012
    if square:
        deck = height - 0.015
        shell(body, (-radius, radius), (-radius, radius), (0, deck), 0.003, without="z")
        for k in (-1, 1):
            body.box((-radius, radius), (k * 0.009, k * radius), (deck, deck + 0.003))
            body.box((k * 0.009, k * radius), (-0.009, 0.009), (deck, deck + 0.003))
        body.turned([(height - 0.015, neck - 0.002, neck), (height, neck - 0.002, neck)], sections=16)
    else:
        wall = 0.002
        body.turned(
            [
                (0, 0, radius),
                (0.003, 0, radius),
                (0.003, radius - wall, radius),
                (height - 0.04, radius - wall, radius),
                (height - 0.015, neck - wall, neck),
                (height, neck - wall, neck),
            ]
        )
    metal = CHROME.at(4000) if draw.chance("chrome", 0.5) else painted(draw, ABS)
    if draw.chance("collar", 0.55):
        collar = screwed(body, draw, "collar", "z", (0, 0, height), 0.004, 1.5, material=metal)
    else:
        collar = body.mount("collar", metal)
    top = height + 0.006
    collar.turned(
        [
            (-0.011, neck + 0.001, neck + 0.003),
            (0.001, neck + 0.001, neck + 0.003),
            (0.001, 0.0045, neck + 0.003),
            (0.006, 0.0045, neck),
        ],
        (0, 0, height),
        sections=16,
    )
    stroke = draw.length("stroke", 0.012, 0.025)
    pump = collar.slide("pump", "-z", stroke, at=(0, 0, top), material=metal)
    crown = top + stroke + 0.002
    pump.cylinder(0.003, (0, 0, height - 0.01 - stroke), (0, 0, crown))
    pump.cylinder(0.006, (0, 0, crown), (0, 0, crown + 0.004))
    head = (
        pump.spin("head", "z", (0, 0, crown + 0.004), material=metal)
        if draw.chance("turning_head", 0.75)
        else pump.mount("head", metal)
    )
    z = crown + 0.0045
    head.cylinder(0.013, (0, 0, z), (0, 0, z + 0.009))
    head.box((-0.005, 0.005), (-0.05, 0), (z + 0.001, z + 0.008))
    head.cylinder(0.004, (0, -0.046, z - 0.006), (0, -0.046, z + 0.002))
