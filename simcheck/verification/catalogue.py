"""The codes of findings: what each one means, why it matters, how to mend it.

Their only source is the topic page ``findings``, which people read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simcheck.help import page

SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True)
class Entry:
    """One code of the catalogue."""

    code: str
    severity: str  # error: broken, or simulated otherwise than written; warning: legal but odd; info: good to know
    title: str
    why: str
    remedy: str


_ENTRY = re.compile(
    r"^- \*\*`([A-Z_0-9]+)`\*\* \((error|warning|info)\): (.+)\.\n  \*Why:\* (.+)\n  \*Cure:\* (.+)$", re.MULTILINE
)

CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    {
        code: Entry(code, *texts)
        for code, *texts in _ENTRY.findall(page("findings").replace("`<", "<").replace(">`", ">"))
    }
)
"""Every code, in the order of the page."""

STRUCTURE = frozenset(
    {"NAME_MISSING", "JOINT_NAME_DUPLICATE", "LINK_NAME_DUPLICATE", "JOINT_END_MISSING", "LINK_UNDEFINED"}
    | {"JOINT_SELF_LOOP", "PARENTS_SEVERAL", "ROOTS_SEVERAL", "ROOT_MISSING", "CYCLE"}
)
"""Codes after which links and joints have no places: the check stops there."""
