"""`zconsole sample`: how full a pool is now, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import size
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.reports.json.json_line import SCHEMA, Document, guid, rounded

MOST_NAMED: Final = 5  # datasets, of the largest
_PERCENT: Final = 100


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
        "used_percent": rounded(_percent(sample)),
        "size_bytes": sample.size_bytes,
        "allocated_bytes": sample.allocated_bytes,
        "free_bytes": sample.free_bytes,
        "datasets": [
            {"name": use.name, "live_bytes": use.live_bytes, "snapshots_bytes": use.snapshots_bytes}
            for use in sample.datasets
        ],
    }


def sample_lines(sample: SpaceSample, *, is_kept: bool = True) -> Iterator[str]:
    """Yield one sample as lines without control sequences."""
    return map(visible, _lines(sample, is_kept=is_kept))


def _lines(sample: SpaceSample, *, is_kept: bool) -> Iterator[str]:
    percent = _percent(sample)
    full = "" if percent is None else f" ({percent:.1f} %)"
    kept = "" if is_kept else " Not kept: this host is not real."
    yield (
        f"{sample.host} {sample.pool}: {size(sample.used_bytes)} of {size(sample.usable_bytes)} used{full}, "
        f"{size(sample.allocated_bytes)} of {size(sample.size_bytes)} raw.{kept}"
    )
    for use in sample.datasets[:MOST_NAMED]:
        kept_by = "" if use.snapshots_bytes is None else f", {size(use.snapshots_bytes)} in its snapshots"
        yield f"  {use.name}: {size(use.live_bytes)}{kept_by}"


def _percent(sample: SpaceSample) -> float | None:
    usable = sample.usable_bytes
    return _PERCENT * sample.used_bytes / usable if usable else None
