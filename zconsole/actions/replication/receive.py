"""Receive: replicate a snapshot of another pool or host into a new or existing dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.dataset_in_use_checks import check_uses
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import Placement, of_new, targets
from zconsole.actions.checks.name_rules import check_dataset
from zconsole.actions.checks.new_dataset_checks import LOCKED, nearest_above, refuse_place, warn_of_weak_pool
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.guest.shut_down_guests_first import AND_AFTER
from zconsole.actions.guest.space_taken_from_guests import guests_of_pool, tell_space_of_data
from zconsole.actions.intent import Intent, Target, TargetKind, intent, refuse_surplus_arguments
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.actions.replication.receiving_step import RECEIVE_FORMS, receiving_step, risk_into
from zconsole.actions.replication.send_stream_choice import (
    PLAIN,
    SEND_FORMS,
    PlannedSend,
    snapshots_of,
    stream_of,
)
from zconsole.actions.replication.sender_and_space_checks import (
    check_free_space,
    check_sender,
    is_known,
    note_route,
    refuse_partial,
)
from zconsole.actions.replication.sending_host_and_interrupted_receive import FROM_OPTION, host_of, token_of
from zconsole.base.bounded_int import natural
from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of, last_part, short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.listing.dataset_get import written_since
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN

RECEIVE: Final = "receive"
BETWEEN: Final = "intermediates"
_HINT: Final = "zconsole plan receive POOL/DATASET POOL/DATASET@SNAPSHOT [--from HOST]"
ENCRYPTION_ROOT: Final = "encryptionroot"
_NAMED: Final = 4


@on_writable_datasets
def plan_receive(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine for a new dataset; caution for an increment. The target is never rolled back."""
    refuse_surplus_arguments(intent, 1)
    name, source = check_dataset(intent.target), _source(intent)
    sending, target = facts.sending, facts.dataset(name)
    draft = Draft(f"receive {source} into {name}", name, risk_into(target), is_reversible=True)
    if not is_known(draft, sending, facts) or sending is None:
        return draft
    stream = stream_of(source, target, facts, sending, intermediates=intent.flag(BETWEEN))
    of = f" of {sending.identity.label}" if sending.is_elsewhere else ""
    draft.title = f"receive {stream.snapshot.name}{of} into {name}"
    draft.saw(f"what is sent{of}", f"{' '.join(stream.argv)}, guid {stream.snapshot.guid}")
    check_sender(draft, sending, stream.dataset)
    check_encryption_keys(draft, stream, target, facts)
    if target is None:
        place = plan_new(draft, stream, name, facts)
    else:
        place = target
        plan_next(draft, stream, target, intent, facts)
    check_free_space(draft, sending, stream.dataset, place)
    tell_space_of_data(draft, name, sending.size_bytes, facts)
    warn_of_weak_pool(draft, name, facts)
    note_route(draft, sending, facts)
    snapshot = (short_of(stream.snapshot.name), stream.snapshot.guid)
    step = receiving_step(sending, stream.argv, name, is_new=target is None, snapshot=snapshot)
    draft.steps.append(step)
    return draft


def _source(intent: Intent) -> str:
    if not intent.argument(0):
        raise UsageError("receive needs the snapshot or dataset to send", hint=_HINT)
    return intent.argument(0)


def plan_new(draft: Draft, stream: PlannedSend, name: str, facts: PlanFacts) -> Dataset | None:
    """Plan a full receive."""
    above = refuse_place(draft, name, facts, parents=None)
    draft.undo = f"zfs destroy -r {quote(name)}"
    draft.notes.append(
        f"{name} will be read-only, so that nothing but the next receive changes it, and not mounted"
    )
    if above is not None and above.encryption not in PLAIN and not stream.is_raw:
        draft.warnings.append(
            f"{above.name} is encrypted, and so is {name}: its key must be loaded before anything, a guest "
            "included, uses it after a reboot or an import"
        )
    if stream.dataset.origin is not None:
        draft.notes.append(f"{stream.dataset.name} is a clone; its copy is not")
    if stream.dataset.type != "volume":
        check_placements(draft, _placements(name, facts), facts)
    return above


