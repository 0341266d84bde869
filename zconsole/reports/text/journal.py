"""What was done, as JSON and in words: for `zconsole journal`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Final

from zconsole.base.formatting import moment
from zconsole.base.harmless_text import visible
from zconsole.model.journal import Entry, StepEntry
from zconsole.reports.json.document import SCHEMA, Document, Json

INDENT: Final = "  "


def entry_document(entry: Entry) -> Document:
    """Return one run with all that the journal has of it."""
    return {
        "schema": SCHEMA,
        "id": entry.id,
        "started": entry.started,
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


def entry_lines(entry: Entry) -> Iterator[str]:
    """Yield one run as lines that no terminal obeys."""
    return map(visible, _lines(entry))


def _lines(entry: Entry) -> Iterator[str]:
    if entry.problem:
        yield f"{_moment(entry.started)} {entry.host or 'host unknown'}: row {entry.id}: {entry.words}"
        return
    words = f": {entry.words}" if entry.words and entry.words != entry.state.value else ""
    yield f"{_moment(entry.started)} {entry.host}: {entry.title}: {entry.state.value}{words}"
    yield f"{INDENT}by {entry.who or 'nobody known'}, from {entry.origin}"
    for step in entry.steps:
        status = f", exit {step.status}" if step.status else ""
        yield f"{INDENT}{shlex.join(step.argv)}: {step.state}{status}"
        for line in step.said.splitlines():
            if line.strip():
                yield f"{INDENT * 2}{line}"
        if step.settled:
            yield f"{INDENT * 2}{step.settled}"
    if entry.destroys:
        yield f"{INDENT}destroys {len(entry.destroys)}: {', '.join(entry.destroys)}"
    if entry.undo is not None:
        yield f"{INDENT}way back: {entry.undo}"


def _moment(epoch_s: float) -> str:
    return f"{moment(epoch_s, '%Y-%m-%d %H:%M:%S')} UTC"


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
