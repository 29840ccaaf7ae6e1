"""True cabinets with two methods' predictions, and one scored run of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cabinets import cabinet, methods_of, put
from urdf_and_command import joint, robot, run


@pytest.fixture(scope="session")
def folders(tmp_path_factory) -> Path:
    """Eight true cabinets in two categories; `good` has small errors, `poor` large ones and every kind of failure."""
    root = tmp_path_factory.mktemp("benchmark")
    for k in range(8):
        name = f"{'kitchen' if k < 5 else 'office'}/cabinet_{k}.urdf"
        put(root / "gt" / name, cabinet())
        put(root / "good" / name, cabinet(tilt=0.02 * k, shift=0.01 * k))
        put(root / "poor" / name, cabinet(tilt=0.3, shift=0.1 + 0.01 * k, stroke=0.2))
    poor = root / "poor"
    (poor / "kitchen/cabinet_0.urdf").unlink()
    put(poor / "kitchen/cabinet_1.urdf", "<robot")
    put(poor / "kitchen/cabinet_2.urdf", robot(joint("door", "fixed", "a", "b")))
    put(poor / "kitchen/cabinet_3.urdf", cabinet(tilt=0.3, shift=0.1, doors=1))
    put(poor / "kitchen/cabinet_4.urdf", cabinet(stroke=0.1, weld=True))
    (poor / "office/cabinet_5.urdf").unlink()
    put(poor / "office/cabinet_5/mobility.urdf", cabinet(tilt=0.3))  # a folder with a generic name
    return root


@pytest.fixture(scope="session")
def scored(folders, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("scored") / "out"
    done = run("benchmark", *methods_of(folders), "--out", out, "--workers", "1", "-q")
    assert done.code == 0, done.err
    return out
