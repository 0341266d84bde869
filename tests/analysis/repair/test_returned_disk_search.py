"""A disk that is seen again: under its own name, under another one, or one that only may be it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import facts_of, mine, place_of, trouble_at
from tests.doubles.shelves import blank, leaf, link
from zconsole.analysis.repair.returned_disk_search import ReturnedDisk, returned_disk
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Vdev

ELSEWHERE = "/dev/disk/by-path/pci-9-scsi-9:9:9:9-part1"
UNNAMED = {"name": "1234567890", "path": ELSEWHERE}  # as ZFS names a device that it lost


def found(member: Vdev, *disks: Disk, gone: tuple[int, ...] = (1,)) -> ReturnedDisk | None:
    """What is found for disk 1 of a mirror."""
    facts = facts_of(trouble_at(group("mirror-0", leaf(0), member), gone=gone, disks=disks))
    return returned_disk(facts, place_of(facts, 1).member)


def test_under_its_own_name_it_is_certain() -> None:
    assert ReturnedDisk("SER0001", link(1), is_under_its_name=True, is_certain=True) == found(
        leaf(1, "REMOVED"), gone=()
    )


def test_its_serial_number_makes_it_certain_in_another_slot() -> None:
    moved = replace(mine(7), serial="SER0001")

    here = ReturnedDisk("SER0001", link(1), is_under_its_name=False, is_certain=True)
    assert here == found(leaf(1, "UNAVAIL", path=ELSEWHERE), moved)


def test_the_only_disk_with_a_label_of_the_pool_may_be_the_only_one_that_is_missing() -> None:
    one = found(leaf(1, "UNAVAIL", **UNNAMED), mine(7))

    assert one is not None
    assert ("SER0007", False, False) == (one.label, one.is_under_its_name, one.is_certain)


@pytest.mark.parametrize(
    ("member", "disks"),
    [
        (leaf(1, "UNAVAIL", **UNNAMED), (mine(7), mine(8))),
        (leaf(1, "UNAVAIL", **UNNAMED), (blank(7),)),
        (leaf(1, "UNAVAIL", path=ELSEWHERE), (mine(7),)),
        (leaf(1, "UNAVAIL", **UNNAMED), ()),
        (leaf(1, "FAULTED", **UNNAMED), (mine(7),)),
    ],
    ids=["two that may be it", "no label of the pool", "another serial number", "nothing", "not missing"],
)
def test_where_it_may_be_another_one_nothing_is_said(member: Vdev, disks: tuple[Disk, ...]) -> None:
    assert found(member, *disks) is None


def test_of_two_that_are_missing_a_stray_is_neither() -> None:
    top = group("raidz2-0", leaf(0), leaf(1, "UNAVAIL", **UNNAMED), leaf(2, "UNAVAIL"), leaf(3))
    facts = facts_of(trouble_at(top, gone=(1, 2), disks=(mine(7),)))

    assert returned_disk(facts, place_of(facts, 1).member) is None


def test_without_the_disks_of_the_host_nothing_is_known() -> None:
    state: HostState = trouble_at(group("mirror-0", leaf(0), leaf(1, "REMOVED")))
    facts = facts_of(replace(state, inventory=Reading(problem="lsblk hangs")))

    assert returned_disk(facts, place_of(facts, 1).member) is None
