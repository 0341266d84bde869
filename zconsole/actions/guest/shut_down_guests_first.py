"""Plans of storage under running guests: the same plan again, with the guests shut down as its first steps.

A plan is made twice: as the host is, which tells the guests in the way, and as it is once these are off. The
second one is what follows their shutdown; the host is read and planned again in between
(`execution/outcomes/recheck_plan_after_guest_shutdown.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Option, PlanAgain
from zconsole.actions.guest.guest_steps import SHUTDOWN_WITHIN_S, shutdown_step, start_step
from zconsole.actions.guest.start_shutdown_suspend_resume import (
    LEAST,
    MOST,
    is_transient_guest,
    why_not_shutdown,
)
from zconsole.actions.guest.stored_definition_of_guest import warn_of_unread
from zconsole.actions.intent import Intent
from zconsole.actions.intent import intent as make_intent
from zconsole.actions.options_that_resolve_refusals import applied
from zconsole.actions.plan import Dependent, PlanBasis, RefusalReason
from zconsole.analysis.dependencies.mount_safety import is_at_or_below, normal
from zconsole.analysis.dependencies.uses_by_guests import GUEST, STOPPED_GUEST
from zconsole.base.durations_in_words import lasting
from zconsole.base.name_lists import shortened
from zconsole.base.quantities import parse_duration
from zconsole.model.guests.guest import Guest, GuestState, word_for
from zconsole.model.host.mount_points import MountTargets
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts
from zconsole.system.libvirt import domain_power
from zconsole.system.qemu_processes import is_qemu
from zconsole.zfs.change.argv_template import GUEST_UUID, GUESTS, CommandForm

SHUT_DOWN_GUESTS: Final = Option(
    "shut-down-guests", "shut down the running guests that are in the way, as the first steps"
)
GUESTS_WITHIN: Final = Option(
    "guests-within", "how long to wait for each guest to be shut off (default: 2m)", kind="text"
)
START_GUESTS_AFTER: Final = Option("start-guests-after", "start these guests again as the last steps")
FIRST: Final = (SHUT_DOWN_GUESTS, GUESTS_WITHIN)
AND_AFTER: Final = (*FIRST, START_GUESTS_AFTER)  # where the guests find their disks again
_FIRST_FORM: Final = CommandForm(domain_power.shutdown, (GUEST_UUID,), grant=GUESTS)
_AFTER_FORM: Final = CommandForm(domain_power.start, (GUEST_UUID,), grant=GUESTS)
_PARTS: Final = ("guest ", "state of guest ")  # basis entries of guests
_NAMED: Final = 5


def draft_of(known: ActionSpec, intent: Intent, facts: PlanFacts) -> Draft:
    """The plan of an action, with the guests in its way shut down where that is asked for, or offered."""
    draft = known.plan(intent, facts)
    if known.option(SHUT_DOWN_GUESTS.name) is None:
        return draft
    names = {each.name for each in draft.dependents if each.kind == "guest"}
    guests = _in_the_way(facts, names)
    if {each.name for each in guests} != names or not names:
        return draft  # none is in the way, or libvirt does not tell of all of them
    if intent.flag(SHUT_DOWN_GUESTS.name):
        return _with_shutdown(known, intent, facts, draft, guests)
    if not draft.refusals:
        return draft
    paused = [each for each in guests if each.status.state is GuestState.PAUSED]
    draft.alternatives += [
        (f"resume {each.name}, which can then be shut down", _resume(each, facts)) for each in paused[:_NAMED]
    ]
    offers = _offers(known, intent, guests)
    left = _with_shutdown(known, applied(intent, offers), facts, draft, guests).refusals
    is_heard = not any(each.rule == "guest-state" for each in left)
    if is_heard and set(draft.refusals).difference(left):
        draft.again += offers
        draft.refusals[:] = [each if each in left else replace(each, instead="") for each in draft.refusals]
    if not is_heard:
        _tell_what_ends_states(draft, left, guests)
    return draft


def _tell_what_ends_states(draft: Draft, left: Sequence[RefusalReason], guests: Sequence[Guest]) -> None:
    """Refusals that a shutdown would end, of guests that hear no request: what ends their states, instead."""
    ways = "; ".join(f"{each.name}: {why}" for each in guests if (why := why_not_shutdown(each)))
    draft.refusals[:] = [each if each in left else replace(each, instead=ways) for each in draft.refusals]


def names_of(guests: Sequence[Guest]) -> str:
    """Their names, of many the first ones."""
    return shortened(sorted({guest.name for guest in guests}), _NAMED)


def _offers(known: ActionSpec, intent: Intent, guests: Sequence[Guest]) -> tuple[PlanAgain, ...]:
    """Options that take guests out of the way, and start them again where they find their disks."""
    listed = names_of(guests)
    steps = "a step" if len(guests) == 1 else "steps"
    words = f"shut {listed} down first, as {steps} of the same plan"
    why = known.why_no_start(intent)
    if why and known.option(START_GUESTS_AFTER.name) is not None:
        words += f" (not to be started again after it: {why})"
    first = PlanAgain(SHUT_DOWN_GUESTS.name, words, is_in_words=True)
    if known.option(START_GUESTS_AFTER.name) is None or why:
        return (first,)
    again = "it" if len(guests) == 1 else "them"
    return (
        first,
        PlanAgain(
            START_GUESTS_AFTER.name, f"start {again} again at the end", is_in_words=True, is_for_later=True
        ),
    )


def forms_of(known: ActionSpec) -> tuple[CommandForm, ...]:
    """Forms of all commands of an action's plans, those of its options on guests included."""
    first = (_FIRST_FORM,) if known.option(SHUT_DOWN_GUESTS.name) is not None else ()
    after = (_AFTER_FORM,) if known.option(START_GUESTS_AFTER.name) is not None else ()
    return (*known.commands, *first, *after)


