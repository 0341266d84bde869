"""The tree after a change is the one that ZFS will show."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import disk, group, in_class, pool
from tests.zfs.recorded import CAPTURES
from zconsole.analysis.vdevs.redundancy import pool_redundancy
from zconsole.analysis.vdevs.topology_after_change import (
    added,
    ashifts,
    attached,
    continued,
    created,
    detached,
    has_parity,
    new_group,
    new_leaf,
    numbers,
    parent_of,
    removed,
    replaced,
    replacing,
    spared,
    split_off,
    top_of,
    with_state,
)
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.status.status_text import parse_status_text

NEW = new_leaf("/dev/disk/by-id/ata-NEW", "data")


def capture(state: str, version: str = "2.4") -> Pool:
    """A pool as a real ZFS showed it."""
    text = (CAPTURES / version / state / "zpool_status_v.txt").read_text()
    return parse_status_text(text)[0]


def the(now: Pool, name: str) -> Vdev:
    """The first vdev of that name, or whose name ends so."""
    return next(vdev for vdev in now.walk() if vdev.name == name or vdev.name.endswith(name))


def drawn(now: Pool) -> list[str]:
    """The tree, a line a vdev: depth, name, state."""

    def lines(vdev: Vdev, depth: int) -> list[str]:
        marked = " resilvering" if vdev.is_resilvering else ""
        below = [line for child in vdev.children for line in lines(child, depth + 1)]
        return [f"{'.' * depth}{vdev.name} {vdev.state}{marked}", *below]

    return [f"{now.state}", *(line for top in now.vdevs for line in lines(top, 0))]


def left(now: Pool) -> list[int]:
    """The failures that each vital vdev survives."""
    return [each.left for each in pool_redundancy(now)]


def test_a_disk_attached_to_a_lone_one_makes_a_mirror_in_its_place() -> None:
    before = pool(disk("a"), disk("b"))

    during = attached(before, the(before, "b"), NEW, is_resilvering=True)
    after = attached(before, the(before, "b"), NEW)

    assert [
        "ONLINE",
        "a ONLINE",
        "mirror-1 ONLINE",
        ".b ONLINE",
        ".ata-NEW ONLINE resilvering",
    ] == drawn(during)
    assert ([0, 0], [0, 0], [0, 1]) == (left(before), left(during), left(after))


def test_a_disk_attached_to_a_mirror_makes_it_wider() -> None:
    before = pool(group("mirror-0", disk("a"), disk("b")))

    during = attached(before, the(before, "a"), NEW, is_resilvering=True)
    after = attached(before, the(before, "a"), NEW)

    assert ["ONLINE", "mirror-0 ONLINE", ".a ONLINE", ".b ONLINE", ".ata-NEW ONLINE"] == drawn(after)
    assert ([1], [1], [2]) == (left(before), left(during), left(after))


def test_a_raidz_grows_wider_and_its_parity_stays() -> None:
    before = pool(group("raidz2-0", *(disk(name) for name in "abcd")), size_bytes=100)

    after = attached(before, before.vdevs[0], NEW)

    assert 5 == len(after.vdevs[0].children)
    assert (left(before), None) == (left(after), after.size_bytes)


def test_while_a_dead_disk_is_replaced_nothing_more_is_gained() -> None:
    """Before, during and after, as zpool status of a real replacement has it."""
    dead = disk("b", "FAULTED")
    before = pool(group("mirror-0", disk("a"), dead))

    during, after = replacing(before, dead, NEW), replaced(before, dead, NEW)

    assert [
        "DEGRADED",
        "mirror-0 DEGRADED",
        ".a ONLINE",
        ".replacing-1 DEGRADED",
        "..b FAULTED",
        "..ata-NEW ONLINE resilvering",
    ] == drawn(during)
    assert ["ONLINE", "mirror-0 ONLINE", ".a ONLINE", ".ata-NEW ONLINE"] == drawn(after)
    assert ([0], [0], [1]) == (left(before), left(during), left(after))


def test_while_a_healthy_disk_is_replaced_it_still_counts() -> None:
    before = pool(group("mirror-0", disk("a"), disk("b")))

    during = replacing(before, the(before, "b"), NEW)

    assert ([1], [1]) == (left(before), left(during))


def test_a_replacement_of_what_is_being_replaced_joins_it() -> None:
    """ZFS puts a third device beside the two."""
    before = pool(group("mirror-0", disk("a"), group("replacing-1", disk("b", "FAULTED"), disk("c"))))

    during = replacing(before, the(before, "c"), NEW)

    assert ["b", "c", "ata-NEW"] == [leaf.name for leaf in the(during, "replacing-1").children]
    assert ["a", "ata-NEW"] == [
        leaf.name for leaf in replaced(before, the(before, "c"), NEW).vdevs[0].children
    ]


def test_a_spare_goes_back_once_the_failed_disk_is_replaced() -> None:
    """The recorded pool with a spare in use, and the same pool as ZFS showed it after a replacement."""
    before = capture("spare-in-use")

    during = replacing(before, the(before, "wwn-0x5000c500a0000000"), NEW)
    after = replaced(before, the(before, "wwn-0x5000c500a0000000"), NEW)

    assert "replacing" == the(during, "spare-0").children[0].type
    assert ["ata-NEW", "wwn-0x5000c500a0000001"] == [leaf.name for leaf in after.vdevs[0].children]
    assert ["AVAIL"] == [vdev.state for vdev in after.of_class("spare")]


def test_detaching_the_spare_brings_it_back_and_the_failed_disk_stays() -> None:
    before = capture("spare-in-use")

    after = detached(before, the(before, "spare-0").children[1])

    assert ["wwn-0x5000c500a0000000", "wwn-0x5000c500a0000001"] == [
        leaf.name for leaf in after.vdevs[0].children
    ]
    assert ["AVAIL"] == [vdev.state for vdev in after.of_class("spare")]


def test_detaching_the_failed_disk_keeps_the_spare_for_good() -> None:
    before = capture("spare-in-use")

    after = detached(before, the(before, "spare-0").children[0])

    assert ["wwn-0x5000c500a0000008", "wwn-0x5000c500a0000001"] == [
        leaf.name for leaf in after.vdevs[0].children
    ]
    assert () == after.of_class("spare")
    assert "ONLINE" == after.vdevs[0].state


def test_a_distributed_spare_comes_back_too() -> None:
    before = capture("draid-spare-in-use")

    after = detached(before, the(before, "spare-2").children[1])

    assert 10 == len(after.vdevs[0].children)
    assert ["AVAIL"] == [vdev.state for vdev in after.of_class("spare")]


def test_a_spare_that_steps_in_stands_beside_the_failed_disk() -> None:
    before = pool(
        group("mirror-0", disk("a", "FAULTED"), disk("b")),
        disk("s", "AVAIL", vdev_class="spare", guid=7, path="/dev/disk/by-id/s-part1"),
    )

    during = spared(before, the(before, "a"), before.of_class("spare")[0], is_resilvering=True)
    after = spared(before, the(before, "a"), before.of_class("spare")[0])

    assert ["a", "s"] == [leaf.name for leaf in the(after, "spare-0").children]
    assert ["INUSE"] == [vdev.state for vdev in after.of_class("spare")]
    assert ([0], [0], [1]) == (left(before), left(during), left(after))


def test_what_is_left_of_a_mirror_takes_its_place() -> None:
    before = pool(group("mirror-0", disk("a"), disk("b")), group("mirror-1", disk("c"), disk("d")))

    after = detached(before, the(before, "d"))

    assert ["ONLINE", "mirror-0 ONLINE", ".a ONLINE", ".b ONLINE", "c ONLINE"] == drawn(after)
    assert [1, 0] == left(after)


def test_new_vdevs_get_free_numbers_in_the_order_of_zpool_status() -> None:
    """A hole that a removed log has left is filled first."""
    before = capture("log-removed")
    mirror = new_group("mirror", "mirror", (NEW, new_leaf("/dev/disk/by-id/ata-NEW2", "data")))

    after = added(before, (mirror, new_leaf("/dev/disk/by-id/ata-C", "cache")))

    assert "mirror-3" == after.of_class("data")[-1].name
    assert ["data"] * 4 + ["log", "cache"] == [vdev.vdev_class for vdev in after.vdevs]


def test_a_draid_brings_its_spares() -> None:
    disks = tuple(new_leaf(f"/dev/disk/by-id/ata-{index}", "data") for index in range(8))

    made = created("tank", (new_group("draid2:4d:8c:2s", "draid2", disks),))

    assert ["draid2:4d:8c:2s-0", "draid2-0-0", "draid2-0-1"] == [vdev.name for vdev in made.vdevs]
    assert (["dspare"] * 2, [2]) == ([vdev.type for vdev in made.of_class("spare")], left(made))


def test_split_takes_one_of_each_mirror() -> None:
    before = pool(group("mirror-0", disk("a"), disk("b")), group("mirror-1", disk("c"), disk("d")))

    rest, new = split_off(before, "half", (the(before, "b"), the(before, "d")))

    assert (["a", "c"], ["b", "d"]) == ([top.name for top in rest.vdevs], [top.name for top in new.vdevs])
    assert ("half", [0, 0], [0, 0]) == (new.name, left(rest), left(new))


@pytest.mark.parametrize(
    ("states", "vdev", "whole"),
    [
        (("ONLINE", "OFFLINE", "ONLINE"), "DEGRADED", "DEGRADED"),
        (("OFFLINE", "OFFLINE", "ONLINE"), "UNAVAIL", "UNAVAIL"),
        (("ONLINE", "ONLINE", "ONLINE"), "ONLINE", "ONLINE"),
    ],
)
def test_states_above_follow_from_those_below(states: tuple[str, ...], vdev: str, whole: str) -> None:
    now = pool(group("raidz1-0", *(disk(name) for name in "abc")))

    for name, state in zip("abc", states, strict=True):
        now = with_state(now, the(now, name), state)

    assert (vdev, whole) == (now.vdevs[0].state, now.state)


def test_a_cache_or_spare_that_fails_leaves_the_pool_online() -> None:
    now = pool(group("mirror-0", disk("a"), disk("b")), in_class(disk("c"), "cache"))

    assert "ONLINE" == with_state(now, the(now, "c"), "UNAVAIL").state


def test_a_log_that_fails_degrades_it() -> None:
    now = pool(group("mirror-0", disk("a"), disk("b")), in_class(disk("l"), "log"))

    assert "DEGRADED" == with_state(now, the(now, "l"), "OFFLINE").state


def test_equal_vdevs_are_not_confused() -> None:
    """Only the very value that was given is changed: names and guids may stand twice."""
    now = pool(group("mirror-0", disk("a"), disk("a")), group("mirror-1", disk("a"), disk("a")))

    after = with_state(now, now.vdevs[1].children[0], "OFFLINE")

    assert [["ONLINE", "ONLINE"], ["OFFLINE", "ONLINE"]] == [
        [leaf.state for leaf in top.children] for top in after.vdevs
    ]


def test_numbers_are_those_of_the_names() -> None:
    now = capture("every-class")

    assert [
        ("mirror-0", 0),
        ("mirror-1", 1),
        ("mirror-2", 2),
        ("wwn-0x5000c500a0000006", 3),
        ("mirror-4", 4),
    ] == [(top.name, numbers(now)[id(top)]) for top in now.vdevs if id(top) in numbers(now)]


def test_parity_and_ashift_of_a_pool() -> None:
    now = pool(
        group("raidz1-0", disk("a"), disk("b"), configured_ashift=12), disk("c", configured_ashift=9),
        in_class(disk("l", configured_ashift=13), "log"),
    )  # fmt: skip

    assert (True, {9, 12}) == (has_parity(now), ashifts(now))
    assert not has_parity(removed(now, now.vdevs[0]))


TOPS = st.lists(
    st.tuples(st.sampled_from(("mirror", "raidz1", "raidz2", "lone")), st.integers(2, 5)),
    min_size=1,
    max_size=4,
)


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """Healthy pools with spares, all devices of a guid of their own."""
    number = iter(range(1, 1000))

    def leaf(**values: object) -> Vdev:
        guid = next(number)
        return disk(f"d{guid}", guid=guid, path=f"/dev/disk/by-id/d{guid}-part1", **values)

    tops = []
    for kind, width in draw(TOPS):
        count = 1 if kind == "lone" else max(width, int(kind[-1:]) + 1 if kind[-1:].isdigit() else 2)
        leaves = [leaf() for _ in range(count)]
        tops.append(leaves[0] if kind == "lone" else group(f"{kind}-{len(tops)}", *leaves))
    spares = [leaf(state="AVAIL", vdev_class="spare") for _ in range(draw(st.integers(0, 2)))]
    return pool(*tops, *(replace(spare, state="AVAIL") for spare in spares))


def leaf_names(now: Pool) -> list[str]:
    return sorted(leaf.name for top in now.vdevs for leaf in top.leaves())


@given(pools(), st.randoms(use_true_random=False))
def test_every_change_gives_and_takes_exactly_its_devices(now: Pool, random: st.DataObject) -> None:
    """And what is attached and detached again, or replaced there and back, is as it was."""
    serving = [leaf for top in now.vdevs if top.vdev_class == "data" for leaf in top.leaves()]
    chosen: Vdev = random.choice(serving)  # type: ignore[attr-defined]
    others = sorted(name for name in leaf_names(now) if name != chosen.name)

    assert sorted((*others, NEW.name)) == leaf_names(replaced(now, chosen, NEW))
    assert sorted((*leaf_names(now), NEW.name)) == leaf_names(replacing(now, chosen, NEW))
    there = replaced(now, chosen, NEW)
    assert drawn(now) == drawn(replaced(there, the(there, NEW.name), chosen))
    parent = parent_of(now, chosen)
    if parent is None or parent.type == "mirror":
        wider = attached(now, chosen, NEW)
        assert (
            left(wider)[now.vdevs.index(top_of(now, chosen))]
            == left(now)[now.vdevs.index(top_of(now, chosen))] + 1
        )
        assert drawn(now) == drawn(detached(wider, the(wider, NEW.name)))
    if parent is not None and parent.type == "mirror":
        assert others == leaf_names(detached(now, chosen))


def test_a_vdev_is_the_same_one_whatever_it_becomes() -> None:
    """A mirror that becomes a lone disk, and a lone disk that is replaced."""
    before = pool(group("mirror-0", disk("a"), disk("b")), disk("c"))

    alone = detached(before, the(before, "b"))
    during = replacing(before, the(before, "c"), NEW)

    assert {"a": "mirror-0", "c": "c"} == continued(before, alone)
    assert {"mirror-0": "mirror-0", "replacing-1": "c"} == continued(before, during)
