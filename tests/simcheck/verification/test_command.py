"""The command: exit codes, text, JSON, JUnit, SARIF, HTML, baseline, folders, results that resume."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from lxml import etree
from small_files import CLEAN, HINGE, B, boxed, link, one
from urdf_and_command import run

import simcheck
from simcheck.results import to_json
from simcheck.verification.junit import junit_text
from simcheck.verification.page import write_html
from simcheck.verification.sarif import sarif_text

SWAPPED = one(HINGE.replace('lower="-0.5" upper="1"', 'lower="1" upper="-0.5"'))
WARNED = one(b=link("b", boxed()))


TEXTS = {"clean.urdf": CLEAN, "deeper/swapped.urdf": SWAPPED, "warned.urdf": WARNED, "torn.urdf": CLEAN[:200]}


def library_in(folder):
    """A folder of files: clean, with an error, with a warning, not XML."""
    (folder / "deeper").mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    (folder / "notes.txt").write_text("not a URDF")
    return folder


@pytest.fixture
def library(tmp_path):
    return library_in(tmp_path / "library")


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A library that no test changes, and what verify says of it."""
    folder = library_in(tmp_path_factory.mktemp("shared") / "library")
    return folder, simcheck.verify(folder)


@pytest.mark.parametrize(
    ("names", "code"),
    [(["clean.urdf", "warned.urdf"], 0), (["notes.txt"], 1), ([""], 1), (["clean.urdf", "none.urdf"], 2)],
    ids=["warnings only", "not parsable", "a folder", "no such path"],
)
def test_exit_codes(shared, names, code):
    """SPEC section 9: 1 when any error finding exists, an unparsable file included; 2 only for a missing path."""
    ran = run("verify", *(shared[0] / name for name in names), "--json", "--no-sweep", "--no-motor")
    assert ran.code == code, ran.err
    assert (ran.out == "") == (code == 2)
    if code == 2:
        assert "no such file or folder" in ran.err


def test_text_is_one_finding_a_line(shared):
    ran = run("verify", shared[0], "--workers", "2")
    *lines, last = ran.out.splitlines()
    assert last == "4 files, 2 with errors: 3 errors, 1 warning, 0 infos"
    assert len(lines) == 4
    (swapped,) = (line for line in lines if "LIMIT_ORDER" in line)
    assert swapped.startswith(f"{shared[0]}/deeper/swapped.urdf:4: error LIMIT_ORDER: joint 'j' limit: ")
    assert "1 is greater than upper -0.5" in swapped  # value
    assert "the joint moves freely" in swapped  # why it matters
    assert swapped.endswith("Swap the two.")  # how to mend it


def test_json(shared):
    folder, result = shared
    assert {"schema", "version", "command", "settings", "frame", "warnings", "files"} == set(result)
    assert result["command"] == "verify"
    names = [f"{folder}/{name}" for name in ("clean.urdf", "deeper/swapped.urdf", "torn.urdf", "warned.urdf")]
    assert [entry["file"] for entry in result["files"]] == names
    assert [entry["ok"] for entry in result["files"]] == [True, False, False, True]
    assert set(result["settings"]["inputs"]) == set(names)
    for entry in result["files"]:
        for kind, severity in (("errors", "error"), ("warnings", "warning"), ("infos", "info")):
            for finding in entry[kind]:
                assert finding["severity"] == severity
                fields = {"code", "severity", "file", "element", "attribute", "value", "message", "remedy"}
                assert fields <= set(finding)
    # The same from the command line, and whatever the number of workers.
    assert run("verify", folder, "--json", "--workers", "2").json == result


def test_progress(shared):
    folder, result = shared
    steps = []
    simcheck.verify(folder, motor=False, sweep=False, progress=lambda *step: steps.append(step))
    assert steps == [(k + 1, 4, entry["file"]) for k, entry in enumerate(result["files"])]


