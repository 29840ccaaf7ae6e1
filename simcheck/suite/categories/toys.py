"""Toys: vehicles, figures, abacus, spinning tops, music boxes."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, Vector, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, BRASS, DARK_ABS, GLASS, RUBBER, STEEL, Material, painted, wood
from simcheck.suite.parts import centres, ring_of, shell, wheel

_SUPER = "toys"


def _axle(body: Part, name: str, x: float, z: float, half: float, radius: float, width: float, hub: Material) -> None:
    """A pair of wheels at the sides of a body that is 2 half wide along y; x is the direction of travel."""
    gap = 0.0015
    for side, s in (("left", -1), ("right", 1)):
        y = s * (half + gap + width / 2)
        wheel(body, f"{name}_{side}", (x, y, z), radius, width / 1.1, axis="y", tyre=RUBBER, hub=hub)


@category(59, _SUPER, 350)
def toy_vehicle(build: Builder, draw: Draw) -> None:
    """A car, a tipper, a crane lorry or an excavator on wheels."""
    style = draw.pick("style", ("car", "tipper", "crane", "excavator", "train"), (4, 3, 1.5, 1.5, 1.5))
    length = draw.length("length", 0.1, 0.4)
    wooden = draw.chance("wooden", 0.4)
    skin = wood(draw) if wooden else painted(draw, ABS, ("red", "blue", "yellow", "green", "orange", "teal"))
    second = painted(draw, ABS)
    half, radius = 0.2 * length, draw.number("wheel", 0.085, 0.12) * length
    w, deck = 0.07 * length, 1.25 * radius
    body = build.root("chassis", skin)
    body.box((-length / 2, length / 2), (-half, half), (deck, deck + 0.09 * length))
    top = deck + 0.09 * length
    axles = draw.pick("axles", (2, 3, 4), (7, 2, 1)) if style != "train" else draw.integer("axles", 2, 4)
    places = centres(-length / 2, length / 2, axles)
    steers = style != "train" and axles == 2 and draw.chance("steers", 0.35)
    for k, x in enumerate(places):
        if steers and k == axles - 1:
            beam = body.hinge("steering", "z", (x, 0, deck), radians(30), -radians(30), material=DARK_ABS)
            inner, small = 0.45 * half, 0.58 * radius
            beam.box((x - 0.03 * length, x + 0.03 * length), (-inner, inner), (small, deck - 0.001))
            _axle(beam, "front_wheel", x, small, inner, small, w, second)
        else:
            _axle(body, f"wheel_{k}", x, radius, half, radius, w, second)
    front = length / 2
    if style == "car":
        body.prism(
            [
                (-0.34 * length, top),
                (0.26 * length, top),
                (0.1 * length, top + 0.16 * length),
                (-0.24 * length, top + 0.16 * length),
            ],
            "y",
            (-0.9 * half, 0.9 * half),
        )
        if draw.chance("boot_lid", 0.25):
            lid = body.hinge("boot", "y", (-0.36 * length, 0, top + 0.002), radians(48), material=second)
            lid.box(
                (-length / 2, -0.36 * length - 0.001), (-0.8 * half, 0.8 * half), (top + 0.001, top + 0.03 * length)
            )
        return
    cab = 0.26 * length
    body.box((front - cab, front), (-0.95 * half, 0.95 * half), (top, top + 0.24 * length))
    body.mount("window", GLASS).box(
        (front, front + 0.002), (-0.8 * half, 0.8 * half), (top + 0.1 * length, top + 0.2 * length)
    )
    rear = front - cab - 0.01 * length
    if style == "tipper":
        bed = body.hinge("bed", "-y", (-length / 2, 0, top + 0.001), draw.angle("tip", 40, 55), material=second)
        shell(
            bed,
            (-length / 2, rear - 0.02 * length),
            (-half, half),
            (top + 0.002, top + 0.2 * length),
            0.02 * length,
            without="z",
        )
        if draw.chance("tailgate", 0.3):
            gate = bed.hinge("tailgate", "y", (-length / 2 - 0.001, 0, top + 0.2 * length), radians(70), material=skin)
            gate.box(
                (-length / 2 - 0.016 * length, -length / 2 - 0.001),
                (-half, half),
                (top + 0.03 * length, top + 0.2 * length),
            )
    elif style == "train":
        chimney = body.mount("chimney", DARK_ABS)
        body.cylinder(0.7 * half, (-length / 2 + 0.02 * length, 0, top + 0.7 * half), (rear, 0, top + 0.7 * half))
        chimney.cylinder(
            0.04 * length, (-0.35 * length, 0, top + 1.3 * half), (-0.35 * length, 0, top + 1.3 * half + 0.14 * length)
        )
    else:
        x = -0.15 * length
        turret = body.hinge("turret", "z", (x, 0, top), radians(110), -radians(110), material=second)
        turret.cylinder(0.6 * half, (x, 0, top + 0.001), (x, 0, top + 0.03 * length))
        z = top + 0.03 * length
        for s in (-1, 1):
            turret.box(
                (x - 0.03 * length, x + 0.03 * length), (s * 0.035 * length, s * 0.06 * length), (z, z + 0.08 * length)
            )
        at: Vector = (x, 0.0, z + 0.06 * length)
        reach, part = (0.42 if style == "crane" else 0.32) * length, turret
        sections = 1 if style == "crane" else 3
        for k in range(sections):
            name = ("boom", "stick", "bucket")[k]
            seg = (reach, 0.75 * reach, 0.3 * reach)[k]
            thick = 0.028 * length
            y = (0.0, 0.036 * length, 0.0)[k]
            part = part.hinge(
                name, "y" if k == 0 else "-y", at, radians(75 if k == 0 else 50), material=skin if k % 2 else second
            )
            part.box(
                (at[0] - seg, at[0] + 0.015 * length),
                (y - thick, y + thick) if k != 1 else (y - 0.2 * thick, y + thick),
                (at[2] - 0.018 * length, at[2] + 0.018 * length),
            )
            at = (at[0] - seg + 0.02 * length, 0.0, at[2])
        if style == "crane":
            hook = part.slide("hook", "-z", 0.1 * length, material=STEEL)
            end = at[0] + 0.005 * length
            hook.cylinder(0.008 * length, (end, 0, at[2] - 0.045 * length), (end, 0, at[2] - 0.02 * length))
            hook.sphere(0.02 * length, (end, 0, at[2] - 0.05 * length))


@category(60, _SUPER, 250)
def doll_or_figure(build: Builder, draw: Draw) -> None:
    """A jointed figure: head, arms and legs with shoulders, elbows, hips, knees, hands and feet."""
    height, skin = (
        draw.length("height", 0.1, 0.3),
        painted(draw, ABS, ("cream", "orange", "teal", "grey", "blue", "red")),
    )
    cloth = painted(draw, ABS)
    u = height / 10
    body = build.root("torso", cloth)
    hip, neck = 4.6 * u, 7.9 * u
    body.box((-1.0 * u, 1.0 * u), (-0.55 * u, 0.55 * u), (hip, neck - 0.25 * u))
    body.cylinder(0.3 * u, (0, 0, neck - 0.25 * u), (0, 0, neck))
    head = body.hinge("head", "z", (0, 0, neck), radians(80), -radians(80), material=skin)
    head.sphere(0.95 * u, (0, 0, neck + 0.98 * u))
    head.box((-0.12 * u, 0.12 * u), (-1.15 * u, -0.85 * u), (neck + 0.8 * u, neck + 1.0 * u))
    level = draw.pick("joints", ("simple", "bending", "full", "ball"), (3, 4, 3, 2))
    r = 0.34 * u
    for side, s in (("left", -1), ("right", 1)):
        x = s * (1.0 * u + r + 0.12 * u)
        _limb(body, f"{side}_arm", (x, 0.0, neck - 0.6 * u), r, 1.5 * u, 1.3 * u, s, level, skin, cloth, arm=True, u=u)
        x = s * 0.52 * u
        _limb(
            body,
            f"{side}_leg",
            (x, 0.0, hip - 0.45 * u),
            0.42 * u,
            1.7 * u,
            1.6 * u,
            s,
            level,
            skin,
            cloth,
            arm=False,
            u=u,
        )
    if level == "ball" and draw.chance("nod", 0.8):
        hat = head.hinge("hat", "-x", (0, 0.75 * u, neck + 1.75 * u), radians(70), material=cloth)
        hat.cylinder(0.9 * u, (0, 0, neck + 1.97 * u), (0, 0, neck + 2.2 * u))


def _limb(
    body: Part,
    name: str,
    at: Vector,
    r: float,
    upper: float,
    lower: float,
    s: int,
    level: str,
    skin: Material,
    cloth: Material,
    *,
    arm: bool,
    u: float,
) -> None:
    """A chain of cylinders with balls at the joints; they turn about x, a ball figure's shoulder about y too."""
    x, y, z = at
    part = body
    gap = 0.06 * u
    if level == "ball" and arm:
        part = part.hinge(f"{name}_spread", "-y" if s > 0 else "y", (x, y, z + 1.2 * r), radians(80), material=cloth)
        part.sphere(0.8 * r, (x, y, z + 1.2 * r))
        z = z + 1.2 * r - 0.8 * r - gap - 0.9 * r
        part = part.hinge(f"{name}_swing", "x", (x, y, z), radians(60), -radians(60), material=cloth)
    else:
        part = part.hinge(name, "x", at, radians(90), -radians(90) if arm else -radians(60), material=cloth)
    part.sphere(0.9 * r, (x, y, z))
    part.cylinder(0.75 * r, (x, y, z - upper + r), (x, y, z), cloth)
    z -= upper - r
    if level == "simple":
        part.cylinder(0.7 * r, (x, y, z - lower), (x, y, z), skin)
        return
    z -= gap + 0.9 * r
    knee = part.hinge(
        f"{name}_{'elbow' if arm else 'knee'}", "x" if not arm else "-x", (x, y, z), radians(90), material=skin
    )
    knee.sphere(0.85 * r, (x, y, z))
    knee.cylinder(0.65 * r, (x, y, z - lower + 0.6 * r), (x, y, z))
    z -= lower - 0.6 * r
    if level == "bending":
        if not arm:
            knee.box((x - r, x + r), (y - 2.2 * r, y + 0.9 * r), (z - 0.3 * r, z), cloth)
        return
    z -= gap + 0.6 * r
    stop = radians(35)
    end = knee.hinge(
        f"{name}_{'hand' if arm else 'foot'}", "x", (x, y, z), stop, -stop, material=skin if arm else cloth
    )
    end.sphere(0.58 * r, (x, y, z))
    if arm:
        end.box((x - 0.35 * r, x + 0.35 * r), (y - 0.5 * r, y + 0.5 * r), (z - 1.8 * r, z))
    else:
        end.box((x - r, x + r), (y - 2.0 * r, y + 0.9 * r), (z - 0.9 * r, z - 0.4 * r))


