"""Findings that are known: an earlier result, whose findings are not reported again."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

from simcheck.errors import UsageError
from simcheck.verification.finding import FileReport

Key = tuple[str, str, str, str]  # absolute file, code, element, attribute


def read_baseline(path: Path) -> Counter[Key]:
    """The findings of a saved ``--json`` result (or ``summary.json``), counted; `UsageError` if it is none."""
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        found = [f for entry in files for kind in ("errors", "warnings", "infos") for f in entry[kind]]
        return Counter((os.path.abspath(f["file"]), f["code"], f["element"], f["attribute"]) for f in found)
    except OSError as error:
        raise UsageError(f"--baseline: {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"--baseline: {path} is not a result of simcheck verify --json") from None


def without_known(report: FileReport, known: Counter[Key]) -> FileReport:
    """The report without the findings of the baseline; as many of a kind stay as are new."""
    kept, left = [], Counter(known)
    file = os.path.abspath(report.file)
    for f in report.findings:
        key = (file, f.code, f.element, f.attribute)
        if left[key] > 0:
            left[key] -= 1
        else:
            kept.append(f)
    return replace(report, findings=tuple(kept), known=len(report.findings) - len(kept))
