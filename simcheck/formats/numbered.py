"""Parts that refer to each other by number: ``id`` and ``parent``, −1 above a root."""

from __future__ import annotations

from collections.abc import Container

from simcheck.formats.json_value import JsonValue

_NO_PARENT = -1


def by_number(entries: list[JsonValue]) -> dict[int, JsonValue]:
    """The entries of a list by their ``id``, in file order; an id that stands twice is an error."""
    found: dict[int, JsonValue] = {}
    for entry in entries:
        number = entry["id"].integer()
        if number < 0:
            raise entry["id"].error(f"an id must not be negative, got {number}")
        if number in found:
            raise entry["id"].error(f"two parts have the id {number}; ids must differ")
        found[number] = entry
    return found


def parent_of(entry: JsonValue, numbers: Container[int]) -> int | None:
    """Number of the part above an entry, None for a root; one that does not exist is an error."""
    parent = entry["parent"].integer()
    if parent == _NO_PARENT:
        return None
    if parent not in numbers:
        raise entry["parent"].error(f"no part has the id {parent}", "Name an existing part, or -1 for the root.")
    return parent
