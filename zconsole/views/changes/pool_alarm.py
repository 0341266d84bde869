"""Alarm above an open plan: disks of its pool that were lost since it was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.host_disks import host_disks, is_gone
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import GONE_STATES, HEALTHY_STATES, Vdev
from zconsole.views.layout.styled_text import Line, line

Known = tuple[HostState, str]  # a host, and the alarm of the pool's repair
STALE: Final = (
    "This plan is of before: it is compared with the host before it runs. F5: plan again. Esc: leave."
)


def pool_alarm(before: Known, now: Known, pool: str) -> tuple[Line, ...]:
    """What has happened to a pool since a plan for it was made."""
    lost, stop = tuple(_lost(before[0], now[0], pool)), now[1]
    if not lost and not stop:
        return ()
    words = stop or f"STOP: {joined_by_and(lost)} of {pool} {'is' if len(lost) == 1 else 'are'} gone"
    told = line((f"✗ {words}", "bad"))
    return (told, line((STALE, "warn"))) if lost or stop != before[1] else (told,)


def _lost(before: HostState, now: HostState, pool: str) -> Iterator[str]:
    """The disks that served before and are gone now, by serial number and bay."""
    was, there = _leaves(before, pool), _leaves(now, pool)
    if was == there and before.inventory.value is now.inventory.value:
        return
    gone = {
        guid
        for guid, leaf in was.items()
        if leaf.state in HEALTHY_STATES and guid in there and _is_lost(there[guid], leaf, before, now)
    }
    for disk in host_disks(before) if gone else ():
        if (
            disk.leaf is not None
            and disk.pool is not None
            and disk.pool.name == pool
            and disk.leaf.guid in gone
        ):
            yield f"{disk.serial} (bay {disk.bay})" if disk.bay else disk.serial


def _is_lost(leaf: Vdev, was: Vdev, before: HostState, now: HostState) -> bool:
    if leaf.state in GONE_STATES or leaf.state == "FAULTED":
        return True
    return is_gone(leaf, now.inventory.value) and not is_gone(was, before.inventory.value)


def _leaves(state: HostState, pool: str) -> dict[int, Vdev]:
    of = state.pool(pool)
    if of is None or of.pool.value is None:
        return {}
    return {leaf.guid: leaf for leaf in of.pool.value.walk() if leaf.is_leaf and leaf.guid is not None}
