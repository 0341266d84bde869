"""A run of a benchmark: what it measures is the direction that it has."""

from __future__ import annotations

from zconsole.model.pools.benchmark import BenchmarkRun, FioRate

READ, WRITE = FioRate(1e6, 250.0), FioRate(2e6, 500.0)


def test_a_run_measures_its_direction() -> None:
    assert READ == BenchmarkRun("random-read-16k", READ, None).rate
    assert WRITE == BenchmarkRun("stream-write", None, WRITE).rate
    assert BenchmarkRun("stream-write", None, None).rate is None
