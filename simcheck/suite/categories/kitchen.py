"""Kitchen: pots, kettles, mills, scales, knives, taps."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, ALUMINIUM, BRASS, CHROME, DARK_ABS, STEEL, ZINC, painted, wood
from simcheck.suite.parts import arc, ring_of, screwed, tube

_SUPER = "kitchen"


@category(15, _SUPER, 250)
def pressure_cooker(build: Builder, draw: Draw) -> None:
    """A pot with a bayonet lid or a lid that lifts off, a weight valve and handles."""
    radius, height = draw.length("radius", 0.09, 0.14), draw.length("height", 0.12, 0.22)
    metal, bayonet = painted(draw, ALUMINIUM, ("grey", "red", "white", "teal")), draw.chance("bayonet", 0.6)
    pot = build.root("pot", metal if draw.chance("painted", 0.4) else ALUMINIUM)
    wall = radius - 0.004
    pot.turned([(0, 0, radius - 0.01), (0.005, 0, radius), (0.005, wall, radius), (height, wall, radius)])
    for k, s in enumerate((-1, 1)):
        side = pot.mount(f"side_handle_{k}", DARK_ABS)
        if bayonet and s < 0:
            side.box((-0.012, 0.012), (-radius - 0.15, -radius + 0.001), (height - 0.03, height - 0.014))
        else:
            y = s * radius
            side.box((-0.03, 0.03), (y - s * 0.001, y + s * 0.035), (height - 0.045, height - 0.028))
    top = height + 0.0012
    if bayonet:
        lid = pot.hinge("lid", "z", (0, 0, top), draw.angle("bayonet_turn", 30, 45), material=ALUMINIUM)
        lid.box((-0.012, 0.012), (-radius - 0.15, -radius + 0.01), (top, top + 0.016), DARK_ABS)
    else:
        lid = pot.slide("lid", "z", draw.length("lift", 0.08, 0.2), at=(0, 0, top), material=ALUMINIUM)
    lid.turned(
        [(0, 0, radius + 0.002), (0.008, 0, radius + 0.002), (0.02, 0, 0.75 * radius), (0.026, 0, 0.35 * radius)],
        (0, 0, top),
    )
    dome = top + 0.026
    handle_up = draw.chance("folding_handle", 0.55)
    if draw.chance("valve", 0.6):
        x = -0.55 * radius if handle_up else 0.0
        lid.cylinder(0.004, (x, 0, dome - 0.012), (x, 0, dome + 0.008), STEEL)
        valve = lid.slide("weight_valve", "z", 0.008, at=(x, 0, dome), material=STEEL)
        valve.turned(
            [(0, 0.0055, 0.012), (0.012, 0.0055, 0.012), (0.012, 0, 0.012), (0.02, 0, 0.009)], (x, 0, dome + 0.002)
        )
    if handle_up:
        reach = 0.32 * radius
        bail = lid.hinge("lid_handle", "-x", (0, 0, dome + 0.006), radians(90), material=DARK_ABS)
        for s in (-1, 1):
            lid.box((s * reach, s * (reach + 0.008)), (-0.006, 0.006), (top + 0.018, dome + 0.012), STEEL)
            bail.box((s * (reach - 0.001), s * (reach - 0.007)), (-0.03, 0.004), (dome + 0.003, dome + 0.009))
        bail.box((-reach + 0.001, reach - 0.001), (-0.04, -0.03), (dome + 0.003, dome + 0.009))


@category(16, _SUPER, 300)
def kettle(build: Builder, draw: Draw) -> None:
    """A stove kettle with a bail, or an electric one with a switch."""
    radius, height = draw.length("radius", 0.07, 0.095), draw.length("height", 0.15, 0.2)
    mouth, electric = 0.55 * radius, draw.chance("electric", 0.45)
    skin = painted(draw, STEEL.at(1200)) if draw.chance("painted", 0.5) else STEEL.at(1200)
    body = build.root("body", skin)
    belly = 0.35 * height
    base = 0.022 if electric else 0.0
    if electric:
        body.cylinder(0.95 * radius, (0, 0, 0), (0, 0, 0.018), DARK_ABS)
    body.turned(
        [
            (0, 0, 0.9 * radius),
            (0.004, 0, radius),
            (0.004, radius - 0.003, radius),
            (belly, radius - 0.003, radius),
            (height, mouth - 0.003, mouth),
        ],
        (0, 0, base),
    )
    neck = base + 0.75 * height
    body.bar((0, -0.6 * radius, neck - 0.05), (0, -radius - 0.045, neck + 0.03), 0.03, 0.026)
    top = base + height + 0.0015
    if draw.chance("lid_lifts_off", 0.3):
        lid = body.slide("lid", "z", draw.length("lift", 0.04, 0.06), at=(0, 0, top))
    else:
        lid = body.hinge("lid", "-x", (0, mouth + 0.004, top + 0.001), draw.angle("lid_opening", 75, 100))
        lid.box((-0.012, 0.012), (mouth - 0.005, mouth + 0.004), (top, top + 0.004), STEEL)
    lid.turned([(0, 0, mouth + 0.001), (0.004, 0, mouth + 0.001), (0.014, 0, 0.4 * mouth)], (0, 0, top))
    knob = lid.mount("lid_knob", DARK_ABS)
    knob.turned([(0, 0, 0.006), (0.008, 0, 0.012), (0.016, 0, 0.009)], (0, 0, top + 0.014))
    if electric:
        y = radius + 0.045
        handle = body.mount("handle", DARK_ABS)
        handle.box((-0.011, 0.011), (0.8 * radius, y + 0.012), (base + 0.25 * height, base + 0.25 * height + 0.02))
        handle.box((-0.011, 0.011), (0.62 * radius, y + 0.012), (base + 0.85 * height, base + 0.85 * height + 0.02))
        handle.box((-0.011, 0.011), (y - 0.012, y + 0.012), (base + 0.25 * height + 0.02, base + 0.85 * height))
        if draw.chance("switch", 0.9):
            z = base + 0.25 * height
            switch = body.hinge("switch", "-x", (0, y + 0.013, z + 0.004), radians(15), material=painted(draw))
            switch.box((-0.008, 0.008), (y + 0.0135, y + 0.036), (z, z + 0.006))
        return
    reach, tall = radius + 0.012, height + 0.11
    pin = base + 0.62 * height
    for s in (-1, 1):
        body.cylinder(0.006, (s * 0.6 * radius, 0, pin), (s * (radius + 0.008), 0, pin), STEEL)
    bail = body.hinge("handle", "x", (0, 0, pin), radians(60), -radians(60), material=DARK_ABS)
    for s in (-1, 1):
        bail.bar((s * reach, 0, pin - 0.008), (s * reach, 0, tall), 0.005, 0.014, STEEL)
    bail.cylinder(0.011, (-reach, 0, tall + 0.01), (reach, 0, tall + 0.01))


@category(17, _SUPER, 150)
def pepper_mill(build: Builder, draw: Draw) -> None:
    """A turned body, a head that turns and a nut on top."""
    height, radius = draw.length("height", 0.12, 0.40), draw.length("radius", 0.025, 0.035)
    material = wood(draw)
    body, h = build.root("body", material), 0.68 * height
    waist = draw.number("waist", 0.55, 0.8) * radius
    body.turned(
        [
            (0, 0, radius),
            (0.08 * h, 0, radius),
            (0.2 * h, 0, 0.85 * radius),
            (0.55 * h, 0, waist),
            (0.85 * h, 0, 0.8 * radius),
            (h, 0, 0.85 * radius),
        ]
    )
    top = h + 0.001
    head = body.spin("head", "z", (0, 0, top), material=material)
    k = height - h - 0.03
    head.turned(
        [(0, 0, 0.85 * radius), (0.2 * k, 0, 0.6 * radius), (0.6 * k, 0, 0.95 * radius), (k, 0, 0.5 * radius)],
        (0, 0, top),
    )
    if draw.chance("nut", 0.85):
        pin, z = draw.pick("pin", (0.0025, 0.003)), top + k
        lead = {0.0025: 0.0008, 0.003: 0.001}[pin]
        head.cylinder(pin, (0, 0, z - 0.002), (0, 0, z + 0.012), STEEL)
        nut = screwed(head, draw, "nut", "z", (0, 0, z), lead, draw.integer("turns", 3, 10), material=STEEL)
        nut.turned(
            [(0.001, pin + 0.001, 0.007), (0.013, pin + 0.001, 0.009), (0.013, 0, 0.009), (0.02, 0, 0.006)], (0, 0, z)
        )


@category(18, _SUPER, 150)
def corkscrew(build: Builder, draw: Draw) -> None:
    """A winged corkscrew, or a waiter's friend."""
    metal = ZINC if draw.chance("plain", 0.6) else painted(draw, ZINC)
    if draw.chance("waiter", 0.25):
        _waiters_friend(build, draw)
        return
    lead, number = draw.length("lead", 0.008, 0.010), draw.integer("turns", 4, 6)
    travel, collar = lead * number, draw.length("collar", 0.085, 0.10)
    frame = build.root("frame", metal)
    frame.turned([(0, 0.016, 0.022), (0.02, 0.016, 0.020)], sections=16)
    for y in (-0.017, 0.017):
        frame.bar((0, y, 0.015), (0, y, collar + 0.002), 0.009, 0.005)
    frame.turned([(collar, 0.006, 0.0195), (collar + 0.02, 0.006, 0.0195)], sections=16)
    top = collar + 0.02
    worm = screwed(frame, draw, "worm", "-z", (0, 0, top), lead, number, material=STEEL)
    worm.cylinder(0.0045, (0, 0, collar - 0.01), (0, 0, top + travel + 0.012))
    for k in range(24):  # the helix as beads
        angle = 2 * math.pi * k / 6
        worm.sphere(0.0022, (0.003 * math.cos(angle), 0.003 * math.sin(angle), collar - 0.012 - 0.0016 * k))
    handle = worm.mount("key", metal)
    key = top + travel + 0.012
    handle.cylinder(0.005, (-0.028, 0, key), (0.028, 0, key))
    handle.box((-0.028, 0.028), (-0.003, 0.003), (key, key + 0.018))
    reach = 0.030
    for name, s, axis in (("left", -1, "y"), ("right", 1, "-y")):
        pin = (s * reach, 0.0, collar + 0.01)
        for y in (-0.007, 0.007):
            frame.box((s * 0.019, s * (reach + 0.005)), (y - 0.0015, y + 0.0015), (collar + 0.005, collar + 0.015))
        wing = frame.hinge(f"wing_{name}", axis, pin, radians(90), material=metal)
        wing.cylinder(0.0058, (pin[0], -0.005, pin[2]), (pin[0], 0.005, pin[2]))
        wing.bar((pin[0] + s * 0.003, 0, pin[2] - 0.004), (s * 0.043, 0, 0.008), 0.009, 0.006)
        wing.sphere(0.009, (s * 0.044, 0, 0.01))


