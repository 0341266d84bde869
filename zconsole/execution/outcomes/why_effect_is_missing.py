"""Missing effects after a successful command: never achieved, or changed since.

ZFS ends most commands with status 0 only after their effect. If it is missing a moment later, somebody
changed it or exchanged the objects before; the pool's history shows which. Commands that may succeed without
effect say so, or the device is unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from zconsole.actions.plan import ConditionKind
from zconsole.base.bounded_int import natural
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.readings.facts_for_plans import read_history
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.outcomes.evaluate_step_condition import label_seen, since, state_seen
from zconsole.execution.outcomes.step_condition_in_words import in_words
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck
from zconsole.execution.outcomes.uncertain_step import HOST_TIME, may_miss
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.listing.history import HistoryRecord

LOOK_S: Final = 30.0  # maximum age of the identity check before a command was sent
_STILL_FAULTED: Final = "remains in faulted state"  # on stdout of `zpool online`, with exit status 0
_LAST_COPY: Final = "DEGRADED"  # result of `offline -f` on the last copy, with exit status 0
_NAMED: Final = 3


class ObjectFate(Enum):
    """Fate of an effect."""

    NEVER = "never"  # never achieved
    SINCE = "since"  # achieved and changed later
    OPEN = "open"  # undecided


@dataclass(frozen=True, slots=True)
class SuccessfulCommand:
    """Command with exit status 0 and its output; sent time in monotonic seconds."""

    argv: tuple[str, ...]
    said: str
    sent: float


@dataclass(frozen=True, slots=True)
class SurroundingHistory:
    """Records of others in the pool's history, before and after a command."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


async def read_around(reader: Reader, success: SuccessfulCommand, pool: str) -> SurroundingHistory | None:
    """From the pool's history; None when it or the host's time is unreadable. Raises HostError."""
    completed = await reader.asker.run(HOST_TIME, kind="time")
    now = natural(completed.stdout.strip().decode("ascii", "replace"))
    if not completed.is_done or now is None:
        return None
    try:
        history = await read_history(reader.asker, reader.privilege, pool)
    except (CommandFailed, ParseError, Stuck):
        return None
    if history is None:
        return None
    ago = reader.clock.monotonic() - success.sent + LOOK_S
    return around(since(history, now - ago), success.argv)


def around(records: Sequence[HistoryRecord], argv: Sequence[str]) -> SurroundingHistory:
    """Split at the command's last record; a command that ZFS does not record may precede all."""
    lines = [record.text for record in records]
    ours = " ".join(argv)
    at = len(lines) - 1 - lines[::-1].index(ours) if ours in lines else len(lines)
    return SurroundingHistory(tuple(lines[:at]), tuple(lines[at + 1 :]))


def fate(
    success: SuccessfulCommand, told: ConditionCheck, facts: PlanFacts, others: SurroundingHistory | None
) -> ObjectFate:
    """Fate of a condition that does not hold after a command that should achieve it."""
    match told.condition.kind:
        case ConditionKind.LABEL_GONE:
            now = label_seen(told.condition, facts)
            if not now or not told.before:
                return ObjectFate.OPEN
            return ObjectFate.NEVER if now == told.before else ObjectFate.SINCE
        case (
            ConditionKind.SAME_SNAPSHOT
            | ConditionKind.GUEST_DISK
            | ConditionKind.GUEST_AT_BOOT
            | ConditionKind.GUEST_GONE
        ):
            return ObjectFate.NEVER
        case ConditionKind.VDEV_STATE if _STILL_FAULTED in success.said:
            return ObjectFate.NEVER
        case ConditionKind.VDEV_STATE if may_miss(success.argv):
            now = state_seen(told.condition, facts)
            is_as_before = now == told.before and (others is None or not others.after)
            is_kept = success.argv[1] == "offline" and now == _LAST_COPY
            return ObjectFate.NEVER if is_as_before or is_kept else ObjectFate.OPEN
    if others is None or others.before:
        return ObjectFate.OPEN
    return ObjectFate.SINCE if others.after or _changes_unrecorded(told, success.argv) else ObjectFate.OPEN


def _changes_unrecorded(told: ConditionCheck, argv: Sequence[str]) -> bool:
    """Whether the condition can be undone without a command in the pool's history."""
    if told.condition.kind is ConditionKind.VDEV_STATE:
        return argv[1] in {"offline", "online"}  # by pulling the device, or by ZED
    return told.condition.kind is ConditionKind.PROPERTY_IS and told.condition.key == "mounted"


def missing_effect_sentence(
    what: ObjectFate, told: ConditionCheck, facts: PlanFacts, others: SurroundingHistory | None
) -> str:
    """Text of a fate, as a clause."""
    is_state = told.condition.kind is ConditionKind.VDEV_STATE
    state = state_seen(told.condition, facts) or "no part of the pool any more"
    it_is = f"; it is {state}" if is_state else ""
    match what:
        case ObjectFate.NEVER:
            return f"not so: {in_words(told)}{it_is}"
        case ObjectFate.SINCE:
            return f"changed since, and not so any more: {in_words(told)}{it_is}{_ran(others)}"
        case ObjectFate.OPEN:
            return f"not so now, and not known whether it was: {in_words(told)}{it_is}{_ran(others)}"


def _ran(others: SurroundingHistory | None) -> str:
    if others is None:
        return ""
    ran = (*others.before, *others.after)
    more = f" and {len(ran) - _NAMED} more" if len(ran) > _NAMED else ""
    return f" (somebody ran: {'; '.join(ran[-_NAMED:])}{more})" if ran else ""
