"""`zconsole iostat`: one sample of a pool, as a line of JSON or as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import UNKNOWN, count, mib_per_s, milliseconds, moment, percent
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.reports.json.json_line import SCHEMA, Document, Json, guid, rounded
from zconsole.zfs.iostat.iostat_stream import match_rows

HEADINGS: Final[tuple[str, ...]] = ("R/s", "W/s", "R MiB/s", "W MiB/s", "READ ms", "WRITE ms", "BUSY")
WIDTHS: Final = (6, 6, 9, 9, 9, 9, 5)
NAME_WIDTH: Final = 34  # at least; by-id names are longer
PERCENT: Final = 100


def sample_document(host: str, pool: Pool, sample: IoSample, interval_s: float) -> Document:
    """Return one interval of one pool: a flat list of vdevs, the pool's own row first."""
    return {
        "schema": SCHEMA,
        "host": host,
        "pool": sample.pool,
        "guid": guid(pool.guid),
        "at": sample.at,
        "interval_s": interval_s,
        "vdevs": [_row(*each) for each in _rows(pool, sample)],
    }


def sample_lines(pool: Pool, sample: IoSample) -> Iterator[str]:
    """Yield one interval of one pool as a table: indented names, the unit of each column in its heading."""
    yield f"{moment(sample.at, '%Y-%m-%d %H:%M:%S')} UTC"
    table: list[tuple[str, tuple[str, ...]]] = [("VDEV", HEADINGS)]
    for row, busy, vdev, depth in _rows(pool, sample):
        role = (
            f" ({vdev.vdev_class})" if vdev is not None and depth == 1 and vdev.vdev_class != "data" else ""
        )
        cells = (
            count(row.read_ops),
            count(row.write_ops),
            mib_per_s(row.read_bytes),
            mib_per_s(row.write_bytes),
            milliseconds(row.latency.total_read),
            milliseconds(row.latency.total_write),
            UNKNOWN if busy is None else percent(PERCENT * busy),
        )
        table.append((visible(f"{'  ' * depth}{row.name}{role}"), cells))
    name_width = max(NAME_WIDTH, *(len(name) + 1 for name, _ in table))
    for name, words in table:
        numbers = "".join(f"{word:>{width}}" for word, width in zip(words, WIDTHS, strict=True))
        yield f"{name:<{name_width}}{numbers}"


def _rows(pool: Pool, sample: IoSample) -> Iterator[tuple[IoRow, float | None, Vdev | None, int]]:
    """Yield each row with its utilization, the vdev that it certainly belongs to, and its depth."""
    vdevs = match_rows(pool, sample.rows)
    depths = _depths(pool)
    for index, row in enumerate(sample.rows):
        vdev = vdevs[index] if index < len(vdevs) else None
        busy = sample.busy[index] if index < len(sample.busy) else None
        depth = 0 if index == 0 else 1 if vdev is None else depths[id(vdev)]
        yield row, busy, vdev, depth


def _depths(pool: Pool) -> dict[int, int]:
    found: dict[int, int] = {}

    def visit(vdevs: Sequence[Vdev], depth: int) -> None:
        for vdev in vdevs:
            found[id(vdev)] = depth
            visit(vdev.children, depth + 1)

    visit(pool.vdevs, 1)
    return found


def _row(row: IoRow, busy: float | None, vdev: Vdev | None, depth: int) -> Document:
    latency: dict[str, Json] = asdict(row.latency)
    queues: dict[str, Json] = asdict(row.queues)
    return {
        "name": row.name,
        "depth": depth,
        "type": "root" if depth == 0 else None if vdev is None else vdev.type,
        "class": None if vdev is None else vdev.vdev_class,
        "guid": None if vdev is None else guid(vdev.guid),
        "state": None if vdev is None else vdev.state,
        "allocated_bytes": row.allocated_bytes,
        "free_bytes": row.free_bytes,
        "read_ops": row.read_ops,
        "write_ops": row.write_ops,
        "read_bytes": row.read_bytes,
        "write_bytes": row.write_bytes,
        "busy": rounded(busy, 4),
        "latency_ns": latency,
        "queues": queues,
    }
