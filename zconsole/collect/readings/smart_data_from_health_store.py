"""SMART data that this account has kept of a host's disks, for answers that read none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.base.errors import ZConsoleError
from zconsole.collect.readings.read_and_keep_smart_records import stored_records
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.smart_health import SmartCoverage

if TYPE_CHECKING:
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore

RECENT_S: Final = 7 * 86_400.0  # older data says nothing about today


async def with_stored_smart(
    state: HostState,
    kept: DiskHealthStore | None,
    now: float,
    complain: Callable[[ZConsoleError], None],
    *,
    is_of_pools: bool = False,
) -> HostState:
    """The state with the newest kept data of its disks, `is_of_pools`: of those that serve its pools.

    No command is sent, and no disk is woken for it.
    """
    if kept is None or state.inventory.value is None:
        return state
    names = {
        disk_identity(each.disk)
        for each in host_disks(state)
        if each.disk is not None and (each.pool is not None or not is_of_pools)
    }
    try:
        found = await stored_records(kept, names)
    except ZConsoleError as error:
        complain(error)
        return state
    recent = tuple(each for each in found if 0 <= now - each.at <= RECENT_S)
    missing = len(names) - len(recent)
    problem = f"no SMART data of {missing} of {len(names)} disks was kept in the last 7d" if missing else ""
    coverage = SmartCoverage(len(names), missing)
    return replace(state, smart=Reading(recent, None, problem), smart_coverage=coverage)