@category(61, _SUPER, 120)
def puzzle_cube_or_abacus(build: Builder, draw: Draw) -> None:
    """An abacus of rods and beads, each with the room up to its neighbour; or a sliding puzzle; or a layered cube."""
    style = draw.pick("style", ("abacus", "sliding_puzzle", "layered_cube"), (8, 1, 1))
    material = wood(draw)
    if style == "layered_cube":
        layers, side = draw.integer("layers", 3, 8), draw.length("side", 0.05, 0.08)
        base, step = build.root("layer_0", painted(draw, ABS)), side / layers
        base.box((-side / 2, side / 2), (-side / 2, side / 2), (0, step - 0.0006))
        part = base
        for k in range(1, layers):
            part = part.spin(f"layer_{k}", "z", (0, 0, k * step), material=painted(draw, ABS))
            part.box((-side / 2, side / 2), (-side / 2, side / 2), (k * step, (k + 1) * step - 0.0006))
        return
    if style == "sliding_puzzle":
        n, cell = draw.integer("cells", 4, 6), 0.018
        half = n * cell / 2
        tray = build.root("tray", material)
        tray.box((-half - 0.006, half + 0.006), (-half - 0.006, half + 0.006), (0, 0.004))
        for s in (-1, 1):
            tray.box((s * half, s * (half + 0.006)), (-half - 0.006, half + 0.006), (0.004, 0.012))
            tray.box((-half, half), (s * half, s * (half + 0.006)), (0.004, 0.012))
        colour = painted(draw, ABS)
        # The last column is free: in each row the outer tile can go to the right, the others wait for it.
        for j in range(n):
            for i in range(n - 1):
                x, y = -half + i * cell, -half + j * cell
                room = round(cell - 0.0008, 4) if i == n - 2 else 0.0004
                tile = tray.slide(f"tile_{j}_{i}", "x", room, at=(x, y, 0.004), material=colour)
                tile.box(
                    (x + 0.0004, x + cell - 0.0004 - (0.0004 if i < n - 2 else 0)),
                    (y + 0.0004, y + cell - 0.0004),
                    (0.0044, 0.011),
                )
        return
    large = draw.chance("large", 0.32)
    total = draw.integer("beads", 100, 130) if large else draw.count("beads", 10, 45, 99)
    rods = max(2, min(13, round(total / 10)))
    each = max(3, round(total / rods))
    r, thick = draw.length("bead_radius", 0.008, 0.012), draw.length("bead_width", 0.008, 0.012)
    gap = 0.0012
    width = each * (thick + gap) + draw.length("room", 0.05, 0.12)
    pitch = 2 * r + 0.006
    height = rods * pitch + 0.02
    frame = build.root("frame", material)
    for s in (-1, 1):
        frame.box((s * width / 2, s * (width / 2 + 0.014)), (-0.012, 0.012), (0, height))
        frame.box((s * (width / 2 - 0.02), s * (width / 2 + 0.02)), (-0.05, 0.05), (-0.012, 0))
    for z in (0.0, height - 0.012):
        frame.box((-width / 2, width / 2), (-0.012, 0.012), (z, z + 0.012))
    for j, z in enumerate(centres(0.014, height - 0.014, rods)):
        frame.cylinder(0.0016, (-width / 2, 0, z), (width / 2, 0, z), STEEL)
        paint = painted(draw, wood(draw), ("red", "blue", "yellow", "green", "orange"))
        split = draw.integer(f"left_beads_{j}", 0, each)
        for i in range(each):
            left = i < split
            x = -width / 2 + gap + i * (thick + gap) if left else width / 2 - (each - i) * (thick + gap)
            inner = i == split - 1 if left else i == split
            free = width - each * (thick + gap) - 2 * gap
            room = round(free if inner else gap - 0.0003, 6)
            bead = frame.slide(f"bead_{j}_{i}", "x" if left else "-x", room, at=(x, 0, z), material=paint)
            for dz in (-1, 1):  # two halves leave the rod between them
                bead.box((x, x + thick), (-0.75 * r, 0.75 * r), (z + dz * 0.0022, z + dz * 0.85 * r))
            for dy in (-1, 1):
                bead.box((x, x + thick), (dy * 0.0022, dy * r), (z - 0.55 * r, z + 0.55 * r))


