"""Bay of a disk: the administrator's name first, then the number in the enclosure."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.shelves import blank, shelf
from zconsole.analysis.vdevs.enclosure_bays import Bays, with_bays_of_before
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.shelf_and_disk_path import Bay, DiskPath, Enclosure, Shelves


def enclosure(address: str, *hctls: str) -> Enclosure:
    bays = (
        Bay(f"Slot {at:02}", f"{address}/Slot {at:02}", at, (hctl,) if hctl else ())
        for at, hctl in enumerate(hctls)
    )
    return Enclosure(address, tuple(bays))


def known(*shelves: Enclosure, paths: tuple[DiskPath, ...] = ()) -> Inventory:
    return replace(shelf(*map(blank, range(3))), shelves=Shelves(shelves, paths))


def test_the_only_shelf_has_no_number() -> None:
    bays = Bays(known(enclosure("0:0:9:0", "", "0:0:1:0")))

    assert ["", "1", ""] == [bays.name(blank(number)) for number in range(3)]


def test_one_of_several_shelves_is_named_by_its_number() -> None:
    bays = Bays(known(enclosure("0:0:9:0", "0:0:1:0"), enclosure("0:0:10:0", "", "", "0:0:2:0")))

    assert ["", "0:0", "1:2"] == [bays.name(blank(number)) for number in range(3)]


def test_a_name_of_vdev_id_comes_first() -> None:
    disk = replace(blank(1), links=("/dev/disk/by-vdev/A07-part1", "/dev/disk/by-vdev/A07"))
    bays = Bays(known(enclosure("0:0:9:0", "", "0:0:1:0")))

    assert "A07" in bays.name(disk)
    place = bays.place(disk)
    assert place is not None
    assert "1" == place.name


def test_a_bay_without_a_number_has_its_name_and_a_disk_without_an_address_no_bay() -> None:
    shelf_of = Enclosure("0:0:9:0", (Bay("Disk A", "0:0:9:0/Disk A", None, ("0:0:1:0", "")),))
    bays = Bays(known(shelf_of))

    assert "Disk A" == bays.name(blank(1))
    assert "" == bays.name(blank(0, hctl=""))


def test_the_way_to_a_disk_is_by_its_kernel_name() -> None:
    path = DiskPath("sdb", "0000:03:00.0", "host6")
    bays = Bays(known(paths=(path,)))

    assert (None, path) == (bays.path(blank(0)), bays.path(blank(1)))


def test_bays_of_an_earlier_reading_hold_for_disks_that_are_still_at_their_address() -> None:
    before = known(enclosure("0:0:9:0", "0:0:0:0", "0:0:1:0"))
    moved = replace(before, disks=(before.disks[0], replace(before.disks[1], serial="ANOTHER")))

    bays = Bays(with_bays_of_before(replace(moved, shelves=Shelves()), before))

    assert ["0", ""] == [bays.name(each) for each in moved.disks]