def _waiters_friend(build: Builder, draw: Draw) -> None:
    """A handle with a folding worm, a two-step lever and a blade."""
    length, skin = draw.length("length", 0.10, 0.12), painted(draw, ZINC)
    body = build.root("handle", skin)
    for y in (-0.006, 0.006):
        body.box((-length / 2, length / 2), (y - 0.002, y + 0.002), (0, 0.014))
    body.box((-length / 2 + 0.03, length / 2 - 0.03), (-0.004, 0.004), (0.010, 0.014))
    lever = body.hinge("lever", "y", (length / 2 - 0.006, 0, 0.018), radians(120), material=STEEL)
    lever.box((0.004, length / 2 - 0.004), (-0.003, 0.003), (0.016, 0.020))
    second = lever.hinge("second_lever", "y", (-0.001, 0, 0.018), radians(80), material=STEEL)
    second.box((-0.04, -0.002), (-0.003, 0.003), (0.016, 0.020))
    worm = body.hinge("worm", "y", (-0.004, 0, -0.003), radians(110), material=STEEL)
    worm.bar((0, 0, -0.003), (0.046, 0, -0.003), 0.003, 0.003)
    knife = body.hinge("knife", "y", (-length / 2 + 0.006, 0, 0.006), radians(170), material=STEEL)
    knife.box((-length / 2 + 0.003, -length / 2 + 0.027), (-0.001, 0.001), (0.003, 0.0085))


