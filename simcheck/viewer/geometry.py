"""The triangles of both objects for a page: each different mesh once, and no more of them than a page can carry."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcheck.asset.decimation import decimated, without_doubles
from simcheck.asset.model import ArticulatedObject, FloatArray
from simcheck.asset.scene import Triangles, visible_shapes

MAX_TRIANGLES = 200_000  # of all different meshes of a page together: some 2 MB of it


@dataclass(frozen=True, eq=False)
class Part:
    """One shape of a link: which mesh, and where it is at rest."""

    side: str
    link: str
    mesh: int
    pose: FloatArray  # (4, 4), world frame at rest


@dataclass(frozen=True, eq=False)
class Geometry:
    """Meshes in their own frames, and the parts that show them."""

    vertices: tuple[NDArray[np.float32], ...]  # each (v, 3), m
    faces: tuple[NDArray[np.int64], ...]  # each (f, 3)
    parts: tuple[Part, ...]
    decimated: tuple[str, ...]  # what was drawn with fewer triangles than it has, in words

    def shows(self, side: str) -> bool:
        """Whether an object has anything to show."""
        return any(part.side == side for part in self.parts)

    def of(self, side: str, links: tuple[str, ...]) -> list[Triangles]:
        """Triangles of some links, world frame at rest."""
        return [
            (self.vertices[p.mesh] @ p.pose[:3, :3].T + p.pose[:3, 3], self.faces[p.mesh])
            for p in self.parts
            if p.side == side and p.link in links
        ]


def gather(objects: Mapping[str, ArticulatedObject], most: int = MAX_TRIANGLES) -> Geometry:
    """The visible geometry of the objects, at most so many triangles: meshes above an equal share are decimated."""
    found: dict[bytes, tuple[int, Triangles, str]] = {}
    parts = []
    for side, obj in objects.items():
        for link, shape, (vertices, faces) in visible_shapes(obj, obj.links):
            digest = hashlib.sha256(vertices.astype("<f4").tobytes() + faces.astype("<i8").tobytes()).digest()
            name = shape.filename.rsplit("/", 1)[-1] or f"{shape.kind} of {link}"
            number, _, _ = found.setdefault(digest, (len(found), (vertices, faces), name))
            parts.append(Part(side, link, number, shape.pose))
    share = _equal_share([len(faces) for _, (_, faces), _ in found.values()], most)
    kept, told = [], []
    for _, (vertices, faces), name in found.values():
        fewer = without_doubles(*decimated(vertices, faces, share))
        if len(faces) > share:
            told.append(f"{name}: {len(fewer[1]):,} of {len(faces):,} triangles")
        kept.append(fewer)
    return Geometry(
        tuple(v.astype(np.float32) for v, _ in kept),
        tuple(f for _, f in kept),
        tuple(parts),
        tuple(dict.fromkeys(told)),
    )


def _equal_share(counts: list[int], most: int) -> int:
    """The largest number of triangles a mesh may have so that all together have at most ``most``."""
    rest, left = most, sorted(counts)
    for k, count in enumerate(left):
        share = max(rest // (len(left) - k), 1)
        if count > share:
            return share
        rest -= count
    return max(counts, default=0)
