"""What is written as a layout is understood, or refused with a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.pool_layouts.drive_size import Drive, marketed_bytes, parse_drive
from zconsole.analysis.pool_layouts.layout import Layout, PlannedVdev, VdevShape
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.base.errors import UsageError, ZConsoleError

DRIVE = Drive(10**12, 10**12)
OTHER = Drive(4000787030016, partition_bytes(4000787030016))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("raidz2:8 x2", "raidz2:8 x2"),
        ("raidz2:8x2", "raidz2:8 x2"),
        ("raidz:4,mirror:3", "raidz1:4 mirror:3"),
        ("stripe:3", "stripe:3"),
        ("draid2:4d:10c:1s", "draid2:4d:10c:1s"),
        ("draid:11c", "draid1:8d:11c:0s"),
        ("draid2:1s:10c:4d x3", "draid2:4d:10c:1s x3"),
        ("draid2:4d:10c:1sx3", "draid2:4d:10c:1s x3"),
        (
            "MIRROR:2 X4 special mirror:2 log:1 spare:2",
            "mirror:2 x4 special mirror:2 log stripe:1 spare stripe:2",
        ),
        ("special:1 mirror:2", "special stripe:1 data mirror:2"),
        ("stripe:2 x3", "stripe:6"),
    ],
)
def test_layouts_are_read(text: str, name: str) -> None:
    assert name == parse_layout(text, DRIVE).name


@pytest.mark.parametrize("text", ["raidz2:8 x2", "mirror:2 x4 special mirror:2 data raidz1:3 spare stripe:2"])
def test_a_name_is_read_back(text: str) -> None:
    made = parse_layout(text, DRIVE)

    assert made == parse_layout(made.name, DRIVE)


def test_groups_can_have_drives_of_their_own() -> None:
    made = parse_layout("raidz1:3@4TB+4000000000000+4TB mirror:2@1.92TB:ssd", DRIVE, ashift=9)

    exact = Drive(4 * 10**12, 4 * 10**12)
    ssd = Drive(1920383410176, partition_bytes(1920383410176), "ssd")
    expected = Layout(
        (
            PlannedVdev(VdevShape("raidz", 3, 1), (OTHER, exact, OTHER), ashift=9),
            PlannedVdev(VdevShape("mirror", 2), (ssd, ssd), ashift=9),
        )
    )
    assert expected == made


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("a layout has at least one vdev", ""),
        ("a raidz3 has at least 4 disks", "raidz3:3"),
        ("a mirror has at least 2 disks", "mirror:1"),
        ("at least one disk", "stripe:0"),
        ("at least one disk", "raidz1:0"),
        ("at least one disk", "mirror:0"),
        ("at least one vdev", "mirror:2 x0"),
        ("parity is 1, 2 or 3", "raidz4:8"),
        ("at most 255 disks", "raidz2:300"),
        ("at most 255 disks", "draid2:300c"),
        ("are 13 disks, and it has 10", "draid2:10d:10c:1s"),
        ("at least one disk of data", "draid2:0d:10c"),
        ("at most 100 distributed spares", "draid1:1d:200c:150s"),
        ("`c` is missing", "draid2:4d"),
        ("is not a draid", "draid2:4d:4d:10c"),
        ("is not a draid", "draid2:8"),
        ("is not a vdev", "raid5:4"),
        ("is not a vdev", "mirror2:2"),
        ("is not a vdev", "mirror:-2"),
        ("is not a vdev", "mirror:2.5"),
        ("is not a vdev", "mirror"),
        ("must follow a vdev", "x2"),
        ("at least one vdev for data", "special mirror:2"),
        ("a log is a disk or a mirror", "mirror:2 log raidz1:3"),
        ("a spare is a disk of its own", "mirror:2 spare mirror:2"),
        ("not planned here", "mirror:2 x9999"),
        ("not planned here", "stripe:9999"),
        ("2 sizes for 3 places", "raidz1:3@1TB+2TB"),
        ("is not a kind of drive", "mirror:2@1TB:tape"),
        ("is ambiguous", "mirror:2@12T"),
        ("too long", "mirror:2 " * 1000),
    ],
)
def test_what_cannot_be_is_refused(message: str, text: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        parse_layout(text, DRIVE)
    assert "\n" not in refused.value.message


def test_a_layout_without_drives_is_refused() -> None:
    with pytest.raises(UsageError, match="how large are its drives"):
        parse_layout("mirror:2")


@given(st.text(alphabet="mirosazdptexc0123456789:@+, .TGBi", max_size=40) | st.text(max_size=40))
def test_any_text_is_a_layout_or_refused(text: str) -> None:
    try:
        made = parse_layout(text, DRIVE)
    except ZConsoleError:
        return
    assert made.vdevs


@pytest.mark.parametrize(
    ("sold", "has"),
    [
        ("500GB", 500107862016),
        ("1TB", 1000204886016),
        ("1.92TB", 1920383410176),
        ("4TB", 4000787030016),
        ("8TB", 8001563222016),
        ("10TB", 10000831348736),
        ("12TB", 12000138625024),
        ("15.36TB", 15362991415296),
        ("16TB", 16000900661248),
        ("20TB", 20000588955648),
        ("22TB", 22000969973760),
        ("24TB", 24000277250048),
    ],
)
def test_drives_have_the_bytes_that_are_printed_on_them(sold: str, has: int) -> None:
    drive = parse_drive(sold)

    assert (has, partition_bytes(has)) == (drive.size_bytes, drive.device_bytes)


def test_bytes_binary_units_and_files_are_exact() -> None:
    assert Drive(4000787030016, 4000787030016) == parse_drive("4000787030016")
    assert Drive(2**40, 2**40) == parse_drive("1TiB")
    assert Drive(10**12, 10**12) == parse_drive("1TB", is_file=True)


@pytest.mark.parametrize("text", ["1PB", "2PiB", "1", "0", "63MiB", "9" * 24])
def test_no_vdev_has_such_a_size(text: str) -> None:
    with pytest.raises(UsageError):
        parse_drive(text, is_file=True)


@given(st.integers(1, 200))
def test_a_drive_has_no_less_than_it_is_sold_as(terabytes: int) -> None:
    nominal = terabytes * 10**12

    assert nominal <= marketed_bytes(nominal) < nominal * 1.001
