"""Doors and windows: leaves, sashes, gates, blinds."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, Range, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ALUMINIUM, BRASS, DARK_STEEL, GLASS, STEEL, Material, painted, wood
from simcheck.suite.parts import centres, pull, spaced

_SUPER = "doors_and_windows"
_PVC = STEEL.coloured("pvc_white", (0.94, 0.94, 0.92)).at(900)


def _frame(part: Part, x: Range, z: Range, y: Range, bar: float, *, sill: bool = True) -> None:
    """A rectangular frame around an opening; without a sill it stands on the floor."""
    part.box((x[0] - bar, x[0]), y, (z[0] - bar * sill, z[1] + bar))
    part.box((x[1], x[1] + bar), y, (z[0] - bar * sill, z[1] + bar))
    part.box(x, y, (z[1], z[1] + bar))
    if sill:
        part.box(x, y, (z[0] - bar, z[0]))


def _lever(
    leaf: Part, name: str, x: float, z: float, front: float, towards_hinge: float, stop: float, *, out: float = -1.0
) -> None:
    """A lever handle on a rosette; ``towards_hinge`` is the direction along x in which it points."""
    axis = "y" if towards_hinge * out < 0 else "-y"
    lever = leaf.hinge(name, axis, (x, front + out * 0.001, z), stop, material=STEEL)
    lever.cylinder(0.011, (x, front + out * 0.001, z), (x, front + out * 0.05, z))
    lever.box(
        (x - towards_hinge * 0.011, x + towards_hinge * 0.12),
        (front + out * 0.05, front + out * 0.064),
        (z - 0.009, z + 0.009),
    )


@category(45, _SUPER, 500)
def door(build: Builder, draw: Draw) -> None:
    """A leaf in a frame with lever handles, bolt, cat flap; double, saloon or bifold."""
    width, height = draw.length("width", 0.63, 1.0), draw.length("height", 2.0, 2.15)
    thick, skin = (
        draw.length("thickness", 0.035, 0.045),
        wood(draw) if draw.chance("wooden", 0.5) else painted(draw, wood(draw).at(600)),
    )
    style = draw.pick("style", ("single", "double", "saloon", "bifold"), (6, 2, 1, 1))
    glazed, gap = draw.chance("glazed", 0.25), 0.003
    leaves = 2 if style in ("double", "saloon") else 1
    frame = build.root("frame", wood(draw))
    opening = (-leaves * width / 2, leaves * width / 2)
    _frame(frame, opening, (0.0, height), (0.0, 0.10), 0.06, sill=False)
    low, high = 0.008, height - gap

    def slab(leaf: Part, x0: float, x1: float) -> None:
        if glazed and style != "bifold":
            _frame(leaf, (min(x0, x1) + 0.1, max(x0, x1) - 0.1), (low + 0.25, high - 0.12), (0, thick), 0.1)
            leaf.box((min(x0, x1), max(x0, x1)), (0, thick), (low, low + 0.15))
            pane = leaf.mount(f"{leaf.name}_pane", GLASS)
            pane.box(
                (min(x0, x1) + 0.1, max(x0, x1) - 0.1),
                (thick / 2 - 0.004, thick / 2 + 0.004),
                (low + 0.25, high - 0.12),
            )
        else:
            leaf.box((x0, x1), (0, thick), (low, high))

    if style == "bifold":
        panels, at = draw.pick("panels", (2, 4), (2, 1)), opening[0] + 0.001
        step, part = (width - 0.008) / panels, frame
        for k in range(panels):
            back = k % 2 == 1
            pin = (at, thick + 0.001 if back else -0.001, 0.0)
            part = part.hinge(f"leaf_{k}", "z" if back else "-z", pin, radians(85), material=skin)
            part.box((at + 0.0015, at + step - 0.0005), (0, thick), (low, high))
            at += step
        pull(part, "handle", (at - step / 2, 0.0, 1.0), 0.16, upright=True)
        return
    opened = draw.angle("opening", 85, 170 if style == "single" else 110)
    swing = thick**2 / (2 * width) + 0.001
    for k in range(leaves):
        s = 1.0 if k == 0 else -1.0  # the hinge is at the left of the first leaf, at the right of the second
        hinge, end = (
            (opening[0] + gap, opening[0] + width - gap / 2 - swing)
            if k == 0
            else (opening[1] - gap, opening[1] - width + gap / 2 + swing)
        )
        name = "leaf" if leaves == 1 else ("left_leaf", "right_leaf")[k]
        if style == "saloon":
            low, high = 0.5, 1.4
            pin, x0 = (hinge + s * 0.5 * thick, thick / 2, 0.0), hinge + s * 0.006
            leaf = frame.hinge(name, "z", pin, radians(80), -radians(80), material=skin)
            leaf.box((x0 + s * 0.5 * thick, end - s * 0.01), (0, thick), (low, high))
            continue
        leaf = frame.hinge(name, "-z" if k == 0 else "z", (hinge, -0.001, 0), opened, material=skin)
        slab(leaf, hinge, end)
        if k == 0 or draw.chance("second_handle", 0.5):
            handle, stop = end - s * 0.06, draw.angle("handle_turn", 40, 60)
            z = draw.length("handle_height", 0.95, 1.08)
            if draw.chance("levers", 0.85):
                _lever(leaf, f"{name}_handle", handle, z, 0.0, -s, stop)
                if draw.chance("inner_lever", 0.3):
                    _lever(leaf, f"{name}_inner_handle", handle, z, thick, -s, stop, out=1.0)
            else:
                pull(leaf, f"{name}_pull", (handle, 0.0, z), 0.25, upright=True)
        if draw.chance("bolt", 0.3):
            z, y = 1.35, -0.012
            bolt = leaf.slide(f"{name}_bolt", "-x" if s > 0 else "x", 0.02, at=(end, y, z), material=BRASS)
            bolt.cylinder(0.005, (end - s * 0.012, y, z), (end - s * 0.10, y, z))
            bolt.cylinder(0.003, (end - s * 0.06, y - 0.02, z), (end - s * 0.06, y, z))
        if not glazed and leaves == 1 and draw.chance("cat_flap", 0.15):
            leaf.solids.pop()
            cx, half, top = (hinge + end) / 2, 0.1, 0.36
            leaf.box((hinge, end), (0, thick), (top, high))
            leaf.box((hinge, cx - half), (0, thick), (low, top))
            leaf.box((cx + half, end), (0, thick), (low, top))
            leaf.box((cx - half, cx + half), (0, thick), (low, 0.08))
            flap = leaf.hinge("cat_flap", "x", (cx, thick / 2, top - 0.012), radians(80), -radians(80), material=GLASS)
            flap.box(
                (cx - half + 0.004, cx + half - 0.004), (thick / 2 - 0.003, thick / 2 + 0.003), (0.105, top - 0.008)
            )


@category(46, _SUPER, 200)
def sliding_door(build: Builder, draw: Draw) -> None:
    """Glass panels on parallel tracks, or a telescopic chain of them."""
    panels, height = draw.pick("panels", (1, 2, 3, 4), (2, 4, 2, 1)), draw.length("height", 2.0, 2.3)
    width = round(draw.length("panel_width", 0.75, 1.1), 4)
    telescopic = panels > 1 and draw.chance("telescopic", 0.3)
    frame = build.root("frame", ALUMINIUM.at(1200))
    tracks = panels if telescopic else min(panels, 2)
    deep = 0.05 * (tracks + 1)
    total = width * (panels + 1)
    _frame(frame, (-total / 2, total / 2), (0.02, height), (0, deep), 0.05)
    left = -total / 2 + width
    frame.box((-total / 2, left), (0.004, 0.04), (0.02, height), GLASS)  # the fixed pane
    skin, part = painted(draw, ALUMINIUM.at(1000), ("white", "grey", "black", "green")), frame
    for k in range(panels):
        track = k + 1 if telescopic else 1 - k % 2 if tracks > 1 else 1
        y = (0.05 * track + 0.004, 0.05 * track + 0.04) if telescopic or tracks == 1 or track else (0.004, 0.04)
        x = (left + k * width + 0.003, left + (k + 1) * width - 0.003)
        room = round(width - 0.02, 4)
        if not telescopic and tracks > 1 and track == 0 and k == panels - 1:
            frame.box(x, y, (0.025, height - 0.004), GLASS)  # no room beside it
            continue
        moves = (0.0, room) if not telescopic and tracks > 1 and track == 0 else (-room, 0.0)
        part_of = part if telescopic else frame
        leaf = part_of.slide(f"panel_{k}", "x", moves[1], moves[0], at=(x[0], y[0], height / 2), material=skin)
        _frame(leaf, (x[0] + 0.05, x[1] - 0.05), (0.08, height - 0.06), y, 0.05)
        pane = leaf.mount(f"pane_{k}", GLASS.at(2500))
        pane.box(
            (x[0] + 0.05, x[1] - 0.05), ((y[0] + y[1]) / 2 - 0.006, (y[0] + y[1]) / 2 + 0.006), (0.08, height - 0.06)
        )
        if telescopic:
            part = leaf


@category(47, _SUPER, 350)
def window(build: Builder, draw: Draw) -> None:
    """Casements, tilting lights, sashes that slide, grids of them, or a louvre."""
    width, height = draw.length("width", 0.4, 1.6), draw.length("height", 0.5, 1.8)
    style = draw.pick("style", ("casement", "tilt", "sash", "grid", "louvre"), (6, 2, 3, 1.5, 1))
    skin = _PVC if draw.chance("pvc", 0.6) else wood(draw)
    frame, bar, base = build.root("frame", skin), 0.05, 0.9
    x, z = (-width / 2, width / 2), (base, base + height)
    _frame(frame, x, z, (0, 0.08), 0.05)
    inside = (0.0, 0.05)

    def leaf_of(part: Part, name: str, xs: Range, zs: Range, y: Range) -> None:
        b = min(bar, 0.2 * (xs[1] - xs[0]), 0.2 * (zs[1] - zs[0]))
        _frame(part, (xs[0] + b, xs[1] - b), (zs[0] + b, zs[1] - b), y, b)
        pane = part.mount(f"{name}_pane", GLASS)
        middle = (y[0] + y[1]) / 2
        pane.box((xs[0] + b, xs[1] - b), (middle - 0.008, middle + 0.008), (zs[0] + b, zs[1] - b))

    if style in ("casement", "tilt"):
        count = 2 if width > 0.9 and style == "casement" else 1
        opened, handles = draw.angle("opening", 90, 170), draw.chance("handles", 0.7)
        for k, (x0, x1) in enumerate(spaced(*x, count)):
            xs, zs = (x0 + 0.004 + 0.004 * k, x1 - 0.004 - 0.004 * (count - 1 - k)), (z[0] + 0.004, z[1] - 0.004)
            name = f"sash_{k}" if count > 1 else "sash"
            if style == "tilt":
                part = frame.hinge(name, "x", (0, -0.001, zs[0]), draw.angle("tilt", 12, 15))
            else:
                side = k if count > 1 else draw.integer("hinge_right", 0, 1)
                part = frame.hinge(name, "-z" if side == 0 else "z", (xs[side], -0.001, 0), opened)
            leaf_of(part, name, xs, zs, inside)
            if handles and k == 0:
                hx = (
                    (xs[1] - 0.025 if style == "casement" and (k == 0 and (count > 1 or side == 0)) else xs[0] + 0.025)
                    if style == "casement"
                    else 0.0
                )
                hz = (zs[0] + zs[1]) / 2 if style == "casement" else zs[1] - 0.025
                stop = radians(draw.pick("handle_stop", (90, 180)))
                lever = part.hinge(f"{name}_handle", "y", (hx, -0.001, hz), stop, material=STEEL)
                lever.cylinder(0.009, (hx, -0.03, hz), (hx, -0.001, hz))
                lever.box((hx - 0.007, hx + 0.007), (-0.042, -0.03), (hz - 0.10, hz + 0.009))
    elif style in ("sash", "grid"):
        columns = draw.integer("columns", 2, 4) if style == "grid" else 1
        for c, (x0, x1) in enumerate(spaced(*x, columns)):
            if c:
                frame.box((x0 - 0.012, x0 + 0.012), (0, 0.08), z)
            xs = (x0 + (0.016 if c else 0.004), x1 - (0.016 if c < columns - 1 else 0.004))
            middle, travel = (z[0] + z[1]) / 2, round(0.4 * height, 4)
            lower = frame.slide(f"lower_sash_{c}", "z", travel)
            leaf_of(lower, f"lower_{c}", xs, (z[0] + 0.003, middle + 0.02), (0.002, 0.036))
            if (style == "sash" and draw.chance("upper_moves", 0.5)) or style == "grid":
                upper = frame.slide(f"upper_sash_{c}", "-z", travel)
            else:
                upper = frame.mount(f"upper_sash_{c}", skin)
            leaf_of(upper, f"upper_{c}", xs, (middle - 0.02, z[1] - 0.003), (0.042, 0.076))
            if draw.chance("catch", 0.35):
                catch = lower.hinge(
                    f"catch_{c}", "-z", ((xs[0] + xs[1]) / 2, 0.018, middle + 0.021), radians(150), material=BRASS
                )
                cx = (xs[0] + xs[1]) / 2
                catch.cylinder(0.01, (cx, 0.018, middle + 0.021), (cx, 0.018, middle + 0.028))
                catch.box((cx - 0.007, cx + 0.04), (0.011, 0.025), (middle + 0.028, middle + 0.034))
    else:
        slats = draw.integer("slats", 6, min(20, int(height / 0.07)))
        pitch = height / slats
        for k, zc in enumerate(centres(*z, slats)):
            slat = frame.hinge(f"slat_{k}", "x", (0, 0.04, zc), radians(90), material=GLASS)
            slat.box((x[0] + 0.012, x[1] - 0.012), (0.036, 0.044), (zc - 0.46 * pitch, zc + 0.46 * pitch))
            for s in (-1, 1):
                slat.cylinder(0.004, (s * (width / 2 - 0.012), 0.04, zc), (s * (width / 2 - 0.002), 0.04, zc), STEEL)


@category(48, _SUPER, 200)
def gate_or_garage_door(build: Builder, draw: Draw) -> None:
    """A swing gate, a sectional garage door, a barrier or a turnstile."""
    style = draw.pick("style", ("swing", "sectional", "barrier", "turnstile"), (4, 3, 2, 1.5))
    metal = painted(draw, STEEL.at(300), ("white", "grey", "green", "black", "blue"))
    if style == "swing":
        width, height, post = draw.length("leaf_width", 1.1, 2.2), draw.length("height", 1.2, 2.0), 0.12
        ground = build.root("posts", metal)
        pair = draw.chance("pair", 0.65)
        leaves = 2 if pair else 1
        half = leaves * width / 2
        for s in (-1, 1):
            ground.box((s * (half + 0.02), s * (half + 0.02 + post)), (-post / 2, post / 2), (0, height + 0.1))
        ground.box((-half, half), (-0.1, 0.1), (-0.05, 0.0))
        opened = draw.angle("opening", 90, 110)
        for k in range(leaves):
            s = 1 if k == 0 else -1
            hinge = -s * (half + 0.010)
            name = "gate" if not pair else ("left_gate", "right_gate")[k]
            leaf = ground.hinge(name, "-z" if s > 0 else "z", (hinge, -post / 2 - 0.002, 0), opened, material=metal)
            y = (-0.04, 0.0)
            a, b = hinge + s * 0.004, hinge + s * (width + 0.003) if pair else hinge + s * (width + 0.012)
            leaf.box((a, b), y, (0.08, 0.14))
            leaf.box((a, b), y, (height - 0.06, height))
            for end in (a, b - s * 0.05):
                leaf.box((end, end + s * 0.05), y, (0.14, height - 0.06))
            for x in centres(a + s * 0.05, b - s * 0.05, max(4, round(width / 0.14))):
                leaf.cylinder(0.010, (x, -0.02, 0.14), (x, -0.02, height - 0.06))
            if draw.chance("drop_bolt", 0.4):
                bolt = leaf.slide(f"{name}_bolt", "z", 0.1, material=DARK_STEEL)
                x = b - s * 0.06
                bolt.cylinder(0.008, (x, -0.052, 0.012), (x, -0.052, 0.5))
                bolt.cylinder(0.006, (x, -0.08, 0.45), (x, -0.052, 0.45))
        return
    if style == "sectional":
        width, height, count = (
            draw.length("width", 2.2, 5.0),
            draw.length("height", 2.0, 2.3),
            draw.integer("panels", 4, 8),
        )
        frame, thick = build.root("jambs", metal), 0.04
        for s in (-1, 1):
            frame.box((s * (width / 2 + 0.02), s * (width / 2 + 0.12)), (-0.02, 0.1), (0, height + 0.1))
        frame.box((-width / 2 - 0.12, width / 2 + 0.12), (-0.02, 0.1), (height + 0.10, height + 0.3))
        build.cut_loop("the rollers of the panels in the track")
        step, part = height / count, frame
        # Hung from the top: each panel folds inwards about the lower edge of the one above.
        for k in range(count):
            top = height + 0.06 - k * step
            pin = (0.0, thick + 0.001, top)
            swing = radians(85 if k else 88)
            part = part.hinge(f"panel_{k}", "x", pin, swing, material=metal)
            part.box((-width / 2, width / 2), (0, thick), (top - step + 0.002, top - 0.001))
        grip = part.mount("grip", DARK_STEEL)
        grip.box((-0.1, 0.1), (-0.03, 0), (0.5 * step + 0.06, 0.5 * step + 0.08))
        return
    ground = build.root("post", metal)
    if style == "barrier":
        length, pin = draw.length("length", 2.2, 4.5), (0.0, -0.171, 0.95)
        ground.box((-0.15, 0.15), (-0.15, 0.15), (0, 1.1))
        boom = ground.hinge(
            "boom",
            "-y",
            pin,
            draw.angle("opening", 80, 88),
            material=painted(draw, ALUMINIUM.at(400), ("white", "red", "yellow")),
        )
        boom.cylinder(0.05, (0, -0.151, 0.95), (0, -0.2, 0.95), DARK_STEEL)
        boom.box((-0.35, length), (-0.24, -0.2), (0.91, 0.99))
        for k in range(4):
            x = 0.3 + k * (length - 0.4) / 4
            boom.box((x, x + 0.15), (-0.242, -0.24), (0.912, 0.988), painted(draw, ALUMINIUM, ("red", "black")))
        ground.box((length - 0.2, length - 0.1), (-0.3, -0.15), (0, 0.88)) if draw.chance("rest_post", 0.5) else None
        if draw.chance("skirt", 0.4):
            skirt = boom.hinge("skirt", "y", (length - 0.3, -0.245, 0.9), radians(80), material=ALUMINIUM)
            skirt.cylinder(0.012, (length - 0.3, -0.255, 0.9), (length - 0.3, -0.244, 0.9))
            skirt.box((length - 0.32, length - 0.28), (-0.262, -0.255), (0.45, 0.9))
        return
    ground.cylinder(0.09, (0, 0, 0), (0, 0, 0.9))
    tripod = draw.chance("tripod", 0.5)
    if tripod:
        with build.frame((0, 0, 0.95), rotation("x", radians(-45))):
            ground.cylinder(0.06, (0, 0, -0.06), (0, 0, 0.02))
            rotor = ground.spin("rotor", "z", (0, 0, 0.022), material=STEEL)
            rotor.cylinder(0.06, (0, 0, 0.022), (0, 0, 0.07))
            for k in range(3):
                angle = 2 * math.pi * k / 3 - math.pi / 2
                c, n = math.cos(angle), math.sin(angle)
                rotor.cylinder(0.018, (0.04 * c, 0.04 * n, 0.05), (0.45 * c, 0.45 * n, 0.45))
        return
    rotor, arms = ground.spin("rotor", "z", (0, 0, 0.9), material=STEEL), draw.integer("arms", 3, 4)
    rotor.cylinder(0.07, (0, 0, 0.901), (0, 0, 1.05))
    for k in range(arms):
        angle = 2 * math.pi * k / arms
        rotor.cylinder(
            0.018,
            (0.05 * math.cos(angle), 0.05 * math.sin(angle), 0.98),
            (0.55 * math.cos(angle), 0.55 * math.sin(angle), 0.98),
        )


@category(49, _SUPER, 120)
def blinds(build: Builder, draw: Draw) -> None:
    """A venetian blind: a headrail, many slats, a turning wand, a bottom rail; or vertical slats."""
    width, slat = draw.length("width", 0.4, 1.8), draw.length("slat", 0.016, 0.045)
    count = draw.integer("slats", 98, 118) if draw.chance("large", 0.2) else draw.count("slats", 12, 38, 96)
    pitch = slat + draw.length("gap", 0.002, 0.006)
    colour: Material = painted(draw, ALUMINIUM, ("white", "cream", "grey", "teal", "green", "black"))
    drop = count * pitch
    top = max(drop + 0.25, 1.5)
    rail = build.root("headrail", ALUMINIUM)
    rail.box((-width / 2, width / 2), (-0.025, 0.025), (top, top + 0.04))
    turn = radians(75)
    for k in range(count):
        z = top - 0.012 - (k + 0.5) * pitch
        part = rail.hinge(f"slat_{k}", "x", (0, 0, z), turn, -turn, material=colour)
        part.box((-width / 2 + 0.005, width / 2 - 0.005), (-slat / 2, slat / 2), (z - 0.0004, z + 0.0004))
    low = top - 0.012 - drop
    if draw.chance("bottom_rail", 0.85):
        bottom = rail.slide("bottom_rail", "-z", 0.05, material=ALUMINIUM)
        bottom.box(
            (-width / 2 + 0.005, width / 2 - 0.005),
            (-slat / 2, slat / 2),
            (low - slat / 2 - 0.014, low - slat / 2 - 0.004),
        )
    if draw.chance("wand", 0.85):
        x, y = -width / 2 + 0.06, -0.034
        wand = rail.spin("wand", "z", (x, y, top), material=GLASS)
        wand.cylinder(0.004, (x, y, top - min(0.5, 0.7 * drop)), (x, y, top - 0.001))
        rail.box((x - 0.006, x + 0.006), (y - 0.006, -0.025), (top + 0.002, top + 0.012), STEEL)
