"""Autosit state of slow disks: read slowly, and only while a disk is slow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import SHAPES
from zconsole.base.clock import Clock
from zconsole.base.errors import ENDS_SESSION, ZConsoleError
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.pools.pool import SUSPENDED, Pool
from zconsole.model.pools.slow_disk import SitOuts, SlowDiskVerdict
from zconsole.zfs.listing.sit_out import get_sit_outs, parse_sit_outs

LOOK_EVERY_S: Final = 5.0  # interval of checks for a slow disk
ASK_EVERY_S: Final = 60.0  # interval of readings for slow disks


async def read_sit_outs(asker: Asker, pool: str, vdevs: Sequence[int]) -> SitOuts:
    """Autosit state from the properties of some vdevs of a pool."""
    answer = await asker.ask(get_sit_outs(pool, vdevs), kind="sit-out", pool=pool)
    return parse_sit_outs(decoded(answer), vdevs)


def vdevs_to_ask(pool: Pool | None, verdicts: Sequence[SlowDiskVerdict]) -> tuple[int, ...]:
    """Guids of the slow disks of a raidz or dRAID, each preceded by its vdev's guid."""
    found: dict[int, None] = {}
    for verdict in verdicts:
        for top in pool.vdevs if pool is not None and verdict.shape in SHAPES else ():
            for leaf in top.leaves() if top.name == verdict.vdev else ():
                if leaf.name == verdict.disk and top.guid and leaf.guid:
                    found |= {top.guid: None, leaf.guid: None}
    return tuple(found)


class SitOutWatch:
    """Watch of autosit in the pools of one host."""

    def __init__(self, asker: Asker, store: Store, clock: Clock, slack: float = 1.0) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._slack = slack
        self._asked: dict[str, tuple[tuple[int, ...], float]] = {}  # guids read last, and the time

    async def run(self) -> None:
        """Read until cancelled. Raises errors that end the whole session."""
        while True:
            await self._clock.sleep(self._slack * LOOK_EVERY_S)
            for pool in self._store.state.pools:
                vdevs = vdevs_to_ask(pool.pool.value, pool.slow)
                if vdevs and pool.kstat_state != SUSPENDED and self._is_due(pool.name, vdevs):
                    await self._ask(pool, vdevs)

    def _is_due(self, pool: str, vdevs: tuple[int, ...]) -> bool:
        about, at = self._asked.get(pool, ((), 0.0))
        return vdevs != about or self._clock.monotonic() - at >= self._slack * ASK_EVERY_S

    async def _ask(self, pool: PoolState, vdevs: tuple[int, ...]) -> None:
        now = self._clock.monotonic()
        self._asked[pool.name] = (vdevs, now)
        try:
            with contained(f"autosit of {pool.name}"):
                reading = Reading(await read_sit_outs(self._asker, pool.name, vdevs), now)
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            reading = Reading(problem=in_words(error))
        self._store.update_pool(pool.name, lambda state: replace(state, sit_outs=reading))
