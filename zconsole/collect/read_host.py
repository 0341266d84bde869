"""One complete reading of a host, for the command line and for the collectors.

The kernel's kstat files are read first, because they answer when zpool hangs. Every zpool and zfs command
names one pool, so that a suspended pool affects only its own reading.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, HostError, ParseError, Stuck, ZConsoleError, ZfsMissing
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.previous_or_serial_based_disk_names import with_names
from zconsole.collect.read_command_runner import COMMAND_NOT_FOUND, Asker, failure, in_words
from zconsole.collect.read_pool_status_and_space import read_pool
from zconsole.hosts.host import CannotListFolders, Command, Host, keep_answer, list_folder, login_of
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import SUSPENDED, Pool
from zconsole.model.pools.shelf_and_disk_path import NO_SHELVES, Shelves
from zconsole.system.disk_by_id import BY_ID, inventory, parse_links
from zconsole.system.enclosures_and_disk_paths import (
    parse_lights,
    parse_shelves,
    read_lights,
    read_shelves,
    with_lights,
)
from zconsole.system.lsblk import LSBLK, parse_lsblk
from zconsole.zfs.kstat.pool_state_and_kstat_parser import (
    POOLS_DIR,
    list_kstat_dir,
    parse_kstat_dir,
    parse_pool_state,
    pool_state_path,
)
from zconsole.zfs.listing.version import VERSION, parse_version

HOSTNAME = Command(("uname", "-n"))
COMMANDS_IN_A_ROW = 3  # run one after the other; each may hang
LINKS_PARTIAL_STATUS = 1  # of ls, when it could not read a part
LINKS_MISSING_STATUS = 2  # of ls, when there is no such folder


async def read_version(asker: Asker) -> ZfsVersion:
    """OpenZFS version of the host. Raises ZfsMissing, with advice, where there is none."""
    completed = await asker.run(VERSION, kind="version")
    if completed.is_done:
        return parse_version(decoded(completed.stdout))
    label = asker.host.label
    if completed.status == COMMAND_NOT_FOUND:
        raise ZfsMissing(
            f"there is no ZFS on {label}: no zfs command",
            hint="Name a host (zconsole HOST; --all: those of config.toml), or try --demo.",
        )
    if completed.status is not None and not completed.reason:
        raise ZfsMissing(
            f"ZFS does not run on {label}: {completed.said}",
            hint="Load the module there (modprobe zfs), name another host (zconsole HOST), "
            "or try zconsole --demo.",
        )
    raise failure(completed, label)


async def read_pool_names(asker: Asker) -> tuple[str, ...]:
    """Imported pools, from kstat: no zpool process that could hang, and no process at all where possible."""
    command = list_kstat_dir()
    with suppress(CannotListFolders, FileNotFoundError, PermissionError):
        names = await list_folder(asker.host, POOLS_DIR)
        printed = "".join(f"{name}\n" for name in sorted(names)).encode("utf-8", "surrogateescape")
        keep_answer(asker.host, command, printed)
        return parse_kstat_dir(decoded(printed))
    completed = await asker.run(command, kind="kstat")
    if completed.is_done:
        return parse_kstat_dir(decoded(completed.stdout))
    label = asker.host.label
    if completed.status is not None:
        await read_version(asker)  # raises ZfsMissing where ZFS is missing
        raise CommandFailed(f"the kernel of {label} lists no pools", said=completed.said)
    raise failure(completed, label)


async def read_kstat_state(host: Host, pool: str) -> str | None:
    """Pool state from kstat, which takes no lock; None without the file."""
    try:
        return parse_pool_state((await host.read(pool_state_path(pool))).decode("utf-8", "backslashreplace"))
    except (FileNotFoundError, PermissionError):
        return None


async def read_inventory(asker: Asker) -> Inventory:
    """Disks of the host, with their stable names; without those it has their problem."""
    async with together() as group:
        listing = group.create_task(asker.ask(LSBLK, kind="lsblk"))
        links = group.create_task(_read_links(asker))
    disks = parse_lsblk(decoded(listing.result()))
    found, problem = links.result()
    try:
        return replace(inventory(disks, parse_links(decoded(found))), links_problem=problem)
    except ParseError as error:
        return replace(inventory(disks, ()), links_problem=in_words(error))


async def _read_links(asker: Asker) -> tuple[bytes, str]:
    """Links below /dev/disk, and why they cannot all be read."""
    try:
        links = await asker.run(BY_ID, kind="by-id")
        if links.status == LINKS_PARTIAL_STATUS:
            return links.stdout, in_words(failure(links, asker.host.label))
        if not links.is_done and links.status != LINKS_MISSING_STATUS:
            raise failure(links, asker.host.label)
    except (CommandFailed, Stuck) as error:
        return b"", in_words(error)
    return links.stdout, ""


async def with_shelves(asker: Asker, found: Inventory, *, lights: bool = False) -> Inventory:
    """Disks with their bays and ways; without, where those cannot be read. Raises LinkLost.

    `lights` asks each enclosure for the LEDs and states of its bays.
    """
    shelves = await _read_shelves(asker, lights=lights)
    return found if shelves is None else replace(found, shelves=shelves)


async def read_disks(asker: Asker, *, lights: bool) -> Inventory:
    """The same, read in one round: a plugged disk is shown as soon as the slowest command ends."""
    async with together() as group:
        found = group.create_task(read_inventory(asker))
        shelves = group.create_task(_read_shelves(asker, lights=lights))
    return replace(found.result(), shelves=shelves.result() or NO_SHELVES)


async def _read_shelves(asker: Asker, *, lights: bool) -> Shelves | None:
    try:
        shelves = parse_shelves(decoded(await asker.ask(read_shelves(), kind="shelves")))
        if lights and shelves.enclosures:
            text = decoded(await asker.ask(read_lights(), kind="lights"))
            return replace(shelves, enclosures=with_lights(shelves.enclosures, parse_lights(text)))
    except (CommandFailed, ParseError, Stuck):
        return None
    return shelves


async def read_hostname(asker: Asker) -> str | None:
    """The host's own name."""
    completed = await asker.run(HOSTNAME, kind="hostname")
    return decoded(completed.stdout).strip() or None if completed.is_done else None


