"""The end of a silence: how long, a date, or a date and time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from zconsole.base.errors import UsageError
from zconsole.base.notifications.silence_end import end_of_silence

AT = datetime(2026, 11, 28, 2, 50, 30, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("typed", "ends"),
    [
        ("12h", "2026-11-28 14:51"),
        ("1d", "2026-11-29 02:51"),
        ("7", "2026-12-05 02:51"),
        ("6mo", "2027-05-27 02:51"),
        ("1h30m", "2026-11-28 04:21"),
        ("2026-12-01", "2026-12-01 00:00"),
        (" 2026-12-01 08:00 ", "2026-12-01 08:00"),
        ("2026-12-01 08:00 UTC", "2026-12-01 08:00"),
        ("2026-12-01T08:00+01:00", "2026-12-01 07:00"),
        ("18:00", "2026-11-28 18:00"),
        ("2:50", "2026-11-29 02:50"),  # half a minute ago
        ("today 18:00 UTC", "2026-11-28 18:00"),
        ("tomorrow", "2026-11-29 00:00"),
        ("Tomorrow 08:00", "2026-11-29 08:00"),
        ("monday", "2026-11-30 00:00"),
        ("mon 7:30", "2026-11-30 07:30"),
        ("saturday", "2026-12-05 00:00"),  # it is one
        ("sat 09:00", "2026-11-28 09:00"),
        ("friday", "2026-12-04 00:00"),
    ],
)
def test_an_end_is_kept_to_the_minute_and_never_earlier_than_asked_for(typed: str, ends: str) -> None:
    assert ends == end_of_silence(typed, AT).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("soon", "'soon' is no time from now such as 12h, no day such as tomorrow, and no date"),
        ("sundays", "'sundays' is no time from now"),
        ("25:00", "'25:00' is no time from now"),
        ("monday 08:60", "is no time from now"),
        ("today", "is not in the future"),
        ("today 02:00", "is not in the future"),
        ("UTC", "is no time from now"),
        ("", "'' is no time from now"),
        ("2026-11-28", "is not in the future"),
        ("0s", "is not in the future"),
        ("3y", "more than 731d"),
        ("2030-01-01", "more than 731d"),
        ("9" * 20 + "y", "more than 731d"),
        ("0001-01-01T00:00+02:00", "is not in the future"),
    ],
)
def test_what_is_no_end_of_a_silence_is_said(typed: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        end_of_silence(typed, AT)
