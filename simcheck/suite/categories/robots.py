"""Robots: arms, grippers and hands, mobile bases, legged machines, snakes, gantries."""

from __future__ import annotations

import math

from simcheck.suite.builder import Builder, Part, Vector, rotation
from simcheck.suite.catalogue import category
from simcheck.suite.draw import Draw, radians
from simcheck.suite.materials import ABS, ALUMINIUM, DARK_ABS, DARK_STEEL, RUBBER, STEEL, Material, painted
from simcheck.suite.parts import castor, screwed, wheel

_SUPER = "robots"
_GAP = 0.0015


@category(93, _SUPER, 500)
def robot_arm(build: Builder, draw: Draw) -> None:
    """Revolutes that alternate between z and y, a wrist, a gripper of two slides; or a SCARA."""
    skin = painted(draw, ALUMINIUM.at(1350), ("orange", "white", "yellow", "blue", "grey", "red"))
    base = build.root("base", DARK_STEEL.at(3000))
    if draw.chance("scara", 0.18):
        _scara(draw, base, skin)
        return
    radius = draw.length("radius", 0.035, 0.07)
    base.cylinder(1.4 * radius, (0, 0, 0), (0, 0, 0.06))
    joints = draw.count("joints", 3, 6, 8)
    part, z, r, offset = base, 0.06, radius, 0.0
    # Links stand on one another; those that pitch sit beside one another along y and swing in their own plane.
    for k in range(joints):
        turning = k % 2 == 0
        reach = draw.length(f"link_{k}", 0.10 if turning else 0.16, 0.2 if turning else 0.4) * (0.92**k)
        if turning:
            stop = radians(draw.integer(f"range_{k}", 120, 175))
            endless = k == joints - 1 and draw.chance("endless_wrist", 0.5)
            at: Vector = (0.0, offset, z)
            part = (
                part.spin(f"link_{k + 1}", "z", at, material=skin)
                if endless
                else part.hinge(f"link_{k + 1}", "z", at, stop, -stop, material=skin)
            )
            part.cylinder(r, (0, offset, z + _GAP), (0, offset, z + 0.5 * reach))
            z += 0.5 * reach + 0.8 * r
            part.cylinder(0.8 * r, (0, offset - 0.8 * r, z), (0, offset + r, z))
            part.box((-0.6 * r, 0.6 * r), (offset - 0.5 * r, offset + 0.5 * r), (z - 0.8 * r, z))
        else:
            stop = radians(draw.integer(f"range_{k}", 100, 130))
            side = r + _GAP
            at = (0.0, offset + side, z)
            part = part.hinge(f"link_{k + 1}", "y", at, stop, -stop, material=skin)
            near, far = offset + side, offset + side + 1.2 * r
            part.cylinder(0.8 * r, (0, near, z), (0, far, z))
            part.box((-0.6 * r, 0.6 * r), (near + 0.2 * r, far), (z, z + reach))
            z += reach
            offset = near + 0.72 * r
            part.cylinder(0.7 * r, (0, offset, z), (0, offset, z + 0.02))
            z += 0.02
            r *= 0.85
    part_radius = 0.5 * r
    if joints % 2:  # the last link ends in an elbow barrel: put a flange on it
        part.box((-0.3 * r, 0.3 * r), (offset - 0.4 * r, offset + 0.4 * r), (z, z + 0.85 * r))
        z += 0.85 * r
    tool = draw.pick("tool", ("gripper", "flange", "none"), (6, 2, 2))
    if tool == "gripper":
        part.box(
            (-1.1 * part_radius - 0.02, 1.1 * part_radius + 0.02),
            (offset - 0.015, offset + 0.015),
            (z, z + 0.03),
            DARK_STEEL,
        )
        z += 0.03
        stroke = draw.length("grip", 0.015, part_radius + 0.012)
        for label, s in (("left", -1), ("right", 1)):
            finger = part.slide(
                f"finger_{label}", "x" if s > 0 else "-x", stroke, at=(s * 0.002, offset, z), material=DARK_STEEL
            )
            finger.box((s * 0.002, s * 0.012), (offset - 0.010, offset + 0.010), (z + _GAP, z + 0.06))
    elif tool == "flange":
        part.cylinder(part_radius + 0.006, (0, offset, z), (0, offset, z + 0.01), STEEL)


