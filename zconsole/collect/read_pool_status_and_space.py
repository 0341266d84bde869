"""Status and space of pools: one at a time, or several with the same commands."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from zconsole.analysis.vdevs.redundancy import DISPENSABLE_CLASSES
from zconsole.analysis.vdevs.resilver_targets import with_resilver_targets
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.base.escape_control_characters import decoded
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import together
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Pool
from zconsole.zfs.listing.pool_list import (
    ListedPool,
    list_columns,
    list_pool,
    merge_list,
    parse_pool_columns,
    parse_pool_list,
)
from zconsole.zfs.listing.root_dataset_space import RootDataset, parse_root_datasets, root_dataset
from zconsole.zfs.listing.vdev_ashift import get_ashifts, parse_ashifts, with_ashifts
from zconsole.zfs.status.cached_config import CACHED_CONFIG, parse_cached_config, with_config
from zconsole.zfs.status.merge_guids import merge_guids
from zconsole.zfs.status.sequential_resilver_targets import is_in_doubt, with_marks
from zconsole.zfs.status.status import parse_status, status, status_guids, status_text


@dataclass(frozen=True, slots=True)
class ListedSpace:
    """What `zpool list` and `zfs list` tell of a pool: sizes in bytes and properties."""

    listed: tuple[ListedPool, ...]  # by columns, and with its vdevs
    root: RootDataset


async def read_pool(asker: Asker, name: str, version: ZfsVersion, *, known: Pool | None = None) -> Pool:
    """One pool: status, sizes, and usable space; of a suspended one the status alone.

    `known` is an earlier answer for the same pool, to spare commands; see `read_statuses`.
    """
    earlier = {} if known is None else {name: known}
    pool = (await read_statuses(asker, (name,), version, known=earlier))[name]
    if pool.is_suspended:
        return pool
    return with_space(pool, (await read_spaces(asker, (name,)))[name])


async def read_statuses(
    asker: Asker,
    names: Sequence[str],
    version: ZfsVersion,
    *,
    known: Mapping[str, Pool],
    shares: bool = False,
) -> dict[str, Pool]:
    """Status of pools, by one command for all of them; without sizes.

    `known` has earlier answers, which spare the commands for guids, that only text output lacks, and for the
    ashift, that only JSON lacks. With `shares` the command may run behind others of the same moment, in one
    session: only where none is expected to hang. Several pools fail
    together: the caller then reads each by itself.
    """
    found = {}
    answer = await _of_pools(asker, names, status(*names, version=version), kind="status", shares=shares)
    try:
        pools = {pool.name: pool for pool in parse_status(answer, version)}
    except ParseError as error:
        if not version.has_json or len(names) > 1:
            raise
        error.__traceback__ = None  # its frames hold the whole answer
        # ZFS truncates its JSON at the name of a damaged file that is not UTF-8; the text output is complete
        pools, has_guids = await _by_text(asker, names[0], version, error), False
    else:
        has_guids = version.has_json
    for name in names:
        if name not in pools:
            raise ParseError("zpool status", 1, "", f"no pool {name} in the answer")
        found[name] = await _complete(asker, pools[name], version, known.get(name), has_guids=has_guids)
    return found


async def statuses_in_line(
    asker: Asker, line: bytes, names: Sequence[str], version: ZfsVersion, known: Mapping[str, Pool]
) -> dict[str, Pool]:
    """Statuses of these pools in a line of `follow_status`; see `read_statuses`."""
    pools = {pool.name: pool for pool in parse_status(line, version)}
    if missing := [name for name in names if name not in pools]:
        raise ParseError("zpool status", 1, "", f"no pool {missing[0]} in the answer")
    return {
        name: await _complete(asker, pools[name], version, known.get(name), has_guids=True) for name in names
    }


async def read_spaces(asker: Asker, names: Sequence[str], *, shares: bool = False) -> dict[str, ListedSpace]:
    """Space of pools, by three commands for all; see `read_statuses`.

    Raises HostError and ParseError, for all together.
    """

    def ask(command: Callable[..., Command], kind: str) -> Coroutine[None, None, bytes]:
        return _of_pools(asker, names, command(*names), kind=kind, shares=shares)

    async with together() as group:
        columns = group.create_task(ask(list_columns, "list"))
        vdevs = group.create_task(ask(list_pool, "list-v"))
        roots = group.create_task(ask(root_dataset, "space"))
    listed = (*parse_pool_columns(decoded(columns.result())), *parse_pool_list(decoded(vdevs.result())))
    by_name = parse_root_datasets(decoded(roots.result()))
    found = {}
    for name in names:
        if name not in by_name:
            raise ParseError("zfs list", 1, "", f"no pool {name} in the answer")
        found[name] = ListedSpace(tuple(each for each in listed if each.name == name), by_name[name])
    return found


def with_space(pool: Pool, space: ListedSpace) -> Pool:
    """A pool's status with its sizes; those of vdevs only where the layout is the same."""
    for listed in space.listed:
        pool = merge_list(pool, listed)
    root = space.root
    return replace(
        pool,
        usable_used_bytes=root.used_bytes,
        usable_available_bytes=root.available_bytes,
        creation=root.creation,
        settings=root.settings,
    )


