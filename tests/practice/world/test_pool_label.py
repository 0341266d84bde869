"""The labels that drives bear."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench
from zconsole.practice.ready_made_pools import bring
from zconsole.practice.world.pool_label import label_of


@pytest.mark.parametrize(
    ("drive", "state", "has_pool"),
    [(0, "ACTIVE", True), (6, "ACTIVE", True), (7, "L2CACHE", False), (8, "SPARE", False)],
)
def test_the_label_of_an_imported_pool(drive: int, state: str, has_pool: bool) -> None:
    bench = Bench()

    label = label_of(bench.world, bench.disk(drive))

    assert label is not None
    assert ("tank", state, has_pool, True) == (
        label.pool_name,
        label.state,
        label.has_pool,
        label.is_imported,
    )


def test_a_drive_without_a_pool_bears_none() -> None:
    bench = Bench()

    assert label_of(bench.world, bench.disk(9)) is None


@pytest.mark.parametrize(
    ("line", "state"), [("zpool export tank", "EXPORTED"), ("zpool destroy tank", "DESTROYED")]
)
def test_a_label_outlives_its_pool(line: str, state: str) -> None:
    bench = Bench("mirror 0 1")
    bench.do(line)

    label = label_of(bench.world, bench.disk(0))

    assert label is not None
    assert (state, False) == (label.state, label.is_imported)


def test_a_faulted_drive_keeps_a_label_that_zfs_could_not_clear() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool offline -f tank {0}")
    guid = bench.practice().guid

    bench.do("zpool detach tank {0}")

    label = label_of(bench.world, bench.disk(0))
    assert label is not None
    assert ("tank", guid, None) == (label.pool_name, label.pool_guid, label.leaf)


def test_a_pool_of_another_host_is_not_imported() -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=3)

    label = label_of(bench.world, bench.disk(2))

    assert label is not None
    assert ("old", "ACTIVE", False) == (label.pool_name, label.state, label.is_imported)
