"""Values of displayed snapshots that a listing of names omits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import Command, Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.zfs.listing.datasets import parse_datasets
from zconsole.zfs.listing.holds import batches
from zconsole.zfs.listing.snapshots_and_their_datasets import list_details_in, list_details_of

SLICE: Final = 100  # lines, some milliseconds of parsing


async def read_values(asker: Asker, names: Sequence[str]) -> tuple[Dataset, ...]:
    """All columns of snapshots; the name of a dataset stands for all of its snapshots.

    Destroyed snapshots are left out. Raises HostError.
    """
    commands = [list_details_of(part) for part in batches(name for name in names if "@" in name)]
    commands += [list_details_in(name) for name in names if "@" not in name]
    return tuple([each for command in commands for each in await _read(asker, command)])


async def _read(asker: Asker, command: Command) -> Sequence[Dataset]:
    of = command.argv[-1]
    completed = await asker.run(command, kind=f"values {of}", pool=pool_of(of))
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    found = []
    for each in parse_datasets(completed.stdout):
        found.append(each)
        if not len(found) % SLICE:
            await asyncio.sleep(0)  # yields to other tasks of the event loop
    return found
