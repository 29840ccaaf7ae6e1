"""The catalogue: complete, used, readable."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from urdf_and_command import run

from simcheck.verification.catalogue import CATALOGUE, SEVERITIES, STRUCTURE

PACKAGE = Path(__file__).resolve().parents[3] / "simcheck"


def codes_in_the_source() -> set[str]:
    """Every text that looks like a code, outside the catalogue."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if path.name not in ("catalogue.py", "style.py") or path.parent.name == "cli":
            found |= set(re.findall(r'"([A-Z]{3,}(?:_[A-Z]+)+)"', path.read_text()))
        elif path.name == "style.py" and path.parent.name == "verification":
            found |= set(re.findall(r'finding\(\s*"([A-Z_]+)"', path.read_text()))
    return found


def uncoded(path: Path) -> Iterator[str]:
    """Places that make an error or a warning about a file without a code."""
    for call in ast.walk(ast.parse(path.read_text())):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("AssetError", "AssetWarning"):
            keywords = {k.arg for k in call.keywords}  # None: ** of one that was saved
            if not keywords & {"code", None} and not (call.func.id == "AssetWarning" and len(call.args) > 3):
                yield f"{path.relative_to(PACKAGE)}:{call.lineno}"


def test_everything_that_is_said_of_a_file_has_a_code():
    assert [place for path in PACKAGE.rglob("*.py") for place in uncoded(path)] == []


def test_every_code_that_is_raised_is_explained_and_every_one_explained_is_raised():
    not_codes = {"SIMCHECK_DEBUG", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}
    not_codes |= {"NUMEXPR_NUM_THREADS", "POLARS_MAX_THREADS", "LC_NUMERIC", "LC_ALL"}
    libxml = {"ERR_HYPHEN_IN_COMMENT", "NS_ERR_UNDEFINED_NAMESPACE", "ERR_UNKNOWN_VERSION", "ERR_VERSION_MISSING"}
    libxml |= {"ERR_SPACE_REQUIRED", "ERR_XMLDECL_NOT_FINISHED", "ERR_RESERVED_XML_NAME", "ERR_DOCUMENT_END"}
    single = {code for code in CATALOGUE if "_" not in code}  # DENSITY, CYCLE
    assert codes_in_the_source() - not_codes - libxml | single == set(CATALOGUE)


def test_entries_are_sentences():
    assert set(CATALOGUE) >= STRUCTURE
    for entry in CATALOGUE.values():
        assert entry.severity in SEVERITIES
        assert entry.title[0].islower() or entry.title[0].isdigit()
        assert not entry.title.endswith(".")
        assert entry.why.endswith(".")
        assert entry.remedy.endswith((".", "?"))


def test_explain():
    ran = run("explain", "axis_zero")
    entry = CATALOGUE["AXIS_ZERO"]
    assert ran.code == 0
    assert all(text in ran.out for text in ("AXIS_ZERO", "error", entry.title, entry.why, entry.remedy))
    everything = run("explain")
    assert everything.code == 0
    assert [line.split()[0] for line in everything.out.splitlines()] == list(CATALOGUE)
    unknown = run("explain", "AXIS_ZRO")
    assert (unknown.code, unknown.out) == (2, "")
    assert "did you mean AXIS_ZERO?" in unknown.err
