"""Move a guest with its storage to another host; the guest is off for the last increment.

One plan for both hosts: each step names the host that it changes. Planned again after an interruption it
yields the steps that remain. The old copy is kept, read-only, until `guest-forget`.
"""

from __future__ import annotations

import shlex
from typing import Final

from zconsole.actions.action_spec import HOST, Draft, Needs, Option
from zconsole.actions.checks.mount_points_after_change import of_new, targets
from zconsole.actions.checks.name_rules import check_dataset
from zconsole.actions.checks.new_dataset_checks import nearest_above
from zconsole.actions.guest.move.expected_move_times import RemainingWork, tell_times
from zconsole.actions.guest.move.lacks_on_other_host import check_other_host, paths_named
from zconsole.actions.guest.move.move_progress import (
    MoveProgress,
    remaining_bytes,
    settings_of,
    snapshot_of_token,
)
from zconsole.actions.guest.move.move_refusals import (
    OFF_STATES,
    common_snapshot,
    disks_in_words,
    refuse_disks_to_move,
    refuse_guest,
    refuse_new_target,
    refuse_source,
    refuse_taken_paths,
)
from zconsole.actions.guest.move.move_steps_between_hosts import (
    MoveBetweenHosts,
    remaining_steps_between_hosts,
)
from zconsole.actions.guest.move.old_place_of_move import (
    CONDITION_OF_RETURN,
    datasets_below,
    tell_old_place,
    warn_of_begun_move,
)
from zconsole.actions.guest.move.slower_place import warn_of_slower_place
from zconsole.actions.guest.move.space_of_copy import check_space_of_rest
from zconsole.actions.guest.move.storage_to_move import source_of, storage_to_move
from zconsole.actions.guest.move.undo_of_unfinished_move import undo_after_steps, undo_of_nothing_kept
from zconsole.actions.guest.stored_definition_of_guest import refuse_unread, stored_definition_of
from zconsole.actions.intent import Intent
from zconsole.actions.replication.sending_host_and_interrupted_receive import token_of
from zconsole.actions.storage_at_rest import READONLY
from zconsole.base.errors import ParseError, UsageError
from zconsole.base.escape_control_characters import visible
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.model.guests.guest import Guest, guests_named, to_type
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.disk_definition_text import parse_disk_texts
from zconsole.system.libvirt.domain_needs_of_its_host import parse_domain_needs
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN

TO: Final = "to"
OF: Final = "of"
TO_OPTION: Final = Option(TO, "the configured host to move it to; the same one if none is given", HOST)
FORGET: Final = "guest-forget"
_NAMED: Final = 4


def host_of(intent: Intent) -> str:
    """The other host, or an empty string."""
    return intent.text(TO) or ""


def way_back(guest: str, old: tuple[str, str], new: tuple[str, str]) -> str:
    """How the old copy is started again, and the new one by nobody: each a dataset with its host."""
    return (
        f"on {new[1]}, zfs set {READONLY}=on {new[0]} if that is there; on {old[1]}, zfs set {READONLY}=off "
        f"{old[0]}, then guest-start {guest}"
    )


def is_elsewhere(intent: Intent, facts: PlanFacts) -> bool:
    """Whether the target is on another host than the guest."""
    return host_of(intent) not in {"", facts.identity.label}


