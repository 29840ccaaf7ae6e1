"""Settings and random inputs shared by the metric's tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

collect_ignore = ["examples"]  # they need PyTorch; a test runs them

settings.register_profile("deterministic", derandomize=True, deadline=None)
settings.load_profile("deterministic")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240607)
