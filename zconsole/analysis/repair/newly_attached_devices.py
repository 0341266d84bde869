"""Devices that were attached, or took part in a replacement as the new one, and have served since."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.analysis.vdevs.pool_degraded_since import STATE_CHANGE, vdev_number
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import HEALTHY_STATES, Pool

ATTACHED: Final = "sysevent.fs.zfs.vdev_attach"  # by attach and by replace


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
