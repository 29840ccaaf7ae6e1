"""All joints at once: is an object still free in random combinations of their coordinates?

The sweep moves one joint while the others rest. Two doors that face one another, or a drawer before a door, are free
then and yet meet when both move. That is as in life and no reason to reject an object, but a user should know.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric import exp
from simcheck.suite.assembly import Assembly
from simcheck.suite.draw import Draw
from simcheck.suite.separation import Pairs, Shapes
from simcheck.suite.sweep import swept_interval

FloatArray = NDArray[np.float64]

POSES = 16


def combinations_free(assembly: Assembly, draw: Draw) -> bool:
    """Whether no two bodies meet in any of so many random poses of all joints; a gap must be found for each pair."""
    shapes = Shapes.colliding(assembly.solids)
    placements = _placements(assembly, _coordinates(assembly, draw))[:, shapes.link]
    solids = len(shapes.kind)
    posed = Shapes(
        np.tile(shapes.kind, POSES),
        np.tile(shapes.half, (POSES, 1)),
        np.tile(shapes.vertices, (POSES, 1, 1)),
        (np.einsum("pnij,nj->pni", placements[..., :3, :3], shapes.centre) + placements[..., :3, 3]).reshape(-1, 3),
        (placements[..., :3, :3] @ shapes.rotation).reshape(-1, 3, 3),
        np.tile(shapes.link, POSES),
    )
    low, high = posed.extents(np.arange(len(posed.kind)), posed.rotation)
    low = (posed.centre + low).reshape(POSES, solids, 3)
    high = (posed.centre + high).reshape(POSES, solids, 3)
    body = _bodies(assembly)[shapes.link]
    near = np.triu(body[:, None] != body[None, :])[None].repeat(POSES, axis=0)
    for k in range(3):
        near &= (low[:, :, None, k] <= high[:, None, :, k]) & (low[:, None, :, k] <= high[:, :, None, k])
    pose, first, second = np.nonzero(near)
    if len(pose) == 0:
        return True
    first, second = pose * solids + first, pose * solids + second
    gap, _ = Pairs(posed, first, posed.rotation[first], posed.centre[first], second).gaps()
    return bool(gap.min() >= 0)


def _bodies(assembly: Assembly) -> NDArray[np.int64]:
    """A number (links,) that is the same for links fixed to one another."""
    body = np.arange(len(assembly.links))
    for joint in assembly.joints:  # a joint's child comes after its parent
        if not joint.movable:
            body[joint.child] = body[joint.parent]
    return body


def _coordinates(assembly: Assembly, draw: Draw) -> FloatArray:
    """Random coordinates (poses, joints) within the limits; followers go with their leaders."""
    drawn: dict[str, FloatArray] = {}
    for joint in assembly.joints:
        low, high = swept_interval(joint) if joint.movable else (0.0, 0.0)
        drawn[joint.name] = np.array([low + (high - low) * draw.unit() for _ in range(POSES)])
    for joint in assembly.joints:
        if joint.mimic is not None:
            leader, ratio = joint.mimic
            drawn[joint.name] = ratio * drawn[leader]
    return np.stack([drawn[joint.name] for joint in assembly.joints], axis=1)


def _placements(assembly: Assembly, coordinates: FloatArray) -> FloatArray:
    """How far each link has moved from its place at rest, (poses, links, 4, 4): products of exponentials."""
    screws = np.array([joint.screw for joint in assembly.joints])
    motions = np.asarray(exp(coordinates[..., None] * screws))
    placements = np.tile(np.eye(4), (len(coordinates), len(assembly.links), 1, 1))
    for k, joint in enumerate(assembly.joints):  # a joint's child comes after its parent
        placements[:, joint.child] = placements[:, joint.parent] @ motions[:, k]
    return placements
