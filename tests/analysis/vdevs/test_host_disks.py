"""Disks joined with the vdevs they serve and with their health, worst first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, in_class
from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import aux, blank, leaf, mirror, serial, shelf, used
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import Trouble, host_disks
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.smart_health import (
    DiskHealth,
    HealthAnswer,
    HealthRecord,
    PowerMode,
    Unreadable,
)


def host(*tops: Vdev, disks: tuple[Disk, ...]) -> HostState:
    tank = PoolState("tank", "ONLINE", Reading(pool_of(*tops, name="tank"), 1.0))
    return HostState("nas", pools=(tank,), inventory=Reading(shelf(*disks), 1.0))


def listed(state: HostState, health: dict[str, HealthAnswer] | None = None) -> list[tuple[str, Trouble]]:
    return [(each.serial, each.trouble) for each in host_disks(answered(state, health or {}))]


def answered(state: HostState, health: dict[str, HealthAnswer]) -> HostState:
    """The host with SMART data of its disks, by kernel name."""
    disks = (state.inventory.value or Inventory()).disks
    records = tuple(
        HealthRecord(disk_identity(disk), said, 0.0, said if isinstance(said, DiskHealth) else None)
        for disk in disks
        if (said := health.get(disk.name)) is not None
    )
    return replace(state, smart=Reading(records, 1.0))


def test_the_failed_disk_comes_before_the_failing_one_and_sound_ones() -> None:
    tops = mirror(0, 0, 1), group("mirror-1", leaf(2), leaf(3, "FAULTED"), guid=501)
    state = host(*tops, disks=(*map(used, range(4)), blank(4)))

    found = listed(state, {"sda": DiskHealth(is_passing=True), "sdb": DiskHealth(is_passing=False)})

    assert [
        (serial(3), Trouble.FAILED),
        (serial(1), Trouble.FAILING),
        (serial(0), Trouble.NONE),
        (serial(2), Trouble.NONE),
        (serial(4), Trouble.NONE),
    ] == found


@pytest.mark.parametrize(
    ("one", "health", "trouble"),
    [
        (leaf(0), DiskHealth(), Trouble.NONE),
        (leaf(0), DiskHealth(crc_errors=3), Trouble.NOTED),
        (leaf(0), DiskHealth(pending=3), Trouble.WARNING),
        (leaf(0), Unreadable.NO_ANSWER, Trouble.NONE),
        (leaf(0, "OFFLINE"), DiskHealth(), Trouble.WARNING),
        (leaf(0, "DEGRADED"), DiskHealth(), Trouble.FAILING),
        (leaf(0, checksum_errors=Count(2)), DiskHealth(), Trouble.FAILING),
        (leaf(0, "REMOVED"), DiskHealth(), Trouble.FAILED),
        (leaf(0, "UNAVAIL"), DiskHealth(), Trouble.FAILED),
    ],
)
def test_what_makes_trouble(one: Vdev, health: HealthAnswer, trouble: Trouble) -> None:
    state = host(group("mirror-0", one, leaf(1), guid=500), disks=(used(0), used(1)))

    assert trouble is dict(listed(state, {"sda": health}))[serial(0)]


def test_a_disk_that_is_gone_is_told_by_the_serial_number_in_its_name() -> None:
    state = host(group("mirror-0", leaf(0), leaf(1, "REMOVED"), guid=500), disks=(used(0),))

    first = host_disks(state)[0]

    assert first.disk is None
    assert (serial(1), Trouble.FAILED) == (first.serial, first.trouble)


def test_a_spare_in_use_that_is_gone_is_one_disk() -> None:
    standing_in = group("spare-1", leaf(1, "FAULTED"), leaf(2, "REMOVED"), guid=600)
    spare = in_class(replace(leaf(2), state="UNAVAIL"), "spare")
    state = host(group("mirror-0", leaf(0), standing_in, guid=500), spare, disks=tuple(map(used, range(2))))

    (gone,) = [each for each in host_disks(state) if each.disk is None]

    assert gone.top is not None
    assert (serial(2), "mirror-0") == (gone.serial, gone.top.name)


def gone_from_bay(host_disk: Vdev, *now: Disk) -> HostState:
    """Disk 1 of a mirror is gone; it was in bay 7, and ZFS and this console knew it there."""
    state = host(group("mirror-0", leaf(0), host_disk, guid=500), disks=(used(0),))
    found = state.inventory.value or Inventory()
    state = replace(state, inventory=Reading(replace(found, disks=(*found.disks, *now)), 1.0))
    of = state.pools[0].pool.value
    assert of is not None
    key = of.guid or 0, host_disk.guid or 0
    record = HealthRecord(("wwn", "x"), DiskHealth(pending=24), 900.0, DiskHealth(pending=24), 900.0)
    return replace(
        state,
        places=(DiskPlace(*key, serial(1), "ST4000", "7", "pci-1", 950.0),),
        evidence=(DeviceEvidence(*key, 950.0, record),),
    )


@pytest.mark.parametrize("is_taken", [False, True])
def test_the_bay_of_a_disk_that_is_gone_is_its_bay_until_another_disk_is_in_it(is_taken: bool) -> None:
    others = (blank(5, links=("/dev/disk/by-vdev/7",)),) if is_taken else ()

    first = host_disks(gone_from_bay(leaf(1, "REMOVED"), *others))[0]

    assert (serial(1), "7", is_taken) == (first.serial, first.bay, first.is_bay_taken)


def test_what_was_known_of_a_disk_that_is_gone_is_kept_with_its_time() -> None:
    first = host_disks(gone_from_bay(leaf(1, "REMOVED")))[0]

    assert (DiskHealth(pending=24), 900.0) == (first.known, first.known_at)
    assert ["pending-sectors"] == [each.id for each in first.complaints]


def test_a_disk_that_was_never_seen_has_the_serial_number_of_its_name() -> None:
    removed = replace(leaf(1, "REMOVED"), name="ata-ST4000NM0035-1V4107_ZC13A1JN")

    first = host_disks(host(group("mirror-0", leaf(0), removed, guid=500), disks=(used(0),)))[0]

    assert "ZC13A1JN" == first.serial


def test_a_spare_in_use_is_told_where_it_stands_in() -> None:
    standing_in = group("spare-1", leaf(1, "FAULTED"), leaf(2), guid=600)
    spare = in_class(replace(leaf(2), state="INUSE"), "spare")
    state = host(group("mirror-0", leaf(0), standing_in, guid=500), spare, disks=tuple(map(used, range(3))))

    found = {each.serial: each for each in host_disks(state)}

    top = found[serial(2)].top
    assert top is not None
    assert "mirror-0" == top.name


def test_two_paths_to_one_disk_are_one_and_volumes_are_none() -> None:
    twin, volume = (
        blank(5, serial=serial(4), wwn=blank(4).wwn),
        replace(blank(6), name="zd0", path="/dev/zd0"),
    )

    assert [(serial(4), Trouble.NONE)] == listed(host(disks=(blank(4), twin, volume)))


def test_spares_and_logs_come_behind_the_data_of_a_pool_and_unused_disks_last() -> None:
    state = host(
        aux(1, "spare"), mirror(0, 3, 4), aux(2, "log"), disks=(blank(0), *(used(at) for at in range(1, 5)))
    )

    assert [serial(at) for at in (3, 4, 1, 2, 0)] == [name for name, _ in listed(state)]


def test_smart_data_in_the_state_is_of_the_disk_and_not_of_its_kernel_name() -> None:
    """A disk that takes the name of another one does not take its SMART data."""
    old, new = blank(0), replace(blank(1), name="sda")
    failing = DiskHealth(is_passing=False)
    record = HealthRecord(disk_identity(old), failing, 5.0, failing, 5.0)
    before = HostState("nas", inventory=Reading(shelf(old), 1.0), smart=Reading((record,), 1.0))
    after = replace(before, inventory=Reading(shelf(new), 2.0))

    assert [(serial(0), Trouble.FAILING)] == [(each.serial, each.trouble) for each in host_disks(before)]
    assert [(serial(1), Trouble.NONE)] == [(each.serial, each.trouble) for each in host_disks(after)]


def test_what_a_sleeping_disk_said_before_still_holds() -> None:
    asleep, before = DiskHealth(power_mode=PowerMode.STANDBY), DiskHealth(pending=3)
    record = HealthRecord(disk_identity(blank(0)), asleep, 900.0, before, 5.0)
    state = HostState("nas", inventory=Reading(shelf(blank(0)), 1.0), smart=Reading((record,), 1.0))

    (found,) = host_disks(state)

    assert (asleep, before, Trouble.WARNING) == (found.health, found.known, found.trouble)


def test_the_io_of_a_disk_is_of_the_last_sample_of_its_pool() -> None:
    state = host(mirror(0, 0, 1), disks=(used(0), used(1)))
    row = IoRow(leaf(1).name, 0, 0, 1, 1, 1, 1)
    sample = IoSample("tank", 1.0, (IoRow("tank", 0, 0, 1, 1, 1, 1), row), (None, 0.5))
    state = replace(state, pools=(replace(state.pools[0], samples=(sample,)),))

    found = {each.serial: each for each in host_disks(state)}

    assert (row, 0.5) == (found[serial(1)].io, found[serial(1)].busy)
    assert (None, None) == (found[serial(0)].io, found[serial(0)].busy)
