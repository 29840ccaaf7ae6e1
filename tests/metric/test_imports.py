"""What `import metric` needs, what it loads, and which way the packages point."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import metric

ROOT = Path(metric.__file__).parent
BLOCKED = ("pybullet", "yourdfpy", "trimesh", "matplotlib", "lxml", "polars", "numba")
LAZY = (
    *BLOCKED,
    "torch",
    "jax",
    "numpy.f2py",
    "numpy.testing",
    "scipy.special",
    "scipy.stats",
    "scipy.optimize",
    "scipy.linalg",
)


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT.parent)


def test_metric_works_where_everything_else_is_missing():
    """Every module imported, a distance computed, with the harness's libraries blocked."""
    code = f"""
import sys
for name in {BLOCKED!r}:
    sys.modules[name] = None
import importlib, pkgutil, metric
for module in pkgutil.walk_packages(metric.__path__, "metric."):
    importlib.import_module(module.name)
door = metric.Joint("revolute", upper=1.0)
print(metric.joint_distance(door, metric.Joint("fixed"), metric.SplitNorm(), 1.0))
"""
    result = run(code)
    assert result.returncode == 0, result.stderr
    assert 0.7 < float(result.stdout) < 0.8


def test_import_is_light():
    """Numpy and array-api-compat; the parts of scipy only where they are used."""
    code = f"import sys, metric; print([name for name in {LAZY!r} if name in sys.modules])"
    assert run(code).stdout.strip() == "[]"


def test_metric_points_neither_to_the_harness_nor_to_the_experiments():
    """Read from the source: whatever is imported, at any depth, lazily or not."""
    allowed = {"metric", "numpy", "scipy", "array_api_compat", "numba", "jax", *sys.stdlib_module_names}
    files = sorted(ROOT.rglob("*.py"))
    assert len(files) > 15
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative import"
                names = [node.module or ""]
            for name in names:
                assert name.split(".")[0] in allowed, f"{path.name} imports {name}"
