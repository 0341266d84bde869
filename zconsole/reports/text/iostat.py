"""`zconsole iostat`: one sample of a pool as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import (
    SECOND,
    UNKNOWN,
    count,
    megabytes_per_s,
    milliseconds,
    moment,
    percent,
)
from zconsole.base.size_units import with_used_unit
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool
from zconsole.reports.iostat_rows import rows

HEADINGS: Final[tuple[str, ...]] = ("R/s", "W/s", "R MiB/s", "W MiB/s", "READ ms", "WRITE ms", "BUSY")
WIDTHS: Final = (6, 6, 9, 9, 9, 9, 5)
NAME_WIDTH: Final = 34  # at least; by-id names are longer
PERCENT: Final = 100


def sample_lines(pool: Pool, sample: IoSample) -> Iterator[str]:
    """Yield one interval of one pool as a table: indented names, the unit of each column in its heading."""
    yield f"{moment(sample.at, SECOND)} UTC"
    table: list[tuple[str, tuple[str, ...]]] = [("VDEV", tuple(map(with_used_unit, HEADINGS)))]
    for row, busy, vdev, depth in rows(pool, sample):
        role = (
            f" ({vdev.vdev_class})" if vdev is not None and depth == 1 and vdev.vdev_class != "data" else ""
        )
        cells = (
            count(row.read_ops),
            count(row.write_ops),
            megabytes_per_s(row.read_bytes),
            megabytes_per_s(row.write_bytes),
            milliseconds(row.latency.total_read),
            milliseconds(row.latency.total_write),
            UNKNOWN if busy is None else percent(PERCENT * busy),
        )
        table.append((visible(f"{'  ' * depth}{row.name}{role}"), cells))
    name_width = max(NAME_WIDTH, *(len(name) + 1 for name, _ in table))
    for name, words in table:
        numbers = "".join(f"{word:>{width}}" for word, width in zip(words, WIDTHS, strict=True))
        yield f"{name:<{name_width}}{numbers}"