def _placements(name: str, facts: PlanFacts) -> tuple[Placement, ...]:
    """Mount points at the next import."""
    return of_new(name, nearest_above(name, facts), (), facts)


def plan_next(draft: Draft, stream: PlannedSend, target: Dataset, wanted: Intent, facts: PlanFacts) -> None:
    """Plan an increment from the last common snapshot."""
    saw_datasets(draft, (target,))
    if token_of(target.name, facts):
        refuse_partial(draft, wanted, target.name)
        return
    there = snapshots_of(target.name, facts.datasets)
    draft.saw(f"newest snapshot of {target.name}", there[-1].name if there else "none")
    held = next((each for each in there if each.guid == stream.snapshot.guid), None)
    if held is not None:
        draft.refuse("already-there", f"{target.name} has it already, as {held.name}")
        return
    if stream.base is None or stream.base_there is None:
        _refuse_without_base(draft, stream, target, facts)
        return
    draft.saw(
        "what it builds on", f"{stream.base.name} and {stream.base_there.name}, guid {stream.base.guid}"
    )
    if any(short_of(each.name) == short_of(stream.snapshot.name) for each in there):
        short = short_of(stream.snapshot.name)
        draft.refuse("snapshot-exists", f"{target.name} has another snapshot of the name {short}",
                     "rename it there first")  # fmt: skip
    _refuse_changed(draft, stream.base_there, target, facts)
    check_uses(draft, (target,), facts, undone="a receive changes what it has open", changes_data=True)
    draft.undo = f"zfs rollback -r {quote(stream.base_there.name)}"
    if stream.skipped:
        some = (
            "the snapshot between is"
            if stream.skipped == 1
            else f"the {stream.skipped} snapshots between are"
        )
        draft.notes.append(f"{some} not sent; --{BETWEEN} takes them along")
    if stream.base.type == "bookmark" and wanted.flag(BETWEEN):
        draft.notes.append(f"{stream.base.name} is a bookmark, from which no snapshots between can be sent")


def _refuse_without_base(draft: Draft, stream: PlannedSend, target: Dataset, facts: PlanFacts) -> None:
    """Refuse: there is no usable send base."""
    sending = facts.sending
    points = sending.datasets if sending is not None else ()
    own = {each.guid for each in points if dataset_of(each.name) == stream.dataset.name}
    common = [each for each in snapshots_of(target.name, facts.datasets) if each.guid in own]
    if common:
        draft.refuse(
            "older", f"{target.name} is further already: it has {common[-1].name}, which came after "
            f"{stream.snapshot.name}", "send a newer snapshot",
        )  # fmt: skip
        return
    draft.refuse(
        "no-common", f"{target.name} and {stream.dataset.name} have no snapshot in common: a receive "
        "would have to overwrite everything there",
        "receive it under a new name",
    )  # fmt: skip


def _refuse_changed(draft: Draft, base: Dataset, target: Dataset, facts: PlanFacts) -> None:
    """Refuse a target changed since the send base; a rollback is the user's decision."""
    later = [
        each
        for each in snapshots_of(target.name, facts.datasets)
        if (each.createtxg or 0) > (base.createtxg or 0)
    ]
    text = facts.property(target.name, written_since(base.name))
    written = None if text is None else natural(text)
    if written is None and not later:
        written = target.written_bytes
    draft.saw(f"written to {target.name} since {base.name}", "nothing" if written == 0 else "something")
    if written == 0:
        if later:
            draft.notes.append(f"{_listed(later)} came there since and changed nothing")
        return
    how_much = "it is not known what was" if written is None else f"{size(written)} were"
    more = f", and {_listed(later)} came" if later else ""
    draft.refuse(
        "changed", f"{target.name} is not what {base.name} is any more: {how_much} written since{more}",
        f"rollback {base.name} takes that away, after a plan of its own; or receive it under another name",
    )  # fmt: skip
    options = {"recursive": True} if later else {}
    draft.alternatives.append(
        (f"roll {target.name} back first", intent("rollback", base.name, options=options))
    )


