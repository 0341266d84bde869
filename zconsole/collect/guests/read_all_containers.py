"""All containers of a host, with what the names and mount points of its file systems and volumes tell."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.guests.containers_by_evidence import containers_of_host
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, HostUnreachable, LinkLost, ParseError, Stuck, ZConsoleError
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.guests.read_containers import read_containers
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import read_pool_names
from zconsole.collect.readings.storage_consumers import read_mounts, read_volumes
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.guests.container import Container
from zconsole.model.host.host_state import Reading
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties

KEYS: Final = ("type", "mountpoint")
TYPES: Final = tuple(sorted(FILESYSTEMS_AND_VOLUMES))
WITHIN_S: Final = 30.0


async def read_all_containers(
    asker: Asker, clock: Clock, pools: Sequence[str] | None = None, *, within_s: float = WITHIN_S
) -> Reading[tuple[Container, ...]]:
    """The containers, or the problem. `pools` are those whose datasets are looked at; None for all.

    Raises LinkLost and HostUnreachable.
    """
    try:
        async with asyncio.timeout(within_s), together() as group:
            mounts = group.create_task(read_mounts(asker))
            seen = group.create_task(read_containers(asker, mounts))
            volumes = group.create_task(read_volumes(asker))
            names = group.create_task(_names(asker, pools))
    except TimeoutError:
        return Reading(problem=f"containers were not found within {within_s:.0f} s")
    except (LinkLost, HostUnreachable):
        raise
    except ZConsoleError as error:
        return Reading(problem=in_words(error))
    evidence = replace(seen.result(), host_mounts=mounts.result() or (), volumes=volumes.result())
    return Reading(containers_of_host(evidence, names.result()), clock.monotonic(), evidence.problem)


async def _names(asker: Asker, pools: Sequence[str] | None) -> tuple[Dataset, ...]:
    """File systems and volumes by name; none of a pool that does not tell."""
    try:
        wanted = await read_pool_names(asker) if pools is None else pools
    except (LinkLost, HostUnreachable):
        raise
    except ZConsoleError:
        return ()
    found = await all_of(_names_in(asker, pool) for pool in wanted)
    return tuple(dataset for each in found for dataset in each)


async def _names_in(asker: Asker, pool: str) -> tuple[Dataset, ...]:
    """File systems and volumes of a pool with nothing but type and mount point."""
    command = get_properties(KEYS, (pool,), recursive=True, types=TYPES)
    try:
        text = (await asker.ask(command, kind="dataset names", pool=pool)).decode("utf-8", "surrogateescape")
        properties = parse_properties(text, KEYS)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return ()
    found: dict[str, dict[str, str]] = {}
    for name, key, value, _ in properties:
        found.setdefault(name, {})[key] = value
    return tuple(
        Dataset(name, values.get("type", ""), mountpoint=values.get("mountpoint"))
        for name, values in found.items()
    )
