"""Silences: findings that a user does not want to hear of until a time, in a TOML file of their own.

`silences.toml` is beside `config.toml`. The program only adds to its end: what a person has written there,
and comments, stay. Of several entries on one finding of one object the last one counts. An entry on the
finding `*` is on all findings of its object.
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import LONGEST_BYTES, check_regular, read_bounded, read_user_text
from zconsole.base.errors import ConfigError
from zconsole.base.lazy_dataclass import dataclass

FILE: Final = "silences.toml"
PRACTICE_FILE: Final = "silences-practice.toml"  # of the practice host, whose name a real one may have
LONGEST_SILENCE: Final = timedelta(days=731)  # two years: somebody has to look again
LONGEST_REASON: Final = 500  # characters
ANY_FINDING: Final = "*"  # in the place of an id
END: Final = "%Y-%m-%d %H:%M UTC"  # of a silence, as people read it
_KEYS: Final = ("host", "finding", "object", "reason", "since", "until")
_HINT: Final = "docs/configuration.md has an entry; remove this one, or correct it."


@dataclass(frozen=True, slots=True)
class Silence:
    """One `[[silence]]` entry. Its times are in UTC; a date in the file is the beginning of that day."""

    host: str  # as the console names it
    finding: str  # id, or ANY_FINDING
    object: str  # the subject of the finding: `tank`, `tank raidz2-0`
    reason: str
    since: datetime
    until: datetime

    def holds(self, now: datetime) -> bool:
        """Whether it has not ended."""
        return now < self.until

    @property
    def is_of_all(self) -> bool:
        """Whether it is of all findings of its object."""
        return self.finding == ANY_FINDING

    @property
    def title(self) -> str:
        """What is silenced: `slow-ios of tank sda`, `all findings of tank sda`."""
        return f"{'all findings' if self.is_of_all else self.finding} of {self.object}"

    @property
    def end(self) -> str:
        """When it ends: `2026-11-29 07:00 UTC`."""
        return self.until.strftime(END)


def load_silences(folder: Path, file: str = FILE) -> tuple[Silence, ...]:
    """Load the file of a folder; empty where there is none. Raises ConfigError."""
    path = folder / file
    try:
        text = read_user_text(path)
    except FileNotFoundError:
        return ()
    return parse_silences(text, str(path))


def parse_silences(text: str, source: str) -> tuple[Silence, ...]:
    """Parse the TOML of the file; error messages name `source`. Raises ConfigError."""
    import tomllib  # noqa: PLC0415  # nothing to read without such a file

    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source} is not valid TOML: {error}", hint="Correct that line.") from error
    entries = values.get("silence", [])
    if values.keys() - {"silence"} or not isinstance(entries, list):
        raise ConfigError(f"{source} has something else than [[silence]] entries", hint=_HINT)
    return tuple(_silence(entry, at, source) for at, entry in enumerate(entries, start=1))


def entry_of(silence: Silence) -> str:
    """The entry as it is added to the file."""
    return "\n".join(
        (
            "[[silence]]",
            f"host = {_quoted(silence.host)}",
            f"finding = {_quoted(silence.finding)}",
            f"object = {_quoted(silence.object)}",
            f"reason = {_quoted(silence.reason)}",
            f"since = {_written(silence.since)}",
            f"until = {_written(silence.until)}",
            "",
        )
    )


def add_silence(folder: Path, silence: Silence, file: str = FILE) -> Path:
    """Add an entry to the end of the file, on disk before this returns. Raises ConfigError."""
    path, entry = folder / file, entry_of(silence)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            before = read_bounded(path, LONGEST_BYTES)
        except FileNotFoundError:
            before = b""
        gap = "" if not before else "\n" if before.endswith(b"\n") else "\n\n"
        parse_silences(before.decode("utf-8") + gap + entry, str(path))  # never leaves a broken file
        added = (gap + entry).encode()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
        with os.fdopen(os.open(path, flags, 0o600), "ab") as opened:
            check_regular(os.fstat(opened.fileno()), path)
            opened.write(added)
            opened.flush()
            os.fsync(opened.fileno())
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "what is in it, or is added, is not UTF-8"
        raise ConfigError(
            f"{path} cannot be written: {why}", hint="Nothing is silenced. Add the entry there yourself."
        ) from error
    return path


def _silence(entry: object, at: int, source: str) -> Silence:
    where = f"{source}: the [[silence]] entry {at}"
    if not isinstance(entry, dict):
        raise ConfigError(f"{where} is no table", hint=_HINT)
    for key in _KEYS:
        value = entry.get(key)
        if key in {"since", "until"}:
            if not isinstance(value, date):  # or a datetime, which is one
                raise ConfigError(
                    f"{where} has no date {key}",
                    hint=f"Write it so: {key} = 2027-01-31, or with a time of day: 2027-01-31T08:00:00Z",
                )
        elif not isinstance(value, str) or not value.strip():
            raise ConfigError(f"{where} has no text {key}", hint=_HINT)
    if unknown := sorted(map(str, entry.keys() - set(_KEYS))):
        raise ConfigError(f"{where} has an unknown key {unknown[0]}", hint=f"Known: {', '.join(_KEYS)}.")
    texts, times = (entry[key] for key in _KEYS[:4]), (in_utc(entry[key]) for key in _KEYS[4:])
    made = Silence(*texts, *times)
    if made.until < made.since:
        raise ConfigError(
            f"{where} ends on {entry['until']}, before it begins on {entry['since']}",
            hint="`until` is when the finding speaks again.",
        )
    return made


def in_utc(when: date) -> datetime:
    """A date, which is the beginning of its day, or a time; one without a time zone is in UTC."""
    if not isinstance(when, datetime):
        return datetime.combine(when, time(), UTC)
    if when.tzinfo is None:
        return when.replace(tzinfo=UTC)
    try:
        return when.astimezone(UTC)
    except OverflowError:  # a day beyond the calendar's
        return when.replace(tzinfo=UTC)


def _written(when: datetime) -> str:
    """A time as TOML has it: the date alone where a day begins."""
    if when.time() == time():
        return when.date().isoformat()
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def _quoted(text: str) -> str:
    """A basic string of TOML: quotes, backslashes and control characters are escaped."""
    escaped = "".join(
        f"\\{char}"
        if char in '"\\'
        else f"\\u{ord(char):04X}"
        if ord(char) < 32 or ord(char) == 127
        else char
        for char in text
    )
    return f'"{escaped}"'
