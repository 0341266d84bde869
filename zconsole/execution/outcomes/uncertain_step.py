"""Settlement of a step whose end was not seen: from the host's facts, never by repeating it.

Absence proves nothing by itself: the command must be unable to run any more
(`execution/outcomes/trace_for_finding_sent_command.py`), and the host unchanged in readings at least a
minute apart. Until then the end is unknown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
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
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.read_command_runner import in_words as error_words
from zconsole.collect.readings.facts_for_plans import read_history
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.read_facts import read_needs
from zconsole.execution.outcomes.evaluate_step_condition import holds, since
from zconsole.execution.outcomes.step_condition_in_words import in_words
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck, needs_of
from zconsole.execution.outcomes.trace_for_finding_sent_command import CommandTrace, read_presence
from zconsole.execution.run_context import TracesGone
from zconsole.hosts.host import Command
from zconsole.hosts.process_list_and_command_search import StillRunning
from zconsole.hosts.ssh.reconnect_backoff import backoff
from zconsole.model.host.machine_identity import MachineIdentity, is_still_same
from zconsole.zfs.listing.history import HistoryRecord

SETTLE_FOR_S: Final = 90.0  # maximum wait of a user; later it is settled in the background
APART_S: Final = 60.0  # minimum between the first and last reading without effect
HOST_TIME: Final = Command(("date", "+%s"))
_DIGITS: Final = 12  # digits of epoch seconds
_TOLD: Final = 5  # objects named in a sentence


class Settlement(Enum):
    """Conclusion from the facts."""

    HAPPENED = "happened"
    NOT_HAPPENED = "not happened"
    UNDER_WAY = "under way"
    OPEN = "open"  # undecided so far
    MUTE = "mute"  # no fact decides
    NEVER = "never"  # and waiting will not help


@dataclass(frozen=True, slots=True)
class Judged:
    """Settlement with its reason."""

    verdict: Settlement
    words: str


@dataclass(frozen=True, slots=True)
class UncertainStep:
    """Step whose end was not seen. `sent` is epoch seconds of this machine's clock.

    `sent_monotonic` is the same time if this process sent it, because the wall clock may jump.
    """

    argv: tuple[str, ...]
    pool: str
    conditions: tuple[ConditionCheck, ...]
    sent: float
    identity: MachineIdentity
    sent_monotonic: float | None = None
    command: Command | None = None  # if this process sent it
    trace: CommandTrace = field(default_factory=CommandTrace)


async def settle(  # noqa: PLR0913 - each has a good default
    reader: Reader,
    doubt: UncertainStep,
    told: Callable[[str], Awaitable[None]] | None = None,
    *,
    quiet: TracesGone | None = None,
    for_s: float | None = None,
    leaving: asyncio.Event | None = None,
    only_while_quiet: bool = False,
) -> Judged:
    """Check until settled, at least once, for `for_s` or `SETTLE_FOR_S`. Raises no host errors.

    Without effect on the host the deciding minute is awaited, unless `for_s` is 0; `quiet` continues earlier
    checks. Ends on `leaving`; with `only_while_quiet` when further waiting is not certain to decide. A
    settlement based on absence stays OPEN until it is proved.
    """
    clock = reader.clock
    quiet = TracesGone() if quiet is None else quiet
    began = clock.monotonic()
    most = SETTLE_FOR_S if for_s is None else for_s
    attempt = 0
    while True:
        judged = await _look(reader, doubt)
        now = clock.monotonic()
        if judged.verdict in {Settlement.HAPPENED, Settlement.NEVER}:
            return judged
        is_quiet = judged.verdict in {Settlement.NOT_HAPPENED, Settlement.MUTE}
        quiet.since = (now if quiet.since is None else quiet.since) if is_quiet else None
        if quiet.since is not None:
            if now - quiet.since >= APART_S:
                return judged
            judged = Judged(Settlement.OPEN, f"so far {judged.words}; it is looked at again to make sure")
        is_left = leaving is not None and leaving.is_set()
        is_over = only_while_quiet or now - began >= most
        if is_left or (is_over and not (is_quiet and most)):  # one quiet minute is certain to decide
            return judged
        if told is not None:
            await told(judged.words)
        await _sleep(reader, backoff(attempt), leaving)
        attempt += 1


async def _sleep(reader: Reader, seconds: float, leaving: asyncio.Event | None) -> None:
    """Sleep until the time is over or somebody leaves."""
    if leaving is None:
        await reader.clock.sleep(seconds)
        return
    both = (asyncio.ensure_future(reader.clock.sleep(seconds)), asyncio.ensure_future(leaving.wait()))
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in both:
            each.cancel()


async def _look(reader: Reader, doubt: UncertainStep) -> Judged:
    """Check the host once."""
    try:
        await reader.host.connect()
        return await judge_once(reader, doubt)
    except (HostKeyChanged, HostKeyUnknown) as error:
        return Judged(Settlement.NEVER, error_words(error))
    except (HostError, ParseError) as error:
        return Judged(Settlement.OPEN, error_words(error))


async def judge_once(reader: Reader, doubt: UncertainStep) -> Judged:
    """Settlement by the present facts. Raises HostError and ParseError.

    Processes are read first: the effects of those already gone are visible in the later readings.
    """
    sent = await _host_sent(reader, doubt)
    left = await read_presence(reader.asker, doubt.argv, doubt.trace, sent, doubt.command)
    facts = await read_needs(reader, needs_of(doubt.conditions), doubt.pool)
    if not is_still_same(doubt.identity, facts.identity):
        return Judged(Settlement.NEVER, f"another machine answers as {reader.host.label} now")
    if left.chance is StillRunning.RUNS:
        return Judged(Settlement.UNDER_WAY, left.words)
    history = await _history(reader, doubt, sent, [pool.name for pool in facts.pools])
    conditions = [(told, holds(told, facts, history, sent=sent or 0.0)) for told in doubt.conditions]
    records = None if history is None else since(history, sent or 0.0)
    judged = judge(doubt.argv, conditions, records)
    if judged.verdict in {Settlement.NOT_HAPPENED, Settlement.MUTE} and left.chance is not StillRunning.GONE:
        seen = "" if judged.verdict is Settlement.MUTE else "; so far not so: " + _failing(conditions)
        return Judged(Settlement.OPEN, f"{left.words}{seen}")
    if judged.verdict in {Settlement.NOT_HAPPENED, Settlement.MUTE}:
        return Judged(judged.verdict, f"{judged.words}; {left.words}")
    return judged


def judge(
    argv: Sequence[str],
    conditions: Sequence[tuple[ConditionCheck, bool | None]],
    history: Sequence[HistoryRecord] | None,
) -> Judged:
    """From conditions with their truth, and commands in the history since the step was sent.

    A step that happened without its intended result is undecided: it failed, or was undone.
    """
    judged = _judge(argv, [each for each in conditions if not each[0].is_aim], history)
    missed = [told for told, value in conditions if told.is_aim and value is not True]
    if judged.verdict is Settlement.HAPPENED and missed:
        return Judged(Settlement.OPEN, f"{judged.words}; and yet not so, or not known: {_all(missed)}")
    return judged


def may_miss(argv: Sequence[str]) -> bool:
    """Whether a command may succeed without effect: bad devices, and the last good copy."""
    return argv[1] == "clear" or (argv[1] == "offline" and "-f" in argv)


def _judge(
    argv: Sequence[str],
    conditions: Sequence[tuple[ConditionCheck, bool | None]],
    history: Sequence[HistoryRecord] | None,
) -> Judged:
    line = " ".join(argv)
    held = [told for told, value in conditions if value is True]
    failing = [told for told, value in conditions if value is False]
    is_recorded = history is not None and any(record.text == line for record in history)
    if conditions and len(held) == len(conditions):
        return Judged(Settlement.HAPPENED, f"it happened: {_all(held)}")
    if is_recorded and not failing and (len(held) == len(conditions) or not may_miss(argv)):
        return Judged(
            Settlement.HAPPENED, "it happened: the pool's history has it, which keeps what succeeded"
        )
    if not conditions:
        return Judged(Settlement.MUTE, f"nothing on the host shows whether it happened; check: {line}")
    if is_recorded:
        return Judged(Settlement.OPEN, f"the history has it, and yet it is not so: {_all(failing)}")
    if len(failing) == len(conditions):
        return Judged(Settlement.NOT_HAPPENED, f"it did not happen: not so: {_all(failing)}")
    if not held and not failing:
        unread = [told for told, _ in conditions]
        return Judged(Settlement.OPEN, f"the facts that decide it cannot be read; check: {_all(unread)}")
    others = [told for told, value in conditions if value is not True]
    partly = f"so: {_all(held) or 'nothing'}; not so, or not known: {_all(others)}"
    return Judged(Settlement.OPEN, f"it may have happened in part; {partly}")


async def _host_sent(reader: Reader, doubt: UncertainStep) -> float | None:
    """Sent time by the host's clock; None when unknown."""
    completed = await reader.asker.run(HOST_TIME, kind="time")
    text = completed.stdout.strip()
    if not completed.is_done or not text.isdigit() or len(text) > _DIGITS:
        return None
    ago = (
        reader.clock.now() - doubt.sent
        if doubt.sent_monotonic is None
        else reader.clock.monotonic() - doubt.sent_monotonic
    )
    return int(text) - ago


async def _history(
    reader: Reader, doubt: UncertainStep, sent: float | None, pools: Sequence[str]
) -> Sequence[HistoryRecord] | None:
    """The pool's history, or None when it or its time base is unavailable."""
    if doubt.pool not in pools or sent is None:
        return None
    try:
        return await read_history(reader.asker, reader.privilege, doubt.pool)
    except (CommandFailed, Stuck):  # a suspended pool: other facts may decide
        return None


def _failing(conditions: Sequence[tuple[ConditionCheck, bool | None]]) -> str:
    return _all([told for told, value in conditions if value is False])


def _all(tellings: Sequence[ConditionCheck]) -> str:
    """Conjunction of conditions as text, the first few by name."""
    words = [in_words(told) for told in tellings[:_TOLD]]
    more = len(tellings) - len(words)
    return "; ".join([*words, f"and {more} more"] if more else words)