async def read_pool_state(asker: Asker, name: str, version: ZfsVersion, clock: Clock) -> PoolState:
    """State of one pool, kstat first; unreadable parts are problems in the state, not errors."""
    kstat = await read_kstat_state(asker.host, name)
    reading: Reading[Pool]
    try:
        reading = Reading(await read_pool(asker, name, version), clock.monotonic())
    except ZfsMissing:
        raise
    except ZConsoleError as error:
        reading = Reading(problem=in_words(error))
        if kstat == SUSPENDED:
            reading = replace(reading, problem=f"suspended: {reading.problem}")
    return PoolState(name, kstat_state=kstat, pool=reading)


async def gather(
    host: Host, clock: Clock, *, pools: tuple[str, ...] = (), within_s: float | None = None
) -> HostState:
    """Connect, and read everything once. Raises HostError where the host or its ZFS is unavailable.

    Commands that hang are reported before `within_s`, the caller's timeout.
    """
    await host.connect()
    asker = Asker(host, timeout_s=None if within_s is None else within_s / COMMANDS_IN_A_ROW)
    async with together() as group:
        reading_version = group.create_task(read_version(asker))
        reading_names = group.create_task(read_pool_names(asker))
        reading_hostname = group.create_task(read_hostname(asker))
    version, names = reading_version.result(), reading_names.result()
    wanted = tuple(name for name in names if not pools or name in pools)
    for name in pools:
        if name not in names:
            raise CommandFailed(
                f"there is no pool {name} on {host.label}",
                hint=f"Pools there: {', '.join(names) or 'none'}. A host is named by --host.",
            )
    states = await all_of(read_pool_state(asker, name, version, clock) for name in wanted)
    disks: Reading[Inventory]
    try:
        found = with_names(await read_inventory(asker), states)
        disks = Reading(found, clock.monotonic(), found.links_problem)
    except (HostError, ParseError) as error:
        disks = Reading(problem=in_words(error))
    return HostState(
        host=host.label,
        revision=1,
        link=LinkStatus(LinkState.UP, since=clock.monotonic()),
        login=login_of(host),
        hostname=reading_hostname.result(),
        version=Reading(version, clock.monotonic()),
        pools=states,
        pools_at=clock.monotonic(),
        inventory=disks,
    )
