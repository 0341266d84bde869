"""`zconsole sample` in words: how full a pool is now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import size, used_percent
from zconsole.model.pools.space_samples import SpaceSample

MOST_NAMED: Final = 5  # datasets, of the largest


def sample_lines(sample: SpaceSample, *, is_kept: bool = True) -> Iterator[str]:
    """Yield one sample as lines without control sequences."""
    return map(visible, _lines(sample, is_kept=is_kept))


def _lines(sample: SpaceSample, *, is_kept: bool) -> Iterator[str]:
    percent = sample.used_percent
    full = "" if percent is None else f" ({used_percent(percent)})"
    kept = "" if is_kept else " Not kept: this host is not real."
    yield (
        f"{sample.host} {sample.pool}: {size(sample.used_bytes)} of {size(sample.usable_bytes)} used{full}, "
        f"{size(sample.allocated_bytes)} of {size(sample.size_bytes)} raw.{kept}"
    )
    for use in sample.datasets[:MOST_NAMED]:
        kept_by = "" if use.snapshots_bytes is None else f", {size(use.snapshots_bytes)} in its snapshots"
        yield f"  {use.name}: {size(use.live_bytes)}{kept_by}"
