"""The offset of latencies follows what is typical of a kind of disks, or is a millisecond if they rotate."""

from __future__ import annotations

import pytest

from tests.analysis.slow_disks.streams import AT, MIRRORS, Act, Did, judge, named, sample
from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.latency_offsets import LEAST_NS, LatencyOffsets
from zconsole.analysis.slow_disks.peer_groups import inferred_layout


def offsets(read_ms: float | None, write_ms: float | None) -> set[float]:
    layout = inferred_layout(sample(0, MIRRORS, lambda *_: Did(9, read_ms, 9, write_ms)))
    disks = [DiskMemory(0) for _ in layout.members]
    for disk in disks:
        for kind, took in ((READS, read_ms), (WRITES, write_ms)):
            if took is not None:
                disk.tracks[kind].learn(1, 9, took * 1e6, 9e4)
    return set(LatencyOffsets().of(layout, disks, 1))


def test_the_offset_of_microseconds_is_less_than_they_are() -> None:
    (offset,) = offsets(0.1, 0.05)

    assert 75_000 == pytest.approx(offset)


def test_what_takes_longer_decides_so_that_cached_writes_of_a_slow_disk_do_not_count() -> None:
    assert {1e6} == offsets(8, 0.1)


def test_it_is_never_less_than_the_work_of_the_operating_system() -> None:
    assert {LEAST_NS} == offsets(0.001, None)


def test_without_io_it_is_the_millisecond() -> None:
    assert {1e6} == offsets(None, None)


def of_microseconds(took: dict[str, float]) -> Act:
    return lambda _, name: Did(200, took.get(name, 100) / 1000, 200, took.get(name, 100) / 1000)


@pytest.mark.parametrize(("us", "is_slow"), [(500, True), (400, True), (200, False), (120, False)])
def test_an_nvme_disk_of_500_microseconds_among_those_of_100_is_slow(us: float, is_slow: bool) -> None:
    judgement = judge(MIRRORS, of_microseconds({"d": us}), 30)

    assert ({"d"} if is_slow else set()) == named(judgement)
    assert AT <= min((one.first_at for one in judgement.verdicts), default=AT)
