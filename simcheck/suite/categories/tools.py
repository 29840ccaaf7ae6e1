"""Tools: scissors, pliers, vises, clamps, wrenches, bolts, staplers, knives, toolboxes."""

from __future__ import annotations

import math
from itertools import pairwise

from simcheck.suite.builder import Builder, Part, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import BEECH, BRASS, DARK_STEEL, IRON, PP, STEEL, Material, painted, wood
from simcheck.suite.parts import arc, centres, ring_of, screwed, shell, spaced

_SUPER = "tools"


def _loop(
    part: Part,
    centre: tuple[float, float],
    radius: float,
    thick: float,
    z: float,
    material: Material,
    squash: float = 1.0,
) -> None:
    """A finger loop lying in a plane z."""
    points = [
        (centre[0] + squash * (x - centre[0]), y, z)
        for x, y, _ in arc((*centre, z), radius, 0.0, 2 * math.pi, 10, "xy")
    ]
    for start, end in pairwise(points):
        part.bar(start, end, thick, thick, material)


@category(50, _SUPER, 300)
def scissors(build: Builder, draw: Draw) -> None:
    """Two stacked halves on a pivot."""
    length, blade = draw.length("length", 0.12, 0.25), draw.number("blade", 0.42, 0.58)
    t, gap = draw.length("thickness", 0.0016, 0.003), draw.length("gap", 0.0003, 0.0005)
    reach, wide = blade * length, 0.045 * length
    grip = (
        painted(draw, PP, ("black", "red", "blue", "orange", "green")) if draw.chance("plastic_grips", 0.7) else STEEL
    )
    back, loop = length - reach, 0.14 * length
    big = draw.number("second_loop", 1.0, 1.3)
    lower = build.root("lower_blade", STEEL)
    upper = lower.hinge("upper_blade", "-z", (0, 0, t + gap / 2), draw.angle("opening", 60, 90))
    for part, s, z, size in ((lower, -1, 0.0, 1.0), (upper, 1, t + gap, big)):
        part.prism(
            [(-0.05 * length, -wide), (reach, -s * 0.3 * wide), (reach, -s * 0.15 * wide), (-0.05 * length, wide)]
            if s > 0
            else [(-0.05 * length, -wide), (reach, 0.15 * wide), (reach, 0.3 * wide), (-0.05 * length, wide)],
            "z",
            (z, z + t),
        )
        end = (-back + loop * size, s * (0.55 * loop * size + 0.012 * length))
        part.bar(
            (-0.04 * length, s * 0.2 * wide, z + t / 2),
            (end[0] + 0.5 * loop * size, end[1], z + t / 2),
            1.1 * wide,
            t,
            grip,
        )
        _loop(part, (end[0], end[1]), 0.5 * loop * size, 0.028 * length, z + t / 2, grip, squash=1.5)
    lower.cylinder(0.03 * length, (0, 0, -0.001), (0, 0, 0.0), DARK_STEEL)
    upper.cylinder(0.03 * length, (0, 0, 2 * t + gap), (0, 0, 2 * t + gap + 0.001), DARK_STEEL)


