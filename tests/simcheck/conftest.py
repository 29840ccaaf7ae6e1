"""Fixtures of the harness's tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def write(tmp_path):
    """Write a URDF text into a file of its own."""

    def write_text(text: str, name: str = "robot.urdf") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_text
