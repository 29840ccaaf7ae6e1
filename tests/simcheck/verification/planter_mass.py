"""Planted faults of masses, centres of mass and inertias."""

from __future__ import annotations

import numpy as np
from lxml import etree
from planter_geometry import box_of, gyration, link_volume, shown, size_of
from planter_model import Urdf, origin_of, set_origin, set_tensor, tensor_of, unchanged
from planter_plant import Plant, by_text, expect, kind, link, pick


def weighed(urdf: Urdf) -> list[str]:
    """Links with a whole inertial."""
    return [
        n
        for n, e in urdf.links.items()
        if e.find("inertial/mass") is not None and e.find("inertial/inertia") is not None
    ]


def _on_inertial(urdf: Urdf, random: np.random.Generator, change, visible: str, code: str) -> Plant | None:
    name = pick(random, weighed(urdf))
    if name is None:
        return None
    planted = urdf.copy()
    change(planted.links[name].find("inertial"))
    return None if unchanged(urdf, planted) else by_text(planted, visible, expect(code, link(name)))


def _by_predicate(clean: Urdf, planted: Urdf, name: str, code: str, *, applies: bool) -> Plant | None:
    if unchanged(clean, planted):
        return None
    return by_text(planted, "G", expect(code, link(name))) if applies else by_text(planted, "N", expect(""))