@category(51, _SUPER, 300)
def pliers(build: Builder, draw: Draw) -> None:
    """Two halves on a lap joint, with a slip joint, or locking with a screw."""
    length, t = draw.length("length", 0.12, 0.25), draw.length("thickness", 0.006, 0.011)
    grip, gap = painted(draw, PP, ("red", "blue", "yellow", "black", "green")), 0.0005
    nose, wide = draw.number("nose", 0.25, 0.4) * length, 0.055 * length
    style = draw.pick("style", ("plain", "slip", "locking"), (6, 1.5, 1.5))
    half = t / 2
    lower = build.root("lower_half", STEEL)
    carrier = lower
    z = 0.0
    if style == "slip":
        carrier = lower.slide("slip", "y", 0.008, material=DARK_STEEL)
        carrier.box((-0.3 * wide, 0.3 * wide), (-0.3 * wide, 0.3 * wide), (half + gap, half + gap + 0.003))
        z = 0.003 + gap
    upper = carrier.hinge("upper_half", "z", (0, 0, half + z), draw.angle("opening", 25, 45), material=STEEL)
    for part, s, low in ((lower, -1, 0.0), (upper, 1, half + gap + z)):
        high = low + half
        jaw = [(0.0, s * 0.0006), (nose, s * 0.0006), (nose, s * 0.25 * wide), (0.0, s * wide)]
        part.prism(jaw, "z", (low, high))
        part.cylinder(0.9 * wide, (0, 0, low), (0, 0, high))
        # The handle of the half whose jaw is above goes below the middle, and the other way round.
        knee, end = (-0.25 * length, -s * 0.09 * length), (-length + nose, -s * 0.10 * length)
        part.bar((-0.3 * wide, -s * 0.3 * wide, (low + high) / 2), (*knee, (low + high) / 2), 0.5 * wide, half)
        part.bar((*knee, (low + high) / 2), (*end, (low + high) / 2), 0.75 * wide, half, grip)
    if style == "locking":
        end, z = (-length + nose, 0.10 * length), half / 2
        nut = lower.mount("nut", DARK_STEEL)
        with build.frame((end[0], end[1], z), rotation("y", -math.pi / 2)):
            nut.turned([(0.0005, 0.0042, 0.008), (0.012, 0.0042, 0.008)], sections=12)
            screw = screwed(
                lower, draw, "adjuster", "z", (0, 0, 0.012), 0.001, draw.number("turns", 8, 14), material=STEEL
            )
            screw.cylinder(0.003, (0, 0, 0.002), (0, 0, 0.022))
            screw.cylinder(0.006, (0, 0, 0.022), (0, 0, 0.03))


@category(52, _SUPER, 300)
def bench_vise(build: Builder, draw: Draw) -> None:
    """A fixed jaw, a sliding jaw, a trapezoidal screw with a T-bar, sometimes on a swivel base."""
    width, iron = (
        draw.length("jaw_width", 0.08, 0.15),
        IRON if draw.chance("plain", 0.4) else painted(draw, IRON, ("blue", "green", "red", "grey")),
    )
    radius, lead = {16: (0.008, 0.004), 20: (0.010, 0.004), 24: (0.012, 0.005)}[draw.pick("screw", (16, 20, 24))]
    travel = draw.length("travel", 0.10, min(0.20, 1.5 * width))
    swivel, base_z = draw.chance("swivel", 0.4), 0.03
    ground = build.root("base", iron)
    ground.cylinder(0.6 * width, (0, 0.05, 0), (0, 0.05, 0.02))
    if swivel:
        stop = draw.angle("swivel", 45, 60)
        body = ground.hinge("body", "z", (0, 0.05, 0.02), stop, -stop, material=iron)
        body.cylinder(0.5 * width, (0, 0.05, 0.0205), (0, 0.05, base_z))
    else:
        body = ground.mount("body", iron)
        body.cylinder(0.5 * width, (0, 0.05, 0.02), (0, 0.05, base_z))
    half, axis_z = width / 2, 0.075
    jaw_low, top = axis_z + radius + 0.016, axis_z + radius + 0.016 + 0.55 * width
    # Two cheeks leave a channel in which the slide and the screw run.
    slide_half = radius + 0.012
    for s in (-1, 1):
        body.box((s * half, s * (slide_half + 0.002)), (0.0, 0.16), (base_z, jaw_low))
    body.box((-half, half), (0.0, 0.05), (jaw_low, top))
    body.box((-half, half), (0.05, 0.16), (jaw_low, jaw_low + 0.012))
    face = body.mount("fixed_jaw_plate", DARK_STEEL)
    face.box((-half, half), (-0.006, 0.0), (top - 0.03, top))
    jaw = body.slide("jaw", "-y", travel, at=(0, -0.012, axis_z), material=iron)
    jaw.box((-half, half), (-0.06, -0.014), (jaw_low + 0.002, top))
    jaw.box((-half, half), (-0.013, -0.0075), (top - 0.03, top), DARK_STEEL)
    for s in (-1, 1):
        jaw.box((s * half, s * (radius + 0.003)), (-0.06, -0.014), (base_z + 0.012, jaw_low + 0.002))
        jaw.box((s * (radius + 0.003), s * (slide_half - 0.001)), (-0.014, 0.15), (axis_z - 0.012, axis_z + 0.012))
    screw = screwed(jaw, draw, "spindle", "-y", (0, -0.06, axis_z), lead, travel / lead, material=STEEL)
    screw.cylinder(radius, (0, -0.085, axis_z), (0, 0.14, axis_z))
    hub = -0.105
    for s in (-1, 1):  # the head is forked so that the bar can slide in it
        screw.box((-0.016, 0.016), (hub - 0.02, -0.075), (axis_z + s * 0.0075, axis_z + s * 0.02))
    screw.cylinder(0.018, (0, -0.09, axis_z), (0, -0.07, axis_z))
    if draw.chance("t_bar", 0.55):
        reach = min(0.9 * width, 0.1)
        bar = screw.slide(
            "t_bar", "x", round(reach - 0.025, 4), -round(reach - 0.025, 4), at=(0, hub, axis_z), material=STEEL
        )
    else:
        reach, bar = min(0.9 * width, 0.1), screw.mount("t_bar", STEEL)
    bar.cylinder(0.0055, (-reach, hub, axis_z), (reach, hub, axis_z))
    for s in (-1, 1):
        bar.sphere(0.009, (s * (reach + 0.004), hub, axis_z))


