"""Appliances: refrigerators, ovens, washing machines, coffee machines, fans, mixers."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, Range, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw
from simcheck.suite.materials import ABS, DARK_ABS, DARK_STEEL, GLASS, STEEL, painted
from simcheck.suite.panel import dial, press
from simcheck.suite.parts import drawer, grid, pull, shell, spaced

_SUPER = "appliances"


@category(22, _SUPER, 450)
def refrigerator(build: Builder, draw: Draw) -> None:
    """One door, freezer and fridge, side by side, or French doors over freezer drawers."""
    style = draw.pick("style", ("single", "two", "side_by_side", "french"), (2, 4, 2, 2))
    wide = style in ("side_by_side", "french")
    width, depth = (
        draw.length("width", 0.8, 0.92) if wide else draw.length("width", 0.55, 0.65),
        draw.length("depth", 0.6, 0.75),
    )
    height = draw.length("height", 0.85, 1.3) if style == "single" else draw.length("height", 1.55, 1.9)
    skin = painted(draw, STEEL.at(200), ("white", "grey", "red", "black", "cream", "teal"))
    if draw.chance("steel", 0.3):
        skin = STEEL.at(220)
    body, wall = build.root("body", skin), 0.04
    shell(body, (-width / 2, width / 2), (0, depth), (0.06, height), wall, without="-y")
    body.box((-width / 2 + 0.02, width / 2 - 0.02), (0.06, depth), (0, 0.06), DARK_ABS)
    inner, low, high = (-width / 2, width / 2), 0.06, height
    thick, opened = 0.055, draw.angle("opening", 110, 125)
    split = {"single": 1.0, "two": draw.number("split", 0.6, 0.72), "side_by_side": 1.0, "french": 0.6}[style]

    def door(name: str, x: Range, z: Range, side: str) -> Part:
        """An overlay door in front of the body."""
        x0, x1 = x[0] + 0.002 + 0.003 * (side == "x"), x[1] - 0.002 - 0.003 * (side == "-x")
        pin = x0 if side == "-x" else x1
        leaf = body.hinge(name, "-z" if side == "-x" else "z", (pin, -thick - 0.006, z[0]), opened)
        leaf.box((x0, x1), (-thick - 0.005, -0.005), (z[0] + 0.002, z[1] - 0.002))
        at = (x1 - 0.04 if side == "-x" else x0 + 0.04, -thick - 0.005, (z[0] + z[1]) / 2)
        pull(leaf, f"{name}_handle", at, min(0.45, 0.5 * (z[1] - z[0])), upright=True)
        return leaf

    middle, cut = 0.0, low + (1 - split) * (high - low)
    if style == "single":
        main = door("door", inner, (low, high), draw.pick("hinge", ("-x", "x")))
    elif style == "two":
        side = draw.pick("hinge", ("-x", "x"))
        body.box((-width / 2 + wall, width / 2 - wall), (0, depth - wall), (cut - 0.02, cut + 0.02))
        main = door("fridge_door", inner, (cut, high), side)
        door("freezer_door", inner, (low, cut), side)
    else:
        if style == "side_by_side":
            middle = draw.number("middle", -0.12, 0.0) * width
            body.box((middle - 0.02, middle + 0.02), (0, depth - wall), (low + wall, high - wall))
        main = door("left_door", (-width / 2, middle), (cut, high), "-x")
        door("right_door", (middle, width / 2), (cut, high), "x")
        if style == "french":
            body.box((-width / 2 + wall, width / 2 - wall), (0, depth - wall), (cut - 0.02, cut + 0.02))
            count = draw.integer("freezer_drawers", 1, 2)
            for k, (z0, z1) in enumerate(spaced(low, cut, count)):
                box = body.slide(f"freezer_drawer_{k}", "-y", 0.45, at=(0, -thick, z0))
                box.box((-width / 2 + 0.002, width / 2 - 0.002), (-thick - 0.005, -0.005), (z0 + 0.002, z1 - 0.002))
                top = min(z1 - 0.05, cut - 0.03)
                shell(
                    box,
                    (-width / 2 + wall + 0.02, width / 2 - wall - 0.02),
                    (-0.005, depth - wall - 0.06),
                    (z0 + (0.05 if k == 0 else 0.01), top),
                    0.008,
                    without="z -y",
                    material=ABS,
                )
                pull(box, f"freezer_handle_{k}", (0, -thick - 0.005, z1 - 0.06), 0.4)
    if draw.chance("dispenser", 0.25):
        z = (cut if style != "single" else low) + 0.45 * (high - cut if style != "single" else high - low)
        x = -0.25 * width if style != "side_by_side" else -width / 2 + 0.5 * (middle + width / 2)
        flap = main.hinge(
            "dispenser_flap", "-x", (x, -thick - 0.007, z + 0.08), draw.angle("flap_opening", 25, 50), material=DARK_ABS
        )
        flap.box((x - 0.05, x + 0.05), (-thick - 0.0115, -thick - 0.0065), (z - 0.08, z + 0.078))
    if draw.chance("shelf_open", 0.3):
        # Shelves slide out only through an open door, so the doors rest open.
        for hinge in build.joints:
            if "door_hinge" in hinge.name:
                hinge.rest = hinge.upper
        x0, x1 = -width / 2 + wall + 0.035, (middle - 0.03 if style == "side_by_side" else width / 2 - wall - 0.035)
        for k, z in enumerate((cut + 0.35 * (high - cut), cut + 0.6 * (high - cut))[: draw.integer("shelves", 1, 2)]):
            shelf = body.slide(f"shelf_{k}", "-y", 0.3, at=(0, 0.01, z), material=GLASS)
            shelf.box((x0, x1), (0.01, depth - wall - 0.02), (z, z + 0.008))


@category(23, _SUPER, 350)
def oven(build: Builder, draw: Draw) -> None:
    """A built-in oven or a range with a drop door, knobs, racks behind an open door."""
    range_top = draw.chance("range", 0.5)
    width, depth = draw.length("width", 0.5, 0.9), draw.length("depth", 0.55, 0.65)
    height = 0.88 if range_top else draw.length("height", 0.45, 0.6)
    skin = (
        STEEL.at(300) if draw.chance("steel", 0.5) else painted(draw, STEEL.at(300), ("white", "black", "cream", "red"))
    )
    body, base, panel = build.root("body", skin), (0.12 if range_top else 0.01), 0.1
    shell(body, (-width / 2, width / 2), (0, depth), (base, height), 0.03, without="-y")
    lower_drawer = range_top and draw.chance("lower_drawer", 0.4)
    if lower_drawer:
        front = (-width / 2 + 0.01, width / 2 - 0.01)
        drawer(body, "lower_drawer", front, (0.02, base - 0.004), 0.0, depth - 0.1, 0.35, skin, style="none")
    for s in (-1, 1) if lower_drawer else ():
        body.box((s * width / 2, s * (width / 2 - 0.009)), (0, depth), (0, base))
    if range_top and not lower_drawer:
        body.box((-width / 2, width / 2), (0.03, depth), (0, base))
    low, top = base + 0.02, height - panel
    body.box((-width / 2, width / 2), (-0.02, 0.0), (top, height))
    body.box((-width / 2 + 0.03, width / 2 - 0.03), (0, depth - 0.03), (top - 0.02, top))
    racks = draw.pick("racks", (0, 1, 2), (5, 2, 2))
    opened = draw.angle("opening", 85, 90)
    door = body.hinge("door", "x", (0, -0.042, low), opened, rest=opened if racks else 0.0)
    door.box((-width / 2 + 0.002, width / 2 - 0.002), (-0.041, -0.003), (low, top - 0.004))
    pane = door.mount("window", GLASS)
    pane.box((-0.32 * width, 0.32 * width), (-0.043, -0.041), (low + 0.2 * (top - low), low + 0.72 * (top - low)))
    pull(door, "door_handle", (0, -0.041, top - 0.05), 0.7 * width)
    inner = width / 2 - 0.03
    for k in range(racks):
        z = low + (0.3 + 0.3 * k) * (top - low)
        for s in (-1, 1):
            body.box((s * inner, s * (inner - 0.012)), (0.01, depth - 0.04), (z - 0.006, z - 0.001))
        rack = body.slide(f"rack_{k}", "-y", 0.35, at=(0, 0.02, z), material=STEEL)
        for s in (-1, 1):
            rack.box((s * (inner - 0.003), s * (inner - 0.009)), (0.02, depth - 0.05), (z, z + 0.005))
        for y, _ in spaced(0.03, depth - 0.06, 9):
            rack.box((-inner + 0.009, inner - 0.009), (y, y + 0.005), (z, z + 0.005))
    knobs, endless = draw.count("knobs", 0, 5, 9), draw.chance("endless_knobs", 0.2)
    degrees = draw.integer("knob_range", 270, 330)
    for k, (x0, x1) in enumerate(spaced(-0.46 * width, 0.46 * width, max(knobs, 1))[:knobs]):
        dial(
            body,
            f"knob_{k}",
            ((x0 + x1) / 2, -0.02, height - panel / 2),
            min(0.022, 0.38 * (x1 - x0)),
            degrees=degrees,
            endless=endless,
        )
    if range_top:
        for x in (-0.25 * width, 0.25 * width):
            for y in (0.28 * depth, 0.72 * depth):
                r = draw.length("burner", 0.06, 0.09)
                body.cylinder(r, (x, y, height), (x, y, height + 0.006), DARK_STEEL)
                for u, v in ((1.3 * r, 0.006), (0.006, 1.3 * r)):
                    body.box((x - u, x + u), (y - v, y + v), (height + 0.02, height + 0.028), DARK_STEEL)


@category(24, _SUPER, 250)
def microwave(build: Builder, draw: Draw) -> None:
    """A box with a side-hung door, a turntable, and buttons, a keypad or dials."""
    width, depth, height = (
        draw.length("width", 0.44, 0.6),
        draw.length("depth", 0.33, 0.5),
        draw.length("height", 0.25, 0.36),
    )
    skin = painted(draw, STEEL.at(350), ("white", "black", "grey", "cream", "red"))
    body, panel, wall = build.root("body", skin), 0.24 * width, 0.012
    split = width / 2 - panel
    shell(body, (-width / 2, split), (0, depth), (0.012, height), wall, without="-y")
    body.box((split, width / 2), (0, depth), (0.012, height))
    for x in (-0.4 * width, 0.4 * width):
        for y in (0.15 * depth, 0.85 * depth):
            body.cylinder(0.012, (x, y, 0), (x, y, 0.012), DARK_ABS)
    turntable = draw.chance("turntable", 0.8)
    opened = draw.angle("opening", 95, 165) if turntable else draw.angle("opening", 90, 165)
    door = body.hinge(
        "door",
        "-z",
        (-width / 2 + 0.001, -0.034, height / 2),
        opened,
        rest=opened if turntable and draw.chance("door_open", 0.3) else 0.0,
    )
    door.box((-width / 2 + 0.002, split - 0.002), (-0.033, -0.003), (0.014, height - 0.002))
    pane = door.mount("window", DARK_ABS)
    pane.box((-width / 2 + 0.04, split - 0.06), (-0.035, -0.033), (0.05, height - 0.04))
    pull(door, "door_handle", (split - 0.025, -0.033, 0.5 * height), 0.6 * height, upright=True)
    if turntable:
        x, y = (split - width / 2) / 2, depth / 2
        plate = body.spin("turntable", "z", (x, y, 0.025), material=GLASS)
        plate.cylinder(0.4 * min(split + width / 2, depth) - 0.01, (x, y, 0.034), (x, y, 0.040))
        plate.cylinder(0.02, (x, y, 0.0255), (x, y, 0.034), ABS)
    centre = (split + width / 2) / 2
    controls = draw.pick("controls", ("dials", "buttons", "keypad"), (4, 5, 0.8))
    if controls == "dials":
        for k, z in enumerate((0.68 * height, 0.36 * height)):
            dial(body, f"dial_{k}", (centre, 0.0, z), 0.2 * panel, endless=k == 0 and draw.chance("endless", 0.4))
    elif controls == "buttons":
        for k, (z0, z1) in enumerate(spaced(0.25 * height, 0.75 * height, draw.integer("buttons", 1, 3))):
            press(
                body, f"button_{k}", (centre - 0.3 * panel, centre + 0.3 * panel), (z0 + 0.006, z1 - 0.006), 0.0, 0.002
            )
    else:
        for i, j, across, up in grid(
            (centre - 0.38 * panel, 0.28 * height), (centre + 0.38 * panel, 0.72 * height), (3, 4)
        ):
            press(
                body, f"key_{j}_{i}", (across[0] + 0.001, across[1] - 0.001), (up[0] + 0.001, up[1] - 0.001), 0.0, 0.002
            )
    press(
        body,
        "open_button",
        (centre - 0.35 * panel, centre + 0.35 * panel),
        (0.05 * height + 0.012, 0.17 * height + 0.012),
        0.0,
        0.003,
        ABS,
    )
    body.box((centre - 0.38 * panel, centre + 0.38 * panel), (-0.001, 0), (0.82 * height, 0.94 * height), DARK_ABS)


@category(25, _SUPER, 250)
def dishwasher(build: Builder, draw: Draw) -> None:
    """A drop door, and racks and spray arms when it rests open."""
    width, depth, height = (
        draw.pick("width", (0.448, 0.598)),
        draw.length("depth", 0.57, 0.6),
        draw.length("height", 0.82, 0.85),
    )
    skin = painted(draw, STEEL.at(250), ("white", "grey", "black"))
    body, wall = build.root("body", skin), 0.02
    shell(body, (-width / 2, width / 2), (0, depth), (0.1, height), wall, without="-y")
    body.box((-width / 2 + 0.02, width / 2 - 0.02), (0.05, depth), (0, 0.1), DARK_ABS)
    racks = draw.pick("racks", (0, 2, 3), (3, 5, 2))
    opened = draw.angle("opening", 85, 90)
    door = body.hinge("door", "x", (0, -0.041, 0.105), opened, rest=opened if racks else 0.0)
    door.box((-width / 2 + 0.002, width / 2 - 0.002), (-0.040, -0.004), (0.105, height - 0.002))
    pull(door, "door_handle", (0, -0.040, height - 0.06), 0.7 * width)
    for k in range(draw.pick("buttons", (0, 0, 1))):
        press(door, f"start_{k}", (0.3 * width, 0.36 * width), (height - 0.035, height - 0.015), -0.040, 0.002)
    inner, levels = width / 2 - wall, (0.19, 0.45, 0.70)
    for k in range(racks):
        z, tall = levels[k], (0.13 if k < 2 else 0.05)
        for s in (-1, 1):
            body.box((s * inner, s * (inner - 0.012)), (0.01, depth - wall), (z - 0.008, z - 0.002))
        rack = body.slide(
            f"rack_{k}", "-y", draw.length(f"stroke_{k}", 0.4, 0.5), at=(0, 0.02, z), material=STEEL.at(2500)
        )
        shell(rack, (-inner + 0.004, inner - 0.004), (0.02, depth - wall - 0.02), (z, z + tall), 0.004, without="z -z")
        for x, _ in spaced(-inner + 0.02, inner - 0.02, 6):
            rack.box((x, x + 0.004), (0.024, depth - wall - 0.024), (z, z + 0.004))
    for k in range(draw.integer("arms", 1, 2) if racks else draw.pick("arms", (0, 1))):
        z, reach = 0.14 + 0.275 * k, 0.42 * min(2 * inner, depth)
        if k == 0:
            body.cylinder(0.02, (0, depth / 2, 0.12), (0, depth / 2, z - 0.003), DARK_ABS)
        else:
            body.box((-0.015, 0.015), (depth / 2 - 0.015, depth - wall), (z + 0.016, z + 0.026), DARK_ABS)
        arm = body.spin(f"spray_arm_{k}", "z", (0, depth / 2, z), material=ABS)
        arm.box((-reach, reach), (depth / 2 - 0.02, depth / 2 + 0.02), (z, z + 0.012))


@category(26, _SUPER, 250)
def washing_machine(build: Builder, draw: Draw) -> None:
    """A front loader with porthole, drum, drawer and controls, or a top loader."""
    width, depth, height = 0.598, draw.length("depth", 0.45, 0.65), draw.length("height", 0.84, 0.86)
    skin = painted(draw, STEEL.at(400), ("white", "grey", "black"))
    body, wall = build.root("body", skin), 0.02
    if draw.chance("top_loader", 0.25):
        shell(body, (-width / 2, width / 2), (0, depth), (0.02, height), wall, without="z")
        body.box((-width / 2, width / 2), (depth - 0.12, depth), (height, height + 0.1))
        drum = body.spin("drum", "z", (0, depth / 2 - 0.03, 0.1), material=STEEL.at(1500))
        r = min(0.24, depth / 2 - 0.08)
        drum.turned(
            [(0.1, 0, r), (0.11, 0, r), (0.11, r - 0.008, r), (height - 0.08, r - 0.008, r)], (0, depth / 2 - 0.03, 0)
        )
        drum.cylinder(0.05, (0, depth / 2 - 0.03, 0.11), (0, depth / 2 - 0.03, 0.45), ABS)
        lid = body.hinge(
            "lid",
            "-x",
            (0, depth - 0.16, height + 0.003),
            draw.angle("lid_opening", 75, 88),
            material=GLASS if draw.chance("glass_lid", 0.5) else skin,
        )
        lid.box((-width / 2 + 0.01, width / 2 - 0.01), (0.01, depth - 0.162), (height + 0.002, height + 0.02))
        for k in range(draw.integer("dials", 1, 3)):
            dial(body, f"dial_{k}", (-0.2 + 0.15 * k, depth - 0.12, height + 0.05), 0.025, endless=k == 0)
        return
    radius, z = draw.length("porthole", 0.16, 0.19), 0.47 * height
    tilt = draw.angle("drum_tilt", 10, 15) if draw.chance("tilted_drum", 0.4) else 0.0
    for s in (-1, 1):
        body.box((s * width / 2, s * (width / 2 - wall)), (0, depth), (0.02, height))
        body.box((s * (radius + 0.012), s * (width / 2 - wall)), (0, wall), (0.02, height - 0.14))
        body.box((s * 0.2, s * 0.26), (0.05, depth - 0.05), (0, 0.02), DARK_ABS)
    body.box((-width / 2 + wall, width / 2 - wall), (depth - wall, depth), (0.02, height))
    body.box((-width / 2 + wall, width / 2 - wall), (0, depth - wall), (height - wall, height))
    body.box((-width / 2 + wall, width / 2 - wall), (0, depth - wall), (0.02, 0.02 + wall))
    body.box((-radius - 0.012, radius + 0.012), (0, wall), (0.02, z - radius - 0.012))
    body.box((-radius - 0.012, radius + 0.012), (0, wall), (z + radius + 0.012, height - 0.14))
    with build.frame((0, 0.06 + 0.24 * math.sin(tilt), z), rotation("x", tilt)):
        drum = body.spin("drum", "y", (0, 0, 0), material=STEEL.at(1500))
        deep = depth - 0.2 - 0.3 * math.sin(tilt)
        drum.turned(
            [
                (0, radius + 0.02, radius + 0.03),
                (deep, radius + 0.02, radius + 0.03),
                (deep, 0, radius + 0.03),
                (deep + 0.01, 0, radius),
            ],
            (0, 0, 0),
            "y",
        )
        for k in range(3):
            with build.frame((0, 0, 0), rotation("y", 2 * math.pi * k / 3)):
                drum.box((-0.015, 0.015), (0.02, deep - 0.02), (radius - 0.02, radius + 0.018))
    door = body.hinge("porthole", "-z", (-radius - 0.03, -0.036, z), draw.angle("opening", 95, 165), material=skin)
    door.turned([(0.004, 0.72 * radius, radius + 0.02), (0.03, 0.72 * radius, radius)], (0, 0, z), "-y")
    door.box((-radius - 0.03, -radius + 0.01), (-0.034, -0.006), (z - 0.03, z + 0.03))
    pane = door.mount("glass", GLASS)
    pane.cylinder(0.72 * radius, (0, -0.012, z), (0, -0.006, z))
    tray = (-width / 2 + 0.03, -0.1)
    body.box((-0.09, width / 2 - wall), (0, 0.03), (height - 0.14, height - wall))
    body.box((-width / 2 + wall, -0.09), (0, 0.03), (height - 0.14, height - 0.13))
    box = body.slide(
        "detergent_drawer", "-y", round(min(0.2, depth - 0.2), 4), at=(tray[0], 0, height - 0.08), material=skin
    )
    box.box((tray[0], tray[1]), (-0.004, 0.012), (height - 0.126, height - 0.028))
    shell(
        box,
        (tray[0] + 0.008, tray[1] - 0.008),
        (0.012, min(0.25, depth - 0.1)),
        (height - 0.12, height - 0.05),
        0.004,
        without="z -y",
        material=ABS,
    )
    dial(body, "programme", (0.02, 0.0, height - 0.08), 0.03, endless=draw.chance("endless", 0.8))
    for k in range(draw.count("buttons", 0, 2, 7)):
        x = 0.08 + 0.025 * k
        press(body, f"button_{k}", (x, x + 0.018), (height - 0.09, height - 0.07), 0.0, 0.003)
