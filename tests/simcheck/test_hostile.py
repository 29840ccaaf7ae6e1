"""Hostile files: refused by name, quickly, nothing read that was not asked for."""

from __future__ import annotations

import os
import time

import pytest
from urdf_and_command import joint, robot, run

import simcheck
from simcheck.asset import normalise, xml

LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE robot [
<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<robot name="&c;&c;&c;"><link name="a"/></robot>
"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<robot name="r"><link name="&secret;"/></robot>
"""


@pytest.mark.parametrize("text", [LAUGHS, OUTSIDE, LAUGHS.encode("utf-16")], ids=["bomb", "external", "bomb in UTF-16"])
def test_entities_are_not_read(tmp_path, text):
    path = tmp_path / "bad.urdf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    started = time.monotonic()
    ran = run("describe", path, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "bad.urdf" in ran.err
    assert "entities" in ran.err
    assert "root:" not in ran.err
    assert time.monotonic() - started < 10


def test_external_document_type_is_never_fetched(write):
    text = robot(joint("j", "revolute", "a", "b")).replace(
        "<robot", '<!DOCTYPE robot SYSTEM "http://localhost:9/x.dtd"><robot', 1
    )
    assert simcheck.load(write(text)).joint("j").upper == 1.0


def test_a_file_of_200_megabytes_is_not_read(tmp_path):
    path = tmp_path / "huge.urdf"
    with path.open("wb") as stream:
        stream.write(b"<robot name='r'>")
        stream.truncate(200 * 2**20)  # sparse: costs no disk
    started = time.monotonic()
    ran = run("describe", path, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "huge.urdf" in ran.err
    assert "200 MB" in ran.err
    assert time.monotonic() - started < 10


def _chain(count: int) -> str:
    links = "".join(f'<link name="l{k}"/>' for k in range(count + 1))
    joints = (joint(f"j{k}", "revolute", f"l{k}", f"l{k + 1}") for k in range(count))
    return robot(*joints, links=links)


def test_100_000_joints_are_refused_by_number(write):
    path = write(_chain(100_000))
    assert path.stat().st_size < xml.MAX_BYTES
    ran = run("describe", path, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "100,000 joints; the limit is 20,000" in ran.err


def test_a_chain_of_as_many_joints_as_allowed_is_read(write, monkeypatch):
    """Depth is no danger: nothing recurses along the tree."""
    monkeypatch.setattr(normalise, "MAX_JOINTS", 3_000)
    obj = simcheck.load(write(_chain(3_000)))
    assert len(obj.downstream("l0")) == 3_001
    assert obj.moved_body("j2999").body is None


def test_names_cannot_break_out(write):
    """Names reach the simulator and JSON as data."""
    evil = 'j"/&gt;&lt;joint name=&quot;x'
    text = robot(joint(evil.replace('"', "&quot;"), "revolute", "a", "b"))
    path = write(text)
    ran = run("drive", path, "--json")
    assert ran.code == 0, ran.err
    (entry,) = ran.json["joints"]
    assert entry["name"].startswith('j"/><joint')
    assert entry["placement_error"] < 1e-12


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"not xml at all", b"<robot", b"\xff\xfe<\x00", b"{}"])
def test_rubbish(tmp_path, content):
    path = tmp_path / "rubbish.urdf"
    path.write_bytes(content)
    with pytest.raises(simcheck.AssetError, match=r"rubbish\.urdf"):
        simcheck.load(path)


def test_truncated_download(write):
    text = robot(joint("j", "revolute", "a", "b"))
    with pytest.raises(simcheck.AssetError, match="not well-formed XML"):
        simcheck.load(write(text[: len(text) // 2]))


def test_other_formats_are_named(write):
    with pytest.raises(simcheck.AssetError, match=r"MJCF model, not a URDF\n.*convert"):
        simcheck.load(write("<mujoco model='m'><worldbody/></mujoco>"))
    with pytest.raises(simcheck.AssetError, match="root element is <sdf>"):
        simcheck.load(write("<sdf/>"))


def test_no_such_file_folder_and_no_permission(tmp_path, write):
    for path, words in ((tmp_path / "none.urdf", "no such file"), (tmp_path, "this is a folder")):
        ran = run("describe", path)
        assert ran.code == 2
        assert words in ran.err
    if os.geteuid() != 0:
        path = write("<robot/>")
        path.chmod(0)
        assert "cannot be read" in run("describe", path).err
