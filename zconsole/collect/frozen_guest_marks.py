"""Which snapshots were taken while guests were frozen: the property that a freeze sets on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties

Marks = Mapping[str, tuple[str, ...]]


async def read_frozen_marks(asker: Asker, roots: Sequence[str]) -> Marks | None:
    """Names of guests by snapshot, in and below these datasets; None where ZFS did not tell.

    Only marks of the snapshots themselves: what they inherit from a dataset says nothing of their moment.
    Raises HostError.
    """
    found = await all_of(_read(asker, root) for root in roots)
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    return {name: guests for each in known for name, guests in each.items()}


async def _read(asker: Asker, root: str) -> Marks | None:
    command = get_properties(
        (FROZEN_GUESTS,), (root,), recursive=True, types=("snapshot",), sources=("local", "received")
    )
    completed = await asker.run(command, kind=f"frozen {root}", pool=pool_of(root))
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    if not completed.is_done:
        return None
    rows = parse_properties(completed.stdout.decode("utf-8", "surrogateescape"), (FROZEN_GUESTS,))
    return {name: tuple(filter(None, value.split(","))) for name, _, value, _ in rows}
