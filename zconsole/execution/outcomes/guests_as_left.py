"""How a run that ended early has left the guests that it shut down: as they are then, and what may be done.

That a step has shut a guest down does not say that it is off: somebody may have started it since. And that a
plan was possible does not say that the next one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.action_spec import Needs
from zconsole.actions.action_usage_and_plan_command import plan_command
from zconsole.actions.guest.shut_down_guests_first import SHUT_DOWN_GUESTS
from zconsole.actions.guest.start_shutdown_suspend_resume import START
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Condition, ConditionKind, Plan
from zconsole.base.errors import HostError, ParseError
from zconsole.base.name_lists import shortened
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.read_facts import read_needs
from zconsole.execution.guest_downtime import made_read_only, way_back_from
from zconsole.execution.prepare_plan import why_refused, why_refused_or_lost
from zconsole.model.guests.guest import GuestState
from zconsole.model.run import Run

MOVE: Final = "guest-move"
_NAMED: Final = 5


def shut_down_by(plan: Plan, run: Run) -> tuple[Condition, ...]:
    """The guests that the run has shut down and has not started again, each by the condition of its step."""
    off: dict[str, Condition] = {}
    for step, ran in zip(plan.steps, run.steps, strict=True):
        for condition in step.settled_by:
            if condition.kind is not ConditionKind.GUEST_STATE:
                continue
            if GuestState.SHUT_OFF.in_words in condition.value.split("|"):
                off |= {condition.object: condition} if ran.state == "done" else {}
            elif ran.state in {"done", "unknown"}:
                off.pop(condition.object, None)
    return tuple(off.values())


def left_off(plan: Plan, run: Run) -> str:
    """Words on guests that the run has shut out of the way and not started again, or ""; nothing is read."""
    off = [each.key for each in shut_down_by(plan, run)]
    if not off or not plan.intent.flag(SHUT_DOWN_GUESTS.name):
        return ""
    return _to_be_started(off, [plan_command(Intent(START, name)) for name in off[:_NAMED]])


async def guests_as_left(reader: Reader, plan: Plan, run: Run) -> str:
    """The guests as they are now, with what the next plan would be; empty where the run shut none down.

    Of a move the next plan is told in any case.
    """
    off = shut_down_by(plan, run)
    if not off:
        return (await _outlook(reader, plan.intent))[0] if plan.intent.action == MOVE else ""
    try:
        facts = await read_needs(reader, Needs(guest_states=tuple(each.object for each in off)), "")
    except (HostError, ParseError):
        return _unread([each.key for each in off])
    states = {each.key: facts.guest_state(each.object) for each in off}
    words = [f"{name} is {state.in_words} now: somebody has started it"
             for name, state in states.items()
             if state not in {None, GuestState.SHUT_OFF}]  # fmt: skip
    unread = [name for name, state in states.items() if state is None]
    words += [_unread(unread)] if unread else []
    still = [name for name, state in states.items() if state is GuestState.SHUT_OFF]
    if plan.intent.action == MOVE:
        words.append(await _of_move(reader, plan, run, still))
    elif still:
        words.append(await _started_again(reader, still))
    return "; ".join(filter(None, words))


def _unread(names: list[str]) -> str:
    was = "was" if len(names) == 1 else "were"
    return (
        f"{shortened(names, _NAMED)} {was} shut down by this run, and what state libvirt has now was not read"
    )


async def _of_move(reader: Reader, plan: Plan, run: Run, off: list[str]) -> str:
    """How the move goes on, or that it does not; and how a guest that is off is started as it is."""
    again, is_possible = await _outlook(reader, plan.intent)
    if not off:
        return again
    kept = made_read_only(plan, run)
    wanted = Intent(START, off[0])
    why, lost = ("", "") if kept else await why_refused_or_lost(reader, wanted)
    if lost:
        return f"{off[0]} is off: {again}; do not start it: {lost}"
    start = way_back_from(plan, run) if kept else f"{plan_command(wanted)} to start it as it is defined"
    if why:
        return f"{off[0]} is off: {again}; {plan_command(wanted)} is refused now: {why}"
    if is_possible:
        return f"{off[0]} is off: {again}, or {start}"
    return f"{off[0]} is off: {start}; {again}"


async def _outlook(reader: Reader, wanted: Intent) -> tuple[str, bool]:
    """What the same words would do now: `COMMAND goes on`, or why it is refused; whether it may go on."""
    why, command = await why_refused(reader, wanted), plan_command(wanted)
    if why is None:
        return f"{command} tells whether it goes on", True
    return (f"{command} is refused now: {why}", False) if why else (f"{command} goes on", True)


async def _started_again(reader: Reader, names: list[str]) -> str:
    """How guests that were in the way are started, or why they cannot be."""
    ways: list[str] = []
    for name in names[:_NAMED]:
        wanted = Intent(START, name)
        why = await why_refused(reader, wanted)
        ways.append(plan_command(wanted) + (f", which is refused now: {why}" if why else ""))
    return _to_be_started(names, ways)


def _to_be_started(names: Sequence[str], ways: Sequence[str]) -> str:
    """`web01 was shut down by this run, started again by ...`; the ways are those of the first names."""
    more = f"; and {len(names) - len(ways)} more" if len(names) > len(ways) else ""
    was = "was" if len(names) == 1 else "were"
    return f"{shortened(names, _NAMED)} {was} shut down by this run, started again by {'; '.join(ways)}{more}"
