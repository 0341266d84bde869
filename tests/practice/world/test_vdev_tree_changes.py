"""Devices that a pool cannot do without."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench


def states(bench: Bench) -> tuple[str, list[str]]:
    pool = bench.pool()
    return pool.state, [leaf.state for top in pool.vdevs for leaf in top.leaves()]


def test_the_last_replica_stays_online() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool offline tank {0}")

    assert "cannot offline {1}: no valid replicas\n" == bench.refused("zpool offline tank {1}")
    assert ("DEGRADED", ["OFFLINE", "ONLINE"]) == states(bench)


@pytest.mark.parametrize(
    ("layout", "spared"), [("raidz1 0 1 2 3", 1), ("raidz2 0 1 2 3", 2), ("raidz3 0 1 2 3 4", 3)]
)
def test_a_raidz_spares_as_many_as_its_parity(layout: str, spared: int) -> None:
    bench = Bench(layout)
    for number in range(spared):
        bench.do(f"zpool offline tank {{{number}}}")

    said = bench.refused(f"zpool offline tank {{{spared}}}")

    assert f"cannot offline {{{spared}}}: no valid replicas\n" == said
