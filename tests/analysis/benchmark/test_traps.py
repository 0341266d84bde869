"""Numbers that the disks did not deliver are told from those that they did."""

from __future__ import annotations

import pytest

from zconsole.analysis.benchmark.traps import Trap, times, trap_of
from zconsole.model.pools.benchmark import BenchmarkRun, FioRate, VdevRate

MIB = 1024 * 1024


def run(*, says: float, moved: float | None, is_read: bool = True) -> BenchmarkRun:
    rate = FioRate(says * MIB, 10.0)
    reads, writes = (moved or 0, 0) if is_read else (0, moved or 0)
    vdevs = () if moved is None else (VdevRate("tank", reads * MIB, writes * MIB),)
    return BenchmarkRun("x", rate if is_read else None, None if is_read else rate, vdevs)


@pytest.mark.parametrize(
    ("measured", "is_compressible", "expected"),
    [
        (run(says=100, moved=99), False, None),
        (run(says=100, moved=70), False, None),
        (run(says=100, moved=60), False, Trap.ARC),
        (run(says=100, moved=0), False, Trap.ARC),
        (run(says=100, moved=151), False, Trap.AMPLIFIED),
        (run(says=100, moved=None), False, Trap.UNSEEN),
        (run(says=100, moved=90, is_read=False), False, None),
        (run(says=100, moved=10, is_read=False), False, Trap.BUFFERED),
        (run(says=100, moved=10, is_read=False), True, Trap.COMPRESSED),
        (run(says=100, moved=400, is_read=False), True, Trap.AMPLIFIED),
        (BenchmarkRun("x", None, None), False, None),
    ],
)
def test_the_trap_is_named(measured: BenchmarkRun, is_compressible: bool, expected: Trap | None) -> None:
    assert expected is trap_of(measured, is_compressible=is_compressible)


def test_the_factor_is_of_the_measured_direction() -> None:
    assert 4 == times(run(says=100, moved=25))
    assert 4 == times(run(says=100, moved=25, is_read=False))
    assert None is times(run(says=100, moved=0))
    assert None is times(run(says=100, moved=None))
