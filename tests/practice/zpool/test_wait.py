"""`zpool wait`, and the commands that wait."""

from __future__ import annotations

from tests.practice.zpool.bench import GIB, Bench


def scan(bench: Bench) -> tuple[str, str] | None:
    found = bench.pool().scan
    return (found.function, found.state) if found else None


def test_a_scrub_can_be_waited_for() -> None:
    bench = Bench("mirror 0 1", allocated=2 * GIB)

    assert 0 == bench.wait("zpool scrub -w tank").status
    assert ("scrub", "finished") == scan(bench)
    bench.do("zpool scrub tank")
    assert 0 == bench.wait("zpool wait -t scrub tank").status
    assert 0 == bench.run("zpool wait tank").status
