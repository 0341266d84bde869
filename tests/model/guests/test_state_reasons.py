"""Reasons of a state are libvirt's numbers of that state."""

from __future__ import annotations

import pytest

from zconsole.model.guests.guest import PAUSED_BY_IO_ERROR, PAUSED_BY_USER, GuestState
from zconsole.model.guests.state_reasons import reason_in_words


@pytest.mark.parametrize(
    ("words", "state", "reason"),
    [
        ("booted", GuestState.RUNNING, 1),
        ("I/O error", GuestState.PAUSED, PAUSED_BY_IO_ERROR),
        ("user", GuestState.PAUSED, PAUSED_BY_USER),
        ("shutdown", GuestState.SHUT_OFF, 1),
        ("daemon", GuestState.SHUT_OFF, 8),
        (None, GuestState.SHUT_OFF, 0),
        (None, GuestState.SHUT_OFF, 9),
        (None, GuestState.BLOCKED, 1),
    ],
)
def test_a_number_means_what_it_means_of_its_state(words: str | None, state: GuestState, reason: int) -> None:
    assert words == reason_in_words(state, reason)
