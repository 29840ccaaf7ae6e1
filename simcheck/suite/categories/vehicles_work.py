"""Vehicles: bicycles, cars, carts, wheelchairs, excavators, jacks."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Vector
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import DARK_ABS, DARK_STEEL, FOAM, GLASS, RUBBER, STEEL, painted
from simcheck.suite.parts import castor, drawer, screwed, shell, spaced, spoked_wheel, tube, wheel

_SUPER = "vehicles"


@category(66, _SUPER, 400)
def cart_or_trolley(build: Builder, draw: Draw) -> None:
    """A shopping cart, a service trolley with drawers, a platform cart, a wheelbarrow."""
    style = draw.pick("style", ("shopping", "service", "platform", "wheelbarrow"), (4, 3, 3, 1))
    width, length = draw.length("width", 0.4, 0.6), draw.length("length", 0.6, 1.0)
    metal = painted(draw, STEEL.at(400), ("grey", "blue", "red", "green", "black"))
    half, reach = width / 2, length / 2
    if style == "wheelbarrow":
        body = build.root("tray", metal)
        shell(body, (-half, half), (-reach, 0.3), (0.35, 0.55), 0.006, without="z")
        for s in (-1, 1):
            body.bar((s * 0.06, -reach - 0.28, 0.22), (s * 0.3, 0.85, 0.55), 0.03, 0.03)
            body.box((s * 0.22, s * 0.25), (0.2, 0.24), (0, 0.36))
            grip = body.mount(f"grip_{'left' if s < 0 else 'right'}", RUBBER)
            grip.bar((s * 0.3, 0.85, 0.55), (s * 0.328, 0.95, 0.59), 0.036, 0.036)
        spoked_wheel(body, "wheel", (0, -reach - 0.25, 0.2), 0.2, 0.07)
        return
    radius = draw.length("wheel_radius", 0.04, 0.065)
    deck = 2.5 * radius
    fixed_rear = draw.chance("fixed_rear", 0.4)
    body = build.root("frame", metal)

    def feet(inset: float) -> None:
        spots = [(s * (half - inset), t * (reach - inset)) for t in (-1, 1) for s in (-1, 1)]
        for k, (x, y) in enumerate(spots):
            if fixed_rear and y > 0:
                for s in (-1, 1):
                    body.box(
                        (x + s * 0.5 * radius, x + s * 0.6 * radius),
                        (y - 0.3 * radius, y + 0.3 * radius),
                        (0.8 * radius, deck),
                    )
                wheel(body, f"wheel_{k}", (x, y, radius), radius, 0.7 * radius)
            else:
                castor(body, f"castor_{k}", (x, y, deck), radius, direction=2 * math.pi * draw.unit())

    if style == "platform":
        body.box((-half, half), (-reach, reach), (deck, deck + 0.035))
        feet(1.75 * radius)
        bar = draw.length("handle_height", 0.75, 0.95)
        folds = draw.chance("folds", 0.6)
        y = reach - 0.03
        handle = (
            body.hinge("handle", "x", (0, y, deck + 0.065), radians(88), material=STEEL.at(1500))
            if folds
            else body.mount("handle", STEEL.at(1500))
        )
        for s in (-1, 1):
            body.box(
                (s * (half - 0.075), s * (half - 0.06)),
                (y - 0.025, y + 0.025),
                (deck + 0.035, deck + 0.085),
                DARK_STEEL,
            )
            handle.cylinder(0.015, (s * (half - 0.04), y, deck + 0.06), (s * (half - 0.04), y, bar))
        handle.cylinder(0.015, (-half + 0.04, y, bar), (half - 0.04, y, bar))
        return
    if style == "service":
        height, levels = draw.length("height", 0.8, 1.0), draw.integer("levels", 2, 3)
        feet(1.75 * radius)
        for s in (-1, 1):
            for t in (-1, 1):
                body.box((s * half, s * (half - 0.025)), (t * reach, t * (reach - 0.025)), (deck, height))
        for k in range(levels):
            z = deck + k * (height - deck - 0.02) / (levels - 1)
            body.box((-half + 0.001, half - 0.001), (-reach + 0.001, reach - 0.001), (z, z + 0.02))
        count = draw.integer("drawers", 0, 3)
        top = deck + (levels - 2) * (height - deck - 0.02) / (levels - 1) + 0.02
        if count:
            x0, x1 = -half + 0.026, half - 0.026
            for x in (x0, x1 - 0.008):
                body.box((x, x + 0.008), (-reach + 0.03, reach - 0.03), (top, height - 0.02))
            tall = min(0.12, (height - 0.02 - top) / count)
            for k in range(count):
                z1 = height - 0.024 - k * tall
                drawer(
                    body,
                    f"drawer_{k}",
                    (x0 + 0.008, x1 - 0.008),
                    (z1 - tall + 0.006, z1),
                    -reach + 0.02,
                    1.6 * reach - 0.05,
                    round(1.1 * reach, 4),
                    metal,
                    thickness=0.012,
                )
        rear = body.mount("push_bar", STEEL.at(1500))
        for s in (-1, 1):
            rear.box((s * (half - 0.03), s * (half - 0.05)), (reach, reach + 0.08), (height - 0.06, height - 0.04))
        rear.cylinder(0.014, (-half + 0.03, reach + 0.08, height - 0.05), (half - 0.03, reach + 0.08, height - 0.05))
        return
    basket = draw.length("basket_floor", 0.42, 0.5)
    top = basket + draw.length("basket_height", 0.3, 0.42)
    feet(1.75 * radius)
    for s in (-1, 1):
        body.box((s * half, s * (half - 0.025)), (-reach, reach), (deck, deck + 0.03))
        body.bar(
            (s * (half - 0.0125), reach - 0.02, deck + 0.03),
            (s * (half - 0.0125), reach - 0.02, top + 0.08),
            0.024,
            0.03,
        )
        body.bar(
            (s * (half - 0.0125), reach - 0.1, deck + 0.02), (s * (half - 0.0125), -0.2 * reach, basket), 0.024, 0.03
        )
    body.box((-half, half), (-reach, -reach + 0.03), (deck, deck + 0.03))
    body.box((-half + 0.03, half - 0.03), (-reach, reach - 0.05), (basket, basket + 0.006))
    bars = 5
    for s in (-1, 1):
        for k in range(bars):
            z = basket + (k + 1) * (top - basket) / bars
            body.box((s * (half - 0.028), s * (half - 0.034)), (-reach, reach - 0.05), (z - 0.006, z))
        for y, _ in spaced(-reach, reach - 0.06, 9):
            body.box((s * (half - 0.028), s * (half - 0.0339)), (y, y + 0.005), (basket, top))
    for k in range(bars):
        z = basket + (k + 1) * (top - basket) / bars
        body.box((-half + 0.034, half - 0.034), (-reach, -reach + 0.006), (z - 0.006, z))
    gate = body.hinge("rear_gate", "-x", (0, reach - 0.042, top + 0.004), radians(70), material=metal)
    for k in range(bars):
        z = basket + 0.02 + (k + 1) * (top - basket - 0.02) / bars
        gate.box((-half + 0.045, half - 0.045), (reach - 0.046, reach - 0.04), (z - 0.006, z))
    for x in (-half + 0.045, -0.003, half - 0.051):
        gate.box((x, x + 0.006), (reach - 0.0459, reach - 0.0401), (basket + 0.02, top))
    if draw.chance("child_seat", 0.4):
        flap = gate.hinge(
            "child_seat",
            "x",
            (0, reach - 0.05, basket + 0.3 * (top - basket)),
            radians(80),
            material=painted(draw, DARK_ABS),
        )
        flap.box(
            (-half + 0.06, half - 0.06), (reach - 0.054, reach - 0.049), (basket + 0.3 * (top - basket), top - 0.03)
        )
    push = body.mount("push_bar", painted(draw, DARK_ABS))
    for s in (-1, 1):
        push.box((s * half, s * (half - 0.025)), (reach - 0.035, reach + 0.09), (top + 0.08, top + 0.1))
    push.cylinder(0.015, (-half, reach + 0.09, top + 0.09), (half, reach + 0.09, top + 0.09))


@category(67, _SUPER, 150)
def wheelchair(build: Builder, draw: Draw) -> None:
    """Two drive wheels with hand rims, two castors, foot rests, brakes, a back that leans; it points to -y."""
    width, radius = draw.length("seat_width", 0.40, 0.50), draw.length("wheel_radius", 0.28, 0.31)
    small = draw.length("castor_radius", 0.055, 0.072)
    frame, half = build.root("frame", painted(draw, STEEL.at(600))), width / 2
    seat_z, front, back = 0.5, -0.22, 0.22
    frame.box((-half, half), (front, back), (seat_z - 0.02, seat_z), DARK_ABS)
    for s in (-1, 1):
        x = s * (half - 0.012)
        tube(frame, [(x, front, seat_z - 0.03), (x, back, seat_z - 0.03), (x, back, 0.2), (x, front, 0.2)], 0.012)
        tube(frame, [(x, front, seat_z - 0.03), (x, front, 0.2)], 0.012)
        frame.box((s * (half + 0.005), s * (half - 0.015)), (front + 0.05, back - 0.04), (seat_z, seat_z + 0.2))
        rest = frame.mount(f"armrest_{'left' if s < 0 else 'right'}", FOAM.at(200))
        rest.box((s * (half + 0.02), s * (half - 0.03)), (front + 0.03, back - 0.03), (seat_z + 0.2, seat_z + 0.23))
        frame.cylinder(0.012, (x, 0.16, radius), (s * (half + 0.02), 0.16, radius), STEEL)
    frame.bar((-half + 0.02, back, 0.22), (half - 0.02, back, seat_z - 0.06), 0.02, 0.02)
    lean = draw.chance("leaning_back", 0.5)
    back_part = (
        frame.hinge("back", "-x", (0, back + 0.02, seat_z - 0.005), draw.angle("back_lean", 20, 30), material=DARK_ABS)
        if lean
        else frame.mount("back", DARK_ABS)
    )
    back_part.box((-half + 0.02, half - 0.02), (back + 0.015, back + 0.035), (seat_z + 0.003, seat_z + 0.42))
    for s in (-1, 1):
        back_part.cylinder(
            0.012,
            (s * (half - 0.035), back + 0.035, seat_z + 0.40),
            (s * (half - 0.035), back + 0.14, seat_z + 0.40),
            RUBBER,
        )
    for name, s in (("left", -1), ("right", 1)):
        x = s * (half + 0.045)
        drive = spoked_wheel(frame, f"drive_wheel_{name}", (x, 0.16, radius), radius, 0.03, spokes=8)
        rim = drive.mount(f"hand_rim_{name}", STEEL)
        rim.turned(
            [(0.022, radius - 0.06, radius - 0.046), (0.034, radius - 0.06, radius - 0.046)],
            (x, 0.16, radius),
            "x" if s > 0 else "-x",
        )
        cx, cy = s * (half - 0.012), front - 0.02
        top = 2.45 * small
        frame.box((cx - 0.015, cx + 0.015), (cy - 0.015, front), (top, max(top + 0.03, 0.212)))
        castor(
            frame,
            f"castor_{name}",
            (cx, cy, top),
            small,
            trail=0.5,
            direction=math.pi / 2 if draw.unit() < 0.7 else 2.2,
        )
        fx = s * (half - 0.045)
        foot_z = 0.14
        frame.box((fx - 0.008, fx + 0.008), (front - 0.03, front), (seat_z - 0.045, seat_z - 0.03))
        hanger = frame.hinge(
            f"footrest_{name}", "-x", (fx, front - 0.03, seat_z - 0.06), radians(60), material=STEEL.at(1500)
        )
        hanger.bar((fx, front - 0.035, seat_z - 0.06), (fx, front - 0.27, foot_z), 0.018, 0.018)
        hanger.box((fx - s * 0.0, fx - s * 0.13), (front - 0.36, front - 0.26), (foot_z - 0.01, foot_z))
        if draw.chance("brakes", 0.6):
            bx, by, bz = s * (half + 0.010), -0.16, seat_z - 0.03
            brake = frame.hinge(f"brake_{name}", "x", (bx, by, bz), radians(40), material=DARK_STEEL)
            brake.cylinder(0.008, (s * (half + 0.0015), by, bz), (s * (half + 0.015), by, bz))
            brake.bar((bx, by, bz), (bx, by - 0.05, bz + 0.12), 0.008, 0.016)


@category(68, _SUPER, 200)
def excavator_or_crane(build: Builder, draw: Draw) -> None:
    """An excavator or a telescopic crane on tracks or wheels; the arm points to -y."""
    length, paint = (
        draw.length("length", 3.0, 6.0),
        painted(draw, STEEL.at(700), ("yellow", "orange", "red", "green", "blue")),
    )
    u = length / 5
    tracks, crane = draw.chance("tracks", 0.55), draw.chance("crane", 0.28)
    body = build.root("chassis", DARK_STEEL.at(800))
    half = 0.75 * u
    top = 0.85 * u
    if tracks:
        body.box((-0.5 * half, 0.5 * half), (-1.0 * u, 1.0 * u), (0.35 * u, top))
        for side, s in (("left", -1), ("right", 1)):
            body.box((s * 0.62 * half, s * half), (-1.3 * u, 1.3 * u), (0.08 * u, 0.6 * u), RUBBER.at(1500))
            for place, y in (("front", -1.3 * u), ("rear", 1.3 * u)):
                sprocket = body.spin(
                    f"sprocket_{side}_{place}",
                    "x",
                    (s * 0.81 * half, y + math.copysign(0.3 * u, y), 0.34 * u),
                    material=STEEL.at(3000),
                )
                x = s * 0.81 * half
                sprocket.cylinder(
                    0.22 * u,
                    (x - 0.17 * half, y + math.copysign(0.3 * u, y), 0.34 * u),
                    (x + 0.17 * half, y + math.copysign(0.3 * u, y), 0.34 * u),
                )
            body.box((s * 0.5 * half, s * 0.62 * half), (-0.8 * u, 0.8 * u), (0.3 * u, 0.5 * u))
    else:
        body.box((-half, half), (-1.3 * u, 1.3 * u), (0.55 * u, top))
        for place, y in (("front", -0.95 * u), ("rear", 0.95 * u)):
            for side, s in (("left", -1), ("right", 1)):
                wheel(
                    body,
                    f"wheel_{place}_{side}",
                    (s * (half + 0.16 * u), y, 0.36 * u),
                    0.36 * u,
                    0.26 * u,
                    tyre=RUBBER.at(600),
                )
    house = body.spin("house", "z", (0, 0, top), material=paint)
    house.cylinder(0.45 * u, (0, 0, top + 0.01 * u), (0, 0, top + 0.06 * u), DARK_STEEL)
    deck = top + 0.06 * u
    house.box((-half, half), (-0.6 * u, 1.2 * u), (deck, deck + 0.15 * u))
    house.box((-half, half), (0.35 * u, 1.2 * u), (deck + 0.15 * u, deck + 0.75 * u))
    cab = (-half, -0.22 * u)
    shell(house, cab, (-0.6 * u, 0.3 * u), (deck + 0.15 * u, deck + 1.15 * u), 0.03 * u, without="-y")
    house.mount("cab_window", GLASS).box(
        (cab[0] + 0.03 * u, cab[1] - 0.03 * u), (-0.6 * u, -0.58 * u), (deck + 0.3 * u, deck + 1.0 * u)
    )
    if draw.chance("cab_door", 0.4):
        pin = (cab[0] - 0.002, -0.55 * u, deck + 0.6 * u)
        leaf = house.hinge("cab_door", "z", pin, radians(88), material=paint)
        leaf.box((cab[0] - 0.03 * u - 0.002, cab[0] - 0.004), (-0.548 * u, 0.2 * u), (deck + 0.2 * u, deck + 1.1 * u))
    x, foot = 0.12 * u, deck + 0.38 * u
    y = -0.45 * u
    for s in (-1, 1):
        house.box((x + s * 0.14 * u, x + s * 0.2 * u), (y - 0.2 * u, y + 0.25 * u), (deck + 0.15 * u, foot + 0.15 * u))
    if crane:
        boom = house.hinge("boom", "-x", (x, y, foot), radians(75), -radians(5), material=paint)
        boom.cylinder(0.06 * u, (x - 0.13 * u, y, foot), (x + 0.13 * u, y, foot))
        part, size, reach = boom, 0.13 * u, 2.4 * u
        stages = draw.integer("stages", 1, 3)
        for k in range(stages + 1):
            wall = 0.016 * u
            y_far, y_near = y - reach - 0.12 * u * k, y - 0.1 * u - 0.05 * u * k
            if k < stages:
                shell(part, (x - size, x + size), (y_far, y_near), (foot - size, foot + size), wall, without="-y y")
                size = size - wall - 0.01 * u
                part = part.slide(f"stage_{k + 1}", "-y", round(0.7 * reach, 4), material=paint)
            else:
                part.box((x - size, x + size), (y_far, y_near), (foot - size, foot + size))
        tip = y - reach - 0.12 * u * stages
        hook = part.slide("hook", "-z", round(0.35 * u, 4), material=DARK_STEEL)
        low = foot - size - 0.02 * u
        hook.cylinder(0.01 * u, (x, tip + 0.05 * u, low - 0.25 * u), (x, tip + 0.05 * u, low))
        hook.sphere(0.05 * u, (x, tip + 0.05 * u, low - 0.28 * u))
        return
    boom = house.hinge("boom", "-x", (x, y, foot), radians(60), -radians(5), material=paint)
    boom.cylinder(0.07 * u, (x - 0.13 * u, y, foot), (x + 0.13 * u, y, foot))
    knee: Vector = (x, y - 1.0 * u, foot + 0.7 * u)
    end: Vector = (x, y - 2.0 * u, foot + 0.4 * u)
    boom.bar((x, y, foot), knee, 0.2 * u, 0.22 * u)
    boom.bar(knee, end, 0.18 * u, 0.2 * u)
    stick = boom.hinge(
        "stick", "-x", (x, end[1] - 0.13 * u, end[2] - 0.04 * u), radians(75), -radians(20), material=paint
    )
    sx, sy, sz = x, end[1] - 0.13 * u, end[2] - 0.04 * u
    for s in (-1, 1):
        boom.box((x + s * 0.1 * u, x + s * 0.13 * u), (sy - 0.06 * u, end[1] + 0.1 * u), (sz - 0.06 * u, sz + 0.1 * u))
    stick.cylinder(0.05 * u, (sx - 0.095 * u, sy, sz), (sx + 0.095 * u, sy, sz))
    stick.bar((sx, sy, sz), (sx, sy - 0.1 * u, sz - 0.95 * u), 0.15 * u, 0.1 * u)
    by, bz = sy - 0.11 * u, sz - 1.05 * u
    bucket = stick.hinge("bucket", "-x", (sx, by, bz), radians(80), -radians(35), material=DARK_STEEL.at(3000))
    for s in (-1, 1):
        stick.box((sx + s * 0.1 * u, sx + s * 0.12 * u), (by - 0.04 * u, by + 0.1 * u), (bz - 0.04 * u, bz + 0.2 * u))
        stick.box((sx + s * 0.07 * u, sx + s * 0.12 * u), (by - 0.03 * u, by + 0.07 * u), (bz + 0.12 * u, bz + 0.2 * u))
    bucket.cylinder(0.035 * u, (sx - 0.095 * u, by, bz), (sx + 0.095 * u, by, bz))
    bucket.box((sx - 0.08 * u, sx + 0.08 * u), (by - 0.03 * u, by + 0.03 * u), (bz - 0.1 * u, bz))
    shell(
        bucket,
        (sx - 0.28 * u, sx + 0.28 * u),
        (by - 0.15 * u, by + 0.3 * u),
        (bz - 0.5 * u, bz - 0.1 * u),
        0.03 * u,
        without="y",
    )


@category(69, _SUPER, 200)
def car_jack(build: Builder, draw: Draw) -> None:
    """A screw jack, a bottle jack with nested stages, or a scissor jack cut into a tree."""
    style, paint = draw.pick("style", ("screw", "scissor", "bottle"), (4, 3, 2)), painted(draw, STEEL)
    if style == "bottle":
        radius, height = draw.length("radius", 0.035, 0.05), draw.length("height", 0.15, 0.22)
        body, r = build.root("cylinder", paint), 0.7 * radius
        body.box((-1.5 * radius, 1.5 * radius), (-1.2 * radius, 1.2 * radius), (0, 0.015))
        body.turned([(0.015, r, radius), (height, r, radius)])
        part, stages = body, draw.integer("stages", 1, 2)
        for k in range(stages):
            r -= 0.0015
            part = part.slide(f"stage_{k + 1}", "z", round(0.65 * height, 4), material=STEEL)
            if k < stages - 1:
                part.turned([(0.02, r - 0.008, r), (height + 0.006, r - 0.008, r)])
                r -= 0.008
            else:
                part.cylinder(r, (0, 0, 0.02), (0, 0, height + 0.012 * stages))
        lead, z = 0.004, height + 0.012 * stages
        head = screwed(
            part, draw, "extension_screw", "z", (0, 0, z), lead, draw.integer("turns", 8, 14), material=STEEL
        )
        head.cylinder(0.5 * r, (0, 0, z + 0.0006), (0, 0, z + 0.012))
        head.cylinder(0.85 * r, (0, 0, z + 0.012), (0, 0, z + 0.02))
        pump = body.hinge("pump_lever", "-x", (0, -radius - 0.02, 0.06), radians(50), material=DARK_STEEL)
        body.box((-0.014, -0.008), (-radius - 0.03, -0.9 * radius), (0.03, 0.07))
        body.box((0.008, 0.014), (-radius - 0.03, -0.9 * radius), (0.03, 0.07))
        pump.cylinder(0.006, (-0.0075, -radius - 0.02, 0.06), (0.0075, -radius - 0.02, 0.06))
        pump.box((-0.006, 0.006), (-radius - 0.2, -radius - 0.02), (0.055, 0.065))
        return
    if style == "screw":
        height, travel = draw.length("height", 0.12, 0.3), draw.length("travel", 0.08, 0.2)
        travel, lead = min(travel, height - 0.05), draw.pick("lead", (0.004, 0.005, 0.006))
        base, r = build.root("base", paint), draw.length("screw_radius", 0.012, 0.018)
        base.turned(
            [
                (0, r + 0.0015, 3.2 * r + 0.02),
                (0.012, r + 0.0015, 3.2 * r + 0.02),
                (0.012, r + 0.0015, 2.2 * r),
                (height, r + 0.0015, 1.7 * r),
            ],
            sections=18,
        )
        head = screwed(base, draw, "spindle", "z", (0, 0, height), lead, travel / lead, material=STEEL)
        head.cylinder(r, (0, 0, height - travel - 0.03), (0, 0, height + 0.02))
        head.cylinder(1.6 * r, (0, 0, height + 0.002), (0, 0, height + 0.025))
        head.cylinder(0.005, (-0.09, 0, height + 0.014), (0.09, 0, height + 0.014))
        if draw.chance("saddle", 0.6):
            saddle = head.spin("saddle", "z", (0, 0, height + 0.025), material=DARK_STEEL)
            saddle.turned([(0.0006, 0, 1.3 * r), (0.012, 0, 1.8 * r), (0.018, 0, 1.8 * r)], (0, 0, height + 0.025))
        return
    arm = draw.length("arm", 0.14, 0.2)
    lift = draw.angle("arm_angle", 20, 35)
    reach, rise = arm * math.cos(lift), arm * math.sin(lift)
    base, low = build.root("base", paint), 0.025
    base.box((-0.06, 0.06), (-0.05, 0.05), (0, 0.006))
    build.cut_loop("upper arms to the spindle's trunnions, and their ends to the head")
    for s in (-1, 1):
        base.box((-0.05, 0.05), (s * 0.036, s * 0.04), (0.006, low + 0.012))
    zs = low + rise
    for side, s in (("left", -1), ("right", 1)):
        at: Vector = (s * 0.03, 0.0, low)
        lower = base.hinge(f"lower_arm_{side}", "-y" if s > 0 else "y", at, radians(40), material=paint)
        for y in (-1, 1):
            lower.bar((at[0] + s * 0.0, y * 0.033, low), (at[0] + s * reach, y * 0.033, zs), 0.004, 0.016)
        lower.cylinder(0.006, (at[0], -0.0345, low), (at[0], 0.0345, low), STEEL)
        pin: Vector = (at[0] + s * reach, 0.0, zs)
        inner = 0.026 if s > 0 else 0.0205  # the two upper arms pass beside one another
        upper = lower.hinge(f"upper_arm_{side}", "y" if s > 0 else "-y", pin, radians(60), material=paint)
        for y in (-1, 1):
            upper.bar((pin[0], y * inner, pin[2] + 0.002), (at[0] + s * 0.012, y * inner, zs + rise), 0.004, 0.016)
        upper.cylinder(0.006, (pin[0], -inner - 0.0018, pin[2]), (pin[0], inner + 0.0018, pin[2]), STEEL)
    lead, near = draw.pick("lead", (0.0025, 0.003, 0.004)), 0.03 + reach + 0.0065
    # The spindle hangs on the elbow of the last, the right lower arm.
    spindle = screwed(lower, draw, "spindle", "x", (near, 0, zs), lead, round(0.05 / lead, 1), material=STEEL)
    spindle.cylinder(0.007, (near, 0, zs), (near + 0.12, 0, zs))
    spindle.box((near + 0.12, near + 0.13), (-0.03, 0.03), (zs - 0.006, zs + 0.006), DARK_STEEL)
