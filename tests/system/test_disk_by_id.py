"""Stable names: every recorded listing, several folders, and which name is shown first."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.system.disk_by_id import BY_ID, inventory, parse_links
from zconsole.system.lsblk import parse_lsblk

RECORDED = sorted(CAPTURES.glob("*/*/by_id.txt"))
WITH_DISKS = [path for path in RECORDED if path.with_name("lsblk.json").exists()]
MIRRORS = CAPTURES / "2.4" / "healthy-mirrors"
FOLDERS = """\
/dev/disk:
total 0
drwxr-xr-x 2 root root 1020 Nov 20 23:49 by-id
drwxr-xr-x 2 root root   60 Nov 20 23:49 by-vdev

/dev/disk/by-id:
total 0
lrwxrwxrwx 1 root root  9 Nov 20 23:47 ata-WDC_WD80EFAX_VGH0 -> ../../sda
lrwxrwxrwx 1 root root 10 Nov  2  2025 ata-WDC_WD80EFAX_VGH0-part1 -> ../../sda1
lrwxrwxrwx 1 root root  9 2026-11-20 23:47 wwn-0x5000cca0bbd3 -> ../../sda

/dev/disk/by-vdev:
total 0
lrwxrwxrwx 1 root root  9 Nov 20 23:47 A0 -> ../../sda
"""


def test_all_folders_of_links_are_asked_for_at_once() -> None:
    assert ("ls", "-lR", "/dev/disk") == BY_ID.argv


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_every_recorded_listing_is_read_whole(path: Path) -> None:
    text = path.read_text()

    links = parse_links(text)

    assert [
        (f"/dev/disk/by-id/{words[-3]}", words[-1].removeprefix("../../"))
        for words in (line.split() for line in text.split("\n"))
        if "->" in words
    ] == list(links)


@pytest.mark.parametrize("path", WITH_DISKS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_every_recorded_disk_and_partition_has_its_links(path: Path) -> None:
    links = dict(parse_links(path.read_text()))

    for disk in parse_lsblk(path.with_name("lsblk.json").read_text()):
        if disk.model == "LABDISK":
            assert links[f"/dev/disk/by-id/wwn-{disk.wwn}"] == disk.name
            for part in disk.children:
                number = part.name.removeprefix(disk.name)
                assert links[f"/dev/disk/by-id/scsi-3{disk.wwn[2:]}-part{number}"] == part.name


def test_links_of_several_folders_carry_their_folder() -> None:
    assert (
        ("/dev/disk/by-id/ata-WDC_WD80EFAX_VGH0", "sda"),
        ("/dev/disk/by-id/ata-WDC_WD80EFAX_VGH0-part1", "sda1"),
        ("/dev/disk/by-id/wwn-0x5000cca0bbd3", "sda"),
        ("/dev/disk/by-vdev/A0", "sda"),
    ) == parse_links(FOLDERS)


def test_a_disks_links_stand_best_first() -> None:
    names = [
        *("by-vdev/A0", "by-id/ata-WDC_1", "by-id/nvme-Samsung_1", "by-id/scsi-SATA_WDC_1"),
        *("by-id/scsi-35000c500", "by-id/nvme-eui.0025", "by-id/wwn-0x5000c500", "by-id/dm-name-x"),
        *("by-id/lvm-pv-uuid-1", "by-path/pci-0000", "by-partlabel/zfs", "by-partuuid/1", "by-uuid/1"),
        "by-label/tank",
    ]
    links = [(f"/dev/disk/{name}", "sda") for name in reversed(names)]

    (disk,) = inventory([Disk("sda", "/dev/sda", "disk")], links).disks

    assert tuple(f"/dev/disk/{name}" for name in names) == disk.links


def test_partitions_and_mapped_devices_are_found_by_every_name() -> None:
    mapped = Disk("dm-0", "/dev/mapper/luks-a", "crypt")
    part = Disk("sda1", "/dev/sda1", "part", children=(mapped,))
    disks = [Disk("sda", "/dev/sda", "disk", children=(part,))]

    found = inventory(disks, parse_links(FOLDERS))

    assert "/dev/disk/by-vdev/A0" == found.disks[0].links[0]
    assert ("/dev/disk/by-id/ata-WDC_WD80EFAX_VGH0-part1",) == found.disks[0].children[0].links
    assert "sda1" == found.kernel_name("/dev/disk/by-id/ata-WDC_WD80EFAX_VGH0-part1")
    assert "dm-0" == found.kernel_name("/dev/mapper/luks-a")
    assert "sda1" == found.kernel_name("/dev/sda1")
    assert found.kernel_name("/dev/sdz") is None
    assert ("/dev/mapper/luks-a", "dm-0") in found.links
    for name in ("sda", "sda1", "dm-0"):
        assert found.disk_of(name) == found.disks[0]
    assert found.disk_of("sdz") is None


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_real_folders_and_real_columns_make_an_inventory(version: str) -> None:
    folder = CAPTURES / "live" / version
    disks = parse_lsblk((folder / "lsblk_columns.json").read_text())

    found = inventory(disks, parse_links((folder / "links.txt").read_text()))

    lab = [disk for disk in found.disks if disk.model == "LABDISK"]
    assert 10 == len(lab)
    for disk in lab:
        scsi, wwn, path, *others = disk.links
        assert scsi == f"/dev/disk/by-id/scsi-3{disk.wwn[2:]}"
        assert wwn == f"/dev/disk/by-id/wwn-{disk.wwn}"
        assert path.startswith("/dev/disk/by-path/pci-")
        assert all(found.kernel_name(link) == disk.name for link in (scsi, wwn, path, *others))
        for part in disk.children:
            assert part.links[0] == f"{scsi}-part{part.name.removeprefix(disk.name)}"


def test_every_leaf_of_a_recorded_pool_leads_to_its_disk() -> None:
    disks = parse_lsblk((MIRRORS / "lsblk.json").read_text())

    found = inventory(disks, parse_links((MIRRORS / "by_id.txt").read_text()))

    for number in range(9):
        path = f"/dev/disk/by-id/wwn-0x5000c500a000000{number}-part1"
        name = found.kernel_name(path)
        assert name is not None
        disk = found.disk_of(name)
        assert disk is not None
        assert disk.serial == f"LAB000{number}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ls: cannot access '/dev/disk': No such file or directory\n", "neither a folder nor an entry"),
        ("lrwxrwxrwx 1 root root 9 Nov 20 23:47 wwn-0x5\n", "without target"),
        ("lrwxrwxrwx 1 root root 9 Nov 20 23:47 wwn-0x5 -> ../../sda", "truncated"),
    ],
)
def test_what_is_no_listing_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_links(text)


def test_a_listing_cut_at_any_byte_is_refused_or_lacks_links() -> None:
    whole = set(parse_links(FOLDERS))

    for end in range(len(FOLDERS)):
        with suppress(ParseError):
            assert set(parse_links(FOLDERS[:end])) <= whole


@given(st.text(st.sampled_from("\n /:->lrwx12Nov total\u2028"), max_size=200))
def test_noise_is_refused_or_read_and_nothing_else(noise: str) -> None:
    with suppress(ParseError):
        parse_links(noise)


NAMES = st.text(st.sampled_from("abcXYZ019._:[]\\x20\u2028\x1b"), min_size=1, max_size=30)


@given(st.dictionaries(NAMES, st.sampled_from(["sda", "sda1", "nvme0n1", "dm-0"]), max_size=8))
def test_parsing_inverts_printing(links: dict[str, str]) -> None:
    text = "total 0\n" + "".join(
        f"lrwxrwxrwx 1 root root 9 Nov 20 23:47 {name} -> ../../{target}\n" for name, target in links.items()
    )

    assert {f"/dev/disk/by-id/{name}": target for name, target in links.items()} == dict(parse_links(text))
