"""Syncoid (of sanoid) sends a dataset's snapshots to another pool of its host."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs
from zconsole.actions.checks.name_rules import check_dataset
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.intent import intent as intent_of
from zconsole.actions.plan import Condition, ConditionKind, Step
from zconsole.actions.replication.receive import (
    BETWEEN,
    RECEIVE,
    check_encryption_keys,
    needs_of,
    plan_new,
    plan_next,
)
from zconsole.actions.replication.receive import further_of as further_of_receive
from zconsole.actions.replication.receiving_step import risk_into
from zconsole.actions.replication.send_stream_choice import stream_of
from zconsole.actions.replication.sender_and_space_checks import check_free_space, check_sender, is_known
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.stream.send_receive_syncoid_argv import syncoid

SYNCOID: Final = "syncoid"
_HINT: Final = "zconsole plan syncoid POOL/COPY POOL/DATASET"
_MOST_S: Final = 7 * 86400.0
_MISSING: Final = "this host has no syncoid"


@on_writable_datasets
def plan_syncoid(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine for a new dataset, caution for an increment; checked like a receive."""
    refuse_surplus_arguments(intent, 1)
    name, source = check_dataset(intent.target), intent.argument(0)
    if not source or set(source) & set("@#:"):
        raise UsageError("syncoid sends a dataset of this host with all its snapshots", hint=_HINT)
    sending, target = facts.sending, facts.dataset(name)
    draft = Draft(f"send {source} to {name} by syncoid", name, risk_into(target), is_reversible=True)
    if SYNCOID in (facts.missing_tools or frozenset()):
        draft.refuse("no-syncoid", _MISSING, "install sanoid; or receive, which needs nothing")
    if not is_known(draft, sending, facts) or sending is None:
        return draft
    wanted = Intent(intent.action, intent.target, intent.arguments, ((BETWEEN, True),))
    stream = stream_of(source, target, facts, sending, intermediates=True)
    if stream.dataset.type not in FILESYSTEMS_AND_VOLUMES:
        raise UsageError(f"{source} is no dataset", hint=_HINT)
    draft.saw("what is sent", f"up to {stream.snapshot.name}, guid {stream.snapshot.guid}")
    check_sender(draft, sending, stream.dataset)
    check_encryption_keys(draft, stream, target, facts)
    if target is None:
        place = plan_new(draft, stream, name, facts)
        draft.notes.append("syncoid sends the oldest snapshot first and then what came since: it may be more")
    else:
        place = target
        plan_next(draft, stream, target, wanted, facts)
    check_free_space(draft, sending, stream.dataset, place)
    if not facts.privileges.is_root:
        same = intent_of(RECEIVE, name, source, options={BETWEEN: True})
        draft.alternatives.append(("receive it, which takes no more than what can be delegated", same))
    guid = stream.snapshot.guid
    told = Condition(ConditionKind.RECEIVED, name, intent.pool, short_of(stream.snapshot.name), str(guid))
    draft.steps.append(
        Step(
            syncoid(source, name, is_new=target is None, is_raw=stream.is_raw),
            "send what is there, without a snapshot of its own and without a rollback",
            timeout_s=_MOST_S,
            settled_by=(told,) if guid is not None else (),
            is_followed=True,
        )
    )
    return draft


def _why_not(_target: Target, facts: PlanFacts) -> str:
    return _MISSING if SYNCOID in (facts.missing_tools or frozenset()) else ""


def _needs(intent: Intent) -> Needs:
    return replace(needs_of(intent), tools=(SYNCOID,))


def _further(intent: Intent, facts: PlanFacts) -> Needs:
    wanted = Intent(intent.action, intent.target, intent.arguments, ((BETWEEN, True),))
    return further_of_receive(wanted, facts)


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        SYNCOID, "Send by syncoid ...", "Let syncoid send a dataset's snapshots to another pool of its host.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME}), plan_syncoid,
        target_word="DATASET",
        arguments=(Argument("SOURCE", "text", "the dataset whose snapshots are sent"),),
        needs=_needs,
        further=_further,
        why_not=_why_not,
        intent_for=lambda target: Intent(SYNCOID, "", (target.name,)),
    ),
)  # fmt: skip
