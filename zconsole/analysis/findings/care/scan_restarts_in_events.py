"""How often the running scrub or resilver of a pool has begun again, by its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Pool

SEQUENTIAL: Final = "sequential"
START: Final = "sysevent.fs.zfs.{}_start"
FINISH: Final = "sysevent.fs.zfs.{}_finish"


def restarts_in_events(pool: Pool, events: Iterable[Event]) -> int:
    """Starts of the running scan's kind since the last one that ended, but for the first of them.

    ZFS reports the end of a scan only when it is complete: one that gives way to the next reports none. A
    scrub that a user stops says so, and begins a new count.
    """
    scan = pool.scan
    if scan is None or not scan.is_running or scan.vdev is not None:  # of sequential ones several run at once
        return 0
    begins = START.format(scan.function)
    ends = {FINISH.format(scan.function), "sysevent.fs.zfs.scrub_abort"}
    starts = 0
    for event in events:
        if event.pool != pool.name:
            continue
        if event.event_class == begins and event.field("resilver_type") != SEQUENTIAL:
            starts += 1
        elif event.event_class in ends:
            starts = 0
    return max(0, starts - 1)
