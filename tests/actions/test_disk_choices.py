"""The disks that are offered for a change: what fits first, each other one with the plan's own reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import group, in_class
from tests.doubles.shelves import TB, aux, blank, label, leaf, mirror, planned, serial, used, world
from zconsole.actions.disk_choices import (
    DiskChoice,
    Likeness,
    disk_choices,
    is_for_one_vdev,
)
from zconsole.actions.intent import intent
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Vdev

BROKEN = group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500, configured_ashift=12)
REPLACE = intent("replace", "tank", "1001")


def offered(facts: PlanFacts) -> dict[str, DiskChoice]:
    """The choices for the failed disk, by serial number."""
    return {each.serial: each for each in disk_choices(REPLACE, facts)}


def test_the_pools_own_spare_is_the_first_choice_and_stands_once_in_the_list() -> None:
    facts = world(BROKEN, aux(2, "spare"))

    first, *others = disk_choices(REPLACE, facts)

    assert (serial(2), "hot spare, AVAIL", "") == (first.serial, first.words, first.why_not)
    assert serial(2) not in {each.serial for each in others}
    assert [] == list(planned(facts, "replace", "tank", "1001", first.word).refusals)


def test_a_spare_that_is_in_use_is_not_offered_as_one() -> None:
    facts = world(BROKEN, replace(aux(2, "spare"), state="INUSE"))

    assert "in use: tank spare" == offered(facts)[serial(2)].words


@pytest.mark.parametrize(
    ("words", "broken", "spares"),
    [
        ("hot spare: not for this class of vdev", in_class(BROKEN, "log"), (aux(2, "spare"),)),
        (
            "hot spare: too small",
            BROKEN,
            (replace(aux(2, "spare"), physical_bytes=TB),),
        ),
        (
            "hot spare: another spare is in use already",
            group("mirror-0", leaf(0), group("spare-1", leaf(1, "FAULTED"), leaf(3)), guid=500),
            (aux(2, "spare"), replace(aux(3, "spare"), state="INUSE")),
        ),
    ],
)
def test_a_spare_that_cannot_stand_in_stays_in_the_list_with_the_reason(
    words: str, broken: Vdev, spares: tuple[Vdev, ...]
) -> None:
    facts = world(mirror(1, 5, 6), broken, *spares)

    shown = offered(facts)[serial(2)]

    assert words == shown.words
    reasons = [each.reason for each in planned(facts, "replace", "tank", "1001", shown.word).refusals]
    assert any(each in shown.why_not for each in reasons)


def test_the_smallest_disk_that_fits_comes_first() -> None:
    facts = world(BROKEN, disks=(blank(4, size_bytes=8 * TB), blank(5, size_bytes=3 * TB)), spare_disks=5)

    found = [(each.serial, each.words) for each in disk_choices(REPLACE, facts)]

    assert [
        (serial(2), "fits"),
        (serial(3), "fits"),
        (serial(6), "fits"),
        (serial(4), "fits, 3.64 TiB unused"),
    ] == (found[:4])
    assert (serial(5), "too small by 931 GiB") == found[4]
    assert {serial(0), serial(1)} == {name for name, _ in found[5:]}


def test_a_disk_in_the_slot_of_the_old_one_comes_before_smaller_ones_and_says_so() -> None:
    gone = replace(leaf(1, "REMOVED"), phys_path="pci-0-scsi-0:0:7:0")
    new = blank(7, size_bytes=9 * TB)
    broken = group("mirror-0", leaf(0), gone, guid=500, configured_ashift=12)

    choices = disk_choices(REPLACE, world(broken, disks=(blank(5), new)))

    assert (serial(7), True) == (choices[0].serial, choices[0].is_in_slot)
    assert choices[0].words.endswith("same slot")
    assert "fits" == choices[1].words


@pytest.mark.parametrize(
    ("disk", "words"),
    [
        (blank(4, logical_sector_bytes=16384), "sectors of 16384 B are too large"),
        (used(4, "bulk"), "has a label of pool bulk"),
        (blank(4, fstype="ext4"), "holds ext4"),
        (blank(4, mountpoints=("/srv",)), "in use: mounted"),
    ],
)
def test_why_a_disk_is_not_taken_in_a_few_words(disk: Disk, words: str) -> None:
    found = offered(world(BROKEN, disks=(disk,), labels=None))

    assert words == found[serial(4)].words
    assert found[serial(4)].why_not


def test_a_disk_without_a_name_that_lasts_is_not_taken() -> None:
    nameless = blank(4, serial="", wwn="", links=())
    facts = world(BROKEN, disks=(nameless,))
    assert facts.inventory is not None
    bare = replace(facts.inventory, disks=tuple(replace(each, links=()) for each in facts.inventory.disks))

    shown = offered(replace(facts, inventory=replace(bare, links=())))["sde"]

    assert "no persistent name in /dev/disk" == shown.words


def test_a_disk_of_another_pool_names_that_pool() -> None:
    facts = world(BROKEN, disks=(used(4, "bulk"),))
    other = replace(world(mirror(0, 4, 5)).pools[0], name="bulk", guid=99)

    shown = offered(replace(facts, pools=(*facts.pools, other)))[serial(4)]

    assert "in use: bulk mirror-0" == shown.words
    assert "labelclear" not in shown.why_not


def test_volumes_of_pools_are_no_disks_and_two_paths_are_one_disk() -> None:
    volume = replace(blank(7), name="zd0", path="/dev/zd0")
    twin = replace(blank(8), serial=serial(2), wwn=blank(2).wwn)

    found = [each.serial for each in disk_choices(REPLACE, world(BROKEN, disks=(volume, twin)))]

    assert 1 == found.count(serial(2))
    assert serial(7) not in found


KINDS = st.sampled_from([
    {}, {"size_bytes": 3 * TB}, {"size_bytes": 9 * TB}, {"fstype": "ext4"}, {"fstype": "crypto_LUKS"},
    {"mountpoints": ("/x",)}, {"logical_sector_bytes": 4096}, {"logical_sector_bytes": 16384},
    {"size_bytes": 0},
])  # fmt: skip


@given(st.lists(KINDS, min_size=1, max_size=5))
def test_what_is_offered_is_what_the_plan_takes(kinds: list[dict[str, object]]) -> None:
    disks = tuple(blank(2 + at, **kind) for at, kind in enumerate(kinds))
    facts = world(BROKEN, disks=disks, spare_disks=0)

    for choice in disk_choices(REPLACE, facts):
        refusals = planned(facts, "replace", "tank", "1001", choice.word).refusals
        assert bool(choice.why_not) is bool(refusals), (choice, refusals)


def test_a_label_that_was_read_speaks_against_a_disk() -> None:
    facts = world(BROKEN, labels=(label(4),), disks=(used(4, "bulk"),))

    assert "has a label of pool bulk" == offered(facts)[serial(4)].words


SSD = {"size_bytes": 2 * TB, "model": "SAMSUNG", "is_rotational": False}
HDD = {"is_rotational": True}


def ranked(*words: str) -> list[str]:
    """The serials of the disks that fit, for a new vdev of a pool of disks of 4 TB with a log of SSDs."""
    facts = world(
        mirror(0, 0, 1),
        in_class(mirror(1, 2, 3), "log"),
        disks=(
            *(used(number, **HDD) for number in (0, 1)),
            *(used(number, **SSD) for number in (2, 3)),
            blank(4, **SSD),
            blank(5, **SSD | {"model": "MICRON"}),
            blank(6, **HDD | {"size_bytes": 3 * TB}),
            blank(7, **HDD | {"model": "OTHER"}),
            blank(8, **HDD),
        ),
        spare_disks=5,
    )
    choices = disk_choices(intent("add", "tank", *words), facts)
    return [each.serial for each in choices if not each.why_not]


def test_disks_like_those_of_the_pool_come_before_smaller_ones() -> None:
    assert list(map(serial, (8, 7, 6, 4, 5))) == ranked("mirror")
    assert list(map(serial, (8, 7, 6, 4, 5))) == ranked("spare")


def test_disks_for_a_log_are_compared_with_those_of_the_log() -> None:
    assert list(map(serial, (4, 5))) == ranked("log", "mirror")[:2]


def test_where_the_pool_has_none_of_a_class_the_smallest_comes_first() -> None:
    assert list(map(serial, (4, 5, 6))) == ranked("special", "mirror")[:3]


@pytest.mark.parametrize(
    ("is_one", "words"),
    [(True, ("mirror",)), (True, ("log", "mirror")), (False, ()), (False, ("log",)), (False, ("spare",))],
)
def test_only_disks_of_one_vdev_have_to_be_of_one_size(words: tuple[str, ...], *, is_one: bool) -> None:
    assert is_one is is_for_one_vdev(intent("add", "tank", *words))
    assert not is_for_one_vdev(intent("replace", "tank", *words))


def test_a_disk_with_large_sectors_is_behind_others_whatever_its_words() -> None:
    small = group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500, configured_ashift=9)
    facts = world(small, spare_disks=2, disks=(blank(3, physical_sector_bytes=512),))

    first, second, *_ = (each for each in disk_choices(REPLACE, facts) if not each.why_not)

    assert [serial(3), serial(2)] == [first.serial, second.serial]
    assert second.has_slow_sectors
    assert Likeness.SAME is second.likeness