@category(53, _SUPER, 250)
def clamp(build: Builder, draw: Draw) -> None:
    """A C-clamp or a bar clamp with a screwed spindle, a turning pad and a T-bar."""
    opening, depth = draw.length("opening", 0.05, 0.3), draw.length("throat", 0.05, 0.12)
    iron = IRON if draw.chance("plain", 0.5) else painted(draw, IRON, ("red", "blue", "orange", "black"))
    bar_clamp = draw.chance("bar", 0.45)
    radius, lead = draw.pick("radius", (0.005, 0.006, 0.008)), draw.pick("lead", (0.002, 0.003, 0.004))
    travel = round(min(0.9 * opening - 0.02, 50 * lead), 4)
    frame, t = build.root("frame", STEEL if bar_clamp else iron), max(0.016, 0.1 * opening)
    back = depth + t
    if bar_clamp:
        length = opening + draw.length("spare", 0.1, 0.3)
        frame.box((depth, depth + 0.02), (-0.004, 0.004), (-length, t))
        frame.box((-0.014, depth + 0.02), (-0.012, 0.012), (0, t), iron)
        room = round(length - opening - 0.06, 4)
        arm = frame.slide("arm", "-z", room, at=(depth, 0, -opening), material=iron)
        for s in (-1, 1):
            arm.box((depth - 0.012, depth + 0.03), (s * 0.0055, s * 0.014), (-opening - t, -opening))
        arm.box((depth - 0.012, depth - 0.001), (-0.0055, 0.0055), (-opening - t, -opening))
        arm.box((0.02, depth - 0.012), (-0.010, 0.010), (-opening - t, -opening))
    else:
        arm = frame
        frame.box((depth, back), (-0.012, 0.012), (-opening - t, t))
        frame.box((-0.014, depth), (-0.012, 0.012), (0, t))
        frame.box((0.02, depth), (-0.010, 0.010), (-opening - t, -opening))
    bore = radius + 0.0015
    arm.turned([(-opening - t - 0.004, bore, 0.022), (-opening + 0.004, bore, 0.022)], sections=14)
    low = -opening - t
    tail = travel + 0.02
    spindle = screwed(arm, draw, "spindle", "z", (0, 0, low), lead, travel / lead, material=STEEL)
    spindle.cylinder(radius, (0, 0, low - tail), (0, 0, -opening + 0.012))
    spindle.cylinder(0.011, (0, 0, low - tail - 0.016), (0, 0, low - tail))
    if draw.chance("pad", 0.65):
        pad = spindle.spin("pad", "z", (0, 0, -opening + 0.012), material=DARK_STEEL)
        pad.turned([(0.0006, 0, 0.010), (0.004, 0, 0.015), (0.008, 0, 0.015)], (0, 0, -opening + 0.012))
    z, reach = low - tail - 0.008, 0.045
    if draw.chance("sliding_bar", 0.3):
        spindle.solids.pop()
        for s in (-1, 1):
            spindle.box((s * 0.006, s * 0.012), (-0.010, 0.010), (z - 0.009, z + 0.008))
        bar = spindle.slide("t_bar", "y", 0.03, -0.03, at=(0, 0, z), material=STEEL)
        bar.cylinder(0.004, (0, -reach, z - 0.001), (0, reach, z - 0.001))
    else:
        bar = spindle.mount("t_bar", STEEL)
        bar.cylinder(0.004, (0, -reach, z), (0, reach, z))


