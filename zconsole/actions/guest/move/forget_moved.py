"""Forget the old copy of a guest that runs on another host: its definition goes, its storage stays."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.guest.move.move_refusals import guest_of_system
from zconsole.actions.guest.move.move_to_another_host import FORGET, TO, TO_OPTION, host_of, is_elsewhere
from zconsole.actions.guest.move.storage_to_move import source_of
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.actions.storage_at_rest import READONLY
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.guests.guest import LIBVIRT_ACCESS, Guest, guests_named
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.stored_definition import undefine
from zconsole.zfs.change.argv_template import DEFINE, GUEST_UUID, CommandForm

_HINT: Final = f"zconsole plan {FORGET} GUEST --{TO} HOST"


def plan_forget(wanted: Intent, facts: PlanFacts) -> Draft:
    """Caution: refused unless the guest runs on the other host, on a copy of what is kept here."""
    refuse_surplus_arguments(wanted, 0)
    there = facts.other
    if not is_elsewhere(wanted, facts):
        raise UsageError(f"{FORGET} needs the host that the guest was moved to", hint=_HINT)
    draft = Draft(f"forget the old copy of guest {wanted.target}", wanted.target, Risk.CAUTION)
    guest = guest_of_system(draft, wanted.target, facts)
    if guest is None:
        return draft
    if guest.status.state.is_active:
        draft.refuse("guest-state", f"{guest.name} is {guest.status.state.in_words} here")
    moved = _same(guest, there)
    label = host_of(wanted)
    draft.saw(
        f"state of guest {guest.name} on {label}", moved.status.state.in_words if moved else "not there"
    )
    if moved is None or not moved.status.state.is_running:
        state = "not defined" if moved is None else moved.status.state.in_words
        words = f"{guest.name} is {state} on {label}: the copy here may be the one that counts"
        draft.refuse("not-running-there", words, f"guest-start {guest.name} there, and see that it works")
    source = source_of(guest, "", "")
    _check_copy(draft, source, moved, facts)
    draft.steps.append(
        Step(
            undefine(guest.definition.uuid),
            f"remove the definition of {guest.name} here; its disks stay",
            settled_by=(Condition(ConditionKind.GUEST_GONE, guest.definition.uuid, key=guest.name),),
            permissions=(LIBVIRT_ACCESS,),
        )
    )
    draft.notes.append(f"{source} is not destroyed by this; UEFI variables stay, too")
    draft.notes.append(f"afterwards {source} can be destroyed, in a plan of its own")
    draft.undo = (
        f"virsh dumpxml --inactive {guest.definition.uuid} on {label}, defined here with the old paths"
    )
    return draft


def _check_copy(draft: Draft, source: str, moved: Guest | None, facts: PlanFacts) -> None:
    """Refuse unless the disks there are on a copy of the old place, which cannot have been written since."""
    read_only = facts.property(source, READONLY)
    draft.saw(f"{READONLY} of {source}", read_only)
    if read_only != "on":
        draft.refuse("not-moved", f"{source or 'its storage'} can be written here: it is no rest of a move",
                     "guest-move makes the old place read-only")  # fmt: skip
    here = {each.guid for each in snapshots_of(source, facts.datasets)}
    there = facts.other
    places = moved.places if moved is not None else ()
    has_copy = there is not None and any(
        each.guid in here for place in places for each in snapshots_of(place, there.datasets)
    )
    draft.saw(f"whether the guest there is on a copy of {source}", "yes" if has_copy else "no")
    if moved is not None and not has_copy:
        draft.refuse("no-copy", f"its disks there have no snapshot in common with {source}")


def _same(guest: Guest, there: PlanFacts | None) -> Guest | None:
    found = there.guests or () if there is not None else ()
    return next((each for each in found if each.definition.address == guest.definition.address), None)


def _needs(_wanted: Intent) -> Needs:
    return Needs(guests=True, disks=True)


def _guest(wanted: Intent, facts: PlanFacts) -> Guest | None:
    return next(iter(guests_named(wanted.target, facts.guests or ())), None)


def _further(wanted: Intent, facts: PlanFacts) -> Needs:
    guest = _guest(wanted, facts)
    source = "" if guest is None else source_of(guest, "", "")
    if guest is None or not source or source.startswith("/"):
        return Needs()
    return Needs(
        datasets=(pool_of(source),),
        snapshots=(SnapshotSelector(source, is_bare=True),),
        properties=((source, READONLY),),
        stored_guests=(guest.definition.uuid,),
    )


def _other(wanted: Intent, facts: PlanFacts) -> tuple[str, Needs]:
    """The other host: first its guests, then the snapshots of the datasets that the guest is on there."""
    guest = _guest(wanted, facts)
    if guest is None or not is_elsewhere(wanted, facts):
        return "", Needs()
    if facts.other is None:
        return host_of(wanted), Needs(guests=True, disks=True)
    moved = _same(guest, facts.other)
    places = [each for each in (moved.places if moved is not None else ()) if not each.startswith("/")]
    return host_of(wanted), Needs(
        datasets=tuple(dict.fromkeys(map(pool_of, places))),
        snapshots=tuple(SnapshotSelector(each, is_bare=True) for each in places),
    )


def _why_not(target: Target, facts: PlanFacts) -> str:
    guest = next(iter(guests_named(target.name, facts.guests or ())), None)
    return "it is not shut off" if guest is not None and guest.status.state.is_active else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        FORGET, "Forget the old copy ...",
        "Remove the definition of a guest that was moved and runs on the other host; its old disks stay.",
        frozenset({TargetKind.GUEST}), plan_forget,
        target_word="GUEST",
        options=(TO_OPTION,),
        needs=_needs,
        further=_further,
        other=_other,
        why_not=_why_not,
        intent_for=lambda target: Intent(FORGET, target.name),
        commands=(CommandForm(undefine, (GUEST_UUID,), grant=DEFINE),),
    ),
)  # fmt: skip
