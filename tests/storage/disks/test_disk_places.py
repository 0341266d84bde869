"""Places of disks in a file: the newest of each device, by its pool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.storage.disks.disk_places import KEPT_S, LONGEST, DiskPlaceStore, DiskPlaceStoreError

NOW = 1_800_000_000.0
TANK, VAULT = 2**64 - 1, 7
ONE = DiskPlace(TANK, 2**64 - 3, "SER0001", "ST4000NM", "18", "pci-0000:03:00.0-sas-phy18-lun-0", NOW)


@pytest.fixture
def store(tmp_path: Path) -> DiskPlaceStore:
    return DiskPlaceStore(tmp_path / "kept" / "disk-places.sqlite")


def test_what_is_kept_comes_back_whole_for_its_pool_alone(store: DiskPlaceStore) -> None:
    other = replace(ONE, pool_guid=VAULT, bay="3")
    store.add([ONE, other])

    assert (ONE,) == store.known([TANK])
    assert {ONE, other} == set(store.known([TANK, VAULT]))
    assert () == store.known([])


def test_the_newest_place_of_a_device_stays(store: DiskPlaceStore) -> None:
    store.add([ONE])
    store.add([moved := replace(ONE, bay="4", at=NOW + 5)])

    assert (moved,) == store.known([TANK])


def test_nothing_is_known_and_no_file_made_before_the_first(store: DiskPlaceStore) -> None:
    store.add([])

    assert () == store.known([TANK])
    assert not store.path.exists()


def test_what_is_kept_is_bounded(store: DiskPlaceStore) -> None:
    store.add([replace(ONE, serial="x" * 9999)])
    assert LONGEST == len(store.known([TANK])[0].serial)

    store.add([replace(ONE, leaf_guid=4, at=NOW + KEPT_S + 60)])

    assert [4] == [each.leaf_guid for each in store.known([TANK])]


def test_a_damaged_file_is_a_sentence(store: DiskPlaceStore) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"this is no database, but it is long enough" * 40)

    with pytest.raises(DiskPlaceStoreError, match="cannot be read"):
        store.known([TANK])