@category(62, _SUPER, 150)
def yoyo_top_spinner(build: Builder, draw: Draw) -> None:
    """A fidget spinner, a gyroscope in gimbals, a top on a stand."""
    style = draw.pick("style", ("spinner", "gyroscope", "top"), (4, 4, 2))
    skin = painted(draw, ABS) if draw.chance("plastic", 0.6) else STEEL
    if style == "gyroscope":
        rings = draw.integer("rings", 1, 3)
        radius = draw.length("radius", 0.03, 0.045)
        stand, centre = build.root("stand", BRASS), radius + 0.05
        stand.turned([(0, 0, 0.8 * radius), (0.008, 0, 0.75 * radius), (0.012, 0, 0.25 * radius)], sections=16)
        stand.cylinder(0.004, (0, 0, 0.012), (0, 0, centre - radius - 0.004))
        part, r = stand, radius
        for k in range(rings):
            axis = "zxz"[k]
            part = part.spin(f"gimbal_{k}", axis, (0, 0, centre), material=BRASS)
            with build.frame((0, 0, centre), rotation("x", math.pi / 2) if k % 2 == 0 else None):
                part.turned([(-0.002, r - 0.0022, r), (0.002, r - 0.0022, r)], sections=20)
            r -= 0.0062
        axis = "zxz"[rings % 3]
        rotor = part.spin("rotor", axis, (0, 0, centre), material=STEEL)
        c = (0.0, 0.0, centre)
        d: Vector = (0.0, 0.0, 1.0) if axis == "z" else (1.0, 0.0, 0.0)
        rotor.cylinder(
            0.7 * r, (c[0] - 0.003 * d[0], 0, c[2] - 0.003 * d[2]), (c[0] + 0.003 * d[0], 0, c[2] + 0.003 * d[2])
        )
        rotor.cylinder(
            0.0015, (c[0] - 0.6 * r * d[0], 0, c[2] - 0.6 * r * d[2]), (c[0] + 0.6 * r * d[0], 0, c[2] + 0.6 * r * d[2])
        )
        return
    if style == "spinner":
        arms, radius = draw.integer("lobes", 2, 4), draw.length("radius", 0.025, 0.035)
        core = build.root("core", STEEL)
        core.cylinder(0.008, (0, 0, 0), (0, 0, 0.0055))
        core.cylinder(0.011, (0, 0, -0.001), (0, 0, 0.0))
        body = core.spin("spinner", "z", (0, 0, 0.001), material=skin)
        ring_of(body, (0, 0, 0.001), "z", 0.009, 0.013, 0.0045)
        lobed = draw.chance("lobes_turn", 0.35)
        for k in range(arms):
            a = 2 * math.pi * k / arms
            x, y = radius * math.cos(a), radius * math.sin(a)
            body.bar(
                (0.0115 * math.cos(a), 0.0115 * math.sin(a), 0.003),
                (x - 0.009 * math.cos(a), y - 0.009 * math.sin(a), 0.003),
                0.010,
                0.004,
            )
            ring_of(body, (x, y, 0.001), "z", 0.0072, 0.0105, 0.0045, sections=14)
            lobe = (
                body.spin(f"lobe_{k}", "z", (x, y, 0.001), material=STEEL)
                if lobed
                else body.mount(f"weight_{k}", STEEL)
            )
            lobe.cylinder(0.0062 if lobed else 0.0071, (x, y, 0.001), (x, y, 0.0052))
        cap = core.mount("cap", skin)
        cap.cylinder(0.0105, (0, 0, 0.0060), (0, 0, 0.0075))
        cap.cylinder(0.006, (0, 0, 0.0055), (0, 0, 0.0060))
        return
    stand, r = build.root("stand", wood(draw)), draw.length("radius", 0.025, 0.045)
    stand.cylinder(1.3 * r, (0, 0, 0), (0, 0, 0.008))
    with build.frame((0, 0, 0.012), rotation("x", draw.angle("lean", 0, 15))):
        top = stand.spin("top", "z", (0, 0, 0), material=skin)
        top.turned(
            [(0.004, 0, 0.002), (0.5 * r, 0, 0.5 * r), (0.9 * r, 0, r), (1.05 * r, 0, r), (1.2 * r, 0, 0.15 * r)],
            sections=20,
        )
        top.cylinder(0.1 * r, (0, 0, 1.2 * r), (0, 0, 2.0 * r))
        if draw.chance("disc", 0.5):
            disc = top.spin("disc", "z", (0, 0, 1.3 * r), material=painted(draw, ABS))
            ring_of(disc, (0, 0, 1.3 * r), "z", 0.13 * r, 0.7 * r, 0.08 * r)


