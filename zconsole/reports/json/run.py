"""A run as JSON: for `zconsole apply --json`."""

from __future__ import annotations

from zconsole.model.run import Run, StepRun
from zconsole.reports.json.json_line import SCHEMA, Document


def run_document(run: Run) -> Document:
    """Return a run with the outcome of each step."""
    return {
        "schema": SCHEMA,
        "id": run.id,
        "host": run.host,
        "title": run.title,
        "target": run.target,
        "state": run.state.value,
        "words": run.words,
        "differences": run.differences,
        "undo": run.undo,
        "started": run.started,
        "steps": [_step(step) for step in run.steps],
    }


def _step(step: StepRun) -> Document:
    document: Document = {
        "argv": step.argv,
        "state": step.state,
        "status": step.status,
        "said": step.said,
        "started": step.started,
        "ended": step.ended,
        "settled": step.settled,
    }
    if step.on:
        document["host"] = step.on
    if step.fed_by is not None:
        document["fed_by"] = {"host": step.fed_by.host, "argv": step.fed_by.argv}
        document["sent_bytes"] = None if step.moved is None else step.moved.bytes
    return document
