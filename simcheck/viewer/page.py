"""The scene as one self-contained HTML page: numbers as JSON in full precision, meshes packed, three.js inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from simcheck.asset.model import ArticulatedObject
from simcheck.report.camera import Camera
from simcheck.report.columns import format_number
from simcheck.report.images import png_bytes
from simcheck.report.page import Picture
from simcheck.report.provenance import provenance
from simcheck.report.template import packed, render, script_json, static
from simcheck.results import plain
from simcheck.viewer.drawing import Drawing, shown_point
from simcheck.viewer.geometry import Geometry
from simcheck.viewer.scene import NUMBERS, PREDICTION, TRUTH, Scene, ShownJoint, Side

_PICTURE = (640, 480)  # what is seen without WebGL
_SCRIPTS = ("three.min.js", "motion.js", "scene.js", "viewer.js")


def render_page(scene: Scene, geometry: Geometry, result: Mapping[str, Any], row: int | None) -> str:
    """The page as HTML: the same inputs, the same text."""
    drawing = Drawing(scene, geometry, row)
    camera = drawing.camera(_PICTURE[0] / _PICTURE[1])
    fraction = drawing.far_end
    meshes, mesh_bytes = _describe_meshes(geometry)
    where = provenance(result)
    return render(
        "viewer.html.j2",
        [static("unpack.js"), *(static(name, "simcheck.viewer") for name in _SCRIPTS)],
        package="simcheck.viewer",
        title=" and ".join(dict.fromkeys(Path(obj.file).name for obj in scene.objects.values())),
        lead=_lead(scene, result),
        overlaid=PREDICTION in scene.objects,
        has_geometry=geometry.shows(PREDICTION),
        rows=scene.joints,
        static_rows=[
            [joint.name, *(format_number(joint.numbers[n]) for n in NUMBERS),
             " ".join([joint.sentence, *joint.remarks])] for joint in scene.joints
        ],
        picture=Picture(
            png_bytes(drawing.picture(fraction, camera, _PICTURE)), "", _caption(scene, row, fraction), _alt(scene)
        ),
        notes=_notes(scene, geometry, result),
        provenance=where,
        provenance_json=script_json(asdict(where)),
        css=static("theme.css") + static("viewer.css", "simcheck.viewer"),
        licence=static("three.LICENSE", "simcheck.viewer"),
        scene=script_json(plain(_data(drawing, camera, meshes))),
        meshes=packed(mesh_bytes),
    )  # fmt: skip


def _data(drawing: Drawing, camera: Camera, meshes: list[dict[str, Any]]) -> dict[str, Any]:
    """What the page's scripts work with; every number in full precision."""
    scene, geometry = drawing.scene, drawing.geometry
    index = {side: {name: k for k, name in enumerate(_in_order(obj))} for side, obj in scene.objects.items()}
    truth = scene.objects[TRUTH]
    return {
        "name": truth.name,
        "size": scene.size,
        "centre": truth.box.mean(axis=0),
        "row": drawing.row,
        "fraction": drawing.far_end,
        "ghost": "own" if geometry.shows(PREDICTION) else "truth",
        "camera": asdict(camera),
        "objects": {side: {"links": _links(obj, index[side])} for side, obj in scene.objects.items()},
        "rows": [_row(scene, geometry, joint, index) for joint in scene.joints],
        "meshes": meshes,
        "parts": [
            {"side": p.side, "link": index[p.side][p.link], "mesh": p.mesh, "pose": p.pose[:3].ravel()}
            for p in geometry.parts
        ],
    }


def _in_order(obj: ArticulatedObject) -> list[str]:
    """The links, each after its parent."""
    return list(obj.downstream(obj.root))


def _links(obj: ArticulatedObject, index: Mapping[str, int]) -> list[dict[str, Any]]:
    still = set(obj.welded(obj.root))
    entries = []
    for name in index:
        joint = obj.joint_above.get(name)
        entries.append(
            {
                "name": name,
                "parent": -1 if joint is None else index[joint.parent],
                "joint": None if joint is None else joint.name,
                "screw": np.zeros(6) if joint is None else joint.screw,
                "rest": obj.links[name].pose[:3].ravel(),
                "still": name in still,
            }
        )
    return entries


