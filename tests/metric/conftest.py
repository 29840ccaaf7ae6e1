"""Random inputs shared by the metric's tests."""

from __future__ import annotations

import numpy as np
import pytest

collect_ignore = ["examples"]  # they need PyTorch; a test runs them


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240607)
