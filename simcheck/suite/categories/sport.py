"""Sport: exercise bikes, weight machines, dumbbells, skateboards and scooters, table football."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, Vector, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import (
    ABS,
    ALUMINIUM,
    BOARD,
    DARK_ABS,
    DARK_STEEL,
    FOAM,
    IRON,
    RUBBER,
    STEEL,
    painted,
    wood,
)
from simcheck.suite.parts import centres, ring_of, screwed, shell, wheel

_SUPER = "sport"


def _crank(frame: Part, centre: Vector, half: float, arm: float) -> None:
    """A crank with two nested pedals on an axle along y; the sides begin 2 half apart."""
    x, y, z = centre
    crank = frame.spin("crank", "y", centre, material=STEEL)
    for name, s in (("left", 1), ("right", -1)):
        end = x - s * arm
        crank.cylinder(0.012, (x, y + s * (half + 0.002), z), (x, y + s * (half + 0.035), z))
        crank.bar((x, y + s * (half + 0.028), z), (end, y + s * (half + 0.028), z), 0.012, 0.026)
        near = y + s * (half + 0.036)
        pedal = crank.spin(f"pedal_{name}", "y", (end, near, z), material=DARK_ABS)
        pedal.box((end - 0.04, end + 0.04), (near, near + s * 0.09), (z - 0.011, z + 0.011))


@category(81, _SUPER, 200)
def exercise_bike(build: Builder, draw: Draw) -> None:
    """A stationary bike with a flywheel, crank, seat and bar that adjust, a resistance knob; or a rowing machine."""
    paint = painted(draw, STEEL.at(1500))
    frame = build.root("frame", paint)
    if draw.chance("rower", 0.2):
        length = draw.length("rail", 1.2, 1.5)
        frame.box((-length, 0.0), (-0.02, 0.02), (0.25, 0.33))
        for x in (-length, -0.05):
            frame.box((x, x + 0.05), (-0.25, 0.25), (0, 0.04))
            frame.box((x, x + 0.05), (-0.03, 0.03), (0.04, 0.25))
        frame.box((0.0, 0.12), (-0.16, -0.14), (0.2, 0.62))
        frame.box((0.0, 0.12), (0.14, 0.16), (0.2, 0.62))
        frame.box((-0.02, 0.0), (-0.16, 0.16), (0.2, 0.34))
        flywheel = frame.spin("flywheel", "y", (0.25, 0, 0.42), material=IRON.at(2500))
        flywheel.cylinder(0.2, (0.25, -0.05, 0.42), (0.25, 0.05, 0.42))
        for s in (-1, 1):
            frame.box((0.12, 0.27), (s * 0.14, s * 0.16), (0.40, 0.44))
            frame.cylinder(0.012, (0.25, s * 0.052, 0.42), (0.25, s * 0.14, 0.42), STEEL)
            foot = frame.hinge(
                f"foot_rest_{'left' if s > 0 else 'right'}",
                "y",
                (-0.16, s * 0.1, 0.36),
                radians(20),
                -radians(20),
                material=DARK_ABS,
            )
            frame.cylinder(0.008, (-0.16, s * 0.02, 0.30), (-0.16, s * 0.05, 0.30), STEEL)
            foot.bar((-0.16, s * 0.1, 0.365), (-0.30, s * 0.1, 0.365 - 0.005), 0.09, 0.012)
        seat = frame.slide(
            "seat", "x", round(min(0.9, length - 0.75), 4), at=(-length + 0.2, 0, 0.35), material=DARK_ABS
        )
        seat.box((-length + 0.08, -length + 0.34), (-0.16, 0.16), (0.345, 0.38))
        for s in (-1, 1):
            seat.box((-length + 0.15, -length + 0.27), (s * 0.024, s * 0.04), (0.27, 0.345))
        handle = frame.slide("handle", "-x", 0.7, at=(-0.04, 0, 0.56), material=STEEL)
        handle.cylinder(0.014, (-0.06, -0.24, 0.56), (-0.06, 0.24, 0.56))
        return
    length = draw.length("length", 0.95, 1.15)
    for x in (-0.45 * length, 0.45 * length):
        frame.box((x - 0.025, x + 0.025), (-0.25, 0.25), (0, 0.05))
    frame.box((-0.45 * length, 0.45 * length), (-0.03, 0.03), (0.05, 0.10))
    wheel_r, cx, cz = draw.length("flywheel", 0.17, 0.23), 0.0, 0.33
    fx, fz = 0.3 * length, 0.115 + wheel_r
    for s in (-1, 1):
        frame.bar((fx, s * 0.055, 0.1), (fx, s * 0.055, fz + 0.3), 0.02, 0.05)
        frame.cylinder(0.012, (fx, s * 0.028, fz), (fx, s * 0.05, fz), STEEL)
    frame.box((fx - 0.03, fx + 0.03), (-0.065, 0.065), (fz + 0.3, fz + 0.34))
    flywheel = frame.spin("flywheel", "y", (fx, 0, fz), material=IRON)
    flywheel.cylinder(wheel_r, (fx, -0.018, fz), (fx, 0.018, fz))
    flywheel.cylinder(0.04, (fx, -0.026, fz), (fx, 0.026, fz), STEEL)
    arm = 0.165
    frame.cylinder(0.045, (cx, -0.05, cz), (cx, 0.05, cz))
    frame.bar((cx - 0.06, 0, 0.1), (cx - 0.02, 0, cz - 0.03), 0.06, 0.05)
    _crank(frame, (cx, 0.0, cz), 0.05, arm)
    sx, sz = -0.2 * length, 0.55
    ring_of(frame, (sx, 0, 0.15), "z", 0.0185, 0.027, sz - 0.15, sections=14)
    frame.bar((sx, 0, 0.1), (sx, 0, 0.15), 0.05, 0.05)
    frame.bar((sx + 0.025, 0, 0.42), (cx - 0.02, 0, cz + 0.03), 0.05, 0.04)
    post = frame.slide("seat_post", "z", 0.2, at=(sx, 0, sz), material=STEEL)
    post.cylinder(0.016, (sx, 0, 0.2), (sx, 0, sz + 0.12))
    top = sz + 0.12
    if draw.chance("fore_aft", 0.55):
        saddle = post.slide("saddle", "x", 0.05, -0.05, at=(sx, 0, top), material=FOAM.at(300))
        post.box((sx - 0.09, sx + 0.09), (-0.018, 0.018), (top, top + 0.02), DARK_STEEL)
        low = top + 0.022
    else:
        saddle, low = post.mount("saddle", FOAM.at(300)), top
    saddle.prism(
        [(sx - 0.14, -0.09), (sx - 0.14, 0.09), (sx + 0.14, 0.025), (sx + 0.14, -0.025)], "z", (low, low + 0.05)
    )
    bz = fz + 0.34
    ring_of(frame, (fx, 0, bz), "z", 0.0185, 0.026, 0.14, sections=14)
    bar = (
        frame.slide("handle_bar", "z", 0.12, at=(fx, 0, bz), material=STEEL)
        if draw.chance("bar_lifts", 0.7)
        else frame.mount("handle_bar", STEEL)
    )
    bar.cylinder(
        0.016 if bar.joint and bar.joint.kind == "prismatic" else 0.0186, (fx, 0, bz + 0.01), (fx, 0, bz + 0.33)
    )
    bar.cylinder(0.015, (fx - 0.05, -0.22, bz + 0.33), (fx - 0.05, 0.22, bz + 0.33))
    bar.box((fx - 0.06, fx + 0.02), (-0.02, 0.02), (bz + 0.31, bz + 0.35))
    for s in (-1, 1):
        bar.cylinder(0.015, (fx - 0.22, s * 0.21, bz + 0.35), (fx - 0.05, s * 0.21, bz + 0.33), RUBBER)
    if draw.chance("display_tilts", 0.4):
        screen = bar.hinge("display", "-y", (fx + 0.035, 0, bz + 0.36), radians(40), -radians(10), material=DARK_ABS)
        screen.box((fx + 0.025, fx + 0.05), (-0.09, 0.09), (bz + 0.362, bz + 0.46))
    if draw.chance("resistance", 0.55):
        kz = 0.10
        at: Vector = (-0.32 * length, 0.0, kz)
        ring_of(frame, at, "z", 0.0055, 0.016, 0.03, sections=12)
        knob = screwed(frame, draw, "resistance_knob", "z", (at[0], 0, kz + 0.03), 0.0015, 4, material=DARK_ABS)
        knob.cylinder(0.0042, (at[0], 0, kz + 0.004), (at[0], 0, kz + 0.04), STEEL)
        knob.cylinder(0.022, (at[0], 0, kz + 0.04), (at[0], 0, kz + 0.065))


@category(82, _SUPER, 150)
def weight_machine(build: Builder, draw: Draw) -> None:
    """A frame with a stack of plates on guide rods, pulleys, a lever and an adjustable seat."""
    plates, height = draw.count("plates", 3, 9, 24), draw.length("height", 2.0, 2.2)
    frame, half = build.root("frame", painted(draw, STEEL.at(1500), ("white", "grey", "black", "red", "blue"))), 0.22
    frame.box((-0.35, 0.35), (-0.12, 0.12), (0, 0.05))
    frame.box((-0.06, 0.06), (-1.2, -0.12), (0, 0.05))
    for s in (-1, 1):
        frame.box((s * 0.31, s * 0.35), (-0.04, 0.04), (0.05, height))
        frame.cylinder(0.011, (s * 0.12, 0, 0.05), (s * 0.12, 0, height - 0.05), STEEL)
    frame.box((-0.35, 0.35), (-0.04, 0.04), (height - 0.05, height))
    thick, base = draw.length("plate", 0.025, 0.03), 0.08
    # Each plate has its own room on the rods: the top one most, the others a finger's width.
    gap, z = draw.length("gap", 0.004, 0.012), base
    room = height - 0.15 - base - plates * (thick + gap)
    for k in range(plates):
        last = k == plates - 1
        stroke = round(min(0.9, 0.8 * room) if last else gap - 0.001, 4)
        plate = frame.slide(f"plate_{k}", "z", stroke, at=(0, 0, z), material=IRON)
        plate.box((-0.105, 0.105), (-0.06, 0.06), (z, z + thick))
        for s in (-1, 1):
            plate.box((s * 0.134, s * half), (-0.06, 0.06), (z, z + thick))
            for y in (-1, 1):
                plate.box((s * 0.1051, s * 0.1339), (y * 0.014, y * 0.06), (z, z + thick))
        z += thick + gap
    pulleys = draw.integer("pulleys", 1, 2)
    for k in range(pulleys):
        near = -0.09 - 0.22 * k
        at: Vector = (0.0, near, height + 0.09)
        if k == 0:
            for s in (-1, 1):
                frame.box((s * 0.03, s * 0.038), (-0.4, 0.03), (height, height + 0.12))
        pulley = frame.spin(f"pulley_{k}", "x", at, material=DARK_STEEL)
        pulley.cylinder(0.07, (-0.016, near, at[2]), (0.016, near, at[2]))
        pulley.cylinder(0.012, (-0.028, near, at[2]), (0.028, near, at[2]), STEEL)
    if draw.chance("press_arm", 0.8):
        pin: Vector = (0.0, -0.16, 1.25)
        for s in (-1, 1):
            frame.box((s * 0.31, s * 0.35), (-0.18, -0.04), (1.21, 1.29))
        arm = frame.hinge("press_arm", "x", pin, draw.angle("press", 50, 80), material=STEEL.at(1500))
        arm.cylinder(0.02, (-0.308, pin[1], pin[2]), (0.308, pin[1], pin[2]))
        for s in (-1, 1):
            arm.bar((s * 0.27, pin[1] - 0.01, pin[2]), (s * 0.27, pin[1] - 0.25, pin[2] - 0.35), 0.04, 0.04)
            arm.cylinder(
                0.016, (s * 0.27, pin[1] - 0.25, pin[2] - 0.34), (s * 0.27, pin[1] - 0.4, pin[2] - 0.34), RUBBER
            )
    sy = -0.75
    ring_of(frame, (0, sy, 0.05), "z", 0.0215, 0.03, 0.28, sections=12)
    seat = (
        frame.slide("seat", "z", 0.15, at=(0, sy, 0.33), material=FOAM.at(250))
        if draw.chance("seat_lifts", 0.75)
        else frame.mount("seat", FOAM.at(250))
    )
    seat.cylinder(0.018, (0, sy, 0.1), (0, sy, 0.40), STEEL)
    seat.box((-0.18, 0.18), (sy - 0.18, sy + 0.18), (0.40, 0.46))
    if draw.chance("back_rest", 0.7):
        rest = (
            frame.hinge("back_rest", "-x", (0, sy + 0.24, 0.50), radians(25), material=FOAM.at(250))
            if draw.chance("reclines", 0.4)
            else frame.mount("back_rest", FOAM.at(250))
        )
        frame.box((-0.02, 0.02), (sy + 0.262, sy + 0.29), (0.05, 0.49))
        rest.box((-0.15, 0.15), (sy + 0.215, sy + 0.255), (0.51, 1.02))


@category(83, _SUPER, 150)
def dumbbell_adjustable(build: Builder, draw: Draw) -> None:
    """A bar with plates that slide and two star collars on a coarse thread."""
    grip, radius = draw.length("grip", 0.12, 0.15), 0.0125
    length, lead = draw.length("length", 0.36, 0.5), draw.pick("lead", (0.003, 0.004, 0.005))
    bar = build.root("bar", STEEL)
    bar.cylinder(radius, (-length / 2, 0, 0.1), (length / 2, 0, 0.1))
    bar.cylinder(0.016, (-grip / 2, 0, 0.1), (grip / 2, 0, 0.1), RUBBER)
    plates, colour = draw.count("plates", 0, 1, 3), painted(draw, IRON, ("black", "grey", "red", "blue", "green"))
    for side, s, axis in (("left", -1, "-x"), ("right", 1, "x")):
        x = grip / 2
        bar.cylinder(0.024, (s * x, 0, 0.1), (s * (x + 0.012), 0, 0.1))
        x += 0.013
        end = length / 2
        star = 0.02
        for k in range(plates):
            thick, r = draw.length(f"{side}_plate_{k}", 0.016, 0.024), draw.length(f"{side}_radius_{k}", 0.055, 0.09)
            room = 0.006
            if x + thick + room > end - star - 0.03:
                break
            plate = bar.slide(f"plate_{side}_{k}", axis, room - 0.0015, at=(s * x, 0, 0.1), material=colour)
            ring_of(plate, (s * x, 0, 0.1), axis, radius + 0.0015, r, thick)
            x += thick + room
        number = min(15.0, (end - star - x) / lead)
        collar = screwed(
            bar, draw, f"collar_{side}", axis, (s * x, 0, 0.1), lead, round(number, 1) - 0.1, material=STEEL
        )
        ring_of(collar, (s * x, 0, 0.1), axis, radius + 0.001, 0.024, star)
        for k in range(6):
            a = 2 * math.pi * k / 6
            u, v = 0.03 * math.cos(a), 0.03 * math.sin(a)
            collar.cylinder(0.0075, (s * (x + 0.002), u, 0.1 + v), (s * (x + star - 0.002), u, 0.1 + v))


@category(84, _SUPER, 200)
def skateboard_scooter(build: Builder, draw: Draw) -> None:
    """A skateboard with trucks on tilted axes, or a folding kick scooter; they point to -y."""
    maple = wood(draw)
    if draw.chance("scooter", 0.35):
        radius, length = draw.length("wheel_radius", 0.05, 0.1), draw.length("deck", 0.4, 0.55)
        deck = build.root("deck", painted(draw, ALUMINIUM.at(1200)))
        z = radius + 0.01
        deck.box((-0.065, 0.065), (-length / 2, length / 2), (z, z + 0.025))
        for s in (-1, 1):
            deck.box((s * 0.022, s * 0.03), (length / 2, length / 2 + radius + 0.04), (radius - 0.012, z + 0.02))
        wheel(deck, "rear_wheel", (0, length / 2 + radius + 0.02, radius), radius, 0.028)
        brake = deck.hinge("brake", "-x", (0, length / 2 - 0.01, z + 0.034), radians(3), material=DARK_ABS)
        over = max(2 * radius + 0.014, z + 0.04)
        brake.box((-0.02, 0.02), (length / 2 - 0.012, length / 2 + radius), (over, over + 0.004))
        pin_y = -length / 2 - 0.03
        for s in (-1, 1):
            deck.box((s * 0.032, s * 0.042), (pin_y - 0.02, -length / 2), (z, z + 0.06))
        stem = deck.hinge("folding_stem", "-x", (0, pin_y, z + 0.045), radians(66), material=DARK_STEEL)
        stem.cylinder(0.012, (-0.031, pin_y, z + 0.045), (0.031, pin_y, z + 0.045))
        sy = pin_y - 0.065
        stem.box((-0.028, 0.028), (sy + 0.026, pin_y), (z + 0.035, z + 0.055))
        lean = radians(12)
        with build.frame((0, sy, z + 0.045), rotation("x", -lean)):
            stem.turned([(-0.05, 0.0185, 0.027), (0.05, 0.0185, 0.027)], sections=14)
            steer = draw.angle("steer", 50, 60)
            fork = stem.hinge("steering", "z", (0, 0, 0), steer, -steer, material=STEEL.at(2000))
            fork.cylinder(0.017, (0, 0, -0.055), (0, 0, 0.5))
            low = -(z + 0.045 - radius) / math.cos(lean)
            drop = min(low, -0.055 - radius - 0.02)
            fork.box((-0.03, 0.03), (-0.012, 0.012), (-0.065, -0.055))
            for s in (-1, 1):
                fork.box((s * 0.022, s * 0.03), (-0.012, 0.012), (drop - 0.012, -0.065))
            wheel(fork, "front_wheel", (0, 0, drop), radius - 0.004, 0.028)
            part, top = fork, 0.5
            if draw.chance("telescopic", 0.5):
                bar = fork.slide("handle_bar", "z", 0.2, material=STEEL)
                bar.cylinder(0.012, (0, 0.032, 0.2), (0, 0.032, 0.72))
                for zz in (0.24, 0.45):
                    fork.box((-0.014, -0.0125), (0.0, 0.05), (zz, zz + 0.03))
                    fork.box((0.0125, 0.014), (0.0, 0.05), (zz, zz + 0.03))
                part, top, off = bar, 0.72, 0.032
            else:
                fork.cylinder(0.015, (0, 0, 0.5), (0, 0, 0.72))
                top, off = 0.72, 0.0
            part.cylinder(0.012, (-0.2, off, top), (0.2, off, top))
            for s in (-1, 1):
                grip = part.mount(f"grip_{'left' if s < 0 else 'right'}", RUBBER)
                grip.cylinder(0.017, (s * 0.11, off, top), (s * 0.21, off, top))
        return
    length, width = draw.length("length", 0.7, 0.85), draw.length("width", 0.19, 0.22)
    radius, board = draw.length("wheel_radius", 0.025, 0.032), build.root("deck", maple)
    z = radius + 0.075
    kick = 0.16 * length
    board.box((-width / 2, width / 2), (-length / 2 + kick, length / 2 - kick), (z, z + 0.011))
    for s in (-1, 1):
        y = s * (length / 2 - kick)
        with build.frame((0, y, z), rotation("x", s * radians(15))):
            board.prism(
                [(-width / 2, 0), (width / 2, 0), (0.3 * width, s * kick), (-0.3 * width, s * kick)], "z", (0, 0.011)
            )
    for name, s in (("front", -1), ("rear", 1)):
        y, axle = s * 0.28 * length, radius
        board.box((-0.028, 0.028), (y - 0.04, y + 0.04), (z - 0.008, z))
        tilt = radians(45)
        axis: Vector = (0.0, -s * math.sin(tilt), math.cos(tilt))
        pivot: Vector = (0.0, y + s * 0.012, z - 0.04)
        truck = board.hinge(f"truck_{name}", axis, pivot, radians(15), -radians(15), material=ALUMINIUM)
        truck.box((-0.02, 0.02), (y - 0.016, y + 0.016), (axle - 0.006, z - 0.028))
        truck.box((-0.5 * width + 0.035, 0.5 * width - 0.035), (y - 0.010, y + 0.010), (axle - 0.006, axle + 0.014))
        for side, t in (("left", -1), ("right", 1)):
            x = t * (0.5 * width - 0.012)
            wheel(
                truck,
                f"wheel_{name}_{side}",
                (x, y, axle),
                radius,
                0.034,
                tyre=painted(draw, ABS, ("white", "orange", "green", "red")),
            )
            truck.cylinder(0.004, (t * (0.5 * width - 0.036), y, axle), (t * (0.5 * width - 0.0315), y, axle), STEEL)


@category(85, _SUPER, 100)
def table_football(build: Builder, draw: Draw) -> None:
    """A table with rods that slide and turn, figures fixed to them, and scoring beads."""
    length, width, height = (
        draw.length("length", 1.2, 1.4),
        draw.length("width", 0.68, 0.76),
        draw.length("height", 0.8, 0.9),
    )
    body = build.root(
        "table", painted(draw, BOARD, ("black", "grey", "blue", "cream")) if draw.chance("painted", 0.5) else wood(draw)
    )
    half_l, half_w, rod_r = length / 2, width / 2, 0.008
    floor, rod_z = height - 0.20, height - 0.085
    shell(body, (-half_l, half_l), (-half_w, half_w), (floor - 0.012, height), 0.02, without="z -y y")
    pitch = body.mount("pitch", painted(draw, BOARD, ("green",)))
    pitch.box((-half_l + 0.02, half_l - 0.02), (-half_w, half_w), (floor + 0.0085, floor + 0.009))
    for s in (-1, 1):
        side = (s * half_w, s * (half_w + 0.02))
        body.box((-half_l, half_l), side, (floor - 0.012, rod_z - rod_r - 0.002))
        body.box((-half_l, half_l), side, (rod_z + rod_r + 0.002, height))
        for x in (-half_l, half_l - 0.07):
            body.box((x, x + 0.07), (s * half_w, s * (half_w - 0.07)), (0, floor - 0.012))
    rods, figures = draw.pick("rods", (4, 6, 8), (1, 1, 4)), (1, 2, 3, 5)
    for k, x in enumerate(centres(-half_l + 0.05, half_l - 0.05, rods)):
        count = figures[min(k, rods - 1 - k) % 4]
        step = width / count
        stroke = round(min(0.4 * step, 0.16) - 0.03, 4)
        s = 1 if k % 2 else -1
        carrier = body.slide(f"rod_{k}_bearing", "y", stroke, -stroke, at=(x, 0, rod_z), material=DARK_ABS)
        collar = half_w + 0.0215 + stroke
        ring_of(
            carrier, (x, s * collar, rod_z), "y" if s > 0 else "-y", rod_r + 0.0012, rod_r + 0.008, 0.012, sections=12
        )
        rod = carrier.spin(f"rod_{k}", "y", (x, 0, rod_z), material=STEEL)
        rod.cylinder(rod_r, (x, -half_w - stroke - 0.06, rod_z), (x, half_w + stroke + 0.06, rod_z))
        end = s * (half_w + 2 * stroke + 0.06)
        grip = rod.mount(f"grip_{k}", RUBBER)
        grip.cylinder(0.016, (x, s * (half_w + stroke + 0.05), rod_z), (x, end + s * 0.06, rod_z))
        team = painted(draw, ABS, ("red",) if s > 0 else ("blue",))
        for j, y in enumerate(centres(-half_w, half_w, count)):
            man = rod.mount(f"figure_{k}_{j}", team)
            man.box((x - 0.012, x + 0.012), (y - 0.014, y + 0.014), (rod_z - 0.045, rod_z + 0.035))
            man.box((x - 0.010, x + 0.010), (y - 0.010, y + 0.010), (rod_z - 0.092, rod_z - 0.045))
            man.sphere(0.012, (x, y, rod_z + 0.045))
    if draw.chance("score", 0.6):
        for name, s in (("home", -1), ("away", 1)):
            x, beads = s * (half_l + 0.02), draw.integer(f"{name}_beads", 3, 6)
            body.cylinder(0.003, (x, -0.16, height - 0.03), (x, 0.16, height - 0.03), STEEL)
            for y in (-0.16, 0.154):
                body.box((s * half_l, x + s * 0.004), (y, y + 0.006), (height - 0.034, height - 0.026))
            free = 0.30 - beads * 0.022
            for j in range(beads):
                y = -0.15 + 0.022 * j
                room = free - 0.004 if j == beads - 1 else 0.0015
                bead = body.slide(
                    f"bead_{name}_{j}", "y", round(room, 4), at=(x, y, height - 0.03), material=painted(draw, ABS)
                )
                ring_of(bead, (x, y, height - 0.03), "y", 0.0042, 0.011, 0.019, sections=12)
