"""What a simulator printed from C, as separate messages, and as warnings."""

from __future__ import annotations

import re

from simcheck.engine import label
from simcheck.errors import AssetWarning

_PREFIX = re.compile(r"b3(?:Warning|Error|Printf)\[[^\]]*\]:\s*")
_NOISE = ("pybullet build time", "numThreads", "argv[")
_INVENTED = "No inertial data for link"  # the link's name follows as a message of its own


def split_messages(output: str) -> list[str]:
    """Distinct messages in order; Bullet's prefixes do not end in a newline, so words would glue together."""
    parts = _PREFIX.split(output)
    parts = [p for before, p in zip(["", *parts], parts, strict=False) if not any(_INVENTED in x for x in (before, p))]
    lines = [line.strip() for part in parts for line in part.splitlines()]
    return list(dict.fromkeys(line for line in lines if line and not line.startswith(_NOISE)))


def simulator_warnings(file: str, engine: str, output: str) -> list[AssetWarning]:
    """What a simulator, by its name, printed about a file."""
    return [AssetWarning(file, label(engine), message, "SIM_MESSAGE") for message in split_messages(output)]
