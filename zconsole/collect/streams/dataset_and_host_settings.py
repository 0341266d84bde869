"""Settings that advice is about, of a host and its pools: read once, then hourly."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.datasets.long_lived_clone_rules import LONG_LIVED_S
from zconsole.base.clock import Clock
from zconsole.base.errors import ENDS_SESSION, ZConsoleError
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import ReadingDue, pause
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.hosts.host import Host, Outcome
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.host_settings import HostSettings
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.dedup_table import DedupTable
from zconsole.model.pools.pool import SUSPENDED
from zconsole.zfs.settings.clone_origins import list_origins, parse_origins
from zconsole.zfs.settings.dataset_settings import list_dataset_settings, parse_dataset_settings
from zconsole.zfs.settings.dedup_table import (
    COUNTS_THE_WHOLE,
    parse_dedup_table,
    read_dedup_quota,
    read_dedup_table,
    with_quota,
)
from zconsole.zfs.settings.host_settings import parse_host_settings, read_host_settings

EVERY_S: Final = 3600.0
LOOK_EVERY_S: Final = 60.0  # for pools that were imported meanwhile
RETRY_S: Final = 600.0
AGAIN_S: Final = 10.0  # the least between two readings for somebody who has changed something
REST: Final = 10.0  # times as long as the last one took, before the next
RECENT_S: Final = 300.0  # younger ones are not read again for somebody who looks at advice
MOST_ORIGINS: Final = 100  # snapshots of which `used` is read, an access each


async def read_dataset_settings(
    asker: Asker, pool: str, version: ZfsVersion, now: float
) -> tuple[DatasetSettings, ...]:
    """Settings of all file systems and volumes of a pool; raises HostError and ParseError.

    `now` is epoch seconds; of clones that are old then, the origins are read too.
    """
    answer = await asker.ask(list_dataset_settings(pool, version), kind="settings", pool=pool)
    found = tuple(parse_dataset_settings(decoded(answer), version))
    return await _with_origins(asker, pool, found, now)


async def read_dedup(asker: Asker, pool: PoolState, version: ZfsVersion) -> DedupTable | None:
    """The deduplication table; None where nothing is deduplicated. Raises HostError and ParseError."""
    of = pool.pool.value
    has_ratio = of is not None and (of.dedup_ratio or 0) > 1
    if not has_ratio and all(each.dedup in (None, "off") for each in pool.settings.value or ()):
        return None
    answer = await asker.ask(read_dedup_table(pool.name), kind="dedup", pool=pool.name)
    table = parse_dedup_table(decoded(answer), version)
    if table is None or version.numbers < COUNTS_THE_WHOLE:
        return table
    answer = await asker.ask(read_dedup_quota(pool.name), kind="dedup", pool=pool.name)
    return with_quota(table, decoded(answer), pool.name)


async def _with_origins(
    asker: Asker, pool: str, found: tuple[DatasetSettings, ...], now: float
) -> tuple[DatasetSettings, ...]:
    """The settings with the origins of old clones, of the oldest first."""
    old = sorted(
        (each.creation, each.origin)
        for each in found
        if each.origin and each.creation is not None and now - each.creation >= LONG_LIVED_S
    )
    names = tuple(dict.fromkeys(origin for _, origin in old))[:MOST_ORIGINS]
    if not names:
        return found
    completed = await asker.run(list_origins(names), kind="origins", pool=pool)
    if completed.outcome is Outcome.UNKNOWN:
        return found
    origins = {each.name: each for each in parse_origins(decoded(completed.stdout))}
    return tuple(
        replace(each, origin_created=origin.creation, origin_used_bytes=origin.used_bytes)
        if (origin := origins.get(each.origin or "")) is not None
        else each
        for each in found
    )


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
        found = await read_dataset_settings(asker, pool.name, version, clock.now())
    except ZConsoleError as error:
        return replace(pool, settings=Reading(problem=in_words(error)))
    read = replace(pool, settings=Reading(found, clock.monotonic()))
    try:
        return replace(read, dedup=Reading(await read_dedup(asker, read, version), clock.monotonic()))
    except ZConsoleError as error:
        return replace(read, dedup=Reading(problem=in_words(error)))


class SettingsWatch:
    """Reader of the settings of one host."""

    def __init__(
        self, asker: Asker, store: Store, clock: Clock, *, slack: float, due: ReadingDue | None = None
    ) -> None:
        """`due` is set when settings that are not recent should be read at once, after a change all."""
        self._asked = ReadingDue() if due is None else due
        self._read_at: dict[str, float] = {}  # monotonic seconds of the last attempt, by pool
        self._took_s: dict[str, float] = {}  # by the last reading, by pool
        self._host_read_at: float | None = None
        self._asker = asker
        self._store = store
        self._clock = clock
        self._slack = slack
        self._due: dict[str, float] = {}  # monotonic seconds, by pool
        self._host_due = 0.0

    async def run(self, version: ZfsVersion) -> None:
        """Read until cancelled. Raises errors that end the whole session."""
        while True:
            if self._asked.is_set():
                self._make_due(has_changed=self._asked.take())
            if self._clock.monotonic() >= self._host_due:
                await self._read_host()
            for pool in self._store.state.pools:
                is_due = self._clock.monotonic() >= self._due.get(pool.name, 0.0)
                if is_due and pool.kstat_state != SUSPENDED:
                    await self._read(pool, version)
            await pause(self._clock, self._next_s, self._asked, keep=True)

    @property
    def _next_s(self) -> float:
        """Seconds until something is due, or pools may have come."""
        due = [
            self._due[pool.name]
            for pool in self._store.state.pools
            if pool.kstat_state != SUSPENDED and pool.name in self._due
        ]
        next_s = min([self._host_due, *due]) - self._clock.monotonic()
        return max(0.0, min(self._slack * LOOK_EVERY_S, next_s))

    def _make_due(self, *, has_changed: bool) -> None:
        """Let what is not recent be read now; what has changed soon, however recent it is."""
        now = self._clock.monotonic()
        read = {"": self._host_read_at or now, **self._read_at}
        due = {"": self._host_due, **self._due}
        for name, at in due.items():
            if has_changed:
                due[name] = min(at, read[name] + max(AGAIN_S, REST * self._took_s.get(name, 0.0)))
            elif read[name] < now - RECENT_S:
                due[name] = now
        self._host_due = due.pop("")
        self._due = due

    async def _read(self, pool: PoolState, version: ZfsVersion) -> None:
        began = self._clock.monotonic()
        try:
            with contained(f"the settings of {pool.name}"):
                found = await read_dataset_settings(self._asker, pool.name, version, self._clock.now())
            kept = pool.settings.value if pool.settings.value == found else found  # results stay cached
            reading, every_s = Reading(kept, self._clock.monotonic()), EVERY_S
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            reading, every_s = replace(pool.settings, problem=in_words(error)), RETRY_S
        self._read_at[pool.name] = self._clock.monotonic()
        self._took_s[pool.name] = self._read_at[pool.name] - began
        self._due[pool.name] = self._read_at[pool.name] + self._slack * every_s
        self._store.update_pool(pool.name, lambda state: replace(state, settings=reading))
        if not reading.problem:
            await self._read_dedup(replace(pool, settings=reading), version)

    async def _read_dedup(self, pool: PoolState, version: ZfsVersion) -> None:
        try:
            with contained(f"the deduplication table of {pool.name}"):
                table = await read_dedup(self._asker, pool, version)
            reading = Reading(table, self._clock.monotonic())
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            reading = replace(pool.dedup, problem=in_words(error))
        self._store.update_pool(pool.name, lambda state: replace(state, dedup=reading))

    async def _read_host(self) -> None:
        try:
            with contained("the settings of the host"):
                found = await read_settings_of_host(self._asker)
            reading, every_s = Reading(found, self._clock.monotonic()), EVERY_S
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            reading, every_s = replace(self._store.state.settings, problem=in_words(error)), RETRY_S
        self._host_read_at = self._clock.monotonic()
        self._host_due = self._host_read_at + self._slack * every_s
        self._store.commit(replace(self._store.state, settings=reading))
