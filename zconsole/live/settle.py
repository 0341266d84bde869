"""What became of a step whose end was not seen: read from the host, never guessed, never tried again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zconsole.base.errors import (
    CommandFailed,
    HostError,
    HostKeyChanged,
    HostKeyUnknown,
    ParseError,
    Stuck,
)
from zconsole.hosts.backoff import backoff
from zconsole.hosts.host import Command
from zconsole.live.ask import in_words as error_words
from zconsole.live.conditions import Telling, holds, in_words, needs_of, since
from zconsole.live.facts import Reader, read_needs
from zconsole.live.readings import read_history
from zconsole.model.facts import Identity
from zconsole.model.machine import is_still_same
from zconsole.zfs.history import Record

SETTLE_FOR_S: Final = 600.0  # then a person must look
QUIET_S: Final = 15.0  # a command that was under way when the link went would have shown itself by then
PROCESSES: Final = Command(("ps", "-eww", "-o", "args="))
HOST_TIME: Final = Command(("date", "+%s"))


class Verdict(Enum):
    """What the facts say."""

    HAPPENED = "happened"
    NOT_HAPPENED = "not happened"
    UNDER_WAY = "under way"
    OPEN = "open"  # they do not tell, or not yet
    MUTE = "mute"  # nothing there tells
    NEVER = "never"  # and no waiting will help


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with its reason."""

    verdict: Verdict
    words: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A step whose end was not seen. `sent` is epoch seconds of this machine's clock.

    `sent_monotonic` is the same moment where this process sent it: its wall clock may jump meanwhile.
    """

    argv: tuple[str, ...]
    pool: str
    conditions: tuple[Telling, ...]
    sent: float
    identity: Identity
    sent_monotonic: float | None = None
    command: Command | None = None  # as it was sent, where this process sent it


async def settle(
    reader: Reader, doubt: Doubt, told: Callable[[str], Awaitable[None]] | None = None
) -> Judged:
    """Wait for the host, look until it is known, at most `SETTLE_FOR_S`. Raises nothing of the host's."""
    clock = reader.clock
    began = clock.monotonic()
    quiet_since: float | None = None
    attempt = 0
    while True:
        judged = await _look(reader, doubt)
        now = clock.monotonic()
        match judged.verdict:
            case Verdict.HAPPENED | Verdict.NEVER:
                return judged
            case Verdict.NOT_HAPPENED | Verdict.MUTE:
                quiet_since = now if quiet_since is None else quiet_since
                if now - quiet_since >= QUIET_S:
                    return judged
            case Verdict.UNDER_WAY | Verdict.OPEN:
                quiet_since = None
        if now - began >= SETTLE_FOR_S:
            return Judged(Verdict.OPEN, judged.words)
        if told is not None:
            await told(judged.words)
        await clock.sleep(backoff(attempt))
        attempt += 1


async def _look(reader: Reader, doubt: Doubt) -> Judged:
    """Read the host once."""
    try:
        await reader.host.connect()
        return await look(reader, doubt)
    except (HostKeyChanged, HostKeyUnknown) as error:
        return Judged(Verdict.NEVER, error_words(error))
    except (HostError, ParseError) as error:
        return Judged(Verdict.OPEN, error_words(error))


async def look(reader: Reader, doubt: Doubt) -> Judged:
    """What the facts say now. Raises HostError and ParseError."""
    facts = await read_needs(reader, needs_of(doubt.conditions), doubt.pool)
    if not is_still_same(doubt.identity, facts.identity):
        return Judged(Verdict.NEVER, f"another machine answers as {reader.host.label} now")
    history, sent = await _history(reader, doubt, [pool.name for pool in facts.pools])
    if await _is_under_way(reader, doubt):
        return Judged(Verdict.UNDER_WAY, f"{' '.join(doubt.argv)} still runs there")
    conditions = [(told, holds(told, facts, history, sent=sent)) for told in doubt.conditions]
    return judge(doubt.argv, conditions, None if history is None else since(history, sent))


def judge(
    argv: Sequence[str], conditions: Sequence[tuple[Telling, bool | None]], history: Sequence[Record] | None
) -> Judged:
    """From conditions, whether each holds, and the commands in the history since the step was sent."""
    line = " ".join(argv)
    held = [in_words(told.condition) for told, value in conditions if value is True]
    failing = [in_words(told.condition) for told, value in conditions if value is False]
    is_recorded = history is not None and any(record.text == line for record in history)
    if conditions and len(held) == len(conditions):
        return Judged(Verdict.HAPPENED, f"it happened: {'; '.join(held)}")
    if is_recorded and not failing:
        return Judged(Verdict.HAPPENED, "it happened: the pool's history has it, which keeps what succeeded")
    if not conditions:
        return Judged(Verdict.MUTE, f"nothing on the host tells whether it happened; look at: {line}")
    if is_recorded:
        return Judged(Verdict.OPEN, f"the history has it, and yet it is not so: {'; '.join(failing)}")
    if len(failing) == len(conditions):
        return Judged(Verdict.NOT_HAPPENED, f"it did not happen: not so: {'; '.join(failing)}")
    if not held and not failing:
        return Judged(Verdict.OPEN, f"what would tell cannot be read; look at: {_all(conditions)}")
    partly = f"so: {'; '.join(held) or 'nothing'}; not so, or not known: {_others(conditions)}"
    return Judged(Verdict.OPEN, f"it may have happened in part; {partly}")


async def _history(
    reader: Reader, doubt: Doubt, pools: Sequence[str]
) -> tuple[Sequence[Record] | None, float]:
    """The pool's history, or None where nobody tells it, and when the step was sent by the host's clock."""
    if doubt.pool not in pools:
        return None, 0.0
    completed = await reader.asker.run(HOST_TIME, kind="time")
    text = completed.stdout.strip()
    if not completed.is_done or not text.isdigit():
        return None, 0.0
    ago = (
        reader.clock.now() - doubt.sent
        if doubt.sent_monotonic is None
        else reader.clock.monotonic() - doubt.sent_monotonic
    )
    try:
        return await read_history(reader.asker, reader.privilege, doubt.pool), int(text) - ago
    except (CommandFailed, Stuck):  # a suspended pool: its other facts may tell
        return None, 0.0


async def _is_under_way(reader: Reader, doubt: Doubt) -> bool:
    """Whether it still runs there; where no process list is to be had, waiting must serve instead."""
    if doubt.command is not None and reader.host.is_lingering(doubt.command):
        return True
    completed = await reader.asker.run(PROCESSES, kind="processes")
    if not completed.is_done:
        return False
    line = " ".join(doubt.argv)
    return any(line in each for each in completed.stdout.decode("utf-8", "replace").split("\n"))


def _all(conditions: Sequence[tuple[Telling, bool | None]]) -> str:
    return "; ".join(in_words(told.condition) for told, _ in conditions)


def _others(conditions: Sequence[tuple[Telling, bool | None]]) -> str:
    return "; ".join(in_words(told.condition) for told, value in conditions if value is not True)
