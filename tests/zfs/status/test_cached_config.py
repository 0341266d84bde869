"""What ZFS keeps of its pools in a file: slots, devids and ashifts by guid."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.zfs.status.cached_config import CachedVdev, parse_cached_config, with_config
from zconsole.zfs.status.merge_guids import merge_guids
from zconsole.zfs.status.status_text import parse_status_text

LIVE = CAPTURES / "live" / "2.1"


def test_a_pulled_disk_keeps_its_slot_and_its_devid_where_status_has_no_json() -> None:
    """Of a disk within a replacement within a spare, on OpenZFS 2.1."""
    told, by_guid = (
        parse_status_text((LIVE / name).read_text())[0]
        for name in ("cached_config_status.txt", "cached_config_guids.txt")
    )
    known = parse_cached_config((LIVE / "cached_config.txt").read_text())

    pool = merge_guids(told, with_config(by_guid, known))
    pulled = next(leaf for leaf in pool.walk() if leaf.state == "REMOVED")

    assert "wwn-0x5000c500a0000001" == pulled.name
    assert "pci-0000:00:04.0-scsi-0:0:1:0" == pulled.phys_path
    assert "scsi-35000c500a0000001-part1" == pulled.devid
    assert {12} == {top.configured_ashift for top in pool.of_class("data")}


@pytest.mark.parametrize("text", ["", "failed to unpack nvlist\n", "tank:\n    guid: 12\n", "children[0]:\n"])
def test_a_file_that_is_being_written_tells_nothing(text: str) -> None:
    assert {} == parse_cached_config(text)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("guid: 7", CachedVdev()),
        ("guid: 7\n    ashift: 12", CachedVdev(ashift=12)),
        ("guid: 7\n    ashift: 640", CachedVdev()),
        ("phys_path: 'bay 2'\n    guid: 7\n      phys_path: 'of something below'", CachedVdev("bay 2")),
        ("guid: 7\n    devid: ''", CachedVdev()),
        (
            "guid: 7\n    vdev_enc_sysfs_path: '/sys/class/enclosure/11:0:1:0/SLOT 4'",
            CachedVdev(enclosure_path="/sys/class/enclosure/11:0:1:0/SLOT 4"),
        ),
    ],
)
def test_the_values_of_a_vdev_are_those_of_its_own_lines(line: str, found: CachedVdev) -> None:
    assert {7: found} == parse_cached_config(f"vdev_tree:\n    {line}\n")


def test_vdevs_within_vdevs_have_their_own_values() -> None:
    text = (
        "    vdev_tree:\n        guid: 1\n        children[0]:\n            guid: 2\n            ashift: 12\n"
        "            children[0]:\n                guid: 3\n                devid: 'a'\n"
        "        l2cache[0]:\n            guid: 4\n            devid: 'b'\n    features_for_read:\n"
    )

    assert {
        1: CachedVdev(),
        2: CachedVdev(ashift=12),
        3: CachedVdev(devid="a"),
        4: CachedVdev(devid="b"),
    } == parse_cached_config(text)