def _in_the_way(facts: PlanFacts, names: Collection[str]) -> list[Guest]:
    """The active guests of these names; where two libvirts have one of a name, by what they hold."""
    active = [each for each in facts.guests or () if each.name in names and each.status.state.is_active]
    held = {(use.name, use.object) for use in facts.uses or () if use.kind == "guest"}
    shared = {name for name, count in Counter(each.name for each in active).items() if count > 1}
    return [
        each
        for each in active
        if each.name not in shared or any((each.name, place) in held for place in each.all_places)
    ]


def without_guest_options(intent: Intent) -> Intent:
    """The same action without its options on guests."""
    own = {option.name for option in AND_AFTER}
    return replace(intent, options=tuple(each for each in intent.options if each[0] not in own))


def basis_without_guests(basis: PlanBasis) -> PlanBasis:
    """What of a plan must be so still once its guests are shut down."""
    return replace(basis, parts=tuple(each for each in basis.parts if not each[0].startswith(_PARTS)))


def _with_shutdown(
    known: ActionSpec, intent: Intent, facts: PlanFacts, blocked: Draft, guests: Sequence[Guest]
) -> Draft:
    """The plan as it is once the guests are off, behind their shutdown."""
    within = intent.text(GUESTS_WITHIN.name)
    within_s = (
        SHUTDOWN_WITHIN_S if within is None else parse_duration(within, bare="s", least=LEAST, most=MOST)
    )
    draft = known.plan(intent, _once_off(facts, guests))
    for guest in guests:
        draft.saw(f"guest {guest.name}", guest.definition.address)
        draft.saw(f"state of guest {guest.name}", guest.status.state.in_words)
        why = why_not_shutdown(guest)
        if why:
            draft.refuse("guest-state", f"{guest.name}: {why}")
        if guest.status.state is GuestState.PAUSED:
            draft.alternatives.append((f"resume {guest.name}", _resume(guest, facts)))
    own = {guest.name for guest in guests}
    draft.dependents[:] = [
        *(_stopped(each) for each in blocked.dependents if each.kind == GUEST),
        *(each for each in draft.dependents if each.kind != STOPPED_GUEST or each.name not in own),
    ]
    after = [start_step(guest) for guest in guests] if intent.flag(START_GUESTS_AFTER.name) else []
    if after and (why := known.why_no_start(intent)):
        draft.refuse("no-start", f"{names_of(guests)} cannot be started again after this: {why}", "",
                     PlanAgain(START_GUESTS_AFTER.name, is_given=False))  # fmt: skip
    _tell_transient(draft, intent, guests, facts)
    off = [shutdown_step(guest, within_s, is_transient=is_transient_guest(guest, facts)) for guest in guests]
    draft.steps[:] = [*off, *draft.steps, *after]
    names = names_of(guests)
    if draft.destroys or draft.loses:
        draft.not_binding.append(
            f"what {names} {'writes' if len(guests) == 1 else 'write'} until the shutdown"
        )
    serve = "serves" if len(guests) == 1 else "serve"
    draft.warnings.append(f"what {names} {serve} stops; who uses it is not known here")
    draft.notes.append(
        "a guest that does not shut down in time ends the plan before the storage is changed; guests that "
        "are off by then stay off, and the run names the command that starts each; the host is read again "
        "once all are off"
    )
    is_one, many = len(guests) == 1, f"{len(guests)} guests are shut down one after the other: "
    end = f"the last {'step starts it' if is_one else 'steps start them'}"
    why = known.why_no_start(intent)
    if not after:
        end = f"somebody starts {'it' if is_one else 'them'}: not started again by this plan"
    then = f"on, and cannot be started again: {why}" if why else f"until {end}"
    draft.downtime.append(f"{names}: off from the shutdown {then}")
    most = f"at most {lasting(within_s * len(guests))}"
    draft.downtime.append(f"the shutdown takes {most}" if is_one else f"{many}{most} in all")
    return draft


