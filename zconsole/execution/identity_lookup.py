"""Lookup of ZFS objects: identity by name, and present names by identity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zconsole.actions.step_subject import which
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import Outcome
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.zfs.listing.object_identity import SYSTEMS, FoundObject, parse_which, which_objects


async def read_which(
    asker: Asker,
    names: Sequence[str],
    *,
    types: Sequence[str] = (),
    recursive: bool = False,
    depth: int | None = None,
) -> tuple[FoundObject, ...]:
    """The existing objects with these names. Raises HostError and ParseError."""
    given = {"types": types} if types else {}
    found: list[FoundObject] = []
    for command in which_objects(names, recursive=recursive, depth=depth, **given):
        completed = await asker.run(command, kind="which", pool=pool_of(names[0]))
        if completed.outcome is Outcome.UNKNOWN:
            raise failure(completed, asker.host.label)
        found += parse_which(completed.stdout.decode("utf-8", "surrogateescape"))
    return tuple(found)


async def read_whereabouts(asker: Asker, pool: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Present names by identity; snapshots only of these names' datasets.

    A renamed dataset is found with its snapshots. Raises HostError and ParseError.
    """
    systems = await read_which(asker, (pool,), types=SYSTEMS, recursive=True)
    places: dict[str, list[str]] = {}
    for each in systems:
        places.setdefault(which(each.guid, each.createtxg), []).append(each.name)
    bases = {dataset_of(name) for name in names if "@" in name}
    there = sorted(bases & {each.name for each in systems})
    if bases:
        wanted = (
            there if len(there) == len(bases) else [each.name for each in systems if "#" not in each.name]
        )
        for each in await read_which(asker, wanted, types=("snapshot",), depth=1) if wanted else ():
            places.setdefault(which(each.guid, each.createtxg), []).append(each.name)
    return places
