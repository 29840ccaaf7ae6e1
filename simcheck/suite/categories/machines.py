"""Machines: drill presses, printers, sewing machines, gears, valves, clocks, windmills and globes."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, Vector, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, ALUMINIUM, BRASS, DARK_ABS, DARK_STEEL, GLASS, IRON, STEEL, painted, wood
from simcheck.suite.parts import centres, hand_wheel, ring_of, screwed, shell

_SUPER = "machines"


@category(86, _SUPER, 200)
def drill_press_or_mill(build: Builder, draw: Draw) -> None:
    """A column with a table that lifts, a quill with a spindle, feed levers; or a mill with a cross table."""
    height, paint = (
        draw.length("height", 0.7, 1.6),
        painted(draw, IRON.at(3000), ("green", "blue", "grey", "teal", "red")),
    )
    mill = draw.chance("mill", 0.4)
    base, scale = build.root("base", paint), max(0.6, height / 1.1)
    cy, cr = 0.16 * scale, 0.032 * scale
    base.box((-0.14 * scale, 0.14 * scale), (-0.2 * scale, cy + 0.08), (0, 0.03))
    base.cylinder(cr, (0, cy, 0.03), (0, cy, height - 0.1), STEEL)
    head_z = height - 0.26 * scale
    base.box((-0.07 * scale, 0.07 * scale), (-0.13 * scale, cy + 0.1 * scale), (head_z + 0.08 * scale, height))
    for s in (-1, 1):
        base.box((s * 0.075 * scale, s * 0.034 * scale), (-0.1 * scale, cy + 0.04), (head_z, head_z + 0.08 * scale))
    quill_r, feed = 0.024 * scale, draw.length("quill_feed", 0.06, 0.1)
    sy = -0.05 * scale
    quill = base.slide("quill", "-z", feed, at=(0, sy, head_z), material=STEEL)
    quill.cylinder(quill_r, (0, sy, head_z - 0.03), (0, sy, head_z + 0.075 * scale))
    spindle = quill.spin("spindle", "-z", (0, sy, head_z - 0.031), material=DARK_STEEL)
    spindle.cylinder(0.8 * quill_r, (0, sy, head_z - 0.075), (0, sy, head_z - 0.0315))
    spindle.cylinder(0.005, (0, sy, head_z - 0.135), (0, sy, head_z - 0.075), STEEL)
    fx, fz = 0.077 * scale, head_z + 0.05 * scale
    levers = base.hinge("feed_levers", "x", (fx, sy, fz), radians(draw.integer("feed_angle", 180, 270)), material=STEEL)
    levers.cylinder(0.018, (fx, sy, fz), (fx + 0.035, sy, fz))
    for k in range(3):
        a = 2 * math.pi * k / 3 + 0.4
        tip: Vector = (fx + 0.05, sy + 0.15 * scale * math.cos(a), fz + 0.15 * scale * math.sin(a))
        levers.cylinder(0.005, (fx + 0.022, sy, fz), tip)
        levers.sphere(0.013, tip, DARK_ABS)
    if draw.chance("belt_lid", 0.4):
        lid = base.hinge("belt_lid", "-x", (0, cy + 0.1 * scale + 0.001, height + 0.001), radians(70), material=paint)
        lid.box((-0.07 * scale, 0.07 * scale), (-0.13 * scale, cy + 0.1 * scale), (height + 0.001, height + 0.03))
    low, high = 0.14, head_z - 0.16 - feed - (0.12 if mill else 0.02)
    stroke = round(min(0.35, high - low), 4)
    if draw.chance("screwed_table", 0.5) and not mill:
        # The table hangs on the column's thread: it turns as it rises.
        lead = draw.pick("lead", (0.004, 0.005))
        table = screwed(base, draw, "table", "z", (0, cy, low), lead, stroke / lead, material=paint)
        ring_of(table, (0, cy, low), "z", cr + 0.0015, cr + 0.014, 0.05)
        table.turned([(0.0, cr + 0.012, 0.13 * scale), (0.02, cr + 0.012, 0.13 * scale)], (0, cy, low + 0.05))
        return
    table = base.slide("table", "z", stroke, at=(0, cy, low), material=paint)
    ring_of(table, (0, cy, low), "z", cr + 0.0015, cr + 0.014, 0.06)
    table.box((-0.04 * scale, 0.04 * scale), (-0.1 * scale, cy - cr - 0.01), (low + 0.01, low + 0.05))
    top = low + 0.06
    if not mill:
        table.box((-0.12 * scale, 0.12 * scale), (-0.17 * scale, cy - cr - 0.012), (low + 0.05, low + 0.075))
        if draw.chance("column_crank", 0.6):
            x, y, z = 0.12 * scale + 0.006, cy, low + 0.03
            crank = table.spin("lift_crank", "x", (x, y, z), material=DARK_STEEL)
            crank.cylinder(0.008, (cr + 0.016, y, z), (x + 0.008, y, z))
            crank.box((x, x + 0.008), (y - 0.006, y + 0.09), (z - 0.006, z + 0.006))
            crank.cylinder(0.006, (x + 0.008, y + 0.08, z), (x + 0.05, y + 0.08, z), DARK_ABS)
        return
    table.box((-0.09 * scale, 0.09 * scale), (-0.17 * scale, cy - cr - 0.012), (low + 0.05, top))
    travel = round(0.06 * scale, 4)
    saddle = table.slide("y_saddle", "y", travel, -travel, at=(0, -0.05 * scale, top), material=paint)
    saddle.box((-0.1 * scale, 0.1 * scale), (-0.09 * scale, 0.0), (top + 0.001, top + 0.035))
    cross = saddle.slide(
        "x_table", "x", 2 * travel, -2 * travel, at=(0, -0.05 * scale, top + 0.035), material=IRON.at(3000)
    )
    cross.box((-0.24 * scale, 0.24 * scale), (-0.09 * scale, -0.01 * scale), (top + 0.036, top + 0.06))
    wheel = cross.spin("x_hand_wheel", "x", (0.24 * scale, -0.05 * scale, top + 0.048), material=STEEL)
    wheel.cylinder(
        0.008, (0.24 * scale + 0.001, -0.05 * scale, top + 0.048), (0.24 * scale + 0.03, -0.05 * scale, top + 0.048)
    )
    hand_wheel(wheel, (0.24 * scale + 0.038, -0.05 * scale, top + 0.048), "x", 0.035, 0.009)
    if draw.chance("y_wheel", 0.5):
        near = -0.09 * scale
        knob = saddle.spin("y_hand_wheel", "-y", (0, near, top + 0.018), material=STEEL)
        knob.cylinder(0.008, (0, near - 0.001, top + 0.018), (0, near - 0.03, top + 0.018))
        knob.cylinder(0.016, (0, near - 0.03, top + 0.018), (0, near - 0.042, top + 0.018))


@category(87, _SUPER, 200)
def cnc_or_3d_printer(build: Builder, draw: Draw) -> None:
    """A printer with a bed and a gantry, or a router with a spindle and extra turning axes, some with a door."""
    width, depth, height = (
        draw.length("width", 0.3, 0.55),
        draw.length("depth", 0.3, 0.55),
        draw.length("height", 0.32, 0.6),
    )
    profile, metal = 0.02, painted(draw, ALUMINIUM.at(800), ("black", "grey", "orange", "blue", "white"))
    frame, half, deep = build.root("frame", metal), width / 2, depth / 2
    for s in (-1, 1):
        frame.box((s * half, s * (half - profile)), (-deep, deep), (0.0, profile))
        frame.box((s * half, s * (half - profile)), (-0.5 * profile, 0.5 * profile), (profile, height))
    for y in (-deep, deep - profile):
        frame.box((-half + profile, half - profile), (y, y + profile), (0, profile))
    frame.box((-half + profile, half - profile), (-0.5 * profile, 0.5 * profile), (height - profile, height))
    bed_half, travel_y = 0.32 * width, round(0.5 * depth - 0.32 * depth - 0.015, 4)
    z = profile + 0.03
    for x in (-0.12 * width, 0.12 * width):
        frame.cylinder(0.005, (x, -deep + profile, profile + 0.008), (x, deep - profile, profile + 0.008), STEEL)
    bed = frame.slide("bed", "y", travel_y, -travel_y, at=(0, 0, z), material=ALUMINIUM)
    bed.box((-bed_half, bed_half), (-0.32 * depth, 0.32 * depth), (z, z + 0.006))
    for x in (-0.12 * width, 0.12 * width):
        bed.box((x - 0.015, x + 0.015), (-0.05, 0.05), (profile + 0.0135, z))
    front = -0.5 * profile - 0.002
    lift = round(height - profile - 0.23, 4)
    gz = z + 0.09
    gantry = frame.slide("z_gantry", "z", lift, at=(0, front, gz), material=metal)
    gantry.box((-half, half), (front - 0.022, front), (gz - 0.012, gz + 0.012))
    room = round(half - 0.06, 4)
    carriage = gantry.slide("x_carriage", "x", room, -room, at=(0, front - 0.024, gz), material=DARK_ABS)
    carriage.box((-0.025, 0.025), (front - 0.045, front - 0.0235), (gz - 0.02, gz + 0.03))
    ty = front - 0.062
    style = draw.pick("tool", ("extruder", "spindle", "five_axis"), (5, 3, 2))
    if style == "extruder":
        carriage.cylinder(0.010, (0, ty + 0.006, gz - 0.03), (0, ty + 0.006, gz + 0.02), ALUMINIUM)
        carriage.turned([(-0.012, 0, 0.001), (0, 0, 0.005)], (0, ty + 0.006, gz - 0.03), material=BRASS)
        gear = carriage.spin("extruder_gear", "-y", (0, ty - 0.006, gz + 0.01), material=STEEL)
        gear.cylinder(0.012, (0, ty - 0.014, gz + 0.01), (0, ty - 0.0065, gz + 0.01))
    else:
        part: Part = carriage
        if style == "five_axis":
            part = carriage.hinge(
                "b_axis", "-y", (0, front - 0.046, gz), radians(60), -radians(60), material=DARK_STEEL
            )
            part.cylinder(0.018, (0, front - 0.046, gz), (0, ty + 0.01, gz))
            part.box((-0.012, 0.012), (ty - 0.012, ty + 0.01), (gz - 0.012, gz + 0.012))
        else:
            part.box((-0.02, 0.02), (ty - 0.016, front - 0.045), (gz - 0.012, gz + 0.012))
        tool = part.spin("spindle", "-z", (0, ty, gz - 0.0125), material=STEEL)
        tool.cylinder(0.009, (0, ty, gz - 0.03), (0, ty, gz - 0.013))
        tool.cylinder(0.0025, (0, ty, gz - 0.055), (0, ty, gz - 0.03))
        if style == "five_axis" or draw.chance("rotary_table", 0.4):
            rotary = bed.spin("rotary_table", "z", (0, 0, z + 0.006), material=DARK_STEEL)
            rotary.cylinder(0.2 * min(width, depth), (0, 0, z + 0.0066), (0, 0, z + 0.018))
    if draw.chance("spool", 0.35):
        y = 0.5 * profile + 0.001
        spool = frame.spin("spool", "y", (0, y, height + 0.05), material=painted(draw, ABS))
        frame.box((-0.008, 0.008), (-0.5 * profile, 0.5 * profile), (height, height + 0.058))
        spool.turned(
            [
                (0.001, 0.01, 0.07),
                (0.005, 0.01, 0.07),
                (0.005, 0.01, 0.045),
                (0.05, 0.01, 0.045),
                (0.05, 0.01, 0.07),
                (0.054, 0.01, 0.07),
            ],
            (0, y, height + 0.05),
            "y",
        )
        frame.cylinder(0.008, (0, 0.5 * profile, height + 0.05), (0, y + 0.06, height + 0.05), STEEL)
    if draw.chance("door", 0.35):
        y = -deep - 0.004
        leaf = frame.hinge(
            "door", "-z", (-half + 0.001, y - 0.004, height / 2), draw.angle("opening", 90, 110), material=GLASS
        )
        leaf.box((-half + 0.002, half - 0.002), (y - 0.003, y), (profile + 0.004, height))
        for s in (-1, 1):
            frame.box((s * half, s * (half - profile)), (-deep, -deep + profile), (profile, height))


@category(88, _SUPER, 150)
def sewing_machine(build: Builder, draw: Draw) -> None:
    """A bed, a column and an arm with hand wheel, needle bar, presser foot, dials, levers and covers."""
    length, depth, height = (
        draw.length("length", 0.36, 0.44),
        draw.length("depth", 0.15, 0.18),
        draw.length("height", 0.26, 0.32),
    )
    skin = painted(draw, ABS.at(1500), ("white", "black", "cream", "teal", "red"))
    body, half, deep = build.root("body", skin), length / 2, depth / 2
    bed = 0.25 * height
    body.box((-half, half), (-deep, deep), (0, bed))
    body.box((half - 0.12, half), (-deep + 0.02, deep - 0.02), (bed, height))
    arm_low = 0.66 * height
    body.box((-half + 0.05, half - 0.12), (-deep + 0.03, deep - 0.03), (arm_low, height))
    body.box((-half + 0.05, -half + 0.058), (-deep + 0.03, deep - 0.03), (arm_low - 0.03, arm_low))
    wheel = body.spin("hand_wheel", "x", (half, 0, 0.84 * height), material=DARK_ABS)
    wheel.turned([(0.001, 0, 0.045), (0.022, 0, 0.045), (0.03, 0, 0.03)], (half, 0, 0.84 * height), "x")
    nx = -half + 0.085
    needle = body.slide("needle_bar", "-z", 0.03, at=(nx, -0.012, arm_low), material=STEEL)
    needle.cylinder(0.0035, (nx, -0.012, arm_low - 0.05), (nx, -0.012, arm_low - 0.0325))
    needle.cylinder(0.001, (nx, -0.012, bed + 0.032), (nx, -0.012, arm_low - 0.05))
    if draw.chance("presser", 0.8):
        foot = body.slide("presser_foot", "z", 0.008, at=(nx, 0.012, bed), material=STEEL)
        foot.cylinder(0.003, (nx, 0.012, bed + 0.004), (nx, 0.012, arm_low - 0.012))
        for x in (-0.008, 0.008):
            foot.box((nx + x - 0.004, nx + x + 0.004), (-0.02, 0.016), (bed + 0.001, bed + 0.004))
        foot.box((nx - 0.012, nx + 0.012), (0.008, 0.016), (bed + 0.0035, bed + 0.008))
    front = -deep + 0.02
    dials = draw.integer("dials", 0, 2)
    for k, z in enumerate((0.66 * height, 0.47 * height)[:dials]):
        x = half - 0.06
        endless = draw.chance("endless_dial", 0.5)
        at: Vector = (x, front, z)
        dial = (
            body.spin(f"stitch_dial_{k}", "-y", at, material=DARK_ABS)
            if endless
            else body.hinge(f"stitch_dial_{k}", "-y", at, radians(300), material=DARK_ABS)
        )
        dial.turned([(0.0006, 0, 0.022), (0.012, 0, 0.02)], at, "-y", sections=16)
        dial.box((x - 0.0012, x + 0.0012), (front - 0.013, front - 0.012), (z + 0.004, z + 0.018), ABS)
    if draw.chance("reverse", 0.6):
        x = half - 0.045
        key = body.slide("reverse_lever", "-z", 0.012, at=(x, front, 0.36 * height), material=DARK_ABS)
        key.box((x - 0.012, x + 0.012), (front - 0.022, front - 0.001), (0.32 * height, 0.32 * height + 0.008))
    if draw.chance("top_cover", 0.5):
        cover = body.hinge("top_cover", "-x", (0, deep - 0.0285, height + 0.001), radians(80), material=skin)
        cover.box((-half + 0.05, half - 0.14), (-deep + 0.03, deep - 0.03), (height + 0.001, height + 0.012))
    if draw.chance("face_plate", 0.5):
        x = -half + 0.049
        plate = body.hinge("face_plate", "-z", (x - 0.003, deep - 0.029, 0.8 * height), radians(110), material=skin)
        plate.box((x - 0.0025, x - 0.0005), (-deep + 0.03, deep - 0.03), (arm_low, height))
    if draw.chance("spools", 0.6) and not any(p.name == "top_cover" for p in build.parts):
        for k, x in enumerate((0.0, 0.06)):
            spool = body.spin(f"spool_{k}", "z", (x, 0.0, height), material=painted(draw, ABS))
            spool.turned(
                [
                    (0.001, 0, 0.014),
                    (0.003, 0, 0.014),
                    (0.003, 0, 0.009),
                    (0.035, 0, 0.009),
                    (0.035, 0, 0.014),
                    (0.037, 0, 0.014),
                ],
                (x, 0, height),
                sections=14,
            )
    if draw.chance("drawer", 0.4):
        box = body.slide("accessory_box", "-x", 0.12, at=(-half, 0, 0.5 * bed), material=skin)
        box.box((-half - 0.05, -half - 0.001), (-deep, deep), (0.15 * bed, bed))


@category(89, _SUPER, 200)
def gear_train(build: Builder, draw: Draw) -> None:
    """Discs on a plate that nearly touch; some follow the first by their ratio."""
    count = draw.count("gears", 2, 5, 22)
    plate = build.root(
        "plate", painted(draw, STEEL, ("grey", "black", "blue")) if draw.chance("painted", 0.5) else ALUMINIUM
    )
    thick = draw.length("thickness", 0.004, 0.012)
    scale, linked = draw.number("scale", 0.5, 2.0), draw.chance("linked", 0.35)
    placed: list[tuple[float, float, float]] = []
    x, y, r = 0.0, 0.0, 0.0
    for k in range(count):
        radius = round(draw.length(f"radius_{k}", 0.012, 0.04) * scale, 4)
        for _ in range(40):
            if k:
                angle = 2 * math.pi * draw.unit()
                nx = x + (r + radius + 0.0006) * math.cos(angle)
                ny = y + (r + radius + 0.0006) * math.sin(angle)
            else:
                nx, ny = 0.0, 0.0
            if all(math.hypot(nx - px, ny - py) >= pr + radius + 0.0005 for px, py, pr in placed):
                break
        else:
            break
        x, y, r = nx, ny, radius
        placed.append((x, y, r))
    left, right = min(px - pr for px, _, pr in placed) - 0.008, max(px + pr for px, _, pr in placed) + 0.008
    low, high = min(py - pr for _, py, pr in placed) - 0.008, max(py + pr for _, py, pr in placed) + 0.008
    plate.box((left, right), (low, high), (0, 0.005))
    metals = (STEEL, BRASS, DARK_STEEL)
    for k, (px, py, pr) in enumerate(placed):
        gear = plate.spin(f"gear_{k}", "z", (px, py, 0.005), material=metals[k % 3])
        gear.cylinder(pr, (px, py, 0.0065), (px, py, 0.0065 + thick))
        gear.cylinder(0.25 * pr, (px, py, 0.0055), (px, py, 0.0065 + 1.6 * thick))
        gear.box(
            (px - 0.06 * pr, px + 0.06 * pr), (py + 0.35 * pr, py + 0.9 * pr), (0.0065 + thick, 0.007 + thick), DARK_ABS
        )
        if linked and k:
            assert gear.joint is not None
            gear.joint.mimic = (build.joints[0].name, round((-1) ** k * placed[0][2] / pr, 6))
    if draw.chance("crank", 0.5):
        px, py, pr = placed[0]
        top = 0.0065 + 1.6 * thick
        first = build.parts[1]
        reach = 0.8 * pr
        first.box((px - 0.004, px + 0.004), (py - reach - 0.004, py), (top, top + 0.003), STEEL)
        handle = first.spin("crank_handle", "z", (px, py - reach, top + 0.003), material=DARK_ABS)
        handle.cylinder(0.0035, (px, py - reach, top + 0.0036), (px, py - reach, top + 0.02))


@category(90, _SUPER, 120)
def valve_manifold(build: Builder, draw: Draw) -> None:
    """A pipe with a row of equal valves, each a hand wheel on a screw."""
    count, pitch = draw.count("valves", 2, 5, 24), draw.length("pitch", 0.08, 0.16)
    metal = {"brass": BRASS, "steel": STEEL, "iron": IRON}[draw.pick("metal", ("brass", "steel", "iron"))]
    r, lead, number = (
        draw.length("pipe_radius", 0.015, 0.025),
        draw.pick("lead", (0.002, 0.003, 0.004)),
        draw.number("turns", 3, 10),
    )
    pipe, length, z = build.root("pipe", metal), count * pitch, 0.10
    pipe.cylinder(r, (-length / 2, 0, z), (length / 2, 0, z))
    for s in (-1, 1):
        pipe.cylinder(1.7 * r, (s * (length / 2 - 0.008), 0, z), (s * length / 2, 0, z))
    colour = painted(draw, STEEL, ("red", "blue", "green", "black", "yellow"))
    left = -1 if draw.chance("left_handed", 0.1) else 1
    size, spokes = min(0.4 * pitch, 0.05), draw.integer("spokes", 3, 5)
    wheel_z = z + r + 0.055
    for k, x in enumerate(centres(-length / 2, length / 2, count)):
        pipe.cylinder(0.75 * r, (x, 0, z), (x, -2.4 * r, z))
        pipe.cylinder(1.1 * r, (x, -2.4 * r - 0.012, z), (x, -2.4 * r, z))
        ring_of(pipe, (x, 0, z + 0.8 * r), "z", 0.0058, 0.55 * r, 0.2 * r + 0.03, sections=12)
        stop = round(2 * math.pi * number, 6)
        limits = (stop, 0.0) if left > 0 else (0.0, -stop)
        valve = pipe.screw(f"valve_{k}", "z", (x, 0, wheel_z), left * lead, *limits, material=colour)
        valve.cylinder(0.0046, (x, 0, z + r + 0.004), (x, 0, wheel_z - 0.002), STEEL)
        hand_wheel(valve, (x, 0, wheel_z), "z", size, 0.2 * size, spokes=spokes)


@category(91, _SUPER, 250)
def clock(build: Builder, draw: Draw) -> None:
    """A dial with hands at stacked depths, some with a second hand, an alarm hand, a pendulum behind a door."""
    radius = draw.length("radius", 0.05, 0.2)
    case, tall = (
        wood(draw) if draw.chance("wooden", 0.6) else painted(draw, STEEL.at(2000)),
        draw.chance("pendulum", 0.35),
    )
    body, z = build.root("case", case), 0.0
    deep = 0.25 * radius + 0.02
    z = (3.4 if tall else 1.15) * radius
    if tall:
        half = 1.2 * radius
        shell(body, (-half, half), (0, deep + 0.04), (0, 4.7 * radius), 0.012, without="-y")
        body.box((-half + 0.012, half - 0.012), (0.03, 0.036), (2.2 * radius, 4.7 * radius - 0.012), ABS)
        face = 0.03
    else:
        square = draw.chance("square", 0.3)
        if square:
            body.box((-1.15 * radius, 1.15 * radius), (0.0, deep), (0, 2.3 * radius))
        else:
            body.cylinder(1.12 * radius, (0, 0.0, z), (0, deep, z))
            body.box((-0.5 * radius, 0.5 * radius), (0.0, deep), (0, 0.4 * radius))
        body.mount("dial", ABS).cylinder(radius, (0, -0.002, z), (0, 0, z))
        face = -0.002
    dial = next((p for p in build.parts if p.name == "dial"), None)
    marks = dial or body
    for k in range(12):
        with build.frame((0, face, z), rotation("y", math.pi * k / 6)):
            marks.box((-0.012 * radius, 0.012 * radius), (-0.0006, 0), (0.85 * radius, 0.96 * radius), DARK_ABS)
    layer = max(0.0012, 0.012 * radius)
    hands = [("hour", 0.5, 0.035), ("minute", 0.78, 0.025)]
    if draw.chance("second_hand", 0.6):
        hands.append(("second", 0.82, 0.01))
    if draw.chance("alarm_hand", 0.2):
        hands.insert(0, ("alarm", 0.4, 0.018))
    y = face - 0.0012
    for name, reach, wide in hands:
        hand = body.spin(
            f"{name}_hand", "y", (0, y, z), material=DARK_STEEL if name != "second" else painted(draw, STEEL, ("red",))
        )
        at = 2 * math.pi * draw.unit()
        with build.frame((0, 0, z), rotation("y", at)):
            hand.box((-wide * radius, wide * radius), (y - layer, y), (-0.15 * radius, reach * radius))
        hand.cylinder(0.06 * radius, (0, y - layer, z), (0, y, z))
        y -= layer + 0.0006
    if tall:
        pin: Vector = (0.0, 0.026, 2.05 * radius)
        swing = draw.angle("swing", 5, 15)
        body.cylinder(0.006, (0, 0.036, pin[2]), (0, deep + 0.03, pin[2]), STEEL)
        pendulum = body.hinge("pendulum", "y", pin, swing, -swing, material=BRASS)
        pendulum.box((-0.004, 0.004), (0.022, 0.028), (0.45 * radius, pin[2]))
        pendulum.cylinder(0.25 * radius, (0, 0.020, 0.55 * radius), (0, 0.030, 0.55 * radius))
        if draw.chance("door", 0.6):
            x = -1.2 * radius + 0.013
            door = body.hinge("door", "-z", (x, -0.0235, radius), radians(100), material=case)
            inner = 1.2 * radius - 0.014
            door.box((x + 0.001, -inner + 0.03), (-0.022, -0.012), (0.014, 4.7 * radius - 0.014))
            door.box((inner - 0.03, inner), (-0.022, -0.012), (0.014, 4.7 * radius - 0.014))
            for zz in (0.014, 2.1 * radius, 4.7 * radius - 0.044):
                door.box((-inner + 0.03, inner - 0.03), (-0.022, -0.012), (zz, zz + 0.03))
            pane = door.mount("glass", GLASS)
            pane.box((-inner + 0.03, inner - 0.03), (-0.019, -0.015), (2.1 * radius + 0.03, 4.7 * radius - 0.044))


@category(92, _SUPER, 250)
def windmill_turbine_globe(build: Builder, draw: Draw) -> None:
    """A globe on its tilted axis, a wind turbine with pitching blades, a windmill with a turning cap."""
    style = draw.pick("style", ("globe", "turbine", "windmill"), (5, 4, 3))
    if style == "globe":
        radius = draw.length("radius", 0.1, 0.2)
        stand, tilt = build.root("stand", wood(draw) if draw.chance("wooden", 0.6) else BRASS), radians(23.4)
        foot = 0.06
        stand.turned(
            [(0, 0, 0.75 * radius), (0.012, 0, 0.7 * radius), (0.03, 0, 0.15 * radius), (foot, 0, 0.12 * radius)]
        )
        ring = radius + 0.016
        centre: Vector = (0.0, 0.0, foot + ring + 0.006)
        turning = draw.chance("ring_turns", 0.35)
        part = stand.spin("meridian", "z", (0, 0, foot), material=BRASS) if turning else stand.mount("meridian", BRASS)
        part.cylinder(0.1 * radius, (0, 0, foot + (0.0006 if turning else 0.0)), (0, 0, foot + 0.008))
        with build.frame(centre, rotation("y", tilt)):
            with build.frame((0, 0, 0), rotation("x", math.pi / 2)):
                part.turned([(-0.005, radius + 0.008, ring), (0.005, radius + 0.008, ring)], sections=24)
            ball = part.spin("globe", "z", (0, 0, 0), material=painted(draw, ABS, ("blue", "teal", "cream", "green")))
            ball.sphere(radius, (0, 0, 0))
            for s in (-1, 1):
                ball.cylinder(0.003, (0, 0, s * 0.98 * radius), (0, 0, s * (radius + 0.006)), STEEL)
            land = ball.mount("land", painted(draw, ABS, ("green", "yellow", "orange")))
            for _ in range(4):
                lat, lon = 0.6 * math.pi * (draw.unit() - 0.5), 2 * math.pi * draw.unit()
                with build.frame((0, 0, 0), rotation("z", lon) @ rotation("y", lat)):
                    land.cylinder(0.3 * radius, (0.955 * radius, 0, 0), (0.962 * radius, 0, 0))
        return
    height = draw.length("height", 0.3, 1.0)
    base = build.root("tower", painted(draw, ABS, ("white", "grey", "cream")) if style == "turbine" else wood(draw))
    reach = 0.42 * height
    if style == "turbine":
        base.turned([(0, 0, 0.06 * height), (0.02, 0, 0.05 * height), (height, 0, 0.02 * height)])
        top = height + 0.0008
        nacelle = base.spin("nacelle", "z", (0, 0, height), material=ABS)
        nacelle.box((-0.03 * height, 0.03 * height), (-0.06 * height, 0.09 * height), (top, top + 0.06 * height))
        z, front = top + 0.03 * height, -0.06 * height - 0.001
        rotor = nacelle.spin("rotor", "-y", (0, front, z), material=ABS)
        hub = 0.028 * height
        rotor.turned(
            [(0.0, 0, hub), (0.03 * height, 0, 0.9 * hub), (0.045 * height, 0, 0.3 * hub)], (0, front, z), "-y"
        )
        pitching = draw.chance("pitching_blades", 0.6)
        for k in range(3):
            with build.frame((0, front - 0.015 * height, z), rotation("y", 2 * math.pi * k / 3)):
                if pitching:
                    blade = rotor.hinge(f"blade_{k}", "z", (0, 0, hub), radians(90), material=ABS)
                    low = hub + 0.0012
                else:
                    blade, low = rotor.mount(f"blade_{k}", ABS), hub - 0.002
                w = 0.022 * height
                blade.cylinder(0.012 * height, (0, 0, low), (0, 0, low + 0.02 * height))
                blade.prism(
                    [
                        (-0.4 * w, low + 0.02 * height),
                        (0.6 * w, low + 0.02 * height),
                        (w, 0.25 * reach),
                        (0.25 * w, reach),
                        (-0.25 * w, reach),
                    ],
                    "y",
                    (-0.004 * height, 0.004 * height),
                )
        return
    base.turned([(0, 0, 0.2 * height), (0.02, 0, 0.19 * height), (0.75 * height, 0, 0.12 * height)], sections=8)
    base.box((-0.04 * height, 0.04 * height), (-0.2 * height, -0.12 * height), (0.02, 0.16 * height))
    cap_z = 0.75 * height
    cap = base.spin("cap", "z", (0, 0, cap_z), material=painted(draw, ABS, ("red", "green", "blue", "grey", "black")))
    cap.turned(
        [(0.0008, 0, 0.13 * height), (0.06 * height, 0, 0.11 * height), (0.16 * height, 0, 0.02 * height)],
        (0, 0, cap_z),
        sections=10,
    )
    z, front = cap_z + 0.06 * height, -0.19 * height
    cap.cylinder(0.015 * height, (0, -0.08 * height, z), (0, front, z), STEEL)
    sails = cap.spin("sails", "-y", (0, front - 0.001, z), material=wood(draw))
    sails.cylinder(0.025 * height, (0, front - 0.03 * height, z), (0, front - 0.001, z))
    for k in range(4):
        with build.frame((0, front - 0.018 * height, z), rotation("y", math.pi / 2 * k + 0.4)):
            sails.box((-0.006 * height, 0.006 * height), (-0.006 * height, 0.006 * height), (0.02 * height, reach))
            sails.box((0.006 * height, 0.075 * height), (-0.002 * height, 0.002 * height), (0.1 * height, reach), ABS)
    if draw.chance("door", 0.5):
        y = -0.2 * height - 0.001
        leaf = base.hinge("door", "-z", (-0.03 * height, y - 0.0035, 0.08 * height), radians(95), material=wood(draw))
        leaf.box((-0.03 * height + 0.0005, 0.03 * height), (y - 0.003, y - 0.0005), (0.024, 0.15 * height))
