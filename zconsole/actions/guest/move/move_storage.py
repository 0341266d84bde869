"""Move a guest's storage to another dataset or pool of its host; the guest is off for the last increment.

Planned again after an interruption it yields the steps that remain. The old place is kept with its snapshots;
the way back is the same move in the other direction, which sends what was written since.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.mount_points_after_change import of_new, targets
from zconsole.actions.checks.name_rules import check_dataset
from zconsole.actions.checks.new_dataset_checks import nearest_above
from zconsole.actions.guest.move.defined_at_new_place import (
    is_off_at,
    needs_of_old_place,
    with_old_place,
)
from zconsole.actions.guest.move.expected_move_times import RemainingWork, tell_times
from zconsole.actions.guest.move.half_defined_move import progress_of_half_defined
from zconsole.actions.guest.move.move_progress import (
    SETTINGS,
    MoveProgress,
    remaining_bytes,
    settings_of,
    snapshot_of_token,
)
from zconsole.actions.guest.move.move_refusals import (
    common_snapshot,
    disks_in_words,
    guest_of_system,
    refuse_below,
    refuse_disks,
    refuse_guest,
    refuse_new_target,
    refuse_source,
    refuse_taken_paths,
)
from zconsole.actions.guest.move.move_to_another_host import (
    OF,
    TO_OPTION,
    is_elsewhere,
    other_of,
    plan_between_hosts,
)
from zconsole.actions.guest.move.old_place_of_move import (
    CONDITION_OF_RETURN,
    tell_old_place,
    warn_of_begun_move,
)
from zconsole.actions.guest.move.remaining_move_steps import (
    READ_ONLY,
    ran_before,
    remaining_steps,
)
from zconsole.actions.guest.move.slower_place import warn_of_slower_place
from zconsole.actions.guest.move.space_of_copy import check_space_of_rest
from zconsole.actions.guest.move.storage_to_move import (
    StorageToMove,
    may_build_on_another,
    possible_sources,
    source_of,
    storage_to_move,
)
from zconsole.actions.guest.move.undo_of_unfinished_move import undo_after_steps, undo_of_nothing_kept
from zconsole.actions.guest.start_shutdown_suspend_resume import WITHIN, deadline_of
from zconsole.actions.guest.stored_definition_of_guest import refuse_unread, stored_definition_of
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.plan import Risk
from zconsole.actions.replication.receiving_step import RECEIVE_FORMS
from zconsole.actions.replication.sending_host_and_interrupted_receive import token_of
from zconsole.base.errors import ParseError, UsageError
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.model.guests.guest import Guest, guests_named
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt import domain_power
from zconsole.system.libvirt.domain_needs_of_its_host import HOOK, compare_cpu, domain_capabilities
from zconsole.system.libvirt.stored_definition import define, start_at_boot, update_disk
from zconsole.zfs.change.argv_template import (
    BASE,
    COPIED,
    DATASET,
    DEFINE,
    EMULATOR,
    GUEST_UUID,
    GUESTS,
    SEND,
    SNAPSHOT,
    WORD,
    CommandForm,
)
from zconsole.zfs.change.argv_template import TOKEN as TOKEN_WORD
from zconsole.zfs.change.dataset_argv import mount, set_properties, snapshot
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN, send, send_rest

_NAMED: Final = 3
GUEST_MOVE: Final = "guest-move"
LEAVE_OFF: Final = "leave-off"
_HINT: Final = "zconsole plan guest-move GUEST POOL/DATASET"


def plan_move(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: the guest is off while the last increment is sent. Nothing of the old place is destroyed."""
    refuse_surplus_arguments(intent, 1)
    target, within_s = _target(intent), deadline_of(intent)
    draft = Draft(f"move the storage of guest {intent.target} to {target}", intent.target, Risk.CAUTION)
    guest = guest_of_system(draft, intent.target, facts)
    if guest is None:
        return draft
    if is_elsewhere(intent, facts):
        plan_between_hosts(draft, intent, guest, facts, within_s=within_s)
        return draft
    move = _storage(draft, intent, guest, target, facts)
    if move is None:
        return draft
    source = move.source
    where = f"from {source.name} " if source is not None else ""
    draft.title = f"move the storage of guest {guest.name} {where}to {target}"
    for disk in (*move.moved, *(each.disk for each in move.to_move)):
        draft.saw(f"disk {disk.target} of {guest.name}", disk.source)
    refuse_guest(draft, move)
    refuse_disks(draft, move, facts, is_chosen=intent.text(OF) is not None)
    refuse_taken_paths(draft, move, facts)
    progress = MoveProgress()
    if source is not None:
        refuse_source(draft, source, facts)
        _refuse_read_only(draft, guest, source, facts)
        refuse_below(draft, source, target)
        progress = _progress(draft, move, source, facts)
    elif (
        move.target is None
        or not _is_unfinished(draft, move, move.target)
        or _refuse_read_only(draft, guest, move.target, facts)
    ):
        return draft
    else:
        move, progress = with_old_place(draft, move, move.target, facts)
        source = move.source
    if source is not None and move.target is not None and progress.is_to_be_sent:
        rest = remaining_bytes(source, progress, facts)
        check_space_of_rest(draft, (source, move.target), rest, (facts, facts))
    starts = not intent.flag(LEAVE_OFF) and ran_before(move, facts)
    draft.saw("whether it is started at the end", "yes" if starts else "no")
    warn_of_slower_place(draft, source, target, facts, facts)
    steps, draft.at_rest_behind = remaining_steps(move, progress, facts, within_s=within_s, starts=starts)
    draft.steps += steps
    draft.undo_after = undo_after_steps(move, draft.steps)
    draft.undo_of_nothing_kept = undo_of_nothing_kept(move, draft.steps)
    _tell(draft, move, starts=starts)
    if source is not None:
        is_active = guest.status.state.is_active
        rest = None if progress.has_all else remaining_bytes(source, progress, facts)
        work = RemainingWork(rest, within_s if is_active else None, starts)
        tell_times(draft, guest, source, facts, work)
        tell_old_place(draft, source, facts)
    return draft


