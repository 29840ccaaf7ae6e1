"""Ten thousand files, one in a hundred of which kills its process: as many rows as files, and memory stays flat.

    python tests/benchmarks/verify_isolation.py [FILES]

The files are copies of hand-checked objects; the bad ones have a duplicate joint name, two roots, or a link with two
parents: PyBullet dies on each of them. Prints the resident memory of this process and of the largest worker.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from simcheck.verification.batch import examine_all
from simcheck.verification.examination import Checks

URDFS = Path(__file__).resolve().parents[2] / "urdfs"
OBJECTS = ("furniture/nightstand.urdf", "electronics/laptop.urdf", "tools/scissors.urdf", "containers/jar.urdf")
JOINT = '<joint name="{}" type="fixed"><parent link="{}"/><child link="{}"/></joint>'
EXTRA = {
    "JOINT_NAME_DUPLICATE": '<link name="x"/>' + JOINT.format("{joint}", "{root}", "x"),
    "ROOTS_SEVERAL": '<link name="x"/>',
    "PARENTS_SEVERAL": JOINT.format("x", "{root}", "{child}"),
}


def write_files(folder: Path, count: int) -> tuple[list[str], dict[str, str]]:
    """The files, and the code that each bad one must have."""
    for meshes in {(URDFS / name).parent / "meshes" for name in OBJECTS}:
        if meshes.is_dir():
            shutil.copytree(meshes, folder / "meshes", dirs_exist_ok=True)
    texts = [(URDFS / name).read_text() for name in OBJECTS]
    files, bad = [], {}
    for k in range(count):
        text = texts[k % len(texts)]
        path = folder / f"{k:06d}.urdf"
        if k % 100 == 50:
            code = list(EXTRA)[k // 100 % len(EXTRA)]
            places = {"root": "link name", "joint": "joint name", "child": "child link"}
            extra = EXTRA[code].format(**{name: _first(text, place) for name, place in places.items()})
            text = text.replace("</robot>", f"{extra}</robot>")
            bad[str(path)] = code
        path.write_text(text)
        files.append(str(path))
    return files, bad


def _first(text: str, attribute: str) -> str:
    return text.split(f'{attribute}="', 1)[1].split('"', 1)[0]


def resident(pid: int | str) -> float:
    """MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 2**20


def largest_worker() -> float:
    """MiB of the largest child of this process."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return max((resident(pid) for pid in children), default=0.0)


def main() -> None:
    """Examine the files and count."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        files, bad = write_files(Path(name), count)
        started, rows, right, marks = time.perf_counter(), 0, 0, []
        for report in examine_all(files, Checks(), workers=2):
            assert report.file == files[rows]
            rows += 1
            codes = {f.code for f in report.findings}
            expected = bad.get(report.file)
            right += {"SIM_CRASHED", expected} <= codes if expected else report.ok
            if rows % max(count // 10, 1) == 0:
                gc.collect()
                marks.append((resident("self"), largest_worker()))
                print(f"{rows:6} files, {time.perf_counter() - started:6.1f} s: {marks[-1][0]:6.1f} MiB here, "
                      f"{marks[-1][1]:6.1f} MiB in the largest worker", flush=True)  # fmt: skip
    print(f"{rows} rows of {count} files, {len(bad)} of which killed their process; {right} rows as they must be")


if __name__ == "__main__":
    main()
