"""Pools that a practice world begins with, those of another host among them."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench, outline
from zconsole.practice.ready_made_pools import bring


def test_a_pool_of_another_host_says_whose_it_is_and_wants_force() -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["mirror", "LAB0002", "LAB0003"], host="attic", days_ago=3)

    (found,) = bench.importable()

    assert found.is_of_another_host
    said = bench.refused("zpool import old")
    assert said.startswith(
        "cannot import 'old': pool was previously in use from another system.\n"
        "Last accessed by attic (hostid="
    )
    assert said.endswith("The pool can be imported, use 'zpool import -f' to import the pool.\n")
    bench.do("zpool import -f old")
    assert "mirror(2 3)" == outline(bench.pool("old"))
    bench.do("zpool export old", "zpool import old")


def test_a_pool_that_another_host_exported_needs_no_force() -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=3, exported=True)

    bench.do("zpool import old")

    assert "2" == outline(bench.pool("old"))


def test_a_pool_with_missing_disks_is_degraded_or_cannot_be_imported() -> None:
    bench = Bench("mirror 0 1")
    bring(
        bench.world,
        "half",
        ["mirror", "LAB0002", "LAB0003"],
        host="a",
        days_ago=1,
        exported=True,
        missing=["LAB0003"],
    )
    bring(
        bench.world, "lost", ["LAB0004", "LAB0005"], host="a", days_ago=1, exported=True, missing=["LAB0005"]
    )

    half, lost = bench.importable()

    assert ("DEGRADED", "UNAVAIL") == (half.state, lost.state)
    assert "cannot import 'lost': no such pool or dataset\n" == bench.refused("zpool import lost")
    bench.do("zpool import half")
    assert "DEGRADED" == bench.pool("half").state
    assert 1 == bench.do("zpool status half").split("config:")[1].count("  was " + bench.path(3) + "-part1\n")
