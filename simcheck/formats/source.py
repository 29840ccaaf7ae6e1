"""The file of a prediction: its bytes, and its JSON, read once and closed to floods."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from simcheck.asset import xml
from simcheck.asset.normalise import CleanUrdf
from simcheck.errors import AssetError
from simcheck.formats.json_value import JsonValue, shown

MAX_JSON_BYTES = 8 * 2**20  # the largest real annotation seen has 0.1 MB; parsed, a text takes up to 60 times its size


@dataclass(frozen=True)
class Source:
    """One file to read a prediction from."""

    path: Path
    limits_may_be_missing: bool = False  # leave a joint without limits open instead of refusing it

    @property
    def file(self) -> str:
        """The file as messages name it."""
        return str(self.path)

    @property
    def folder(self) -> Path:
        """Where meshes are looked for."""
        return self.path.resolve().parent

    @cached_property
    def head(self) -> bytes:
        """The first bytes, enough to tell the kinds of file apart."""
        if self.path.is_dir():
            raise AssetError(self.file, "this is a folder, not a prediction file", code="FILE_UNREADABLE")
        if self.path.exists() and not self.path.is_file():
            raise AssetError(
                self.file, "this is no regular file", remedy="Write its content into one.", code="FILE_UNREADABLE"
            )
        try:
            with self.path.open("rb") as stream:
                return stream.read(4096)
        except FileNotFoundError:
            raise AssetError(self.file, "no such file", code="FILE_UNREADABLE") from None
        except OSError as error:
            raise AssetError(self.file, f"cannot be read: {error.strerror or error}", code="FILE_UNREADABLE") from None

    @cached_property
    def data(self) -> bytes:
        """All bytes."""
        return xml.read_bytes(self.path)

    @cached_property
    def json(self) -> JsonValue:
        """The parsed JSON; `AssetError` where there is none or it is a flood."""
        self.require_size(MAX_JSON_BYTES, "JSON")
        return JsonValue(self.file, "", _parsed(self.data, self.file))

    def require_size(self, most: int, kind: str) -> None:
        """Refuse a file of more than ``most`` bytes."""
        size = self.path.stat().st_size if self.head else 0
        if size > most:
            raise AssetError(
                self.file,
                f"the file has {size / 2**20:.0f} MB; the limit for {kind} is {most // 2**20} MB",
                remedy="Nothing was read. Leave point clouds, grids and images out of it.",
                code="FILE_TOO_LARGE",
            )


@dataclass(frozen=True)
class Reading:
    """What the reader of a format hands over."""

    clean: CleanUrdf
    tree_known: bool = True  # False: a list of joints, hung on one base link only to have a URDF


class _Repeated(ValueError):
    """A key that one object has twice."""


def _parsed(data: bytes, file: str) -> Any:
    try:
        return json.loads(data, object_pairs_hook=_unique, parse_int=_integer)
    except RecursionError:
        raise AssetError(file, "not read: its JSON is nested hundreds of levels deep", code="JSON_BROKEN") from None
    except _Repeated as error:
        raise AssetError(
            file, f"the key {error} stands twice in one JSON object", remedy="Remove one.", code="JSON_BROKEN"
        ) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise AssetError(
            file, f"not JSON at {place}: {error.msg}", remedy="Correct it there.", code="JSON_BROKEN"
        ) from None
    except UnicodeDecodeError:
        raise AssetError(file, "not JSON: the text is not UTF-8", code="JSON_BROKEN") from None


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Repeated(shown(key))
        found[key] = value
    return found


def _integer(text: str) -> int | float:
    return int(text) if len(text) < 20 else float(text)  # Python refuses, or takes long over, huge integers
