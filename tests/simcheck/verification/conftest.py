"""Fixtures of the tests of verify."""

from __future__ import annotations

import pytest

from simcheck.engine.pybullet import PyBulletEngine


@pytest.fixture(scope="module")
def engine():
    with PyBulletEngine() as opened:
        yield opened
