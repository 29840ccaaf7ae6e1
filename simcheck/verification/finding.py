"""One finding about one place in one file, and all findings of a file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from simcheck.errors import AssetError, AssetWarning
from simcheck.verification.catalogue import CATALOGUE, SEVERITIES


@dataclass(frozen=True)
class Finding:
    """What is wrong or odd, where, with which value, and how to mend it (SPEC section 9)."""

    code: str
    severity: str  # error, warning, info
    file: str
    element: str  # joint 'lid', link 'base' visual, robot; empty for the file as a whole
    attribute: str
    value: str
    message: str
    remedy: str
    line: int | None = None  # of the element in the file

    @property
    def why(self) -> str:
        """Why it matters."""
        return CATALOGUE[self.code].why

    @property
    def place(self) -> str:
        """File and line."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    @property
    def where(self) -> str:
        """Element and attribute."""
        return " ".join(part for part in (self.element, self.attribute) if part)

    @property
    def text(self) -> str:
        """Where, and what is wrong there."""
        return ": ".join(part for part in (self.where, self.message) if part)

    def __str__(self) -> str:
        """One line: place, severity, code, element, what is wrong, why it matters, how to mend it."""
        end = "" if self.text.endswith((".", "?", "!")) else "."
        line = f"{self.place}: {self.severity} {self.code}: {self.text}{end} {self.why} {self.remedy}"
        return " ".join(line.split())  # names may hold line breaks

    @property
    def entry(self) -> dict[str, Any]:
        """As JSON (SPEC section 9)."""
        return {**asdict(self), "why": self.why}


def finding(
    code: str,
    element: str,
    message: str,
    *,
    attribute: str = "",
    value: str = "",
    severity: str = "",
    remedy: str = "",
) -> Finding:
    """A finding with severity and remedy of the catalogue where none are given; the file is filled in later."""
    entry = CATALOGUE[code]
    return Finding(code, severity or entry.severity, "", element, attribute, value, message, remedy or entry.remedy)


def from_error(error: AssetError) -> Finding:
    """What the reader refuses, as a finding."""
    return finding(
        error.code or "FILE_UNREADABLE",
        error.element,
        error.cause,
        attribute=error.attribute,
        value=error.value,
        remedy=error.remedy,
        severity="error",
    )


def from_warning(warning: AssetWarning, severity: str = "") -> Finding:
    """What the reader warns about, as a finding."""
    return finding(
        warning.code,
        warning.element,
        warning.message,
        attribute=warning.attribute,
        value=warning.value,
        severity=severity,
    )


@dataclass(frozen=True)
class FileReport:
    """All findings of one file, most severe first, then in the order of the file."""

    file: str
    findings: tuple[Finding, ...]
    known: int = 0  # findings that are in the baseline and left out

    @cached_property
    def errors(self) -> tuple[Finding, ...]:
        """Findings of severity error."""
        return self._of("error")

    @cached_property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings of severity warning."""
        return self._of("warning")

    @cached_property
    def infos(self) -> tuple[Finding, ...]:
        """Findings of severity info."""
        return self._of("info")

    @property
    def ok(self) -> bool:
        """No error."""
        return not self.errors

    def _of(self, severity: str) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity == severity)

    @property
    def entry(self) -> dict[str, Any]:
        """As JSON (SPEC section 9)."""
        return {
            "file": self.file,
            "ok": self.ok,
            "errors": [f.entry for f in self.errors],
            "warnings": [f.entry for f in self.warnings],
            "infos": [f.entry for f in self.infos],
            "known": self.known,
        }

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> FileReport:
        """The report of a JSON entry."""
        found = [f for severity in SEVERITIES for f in entry[f"{severity}s"]]
        findings = tuple(Finding(**{k: v for k, v in f.items() if k != "why"}) for f in found)
        return cls(entry["file"], findings, entry["known"])


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, most severe first, then by line (the whole file last), then in the order found."""
    distinct = dict.fromkeys(findings)
    return tuple(sorted(distinct, key=lambda f: (SEVERITIES.index(f.severity), f.line or math.inf)))