def _tell_transient(draft: Draft, intent: Intent, guests: Sequence[Guest], facts: PlanFacts) -> None:
    """Guests without a stored definition, which are gone once they are off."""
    for guest in guests:
        warn_of_unread(draft, guest, facts)
        if not is_transient_guest(guest, facts):
            continue
        draft.loses.append(f"the definition of {guest.name}: it is transient, and gone once it is off")
        draft.is_reversible, draft.undo = False, None
        if intent.flag(START_GUESTS_AFTER.name):
            draft.refuse(
                "transient", f"{guest.name} is transient: libvirt cannot start it again, as it has no "
                "definition once it is off",
                f"virsh dumpxml {guest.definition.uuid} and virsh define of that give it one",
            )  # fmt: skip


def _resume(guest: Guest, facts: PlanFacts) -> Intent:
    return make_intent("guest-resume", word_for(guest, facts.guests or ()))


def _stopped(each: Dependent) -> Dependent:
    return replace(each, detail=f"{each.detail}: it is shut down first")


def _once_off(facts: PlanFacts, guests: Sequence[Guest]) -> PlanFacts:
    """The host with these guests shut off, and without their QEMU processes."""
    names = {guest.name for guest in guests}
    held = {use.object for use in facts.uses or () if use.kind == "guest" and use.name in names}
    held |= {place for guest in guests for place in guest.all_places}
    uses = facts.uses
    if uses is not None:
        uses = tuple(_as_off(each, names) for each in uses if not _is_process(each, held))
    off = {guest.definition.address for guest in guests}
    known = tuple(_shut_off(each) if each.definition.address in off else each for each in facts.guests or ())
    mounting = _without_qemu(facts, held)
    return replace(facts, uses=uses, guests=known, mounting=mounting, written_until_off=frozenset(held))


def _without_qemu(facts: PlanFacts, held: Collection[str]) -> MountTargets:
    """The mount points without the QEMU processes in them, unless one may be of another guest."""
    others = {use.path for use in facts.uses or () if use.kind == GUEST and use.object not in held}
    targets = [
        each
        if any(is_at_or_below(path, normal(each.path)) for path in others)
        else replace(each, open_by=tuple(e for e in each.open_by or () if not is_qemu(e.partition("[")[0])))
        for each in facts.mounting.targets
    ]
    return replace(facts.mounting, targets=tuple(targets))


def _shut_off(guest: Guest) -> Guest:
    return replace(guest, status=replace(guest.status, state=GuestState.SHUT_OFF))


def _as_off(use: OutsideUse, names: Collection[str]) -> OutsideUse:
    return replace(use, kind=STOPPED_GUEST) if use.kind == GUEST and use.name in names else use


def _is_process(use: OutsideUse, held: Collection[str]) -> bool:
    return use.kind == "process" and use.object in held and is_qemu(use.name.partition("[")[0])
