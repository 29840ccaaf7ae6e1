"""The command line as a subprocess, as a user runs it, and small URDF texts."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
CASES = TESTS / "cases"
ASSETS = TESTS / "assets"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


def run(*arguments: object, timeout: float = 120.0, env: dict[str, str] | None = None) -> Ran:
    """Run ``simcheck`` with these arguments; nothing may ever show a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "simcheck", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=env,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def case_folder(number: str) -> Path:
    (folder,) = CASES.glob(f"{number}-*")
    return folder


def robot(*joints: str, links: str = "", name: str = "r") -> str:
    """A URDF text: links a, b, c, … with unit inertials unless given, and the joints."""
    if not links:
        inertial = (
            '<inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
            '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>'
        )
        names = "abcdefgh"[: len(joints) + 1]
        links = "".join(f'<link name="{n}">{inertial}</link>' for n in names)
    return f'<?xml version="1.0"?>\n<robot name="{name}">{links}{"".join(joints)}</robot>\n'


def joint(
    name: str,
    kind: str,
    parent: str,
    child: str,
    *,
    xyz: str = "0 0 0",
    rpy: str = "0 0 0",
    axis: str | None = "0 0 1",
    limit: str | None = 'lower="0" upper="1"',
    more: str = "",
) -> str:
    axis_text = "" if axis is None or kind == "fixed" else f'<axis xyz="{axis}"/>'
    limit_text = "" if limit is None or kind in ("fixed", "continuous") else f"<limit {limit}/>"
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}" rpy="{rpy}"/>{axis_text}{limit_text}{more}</joint>'
    )
