"""Disks joined with the vdevs they serve and with their health, worst first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, in_class
from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import aux, blank, leaf, mirror, serial, shelf, used
from zconsole.analysis.vdevs.host_disks import Trouble, host_disks
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.disk import Disk
from zconsole.model.pools.disk_health import DiskHealth, HealthAnswer, Unreadable
from zconsole.model.pools.pool import Count, Vdev


def host(*tops: Vdev, disks: tuple[Disk, ...]) -> HostState:
    tank = PoolState("tank", "ONLINE", Reading(pool_of(*tops, name="tank"), 1.0))
    return HostState("nas", pools=(tank,), inventory=Reading(shelf(*disks), 1.0))


def listed(state: HostState, health: dict[str, HealthAnswer] | None = None) -> list[tuple[str, Trouble]]:
    return [(each.serial, each.trouble) for each in host_disks(state, health or {})]


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


def test_a_disk_that_is_gone_is_told_by_its_vdev() -> None:
    state = host(group("mirror-0", leaf(0), leaf(1, "REMOVED"), guid=500), disks=(used(0),))

    first = host_disks(state, {})[0]

    assert first.disk is None
    assert (leaf(1).name, Trouble.FAILED) == (first.serial, first.trouble)


def test_a_spare_in_use_is_told_where_it_stands_in() -> None:
    standing_in = group("spare-1", leaf(1, "FAULTED"), leaf(2), guid=600)
    spare = in_class(replace(leaf(2), state="INUSE"), "spare")
    state = host(group("mirror-0", leaf(0), standing_in, guid=500), spare, disks=tuple(map(used, range(3))))

    found = {each.serial: each for each in host_disks(state, {})}

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
