"""Fixtures of the harness's tests; one headless browser for all tests of pages, skipped where there is none."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import browser as headless
import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs chromium, chromedriver and selenium")


@pytest.fixture
def write(tmp_path):
    """Write a URDF text into a file of its own."""

    def write_text(text: str, name: str = "robot.urdf") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[headless.Browser]:
    if headless.CHROMIUM is None or headless.DRIVER is None:
        pytest.skip("no chromium or chromedriver on the path (Debian: apt-get install chromium chromium-driver)")
    if importlib.util.find_spec("selenium") is None:
        pytest.skip("selenium is not installed (pip install selenium)")
    with headless.started(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures of pages are kept: the folder SIMCHECK_SCREENSHOTS names, for people to look at."""
    folder = Path(os.environ.get("SIMCHECK_SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