def plan_between_hosts(
    draft: Draft, intent: Intent, guest: Guest, facts: PlanFacts, *, within_s: float
) -> None:
    """Add to the draft all that a move to the other host takes. Raises UsageError."""
    there = facts.other
    if there is None:
        raise UsageError(f"{host_of(intent)} was not read")
    source_name = source_of(guest, "", intent.text(OF) or "", facts.datasets)
    target = check_dataset(intent.argument(0))
    label = there.identity.label
    draft.title = f"move guest {guest.name} from {source_name or 'here'} to {target} on {label}"
    of = _both(draft, guest, (source_name, target), facts, there)
    if of is None:
        return
    draft.saw(f"{READONLY} of {source_name}", facts.property(source_name, READONLY))
    beside = Draft("", guest.name, draft.risk)  # names on both hosts may be equal
    beside.saw(READONLY, there.property(target, READONLY))
    _refuse_two(beside, of)
    for each in of.move.to_move:
        draft.saw(f"disk {each.disk.target} of {guest.name}", each.disk.source)
    starts = not intent.flag("leave-off") and of.ran_before
    runs = there.guest_state(guest.definition.uuid)
    if of.is_handed_over and runs is not None and runs.is_active and not of.move.stored.is_started_at_boot:
        beside.refuse("already-there", f"{guest.name} runs on {label} already",
                      "forget the old copy", command=_forgetting(guest, label))  # fmt: skip
    elif not of.is_handed_over:
        refuse_guest(draft, of.move)
        refuse_disks_to_move(draft, of.move, facts)
        refuse_source(draft, of.source, facts)
        _refuse_datasets_below(draft, of.source, facts)
        _refuse_defined_elsewhere(beside, of)
        refuse_taken_paths(beside, of.move, there)
        of = _with_progress(beside, of)
        check_other_host(beside, of)
        warn_of_slower_place(beside, of.source, target, facts, there)
    draft.saw(f"whether it is started on {label} at the end", "yes" if starts else "no")
    steps, draft.at_rest_behind = remaining_steps_between_hosts(of, within_s=within_s, starts=starts)
    draft.steps += steps
    if not of.is_handed_over and not of.is_source_read_only:
        draft.undo_after = undo_after_steps(of.move, draft.steps, there=label)
        draft.undo_of_nothing_kept = undo_of_nothing_kept(of.move, draft.steps)
    _merge(draft, beside, label)
    _tell(draft, of, starts=starts)
    rest = None if of.is_handed_over else remaining_bytes(of.source, of.progress, facts)
    work = RemainingWork(rest, within_s if of.is_guest_active else None, starts)
    tell_times(draft, guest, of.source, facts, work)
    tell_old_place(draft, of.source, facts, first=shlex.join(_forgetting(guest, label)))


def _forgetting(guest: Guest, label: str) -> tuple[str, ...]:
    """The command that forgets the old copy."""
    return ("zconsole", "plan", FORGET, to_type(guest), f"--{TO}", label)


def _both(
    draft: Draft, guest: Guest, names: tuple[str, str], facts: PlanFacts, there: PlanFacts
) -> MoveBetweenHosts | None:
    """What there is on both hosts; None with a refusal where it cannot be told."""
    source_name, target = names
    label = there.identity.label
    stored = _stored(guest, facts)
    source = facts.dataset(source_name)
    if there.guests is None:
        why = there.guests_problem or "its guests were not read"
        draft.refuse(
            "no-libvirt", f"{label}: {why}", "see that libvirtd runs there, and that virsh reaches it"
        )
    if pool_of(target) not in there.listed:
        draft.refuse("unread", f"the datasets of {pool_of(target)} on {label} could not be read, or there is "
                     "no such pool")  # fmt: skip
    if stored is None or not stored.is_defined or _stored(guest, there) is None:
        at = there if stored is not None and stored.is_defined else facts
        refuse_unread(draft, guest, at, at.identity.label)
    if source is None:
        draft.refuse("nothing", f"{guest.name} has no disk on a dataset or volume that could be moved")
    if draft.refusals or stored is None or source is None:
        return None
    try:
        move = storage_to_move(guest, stored, names, facts, there)
    except ParseError as error:
        draft.refuse("unread", f"the stored definition of {guest.name} cannot be read: {error.reason}")
        return None
    if not (move.to_move or move.unnamed):
        draft.refuse("nothing", f"{guest.name} has no disk on {source_name} that could be moved")
        return None
    return MoveBetweenHosts(move, source, facts, there, stored_there=_stored(guest, there))


