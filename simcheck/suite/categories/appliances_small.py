"""Appliances: refrigerators, ovens, washing machines, coffee machines, fans, mixers."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Vector, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, DARK_ABS, DARK_STEEL, GLASS, STEEL, painted
from simcheck.suite.panel import dial, press
from simcheck.suite.parts import ring_of, screwed, shell, spaced, tube

_SUPER = "appliances"


@category(27, _SUPER, 250)
def toaster(build: Builder, draw: Draw) -> None:
    """Slots, a lever for each pair, a browning knob, buttons, a crumb tray."""
    slots = draw.pick("slots", (2, 4), (4, 1))
    length, width, height = draw.length("length", 0.26, 0.32), 0.08 + 0.04 * slots, draw.length("height", 0.17, 0.2)
    skin = STEEL.at(1200) if draw.chance("steel", 0.4) else painted(draw, ABS.at(700))
    body, half = build.root("body", skin), length / 2
    base, slot = 0.02, 0.032
    # Slots run along x between lengthwise walls; the levers move in front of the end face at x = half.
    for y0, y1 in spaced(-width / 2, width / 2, slots):
        wall = (y1 - y0 - slot) / 2
        body.box((-half, half), (y0, y0 + wall), (base, height))
        body.box((-half, half), (y1 - wall, y1), (base, height))
        for s in (-1, 1):
            body.box((s * half, s * (half - 0.03)), (y0 + wall, y1 - wall), (base, height))
    for s in (-1, 1):
        for y in (-width / 2 + 0.005, width / 2 - 0.02):
            body.box((s * (half - 0.01), s * (half - 0.05)), (y, y + 0.015), (0, base), DARK_ABS)
    travel = draw.length("lever_travel", 0.06, min(0.09, height - 0.09))
    pairs = slots // 2
    for k, (y0, y1) in enumerate(spaced(-width / 2, width / 2, pairs)):
        y, name = (y0 + y1) / 2, f"lever_{k}" if pairs > 1 else "lever"
        lever = body.slide(name, "-z", travel, at=(half, y, height - 0.04), material=DARK_ABS)
        lever.box((half + 0.001, half + 0.03), (y - 0.02, y + 0.02), (height - 0.05, height - 0.038))
    if draw.chance("knob", 0.8):
        y = -width / 2
        knob = body.hinge("browning_knob", "-y", (0.2 * length, y, 0.35 * height), radians(300), material=DARK_ABS)
        knob.cylinder(0.016, (0.2 * length, y - 0.014, 0.35 * height), (0.2 * length, y - 0.0006, 0.35 * height))
        knob.box(
            (0.2 * length - 0.0015, 0.2 * length + 0.0015),
            (y - 0.0152, y - 0.014),
            (0.35 * height + 0.003, 0.35 * height + 0.014),
            ABS,
        )
    for k in range(draw.count("buttons", 0, 1, 5)):
        x = -0.35 * length + 0.032 * k
        press(body, f"button_{k}", (x, x + 0.024), (0.3 * height, 0.4 * height), -width / 2, 0.003)
    if draw.chance("crumb_tray", 0.45):
        tray = body.slide("crumb_tray", "-x", round(0.7 * length, 4), at=(0, 0, 0.012), material=STEEL)
        for y in (-0.25 * width, 0.22 * width):
            tray.box((-half - 0.006, half - 0.06), (y, y + 0.03 * width), (0.0085, 0.0185))
        tray.box((-half - 0.006, half - 0.06), (-0.25 * width, 0.25 * width), (0.0065, 0.0085))


@category(28, _SUPER, 350)
def coffee_machine(build: Builder, draw: Draw) -> None:
    """An espresso machine with portafilter and steam wand, or a filter machine with lid, tank and jug."""
    width, depth, height = (
        draw.length("width", 0.22, 0.35),
        draw.length("depth", 0.3, 0.42),
        draw.length("height", 0.3, 0.42),
    )
    skin = STEEL.at(900) if draw.chance("steel", 0.5) else painted(draw, ABS.at(500))
    body, half = build.root("body", skin), width / 2
    body.box((-half, half), (0.14, depth), (0, height))
    body.box((-half, half), (-0.02, 0.14), (0, 0.035))
    body.box((-half, half), (0.0, 0.14), (height - 0.11, height))
    grate = body.mount("drip_grate", DARK_STEEL)
    for x, _ in spaced(-half + 0.02, half - 0.02, 7):
        grate.box((x, x + 0.006), (-0.01, 0.13), (0.0352, 0.039))
    under, panel = height - 0.11, height - 0.055
    espresso = draw.chance("espresso", 0.55)
    buttons = draw.count("buttons", 0, 1, 8)
    for k, (x0, x1) in enumerate(spaced(-0.42 * width, 0.2 * width, max(buttons, 4))[:buttons]):
        press(
            body, f"button_{k}", (x0 + 0.003, min(x1 - 0.003, x0 + 0.022)), (panel - 0.008, panel + 0.008), 0.0, 0.003
        )
    if draw.chance("knob", 0.6):
        dial(body, "strength_knob", (0.33 * width, 0.0, panel), 0.02, endless=draw.chance("endless", 0.4))
    if espresso:
        body.cylinder(0.036, (0, 0.06, under - 0.02), (0, 0.06, under))
        lock = draw.angle("bayonet", 25, 35)
        filter_ = body.hinge("portafilter", "z", (0, 0.06, under - 0.03), lock, -lock, material=STEEL)
        filter_.cylinder(0.035, (0, 0.06, under - 0.055), (0, 0.06, under - 0.022))
        filter_.cylinder(0.012, (0, 0.025, under - 0.035), (0, -0.08, under - 0.04), DARK_ABS)
        filter_.cylinder(0.007, (0, 0.06, under - 0.08), (0, 0.06, under - 0.055))
        if draw.chance("wand", 0.75):
            x, y = half - 0.03, -0.012
            body.box((x - 0.01, x + 0.01), (y - 0.01, 0.0), (under + 0.005, under + 0.025), STEEL)
            swing = draw.angle("wand_swing", 30, 45)
            wand = body.hinge("steam_wand", "z", (x, y, under), swing, -swing, material=STEEL)
            wand.sphere(0.009, (x, y, under - 0.006))
            tube(wand, [(x, y, under - 0.008), (x, y - 0.012, under - 0.04), (x, y - 0.03, 0.07)], 0.004)
    else:
        jug = body.slide("jug", "-y", 0.16, at=(0, 0.06, 0.05), material=GLASS)
        r = min(0.055, 0.4 * width)
        jug.turned(
            [(0.0405, 0, r), (0.044, 0, r), (0.044, r - 0.003, r), (under - 0.03, 0.75 * r - 0.003, 0.75 * r)],
            (0, 0.06, 0),
        )
        jug.box((-0.008, 0.008), (0.06 - r - 0.03, 0.06 - r - 0.018), (0.06, under - 0.04), DARK_ABS)
        for z in (0.06, under - 0.052):
            jug.box((-0.008, 0.008), (0.06 - r - 0.02, 0.06 - 0.8 * r), (z, z + 0.012), DARK_ABS)
    if draw.chance("lid", 0.8):
        lid = body.hinge(
            "lid", "-x", (0, depth + 0.001, height + 0.001), draw.angle("lid_opening", 60, 100), material=skin
        )
        lid.box((-half, half), (0.12, depth), (height + 0.001, height + 0.012))
    if draw.chance("tank", 0.55):
        tank = body.slide("water_tank", "z", round(0.6 * height, 4), at=(0, depth, 0.1), material=GLASS.at(600))
        shell(tank, (-0.8 * half, 0.8 * half), (depth + 0.002, depth + 0.07), (0.03, 0.85 * height), 0.003, without="z")


@category(29, _SUPER, 450)
def fan(build: Builder, draw: Draw) -> None:
    """A pedestal or desk fan that swings and tilts, or a ceiling fan."""
    radius, skin = draw.length("rotor", 0.10, 0.25), painted(draw, ABS)
    style = draw.pick("style", ("pedestal", "desk", "ceiling"), (5, 3, 1.5))
    blades = draw.integer("blades", 3, 5)
    if style == "ceiling":
        plate, reach = build.root("ceiling_plate", skin), draw.length("reach", 0.45, 0.65)
        drop = draw.length("drop", 0.2, 0.5)
        plate.cylinder(0.07, (0, 0, 2.45), (0, 0, 2.5))
        plate.cylinder(0.012, (0, 0, 2.5 - drop), (0, 0, 2.45), STEEL)
        hub = plate.spin("rotor", "z", (0, 0, 2.5 - drop), material=skin)
        z = 2.5 - drop - 0.002
        hub.turned([(-0.12, 0, 0.06), (-0.09, 0, 0.1), (-0.03, 0, 0.1), (0, 0, 0.04)], (0, 0, z))
        for k in range(blades):
            with build.frame((0, 0, z - 0.06), rotation("z", 2 * math.pi * k / blades)):
                hub.box((0.09, reach), (-0.06, 0.06), (-0.004, 0.004), turn=rotation("x", radians(12)))
        return
    base = build.root("base", skin)
    tall = draw.length("pole", 0.5, 1.1) if style == "pedestal" else draw.length("pole", 0.14, 0.25) + radius
    base.turned([(0, 0, 0.9 * max(0.14, 0.8 * radius)), (0.02, 0, 0.85 * max(0.14, 0.8 * radius)), (0.035, 0, 0.03)])
    part, top = base, tall
    if style == "pedestal" and draw.chance("telescopic", 0.7):
        ring_of(base, (0, 0, 0.035), "z", 0.0125, 0.017, tall - 0.2, sections=12)
        lift = round(min(0.4, tall - 0.3), 4)
        part = base.slide("mast", "z", lift, material=STEEL)
        part.cylinder(0.011, (0, 0, tall - 0.21 - lift + 0.05), (0, 0, top))
    else:
        base.cylinder(0.015, (0, 0, 0.035), (0, 0, top))
    if draw.chance("swings", 0.75):
        swing = draw.angle("swing", 40, 50)
        neck = part.hinge("neck", "z", (0, 0, top), swing, -swing, material=skin)
    else:
        neck = part.mount("neck", skin)
    neck.cylinder(0.022, (0, 0, top + 0.001), (0, 0, top + 0.03))
    for s in (-1, 1):
        neck.box((s * 0.014, s * 0.02), (-0.014, 0.014), (top + 0.03, top + 0.062))
    pin = (0.0, 0.0, top + 0.048)
    up, down = draw.angle("tilt_up", 20, 30), draw.angle("tilt_down", 8, 15)
    lean = draw.angle("lean", 0, 12)
    # Turned about -x, the head looks up; at rest it already leans a little.
    with build.frame(pin, rotation("x", -lean)):
        head = neck.hinge("head", "-x", (0, 0, 0), round(up - lean, 6), -round(down + lean, 6), material=skin)
        head.cylinder(0.010, (-0.0125, 0, 0), (0.0125, 0, 0))
        head.box((-0.011, 0.011), (-0.011, 0.011), (0, 0.03))
        axis_z = 0.075
        head.turned([(0, 0, 0.045), (0.1, 0, 0.05), (0.12, 0, 0.035)], (0, 0.05, axis_z), "-y")
        front = -0.075
        rotor = head.spin(
            "rotor", "-y", (0, front, axis_z), material=painted(draw, ABS, ("blue", "grey", "white", "green"))
        )
        rotor.cylinder(0.2 * radius, (0, front - 0.03, axis_z), (0, front, axis_z))
        for k in range(blades):
            with build.frame((0, front - 0.015, axis_z), rotation("y", 2 * math.pi * k / blades)):
                rotor.box(
                    (0.1 * radius, 0.92 * radius),
                    (-0.001, 0.001),
                    (-0.18 * radius, 0.18 * radius),
                    turn=rotation("x", radians(18)),
                )
        if draw.chance("guard", 0.7):
            guard = head.mount("guard", STEEL)
            for y, r in ((front + 0.008, radius), (front - 0.055, radius)):
                guard.turned(
                    [(0, r - 0.004, r + 0.001), (0.005, r - 0.004, r + 0.001)], (0, y, axis_z), "-y", sections=20
                )
                for k in range(6):
                    with build.frame((0, y - 0.0025, axis_z), rotation("y", math.pi * k / 6)):
                        if y < front:
                            guard.box((-r + 0.003, r - 0.003), (-0.001, 0.001), (-0.0015, 0.0015))
                        else:
                            guard.box((0.05, r - 0.003), (-0.001, 0.001), (-0.0015, 0.0015))
                            guard.box((-r + 0.003, -0.05), (-0.001, 0.001), (-0.0015, 0.0015))
    if draw.chance("speed", 0.3):
        dial(base, "speed_knob", (0, -0.5 * max(0.14, 0.8 * radius), 0.0355), 0.014, axis="z", degrees=120)


@category(30, _SUPER, 200)
def stand_mixer(build: Builder, draw: Draw) -> None:
    """A column with a head that tilts back, a whisk, and a bowl that locks by a turn or a thread."""
    scale, skin = draw.number("scale", 0.9, 1.1), painted(draw, STEEL.at(1500))
    body = build.root("base", skin)
    length, width, height = 0.34 * scale, 0.21 * scale, 0.35 * scale
    body.box((-width / 2, width / 2), (-length / 2, length / 2), (0, 0.03))
    body.box((-0.055 * scale, 0.055 * scale), (length / 2 - 0.11 * scale, length / 2), (0.03, 0.62 * height))
    under = 0.65 * height
    pin = (0.0, length / 2 - 0.004, under - 0.002)
    head = body.hinge("head", "-x", pin, draw.angle("tilt", 35, 50), material=skin)
    head.box((-0.05 * scale, 0.05 * scale), (-length / 2 + 0.02, length / 2), (under, height))
    head.cylinder(
        0.05 * scale, (0, -length / 2 - 0.02, (under + height) / 2), (0, -length / 2 + 0.02, (under + height) / 2)
    )
    centre, bowl_r = -0.06 * scale, 0.1 * scale
    whisk = head.spin("whisk", "-z", (0, centre, under), material=STEEL)
    low = 0.09
    whisk.cylinder(0.012, (0, centre, under - 0.03), (0, centre, under - 0.001))
    for k in range(4):
        with build.frame((0, centre, 0), rotation("z", math.pi * k / 4)):
            points: list[Vector] = [
                (0.004, 0, under - 0.03),
                (0.035 * scale, 0, under - 0.06),
                (0.035 * scale, 0, low + 0.02),
                (0, 0, low),
                (-0.035 * scale, 0, low + 0.02),
                (-0.035 * scale, 0, under - 0.06),
                (-0.004, 0, under - 0.03),
            ]
            tube(whisk, points, 0.0016)
    levels = [
        (0.008, 0, 0.05 * scale),
        (0.012, 0, 0.6 * bowl_r),
        (0.012, 0.6 * bowl_r - 0.003, 0.6 * bowl_r),
        (0.05, bowl_r - 0.005, bowl_r),
        (under - 0.045, bowl_r - 0.005, bowl_r),
    ]
    at = (0.0, centre, 0.03)
    if draw.chance("threaded_bowl", 0.25):
        bowl = screwed(
            body,
            draw,
            "bowl",
            "z",
            at,
            draw.length("lead", 0.012, 0.02),
            draw.number("bowl_turns", 0.08, 0.2),
            material=STEEL,
        )
    else:
        bowl = body.hinge("bowl", "z", at, radians(draw.integer("bowl_turn", 12, 20)), material=STEEL)
    bowl.turned([(z - 0.006, a, b) for z, a, b in levels], at)
    if draw.chance("speed_lever", 0.7):
        x, y, z = 0.05 * scale + 0.001, 0.05 * scale, (under + height) / 2
        lever = head.hinge("speed_lever", "x", (x, y, z), radians(60), material=DARK_STEEL)
        lever.cylinder(0.01, (x, y, z), (x + 0.01, y, z))
        lever.box((x + 0.003, x + 0.01), (y - 0.05, y), (z - 0.005, z + 0.005))
