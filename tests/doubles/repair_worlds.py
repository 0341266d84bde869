"""Hosts with a pool in trouble, for tests of the guided repair. Disks are known by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.analysis.build import NOW
from tests.analysis.build import host as host_of
from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import blank, kname, leaf, numbers_of, shelf, used
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import trouble_of
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.failure_cause import cause_of
from zconsole.analysis.repair.reasons_not_to_replace import reasons_not_now
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.journal import Entry
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.event import Event
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.slow_disk import Judgement, SlowDiskVerdict
from zconsole.model.pools.smart_health import DiskHealth, EarlierHealth, HealthRecord
from zconsole.model.repair import Repair, RepairTrouble
from zconsole.model.run import RunState

POOL_GUID = 2**63 + 1
MINUTE = 60.0


def trouble_at(
    *tops: Vdev,
    gone: Sequence[int] = (),
    unused: int = 0,
    disks: Sequence[Disk] = (),
    events: Sequence[Event] = (),
    health: Mapping[int, DiskHealth] | None = None,
    slow: Sequence[SlowDiskVerdict] = (),
    state: str | None = None,
    **of_pool: object,
) -> HostState:
    """A host with one pool `tank`: `gone` disks are not seen, `unused` blank ones follow the pool's."""
    pool = pool_of(*tops, **{"ashift": 12, **of_pool})
    serving = numbers_of(pool)
    first = max(serving) + 1
    there = {kname(at): mine(at) for at in serving if at not in gone}
    there |= {kname(at): blank(at) for at in range(first, first + unused)}
    there |= {disk.name: disk for disk in disks}
    inventory = shelf(*there.values())
    judged = Judgement("tank", 60, len(serving), tuple(slow))
    found = host_of(pool, judgement=judged, kstat_state=state or pool.state)
    smart = tuple(
        HealthRecord(disk_identity(blank(at)), each, NOW, each, NOW) for at, each in (health or {}).items()
    )
    return replace(
        found,
        inventory=Reading(inventory, 0.0),
        events=tuple(events),
        smart=Reading(smart, 0.0),
    )


def mine(number: int) -> Disk:
    """A disk with a label of the pool."""
    disk = used(number)
    return replace(
        disk,
        children=tuple(
            replace(each, uuid=str(POOL_GUID)) if each.fstype == "zfs_member" else each
            for each in disk.children
        ),
    )


def grown(state: HostState, number: int, before: DiskHealth) -> HostState:
    """The same host, which knows what a disk said a week ago."""
    identity = disk_identity(blank(number))
    records = tuple(
        replace(each, earlier=EarlierHealth(before, 7 * 86400.0)) if each.disk == identity else each
        for each in state.smart.value or ()
    )
    return replace(state, smart=Reading(records, 0.0))


def with_kernel(state: HostState, number: int, *kinds: MessageKind, minutes_ago: float = 10.0) -> HostState:
    """The same host, whose kernel told of a disk, a message each second."""
    said = tuple(
        KernelMessage(NOW - minutes_ago * MINUTE + at, kind.value, kind, (kname(number),))
        for at, kind in enumerate(kinds)
    )
    found = sorted((*(state.kernel.value or ()), *said), key=lambda each: each.at)
    return replace(state, kernel=Reading(tuple(found), 0.0))


def slow_disk(number: int, vdev: str, ratio: float = 5.4, peers: int = 3) -> SlowDiskVerdict:
    """A verdict on a disk."""
    return SlowDiskVerdict(
        leaf(number).name, vdev, "mirror", "slow", ("read",), ratio, 0.9, 1, 8, 60,
        NOW - 600, NOW, is_ongoing=True, peers=tuple(f"p{at}" for at in range(peers)),
    )  # fmt: skip


def changed(number: int, minutes_ago: float, state: str = "FAULTED") -> Event:
    """A change of a leaf's state."""
    return _event("resource.fs.zfs.statechange", number, minutes_ago, ("vdev_state", state))


def error(number: int, minutes_ago: float, kind: str = "io") -> Event:
    """An error report on a leaf."""
    return _event(f"ereport.fs.zfs.{kind}", number, minutes_ago)


def _event(event_class: str, number: int, minutes_ago: float, *fields: tuple[str, str]) -> Event:
    guid = ("vdev_guid", hex(1000 + number))
    return Event(NOW - minutes_ago * MINUTE, event_class, "tank", None, (guid, *fields))


def ran(action: str, *words: str, minutes_ago: float = 5, title: str = "", who: str = "anna") -> Entry:
    """A run of the journal."""
    import json  # noqa: PLC0415

    intent = {"action": action, "target": "tank", "arguments": list(words), "options": {}}
    return Entry(
        id=f"{action}-{minutes_ago}", started=NOW - minutes_ago * MINUTE, console="c", who=who, origin="o",
        host="nas1", action=action, intent=json.dumps(intent), title=title or f"{action} of tank",
        target="SER0001", risk="caution", fingerprint="f", state=RunState.DONE, words="done",
        ended=NOW - minutes_ago * MINUTE + 3,
    )  # fmt: skip


def facts_of(state: HostState) -> PoolFacts:
    """The facts of the host's pool."""
    of = state.pools[0]
    assert of.pool.value is not None
    return PoolFacts(state, of, of.pool.value, host_disks(state), NOW)


def place_of(facts: PoolFacts, number: int) -> DevicePlace:
    """The place of a disk."""
    return next(each for each in places(facts.pool) if each.member.guid == 1000 + number)


def caused(state: HostState, number: int) -> CauseFound:
    """The cause of a disk's trouble."""
    facts = facts_of(state)
    return cause_of(facts, place_of(facts, number).member)


def held_by(state: HostState, number: int) -> list[str]:
    """The ids of what speaks against replacing a disk now."""
    facts = facts_of(state)
    place = place_of(facts, number)
    trouble = trouble_of(place, facts.devices)
    assert trouble is not None
    return [each.id for each in reasons_not_now(facts, place, trouble, cause_of(facts, place.member))]


def the_repair(state: HostState, number: int, *entries: Entry) -> Repair:
    """The repair of a disk."""
    return next(each for each in repairs(state, entries, NOW) if each.device.guid == 1000 + number)


def troubles(state: HostState) -> list[tuple[str, RepairTrouble]]:
    """Each repair of a host: the serial number, and what is wrong."""
    return [(each.device.label, each.trouble) for each in repairs(state, (), NOW)]
