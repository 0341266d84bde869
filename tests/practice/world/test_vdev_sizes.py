"""Sizes of vdevs that grow with their drives."""

from __future__ import annotations

from tests.practice.zpool.bench import GIB, Bench


def test_larger_disks_make_a_vdev_larger_when_they_are_told_to() -> None:
    bench = Bench("mirror 0 1")
    for number in (2, 3):
        bench.disk(number).size = 16 * GIB
    before = bench.pool().size_bytes or 0

    bench.do("zpool replace tank {0} {2}")
    bench.go(20)
    assert not bench.pool().expandable_bytes
    bench.do("zpool replace tank {1} {3}")
    bench.go(20)
    assert 8 * GIB == bench.pool().expandable_bytes
    assert before == bench.pool().size_bytes
    bench.do("zpool online -e tank {2}")

    assert before + 8 * GIB == bench.pool().size_bytes
    assert not bench.pool().expandable_bytes
