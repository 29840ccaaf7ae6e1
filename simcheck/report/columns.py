"""Columns of a report's table: what they hold, how a number is shown, and how they are packed into a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcheck.report.template import packed

NULL = "–"  # an undefined value, in a cell
_ROUNDED = Context(prec=4, rounding=ROUND_HALF_UP)


@dataclass(frozen=True, eq=False)
class Column:
    """One column of numbers or of texts.

    Parameters
    ----------
    name : str
        As in ``rows.csv``.
    values : sequence of n numbers, booleans, texts or None; a NumPy array or polars Series too
        NaN and None are the same: undefined, shown as a dash and sorted last.
    unit : str
        Shown under the name.
    note : str
        What the column means, shown on hovering over its name.
    """

    name: str
    values: Any
    unit: str = ""
    note: str = ""

    @cached_property
    def _array(self) -> NDArray:
        return np.asarray(self.values.to_numpy() if hasattr(self.values, "to_numpy") else self.values)

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """The values as float64, undefined as NaN; None when the column holds texts."""
        array = self._array
        if array.dtype.kind in "fiu":
            return array.astype(np.float64)
        if array.dtype.kind == "O" and all(value is None or _is_number(value) for value in array):
            return array.astype(np.float64)
        return None

    @cached_property
    def texts(self) -> list[str | None]:
        """The values as texts, undefined as None."""
        return [_text(value) for value in self._array.tolist()]

    @cached_property
    def whole(self) -> bool:
        """Whether every defined value is a whole number: shown without decimals."""
        if self.numbers is None:
            return False
        finite = self.numbers[np.isfinite(self.numbers)]
        return bool(np.all((finite == np.floor(finite)) & (np.abs(finite) < 1e15)))

    def __len__(self) -> int:
        return len(self.values)

    def cell(self, row: int) -> str:
        """What the page shows in a row."""
        if self.numbers is None:
            text = self.texts[row]
            return NULL if text is None else text
        value = float(self.numbers[row])
        return str(int(value)) if self.whole and math.isfinite(value) else format_number(value)


@dataclass(frozen=True)
class Glyph:
    """A column drawn in the page from other columns: the interval of a motion, as an arc or a bar.

    Parameters
    ----------
    name : str
    kind : str
        Name of the column with the joint's kind; ``prismatic`` is a bar, every other kind an arc.
    truth : (str, str)
        Names of the columns with the lower and the upper limit, rad or m.
    prediction : (str, str), optional
        The same for a second interval.
    """

    name: str
    kind: str
    truth: tuple[str, str]
    prediction: tuple[str, str] | None = None


def columns_of(
    data: Any, units: Mapping[str, str] | None = None, notes: Mapping[str, str] | None = None
) -> tuple[Column, ...]:
    """The columns of a polars DataFrame or of a mapping from names to values, in their order."""
    names = list(data.columns) if hasattr(data, "columns") else list(data)
    return tuple(Column(name, data[name], (units or {}).get(name, ""), (notes or {}).get(name, "")) for name in names)


def format_number(value: float | None) -> str:
    """Four significant digits, as the page's script writes them; a dash for None and NaN.

    Examples
    --------
    >>> [format_number(x) for x in (0.25, 12345.0, 1e-9, None, float("inf"))]
    ['0.2500', '1.235e4', '1.000e-9', '–', '∞']
    """
    if value is None or math.isnan(value):
        return NULL
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    rounded = _ROUNDED.create_decimal(Decimal(value))
    power = rounded.adjusted()
    if abs(value) >= 1e-3 and power < 4:
        return f"{rounded:.{3 - power}f}"
    return f"{rounded.scaleb(-power):.3f}e{power}"


def pack(columns: Sequence[Column | Glyph]) -> tuple[list[dict[str, Any]], str]:
    """Describe the columns for the page's script and pack their values.

    Numbers are little-endian float64 (undefined is NaN), texts little-endian uint16 or uint32 numbers into a list of
    words (0 is undefined); each column starts at a multiple of 8 bytes; gzip, then base64. Same values, same bytes.

    Returns
    -------
    descriptions : list of dict
        For each column what the script needs to read and name it; ready for JSON.
    data : str
    """
    lengths = {len(column) for column in columns if isinstance(column, Column)}
    if len(lengths) > 1:
        raise ValueError(f"columns: expected one length, got {sorted(lengths)}")
    position = {column.name: i for i, column in enumerate(columns)}
    if len(position) < len(columns):
        raise ValueError("columns: expected different names")
    data = bytearray()
    descriptions = []
    for column in columns:
        if isinstance(column, Glyph):
            descriptions.append(_describe_glyph(column, position))
            continue
        description: dict[str, Any] = {"name": column.name, "unit": column.unit, "note": column.note}
        description |= {"offset": len(data), "width": _width(column)}
        if column.numbers is not None:
            description |= {"kind": "number", "whole": column.whole}
            values = column.numbers.astype("<f8").tobytes()
        else:
            words, codes = _index(column.texts)
            size = 2 if len(words) < 2**16 else 4
            description |= {"kind": "text", "bytes": size, "words": words}
            values = codes.astype(f"<u{size}").tobytes()
        data += values + bytes(-len(values) % 8)
        descriptions.append(description)
    return descriptions, packed(bytes(data))


def worst_rows(columns: Sequence[Column | Glyph], sort: str, count: int) -> list[int]:
    """The first rows in the order of the table: ``sort`` is a column's name, with a minus for the largest first."""
    by_name = {column.name: column for column in columns if isinstance(column, Column)}
    column = by_name[sort.removeprefix("-")]
    if column.numbers is None:
        words = column.texts
        return sorted(range(len(words)), key=lambda i: (words[i] is None, words[i] or ""))[:count]
    key = -column.numbers if sort.startswith("-") else column.numbers
    return np.argsort(key, kind="stable")[:count].tolist()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _text(value: Any) -> str | None:
    if value is None or value != value:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


def _index(texts: list[str | None]) -> tuple[list[str], NDArray[np.int64]]:
    words = list(dict.fromkeys(text for text in texts if text is not None))
    number = {word: i + 1 for i, word in enumerate(words)}
    return words, np.array([0 if text is None else number[text] for text in texts], dtype=np.int64)


def _describe_glyph(glyph: Glyph, position: Mapping[str, int]) -> dict[str, Any]:
    needed = [glyph.kind, *glyph.truth, *(glyph.prediction or ())]
    missing = [name for name in needed if name not in position]
    if missing:
        raise ValueError(f"glyph {glyph.name!r}: no column {', '.join(missing)}")
    intervals = [glyph.truth] if glyph.prediction is None else [glyph.truth, glyph.prediction]
    return {
        "name": glyph.name,
        "unit": "",
        "note": "",
        "kind": "glyph",
        "width": max(len(glyph.name) + 3, 5),
        "turns": position[glyph.kind],
        "intervals": [[position[lower], position[upper]] for lower, upper in intervals],
    }


def _width(column: Column) -> int:
    """Width of the column in characters: fixed, so that nothing moves while the rows scroll."""
    heading = max(len(column.name) + 4, len(column.unit) + 2)
    if column.numbers is not None:
        return max(heading, 7 if column.whole else 10)
    longest = max((len(text) for text in column.texts if text), default=0)
    return max(heading, min(longest + 2, 34), 6)
