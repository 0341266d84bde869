"""What lives on the datasets of a host: one look at open files, mounts, and some files of the largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.dependencies.contents_of_datasets import (
    HeldFile,
    contents_of_datasets,
    held_files,
    mounted_volumes,
)
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, ZConsoleError
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.concurrent_reads import together
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.readings.storage_consumers import MOUNTS_MAX_BYTES, read_mounts, read_volumes
from zconsole.hosts.host import Host, Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset_contents import DatasetContents
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import SUSPENDED
from zconsole.system.file_sizes import EACH_S, SampledPlace, parse_file_sample, sample_files
from zconsole.system.mounts_and_boot_pools import Mount, mounted_datasets, parse_mounts
from zconsole.system.open_files import OPEN_FILES, parse_open_files

MUCH_BYTES: Final = 2 << 30  # of a file system whose files are looked at
MOST_SAMPLED: Final = 12  # file systems, the largest first
SAMPLED_SHARE: Final = 0.5  # of the time that a report has, for looking at files
MOST_PROCESSES: Final = 16  # whose mounts are read
SAMPLED_RECORDS: Final = range(1, 1 << 20)  # a record of 1 MiB and more is large enough for large files


async def with_contents(state: HostState, host: Host, clock: Clock, *, timeout_s: float) -> HostState:
    """A state with settings, with what lives on its datasets; what cannot be read is a problem of it."""
    sampled = min(MOST_SAMPLED, int(SAMPLED_SHARE * timeout_s / EACH_S))
    try:
        found = await read_contents(Asker(host, timeout_s=timeout_s), state, sampled=sampled)
    except ZConsoleError as error:
        problem: Reading[tuple[DatasetContents, ...]] = Reading(problem=in_words(error))
        return replace(state, pools=tuple(replace(pool, contents=problem) for pool in state.pools))
    at = clock.monotonic()
    return replace(
        state,
        pools=tuple(replace(pool, contents=Reading(found.get(pool.name, ()), at)) for pool in state.pools),
    )


async def read_contents(
    asker: Asker, state: HostState, *, sampled: int = MOST_SAMPLED
) -> Mapping[str, tuple[DatasetContents, ...]]:
    """What lives on the datasets of each pool; files of so many are looked at. Raises HostError, ParseError.

    Nothing is read while a pool is suspended: to look at its files would hang.
    """
    if any(SUSPENDED in (pool.kstat_state, pool.state) for pool in state.pools):
        return {}
    async with together() as group:
        mounts_read = group.create_task(read_mounts(asker))
        held_read = group.create_task(_held(asker))
        volumes_read = group.create_task(_volumes(asker))
    mounts, held = mounts_read.result() or (), held_read.result()
    async with together() as group:
        seen_read = group.create_task(_seen_by_processes(asker, held))
        samples_read = group.create_task(_samples(asker, state.pools, mounts, sampled))
    found = (
        *contents_of_datasets(held, seen_read.result(), samples_read.result()),
        *mounted_volumes(mounts, volumes_read.result(), state.inventory.value or Inventory()),
    )
    by_pool: dict[str, list[DatasetContents]] = {}
    for each in found:
        by_pool.setdefault(pool_of(each.name), []).append(each)
    return {pool: tuple(of_pool) for pool, of_pool in by_pool.items()}


async def _held(asker: Asker) -> tuple[HeldFile, ...]:
    """Files that known programs hold open, as far as this account may see them."""
    command = await Privilege(asker).to_read(OPEN_FILES)
    completed = await asker.run(command, kind="open-files")
    if completed.outcome is Outcome.UNKNOWN or not completed.stdout:
        return ()
    return held_files(parse_open_files(decoded(completed.stdout)))


async def _volumes(asker: Asker) -> Mapping[str, str]:
    try:
        return await read_volumes(asker)
    except CommandFailed:
        return {}


async def _seen_by_processes(asker: Asker, held: Sequence[HeldFile]) -> Mapping[int, tuple[Mount, ...]]:
    """The mounts that each process sees: one in a container has others than the host."""
    found: dict[int, tuple[Mount, ...]] = {}
    for process in tuple(dict.fromkeys(each.process for each in held))[:MOST_PROCESSES]:
        try:
            data = await asker.host.read(f"/proc/{process}/mounts", max_bytes=MOUNTS_MAX_BYTES)
        except (FileNotFoundError, PermissionError, CommandFailed):
            continue  # it has ended
        found[process] = parse_mounts(decoded(data))
    return found


async def _samples(
    asker: Asker, pools: Sequence[PoolState], mounts: Sequence[Mount], most: int
) -> Mapping[str, SampledPlace]:
    places = {each.dataset: each.mountpoint for each in mounted_datasets(mounts)}
    large = sorted(
        (
            (-(each.referenced_bytes or 0), each.name)
            for pool in pools
            for each in pool.settings.value or ()
            if each.name in places
            and (each.referenced_bytes or 0) >= MUCH_BYTES
            and each.recordsize_bytes in SAMPLED_RECORDS
        ),
    )
    names = [name for _, name in large[:most]]
    if not names:
        return {}
    completed = await asker.run(sample_files([places[name] for name in names]), kind="file-sizes")
    if not completed.is_done:
        return {}  # what cannot be told is silent
    return dict(zip(names, parse_file_sample(decoded(completed.stdout), len(names)), strict=True))
