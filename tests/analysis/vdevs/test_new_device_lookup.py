"""Devices by every word that means them, and what is no device."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.vdevs.disks import DISK, found
from tests.doubles.shelves import BY_ID, TB, blank, link, mirror, part, parted, serial, world
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, JoiningDevice, device_of, resolve
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.disk_by_id import inventory


def path_of(word: str, *disks: Disk, links: tuple[tuple[str, str], ...] = ()) -> str:
    device = found(word, *disks, links=links)
    assert isinstance(device, JoiningDevice), device
    return device.path


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
    assert (True, "/srv/images/0", None) == (device.is_file, device.path, device.usable_bytes)


def test_without_an_inventory_nothing_is_taken() -> None:
    refused = resolve(link(4), None)

    assert isinstance(refused, DeviceObjection)
    assert "no-inventory" == refused.rule


def test_a_partition_gives_all_it_has() -> None:
    device = found(f"{link(4)}-part1", parted(DISK, part(DISK, 1)))

    assert isinstance(device, JoiningDevice)
    assert (TB, False) == (device.usable_bytes, device.is_whole)


def test_the_device_behind_a_vdev() -> None:
    inventory = world(mirror(0, 0, 1)).inventory

    there, gone, file = (device_of(path, inventory) for path in (f"{link(0)}-part1", "/dev/x", "/srv/f"))

    assert there is not None
    assert there.whole is not None
    assert file is not None
    assert (serial(0), None, True) == (there.whole.serial, gone, file.is_file)