def _scara(draw: Draw, base: Part, skin: Material) -> None:
    """Two arms in the plane and a quill that slides or screws."""
    height, upper, lower = (
        draw.length("height", 0.2, 0.4),
        draw.length("upper_arm", 0.18, 0.35),
        draw.length("fore_arm", 0.15, 0.3),
    )
    r = 0.05
    base.box((-0.09, 0.09), (-0.09, 0.09), (0, 0.03))
    base.cylinder(0.06, (0, 0, 0.03), (0, 0, height))
    shoulder = base.hinge("upper_arm", "z", (0, 0, height), radians(130), -radians(130), material=skin)
    z = height + _GAP
    shoulder.cylinder(r, (0, 0, z), (0, 0, z + 0.06))
    shoulder.box((0, upper), (-0.8 * r, 0.8 * r), (z, z + 0.06))
    shoulder.cylinder(0.8 * r, (upper, 0, z), (upper, 0, z + 0.06))
    z += 0.06
    elbow = shoulder.hinge("fore_arm", "z", (upper, 0, z), radians(145), -radians(145), material=skin)
    z += _GAP
    end = upper + lower
    elbow.cylinder(0.75 * r, (upper, 0, z), (upper, 0, z + 0.09))
    elbow.box((upper, end - 0.03), (-0.7 * r, 0.7 * r), (z, z + 0.09))
    elbow.turned([(0, 0.0115, 0.032), (0.09, 0.0115, 0.032)], (end, 0, z), sections=16)
    stroke = draw.length("stroke", 0.1, min(0.18, height - 0.05))
    if draw.chance("screwed_quill", 0.3):
        lead = draw.length("lead", 0.016, 0.024)
        quill = screwed(elbow, draw, "quill", "-z", (end, 0, z), lead, stroke / lead, material=STEEL)
    else:
        slide = elbow.slide("quill_slide", "-z", stroke, at=(end, 0, z), material=STEEL)
        slide.cylinder(0.008, (end, 0, z + 0.03), (end, 0, z + 0.10 + stroke))
        quill = slide.spin("quill", "z", (end, 0, z + 0.029), material=STEEL)
    quill.cylinder(0.0095, (end, 0, z - 0.04), (end, 0, z + 0.028))
    quill.cylinder(0.018, (end, 0, z - 0.055), (end, 0, z - 0.04), DARK_STEEL)


@category(94, _SUPER, 200)
def gripper_or_hand(build: Builder, draw: Draw) -> None:
    """A parallel gripper, or a hand with fingers of two to four joints and a spread."""
    skin = (
        painted(draw, ABS, ("white", "black", "grey", "orange", "blue")) if draw.chance("plastic", 0.5) else ALUMINIUM
    )
    if draw.chance("parallel", 0.18):
        palm, half = build.root("palm", skin), draw.length("half_width", 0.035, 0.06)
        palm.box((-half, half), (-0.025, 0.025), (0, 0.06))
        stroke = draw.length("stroke", 0.015, half - 0.016)
        linked = draw.chance("linked", 0.6)
        for side, s in (("left", -1), ("right", 1)):
            finger = palm.slide(
                f"finger_{side}", "x" if s > 0 else "-x", stroke, at=(s * 0.002, 0, 0.06), material=DARK_STEEL
            )
            finger.box((s * 0.002, s * 0.014), (-0.012, 0.012), (0.061, 0.13))
            finger.mount(f"pad_{side}", RUBBER).box((s * 0.0008, s * 0.002), (-0.010, 0.010), (0.09, 0.13))
            if linked and s > 0:
                assert finger.joint is not None
                finger.joint.mimic = ("finger_left_slide", 1.0)
        return
    fingers, bones = draw.integer("fingers", 2, 5), draw.pick("bones", (2, 3, 4), (3, 5, 1))
    r, palm = draw.length("finger_radius", 0.007, 0.011), build.root("palm", skin)
    spread_too = draw.chance("spread", 0.35)
    pitch = 2 * r + (0.011 if spread_too else 0.004)
    half = fingers * pitch / 2
    palm.box((-half, half), (-1.4 * r, 1.4 * r), (0, 0.085))
    palm.cylinder(1.2 * r, (0, 0, -0.03), (0, 0, 0))
    # Fingers stand in a row and bend to the front about x; the thumb stands at the side and bends across.
    for f in range(fingers):
        x = -half + (f + 0.5) * pitch
        with build.frame((x, 0.0, 0.085)):
            _finger(palm, f"finger_{f}", r, bones, draw, skin, spread=spread_too)
    if draw.chance("thumb", 0.6):
        with build.frame((half + 0.3 * r, 0.0, 0.03), rotation("z", -math.pi / 2) @ rotation("x", -math.pi / 3)):
            for s in (-1, 1):
                palm.box((s * 0.62 * r, s * 0.9 * r), (-0.5 * r, 0.5 * r), (-0.8 * r, 0.9 * r))
            _finger(palm, "thumb", 0.95 * r, 2, draw, skin, spread=False, forks=False)


