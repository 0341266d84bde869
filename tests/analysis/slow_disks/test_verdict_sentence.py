"""The sentence on a slow disk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.model.host.test_host_state import SLOW
from zconsole.analysis.slow_disks.verdict_sentence import verdict_sentence, worst_comparison
from zconsole.model.pools.slow_disk import Comparison, Quantile, SlowDiskVerdict, Stalls

READS = Comparison("read", 54e6, 10e6, 900, 57, 12.0)
WRITES = Comparison("write", 200e6, 10e6, 900, 57, 12.0)
MANY = replace(SLOW, peers=("sdb", "sdc"), compared=(READS, WRITES))
FAR = Quantile("read", 0.99, 268e6, 33.5e6, 500, is_far=True)


def test_the_worst_operation_is_the_one_furthest_behind() -> None:
    assert WRITES is worst_comparison(MANY)
    assert worst_comparison(SLOW) is None


@pytest.mark.parametrize(
    ("expected", "verdict"),
    [
        ("sda has 20x the write latency of its peers (200 ms against 10 ms)", MANY),
        ("sda had 5.4x the read latency of its peers (54 ms against 10 ms)",
         replace(MANY, is_ongoing=False, compared=(READS,))),
        ("sda and sdb differ: sda has 5.4x the read latency of sdb (54 ms against 10 ms)",
         replace(SLOW, compared=(READS,))),
        ("sda is slower than sdb", SLOW),
        ("sda stalls: 2 times it left I/O waiting, once for 3 s or more; its peers answered each time",
         replace(MANY, kind="stalling", stalls=Stalls(2, 3e9, answered=2, peers=2))),
        ("sda did not answer: for 3 s or more; 1 of its 2 peers answered",
         replace(MANY, kind="stalling", stalls=Stalls(1, 3e9, answered=1, peers=2), is_ongoing=False)),
        ("sda did not answer: for 3 s or more; no peer completed I/O meanwhile",
         replace(MANY, kind="stalling", stalls=Stalls(1, 3e9, peers=2), is_ongoing=False)),
        ("sda does not answer: for 3 s or more, with 1 I/O outstanding; sdb answers",
         replace(SLOW, kind="stalling", stalls=Stalls(1, 3e9, 1, is_now=True, answered=1, peers=1))),
        ("sda has 2.7x to 11x the read latency of its peers in 57 of 60 s (54 ms against 10 ms)",
         replace(MANY, compared=(replace(READS, low=0.5, high=2.0, seconds=60),))),
        ("sda has a long tail: 1 in 100 of its reads takes 134 ms or more, of its peers 34 ms or less",
         replace(MANY, kind="long tail", quantiles=(FAR,))),
        (("sda has 20x the write latency of its peers (200 ms against 10 ms) and reads normally: "
          "an SMR drive?"),
         replace(MANY, kind="write collapse")),
    ],
)  # fmt: skip
def test_each_kind_has_its_sentence(expected: str, verdict: SlowDiskVerdict) -> None:
    assert expected == verdict_sentence(verdict)
