"""A lost connection is tried again ever more slowly, and not by everybody at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.hosts.ssh.reconnect_backoff import FIRST_S, LONGEST_S, SPREAD, backoff, backoff_bounds


def test_the_bounds_double_up_to_the_longest() -> None:
    assert [(0.5, 1.0), (1.0, 2.0), (2.0, 4.0), (4.0, 8.0), (8.0, 16.0), (15.0, 30.0), (15.0, 30.0)] == [
        backoff_bounds(attempt) for attempt in range(7)
    ]


@given(attempt=st.integers(0, 10_000), chance=st.floats(0, 1))
def test_every_wait_lies_within_its_bounds(attempt: int, chance: float) -> None:
    shortest, longest = backoff_bounds(attempt)

    assert FIRST_S * SPREAD <= shortest <= backoff(attempt, chance=chance) <= longest <= LONGEST_S


def test_two_hosts_do_not_come_back_in_step() -> None:
    assert len({backoff(5) for _ in range(20)}) > 1
