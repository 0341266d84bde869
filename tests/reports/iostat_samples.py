"""Samples of captured pools."""

from __future__ import annotations

from tests.reports.captured import captured
from zconsole.model.pools.iostat import IoRow, IoSample, Latency
from zconsole.model.pools.pool import Pool
from zconsole.zfs.iostat.iostat_stream import row_names

AT = 1_795_220_000.0


def pool_of(series: str, state: str) -> Pool:
    found = captured(series, state).pools[0].pool.value
    assert found is not None
    return found


def sample_of(pool: Pool, *, busy: float | None = 0.25) -> IoSample:
    rows = tuple(
        IoRow(name, 4096 * at, None, at, 2.0 * at, 1024.0 * 1024 * at, 512.0, Latency(total_read=8_400_000))
        for at, name in enumerate(row_names(pool))
    )
    return IoSample(pool.name, AT, rows, tuple(busy for _ in rows))
