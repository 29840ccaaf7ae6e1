"""Every kind of planted defect, in a few objects: found where the planter says it can be, quiet where it cannot.

`planted_table.py` does the same over all objects and prints the table of README.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from planter import KINDS
from planter_model import Urdf, pair_gap, unchanged
from planting import examined, found, pairs, plants, variants

import simcheck
from simcheck.verification import CATALOGUE
from simcheck.verification.batch import examine_all
from simcheck.verification.examination import Checks

URDFS = Path(__file__).resolve().parents[3] / "urdfs"
OWN = [URDFS / name for name in ("storage/cabinet.urdf", "containers/jar.urdf", "lighting/desk_lamp.urdf")]


def test_every_kind(tmp_path):
    """All visible ones caught, nothing said of the others, and enough of each class planted."""
    objects = [*OWN, *variants(OWN[2:], 1, tmp_path / "objects", seed=3)]
    tallies = examined(list(plants(objects, list(KINDS), tmp_path / "plants", seed=11)), Checks(), workers=2)
    assert set(tallies) == set(KINDS)
    assert not {name: tally.missed for name, tally in tallies.items() if not tally.right}
    classes = {"F": 0, "F+S": 0, "S": 0, "G": 0}
    for tally in tallies.values():
        for letter, count in tally.visible.items():
            classes[letter] += count
    assert len(tallies) >= 40
    assert min(classes.values()) >= 10, classes


def test_two_plants_in_one_file(tmp_path):
    """The first must not hide the second."""
    double = list(pairs([*OWN, *OWN], tmp_path, seed=5))
    assert len(double) == 6
    for (item, first), report in zip(double, examine_all([str(i.path) for i, _ in double], Checks()), strict=True):
        assert found(first, report), (item.kind, report.errors)
        assert found(item.plant.expected, report), (item.kind, report.errors)


def test_variants_are_clean_and_move_as_the_original_does(tmp_path):
    paths = variants(OWN, 3, tmp_path, seed=1)
    assert all(entry["ok"] for entry in simcheck.verify(paths, workers=2)["files"])
    for source, path in zip(OWN, paths, strict=True):
        old, new = Urdf.read(source), Urdf.read(path)
        (scale,) = {
            round(m / o, 9) ** (1 / 3)
            for (o, *_), (m, *_) in zip(old.bodies().values(), new.bodies().values(), strict=True)
        }
        for name in old.movable():
            a, b = old.motion(name), new.motion(name)
            np.testing.assert_allclose(a.axis, b.axis, atol=1e-12)
            np.testing.assert_allclose(scale * a.origin, b.origin, atol=1e-9)


def test_the_planter_knows_what_does_nothing():
    urdf = Urdf.read(OWN[0])
    assert unchanged(urdf, urdf.copy())
    for name in urdf.movable():
        motion = urdf.motion(name)
        assert pair_gap(motion, motion) == 0
    renamed = urdf.copy()
    renamed.joints["hinge_left"].find("origin").set("xyz", "0 0 0")
    assert not unchanged(urdf, renamed)


def test_the_planter_shares_nothing_with_what_it_judges():
    folder = Path(__file__).parent
    for path in [*folder.glob("planter*.py"), folder / "variations.py"]:
        assert "simcheck" not in path.read_text().replace("nothing of simcheck", "").replace("Nothing of simcheck", "")
    # And every code that it expects exists.
    texts = "".join(path.read_text() for path in folder.glob("planter_*.py"))
    assert {code for code in CATALOGUE if code in texts} >= {"AXIS_ZERO", "PARTS_COLLIDE", "ENGINE_LIMIT"}
