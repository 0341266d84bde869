"""Devices by the names that last, and what speaks against writing to them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import (
    BY_ID,
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
    shelf,
    used,
    world,
)
from zconsole.analysis.vdevs.device_names import (
    DeviceObjection,
    JoiningDevice,
    device_of,
    partition_bytes,
    resolve,
)
from zconsole.analysis.vdevs.device_safety import (
    fit,
    label_in_words,
    label_paths,
    least_bytes,
    objections,
    twice,
)
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts
from zconsole.model.pools.disk import Disk, Inventory
from zconsole.system.disk_by_id import inventory

DISK = blank(4)


def found(
    word: str, *disks: Disk, links: tuple[tuple[str, str], ...] = ()
) -> JoiningDevice | DeviceObjection:
    """What a word means on a host with these disks; `links` beside those that udev makes."""
    made = shelf(*(disks or (DISK,)))
    return resolve(word, inventory(made.disks, (*made.links, *links)))


def path_of(word: str, *disks: Disk, links: tuple[tuple[str, str], ...] = ()) -> str:
    device = found(word, *disks, links=links)
    assert isinstance(device, JoiningDevice), device
    return device.path


def against(facts: PlanFacts, number: int) -> list[str]:
    """The rules that speak against a disk."""
    device = resolve(serial(number), facts.inventory)
    assert isinstance(device, JoiningDevice), device
    return [each.rule for each in objections(device, facts)]


@pytest.mark.parametrize(
    "word",
    [link(4), serial(4), DISK.wwn, f"ata-ST4000NM_{serial(4)}", "/dev/disk/by-path/pci-0-scsi-0:0:4:0"],
)
def test_every_way_to_name_a_disk_leads_to_its_best_link(word: str) -> None:
    assert link(4) == path_of(word)


@pytest.mark.parametrize(
    ("given", "best"),
    [
        (("by-vdev/A4", "by-id/wwn-0x5", "by-path/pci-4"), "by-vdev/A4"),
        (("by-id/wwn-0x5", "by-path/pci-4", "by-partuuid/1-2"), "by-id/wwn-0x5"),
        (("by-path/pci-4", "by-partuuid/1-2", "by-uuid/9"), "by-partuuid/1-2"),
        (("by-path/pci-4", "by-uuid/9", "by-label/x"), "by-path/pci-4"),
        (("by-id/lvm-pv-uuid-x", "by-path/pci-4"), "by-path/pci-4"),
    ],
)
def test_the_best_link_is_the_one_that_lasts_longest(given: tuple[str, ...], best: str) -> None:
    """Names of contents (uuid, label, a physical volume) go with the contents, and are none."""
    bare = replace(DISK, serial="", wwn="")
    links = [(f"/dev/disk/{name}", "sde") for name in given]

    device = resolve(links[0][0], inventory((bare,), links))

    assert isinstance(device, JoiningDevice)
    assert f"/dev/disk/{best}" == device.path
    assert device.is_by_path == best.startswith("by-path")


def test_a_disk_without_a_name_that_lasts_is_not_taken() -> None:
    bare = replace(DISK, serial="")
    other = inventory((bare,), [("/dev/disk/by-uuid/1", "sde")])

    refused = resolve("/dev/disk/by-uuid/1", other)

    assert isinstance(refused, DeviceObjection)
    assert "no-stable-name" == refused.rule


def test_luks_and_multipath_are_named_by_their_uuid() -> None:
    mapped = Disk("dm-0", "/dev/mapper/luks-a", "crypt", TB)
    path = (
        ("/dev/disk/by-id/dm-name-luks-a", "dm-0"),
        ("/dev/disk/by-id/dm-uuid-CRYPT-LUKS2-1", "dm-0"),
    )
    on = replace(DISK, fstype="crypto_LUKS", children=(mapped,))

    assert f"{BY_ID}dm-uuid-CRYPT-LUKS2-1" == path_of("/dev/mapper/luks-a", on, links=path)


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("sde", "kernel-name"),
        ("/dev/sde", "kernel-name"),
        ("/dev/nvme3n1", "kernel-name"),
        ("nosuch", "unknown-device"),
        ("/dev/disk/by-id/nosuch", "unknown-device"),
        ("", "unknown-device"),
        ("/dev/disk/by-id/*", "glob"),
    ],
)
def test_words_that_are_no_names(word: str, rule: str) -> None:
    refused = found(word)

    assert isinstance(refused, DeviceObjection)
    assert rule == refused.rule


def test_a_serial_that_two_disks_have_means_neither() -> None:
    refused = found("X", replace(blank(1), serial="X", wwn="1"), replace(blank(2), serial="X", wwn="2"))

    assert isinstance(refused, DeviceObjection)
    assert "ambiguous-device" == refused.rule


@pytest.mark.parametrize(
    ("disk", "rule"),
    [
        (replace(DISK, name="zd16", path="/dev/zd16"), "volume"),
        (replace(DISK, type="rom"), "no-medium"),
        (replace(DISK, size_bytes=0), "no-medium"),
        (replace(DISK, size_bytes=None), "no-medium"),
    ],
)
def test_what_is_no_disk(disk: Disk, rule: str) -> None:
    refused = found(disk.serial, disk)

    assert isinstance(refused, DeviceObjection)
    assert rule == refused.rule


def test_a_file_is_named_by_its_absolute_path() -> None:
    device = resolve("/srv/images/0", Inventory())

    assert isinstance(device, JoiningDevice)
    assert (device.is_file, device.path, device.usable_bytes) == (True, "/srv/images/0", None)


def test_without_an_inventory_nothing_is_taken() -> None:
    refused = resolve(link(4), None)

    assert isinstance(refused, DeviceObjection)
    assert "no-inventory" == refused.rule


def test_a_whole_disk_gives_what_zfs_leaves_of_it() -> None:
    """The size that a real leaf had on a real disk of 4 GiB; of a partition it is all."""
    assert 4_284_481_536 == partition_bytes(4 << 30)
    device = found(f"{link(4)}-part1", parted(DISK, part(DISK, 1)))

    assert isinstance(device, JoiningDevice)
    assert (TB, False) == (device.usable_bytes, device.is_whole)


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
    """Where sudo wants a password the disks are told apart by what udev says of them."""
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


def test_the_device_behind_a_vdev() -> None:
    facts = world(mirror(0, 0, 1))

    there, gone, file = (device_of(path, facts) for path in (f"{link(0)}-part1", "/dev/x", "/srv/f"))

    assert there is not None
    assert there.whole is not None
    assert file is not None
    assert (serial(0), None, True) == (there.whole.serial, gone, file.is_file)
