"""Objects like a given one: another size, other joint frames. Stand-ins for a generated suite."""

from __future__ import annotations

import numpy as np
from planter_model import Urdf, numbers, origin_of, set_origin, set_tensor, tensor_of, written
from scipy.spatial.transform import Rotation


def varied(urdf: Urdf, random: np.random.Generator) -> Urdf:
    """The object scaled (0.6 to 1.7 times, same densities), with some of its joint frames turned."""
    result = urdf.copy()
    _scale(result, float(np.round(random.uniform(0.6, 1.7), 3)))
    for name in result.links:
        if random.random() < 0.5:
            _turn_frame(result, name, Rotation.random(random_state=int(random.integers(2**31))).as_matrix())
    return result


def _scale(urdf: Urdf, factor: float) -> None:
    for origin in urdf.root.iter("origin"):
        origin.set("xyz", written(factor * numbers(origin.get("xyz", "0 0 0"))))
    for solid in urdf.root.iter("box", "sphere", "cylinder", "capsule"):
        for attribute in ("size", "radius", "length"):
            if solid.get(attribute) is not None:
                solid.set(attribute, written(factor * numbers(solid.get(attribute))))
    for mesh in urdf.root.iter("mesh"):
        mesh.set("scale", written(factor * numbers(mesh.get("scale", "1 1 1"))))
    for inertial in urdf.root.iter("inertial"):
        if inertial.find("mass") is None:
            continue
        inertial.find("mass").set("value", repr(float(inertial.find("mass").get("value")) * factor**3))
        set_tensor(inertial, tensor_of(inertial) * factor**5)
    for pitch in urdf.root.iter("thread_pitch"):
        pitch.text = repr(factor * float(pitch.get("value", pitch.text)))
    joints = urdf.joints
    for joint in joints.values():
        slides = joint.get("type") == "prismatic"
        limit, mimic = joint.find("limit"), joint.find("mimic")
        if slides and limit is not None:
            for end in ("lower", "upper"):
                limit.set(end, repr(factor * float(limit.get(end, "0"))))
        if slides and mimic is not None and joints[mimic.get("joint")].get("type") != "prismatic":
            mimic.set("multiplier", repr(factor * float(mimic.get("multiplier", "1"))))


def _turn_frame(urdf: Urdf, link: str, turn: np.ndarray) -> None:
    """Turn the frame of a link; the world sees the same object."""
    above = next((j for j in urdf.joints.values() if urdf.ends(j)[1] == link), None)
    if above is None:
        return  # the root's frame is the world
    pose = np.eye(4)
    pose[:3, :3] = turn
    set_origin(above, origin_of(above) @ pose)
    axis = above.find("axis")
    if axis is not None:
        axis.set("xyz", written(turn.T @ numbers(axis.get("xyz"))))
    parts = [e for e in urdf.links[link] if e.tag in ("inertial", "visual", "collision")]
    parts += [j for j in urdf.joints.values() if urdf.ends(j)[0] == link]
    for part in parts:
        set_origin(part, pose.T @ origin_of(part))
