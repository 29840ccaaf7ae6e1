"""Mass properties of real meshes, most of which are not closed (SPEC section 3, `--inertia`).

Nearly every mesh of the big data sets stores each triangle twice with opposite winding: its volume is 0 to
rounding. So each connected component is looked at on its own: closed ones keep |volume|, holes that fill are filled,
other open ones are replaced by their hull, flat ones by an area-weighted sheet.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcheck.asset.decimation import first_of_each
from simcheck.asset.model import FloatArray

_NOTHING = 1e-9  # a volume below this share of the bounding box is none
# What a mesh may need before it has a volume, by the code of the fault.
_STEPS = {
    "MESH_INSIDE_OUT": "inside out: |volume| is used (inward normals, negative volume)",
    "MESH_DOUBLE_SIDED": "double-sided: every triangle counted once",
    "MESH_HOLES": "not watertight: holes filled",
    "MESH_OPEN": "not watertight: replaced by its convex hull",
    "MESH_FLAT": "flat: taken as a thin sheet of even thickness",
}
_SHEET = 1e-3  # a flat component counts as a sheet this fraction of its diagonal thick


@dataclass(frozen=True, eq=False)
class MeshMoments:
    """Volume, centroid and second moments of the material, unit density, in the frame of the mesh."""

    volume: float  # m^3
    centroid: FloatArray  # (3,)
    second: FloatArray  # (3, 3), integral of (x - centroid)(x - centroid)^T over the volume, m^5
    faults: Mapping[str, int]  # code of each fault -> parts that have it

    @property
    def steps(self) -> list[str]:
        """What had to be done, in words."""
        return [_STEPS[code] if n == 1 else f"{n} parts {_STEPS[code]}" for code, n in self.faults.items()]


def mesh_moments(mesh: Any) -> MeshMoments | None:
    """Moments of a `trimesh.Trimesh` as loaded (vertices unmerged); None where there is no material at all."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if mesh.is_watertight and mesh.is_winding_consistent and mesh.body_count == 1:
            steps = Counter({"MESH_INSIDE_OUT": 1} if mesh.volume < 0 else {})
            parts = [_closed(mesh)]
        else:
            parts, steps = _by_component(mesh)
    parts = [p for p in parts if p[0] > 0]
    if not parts:
        return None
    volume = sum(p[0] for p in parts)
    centroid = np.sum([p[0] * p[1] for p in parts], axis=0) / volume
    second = np.sum([p[2] + p[0] * np.outer(p[1] - centroid, p[1] - centroid) for p in parts], axis=0)
    return MeshMoments(volume, centroid, second, dict(steps))


_Part = tuple[float, FloatArray, FloatArray]


def _by_component(mesh: Any) -> tuple[list[_Part], Counter[str]]:
    steps: Counter[str] = Counter()
    merged = mesh.copy()
    merged.merge_vertices(merge_tex=True, merge_norm=True)
    merged.update_faces(merged.nondegenerate_faces())
    unique = first_of_each(np.asarray(merged.faces))
    if len(unique) < len(merged.faces):
        steps["MESH_DOUBLE_SIDED"] += 1
        merged.update_faces(unique)
    parts = []
    wound = not steps  # the winding of a double-sided mesh says nothing
    for component in merged.split(only_watertight=False, repair=False):
        part, step = _component(component, wound)
        parts.append(part)
        if step:
            steps[step] += 1
    return parts, steps


def _component(part: Any, wound: bool) -> tuple[_Part, str]:
    box = float(np.prod(np.ptp(part.vertices, axis=0)))
    if part.is_watertight:
        inward = wound and part.is_winding_consistent and part.volume < 0
        part.fix_normals(multibody=False)
        if abs(part.volume) > _NOTHING * box:
            return _closed(part), "MESH_INSIDE_OUT" if inward else ""
    else:
        filled = part.copy()
        if filled.fill_holes() and filled.is_watertight:
            filled.fix_normals(multibody=False)
            if abs(filled.volume) > _NOTHING * box:
                return _closed(filled), "MESH_HOLES"
        hull = _hull(part)
        if hull is not None and abs(hull.volume) > _NOTHING * box > 0:
            return _closed(hull), "MESH_OPEN"
    return _sheet(part), "MESH_FLAT"


def _hull(part: Any) -> Any:
    from scipy.spatial import QhullError

    try:
        return part.convex_hull
    except (QhullError, ValueError):
        return None


def _closed(part: Any) -> _Part:
    """|volume|, centroid, second moments of a closed surface, summed relative to its own centre."""
    triangles = part.triangles
    centre = triangles.reshape(-1, 3).mean(axis=0)
    a, b, c = (triangles[:, k] - centre for k in range(3))
    six_volumes = np.einsum("ij,ij->i", a, np.cross(b, c))
    total = a + b + c
    signed = six_volumes.sum() / 6
    if signed == 0:
        return 0.0, centre, np.zeros((3, 3))
    first = np.einsum("i,ij->j", six_volumes, total) / 24
    outer = sum(np.einsum("i,ij,ik->jk", six_volumes, x, x) for x in (a, b, c, total)) / 120
    offset = first / signed
    return abs(signed), centre + offset, np.sign(signed) * (outer - signed * np.outer(offset, offset))


def _sheet(part: Any) -> _Part:
    """An even sheet over the triangles; its thickness is a convention (a thousandth of the diagonal)."""
    triangles = part.triangles
    areas = np.asarray(part.area_faces)
    area = float(areas.sum())
    if area == 0:
        return 0.0, part.vertices.mean(axis=0), np.zeros((3, 3))
    centroid = np.einsum("i,ij->j", areas, triangles.mean(axis=1)) / area
    corners = triangles - centroid
    total = corners.sum(axis=1)
    outer = np.einsum("i,ikj,ikl->jl", areas, corners, corners) + np.einsum("i,ij,il->jl", areas, total, total)
    thickness = _SHEET * float(np.linalg.norm(np.ptp(part.vertices, axis=0)))
    return area * thickness, centroid, outer / 12 * thickness