def _refuse_read_only(draft: Draft, guest: Guest, source: Dataset, facts: PlanFacts) -> bool:
    """Refuse the old copy of a move to another host: what is made of it would be writable, and is not all."""
    key, on = READ_ONLY
    seen = facts.property(source.name, key)
    draft.saw(f"{key} of {source.name}", seen)
    if seen == on:
        draft.refuse(
            "read-only-source", f"{source.name} is read-only, as the old copy of a move to another host is: "
            f"{guest.name} could be started on what is made of it, without what it wrote there",
            f"zfs set {key}=off {source.name} first, if that is the copy that counts",
        )  # fmt: skip
    return seen == on


def _target(intent: Intent) -> str:
    name = intent.argument(0)
    if not name:
        raise UsageError("guest-move needs the name of the new dataset or volume", hint=_HINT)
    if "/" not in name:
        words = shlex.join(["zconsole", "plan", GUEST_MOVE, intent.target, _in_pool(name, intent.target)])
        raise UsageError(f"{name!r} is a pool's name", hint=f"Name the new dataset or volume: {words}")
    return check_dataset(name)


def _in_pool(pool: str, guest: str) -> str:
    """A name for the copy in a pool, after the guest where ZFS takes that."""
    try:
        return check_dataset(f"{pool}/{guest}")
    except UsageError:
        return f"{pool}/NAME"


def _storage(
    draft: Draft, intent: Intent, guest: Guest, target: str, facts: PlanFacts
) -> StorageToMove | None:
    """The disks, sorted; None with a refusal where they cannot be told."""
    stored = stored_definition_of(guest, facts)
    source = source_of(guest, target, intent.text(OF) or "", facts.datasets)
    for name in dict.fromkeys((pool_of(target), pool_of(source))):
        if name and "/" not in name and name not in facts.listed:
            draft.refuse("unread", f"the datasets of {name} could not be read, or there is no such pool")
    if stored is None:
        refuse_unread(draft, guest, facts)
    if stored is None or draft.refusals:
        return None
    try:
        move = storage_to_move(guest, stored, (source, target), facts)
    except ParseError as error:
        draft.refuse("unread", f"the stored definition of {guest.name} cannot be read: {error.reason}")
        return None
    missing = [path for _, path in guest.missing]
    is_shown = move.target is not None and (move.is_volume or move.target.is_mounted is True)
    lost = [each.source for each in move.moved if is_shown and each.source in missing]
    if lost or (missing and not (move.to_move or move.moved)):
        listed = shortened(lost or missing, _NAMED)
        draft.refuse("gone", f"the definition of {guest.name} names {listed}, which does not exist",
                     "bring it back under that name, or define its disks where they are")  # fmt: skip
        return None
    if move.target is None and move.moved:  # another disk that came there would be two disks of the guest
        listed = shortened([each.target for each in move.moved], _NAMED)
        draft.refuse("gone", f"{guest.name} is defined on {target}, which does not exist: {listed}",
                     "bring it back under that name, or define its disks where they are")  # fmt: skip
        return None
    if source == target or not (move.to_move or move.moved or move.unnamed):
        draft.refuse("nothing", f"{guest.name} has no disk on a dataset or volume that could be moved to "
                     f"{target}")  # fmt: skip
        return None
    return move


