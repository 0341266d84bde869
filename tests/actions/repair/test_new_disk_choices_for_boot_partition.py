"""A new disk for a pool from which the host may boot: the same partitions, then the boot loader."""

from __future__ import annotations

from tests.analysis.build import group
from tests.analysis.repair.test_boot_disk import bootable, third
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import aux, blank, link, part, parted, serial
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.repair import Repair, RepairStepKind, RepairStepState

BROKEN = group("mirror-0", third(0), third(1, "FAULTED"))
NEW_DISK, REPLACE = RepairStepKind.NEW_DISK, RepairStepKind.REPLACE


def prepared(number: int) -> Disk:
    disk = blank(number)
    return parted(
        disk, part(disk, 1, size_bytes=1007 << 10), part(disk, 2, size_bytes=512 << 20), part(disk, 3)
    )


def repair(*disks: Disk, gone: tuple[int, ...] = (1,)) -> Repair:
    own = [bootable(at) for at in (0, 1) if at not in gone]
    return the_repair(trouble_at(BROKEN, disks=[*own, *disks], gone=gone), 1)


def test_a_bare_disk_gets_the_partitions_of_the_sound_one_first() -> None:
    found = repair(blank(7))
    step = found.step(NEW_DISK)

    assert RepairStepState.NOW is step.state
    assert f"{serial(7)} fits, but the old disk also has other partitions: partition 1" in step.found[0]
    assert f"sgdisk {link(0)} -R {link(7)}" in step.found[1]
    assert f"sgdisk -G {link(7)}" in step.found[2]
    assert () == step.offers
    assert () == found.step(REPLACE).offers


def test_a_prepared_disk_is_offered_by_its_partition() -> None:
    found = repair(prepared(7))
    offers = found.step(REPLACE).offers

    assert RepairStepState.NOW is found.step(REPLACE).state
    assert [("1001", f"{link(7)}-part3")] == [each.arguments for each in offers]
    assert "boot loader" in found.step(RepairStepKind.AFTER_CARE).found[0]


def test_a_partition_that_is_too_small_or_used_is_not_offered() -> None:
    disk = blank(7)
    small = parted(disk, part(disk, 3, size_bytes=10**9))
    filled = parted(disk, part(disk, 3, fstype="ext4"))

    assert () == repair(small).step(REPLACE).offers
    assert () == repair(filled).step(REPLACE).offers


def test_a_spare_may_stand_in_as_it_is() -> None:
    state = trouble_at(BROKEN, aux(7, "spare"), disks=[bootable(0)], gone=[1])

    offers = the_repair(state, 1).step(REPLACE).offers

    assert [f"replace {serial(1)} with the spare {serial(7)}"] == [each.words for each in offers]


def test_while_it_resilvers_the_boot_loader_is_told() -> None:
    filling = group("mirror-0", third(0), group("replacing-1", third(1, "FAULTED"), third(7)))
    state = trouble_at(filling, disks=[bootable(0), bootable(1), bootable(7)])

    found = the_repair(state, 1).step(RepairStepKind.RESILVER).found

    assert any("proxmox-boot-tool format and init on partition 2" in each for each in found)
    assert any("grub-install" in each for each in found)
