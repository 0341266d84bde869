"""Why a guest's storage cannot be moved: what the guest has besides, who shares it, what the target has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zconsole.actions.action_spec import MOST_REFUSALS, Draft, PlanAgain
from zconsole.actions.checks.dataset_in_use_checks import OF_LIBVIRT
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import of_new
from zconsole.actions.checks.new_dataset_checks import nearest_above, refuse_place
from zconsole.actions.guest.guest_being_moved import refuse_being_moved
from zconsole.actions.guest.move.old_place_of_move import datasets_below
from zconsole.actions.guest.move.space_of_copy import refuse_without_space, space_of_copy, tell_space
from zconsole.actions.guest.move.storage_to_move import (
    StorageToMove,
    may_build_on_another,
    other_mentions,
    root_of,
)
from zconsole.actions.guest.start_shutdown_suspend_resume import guest_named
from zconsole.actions.intent import intent
from zconsole.actions.plan import Dependent, WayOut
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.actions.replication.send_stream_choice import PLAIN, snapshots_of
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER, CONTAINER_DATA
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of, short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset, type_in_words
from zconsole.model.guests.guest import SYSTEM, Guest, GuestState, Image, to_type
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts
from zconsole.system.libvirt.disk_definition_text import DiskText

OFF_STATES: Final = frozenset({GuestState.SHUT_OFF})
_NAMED: Final = 4


def guest_of_system(draft: Draft, name: str, facts: PlanFacts) -> Guest | None:
    """The guest whose definition is to be changed, noted in the draft; None with a refusal.

    Those of a session are refused. Raises UsageError.
    """
    if facts.guests is None:
        why = facts.guests_problem or "the guests of this host were not read"
        draft.refuse("no-libvirt", why, "see that libvirtd runs, and that virsh reaches it")
        return None
    guest = guest_named(name, facts)
    draft.target = to_type(guest)
    connection = guest.definition.connection
    if connection != SYSTEM:
        words = f"{guest.name} is a guest of {connection}, the libvirt of one user"
        draft.refuse("session", words, f"move it by hand, or define it in {SYSTEM}")
        return None
    draft.saw(f"guest {guest.name}", guest.definition.uuid)
    draft.saw(f"state of guest {guest.name}", guest.status.state.in_words)
    refuse_being_moved(draft, guest, facts)
    return guest


def refuse_guest(draft: Draft, move: StorageToMove) -> None:
    """Refuse a guest whose state, or what libvirt keeps beside it, does not bear other disks."""
    guest, stored = move.guest, move.stored
    state = guest.status.state
    if not state.is_executing and state not in OFF_STATES:
        way = "resume it first" if state is GuestState.PAUSED else "wait until it runs or is shut off"
        draft.refuse("guest-state", f"{guest.name} is {state.in_words}, and does not hear a request to shut "
                     "down", way)  # fmt: skip
    if not stored.is_persistent:
        draft.refuse("transient", f"{guest.name} is not defined: it is gone once it is shut off",
                     "virsh define stores it")  # fmt: skip
    if stored.has_saved_memory:
        draft.refuse("saved-memory", f"{guest.name} has a saved memory, which names the disks where they are",
                     "start it, or virsh managedsave-remove")  # fmt: skip
    if stored.has_snapshots:
        draft.refuse("guest-snapshots", f"libvirt has snapshots of {guest.name}, which name the disks where "
                     "they are", "delete them; or move it by hand")  # fmt: skip
    if state.is_active:
        _refuse_pending(draft, move)


def _refuse_pending(draft: Draft, move: StorageToMove) -> None:
    """A running guest whose stored disks differ: what is moved would not be what runs."""
    runs = {(disk.disk.target, disk.disk.source) for disk in move.guest.disks}
    kept = [*(each.disk for each in move.to_move), *move.moved, *move.elsewhere, *move.unnamed]
    stored = {(disk.target, disk.source) for disk in kept}
    other = sorted({target for target, _ in runs ^ stored})
    if other:
        draft.refuse(
            "pending", f"the stored definition of {move.guest.name} has other disks than it runs with: "
            f"{', '.join(other)}", "restart it first",
        )  # fmt: skip


def refuse_disks(draft: Draft, move: StorageToMove, facts: PlanFacts, *, is_chosen: bool) -> None:
    """Refuse disks whose paths or images would lead to the old place, and a dataset that others use too."""
    disks = [disk for disk in move.elsewhere if is_written(move, disk.target)]
    if disks and not is_chosen and move.source is not None:  # otherwise none is left to be moved
        draft.refuse(
            "disks-elsewhere", f"{move.guest.name} has disks elsewhere: "
            f"{shortened([f'{disk.target} on {disk.source}' for disk in disks], _NAMED)}",
            "", PlanAgain("of", "move these disks alone, and leave the others", value=_name(move.source)),
        )  # fmt: skip
    refuse_disks_to_move(draft, move, facts)


def refuse_disks_to_move(draft: Draft, move: StorageToMove, facts: PlanFacts) -> None:
    """The same without the disks that are elsewhere."""
    for disk in move.unnamed:
        words = f"{disk.source} is on {_name(move.source)}, and does not lead through its mount point"
        draft.refuse("path", words, "name it by that in the definition first")
    for use in _links(move, facts):
        draft.refuse(
            "path", f"{use.path} is a symbolic link to {use.real}, or is behind one: its copy would lead to "
            "the old place", f"name {use.real} itself in the definition first",
        )  # fmt: skip
    chains = dict(facts.image_chains)
    for each in move.to_move:
        _refuse_chain(draft, move, each.disk, chains)
    for path in list(other_mentions(move))[:MOST_REFUSALS]:
        draft.refuse("other-file", f"the definition of {move.guest.name} names {path}, which is no disk and "
                     "would stay", "keep that file elsewhere")  # fmt: skip
    source = move.source
    sharing = [
        guest.name
        for guest in facts.guests or ()
        if guest.name != move.guest.name and source is not None and source.name in guest.places
    ]
    draft.saw("other guests there", ", ".join(sharing) or "none")
    if sharing:
        have = "has" if len(sharing) == 1 else "have"
        draft.refuse("shared", f"{shortened(sharing, _NAMED)} of libvirt {have} disks on {_name(source)} too",
                     "give each guest a dataset of its own")  # fmt: skip


def refuse_taken_paths(draft: Draft, move: StorageToMove, facts: PlanFacts) -> None:
    """Refuse paths at the new place that the definition of another guest there names: both would write them.

    They need not exist now: what a definition names may have been destroyed, or not be made yet.
    """
    wanted = {each.path for each in move.to_move}
    own = move.guest.definition.uuid
    for guest in facts.guests or ():
        taken = [each.disk.source for each in guest.disks if each.disk.source in wanted]
        if taken and guest.definition.uuid != own:
            named = shortened(taken, _NAMED)
            draft.refuse(
                "shared",
                f"the definition of {guest.name} names {named} already: both would write it",
                "choose another name, or give that guest a disk of its own",
            )


def _links(move: StorageToMove, facts: PlanFacts) -> Iterator[OutsideUse]:
    """Images of the guest on the source whose path leads through a link to another path on it."""
    before = root_of(move.source)
    for use in facts.uses or ():
        is_own = use.name == move.guest.name and use.kind in OF_LIBVIRT
        if is_own and before and use.real.startswith(f"{before}/"):
            yield use


def _refuse_chain(
    draft: Draft, move: StorageToMove, disk: DiskText, chains: Mapping[str, tuple[Image, ...] | None]
) -> None:
    """Refuse an image with another one below it."""
    path = disk.source
    chained = {each.disk.target for each in move.guest.disks if may_build_on_another(each.disk)}
    chain = chains.get(path) if disk.target in chained else ()
    if chain is None:
        draft.refuse("image-unread", f"qemu-img does not tell what {path} builds on",
                     "see that qemu-img is installed, and may read it")  # fmt: skip
    elif len(chain) > 1 or disk.has_backing_file:
        draft.refuse("backing-file", f"{path} builds on another image, whose path is written in it",
                     "make it independent first: qemu-img convert, or virsh blockpull")  # fmt: skip


def is_written(move: StorageToMove, target: str) -> bool:
    """Whether the guest may write to this disk."""
    return any(
        disk.disk.target == target and disk.disk.device == "disk" and not disk.disk.is_read_only
        for disk in move.guest.disks
    )


def refuse_source(draft: Draft, source: Dataset, facts: PlanFacts) -> None:
    """Refuse datasets that cannot be copied so that the guest starts from the copy."""
    saw_datasets(draft, (source,))
    if source.type not in FILESYSTEMS_AND_VOLUMES:
        draft.refuse("type", f"{source.name} is a {type_in_words(source)}")
    if source.encryption not in PLAIN:
        draft.refuse(
            "encrypted", f"{source.name} is encrypted: the key of its copy would have to be loaded before "
            "the guest starts", "receive it by hand, load its key, and define the disks",
        )  # fmt: skip
    for use in facts.uses_of(source.name):
        if use.kind == CONTAINER:
            way = use.way_to_stop or f"stop {use.name}"
            draft.refuse("in-use", f"container {use.name} uses {source.name} too", f"{way}, first")
        elif use.kind == CONTAINER_DATA:
            draft.dependents.append(Dependent(use.kind, use.name, f"on {source.name}, {use.detail}"))
    below = datasets_below(source, facts)
    if below:
        draft.stays.append(f"datasets below it stay: {shortened(below, _NAMED)}")
    if source.origin is not None:
        draft.notes.append(f"{source.name} is a clone; its copy is not, and takes the space of all its data")


def refuse_new_target(
    draft: Draft, source: Dataset, name: str, facts: PlanFacts, source_facts: PlanFacts | None = None
) -> None:
    """Refuse a place for the copy that does not exist, is full or is mounted over something.

    `source_facts` are those of the source where it is on another host.
    """
    host = "" if source_facts is None else facts.identity.label
    above = refuse_place(draft, name, facts, parents=None, host=host)
    if above is not None and above.encryption not in PLAIN:
        draft.refuse(
            "encrypted", f"{above.name} is encrypted, and so would be {name}: after a reboot the guest "
            "starts only once its key is loaded, and it could not be moved back",
            "choose a place that is not",
        )  # fmt: skip
    copy = space_of_copy(source, facts if source_facts is None else source_facts, facts.pool(pool_of(name)))
    tell_space(draft, name, copy, source, facts)
    refuse_without_space(draft, name, copy, facts, host=host)
    if source.type == "volume":
        return
    placements = of_new(name, nearest_above(name, facts), (), facts)
    if not placements:
        draft.refuse_answer(
            WayOut.NAME,
            "not-mounted",
            f"{name} would not be mounted by itself: its mountpoint would be that of "
            f"{above.name if above is not None else 'nothing'}",
            "choose another place",
        )
    check_placements(draft, placements, facts)


def common_snapshot(
    draft: Draft, source: Dataset, target: Dataset, both: tuple[PlanFacts, PlanFacts], *, is_cut: bool
) -> str:
    """Short name, at the source, of the newest snapshot of the target. Refuses a target that is no copy.

    `both` are the facts of the source's host and of the target's, which may be the same.
    """
    facts, there_facts = both
    saw_datasets(draft, (target,))
    there = snapshots_of(target.name, there_facts.datasets)
    here = {each.guid: each for each in snapshots_of(source.name, facts.datasets)}
    newest = here.get(there[-1].guid) if there else None
    draft.saw(f"newest snapshot of {target.name}", there[-1].name if there else "none")
    known = any(each.guid in here for each in there)
    own = f"{target.name}/{source.name.rpartition('/')[2]}"
    is_itself = facts is there_facts and own == source.name
    is_above = target.type == "filesystem" and not known and not is_itself
    below = f", such as {own} below it" if is_above else ""
    is_of_type = target.type == source.type
    if not is_of_type:
        words = f"{target.name} exists, and is a {type_in_words(target)}"
        draft.refuse_answer(WayOut.NAME, "exists", words, f"choose another name{below}")
    if is_cut and not there:
        return ""
    if newest is None:
        if is_of_type and known:
            _refuse_newer(draft, target, [each for each in there if each.guid in here][-1], there, both)
        elif is_of_type:
            words = f"{target.name} exists, and is no copy of {source.name}"
            draft.refuse_answer(WayOut.NAME, "exists", words, f"choose another name{below}")
        return ""
    draft.saw("what it builds on", f"guid {newest.guid}")
    if target.written_bytes != 0:
        how = "unknown what" if target.written_bytes is None else f"{size(target.written_bytes)}"
        draft.refuse(
            "changed", f"{how} was written to {target.name} since {there[-1].name}",
            f"rollback {there[-1].name} takes that away, after a plan of its own; or choose another name",
        )  # fmt: skip
        if there_facts is facts:
            draft.alternatives.append((f"roll {target.name} back first", intent("rollback", there[-1].name)))
    return short_of(newest.name)


def _refuse_newer(
    draft: Draft, target: Dataset, last: Dataset, there: Sequence[Dataset], both: tuple[PlanFacts, PlanFacts]
) -> None:
    """A target with snapshots of its own behind the last one that both have, as an old place gets hourly."""
    newer = [short_of(each.name) for each in there[there.index(last) + 1 :]]
    is_here = both[0] is both[1]
    way = ("zconsole", "plan", "rollback", last.name, "--recursive", "--host", both[1].identity.label)
    draft.refuse(
        "newer", f"{target.name} has snapshots of its own since {last.name}, the last that both have: "
        f"{shortened(newer, _NAMED)}",
        f"roll {target.name} back to {last.name} by a plan of its own, which takes these away and what was "
        "written since; or choose another name",
        command=() if is_here else way,
    )  # fmt: skip
    if is_here:
        back = intent("rollback", last.name, options={"recursive": True})
        draft.alternatives.append((f"roll {target.name} back first", back))


def refuse_below(draft: Draft, source: Dataset, target: str) -> None:
    """Refuse a place below the old one, which could not be freed any more."""
    if target.startswith(f"{source.name}/"):
        draft.refuse_answer(
            WayOut.NAME,
            "below",
            f"{target} is below {source.name}: who destroys the old place destroys it too",
            "choose a place that is not below it",
        )


def _name(dataset: Dataset | None) -> str:
    return dataset.name if dataset is not None else ""


def disks_in_words(move: StorageToMove) -> Sequence[str]:
    """Where each disk is, and where it will be."""
    return [f"{each.disk.target}: {each.disk.source} becomes {each.path}" for each in move.to_move]
