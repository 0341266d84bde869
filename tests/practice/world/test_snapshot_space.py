"""The past of the demonstration's datasets holds together."""

from __future__ import annotations

import pytest

from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.world.dataset_writes_and_snapshots import destroy_snapshot
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import content, txg_before, uniques, writings, written_since

EPOCH = 1_795_219_200.0


@pytest.fixture(scope="module")
def pools() -> list[PracticePool]:
    return list(demo_world(EPOCH).pools.values())


def _datasets(pools: list[PracticePool]) -> list[PracticeDataset]:
    return [dataset for pool in pools for dataset in pool.datasets.values() if dataset.snapshots]


def test_snapshots_are_in_order_and_hold_what_they_say(pools: list[PracticePool]) -> None:
    for dataset in _datasets(pools):
        for snapshot in dataset.snapshots[:: len(dataset.snapshots) // 3 or 1]:
            assert txg_before(snapshot) < snapshot.createtxg
            assert snapshot.referenced == sum(content(snapshot).values()), snapshot.full_name


def test_nothing_is_negative(pools: list[PracticePool]) -> None:
    for dataset in _datasets(pools):
        assert min([*uniques(dataset).values(), *writings(dataset).values()]) >= 0
        assert min(dataset.written, dataset.own, dataset.used_by_snapshots, *dataset.live.values()) >= 0


def test_what_came_between_two_snapshots_adds_up(pools: list[PracticePool]) -> None:
    """All that was written since the first is at most the sum of what each of them brought."""
    for dataset in _datasets(pools):
        first, *rest = dataset.snapshots
        since = written_since(dataset, None, first)

        assert since is not None
        assert since <= dataset.written + sum(writings(dataset)[snapshot] for snapshot in rest)


def test_the_last_snapshot_to_go_frees_the_last_that_snapshots_kept() -> None:
    world = demo_world(EPOCH)
    pool = world.pools["bulk"]
    dataset = pool.datasets["bulk/projects"]
    own, kept = dataset.own, dataset.used_by_snapshots

    for snapshot in list(dataset.snapshots):
        destroy_snapshot(world, pool, snapshot)

    assert kept > 61 << 30
    assert (own, 0) == (dataset.own, dataset.used_by_snapshots)