@category(54, _SUPER, 200)
def adjustable_wrench(build: Builder, draw: Draw) -> None:
    """A wrench with a worm and a sliding jaw, or a pipe wrench with a screwed nut."""
    length, t = draw.length("length", 0.15, 0.30), draw.length("thickness", 0.010, 0.016)
    scale = length / 0.25
    half, open_ = t / 2, draw.length("jaw_travel", 0.02, 0.035) * scale
    open_ = round(open_, 4)
    pipe = draw.chance("pipe", 0.35)
    body = build.root("body", painted(draw, STEEL, ("red", "grey", "blue")) if pipe else STEEL)
    if pipe:
        body.box((-length, 0.0), (-0.012 * scale, 0.012 * scale), (-half, half))
        body.box((0.0, 0.03 * scale), (-0.02 * scale, 0.0), (-half, half))
        # The hook jaw's shank runs outside of the body, through a nut in a cage.
        r = 1.3 * math.hypot(half, 0.006 * scale) + 0.001
        x0, y0 = -0.01 * scale, r + 0.008 + 0.006 * scale
        for z in (-1, 1):
            cage = (z * (half - 0.0005), z * (half + 0.004))
            body.box((x0 - 0.035 * scale, x0), (0.01 * scale, y0 + 0.014 * scale), cage)
        jaw = body.slide("hook_jaw", "x", open_, at=(0, y0, 0), material=STEEL)
        cx, cy = x0 - 0.049 * scale - open_ - 0.018, y0 + 0.006 * scale
        jaw.box((cx - 0.015, 0.06 * scale), (y0, y0 + 0.012 * scale), (-half + 0.001, half - 0.001))
        jaw.box((0.035 * scale, 0.06 * scale), (-0.02 * scale, y0), (-half + 0.001, half - 0.001))
        nut = screwed(jaw, draw, "nut", "x", (cx, cy, 0), 0.002, draw.number("turns", 2, 5), material=DARK_STEEL)
        ring_of(nut, (cx, cy, 0), "x", r, r + 0.006, 0.014 * scale, sections=16)
        return
    body.prism(
        [
            (-length, -0.010 * scale),
            (-0.03 * scale, -0.013 * scale),
            (-0.03 * scale, 0.013 * scale),
            (-length, 0.010 * scale),
        ],
        "z",
        (-half, half),
    )
    body.box((-0.03 * scale, 0.022 * scale), (-0.034 * scale, -0.013 * scale), (-half, half))
    body.box((-0.03 * scale, -0.018 * scale), (-0.013 * scale, 0.03 * scale + open_), (-half, half))
    body.box((0.022 * scale, 0.062 * scale), (-0.034 * scale, -0.022 * scale), (-half, half))
    jaw = body.slide("jaw", "y", open_, at=(0.0, -0.02 * scale, 0), material=STEEL)
    jaw.box((0.024 * scale, 0.062 * scale), (-0.0205 * scale, -0.006 * scale), (-half, half))
    jaw.box((-0.002 * scale, 0.024 * scale), (-0.012 * scale, -0.006 * scale), (-half + 0.001, half - 0.001))
    worm_r = 0.006 * scale
    worm = body.spin("worm", "y", (-0.0105 * scale, -0.012 * scale, 0), material=DARK_STEEL)
    worm.cylinder(worm_r, (-0.0105 * scale, -0.012 * scale, 0), (-0.0105 * scale, 0.012 * scale, 0))
    for k in range(5):
        y = (-0.011 + 0.005 * k) * scale
        worm.cylinder(1.08 * worm_r, (-0.0105 * scale, y, 0), (-0.0105 * scale, y + 0.002 * scale, 0))


