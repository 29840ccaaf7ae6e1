"""Electronics on a desk: laptops, keyboards, monitors, mice, printers."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, ALUMINIUM, DARK_ABS, DARK_STEEL, STEEL, Material, painted
from simcheck.suite.parts import button, grid, shell, spaced

_SUPER = "electronics"
_UNIT = 0.01905  # pitch of keys
# Widths of the keys in a row of a full keyboard, in units; 15 units a row.
_ROWS = (
    (1.25, 1.25, 1.25, 6.25, 1.25, 1.25, 1.25, 1.25),
    (2.25, *(1,) * 10, 2.75),
    (1.75, *(1,) * 11, 2.25),
    (1.5, *(1,) * 12, 1.5),
    (*(1,) * 13, 2),
)


def _keys(
    part: Part,
    left: float,
    front: float,
    deck: float,
    unit: float,
    travel: float,
    rows: tuple[tuple[float, ...], ...],
    label: str,
    height: float,
    material: Material,
    *,
    caps: bool = False,
) -> None:
    """Rows of keys from the front; widths in units, negative ones are gaps; ``caps`` are parts of their own."""
    gap = 0.09 * unit
    for r, row in enumerate(rows):
        x, k = left, 0
        for width in row:
            if width > 0:
                y = front + r * unit
                across, along = (x + gap, x + width * unit - gap), (y + gap, y + unit - gap)
                key = button(part, f"key_{label}{r}_{k}", across, along, deck, travel, height=height, material=material)
                if caps:
                    top = deck + travel + 0.0005 + height
                    cap = key.mount(f"cap_{label}{r}_{k}")
                    cap.box((across[0] + gap, across[1] - gap), (along[0] + gap, along[1] - gap), (top, top + 0.002))
                k += 1
            x += abs(width) * unit


@category(31, _SUPER, 600)
def laptop(build: Builder, draw: Draw) -> None:
    """A base and a lid on one hinge, or on two that let it turn all round; keys in a quarter."""
    width, depth = draw.length("width", 0.29, 0.40), draw.length("depth", 0.20, 0.28)
    height, lid_t = draw.length("height", 0.012, 0.022), draw.length("lid_thickness", 0.005, 0.009)
    skin = (
        ALUMINIUM.at(1800)
        if draw.chance("aluminium", 0.5)
        else painted(draw, ABS.at(1600), ("black", "grey", "white", "blue", "red"))
    )
    base, half = build.root("base", skin), width / 2
    keys, well = draw.pick("keys", ("none", "top_row", "all"), (0.75, 0.17, 0.08)), 0.0045
    unit, travel = 0.0185 * width / 0.30, draw.length("travel", 0.001, 0.0018)
    back = depth - 0.025
    front = back - 5 * unit
    if keys != "none":
        x = 7.5 * unit
        base.box((-half, half), (0, depth), (0, height - well))
        base.box((-half, half), (0, front), (height - well, height))
        base.box((-half, half), (back, depth), (height - well, height))
        for s in (-1, 1):
            base.box((s * half, s * x), (front, back), (height - well, height))
        rows = _ROWS if keys == "all" else ((1.25,) * 12,)
        first = 0.0 if keys == "all" else 4 * unit
        _keys(base, -x, front + first, height - well, unit, travel, rows, "", 0.0012, DARK_ABS)
    else:
        base.box((-half, half), (0, depth), (0, height))
        board = base.mount("keyboard", DARK_ABS)
        board.box((-0.9 * half, 0.9 * half), (front, back), (height - 0.0005, height + 0.0004))
    if draw.chance("touchpad_button", 0.12):
        key = base.slide("touchpad_button", "y", 0.0015, at=(0, 0, height / 2), material=DARK_ABS)
        key.box((-0.03, 0.03), (-0.004, -0.002), (0.3 * height, 0.7 * height))
    low = height + 0.0012
    if draw.chance("round_about", 0.2):
        y = depth + 0.006
        bar = base.hinge("hinge_bar", "-x", (0, y, height / 2), radians(180), material=DARK_STEEL)
        for s in (-1, 1):
            bar.box(
                (s * 0.6 * half, s * 0.8 * half),
                (y - 0.0025, y + 0.0025),
                (height / 2 - 0.003, low + lid_t / 2 + 0.0025),
            )
        lid = bar.hinge("lid", "-x", (0, y, low + lid_t / 2), radians(180), material=skin)
        lid.box((-0.75 * half, 0.75 * half), (depth - 0.003, depth + 0.002), (low, low + lid_t), DARK_ABS)
    else:
        opened = draw.angle("opening", 120, 180)
        lid = base.hinge("lid", "-x", (0, depth + 0.001, height + 0.0006), opened, material=skin)
    lid.box((-half, half), (0, depth), (low, low + lid_t))
    screen = lid.mount("screen", DARK_ABS)
    screen.box((-0.94 * half, 0.94 * half), (0.012, depth - 0.02), (low - 0.0003, low + 0.0003))
    if draw.chance("drive_tray", 0.15):
        reach = min(0.13, 0.8 * half)
        tray = base.slide("drive_tray", "x", reach, material=DARK_ABS)
        tray.box((half + 0.001, half + 0.005), (0.3 * depth, 0.3 * depth + 0.13), (0.25 * height, 0.75 * height))


@category(32, _SUPER, 150)
def keyboard(build: Builder, draw: Draw) -> None:
    """A case with rows of keys of unequal width on a sloping deck, and folding feet."""
    size = draw.pick("size", ("grid", "compact", "tkl", "full", "studio"), (2, 3, 3, 4, 6))
    travel, cap = draw.length("travel", 0.002, 0.004), draw.length("cap", 0.004, 0.008)
    slope, skin = draw.angle("slope", 2, 8), painted(draw, ABS, ("black", "grey", "white", "cream", "blue"))
    keys = painted(draw, ABS, ("white", "grey", "cream", "black", "teal", "orange"))
    caps = draw.chance("caps", 0.5)
    blocks: list[tuple[str, float, tuple[tuple[float, ...], ...]]] = []
    x = 0.0
    if size == "grid":
        columns, rows = draw.integer("columns", 12, 16), draw.integer("rows", 4, 5)
        blocks.append(("", 0.0, tuple((1.0,) * columns for _ in range(rows))))
        x = float(columns)
    else:
        if size == "studio":
            extra = draw.integer("macro_columns", 2, 6)
            blocks.append(("m", 0.0, tuple((1.0,) * extra for _ in range(6))))
            x += extra + 0.25
        f_row = () if size == "compact" else ((1.0, -1.0, 1, 1, 1, 1, -0.5, 1, 1, 1, 1, -0.5, 1, 1, 1, 1),)
        blocks.append(("", x, _ROWS + f_row))
        x += 15
        if size in ("tkl", "full", "studio"):
            blocks.append(("n", x + 0.25, ((1, 1, 1), (-1, 1, -1), (-3,), (1, 1, 1), (1, 1, 1), (1, 1, 1))))
            x += 3.25
        if size in ("full", "studio"):
            pad = ((2, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1))
            top = ((1, 1, 1, 1),) if size == "studio" else ()
            blocks.append(("p", x + 0.25, pad + top))
            x += 4.25
    rows_total = max(len(rows) for _, _, rows in blocks)
    width, depth = x * _UNIT + 0.016, rows_total * _UNIT + 0.02
    low = 0.012
    with build.frame((0, 0, 0.004), rotation("x", slope)):
        case = build.root("case", skin)
        case.box((-width / 2, width / 2), (0, depth), (0, low))
        rim = low + travel + 0.004
        for s in (-1, 1):
            case.box((s * width / 2, s * (width / 2 - 0.006)), (0, depth), (low, rim))
        case.box((-width / 2, width / 2), (0, 0.007), (low, rim))
        case.box((-width / 2, width / 2), (depth - 0.009, depth), (low, rim))
        for label, start, keyed in blocks:
            _keys(
                case, -width / 2 + 0.008 + start * _UNIT, 0.009, low, _UNIT, travel, keyed, label, cap, keys, caps=caps
            )
        if draw.chance("feet", 0.75):
            for name, s in (("left", -1), ("right", 1)):
                foot = case.hinge(
                    f"foot_{name}", "-x", (s * 0.4 * width, depth - 0.03, -0.0045), radians(90), material=skin
                )
                foot.box(
                    (s * 0.4 * width - 0.015, s * 0.4 * width + 0.015),
                    (depth - 0.032, depth - 0.008),
                    (-0.0035, -0.001),
                )


@category(35, _SUPER, 350)
def monitor(build: Builder, draw: Draw) -> None:
    """A screen on a foot that lifts, swivels, tilts and pivots, or on an arm of several links."""
    inches = draw.integer("inches", 22, 34)
    width, height = round(0.0221 * inches, 4), round(0.0127 * inches, 4)
    skin = painted(draw, ABS.at(600), ("black", "grey", "white"))
    centre = draw.length("centre", 0.3, 0.42)
    arm_style = draw.chance("arm", 0.22)
    if arm_style:
        foot = build.root("clamp", DARK_STEEL)
        foot.box((-0.05, 0.05), (0.0, 0.1), (-0.01, 0.0))
        foot.cylinder(0.018, (0, 0.05, 0), (0, 0.05, centre - 0.1))
        part, at, z = foot, (0.0, 0.05), centre - 0.099
        for k in range(draw.integer("links", 2, 4)):
            length = draw.length(f"link_{k}", 0.15, 0.25)
            swing = radians(draw.integer(f"swing_{k}", 80, 170) if k == 0 else draw.integer(f"swing_{k}", 60, 95))
            direction = radians(60 if k % 2 else -60) if k else 0.0
            part = part.hinge(f"arm_{k}", "z", (*at, z), swing, -swing, material=ALUMINIUM)
            end = (at[0] + length * math.sin(direction), at[1] - length * math.cos(direction))
            part.cylinder(0.02, (*at, z), (*at, z + 0.035))
            part.bar((*at, z + 0.018), (*end, z + 0.018), 0.03, 0.022)
            at, z = end, z + 0.036
        carrier = part
        base_y, mount_z = at[1] - 0.01, z
        carrier.cylinder(0.015, (*at, z - 0.036), (*at, z + 0.03))
        x0 = at[0]
        mount_z = z + 0.01
    else:
        foot = build.root("foot", STEEL.at(3000) if draw.chance("steel_foot", 0.6) else skin)
        foot.box((-0.12, 0.12), (-0.02, 0.18), (0, 0.012))
        foot.box((-0.03, 0.03), (0.09, 0.12), (0.012, centre + 0.08))
        lift = draw.chance("lifts", 0.6)
        carrier = (
            foot.slide("lift", "z", draw.length("stroke", 0.10, 0.15), at=(0, 0.08, 0.1), material=DARK_ABS)
            if lift
            else foot.mount("neck", DARK_ABS)
        )
        top = centre - 0.08 if lift else centre
        centre = top
        carrier.box((-0.025, 0.025), (0.06, 0.0885), (top - 0.06, top + 0.06))
        base_y, mount_z, x0 = 0.06, centre, 0.0
    if draw.chance("swivels", 0.6):
        swing = draw.angle("swivel", 30, 45)
        carrier.box((x0 - 0.012, x0 + 0.012), (base_y - 0.035, base_y), (mount_z - 0.03, mount_z - 0.02), STEEL)
        head = carrier.hinge("swivel", "z", (x0, base_y - 0.025, mount_z), swing, -swing, material=DARK_ABS)
        head.cylinder(0.012, (x0, base_y - 0.025, mount_z - 0.019), (x0, base_y - 0.025, mount_z + 0.02))
    else:
        head = carrier.mount("head", DARK_ABS)
        head.box((x0 - 0.012, x0 + 0.012), (base_y - 0.036, base_y), (mount_z - 0.019, mount_z + 0.02))
    y = base_y - 0.06
    for s in (-1, 1):
        head.box((x0 + s * 0.012, x0 + s * 0.018), (y - 0.012, base_y - 0.014), (mount_z - 0.012, mount_z + 0.012))
    tilts = draw.chance("tilts", 0.85) or not any(j.kind != "fixed" for j in build.joints)
    tilt = (
        head.hinge("tilt", "-x", (x0, y, mount_z), draw.angle("tilt_up", 15, 25), -radians(5), material=DARK_ABS)
        if tilts
        else head.mount("bracket", DARK_ABS)
    )
    tilt.cylinder(
        0.008, (x0 - 0.0105 if tilts else x0 - 0.012, y, mount_z), (x0 + 0.0105 if tilts else x0 + 0.012, y, mount_z)
    )
    tilt.box((x0 - 0.0095, x0 + 0.0095), (y - 0.018, y), (mount_z - 0.009, mount_z + 0.009))
    tilt.box((x0 - 0.05, x0 + 0.05), (y - 0.024, y - 0.018), (mount_z - 0.05, mount_z + 0.05))
    face = y - 0.025
    screen = (
        tilt.hinge("pivot", "y", (x0, face, mount_z), radians(90), material=skin)
        if draw.chance("pivots", 0.35)
        else tilt.mount("screen", skin)
    )
    screen.box((x0 - width / 2, x0 + width / 2), (face - 0.03, face), (mount_z - height / 2, mount_z + height / 2))
    glass = screen.mount("panel", DARK_ABS)
    glass.box(
        (x0 - width / 2 + 0.01, x0 + width / 2 - 0.01),
        (face - 0.032, face - 0.03),
        (mount_z - height / 2 + 0.015, mount_z + height / 2 - 0.01),
    )
    if draw.chance("button", 0.25):
        key = screen.slide("power_button", "z", 0.0015, at=(x0, face, mount_z), material=DARK_ABS)
        low = mount_z - height / 2 - 0.0005 - 0.0015
        key.box((x0 + 0.4 * width, x0 + 0.4 * width + 0.012), (face - 0.022, face - 0.012), (low - 0.003, low))


@category(37, _SUPER, 200)
def computer_mouse(build: Builder, draw: Draw) -> None:
    """Two tilting buttons, a wheel between them, buttons at the side; or a memory stick with a swivel cap."""
    skin = painted(draw, ABS.at(600), ("black", "grey", "white", "blue", "red"))
    if draw.chance("memory_stick", 0.2):
        body = build.root("stick", skin)
        body.box((-0.009, 0.009), (-0.02, 0.025), (0, 0.007))
        body.box((-0.006, 0.006), (-0.032, -0.02), (0.0015, 0.0055), STEEL)
        if draw.chance("swivel", 0.6):
            clip = body.spin("cover", "z", (0, 0.018, 0.0035), material=STEEL)
            for z in (-0.0012, 0.0076):
                clip.box((-0.0075, 0.0075), (-0.034, 0.026), (z, z + 0.0006))
        else:
            clip = body.slide("cover", "y", 0.014, at=(0, 0, 0), material=DARK_ABS)
            shell(clip, (-0.0105, 0.0105), (-0.033, 0.0), (-0.0015, 0.0085), 0.001, without="y -y")
        return
    width, length, height = (
        draw.length("width", 0.055, 0.065),
        draw.length("length", 0.1, 0.12),
        draw.length("height", 0.034, 0.042),
    )
    body, half = build.root("body", skin), width / 2
    body.box((-half, half), (0, length), (0, 0.012))
    hump = 0.45 * length
    body.prism(
        [
            (hump, 0.012),
            (length, 0.012),
            (length - 0.003, 0.5 * height),
            (0.72 * length, height),
            (hump, 0.92 * height),
        ],
        "x",
        (-half, half),
    )
    pin = (0.0, hump - 0.001, 0.84 * height)
    tilting, travel = draw.chance("tilting_buttons", 0.6), 0.001
    for name, s in (("left", -1), ("right", 1)):
        if tilting:
            key = body.hinge(f"button_{name}", "x", pin, draw.angle("button_angle", 3, 5), material=skin)
        else:
            key = body.slide(f"button_{name}", "-z", travel, at=pin, material=skin)
        key.prism(
            [
                (0.002, 0.5 * height),
                (hump - 0.0012, 0.82 * height),
                (hump - 0.0012, 0.9 * height),
                (0.002, 0.62 * height),
            ],
            "x",
            (s * 0.006, s * half),
        )
    if draw.chance("wheel", 0.95):
        radius, centre = 0.011, max(0.66 * height, 0.0245)
        wheel = body.spin("wheel", "x", (0, 0.030, centre), material=DARK_ABS)
        wheel.cylinder(radius, (-0.0035, 0.030, centre), (0.0035, 0.030, centre))
    for k in range(draw.count("side_buttons", 0, 1, 3)):
        y = 0.5 * length + 0.018 * k
        side = body.slide(f"side_button_{k}", "x", 0.0008, at=(-half, y, 0.5 * height), material=DARK_ABS)
        side.box((-half - 0.0035, -half - 0.0013), (y, y + 0.015), (0.42 * height, 0.55 * height))


@category(38, _SUPER, 250)
def printer(build: Builder, draw: Draw) -> None:
    """A scanner lid, paper trays, an output flap, a panel of buttons."""
    width, depth, height = (
        draw.length("width", 0.4, 0.5),
        draw.length("depth", 0.35, 0.45),
        draw.length("height", 0.16, 0.34),
    )
    skin = painted(draw, ABS.at(350), ("white", "grey", "black", "cream"))
    body, half, wall = build.root("body", skin), width / 2, 0.012
    trays = draw.pick("trays", (1, 2), (4, 1)) if height > 0.22 else 1
    slot = 0.055
    base = 0.012 + trays * slot
    for s in (-1, 1):
        body.box((s * half, s * (half - wall)), (0, depth), (0, base))
    body.box((-half, half), (0, depth), (0, 0.008))
    body.box((-half + wall, half - wall), (depth - wall, depth), (0.008, base))
    mouth = base + 0.045
    body.box((-half, half), (0, depth), (base, base + 0.012))
    for s in (-1, 1):
        body.box((s * half, s * 0.36 * width), (0, depth), (base + 0.012, mouth))
    body.box((-0.36 * width, 0.36 * width), (0.5 * depth, depth), (base + 0.012, mouth), DARK_ABS)
    body.box((-half, half), (0, depth), (mouth, height))
    for k in range(trays):
        z = 0.010 + k * slot
        if k:
            body.box((-half + wall, half - wall), (0.01, depth - wall), (z - 0.002, z + 0.002))
        tray = body.slide(
            f"paper_tray_{k}",
            "-y",
            round(draw.number("tray_stroke", 0.5, 0.75) * depth, 4),
            at=(0, 0, z),
            material=skin,
        )
        tray.box((-half + wall + 0.002, half - wall - 0.002), (-0.006, 0.004), (z + 0.003, z + slot - 0.004))
        shell(
            tray,
            (-half + wall + 0.006, half - wall - 0.006),
            (0.004, depth - wall - 0.01),
            (z + 0.006, z + 0.04),
            0.003,
            without="z -y",
            material=DARK_ABS,
        )
    if draw.chance("output_flap", 0.6):
        flap = body.hinge(
            "output_flap", "x", (0, -0.007, base + 0.002), draw.angle("flap_opening", 80, 90), material=DARK_ABS
        )
        flap.box((-0.35 * width, 0.35 * width), (-0.006, -0.002), (base + 0.004, mouth - 0.002))
    if draw.chance("scanner", 0.85):
        glass = body.mount("scanner_glass", DARK_ABS)
        glass.box((-0.38 * width, 0.38 * width), (0.09, depth - 0.04), (height, height + 0.001))
        lid = body.hinge(
            "scanner_lid", "-x", (0, depth + 0.001, height + 0.002), draw.angle("lid_opening", 60, 90), material=skin
        )
        lid.box((-half, half), (0.075, depth), (height + 0.002, height + 0.03))
    buttons = draw.count("buttons", 1, 2, 16)
    columns = min(buttons, 8)
    for i, j, x, y in grid((0.02, 0.015), (half - 0.015, 0.065), (columns, -(-buttons // columns))):
        if j * columns + i < buttons:
            button(
                body,
                f"button_{j}_{i}",
                (x[0] + 0.002, min(x[1] - 0.002, x[0] + 0.02)),
                (y[0] + 0.003, min(y[1] - 0.003, y[0] + 0.018)),
                height,
                0.002,
                height=0.002,
                material=DARK_ABS,
            )
    panel = body.mount("display", DARK_ABS)
    panel.box((-half + 0.03, -0.01), (0.012, 0.065), (height, height + 0.002))
    for left, _ in spaced(-0.3 * width, 0.3 * width, 3):
        body.box((left, left + 0.02), (depth, depth + 0.003), (0.3 * height, 0.5 * height), DARK_ABS)
