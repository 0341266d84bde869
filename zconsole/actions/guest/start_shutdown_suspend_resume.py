"""Start, shut down, suspend and resume a guest of libvirt."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import DEPENDS, ActionSpec, Draft, Needs, Option, Planner
from zconsole.actions.checks.command_to_free_space import space_to_free
from zconsole.actions.guest.disks_of_other_guests import check_disks_of_others
from zconsole.actions.guest.guest_being_moved import refuse_being_moved
from zconsole.actions.guest.guest_steps import (
    SHUTDOWN_WITHIN_S,
    resume_step,
    shutdown_step,
    start_step,
    suspend_step,
    where,
)
from zconsole.actions.guest.images_at_start import images_in_chains, refuse_missing, warn_of_unread_chains
from zconsole.actions.guest.move.defined_at_new_place import (
    needs_of_old_places,
    needs_of_places,
    warn_of_newer_old_place,
)
from zconsole.actions.guest.stored_definition_of_guest import stored_definition_of, warn_of_unread
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.plan import Risk
from zconsole.analysis.guests.guests_not_looked_at import number_not_looked_at
from zconsole.analysis.guests.where_to_free_space import ROOM_BYTES, dataset_to_look_at, where_to_free
from zconsole.base.bounded_int import natural
from zconsole.base.durations_in_words import lasting
from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import size
from zconsole.base.quantities import grouped, parse_duration
from zconsole.model.dataset_names import pool_of
from zconsole.model.guests.guest import Guest, GuestState, guests_named, to_type
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt import domain_power
from zconsole.zfs.change.argv_template import GUEST_UUID, GUESTS, CommandForm

START: Final = "guest-start"
LEAST, MOST = "5s", "1h"  # of the deadline
AVAILABLE: Final = "available"
LEAST_TO_RESUME: Final = 1 << 20  # bytes that one write of a guest may need
TO_GO_ON: Final = 10 << 30  # bytes to free, for a guest to go on for a while
WITHIN: Final = Option("within", "how long to wait until it is shut off (default: 2m)", kind="text")


def plan_start(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine. Refused unless the guest is shut off, and while a pool below it is suspended."""
    draft, guest = _draft("start", intent, Risk.ROUTINE, facts)
    if guest is None:
        return draft
    _refuse_state(draft, guest, why_not_start(guest))
    _refuse_suspended(draft, guest, facts)
    refuse_missing(draft, guest)
    warn_of_unread_chains(draft, guest, facts)
    check_disks_of_others(draft, guest, facts)
    warn_of_newer_old_place(draft, guest, facts)
    draft.steps.append(start_step(guest))
    draft.undo = shlex.join(domain_power.shutdown(*where(guest)))
    draft.is_reversible = True
    _tell_saved_memory(draft, guest, facts)
    return draft