@category(55, _SUPER, 200)
def bolt_and_nut(build: Builder, draw: Draw) -> None:
    """A hexagon bolt with nuts on it, ISO coarse pitch."""
    size = draw.pick("thread", ("M6", "M8", "M10", "M12", "M16", "M20"))
    diameter, lead = {
        "M6": (6, 1.0),
        "M8": (8, 1.25),
        "M10": (10, 1.5),
        "M12": (12, 1.75),
        "M16": (16, 2.0),
        "M20": (20, 2.5),
    }[size]
    r, lead = diameter / 2000, lead / 1000
    length = draw.length("length", max(0.03, 8 * r), min(0.15, 20 * r))
    metal = BRASS if draw.chance("brass", 0.2) else STEEL if draw.chance("bright", 0.7) else DARK_STEEL
    bolt, head = build.root("bolt", metal), 1.3 * r
    bolt.turned([(0, 0, 1.9 * r), (head, 0, 1.9 * r)], sections=6)
    bolt.cylinder(r, (0, 0, head), (0, 0, head + length))
    nuts, nut_h, gap = draw.pick("nuts", (1, 2, 3), (7, 2, 1)), 1.6 * r, 0.0012
    low = head + draw.length("grip", 0.002, 0.3 * length)
    free = head + length - low - nut_h
    while nuts > 1 and free / nuts - gap - nut_h < 2 * lead:
        nuts -= 1
    room, bore = free / nuts, r + max(0.0004, 0.08 * r)
    for k in range(nuts):
        base = low + k * room
        travel = room - gap - (nut_h if k < nuts - 1 else 0.0)
        number = min(round(travel / lead, 1), 25.0)
        nut = screwed(bolt, draw, f"nut_{k}", "z", (0, 0, base), lead, number - 0.1, material=metal)
        nut.turned([(0, bore, 1.9 * r), (nut_h, bore, 1.9 * r)], (0, 0, base), sections=6)
    if draw.chance("washer", 0.4):
        washer = bolt.mount("washer", metal)
        ring_of(washer, (0, 0, head + 0.0001), "z", bore, 2.2 * r, min(0.0016, low - head - 0.0004))


@category(56, _SUPER, 200)
def stapler_or_punch(build: Builder, draw: Draw) -> None:
    """A stapler with a magazine, or a hole punch with a drawer."""
    length, width = draw.length("length", 0.12, 0.18), draw.length("width", 0.032, 0.042)
    skin, half = painted(draw, STEEL.at(2500)), width / 2
    base = build.root("base", skin)
    if draw.chance("punch", 0.35):
        w = 1.8 * width
        base.box((-w, w), (0, 0.7 * length), (0, 0.012))
        for s in (-1, 1):
            base.box((s * w, s * (w - 0.008)), (0.5 * length, 0.62 * length), (0.012, 0.055))
            base.cylinder(0.007, (s * 0.04, 0.03, 0.020), (s * 0.04, 0.03, 0.05), STEEL)
            base.box((s * 0.04 - 0.011, s * 0.04 + 0.011), (0.02, 0.55 * length), (0.016, 0.020))
            base.box((s * 0.04 - 0.011, s * 0.04 + 0.011), (0.45 * length, 0.6 * length), (0.012, 0.016))
        pin = (0.0, 0.56 * length, 0.075)
        for s in (-1, 1):
            base.box((s * w, s * (w - 0.004)), (0.5 * length, 0.62 * length), (0.055, 0.082))
        lever = base.hinge("lever", "x", pin, draw.angle("press", 8, 13), material=skin)
        lever.cylinder(0.004, (-w + 0.005, pin[1], pin[2]), (w - 0.005, pin[1], pin[2]), STEEL)
        lever.box((-w + 0.006, w - 0.006), (0.0, pin[1]), (0.072, 0.080))
        if draw.chance("guide", 0.6):
            guide = base.slide("paper_guide", "x", 0.08, at=(0, 0.01, 0.006), material=DARK_STEEL)
            guide.box((w + 0.001, w + 0.02), (0.012, 0.05), (0.003, 0.009))
        if draw.chance("tray", 0.5):
            tray = base.hinge(
                "chad_tray", "x", (0, 0.7 * length + 0.001, -0.0005), draw.angle("tray_opening", 40, 80), material=PP
            )
            tray.box((-w, w), (0.0, 0.7 * length), (-0.008, -0.001))
        return
    base.box((-half, half), (0, length), (0, 0.008))
    for s in (-1, 1):
        base.box((s * half, s * (half - 0.003)), (length - 0.035, length), (0.008, 0.045))
    base.box((-half + 0.004, half - 0.004), (0.006, 0.02), (0.008, 0.010), STEEL)
    pin = (0.0, length - 0.018, 0.03)
    opens_flat = draw.chance("opens_flat", 0.3)
    rear = pin[1] + 0.008
    press = draw.angle("press", 3, 4.2)
    arm = base.hinge(
        "arm", "-x", pin, radians(130) if opens_flat else draw.angle("opening", 15, 25), -press, material=skin
    )
    arm.cylinder(0.004, (-half + 0.0035, pin[1], pin[2]), (half - 0.0035, pin[1], pin[2]), STEEL)
    arm.box((-half + 0.005, half - 0.005), (pin[1] - 0.02, rear), (0.034, 0.052))
    arm.box((-half + 0.002, half - 0.002), (-0.004, pin[1] - 0.02), (0.052 - 0.006, 0.062))
    low = 0.026
    magazine = arm.mount("magazine", STEEL)
    shell(magazine, (-0.008, 0.008), (0.0, pin[1] - 0.022), (low, 0.044), 0.002, without="y z -y", material=STEEL)
    if draw.chance("pusher", 0.85):
        pusher = magazine.slide(
            "pusher", "-y", round(0.55 * length, 4), at=(0, pin[1] - 0.03, low), material=DARK_STEEL
        )
        pusher.box((-0.005, 0.005), (pin[1] - 0.04, pin[1] - 0.026), (low + 0.003, 0.042))
    if draw.chance("anvil", 0.5):
        anvil = base.spin("anvil", "z", (0, 0.013, 0.010), material=STEEL)
        anvil.cylinder(0.008, (0, 0.013, 0.0105), (0, 0.013, 0.0125))


