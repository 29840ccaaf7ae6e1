"""Lighting: desk lamps, spotlights, lighters and torches, chandeliers."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Vector, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, ALUMINIUM, BRASS, DARK_ABS, DARK_STEEL, GLASS, STEEL, painted
from simcheck.suite.parts import arc, button, ring_of, screwed, spaced, tube

_SUPER = "lighting"


@category(77, _SUPER, 450)
def desk_lamp(build: Builder, draw: Draw) -> None:
    """A foot, a swivel, arms side by side, a shade; or a gooseneck of many small joints."""
    metal, foot_r = painted(draw, ALUMINIUM), draw.length("foot", 0.07, 0.1)
    base = build.root("base", metal.at(5000))
    base.turned([(0, 0, foot_r), (0.012, 0, foot_r), (0.022, 0, 0.6 * foot_r), (0.03, 0, 0.3 * foot_r)])
    if draw.chance("button", 0.3):
        button(
            base,
            "switch",
            (-0.008, 0.008),
            (-0.62 * foot_r - 0.012, -0.62 * foot_r + 0.004),
            0.024,
            0.002,
            material=DARK_ABS,
        )
    top = 0.03
    endless = draw.chance("endless_swivel", 0.3)
    stop = radians(170)
    if draw.chance("swivel", 0.85):
        part = (
            base.spin("swivel", "z", (0, 0, top), material=metal)
            if endless
            else base.hinge("swivel", "z", (0, 0, top), stop, -stop, material=metal)
        )
    else:
        part = base.mount("column", metal)
    part.cylinder(0.016, (0, 0, top + 0.0006), (0, 0, top + 0.02))
    if draw.chance("gooseneck", 0.05):
        count, step, r = draw.integer("neck_joints", 8, 20), 0.026, 0.011
        at: Vector = (0.0, 0.0, top + 0.02)
        part.cylinder(r, at, (0, 0, at[2] + 0.012))
        z = at[2] + 0.012
        for k in range(count):
            z += 0.010
            axis: Vector = (math.cos(0.9 * k), math.sin(0.9 * k), 0.0)
            part = part.hinge(f"neck_{k}", axis, (0, 0, z), radians(15), -radians(15), material=DARK_STEEL)
            part.cylinder(0.7 * r, (0, 0, z - 0.004), (0, 0, z + 0.006))
            part.cylinder(r, (0, 0, z + 0.004), (0, 0, z + step - 0.012))
            z += step - 0.012
        with build.frame((0, 0, z), rotation("x", radians(60))):
            part.turned([(0, 0, 0.02), (0.02, 0, 0.03), (0.02, 0.026, 0.03), (0.09, 0.056, 0.06)], material=metal)
        return
    arms, thick = draw.pick("arms", (1, 2, 3), (3, 5, 1)), 0.012
    for s in (-1, 1):
        part.box((s * 0.008, s * 0.013), (-0.012, 0.012), (top + 0.02, top + 0.05))
    at, lean = (0.0, 0.0, top + 0.04), [radians(x) for x in (-18, 50, -40)]
    direction = 0.0
    for k in range(arms):
        length = draw.length(f"arm_{k}", 0.2, 0.45 if k < 2 else 0.3)
        low, high = (-40, 60) if k == 0 else (-60, 55)
        arm = part.hinge(f"arm_{k}", "x", at, radians(high), radians(low), material=metal)
        x = 0.0 if k % 2 == 0 else 0.017
        direction = direction + lean[k]
        end: Vector = (0.0, at[1] - length * math.sin(direction), at[2] + length * math.cos(direction))
        arm.cylinder(0.0065, (x - 0.0072, at[1], at[2]), (x + 0.0072, at[1], at[2]))
        arm.bar((x, at[1], at[2]), (x, end[1], end[2]), thick, 0.010)
        part, at = arm, end
    x = 0.0 if arms % 2 == 0 else 0.017
    shade = part.hinge("shade", "x", at, radians(5), -radians(70), material=metal)
    shade.cylinder(0.0065, (x - 0.0072, at[1], at[2]), (x + 0.0072, at[1], at[2]))
    size = draw.number("shade_size", 0.85, 1.2)
    with build.frame((x, at[1], at[2]), rotation("x", math.pi - 1.1 + direction)):
        shade.cylinder(0.008, (0, 0, 0), (0, 0, 0.03))
        shade.turned(
            [
                (0.03, 0, 0.025 * size),
                (0.04, 0, 0.032 * size),
                (0.04, 0.027 * size, 0.032 * size),
                (0.14 * size, 0.066 * size, 0.071 * size),
            ]
        )
        bulb = shade.mount("bulb", GLASS)
        bulb.sphere(0.022 * size, (0, 0, 0.085 * size))


@category(78, _SUPER, 200)
def spotlight_or_track(build: Builder, draw: Draw) -> None:
    """Spots on a ceiling rail: each slides in its own interval, turns and tilts."""
    spots = draw.pick("spots", (1, 2, 3, 4, 6, 10), (1, 6, 2, 1.5, 1, 0.6))
    length, metal = (
        max(0.5, draw.length("rail", 0.26, 0.42) * spots),
        painted(draw, ALUMINIUM, ("white", "black", "grey", "red")),
    )
    slides, top = draw.chance("slides", 0.75), 2.4
    rail = build.root("rail", metal)
    rail.box((-length / 2, length / 2), (-0.018, 0.018), (top - 0.02, top))
    radius, deep = draw.length("spot_radius", 0.03, 0.05), draw.length("spot_length", 0.09, 0.14)
    stop, endless = draw.angle("turn", 150, 175), draw.chance("endless", 0.25)
    step = length / spots
    for k, (x0, x1) in enumerate(spaced(-length / 2, length / 2, spots)):
        x = (x0 + x1) / 2
        reach = step / 2 - 1.15 * deep - 0.006
        part = rail
        z = top - 0.0215
        if slides and reach > 0.01:
            part = rail.slide(f"carriage_{k}", "x", round(reach, 4), -round(reach, 4), at=(x, 0, z), material=metal)
        else:
            part = rail.mount(f"carriage_{k}", metal)
        part.box((x - 0.025, x + 0.025), (-0.017, 0.017), (z - 0.018, z))
        z -= 0.019
        arm = (
            part.spin(f"pan_{k}", "z", (x, 0, z), material=metal)
            if endless
            else part.hinge(f"pan_{k}", "z", (x, 0, z), stop, -stop, material=metal)
        )
        arm.cylinder(0.010, (x, 0, z - 0.03), (x, 0, z))
        drop = z - 0.041 - math.hypot(0.45 * deep, radius)
        side = radius + 0.006
        arm.box((x - side - 0.004, x + side + 0.004), (-0.008, 0.008), (z - 0.036, z - 0.03))
        for s in (-1, 1):
            arm.box((x + s * side, x + s * (side + 0.004)), (-0.008, 0.008), (drop - 0.008, z - 0.036))
        spot = arm.hinge(f"tilt_{k}", "x", (x, 0, drop), radians(40), -radians(75), material=metal)
        with build.frame((x, 0, drop), rotation("x", math.pi + 0.25)):
            spot.turned(
                [
                    (-0.45 * deep, 0, radius),
                    (0.2 * deep, 0, radius),
                    (0.2 * deep, radius - 0.004, radius),
                    (0.45 * deep, radius - 0.004, radius),
                ]
            )
            for s in (-1, 1):
                spot.cylinder(0.004, (s * (radius - 0.001), 0, 0), (s * (side - 0.0008), 0, 0), STEEL)
            spot.mount(f"lamp_{k}", GLASS).cylinder(0.75 * radius, (0, 0, 0.21 * deep), (0, 0, 0.3 * deep))


@category(79, _SUPER, 200)
def lighter_or_torch(build: Builder, draw: Draw) -> None:
    """A lighter with a lid, wheel and button; a torch with a screwed head; a fountain pen with a screwed cap."""
    style = draw.pick("style", ("lighter", "torch", "pen"), (4, 5, 1))
    if style == "lighter":
        width, depth, height = 0.036, 0.012, draw.length("height", 0.034, 0.042)
        metal = STEEL.at(4000) if draw.chance("steel", 0.6) else painted(draw, BRASS.at(4000))
        body, half = build.root("case", metal), width / 2
        body.box((-half, half), (-depth / 2, depth / 2), (0, height))
        body.box((-half + 0.004, half - 0.008), (-0.004, 0.004), (height, height + 0.006), DARK_STEEL)
        for y in (-0.0042, 0.0042):
            body.box((-half + 0.006, half - 0.014), (y - 0.0006, y + 0.0006), (height + 0.006, height + 0.015), STEEL)
        wheel = body.spin("wheel", "y", (-half + 0.010, 0, height + 0.012), material=DARK_STEEL)
        wheel.cylinder(0.0042, (-half + 0.010, -0.0028, height + 0.012), (-half + 0.010, 0.0028, height + 0.012))
        lid_h = 0.020
        lid = body.hinge(
            "lid", "y", (half + 0.001, 0, height + 0.0003), draw.angle("lid_opening", 120, 150), material=metal
        )
        z = height + 0.0006
        for s in (-1, 1):
            lid.box((-half, half), (s * depth / 2, s * (depth / 2 - 0.0008)), (z, z + lid_h))
        lid.box((-half, half), (-depth / 2 + 0.0008, depth / 2 - 0.0008), (z + lid_h - 0.0008, z + lid_h))
        if draw.chance("valve", 0.35):
            valve = body.slide("valve", "z", 0.001, at=(0, 0, 0), material=DARK_STEEL)
            valve.cylinder(0.003, (0, 0, -0.0035), (0, 0, -0.0013))
        return
    if style == "pen":
        body, r = build.root("pen", painted(draw, ABS)), 0.0055
        body.cylinder(r, (0, 0, 0), (0, 0, 0.075))
        body.turned([(-0.04, 0, 0.0012), (-0.028, 0, 0.0035), (0, 0, 0.0042)], sections=14, material=STEEL)
        if draw.chance("screwed", 0.7):
            cap = screwed(
                body, draw, "cap", "-z", (0, 0, 0), 0.004, draw.number("turns", 1, 2), material=painted(draw, ABS)
            )
        else:
            cap = body.slide("cap", "-z", 0.05, at=(0, 0, 0), material=painted(draw, ABS))
        cap.turned(
            [(-0.047, 0, 0.0062), (-0.044, 0, 0.0068), (-0.044, 0.0054, 0.0068), (-0.0006, 0.0054, 0.0068)], sections=16
        )
        cap.box((0.0066, 0.0082), (-0.0015, 0.0015), (-0.044, -0.006), STEEL)
        return
    r, length = draw.length("radius", 0.011, 0.018), draw.length("length", 0.07, 0.12)
    skin = painted(draw, ALUMINIUM, ("black", "grey", "red", "blue", "green"))
    body, head = build.root("body", skin), 1.5 * r
    body.cylinder(r, (0, 0, 0), (0, 0, length))
    for z, _ in spaced(0.15 * length, 0.5 * length, 5):
        ring_of(body, (0, 0, z), "z", 0.9 * r, 1.06 * r, 0.003, sections=14)
    lead, number = draw.length("lead", 0.0015, 0.003), draw.number("turns", 0.5, 2)
    front = screwed(body, draw, "head", "z", (0, 0, length), lead, number, material=skin)
    front.turned(
        [
            (-0.016, r + 0.0006, 1.3 * r),
            (0.001, r + 0.0006, 1.3 * r),
            (0.001, 0, 1.35 * r),
            (0.012, 0, head),
            (0.022, 0, head),
        ],
        (0, 0, length),
    )
    front.mount("lens", GLASS).cylinder(0.9 * head, (0, 0, length + 0.022), (0, 0, length + 0.024))
    switch = draw.pick("switch", ("tail", "side", "none"), (3, 3, 2))
    if switch == "tail":
        key = body.slide("tail_switch", "z", 0.002, at=(0, 0, 0), material=DARK_ABS)
        key.cylinder(0.6 * r, (0, 0, -0.006), (0, 0, -0.0025))
    elif switch == "side":
        key = body.slide("side_switch", "z", 0.006, at=(r, 0, 0.5 * length), material=DARK_ABS)
        key.box((r + 0.0006, r + 0.0035), (-0.004, 0.004), (0.5 * length, 0.5 * length + 0.010))
    if draw.chance("tail_cap", 0.3) and switch != "tail":
        cap = screwed(body, draw, "tail_cap", "-z", (0, 0, 0), 0.0015, draw.number("cap_turns", 2, 5), material=skin)
        cap.turned(
            [(-0.006, 0, 0.9 * r), (-0.002, 0, 1.15 * r), (-0.002, r + 0.0006, 1.15 * r), (0.008, r + 0.0006, 1.15 * r)]
        )


@category(80, _SUPER, 150)
def chandelier_or_pendant(build: Builder, draw: Draw) -> None:
    """A ceiling plate, a rod that lifts or turns, arms that swing, each with a lamp."""
    metal = BRASS.at(4000) if draw.chance("brass", 0.5) else painted(draw, ALUMINIUM, ("black", "white", "grey"))
    arms, radius, drop = draw.count("arms", 0, 4, 15), draw.length("radius", 0.2, 0.5), draw.length("drop", 0.35, 0.7)
    top = 2.5
    plate = build.root("ceiling_plate", metal)
    plate.turned([(-0.03, 0, 0.03), (-0.015, 0, 0.06), (0, 0, 0.06)], (0, 0, top))
    ring_of(plate, (0, 0, top - 0.03 - 0.5 * drop), "z", 0.0095, 0.013, 0.5 * drop, sections=12)
    if draw.chance("lifts", 0.75):
        stem = plate.slide("stem", "-z", round(0.35 * drop, 4), at=(0, 0, top), material=metal)
    else:
        stem = plate.spin("stem", "z", (0, 0, top), material=metal)
    low = top - drop
    stem.cylinder(0.008, (0, 0, low), (0, 0, top - 0.03 - 0.05))
    if arms == 0:
        shade = stem.mount("shade", painted(draw, ALUMINIUM))
        shade.turned(
            [(-0.16, 0.145, 0.15), (-0.05, 0.055, 0.06), (-0.002, 0.03, 0.036), (-0.002, 0, 0.036), (0.002, 0, 0.03)],
            (0, 0, low),
        )
        stem.mount("bulb", GLASS).sphere(0.035, (0, 0, low - 0.08))
        return
    ring = 0.05 + 0.004 * arms
    stem.cylinder(ring, (0, 0, low), (0, 0, low + 0.03))
    stem.sphere(0.7 * ring, (0, 0, low - 0.02))
    swings = draw.chance("arms_swing", 0.8)
    room = math.pi / max(arms, 2)
    # Neighbours have room for half the angle between them, less what their lamps need.
    lamp = min(0.045, 0.3 * radius * math.sin(room))
    stop = round(min(math.pi / 4, 0.5 * room), 6)
    for k in range(arms):
        angle = 2 * math.pi * k / arms
        with build.frame((0, 0, low), rotation("z", angle)):
            pin: Vector = (ring + 0.010, 0.0, 0.015)
            arm = (
                stem.hinge(f"arm_{k}", "z", pin, stop, -stop, material=metal)
                if swings
                else stem.mount(f"arm_{k}", metal)
            )
            if swings:
                for z in (0.004, 0.022):
                    stem.box((0.9 * ring, ring + 0.016), (-0.006, 0.006), (z, z + 0.004))
                arm.cylinder(0.005, (pin[0], 0, 0.0085), (pin[0], 0, 0.0215))
            start = ring + 0.03
            curve = arc(((start + radius) / 2, 0, 0.015), (radius - start) / 2, math.pi, 2 * math.pi, 5, "xz")
            points = [(pin[0] + 0.004, 0.0, 0.015), *curve]
            tube(arm, points, 0.0045)
            arm.cylinder(0.5 * lamp, (radius, 0, 0.015), (radius, 0, 0.045), DARK_STEEL)
            bulb = arm.mount(f"lamp_{k}", GLASS)
            bulb.sphere(lamp, (radius, 0, 0.045 + 0.85 * lamp))
