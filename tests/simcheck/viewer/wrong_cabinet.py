"""A prediction of the project's cabinet with a different fault in every joint, for the viewer to show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import simcheck
from simcheck.asset.write import urdf_text
from simcheck.perturb import perturbed

CABINET = Path(__file__).resolve().parents[3] / "urdfs" / "storage" / "cabinet.urdf"


def wrong_cabinet(folder: Path) -> Path:
    """Write it: a tilted drawer, a short drawer, a shifted hinge with its ends exchanged, and a door that is right."""
    obj = simcheck.load(CABINET)
    tilted, short, shifted, _ = (joint.motion for joint in obj.movable_joints)
    axis = np.array(tilted.axis) + np.array([0.25, 0.0, 0.1])
    faults = (
        replace(tilted, axis=tuple(axis / np.linalg.norm(axis))),
        replace(short, upper=0.6 * short.upper),
        replace(shifted, origin=tuple(np.array(shifted.origin) + np.array([0.08, 0.0, 0.0]))).reversed(),
    )
    for joint, fault in zip(simcheck.load(CABINET).movable_joints, faults, strict=False):
        obj = perturbed(obj, joint.name, fault)
    path = folder / "predicted.urdf"
    path.write_text(urdf_text(obj), encoding="utf-8")
    return path
