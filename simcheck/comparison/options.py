"""What changes the numbers of a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from simcheck.comparison.frames import FrameOptions, Placement
from simcheck.errors import UsageError


@dataclass(frozen=True)
class CompareOptions:
    """What changes the numbers of a comparison.

    Parameters
    ----------
    alpha, kappa
        Split norm and compactification.
    match
        ``cost``, ``name`` or a CSV file with the columns ``ground_truth,prediction``.
    frame
        How the prediction is placed.
    base, fallback, time_limit
        Of the tree distances. A joint without body makes E_B undefined; with the fallback ``alpha`` the split norm
        prices it.
    simulate
        d from PyBullet; without, in closed form.
    steps
        Gauss-Lobatto nodes of the simulated sweep.
    impute_limits
        ``none``, or ``gt``: a predicted joint without limits takes those of its match.
    protocols
        Published component protocols to add, each ``as_published`` and ``corrected``.
    """

    alpha: float = 1.0
    kappa: float = math.pi
    match: str = "cost"
    frame: FrameOptions = field(default_factory=FrameOptions)
    base: str = "written"
    fallback: str = "none"
    time_limit: float | None = 60.0
    simulate: bool = True
    steps: int = 9
    impute_limits: str = "none"
    protocols: tuple[str, ...] = ()
    format: str | None = None  # of the prediction; None: told from its content
    norm: str | None = None  # MODULE:FUNCTION of a norm of the user's (`simcheck.norms`)
    engine: str = "pybullet"

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("--base", self.base, ("written", "free")),
            ("--fallback", self.fallback, ("none", "alpha")),
            ("--impute-limits", self.impute_limits, ("none", "gt")),
        ):
            if value not in allowed:
                raise UsageError(f"{name}: expected {' or '.join(allowed)}, got {value!r}")
        if self.steps < 2:
            raise UsageError(f"--steps: expected at least 2, got {self.steps}")

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> CompareOptions:
        """The options whose `settings` these are; other keys are left alone."""
        placing, own = (
            {f.name: settings[f.name] for f in fields(kind) if f.name != "frame"} for kind in (FrameOptions, cls)
        )
        if not isinstance(placing["align"], str):
            placing["align"] = tuple(map(tuple, placing["align"]))
        return cls(frame=FrameOptions(**placing), **{**own, "protocols": tuple(own["protocols"])})

    def placed_by(self, placement: Placement | None) -> CompareOptions:
        """The options with a placement of one prediction's own, if it has one."""
        return self if placement is None else replace(self, frame=replace(self.frame, align=placement))

    def settings(self) -> dict[str, Any]:
        """As they are saved: one flat object, the frame's among them."""
        saved: dict[str, Any] = {}
        for name, value in asdict(self).items():
            saved |= value if name == "frame" else {name: value}
        return {**saved, "protocols": list(self.protocols)}
