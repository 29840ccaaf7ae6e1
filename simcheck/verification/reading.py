"""Reading a file for verification: every error that can be found, not only the first one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from simcheck.asset import xml
from simcheck.asset.model import ArticulatedObject, ReadOptions
from simcheck.asset.normalise import normalise_text
from simcheck.asset.read import build
from simcheck.errors import AssetError, AssetWarning
from simcheck.verification.catalogue import STRUCTURE
from simcheck.verification.claims import Claims, claims_of
from simcheck.verification.finding import Finding, finding, from_error, from_warning


@dataclass(frozen=True, eq=False)
class Reading:
    """A file as far as it can be read."""

    path: Path
    data: bytes
    raw: etree._Element  # the parsed tree as written
    claims: Claims
    obj: ArticulatedObject | None  # None where links and joints do not form a tree; what was refused is made harmless
    findings: tuple[Finding, ...]


def read(path: Path, data: bytes, options: ReadOptions) -> Reading:
    """Read a file's bytes and collect what the reader has to say; `AssetError` where nothing can be looked at."""
    file = str(path)
    raw, _ = xml.parse(data, file)
    errors: list[AssetError] = []
    clean = normalise_text(data, file, path.resolve().parent, errors=errors)
    claims = claims_of(clean, raw)
    # Problems of the text, except numbers: those are among the errors. The tensors are looked at later.
    problems = [p for p in clean.unusable_inertials.values() if p.code != "NUMBER_INVALID"]
    obj = None if any(error.code in STRUCTURE for error in errors) else build(clean, options)
    found = [from_error(error) for error in dict.fromkeys(errors)]
    found += [from_warning(problem) for problem in problems]
    refused = {(f.element, f.attribute) for f in found}
    for warning in clean.warnings:
        if (warning.element, warning.attribute) not in refused:
            found.append(from_warning(warning, _severity(warning, claims)))
    if obj is None:
        message = "joints and links do not form one tree: places, meshes and motions were not looked at"
        found.append(finding("STOPPED_HERE", "robot", message))
    return Reading(path, data, raw, claims, obj, tuple(found))


def _severity(warning: AssetWarning, claims: Claims) -> str:
    """Another severity than the catalogue's, where the kind of joint or the size of the slip decides it."""
    if warning.code != "AXIS_NOT_UNIT":
        return ""
    joint = next(j for j in claims.joints.values() if j.element == warning.element)
    if joint.rounded:
        return "info"
    return "warning" if joint.turns else "error"
