"""URDF: passed through the reader of URDFs as it is."""

from __future__ import annotations

from simcheck.asset.normalise import normalise_text
from simcheck.formats.source import Reading, Source


def read(source: Source) -> Reading:
    """The clean tree of a URDF file."""
    missing = source.limits_may_be_missing
    return Reading(normalise_text(source.data, source.file, source.folder, limits_may_be_missing=missing))
