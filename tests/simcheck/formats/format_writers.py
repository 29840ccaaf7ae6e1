"""Small writers of the formats, for objects drawn at random, and the files with answers derived by hand."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from metric import screw

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Drawn:
    """A joint above part ``index + 1``; part 0 is the root. Limits in rad or m."""

    index: int
    parent: int
    kind: str
    axis: tuple[float, ...]
    origin: tuple[float, ...]
    limits: tuple[float, float]
    pitch: float = 0.0

    @property
    def screw(self) -> np.ndarray:
        unit = np.array(self.axis) / np.linalg.norm(self.axis)
        return np.asarray(screw(self.kind, unit, self.origin, self.pitch))


def coordinates(size: float) -> st.SearchStrategy[float]:
    return st.floats(-size, size, allow_subnormal=False)


@st.composite
def objects(draw, kinds: tuple[str, ...], *, tree: bool = True, most: int = 6, unit: bool = False) -> list[Drawn]:
    """One to ``most`` joints of these kinds on a random tree, or all on the root."""
    joints = []
    for index in range(draw(st.integers(1, most))):
        axis = draw(st.tuples(*[coordinates(1)] * 3).filter(lambda v: math.hypot(*v) > 0.1))
        if unit:
            length = math.hypot(*axis)
            axis = tuple(x / length for x in axis)
        first, second = draw(coordinates(7)), draw(coordinates(7))
        joints.append(
            Drawn(
                index,
                draw(st.integers(0, index)) if tree else 0,
                draw(st.sampled_from(kinds)),
                axis,
                draw(st.tuples(*[coordinates(3)] * 3)),
                (min(first, second), max(first, second)),
                draw(coordinates(0.5)),
            )
        )
    return joints


def degrees(joint: Drawn) -> list[float]:
    return [math.degrees(x) if joint.kind == "revolute" else x for x in joint.limits]


def cage(joints: list[Drawn]) -> dict:
    """As CAGE writes it: ranges start at 0, and the upper end may be negative."""
    nodes = [{"id": 0, "name": "base", "parent": -1, "joint": {"type": "fixed", "range": [0, 0]}}]
    for joint in joints:
        nodes.append(
            {
                "id": joint.index + 1,
                "name": "part",
                "parent": joint.parent,
                "joint": {
                    "type": joint.kind,
                    "range": [0, degrees(joint)[1]],
                    "axis": {"direction": list(joint.axis), "origin": list(joint.origin)},
                },
            }
        )
    for node in nodes:
        node["children"] = [other["id"] for other in nodes if other["parent"] == node["id"]]
    return {"diffuse_tree": nodes}


def partnet(joints: list[Drawn]) -> list[dict]:
    entries = [{"id": 0, "parent": -1, "joint": "free", "name": "body", "jointData": {}}]
    for joint in joints:
        a, b = degrees(joint)
        entries.append(
            {
                "id": joint.index + 1,
                "parent": joint.parent,
                "joint": "slider" if joint.kind == "prismatic" else "hinge",
                "name": "part",
                "jointData": {
                    "axis": {"direction": list(joint.axis), "origin": list(joint.origin)},
                    "limit": {"a": b, "b": a, "noLimit": joint.kind == "continuous"},
                },
            }
        )
    return entries


def paris(joints: list[Drawn]) -> dict:
    infos = []
    for joint in joints:
        word = "rotate" if joint.kind == "revolute" else "translate"
        left, right = degrees(joint)
        axis = {"o": list(joint.origin), "d": list(joint.axis)}
        infos.append({"axis": axis, word: {"l": right, "r": left}, "type": word})
    return {"input": {}, "trans_info": infos}


def digital_twin_art(joints: list[Drawn]) -> list[dict]:
    """From 0 to the upper limit, which may be negative; the type is not written."""
    entries = []
    for joint in joints:
        unit = np.array(joint.axis) / np.linalg.norm(joint.axis)
        theta = joint.limits[1]
        rotation, translation = np.eye(3), theta * unit
        if joint.kind == "revolute":
            k = np.cross(np.eye(3), unit)  # k x = unit × x
            rotation = np.eye(3) + math.sin(theta) * k + (1 - math.cos(theta)) * k @ k
            translation = (np.eye(3) - rotation) @ joint.origin
        entries.append(
            {
                "axis_direction": list(joint.axis),
                "axis_position": list(joint.origin) if joint.kind == "revolute" else [0, 0, 0],
                "theta": degrees(joint)[1],
                "rotation": rotation.tolist(),
                "translation": translation.tolist(),
            }
        )
    return entries


def ditto(joint: Drawn, path: Path) -> None:
    np.savez(
        path,
        screw_axis=np.array(joint.axis),
        screw_moment=np.cross(joint.origin, joint.axis),
        joint_type=np.array(int(joint.kind == "prismatic")),
        state_start=np.array(joint.limits[1]),
        state_end=np.array([joint.limits[0]]),
        joint_index=np.array(3),
        pc_start=np.zeros((100, 3)),
    )


def plain(joints: list[Drawn], angle: str) -> dict:
    entries = []
    for joint in joints:
        turns = joint.kind in ("revolute", "helical") and angle == "deg"
        entry = {
            "name": f"j{joint.index}",
            "kind": joint.kind,
            "parent": f"p{joint.parent}",
            "child": f"p{joint.index + 1}",
            "axis": list(joint.axis),
            "origin": list(joint.origin),
        }
        if joint.kind != "continuous":
            entry["lower"], entry["upper"] = (math.degrees(x) if turns else x for x in joint.limits)
        if joint.kind == "helical":
            entry["pitch"] = joint.pitch
        entries.append(entry)
    return {"format": "simcheck", "version": 1, "angle": angle, "joints": entries}


def save(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path