@category(19, _SUPER, 150)
def scale_or_timer(build: Builder, draw: Draw) -> None:
    """A kitchen scale with a sinking plate and a dial, or an egg timer."""
    width, depth = draw.length("width", 0.16, 0.22), draw.length("depth", 0.16, 0.22)
    height, skin = draw.length("height", 0.06, 0.11), painted(draw, ABS)
    body = build.root("body", skin)
    slope = 0.02
    body.prism([(0, 0), (depth, 0), (depth, height), (slope, height)], "x", (-width / 2, width / 2))
    radius = 0.3 * min(height, width)
    at = (0.0, slope / 2 - 0.002, height / 2)
    with build.frame(at, rotation("x", -math.atan2(slope, height))):
        if draw.chance("timer", 0.6):
            dial = body.hinge("dial", "-y", (0, 0, 0), radians(330), material=DARK_ABS)
        else:
            dial = body.spin("dial", "-y", (0, 0, 0), material=DARK_ABS)
        dial.turned(
            [(0.002, 0, radius), (0.008, 0, radius), (0.009, 0, 0.6 * radius), (0.02, 0, 0.5 * radius)], (0, 0, 0), "-y"
        )
        dial.box((-0.002, 0.002), (-0.022, -0.0195), (0.0, 0.5 * radius), ABS)
    if draw.chance("plate", 0.75):
        sink = draw.length("sink", 0.003, 0.006)
        plate = body.slide("plate", "-z", sink, at=(0, depth / 2, height), material=STEEL)
        low = height + sink + 0.001
        if draw.chance("bowl", 0.4):
            r = 0.45 * width
            plate.turned(
                [(0, 0, 0.5 * r), (0.003, 0, 0.55 * r), (0.003, 0.5 * r, 0.55 * r), (0.05, r - 0.004, r)],
                (0, depth / 2, low),
            )
        else:
            plate.box((-width / 2 + 0.005, width / 2 - 0.005), (slope + 0.01, depth - 0.005), (low, low + 0.004))
    if draw.chance("buttons", 0.35):
        for k, x in enumerate((-0.33 * width, 0.33 * width)):
            with build.frame((x, slope / 2, height / 2), rotation("x", -math.atan2(slope, height))):
                key = body.slide(f"button_{k}", "y", 0.0015, at=(0, -0.004, 0), material=DARK_ABS)
                key.box((-0.01, 0.01), (-0.006, -0.002), (-0.006, 0.006))


