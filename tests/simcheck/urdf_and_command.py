"""The command line as a subprocess, as a user runs it, and small URDF texts."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
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


# A process of its own for every command, forked from one that has imported what they all need: the imports take
# most of the time of a short command. `fresh` starts Python anew, as a shell does.
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["simcheck.cli.app", "yourdfpy", "polars", "rich.table", "scipy.optimize"])


def run(*arguments: object, timeout: float = 120.0, env: dict[str, str] | None = None, fresh: bool = False) -> Ran:
    """Run ``simcheck`` with these arguments; nothing may ever show a traceback."""
    words = list(map(str, arguments))
    ran = _started(words, timeout, env) if fresh or env is not None else _forked(words, timeout)
    assert "Traceback" not in ran.err, ran.err
    return ran


def _started(words: list[str], timeout: float, env: dict[str, str] | None) -> Ran:
    command = [sys.executable, "-m", "simcheck", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=env, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def _forked(words: list[str], timeout: float) -> Ran:
    with tempfile.TemporaryDirectory() as scratch:
        outputs = [Path(scratch, name) for name in ("out", "err")]
        process = _SERVER.Process(target=_command, args=(words, outputs, dict(os.environ), os.getcwd()))
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            raise TimeoutError(f"simcheck {' '.join(words)}")
        assert process.exitcode is not None
        return Ran(process.exitcode, *(path.read_text(encoding="utf-8") for path in outputs))


def _command(words: list[str], outputs: list[Path], environment: dict[str, str], folder: str) -> None:
    """In the forked process: what ``simcheck WORDS`` does."""
    for number, path in enumerate(outputs, 1):
        with path.open("wb") as stream:
            os.dup2(stream.fileno(), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["simcheck", *words]
    from simcheck.cli import main

    main()


def compared(*paths: object, flags: Iterable[object] = ()) -> dict[str, Any]:
    """What ``simcheck compare --json`` says of two files."""
    ran = run("compare", *paths, "--json", *flags)
    assert ran.code == 0, ran.err
    return ran.json


def killed(*arguments: object, out: Path, parts: int) -> int:
    """Start ``simcheck``, kill it and its workers once so many parts are saved below `out`; how many there are."""
    command = [sys.executable, "-m", "simcheck", *map(str, arguments), "-q"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    saved, deadline = out / ".parts", time.monotonic() + 90
    while time.monotonic() < deadline and len(list(saved.glob("*.json"))) < parts and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (out / "summary.json").exists()
    return len(list(saved.glob("*.json")))


def case_folder(number: str) -> Path:
    (folder,) = CASES.glob(f"{number}-*")
    return folder


def case(number: str, *names: str) -> list[Path]:
    return [case_folder(number) / name for name in names]


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
