"""PartNet-Mobility folders that have no URDF: the annotation with the meshes that another file names.

``mobility_v2.json`` says how parts move, ``result.json`` which meshes a part consists of. Both are in the frame of the
object with y up; the object is turned to z up as in PartNet's own URDFs (rpy 90, 0, -90 degrees).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from simcheck.asset import ArticulatedObject, ReadOptions
from simcheck.asset.frames import transformed
from simcheck.asset.poses import pose
from simcheck.errors import AssetError, AssetWarning
from simcheck.formats import load_prediction
from simcheck.formats.source import Source

ANNOTATION = "mobility_v2.json"
_MESHES = "textured_objs"


def load_annotation(path: Path, options: ReadOptions) -> ArticulatedObject:
    """The object of an annotation, z up, with its meshes where ``result.json`` and their folder are there."""
    obj = load_prediction(path, "partnet_mobility", options).object
    parts = {f"link_{entry['id']}": _objects(entry.get("parts")) for entry in _json(path)}
    try:
        meshes = dict(_meshes_by_part(_json(path.with_name("result.json"))))
    except RecursionError:  # Python's JSON reader may go deeper than its functions
        meshes = {}
    links = {}
    for name, link in obj.links.items():
        files = [file for part in parts.get(name, []) for file in meshes.get(str(part.get("id")), [])]
        links[name] = replace(link, source=_shapes(name, files, link.pose[:3, 3])) if files else link
    notes = [w for w in obj.warnings if "y is up" not in w.message]
    message = "y is up in this format: turned to z up, as in PartNet's own URDF"
    notes.append(AssetWarning(obj.file, "frame", message, "FORMAT_ASSUMED"))
    upright = transformed(replace(obj, links=links), pose((0.0, 0.0, 0.0), (np.pi / 2, 0.0, -np.pi / 2)))
    return replace(upright, warnings=tuple(notes))


def _json(path: Path) -> Any:
    try:
        return Source(path).json.raw
    except AssetError:
        return None


def _objects(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list; whatever else stands there is passed over."""
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def _meshes_by_part(table: Any) -> Iterator[tuple[str, list[str]]]:
    """Number of a part and its mesh files, for each node of the table and everything below it."""
    for node in _objects(table):
        below = list(_meshes_by_part(node.get("children")))
        yield from below
        objs = node.get("objs")
        own = [f"{_MESHES}/{name}.obj" for name in objs if isinstance(name, str)] if isinstance(objs, list) else []
        yield str(node.get("id")), own or [file for _, files in below for file in files]


def _shapes(name: str, files: list[str], frame: np.ndarray) -> etree._Element:
    """A clean <link> element whose meshes lie as they are stored, in a frame with this origin."""
    link = etree.Element("link", name=name)
    for role in ("visual", "collision"):
        for file in dict.fromkeys(files):
            shape = etree.SubElement(link, role)
            etree.SubElement(shape, "origin", xyz=" ".join(repr(-float(x)) for x in frame))
            etree.SubElement(etree.SubElement(shape, "geometry"), "mesh", filename=file)
    return link


def category_of(folder: Path) -> str | None:
    """The category that PartNet's ``meta.json`` states."""
    meta = _json(folder / "meta.json")
    category = meta.get("model_cat") if isinstance(meta, Mapping) else None
    return category if isinstance(category, str) else None
