"""Storage: cabinets, wardrobes, chests, lockers, safes."""

from __future__ import annotations

from simcheck.suite.builder import Builder, Part, Range
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import BOARD, BRASS, DARK_STEEL, STEEL, Material, fronts, painted, wood
from simcheck.suite.parts import drawer, grid, hand_wheel, hinged_front, pull, ring_of, shell, spaced

_SUPER = "storage"


@category(8, _SUPER, 1400)
def cabinet(build: Builder, draw: Draw) -> None:
    """A carcass with columns of drawers, doors and flaps."""
    columns = draw.pick("columns", (1, 2, 3), (5, 4, 1))
    total = max(columns, draw.count("fronts", 1, 4, 24))
    width, depth = columns * draw.pick("module", (0.3, 0.4, 0.45, 0.5, 0.6)), draw.length("depth", 0.30, 0.61)
    rows = [total // columns + (k < total % columns) for k in range(columns)]
    plinth, panel = draw.pick("plinth", (0.0, 0.06, 0.10)), draw.length("panel", 0.016, 0.022)
    height = plinth + min(2.1, max(0.5, max(rows) * draw.length("row", 0.14, 0.36)))
    style, board = draw.pick("handles", ("bar", "knob", "none"), (3, 2, 1)), fronts(draw)
    carcass = build.root("carcass", BOARD if draw.chance("pale", 0.5) else board)
    shell(carcass, (-width / 2, width / 2), (0, depth), (plinth, height), panel, without="-y")
    if plinth:
        carcass.box((-width / 2 + 0.02, width / 2 - 0.02), (0.05, depth - 0.02), (0, plinth))
    half, back = panel / 2, depth - panel
    for c, (left, right) in enumerate(spaced(-width / 2 + half, width / 2 - half, columns)):
        if c:
            carcass.box((left - half, left + half), (0, back), (plinth + panel, height - panel))
        for r, (low, high) in enumerate(spaced(plinth + half, height - half, rows[c])):
            if r:
                carcass.box((left + half, right - half), (0, back), (low - half, low + half))
            opening = (left + half, right - half), (low + half, high - half)
            weights = (1.0, 4.0, 2.0, 1.0) if high - low > 0.28 else (8.0, 2.0, 0.0, 0.6)
            kind = draw.pick("front", ("drawer", "door", "pair", "flap"), weights)
            _front(carcass, draw, f"{c}_{r}", kind, opening, back, style, board)


def _front(
    carcass: Part,
    draw: Draw,
    label: str,
    kind: str,
    opening: tuple[Range, Range],
    depth: float,
    style: str,
    board: Material,
) -> None:
    (x0, x1), z = opening
    if kind == "drawer":
        stroke = round(draw.number("stroke", 0.6, 0.92) * (depth - 0.05), 4)
        drawer(carcass, f"drawer_{label}", (x0, x1), z, 0.0, depth - 0.04, stroke, board, style=style)
    elif kind == "flap":
        side = draw.pick("flap_hinge", ("-z", "z"))
        opened = draw.angle("flap_opening", 75, 88)
        hinged_front(carcass, f"flap_{label}", (x0, x1), z, 0.0, opened, side, board, style=style)
    else:
        opened, middle = radians(draw.pick("opening", (90, 95, 110))), (x0 + x1) / 2
        leaves = {"left": ((x0, middle), "-x"), "right": ((middle, x1), "x")}
        if kind == "door":
            leaves = {"": ((x0, x1), draw.pick("hinge", ("-x", "x")))}
        for name, (x, side) in leaves.items():
            hinged_front(carcass, f"door_{label}{name}", x, z, 0.0, opened, side, board, style=style)


@category(9, _SUPER, 400)
def wardrobe(build: Builder, draw: Draw) -> None:
    """A tall carcass with hinged or sliding doors and a row of drawers below them."""
    doors = draw.pick("doors", (2, 3, 4), (5, 3, 2))
    width = round(doors * draw.length("door_width", 0.4, 0.62), 4)
    depth, height, panel = draw.length("depth", 0.55, 0.65), draw.length("height", 1.8, 2.4), 0.018
    sliding, drawers = draw.chance("sliding", 0.35), draw.count("drawers", 0, 1, 6)
    board, style = fronts(draw), draw.pick("handles", ("bar", "knob"))
    carcass = build.root("carcass", BOARD)
    shell(carcass, (-width / 2, width / 2), (0, depth), (0.06, height), panel, without="-y")
    carcass.box((-width / 2 + 0.02, width / 2 - 0.02), (0.04, depth), (0, 0.06))
    floor = 0.06 + panel
    if drawers:
        across = min(drawers, 3)
        rows = -(-drawers // across)
        top = floor + 0.2 * rows
        carcass.box((-width / 2 + panel, width / 2 - panel), (0, depth - panel), (top, top + panel))
        for k, (i, _, x, z) in enumerate(grid((-width / 2 + panel, floor), (width / 2 - panel, top), (across, rows))):
            if i:
                carcass.box((x[0] - 0.009, x[0] + 0.009), (0, depth - panel), z)
            cell = (x[0] + (0.009 if i else 0), x[1] - (0.009 if i < across - 1 else 0))
            if k < drawers:
                drawer(carcass, f"drawer_{k}", cell, z, 0.0, depth - 0.06, 0.38, board, style=style)
        floor = top + panel
    rail = depth / 2, height - 0.1
    carcass.cylinder(0.012, (-width / 2 + panel, *rail), (width / 2 - panel, *rail), STEEL)
    opening = (-width / 2 + panel, width / 2 - panel)
    cells = spaced(*opening, doors)
    if not sliding:
        opened = draw.angle("opening", 90, 110)
        for k, x in enumerate(cells):
            side = "-x" if k == 0 or (k == 1 and doors == 4) else "x"
            hinged_front(carcass, f"door_{k}", x, (floor, height - panel), 0.0, opened, side, board, style=style)
        return
    mirrored = draw.chance("mirror", 0.4)
    for k, (x0, x1) in enumerate(cells):
        front = -0.022 * (1 + k % 2) - 0.003
        step = round(x1 - x0 - 0.03, 4)
        room = (0.0, step) if k == 0 else (-step, 0.0) if k == doors - 1 else (-step, step)
        door = carcass.slide(f"door_{k}", "x", room[1], room[0], at=((x0 + x1) / 2, front, height / 2), material=board)
        door.box(
            (x0 - 0.008 * (k > 0), x1 + 0.008 * (k < doors - 1)),
            (front, front + 0.018),
            (floor, height - panel - 0.003),
        )
        if mirrored:
            pane = door.mount(f"mirror_{k}", STEEL.at(2500))
            pane.box((x0 + 0.05, x1 - 0.05), (front - 0.0025, front), (floor + 0.06, height - panel - 0.06))
    carcass.box((-width / 2, width / 2), (-0.055, 0), (height - panel, height))
    carcass.box((-width / 2, width / 2), (-0.055, 0), (floor - 0.02, floor - 0.003))


@category(10, _SUPER, 500)
def chest_of_drawers(build: Builder, draw: Draw) -> None:
    """Equal or graduated drawers in columns and rows."""
    drawers = draw.count("drawers", 2, 4, 16)
    columns = 1 if drawers < 4 else draw.pick("columns", (1, 2), (3, 2)) if drawers < 8 else 2
    rows = -(-drawers // columns)
    width, depth = draw.length("width", 0.4, 0.6) * columns, draw.length("depth", 0.4, 0.5)
    row, foot = draw.length("row", 0.14, 0.24), draw.length("foot", 0.04, 0.15)
    height = foot + min(1.3, max(0.45, rows * row)) + 0.04
    material, style = (
        wood(draw) if draw.chance("solid_wood", 0.6) else fronts(draw),
        draw.pick("handles", ("bar", "knob")),
    )
    body = build.root("carcass", material)
    shell(body, (-width / 2, width / 2), (0, depth), (foot, height - 0.02), 0.018, without="-y")
    body.box((-width / 2 - 0.01, width / 2 + 0.01), (-0.02, depth), (height - 0.02, height))
    for x in (-width / 2, width / 2 - 0.05):
        for y in (0.0, depth - 0.05):
            body.box((x, x + 0.05), (y, y + 0.05), (0, foot))
    graduated = draw.chance("graduated", 0.4)
    shares = [1 + 0.25 * graduated * (rows - 1 - r) for r in range(rows)]
    stroke = round(draw.number("stroke", 0.6, 0.9) * (depth - 0.06), 4)
    low, inner = foot + 0.018, height - 0.038 - foot - 0.018
    front = fronts(draw) if draw.chance("two_tone", 0.3) else material
    for r in range(rows):
        high = low + inner * shares[r] / sum(shares)
        cells = spaced(-width / 2 + 0.018, width / 2 - 0.018, columns)
        if columns == 2 and r == rows - 1 and drawers % 2:
            cells = [(cells[0][0], cells[1][1])]
        for c, cell in enumerate(cells):
            drawer(body, f"drawer_{r}_{c}", cell, (low, high), 0.0, depth - 0.05, stroke, front, style=style)
        low = high


@category(11, _SUPER, 150)
def filing_or_parts_cabinet(build: Builder, draw: Draw) -> None:
    """A steel or wooden grid of many small drawers."""
    if draw.chance("large", 0.3):
        rows, columns = draw.integer("rows", 9, 12), draw.integer("columns", 11, 12)
    else:
        count = draw.count("drawers", 6, 24, 90)
        columns = max(2, round((count * draw.number("shape", 0.6, 1.6)) ** 0.5))
        rows = max(2, round(count / columns))
    cell_w, cell_h = draw.length("cell_width", 0.05, 0.12), draw.length("cell_height", 0.045, 0.09)
    depth, wall, foot = draw.length("depth", 0.15, 0.30), 0.003, draw.length("foot", 0.03, 0.12)
    wooden = draw.chance("wooden", 0.4)
    case = wood(draw) if wooden else painted(draw, STEEL.at(800), ("grey", "green", "blue"))
    width, height = columns * cell_w + wall, rows * cell_h + wall
    body = build.root("carcass", case)
    shell(body, (-width / 2 - 0.012, width / 2 + 0.012), (0, depth), (foot, foot + height + 0.024), 0.012, without="-y")
    for x in (-width / 2, width / 2 - 0.03):
        body.box((x, x + 0.03), (0.02, depth - 0.02), (0, foot))
    low = foot + 0.012
    for i in range(1, columns):
        x = -width / 2 + i * cell_w
        body.box((x, x + wall), (0.003, depth - 0.012), (low, low + height))
    for j in range(1, rows):
        z = low + j * cell_h
        body.box((-width / 2, width / 2), (0.0035, depth - 0.012), (z, z + wall))
    stroke = round(draw.number("stroke", 0.6, 0.85) * depth, 4)
    front = case if wooden else painted(draw, STEEL.at(800), ("grey", "cream", "red"))
    for i, j, (x0, x1), (z0, z1) in grid((-width / 2 + wall, low + wall), (width / 2, low + height), (columns, rows)):
        x1, z1 = x1 - wall, z1 - wall
        middle = ((x0 + x1) / 2, 0.0, (z0 + z1) / 2)
        box = body.slide(f"drawer_{j}_{i}", "-y", stroke, at=middle, material=front)
        box.box((x0 + 0.0015, x1 - 0.0015), (-0.004, depth - 0.02), (z0 + 0.0015, z1 - 0.004))
        knob = box.mount(f"knob_{j}_{i}", BRASS)
        knob.cylinder(0.006, (middle[0], -0.02, middle[2]), (middle[0], -0.004, middle[2]))


@category(12, _SUPER, 200)
def lockers(build: Builder, draw: Draw) -> None:
    """Columns of equal steel doors, each with a turning handle or a dial."""
    doors = draw.count("doors", 2, 6, 40)
    rows = draw.pick("rows", (1, 2, 3), (1, 2, 2)) if doors < 12 else draw.integer("rows", 3, 6)
    columns = max(1, round(doors / rows))
    cell, depth = draw.length("cell_width", 0.28, 0.40), draw.length("depth", 0.45, 0.55)
    row = min(draw.length("cell_height", 0.45, 1.7), 1.75 / rows)
    steel = painted(draw, STEEL.at(1500), ("grey", "blue", "green", "red", "cream"))
    width, height, foot, wall = columns * cell, rows * row, 0.1, 0.012
    body = build.root("carcass", STEEL.at(1500))
    shell(body, (-width / 2, width / 2), (0, depth), (foot, foot + height), wall, without="-y")
    body.box((-width / 2 + 0.01, width / 2 - 0.01), (0.03, depth - 0.02), (0, foot))
    opened, lock = draw.angle("opening", 90, 110), draw.pick("lock", ("handle", "dial", "fixed"), (6, 0.6, 4))
    for i in range(1, columns):
        x = -width / 2 + i * cell
        body.box((x - wall / 2, x + wall / 2), (0, depth - wall), (foot + wall, foot + height - wall))
    for i, j, (x0, x1), (z0, z1) in grid((-width / 2, foot), (width / 2, foot + height), (columns, rows)):
        if j:
            body.box((x0 + wall / 2, x1 - wall / 2), (0, depth - wall), (z0 - wall / 2, z0 + wall / 2))
        opening = (x0 + wall, x1 - wall), (z0 + wall, z1 - wall)
        door = hinged_front(body, f"door_{j}_{i}", *opening, 0.0, opened, "-x", steel, thickness=0.016, style="none")
        for k in range(3):  # vents
            vent = z1 - 0.06 - 0.015 * k
            door.box((x0 + 0.3 * cell, x1 - 0.3 * cell), (-0.002, 0.0), (vent, vent + 0.005), DARK_STEEL)
        at = (x1 - wall - 0.04, 0.0, (z0 + z1) / 2)
        if lock == "fixed":
            pull(door, f"handle_{j}_{i}", at, 0.1, upright=True)
        elif lock == "handle":
            lever = door.hinge(f"handle_{j}_{i}", "y", (at[0], -0.001, at[2]), radians(90), material=DARK_STEEL)
            lever.cylinder(0.012, (at[0], -0.026, at[2]), (at[0], -0.001, at[2]))
            lever.box((at[0] - 0.006, at[0] + 0.006), (-0.034, -0.026), (at[2] - 0.012, at[2] + 0.05))
        else:
            dial = door.spin(f"dial_{j}_{i}", "y", (at[0], -0.001, at[2]), material=DARK_STEEL)
            dial.cylinder(0.024, (at[0], -0.013, at[2]), (at[0], -0.001, at[2]))
            dial.box((at[0] - 0.002, at[0] + 0.002), (-0.014, -0.0128), (at[2] + 0.008, at[2] + 0.022), BOARD)


@category(13, _SUPER, 300)
def safe(build: Builder, draw: Draw) -> None:
    """A thick box with a heavy door, a dial and a lever or a spoked wheel."""
    width, depth = draw.length("width", 0.25, 0.7), draw.length("depth", 0.25, 0.6)
    height, wall = draw.length("height", 0.25, 0.9), draw.length("wall", 0.03, 0.06)
    steel = painted(draw, STEEL.at(3000), ("grey", "black", "green", "blue"))
    body = build.root("body", steel)
    shell(body, (-width / 2, width / 2), (0, depth), (0.02, 0.02 + height), wall, without="-y")
    for x in (-0.4 * width, 0.4 * width):
        for y in (0.2 * depth, 0.8 * depth):
            body.cylinder(0.02, (x, y, 0.0), (x, y, 0.02), DARK_STEEL)
    if draw.chance("shelf", 0.5):
        body.box(
            (-width / 2 + wall, width / 2 - wall), (wall + 0.01, depth - wall), (0.02 + height / 2, 0.03 + height / 2)
        )
    across, up = (-width / 2 + wall, width / 2 - wall), (0.02 + wall, 0.02 + height - wall)
    opened = draw.angle("opening", 100, 120)
    door = hinged_front(body, "door", across, up, 0.0, opened, "-x", steel, thickness=0.7 * wall, style="none")
    for share in (0.2, 0.8):
        middle = up[0] + share * (up[1] - up[0])
        door.cylinder(
            0.005, (across[0] + 0.02, -0.003, middle - 0.03), (across[0] + 0.02, -0.003, middle + 0.03), STEEL
        )
    size, middle = min(width, height), (up[0] + up[1]) / 2
    upper = draw.chance("handle_below", 0.5)
    spot = (0.0, middle + (0.16 if upper else 0.0) * size)
    dial = door.spin("dial", "y", (spot[0], -0.001, spot[1]), material=DARK_STEEL)
    dial.turned(
        [(0, 0, 0.09 * size), (0.012, 0, 0.09 * size), (0.014, 0, 0.055 * size), (0.035, 0, 0.05 * size)],
        (spot[0], -0.001, spot[1]),
        "-y",
    )
    if draw.chance("key_lever", 0.3):
        flap = door.hinge(
            "keyhole_cover", "y", (0.28 * width, -0.001, middle + 0.3 * (up[1] - up[0])), radians(90), material=BRASS
        )
        flap.box(
            (0.28 * width - 0.01, 0.28 * width + 0.01),
            (-0.005, -0.001),
            (middle + 0.3 * (up[1] - up[0]) - 0.03, middle + 0.3 * (up[1] - up[0]) + 0.008),
        )
    at = (0.0, -0.001, middle - 0.16 * size) if upper else (0.24 * width, -0.001, middle)
    if draw.chance("wheel", 0.25):
        wheel = door.spin("wheel", "y", at, material=STEEL)
        wheel.cylinder(0.014, (at[0], -0.05, at[2]), at)
        hand_wheel(wheel, (at[0], -0.06, at[2]), "-y", 0.11 * size, 0.014, spokes=draw.integer("spokes", 3, 5))
    else:
        lever = door.hinge("handle", "y", at, radians(90), material=STEEL)
        lever.cylinder(0.016, (at[0], -0.035, at[2]), at)
        lever.box((at[0] - 0.16 * size, at[0] + 0.016), (-0.047, -0.035), (at[2] - 0.01, at[2] + 0.01))


@category(14, _SUPER, 100)
def bookcase_sliding_ladder(build: Builder, draw: Draw) -> None:
    """A wall of shelves with a ladder that runs on a rail and swings out."""
    width, height = draw.length("width", 1.5, 3.0), draw.length("height", 2.0, 2.6)
    depth, board = draw.length("depth", 0.25, 0.35), 0.022
    material, bays = wood(draw), draw.integer("bays", 2, 4)
    case = build.root("bookcase", material)
    shell(case, (-width / 2, width / 2), (0, depth), (0, height), board, without="-y")
    shelves = draw.integer("shelves", 4, 6)
    for x, _ in spaced(-width / 2, width / 2, bays)[1:]:
        case.box((x - board / 2, x + board / 2), (0, depth - board), (board, height - board))
    for z, _ in spaced(0.0, height, shelves)[1:]:
        case.box((-width / 2 + board, width / 2 - board), (0.002, depth - board), (z, z + board))
    for x0, x1 in spaced(-width / 2, width / 2, bays):  # some books
        for z, _ in spaced(0.0, height, shelves)[1:]:
            if draw.unit() < 0.6:
                left = x0 + board
                for _ in range(3):
                    thick, tall = 0.02 + 0.05 * draw.unit(), 0.15 + 0.1 * draw.unit()
                    if left + thick < x1 - board:
                        case.box(
                            (left, left + thick),
                            (0.02, depth - 0.06),
                            (z + board, z + board + tall),
                            painted(draw, BOARD),
                        )
                    left += thick + 0.001
    rail = 0.85 * height
    for x in (-width / 2 + 0.03, width / 2 - 0.03):
        case.cylinder(0.008, (x, -0.06, rail), (x, 0.0, rail), BRASS)
    case.cylinder(0.012, (-width / 2, -0.06, rail), (width / 2, -0.06, rail), BRASS)
    ladder_w, start = draw.length("ladder_width", 0.38, 0.45), -width / 2 + 0.3
    closed = draw.chance("cupboard", 0.3)
    stroke = round(width - (0.6 + width / bays if closed else 0.6), 4)
    carriage = case.slide("carriage", "x", stroke, at=(start, -0.06, rail), material=BRASS)
    for s in (-1, 1):
        ring_of(carriage, (start + s * ladder_w / 2 - 0.015, -0.06, rail), "x", 0.014, 0.03, 0.03, sections=12)
    carriage.cylinder(0.007, (start - ladder_w / 2, -0.1, rail), (start + ladder_w / 2, -0.1, rail))
    for s in (-1, 1):
        x = start + s * ladder_w / 2
        carriage.box((x - 0.012, x + 0.012), (-0.1, -0.082), (rail - 0.012, rail + 0.012))
    hung = carriage.hinge(
        "ladder", "-x", (start, -0.1, rail), radians(draw.integer("swing_deg", 12, 20)), material=material
    )
    for s in (-1, 1):
        x = start + s * (ladder_w / 2 - 0.045)
        hung.box((x - 0.02, x + 0.02), (-0.17, -0.112), (0.02, rail + 0.05))
    for z, _ in spaced(0.1, rail, 8):
        hung.box((start - ladder_w / 2 + 0.065, start + ladder_w / 2 - 0.065), (-0.165, -0.117), (z, z + 0.025))
    if closed:
        bay = (width / 2 - width / bays + board / 2, width / 2 - board)
        hinged_front(case, "cupboard", bay, (board, height / shelves), 0.0, radians(90), "x", material, style="knob")
