"""Which devices need a repair, and why."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import slow_disk, trouble_at, troubles
from tests.doubles.shelves import leaf, serial
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairTrouble

PENDING = DiskHealth(protocol="ATA", is_passing=True, pending=24)
DYING = DiskHealth(protocol="ATA", is_passing=False)


@pytest.mark.parametrize(
    ("trouble", "holder"),
    [
        (RepairTrouble.FAILED, leaf(1, "FAULTED")),
        (RepairTrouble.FAILED, leaf(1, "UNAVAIL")),
        (RepairTrouble.FAILED, leaf(1, "REMOVED")),
        (RepairTrouble.FAILED, leaf(1, "CANT_OPEN")),
        (RepairTrouble.OFFLINE, leaf(1, "OFFLINE")),
        (RepairTrouble.FAILING, leaf(1, "DEGRADED")),
        (RepairTrouble.FAILING, leaf(1, checksum_errors=Count(3))),
        (RepairTrouble.FAILED, group("replacing-1", leaf(1, "FAULTED"), leaf(2, is_resilvering=True))),
        (RepairTrouble.REPLACING, group("replacing-1", leaf(1), leaf(2, is_resilvering=True))),
        (RepairTrouble.NEW_DISK_FAILED, group("replacing-1", leaf(1, "FAULTED"), leaf(2, "UNAVAIL"))),
        (RepairTrouble.NEW_DISK_FAILED, group("replacing-1", leaf(1), leaf(2, "OFFLINE"))),
        (RepairTrouble.SPARE_IN_USE, group("spare-1", leaf(1), leaf(2))),
        (RepairTrouble.FAILED, group("spare-1", leaf(1, "FAULTED"), leaf(2))),
    ],
)
def test_the_states_of_a_member_and_of_what_stands_in(trouble: RepairTrouble, holder: Vdev) -> None:
    assert [(serial(1), trouble)] == troubles(trouble_at(group("mirror-0", leaf(0), holder)))


FEW = DiskHealth(protocol="ATA", is_passing=True, reallocated=3)
WORN = DiskHealth(protocol="NVMe", is_passing=True, wear=104)
CRC = DiskHealth(protocol="ATA", is_passing=True, crc_errors=90)
HOT = DiskHealth(protocol="ATA", is_passing=True, temperature_c=66)


@pytest.mark.parametrize(
    ("trouble", "health"),
    [
        (RepairTrouble.FAILING, DYING),
        (RepairTrouble.WARNED, PENDING),
        (RepairTrouble.WARNED, WORN),
        (None, FEW),
        (None, CRC),
        (None, HOT),
    ],
)
def test_a_disk_without_errors_needs_a_repair_by_what_smart_says_against_the_disk_itself(
    trouble: RepairTrouble | None, health: DiskHealth
) -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), health={1: health})

    assert ([] if trouble is None else [(serial(1), trouble)]) == troubles(state)


def test_errors_and_slowness_come_before_what_smart_warns_of() -> None:
    sick = group("mirror-0", leaf(0), leaf(1, checksum_errors=Count(3)))
    sound = group("mirror-0", leaf(0), leaf(1))

    assert [(serial(1), RepairTrouble.FAILING)] == troubles(trouble_at(sick, health={1: PENDING}))
    slow = trouble_at(sound, health={1: PENDING}, slow=[slow_disk(1, "mirror-0")])
    assert [(serial(1), RepairTrouble.SLOW)] == troubles(slow)


def test_a_slow_disk_is_a_repair_too() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), slow=[slow_disk(1, "mirror-0")])

    assert [(serial(1), RepairTrouble.SLOW)] == troubles(state)


@pytest.mark.parametrize(
    ("trouble", "health"),
    [(RepairTrouble.FAILING, DYING), (RepairTrouble.WARNED, PENDING), (RepairTrouble.SPARE_IN_USE, FEW)],
)
def test_the_spare_beside_a_disk_that_smart_warns_of_is_not_what_the_repair_returns(
    trouble: RepairTrouble, health: DiskHealth
) -> None:
    top = group("mirror-0", leaf(0), group("spare-1", leaf(1), leaf(2)))

    assert [(serial(1), trouble)] == troubles(trouble_at(top, health={1: health}))


def test_the_spare_beside_a_slow_disk_is_not_what_the_repair_returns() -> None:
    top = group("mirror-0", leaf(0), group("spare-1", leaf(1), leaf(2)))

    assert [(serial(1), RepairTrouble.SLOW)] == troubles(trouble_at(top, slow=[slow_disk(1, "mirror-0")]))
