"""The report takes plain data: it imports nothing of the harness, and the page nothing that is slow."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import simcheck.report

FOLDER = Path(simcheck.report.__file__).parent


def test_the_report_imports_nothing_of_the_harness():
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("simcheck") or name.startswith("simcheck.report"), f"{path.name}: {name}"


def test_pages_and_pictures_start_without_matplotlib_jinja_and_pillow():
    code = (
        "import sys, simcheck.report.page, simcheck.report.motion, simcheck.report.images;"
        "print(sorted({'matplotlib', 'jinja2', 'PIL', 'polars'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
