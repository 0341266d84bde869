"""Times of a move: from what is sent and how fast it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft
from tests.doubles.plan_worlds import GIB, snapshot, volume
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.expected_move_times import ASSUMED, RemainingWork, tell_times

NOW = 1_000_000.0
SOURCE = volume("tank/web01", referenced_bytes=100 * GIB)


def told(
    written: int | None, *, shutdown_s: float | None = 120.0, creation: float | None = NOW - 1000
) -> Draft:
    made, whole = draft(), replace(SOURCE, written_bytes=written)
    taken = snapshot("tank/web01@a", creation=None if creation is None else int(creation))
    tell_times(made, whole, (taken,), NOW, RemainingWork(100 * GIB, shutdown_s))
    return made


def test_the_last_increment_is_what_is_written_while_the_one_before_is_sent() -> None:
    """A tenth of the rate of sending: 100 GiB, then 10 GiB, then 1 GiB."""
    notes = told(ASSUMED // 10 * 1000).notes

    assert "100 GiB are sent in 17 minutes" in notes[0]
    assert "the last increment is about 1.00 GiB" in notes[1]
    assert "10 seconds for it, beside the shutdown (at most 2 minutes)" in notes[1]


def test_writes_that_are_faster_than_the_sending_are_warned_of() -> None:
    assert "do not become smaller" in told(ASSUMED * 1000).warnings[0]


@pytest.mark.parametrize(("written", "creation"), [(None, NOW - 1000), (1, None), (1, NOW)])
def test_without_a_rate_the_downtime_is_not_known(written: int | None, creation: float | None) -> None:
    assert "how long the guest is off is not known" in told(written, creation=creation).notes[1]


def test_a_guest_that_is_off_has_no_downtime() -> None:
    assert 1 == len(told(1, shutdown_s=None).notes)


def test_of_a_move_that_goes_on_the_rest_is_told() -> None:
    made, taken = draft(), snapshot("tank/web01@a", creation=int(NOW - 1000))

    tell_times(made, SOURCE, (taken,), NOW, RemainingWork(10 * GIB, None))

    (told,) = made.notes
    assert told.endswith(
        "not measured, 10.0 GiB, about what remains of 100 GiB, are sent in 1 minute and 42 seconds"
    )


def test_where_nothing_is_sent_or_the_rest_is_not_known_no_time_is_told() -> None:
    made = draft()

    tell_times(made, SOURCE, (), NOW, RemainingWork(None, 120.0))

    assert [] == made.notes
