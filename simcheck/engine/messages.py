"""What a simulator printed from C, as separate messages."""

from __future__ import annotations

import re

_PREFIX = re.compile(r"b3(?:Warning|Error|Printf)\[[^\]]*\]:\s*")
_NOISE = ("pybullet build time", "numThreads", "argv[", "No inertial data for link")


def split_messages(output: str) -> list[str]:
    """Distinct messages in order; Bullet's prefixes do not end in a newline, so words would glue together."""
    lines = [line.strip() for part in _PREFIX.split(output) for line in part.splitlines()]
    return list(dict.fromkeys(line for line in lines if line and not line.startswith(_NOISE)))
