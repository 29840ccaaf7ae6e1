"""The pytest plugin: a fixture ``assert_same_kinematics``, known to pytest wherever simcheck is installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture(name="assert_same_kinematics", scope="session")
def _assert_same_kinematics() -> Callable[..., None]:
    """``assert_same_kinematics(gt, pred, tol=1e-9)``: see `simcheck.testing`."""
    from simcheck.testing import assert_same_kinematics

    return assert_same_kinematics
