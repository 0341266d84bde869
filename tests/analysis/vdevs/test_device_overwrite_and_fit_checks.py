"""What speaks against a device: contents, pools, labels, sizes and sectors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.analysis.vdevs.disks import DISK, found
from tests.doubles.shelves import (
    TB,
    aux,
    blank,
    label,
    leaf,
    link,
    mirror,
    part,
    parted,
    raidz,
    serial,
    used,
    world,
)
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import (
    fit,
    label_in_words,
    label_paths,
    least_bytes,
    objections,
    twice,
)
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice, resolve
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk


def against(facts: PlanFacts, number: int) -> list[str]:
    """The rules that speak against a disk."""
    device = resolve(serial(number), facts.inventory)
    assert isinstance(device, JoiningDevice), device
    return [each.rule for each in objections(device, facts)]


def test_two_paths_to_one_disk_are_one_disk() -> None:
    """A multipath disk without a multipath daemon is there twice; a partition is part of its disk."""
    twin = blank(5, wwn=DISK.wwn)
    one, other = (found(link(number), DISK, twin) for number in (4, 5))
    whole, piece = (found(word, parted(DISK, part(DISK, 1))) for word in (link(4), f"{link(4)}-part1"))
    assert isinstance(one, JoiningDevice)
    assert isinstance(other, JoiningDevice)
    assert isinstance(whole, JoiningDevice)
    assert isinstance(piece, JoiningDevice)

    assert ["twice"] == [each.rule for each in twice((one, other))]
    assert ["twice"] == [each.rule for each in twice((whole, piece))]
    assert [] == list(twice((one,)))


MAPPED = Disk("dm-0", "/dev/mapper/vg-root", "lvm", TB)
RAID = Disk("md0", "/dev/md0", "raid1", TB)
PATHS = Disk("dm-1", "/dev/mapper/mpatha", "mpath", 4 * TB)


@pytest.mark.parametrize(
    ("disk", "rules"),
    [
        (DISK, []),
        (replace(DISK, mountpoints=("/srv",), fstype="xfs"), ["mounted", "signature"]),
        (replace(DISK, mountpoints=("[SWAP]",), fstype="swap"), ["swap", "signature"]),
        (replace(DISK, fstype="crypto_LUKS"), ["signature"]),
        (replace(DISK, fstype="LVM2_member", children=(MAPPED,)), ["holder", "signature"]),
        (replace(DISK, fstype="linux_raid_member", children=(RAID,)), ["holder", "signature"]),
        (replace(DISK, fstype="mpath_member", children=(PATHS,)), ["holder", "signature"]),
        (parted(DISK, part(DISK, 1)), ["partitions"]),
        (parted(DISK, part(DISK, 1, fstype="ext4")), ["signature", "partitions"]),
        (
            parted(DISK, part(DISK, 1, mountpoints=("/",), fstype="ext4")),
            ["mounted", "signature", "partitions"],
        ),
        (used(4, "bulk"), ["zfs-label"]),
        (parted(used(4), *(replace(each, fstype="") for each in used(4).children)), []),
        (replace(DISK, size_bytes=32 << 20), ["too-small"]),
    ],
)
def test_what_is_on_a_disk_speaks_against_it(disk: Disk, rules: list[str]) -> None:
    """Partitions of ZFS itself, with nothing on them, do not: that is how labelclear leaves a disk."""
    assert rules == against(world(mirror(0, 0, 1), disks=[disk]), 4)


@pytest.mark.parametrize("number", [0, 2, 3])
def test_what_a_pool_uses_is_not_taken(number: int) -> None:
    """Also a spare and a cache."""
    facts = world(mirror(0, 0, 1), aux(2, "spare"), aux(3, "cache"))

    assert "in-use" in against(facts, number)


def test_what_a_pool_uses_by_another_path_is_not_taken() -> None:
    twin = blank(9, wwn=blank(0).wwn)

    assert ["in-use"] == against(world(mirror(0, 0, 1), disks=[twin]), 9)


def test_a_disk_in_the_bay_of_one_that_is_gone_is_free() -> None:
    """The vdev is gone, and what is at its path now bears no label: it is another disk."""
    gone = group("mirror-0", leaf(0), leaf(1, "UNAVAIL"), guid=500)
    facts = world(gone, disks=[blank(1)])

    assert [] == against(facts, 1)
    assert "in-use" in against(world(gone), 1)  # the old disk, with its label


def test_a_guest_that_has_the_disk_open_is_seen() -> None:
    """Qemu opens disks so that nothing else notices."""
    facts = world(
        mirror(0, 0, 1), uses=(OutsideUse("/dev/sde", "guest", "web1"), OutsideUse("/dev/sdf", "mount", "/x"))
    )

    assert (["held-open"], []) == (against(facts, 4), against(facts, 5))


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        ("destroyed", "zfs-label"),
        ("exported", "foreign-pool"),
        ("active", "foreign-pool"),
        ("spare", "foreign-pool"),
    ],
)
def test_a_label_of_another_pool_is_told(state: str, rule: str) -> None:
    facts = world(mirror(0, 0, 1), disks=[used(4, "bulk")], labels=(label(4, state=state),))

    assert [rule] == against(facts, 4)


def test_a_label_that_only_zdb_sees_counts_too() -> None:
    bare = replace(blank(4), children=(part(blank(4), 1, partition_label="zfs-1"),))

    assert ["foreign-pool"] == against(world(mirror(0, 0, 1), disks=[bare], labels=(label(4),)), 4)


def test_a_disk_whose_label_cannot_be_read_is_not_taken_for_a_blank_one() -> None:
    facts = world(mirror(0, 0, 1), labels=(), labels_unread=frozenset({link(4)}))

    assert (["label-unknown"], []) == (against(facts, 4), against(facts, 5))


def test_a_label_that_takes_root_to_be_read_is_left_to_what_else_is_known() -> None:
    """Where sudo requires a password the disks are told apart by what udev says of them."""
    unread = {"labels_unread": frozenset({link(4)}), "labels_barred": frozenset({link(4)})}

    assert [] == against(world(mirror(0, 0, 1), labels=(), **unread), 4)
    assert ["zfs-label"] == against(world(mirror(0, 0, 1), disks=[used(4)], labels=(), **unread), 4)


def test_a_label_in_words() -> None:
    assert (
        "the label of pool bulk, exported, last written 2026-09-21 14:13 UTC by old-host (hostid 007f0101)"
        == label_in_words(label(4, last_written=1_790_000_000))
    )
    assert "a ZFS label, spare" == label_in_words(
        label(4, pool="", state="spare", hostname=None, hostid=None, txg=None)
    )


def test_labels_are_read_where_they_can_be() -> None:
    """On the disk and its first partition, not on the small one behind it."""
    device = found(link(4), used(4))
    assert isinstance(device, JoiningDevice)

    assert (link(4), f"{link(4)}-part1") == label_paths(device)


def test_least_size_is_that_of_the_smallest_sibling() -> None:
    small = leaf(1, physical_bytes=1000)

    assert 1000 == least_bytes(group("mirror-0", leaf(0), small))[0]
    assert (2**30 + (4608 << 10), 2**30 // 4 + (4608 << 10)) == tuple(
        least_bytes(replace(top, children=tuple(replace(c, physical_bytes=None) for c in top.children)))[0]
        for top in (mirror(0, 0, 1, size_bytes=2**30), raidz(0, 1, 0, 1, 2, 3, size_bytes=2**30))
    )
    assert (None, "") == least_bytes(leaf(0, physical_bytes=None))


def test_a_disk_of_equal_size_fits() -> None:
    device = found(link(4))
    assert isinstance(device, JoiningDevice)

    assert () == fit(device, mirror(0, 0, 1)).objections
    smaller = found(link(4), blank(4, size_bytes=4 * TB - (1 << 20)))
    assert isinstance(smaller, JoiningDevice)
    assert ["too-small"] == [each.rule for each in fit(smaller, mirror(0, 0, 1)).objections]


@pytest.mark.parametrize(
    ("sectors", "ashift", "rule", "told"),
    [
        ((512, 512), 9, None, None),
        ((512, 4096), 9, None, 9),
        ((4096, 4096), 9, "sector-size", None),
        ((4096, 4096), 12, None, None),
        ((512, 512), 12, None, None),
        ((512, 8192), 12, None, 12),
        ((8192, 8192), 12, "sector-size", None),
    ],
)
def test_sectors_against_the_ashift(
    sectors: tuple[int, int], ashift: int, rule: str | None, told: int | None
) -> None:
    device = found(link(4), blank(4, logical_sector_bytes=sectors[0], physical_sector_bytes=sectors[1]))
    assert isinstance(device, JoiningDevice)
    top = replace(mirror(0), configured_ashift=ashift, children=(leaf(0, configured_ashift=None),))

    suits = fit(device, top)

    assert ([rule] if rule else []) == [each.rule for each in suits.objections]
    assert told == suits.ashift
    assert bool(told) == bool(suits.warnings)


def test_an_unknown_ashift_is_said_where_it_matters() -> None:
    native = found(link(4), blank(4, logical_sector_bytes=4096))
    plain = found(link(4))
    assert isinstance(native, JoiningDevice)
    assert isinstance(plain, JoiningDevice)
    top = leaf(0, configured_ashift=None)

    assert (1, 0) == (len(fit(native, top).warnings), len(fit(plain, top).warnings))


def test_an_unread_label_names_its_pool_and_the_advice_is_to_look_for_it_first() -> None:
    facts = world(mirror(0, 0, 1), disks=[used(4, "bulk")])
    device = resolve(link(4), facts.inventory)
    assert isinstance(device, JoiningDevice)

    (found_against,) = objections(device, facts)

    assert "bears a ZFS label of pool bulk that was not read" in found_against.reason
    assert "find out whether that pool is in use" in found_against.instead
