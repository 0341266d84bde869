"""Space sampling for forecasts: once for the command line, and while the console runs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, HostError, ParseError, ZConsoleError
from zconsole.collect.host_state_store import Store
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Host
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.space_samples import DatasetUse, SpaceSample
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.space_samples import MOST_DATASETS, SpaceStore
from zconsole.zfs.listing.space_now_and_at_snapshots import (
    dataset_block_sizes,
    dataset_uses,
    parse_dataset_block_sizes,
    parse_dataset_uses,
)

logger = logging.getLogger(__name__)

EVERY_S: Final = 900.0  # minimum interval between samples of a pool
LOOK_EVERY_S: Final = 60.0  # interval of checks whether a sample is due
MOST_WAITING: Final = 200  # unwritten samples kept: some hours of all pools


def sample_of(pool: Pool, host: str, at: float, datasets: tuple[DatasetUse, ...] = ()) -> SpaceSample:
    """Space sample from a pool's state. Raises CommandFailed where the space is unknown."""
    if pool.guid is None or pool.usable_used_bytes is None or pool.usable_available_bytes is None:
        raise CommandFailed(
            f"what {pool.name} on {host} uses and can use is not known",
            hint="A suspended pool cannot report it: see zconsole status.",
        )
    return SpaceSample(
        at,
        host,
        pool.name,
        pool.guid,
        used_bytes=pool.usable_used_bytes,
        available_bytes=pool.usable_available_bytes,
        size_bytes=pool.size_bytes,
        allocated_bytes=pool.allocated_bytes,
        free_bytes=pool.free_bytes,
        datasets=datasets,
    )


async def dataset_uses_of(asker: Asker, pool: str) -> tuple[DatasetUse, ...]:
    """Space used by each dataset of a pool; raises HostError, ParseError."""
    answer = await asker.ask(dataset_uses(pool), kind="uses", pool=pool)
    uses = parse_dataset_uses(answer)
    return tuple(DatasetUse(use.name, use.live_bytes, use.snapshots_bytes) for use in uses)


async def dataset_uses_with_blocks(asker: Asker, pool: str) -> tuple[DatasetUse, ...]:
    """Space used by each dataset, and the size of its blocks; raises HostError, ParseError."""
    uses = await dataset_uses_of(asker, pool)
    answer = await asker.ask(dataset_block_sizes(pool), kind="block-sizes", pool=pool)
    sizes = dict(parse_dataset_block_sizes(answer))
    return tuple(replace(use, block_bytes=sizes.get(use.name)) for use in uses)


async def largest_datasets(asker: Asker, pool: str) -> tuple[DatasetUse, ...]:
    """Space used by the largest datasets of a pool, largest first; raises HostError, ParseError."""
    uses = await dataset_uses_of(asker, pool)
    return tuple(sorted(uses, key=lambda use: (-use.live_bytes - (use.snapshots_bytes or 0), use.name)))[
        :MOST_DATASETS
    ]


async def take_sample(asker: Asker, pool: Pool, host: str, at: float) -> SpaceSample:
    """Sample of a pool whose state was just read, with its datasets; raises HostError, ParseError."""
    sample = sample_of(pool, host, at)
    return SpaceSample(
        *(sample.at, host, sample.pool, sample.guid, sample.used_bytes, sample.available_bytes),
        *(sample.size_bytes, sample.allocated_bytes, sample.free_bytes),
        datasets=await largest_datasets(asker, pool.name),
    )


class Sampler:
    """Sampler of one host's pools while the console runs; writes in its own thread."""

    def __init__(self, host: Host, states: Store, store: SpaceStore, clock: Clock) -> None:
        self._asker = Asker(host)
        self._states = states
        self._store = store
        self._clock = clock
        self._taken: dict[int, float] = {}  # epoch seconds of the newest sample, by the pool's guid
        self._waiting: list[SpaceSample] = []
        self._has_complained = False

    async def run(self) -> None:
        """Sample until cancelled. Errors are logged, and the sample is retried later."""
        while True:
            state = self._states.state
            if state.link.state is LinkState.UP:
                for pool in _readable(state):
                    await self._take_sample(pool, state.hostname or state.host)
            await self._clock.sleep(LOOK_EVERY_S)

    async def _take_sample(self, pool: Pool, host: str) -> None:
        now = self._clock.now()
        try:
            if not await self._is_due(pool, host, now):
                return
            self._taken[pool.guid or 0] = now
            try:
                sample = await take_sample(self._asker, pool, host, now)
            except (HostError, ParseError) as error:  # the pool's own sample is kept without its datasets
                logger.info("the datasets of %s are not sampled: %s", pool.name, error)
                sample = sample_of(pool, host, now)
        except ZConsoleError as error:
            self._complain(error)
            return
        self._waiting = [*self._waiting, sample][-MOST_WAITING:]
        await self._write()

    async def _is_due(self, pool: Pool, host: str, now: float) -> bool:
        """Whether a sample is due: a timer or another console may have taken one."""
        guid = pool.guid or 0
        last = self._taken.get(guid)
        if last is not None and 0 <= now - last < EVERY_S:
            return False
        newest = await patiently(self._store.newest, host, guid)
        if newest is not None and 0 <= now - newest.at < EVERY_S:
            self._taken[guid] = newest.at
            return False
        return True

    async def _write(self) -> None:
        """Write waiting samples, oldest first; unwritten ones are kept for the next attempt."""
        while self._waiting:
            try:
                await patiently(self._store.add, self._waiting[0])
            except ZConsoleError as error:
                self._complain(error)
                return
            del self._waiting[0]

    def _complain(self, error: ZConsoleError) -> None:
        if not self._has_complained:
            self._has_complained = True
            logger.warning("no sample for forecasts: %s", error)


def _readable(state: HostState) -> Sequence[Pool]:
    """Pools with a fresh state and known space."""
    return [
        pool
        for reading in (each.pool for each in state.pools)
        if (pool := reading.value) is not None
        and not reading.problem
        and pool.guid is not None
        and pool.usable_used_bytes is not None
        and pool.usable_available_bytes is not None
    ]