def _progress(draft: Draft, move: StorageToMove, source: Dataset, facts: PlanFacts) -> MoveProgress:
    """How far an earlier run came. Refuses a target that is not as a move leaves it."""
    settings = settings_of(source, facts)
    if move.target is None:
        refuse_new_target(draft, source, move.target_name, facts)
        warn_of_begun_move(draft, source, facts, is_active=move.guest.status.state.is_active)
        return MoveProgress(settings=settings)
    if move.moved and move.to_move and not token_of(move.target.name, facts):
        return progress_of_half_defined(draft, move, source, move.target, facts)
    token = token_of(move.target.name, facts)
    draft.saw(f"what is left of a receive into {move.target.name}", token or "nothing")
    common = common_snapshot(draft, source, move.target, (facts, facts), is_cut=bool(token))
    if not token:
        if common:
            had = f"{source.name}@{common}"
            draft.notes.append(f"{move.target.name} has what {had} had: only the rest is sent")
        return MoveProgress(common, settings=settings)
    short = snapshot_of_token(draft, token, move.target, source, facts)
    return MoveProgress(common, token, short, settings)


def _is_unfinished(draft: Draft, move: StorageToMove, target: Dataset) -> bool:
    """Whether anything is left although every disk is defined at the target."""
    if move.guest.status.state.is_active:
        draft.refuse("already-there", f"{move.guest.name} runs on {target.name} already")
        return False
    draft.notes.append(f"its disks are defined on {target.name} already")
    return True


def _tell(draft: Draft, move: StorageToMove, *, starts: bool) -> None:
    """Notes on the downtime, on what stays, and on the way back."""
    name, source = move.guest.name, move.source
    draft.notes += disks_in_words(move)
    if move.guest.status.state.is_active:
        draft.warnings.append(f"{name} is off from its shutdown until the last step; what it serves stops")
        draft.notes.append("a guest that still runs at the deadline is left running, and the plan has failed")
    if not starts:
        draft.notes.append(f"{name} is not started at the end")
    elif not move.guest.status.state.is_active:
        draft.notes.append(f"{name} ran when the move was begun: it is started at the end")
    draft.notes.append("planned again after an interruption it does what is left")
    if source is None:
        return
    draft.stays.append(f"{source.name} is kept with its snapshots, and is not used by {name} any more")
    back = ["zconsole", "plan", GUEST_MOVE, name, source.name]
    draft.is_reversible = True
    before = (
        "" if move.moved else (f"; before the disks are defined at the new place, starting {name} is enough")
    )
    draft.undo = f"{shlex.join(back)} moves it back, {CONDITION_OF_RETURN.format(source.name)}{before}"


