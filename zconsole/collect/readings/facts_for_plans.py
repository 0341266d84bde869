"""Facts that only plans need, each read by one command: datasets, holds, labels, properties, history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.listing_room import ListingRoom
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import LISTING_MAX_BYTES, NOT_STARTED, Command, Host, Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import DiskLabel, Hold, PrivilegeMode
from zconsole.model.pools.pool import ImportablePool
from zconsole.zfs.change.channel_program import may_run, try_program
from zconsole.zfs.kstat.pool_state_and_kstat_parser import POOLS_DIR
from zconsole.zfs.listing.dataset_get import Property, get_properties, parse_properties
from zconsole.zfs.listing.datasets import list_datasets, parse_datasets
from zconsole.zfs.listing.device_label import NO_LABEL_STATUS, parse_label, read_label
from zconsole.zfs.listing.history import HistoryRecord, history, parse_history
from zconsole.zfs.listing.holds import batches, list_holds, parse_holds
from zconsole.zfs.listing.pool_get import get_all
from zconsole.zfs.listing.pool_get import parse_properties as parse_pool_properties
from zconsole.zfs.status.importable import parse_importable

SYSTEMS: Final = ("filesystem", "volume")
ALL_TYPES: Final = (*SYSTEMS, "snapshot", "bookmark")
LISTING_TIMEOUT_S: Final = 300.0  # a million snapshots take more than a minute
EVERY: Final = "all"
OF_BOTH: Final = frozenset({"guid", "readonly", "version", "available", "used", "name"})


async def read_kstat_guid(host: Host, pool: str) -> int | None:
    """Pool guid from kstat, also of a suspended pool; None on old kernel modules."""
    try:
        text = (await host.read(f"{POOLS_DIR}/{pool}/guid")).decode("ascii", "replace").strip()
    except (FileNotFoundError, PermissionError):
        return None
    return natural(text)


async def read_missing_tools(asker: Asker, tools: Iterable[str]) -> frozenset[str]:
    """Programs missing on the host. Raises HostError where that cannot be determined."""
    missing = set()
    for tool in tools:
        completed = await asker.run(Command((tool, "--version")), kind=tool)
        if completed.status in NOT_STARTED:
            missing.add(tool)
        elif completed.outcome is Outcome.UNKNOWN:
            raise failure(completed, asker.host.label)
    return frozenset(missing)


async def read_datasets(asker: Asker, pool: str, room: ListingRoom | None = None) -> tuple[Dataset, ...]:
    """Every dataset, snapshot and bookmark of a pool. Raises HostError."""
    listing = list_datasets(pool, types=ALL_TYPES)
    command = replace(listing, timeout_s=LISTING_TIMEOUT_S, max_bytes=LISTING_MAX_BYTES)
    answer = await asker.ask(command, kind="datasets", pool=pool)
    return tuple(parse_datasets((room or ListingRoom()).take(answer)))


async def read_holds(asker: Asker, datasets: Iterable[Dataset]) -> tuple[Hold, ...]:
    """Holds of these snapshots, where they have any. Raises HostError."""
    held = [each.name for each in datasets if each.type == "snapshot" and each.holds != 0]
    found: list[Hold] = []
    for batch in batches(held):
        answer = await asker.ask(list_holds(batch), kind="holds", pool=pool_of(batch[0]))
        found += parse_holds(answer.decode("utf-8", "surrogateescape"))
    return tuple(found)


async def read_found(asker: Asker, privilege: Privilege, command: Command) -> tuple[ImportablePool, ...]:
    """Pools found by `zpool import`, run as root where possible. Raises HostError."""
    completed = await asker.run(await privilege.to_read(command), kind=" ".join(command.argv))
    if completed.is_done or (completed.status == 1 and b"no pools available" in completed.stderr):
        return parse_importable(completed.stdout.decode("utf-8", "surrogateescape"))
    raise failure(completed, asker.host.label)


class _How(Enum):
    """Result of reading a label."""

    READ = auto()
    UNREAD = auto()
    BARRED = auto()  # needs root, which this user lacks


@dataclass(frozen=True, slots=True)
class Labels:
    """ZFS labels of some devices."""

    found: tuple[DiskLabel, ...]
    unread: frozenset[str]  # unreadable devices
    barred: frozenset[str]  # of these, devices that need root, which this user lacks


async def read_labels(asker: Asker, privilege: Privilege, paths: Sequence[str]) -> Labels:
    """ZFS labels of these devices, where they have one.

    A device that fails or hangs lacks only its own label; HostError is raised for an unreachable host only.
    """
    devices = tuple(dict.fromkeys(paths))
    answers = await all_of(_read_label(asker, privilege, path) for path in devices)
    how = {path: how for path, (_, how) in zip(devices, answers, strict=True)}
    return Labels(
        tuple(label for label, _ in answers if label is not None),
        frozenset(path for path, each in how.items() if each is not _How.READ),
        frozenset(path for path, each in how.items() if each is _How.BARRED),
    )


async def _read_label(asker: Asker, privilege: Privilege, path: str) -> tuple[DiskLabel | None, _How]:
    command = read_label(path)
    try:
        allowed = await privilege.to_read(command)
        completed = await asker.run(allowed, kind="label", pool=path)
    except (CommandFailed, Stuck):  # sudo does not answer, or an earlier reading of this label hangs
        return None, _How.UNREAD
    if completed.is_done or completed.status == NO_LABEL_STATUS:
        try:
            return parse_label(path, completed.stdout.decode("utf-8", "surrogateescape")), _How.READ
        except ParseError:
            return None, _How.UNREAD
    is_barred = completed.outcome is Outcome.FAILED and allowed == command and not await privilege.is_root()
    return None, _How.BARRED if is_barred else _How.UNREAD


async def read_properties(
    asker: Asker,
    wanted: Sequence[tuple[str, str]],
    pools: Sequence[str],
    of_pools: Mapping[str, Sequence[Property]],
) -> tuple[Property, ...]:
    """Properties of pools and datasets, with `all` every pool property; missing objects have none.

    `of_pools` has all properties of the wanted pools. A property that a pool and its root dataset share is
    the dataset's, unless all of a pool are wanted.
    """
    found: list[Property] = []
    keys: dict[str, list[str]] = {}
    for name, key in dict.fromkeys(wanted):
        mine = of_pools.get(name, ())
        if key == EVERY:
            found += mine
        elif key not in OF_BOTH and any(each[1] == key for each in mine):
            found += [each for each in mine if each[1] == key]
        elif pool_of(name) in pools:
            keys.setdefault(name, []).append(key)
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, of in keys.items():
        groups.setdefault(tuple(of), []).append(name)
    asked = (_get(asker, of_all, names, recursive=False) for of_all, names in groups.items())
    return (*found, *(each for answer in await all_of(asked) for each in answer))


async def read_pool_properties(asker: Asker, pool: str) -> tuple[Property, ...]:
    """Every property of a pool. Raises HostError."""
    answer = await asker.ask(get_all(pool), kind="get-all", pool=pool)
    every = parse_pool_properties(answer.decode("utf-8", "surrogateescape"), pool)
    return tuple((pool, each.name, each.value, each.source) for each in every)


async def read_properties_below(
    asker: Asker, wanted: Sequence[tuple[str, str]], pools: Sequence[str], *, of_snapshots: bool = False
) -> tuple[Property, ...]:
    """Properties of file systems and volumes with descendants; of snapshots only if requested."""
    types = (*SYSTEMS, "snapshot") if of_snapshots else SYSTEMS
    keys: dict[str, list[str]] = {}
    for name, key in dict.fromkeys(wanted):
        if pool_of(name) in pools:
            keys.setdefault(name, []).append(key)
    asked = (_get(asker, of, (name,), recursive=True, types=types) for name, of in keys.items())
    return tuple(each for answer in await all_of(asked) for each in answer)


async def read_may_run_programs(asker: Asker, privilege: Privilege, pool: str) -> bool:
    """Whether channel programs work; assumed where sudo needs a password not known yet."""
    command = try_program(pool)
    if (await privilege.way(command.argv)).privilege_mode is PrivilegeMode.SUDO_PASSWORD:
        return True
    return may_run(await asker.run(await privilege.to_read(command), kind="program", pool=pool))


async def read_history(asker: Asker, privilege: Privilege, pool: str) -> tuple[HistoryRecord, ...] | None:
    """Command history of a pool, oldest first; None where unreadable to this user. Raises HostError."""
    completed = await asker.run(await privilege.to_read(history(pool)), kind="history", pool=pool)
    if completed.is_done:
        return parse_history(completed.stdout, is_cut=completed.is_cut)
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    return None


async def _get(
    asker: Asker, keys: Sequence[str], names: Sequence[str], *, recursive: bool, types: Sequence[str] = ()
) -> tuple[Property, ...]:
    """Output for existing objects: zfs reports missing ones, and prints the rest."""
    command = get_properties(keys, names, recursive=recursive, types=types)
    completed = await asker.run(command, kind="get", pool=pool_of(names[0]))
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    return parse_properties(completed.stdout.decode("utf-8", "surrogateescape"), keys)
