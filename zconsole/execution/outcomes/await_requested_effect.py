"""Wait for the effect of a command that only asks for it, as `virsh shutdown` asks a guest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Final

from zconsole.actions.plan import Condition, ConditionKind, Step
from zconsole.base.durations_in_words import lasting
from zconsole.base.errors import HostError, ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.guests.read_guests_to_change import read_guest_states
from zconsole.collect.guests.read_stored_definition import read_stored_definition
from zconsole.collect.read_command_runner import in_words
from zconsole.execution.exit_during_reads_and_changes import UserLeft, unless_left
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.model.guests.guest import GuestState
from zconsole.model.guests.stored_definition import StoredDefinition

FIRST_S: Final = 0.25  # pause before the second look; then twice as long each time
LONGEST_S: Final = 2.0


class Awaited(Enum):
    """How the wait ended."""

    SO = "so"
    NOT_SO = "not so"  # at the deadline, or when the user stopped it
    NOT_SEEN = "not seen"  # the host did not tell, at the end: what is so is to be settled


@dataclass(frozen=True, slots=True)
class Wait:
    """End of a wait, and what is so instead, or why that is not known."""

    state: Awaited
    words: str = ""


async def await_effect(
    reader: Reader, step: Step, leaving: Sequence[asyncio.Event], told: Callable[[str], None]
) -> Wait:
    """Look until all conditions of the step hold, its deadline has passed, or the user leaves.

    A lost link is opened again until the deadline. Raises nothing of the host.
    """
    return await _wait(reader, step, leaving, told, _is_there)


async def await_libvirt(
    reader: Reader, step: Step, leaving: Sequence[asyncio.Event], told: Callable[[str], None]
) -> bool:
    """Look until libvirt tells of the guests of the step, as long as the step may wait; whether it does.

    For a command that did not reach libvirt, which may be restarted just then. Raises nothing of the host.
    """
    waited = await _wait(reader, step, leaving, told, _is_told)
    return waited.state is Awaited.SO


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one look has seen: what is not so, a clause each; or why the host did not tell."""

    not_so: tuple[str, ...] = ()
    untold: str = ""


def _is_there(seen: _Seen) -> bool:
    return not seen.untold and not seen.not_so


def _is_told(seen: _Seen) -> bool:
    return not seen.untold


async def _wait(
    reader: Reader,
    step: Step,
    leaving: Sequence[asyncio.Event],
    told: Callable[[str], None],
    is_enough: Callable[[_Seen], bool],
) -> Wait:
    clock = reader.clock
    began = clock.monotonic()
    pause_s = FIRST_S
    while True:
        left = [each for each in leaving if each.is_set()]
        seen = await _look(reader, step.settled_by)
        if is_enough(seen):
            return Wait(Awaited.SO)
        waited_s = clock.monotonic() - began
        words = "; ".join(seen.not_so) or seen.untold
        if left or waited_s >= step.waits_s:
            late = "you stopped waiting:" if left else f"after {lasting(waited_s)}"
            asked = f"{late} {words}; it was asked, and may still do it"
            return Wait(Awaited.NOT_SEEN, f"{late} {words}") if seen.untold else Wait(Awaited.NOT_SO, asked)
        told(f"for {lasting(waited_s)} of at most {lasting(step.waits_s)}: {words}")
        try:
            await unless_left(clock.sleep(min(pause_s, step.waits_s - waited_s)), *leaving)
        except UserLeft:
            continue
        pause_s = min(LONGEST_S, 2 * pause_s)


async def _look(reader: Reader, conditions: Sequence[Condition]) -> _Seen:
    try:
        await reader.host.connect()
        states = dict(await read_guest_states(reader.asker, [each.object for each in conditions]))
        forgotten = {each.object for each in conditions if await _is_forgotten(reader, each, states)}
    except (HostError, ParseError) as error:
        return _Seen(untold=in_words(error))
    conditions = [each for each in conditions if each.object not in forgotten]
    untold = [each.key for each in conditions if each.object not in states]
    if untold:
        return _Seen(untold=f"libvirt does not tell the state of {', '.join(untold)}")
    return _Seen(
        tuple(
            f"guest {each.key} is {_now(states[each.object])}"
            for each in conditions
            if states[each.object].in_words not in each.value.split("|")
        )
    )


async def _is_forgotten(reader: Reader, condition: Condition, states: Mapping[str, GuestState]) -> bool:
    """Whether libvirt has certainly no definition of a guest that is to be gone once it is off."""
    if condition.kind is not ConditionKind.GUEST_GONE or condition.object in states:
        return False
    stored = await read_stored_definition(reader.asker, condition.object)
    return isinstance(stored, StoredDefinition) and not stored.is_defined


def _now(state: GuestState) -> str:
    return f"still {state.in_words}" if state.is_active else state.in_words
