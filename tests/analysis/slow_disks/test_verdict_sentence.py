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
        ("sda stalls: 2 times it left I/O waiting, once for 3 s or more; its peers did not",
         replace(MANY, kind="stalling", stalls=Stalls(2, 3e9))),
        ("sda did not answer: for 3 s or more; its peers did",
         replace(MANY, kind="stalling", stalls=Stalls(1, 3e9), is_ongoing=False)),
        ("sda does not answer: for 3 s or more, with 1 I/O outstanding; sdb does",
         replace(SLOW, kind="stalling", stalls=Stalls(1, 3e9, 1, is_now=True))),
        (("sda has a long tail: 1 in 100 of its reads takes up to 8.0x as long as of its peers "
          "(268 ms against 34 ms)"), replace(MANY, kind="long tail", quantiles=(FAR,))),
        (("sda has 20x the write latency of its peers (200 ms against 10 ms) and reads normally: "
          "an SMR drive?"),
         replace(MANY, kind="write collapse")),
    ],
)  # fmt: skip
def test_each_kind_has_its_sentence(expected: str, verdict: SlowDiskVerdict) -> None:
    assert expected == verdict_sentence(verdict)
