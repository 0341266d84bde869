"""Accidents with disks that happened to others: each is tried here, and refused or guarded.

The numbers are those of the table of accidents that the guards were made for.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import (
    aux,
    blank,
    kname,
    label,
    leaf,
    link,
    mirror,
    part,
    parted,
    planned,
    raidz,
    rules,
    serial,
    shape,
    used,
    world,
)
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError


def test_story_1_a_bare_disk_added_to_a_raidz2_is_refused_and_the_right_ways_are_offered() -> None:
    """`zpool add` instead of replace: the disk would be a vdev without redundancy that can never leave."""
    facts = world(raidz(0, 2, 0, 1, 2, 3))

    made = planned(facts, "add", "tank", serial(5))

    assert ["below-redundancy"] == rules(made)
    assert "it can never be removed from this pool: tank has a raidz2 vdev" == made.warnings[0]
    assert ("-n", False, "cannot be undone") == (made.rehearsals[0].argv[2], made.is_reversible, made.undo)
    assert made.before is not None
    assert made.after is not None
    assert shape(made.after) == sorted([*shape(made.before), f"data ata-ST4000NM_{serial(5)}"])


def test_story_1_also_with_redundancy_it_is_told_that_a_vdev_can_never_leave() -> None:
    facts = world(raidz(0, 2, 0, 1, 2, 3), spare_disks=6)

    made = planned(facts, "add", "tank", "raidz2", *map(serial, (4, 5, 6, 7)))

    assert (Risk.DESTRUCTIVE, "storage1:tank data") == (made.risk, made.confirm)
    assert "it can never be removed from this pool: tank has a raidz2 vdev" == made.warnings[0]


def test_story_1_a_lone_disk_that_got_in_is_mirrored_instead() -> None:
    """The way out for those who have one already."""
    facts = world(raidz(0, 1, 0, 1, 2), leaf(3))

    made = planned(facts, "attach", "tank", f"ata-ST4000NM_{serial(3)}", serial(5))

    assert Risk.CAUTION is made.risk
    assert [(1, 1, 1), (0, 0, 1)] == [(each.before, each.during, each.after) for each in made.redundancy]


@pytest.mark.parametrize("word", ["logs", "loc", "Log", "logg"])
def test_story_2_a_typing_error_in_log_is_never_a_data_vdev(word: str) -> None:
    """It is neither a class nor a device."""
    facts = world(mirror(0, 0, 1))
    try:
        made = planned(facts, "add", "tank", word, serial(5))
    except UsageError:
        return

    assert {"unknown-device"} <= set(rules(made))
    assert not made.steps


def test_story_2_the_class_is_typed_in_the_confirmation() -> None:
    facts = world(mirror(0, 0, 1))

    log = planned(facts, "add", "tank", "log", serial(5))
    data = planned(facts, "add", "tank", "mirror", serial(4), serial(5))

    assert ("tank log", "tank data") == (log.confirm, data.confirm)


def test_story_3_replacing_a_healthy_disk_needs_its_serial_and_is_told_what_fails() -> None:
    """The wrong member: a warning of its own, the failing one as the alternative, the serial typed."""
    facts = world(mirror(0, 0, 1), group("mirror-1", leaf(2), leaf(3, "FAULTED"), guid=501))

    wrong = planned(facts, "replace", "tank", "1001", serial(5))
    right = planned(facts, "replace", "tank", "1003", serial(5))

    assert (Risk.DESTRUCTIVE, f"storage1:{serial(1)} {serial(5)}") == (wrong.risk, wrong.confirm)
    assert f"Failing in tank: ata-ST4000NM_{serial(3)} (FAULTED)" in wrong.warnings[0]
    assert [("replace", ("1003", link(5)))] == [
        (each.action, each.arguments) for _, each in wrong.alternatives
    ]
    assert (Risk.CAUTION, serial(3)) == (right.risk, right.confirm)
    assert any(serial(3) in note for note in right.notes)
    assert any(serial(5) in note for note in right.notes)


def test_story_3_the_failing_disk_is_found_when_it_is_the_only_one() -> None:
    facts = world(mirror(0, 0, 1), group("mirror-1", leaf(2), leaf(3, "FAULTED"), guid=501))

    made = planned(facts, "replace", "tank", serial(5))

    assert ("zpool", "replace", "tank", "1003", link(5)) == made.steps[0].argv


@pytest.mark.parametrize("word", ["sdf", "/dev/sdf", "sdb", "sde1", "nvme0n1", "/dev/dm-0", "sdzz"])
def test_story_4_letters_are_refused_wherever_a_new_device_is_named(word: str) -> None:
    """And never in an argv; the name that lasts is told."""
    facts = world(mirror(0, 0, 1))

    for action, words in (
        ("replace", ("1001", word)),
        ("attach", ("1001", word)),
        ("add", ("log", word)),
    ):
        made = planned(facts, action, "tank", *words)
        assert "kernel-name" in rules(made)
        assert not made.steps
    assert "kernel-name" in rules(planned(facts, "labelclear", word))
    assert "kernel-name" in rules(planned(facts, "create-pool", "new", "mirror", word, serial(4)))
    if word in {"sdf", "/dev/sdf"}:
        reason = planned(facts, "add", "tank", "log", word).refusals[0]
        assert f"{link(5)} (ST4000NM {serial(5)}" in reason.instead


def test_story_5_sectors_and_size_are_compared_before_anything_is_written() -> None:
    """A disk with sectors larger than the blocks of the vdev, and one that is a little too small."""
    old = group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500, configured_ashift=9)
    old = replace(old, children=tuple(replace(each, configured_ashift=9) for each in old.children))
    native = blank(4, logical_sector_bytes=4096)
    small = blank(5, size_bytes=4 * 10**12 - 1_048_576)

    facts = world(old, disks=[native, small])

    assert ["sector-size"] == rules(planned(facts, "replace", "tank", "1001", serial(4)))
    assert ["too-small"] == rules(planned(facts, "replace", "tank", "1001", serial(5)))
    assert {"too-small"} == set(rules(planned(facts, "attach", "tank", "1000", serial(5))))


def test_story_5_a_disk_that_only_pretends_to_have_small_sectors_is_told_to_zfs() -> None:
    """ZFS refuses it unless told the ashift: that is said, with what it costs."""
    old = group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500)
    old = replace(old, children=tuple(replace(each, configured_ashift=9) for each in old.children))

    made = planned(world(old), "replace", "tank", "1001", serial(4))

    assert ("zpool", "replace", "-o", "ashift=9", "tank", "1001", link(4)) == made.steps[0].argv
    assert any("small writes to it are slow" in warning for warning in made.warnings)


def test_story_14_a_reused_disk_with_the_label_of_another_pool_is_refused_by_name() -> None:
    """Its pool, state, host and the time of the last write; and how to make it free."""
    written = label(4, last_written=1_790_000_000)
    facts = world(mirror(0, 0, 1), disks=[used(4, "bulk")], labels=(written,))

    made = planned(facts, "add", "tank", "spare", serial(4))

    (refusal,) = made.refusals
    assert "foreign-pool" == refusal.rule
    for word in ("bulk", "exported", "old-host", "007f0101", "2026-09-21"):
        assert word in refusal.reason
    assert f"labelclear {serial(4)}" in refusal.instead


def test_story_14_letters_that_moved_make_no_difference() -> None:
    """The same disks under other letters: the same plan, since nothing in it is a letter."""
    facts = world(mirror(0, 0, 1))
    moved = world(
        mirror(0, 0, 1),
        disks=[
            blank(4, name=kname(9), path=f"/dev/{kname(9)}"),
            blank(5, name=kname(4), path=f"/dev/{kname(4)}"),
        ],
        spare_disks=2,
    )
    assert facts.inventory is not None
    assert moved.inventory is not None

    before, after = (planned(each, "add", "tank", "spare", link(4)) for each in (facts, moved))

    assert facts.inventory.kernel_name(link(4)) != moved.inventory.kernel_name(link(4))
    assert before.steps == after.steps
    assert not before.is_refused


@pytest.mark.parametrize("word", ["/dev/sd[ae7]", "/dev/disk/by-id/ata-*", f"{link(4)[:-1]}?", "{a,b}"])
def test_story_15_patterns_are_not_devices(word: str) -> None:
    facts = world(mirror(0, 0, 1))

    assert ["glob"] == rules(planned(facts, "add", "tank", "log", word))


@pytest.mark.parametrize(
    ("contents", "rule"),
    [
        ({"fstype": "crypto_LUKS"}, "signature"),
        ({"fstype": "LVM2_member"}, "signature"),
        ({"fstype": "linux_raid_member"}, "signature"),
        ({"fstype": "ext4", "label": "home"}, "signature"),
        ({"fstype": "swap"}, "signature"),
        ({"mountpoints": ("/srv",)}, "mounted"),
        ({"mountpoints": ("[SWAP]",)}, "swap"),
    ],
)
def test_story_16_clearing_a_label_never_touches_anything_else(
    contents: dict[str, object], rule: str
) -> None:
    """It wiped partitions and LUKS headers: while any is found, on disk or partition, nothing is done."""
    whole = replace(used(4), **contents)  # type: ignore[arg-type]
    beside = parted(used(5), *used(5).children, part(used(5), 3, **contents))
    facts = world(mirror(0, 0, 1), disks=[whole, beside], labels=(label(4), label(5)))

    for number in (4, 5):
        for action, words in (("labelclear", (serial(number),)), ("add", ("tank", "log", serial(number)))):
            assert rule in rules(planned(facts, action, *words))


def test_story_16_the_pool_the_host_and_the_serial_are_shown_and_the_serial_is_typed() -> None:
    facts = world(mirror(0, 0, 1), disks=[used(4, "bulk")], labels=(label(4),))

    made = planned(facts, "labelclear", serial(4))

    assert (Risk.DESTRUCTIVE, f"storage1:{serial(4)}") == (made.risk, made.confirm)
    assert ("zpool", "labelclear", "-f", f"{link(4)}-part1") == made.steps[0].argv
    for word in ("bulk", "old-host", serial(4)):
        assert word in made.steps[0].why


def test_story_17_a_disk_that_once_was_part_of_the_pool_is_not_taken_for_a_new_one() -> None:
    """What is on it is stale: it comes back with online, where ZFS compares, or with its label cleared."""
    facts = world(mirror(0, 0, 1), disks=[used(4, "tank")])
    facts = replace(facts, labels=(label(4, "tank", pool_guid=facts.pools[0].guid),))

    made = planned(facts, "replace", "tank", "1001", serial(4))

    (refusal,) = made.refusals
    assert "zfs-label" == refusal.rule
    assert "bring it back there with online if it belongs to it" in refusal.instead


@pytest.mark.parametrize("vdev_class", ["special", "dedup"])
def test_story_19_special_and_dedup_are_never_below_the_pools_redundancy(vdev_class: str) -> None:
    facts = world(raidz(0, 2, 0, 1, 2, 3), spare_disks=6)

    alone = planned(facts, "add", "tank", vdev_class, serial(4))
    pair = planned(facts, "add", "tank", vdev_class, "mirror", serial(4), serial(5))
    three = planned(facts, "add", "tank", vdev_class, "mirror", *map(serial, (4, 5, 6)))

    assert (["below-redundancy"], ["below-redundancy"]) == (rules(alone), rules(pair))
    assert (Risk.DESTRUCTIVE, f"storage1:tank {vdev_class}") == (three.risk, three.confirm)
    assert f"{vdev_class} mirror of 3 disks" in pair.refusals[0].instead
    assert any("losing it loses the whole pool" in note for note in three.notes)


def test_story_19_in_a_new_pool_too() -> None:
    facts = world(mirror(0, 0, 1), spare_disks=6)

    made = planned(facts, "create-pool", "new", "mirror", serial(4), serial(5), "special", serial(6))

    assert "below-redundancy" in rules(made)


def test_story_22_a_spare_that_is_stuck_in_use_can_go_either_way() -> None:
    """Both ways are explained, and the one that costs more names the other."""
    failed, spare = leaf(0, "FAULTED"), aux(4, "spare")
    serving = replace(spare, vdev_class="data", state="ONLINE")
    top = group("mirror-0", group("spare-0", failed, serving, guid=700), leaf(1), guid=500)
    facts = world(top, replace(spare, state="INUSE"))

    back = planned(facts, "detach", "tank", "1004")
    keep = planned(facts, "detach", "tank", "1000")

    assert (Risk.DESTRUCTIVE, Risk.CAUTION) == (back.risk, keep.risk)  # back leaves only the failed disk
    assert "return the spare" in back.title
    assert "keep" in keep.title
    assert [("1000",)] == [each.arguments for _, each in back.alternatives]
    assert () == keep.alternatives  # to return the spare would cost more
    assert [(1, 0)] == [(each.before, each.after) for each in back.redundancy]
    assert [(1, 1)] == [(each.before, each.after) for each in keep.redundancy]
    assert back.after is not None
    assert keep.after is not None
    assert ["AVAIL"] == [each.state for each in back.after.of_class("spare")]
    assert () == keep.after.of_class("spare")


def test_story_22_a_spare_goes_back_with_caution_once_the_disk_works_again() -> None:
    spare = aux(4, "spare")
    serving = replace(spare, vdev_class="data", state="ONLINE")
    top = group("mirror-0", group("spare-0", leaf(0), serving, guid=700), leaf(1), guid=500)

    made = planned(world(top, replace(spare, state="INUSE")), "detach", "tank", "1004")

    assert (Risk.CAUTION, [(1, 1, 1)]) == (
        made.risk, [(each.before, each.during, each.after) for each in made.redundancy],
    )  # fmt: skip
    assert "700" == made.steps[0].settled_by[0].object  # the spare itself never leaves the pool
