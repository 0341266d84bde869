"""ARC, write throttle and intent log of a host, and its pools' txgs, while displayed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from zconsole.base.bounded_int import natural
from zconsole.base.clock import Clock
from zconsole.base.errors import HostError, HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause, repeat_while_wanted
from zconsole.collect.read_command_runner import in_words
from zconsole.hosts.host import Host
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.kernel_counters import ArcSample, ThrottleSample, ZilSample
from zconsole.zfs.kstat.arc_throttle_and_zil import (
    ARCSTATS,
    DIRTY_MAX,
    DMU_TX,
    ZIL,
    arc_sample,
    throttle_sample,
    zil_sample,
)
from zconsole.zfs.kstat.pool_state_and_kstat_parser import Kstat, parse_kstat
from zconsole.zfs.kstat.txgs_and_assign_waits import (
    HISTORY,
    assign_waits,
    assign_waits_path,
    parse_assign_waits,
    parse_txgs,
    together,
    txgs_path,
)

EVERY_S: Final = 2.0
LEAST_REST_S: Final = 0.5
KEPT_S: Final = 3600.0
KEPT: Final = int(KEPT_S / EVERY_S)
TXGS_KEPT: Final = 720  # an hour at one sample per 5 s
NO_HISTORY: Final = f"the kernel keeps none; `echo 100 >{HISTORY}` on the host changes that until it boots"
T = TypeVar("T", bound=ArcSample | ThrottleSample | ZilSample)


class ArcWatch:
    """Reader of the statistics of one host's ZFS module."""

    def __init__(self, host: Host, store: Store, clock: Clock) -> None:
        self._host = host
        self._store = store
        self._clock = clock
        self._is_wanted = False
        self._due = asyncio.Event()
        self._before: dict[str, Kstat] = {}

    def want(self, *, is_wanted: bool) -> None:
        """Start or stop reading. Earlier readings are kept, with their age."""
        if is_wanted and not self._is_wanted:
            self._before = {}
        self._is_wanted = is_wanted
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        await repeat_while_wanted(self._due, lambda: self._is_wanted, self._turn)

    async def _turn(self) -> None:
        began = self._clock.monotonic()
        await self._read()
        took_s = self._clock.monotonic() - began
        await pause(self._clock, max(LEAST_REST_S, EVERY_S - took_s), self._due)

    async def _read(self) -> None:
        dirty_max = await self._number(DIRTY_MAX)
        state, at = self._store.state, self._clock.now()
        arc = await self._sampled(ARCSTATS, state.arc, lambda now, then: arc_sample(now, then, at))
        throttle = await self._sampled(
            DMU_TX, state.throttle, lambda now, then: throttle_sample(now, then, at, dirty_max)
        )
        zil = await self._sampled(ZIL, state.zil, lambda now, then: zil_sample(now, then, at))
        self._store.commit(replace(self._store.state, arc=arc, throttle=throttle, zil=zil))
        for pool in state.pools:
            await self._read_txgs(pool.name)

    async def _sampled(
        self, path: str, known: Reading[tuple[T, ...]], sample: Callable[[Kstat, Kstat | None], T]
    ) -> Reading[tuple[T, ...]]:
        """Reading of a kstat with one more sample, or with the reason why there is none."""
        try:
            with contained(path):
                now = parse_kstat(await self._text(path))
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            return replace(known, problem=in_words(error))
        before, self._before[path] = self._before.get(path), now
        if before is not None and before.at_ns == now.at_ns:
            return known  # a recording without a newer sample
        newest = sample(now, before)
        kept = tuple(each for each in known.value or () if each.at > newest.at - KEPT_S)
        return Reading((*kept[1 - KEPT :], newest), self._clock.monotonic())

    async def _read_txgs(self, pool: str) -> None:
        state = self._store.state.pool(pool)
        if state is None:
            return
        txgs, waits = state.txgs, state.assign_waits
        now = self._clock.monotonic()
        try:
            with contained(f"the txgs of {pool}"):
                groups = parse_txgs(await self._text(txgs_path(pool)))
            is_off = not groups and await self._number(HISTORY) == 0
            problem = NO_HISTORY if is_off else ""
            txgs = Reading(together(txgs.value or (), groups, TXGS_KEPT), now, problem)
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            txgs = replace(txgs, problem=in_words(error))
        path = assign_waits_path(pool)
        try:
            with contained(path):
                counted = parse_assign_waits(await self._text(path))
            before = self._before.get(path)
            if counted is None:
                waits = Reading(None, now)
            elif before is None or before.at_ns != counted.at_ns:
                waits = Reading(assign_waits(counted, before), now)
                self._before[path] = counted
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            waits = replace(waits, problem=in_words(error))
        self._store.update_pool(pool, lambda state: replace(state, txgs=txgs, assign_waits=waits))

    async def _number(self, path: str) -> int | None:
        """Module parameter; None where unreadable."""
        try:
            text = (await self._text(path)).strip()
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError:
            return None
        return natural(text)

    async def _text(self, path: str) -> str:
        """Text of a kernel file. Raises HostError."""
        try:
            return (await self._host.read(path)).decode("ascii", "replace")
        except FileNotFoundError:
            raise HostError(f"{self._host.label} has no {path}") from None
        except PermissionError:
            raise HostError(f"this user may not read {path} on {self._host.label}") from None
