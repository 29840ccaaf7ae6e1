"""Findings as SARIF 2.1.0 (OASIS), which code hosts show beside the lines of a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from simcheck.verification.catalogue import CATALOGUE
from simcheck.verification.finding import FileReport, Finding

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_text(result: Mapping[str, Any]) -> str:
    """The result of verify as a SARIF log with one run; each code that occurs is a rule."""
    found = [f for entry in result["files"] for f in FileReport.from_entry(entry).findings]
    codes = sorted({f.code for f in found}, key=list(CATALOGUE).index)
    driver = {
        "name": "simcheck",
        "version": result["version"],
        "semanticVersion": result["version"],
        "rules": [_rule(code) for code in codes],
    }
    results = [_result(f, codes.index(f.code)) for f in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False)


def _rule(code: str) -> dict[str, Any]:
    entry = CATALOGUE[code]
    return {
        "id": code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.why},
        "help": {"text": entry.remedy},
        "defaultConfiguration": {"level": _LEVELS[entry.severity]},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    path = PurePath(finding.file)
    physical: dict[str, Any] = {
        "artifactLocation": {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}
    }
    if finding.line is not None:
        physical["region"] = {"startLine": finding.line}
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.element:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.element}]
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.text}. {finding.remedy}"},
        "locations": [location],
    }
