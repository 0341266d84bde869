"""Start of a pool's degradation, from its events and from watching."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import HEALTHY_STATES, Pool

STATE_CHANGE = "resource.fs.zfs.statechange"


def degraded_since(pool: Pool, events: Iterable[Event]) -> float | None:
    """Epoch seconds of the earliest current fault among the events; None when they do not show it.

    For every unhealthy vdev its last change of state counts; the earliest of these is the start.
    """
    if pool.state in HEALTHY_STATES:
        return None
    ailing = {vdev.guid for vdev in pool.walk() if vdev.is_leaf and vdev.state not in HEALTHY_STATES}
    last_change: dict[int, float] = {}
    for event in events:
        if event.event_class != STATE_CHANGE or event.pool != pool.name or event.at is None:
            continue
        guid = vdev_number(event.field("vdev_guid"))
        if guid is not None and guid in ailing:
            last_change[guid] = event.at
    return min(last_change.values(), default=None)


def vdev_number(text: str | None) -> int | None:
    """The guid in an event's field; None where there is none."""
    try:
        return int(text, 0) if text else None
    except ValueError:
        return None
