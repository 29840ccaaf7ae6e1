"""Findings as JUnit XML: one test case a file, so that a build server shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lxml import etree

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(result: Mapping[str, Any]) -> str:
    """The result of verify as JUnit XML; errors are failures, all else is the output of the test case."""
    files = result["files"]
    failures = sum(not entry["ok"] for entry in files)
    root = etree.Element("testsuites", name="simcheck verify", tests=str(len(files)), failures=str(failures))
    suite = etree.SubElement(root, "testsuite", name="simcheck verify", tests=str(len(files)))
    suite.attrib.update({"failures": str(failures), "errors": "0", "skipped": "0"})
    for entry in files:
        case = etree.SubElement(suite, "testcase", classname="simcheck.verify", name=_clean(entry["file"]))
        for finding in entry["errors"]:
            failure = etree.SubElement(case, "failure", type=finding["code"], message=_clean(_short(finding)))
            failure.text = _clean(f"{finding['why']}\n{finding['remedy']}")
        rest = [*entry["warnings"], *entry["infos"]]
        if rest:
            lines = (f"{f['severity']} {f['code']}: {_short(f)}" for f in rest)
            etree.SubElement(case, "system-out").text = _clean("\n".join(lines))
    return etree.tostring(root, pretty_print=True, xml_declaration=True, encoding="UTF-8").decode()


def _short(finding: Mapping[str, Any]) -> str:
    where = " ".join(part for part in (finding["element"], finding["attribute"]) if part)
    return ": ".join(part for part in (where, finding["message"]) if part)


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold: names in a file may have any."""
    return _NOT_XML.sub("\ufffd", text)
