"""Pools that may have paused guests: without space, or suspended."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.finding_thresholds import LAST_PERCENT
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.pool import SUSPENDED


def may_have_paused_guests(pools: Iterable[PoolState]) -> bool:
    """Whether a pool is nearly full or takes no writes: libvirt pauses guests whose writes fail there."""
    return any(_takes_few_writes(each) for each in pools)


def _takes_few_writes(state: PoolState) -> bool:
    pool = state.pool.value
    if state.kstat_state == SUSPENDED or (pool is not None and pool.state == SUSPENDED):
        return True
    full = fill(pool) if pool is not None else None
    return full is not None and full.percent >= LAST_PERCENT
