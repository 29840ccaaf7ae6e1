"""A file that crashes, hangs or floods the simulator costs only itself."""

from __future__ import annotations

import ctypes
import os

from small_files import CLEAN, HINGE, SLIDE, B, link, one, two
from urdf_and_command import joint

from simcheck.verification.batch import examine_all
from simcheck.verification.examination import Checks
from simcheck.workers import Workers

SECOND = joint("k", "revolute", "b", "c", xyz="0.11 0 0", axis="1 0 0", limit='lower="-0.5" upper="1"')
CRASHES = {
    "JOINT_NAME_DUPLICATE": two(HINGE, SECOND.replace('"k"', '"j"')),
    "ROOTS_SEVERAL": one(b=B + link("c")),
    "JOINT_TYPE_MISSING": one(HINGE.replace(' type="revolute"', "")),
}


def test_a_crash_costs_one_file(tmp_path):
    """1 in 20 kills its process: as many rows as files, in order, every other file looked at whole."""
    files, bad = [], {}
    for k in range(60):
        path = tmp_path / f"{k:03d}.urdf"
        text = one(SLIDE.replace('lower="0"', 'lower="-0.1"'))  # a warning of the last check of all
        if k % 20 == 7:
            bad[str(path)], text = list(CRASHES.items())[len(bad)]
        path.write_text(text)
        files.append(str(path))
    reports = list(examine_all(files, Checks(), workers=2))
    assert [r.file for r in reports] == files
    for report in reports:
        codes = [f.code for f in report.findings]
        if report.file in bad:
            assert {"SIM_CRASHED", bad[report.file]} <= set(codes)
            (crash,) = (f for f in report.findings if f.code == "SIM_CRASHED")
            assert "SIGSEGV" in crash.message
            assert crash.value == "loading the file as it stands"
        else:
            assert codes == ["PARTS_COLLIDE"]


def test_a_hang_costs_one_file_and_its_time(tmp_path):
    """A mesh that is a pipe: PyBullet waits for it for ever. A file that is a pipe: so do we."""
    os.mkfifo(tmp_path / "pipe.obj")
    os.mkfifo(tmp_path / "pipe.urdf")
    mesh = '<collision><geometry><mesh filename="pipe.obj"/></geometry></collision>'
    (tmp_path / "a.urdf").write_text(CLEAN)
    (tmp_path / "b.urdf").write_text(one(b=link("b", mesh)))
    (tmp_path / "c.urdf").write_text(CLEAN)
    names = [str(tmp_path / name) for name in ("a.urdf", "b.urdf", "pipe.urdf", "c.urdf")]
    first, hanging, pipe, last = examine_all(names, Checks(), workers=2, timeout=6)
    assert not first.findings
    assert not last.findings
    assert {"SIM_TIMEOUT", "MESH_MISSING"} == {f.code for f in hanging.errors}
    assert [f.code for f in pipe.findings] == ["CHECK_FAILED"]
    assert "no answer within 6 s" in pipe.findings[0].message


def test_a_flood_of_messages_is_cut(tmp_path):
    """Two lines for each of 2,000 links, and more: what is kept of them is a few words."""
    links = "".join(f'<link name="l{k}"/>' for k in range(2000))
    joints = "".join(joint(f"j{k}", "fixed", "l0", f"l{k + 1}", xyz="0,1 0 0") for k in range(1999))
    path = tmp_path / "flood.urdf"
    path.write_text(f'<robot name="r">{links}{joints}</robot>')
    (report,) = examine_all([str(path)], Checks())
    assert sum(f.code == "NUMBER_INVALID" for f in report.findings) == 1999
    assert all(len(f.message) < 2000 for f in report.findings)


def flood():
    """Print some 100 MB from C."""
    line = b"x" * 999
    puts = ctypes.CDLL(None).puts
    for _ in range(100_000):
        puts(line)
    return "done"


def test_output_without_end_does_not_fill_the_disk():
    with Workers(1) as workers:
        (first,) = workers.map(flood, [()])
        assert first.value == "done"
        assert len(first.output) <= 20_000
        (second,) = workers.map(os.getpid, [()])
        assert second.output == ""