def _finger(
    palm: Part, name: str, r: float, bones: int, draw: Draw, skin: Material, *, spread: bool, forks: bool = True
) -> None:
    """A chain on the origin along z, bending about x towards -y."""
    part, z = palm, 0.0
    if spread:
        stop = radians(3)
        part = part.hinge(f"{name}_spread", "y", (0, 0, 0.0), stop, -stop, material=skin)
        part.cylinder(0.55 * r, (0, 0, 0.0025), (0, 0, 0.8 * r))
        z = 0.8 * r
    bend = draw.angle(f"{name}_bend", 80, 100) if forks else radians(45)
    for k in range(bones):
        length = (5.5, 4.4, 3.8, 3.4)[k] * r
        if k or forks:
            for s in (-1, 1):  # a fork on the part before carries the pin
                part.box((s * 0.62 * r, s * 0.9 * r), (-0.5 * r, 0.5 * r), (z, z + 1.5 * r))
        z += 1.0 * r + 0.001
        part = part.hinge(f"{name}_{k}", "x", (0, 0, z), bend, material=skin)
        part.cylinder(0.45 * r, (-0.55 * r, 0, z), (0.55 * r, 0, z))
        wide = 0.54 * r
        part.box((-wide, wide), (-0.45 * r, 0.45 * r), (z, z + 0.75 * r))
        part.box((-0.9 * r, 0.9 * r), (-0.6 * r, 0.6 * r), (z + 0.75 * r, z + length - 1.6 * r))
        z += length - 1.6 * r
    part.sphere(0.75 * r, (0, 0, z))


@category(95, _SUPER, 250)
def mobile_robot(build: Builder, draw: Draw) -> None:
    """A chassis on wheels and castors with a camera head, a mast, a small arm or a flap."""
    length, width = draw.length("length", 0.3, 0.8), draw.length("width", 0.28, 0.55)
    radius = draw.length("wheel_radius", 0.05, 0.09)
    skin, half = painted(draw, ABS.at(800)), width / 2
    body, wheels = build.root("chassis", skin), draw.pick("wheels", (2, 4, 6), (5, 3, 1))
    low, tall = 0.75 * radius + 0.02, draw.length("body_height", 0.1, 0.25)
    body.box((-half, half), (-length / 2, length / 2), (low, low + tall))
    top = low + tall
    ys = {2: [0.0], 4: [-0.32 * length, 0.32 * length], 6: [-0.36 * length, 0.0, 0.36 * length]}[wheels]
    span = (ys[1] - ys[0]) if len(ys) > 1 else 1.0
    radius = min(radius, 0.45 * span)
    for k, y in enumerate(ys):
        for side, s in (("left", -1), ("right", 1)):
            wheel(body, f"wheel_{side}_{k}", (s * (half + 0.026), y, radius), radius, 0.04)
    if wheels == 2:
        small = (low - 0.001) / 2.45
        for name, y in (("front", -0.36 * length), ("rear", 0.36 * length))[: draw.integer("castors", 1, 2)]:
            castor(body, f"castor_{name}", (0, y, low), small, direction=2 * math.pi * draw.unit())
    equipment = draw.pick("equipment", ("head", "mast", "flap", "lidar"), (4, 2, 2, 3))
    y = -0.25 * length
    if equipment in ("head", "mast"):
        part = body
        if equipment == "mast":
            body.box((-0.04, 0.04), (y + 0.055, y + 0.08), (top, top + 0.5))
            part = body.slide("mast", "z", draw.length("lift", 0.15, 0.35), at=(0, y, top), material=DARK_STEEL)
            part.box((-0.03, 0.03), (y - 0.03, y + 0.053), (top + 0.02, top + 0.06))
            z = top + 0.06
        else:
            body.cylinder(0.03, (0, y, top), (0, y, top + 0.04), DARK_STEEL)
            z = top + 0.04
        stop = draw.angle("pan", 80, 170)
        pan = part.hinge("pan", "z", (0, y, z), stop, -stop, material=DARK_ABS)
        pan.cylinder(0.024, (0, y, z + _GAP), (0, y, z + 0.015))
        for s in (-1, 1):
            pan.box((s * 0.034, s * 0.04), (y - 0.012, y + 0.012), (z + 0.015, z + 0.065))
        pan.box((-0.04, 0.04), (y - 0.012, y + 0.012), (z + 0.009, z + 0.0149))
        tilt = pan.hinge("tilt", "-x", (0, y, z + 0.052), radians(40), -radians(40), material=skin)
        tilt.box((-0.032, 0.032), (y - 0.02, y + 0.012), (z + 0.036, z + 0.072))
        tilt.mount("camera", DARK_ABS).cylinder(0.010, (0, y - 0.028, z + 0.054), (0, y - 0.02, z + 0.054))
    elif equipment == "flap":
        opened = draw.angle("flap_opening", 70, 88)
        flap = body.hinge("flap", "-x", (0, 0.4 * length, top + 0.001), opened, material=skin)
        flap.box((-0.8 * half, 0.8 * half), (-0.4 * length, 0.399 * length), (top + 0.001, top + 0.013))
    else:
        lidar = body.spin("lidar", "z", (0, y, top), material=DARK_ABS)
        lidar.cylinder(0.035, (0, y, top + _GAP), (0, y, top + 0.03))
        lidar.box((-0.012, 0.012), (y - 0.037, y - 0.033), (top + 0.01, top + 0.022), STEEL)
    if draw.chance("bumper", 0.35):
        bumper = body.slide("bumper", "y", 0.012, at=(0, -length / 2, low), material=RUBBER)
        near = -length / 2 - 0.0135
        bumper.box((-half, half), (near - 0.02, near), (low + 0.01, low + 0.06))


