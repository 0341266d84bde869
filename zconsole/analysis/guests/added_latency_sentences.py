"""Sentences on what a slow disk costs guests: the same in findings, in Repair, on screens and in print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.analysis.guests.latency_added_to_guests import AddedLatency
from zconsole.base.fixed_width_formatting import latency, percent
from zconsole.base.name_lists import shortened
from zconsole.model.pools.slow_disk import READ

MOST_NAMED: Final = 3
RESTS_ON: Final = (
    "from the measured excess and the share of the pool's I/O that the vdev does; how the blocks of one "
    "guest are spread over the vdevs is not known, and what the ARC answers does not wait"
)


def adds_in_short(added: Sequence[AddedLatency]) -> str:
    """`adds 6.0 ms a read to web01, db02 in the mean`; empty without an excess."""
    if not added:
        return ""
    times = " and ".join(f"{latency(each.pool_ns)} a {_operation(each)}" for each in added)
    most = "up to " if any(each.is_most for each in added) else ""
    return f"adds {most}{times} to {shortened(added[0].guests, MOST_NAMED)} in the mean"


def adds_in_full(added: AddedLatency, vdev: str, pool: str) -> str:
    """The mean of the pool, and what it is the mean of."""
    what = _operation(added)
    most = "up to " if added.is_most else ""
    whole = f"adds {most}{latency(added.pool_ns)} to a {what} of the guests that run on {pool}, in the mean"
    if vdev == pool or added.share > 0.995:
        return whole
    share = percent(100 * added.share)
    return f"{whole}: {latency(added.vdev_ns)} where {vdev} does it, {share} of the {what}s"


def _operation(added: AddedLatency) -> str:
    return "read" if added.operation == READ else "synchronous write"
