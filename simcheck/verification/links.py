"""What each link says: mass, inertia, geometry, and whether they fit each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from lxml import etree

from metric import Body
from simcheck.asset.bodies import geometry_body
from simcheck.asset.extent import role_box
from simcheck.asset.model import ArticulatedObject, FloatArray, LinkBody, inertia_fault
from simcheck.asset.shapes import body_role
from simcheck.asset.suspicion import link_suspicions
from simcheck.verification.claims import Claims, LinkClaim
from simcheck.verification.finding import Finding, finding, from_warning

_GYRATION = (0.2, 1.2)  # times the radius of gyration of the evenly filled shape
_DENSER = 1000.0
_OVERSIZED = 20.0
_APART = 0.2  # of the diagonal of the visual box
_SIZES_DIFFER = 1.1


def link_findings(raw: etree._Element, claims: Claims) -> Iterator[Finding]:
    """Findings about each link's own words; ``raw`` is the parsed tree as written."""
    yield from _missing(raw)
    yield from _tensors(claims)


def solid_findings(claims: Claims, obj: ArticulatedObject) -> Iterator[Finding]:
    """Findings about masses and inertias beside the geometry, and about the geometry itself."""
    boxes = {(link, role): role_box(obj, link, role) for link in obj.links for role in ("visual", "collision")}
    shown = {link: boxes[link, role] for link in obj.links if (role := body_role(obj, link))}
    solid = {name: box for name, box in shown.items() if box is not None}
    filled = {name: geometry_body(obj, link) for name, link in obj.links.items()}
    yield from _placeholders(claims, filled)
    yield from _masses(obj, claims, filled, solid)
    yield from _sizes(solid)
    for link in obj.links:
        visual, collision = boxes[link, "visual"], boxes[link, "collision"]
        if visual is None or collision is None:
            continue
        off = float(np.abs(visual - collision).max())
        if off > _APART * float(np.linalg.norm(visual[1] - visual[0])):
            message, place = f"the boxes of its visual and collision shapes differ by {off:.3g} m", "collision origin"
            yield finding("COLLISION_OFFSET", f"link {link!r}", message, attribute=place, value=f"{off:.3g}")


def _missing(raw: etree._Element) -> Iterator[Finding]:
    for link in raw.iterchildren("link"):
        if link.find("inertial") is not None:
            continue
        solid = link.find("visual") is not None or link.find("collision") is not None
        message = "no <inertial>: PyBullet gives the link mass 1 and inertia 1"
        severity = "warning" if solid else "info"
        yield finding(
            "INERTIAL_MISSING", f"link {link.get('name')!r}", message, attribute="inertial", severity=severity
        )


def _usable(claims: Claims) -> list[LinkClaim]:
    return [link for link in claims.links.values() if not link.doubtful and link.mass > 0]


def _tensors(claims: Claims) -> Iterator[Finding]:
    links = _usable(claims)
    if not links:
        return
    for link, moments in zip(links, np.linalg.eigvalsh([link.inertia for link in links]), strict=True):
        element, value = f"link {link.name!r}", " ".join(f"{x:.4g}" for x in moments)
        fault = inertia_fault(moments)
        if not link.inertia.any():
            yield finding("INERTIA_ZERO", element, "its inertia is zero: a point mass", attribute="inertia", value="0")
        elif fault == "INERTIA_NOT_PSD":
            message = f"its inertia is not positive semidefinite (principal moments {value})"
            yield finding(fault, element, message, attribute="inertia", value=value)
        elif fault:
            message = (
                "its inertia breaks the triangle inequality of the principal moments "
                f"({moments[0]:.6g} + {moments[1]:.6g} < {moments[2]:.6g}); PyBullet sets it to zero"
            )
            yield finding(fault, element, message, attribute="inertia", value=value)


def _placeholders(claims: Claims, filled: Mapping[str, LinkBody]) -> Iterator[Finding]:
    shared: dict[bytes, list[LinkClaim]] = {}
    for link in _usable(claims):
        if np.array_equal(link.written, np.eye(3)):
            message = "its inertia is the identity: a placeholder"
            yield finding("INERTIA_PLACEHOLDER", f"link {link.name!r}", message, attribute="inertia", value="1 1 1")
        elif link.inertia.any() and link.name in filled and filled[link.name].body is not None:
            shared.setdefault(link.written.tobytes(), []).append(link)
    for links in shared.values():
        # By radius of gyration: it is the same however a part is turned.
        sizes = [_radius(filled[link.name].body) for link in links]
        if len(links) >= 3 and max(sizes) > _SIZES_DIFFER * min(sizes):
            message = f"{len(links)} links of different sizes have the same inertia: a placeholder"
            for link in links:
                yield finding("INERTIA_PLACEHOLDER", f"link {link.name!r}", message, attribute="inertia")


def _radius(body: Body | LinkClaim | None) -> float:
    """Radius of gyration, m: of the mass about the centre of mass, all directions alike."""
    assert body is not None
    return float(np.sqrt(max(np.trace(body.inertia), 0.0) / (2 * body.mass)))


def _masses(
    obj: ArticulatedObject, claims: Claims, filled: Mapping[str, LinkBody], boxes: Mapping[str, FloatArray]
) -> Iterator[Finding]:
    densities = {}
    for link in _usable(claims):
        if link.name not in obj.links or obj.links[link.name].inertial is None:
            continue
        shape = filled[link.name]
        for warning in link_suspicions(obj, link.name, shape.volume, boxes.get(link.name)):
            yield from_warning(warning)
        if shape.volume:
            densities[link.name] = link.mass / shape.volume
        if shape.body is not None and link.inertia.any():
            even, radius = _radius(shape.body), _radius(link)
            if even > 0 and not _GYRATION[0] <= radius / even <= _GYRATION[1]:
                message = f"radius of gyration {radius:.3g} m, the evenly filled shape has {even:.3g} m"
                yield finding(
                    "INERTIA_GYRATION", f"link {link.name!r}", message, attribute="inertia", value=f"{radius:.3g}"
                )
    if len(densities) > 1:
        (dense, most), (_, next_most) = sorted(densities.items(), key=lambda item: -item[1])[:2]
        if most > _DENSER * next_most:
            message = f"{most:.4g} kg/m^3, no other link has more than {next_most:.4g}"
            yield finding("DENSITY_RATIO", f"link {dense!r}", message, attribute="mass value", value=f"{most:.4g}")


def _sizes(boxes: Mapping[str, FloatArray]) -> Iterator[Finding]:
    for name, box in boxes.items():
        others = [other for link, other in boxes.items() if link != name]
        if not others:
            return
        corners = np.concatenate(others)
        rest = float(np.linalg.norm(corners.max(axis=0) - corners.min(axis=0)))
        size = float(np.linalg.norm(box[1] - box[0]))
        if size > _OVERSIZED * rest > 0:
            message = f"the link is {size:.4g} m large, all others together {rest:.4g} m"
            yield finding("LINK_OVERSIZED", f"link {name!r}", message, value=f"{size:.4g}")
