"""Listing of a pool with very many snapshots."""

from __future__ import annotations

from dataclasses import replace

from tests.model.datasets.test_snapshot_table import TABLE
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing

SYSTEMS = {each.name: Dataset(each.name, "filesystem") for each in TABLE.datasets}
LISTING = Listing(TABLE, SYSTEMS)


def names(name: str, most: int = 10) -> list[str]:
    return [each.name for each in LISTING.around(name, most)]


def test_around_a_name_are_all_datasets_and_the_snapshots_of_its_own() -> None:
    assert [*SYSTEMS, "tank@a", "tank@ab", "tank@b"] == names("tank@ab")
    assert [*SYSTEMS, "tank/clone@x"] == names("tank/clone")
    assert list(SYSTEMS) == names("tank/nothing")


def test_of_too_many_snapshots_only_the_one_that_is_named() -> None:
    assert [*SYSTEMS, "tank@ab"] == names("tank@ab", most=2)
    assert list(SYSTEMS) == names("tank", most=2)


def test_a_snapshot_knows_its_clones_its_guid_and_its_age() -> None:
    found = {each.name: each for each in LISTING.around("tank@ab")}

    assert ("tank/clone",) == found["tank@ab"].clones
    assert (1002, 2) == (found["tank@ab"].guid, found["tank@ab"].createtxg)
    assert () == found["tank@a"].clones


def test_a_listing_is_whole_when_nothing_waits() -> None:
    assert LISTING.is_whole
    assert not replace(LISTING, waiting=1).is_whole
