"""The state of a host: ages, and which of two sources of a state counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import mirror, pool
from zconsole.analysis.vdevs.redundancy import in_words, pool_redundancy
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.slow_disk import Judgement, SlowDiskVerdict, Undecided

SLOW = SlowDiskVerdict(
    "sda",
    "mirror-0",
    "mirror",
    "slow",
    ("read",),
    9.0,
    0.9,
    1,
    2,
    3,
    0.0,
    1.0,
    is_ongoing=True,
    peers=("sdb",),
)


@pytest.mark.parametrize(("expected", "taken_at"), [(None, None), (3.0, 7.0), (0.0, 12.0)])
def test_an_age_is_never_below_nought_and_unknown_before_the_first_reading(
    expected: float | None, taken_at: float | None
) -> None:
    assert expected == Reading(1, taken_at).age(10.0)


@pytest.mark.parametrize(
    ("expected", "kstat", "status"),
    [
        ("SUSPENDED", "SUSPENDED", "ONLINE"),
        ("DEGRADED", "ONLINE", "DEGRADED"),
        ("ONLINE", "ONLINE", None),
        ("·", None, None),
    ],
)
def test_a_suspension_that_the_kernel_tells_counts_more_than_an_older_status(
    expected: str, kstat: str | None, status: str | None
) -> None:
    known = None if status is None else replace(pool(), state=status)

    assert expected == PoolState("tank", kstat, Reading(known)).state


def test_a_status_from_before_a_suspension_promises_nothing() -> None:
    before = replace(PoolState("tank", "ONLINE"), pool=Reading(pool(mirror("ONLINE", "ONLINE"))))

    now = replace(before, kstat_state="SUSPENDED")

    assert before.pool.value is not None
    assert now.pool.value is not None
    assert ["mirror-0 survives 1 failure"] == list(map(in_words, pool_redundancy(before.pool.value)))
    assert ["what mirror-0 survives is not known while the pool is suspended"] == list(
        map(in_words, pool_redundancy(now.pool.value))
    )


def test_only_disks_that_are_slow_now_are_slow() -> None:
    judged = Judgement(
        "tank", 9, 2, (SLOW, replace(SLOW, disk="sdb", is_ongoing=False)), (Undecided("sdc", "x", "idle"),)
    )
    state = PoolState("tank", judgement=judged)

    assert (SLOW,) == state.slow
    assert ["sdc"] == [each.disk for each in state.undecided]
    assert () == PoolState("tank").slow
    assert () == PoolState("tank").undecided


def test_the_newest_sample_is_the_last() -> None:
    old, new = IoSample("tank", 1.0, ()), IoSample("tank", 2.0, ())

    assert new is PoolState("tank", samples=(old, new)).sample
    assert PoolState("tank").sample is None


def test_a_pool_is_found_by_its_name() -> None:
    host = HostState("nas1", pools=(PoolState("bulk"), PoolState("tank")))

    assert "tank" == getattr(host.pool("tank"), "name", "")
    assert host.pool("gone") is None
