"""Findings as JUnit XML: one test case a file, so that a build server shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lxml import etree

from simcheck.verification.finding import FileReport

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(result: Mapping[str, Any]) -> str:
    """The result of verify as JUnit XML; errors are failures, all else is the output of the test case."""
    reports = [FileReport.from_entry(entry) for entry in result["files"]]
    failures = sum(not report.ok for report in reports)
    root = etree.Element("testsuites", name="simcheck verify", tests=str(len(reports)), failures=str(failures))
    suite = etree.SubElement(root, "testsuite", name="simcheck verify", tests=str(len(reports)))
    suite.attrib.update({"failures": str(failures), "errors": "0", "skipped": "0"})
    for report in reports:
        case = etree.SubElement(suite, "testcase", classname="simcheck.verify", name=_clean(report.file))
        for finding in report.errors:
            failure = etree.SubElement(case, "failure", type=finding.code, message=_clean(finding.text))
            failure.text = _clean(f"{finding.why}\n{finding.remedy}")
        rest = [*report.warnings, *report.infos]
        if rest:
            lines = (f"{f.severity} {f.code}: {f.text}" for f in rest)
            etree.SubElement(case, "system-out").text = _clean("\n".join(lines))
    return etree.tostring(root, pretty_print=True, xml_declaration=True, encoding="UTF-8").decode()


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold: names in a file may have any."""
    return _NOT_XML.sub("\ufffd", text)
