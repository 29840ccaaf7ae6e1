"""Numbers in the sentences of findings and captions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def percent(share: float | None, digits: int = 1) -> str:
    """A share: ``65.2 %``; a dash where undefined."""
    return "–" if share is None or math.isnan(share) else f"{100 * share:.{digits}f} %"


def decades(value: float | None) -> str:
    """A range on a logarithmic scale."""
    return "an unknown range (too few pairs)" if value is None or math.isnan(value) else f"{value:.2f} decades"


def share(condition: NDArray[np.bool_]) -> float:
    """Share of the entries that are true; NaN without entries."""
    return float(np.mean(condition)) if condition.size else math.nan