def _warn_of_another_key(draft: Draft, source: Dataset, target: Dataset, facts: PlanFacts) -> None:
    """A raw increment brings the sender's wrapped key, also into a dataset that inherits a local one."""
    root = facts.property(target.name, ENCRYPTION_ROOT)
    draft.saw(f"encryption root of {target.name}", root)
    if root == target.name:
        return
    inherits = "may inherit its key" if root in {None, "-"} else f"inherits its key from {root}"
    draft.warnings.append(
        f"{target.name} {inherits}: if that is not the key of {source.name} (after zfs change-key on either "
        f"side), the receive makes {target.name} impossible to open, which shows at its next mount "
        "(openzfs/zfs#12614)"
    )


def check_encryption_keys(
    draft: Draft, stream: PlannedSend, target: Dataset | None, facts: PlanFacts
) -> None:
    """Encrypted data is sent raw without its key; otherwise the keys on both sides are needed."""
    source = stream.dataset
    if stream.is_raw:
        draft.notes.append(
            f"it is sent encrypted as it is: no key is needed, and only that of {source.name} opens the copy"
        )
        if target is not None:
            _warn_of_another_key(draft, source, target, facts)
        return
    if source.encryption not in PLAIN:
        draft.warnings.append(
            f"{source.name} is encrypted, and its copy is not: the data is stored there unencrypted"
        )
        if source.keystatus == LOCKED:
            draft.refuse(
                "locked", f"the key of {source.name} is not loaded", f"load-key {source.name} there first"
            )
    if target is not None and target.keystatus == LOCKED:
        draft.refuse("locked", f"the key of {target.name} is not loaded", f"load-key {target.name} first")


def _listed(snapshots: list[Dataset]) -> str:
    return shortened([each.name for each in snapshots], _NAMED)


def suggested_name(target: Target, pools: Sequence[str]) -> str:
    """A target name in another of these pools, with the same last component."""
    last = last_part(dataset_of(target.name))
    pool = next((each for each in pools if each != target.pool), pools[0] if pools else "")
    return f"{pool}/{last}"


def needs_of(intent: Intent) -> Needs:
    """Needs both pools, and the users of the target."""
    source = intent.argument(0)
    return Needs(
        datasets=(intent.pool,),
        snapshots=(SnapshotSelector(intent.target, is_bare=True),),
        uses=True,
        sender=(host_of(intent), Intent(RECEIVE, source).pool) if source else None,
        sender_snapshots=(SnapshotSelector(dataset_of(source), is_bare=True),),
        properties=((intent.target, TOKEN),),
    )


def further_of(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the stream's size, and whether the target is unchanged since the send base."""
    sending, target = facts.sending, facts.dataset(intent.target)
    if sending is None or sending.problem or not intent.argument(0):
        return Needs()
    try:
        stream = stream_of(intent.argument(0), target, facts, sending, intermediates=intent.flag(BETWEEN))
    except UsageError:  # the plan reports it
        return Needs()
    asked = Needs(send=stream.argv, sends=stream.dataset.name)
    if target is None and stream.dataset.type != "volume":
        return replace(asked, targets=targets(_placements(intent.target, facts)).targets)
    if target is None or stream.base_there is None:
        return asked
    root = ((target.name, ENCRYPTION_ROOT),) if stream.is_raw else ()
    return replace(asked, properties=((target.name, written_since(stream.base_there.name)), *root))


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        RECEIVE, "Send to ...", "Send a snapshot to another pool, also of another host: "
        "in full, or incrementally from the newest common snapshot.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME, TargetKind.SNAPSHOT}), plan_receive,
        target_word="DATASET",
        arguments=(Argument("SNAPSHOT", "text", "the snapshot to send; of a dataset, its newest"),),
        options=(
            FROM_OPTION,
            Option(BETWEEN, "send the intermediate snapshots too"),
            *AND_AFTER,
        ),
        needs=needs_of,
        further=further_of,
        last=guests_of_pool,
        intent_for=lambda target: Intent(RECEIVE, "", (target.name,)),
        permission="send",
        commands=(*SEND_FORMS, *RECEIVE_FORMS),
        only_reads=True,
    ),
)  # fmt: skip