def plan_shutdown(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: what it serves stops. The guest shuts itself down; at the deadline it is left running."""
    draft, guest = _draft("shut down", intent, Risk.CAUTION, facts)
    within_s = deadline_of(intent)
    if guest is None:
        return draft
    _refuse_state(draft, guest, why_not_shutdown(guest))
    _tell_what_stops(draft, guest)
    warn_of_unread(draft, guest, facts)
    is_transient = is_transient_guest(guest, facts)
    draft.steps.append(shutdown_step(guest, within_s, is_transient=is_transient))
    draft.notes.append(
        f"if it still runs after {lasting(within_s)}, it is left running, and the plan has failed"
    )
    if is_transient:
        _tell_lost_definition(draft, guest)
    else:
        draft.undo = shlex.join(domain_power.start(*where(guest)))
        draft.is_reversible = True
    return draft


def plan_suspend(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: what it serves stops, while its memory and its open connections stay."""
    draft, guest = _draft("pause", intent, Risk.CAUTION, facts)
    if guest is None:
        return draft
    _refuse_state(draft, guest, why_not_suspend(guest))
    _tell_what_stops(draft, guest)
    draft.steps.append(suspend_step(guest))
    draft.notes.append("its memory is not saved: it is lost when the host goes down")
    draft.undo = shlex.join(domain_power.resume(*where(guest)))
    draft.is_reversible = True
    return draft


def plan_resume(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine. A guest paused by an I/O error tries the I/O again."""
    draft, guest = _draft("resume", intent, Risk.ROUTINE, facts)
    if guest is None:
        return draft
    _refuse_state(draft, guest, why_not_resume(guest))
    _refuse_suspended(draft, guest, facts)
    if guest.status.is_paused_by_io_error:
        draft.notes.append(
            "an I/O error has paused it: it tries the I/O again, and is paused again if it fails"
        )
        for disk in guest.disks:
            if disk.error:
                draft.saw(f"error of {disk.disk.target} of {guest.name}", disk.error)
                draft.notes.append(f"the last error of its disk {disk.disk.target}: {disk.error}")
        _refuse_without_space(draft, guest, facts)
    draft.steps.append(resume_step(guest))
    draft.undo = shlex.join(domain_power.suspend(*where(guest)))
    draft.is_reversible = True
    return draft


def is_transient_guest(guest: Guest, facts: PlanFacts) -> bool:
    """Whether libvirt has no stored definition of it, so that it is gone once it is off."""
    stored = stored_definition_of(guest, facts)
    return stored is not None and not stored.is_persistent


def deadline_of(intent: Intent) -> float:
    """Seconds to wait for a guest to be shut off. Raises UsageError."""
    within = intent.text(WITHIN.name)
    return SHUTDOWN_WITHIN_S if within is None else parse_duration(within, bare="s", least=LEAST, most=MOST)


def guest_named(name: str, facts: PlanFacts) -> Guest:
    """The guest with this name or uuid. Raises UsageError, also where two libvirts have one of that name."""
    found = guests_named(name, facts.guests or ())
    if len(found) > 1:
        listed = " and ".join(f"{each.definition.uuid} ({each.definition.connection})" for each in found)
        raise UsageError(
            f"{name!r} is the name of {len(found)} guests of {facts.identity.label}: {listed}",
            hint="Name it by its uuid.",
        )
    if found and found[0].unread:
        raise UsageError(
            f"{name} cannot be changed on {facts.identity.label} now: {found[0].unread}",
            hint="Plan it again once libvirt answers faster.",
        )
    if found:
        return found[0]
    if number := number_not_looked_at(facts.guests or ()):
        raise UsageError(
            f"libvirt has no guest {name!r} on {facts.identity.label} among those that could be looked at; "
            f"{grouped(number)} could not",
            hint="Name it by its name, or plan it again once libvirt answers faster.",
        )
    near = difflib.get_close_matches(name, [each.name for each in facts.guests or ()], n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else _ELSEWHERE
    raise UsageError(f"libvirt has no guest {name!r} on {facts.identity.label}", hint=hint)


_ELSEWHERE: Final = (
    "zconsole guests lists them. Containers are started, stopped and moved by their engine (incus, docker)."
)


def why_not_start(guest: Guest) -> str:
    """Why it cannot be started; empty if it can."""
    state = guest.status.state
    if state is GuestState.SHUT_OFF:
        return ""
    return "it is paused: resume it" if state is GuestState.PAUSED else _state_and_what_ends_it(guest)


def why_not_shutdown(guest: Guest) -> str:
    """Why it cannot be shut down; empty if it can."""
    return "" if guest.status.state.is_executing else _state_and_what_ends_it(guest)


def _state_and_what_ends_it(guest: Guest) -> str:
    """The state of a guest that answers no request, and what ends that state; of others the state."""
    uuid = guest.definition.uuid
    match guest.status.state:
        case GuestState.PAUSED:
            return "it is paused, and hears nothing: resume it first"
        case GuestState.CRASHED:
            return f"it has crashed, and its process is still there: virsh destroy {uuid} ends it"
        case GuestState.SLEEPING:
            return f"it sleeps: wake it by virsh dompmwakeup {uuid}"
        case GuestState.SHUTTING_DOWN:
            return "it is shutting down: wait until it is off"
        case state:
            return f"it is {state.in_words}"


def why_not_suspend(guest: Guest) -> str:
    """Why it cannot be paused; empty if it can."""
    return "" if guest.status.state.is_executing else f"it is {guest.status.state.in_words}"


def why_not_resume(guest: Guest) -> str:
    """Why it cannot be resumed; empty if it can."""
    return "" if guest.status.state is GuestState.PAUSED else _state_and_what_ends_it(guest)


def _draft(verb: str, intent: Intent, risk: Risk, facts: PlanFacts) -> tuple[Draft, Guest | None]:
    """The beginning of a plan, and the guest; None where libvirt did not answer. Raises UsageError."""
    refuse_surplus_arguments(intent, 0)
    if facts.guests is None:
        draft = Draft(f"{verb} guest {intent.target}", intent.target, risk)
        why = facts.guests_problem or "the guests of this host were not read"
        draft.refuse("no-libvirt", why, "see that libvirtd runs, and that virsh reaches it")
        return draft, None
    guest = guest_named(intent.target, facts)
    draft = Draft(f"{verb} guest {guest.name}", to_type(guest), risk)
    draft.saw(f"guest {guest.name}", guest.definition.uuid)
    draft.saw(f"state of guest {guest.name}", _state_of(guest))
    refuse_being_moved(draft, guest, facts)
    places = ", ".join(guest.places)
    if places:
        draft.notes.append(f"its disks are on {places}")
    others = [f"{each.storage.role} on {', '.join(each.places)}" for each in guest.others if each.places]
    if others:
        draft.notes.append(f"its other storage: {'; '.join(others)}")
    if guest.unmapped:
        told = "; ".join(f"{what} ({why})" for what, why in guest.unmapped)
        draft.notes.append(f"what holds it is not known of {told}")
    return draft, guest


def _state_of(guest: Guest) -> str:
    by = " by an I/O error" if guest.status.is_paused_by_io_error else ""
    return f"{guest.status.state.in_words}{by}"


def _refuse_state(draft: Draft, guest: Guest, why: str) -> None:
    if why:
        draft.refuse("guest-state", f"{guest.name}: {why}")


def _refuse_suspended(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """A guest on a suspended pool would hang in its first I/O, and could not even be killed."""
    for name in dict.fromkeys(pool_of(place) for place in guest.all_places):
        pool = facts.pool(name)
        if pool is not None and pool.is_suspended:
            draft.refuse(
                "suspended", f"{name}, which storage of {guest.name} is on, is suspended",
                "bring its devices back, then clear it",
            )  # fmt: skip


def _refuse_without_space(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """A guest whose disk has no space left would be paused again by its next write."""
    place = where_to_free(guest)
    if not place:
        return
    held = dataset_to_look_at(guest)
    left = _available(held, facts)
    if left is None:
        return
    if left >= ROOM_BYTES:
        draft.notes.append(f"{held} has {size(left)} left")
        return
    if left >= LEAST_TO_RESUME:
        draft.raise_risk(Risk.CAUTION)
        draft.warnings.append(
            f"{held} has {size(left)} left: {guest.name} may soon be paused again. Free space in {place}, or "
            f"raise its quota, first"
        )
        return
    draft.refuse_for_space(
        "full", f"{held} has {size(left)} left: the next write would pause {guest.name} again",
        f"free space in {place}; then resume {guest.name}", space_to_free(place, TO_GO_ON),
    )  # fmt: skip


def _available(place: str, facts: PlanFacts) -> int | None:
    return natural(facts.property(place, AVAILABLE) or "")


def _tell_saved_memory(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """A start that goes on from a saved memory: it trusts that its disks are as they were."""
    stored = stored_definition_of(guest, facts)
    if stored is None or not stored.has_saved_memory:
        return
    draft.saw(f"saved memory of {guest.name}", "there")
    draft.raise_risk(Risk.CAUTION)
    draft.is_reversible = False
    draft.warnings.append(
        f"{guest.name} does not boot: it goes on from its saved memory. If its disks were rolled back, "
        "received or restored since, it damages its file systems"
    )
    draft.notes.append(
        f"virsh managedsave-remove {guest.definition.uuid} drops that memory: then it boots as after a power "
        "failure"
    )


def _tell_lost_definition(draft: Draft, guest: Guest) -> None:
    draft.raise_risk(Risk.DESTRUCTIVE)
    draft.saw(f"definition of {guest.name}", "not stored")
    draft.loses.append(f"the definition of {guest.name}: it is transient, and gone once it is off")
    draft.notes.append(
        f"virsh dumpxml --security-info {guest.definition.uuid} prints its definition: save it first, and "
        f"virsh define makes {guest.name} of it again"
    )


def _tell_what_stops(draft: Draft, guest: Guest) -> None:
    draft.warnings.append(f"what {guest.name} serves stops; who uses it is not known here")


def _why_not(judge: Callable[[Guest], str]) -> Callable[[Target, PlanFacts], str]:
    def why_not(target: Target, facts: PlanFacts) -> str:
        found = guests_named(target.name, facts.guests or ())
        return judge(found[0]) if len(found) == 1 else ""

    return why_not


def _needs(intent: Intent) -> Needs:
    return Needs(guests=True, lock_holder=True, uses=intent.action == START)


def _stored(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs to know whether a start goes on from a saved memory, and a shutdown loses the definition."""
    named = guests_named(intent.target, facts.guests or ())
    stored = Needs(stored_guests=tuple(each.definition.address for each in named))
    if intent.action != START or not named:
        return stored
    places = needs_of_places(named[0])
    return replace(
        stored,
        image_chains=images_in_chains(named[0]),
        datasets=places.datasets,
        snapshots=places.snapshots,
    )


def _old_places(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs to know whether a start is without what a move has not brought along."""
    named = guests_named(intent.target, facts.guests or ())
    return needs_of_old_places(named[0], facts) if len(named) == 1 else Needs()


def _space(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs what is left where the disk of a guest is that an I/O error has paused."""
    named = guests_named(intent.target, facts.guests or ())
    places = [dataset_to_look_at(each) for each in named if each.status.is_paused_by_io_error]
    return Needs(properties=tuple((place, AVAILABLE) for place in places if place))


_FURTHER: Final = {"start": _stored, "shutdown": _stored, "resume": _space}


def _spec(
    verb: str, title: str, help_: str, plan: Planner, judge: Callable[[Guest], str], *options: Option
) -> ActionSpec:
    return ActionSpec(
        f"guest-{verb}", title, help_, frozenset({TargetKind.GUEST}), plan,
        target_word="GUEST", options=options, needs=_needs,
        further=_FURTHER.get(verb),
        last=_old_places if verb == "start" else None,
        why_not=_why_not(judge), permission=DEPENDS,
        works_suspended=True, commands=(CommandForm(_ARGV[verb], (GUEST_UUID,), grant=GUESTS),),
    )  # fmt: skip


_ARGV: Final = {
    "start": domain_power.start,
    "shutdown": domain_power.shutdown,
    "suspend": domain_power.suspend,
    "resume": domain_power.resume,
}
SPECS: Final[tuple[ActionSpec, ...]] = (
    _spec("start", "Start", "Start a guest that is shut off.", plan_start, why_not_start),
    _spec(
        "shutdown", "Shut down",
        "Ask a running guest to shut down, and wait for it until a deadline; it is never destroyed.",
        plan_shutdown, why_not_shutdown, WITHIN,
    ),
    _spec(
        "suspend", "Pause", "Pause a running guest; its memory stays, and is lost with the host.",
        plan_suspend, why_not_suspend,
    ),
    _spec(
        "resume", "Resume", "Let a paused guest run on, also one that an I/O error has paused.",
        plan_resume, why_not_resume,
    ),
)  # fmt: skip
