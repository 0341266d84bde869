"""Disks that were away and came back, and whether they had errors since."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import MINUTE, changed, error, facts_of, trouble_at, with_kernel
from tests.doubles.shelves import leaf
from zconsole.analysis.repair.quiet_since_reconnect import last_error, quiet_since
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.event import Event
from zconsole.model.pools.kernel_message import MessageKind

BOTH = (error(0, 20), error(1, 20), changed(0, 5, "ONLINE"), changed(1, 4, "ONLINE"))


def mirror(*events: Event, state: str = "ONLINE") -> HostState:
    """A mirror of two."""
    return trouble_at(group("mirror-0", leaf(0), leaf(1, state)), events=events)


def quiet(state: HostState) -> float | None:
    """Since when both disks are quiet."""
    facts = facts_of(state)
    return quiet_since(facts, tuple(facts.pool.vdevs[0].leaves()))


def test_disks_are_quiet_since_the_last_of_them_came_back() -> None:
    assert NOW - 4 * MINUTE == quiet(mirror(*BOTH))


@pytest.mark.parametrize(
    "state",
    [
        mirror(),
        mirror(*BOTH, state="REMOVED"),
        mirror(*BOTH[:3]),
        mirror(*BOTH[2:]),
        mirror(*BOTH, error(0, 2)),
        with_kernel(mirror(*BOTH), 1, MessageKind.CRC, minutes_ago=2),
    ],
)
def test_disks_that_were_never_away_or_had_an_error_since_are_not(state: HostState) -> None:
    assert quiet(state) is None


def test_the_resets_of_the_reconnection_are_no_error() -> None:
    assert quiet(with_kernel(mirror(*BOTH), 1, MessageKind.RESET, minutes_ago=3.5)) is not None


def test_the_last_error_is_of_zfs_or_of_the_kernel() -> None:
    state = with_kernel(mirror(error(0, 20)), 0, MessageKind.IO, minutes_ago=10)
    facts = facts_of(replace(state))
    first, second = facts.pool.vdevs[0].leaves()

    assert NOW - 10 * MINUTE == last_error(facts, first)
    assert last_error(facts, second) is None
