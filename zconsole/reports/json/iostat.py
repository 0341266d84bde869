"""`zconsole iostat --json`: one sample of a pool."""

from __future__ import annotations

from dataclasses import asdict

from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.reports.iostat_rows import rows
from zconsole.reports.json.json_line import SCHEMA, Document, Json, guid, rounded


def sample_document(host: str, pool: Pool, sample: IoSample, interval_s: float) -> Document:
    """Return one interval of one pool: a flat list of vdevs, the pool's own row first."""
    return {
        "schema": SCHEMA,
        "host": host,
        "pool": sample.pool,
        "guid": guid(pool.guid),
        "at": sample.at,
        "interval_s": interval_s,
        "vdevs": [_row(*each) for each in rows(pool, sample)],
    }


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
