"""`zconsole repair --json`: the repairs of a host, as docs/json.md documents them."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.model.repair import DeviceIdentity, Repair, RepairOffer, RepairRun, RepairStep
from zconsole.reports.json.json_line import SCHEMA, Document, guid
from zconsole.views.repair.due_step import due_in_words


def repairs_document(host: str, found: Sequence[Repair]) -> Document:
    """Return all repairs of a host, the most urgent first."""
    return {"schema": SCHEMA, "host": host, "repairs": [_repair(each) for each in found]}


def _repair(repair: Repair) -> Document:
    current = repair.current
    return {
        "pool": repair.pool,
        "vdev": repair.vdev,
        "device": _device(repair.device),
        "others": [_device(each) for each in repair.others],
        "trouble": repair.trouble.name.lower(),
        "cause": repair.cause.name.lower(),
        "certainty": repair.certainty.value,
        "since": repair.since,
        "step": current.kind.value if current is not None else None,
        "now": due_in_words(repair) or None,
        "steps": [_step(each) for each in repair.steps],
        "not_now": [
            {"id": each.id, "reason": each.reason, "instead": each.instead or None} for each in repair.not_now
        ],
        "alarm": repair.alarm or None,
        "safety": repair.safety,
        "survives": repair.survives,
        "spare": _device(repair.spare) if repair.spare is not None else None,
        "new_disk": _device(repair.newcomer) if repair.newcomer is not None else None,
        "runs": [_run(each) for each in repair.runs],
    }


def _device(device: DeviceIdentity) -> Document:
    return {
        "name": device.name,
        "guid": guid(device.guid),
        "serial": device.serial or None,
        "model": device.model or None,
        "bay": device.bay or None,
        "size_bytes": device.size_bytes,
        "is_present": device.is_present,
    }


def _step(step: RepairStep) -> Document:
    return {
        "step": step.kind.value,
        "state": step.state.value,
        "found": step.found,
        "reason": step.reason or None,
        "offers": [_offer(each) for each in step.offers],
        "untested": step.untested or None,
    }


def _offer(offer: RepairOffer) -> Document:
    return {
        "words": offer.words,
        "action": offer.action,
        "target": offer.target,
        "arguments": offer.arguments,
        "options": dict(offer.options),
        "wants_disk": offer.wants_disk,
    }


def _run(run: RepairRun) -> Document:
    return {
        "at": run.at,
        "who": run.who,
        "title": run.title,
        "commands": run.commands,
        "outcome": run.outcome,
        "ended": run.ended,
    }
