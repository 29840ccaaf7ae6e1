"""One run of every experiment on two small objects, shared by all tests, whatever process they run in."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from experiments.experiment import Settings
from experiments.run import ablate

URDFS = Path(__file__).resolve().parents[2] / "urdfs"
OBJECTS = [URDFS / "doors_and_windows" / "door.urdf", URDFS / "bathroom" / "soap_dispenser.urdf"]
PATIENCE = 600.0  # seconds


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Folder and summary; with pytest-xdist the first process makes them and the others wait."""
    base = tmp_path_factory.getbasetemp()
    out = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "ablate"
    try:
        out.mkdir()
    except FileExistsError:
        until = time.monotonic() + PATIENCE
        while not (out / "report.html").exists():
            assert time.monotonic() < until, "the process that runs the experiments did not finish"
            time.sleep(0.2)
        return out, json.loads((out / "summary.json").read_text())
    return out, ablate(["all"], out, settings=Settings(seed=3), objects=OBJECTS, workers=1)
