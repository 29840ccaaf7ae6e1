"""Containers: jars, bottles, boxes, bins, suitcases, buckets, gas bottles."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import (
    ABS,
    BRASS,
    CARDBOARD,
    CERAMIC,
    DARK_ABS,
    GLASS,
    PET,
    PP,
    STEEL,
    painted,
    wood,
)
from simcheck.suite.meshes import Level
from simcheck.suite.parts import arc, castor, hand_wheel, ring_of, screwed, shell, spaced, tube, wheel

_SUPER = "containers"


def _vessel(radius: float, neck: float, height: float, wall: float, shoulder: float, finish: float) -> list[Level]:
    """Levels of a round vessel with a shoulder and a neck of the height ``finish``."""
    inside, mouth = radius - wall, neck - wall
    base = 2 * wall
    return [
        (0, 0, 0.94 * radius),
        (base, 0, radius),
        (base, inside, radius),
        (height - finish - shoulder, inside, radius),
        (height - finish, mouth, neck),
        (height, mouth, neck),
    ]


@category(70, _SUPER, 600)
def jar(build: Builder, draw: Draw) -> None:
    """A jar with a screwed lid, or a clip-top jar."""
    radius = draw.length("radius", 0.02, 0.06)
    height = draw.length("height", max(0.05, 1.2 * radius), min(0.25, 4.5 * radius))
    neck = round(draw.number("neck", 0.78, 0.95) * radius, 4)
    finish = min(0.02, 0.22 * height)
    kind = draw.pick("body", ("glass", "plastic", "ceramic", "tin"), (5, 3, 1, 1))
    material = {"glass": GLASS, "plastic": PP, "ceramic": CERAMIC, "tin": STEEL.at(7300)}[kind]
    body = build.root("body", material)
    wall = max(0.0012, 0.045 * radius)
    body.turned(_vessel(radius, neck, height, wall, 0.12 * height, finish))
    if radius > 0.035 and draw.chance("clip_top", 0.2):
        pin = (0.0, neck + 0.004, height + 0.001)
        body.box((-0.008, 0.008), (neck - 0.001, neck + 0.008), (height - 0.012, height - 0.002), STEEL)
        lid = body.hinge("lid", "-x", pin, draw.angle("lid_opening", 90, 120), material=material)
        lid.turned([(0.0015, 0, neck), (0.006, 0, neck), (0.012, 0, 0.6 * neck)], (0, 0, height))
        lid.box((-0.007, 0.007), (neck - 0.003, neck + 0.004), (height + 0.0015, height + 0.005), STEEL)
        x, z = neck + 0.008, height - finish + 0.004
        for s in (-1, 1):
            body.cylinder(0.0025, (s * (neck - 0.001), 0, z), (s * (x - 0.003), 0, z), STEEL)
        wire = body.hinge("wire", "-x", (0, 0, z), radians(80), material=STEEL)
        for s in (-1, 1):
            wire.cylinder(0.0015, (s * x, 0, z), (s * x, -neck - 0.018, z + 0.006))
        wire.cylinder(0.0015, (-x, -neck - 0.018, z + 0.006), (x, -neck - 0.018, z + 0.006))
        return
    turns_closed = draw.pick("closure", (0.25, 0.5, 1.0, 1.5, 2.0), (2, 1, 4, 2, 2))
    lead = draw.length("lead", 0.0040, 0.0060) if radius > 0.05 else draw.length("lead", 0.0032, 0.0042)
    colour = painted(draw, STEEL.at(4000) if kind in ("glass", "tin") else PP)
    lid = screwed(body, draw, "lid", "z", (0, 0, height), lead, turns_closed, material=colour)
    gap, skirt = max(0.0006, 0.02 * radius), max(0.001, 0.035 * radius)
    inner, outer = neck + gap, neck + gap + skirt
    low = -finish + 0.001
    lid.turned(
        [(low, inner, outer), (0.001, inner, outer), (0.001, 0, outer), (0.003, 0, 0.96 * outer)], (0, 0, height)
    )
    if draw.chance("label", 0.5):
        label = body.mount("label", painted(draw, CARDBOARD, ("white", "cream", "red", "green", "yellow")))
        ring_of(label, (0, 0, 0.25 * height), "z", radius + 0.0001, 1.03 * radius, 0.35 * height)


@category(71, _SUPER, 400)
def bottle(build: Builder, draw: Draw) -> None:
    """A bottle with a screw cap, a flip cap, a sports cap, a spray head or a pump."""
    radius, height = draw.length("radius", 0.03, 0.05), draw.length("height", 0.15, 0.33)
    neck, style = (
        draw.length("neck", 0.011, 0.016),
        draw.pick("cap", ("screw", "flip", "sports", "spray", "pump"), (9, 3, 2, 2, 2)),
    )
    glassy = draw.chance("glass", 0.3) and style in ("screw", "flip")
    material = GLASS if glassy else painted(draw, PET.at(1350)) if draw.chance("opaque", 0.5) else PET
    body = build.root("body", material)
    wall = 0.0018
    finish = 0.02
    body.turned(_vessel(radius, neck, height, wall, draw.length("shoulder", 0.02, 0.3 * height), finish))
    if draw.chance("label", 0.4):
        label = body.mount("label", painted(draw, CARDBOARD))
        ring_of(label, (0, 0, 0.2 * height), "z", radius + 0.0001, 1.03 * radius, 0.25 * height)
    lead, colour = draw.length("lead", 0.0027, 0.0042), painted(draw, PP)
    number = draw.pick("turns", (0.75, 1.0, 1.5, 2.0))
    inner, outer, low = neck + 0.0008, neck + 0.0024, height - finish + 0.002
    if style == "flip":
        base = body.mount("cap", colour)
        base.turned(
            [(-finish + 0.004, inner, outer), (0.001, inner, outer), (0.001, 0, outer), (0.004, 0, outer)],
            (0, 0, height),
        )
        lid = base.hinge("flip_lid", "-x", (0, outer + 0.001, height + 0.0055), draw.angle("flip_opening", 120, 150))
        lid.turned(
            [(0, 0, outer - 0.0005), (0.008, 0, outer - 0.0005), (0.012, 0, 0.7 * outer)], (0, 0, height + 0.0048)
        )
        return
    cap = screwed(body, draw, "cap", "z", (0, 0, height), lead, number, material=colour)
    cap.turned(
        [(low - height, inner, outer), (0.001, inner, outer), (0.001, 0, outer), (0.004, 0, 0.9 * outer)],
        (0, 0, height),
    )
    top = height + 0.004
    if style == "sports":
        cap.cylinder(0.005, (0, 0, top), (0, 0, top + 0.02), DARK_ABS)
        nozzle = cap.slide("nozzle", "z", 0.008, at=(0, 0, top), material=ABS)
        nozzle.turned([(0.001, 0.006, 0.0085), (0.016, 0.006, 0.0075)], (0, 0, top))
    elif style == "spray":
        cap.cylinder(0.006, (0, 0, top), (0, 0, top + 0.02), DARK_ABS)
        cap.box((-0.011, 0.011), (-0.045, 0.02), (top + 0.02, top + 0.045))
        pin = (0.0, -0.030, top + 0.019)
        trigger = cap.hinge("trigger", "x", pin, draw.angle("trigger_pull", 15, 25), material=DARK_ABS)
        trigger.bar((0, -0.030, top + 0.018), (0, -0.052, top - 0.025), 0.012, 0.004)
    elif style == "pump":
        stroke = draw.length("stroke", 0.010, 0.02)
        ring_of(cap, (0, 0, top), "z", 0.0045, 0.008, 0.012)
        head = cap.slide("pump", "-z", stroke, at=(0, 0, top), material=colour)
        crown = top + 0.012 + stroke + 0.001
        head.cylinder(0.0032, (0, 0, top + 0.001 + stroke), (0, 0, crown))
        head.cylinder(0.010, (0, 0, crown), (0, 0, crown + 0.010))
        head.box((-0.004, 0.004), (-0.045, 0), (crown + 0.002, crown + 0.009))


@category(72, _SUPER, 450)
def box_with_lid(build: Builder, draw: Draw) -> None:
    """A box with a hinged lid, with two or four flaps, or with a sliding lid."""
    width, depth = draw.length("width", 0.08, 0.6), draw.length("depth", 0.06, 0.45)
    height = draw.length("height", 0.05, 0.4)
    style = draw.pick("style", ("lid", "two_flaps", "four_flaps", "slide"), (5, 2, 3, 2))
    paper = "flaps" in style
    material = CARDBOARD.at(round(draw.number("board", 150, 700))) if paper else wood(draw)
    wall = 0.004 if paper else max(0.004, 0.03 * min(width, height))
    body = build.root("body", material)
    half_w, half_d = width / 2, depth / 2
    shell(body, (-half_w, half_w), (-half_d, half_d), (0, height), wall, without="z")
    if style == "lid":
        thick = wall
        deep = 0.25 * height if draw.chance("deep_lid", 0.4) else thick
        lid = body.hinge(
            "lid", "-x", (0, half_d + 0.001, height + 0.0005), draw.angle("lid_opening", 90, 170), material=material
        )
        z = height + 0.001
        if deep > thick:
            shell(lid, (-half_w, half_w), (-half_d, half_d), (z, z + deep), wall, without="-z")
        else:
            lid.box((-half_w, half_w), (-half_d, half_d), (z, z + thick))
        if draw.chance("clasp", 0.4):
            y = -half_d - 0.001
            pin = (0.0, y - 0.002, z + deep * 0.5)
            clasp = lid.hinge("clasp", "-x", pin, draw.angle("clasp_opening", 90, 150), material=BRASS)
            clasp.box((-0.01, 0.01), (y - 0.003, y - 0.001), (height - 0.35 * min(height, 0.06), z + deep * 0.5))
        return
    if style == "slide":
        rail = max(0.004, 0.7 * wall)
        z = height + 0.0008
        for s in (-1, 1):
            body.box((s * half_w, s * (half_w - wall)), (-half_d, half_d), (height, z + rail + 0.001))
            body.box((s * half_w, s * (half_w - 2 * wall)), (-half_d, half_d), (z + rail + 0.001, z + 2 * rail))
        lid = body.slide("lid", "-y", round(0.9 * depth, 4), at=(0, 0, z), material=wood(draw))
        lid.box((-half_w + wall + 0.0008, half_w - wall - 0.0008), (-half_d, half_d - 0.002), (z, z + rail))
        knob = lid.mount("notch", material)
        knob.box((-0.015, 0.015), (-half_d + 0.004, -half_d + 0.01), (z + rail, z + rail + 0.004))
        return
    thick, low = 0.004, height + 0.0006
    upper = low + (thick + 0.001 if style == "four_flaps" else 0.0)
    opened, length = draw.angle("flap_opening", 190, 265), half_d - 0.001
    outer_rest = radians(draw.integer("outer_rest", 95, 180)) if style == "four_flaps" else 0.0
    for name, s, axis in (("front", -1, "x"), ("back", 1, "-x")):
        y = s * (half_d + 0.0005)
        flap = body.hinge(f"flap_{name}", axis, (0, y, upper + thick + 0.001), opened, rest=outer_rest)
        flap.box((-half_w, half_w), (s * half_d, s * (half_d - length)), (upper, upper + thick))
    if style == "four_flaps":
        length = min(half_d, half_w) - 0.001
        for name, s, axis in (("left", -1, "-y"), ("right", 1, "y")):
            x = s * (half_w + 0.0005)
            flap = body.hinge(f"flap_{name}", axis, (x, 0, low + thick + 0.001), opened)
            flap.box((s * half_w, s * (half_w - length)), (-half_d + 0.007, half_d - 0.007), (low, low + thick))


@category(73, _SUPER, 400)
def trash_can(build: Builder, draw: Draw) -> None:
    """A pedal bin, a swing-top bin, a wheeled bin or a row of recycling lids."""
    style = draw.pick("style", ("pedal", "swing", "wheeled", "row"), (4, 2, 3, 1))
    skin = painted(draw, PP) if style != "pedal" or draw.chance("plastic", 0.4) else STEEL.at(4000)
    if style == "pedal":
        radius, height = draw.length("radius", 0.10, 0.19), draw.length("height", 0.3, 0.7)
        body = build.root("body", skin)
        body.cylinder(0.9 * radius, (0, 0, 0), (0, 0, 0.02), DARK_ABS)
        body.turned(
            [(0.02, 0, radius), (0.03, 0, radius), (0.03, radius - 0.006, radius), (height, radius - 0.006, radius)]
        )
        top = height + 0.0015
        hinge = (0.0, radius + 0.006, top + 0.002)
        body.box((-0.03, 0.03), (radius - 0.001, radius + 0.012), (height - 0.03, height - 0.006), DARK_ABS)
        bucket_inside = draw.chance("inner_bucket", 0.35)
        opened = draw.angle("lid_opening", 100, 105) if bucket_inside else draw.angle("lid_opening", 80, 95)
        lid = body.hinge("lid", "-x", hinge, opened, material=skin, rest=opened if bucket_inside else 0.0)
        lid.turned([(0, 0, radius + 0.002), (0.015, 0, radius), (0.04, 0, 0.5 * radius)], (0, 0, top))
        lid.box((-0.028, 0.028), (radius - 0.01, radius + 0.007), (top, top + 0.01), DARK_ABS)
        pedal = body.hinge(
            "pedal", "x", (0, -radius - 0.004, 0.05), draw.angle("pedal_travel", 10, 18), material=DARK_ABS
        )
        pedal.box((-0.035, 0.035), (-radius - 0.075, -radius - 0.006), (0.044, 0.052))
        if bucket_inside:  # it lifts out only through an open lid
            r = radius - 0.012
            bucket = body.slide("inner_bucket", "z", round(0.8 * height, 4), material=PP)
            bucket.turned([(0.035, 0, r), (0.04, 0, r), (0.04, r - 0.004, r), (height - 0.005, r - 0.004, r)])
        return
    width, depth, height = (
        draw.length("width", 0.26, 0.5),
        draw.length("depth", 0.26, 0.5),
        draw.length("height", 0.5, 1.05),
    )
    base, half_w, half_d = (0.05 if style == "wheeled" else 0.0), width / 2, depth / 2
    body = build.root("body", skin)
    if style == "row":
        lids = draw.integer("lids", 2, 4)
        half_w = lids * width / 2
    shell(body, (-half_w, half_w), (-half_d, half_d), (base, height), 0.006, without="z")
    if style == "swing":
        rise = 0.16
        for s in (-1, 1):
            body.box((s * half_w, s * (half_w - 0.012)), (-half_d, half_d), (height, height + rise))
        pin = height + rise - 0.025
        flap = body.hinge("swing_lid", "x", (0, 0, pin), radians(70), -radians(70), material=painted(draw, PP))
        flap.box((-half_w + 0.015, half_w - 0.015), (-0.6 * half_d, 0.6 * half_d), (pin - 0.004, pin + 0.004))
        return
    for k, (x0, x1) in enumerate(spaced(-half_w, half_w, lids if style == "row" else 1)):
        colour = painted(draw, PP) if style == "row" else skin
        lid = body.hinge(
            f"lid_{k}" if style == "row" else "lid",
            "-x",
            ((x0 + x1) / 2, half_d + 0.008, height + 0.003),
            draw.angle("lid_opening", 85, 100),
            material=colour,
        )
        lid.box((x0 + 0.002, x1 - 0.002), (-half_d - 0.015, half_d + 0.004), (height + 0.002, height + 0.014))
        handle = lid.mount(f"grip_{k}", DARK_ABS)
        handle.box(
            (x0 + 0.35 * (x1 - x0), x0 + 0.65 * (x1 - x0)),
            (-half_d - 0.03, -half_d - 0.015),
            (height + 0.003, height + 0.01),
        )
    if style == "wheeled":
        radius = 0.09
        for name, s in (("left", -1), ("right", 1)):
            x = s * (half_w + 0.028)
            body.cylinder(
                0.012,
                (s * (half_w - 0.01), half_d - 0.06, radius),
                (s * (half_w + 0.001), half_d - 0.06, radius),
                STEEL,
            )
            wheel(body, f"wheel_{name}", (x, half_d - 0.06, radius), radius, 0.045)
        body.box((-half_w, half_w), (-half_d, -half_d + 0.05), (0, base))
        grip = body.mount("rear_handle", DARK_ABS)
        grip.cylinder(0.014, (-half_w, half_d + 0.05, height - 0.06), (half_w, half_d + 0.05, height - 0.06))
        for s in (-1, 1):
            grip.box((s * half_w, s * (half_w - 0.02)), (half_d, half_d + 0.05), (height - 0.07, height - 0.05))


@category(74, _SUPER, 300)
def suitcase(build: Builder, draw: Draw) -> None:
    """A trolley case on castors or two wheels: a shell that opens, a handle in stages, a lock."""
    width, depth, height = (
        draw.length("width", 0.36, 0.46),
        draw.length("depth", 0.20, 0.28),
        draw.length("height", 0.5, 0.7),
    )
    skin = painted(draw, ABS.at(800))
    spinner, radius = draw.chance("spinner", 0.6), 0.022
    floor = 2.5 * radius if spinner else 0.02
    back = build.root("back_shell", skin)
    half, seam, wall = width / 2, 0.0, 0.006
    shell(back, (-half, half), (seam, depth / 2), (floor, floor + height), wall, without="-y")
    hinge = (-half - 0.002, seam - 0.0005, floor + height / 2)
    front = back.hinge("front_shell", "-z", hinge, draw.angle("opening", 90, 175), material=skin)
    shell(front, (-half, half), (seam - 0.001, -depth / 2), (floor, floor + height), wall, without="y")
    if draw.chance("ribbed", 0.6):
        ribs = front.mount("ribs", skin)
        for x0, x1 in spaced(-0.8 * half, 0.8 * half, 5):
            ribs.box((x0 + 0.01, x1 - 0.01), (-depth / 2 - 0.004, -depth / 2), (floor + 0.05, floor + height - 0.05))
    reach = depth / 2 - 0.04
    if spinner:
        both = draw.chance("four", 0.8)
        for k, (shell_part, y) in enumerate(((back, reach), (front, -reach)) if both else ((back, reach),)):
            for name, x in (("left", -half + 0.05), ("right", half - 0.05)):
                castor(shell_part, f"castor_{name}_{k}", (x, y, floor), radius, direction=2 * math.pi * draw.unit())
    else:
        for name, s in (("left", -1), ("right", 1)):
            back.box((s * (half - 0.07), s * (half - 0.06)), (depth / 2, depth / 2 + 0.045), (0.02, 0.06))
            wheel(back, f"wheel_{name}", (s * (half - 0.04), depth / 2 + 0.034, 0.03), 0.03, 0.028)
        front.box((-half + 0.05, half - 0.05), (-depth / 2, -depth / 2 + 0.03), (0, floor))
    top, y, inner = floor + height, depth / 2 + 0.014, 0.5 * half
    for s in (-1, 1):
        ring_of(
            back, (s * inner, y, floor + 0.35 * height), "z", 0.0095, 0.0125, 0.6 * height, material=STEEL, sections=12
        )
    stroke = draw.length("stage", 0.2, 0.3)
    stage = back.slide("handle_stage_1", "z", stroke, material=STEEL)
    for s in (-1, 1):
        ring_of(stage, (s * inner, y, floor + 0.4 * height), "z", 0.0062, 0.0085, 0.56 * height, sections=12)
    last = stage.slide("handle_stage_2", "z", stroke, material=STEEL)
    for s in (-1, 1):
        last.cylinder(0.0052, (s * inner, y, floor + 0.42 * height), (s * inner, y, top + 0.012))
    last.box((-inner - 0.02, inner + 0.02), (y - 0.012, y + 0.012), (top + 0.012, top + 0.034), DARK_ABS)
    if draw.chance("carry_handle", 0.7):
        x, z = half + 0.004, floor + 0.5 * height
        side = back.hinge("carry_handle", "z", (x + 0.004, depth / 4 + 0.02, z), radians(90), material=DARK_ABS)
        side.box((x, x + 0.008), (depth / 4 - 0.02, depth / 4 + 0.02), (z - 0.09, z + 0.09))
    if draw.chance("lock", 0.6):
        for k in range(draw.pick("dials", (3, 3, 6))):
            z = floor + 0.72 * height + 0.009 * k
            dial = back.spin(f"dial_{k}", "z", (half + 0.012, 0.02, z), material=DARK_ABS)
            dial.cylinder(0.008, (half + 0.012, 0.02, z), (half + 0.012, 0.02, z + 0.007))


@category(75, _SUPER, 250)
def bucket_basket(build: Builder, draw: Draw) -> None:
    """A bucket with a bail, or a picnic basket with two lids."""
    if draw.chance("picnic", 0.3):
        width, depth, height = (
            draw.length("width", 0.35, 0.45),
            draw.length("depth", 0.22, 0.3),
            draw.length("height", 0.18, 0.25),
        )
        body, half_w, half_d = build.root("basket", wood(draw).at(350)), width / 2, depth / 2
        shell(body, (-half_w, half_w), (-half_d, half_d), (0, height), 0.01, without="z")
        body.box((-0.015, 0.015), (-half_d, half_d), (height, height + 0.012))
        for name, s, axis in (("left", -1, "y"), ("right", 1, "-y")):
            lid = body.hinge(f"lid_{name}", axis, (s * 0.017, 0, height + 0.0135), draw.angle("lid_opening", 60, 80))
            lid.box((s * 0.018, s * half_w), (-half_d, half_d), (height + 0.0015, height + 0.0115))
        reach, rise = half_d + 0.006, height + 0.17
        bail = body.hinge("handle", "y", (0, 0, height - 0.02), radians(55), -radians(55), material=wood(draw))
        for s in (-1, 1):
            bail.box((-0.012, 0.012), (s * reach, s * (reach + 0.008)), (height - 0.03, rise))
        bail.box((-0.012, 0.012), (-reach - 0.008, reach + 0.008), (rise, rise + 0.008))
        return
    top, height = draw.length("radius", 0.10, 0.175), draw.length("height", 0.2, 0.4)
    base = draw.number("taper", 0.65, 0.9) * top
    plastic = draw.chance("plastic", 0.6)
    body = build.root("bucket", painted(draw, PP) if plastic else STEEL)
    wall = 0.004
    body.turned([(0, 0, base), (0.004, 0, base), (0.004, base - wall, base), (height, top - wall, top)])
    pin = height - 0.005
    radius = top
    for s in (-1, 1):
        body.cylinder(0.004, (s * (radius - 0.003), 0, pin), (s * (top + 0.01), 0, pin), STEEL)
    swing, reach = draw.pick("swing", (85, 90)), top + 0.016
    bail = body.hinge("bail", "x", (0, 0, pin), radians(swing), -radians(swing), material=STEEL)
    points = arc((0, 0, pin), reach, 0.0, math.pi, 8, "xz")
    tube(bail, points, 0.003)
    bail.cylinder(0.009, (-0.05, 0, pin + reach), (0.05, 0, pin + reach), DARK_ABS)


@category(76, _SUPER, 150)
def gas_or_valve_bottle(build: Builder, draw: Draw) -> None:
    """A gas cylinder with a valve and a capped outlet, or a pipe with a valve wheel."""
    pipe = draw.chance("pipe", 0.35)
    metal = painted(draw, STEEL, ("red", "blue", "green", "grey", "orange"))
    lead, number = draw.length("lead", 0.0015, 0.003), draw.number("turns", 2, 8)
    if pipe:
        body, r = build.root("pipe", metal), draw.length("pipe_radius", 0.02, 0.04)
        reach, axis_z = 0.15, 0.08
        body.cylinder(r, (-reach, 0, axis_z), (reach, 0, axis_z))
        for x in (-reach, reach):
            body.cylinder(1.8 * r, (x - 0.008, 0, axis_z), (x + 0.008, 0, axis_z))
        body.sphere(1.4 * r, (0, 0, axis_z))
        stem, size = axis_z + 1.5 * r, 1.6 * r
    else:
        radius, height = draw.length("radius", 0.05, 0.125), draw.length("height", 0.3, 1.3)
        body = build.root("cylinder", metal.at(2500))
        body.turned(
            [
                (0, 0, radius),
                (height - radius, 0, radius),
                (height - 0.35 * radius, 0, 0.8 * radius),
                (height, 0, 0.3 * radius),
            ]
        )
        body.cylinder(0.018, (0, 0, height), (0, 0, height + 0.05), BRASS)
        stem, size = height + 0.05, 0.03
        outlet = height + 0.028
        body.cylinder(0.009, (0.015, 0, outlet), (0.045, 0, outlet), BRASS)
        if draw.chance("cap", 0.55):
            cap = screwed(
                body,
                draw,
                "outlet_cap",
                "x",
                (0.03, 0, outlet),
                0.0018,
                draw.integer("cap_turns", 4, 8),
                material=STEEL,
            )
            cap.turned(
                [(0, 0.0105, 0.014), (0.017, 0.0105, 0.014), (0.017, 0, 0.014), (0.022, 0, 0.012)],
                (0.03, 0, outlet),
                "x",
                sections=16,
            )
    ring_of(body, (0, 0, stem - 0.003), "z", 0.0058, 0.012, 0.018 + 0.003, material=BRASS, sections=14)
    valve = screwed(body, draw, "hand_wheel", "z", (0, 0, stem + 0.02), lead, number, material=painted(draw, STEEL))
    valve.cylinder(0.0048, (0, 0, stem + 0.004), (0, 0, stem + 0.035), STEEL)
    hand_wheel(valve, (0, 0, stem + 0.04), "z", size, 0.25 * size, spokes=draw.integer("spokes", 3, 5))
    if draw.chance("gauge", 0.35):
        x, y, z = (0.11, 0.01, 0.175) if pipe else (0.0, -0.053, stem - 0.035)
        if pipe:
            body.cylinder(0.006, (0.11, 0.019, 0.08), (0.11, 0.019, 0.16), BRASS)
        else:
            body.cylinder(0.005, (0, -0.015, z), (0, -0.04, z), BRASS)
        body.cylinder(0.026, (x, y, z), (x, y + 0.016, z), ABS)
        needle = body.hinge("needle", "-y", (x, y, z), radians(270), material=DARK_ABS)
        with build.frame((x, y - 0.001, z), rotation("y", radians(-135))):
            needle.box((-0.001, 0.001), (-0.002, 0), (-0.004, 0.02))
