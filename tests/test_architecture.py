"""The house: who may import whom, that the list of packages is complete, and what must not be named."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = {
    "metric": {"metric"},
    "simcheck": {"metric", "simcheck"},
    "experiments": {"metric", "simcheck", "experiments"},
}
OURS = set(ALLOWED)


def imported(path: Path) -> set[str]:
    """Top-level names of all modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
    return found


@pytest.mark.parametrize("package", ALLOWED)
def test_arrows_point_one_way(package):
    for path in (ROOT / package).rglob("*.py"):
        inside = {name.split(".")[0] for name in imported(path)} & OURS
        if path.is_relative_to(ROOT / "simcheck" / "cli"):
            inside -= {"experiments"}  # the outermost ring may start an experiment
        assert inside <= ALLOWED[package], path


def test_nothing_imports_the_command_line():
    for package in OURS:
        for path in (ROOT / package).rglob("*.py"):
            if path.is_relative_to(ROOT / "simcheck" / "cli") or path.name == "__main__.py":
                continue
            assert not any(name.startswith("simcheck.cli") for name in imported(path)), path


def test_only_the_engine_imports_the_simulator():
    for path in (ROOT / "simcheck").rglob("*.py"):
        if path.parent != ROOT / "simcheck" / "engine":
            assert not any(name.split(".")[0] == "pybullet" for name in imported(path)), path


def test_metric_needs_no_harness():
    """`import metric` and a distance, with everything that only the harness needs blocked."""
    code = """
import sys
for name in ("pybullet", "yourdfpy", "trimesh", "matplotlib", "lxml", "polars", "rich", "typer", "jinja2", "numba"):
    sys.modules[name] = None
import metric
assert metric.joint_distance(metric.Joint("prismatic", upper=1.0), metric.Joint("fixed"), metric.SplitNorm()) == 1.0
assert not [m for m in sys.modules if m.split(".")[0] in ("simcheck", "experiments")]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_list_of_packages_is_complete():
    text = (ROOT / "pyproject.toml").read_text()
    listed = text[text.index("packages = [") : text.index("package-dir")]
    on_disk = {
        str(init.parent.relative_to(ROOT)).replace("/", ".")
        for package in OURS
        for init in (ROOT / package).rglob("__init__.py")
    }
    assert {line.strip(' ",') for line in listed.splitlines()[1:] if line.strip(' ",]')} == on_disk | {"simcheck.urdfs"}


def test_modules_are_small():
    """One job a module; the longest have a reason to be one piece."""
    modules = [path for package in OURS for path in (ROOT / package).rglob("*.py")]
    assert not {path.name for path in modules if len(path.read_text().splitlines()) > 500}
