"""All kinds of planted defects, by number and name as the list of defects has them."""

from __future__ import annotations

import planter_kinematic
import planter_mass
import planter_mesh
import planter_structure
from planter_plant import KINDS, Expected, Plant

__all__ = ["KINDS", "Expected", "Plant"]

_MODULES = (planter_kinematic, planter_mass, planter_mesh, planter_structure)  # each registers its kinds
