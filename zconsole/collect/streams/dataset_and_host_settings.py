"""Settings that advice is about, of a host and its pools: read once, then hourly."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import ENDS_SESSION, ZConsoleError
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.hosts.host import Host
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.host_settings import HostSettings
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import SUSPENDED
from zconsole.zfs.settings.dataset_settings import list_dataset_settings, parse_dataset_settings
from zconsole.zfs.settings.host_settings import parse_host_settings, read_host_settings

EVERY_S: Final = 3600.0
LOOK_EVERY_S: Final = 60.0  # for pools that were imported meanwhile
RETRY_S: Final = 600.0


async def read_dataset_settings(asker: Asker, pool: str, version: ZfsVersion) -> tuple[DatasetSettings, ...]:
    """Settings of all file systems and volumes of a pool; raises HostError and ParseError."""
    answer = await asker.ask(list_dataset_settings(pool, version), kind="settings", pool=pool)
    return tuple(parse_dataset_settings(decoded(answer), version))


async def read_settings_of_host(asker: Asker) -> HostSettings:
    """Settings of the module and the event daemon; raises HostError and ParseError."""
    return parse_host_settings(decoded(await asker.ask(read_host_settings(), kind="host-settings")))


async def with_settings(state: HostState, host: Host, clock: Clock, *, timeout_s: float) -> HostState:
    """A state that was read once, with the settings; what cannot be read is a problem of its reading."""
    version = state.version.value
    if version is None:
        return state
    asker = Asker(host, timeout_s=timeout_s)
    pools = await all_of(_with_settings(pool, asker, version, clock) for pool in state.pools)
    of_host: Reading[HostSettings]
    try:
        of_host = Reading(await read_settings_of_host(asker), clock.monotonic())
    except ZConsoleError as error:
        of_host = Reading(problem=in_words(error))
    return replace(state, pools=pools, settings=of_host)


async def _with_settings(pool: PoolState, asker: Asker, version: ZfsVersion, clock: Clock) -> PoolState:
    if pool.kstat_state == SUSPENDED:
        return pool
    try:
        found = await read_dataset_settings(asker, pool.name, version)
    except ZConsoleError as error:
        return replace(pool, settings=Reading(problem=in_words(error)))
    return replace(pool, settings=Reading(found, clock.monotonic()))


class SettingsWatch:
    """Reader of the settings of one host."""

    def __init__(self, asker: Asker, store: Store, clock: Clock, *, slack: float) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._slack = slack
        self._due: dict[str, float] = {}  # monotonic seconds, by pool
        self._host_due = 0.0

    async def run(self, version: ZfsVersion) -> None:
        """Read until cancelled. Raises errors that end the whole session."""
        while True:
            if self._clock.monotonic() >= self._host_due:
                await self._read_host()
            for pool in self._store.state.pools:
                is_due = self._clock.monotonic() >= self._due.get(pool.name, 0.0)
                if is_due and pool.kstat_state != SUSPENDED:
                    await self._read(pool, version)
            await self._clock.sleep(self._slack * LOOK_EVERY_S)

    async def _read(self, pool: PoolState, version: ZfsVersion) -> None:
        try:
            with contained(f"the settings of {pool.name}"):
                found = await read_dataset_settings(self._asker, pool.name, version)
            kept = pool.settings.value if pool.settings.value == found else found  # results stay cached
            reading, every_s = Reading(kept, self._clock.monotonic()), EVERY_S
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            reading, every_s = replace(pool.settings, problem=in_words(error)), RETRY_S
        self._due[pool.name] = self._clock.monotonic() + self._slack * every_s
        self._store.update_pool(pool.name, lambda state: replace(state, settings=reading))

    async def _read_host(self) -> None:
        try:
            with contained("the settings of the host"):
                found = await read_settings_of_host(self._asker)
            reading, every_s = Reading(found, self._clock.monotonic()), EVERY_S
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            reading, every_s = replace(self._store.state.settings, problem=in_words(error)), RETRY_S
        self._host_due = self._clock.monotonic() + self._slack * every_s
        self._store.commit(replace(self._store.state, settings=reading))