@category(96, _SUPER, 200)
def legged_robot(build: Builder, draw: Draw) -> None:
    """Four, six or eight legs of three revolutes, or a centipede with two a leg."""
    skin, metal = painted(draw, ABS), ALUMINIUM.at(1350)
    if draw.chance("centipede", 0.08):
        pairs = draw.integer("pairs", 25, 37)
        step, half, r = 0.035, 0.03, 0.005
        body = build.root("segment_0", skin)
        length = pairs * step
        body.box((-half, half), (-length / 2, length / 2), (0.035, 0.06))
        body.sphere(0.03, (0, -length / 2 - 0.028, 0.048))
        for k in range(pairs):
            y = -length / 2 + (k + 0.5) * step
            for side, s in (("left", -1), ("right", 1)):
                at: Vector = (s * (half + 0.008), y, 0.048)
                hip = body.hinge(f"hip_{side}_{k}", "z", at, radians(15), -radians(15), material=metal)
                hip.box((s * (half + 0.002), s * (half + 0.034)), (y - r, y + r), (0.043, 0.053))
                knee_at: Vector = (s * (half + 0.042), y, 0.048)
                knee = hip.hinge(
                    f"knee_{side}_{k}", "y" if s > 0 else "-y", knee_at, radians(50), -radians(15), material=metal
                )
                knee.bar((s * (half + 0.043), y, 0.047), (s * (half + 0.06), y, 0.006), 0.006, 0.006)
        return
    legs = draw.pick("legs", (4, 6, 8), (5, 3, 2))
    length, width = draw.length("length", 0.3, 0.8), draw.length("width", 0.15, 0.3)
    thigh, shin = draw.length("thigh", 0.12, 0.25), draw.length("shin", 0.12, 0.25)
    if legs == 4:  # the legs of a side must not meet
        length = max(length, 0.45)
        thigh, shin = (round(min(x, 0.34 * (length - 0.12)), 4) for x in (thigh, shin))
    half, r = width / 2, 0.022
    hip_z = 0.8 * (thigh + shin)
    body = build.root("body", skin)
    body.box((-half, half), (-length / 2, length / 2), (hip_z - 0.04, hip_z + 0.05))
    rows = legs // 2
    pitch = length / rows
    reach = min(1.0, 0.8 * pitch / (0.55 * (thigh + shin))) if rows > 2 else 1.0
    dog = rows == 2
    for k in range(rows):
        y = -length / 2 + (k + 0.5) * pitch
        for side, s in (("left", -1), ("right", 1)):
            x = half + 0.001
            if dog:
                y_leg = (-length / 2 + 0.06) if k == 0 else (length / 2 - 0.06)
                hip = body.hinge(
                    f"hip_{side}_{k}", "y", (s * (x + 0.02), y_leg, hip_z), radians(35), -radians(35), material=metal
                )
                hip.box((s * (x + 0.016), s * (x + 0.05)), (y_leg - r, y_leg + r), (hip_z - 0.02, hip_z + 0.02))
                tx = x + 0.052
                knee_z = hip_z - thigh * math.cos(0.5)
                knee_y = y_leg + thigh * math.sin(0.5)
                upper = hip.hinge(
                    f"thigh_{side}_{k}", "x", (s * tx, y_leg, hip_z), radians(45), -radians(35), material=skin
                )
                upper.bar((s * (tx + 0.012), y_leg, hip_z), (s * (tx + 0.012), knee_y, knee_z), 0.022, 0.034)
                upper.cylinder(r, (s * (tx + 0.001), y_leg, hip_z), (s * (tx + 0.023), y_leg, hip_z))
                lower = upper.hinge(
                    f"shin_{side}_{k}",
                    "x",
                    (s * (tx + 0.024), knee_y, knee_z),
                    radians(50),
                    -radians(50),
                    material=metal,
                )
                sx = s * (tx + 0.033)
                lower.cylinder(0.8 * r, (s * (tx + 0.025), knee_y, knee_z), (s * (tx + 0.041), knee_y, knee_z))
                foot: Vector = (sx, knee_y - shin * math.sin(0.5), knee_z - shin * math.cos(0.5))
                lower.bar((sx, knee_y, knee_z), foot, 0.014, 0.02)
                lower.sphere(0.014, foot, RUBBER)
                continue
            stop = radians(min(30.0, 25.0 * reach))
            a, b = 0.06, 0.75 * thigh
            coxa = body.hinge(f"coxa_{side}_{k}", "z", (s * (half + 0.02), y, hip_z), stop, -stop, material=metal)
            coxa.box(
                (s * (half + 0.004), s * (half + a - 0.012)), (y - 0.012, y + 0.012), (hip_z - 0.012, hip_z + 0.012)
            )
            fx = half + a
            femur = coxa.hinge(
                f"femur_{side}_{k}",
                "-y" if s > 0 else "y",
                (s * fx, y, hip_z),
                radians(40),
                -radians(30),
                material=skin,
            )
            tip: Vector = (s * (fx + b), y, hip_z + 0.35 * b)
            femur.bar((s * (fx + 0.004), y, hip_z), tip, 0.02, 0.022)
            tx, tz = fx + b + 0.016, hip_z + 0.35 * b
            tibia = femur.hinge(
                f"tibia_{side}_{k}", "-y" if s > 0 else "y", (s * tx, y, tz), radians(40), -radians(25), material=metal
            )
            tibia.bar((s * (tx + 0.002), y, tz - 0.004), (s * (tx + 0.3 * shin), y, 0.014), 0.016, 0.018)
            tibia.sphere(0.012, (s * (tx + 0.3 * shin), y, 0.014), RUBBER)


