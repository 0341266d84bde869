"""The end of a silence, as people type it: a time from now, a date, a day of the week, or a time of day."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.notifications.silences import LONGEST_SILENCE, in_utc
from zconsole.base.quantities import MINUTE_S, parse_duration

END_HINT: Final = "As in 12h, 7d, 6mo, 18:00, tomorrow, monday 08:00, 2027-01-31, or 2027-01-31 08:00 (UTC)."
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_AND_TIME: Final = re.compile(
    r"(?:([a-z]{3,9})\b)? ?(?:(\d{1,2}):(\d{2}))? ?(?:utc)?", re.ASCII | re.IGNORECASE
)
_DAY: Final = timedelta(days=1)


def minute_of(now: float) -> datetime:
    """The minute of a moment in epoch seconds, in UTC: with which a silence begins."""
    return datetime.fromtimestamp(now // MINUTE_S * MINUTE_S, UTC)


def end_of_silence(text: str, now: float) -> datetime:
    """When a silence ends that is to last `12h`, `7d`, `6mo`, or until a date, a day of the week, a time.

    What lasts so long ends with the minute in which that time is over. A day without a time is its beginning,
    a day of the week and a time of day are the next ones, and a time without a zone is in UTC. Raises
    UsageError, also for what is past, and what is too far away.
    """
    began, until = minute_of(now), _moment_of(text.strip(), now)
    if until <= datetime.fromtimestamp(now, UTC):
        raise UsageError(f"{text.strip()!r} is not in the future", hint=END_HINT)
    if until - began > LONGEST_SILENCE:
        raise UsageError(
            f"{text.strip()!r} is more than {LONGEST_SILENCE.days}d from now",
            hint="A silence ends, so that somebody looks again: choose an earlier end, and renew it then.",
        )
    return until


def _moment_of(text: str, now: float) -> datetime:
    try:
        return in_utc(datetime.fromisoformat(text.removesuffix("UTC").strip()))
    except ValueError:
        pass
    named = _next(text, datetime.fromtimestamp(now, UTC))
    if named is not None:
        return named
    try:
        lasts_s = parse_duration(text, bare="d")
        ends_at = ceil((now + lasts_s) / MINUTE_S) * MINUTE_S if lasts_s else now
        return datetime.fromtimestamp(ends_at, UTC)
    except UsageError:
        raise UsageError(
            f"{text!r} is no time from now such as 12h, no day such as tomorrow, and no date such as "
            "2027-01-31",
            hint=END_HINT,
        ) from None
    except (OverflowError, ValueError, OSError):
        raise UsageError(
            f"{text!r} is more than {LONGEST_SILENCE.days}d from now", hint="Choose an earlier end."
        ) from None


def _next(text: str, now: datetime) -> datetime | None:
    """The next `18:00`, `tomorrow`, `monday` or `mon 08:00`; None for other words."""
    found = _DAY_AND_TIME.fullmatch(" ".join(text.split()))
    if found is None or not text:
        return None
    word, hour, minute = (found[1] or "").lower(), int(found[2] or 0), int(found[3] or 0)
    try:
        at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    except ValueError:
        return None
    if not word:
        return at if at > now else at + _DAY
    if word in {"today", "tomorrow"}:
        return at if word == "today" else at + _DAY
    weekday = next((at for at, name in enumerate(_WEEKDAYS) if word in {name, name[:3]}), None)
    if weekday is None:
        return None
    then = at + (weekday - now.weekday()) % len(_WEEKDAYS) * _DAY
    return then if then > now else then + len(_WEEKDAYS) * _DAY
