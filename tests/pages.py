"""Pages of Markdown whose blocks run, one after the other, in a folder that has ``urdfs/``.

A block marked ``json FILE`` or ``python FILE`` is saved under that name; ``bash`` and ``python`` run; ``text`` is what
the block before it prints, with ``…`` for anything.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Block:
    kind: str
    file: str
    text: str


def blocks(markdown: str) -> list[Block]:
    found = re.findall(r"^```(\w*) ?(\S*)\n(.*?)^```$", markdown, flags=re.DOTALL | re.MULTILINE)
    return [Block(*parts) for parts in found]


def run_blocks(markdown: str, folder: Path) -> None:
    """Run every block of a page in a folder; `AssertionError` names the block that does not do what it says."""
    (folder / "urdfs").symlink_to(ROOT / "urdfs")
    printed = ""
    for block in blocks(markdown):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.kind == "bash":
            printed = _run(["bash", "-euo", "pipefail", "-c", block.text], folder, block)
        elif block.kind == "python":
            printed = _run([sys.executable, "-c", block.text], folder, block)
        elif block.kind == "text":
            assert matches(block.text, printed), f"expected:\n{block.text}\nprinted:\n{printed}"
        else:
            raise AssertionError(f"a block that nobody runs:\n{block.text}")


def _run(command: list[str], folder: Path, block: Block) -> str:
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([scripts, os.environ["PATH"]]), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{block.text}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def matches(expected: str, printed: str) -> bool:
    """Whether the text is what was printed: white space counts as one space, ``…`` as anything."""
    words = [re.escape(" ".join(part.split())) for part in expected.split("…")]
    return re.fullmatch(r"\s*(?:.*)".join(words), " ".join(printed.split()), flags=re.DOTALL) is not None
