"""Vehicles: bicycles, cars, carts, wheelchairs, excavators, jacks."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Vector, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ALUMINIUM, DARK_ABS, DARK_STEEL, FOAM, GLASS, RUBBER, STEEL, painted
from simcheck.suite.parts import spaced, spoked_wheel, tube, wheel

_SUPER = "vehicles"


@category(64, _SUPER, 300)
def bicycle(build: Builder, draw: Draw) -> None:
    """A bicycle with a tilted steering axis, crank and nested pedals, seat post, kick stand; it points to +x."""
    base, radius = draw.length("wheelbase", 0.95, 1.1), draw.length("wheel_radius", 0.25, 0.35)
    head_angle = draw.angle("head_angle", 68, 74)
    paint, tube_r = painted(draw, STEEL.at(900)), 0.016
    frame = build.root("frame", paint)
    crank_x, crank_z = 0.42 * base, radius - 0.05
    rear: Vector = (0.0, 0.0, radius)
    front_x = base
    lean = math.pi / 2 - head_angle
    low_z = 2 * radius + 0.07
    head_low: Vector = (front_x - 0.05 - (low_z - radius) * math.tan(lean), 0.0, low_z)
    head_top: Vector = (head_low[0] - 0.14 * math.sin(lean), 0.0, low_z + 0.14 * math.cos(lean))
    seat: Vector = (crank_x - 0.18, 0.0, head_top[2] - 0.04)
    bottom: Vector = (crank_x, 0.0, crank_z)
    ring_axis: Vector = (-math.sin(lean), 0.0, math.cos(lean))
    frame.turned([(0, 0.016, 0.026), (0.15, 0.016, 0.026)], head_low, ring_axis, sections=12)
    tube(frame, [(head_top[0] - 0.036, 0, head_top[2] - 0.04), (seat[0] + 0.06, 0, seat[2] - 0.06)], tube_r)
    tube(frame, [(head_low[0] - 0.038, 0, head_low[2]), (bottom[0] + 0.035, 0, bottom[2] + 0.02)], 1.1 * tube_r)
    frame.turned(
        [(0.05, 0.0155, 0.021), (math.dist(seat, bottom), 0.0155, 0.021)],
        bottom,
        (seat[0] - bottom[0], 0, seat[2] - bottom[2]),
        sections=12,
    )
    frame.cylinder(0.022, (crank_x, -0.034, crank_z), (crank_x, 0.034, crank_z))
    for s in (-1, 1):
        y = s * 0.055
        frame.bar((0.0, y, radius), (crank_x - 0.02, y, crank_z), 0.010, 0.016)
        frame.bar((0.0, y, radius), (seat[0] + 0.0, y, seat[2] - 0.08), 0.010, 0.016)
        frame.cylinder(0.008, (crank_x - 0.03, s * 0.028, crank_z), (crank_x - 0.03, s * 0.06, crank_z))
        frame.box((seat[0] - 0.006, seat[0] + 0.02), (s * 0.022, s * 0.06), (seat[2] - 0.088, seat[2] - 0.07))
        frame.cylinder(0.008, (0, s * 0.033, radius), (0, s * 0.06, radius), STEEL)
    spoked_wheel(frame, "rear_wheel", rear, radius, 0.035, axis="y", spokes=draw.pick("spokes", (6, 8, 12)))
    turn = rotation("y", -lean)
    pivot = head_low
    steer = draw.angle("steer", 45, 60)
    fork = frame.hinge("fork", ring_axis, pivot, steer, -steer)
    with build.frame(pivot, turn):  # z runs up along the steering axis
        fork.cylinder(0.0145, (0, 0, -0.02), (0, 0, 0.20), STEEL)
        low = -(pivot[2] - radius) / math.cos(lean)
        for s in (-1, 1):
            fork.bar((0, s * 0.05, -0.02), (0.045, s * 0.05, low), 0.012, 0.02)
        fork.box((-0.015, 0.015), (-0.056, 0.056), (-0.035, -0.02))
        fork.cylinder(0.012, (0.03, -0.28, 0.21), (0.03, 0.28, 0.21), DARK_STEEL)
        fork.box((-0.016, 0.04), (-0.016, 0.016), (0.195, 0.225), DARK_STEEL)
        for s in (-1, 1):
            grip = fork.mount(f"grip_{'right' if s < 0 else 'left'}", RUBBER)
            grip.cylinder(0.016, (0.03, s * 0.2, 0.21), (0.03, s * 0.3, 0.21))
        hub: Vector = (0.045, 0.0, low)
        for s in (-1, 1):
            fork.cylinder(0.008, (0.045, s * 0.032, low), (0.045, s * 0.055, low), STEEL)
        if draw.chance("brake_levers", 0.4):
            for name, s in (("left", 1), ("right", -1)):
                at: Vector = (0.05, s * 0.16, 0.20)
                lever = fork.hinge(f"brake_{name}", "z" if s > 0 else "-z", at, radians(15), material=DARK_STEEL)
                lever.bar((0.055, s * 0.165, 0.20), (0.085, s * 0.27, 0.19), 0.006, 0.010)
                fork.box((0.034, 0.046), (s * 0.15, s * 0.165), (0.198, 0.216), DARK_STEEL)
        spoked_wheel(fork, "front_wheel", hub, radius, 0.035, axis="y")
    crank = frame.spin("crank", "y", bottom, material=STEEL)
    arm = draw.length("crank_arm", 0.15, 0.175)
    for name, s in (("left", 1), ("right", -1)):
        y = s * 0.078
        d = -s * arm
        crank.cylinder(0.012, (crank_x, s * 0.0345, crank_z), (crank_x, s * 0.085, crank_z))
        crank.bar((crank_x, y, crank_z), (crank_x + d, y, crank_z), 0.010, 0.022)
        pedal = crank.spin(f"pedal_{name}", "y", (crank_x + d, s * 0.0845, crank_z), material=DARK_ABS)
        pedal.box(
            (crank_x + d - 0.035, crank_x + d + 0.035), (s * 0.0845, s * 0.17), (crank_z - 0.010, crank_z + 0.010)
        )
    crank.turned([(0, 0.05, 0.085), (0.003, 0.05, 0.085)], (crank_x, -0.068, crank_z), "-y", DARK_STEEL)
    for k in range(4):
        a = math.pi * (2 * k + 1) / 4
        crank.bar(
            (crank_x, -0.0695, crank_z),
            (crank_x + 0.06 * math.cos(a), -0.0695, crank_z + 0.06 * math.sin(a)),
            0.008,
            0.003,
        )
    up = (seat[0] - bottom[0], 0.0, seat[2] - bottom[2])
    n = math.hypot(up[0], up[2])
    ux, uz = up[0] / n, up[2] / n
    post = (
        frame.slide("seat_post", (ux, 0, uz), draw.length("seat_travel", 0.08, 0.12), at=seat, material=STEEL)
        if draw.chance("seat_post", 0.7)
        else frame.mount("seat_post", STEEL)
    )
    top: Vector = (seat[0] + 0.06 * ux, 0.0, seat[2] + 0.06 * uz)
    post.cylinder(0.0135, (seat[0] - 0.15 * ux, 0, seat[2] - 0.15 * uz), top)
    saddle = post.mount("saddle", FOAM.at(300))
    saddle.prism(
        [(top[0] - 0.13, -0.07), (top[0] - 0.13, 0.07), (top[0] + 0.14, 0.02), (top[0] + 0.14, -0.02)],
        "z",
        (top[2], top[2] + 0.035),
    )
    if draw.chance("kick_stand", 0.5):
        at = (crank_x - 0.06, 0.066, crank_z)
        frame.cylinder(0.007, (at[0], 0.055, at[2] + 0.012), (at[0], 0.065, at[2] + 0.012))
        stand = frame.hinge("kick_stand", "y", (at[0], at[1], at[2] - 0.014), radians(80), material=STEEL)
        stand.bar((at[0] - 0.02, at[1] + 0.0, at[2] - 0.03), (at[0] - 0.25, at[1], at[2] - 0.07), 0.008, 0.012)


@category(65, _SUPER, 300)
def car(build: Builder, draw: Draw) -> None:
    """A car with doors, bonnet, boot or hatch, wheels, or a van with a sliding door; it points to -y."""
    van = draw.chance("van", 0.2)
    length, width = draw.length("length", 3.6, 4.9), draw.length("width", 1.7, 1.9)
    height, paint = (
        draw.length("height", 1.75, 2.1) if van else draw.length("height", 1.4, 1.6),
        painted(draw, STEEL.at(480)),
    )
    radius, half = draw.length("wheel_radius", 0.29, 0.34), width / 2
    floor, sill, waist = 0.20, 0.32, 0.95
    hood = 0.24 * length if not van else 0.12 * length
    tail = 0.18 * length if not van else 0.02 * length
    y0, y1 = -length / 2, length / 2
    ya, yb = y0 + hood, y1 - tail  # the cabin
    body = build.root("body", paint)
    tunnel = half - 0.34
    body.box((-tunnel, tunnel), (y0 + 0.1, y1 - 0.05), (floor, sill))
    skin = 0.05
    # Below the waist: flanks before and behind the doors, cut around the wheels.
    front_wheel, rear_wheel = y0 + 0.17 * length, y1 - 0.18 * length
    door_a = max(ya + 0.10, front_wheel + radius + 0.07)
    door_b = min(yb - 0.25, rear_wheel - radius - 0.07)
    body.box((-half, half), (y0, y0 + 0.08), (floor, 0.72))
    body.box((-half, half), (y1 - 0.06, y1), (floor, 0.9 if not van else waist))
    for s in (-1, 1):
        side = (s * half, s * (half - skin))
        for a, b in ((y0 + 0.08, door_a), (door_b, y1 - 0.06)):
            wheel_y = front_wheel if a < 0 else rear_wheel
            body.box(side, (a, b), (2 * radius + 0.06, 0.9))
            if wheel_y - radius - 0.05 - a > 0.02:
                body.box(side, (a, wheel_y - radius - 0.05), (floor, 2 * radius + 0.06))
            if b - wheel_y - radius - 0.05 > 0.02:
                body.box(side, (wheel_y + radius + 0.05, b), (floor, 2 * radius + 0.06))
        body.box((s * (half - skin - 0.006), s * (tunnel - 0.02)), (door_a, door_b), (floor, sill - 0.06))
    body.box((-tunnel, tunnel), (ya - 0.04, ya), (sill, 0.9))
    # Roof on pillars.
    roof_in, roof_a, roof_b = 0.12, ya + 0.45, yb - (0.3 if not van else 0.0)
    body.box((-half + roof_in, half - roof_in), (roof_a, roof_b), (height - 0.06, height))
    for s in (-1, 1):
        x = s * (half - 0.10)
        body.bar((x, ya + 0.02, 0.9), (s * (half - 0.15), roof_a + 0.03, height - 0.04), 0.06, 0.05)
        body.bar((x, yb - 0.05, 0.9), (s * (half - 0.15), roof_b - 0.03, height - 0.04), 0.06, 0.06)
    glass = body.mount("windscreen", GLASS)
    rise = (roof_a - ya, height - 0.95)
    with build.frame((0, ya + 0.02, 0.92), rotation("x", -math.atan2(rise[0], rise[1]))):
        glass.box((-half + 0.2, half - 0.2), (-0.006, 0.0), (0.03, math.hypot(*rise) - 0.1))
    for name, y in (("front", front_wheel), ("rear", rear_wheel)):
        for label, s in (("left", -1), ("right", 1)):
            x = s * (half - 0.115)
            knuckle = body
            if name == "front" and draw.chance("steering", 0.35):
                knuckle = body.hinge(
                    f"knuckle_{label}", "z", (x - s * 0.13, y, radius), radians(12), -radians(12), material=DARK_STEEL
                )
                knuckle.box((x - s * 0.15, x - s * 0.112), (y - 0.05, y + 0.05), (radius - 0.06, radius + 0.06))
            wheel(
                knuckle,
                f"wheel_{name}_{label}",
                (x, y, radius),
                radius,
                0.185,
                tyre=RUBBER.at(500),
                hub=ALUMINIUM.at(800),
            )
    doors = draw.pick("door_rows", (1, 2), (1, 2)) if not van else 1
    bounds = spaced(door_a, door_b, doors)
    opening = draw.angle("door_opening", 60, 75)
    for r, (a, b) in enumerate(bounds):
        for place, s in (("left", -1), ("right", 1)):
            slides = van and place == "right"
            label = f"door_{place}_{r}" if doors > 1 else f"door_{place}"
            pin = (s * (half + 0.001), a + 0.006, 0.6)
            if slides:
                leaf = body.slide(label, "y", round(0.85 * (b - a), 4), at=pin)
                across = (s * (half + 0.004), s * (half + 0.054))
            else:
                leaf = body.hinge(label, "-z" if s > 0 else "z", pin, opening)
                across = (s * half, s * (half - skin))
            leaf.box(across, (a + 0.006, b - 0.008), (floor + 0.02, waist))
            frame_x = (across[0] - s * 0.05, across[0] - s * 0.02) if slides is False else (across[0], across[1])
            leaf.box(frame_x, (b - 0.05, b - 0.008), (waist, height - 0.3))
            handle = leaf.mount(f"{label}_handle", DARK_ABS)
            handle.box(
                (
                    across[0] if s * across[0] > s * across[1] else across[1],
                    (across[0] if s * across[0] > s * across[1] else across[1]) + s * 0.018,
                ),
                (b - 0.22, b - 0.08),
                (waist - 0.1, waist - 0.07),
            )
            if not slides and draw.chance("window", 0.25):
                pane = leaf.slide(f"{label}_window", "z", 0.3, material=GLASS)
                leaf.solids.pop(0)
                leaf.box((s * half, s * (half - 0.018)), (a + 0.006, b - 0.008), (floor + 0.02, waist))
                leaf.box((s * (half - 0.032), s * (half - skin)), (a + 0.006, b - 0.008), (floor + 0.02, waist - 0.04))
                leaf.box((s * (half - 0.018), s * (half - 0.032)), (a + 0.006, b - 0.008), (floor + 0.02, floor + 0.06))
                pane.box((s * (half - 0.022), s * (half - 0.028)), (a + 0.05, b - 0.06), (waist - 0.42, waist - 0.02))
    if not van:
        bonnet = body.hinge("bonnet", "-x", (0, ya - 0.045, 0.905), draw.angle("bonnet_opening", 45, 55))
        bonnet.box((-half + skin + 0.006, half - skin - 0.006), (y0 + 0.09, ya - 0.047), (0.87, 0.9))
        boot = body.hinge("boot", "x", (0, yb + 0.012, 0.906), draw.angle("boot_opening", 55, 75))
        boot.box((-half + skin + 0.006, half - skin - 0.006), (yb + 0.014, y1 - 0.065), (0.87, 0.9))
    else:
        pins = half - 0.03
        for place, s in (("left", -1), ("right", 1)):
            leaf = body.hinge(
                f"rear_door_{place}",
                "-z" if s > 0 else "z",
                (s * pins, y1 + 0.034, 1.3),
                draw.angle("rear_opening", 85, 95),
            )
            leaf.box((s * (pins - 0.002), s * 0.004), (y1 + 0.003, y1 + 0.033), (floor + 0.05, height - 0.08))
    column: Vector = (-0.36, ya + 0.36, 0.86)
    with build.frame(column, rotation("x", radians(-65))):
        body.cylinder(0.02, (0, 0, -0.34), (0, 0, -0.03), DARK_STEEL)
        lock = 3 * math.pi
        steering = body.hinge("steering_wheel", "z", (0, 0, 0), round(lock, 6), -round(lock, 6), material=DARK_ABS)
        steering.turned([(-0.012, 0.16, 0.185), (0.012, 0.16, 0.185)])
        steering.cylinder(0.04, (0, 0, -0.02), (0, 0, 0.02))
        for k in range(3):
            a = math.pi / 2 + 2 * math.pi * k / 3
            steering.bar((0, 0, 0), (0.165 * math.cos(a), 0.165 * math.sin(a), 0), 0.03, 0.012)
    for s in (-1, 1):
        seat = body.mount(f"seat_{'left' if s < 0 else 'right'}", FOAM.at(150))
        seat.box((s * 0.12, s * 0.58), (ya + 0.75, ya + 1.2), (sill, 0.58))
        seat.box((s * 0.12, s * 0.58), (ya + 1.2, ya + 1.32), (sill, 1.1))
