"""What became of a plan, as JSON and in words: for `zconsole apply`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from zconsole.analysis.replication.transfer_eta import in_words
from zconsole.base.formatting import duration
from zconsole.base.harmless_text import visible
from zconsole.model.run import Run, RunState, StepRun
from zconsole.reports.json.document import SCHEMA, Document

INDENT: Final = "  "
NEXT_FINDS_OUT: Final = "The next zconsole that is opened on this host finds out what became of it."
_NOTHING_RUN: Final = frozenset({RunState.STALE, RunState.REFUSED})


def run_document(run: Run) -> Document:
    """Return everything that is known of a run."""
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


def run_lines(run: Run) -> Iterator[str]:
    """Yield how a run ended, as lines that no terminal obeys."""
    return map(visible, _lines(run))


def recovered_lines(run: Run) -> Iterator[str]:
    """Yield what became of a run of an earlier zconsole that did not see its end."""
    when = "" if run.started is None else f" of {datetime.fromtimestamp(run.started, UTC):%Y-%m-%d %H:%M} UTC"
    for step in run.steps:
        if step.state != "waiting":
            yield visible(f"Left by a run{when} that did not see its end: {typed(step)}: {step.state}")
    yield from run_lines(run)


def left_line(run: Run) -> str:
    """Return what becomes of a run that was under way when its console was left."""
    step = next((each for each in run.steps if each.state in {"running", "unknown"}), None)
    if run.state.is_end and run.state is not RunState.UNKNOWN:
        how = f"{run.state.value}: {run.words}"
    elif step is None:
        began = any(each.state != "waiting" for each in run.steps)
        how = "no further step is run" if began else "you left before anything was sent: nothing was run"
    elif step.fed_by is not None or step.can_stop:
        how = f"its stream ended with zconsole; what it has brought is kept. {NEXT_FINDS_OUT}"
    else:
        how = f"you left before its end was seen; what was sent goes on: {typed(step)}. {NEXT_FINDS_OUT}"
    return visible(f"{run.host}: {run.title}: {how}")


def step_line(step: StepRun) -> str:
    """Return a step that is about to run."""
    return visible(f"Runs: {typed(step)}")


def typed(step: StepRun) -> str:
    """Return a step as it would be typed, with what feeds it."""
    fed = step.fed_by
    if fed is None:
        return shlex.join(step.argv)
    where = f"(on {fed.host}) " if fed.is_elsewhere else ""
    return f"{shlex.join(fed.argv)} {where}| {shlex.join(step.argv)}"


def progress_line(run: Run, now: float) -> str:
    """Return what goes on just now, `now` in epoch seconds; "" at an end, which `run_lines` tells."""
    step = next((step for step in run.steps if step.state == "running"), None)
    match run.state:
        case RunState.CHECKING:
            what = "reading the host again"
        case RunState.SETTLING:
            what = f"finding out what happened: {run.words}"
        case RunState.RUNNING if step is not None and step.moved is not None:
            what = in_words(step.moved)
        case RunState.RUNNING if step is not None:
            number = run.steps.index(step) + 1
            of = f"step {number} of {len(run.steps)}: " if len(run.steps) > 1 else ""
            since = f"for {duration(now - step.started)}: " if step.started is not None else ""
            what = f"{of}running {since}{shlex.join(step.argv)}"
        case RunState.RUNNING:
            what = "running"
        case _:
            return ""
    return visible(f"{run.host}: {what}")


def _lines(run: Run) -> Iterator[str]:
    nothing = ", nothing was run" if run.state in _NOTHING_RUN else ""
    words = f": {run.words}" if run.words and run.words != run.state.value else ""
    yield f"{run.host}: {run.title}: {run.state.value}{nothing}{words}"
    for difference in run.differences:
        yield f"{INDENT}{difference}"
    for step in run.steps:
        for line in step.said.splitlines():
            if line.strip():
                yield f"{INDENT}{line}"
        if step.settled:
            yield f"{INDENT}{step.settled}"
    if run.undo is not None and any(step.state == "done" for step in run.steps):
        yield f"The way back: {run.undo}"


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
    if step.fed_by is not None:
        document["fed_by"] = {"host": step.fed_by.host, "argv": step.fed_by.argv}
        document["sent_bytes"] = None if step.moved is None else step.moved.bytes
    return document
