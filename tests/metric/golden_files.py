"""The golden values (`golden/README.md`): reading them, building our objects from them, comparing."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from metric import Body, Joint, KineticNorm, RiemannianNorm, SplitNorm

FOLDER = Path(__file__).parent / "golden"


def cases(*topics: str) -> list[dict[str, Any]]:
    """All cases of the named files, as pytest parameters would like them: each has a unique id."""
    return [case for topic in topics for case in json.loads((FOLDER / f"{topic}.json").read_text())]


def joint(spec: dict[str, Any]) -> Joint:
    kind = spec["type"]
    if kind == "fixed":
        return Joint("fixed")
    lower, upper = (float(x) for x in spec.get("limits", (0, 0)))
    axis = np.array(spec["axis"]) / np.linalg.norm(spec["axis"])
    return Joint(kind, tuple(axis), tuple(spec["origin"]), lower, upper, spec.get("pitch", 0.0))


def body(spec: dict[str, Any]) -> Body:
    if "points" in spec:
        return Body.from_points([p["pos"] for p in spec["points"]], [p["mass"] for p in spec["points"]])
    return Body(spec["mass"], spec["com"], spec["inertia"])


def norm(spec: dict[str, Any]) -> Any:
    kind = spec["kind"]
    if kind == "alpha":
        return SplitNorm(spec["alpha"])
    return KineticNorm(body(spec)) if kind == "kinetic" else RiemannianNorm(spec["matrix"])


def check(case: dict[str, Any], key: str, value: Any, undefined: float = math.nan) -> None:
    """The value against `expected[key]` at the case's own tolerance; null is the given undefined value."""
    expected = case["expected"][key]
    if expected is None:
        assert np.array_equal(value, undefined, equal_nan=True), f"{case['id']} {key}: {value}"
        return
    np.testing.assert_allclose(value, expected, rtol=case["rtol"], atol=case["atol"], err_msg=f"{case['id']} {key}")
