"""README's blocks run, its commands exist, and its pictures are there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, flags=re.DOTALL)
COMMANDS = [
    line for kind, block in BLOCKS if kind == "bash" for line in block.splitlines() if line.startswith("simcheck")
]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_run(line, tmp_path):
    words = shlex.split(line)[1:]
    if "--out" in words:
        words[words.index("--out") + 1] = str(tmp_path / "out")
    done = subprocess.run(
        [sys.executable, "-m", "simcheck", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("block", [b for kind, b in BLOCKS if kind == "python"])
def test_python_blocks_run(block):
    subprocess.run([sys.executable, "-c", block], cwd=ROOT, check=True)


def test_the_two_commands_are_one_line_each():
    """They are what CI runs; here only that they say what the project installs."""
    first, second = (block.strip() for kind, block in BLOCKS[:2] if kind == "bash")
    assert first.endswith("simcheck calibrate")
    assert second.endswith("python -m pytest")
    assert "\n" not in first + second
    extras = set(re.findall(r"\[(\w+)\]", first + second))
    assert extras <= set(re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), flags=re.MULTILINE))


def test_pictures_and_commands_exist():
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", TEXT):
        assert (ROOT / picture).is_file(), picture
    help_text = subprocess.run(
        [sys.executable, "-m", "simcheck", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for command in re.findall(r"^\| `simcheck (\w+)", TEXT, flags=re.MULTILINE):
        assert command in help_text