def _refuse_datasets_below(draft: Draft, source: Dataset, facts: PlanFacts) -> None:
    """Refuse a source whose datasets below would inherit that it becomes read-only."""
    below = datasets_below(source, facts)
    if below:
        become = "becomes" if len(below) == 1 else "become"
        draft.refuse(
            "below", f"the old place becomes read-only, and with it {become} {shortened(below, _NAMED)}",
            "move the guest to a dataset of its own on this host first (guest-move without --to)",
        )  # fmt: skip


def _stored(guest: Guest, facts: PlanFacts) -> StoredDefinition | None:
    return stored_definition_of(guest, facts)


def _refuse_two(draft: Draft, of: MoveBetweenHosts) -> None:
    """Refuse a guest that runs on the other host, or whose name or uuid is another's there."""
    guest, label = of.move.guest, of.label
    for each in of.there.guests or ():
        if each.definition.connection != guest.definition.connection:
            continue
        is_same = each.definition.uuid == guest.definition.uuid
        if is_same is (each.name == guest.name):
            continue
        what = f"the uuid of {guest.name}, and is called {each.name}" if is_same else "another uuid"
        draft.refuse("other-guest", f"{label} has a guest {each.name} with {what}",
                     "undefine or rename that first")  # fmt: skip
    runs = of.there.guest_state(guest.definition.uuid)
    draft.saw(f"state of guest {guest.name}", runs.in_words if runs is not None else "not defined")
    if runs is None or runs in OFF_STATES:
        return
    if of.is_guest_active:
        draft.refuse("split-brain", f"{guest.name} runs on both hosts, each with data of its own",
                     "shut one of them down, the one whose data is to be lost")  # fmt: skip
    elif not of.is_handed_over:
        draft.refuse("runs-there", f"{guest.name} is {runs.in_words} on {label}, which has not got all of it",
                     "shut it down there first")  # fmt: skip


def _refuse_defined_elsewhere(draft: Draft, of: MoveBetweenHosts) -> None:
    """A guest that is defined on the other host with other disks, or ones that are gone from the target.

    It may have run there, on newer data, which somebody may have renamed since.
    """
    stored = of.stored_there
    if stored is None or not stored.is_defined:
        return
    name, label = of.move.guest.name, of.label
    if of.is_defined_there:
        if of.move.target is None:
            draft.refuse(
                "lives-there",
                f"{label} has a definition of {name} with its disks on {of.move.target_name}, which does not "
                "exist there: what it has written would be left behind under another name, for an older copy",
                f"on {label}, bring it back under that name; or undefine {name} there, if that is gone",
            )
        return
    try:
        found = [
            f"{each.target} at {visible(each.source)}" for each in parse_disk_texts(stored.xml) if each.source
        ]
    except ParseError as error:
        found = [f"disks that cannot be read: {error.reason}"]
    has = shortened(found, _NAMED) or "no disk"
    draft.refuse(
        "lives-there",
        f"{label} has a definition of {name} with {has}: what it has written there would be left behind, for "
        "an older copy",
        f"on {label}, guest-move {name} moves what is there; or undefine it there, if that is out of date",
    )


def _with_progress(draft: Draft, of: MoveBetweenHosts) -> MoveBetweenHosts:
    """The move with how far it came. Refuses a target that is not as a move leaves it."""
    move, source, here, there = of.move, of.source, of.here, of.there
    if of.is_source_read_only and of.is_guest_active:
        draft.refuse("read-only-source", f"{source.name} is read-only while {move.guest.name} runs on it",
                     f"zfs set {READONLY}=off {source.name}, if it is to be written")  # fmt: skip
    progress = MoveProgress(settings=settings_of(source, here))
    if move.target is None:
        refuse_new_target(draft, source, move.target_name, there, here)
        warn_of_begun_move(draft, source, here, is_active=of.is_guest_active)
    else:
        token = token_of(move.target.name, there)
        draft.saw(f"what is left of a receive into {move.target.name}", token or "nothing")
        common = common_snapshot(draft, source, move.target, (here, there), is_cut=bool(token))
        short = snapshot_of_token(draft, token, move.target, source, here) if token else ""
        if common and not token:
            draft.notes.append(
                f"{move.target.name} has what {source.name}@{common} had: only the rest is sent"
            )
        progress = MoveProgress(common, token, short, progress.settings)
        rest = remaining_bytes(source, progress, here) if progress.is_to_be_sent else None
        check_space_of_rest(draft, (source, move.target), rest, (here, there), host=of.label)
    return MoveBetweenHosts(move, source, here, there, progress, of.stored_there)