@category(97, _SUPER, 100)
def snake_robot_chain(build: Builder, draw: Draw) -> None:
    """A chain of modules whose revolutes alternate between z and y."""
    modules, pitch = draw.count("modules", 8, 16, 60), draw.length("module", 0.05, 0.08)
    half = draw.number("thickness", 0.26, 0.34) * pitch
    skins = (painted(draw, ABS), painted(draw, ABS))
    stop = draw.angle("range", 45, 70)
    part = build.root("head", skins[0])
    part.box((-0.5 * pitch, 0.20 * pitch), (-half, half), (0, 2 * half))
    part.sphere(0.8 * half, (-0.5 * pitch, 0, half))
    x = 0.0
    for k in range(modules):
        upright = k % 2 == 0
        pin: Vector = (x + 0.42 * pitch, 0.0, half)
        lug = 0.11 * pitch
        # Two lugs on the module before, one tongue on the next, about z or about y.
        for s in (-1, 1):
            a, b = s * 0.15 * pitch, s * half * 0.98
            if upright:
                part.box((x + 0.18 * pitch, pin[0] + lug), (-lug, lug), (half + a, half + b))
            else:
                part.box((x + 0.18 * pitch, pin[0] + lug), (a, b), (half - lug, half + lug))
        part = part.hinge(f"module_{k + 1}", "z" if upright else "y", pin, stop, -stop, material=skins[(k + 1) % 2])
        t = 0.13 * pitch
        if upright:
            part.box((pin[0] - 0.08 * pitch, x + 0.85 * pitch), (-0.09 * pitch, 0.09 * pitch), (half - t, half + t))
        else:
            part.box((pin[0] - 0.08 * pitch, x + 0.85 * pitch), (-t, t), (half - 0.09 * pitch, half + 0.09 * pitch))
        x += pitch
        back = x + (0.20 if k < modules - 1 else 0.4) * pitch
        part.box((x - 0.15 * pitch, back), (-half, half), (0, 2 * half))
    if draw.chance("sensor", 0.3):
        sensor = build.parts[0].spin("sensor", "z", (-0.2 * pitch, 0, 2 * half), material=DARK_ABS)
        sensor.cylinder(0.5 * half, (-0.2 * pitch, 0, 2 * half + 0.001), (-0.2 * pitch, 0, 2.4 * half))