async def _of_pools(
    asker: Asker, names: Sequence[str], command: Command, *, kind: str, shares: bool
) -> bytes:
    """Stdout of a command about pools; while it hangs, others about fewer of them are still sent."""
    return await asker.ask(replace(command, shares_session=shares), kind=kind, pool=" ".join(names))


async def _by_text(asker: Asker, name: str, version: ZfsVersion, error: ParseError) -> dict[str, Pool]:
    """Status from the text output. Raises the error of the JSON where that does not help."""
    text = await asker.ask(status_text(name), kind="status-text", pool=name)
    try:
        return {pool.name: pool for pool in parse_status(text, version)}
    except ParseError:
        raise error from None


async def _complete(
    asker: Asker, pool: Pool, version: ZfsVersion, known: Pool | None, *, has_guids: bool
) -> Pool:
    """Add to a status what its output lacks."""
    if has_guids and is_in_doubt(pool):
        pool = await _with_rebuild_marks(asker, pool, version)
    pool = with_resilver_targets(pool)
    if not has_guids:
        pool = await _add_guids(asker, pool, version, known=known)
    if pool.is_suspended:
        return pool
    return with_ashifts(pool, await _read_ashifts(asker, pool, version, known=known))


async def _with_rebuild_marks(asker: Asker, pool: Pool, version: ZfsVersion) -> Pool:
    """Pool with the devices of a sequential resilver; all candidates, where the text output fails."""
    try:
        text = await asker.ask(status_text(pool.name), kind="status-text", pool=pool.name)
        return with_marks(pool, _named(pool.name, parse_status(text, version)))
    except (CommandFailed, ParseError, Stuck):
        return pool


async def _add_guids(asker: Asker, pool: Pool, version: ZfsVersion, *, known: Pool | None) -> Pool:
    """Add guids, slots and devids from an earlier status of the same layout, or from two more commands."""
    if known is not None and _shape(known) == _shape(pool):
        return merge_guids(pool, known)
    try:
        async with together() as group:
            answer = group.create_task(asker.ask(status_guids(pool.name), kind="guids", pool=pool.name))
            asked = group.create_task(asker.run(CACHED_CONFIG, kind="cached-config", pool=pool.name))
    except CommandFailed:
        return pool  # the status is valid without guids
    found = next((p for p in parse_status(answer.result(), version) if p.name == pool.name), None)
    if found is None:
        return pool
    config = asked.result()
    cached = parse_cached_config(decoded(config.stdout)) if config.is_done else {}
    return merge_guids(pool, with_config(found, cached))


async def _read_ashifts(
    asker: Asker, pool: Pool, version: ZfsVersion, *, known: Pool | None
) -> dict[int, int]:
    """Ashift by guid of top-level vdevs without it in the status; it never changes, and is asked for once."""
    if not version.has_json:
        return {}
    earlier = {top.guid: ashift_of(top) for top in known.vdevs} if known is not None else {}
    found, missing = {}, []
    for top in pool.vdevs:
        if top.guid is None or top.vdev_class in DISPENSABLE_CLASSES or ashift_of(top) is not None:
            continue
        if top.guid not in earlier:
            missing.append(top.guid)
        elif (ashift := earlier[top.guid]) is not None:
            found[top.guid] = ashift
    if missing:
        with suppress(CommandFailed, ParseError, Stuck):
            answer = await asker.ask(get_ashifts(pool.name, missing), kind="ashift", pool=pool.name)
            found |= parse_ashifts(decoded(answer))
    return found


def _shape(pool: Pool) -> tuple[tuple[str, str | None, int], ...]:
    return tuple((vdev.name, vdev.path, len(vdev.children)) for vdev in pool.walk())


def _named(name: str, pools: tuple[Pool, ...]) -> Pool:
    for pool in pools:
        if pool.name == name:
            return pool
    raise ParseError("zpool status", 1, "", f"no pool {name} in the answer")
