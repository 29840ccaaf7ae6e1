"""Ditto: an npz with the screw of one joint between two states.

``screw_axis`` a and ``screw_moment`` m (the line through ``a × m / |a|²``), ``joint_type`` 0 revolute or 1 prismatic,
``state_start`` and ``state_end`` in rad or in the units of the object. Ditto does not renormalise an axis that it
votes for; the line is the same whatever its length. Point clouds and everything else in the file are not read, and
nothing pickled ever is.
"""

from __future__ import annotations

import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.lib import format as npy

from simcheck.asset.model import FloatArray
from simcheck.errors import AssetError, AssetWarning
from simcheck.formats.json_value import LARGEST, shown
from simcheck.formats.source import Reading, Source
from simcheck.formats.two_states import Motion, name_of, two_state_reading

MAX_BYTES = 64 * 2**20
_KINDS = ("revolute", "prismatic")
_MOST_ENTRIES = 16  # of an array that holds one vector or one number
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, MemoryError, OSError, RuntimeError, ValueError)


def read(source: Source) -> Reading:
    """The joint of a Ditto file."""
    if source.head.startswith(b"\x93NUMPY"):
        raise AssetError(
            source.file,
            "this is one npy array; Ditto's joint is an npz with screw_axis, screw_moment, …",
            code="FORMAT_UNKNOWN",
        )
    source.require_size(MAX_BYTES, "npz")
    try:
        with zipfile.ZipFile(source.path) as archive:
            arrays = {name: _array(archive, name, source.file) for name in _wanted(archive, source.file)}
    except _BROKEN as error:
        raise AssetError(source.file, f"not a readable npz: {shown(str(error))}", code="NPZ_BROKEN") from None
    axis, moment = (_vector(arrays, name, source.file) for name in ("screw_axis", "screw_moment"))
    length = float(np.linalg.norm(axis))
    if length < 1e-150:
        raise AssetError(
            source.file, "the axis is zero: a moving joint needs a direction", element="screw_axis", code="AXIS_ZERO"
        )
    kind = _kind(_number(arrays, "joint_type", source.file), source.file)
    warnings: list[AssetWarning] = []
    along = abs(float(axis @ moment)) / length**2
    if kind == "revolute" and along > 1e-6:
        message = f"screw_moment has a part along the axis, {along:.3g} m: no line has it; left out"
        warnings.append(AssetWarning(source.file, f"joint {name_of(0)!r}", message, "FORMAT_CONTRADICTION"))
    origin = np.cross(axis, moment) / length**2 if kind == "revolute" else np.zeros(3)
    states = None
    if "state_start" in arrays and "state_end" in arrays:
        states = (_number(arrays, "state_start", source.file), _number(arrays, "state_end", source.file))
    motion = Motion(kind, tuple(axis.tolist()), tuple(origin.tolist()), states, in_degrees=False)
    return two_state_reading(source, [motion], "the zero of the file's states", warnings)


def _wanted(archive: zipfile.ZipFile, file: str) -> list[str]:
    there = {name.removesuffix(".npy") for name in archive.namelist()}
    for name in ("screw_axis", "screw_moment", "joint_type"):
        if name not in there:
            found = ", ".join(map(shown, sorted(there)[:8])) or "nothing"
            raise AssetError(file, f"the array is missing; there are: {found}", element=name, code="FIELD_INVALID")
    return [n for n in ("screw_axis", "screw_moment", "joint_type", "state_start", "state_end") if n in there]


def _array(archive: zipfile.ZipFile, name: str, file: str) -> FloatArray:
    """A small array of numbers; its header is looked at before anything is allocated."""
    with archive.open(f"{name}.npy") as stream:
        version = npy.read_magic(stream)
        header: Any = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = header(stream)
        if dtype.hasobject:
            raise AssetError(
                file,
                "a pickled object; pickles can run programs and are not read",
                element=name,
                remedy="Save it as a plain array of numbers.",
                code="NPZ_BROKEN",
            )
        count = int(np.prod(shape, dtype=object))
        if dtype.kind not in "biuf" or not 0 < count <= _MOST_ENTRIES:
            raise AssetError(
                file, f"a few numbers expected, got {dtype} of shape {shape}", element=name, code="FIELD_INVALID"
            )
        data = stream.read(count * dtype.itemsize)
    if len(data) < count * dtype.itemsize:
        raise AssetError(file, "the array is cut off", element=name, code="NPZ_BROKEN")
    values = np.frombuffer(data, dtype).astype(np.float64)
    if not np.isfinite(values).all():
        raise AssetError(file, f"finite numbers expected, got {values.tolist()}", element=name, code="FIELD_INVALID")
    return values


def _vector(arrays: dict[str, FloatArray], name: str, file: str) -> FloatArray:
    if arrays[name].size != 3:
        raise AssetError(file, f"3 numbers expected, got {arrays[name].size}", element=name, code="FIELD_INVALID")
    if np.abs(arrays[name]).max() > LARGEST:
        raise AssetError(
            file, f"numbers up to {LARGEST:g} expected, got {arrays[name].tolist()}", element=name, code="FIELD_INVALID"
        )
    return arrays[name]


def _number(arrays: dict[str, FloatArray], name: str, file: str) -> float:
    if arrays[name].size != 1:
        raise AssetError(file, f"one number expected, got {arrays[name].size}", element=name, code="FIELD_INVALID")
    return float(arrays[name][0])


def _kind(code: float, file: str) -> str:
    if code not in (0, 1):
        raise AssetError(
            file, f"0 (revolute) or 1 (prismatic) expected, got {code:g}", element="joint_type", code="FIELD_INVALID"
        )
    return _KINDS[int(code)]