def test_junit(shared):
    folder, result = shared
    root = etree.fromstring(junit_text(result).encode())
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "4", "2")
    cases = {case.get("name"): case for case in root.iter("testcase")}
    failures = cases[f"{folder}/deeper/swapped.urdf"].findall("failure")
    assert [f.get("type") for f in failures] == ["LIMIT_ORDER", "SIM_LIMITS"]
    assert "INERTIAL_MISSING" in cases[f"{folder}/warned.urdf"].find("system-out").text
    assert len(cases[f"{folder}/clean.urdf"]) == 0


def test_sarif(shared):
    log = json.loads(sarif_text(shared[1]))
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    results = only["results"]
    assert {r["id"] for r in rules} == {r["ruleId"] for r in results}
    for result in results:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
    swapped = next(r for r in results if r["ruleId"] == "LIMIT_ORDER")
    (location,) = swapped["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"].endswith("/deeper/swapped.urdf")
    assert location["physicalLocation"]["region"] == {"startLine": 4}
    assert location["logicalLocations"] == [{"fullyQualifiedName": "joint 'j'"}]


def test_names_cannot_break_the_outputs(tmp_path):
    """Names are data, whatever they hold."""
    path = tmp_path / "evil <b>&é.urdf"
    evil = "j&quot;]]&gt;&lt;/testcase&gt;&lt;script&gt;&#10;error X"
    path.write_text(SWAPPED.replace('"j"', f'"{evil}"'), encoding="utf-8")
    page, junit, sarif = (tmp_path / name for name in ("page.html", "deep/junit.xml", "log.sarif"))
    ran = run("verify", path, "--html", page, "--junit", junit, "--sarif", sarif, "-q")
    assert ran.code == 1
    assert all("evil <b>" in line and ": error " in line for line in ran.out.splitlines()[:-1])  # no line of its own
    assert "<script>\nerror" not in page.read_text()
    (case,) = etree.parse(str(junit)).getroot().iter("testcase")
    assert any('j"]]></testcase><script>' in f.get("message") for f in case.findall("failure"))
    uri = json.loads(sarif.read_text())["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert "%20%3Cb%3E%26" in uri["uri"]


@pytest.mark.parametrize("option", ["--junit", "--sarif"])
def test_a_format_alone_on_stdout(shared, option):
    ran = run("verify", shared[0] / "torn.urdf", option, "-")
    assert ran.code == 1
    assert "XML_BROKEN" in ran.out
    assert ran.out.startswith("<?xml" if option == "--junit" else "{")


class _Texts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.texts = []

    def handle_data(self, data):
        self.texts.append(data)


def test_html(shared, tmp_path):
    page = tmp_path / "page.html"
    write_html(page, shared[1])
    parser = _Texts()
    parser.feed(page.read_text())
    text = " ".join(parser.texts)
    assert "4 files: 2 with errors." in text
    for word in ("LIMIT_ORDER", "XML_BROKEN", "INERTIAL_MISSING", "What the codes mean"):
        assert word in text


def test_only_one_format_can_have_stdout(shared):
    ran = run("verify", shared[0], "--json", "--sarif", "-")
    assert (ran.code, ran.out) == (2, "")


def test_baseline(library, tmp_path, monkeypatch):
    """Known findings are counted and not reported; new ones are, one more of a kind too."""
    known = tmp_path / "known.json"
    known.write_text(to_json(simcheck.verify(library)))
    again = run("verify", library, "--baseline", known)
    assert again.code == 0, again.out
    assert again.out.strip() == "4 files, 0 with errors: 0 errors, 0 warnings, 0 infos, 4 known from the baseline"
    (library / "clean.urdf").write_text(SWAPPED.replace("0.5", "0.4"))
    entries = {entry["file"]: entry for entry in simcheck.verify(library, baseline=known)["files"]}
    assert [f["code"] for f in entries[f"{library}/clean.urdf"]["errors"]] == ["LIMIT_ORDER", "SIM_LIMITS"]
    assert entries[f"{library}/deeper/swapped.urdf"] == {
        "file": f"{library}/deeper/swapped.urdf", "ok": True, "errors": [], "warnings": [], "infos": [], "known": 2
    }  # fmt: skip
    # Paths are the same file, however they are written.
    monkeypatch.chdir(library)
    assert simcheck.verify("warned.urdf", baseline=known)["files"][0]["known"] == 1


def test_a_second_finding_of_a_kind_is_new(tmp_path):
    path, known = tmp_path / "a.urdf", tmp_path / "known.json"
    path.write_text(one(b=B.replace('size="0.1 0.2 0.3"', 'size="0.1 0.2"', 1)))
    known.write_text(to_json(simcheck.verify(path)))
    path.write_text(one(b=link("b", boxed("visual", size="0.1 0.2"), boxed("visual", size="0.1 0.2 0.3 0.4"))))
    (entry,) = simcheck.verify(path, baseline=known)["files"]
    assert [f["value"] for f in entry["errors"] if f["code"] == "NUMBER_COUNT"] == ["0.1 0.2 0.3 0.4"]


@pytest.mark.parametrize("content", [None, "", "{}", "[1]", '{"files": [{"errors": [1]}]}'])
def test_a_baseline_that_is_none(shared, tmp_path, content):
    known = tmp_path / "known.json"
    if content is not None:
        known.write_text(content)
    with pytest.raises(simcheck.UsageError, match=r"--baseline: .*known\.json"):
        simcheck.verify(shared[0] / "clean.urdf", baseline=known)


def test_results_are_saved_and_resumed(library, tmp_path):
    out = tmp_path / "out"
    first = simcheck.verify(library, out=out)
    names = {"rows.parquet", "rows.csv", "summary.json", "settings.json", "report.html"}
    assert {p.name for p in out.iterdir()} == names
    import polars

    rows = polars.read_parquet(out / "rows.parquet")
    assert rows.columns == ["file", "line", "severity", "code", "element", "attribute", "value", "message", "remedy"]
    assert rows.height == 4
    assert sorted(rows["code"]) == ["INERTIAL_MISSING", "LIMIT_ORDER", "SIM_LIMITS", "XML_BROKEN"]
    before = (out / "summary.json").read_bytes()
    assert json.loads(before) == first
    # Other inputs are other settings.
    (library / "clean.urdf").write_text(SWAPPED)
    assert run("verify", library, "--out", out).code == 2
    simcheck.verify(library, out=out, force=True)
    assert (out / "summary.json").read_bytes() != before
    # What another version found is not gone on with.
    settings = json.loads((out / "settings.json").read_text())
    assert settings["version"] == simcheck.__version__
    (out / "settings.json").write_text(to_json({**settings, "version": "0.0.1"}))
    with pytest.raises(simcheck.UsageError, match=r"other settings \(version\)"):
        simcheck.verify(library, out=out)


def test_a_killed_run_goes_on_where_it_was(library, tmp_path, monkeypatch):
    """Parts that are there are not done again, and the result is the same."""
    from simcheck import batch

    whole = simcheck.verify(library, out=tmp_path / "whole")
    calls = []

    def stop(report):
        calls.append(report.file)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simcheck.verify(library, out=tmp_path / "killed", watch=stop)
    assert not (tmp_path / "killed" / "summary.json").exists()
    examined = []
    real = batch.Workers.map
    monkeypatch.setattr(
        batch.Workers, "map", lambda self, do, tasks: real(self, do, (examined.append(t) or t for t in tasks))
    )
    assert simcheck.verify(library, out=tmp_path / "killed") == whole
    assert 0 < len(examined) < 4
    for name in ("summary.json", "rows.csv"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_bad_usage():
    with pytest.raises(simcheck.UsageError, match="--engine: expected pybullet or mujoco"):
        simcheck.verify(".", engine="ode")


def test_a_simulator_that_is_not_installed_is_bad_usage(shared):
    """Not one failed check a file."""
    path = shared[0] / "clean.urdf"
    code = (
        "import sys; sys.modules['mujoco'] = None; from simcheck.cli import main;"
        f"sys.argv = ['simcheck', 'verify', {str(path)!r}, '--engine', 'mujoco']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "install the extra [mujoco]" in done.stderr
