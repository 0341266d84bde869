"""Rows of an iostat sample, each with its utilization, its vdev and its depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.iostat.iostat_stream import match_rows


def rows(pool: Pool, sample: IoSample) -> Iterator[tuple[IoRow, float | None, Vdev | None, int]]:
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
