"""A plan as JSON: what `zconsole plan --json` prints, and what `zconsole apply` reads again."""

from __future__ import annotations

from typing import Final

from zconsole.actions.byte_count_tolerance import Figure
from zconsole.actions.intent import Intent
from zconsole.actions.plan import (
    SAVED_PLAN_LASTS_S,
    Dependent,
    Plan,
    RedundancyChange,
    RefusalReason,
    Rehearsal,
    Sender,
    Step,
)
from zconsole.reports.json.json_line import SCHEMA, Document, Json


def plan_document(plan: Plan) -> Document:
    """Return a plan and the facts that it rests on, so that both can be checked again."""
    return {
        "schema": SCHEMA,
        "action": plan.intent.action,
        "host": plan.identity.label,
        "target": plan.target,
        "risk": plan.risk.value,
        "confirm": plan.confirm,
        "reversible": plan.is_reversible,
        "undo": plan.undo,
        "steps": [_step(step) for step in plan.steps],
        "destroys": plan.destroys,
        "loses": plan.loses,
        "frees_bytes": plan.frees_bytes,
        "dependents": [_dependent(each) for each in plan.dependents],
        "redundancy": [_change(change) for change in plan.redundancy],
        "warnings": plan.warnings,
        "refusals": [_refusal(refusal) for refusal in plan.refusals],
        "fingerprint": plan.fingerprint,
        "title": plan.title,
        "hostname": plan.identity.hostname,
        "live": plan.live,
        "downtime": plan.downtime,
        "space": plan.space,
        "stays": plan.stays,
        "notes": plan.notes,
        "rehearsals": [_rehearsal(rehearsal) for rehearsal in plan.rehearsals],
        "alternatives": [
            {"why": sentence, "intent": intent_document(wanted)} for sentence, wanted in plan.alternatives
        ],
        "secrets": plan.secrets,
        "intent": intent_document(plan.intent),
        "made_at": plan.made_at,
        "expires": plan.made_at + SAVED_PLAN_LASTS_S,
        "basis": dict(plan.basis.parts),
        "figures": [_figure(each) for each in plan.basis.figures],
        "not_binding": plan.not_binding,
    }


def intent_document(wanted: Intent) -> Document:
    """Return the request of the user, word by word."""
    options: dict[str, Json] = dict(wanted.options)
    return {
        "action": wanted.action,
        "target": wanted.target,
        "arguments": wanted.arguments,
        "options": options,
    }


def _step(step: Step) -> Document:
    document: Document = {
        "argv": step.argv,
        "stdin": step.stdin,
        "why": step.why,
        "checked_before": [{"name": each.name, "seen": each.seen} for each in step.subjects],
        "put_back": step.put_back,
    }
    if step.on:
        document["host"] = step.on
    if step.sender is not None:
        document["fed_by"] = _sender(step.sender)
    return document


_TIMES: Final = ("before", "during", "after")


def _figure(each: Figure) -> Document:
    return {
        "what": each.what,
        "measure": each.measure.value,
        "bytes": each.bytes,
        "least": each.least,
        "most": each.most,
    }


def _sender(sender: Sender) -> Document:
    return {"host": sender.identity.label, "argv": sender.argv, "size_bytes": sender.size_bytes}


def _dependent(each: Dependent) -> Document:
    return {"kind": each.kind, "name": each.name, "detail": each.detail}


def _change(change: RedundancyChange) -> Document:
    unsure = [when for when, (_, hedge) in zip(_TIMES, change.told, strict=True) if any(hedge)]
    counts = {"before": change.before, "during": change.during, "after": change.after}
    return {"vdev": change.vdev, **counts, "at_most": unsure}


def _refusal(refusal: RefusalReason) -> Document:
    return {
        "rule": refusal.rule,
        "reason": refusal.reason,
        "instead": refusal.instead,
        "command": refusal.command,
    }


def _rehearsal(rehearsal: Rehearsal) -> Document:
    return {
        "argv": rehearsal.argv,
        "stdin": rehearsal.stdin,
        "status": rehearsal.status,
        "said": rehearsal.said,
    }