@kind("28 mass zero or negative")
def mass_not_positive(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    value = str(random.choice(["0", "-1"]))
    return _on_inertial(urdf, random, lambda e: e.find("mass").set("value", value), "F", "MASS_NOT_POSITIVE")


@kind("29 mass in grams")
def mass_in_grams(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, weighed(urdf))
    if name is None:
        return None
    planted = urdf.copy()
    mass = planted.links[name].find("inertial/mass")
    mass.set("value", repr(1000 * float(mass.get("value"))))
    volume = link_volume(planted, name)
    applies = volume > 0 and not 1 <= float(mass.get("value")) / volume <= 25_000
    return _by_predicate(urdf, planted, name, "DENSITY", applies=applies)


@kind("30 inertia zero")
def inertia_zero(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    return _on_inertial(urdf, random, lambda e: set_tensor(e, np.zeros((3, 3))), "F", "INERTIA_ZERO")


@kind("31 inertia not positive semidefinite")
def inertia_not_psd(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    k = int(random.integers(3))

    def negate(inertial: etree._Element) -> None:
        tensor = tensor_of(inertial)
        tensor[k, k] = -max(tensor[k, k], 0.1 * np.trace(tensor))
        set_tensor(inertial, tensor)

    return _on_inertial(urdf, random, negate, "F+S", "INERTIA_NOT_PSD")


@kind("32 triangle inequality, diagonal")
def triangle_diagonal(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    def stretch(inertial: etree._Element) -> None:
        tensor = np.diag(np.diag(tensor_of(inertial)))
        tensor[2, 2] = 1.3 * (tensor[0, 0] + tensor[1, 1])
        set_tensor(inertial, tensor)

    return _on_inertial(urdf, random, stretch, "F+S", "INERTIA_TRIANGLE")


@kind("33 triangle inequality, principal moments only")
def triangle_principal(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    def turn(inertial: etree._Element) -> None:
        scale = max(float(np.trace(tensor_of(inertial))), 1e-9)
        # Equal diagonal, so that it passes the test of the diagonal; principal moments 0.2, 0.2, 1.
        axis = np.ones(3) / np.sqrt(3)
        set_tensor(inertial, scale * (0.2 * np.eye(3) + 0.8 * np.outer(axis, axis)))

    return _on_inertial(urdf, random, turn, "F+S", "INERTIA_TRIANGLE")


@kind("34 inertia a placeholder")
def placeholder(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    names = [n for n in weighed(urdf) if gyration(urdf, n)]
    if random.random() < 0.5 or len(names) < 3:
        return _on_inertial(urdf, random, lambda e: set_tensor(e, np.eye(3)), "F", "INERTIA_PLACEHOLDER")
    chosen = [names[int(k)] for k in random.permutation(len(names))[:3]]
    sizes = [gyration(urdf, n) or 0.0 for n in chosen]
    if max(sizes) < 1.2 * min(sizes):
        return None
    planted = urdf.copy()
    tensor = tensor_of(urdf.links[chosen[0]].find("inertial"))
    for name in chosen:
        set_tensor(planted.links[name].find("inertial"), tensor)
    return by_text(planted, "F", expect("INERTIA_PLACEHOLDER", *map(link, chosen)))


@kind("35 centre of mass off the part")
def com_off(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, weighed(urdf))
    if name is None:
        return None
    planted = urdf.copy()
    inertial = planted.links[name].find("inertial")
    pose = origin_of(inertial)
    if random.random() < 0.5:
        pose[:3, 3] = 0.0
    else:
        step = random.normal(size=3)
        pose[:3, 3] += 0.6 * size_of(urdf) * step / np.linalg.norm(step)
    set_origin(inertial, pose)
    box = box_of(shown(planted, name))
    com = planted.bodies()[name][1]
    applies = False
    if box is not None:
        beyond = float(np.maximum(box[0] - com, com - box[1]).max())
        applies = beyond > 0.1 * float(np.linalg.norm(box[1] - box[0]))
    return _by_predicate(urdf, planted, name, "COM_OFF_PART", applies=applies)


@kind("36 inertia about the link frame")
def inertia_about_frame(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, weighed(urdf))
    if name is None:
        return None
    planted = urdf.copy()
    inertial = planted.links[name].find("inertial")
    pose, mass = origin_of(inertial), float(inertial.find("mass").get("value"))
    if mass <= 0:
        return None
    arm = pose[:3, :3].T @ pose[:3, 3]
    set_tensor(inertial, tensor_of(inertial) + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm)))
    even = gyration(urdf, name)
    radius = np.sqrt(np.trace(tensor_of(inertial)) / (2 * mass))
    applies = even is not None and not 0.2 <= radius / even <= 1.2
    return _by_predicate(urdf, planted, name, "INERTIA_GYRATION", applies=applies)


@kind("37 no inertial")
def no_inertial(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    name = pick(random, weighed(urdf))
    if name is None:
        return None
    planted = urdf.copy()
    planted.links[name].remove(planted.links[name].find("inertial"))
    return by_text(planted, "S", expect("INERTIAL_MISSING", link(name)))


@kind("38 mass or inertia missing")
def inertial_incomplete(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    part = str(random.choice(["mass", "inertia"]))
    return _on_inertial_text(urdf, random, lambda e: e.remove(e.find(part)), "F+S", "INERTIAL_INCOMPLETE")


def _on_inertial_text(urdf: Urdf, random: np.random.Generator, change, visible: str, code: str) -> Plant | None:
    name = pick(random, weighed(urdf))
    if name is None:
        return None
    planted = urdf.copy()
    change(planted.links[name].find("inertial"))
    return by_text(planted, visible, expect(code, link(name)))


@kind("44 collision shifted from visual")
def collision_shifted(urdf: Urdf, random: np.random.Generator) -> Plant | None:
    from planter_geometry import solids

    names = []
    for name, element in urdf.links.items():
        boxes = [box_of(solids(urdf, role, name)) for role in ("visual", "collision")]
        if element.find("visual") is not None and all(b is not None for b in boxes) and element.find(".//mesh") is None:
            names.append(name)
    name = pick(random, names)
    if name is None:
        return None
    planted = urdf.copy()
    box = box_of(solids(urdf, "visual", name))
    assert box is not None
    diagonal = float(np.linalg.norm(box[1] - box[0]))
    step = random.normal(size=3)
    step *= random.uniform(0.1, 0.8) * diagonal / np.linalg.norm(step)
    frame = planted.poses()[name][:3, :3]
    for shape in planted.links[name].findall("collision"):
        pose = origin_of(shape)
        pose[:3, 3] += frame.T @ step
        set_origin(shape, pose)
    boxes = [box_of(solids(planted, role, name)) for role in ("visual", "collision")]
    applies = float(np.abs(boxes[0] - boxes[1]).max()) > 0.2 * diagonal  # type: ignore[operator]
    if applies:
        return by_text(planted, "G", expect("COLLISION_OFFSET", link(name)))
    return by_text(planted, "N", expect(""))
