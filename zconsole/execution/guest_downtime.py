"""How long the guest of a plan was off, or that it was left off, by the times of the steps in the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import itemgetter

from zconsole.actions.action_usage_and_plan_command import plan_command
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Condition, ConditionKind, Plan
from zconsole.actions.storage_at_rest import READONLY
from zconsole.base.durations_in_words import lasting
from zconsole.base.lazy_dataclass import dataclass
from zconsole.execution.run_context import RunContext
from zconsole.model.guests.guest import GuestState
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import Run, StepRun
from zconsole.storage.journal import JournalError
from zconsole.system.libvirt import domain_power


async def read_downtime(context: RunContext, plan: Plan, run: Run) -> str:
    """The downtime in words, with what earlier runs in the journal have sent; empty for other plans."""
    if not any(_steps_to(plan, run, GuestState.RUNNING)):
        return ""

    def runs_on_host() -> tuple[Entry, ...]:
        return context.journal.entries(host=run.host)

    earlier: tuple[Entry, ...] = ()
    with suppress(JournalError):
        earlier = await context.write(runs_on_host)
    return downtime_in_words(plan, run, [each for each in earlier if each.id != run.id])


def downtime_in_words(plan: Plan, run: Run, earlier: Iterable[Entry] = ()) -> str:
    """`web01 was off for 50 seconds (1 minute and 5 seconds from the request to shut down until it ran)`.

    Off is from the look at which libvirt first said that the guest is off until that at which it first said
    that it runs. Where the former was not seen, as over a lost link, only the time since the request is told.
    The request may be in an earlier run of the same action; empty when it is in none.
    """
    if plan.intent.action == "guest-start":
        return ""
    known = tuple(earlier)
    asked = {guest.object: step for step, guest in _steps_to(plan, run, GuestState.SHUT_OFF)}
    found: list[str] = []
    for on, guest in _steps_to(plan, run, GuestState.RUNNING):
        step = asked.get(guest.object)
        off = _times(step.started, step) if step is not None else _earlier_times(plan, guest, known)
        if off is not None and on.ended is not None:
            found.append(_in_words(guest.key, off, on.ended, at_most="at most " if on.settled else ""))
    return "; ".join(found)


@dataclass(frozen=True, slots=True)
class _Off:
    """Times of a guest that was shut down, in epoch seconds; `seen` is None where no look told that it is."""

    requested: float
    seen: float | None


def _times(requested: float | None, step: StepRun | StepEntry) -> _Off | None:
    if requested is None:
        return None
    is_seen = step.state == "done" and not step.settled
    return _Off(requested, step.ended if is_seen else None)


def _in_words(name: str, off: _Off, ran: float, *, at_most: str) -> str:
    whole = f"{at_most}{lasting(ran - off.requested)}"
    if off.seen is None:
        return f"{name} ran {whole} after the request to shut down"
    return (
        f"{name} was off for {at_most}{lasting(ran - off.seen)} "
        f"({whole} from the request to shut down until it ran)"
    )


def left_off_in_words(plan: Plan, run: Run) -> str:
    """That the guest was shut down and not started again; empty where that is not so, or not known."""
    off, guest = next(_steps_to(plan, run, GuestState.SHUT_OFF), (None, None))
    on, _ = next(_steps_to(plan, run, GuestState.RUNNING), (None, None))
    if off is None or on is None or guest is None or off.state != "done" or on.state in {"done", "unknown"}:
        return ""
    again = f"{plan_command(plan.intent)} tells what is left"
    if made_read_only(plan, run):
        return f"{guest.key} was shut down by this run: {again}; or, {way_back_from(plan, run)}"
    if any(state != "waiting" for state in _definitions(plan, run)):
        return f"{guest.key} was shut down by this run: {again}"
    start = plan_command(Intent("guest-start", guest.key))
    return f"{guest.key} was shut down by this run: {again}, or {start} to start it as it is defined"


def _definitions(plan: Plan, run: Run) -> Iterator[str]:
    """The states of the steps that define a disk elsewhere: what is there may lack what was written since."""
    for step, done in zip(plan.steps, run.steps, strict=True):
        if any(condition.kind is ConditionKind.GUEST_DISK for condition in step.settled_by):
            yield done.state


def way_back_from(plan: Plan, run: Run) -> str:
    """How a guest is started as it was before a move to another host, and by nobody at the new place."""
    opened = [
        f"on {host}, zfs set readonly=on {name}; "
        for host, name, state in _set_read_only(plan, run, "off")
        if host and state in {"done", "unknown"}
    ]
    return (
        f"{''.join(opened)}on {run.host}, zfs set readonly=off {made_read_only(plan, run)}, then guest-start "
        "to start it as it was"
    )


def made_read_only(plan: Plan, run: Run) -> str:
    """The old place that a move to another host has made read-only; "" in other plans."""
    closed = _set_read_only(plan, run, "on")
    return next((name for host, name, state in closed if not host and state == "done"), "")


def _set_read_only(plan: Plan, run: Run, value: str) -> Iterator[tuple[str, str, str]]:
    """The other host or "", the dataset and the state of each step that sets readonly to this value."""
    for step, done in zip(plan.steps, run.steps, strict=True):
        for condition in step.settled_by:
            is_property = condition.kind is ConditionKind.PROPERTY_IS
            if is_property and (condition.key, condition.value) == (READONLY, value):
                yield step.on, condition.object, done.state


def _steps_to(plan: Plan, run: Run, state: GuestState) -> Iterator[tuple[StepRun, Condition]]:
    """The steps that bring guests into a state, with the condition that names the guest."""
    for step, done in zip(plan.steps, run.steps, strict=True):
        for condition in step.settled_by:
            if condition.kind is ConditionKind.GUEST_STATE and state.in_words in condition.value.split("|"):
                yield done, condition


def _earlier_times(plan: Plan, guest: Condition, earlier: Iterable[Entry]) -> _Off | None:
    """When this action last asked the guest to shut down and did not start it again."""
    steps = [
        step
        for entry in earlier
        if (entry.action, entry.target) == (plan.intent.action, plan.target)
        for step in entry.steps
    ]
    asked, started = (
        max(
            (
                (step.sent, step)
                for step in steps
                if step.argv == argv and step.state in kinds and step.sent is not None
            ),
            default=None,
            key=itemgetter(0),
        )
        for argv, kinds in (
            (domain_power.shutdown(guest.object), frozenset({"sent", "done", "unknown"})),
            (domain_power.start(guest.object), frozenset({"done"})),
        )
    )
    if asked is None or (started is not None and started[0] > asked[0]):
        return None
    return _times(*asked)