def _settings_taken_along(name: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    """Argv that makes the new place writable."""
    return set_properties(name, (f"{READ_ONLY[0]}=off", *more))


_SOME_GUEST: Final = DomainNeeds(
    architecture=WORD, machine=WORD, virt_type=WORD, emulator=EMULATOR, cpu_mode="custom"
)
FORMS: Final = (
    CommandForm(snapshot, ((SNAPSHOT,),)),
    CommandForm(partial(send, SNAPSHOT), options={"base": BASE}, grant=SEND),
    CommandForm(send_rest, (TOKEN_WORD,), grant=SEND),
    *RECEIVE_FORMS,
    CommandForm(set_properties, (DATASET, ("=".join(READ_ONLY),))),
    CommandForm(_settings_taken_along, (DATASET,), repeated={"more": (COPIED,)}),
    CommandForm(mount, (DATASET,)),
    CommandForm(update_disk, (GUEST_UUID,), grant=DEFINE),
    CommandForm(define, grant=DEFINE),
    *(CommandForm(partial(start_at_boot, GUEST_UUID, is_on=is_on), grant=DEFINE) for is_on in (False, True)),
    CommandForm(lambda: domain_capabilities(_SOME_GUEST).argv, grant=DEFINE, only_reads=True),
    CommandForm(lambda: compare_cpu(_SOME_GUEST).argv, grant=DEFINE, only_reads=True),
    CommandForm(domain_power.shutdown, (GUEST_UUID,), grant=GUESTS),
    CommandForm(domain_power.start, (GUEST_UUID,), grant=GUESTS),
)


def needs_of(_intent: Intent) -> Needs:
    """Needs the guests first: which datasets are concerned follows from them."""
    return Needs(guests=True, disks=True, lock_holder=True)


def further_of(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs both datasets with their snapshots, and the guest's stored definition and images."""
    target = intent.argument(0)
    guest = next(iter(guests_named(intent.target, facts.guests or ())), None)
    if guest is None or not target:
        return Needs()
    target = "" if is_elsewhere(intent, facts) else target
    pools = {each.name for each in facts.pools}
    sources = possible_sources(guest, target, intent.text(OF) or "", pools)
    is_active = guest.status.state.is_active
    others = sorted(pools) if is_off_at(target, sources, is_active=is_active) else ()
    names = tuple(name for name in dict.fromkeys((target, *sources)) if name and not name.startswith("/"))
    images = {
        each.disk.source: each.disk.format
        for each in guest.disks
        if each.disk.source.startswith("/") and may_build_on_another(each.disk)
    }
    return Needs(
        uses=True,
        guest_io=(guest.definition.address,) if guest.status.state.is_executing else (),
        datasets=tuple(dict.fromkeys(map(pool_of, (*names, *others)))),
        snapshots=tuple(SnapshotSelector(name, is_bare=name not in sources) for name in names),
        properties=(
            *((target, key) for key in (TOKEN, READ_ONLY[0]) if target),
            *((each, READ_ONLY[0]) for each in sources if each in names or not target),
            *((each, key) for each in sources if each in names for key in SETTINGS),
        ),
        stored_guests=(guest.definition.uuid,),
        image_chains=tuple(images.items()),
        files=() if target else (HOOK,),
    )


def last_of(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the place where a new file system would be mounted; of disks that are there, the old one."""
    name = intent.argument(0)
    guest = next(iter(guests_named(intent.target, facts.guests or ())), None)
    if not name or guest is None or is_elsewhere(intent, facts):
        return Needs()
    if facts.dataset(name) is not None:
        source = source_of(guest, name, intent.text(OF) or "", facts.datasets)
        is_off = is_off_at(name, (source,) if source else (), is_active=guest.status.state.is_active)
        return needs_of_old_place(name, facts) if is_off else Needs()
    return targets(of_new(name, nearest_above(name, facts), (), facts))


def _why_not(target: Target, facts: PlanFacts) -> str:
    guest = next(iter(guests_named(target.name, facts.guests or ())), None)
    return "no disk of it is on a dataset or volume" if guest is not None and not guest.places else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        GUEST_MOVE, "Move its storage ...",
        "Move a guest's disks to another dataset or pool, also of another host: sent while it runs, "
        "shut down for the last increment, defined and started at the new place. The old one is kept.",
        frozenset({TargetKind.GUEST}), plan_move,
        target_word="GUEST",
        arguments=(Argument("DATASET", "text", "name of the new dataset or volume, such as POOL/web01"),),
        options=(
            Option(OF, "the dataset or volume whose disks are moved, if the guest has others", "text"),
            TO_OPTION,
            WITHIN,
            Option(LEAVE_OFF, "do not start it at the end"),
        ),
        needs=needs_of,
        further=further_of,
        last=last_of,
        other=other_of,
        why_not=_why_not,
        intent_for=lambda target: Intent(GUEST_MOVE, target.name),
        commands=FORMS,
    ),
)  # fmt: skip
