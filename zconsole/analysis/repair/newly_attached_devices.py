"""Devices that were attached, or took part in a replacement as the new one, and have served since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.analysis.vdevs.pool_degraded_since import STATE_CHANGE, vdev_number
from zconsole.analysis.vdevs.resilver_targets import NEWCOMERS, with_marks_in_doubt
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import HEALTHY_STATES, Pool

ATTACHED: Final = "sysevent.fs.zfs.vdev_attach"  # by attach and by replace
BEGINS_WITHIN_S: Final = 120.0  # the resilver of what is attached: some transaction groups later


def attached_devices(pool: Pool, events: Iterable[Event]) -> frozenset[int]:
    """Guids of the devices of which an event tells that they came, and none since that they failed."""
    found: set[int] = set()
    for event in events:
        if event.pool != pool.name or (guid := vdev_number(event.field("vdev_guid"))) is None:
            continue
        if event.event_class == ATTACHED:
            found.add(guid)
        elif event.event_class == STATE_CHANGE and event.field("vdev_state") not in HEALTHY_STATES:
            found.discard(guid)
    return frozenset(found)


def with_doubt_beside_attached(pool: Pool, events: Sequence[Event]) -> Pool:
    """The pool in which a device is in doubt that is marked beside one that an event calls new.

    The new one explains the resilver that runs. Another one without an error may have been repaired in it,
    and its errors cleared since, as beside the new disk of a replacement (`with_resilver_targets`).
    """
    scan = pool.scan
    if scan is None or not scan.is_running or scan.start is None or scan.vdev is not None:
        return pool
    marked = {id(leaf): leaf for top in pool.vdevs for leaf in top.leaves() if leaf.is_resilvering}
    if len(marked) < 2:
        return pool
    came = [each for each in events if each.at is not None and each.at >= scan.start - BEGINS_WITHIN_S]
    new = attached_devices(pool, came)
    beside = {id(leaf) for vdev in pool.walk() if vdev.type in NEWCOMERS for leaf in vdev.leaves()}
    if not any(leaf.guid in new for at, leaf in marked.items() if at not in beside):
        return pool  # `with_resilver_targets` knows those of replacements
    return with_marks_in_doubt(
        pool, {at for at, leaf in marked.items() if leaf.guid not in new and at not in beside}
    )