@category(20, _SUPER, 250)
def knife_block_shears(build: Builder, draw: Draw) -> None:
    """Knives in the slanted slots of a block, sometimes with shears hung on its side."""
    knives, material = draw.count("knives", 1, 4, 9), wood(draw)
    per_column = 2 if knives > 4 else 1
    columns = -(-knives // per_column)
    board, slot = 0.016, 0.007
    width = columns * (board + slot) + board
    depth, height = 0.07 * per_column + 0.04, draw.length("height", 0.20, 0.24)
    lean = draw.angle("lean", 15, 35)
    block = build.root("block", material)
    block.box((-width / 2, width / 2), (0.0, depth + 0.09), (0, 0.012))
    made = 0
    with build.frame((0, 0.03, 0.02), rotation("x", -lean)):
        low = 0.035
        for c in range(columns + 1):
            x = -width / 2 + c * (board + slot)
            block.box((x, x + board), (0, depth), (low, height))
        block.box((-width / 2, width / 2), (0, depth), (low - 0.015, low))
        for c in range(columns):
            x = -width / 2 + board + c * (board + slot) + slot / 2
            for r in range(per_column):
                if made == knives:
                    break
                y, blade = 0.02 + 0.07 * r, draw.length(f"blade_{made}", 0.09, height - low - 0.02)
                wide = draw.length(f"blade_width_{made}", 0.018, 0.042)
                stroke = round(0.8 * blade, 4)
                knife = block.slide(f"knife_{made}", "z", stroke, at=(x, y, height), material=STEEL)
                knife.prism(
                    [(y, height - blade), (y + wide, height - 0.6 * blade), (y + wide, height), (y, height)],
                    "x",
                    (x - 0.001, x + 0.001),
                )
                grip = knife.mount(f"grip_{made}", DARK_ABS)
                grip.box((x - 0.008, x + 0.008), (y, y + 0.026), (height + 0.001, height + 0.11))
                grip.cylinder(
                    0.0025, (x - 0.0085, y + 0.013, height + 0.03), (x + 0.0085, y + 0.013, height + 0.03), STEEL
                )
                made += 1
    if draw.chance("shears", 0.6):
        x, pin = width / 2 + 0.002, (0.0, depth + 0.02, 0.12)
        block.box((x - 0.004, x + 0.004), (pin[1] - 0.03, pin[1] + 0.01), (pin[2] - 0.012, pin[2] + 0.012))
        half = block.mount("shears_fixed", STEEL)
        _shear_half(half, x + 0.004, pin[1], pin[2], 1)
        moving = block.hinge(
            "shears", "x", (x + 0.008, pin[1], pin[2]), draw.angle("shears_opening", 60, 90), material=STEEL
        )
        _shear_half(moving, x + 0.0075, pin[1], pin[2], -1)


def _shear_half(part: Part, x: float, y: float, z: float, s: int) -> None:
    part.prism([(y - 0.008, z), (y + 0.008, z), (y - s * 0.001, z - 0.10)], "x", (x, x + 0.003))
    tube(
        part,
        [
            (x + 0.0015, y + s * a, z + b)
            for a, b in ((0.0, 0.0), (0.012, 0.03), (0.03, 0.05), (0.028, 0.08), (0.01, 0.08), (0.012, 0.04))
        ],
        0.0014,
    )


@category(21, _SUPER, 350)
def faucet_kitchen(build: Builder, draw: Draw) -> None:
    """A tap with a swinging spout and one lever, or two handles at its sides."""
    metal = draw.pick("finish", ("chrome", "brass", "steel"))
    finish = {"chrome": CHROME, "brass": BRASS, "steel": STEEL}[metal]
    height, reach = draw.length("height", 0.15, 0.40), draw.length("reach", 0.15, 0.22)
    high, two = height > 0.24, draw.chance("two_handles", 0.35)
    body, core = build.root("body", finish), 0.016
    body.cylinder(0.027, (0, 0, 0), (0, 0, 0.012))
    collar = 0.085 if high and not two else 0.06
    body.cylinder(0.024, (0, 0, 0.012), (0, 0, collar))
    body.cylinder(core, (0, 0, collar), (0, 0, collar + 0.06))
    body.turned([(0, 0, 0.02), (0.008, 0, 0.012)], (0, 0, collar + 0.06))
    if draw.chance("endless", 0.12):
        spout = body.spin("spout", "z", (0, 0, collar))
    else:
        swing = radians(draw.pick("swing", (60, 90, 175)))
        spout = body.hinge("spout", "z", (0, 0, collar), swing, -swing)
    ring_of(spout, (0, 0, collar + 0.001), "z", core + 0.0015, 0.025, 0.055)
    start, tip = collar + 0.03, -0.034 - reach
    points = [(0.0, -0.034, start), (0.0, -0.06, start + 0.01), (0.0, tip, start + 0.02), (0.0, tip, start - 0.01)]
    if high:
        bend = arc((0, -0.034 - reach / 2, height), reach / 2, 0.0, math.pi, 6)
        points = [(0.0, -0.034, start), *bend, (0.0, tip, height - 0.05)]
    tube(spout, points, 0.010)
    if draw.chance("pull_out", 0.12):
        spray = spout.slide("spray", "-z", 0.05, at=points[-1], material=DARK_ABS)
        spray.cylinder(0.013, (0, tip, points[-1][2] - 0.051), (0, tip, points[-1][2] - 0.001))
    if two:
        _side_handles(body, draw)
    elif high:
        with build.frame((0.0245, 0, 0.045), rotation("y", math.pi / 2)):
            _lever(body, draw)
    else:
        with build.frame((0, 0, collar + 0.0685)):
            _lever(body, draw)


def _side_handles(body: Part, draw: Draw) -> None:
    kind = draw.pick("handles", ("quarter", "turns", "screw"), (5, 2, 3))
    for name, s in (("hot", 1), ("cold", -1)):
        x = s * 0.09
        body.cylinder(0.02, (x, 0, 0), (x, 0, 0.035))
        at = (x, 0.0, 0.036)
        if kind == "screw":
            body.cylinder(0.006, (x, 0, 0.035), (x, 0, 0.043), BRASS)
            handle = screwed(body, draw, f"{name}_handle", "z", at, 0.0015, draw.number(f"{name}_turns", 2, 4))
            levels = [(0.001, 0.0075, 0.018), (0.012, 0.0075, 0.020), (0.012, 0, 0.020), (0.03, 0, 0.016)]
            handle.turned(levels, at, sections=16)
        else:
            stop = radians(90) if kind == "quarter" else radians(draw.integer(f"{name}_stop", 180, 350))
            handle = body.hinge(f"{name}_handle", "z" if s < 0 else "-z", at, stop)
            handle.cylinder(0.014, (x, 0, 0.036), (x, 0, 0.06))
        for k in range(1 if kind == "quarter" else 2):
            c, n = 0.032 * (1 - k), 0.032 * k
            handle.cylinder(0.005, (x - c, -n, 0.056), (x + c, n, 0.056))


def _lever(body: Part, draw: Draw) -> None:
    """A mixing lever that turns about z and lifts, on the origin."""
    yaw = draw.angle("lever_yaw", 45, 55)
    cap = body.hinge("lever_turn", "z", (0, 0, 0), yaw, -yaw)
    cap.cylinder(0.021, (0, 0, 0), (0, 0, 0.012))
    for s in (-1, 1):
        cap.box((s * 0.012, s * 0.018), (-0.008, 0.008), (0.012, 0.034))
    lever = cap.hinge("lever_lift", "-x", (0, 0, 0.024), draw.angle("lever_lift", 25, 30))
    lever.cylinder(0.007, (-0.0105, 0, 0.024), (0.0105, 0, 0.024))
    lever.box((-0.0095, 0.0095), (-0.11, 0.0), (0.024, 0.030))
