"""Resilvers: when they start, wait and end."""

from __future__ import annotations

from tests.practice.zpool.bench import GIB, Bench, outline
from zconsole.practice.world.vdev_states_and_drive_unplugging import plug, unplug


def test_a_sequential_resilver_is_followed_by_a_scrub() -> None:
    bench = Bench("mirror 0 1", allocated=3 * GIB)

    bench.do("zpool replace -s tank {1} {2}")

    pool = bench.pool()
    assert pool.scan is not None
    assert ("mirror-0", True) == (pool.scan.vdev, pool.scan.is_running)
    assert "cannot attach {3} to {0}: currently sequentially resilvering\n" == bench.refused(
        "zpool attach tank {0} {3}"
    )
    bench.go(5)
    assert "mirror(0 2)" == outline(bench.pool())
    bench.go(60)
    text = bench.do("zpool status tank")
    assert "  scan: scrub repaired 0B in " in text
    assert "  scan: resilvered (mirror-0) 3G in " in text


def test_a_second_resilver_waits_for_the_first() -> None:
    bench = Bench("mirror 0 1 mirror 2 3", allocated=6 * GIB)
    bench.do("zpool attach tank {0} {4}")
    bench.go(1)

    bench.do("zpool attach tank {2} {5}")

    assert "(awaiting resilver)" in bench.do("zpool status tank")
    bench.go(200)
    assert bench.pool().scan is not None
    assert all(leaf.is_current for leaf in bench.practice().root.leaves())


def test_a_disk_that_comes_back_catches_up() -> None:
    bench = Bench("mirror 0 1", allocated=GIB)
    unplug(bench.world, bench.disk(1))

    plug(bench.world, bench.disk(1))

    pool = bench.pool()
    assert pool.scan is not None
    assert pool.scan.is_running
    assert (pool.scan.to_issue_bytes or 0) < GIB
    bench.go(10)
    assert "ONLINE" == bench.pool().state
