"""A run in words: what is known of each step, what ZFS said, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.replication.transfer_eta import in_words
from zconsole.base.formatting import duration, size
from zconsole.model.run import Run, RunState, StepRun
from zconsole.views.changes.plan import fed
from zconsole.views.layout.phrases import BAD, BUSY, WARN
from zconsole.views.layout.styled_text import EMPTY, Line, line

_LOOK: Final = {
    RunState.CHECKING: ("info", f"{BUSY} reading the host again"),
    RunState.RUNNING: ("info", f"{BUSY} running"),
    RunState.SETTLING: ("warn", f"{WARN} its end was not seen: finding out what happened"),
    RunState.DONE: ("ok", "DONE"),
    RunState.FAILED: ("bad", f"FAILED {BAD}"),
    RunState.UNKNOWN: ("bad", f"UNKNOWN {WARN}"),
    RunState.STALE: ("warn", f"STALE {WARN}  the host is not as the plan had it; nothing was done"),
    RunState.REFUSED: ("warn", f"REFUSED {WARN}  nothing was done"),
}
_STEP_LOOK: Final = {
    "waiting": ("dim", "·"),
    "running": ("info", BUSY),
    "done": ("ok", "done"),
    "failed": ("bad", "failed"),
    "unknown": ("warn", "unknown"),
}
_SAID_LINES: Final = 20


def run_lines(run: Run, now: float) -> tuple[Line, ...]:
    """Everything that is known; `now` in epoch seconds."""
    return tuple(_lines(run, now))


def _lines(run: Run, now: float) -> Iterator[Line]:
    style, words = _LOOK[run.state]
    yield line((run.host, "title"), (" · ", "dim"), (run.title, "title"))
    yield line((words, style))
    if run.words and run.words != run.state.value:
        yield line(run.words)
    for difference in run.differences:
        yield line(("  - ", "dim"), difference)
    yield EMPTY
    for step in run.steps:
        yield from _step(step, now)
    if run.state.is_end and run.undo is not None and any(step.state == "done" for step in run.steps):
        yield EMPTY
        yield line(("The way back: ", "section"), run.undo)


def _step(step: StepRun, now: float) -> Iterator[Line]:
    style, word = _STEP_LOOK.get(step.state, ("warn", step.state))
    took = ""
    if step.started is not None:
        seconds = (step.ended if step.ended is not None else now) - step.started
        took = f"  {duration(max(0.0, seconds))}"
    status = f"  exit {step.status}" if step.status else ""
    sender = step.fed_by
    source = None if sender is None else (sender.argv, sender.host if sender.is_elsewhere else "")
    yield (*line((f"{word:<8} ", style)), *fed(source, step.argv), *line((f"{status}{took}", "dim")))
    if step.moved is not None:
        words = in_words(step.moved) if step.state == "running" else f"{size(step.moved.bytes)} went through"
        yield line((f"         {words}", "info" if step.state == "running" else "dim"))
    style_said = "text" if step.state in {"running", "done"} else "warn"
    said = [each for each in step.said.splitlines() if each.strip()]
    for each in said[:_SAID_LINES]:
        yield line((f"         {each.expandtabs()}", style_said))
    if step.settled:
        yield line((f"         {step.settled}", "info"))
