"""Where the disks of pools are: what is kept of what is seen, and what is not believed."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import POOL_GUID, trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import merged_places, seen_places
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.last_seen_disk_place import DiskPlace


def seen(state: HostState) -> list[tuple[int, str, str]]:
    """The device, serial number and path of each place."""
    return [(each.leaf_guid, each.serial, each.path) for each in seen_places(state, NOW)]


def test_each_disk_that_a_pool_uses_has_its_place() -> None:
    state = trouble_at(
        group("mirror-0", leaf(0), leaf(1, phys_path="pci-0000:03:00.0-sas-phy1-lun-0")), unused=2
    )

    (first, second) = seen_places(state, NOW)

    assert DiskPlace(POOL_GUID, 1000, "SER0000", "ST4000NM", "", "0:0:0:0", NOW) == first
    assert (1001, "pci-0000:03:00.0-sas-phy1-lun-0") == (second.leaf_guid, second.path)


def test_a_disk_that_is_gone_or_that_zfs_lost_has_none_now() -> None:
    top = group("raidz2-0", leaf(0), leaf(1, "UNAVAIL"), leaf(2, "REMOVED"), leaf(3))

    assert [1000, 1003] == [guid for guid, _, _ in seen(trouble_at(top, gone=(1,)))]


def test_without_disks_links_or_guids_nothing_is_kept() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)))
    known = state.inventory.value
    assert known is not None
    nameless = trouble_at(group("mirror-0", leaf(0, guid=1000), leaf(1)), guid=None)

    assert [] == seen(replace(state, inventory=Reading(problem="lsblk hangs")))
    assert [] == seen(replace(state, inventory=Reading(replace(known, links_problem="ls hangs"))))
    assert [] == seen(nameless)


def test_the_newest_place_of_each_device_is_kept() -> None:
    old, new = (DiskPlace(1, 2, "A", "M", bay, "", at) for bay, at in (("3", 10.0), ("7", 20.0)))
    other = replace(old, leaf_guid=1)

    assert (other, new) == merged_places([old], [new, other])
    assert (new,) == merged_places([new], [old])
    assert (replace(new, bay="8"),) == merged_places([new], [replace(new, bay="8")])
