"""A run in the journal as JSON: for `zconsole journal --json`."""

from __future__ import annotations

import json

from zconsole.model.journal import Entry, StepEntry
from zconsole.reports.json.json_line import SCHEMA, Document, Json


def entry_document(entry: Entry) -> Document:
    """Return one run with everything that the journal holds about it."""
    return {
        "schema": SCHEMA,
        "id": entry.id,
        "started": entry.started or None,
        "ended": entry.ended,
        "who": entry.who,
        "origin": entry.origin,
        "host": entry.host,
        "hostname": entry.hostname,
        "machine_id": entry.machine_id,
        "host_key": entry.host_key,
        "action": entry.action,
        "intent": _intent(entry.intent),
        "title": entry.title,
        "target": entry.target,
        "risk": entry.risk,
        "fingerprint": entry.fingerprint,
        "state": entry.state.value,
        "words": entry.words,
        "destroys": entry.destroys,
        "undo": entry.undo,
        "steps": [_step(step) for step in entry.steps],
        "problem": entry.problem,
    }


def _intent(text: str) -> Json:
    found: Json = json.loads(text)
    return found


def _step(step: StepEntry) -> Document:
    return {
        "argv": step.argv,
        "sent_argv": step.sent_argv,
        "why": step.why,
        "stdin_sha256": step.stdin_sha256,
        "state": step.state,
        "sent": step.sent,
        "ended": step.ended,
        "status": step.status,
        "said": step.said,
        "settled": step.settled,
    }
