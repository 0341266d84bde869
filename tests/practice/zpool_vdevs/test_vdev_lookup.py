"""Vdevs by guid, name and path."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench


def states(bench: Bench) -> tuple[str, list[str]]:
    pool = bench.pool()
    return pool.state, [leaf.state for top in pool.vdevs for leaf in top.leaves()]


def test_a_vdev_is_meant_by_guid_short_name_path_and_partition() -> None:
    bench = Bench("raidz3 0 1 2 3 4 5")
    leaves = list(bench.practice().root.leaves())
    names = [
        str(leaves[0].guid),
        leaves[1].path.rpartition("/")[2].removesuffix("-part1"),
        leaves[2].path.removesuffix("-part1"),
    ]

    for name in names:
        bench.do(f"zpool offline tank {name}")

    assert ["OFFLINE"] * 3 + ["ONLINE"] * 3 == states(bench)[1]
    bench.do(f"zpool online tank {leaves[0].path}")
    assert "cannot offline /dev/sdb: no such device in pool\n" == bench.refused("zpool offline tank /dev/sdb")


def test_an_unknown_device_is_named() -> None:
    bench = Bench("mirror 0 1")

    assert "cannot offline nosuch: no such device in pool\n" == bench.refused("zpool offline tank nosuch")
    assert 'couldn\'t find device "nosuch" in pool "tank"\n' == bench.refused("zpool online tank nosuch")
    assert "cannot clear errors for nosuch: no such device in pool\n" == bench.refused(
        "zpool clear tank nosuch"
    )
    assert (1, "") == (
        bench.run("zpool offline -f tank nosuch").status,
        bench.refused("zpool offline -f tank x"),
    )
