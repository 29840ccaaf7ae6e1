"""Furniture: tables, chairs, beds, ladders."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, Range, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ALUMINIUM, DARK_STEEL, FOAM, LEATHER, NYLON, STEEL, fronts, painted, wood
from simcheck.suite.parts import castor, drawer, legs, ring_of, screwed, shell, spaced

_SUPER = "furniture"


@category(1, _SUPER, 500)
def table_with_drawers(build: Builder, draw: Draw) -> None:
    """A desk or table with drawers under its top, a keyboard tray or hanging leaves."""
    width, depth = draw.length("width", 0.9, 1.8), draw.length("depth", 0.5, 0.9)
    height, top = draw.length("height", 0.70, 0.76), draw.length("top", 0.02, 0.035)
    material = wood(draw)
    table = build.root("table", material)
    table.box((-width / 2, width / 2), (0, depth), (height - top, height))
    count, row = draw.count("drawers", 1, 2, 6), draw.length("row", 0.07, 0.15)
    paneled = draw.chance("panels", 0.4)
    left, right = -width / 2 + 0.05, width / 2 - 0.05
    under, front = height - top, 0.03
    if paneled:
        for x in (left, right - 0.022):
            table.box((x, x + 0.022), (front, depth - 0.03), (0, under))
        left, right = left + 0.022, right - 0.022
        table.box((left, right), (depth - 0.06, depth - 0.04), (under - 0.35, under))
    else:
        legs(table, (left, right), (front, depth - 0.03), under, 0.05)
        left, right = left + 0.05, right - 0.05
    face, stroke = fronts(draw), round(draw.number("stroke", 0.6, 0.92) * (depth - 0.16), 4)
    columns = 2 if count > 3 or draw.chance("two_columns", 0.4) else 1
    rows, style = -(-count // columns), draw.pick("handles", ("bar", "knob"))
    shelf_w = (right - left) if columns == 2 and count == 2 else min(0.45, 0.4 * (right - left))
    starts = {1: [right - shelf_w], 2: [left, right - shelf_w]}[columns]
    if columns == 2 and count == 2:
        shelf_w /= 2
        starts = [left, left + shelf_w]
    made = 0
    for c, x in enumerate(starts):
        low = under - rows * row
        shell(table, (x, x + shelf_w), (front, depth - 0.07), (low - 0.012, under), 0.012, without="-y z")
        for r in range(rows):
            if made < count:
                z = (under - (r + 1) * row, under - r * row - 0.004)
                drawer(
                    table,
                    f"drawer_{c}_{r}",
                    (x + 0.012, x + shelf_w - 0.012),
                    z,
                    front,
                    depth - 0.16,
                    stroke,
                    face,
                    style=style,
                )
                made += 1
    if columns == 1 and draw.chance("keyboard_tray", 0.15):
        x0, x1 = left + 0.02, right - shelf_w - 0.02
        for x in (x0 - 0.008, x1 + 0.008):
            table.box((x - 0.006, x + 0.006), (front, depth - 0.12), (under - 0.06, under))
        tray = table.slide("keyboard_tray", "-y", 0.28, at=(0, front, under - 0.04), material=face)
        tray.box((x0 + 0.002, x1 - 0.002), (front, depth - 0.2), (under - 0.055, under - 0.04))
    if draw.chance("leaf", 0.15):
        for k, s in enumerate((-1, 1)[: draw.integer("leaves", 1, 2)]):
            edge, length = s * (width / 2 + 0.002), draw.length("leaf_length", 0.2, 0.4)
            axis = "y" if s > 0 else "-y"
            leaf = table.hinge(f"leaf_{k}", axis, (edge, 0, height - top - 0.001), radians(90), material=material)
            leaf.box((edge + s * 0.001, edge + s * length), (0.01, depth - 0.01), (height - top, height))


@category(2, _SUPER, 450)
def office_chair(build: Builder, draw: Draw) -> None:
    """A swivel chair: castors under a star, a gas lift, a seat that turns on it, a back that reclines."""
    feet = draw.pick("feet", (4, 5, 6), (1, 8, 1))
    reach, radius = draw.length("reach", 0.26, 0.35), draw.length("wheel_radius", 0.025, 0.0325)
    deck = 2.45 * radius
    metal = draw.pick("star", ("nylon", "aluminium"))
    star = build.root("star", NYLON if metal == "nylon" else ALUMINIUM)
    star.cylinder(0.045, (0, 0, deck + 0.002), (0, 0, deck + 0.05))
    for k in range(feet):
        angle = 2 * math.pi * (k + 0.25) / feet
        tip = (reach * math.cos(angle), reach * math.sin(angle), deck + 0.016)
        star.bar((0.03 * math.cos(angle), 0.03 * math.sin(angle), deck + 0.035), tip, 0.045, 0.026)
        castor(star, f"castor_{k}", (tip[0], tip[1], deck), radius, direction=angle + 2.0 * draw.unit())
    seat_height, lift = draw.length("seat_height", 0.42, 0.52), draw.length("lift", 0.08, 0.13)
    column_top = seat_height - 0.08 - 0.03
    ring_of(star, (0, 0, deck + 0.05), "z", 0.0165, 0.025, column_top - deck - 0.05, material=DARK_STEEL)
    overlap = min(lift + 0.04, column_top - deck - 0.055)
    piston = star.slide("piston", "z", min(lift, round(overlap - 0.02, 4)), material=STEEL)
    piston.cylinder(0.014, (0, 0, column_top - overlap), (0, 0, seat_height - 0.082))
    width, depth = draw.length("seat_width", 0.45, 0.52), draw.length("seat_depth", 0.42, 0.48)
    cloth = painted(draw, FOAM.at(250), ("black", "grey", "blue", "red", "green"))
    seat = piston.spin("seat", "z", (0, 0, seat_height - 0.08), material=cloth)
    seat.box((-0.1, 0.1), (-0.12, 0.12), (seat_height - 0.081, seat_height - 0.06), DARK_STEEL.at(3000))
    seat.box((-width / 2, width / 2), (-depth / 2, depth / 2), (seat_height - 0.06, seat_height))
    hinge_y = depth / 2 + 0.03
    seat.box((-0.04, 0.04), (depth / 2 - 0.02, hinge_y - 0.012), (seat_height - 0.075, seat_height - 0.055), DARK_STEEL)
    back_height, recline = draw.length("back_height", 0.45, 0.65), draw.angle("recline", 15, 34)
    back = seat.hinge("back", "-x", (0, hinge_y, seat_height - 0.06), recline, material=cloth)
    back.cylinder(0.01, (-0.06, hinge_y, seat_height - 0.06), (0.06, hinge_y, seat_height - 0.06), DARK_STEEL)
    back.box((-0.03, 0.03), (hinge_y + 0.005, hinge_y + 0.02), (seat_height - 0.06, seat_height + 0.2), DARK_STEEL)
    back.box(
        (-0.45 * width, 0.45 * width), (hinge_y - 0.02, hinge_y + 0.03), (seat_height + 0.12, seat_height + back_height)
    )
    if draw.chance("headrest", 0.15):
        top = seat_height + back_height
        head = back.slide("headrest", "z", 0.06, material=cloth)
        head.box((-0.13, 0.13), (hinge_y - 0.02, hinge_y + 0.02), (top + 0.002, top + 0.14))
    arms = draw.pick("arms", ("none", "fixed", "lifting", "flipping"), (3, 4, 1.2, 1.2))
    for side, s in (("left", -1), ("right", 1)) if arms != "none" else ():
        x, y = s * (width / 2 + 0.025), 0.02
        seat.box(
            (s * width / 2 - s * 0.02, x + s * 0.02),
            (y - 0.03, y + 0.03),
            (seat_height - 0.058, seat_height - 0.04),
            NYLON,
        )
        seat.box((x - 0.015, x + 0.015), (y - 0.025, y + 0.025), (seat_height - 0.04, seat_height + 0.13), NYLON)
        pad_z, name = seat_height + 0.132, f"arm_{side}"
        if arms == "fixed":
            pad = seat.mount(name, NYLON)
        elif arms == "lifting":
            pad = seat.slide(name, "z", 0.1, material=NYLON)
        else:
            pad = seat.hinge(name, "-x", (x, y + 0.1, pad_z + 0.012), radians(90), material=NYLON)
        pad.box((x - 0.04, x + 0.04), (y - 0.13, y + 0.1), (pad_z, pad_z + 0.025))


@category(3, _SUPER, 250)
def screw_stool(build: Builder, draw: Draw) -> None:
    """A stool whose seat rises on a screw."""
    style = draw.pick("style", ("piano", "drafting"), (3, 2))
    height = draw.length("height", 0.42, 0.62)
    spindle, top = draw.length("spindle", 0.010, 0.015), draw.length("seat_radius", 0.15, 0.19)
    material = wood(draw) if style == "piano" else DARK_STEEL.at(2000)
    lead = draw.pick("lead", (0.005, 0.006, 0.008, 0.010, 0.012))
    base = build.root("base", material)
    nut = height - 0.10 - draw.length("neck", 0.0, 0.04)
    low = 0.16
    base.turned([(low, spindle + 0.0015, spindle + 0.022), (nut, spindle + 0.0015, spindle + 0.016)], sections=16)
    count = draw.pick("legs", (3, 4, 5))
    for k in range(count):
        angle = 2 * math.pi * (k + 0.25) / count
        c, s, r = math.cos(angle), math.sin(angle), draw.number("spread", 0.9, 1.05) * top
        inner = spindle + 0.02
        base.bar((inner * c, inner * s, low + 0.1), (r * c, r * s, 0.012), 0.03, 0.028)
        base.sphere(0.018, (r * c, r * s, 0.018))
    rise = min(nut - low - 0.05, draw.number("turns", 2, 20) * lead)
    seat = screwed(base, draw, "seat", "z", (0, 0, height), lead, rise / lead, material=material)
    seat.cylinder(spindle, (0, 0, nut - rise - 0.04), (0, 0, height - 0.05), STEEL)
    seat.cylinder(0.3 * top, (0, 0, height - 0.05), (0, 0, height - 0.04), STEEL)
    cushion = painted(draw, LEATHER, ("red", "black", "green")) if draw.chance("padded", 0.6) else wood(draw)
    seat.turned(
        [(0, 0, 0.92 * top), (0.015, 0, top), (0.03, 0, top), (0.04, 0, 0.9 * top)],
        (0, 0, height - 0.04),
        material=cushion,
    )
    if style == "drafting" and draw.chance("foot_ring", 0.5):
        z, stroke = low + 0.16, round(min(0.08, nut - low - 0.2), 4)
        if stroke > 0.01:
            ring = base.slide("foot_ring", "z", stroke, material=STEEL)
            ring_of(ring, (0, 0, z), "z", spindle + 0.024, spindle + 0.032, 0.03)
            ring.turned([(0.008, 0.78 * top, 0.86 * top), (0.024, 0.78 * top, 0.86 * top)], (0, 0, z))
            for k in range(3):
                a = 2 * math.pi * k / 3
                inner, outer = spindle + 0.03, 0.79 * top
                ring.bar(
                    (inner * math.cos(a), inner * math.sin(a), z + 0.016),
                    (outer * math.cos(a), outer * math.sin(a), z + 0.016),
                    0.012,
                    0.012,
                )


@category(4, _SUPER, 250)
def folding_chair(build: Builder, draw: Draw) -> None:
    """Two leaning front tubes with a back, rear legs and a seat that fold against them."""
    width, height = draw.length("width", 0.42, 0.50), draw.length("height", 0.78, 0.90)
    lean, tube = draw.angle("lean", 14, 20), draw.length("tube", 0.018, 0.026)
    wooden = draw.chance("wooden", 0.4)
    bar = wood(draw) if wooden else STEEL.at(1500)
    cloth = wood(draw) if wooden else painted(draw, STEEL.at(2500))
    build.cut_loop("the link between seat and rear legs")
    frame = build.root("front_frame", bar)
    seat_z = 0.45
    # In this frame z runs up along the front tubes, which lean back; y = 0 is their plane.
    with build.frame((0, 0, 0), rotation("x", -lean)):
        top = height / math.cos(lean)
        for s in (-1, 1):
            frame.box((s * width / 2, s * (width / 2 - tube)), (-tube / 2, tube / 2), (0, top))
        frame.box((-width / 2 + tube, width / 2 - tube), (-tube / 2, tube / 2), (0.1, 0.1 + tube))
        if draw.chance("tilting_back", 0.25):
            pin = top - 0.09
            back = frame.hinge("back", "x", (0, 0, pin), draw.angle("back_tilt", 8, 15), 0.0, material=cloth)
            back.box((-width / 2 + tube + 0.002, width / 2 - tube - 0.002), (-0.008, 0.008), (pin - 0.07, pin + 0.07))
        else:
            frame.box((-width / 2 + tube, width / 2 - tube), (-0.008, 0.008), (top - 0.16, top - 0.02), cloth)
    pivot = (0.0, (seat_z - 0.04) * math.tan(lean), seat_z - 0.04)
    rear = width / 2 - tube - 0.002
    splay = draw.angle("splay", 24, 32)
    legs_part = frame.hinge("rear_legs", "-x", pivot, round(splay + lean - 0.2, 6), material=bar)
    with build.frame(pivot, rotation("x", splay)):
        length = pivot[2] / math.cos(splay)
        for s in (-1, 1):
            legs_part.box((s * rear, s * (rear - tube)), (-tube / 2, tube / 2), (-length, 0.03))
        legs_part.box((-rear + tube, rear - tube), (-tube / 2, tube / 2), (-length + 0.04, -length + 0.04 + tube))
    inner = rear - tube - 0.002
    seat_depth = draw.length("seat_depth", 0.30, 0.34)
    hinge = (0.0, seat_z * math.tan(lean) + 0.0, seat_z)
    seat = frame.hinge("seat", "-x", hinge, draw.angle("seat_fold", 60, 68), material=cloth)
    seat.box((-inner, inner), (hinge[1] - seat_depth, hinge[1] + 0.02), (seat_z, seat_z + 0.018))


@category(5, _SUPER, 200)
def bed(build: Builder, draw: Draw) -> None:
    """A frame with head and foot parts that lift, or with drawers under it, or a hospital bed with side rails."""
    width, length = draw.pick("width", (0.8, 0.9, 1.2, 1.4, 1.6, 1.8)), draw.length("length", 1.9, 2.1)
    height = draw.length("height", 0.35, 0.5)
    style = draw.pick("style", ("lifting", "drawers", "both", "hospital"), (3, 3, 3, 2))
    material = wood(draw) if style != "hospital" else painted(draw, STEEL.at(1500), ("white", "grey", "blue"))
    sheet = painted(draw, FOAM, ("white", "cream", "blue", "grey"))
    frame = build.root("frame", material)
    half, rail = width / 2 + 0.03, 0.03
    deck = height - 0.12
    frame.box((-half, half), (length / 2, length / 2 + 0.04), (0, height + 0.45))
    frame.box((-half, half), (-length / 2 - 0.03, -length / 2), (0, height + 0.1))
    drawers_too = style in ("drawers", "both")
    for s in (-1, 1):
        low = deck - 0.14 if not drawers_too else deck - 0.04
        frame.box((s * half, s * (half - rail)), (-length / 2, length / 2), (low, deck + 0.02))
    frame.box((-half + rail, half - rail), (-length / 2 + 0.01, length / 2 - 0.01), (deck - 0.03, deck - 0.012))
    parts = [("head_part", 0.0, 0.42, 70), ("foot_part", -0.45, -0.12, 35)] if style != "drawers" else []
    top, inner = deck + 0.12, width / 2 - 0.005
    fixed = (-length / 2 + 0.02, length / 2 - 0.02)
    if parts:
        fixed = (-0.11 * length, -0.01 * length)
        for name, a, b, degrees in parts:
            y0, y1 = (
                (a * length + 0.005, 0.475 * length) if name == "head_part" else (-0.475 * length, b * length - 0.005)
            )
            axis, hinge = ("x", y0) if name == "head_part" else ("-x", y1)
            part = frame.hinge(name, axis, (0, hinge, top + 0.001), radians(degrees), material=sheet)
            part.box((-inner, inner), (y0, y1), (deck, deck + 0.015), material)
            part.box((-inner, inner), (y0, y1), (deck + 0.015, top))
            if name == "head_part":
                pillow = part.mount("pillow", FOAM)
                pillow.box((-0.8 * inner, 0.8 * inner), (y1 - 0.4, y1 - 0.06), (top, top + 0.08))
            del b
    frame.box((-inner, inner), fixed, (deck - 0.012, top), sheet)
    if drawers_too:
        per_side, floor_gap = draw.integer("drawers_a_side", 1, 2), 0.02
        sides = (-1, 1) if width > 1.0 and draw.chance("both_sides", 0.6) else (1,)
        reach, high = min(0.55, 0.45 * width), deck - 0.05
        for s in sides:
            for k, (y0, y1) in enumerate(spaced(-length / 2 + 0.02, length / 2 - 0.02, per_side)):
                name, x0 = f"drawer_{'left' if s < 0 else 'right'}_{k}", s * (half - 0.001)
                box = frame.slide(name, "-x" if s < 0 else "x", round(0.75 * reach, 4), material=material)
                box.box((x0 - s * 0.02, x0), (y0 + 0.004, y1 - 0.004), (floor_gap, high))
                shell(
                    box,
                    (x0 - s * 0.02, x0 - s * reach),
                    (y0 + 0.02, y1 - 0.02),
                    (floor_gap + 0.01, high - 0.04),
                    0.012,
                    without="z",
                )
    if style == "hospital":
        for side, s in (("left", -1), ("right", 1)):
            x, low = s * (half + 0.002), height - 0.12
            rail_part = frame.slide(f"rail_{side}", "-z", 0.2, material=STEEL.at(2000))
            for z in (low + 0.2, low + 0.32, low + 0.44):
                rail_part.box((x, x + s * 0.02), (-0.1 * length, 0.4 * length), (z, z + 0.03))
            for y in (-0.1 * length, 0.15 * length, 0.4 * length - 0.03):
                rail_part.box((x + s * 0.021, x + s * 0.035), (y, y + 0.03), (low + 0.19, low + 0.47))


@category(6, _SUPER, 200)
def recliner(build: Builder, draw: Draw) -> None:
    """An armchair with a back that reclines and a footrest that swings up, some on a swivel base."""
    width, height = draw.length("width", 0.75, 0.95), draw.length("height", 0.95, 1.1)
    cloth = painted(draw, LEATHER, ("red", "black", "grey", "cream", "teal")) if draw.chance("dyed", 0.6) else LEATHER
    swivel = draw.chance("swivel", 0.3)
    foot = 0.09
    if swivel:
        ground = build.root("ground_ring", DARK_STEEL.at(3000))
        ground.cylinder(0.3 * width, (0, 0.4, 0), (0, 0.4, 0.03))
        ground.cylinder(0.05, (0, 0.4, 0.03), (0, 0.4, foot - 0.012))
        base = ground.spin("base", "z", (0, 0.4, foot - 0.01), material=cloth)
        base.box((-0.3 * width, 0.3 * width), (0.1, 0.7), (foot - 0.01, foot))
    else:
        base = build.root("base", cloth)
        for x in (-width / 2 + 0.03, width / 2 - 0.09):
            for y in (0.04, 0.7):
                base.box((x, x + 0.06), (y, y + 0.06), (0, foot), DARK_STEEL)
    arm, seat_z, depth = 0.13, 0.44, 0.8
    for s in (-1, 1):
        base.box((s * width / 2, s * (width / 2 - arm)), (0, depth), (foot, 0.6))
        base.cylinder(0.55 * arm, (s * (width / 2 - arm / 2), 0.0, 0.6), (s * (width / 2 - arm / 2), depth, 0.6))
    inner = width / 2 - arm - 0.01
    base.box((-inner - 0.01, inner + 0.01), (0.07, depth - 0.15), (foot, 0.3))
    base.box((-inner, inner), (0.07, 0.56), (0.3, seat_z))
    back = base.hinge("back", "-x", (0, 0.66, 0.36), draw.angle("recline", 40, 60), material=cloth)
    with build.frame((0, 0.66, 0.36), rotation("x", radians(-10))):
        back.box((-inner, inner), (-0.05, 0.12), (0.06, height - 0.36))
        back.box((-0.7 * inner, 0.7 * inner), (-0.085, -0.05), (height - 0.62, height - 0.4))
        back.cylinder(0.04, (-inner, 0.02, 0.0), (inner, 0.02, 0.0), DARK_STEEL.at(2000))
    rest = base.hinge("footrest", "-x", (0, 0.02, 0.4), draw.angle("footrest_swing", 80, 90), material=cloth)
    rest.box((-inner, inner), (-0.01, 0.05), (foot + 0.01, 0.4))
    if draw.chance("lever", 0.5):
        x = width / 2 + 0.004
        lever = base.hinge("lever", "x", (x, 0.35, 0.35), radians(60), material=DARK_STEEL)
        lever.cylinder(0.012, (x, 0.35, 0.35), (x + 0.025, 0.35, 0.35))
        lever.box((x + 0.01, x + 0.025), (0.2, 0.36), (0.34, 0.36))


@category(7, _SUPER, 250)
def folding_ladder(build: Builder, draw: Draw) -> None:
    """A step ladder, a chain of hinged sections, or an extension ladder."""
    style = draw.pick("style", ("step", "chain", "extension"), (6, 2, 2))
    length, width = draw.length("section", 1.0, 1.8), draw.length("width", 0.35, 0.5)
    metal, rail = ALUMINIUM.at(900), draw.length("rail", 0.05, 0.07)

    def section(part: Part, half: float, y: Range, z: Range, rungs: int, tread: float) -> None:
        for s in (-1, 1):
            part.box((s * half, s * (half - 0.025)), y, z)
        for low, high in spaced(*z, rungs):
            middle, yc = (low + high) / 2, (y[0] + y[1]) / 2
            part.box((-half + 0.025, half - 0.025), (yc - tread / 2, yc + tread / 2), (middle - 0.012, middle + 0.012))

    rungs = max(3, round(length / 0.27))
    if style == "step":
        front = build.root("front", metal)
        section(front, width / 2, (0, rail), (0, length), rungs, rail - 0.004)
        front.box((-width / 2, width / 2), (-0.02, rail + 0.06), (length, length + 0.03), painted(draw))
        pin = length - 0.06
        opened = draw.angle("opening", 30, 40)
        y0 = rail + 0.006
        rear = front.hinge("rear", "x", (0, y0 + 0.015, pin), opened, material=metal)
        section(rear, width / 2 - 0.03, (y0, y0 + 0.03), (0.02, pin + 0.02), max(2, rungs // 2), 0.02)
    elif style == "extension":
        lower = build.root("lower", metal)
        section(lower, width / 2, (0, rail), (0, 1.6 * length), round(1.6 * rungs), 0.03)
        stages, part, half, y = draw.integer("stages", 1, 2), lower, width / 2, rail
        for k in range(stages):
            half, y0 = half - 0.012, y + 0.003
            part = part.slide(f"stage_{k}", "z", round(1.2 * length, 4), material=metal)
            section(part, half, (y0, y0 + rail), (0.1, 1.6 * length), round(1.5 * rungs), 0.03)
            y = y0 + rail
    else:
        part, count = build.root("section_0", metal), draw.integer("sections", 3, 6)
        short = round(length / 1.6, 4)
        section(part, width / 2, (0, rail), (0, short), 3, 0.03)
        for k in range(1, count):
            shift = 0.028 * (k % 2)
            joint = (0.0, rail / 2, k * short + 0.004 * k)
            low = -1.0 if k % 2 else 0.0
            bend = radians(draw.integer("bend", 100, 140))
            half = width / 2 - shift
            part = part.hinge(
                f"section_{k}", "x", joint, bend if low == 0 else 0.0, 0.0 if low == 0 else -bend, material=metal
            )
            section(part, half, (0, rail), (joint[2] + 0.002, joint[2] + short), 3, 0.03)
