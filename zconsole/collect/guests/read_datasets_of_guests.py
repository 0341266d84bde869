"""Datasets and volumes that hold the disks of guests, with their properties: one command a pool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zconsole.base.errors import CommandFailed, HostError, LinkLost, ParseError
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.zfs.listing.datasets import list_named_datasets, parse_datasets
from zconsole.zfs.listing.holds import batches


async def read_datasets_of_guests(asker: Asker, places: Iterable[str]) -> dict[str, Dataset]:
    """The places that are datasets, by name. A pool that does not answer is left out. Raises LinkLost."""
    by_pool: dict[str, list[str]] = {}
    for place in dict.fromkeys(places):
        if place and not place.startswith("/"):
            by_pool.setdefault(pool_of(place), []).append(place)
    answers = await all_of(
        _read(asker, pool, batch) for pool, names in by_pool.items() for batch in batches(names)
    )
    return {each.name: each for answer in answers for each in answer}


async def _read(asker: Asker, pool: str, names: Sequence[str]) -> tuple[Dataset, ...]:
    """Those of the names that ZFS knows."""
    try:
        completed = await asker.run(list_named_datasets(names), kind="datasets of guests", pool=pool)
        if completed.outcome is Outcome.UNKNOWN:
            return ()
        return tuple(parse_datasets(completed.stdout.decode("utf-8", "surrogateescape")))
    except LinkLost:
        raise
    except (HostError, CommandFailed, ParseError):
        return ()
