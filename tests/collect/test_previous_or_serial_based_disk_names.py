"""Disks whose links cannot be read: known by serial number or WWN, or as they were named before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import host as host_of
from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import blank, leaf, link, mirror, shelf, used
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.collect.previous_or_serial_based_disk_names import with_names
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.disk_by_id import inventory

WHY = "ls -lR on nas1 gave no answer"


def nameless(*disks: Disk) -> Inventory:
    return replace(inventory(disks, ()), links_problem=WHY)


def host(found: Inventory) -> HostState:
    return replace(host_of(pool_of(mirror(0, 0, 1))), inventory=Reading(found, 0.0))


@pytest.mark.parametrize("name", [link(1), "/dev/disk/by-id/wwn-0x5000c50000000001"])
def test_a_leaf_named_by_serial_number_or_wwn_is_found_without_links(name: str) -> None:
    disks = used(0), used(1, wwn="0x5000c50000000001")
    top = mirror(0, 0)
    top = replace(top, children=(*top.children, leaf(1, path=f"{name}-part1")))
    state = replace(host_of(pool_of(top)), inventory=Reading(nameless(*disks), 0.0))

    found = with_names(nameless(*disks), state.pools)

    assert ("sdb1", WHY) == (found.kernel_name(f"{name}-part1"), found.links_problem)


def test_names_of_before_hold_for_disks_that_are_still_the_same() -> None:
    before = shelf(used(0), used(1))
    after = nameless(used(0), replace(used(7), name="sdb", path="/dev/sdb"))

    found = with_names(after, (), before)

    assert "sda" == found.kernel_name("/dev/disk/by-path/pci-0-scsi-0:0:0:0")
    assert found.kernel_name("/dev/disk/by-path/pci-0-scsi-0:0:1:0") is None


def test_a_disk_whose_name_is_not_known_is_not_called_gone() -> None:
    state = host(shelf(used(0)))
    in_doubt = host(nameless(used(0), blank(5)))

    assert ["gone"] == [each.identity[0] for each in host_disks(state) if each.disk is None]
    assert [] == [each for each in host_disks(in_doubt) if each.disk is None]


def test_links_that_could_be_read_are_left_as_they_are() -> None:
    found = shelf(used(0), used(1))

    assert found is with_names(found, host(found).pools, shelf(used(2)))
