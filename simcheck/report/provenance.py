"""Where the numbers of a result come from, for its page."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Mapping
from typing import Any

from simcheck.report.page import Provenance

_FEW = 3  # inputs that a command line names; more are listed by their hashes alone


def provenance(result: Mapping[str, Any]) -> Provenance:
    """Version, command, settings, inputs and platform of a result with the common fields."""
    inputs = result["settings"]["inputs"]
    settings = {k: v for k, v in result["settings"].items() if k not in ("inputs", "version")}
    command = shlex.join(["simcheck", result["command"], *(inputs if len(inputs) <= _FEW else [])])
    return Provenance(result["version"], command, settings.get("seed"), platform.platform(), settings, inputs)