@category(98, _SUPER, 150)
def gantry_camera_head(build: Builder, draw: Draw) -> None:
    """Rails with nested slides that carry a head which pans, tilts and rolls."""
    length, width, height = (
        draw.length("length", 1.0, 4.0),
        draw.length("width", 0.8, 2.0),
        draw.length("height", 1.0, 2.5),
    )
    metal = painted(draw, ALUMINIUM, ("grey", "black", "blue", "yellow"))
    frame, post = build.root("frame", metal), 0.06
    for x in (-length / 2, length / 2 - post):
        for y in (-width / 2, width / 2 - post):
            frame.box((x, x + post), (y, y + post), (0, height))
    for y in (-width / 2, width / 2 - post):
        frame.box((-length / 2, length / 2), (y, y + post), (height, height + post))
    top, room = height + post, round(length / 2 - 0.12, 4)
    bridge = frame.slide("bridge", "x", room, -room, at=(0, 0, top), material=ALUMINIUM)
    bridge.box((-0.05, 0.05), (-width / 2, width / 2), (top + 0.002, top + 0.07))
    side = round(width / 2 - 0.16, 4)
    trolley = bridge.slide("trolley", "y", side, -side, at=(0.052, 0, top), material=DARK_STEEL)
    trolley.box((0.052, 0.09), (-0.07, 0.07), (top - 0.02, top + 0.09))
    part, x = trolley, 0.12
    z = top - 0.03
    if draw.chance("lift", 0.6):
        stroke = draw.length("stroke", 0.2, min(0.6, 0.5 * height))
        part = trolley.slide("lift", "-z", stroke, at=(x, 0, z), material=ALUMINIUM)
        part.box((0.092, 0.15), (-0.03, 0.03), (z - 0.1, z + stroke + 0.1))
        z -= 0.1
    else:
        trolley.box((0.09, 0.15), (-0.03, 0.03), (z - 0.05, z + 0.09))
        z -= 0.05
    pan = (
        part.spin("pan", "z", (x, 0, z), material=DARK_STEEL)
        if draw.chance("endless_pan", 0.8)
        else part.hinge("pan", "z", (x, 0, z), radians(175), -radians(175), material=DARK_STEEL)
    )
    pan.cylinder(0.04, (x, 0, z - 0.03), (x, 0, z - 0.002))
    for s in (-1, 1):
        pan.box((x + s * 0.078, x + s * 0.09), (-0.02, 0.02), (z - 0.16, z - 0.024))
    pan.box((x - 0.078, x + 0.078), (-0.02, 0.02), (z - 0.036, z - 0.024))
    pivot = z - 0.14
    tilt = pan.hinge("tilt", "x", (x, 0, pivot), radians(90), -radians(90), material=metal)
    for s in (-1, 1):
        tilt.cylinder(0.015, (x + s * 0.06, 0, pivot), (x + s * 0.0765, 0, pivot))
        tilt.box((x + s * 0.055, x + s * 0.066), (-0.02, 0.02), (pivot - 0.015, pivot + 0.015))
    tilt.box((x - 0.066, x + 0.066), (0.0205, 0.032), (pivot - 0.015, pivot + 0.015))
    roll = (
        tilt.hinge("roll", "-y", (x, 0.02, pivot), radians(90), -radians(90), material=DARK_ABS)
        if draw.chance("rolls", 0.7)
        else tilt.mount("camera", DARK_ABS)
    )
    roll.box((x - 0.035, x + 0.035), (-0.055, 0.019), (pivot - 0.028, pivot + 0.028))
    roll.cylinder(0.022, (x, -0.095, pivot), (x, -0.055, pivot), DARK_STEEL)
