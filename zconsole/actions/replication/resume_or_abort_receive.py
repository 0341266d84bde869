"""Interrupted receive: resume or abort."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset_there_or_gone_conditions import datasets_gone
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.actions.replication.receiving_step import RECEIVE_FORMS, receiving_step, risk_into
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.actions.replication.sender_and_space_checks import (
    check_free_space,
    check_sender,
    is_known,
    note_route,
)
from zconsole.actions.replication.sending_host_and_interrupted_receive import (
    ABORT,
    FROM_OPTION,
    RESUME,
    host_of,
    token_of,
)
from zconsole.base.errors import ParseError
from zconsole.base.fixed_width_formatting import size
from zconsole.model.dataset_names import dataset_of, short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.datasets.replication import CutReceive
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.plan_facts import PlanFacts, SendingSide
from zconsole.zfs.change.argv_template import DATASET, SEND, CommandForm
from zconsole.zfs.change.argv_template import TOKEN as CUT
from zconsole.zfs.stream.resume_token import parse_resume_token
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN, abort_receive, measure, send_rest

_NO_PARTIAL: Final = "no receive into {} was interrupted, or one is in progress"
_HINT: Final = "The target of a receive is a file system or volume."


@on_writable_datasets
def plan_resume(intent: Intent, facts: PlanFacts) -> Draft:
    """The same risk as the original receive."""
    refuse_surplus_arguments(intent, 0)
    target = dataset_of_type(intent.target, FILESYSTEMS_AND_VOLUMES, facts, hint=_HINT)
    is_new = _is_nothing_else(target, facts)
    draft = Draft(
        f"resume the receive into {target.name}", target.name,
        risk_into(None if is_new else target), is_reversible=True,
    )  # fmt: skip
    saw_datasets(draft, (target,))
    draft.undo = f"zfs destroy -r {target.name}" if is_new else None
    cut = _cut(draft, target, facts)
    sending = facts.sending
    if cut is None or not is_known(draft, sending, facts) or sending is None:
        return draft
    if cut.received_bytes is not None:
        draft.notes.append(f"{size(cut.received_bytes)} of {cut.to_name or 'it'} are there already")
    snapshot = _of_guid(cut.to_guid, sending, "snapshot")
    if snapshot is None:
        draft.refuse(
            "gone", f"{cut.to_name or 'what was sent'} is not on {sending.identity.label} any more",
            f"--from names another host that has it; {ABORT} {target.name} discards it",
        )  # fmt: skip
        return draft
    dataset = sending.dataset(dataset_of(snapshot.name)) or snapshot
    if cut.from_guid is not None and _of_guid(cut.from_guid, sending, "snapshot", "bookmark") is None:
        draft.refuse(
            "gone", f"what {snapshot.name} builds on is not on {sending.identity.label} any more",
            f"{ABORT} {target.name} discards it",
        )  # fmt: skip
    draft.title = f"go on receiving {snapshot.name} into {target.name}"
    draft.saw("what is sent", f"the rest of {snapshot.name}, guid {snapshot.guid}")
    check_sender(draft, sending, dataset)
    check_free_space(draft, sending, dataset, target)
    note_route(draft, sending, facts)
    argv = send_rest(token_of(target.name, facts))
    told = (short_of(snapshot.name), snapshot.guid)
    draft.steps.append(receiving_step(sending, argv, target.name, is_new=False, snapshot=told))
    return draft


@on_writable_datasets
def plan_abort(intent: Intent, facts: PlanFacts) -> Draft:
    """Destructive: the data received so far is lost, and must be sent again."""
    refuse_surplus_arguments(intent, 0)
    target = dataset_of_type(intent.target, FILESYSTEMS_AND_VOLUMES, facts, hint=_HINT)
    draft = Draft(f"abort the receive into {target.name}", target.name, Risk.DESTRUCTIVE)
    saw_datasets(draft, (target,))
    cut = _cut(draft, target, facts)
    if cut is None:
        return draft
    if cut.received_bytes is not None:
        draft.notes.append(f"{size(cut.received_bytes)} of {cut.to_name or 'it'} must be sent again then")
    is_all = _is_nothing_else(target, facts)
    if is_all:
        draft.destroys.append(target.name)
        settled = datasets_gone((target,))
    else:
        draft.notes.append(f"{target.name} stays as its newest snapshot has it")
        settled = (Condition(ConditionKind.PROPERTY_IS, target.name, target.pool, TOKEN, "-"),)
    draft.steps.append(
        Step(
            abort_receive(target.name),
            "discard the partial data",
            settled_by=settled,
            permissions=permissions_on("destroy,mount", target.name),
        )
    )
    return draft


def _cut(draft: Draft, target: Dataset, facts: PlanFacts) -> CutReceive | None:
    """The parsed token of a receive; a plan without one is refused."""
    token = token_of(target.name, facts)
    draft.saw(f"what is left of a receive into {target.name}", token or "nothing")
    if not token:
        draft.refuse("no-partial", _NO_PARTIAL.format(target.name))
        return None
    try:
        return parse_resume_token(token)
    except ParseError as error:
        draft.refuse("token", f"what {target.name} says of the receive cannot be read: {error.reason}")
        return None


def _why_not(target: Target, facts: PlanFacts) -> str:
    """Disabled when ZFS reports no partial receive; without a report it stays available."""
    is_none = facts.property(target.name, TOKEN) in {"", "-"}
    return _NO_PARTIAL.format(target.name) if is_none else ""


def _is_nothing_else(target: Dataset, facts: PlanFacts) -> bool:
    """Whether the dataset is only the partial state of a first receive: it has no snapshot."""
    return not snapshots_of(target.name, facts.datasets)


def _of_guid(guid: int | None, sending: SendingSide, *types: str) -> Dataset | None:
    return next((each for each in sending.datasets if each.guid == guid and each.type in types), None)


def needs_token(intent: Intent) -> Needs:
    """Needs the pool and the partial state of a receive."""
    return Needs(
        datasets=(intent.pool,),
        snapshots=(SnapshotSelector(intent.target, is_bare=True),),
        properties=((intent.target, TOKEN),),
    )


def further_of(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the sender of the rest and its size."""
    token = token_of(intent.target, facts)
    try:
        cut = parse_resume_token(token) if token else None
    except ParseError:  # the plan reports it
        return Needs()
    if cut is None or not cut.to_name:
        return Needs()
    return Needs(
        sender=(host_of(intent), Intent(RESUME, cut.to_name).pool),
        sender_snapshots=(SnapshotSelector(dataset_of(cut.to_name), is_bare=True),),
        sought=tuple(guid for guid in (cut.to_guid, cut.from_guid) if guid),
        send=send_rest(token),
        sends=dataset_of(cut.to_name),
    )


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        RESUME, "Resume a receive", "Resume an interrupted receive where it stopped.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME}), plan_resume,
        options=(FROM_OPTION,),
        needs=needs_token,
        further=further_of,
        why_not=_why_not, asks=(TOKEN,),
        permission="receive",
        commands=(
            CommandForm(lambda token: measure(send_rest(token)), (CUT,), grant=SEND, only_reads=True),
            CommandForm(send_rest, (CUT,), grant=SEND),
            *RECEIVE_FORMS,
        ),
    ),
    ActionSpec(
        ABORT, "Abort a receive", "Discard the data of an interrupted receive.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME}), plan_abort,
        needs=needs_token,
        why_not=_why_not, asks=(TOKEN,),
        permission="destroy",
        commands=(CommandForm(abort_receive, (DATASET,)),),
    ),
)  # fmt: skip
