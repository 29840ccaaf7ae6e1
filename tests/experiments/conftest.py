"""One run of every experiment on two small objects, shared by the tests of a process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments.experiment import Settings
from experiments.run import ablate

URDFS = Path(__file__).resolve().parents[2] / "urdfs"
OBJECTS = [URDFS / "doors_and_windows" / "door.urdf", URDFS / "bathroom" / "soap_dispenser.urdf"]


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Folder and summary."""
    out = tmp_path_factory.mktemp("ablate") / "out"
    return out, ablate(["all"], out, settings=Settings(seed=3), objects=OBJECTS, workers=1)