def _merge(draft: Draft, beside: Draft, label: str) -> None:
    """Take over what was found out about the other host."""
    for what, seen in beside.basis.items():
        draft.saw(f"{what} on {label}", seen)
    draft.refusals += beside.refusals
    draft.warnings += beside.warnings
    draft.notes += beside.notes


def _tell(draft: Draft, of: MoveBetweenHosts, *, starts: bool) -> None:
    """Notes on the route, the downtime, what stays, and the way back."""
    move, source, label = of.move, of.source, of.label
    name, here = move.guest.name, of.here.identity.label
    draft.notes += disks_in_words(move)
    draft.notes.append(f"the data goes through this console: {here} sends, {label} receives")
    if of.is_guest_active:
        draft.warnings.append(f"{name} is off from its shutdown until the last step; what it serves stops")
        draft.notes.append("a guest that still runs at the deadline is left running, and the plan has failed")
    if not starts:
        draft.notes.append(f"{name} is not started at the end")
    elif not of.is_guest_active:
        draft.notes.append(f"{name} ran when the move was begun: it is started at the end")
    if move.stored.is_started_at_boot:
        draft.notes.append(f"{label} starts it with the host from then on, and {here} does not")
    draft.notes.append("planned again after an interruption it does what is left")
    draft.stays.append(
        f"{source.name} is kept with its snapshots, read-only: {here} cannot start {name} on it, also after "
        f"a reboot; {shlex.join(_forgetting(move.guest, label))} forgets it"
    )
    draft.is_reversible = True
    back = ["zconsole", "plan", "guest-move", name, source.name, "--to", here, "--host", label]
    draft.undo = (
        f"until it is started on {label} nothing is lost by going back: "
        f"{way_back(name, (source.name, here), (move.target_name, label))}. "
        f"Once it has run on {label}: {shlex.join(back)} moves it back, "
        f"{CONDITION_OF_RETURN.format(source.name)}; the old copy lacks that if it is started again"
    )


def other_of(intent: Intent, facts: PlanFacts) -> tuple[str, Needs]:
    """The other host, and what a plan needs of it: the second time where a new file system is mounted."""
    label, target = host_of(intent), intent.argument(0)
    guest = next(iter(guests_named(intent.target, facts.guests or ())), None)
    if not label or label == facts.identity.label or guest is None:
        return "", Needs()
    stored = _stored(guest, facts)
    needs = _domain_needs(stored)
    if facts.other is not None:
        there = facts.other
        source = facts.dataset(source_of(guest, "", intent.text(OF) or "", facts.datasets))
        is_volume = source is not None and source.type == "volume"
        if not target or is_volume or there.dataset(target) is not None:
            return label, Needs()
        return label, targets(of_new(target, nearest_above(target, there), (), there))
    return label, Needs(
        guests=True,
        disks=True,
        datasets=(pool_of(target),) if target else (),
        snapshots=(SnapshotSelector(target, is_bare=True),) if target else (),
        properties=((target, TOKEN), (target, READONLY)) if target else (),
        stored_guests=(guest.definition.uuid,),
        guest_to_host=needs,
        files=paths_named(needs, stored),
    )


def _domain_needs(stored: StoredDefinition | None) -> DomainNeeds:
    try:
        return parse_domain_needs(stored.xml) if stored is not None and stored.is_defined else DomainNeeds()
    except ParseError:  # the plan reports it
        return DomainNeeds()