def _row(scene: Scene, geometry: Geometry, shown: ShownJoint, index: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    point, reach = shown_point(scene, geometry, shown)
    body = shown.body
    return {
        "name": shown.name,
        "numbers": dict(shown.numbers),
        "sentence": shown.sentence,
        "remarks": list(shown.remarks),
        "owner": shown.owner,
        "paired": len(shown.sides) == 2,
        "point": point,
        "reach": reach,
        "body": None if body is None else {"com": body.com, "factor": body.factor, "points": body.material_points()[0]},
        "frames": {name: [side, index[side][link]] for name, (side, link) in shown.frames.items()},
        "sides": {name: _side(side, index[name], scene.objects[name]) for name, side in shown.sides.items()},
    }


def _side(side: Side, index: Mapping[str, int], obj: ArticulatedObject) -> dict[str, Any]:
    joint = side.joint
    return {
        "joint": joint.name,
        "kind": joint.kind,
        "moves": not joint.motion.exactly_fixed,
        "interval": side.interval,
        "screw": joint.screw,
        "axis": joint.axis,
        "origin": joint.origin,
        "pitch": joint.pitch or 0.0,
        "parent": index[joint.parent],
        "child": index[joint.child],
        "links": [index[name] for name in side.links if name in index],
    }


def _describe_meshes(geometry: Geometry) -> tuple[list[dict[str, Any]], bytes]:
    """Where each mesh lies in one run of bytes: float32 vertices, uint16 or uint32 corners, in steps of 4 bytes."""
    described, data = [], bytearray()
    for vertices, faces in zip(geometry.vertices, geometry.faces, strict=True):
        wide = len(vertices) > 2**16
        described.append({"at": len(data), "vertices": len(vertices), "faces": len(faces), "wide": wide})
        data += vertices.astype("<f4").tobytes() + faces.astype("<u4" if wide else "<u2").tobytes()
        data += bytes(-len(data) % 4)
    return described, bytes(data)


def _lead(scene: Scene, result: Mapping[str, Any]) -> str:
    if PREDICTION not in scene.objects:
        count = len(scene.joints)
        joints = f"{count} movable joint{'' if count == 1 else 's'}"
        return f"{scene.objects[TRUTH].file}: {joints}; numbers are distances to a joint that stays fixed."
    paired = [joint for joint in scene.joints if len(joint.sides) == 2]
    missing = sum(PREDICTION not in joint.sides for joint in scene.joints)
    spurious = sum(TRUTH not in joint.sides for joint in scene.joints)
    files = f"{result['ground_truth']} → {result['prediction']}"
    pairs = f"{len(paired)} pair{'' if len(paired) == 1 else 's'} of joints"
    return f"{files}: {pairs}, {missing} missing, {spurious} spurious."


def _caption(scene: Scene, row: int | None, fraction: float) -> str:
    if row is None:
        return "The object at rest."
    shown = scene.joints[row]
    words = f": {shown.sentence}" if shown.sentence else ""
    return f"{shown.name} at {100 * fraction:.0f} % of its range{words}."


def _alt(scene: Scene) -> str:
    return "The prediction over the truth" if PREDICTION in scene.objects else "The object"


def _notes(scene: Scene, geometry: Geometry, result: Mapping[str, Any]) -> list[str]:
    """What the page cannot show as it is, then every warning."""
    notes = []
    if geometry.decimated:
        notes.append(f"Drawn with fewer triangles than the files have: {'; '.join(geometry.decimated)}.")
    for side, obj in scene.objects.items():
        if not geometry.shows(side):
            notes.append(f"The {side} has no geometry that can be shown ({obj.file}).")
    return notes + [f"{w['file']}: {w['element']}: {w['message']}" for w in result["warnings"]]
