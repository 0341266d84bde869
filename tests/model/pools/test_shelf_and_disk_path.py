"""Bays of shelves without a disk."""

from __future__ import annotations

from zconsole.model.pools.shelf_and_disk_path import NO_SHELVES, Bay, Enclosure, Shelves, free_bays

FULL = Bay("Slot 01", "a/Slot 01", 1, ("6:0:1:0",))
EMPTY = Bay("Slot 02", "a/Slot 02", 2)


def test_a_bay_without_a_disk_is_free() -> None:
    assert ("2",) == free_bays(Shelves((Enclosure("6:0:12:0", (FULL, EMPTY), "500"),)))
    assert () == free_bays(NO_SHELVES)


def test_a_bay_that_has_a_disk_by_one_of_two_paths_is_not_free() -> None:
    one = Enclosure("6:0:12:0", (FULL, EMPTY), "500")
    other = Enclosure("7:0:12:0", (Bay("Slot 01", "b/Slot 01", 1), EMPTY), "500")

    assert ("2",) == free_bays(Shelves((one, other)))
