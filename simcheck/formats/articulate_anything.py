"""Articulate-Anything: the URDF that its programs write; the programs themselves are never run.

Its own evaluation takes a joint without ``<limit>`` as one with limits 0 and 0, so that is what ``--format
articulate_anything`` does, with a warning (unless missing limits are to be imputed). Everything else is plain URDF.
"""

from __future__ import annotations

from lxml import etree

from simcheck.asset.normalise import normalise_text
from simcheck.errors import AssetError
from simcheck.formats.source import Reading, Source


def read(source: Source) -> Reading:
    """The clean tree of a URDF that Articulate-Anything wrote; its programs and verdicts are refused."""
    start = source.data.lstrip()
    if start.startswith(b"{"):
        raise AssetError(
            source.file,
            "this is a critic's verdict of Articulate-Anything, not an object",
            remedy="Pass the URDF that the judged program writes.",
            code="FORMAT_EMPTY",
        )
    if b"<robot" not in source.data and b"import " in source.data:
        raise AssetError(
            source.file,
            "this is a program of Articulate-Anything; simcheck runs no program it is given",
            remedy="Run it in Articulate-Anything and pass the URDF that it writes.",
            code="FORMAT_EMPTY",
        )
    clean = normalise_text(source.data, source.file, source.folder, limits_may_be_missing=True)
    if not source.limits_may_be_missing:
        for joint in clean.root.iterfind("joint"):
            if joint.get("name") in clean.missing_limits:
                etree.SubElement(joint, "limit", lower="0.0", upper="0.0", effort="0", velocity="0")
                element = f"joint {joint.get('name')!r}"
                clean.warn(element, "no <limit>: 0 and 0, as Articulate-Anything takes it", "LIMIT_DEFAULTED", "limit")
        clean.missing_limits.clear()
    return Reading(clean)