@category(57, _SUPER, 250)
def pocket_knife_multitool(build: Builder, draw: Draw) -> None:
    """A handle with blades side by side, or a utility knife whose blade slides."""
    length, skin = (
        draw.length("length", 0.08, 0.11),
        painted(draw, PP, ("red", "black", "green", "blue", "orange")) if draw.chance("plastic", 0.6) else wood(draw),
    )
    if draw.chance("utility", 0.15):
        body, n = build.root("body", skin), 1.5 * length
        for s in (-1, 1):
            body.box((0, n), (s * 0.004, s * 0.010), (0, 0.024))
        body.box((0, n - 0.03), (-0.004, 0.004), (0, 0.005))
        body.box((0, n), (-0.004, 0.004), (0.021, 0.024))
        stroke = draw.length("stroke", 0.04, 0.06)
        blade = body.slide("blade", "x", stroke, at=(0, 0, 0.012), material=STEEL)
        blade.prism(
            [(n - 0.10, 0.006), (n - 0.012, 0.006), (n - 0.002, 0.0195), (n - 0.10, 0.0195)], "y", (-0.0006, 0.0006)
        )
        lock = blade.mount("thumb_slide", DARK_STEEL)
        lock.box((n - 0.10, n - 0.085), (-0.003, 0.003), (0.0062, 0.019))
        return
    blades = draw.count("blades", 1, 4, 16)
    t, gap = 0.002, 0.0003
    pitch, high = t + gap, 0.012
    width = blades * pitch + gap
    handle = build.root("handle", skin)
    for s in (-1, 1):
        y = s * width / 2
        handle.box((-length / 2, length / 2), (y, y + s * 0.004), (-0.001, high))
        handle.box((-length / 2 + 0.002, length / 2 - 0.002), (y + s * 0.004, y + s * 0.006), (0.001, high - 0.002))
    for s in (-1, 1):  # the bolsters bridge the scales below the blades
        handle.box((s * (length / 2 - 0.014), s * 0.01), (-width / 2, width / 2), (-0.001, 0.001), STEEL)
    opened = draw.integer("opening", 120, 180)
    for k in range(blades):
        y = -width / 2 + gap + k * pitch
        s = 1 if k % 2 == 0 else -1
        kind = draw.pick(f"blade_{k}", ("blade", "file", "opener", "driver"), (3, 1, 1, 1)) if k else "blade"
        reach = {"blade": 0.82, "file": 0.75, "opener": 0.45, "driver": 0.55}[kind] * length
        pin = (s * (length / 2 - 0.006), y + t / 2, high - 0.005)
        blade = handle.hinge(f"{kind}_{k}", "y" if s > 0 else "-y", pin, radians(opened), material=STEEL)
        a, b = pin[0] + s * 0.004, pin[0] - s * reach
        z0, z1 = 0.0025, high - 0.0008
        tip = 0.6 * z1 if kind == "blade" else z0 + 0.0005
        outline = (
            [(a, z0), (b, tip), (b + s * 0.004, z1), (a, z1)]
            if kind != "driver"
            else [(a, z0), (b, z0 + 0.002), (b, z1 - 0.001), (a, z1)]
        )
        blade.prism(outline, "y", (y, y + t))


