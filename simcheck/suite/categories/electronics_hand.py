"""Electronics in the hand and on the wall: remote controls, phones, cameras, switches."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, DARK_ABS, DARK_STEEL, GLASS, STEEL, painted
from simcheck.suite.parts import button, grid, ring_of, spaced

_SUPER = "electronics"


@category(33, _SUPER, 300)
def remote_control(build: Builder, draw: Draw) -> None:
    """A bar with a grid of buttons, rockers, a battery lid."""
    width, length, height = draw.length("width", 0.04, 0.06), draw.length("length", 0.14, 0.22), 0.018
    skin = painted(draw, ABS.at(900), ("black", "grey", "white", "blue"))
    keys = painted(draw, ABS, ("grey", "white", "black", "red", "orange"))
    body, half = build.root("body", skin), width / 2
    body.box((-half, half), (0, length), (0, height))
    count, travel = draw.count("buttons", 5, 15, 54), draw.length("travel", 0.0005, 0.0015)
    rockers = draw.pick("rockers", (0, 1, 2), (5, 2, 2))
    columns = 3 if count < 36 else 4
    rows = -(-count // columns)
    start, end = 0.012, length - 0.03 - 0.03 * bool(rockers)
    for i, j, x, y in grid((-half + 0.004, start), (half - 0.004, end), (columns, rows)):
        if j * columns + i < count:
            dx, dy = 0.12 * (x[1] - x[0]), max(0.0008, 0.15 * (y[1] - y[0]))
            span = min(y[1] - y[0] - 2 * dy, 0.012)
            middle = (y[0] + y[1]) / 2
            button(
                body,
                f"button_{j}_{i}",
                (x[0] + dx, x[1] - dx),
                (middle - span / 2, middle + span / 2),
                height,
                travel,
                height=0.0022,
                material=keys,
            )
    for k, middle_x in enumerate((-0.28 * width, 0.28 * width)[:rockers]):
        middle_y, angle = length - 0.042, radians(8)
        low = height + 0.011 * math.sin(angle) + 0.0006
        rocker = body.hinge(f"rocker_{k}", "x", (middle_x, middle_y, low), angle, -angle, material=keys)
        rocker.box((middle_x - 0.006, middle_x + 0.006), (middle_y - 0.011, middle_y + 0.011), (low, low + 0.002))
    power = painted(draw, ABS, ("red", "green", "orange"))
    button(
        body,
        "power",
        (-half + 0.006, -half + 0.014),
        (length - 0.022, length - 0.014),
        height,
        travel,
        height=0.0022,
        material=power,
    )
    if draw.chance("battery_lid", 0.6):
        lid = body.slide("battery_lid", "-y", 0.03, at=(0, 0.01, 0), material=skin)
        lid.box((-half + 0.004, half - 0.004), (0.01, 0.08), (-0.002, -0.0004))
    else:
        window = body.mount("window", DARK_ABS)
        window.box((-0.7 * half, 0.7 * half), (length, length + 0.002), (0.2 * height, 0.8 * height))


@category(34, _SUPER, 200)
def phone(build: Builder, draw: Draw) -> None:
    """A flip phone, a slider, a bar with keys, or a slab with side buttons."""
    width, length, height = (
        draw.length("width", 0.045, 0.055),
        draw.length("length", 0.085, 0.12),
        draw.length("height", 0.010, 0.014),
    )
    skin = painted(draw, ABS.at(2000), ("black", "grey", "blue", "red", "white"))
    body, half = build.root("body", skin), width / 2
    style = draw.pick("style", ("flip", "slide", "bar", "slab"), (4, 2, 3, 3))
    if style == "slab":
        width, length = 1.35 * width, 1.35 * length
        body.box((-width / 2, width / 2), (0, length), (0, 0.008))
        glass = body.mount("glass", GLASS)
        glass.box((-width / 2 + 0.002, width / 2 - 0.002), (0.003, length - 0.003), (0.008, 0.0086))
        for k, (share, size) in enumerate(
            ((0.72, 0.012), (0.60, 0.010), (0.5, 0.010))[: draw.integer("side_buttons", 1, 3)]
        ):
            side = body.slide(f"side_button_{k}", "-x", 0.0005, at=(width / 2, share * length, 0.004), material=STEEL)
            side.box((width / 2 + 0.001, width / 2 + 0.0018), (share * length, share * length + size), (0.0025, 0.0055))
        if draw.chance("card_tray", 0.5):
            tray = body.slide("card_tray", "-x", 0.02, at=(-width / 2, 0.6 * length, 0.004), material=STEEL)
            tray.box((-width / 2 - 0.0016, -width / 2 - 0.0006), (0.6 * length, 0.6 * length + 0.016), (0.0025, 0.0055))
        return
    well, travel = 0.003, 0.0006
    deck = height - well
    body.box((-half, half), (0, length), (0, deck))
    for s in (-1, 1):
        body.box((s * half, s * (half - 0.002)), (0, length), (deck, height))
    rows = draw.integer("rows", 4, 6)
    top = 0.62 * length if style != "bar" else 0.48 * length
    rows = min(rows, int((top - 0.004) / 0.009))
    for i, j, x, y in grid((-half + 0.004, 0.005), (half - 0.004, top), (3, rows)):
        button(
            body,
            f"key_{j}_{i}",
            (x[0] + 0.001, x[1] - 0.001),
            (y[0] + 0.001, y[1] - 0.001),
            deck,
            travel,
            height=0.0012,
            material=DARK_ABS,
        )
    if style == "bar":
        screen = body.mount("screen", GLASS)
        screen.box((-half + 0.005, half - 0.005), (top + 0.006, length - 0.008), (deck, height))
        return
    low, lid_t = height + 0.0006, 0.45 * height
    body.box((-half + 0.002, half - 0.002), (top + 0.004, length), (deck, height))
    if style == "flip":
        lid = body.hinge(
            "flip", "-x", (0, length + 0.0006, height + 0.0003), draw.angle("flip_opening", 150, 165), material=skin
        )
        lid.box((-half, half), (0, length), (low, low + lid_t))
    else:
        lid = body.slide("slider", "y", draw.length("stroke", 0.03, 0.04), at=(0, 0, low), material=skin)
        lid.box((-half, half), (0, length), (low, low + lid_t))
    screen = lid.mount("screen", GLASS)
    z = low - 0.0002 if style == "flip" else low + lid_t
    screen.box((-half + 0.005, half - 0.005), (0.3 * length, length - 0.006), (z, z + 0.0003))


@category(36, _SUPER, 300)
def camera(build: Builder, draw: Draw) -> None:
    """A body with a zoom ring or a barrel on a coarse thread, dials, buttons, a flash, a folding screen."""
    width, depth, height = (
        draw.length("width", 0.10, 0.15),
        draw.length("depth", 0.045, 0.06),
        draw.length("height", 0.07, 0.1),
    )
    skin = painted(draw, ABS.at(1100), ("black", "grey", "cream", "red"))
    body, half = build.root("body", skin), width / 2
    body.box((-half, half), (0, depth), (0, height))
    body.box((-half - 0.004, -half + 0.025), (-0.012, 0.0), (0.005, height - 0.01), DARK_ABS)
    lens, mid = draw.length("lens_radius", 0.022, 0.032), 0.46 * height
    lens = min(lens, mid - 0.004)
    x = 0.1 * half
    body.cylinder(lens, (x, -0.014, mid), (x, 0, mid))
    zoom = draw.pick("zoom", ("ring", "thread"), (1, 1))
    if zoom == "ring":
        inner = 0.72 * lens
        body.cylinder(inner, (x, -0.06, mid), (x, -0.014, mid), DARK_ABS)
        ring = body.hinge(
            "zoom_ring", "-y", (x, -0.015, mid), radians(draw.integer("zoom_range", 60, 90)), material=DARK_ABS
        )
        ring_of(ring, (x, -0.015, mid), "-y", inner + 0.0008, inner + 0.006, 0.02)
        ring.box((x - 0.002, x + 0.002), (-0.03, -0.02), (mid + inner + 0.0055, mid + inner + 0.009), ABS)
        if draw.chance("focus_ring", 0.5):
            focus = body.hinge(
                "focus_ring",
                "-y",
                (x, -0.037, mid),
                radians(draw.integer("focus_range", 120, 270)),
                material=DARK_STEEL,
            )
            ring_of(focus, (x, -0.037, mid), "-y", inner + 0.0008, inner + 0.005, 0.014)
        face = -0.06
    else:
        lead, stop = draw.length("lead", 0.03, 0.09), radians(draw.integer("zoom_range", 90, 120))
        inner = 0.7 * lens
        body.cylinder(inner, (x, -0.045, mid), (x, -0.014, mid), DARK_ABS)
        barrel = body.screw("zoom_barrel", "-y", (x, -0.015, mid), lead, stop, material=DARK_STEEL)
        barrel.turned(
            [
                (0.001, inner + 0.0008, 0.95 * lens),
                (0.036, inner + 0.0008, 0.95 * lens),
                (0.036, 0.5 * lens, 0.95 * lens),
                (0.04, 0.5 * lens, 0.95 * lens),
            ],
            (x, -0.015, mid),
            "-y",
        )
        face = -0.045
    glass = body.mount("lens_glass", GLASS)
    glass.cylinder(0.45 * lens, (x, face - 0.001, mid), (x, face, mid))
    hump = 0.016
    body.prism(
        [(x - 0.022, height), (x + 0.022, height), (x + 0.014, height + hump), (x - 0.014, height + hump)],
        "y",
        (0.004, depth),
    )
    if draw.chance("mode_dial", 0.75):
        dial = body.spin("mode_dial", "z", (0.72 * half, 0.6 * depth, height), material=DARK_STEEL)
        dial.turned([(0.0006, 0, 0.010), (0.008, 0, 0.0095)], (0.72 * half, 0.6 * depth, height))
    if draw.chance("thumb_wheel", 0.35):
        wheel = body.spin("thumb_wheel", "x", (-0.7 * half, depth + 0.006, height - 0.012), material=DARK_STEEL)
        wheel.cylinder(
            0.0054,
            (-0.7 * half - 0.006, depth + 0.006, height - 0.012),
            (-0.7 * half + 0.006, depth + 0.006, height - 0.012),
        )
    button(
        body,
        "shutter",
        (-0.85 * half, -0.85 * half + 0.012),
        (0.25 * depth, 0.25 * depth + 0.012),
        height,
        0.002,
        material=STEEL,
    )
    for k in range(draw.count("buttons", 0, 1, 6)):
        y, z = depth, height - 0.022 - 0.011 * k
        if z > 0.01:
            far = y + 0.001 + 0.0005
            key = body.slide(f"button_{k}", "-y", 0.001, at=(-0.78 * half, y, z), material=DARK_ABS)
            key.cylinder(0.0035, (-0.78 * half, far, z), (-0.78 * half, far + 0.002, z))
    flash = draw.chance("flash", 0.5)
    if flash:
        top = height + hump + 0.0012
        pop = body.hinge(
            "flash", "-x", (x, depth - 0.004, top + 0.001), draw.angle("flash_opening", 50, 90), material=skin
        )
        pop.box((x - 0.013, x + 0.013), (0.006, depth - 0.003), (top, top + 0.009))
    screen = draw.pick("screen", ("fixed", "tilting", "vari_angle"), (3, 2, 4))
    a, b, z0, z1 = -0.5 * half, 0.66 * half, 0.012, height - 0.014
    t, y = 0.005, depth + 0.001
    if screen == "fixed":
        body.mount("screen", GLASS).box((a, b), (depth, depth + 0.001), (z0, z1))
    elif screen == "tilting":
        leaf = body.hinge(
            "screen", "x", ((a + b) / 2, y + t + 0.001, z1), draw.angle("screen_tilt", 60, 100), material=DARK_ABS
        )
        leaf.box((a, b), (y, y + t), (z0, z1 - 0.0005))
    else:
        frame = body.hinge(
            "screen_frame",
            "-z",
            (b + 0.001, y + 0.5 * t, (z0 + z1) / 2),
            radians(draw.integer("screen_swing", 90, 175)),
            material=DARK_STEEL,
        )
        frame.cylinder(0.0022, (b + 0.001, y + 0.5 * t, z0), (b + 0.001, y + 0.5 * t, z1))
        frame.box(
            (b - 0.003, b), (y + 0.5 * t - 0.0012, y + 0.5 * t + 0.0012), ((z0 + z1) / 2 - 0.006, (z0 + z1) / 2 + 0.006)
        )
        middle = (z0 + z1) / 2
        screen_part = frame.hinge("screen", "-x", (b - 0.004, y + 0.5 * t, middle), radians(2), material=DARK_ABS)
        screen_part.box((a, b - 0.0045), (y + 0.0004, y + t), (z0, z1))


@category(39, _SUPER, 350)
def switch_panel(build: Builder, draw: Draw) -> None:
    """A plate with rockers, toggles, knobs, sliders and push buttons; some are mixing desks."""
    style = draw.pick("style", ("wall", "panel", "mixer"), (7, 2, 0.35))
    skin, dark = painted(draw, ABS, ("white", "cream", "grey", "black")), DARK_ABS
    if style == "mixer":
        strips, tilt = draw.integer("strips", 6, 16), draw.angle("tilt", 3, 12)
        pitch, depth = 0.024, 0.26
        width = strips * pitch + 0.02
        with build.frame((0, 0, 0.03), rotation("x", tilt)):
            desk = build.root("desk", painted(draw, STEEL.at(800), ("grey", "black", "blue")))
            desk.box((-width / 2, width / 2), (0, depth), (-0.03, 0))
            for k, (x0, x1) in enumerate(spaced(-width / 2 + 0.01, width / 2 - 0.01, strips)):
                x = (x0 + x1) / 2
                desk.box((x - 0.0015, x + 0.0015), (0.018, 0.092), (0, 0.0002), dark)
                fader = desk.slide(f"fader_{k}", "y", 0.06, at=(x, 0.02, 0), material=ABS)
                fader.box((x - 0.005, x + 0.005), (0.016, 0.032), (0.001, 0.009))
                button(
                    desk,
                    f"mute_{k}",
                    (x - 0.005, x + 0.005),
                    (0.105, 0.115),
                    0.0,
                    0.002,
                    height=0.003,
                    material=painted(draw, ABS, ("red", "green", "yellow")),
                )
                knob = desk.hinge(f"pan_{k}", "z", (x, 0.15, 0), radians(150), -radians(150), material=dark)
                knob.cylinder(0.007, (x, 0.15, 0.0005), (x, 0.15, 0.012))
                knob.box((x - 0.0007, x + 0.0007), (0.151, 0.1565), (0.012, 0.0126), ABS)
        return
    count = draw.count("controls", 1, 3, 24)
    columns = max(1, min(count, round(math.sqrt(1.6 * count))))
    rows = -(-count // columns)
    cell = 0.045 if style == "wall" else 0.036
    width, height = columns * cell + 0.035, rows * cell + 0.035
    t = 0.010
    plate = build.root("plate", skin)
    plate.box((-width / 2, width / 2), (-t, 0), (-height / 2, height / 2))
    mixed = style == "panel"
    kind = draw.pick("kind", ("rocker", "knob", "slider", "push"), (5, 2, 1.2, 1.5))
    degrees, rock = draw.integer("knob_range", 200, 300), draw.angle("rock", 8, 15)
    for i, j, (x0, x1), (z0, z1) in grid(
        (-width / 2 + 0.0175, -height / 2 + 0.0175), (width / 2 - 0.0175, height / 2 - 0.0175), (columns, rows)
    ):
        if j * columns + i >= count:
            continue
        x, z, label = (x0 + x1) / 2, (z0 + z1) / 2, f"{j}_{i}"
        control = (
            draw.pick(f"kind_{label}", ("rocker", "knob", "slider", "push", "toggle"), (4, 3, 2, 2, 2))
            if mixed
            else kind
        )
        front = -t - 0.0006
        if control == "rocker":
            half_z, half_x = 0.016, 0.010
            reach = front - half_z * math.sin(rock)
            key = plate.hinge(f"rocker_{label}", "x", (x, reach, z), rock, -rock, material=skin)
            key.box((x - half_x, x + half_x), (reach - 0.004, reach), (z - half_z, z + half_z))
        elif control == "toggle":
            plate.cylinder(0.006, (x, -t - 0.004, z), (x, -t, z), STEEL)
            key = plate.hinge(f"toggle_{label}", "x", (x, -t - 0.007, z), radians(15), -radians(15), material=STEEL)
            key.sphere(0.0022, (x, -t - 0.007, z))
            key.cylinder(0.002, (x, -t - 0.022, z), (x, -t - 0.007, z))
        elif control == "knob":
            key = plate.hinge(f"knob_{label}", "-y", (x, front, z), radians(degrees), material=dark)
            key.turned([(0, 0, 0.011), (0.012, 0, 0.009)], (x, front, z), "-y", sections=14)
            key.box((x - 0.0008, x + 0.0008), (front - 0.0128, front - 0.012), (z + 0.002, z + 0.008), ABS)
        elif control == "slider":
            plate.box((x - 0.0012, x + 0.0012), (-t - 0.0003, -t), (z - 0.019, z + 0.019), dark)
            key = plate.slide(f"slider_{label}", "z", 0.03, at=(x, front, z - 0.015), material=dark)
            key.box((x - 0.007, x + 0.007), (front - 0.008, front - 0.0004), (z - 0.018, z - 0.012))
        else:
            deep = front - 0.003
            key = plate.slide(
                f"push_{label}",
                "y",
                0.003,
                at=(x, front, z),
                material=painted(draw, ABS, ("red", "green", "white", "black")),
            )
            key.cylinder(0.010, (x, deep - 0.005, z), (x, deep, z))
    for s in (-1, 1):
        plate.cylinder(0.0025, (0, -t - 0.0008, s * (height / 2 - 0.007)), (0, -t, s * (height / 2 - 0.007)), STEEL)
