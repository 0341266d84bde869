"""How often a pool is read: seldom only where somebody tells of what changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.collect.streams.pool_status_pace import (
    CALM_EVERY_S,
    CHANGING_EVERY_S,
    DRIFTING_EVERY_S,
    UNTOLD_EVERY_S,
    is_changing,
    space_every_s,
    status_every_s,
)
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import Pool, PoolActivity, Scan, Vdev, VdevProgress

TIB = 1024**4
POOL = Pool("tank", "ONLINE", size_bytes=10 * TIB, allocated_bytes=TIB)
DISK = Vdev("sda", "disk", "data", "ONLINE")


def known(pool: Pool = POOL, allocated_bytes: int | None = TIB, problem: str = "") -> PoolState:
    row = IoRow("tank", allocated_bytes, None, 0, 0, 0, 0)
    return PoolState("tank", "ONLINE", Reading(pool, 0.0, problem), samples=(IoSample("tank", 1.0, (row,)),))


def test_a_pool_at_rest_is_read_seldom_where_events_are_followed() -> None:
    assert CALM_EVERY_S == status_every_s(known(), is_told=True)
    assert CHANGING_EVERY_S == status_every_s(known(), is_told=False)


@pytest.mark.parametrize(
    "state",
    [
        PoolState("tank"),
        known(problem="zpool status gave no answer"),
        replace(known(), kstat_state="SUSPENDED"),
        known(replace(POOL, scan=Scan("scrub", "scanning"))),
    ],
)
def test_what_changes_or_does_not_answer_is_read_as_often_as_ever(state: PoolState) -> None:
    assert CHANGING_EVERY_S == status_every_s(state, is_told=True)


@pytest.mark.parametrize(
    "pool",
    [
        replace(POOL, scan=Scan("resilver", "scanning")),
        replace(POOL, activities=(PoolActivity("removal", "mirror-1", "active"),)),
        replace(POOL, vdevs=(replace(DISK, is_resilvering=True),)),
        replace(POOL, vdevs=(replace(DISK, is_removing=True),)),
        replace(POOL, vdevs=(replace(DISK, activities=(VdevProgress("trim", "active"),)),)),
    ],
)
def test_what_proceeds_without_an_event_is_a_change(pool: Pool) -> None:
    assert is_changing(pool)


@pytest.mark.parametrize(
    "pool",
    [
        POOL,
        replace(POOL, state="DEGRADED", scan=Scan("scrub", "finished")),
        replace(POOL, scan=Scan("scrub", "paused")),
        replace(POOL, activities=(PoolActivity("trim", "sda", "suspended"),)),
    ],
)
def test_what_stands_still_is_none(pool: Pool) -> None:
    assert not is_changing(pool)


@pytest.mark.parametrize(
    ("expected", "allocated_bytes"),
    [
        (CALM_EVERY_S, TIB),
        (DRIFTING_EVERY_S, TIB + 4096),
        (DRIFTING_EVERY_S, TIB - 10 * TIB // 2000),
        (CHANGING_EVERY_S, TIB + TIB // 100),
        (CHANGING_EVERY_S, TIB // 2),
        (CHANGING_EVERY_S, None),
    ],
)
def test_sizes_follow_what_the_stream_tells_of_allocation(
    expected: float, allocated_bytes: int | None
) -> None:
    assert expected == space_every_s(known(allocated_bytes=allocated_bytes), is_told=True)


def test_without_events_sizes_are_never_left_for_long() -> None:
    """Reservations and quotas change what is available and move no allocation."""
    assert UNTOLD_EVERY_S == space_every_s(known(), is_told=False)


def test_without_a_stream_sizes_are_read_as_often_as_ever() -> None:
    assert CHANGING_EVERY_S == space_every_s(replace(known(), samples=()), is_told=True)
    assert CHANGING_EVERY_S == space_every_s(replace(known(), io_problem="it ended"), is_told=True)