@category(58, _SUPER, 200)
def toolbox(build: Builder, draw: Draw) -> None:
    """A box with a lid, latches and a handle, drawers, or cantilever trays."""
    width, depth = draw.length("width", 0.35, 0.6), draw.length("depth", 0.2, 0.3)
    height, steel = draw.length("height", 0.18, 0.28), draw.chance("steel", 0.6)
    skin = painted(draw, STEEL.at(2500) if steel else PP, ("red", "blue", "black", "grey", "green", "orange"))
    style = draw.pick("style", ("plain", "drawers", "trays"), (4, 2, 2))
    box, half_w, half_d, wall = build.root("box", skin), width / 2, depth / 2, 0.004
    body = 0.75 * height
    top = height - body
    low = body + 0.001
    if style == "drawers":
        shell(box, (-half_w, half_w), (-half_d, half_d), (0, body), wall, without="-y z")
        count = draw.integer("drawers", 1, 3)
        floor = 0.75 * body
        box.box((-half_w + wall, half_w - wall), (-half_d, half_d - wall), (floor, floor + 0.003))
        box.box((-half_w + wall, half_w - wall), (-half_d, -half_d + wall), (floor + 0.003, body))
        for k, (z0, z1) in enumerate(spaced(wall, floor, count)):
            tray = box.slide(f"drawer_{k}", "-y", round(0.65 * depth, 4), at=(0, -half_d, z0), material=skin)
            tray.box(
                (-half_w + wall + 0.001, half_w - wall - 0.001), (-half_d - 0.003, -half_d), (z0 + 0.001, z1 - 0.001)
            )
            shell(
                tray,
                (-half_w + 0.012, half_w - 0.012),
                (-half_d, half_d - 0.02),
                (z0 + 0.002, z1 - 0.006),
                0.002,
                without="-y z",
            )
            tray.box(
                (-0.05, 0.05), (-half_d - 0.010, -half_d - 0.003), ((z0 + z1) / 2 - 0.004, (z0 + z1) / 2 + 0.004), STEEL
            )
    else:
        shell(box, (-half_w, half_w), (-half_d, half_d), (0, body), wall, without="z")
    if style == "trays":
        # Two lids that open to the sides, each with a tray on a parallel arm (the second arm is left out).
        build.cut_loop("the second arm of each cantilever tray")
        for name, s, axis in (("front", -1, "x"), ("back", 1, "-x")):
            y = s * (half_d + 0.001)
            lid = box.hinge(
                f"lid_{name}", axis, (0, y, low + top + 0.001), draw.angle("lid_opening", 80, 110), material=skin
            )
            lid.box((-half_w, half_w), (s * half_d, s * 0.001), (low + top - 0.004, low + top))
            lid.box((-half_w, half_w), (s * half_d, s * (half_d - 0.004)), (low, low + top - 0.004))
            x = half_w + 0.003
            arm = box.hinge(f"arm_{name}", axis, (x, s * 0.55 * half_d, 0.6 * body), radians(60), material=STEEL)
            arm.bar((x, s * 0.55 * half_d, 0.6 * body), (x, s * 0.2 * half_d, 0.95 * body), 0.003, 0.012)
        return
    lid = box.hinge("lid", "-x", (0, half_d + 0.001, low - 0.0004), draw.angle("lid_opening", 90, 110), material=skin)
    shell(lid, (-half_w, half_w), (-half_d, half_d), (low, low + top), wall, without="-z")
    for k, x in enumerate(centres(-half_w, half_w, draw.integer("latches", 1, 2))):
        latch = lid.hinge(
            f"latch_{k}",
            "-x",
            (x, -half_d - 0.002, low + 0.4 * top),
            draw.angle(f"latch_opening_{k}", 85, 110),
            material=STEEL,
        )
        latch.box(
            (x - 0.018, x + 0.018), (-half_d - 0.006, -half_d - 0.0015), (body - min(0.05, 0.2 * body), low + 0.4 * top)
        )
    reach, tall = 0.25 * width, low + top
    for s in (-1, 1):
        lid.box((s * reach, s * (reach + 0.012)), (-0.012, 0.012), (tall, tall + 0.014), DARK_STEEL)
    handle = lid.hinge("handle", "x", (0, 0, tall + 0.008), radians(85), -radians(85), material=DARK_STEEL)
    for s in (-1, 1):
        handle.bar((s * (reach - 0.006), 0, tall + 0.004), (s * (reach - 0.006), 0, tall + 0.045), 0.008, 0.008)
    handle.cylinder(0.008, (-reach + 0.010, 0, tall + 0.045), (reach - 0.010, 0, tall + 0.045), BEECH)
