"""Vdevs must match each other and the pool."""

from __future__ import annotations

from tests.practice.zpool.bench import GIB, Bench, outline

USE_FORCE = "invalid vdev specification\nuse '-f' to override the following errors:\n"


def test_drives_of_different_size_and_tiny_ones_are_refused() -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).size, bench.disk(4).size = 4 * GIB, 50 << 20

    assert USE_FORCE + "mirror contains devices of different sizes\n" == bench.refused(
        "zpool create data mirror {2} {3}"
    )
    assert "cannot create 'data': one or more devices is less than the minimum size (64M)\n" == bench.refused(
        "zpool create data {4}"
    )


def test_adding_below_the_redundancy_of_the_pool_is_refused_without_the_flag() -> None:
    """The words of a real pool."""
    bench = Bench()

    said = bench.refused("zpool add -n tank {9}")

    assert USE_FORCE + "mismatched replication level: pool uses mirror and new vdev is disk\n" == said
    assert "pool uses 2-way mirror and new vdev uses 3-way mirror" in bench.refused(
        "zpool add tank mirror {9} {10} {11}"
    )
    bench.do("zpool add --allow-replication-mismatch tank {9}")
    assert "mirror(0 1) mirror(2 3) 9 " in outline(bench.pool())
