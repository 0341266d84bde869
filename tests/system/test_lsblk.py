"""Block devices: every recorded listing, older and newer types, and documents that are off."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.system.lsblk import COLUMNS, LSBLK, MAX_DEPTH, parse_lsblk

RECORDED = sorted(CAPTURES.glob("*/*/lsblk.json"))
MIRRORS = CAPTURES / "2.4" / "healthy-mirrors" / "lsblk.json"


def listing(**columns: object) -> str:
    return json.dumps({"blockdevices": [{"name": "sda", **columns}]})


def test_exact_sizes_and_no_column_that_would_touch_a_file_system_are_asked_for() -> None:
    assert LSBLK.argv == ("lsblk", "-J", "-b", "-o", ",".join(COLUMNS))
    assert not {"FSAVAIL", "FSSIZE", "FSUSED"} & set(COLUMNS)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_every_recorded_listing_is_read_whole(path: Path) -> None:
    disks = parse_lsblk(path.read_text())

    devices = {device.name: device for disk in disks for device in disk.walk()}
    assert path.read_text().count('"kname"') == len(devices)
    lab = [disk for disk in disks if disk.model == "LABDISK"]
    assert len(lab) >= 10
    for disk in lab:
        assert disk.size_bytes in {4 * 2**30, 8 * 2**30}
        assert (512, 512, True) == (
            disk.logical_sector_bytes,
            disk.physical_sector_bytes,
            disk.is_rotational,
        )
        assert disk.path == f"/dev/{disk.name}"
        assert disk.wwn == f"0x5000c500a00000{int(disk.serial[3:]):02x}"
        assert "QEMU" == disk.vendor
    assert ("/",) == devices["vda"].mountpoints
    assert "ext4" == devices["vda"].fstype
    assert all(device.mountpoints == () for name, device in devices.items() if name != "vda")


def test_a_partition_of_a_pool_is_known_as_such() -> None:
    disk = next(disk for disk in parse_lsblk(MIRRORS.read_text()) if disk.name == "sda")

    assert [("sda1", "part", "zfs_member", "tank"), ("sda9", "part", "", "")] == [
        (part.name, part.type, part.fstype, part.label) for part in disk.children
    ]
    assert ("disk", "running", "0:0:0:0", "") == (disk.type, disk.state, disk.hctl, disk.transport)


def test_what_older_versions_print_as_texts_is_understood() -> None:
    (disk,) = parse_lsblk(listing(size="8589934592", rota="0", mountpoint="/srv", **{"log-sec": "4096"}))

    assert (
        Disk(
            name="sda",
            path="/dev/sda",
            type="",
            size_bytes=8589934592,
            is_rotational=False,
            logical_sector_bytes=4096,
            mountpoints=("/srv",),
        )
        == disk
    )


def test_a_mapped_device_goes_by_its_kernel_name() -> None:
    (disk,) = parse_lsblk(
        listing(children=[{"name": "luks-a", "kname": "dm-0", "path": "/dev/mapper/luks-a"}])
    )

    assert [("dm-0", "/dev/mapper/luks-a")] == [(child.name, child.path) for child in disk.children]


def test_what_a_vendor_chose_to_write_is_data() -> None:
    model = "\x1b[2J[@click=app.pwn]x\u202e"

    (disk,) = parse_lsblk(listing(model=model, vendor="ATA     "))

    assert (model, "ATA") == (disk.model, disk.vendor)


def nested(depth: int) -> str:
    return '{"blockdevices": [' + '{"name": "a", "children": [' * depth + "]}" * depth + "]}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "truncated, or not JSON"),
        ("[]", "not an object"),
        ("{}", "not a list of devices"),
        ('{"blockdevices": {}}', "not a list of devices"),
        ('{"blockdevices": [1]}', "not a list of devices"),
        ('{"blockdevices": [{}]}', "without a name"),
        (listing(children=None), "not a list of devices"),
        (listing(size=-1), "size is not a count"),
        (listing(size=True), "size is not a count"),
        (listing(size=1.5), "size is not a count"),
        (listing(size="8G"), "size is not a count"),
        (listing(rota="maybe"), "rota is neither"),
        (listing(rota=[]), "rota is neither"),
        (listing(model=7), "model is not a string"),
        (listing(mountpoints="/"), "mountpoints are not strings"),
        (nested(MAX_DEPTH + 2), "nested too deeply"),
        (nested(100_000), "nested too deeply"),
    ],
    ids=range(17),
)
def test_what_is_no_listing_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as refused:
        parse_lsblk(text)

    assert "lsblk" == refused.value.tool


def test_a_listing_cut_at_any_byte_is_refused() -> None:
    text = json.dumps(json.loads(MIRRORS.read_text())["blockdevices"][0])
    text = '{"blockdevices": [' + text + "]}"
    assert 1 == len(parse_lsblk(text))

    for end in range(len(text)):
        with pytest.raises(ParseError):
            parse_lsblk(text[:end])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "size", "rota", "children", "mountpoints"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_document_is_refused_or_read_and_nothing_else(document: object) -> None:
    with suppress(ParseError):
        parse_lsblk(json.dumps({"blockdevices": document}))


TEXTS = st.text(st.characters(exclude_characters=" ", exclude_categories=["Cs"]), max_size=20)


@given(
    st.builds(
        Disk,
        name=TEXTS.filter(bool),
        path=TEXTS.filter(bool),
        type=TEXTS,
        size_bytes=st.none() | st.integers(0, 2**64 - 1),
        serial=TEXTS,
        is_rotational=st.none() | st.booleans(),
        mountpoints=st.lists(TEXTS.filter(bool), max_size=2).map(tuple),
    )
)
def test_parsing_inverts_printing(disk: Disk) -> None:
    text = listing(
        kname=disk.name,
        path=disk.path,
        type=disk.type,
        size=disk.size_bytes,
        serial=disk.serial or None,
        rota=disk.is_rotational,
        mountpoints=list(disk.mountpoints) or [None],
    )

    assert (disk,) == parse_lsblk(text)
