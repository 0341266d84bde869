"""One complete reading of the datasets of pools, with the divergence of clones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.errors import CommandFailed
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.frozen_guest_marks import read_frozen_marks
from zconsole.collect.listing_room import ListingRoom
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.collect.read_host import read_pool_names
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_excerpt
from zconsole.collect.readings.facts_for_plans import read_datasets
from zconsole.hosts.host import Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.datasets.dataset_tree import Tree
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties, written_since
from zconsole.zfs.listing.holds import batches

AT_ONCE: Final = 4  # concurrent commands: each is a process on the host and a channel of the connection
MOST_ORIGINS: Final = 200  # one command each; beyond that `usedbydataset` is used instead


async def read_tree(asker: Asker, root: str | None = None, *, with_kin: bool = False) -> Tree:
    """All pools, or all datasets of one pool with the snapshots in and below `root`.

    `with_kin` also reads the snapshots of origins, their other clones, and own clones, to find common
    ones. Raises HostError, CommandFailed where there is no such pool.
    """
    names = await read_pool_names(asker)
    pool = None if root is None else pool_of(root)
    if pool is not None and pool not in names:
        raise CommandFailed(
            f"there is no pool {pool} on {asker.host.label}",
            hint=f"Pools there: {', '.join(names) or 'none'}.",
        )
    wanted = names if pool is None else (pool,)
    concerns = [SnapshotSelector(root or name, below=True, kin=with_kin) for name in wanted]
    room = ListingRoom()
    listed = await all_of(read_excerpt(asker, pool_of(each.name), (each,), room) for each in concerns)
    datasets = tuple(dataset for each in listed for dataset in each.datasets)
    read = (dataset for each in listed for dataset in each.datasets if dataset.name in each.scope.whole)
    frozen = await read_frozen_marks(asker, wanted if root is None else (root,))
    return Tree(wanted, datasets, await read_since_origin(asker, read), frozen)


async def read_at_once(asker: Asker) -> Tree:
    """All pools with all datasets and snapshots, one command per pool."""
    names = await read_pool_names(asker)
    room = ListingRoom()
    listed = await all_of(read_datasets(asker, name, room) for name in names)
    datasets = tuple(dataset for each in listed for dataset in each)
    return Tree(names, datasets, await read_since_origin(asker, datasets))


async def read_since_origin(asker: Asker, datasets: Iterable[Dataset]) -> dict[str, int]:
    """`written@ORIGIN` of each clone, one command per origin; clones without a value are left out."""
    by_origin: dict[str, list[str]] = {}
    for each in datasets:
        if each.origin is not None and each.type in FILESYSTEMS_AND_VOLUMES:
            by_origin.setdefault(each.origin, []).append(each.name)
    if len(by_origin) > MOST_ORIGINS:
        return {}
    slots = asyncio.Semaphore(AT_ONCE)

    async def ask(origin: str, clones: Sequence[str]) -> dict[str, int]:
        async with slots:
            return await _written(asker, origin, clones)

    answers = await all_of(
        ask(origin, batch) for origin, clones in by_origin.items() for batch in batches(clones)
    )
    return {name: size for answer in answers for name, size in answer.items()}


async def _written(asker: Asker, origin: str, clones: Sequence[str]) -> dict[str, int]:
    key = written_since(origin)
    completed = await asker.run(get_properties((key,), clones), kind=key, pool=pool_of(origin))
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    found = parse_properties(completed.stdout.decode("utf-8", "surrogateescape"), (key,))
    return {name: value for name, _, text, _ in found if (value := natural(text)) is not None}
