"""Which format a file is in, told from its content; names of files mean nothing."""

from __future__ import annotations

from simcheck.errors import AssetError
from simcheck.formats.json_value import shown
from simcheck.formats.source import Source

_KNOWN = (
    "Read are: URDF, CAGE and SINGAPO object JSON, PARIS and DigitalTwinArt motion JSON, Ditto npz, PartNet-Mobility's "
    "mobility_v2.json, and plain JSON (simcheck help formats). --format NAME forces one."
)
# Of a Python program of Articulate-Anything: its package, or one of the two calls that make a joint.
_PROGRAM = (b"articulate_anything", b"make_revolute_joint", b"make_prismatic_joint")
# Keys that tell the formats of JSON objects apart, most telling first.
_KEYS = {
    "diffuse_tree": "cage",
    "arti_tree": "cage",
    "trans_info": "paris",
    "axis_d": "paris",
    "R_axis_d": "paris",
    "t_axis_d": "paris",
    "axis_direction": "digital_twin_art",
    "jointData": "partnet_mobility",
    "failure_reason": "articulate_anything",
}


def detect(source: Source) -> str:
    """Name of the format of a file; `AssetError` names what is read where it is none of them."""
    if source.head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY")):
        return "ditto"
    start = source.head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")  # UTF-16 starts alike
    if start.startswith((b"{", b"[")):
        return _of_json(source)
    if start.startswith(b"<") or b"<robot" in source.data:
        return "urdf"
    if any(word in source.data for word in _PROGRAM):
        return "articulate_anything"
    if not source.data.strip():
        raise AssetError(source.file, "the file is empty", code="FILE_EMPTY")
    raise AssetError(source.file, "not a known format of predictions", remedy=_KNOWN, code="FORMAT_UNKNOWN")


def _of_json(source: Source) -> str:
    value = source.json.raw
    entries = value if isinstance(value, list) else [value]
    keys = {key for entry in entries if isinstance(entry, dict) for key in entry}
    if isinstance(value, dict) and value.get("format") == "simcheck":
        return "plain"
    for key, name in _KEYS.items():
        if key in keys:
            return name
    found = f"keys: {', '.join(map(shown, sorted(keys)[:8]))}" if keys else "no keys at all"
    raise AssetError(
        source.file, f"this JSON is no known format of predictions ({found})", remedy=_KNOWN, code="FORMAT_UNKNOWN"
    )
