"""How the text is written: legal XML that loaders stumble over."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

from lxml import etree

from simcheck.verification.finding import Finding, finding

LONGEST_LINE = 8191  # bytes; PyBullet reads lines in pieces of this size
_NAMESPACE = re.compile(rb"<robot\b[^>]*\sxmlns\s*=")
_VECTOR = re.compile(rb"\b(xyz|rpy|size|scale)\s*=\s*(?:\"([^\"<]*)\"|'([^'<]*)')")
_PLAIN_NAME = re.compile(r"[!-~]+\Z")


def style_findings(data: bytes, root: etree._Element) -> Iterator[Finding]:
    """Findings about the text itself; ``root`` is its parsed tree."""
    longest = max(map(len, data.split(b"\n")))
    if longest > LONGEST_LINE:
        message = f"a line of {longest:,} bytes: PyBullet splits it after {LONGEST_LINE:,}, perhaps inside a number"
        yield finding("LINE_TOO_LONG", "robot", message, value=str(longest))
    if _NAMESPACE.search(data):
        yield finding("XML_NAMESPACE", "robot", "the robot has a default name space", attribute="xmlns")
    yield from _white_space(data, root)
    yield from _names(root)


def _white_space(data: bytes, root: etree._Element) -> Iterator[Finding]:
    """Vectors with a tab or a line break; the parser has turned them into spaces, PyBullet has not."""
    places = [(e.sourceline, e.tag, e.get("name")) for e in root.iterchildren("link", "joint") if e.sourceline]
    starts = [line for line, _, _ in places]
    for match in _VECTOR.finditer(data):
        text = match.group(2) or match.group(3) or b""
        if not text.strip() or not any(c in text.strip(b" ") for c in b"\t\r\n"):
            continue
        # The parser names the line on which a tag ends.
        k = max(bisect.bisect_right(starts, data.count(b"\n", 0, match.start()) + 1) - 1, 0)
        _, tag, name = places[k] if places else (0, "robot", "")
        attribute, shown = match.group(1).decode(), text.decode("utf-8", errors="replace")
        message = f"a tab or line break in {attribute} {shown!r}: PyBullet splits at spaces only"
        yield finding("NUMBER_WHITESPACE", f"{tag} {name!r}", message, attribute=attribute, value=shown)


def _names(root: etree._Element) -> Iterator[Finding]:
    for element in root.iterchildren("link", "joint"):
        name = element.get("name")
        if name and not _PLAIN_NAME.match(name):
            message = "the name has spaces or letters outside ASCII"
            yield finding("NAME_UNUSUAL", f"{element.tag} {name!r}", message, attribute="name", value=name)
