"""Everything that a host tells of its disks, read once: bays and ways, SMART data, the kernel's messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole.analysis.repair.disks_to_read_smart_data_first import DisksToAsk
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import whole_disks
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, HostUnreachable, LinkLost, ParseError, Stuck, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import together
from zconsole.collect.keep_departed_disk_evidence import EvidenceKeeper
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import with_shelves
from zconsole.collect.readings.keep_and_recall_disk_places import with_places
from zconsole.collect.readings.kernel_messages import read_kernel_messages
from zconsole.collect.readings.read_and_keep_smart_records import read_health_records, stored_records
from zconsole.collect.readings.smart_data import SmartTimeLimit
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.kernel_message import KernelMessage
from zconsole.model.pools.smart_health import HealthRecord

if TYPE_CHECKING:
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore

ALL_S: Final = 120.0  # for a host with its disks, unless the user gives a time
FACTS_SHARE: Final = 0.25  # of the time: the pools and the list of disks
SMART_SHARE: Final = 0.5
DISK_SHARE: Final = 0.25  # one disk: a failing one takes half a minute for its logs

OTHERS_SHARE: Final = 0.125  # disks that a question about some is not about
KEPT_FRESH_S: Final = 86_400.0  # newer SMART data of such a disk counts as it is

Records = tuple[HealthRecord, ...]


def _to_nobody(_error: ZConsoleError) -> None:
    """Default: what cannot be kept is not told."""


@dataclass(frozen=True, slots=True)
class DiskReader:
    """How the disks are read: with what clock, in what time, and where SMART data is kept."""

    clock: Clock
    within_s: float = ALL_S
    kept: DiskHealthStore | None = None
    lights: bool = False  # ask each enclosure for the LEDs of its bays
    complain: Callable[[ZConsoleError], None] = _to_nobody  # of what is kept
    ask: Callable[[HostState], DisksToAsk] | None = None  # for SMART data; None: all disks, in any order


async def with_disk_facts(asker: Asker, state: HostState, reader: DiskReader) -> HostState:
    """The state with all that its disks and the kernel tell of them. Raises LinkLost, HostUnreachable."""
    known = state.inventory.value
    disks = DisksToAsk(tuple(whole_disks(known)) if known is not None else (), ())
    if reader.ask is not None:
        disks = reader.ask(state)
    limit = SmartTimeLimit(
        reader.clock,
        reader.clock.monotonic() + SMART_SHARE * reader.within_s,
        DISK_SHARE * reader.within_s,
    )
    async with together() as group:
        inventory = group.create_task(with_shelves(asker, known or Inventory(), lights=reader.lights))
        smart = group.create_task(_smart(asker, disks, reader, limit))
        kernel = group.create_task(_kernel(asker))
    if known is not None:
        state = replace(state, inventory=replace(state.inventory, value=inventory.result()))
    state = replace(state, smart=smart.result(), kernel=kernel.result())
    return await _with_what_was_seen(state, reader)


async def _with_what_was_seen(state: HostState, reader: DiskReader) -> HostState:
    """The state with the places of its disks, and with what is kept on those that are gone."""
    now, beside = reader.clock.now(), reader.kept.path if reader.kept is not None else None
    try:
        state = await with_places(state, now, reader.kept)
    except ZConsoleError as error:
        reader.complain(error)
        state = await with_places(state, now, None)
    try:
        return await EvidenceKeeper().with_evidence(state, now, beside)
    except ZConsoleError as error:
        reader.complain(error)
        return state


async def _smart(
    asker: Asker, disks: DisksToAsk, reader: DiskReader, limit: SmartTimeLimit
) -> Reading[Records]:
    """Answers of the disks with what was kept; what is kept is for trends only."""
    now = reader.clock.now()
    try:
        records = await read_health_records(asker, disks.first, now, reader.kept, limit)
        others = await _of_others(asker, disks.others, reader, limit)
    except (LinkLost, HostUnreachable):
        raise
    except ZConsoleError as error:
        if reader.kept is None:
            return Reading(problem=in_words(error))
        reader.complain(error)
        return await _smart(asker, disks, replace(reader, kept=None), limit)
    problems = []
    if late := len(disks.first) - _asked(records, now):
        problems.append(f"there was no time to ask {late} of {len(disks.first)} disks for SMART data")
    fresh = sum(1 for each in others if 0 <= now - each.at <= KEPT_FRESH_S)
    if unasked := len(disks.others) - fresh:
        beside = ("other " if disks.first else "") + ("disk" if unasked == 1 else "disks")
        was = "was" if unasked == 1 else "were"
        problems.append(f"{unasked} {beside} of the host {was} not asked for SMART data")
    return Reading((*records, *others), reader.clock.monotonic(), "; ".join(problems))


async def _of_others(
    asker: Asker, disks: Sequence[Disk], reader: DiskReader, limit: SmartTimeLimit
) -> Records:
    """What is kept of disks that the question is not about; some time is for those of which nothing is."""
    now = reader.clock.now()
    names = {disk_identity(each): each for each in disks}
    kept = await stored_records(reader.kept, names) if reader.kept is not None else ()
    fresh = {each.disk for each in kept if 0 <= now - each.at <= KEPT_FRESH_S}
    due = [disk for name, disk in names.items() if name not in fresh]
    ends_at = min(limit.ends_at, reader.clock.monotonic() + OTHERS_SHARE * reader.within_s)
    found = await read_health_records(asker, due, now, reader.kept, replace(limit, ends_at=ends_at))
    return (*found, *(each for each in kept if each.disk in fresh))


def _asked(records: Records, now: float) -> int:
    return sum(1 for each in records if each.at == now)


async def _kernel(asker: Asker) -> Reading[tuple[KernelMessage, ...]]:
    """Kernel messages; none where this user may not read them."""
    try:
        return Reading(await read_kernel_messages(asker, Privilege(asker)))
    except (CommandFailed, ParseError, Stuck) as error:
        return Reading(problem=in_words(error))
