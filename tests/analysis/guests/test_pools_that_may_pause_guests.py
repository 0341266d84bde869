"""A pool that takes few writes, or none, may have paused guests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states
from zconsole.analysis.guests.pools_that_may_pause_guests import may_have_paused_guests
from zconsole.model.host.host_state import PoolState, Reading

TANK = states.tank()


def filled(percent: float) -> PoolState:
    taken = int(percent * 10**4)
    used = replace(TANK, usable_used_bytes=taken, usable_available_bytes=10**6 - taken)
    return states.pool_state(used)


@pytest.mark.parametrize(
    ("expected", "pool"),
    [
        pytest.param(False, filled(94.9), id="there is room"),
        pytest.param(True, filled(95), id="nearly full"),
        pytest.param(True, replace(filled(10), kstat_state="SUSPENDED"), id="suspended, by the kernel"),
        pytest.param(True, states.pool_state(replace(TANK, state="SUSPENDED")), id="by its status"),
        pytest.param(False, replace(filled(99), pool=Reading(None, 0.0)), id="nothing is known"),
    ],
)
def test_a_pool_may_pause_guests(expected: bool, pool: PoolState) -> None:
    assert expected is may_have_paused_guests([filled(10), pool])
