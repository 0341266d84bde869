"""Growth of a vdev by larger disks: sizes, turns, and the gain."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import group
from tests.doubles.repair_worlds import facts_of, mine, trouble_at
from tests.doubles.shelves import TB, leaf
from zconsole.analysis.repair.vdev_growth_progress import VdevGrowth, vdev_growth
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.model.pools.pool import Vdev

LARGE = partition_bytes(8 * TB)


def grown(*members: Vdev, **of_top: object) -> VdevGrowth:
    top = replace(group("mirror-0", *members), **of_top)  # type: ignore[arg-type]
    facts = facts_of(trouble_at(top))
    return vdev_growth(facts, facts.pool.vdevs[0])


def turns(growth: VdevGrowth) -> list[int]:
    return [(each.member.guid or 0) - 1000 for each in growth.left]


def test_of_equal_disks_none_is_larger_and_each_has_its_turn_in_order() -> None:
    found = grown(leaf(0), leaf(1))

    assert (2, (), [0, 1], False) == (found.width, found.larger, turns(found), found.is_begun)


def test_a_larger_one_is_done_and_the_smallest_decides() -> None:
    found = grown(leaf(0, physical_bytes=LARGE), leaf(1))

    assert [1] == turns(found)
    assert partition_bytes(4 * TB) == found.share_bytes
    assert found.is_begun


def test_disks_that_differ_by_some_megabytes_are_of_one_size() -> None:
    found = grown(leaf(0, physical_bytes=partition_bytes(4 * TB) + (50 << 20)), leaf(1))

    assert [1, 0] == turns(found)


def test_one_that_is_being_replaced_comes_first_then_one_that_was_taken_offline_for_it() -> None:
    coming = group("replacing-2", leaf(2), leaf(9, physical_bytes=LARGE, is_resilvering=True))

    assert [2, 1, 0] == turns(grown(leaf(0), leaf(1, "OFFLINE"), coming))


def test_room_to_expand_says_that_every_disk_is_larger() -> None:
    found = grown(leaf(0, physical_bytes=LARGE), leaf(1, physical_bytes=LARGE), expandable_bytes=4 * TB)

    assert [] == turns(found)
    assert 2 == len(found.larger)


def test_where_zfs_tells_no_size_the_disks_of_the_host_do() -> None:
    large = mine(1)
    parts = tuple(
        replace(each, size_bytes=LARGE) if each.fstype == "zfs_member" else each for each in large.children
    )
    top = group("mirror-0", leaf(0, physical_bytes=None), leaf(1, physical_bytes=None))
    facts = facts_of(trouble_at(top, disks=[replace(large, size_bytes=8 * TB, children=parts)]))

    assert [0] == turns(vdev_growth(facts, facts.pool.vdevs[0]))
