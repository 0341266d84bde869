"""Which of a million snapshots are meant by what somebody types: text in the full name, or a pattern."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.model.snapshot_table import Listed, SnapshotColumns, SnapshotTable

DENSE: Final = 8  # with more than one match in so many rows, all names are looked at one by one


def rows_with(table: SnapshotTable, text: str) -> array[int]:
    """The rows whose full name contains a text, as it is written; every row for nothing."""
    found = array("I")
    for piece in pieces_with(table, text):
        found.extend(piece)
    return found


def pieces_with(table: SnapshotTable, text: str) -> Iterator[Sequence[int]]:
    """The same a dataset at a time, for who shows the first or loses interest in between."""
    needle = text.encode("utf-8", "surrogateescape")
    for at, dataset in enumerate(table.datasets):
        places = _places(dataset, text, needle)
        if places:
            first = table.first_row(at)
            yield places if not first else [first + place for place in places]


def rows_matching(table: SnapshotTable, pattern: str) -> array[int]:
    """The rows whose full name a regular expression finds. Raises UsageError for what is none."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError(f"{pattern!r} is no regular expression: {error}") from None
    found = array("I")
    for at, dataset in enumerate(table.datasets):
        first, prefix = table.first_row(at), f"{dataset.name}@"
        names = bytes(dataset.snapshots.names).decode("ascii").split("\n")[:-1]
        found.extend([first + place for place, name in enumerate(names) if compiled.search(prefix + name)])
    return found


def _places(dataset: Listed, text: str, needle: bytes) -> Sequence[int]:
    columns = dataset.snapshots
    if text in dataset.name or text in f"{dataset.name[-len(text) :]}@":
        return range(len(columns))
    left, at, right = text.partition("@")
    if at:
        if not dataset.name.endswith(left):
            return ()
        start = right.encode("utf-8", "surrogateescape")
        names = bytes(columns.names).split(b"\n")[:-1]
        return [place for place, name in enumerate(names) if name.startswith(start)]
    return _inside(columns, needle)


def _inside(columns: SnapshotColumns, needle: bytes) -> Sequence[int]:
    """From match to match, which is fast where there are few; else from name to name."""
    blob, ends = bytes(columns.names), columns.ends
    most = len(columns) // DENSE
    found: list[int] = []
    position = blob.find(needle)
    while position >= 0:
        place = bisect_right(ends, position)
        found.append(place)
        if len(found) > most:
            return [place for place, name in enumerate(blob.split(b"\n")) if needle in name]
        position = blob.find(needle, ends[place])
    return found
