"""`zconsole sample` as JSON: how full a pool is now."""

from __future__ import annotations

from zconsole.model.pools.space_samples import SpaceSample
from zconsole.reports.json.json_line import SCHEMA, Document, guid, rounded


def sample_document(sample: SpaceSample) -> Document:
    """Return one sample with its largest datasets."""
    return {
        "schema": SCHEMA,
        "host": sample.host,
        "pool": sample.pool,
        "guid": guid(sample.guid),
        "at": round(sample.at),
        "used_bytes": sample.used_bytes,
        "available_bytes": sample.available_bytes,
        "usable_bytes": sample.usable_bytes,
        "used_percent": rounded(sample.used_percent),
        "size_bytes": sample.size_bytes,
        "allocated_bytes": sample.allocated_bytes,
        "free_bytes": sample.free_bytes,
        "datasets": [
            {"name": use.name, "live_bytes": use.live_bytes, "snapshots_bytes": use.snapshots_bytes}
            for use in sample.datasets
        ],
    }
