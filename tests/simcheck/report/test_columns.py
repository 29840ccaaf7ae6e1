"""Columns of the big table: their kinds, the numbers shown, and the packing, read back byte by byte."""

from __future__ import annotations

import base64
import gzip
import json

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from simcheck.report.columns import Column, Glyph, columns_of, format_number, pack, worst_rows


def unpack(columns):
    """An independent reader of the packing."""
    descriptions, data = pack(columns)
    descriptions = json.loads(json.dumps(descriptions))
    buffer = gzip.decompress(base64.b64decode(data))
    for description in descriptions:
        assert description["offset"] % 8 == 0
        rows = len(columns[0].values)
        if description["kind"] == "number":
            yield np.frombuffer(buffer, "<f8", rows, description["offset"])
        else:
            codes = np.frombuffer(buffer, f"<u{description['bytes']}", rows, description["offset"])
            yield [None if code == 0 else description["words"][code - 1] for code in codes]


def test_values_survive_packing_bit_for_bit():
    rng = np.random.default_rng(0)
    numbers = np.concatenate(
        [rng.normal(size=997) * 10.0 ** rng.integers(-300, 300, 997), [np.nan, np.inf, -0.0, 5e-324]]
    )
    names = [f"joint {i % 37}" if i % 5 else None for i in range(1001)]
    columns = [Column("name", names), Column("x", numbers), Column("whole", np.arange(1001)), Column("n", names[::-1])]
    name, x, whole, reverse = unpack(columns)
    assert x.tobytes() == numbers.tobytes()
    assert_array_equal(whole, np.arange(1001))
    assert name == names
    assert reverse == names[::-1]


@pytest.mark.parametrize(("words", "size"), [(2**16 - 1, 2), (2**16, 4)])
def test_texts_take_two_bytes_as_long_as_they_can(words, size):
    column = Column("name", [f"w{i}" for i in range(words)])
    descriptions, _ = pack([column])
    assert descriptions[0]["bytes"] == size
    (read,) = unpack([column])
    assert (read[0], read[-1]) == ("w0", f"w{words - 1}")


def test_the_same_columns_pack_to_the_same_text():
    columns = [Column("a", ["x", "y"]), Column("b", [1.0, None])]
    assert pack(columns) == pack([Column("a", ["x", "y"]), Column("b", np.array([1.0, np.nan]))])


@pytest.mark.parametrize(
    ("values", "numbers", "texts"),
    [
        ([1, 2.5, None], [1, 2.5, np.nan], None),
        (np.array([1, 2], dtype=np.int32), [1, 2], None),
        (np.array([True, False]), None, ["true", "false"]),
        ([True, None], None, ["true", None]),
        (["a", None, "1"], None, ["a", None, "1"]),
        (np.array(["a", "b"]), None, ["a", "b"]),
        (["1", 2], None, ["1", "2"]),
        ([None, None], [np.nan, np.nan], None),
        (pl.Series([1.5, None]), [1.5, np.nan], None),
        (pl.Series([1, None]), [1, np.nan], None),
        (pl.Series(["a", None]), None, ["a", None]),
        (pl.Series([True, None]), None, ["true", None]),
        ([], [], None),
    ],
)
def test_what_a_column_holds(values, numbers, texts):
    column = Column("name", values)
    if numbers is None:
        assert column.numbers is None
        assert column.texts == texts
    else:
        assert_array_equal(column.numbers, numbers)
        assert column.numbers.dtype == np.float64


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1.000"),
        (0.25, "0.2500"),
        (-12.3456, "-12.35"),
        (0.001, "0.001000"),
        (0.00099996, "1.000e-3"),
        (9999.4, "9999"),
        (9999.96, "1.000e4"),
        (1000.5, "1001"),
        (123456.0, "1.235e5"),
        (-1e-9, "-1.000e-9"),
        (5e-324, "4.941e-324"),
        (1.7976931348623157e308, "1.798e308"),
        (None, "–"),
        (float("nan"), "–"),
        (float("inf"), "∞"),
        (float("-inf"), "−∞"),
    ],
)
def test_a_number_is_shown_with_four_digits(value, shown):
    assert format_number(value) == shown


def test_whole_numbers_are_shown_whole():
    column = Column("n", [1, 123456, None, -7])
    assert [column.cell(i) for i in range(4)] == ["1", "123456", "–", "-7"]
    assert Column("n", [1, 1.5]).cell(0) == "1.000"
    assert Column("n", ["a", None]).cell(1) == "–"


def test_the_worst_rows_come_first_and_undefined_ones_last():
    columns = [Column("d", [0.1, None, 0.3, 0.2]), Column("name", ["b", "a", None, "c"])]
    assert worst_rows(columns, "-d", 3) == [2, 3, 0]
    assert worst_rows(columns, "d", 9) == [0, 3, 2, 1]
    assert worst_rows(columns, "name", 9) == [1, 0, 3, 2]


def test_columns_of_a_dataframe_and_of_a_dict():
    frame = pl.DataFrame({"a": [1.0], "b": ["x"]})
    for data in (frame, frame.to_dict(as_series=False)):
        a, b = columns_of(data, {"a": "m"}, {"b": "what it is"})
        assert (a.name, a.unit, b.name, b.note) == ("a", "m", "b", "what it is")


def test_a_glyph_is_drawn_from_other_columns():
    columns = [Column("kind", ["revolute"]), Column("low", [0.0]), Column("high", [1.0])]
    descriptions, _ = pack([Glyph("motion", "kind", ("low", "high")), *columns])
    assert descriptions[0]["turns"] == 1
    assert descriptions[0]["intervals"] == [[2, 3]]
    with pytest.raises(ValueError, match="glyph 'motion': no column lower"):
        pack([*columns, Glyph("motion", "kind", ("lower", "high"))])


def test_unequal_lengths_and_equal_names_are_refused():
    with pytest.raises(ValueError, match=r"columns: expected one length, got \[1, 2\]"):
        pack([Column("a", [1]), Column("b", [1, 2])])
    with pytest.raises(ValueError, match="columns: expected different names"):
        pack([Column("a", [1]), Column("a", [2])])