@category(63, _SUPER, 120)
def music_box(build: Builder, draw: Draw) -> None:
    """A box with a lid, a crank at its side, a dancer that turns."""
    width, depth, height = (
        draw.length("width", 0.1, 0.16),
        draw.length("depth", 0.08, 0.12),
        draw.length("height", 0.05, 0.08),
    )
    material = wood(draw) if draw.chance("wooden", 0.7) else painted(draw, ABS)
    box, half_w, half_d, wall = build.root("box", material), width / 2, depth / 2, 0.005
    shell(box, (-half_w, half_w), (-half_d, half_d), (0, height), wall, without="z")
    deck = 0.55 * height
    box.box((-half_w + wall, half_w - wall), (-half_d + wall, half_d - wall), (deck - 0.004, deck), BRASS)
    z = height + 0.0008
    deep = 0.03
    lid = box.hinge("lid", "-x", (0, half_d + 0.001, z - 0.0004), draw.angle("lid_opening", 85, 100), material=material)
    shell(lid, (-half_w, half_w), (-half_d, half_d), (z, z + deep), 0.004, without="-z")
    x = half_w + 0.001
    box.cylinder(0.004, (half_w, 0, 0.5 * deck), (half_w + 0.0005, 0, 0.5 * deck), BRASS)
    crank = box.spin("crank", "x", (x, 0, 0.5 * deck), material=BRASS)
    crank.cylinder(0.003, (x, 0, 0.5 * deck), (x + 0.012, 0, 0.5 * deck))
    reach = 0.35 * depth
    crank.box((x + 0.012, x + 0.015), (-0.003, reach), (0.5 * deck - 0.003, 0.5 * deck + 0.003))
    if draw.chance("knob_turns", 0.4):
        knob = crank.spin("crank_knob", "x", (x + 0.0155, reach - 0.004, 0.5 * deck), material=DARK_ABS)
        knob.cylinder(0.0045, (x + 0.0155, reach - 0.004, 0.5 * deck), (x + 0.029, reach - 0.004, 0.5 * deck))
    else:
        crank.cylinder(0.0045, (x + 0.015, reach - 0.004, 0.5 * deck), (x + 0.029, reach - 0.004, 0.5 * deck), DARK_ABS)
    dancer = box.spin("dancer", "z", (0, 0, deck), material=painted(draw, ABS, ("white", "red", "cream", "teal")))
    dancer.cylinder(0.010, (0, 0, deck + 0.0006), (0, 0, deck + 0.003), BRASS)
    room = height + deep - 0.008 - deck
    s = min(0.05, room - 0.004) / 0.05
    low = deck + 0.003
    dancer.cylinder(0.002, (0, 0, low), (0, 0, low + 0.016 * s))
    dancer.turned([(0.014 * s, 0, 0.016 * s), (0.024 * s, 0, 0.004 * s)], (0, 0, low))
    dancer.cylinder(0.0035 * s, (0, 0, low + 0.024 * s), (0, 0, low + 0.036 * s))
    dancer.sphere(0.005 * s, (0, 0, low + 0.041 * s))
    dancer.bar((0, 0, low + 0.032 * s), (0.017 * s, 0, low + 0.042 * s), 0.003 * s, 0.003 * s)
