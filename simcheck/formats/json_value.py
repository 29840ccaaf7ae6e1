"""A value of a JSON file that knows where it stands, so that every complaint names the place."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from simcheck.asset.normalise import MAX_JOINTS
from simcheck.errors import AssetError

MAX_NAME = 200
LARGEST = 1e100  # the square of much more overflows
_SHOWN = 80
_short = reprlib.Repr()
_short.maxstring = _short.maxother = _SHOWN - 20


def shown(value: Any) -> str:
    """A value as messages quote it, cut to a readable length."""
    text = _short.repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 2]} …"


@dataclass(frozen=True)
class JsonValue:
    """A value with its file and its place there, such as ``diffuse_tree[3].joint.range``."""

    file: str
    place: str
    raw: Any

    def error(self, cause: str, remedy: str = "") -> AssetError:
        """An error about this value, to be raised by the caller."""
        return AssetError(self.file, cause, element=self.place, remedy=remedy, code="FIELD_INVALID")

    def _wrong(self, expected: str) -> AssetError:
        return self.error(f"{expected} expected, got {shown(self.raw)}")

    def get(self, key: str) -> JsonValue | None:
        """The value under a key, None where it is absent or null."""
        if not isinstance(self.raw, dict):
            raise self._wrong("a JSON object {…}")
        value = self.raw.get(key)
        return None if value is None else JsonValue(self.file, f"{self.place}.{key}" if self.place else key, value)

    def __getitem__(self, key: str) -> JsonValue:
        value = self.get(key)
        if value is None:
            keys = ", ".join(shown(k) for k in list(self.raw)[:8]) or "none"
            raise self.error(f"the key {key!r} is missing; there are: {keys}")
        return value

    def items(self) -> list[JsonValue]:
        """The entries of a list."""
        if not isinstance(self.raw, list):
            raise self._wrong("a list […]")
        if len(self.raw) > MAX_JOINTS:
            raise self.error(f"a list of {len(self.raw):,} entries; the limit is {MAX_JOINTS:,}")
        return [JsonValue(self.file, f"{self.place}[{k}]", value) for k, value in enumerate(self.raw)]

    def only(self, keys: Iterable[str], owner: str = "this object") -> None:
        """Refuse any other key that has a value: a misspelt one must not be dropped in silence."""
        known = list(keys)
        if not isinstance(self.raw, dict):
            raise self._wrong("a JSON object {…}")
        for key, value in self.raw.items():
            if key not in known and value is not None:
                raise self.error(f"{owner} has no {shown(key)}", f"It may have: {', '.join(known)}.")

    def number(self) -> float:
        """A finite number that can be squared."""
        value = self.raw
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._wrong("a number")
        if not math.isfinite(value):
            raise self._wrong("a finite number")
        if abs(value) > LARGEST:
            raise self._wrong(f"a number up to {LARGEST:g}")
        return float(value)

    def integer(self) -> int:
        """A whole number."""
        value = self.number()
        if not value.is_integer():
            raise self._wrong("a whole number")
        return int(value)

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.raw, bool):
            raise self._wrong("true or false")
        return self.raw

    def text(self) -> str:
        """A text that may become a name: not empty, not endless, nothing that XML cannot hold."""
        value = self.raw
        if not isinstance(value, str) or not value.strip():
            raise self._wrong("a name")
        if len(value) > MAX_NAME:
            raise self.error(f"a name of {len(value):,} characters; the limit is {MAX_NAME}")
        if not value.isprintable():
            raise self.error(f"a name with characters that cannot be printed: {value.encode('unicode_escape')!r}")
        return value

    def choice(self, names: Iterable[str]) -> str:
        """One of these words."""
        known = list(names)
        if self.raw not in known:
            raise self.error(f"unknown {shown(self.raw)}", f"Known: {', '.join(known)}.")
        return str(self.raw)

    def vector(self, length: int = 3) -> tuple[float, ...]:
        """Exactly so many numbers."""
        entries = self.items()
        if len(entries) != length:
            raise self.error(f"{length} numbers expected, got {len(entries)}: {shown(self.raw)}")
        return tuple(entry.number() for entry in entries)

    def direction(self) -> tuple[float, ...]:
        """Three numbers that are not all zero."""
        values = self.vector()
        if math.hypot(*values) < 1e-150:
            raise self.error(f"the axis is zero ({shown(self.raw)}): a moving joint needs a direction")
        return values
