"""Row of `zpool iostat` in its printed form, as read by `row_parser`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

from zconsole.model.pools.iostat import IoRow, LazyRows


def lines_of(rows: Sequence[IoRow]) -> list[bytes]:
    """The lines of rows: the original bytes if they were kept."""
    lines = rows.lines if isinstance(rows, LazyRows) else rows
    return [line if isinstance(line, bytes) else line_of(line) for line in lines]


def line_of(row: IoRow) -> bytes:
    """The line that parses to this row, as `zpool iostat -Hpvlq` prints it since 2.2."""
    numbers = (row.allocated_bytes or 0, row.free_bytes or 0)
    rates = (row.read_ops, row.write_ops, row.read_bytes, row.write_bytes)
    cells = [row.name, *map(str, numbers), *(str(int(rate)) for rate in rates)]
    cells += ["-" if wait is None else str(int(wait)) for wait in astuple(row.latency)]
    cells += map(str, astuple(row.queues))
    return "\t".join(cells).encode("utf-8", "surrogateescape")
