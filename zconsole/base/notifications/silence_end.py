"""The end of a silence, as people type it: a time from now, a date, or a date and time."""

from __future__ import annotations

from datetime import UTC, datetime
from math import ceil
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.notifications.silences import LONGEST_SILENCE, in_utc
from zconsole.base.quantities import MINUTE_S, parse_duration

END_HINT: Final = "As in 12h, 7d, 30d, 6mo, 2027-01-31, or 2027-01-31 08:00 (UTC)."


def minute_of(now: float) -> datetime:
    """The minute of a moment in epoch seconds, in UTC: with which a silence begins."""
    return datetime.fromtimestamp(now // MINUTE_S * MINUTE_S, UTC)


def end_of_silence(text: str, now: float) -> datetime:
    """When a silence ends that is to last `12h`, `7d`, `6mo`, or until a date, or a date and time.

    What lasts so long ends with the minute in which that time is over. A date is the beginning of its day,
    and a time without a zone is in UTC. Raises UsageError, also for what is past, and what is too far away.
    """
    began, until = minute_of(now), _moment_of(text.strip(), now)
    if until <= datetime.fromtimestamp(now, UTC):
        raise UsageError(f"{text.strip()!r} is not in the future", hint=END_HINT)
    if until - began > LONGEST_SILENCE:
        raise UsageError(
            f"{text.strip()!r} is more than {LONGEST_SILENCE.days} days from now",
            hint="A silence ends, so that somebody looks again: choose an earlier end, and renew it then.",
        )
    return until


def _moment_of(text: str, now: float) -> datetime:
    try:
        return in_utc(datetime.fromisoformat(text.removesuffix("UTC").strip()))
    except ValueError:
        pass
    try:
        lasts_s = parse_duration(text, bare="d")
        ends_at = ceil((now + lasts_s) / MINUTE_S) * MINUTE_S if lasts_s else now
        return datetime.fromtimestamp(ends_at, UTC)
    except UsageError:
        raise UsageError(
            f"{text!r} is no time from now such as 12h, and no date such as 2027-01-31", hint=END_HINT
        ) from None
    except (OverflowError, ValueError, OSError):
        raise UsageError(
            f"{text!r} is more than {LONGEST_SILENCE.days} days from now", hint="Choose an earlier end."
        ) from None
