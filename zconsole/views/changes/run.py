"""Run document: the outcome, the state of each step, the messages of ZFS, and the undo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.replication.transfer_eta import in_words
from zconsole.base.fixed_width_formatting import MINUTE, duration, moment, size
from zconsole.model.journal import StepEntry
from zconsole.model.run import Run, RunState, StepRun
from zconsole.views.changes.benchmark_results import lines_of_output
from zconsole.views.changes.command_as_typed_in_shell import piped, typed
from zconsole.views.layout.labelled_paragraph import labelled
from zconsole.views.layout.styled_text import EMPTY, TEXT, Line, line, whole

STATE_LOOK: Final = {
    RunState.CHECKING: ("info", "reading the host again"),
    RunState.RUNNING: ("info", "running"),
    RunState.SETTLING: ("warn", "its end was not seen: determining the outcome"),
    RunState.DONE: ("ok", "DONE"),
    RunState.FAILED: ("bad", "FAILED"),
    RunState.UNKNOWN: ("bad", "UNKNOWN"),
    RunState.STALE: ("warn", "STALE, nothing was run"),
    RunState.REFUSED: ("warn", "REFUSED, nothing was run"),
}
NEXT_FINDS_OUT: Final = "The next zconsole that is opened on this host determines its outcome."
NOTHING_SENT: Final = "you left before anything was sent: nothing was run"
_STEP_STYLE: Final = {"waiting": "dim", "running": "info", "done": "ok", "failed": "bad"}
_IS_KNOWN: Final = frozenset({"running", "done", "sent"})  # in this state the output of ZFS is no complaint


def document(run: Run, now: float | None = None) -> tuple[Line, ...]:
    """Everything known of a run; `now`, in epoch seconds, gives the running time of a step."""
    return tuple(_document(run, now))


def _document(run: Run, now: float | None) -> Iterator[Line]:
    style, state = STATE_LOOK[run.state]
    yield line((run.host, "title"), (": ", "dim"), (run.title, "title"), (": ", "dim"), (state, style))
    yield from words_of(run.state, run.words)
    yield from changed(run.differences)
    for step in run.steps:
        yield from step_lines(step, command(step), _took(step, now), known=run.words)
    if run.state.is_end:
        yield from undo_of(run)


def changed(differences: Iterable[str]) -> Iterator[Line]:
    """Differences from the plan."""
    label = "CHANGED"
    for difference in differences:
        yield labelled(label, line(difference), "warn")
        label = ""


def stale(differences: Sequence[str]) -> Iterator[Line]:
    """What is said ahead of the new plan when the host was not as the confirmed one had it."""
    if differences:
        yield line(("The host has changed: nothing was run. This is the plan as it is now.", "warn"))
        yield from changed(differences)


def words_of(state: RunState, words: str) -> Iterator[Line]:
    """A sentence on the outcome, where it says more than the state."""
    if words not in {"", state.value}:
        yield line(words)


def undo_of(run: Run) -> Iterator[Line]:
    """The undo of a run that changed something."""
    if run.undo is not None and any(step.state == "done" for step in run.steps):
        yield labelled("UNDO", line(run.undo))


def space_lines(before: Mapping[str, int], now: Mapping[str, int]) -> Iterator[Line]:
    """Free space of pools that have more of it than before, bytes; ZFS goes on freeing in the background."""
    for pool, free in now.items():
        if free > before.get(pool, free):
            more = size(free - before[pool])
            yield labelled("SPACE", line((f"{pool} has {size(free)} free, {more} more than before", "ok")))


def step_lines(step: StepRun | StepEntry, shown: Line, *remarks: str, known: str = "") -> Iterator[Line]:
    """A step under its state, with the output of ZFS and the evidence of its end, unless it is `known`."""
    told = ", ".join(filter(None, (f"exit {step.status}" if step.status else "", *remarks)))
    remark = line((f"  ({told})", "dim")) if told else EMPTY
    yield labelled(step.state.upper(), (*shown, *remark), _STEP_STYLE.get(step.state, "warn"))
    if isinstance(step, StepRun) and step.moved is not None:
        is_running = step.state == "running"
        how_far = in_words(step.moved) if is_running else f"{size(step.moved.bytes)} transferred"
        yield labelled("", line((how_far, "info" if is_running else "dim")))
    if (measured := lines_of_output(step.said)) is not None:
        yield from (labelled("", each) for each in measured)
    else:
        for each in step.said.splitlines():
            if each.strip():
                yield labelled("", whole(each.expandtabs(), TEXT if step.state in _IS_KNOWN else "warn"))
    if step.settled and step.settled != known:
        yield labelled("", line((step.settled, "info")))


def command(step: StepRun) -> Line:
    """A step as a person would type it, with the command that feeds it."""
    fed = step.fed_by
    where = line((f" (on {step.on})", "warn")) if step.on else EMPTY
    own = (*typed(step.argv), *where)
    if fed is None:
        return own
    return piped(typed(fed.argv), fed.host if fed.is_elsewhere else "", own)


def _took(step: StepRun, now: float | None) -> str:
    """How long it runs or ran; empty where its end was not seen but found out later."""
    if step.state != "running" and step.status is None:
        return ""
    ended = now if step.state == "running" else step.ended
    return "" if step.started is None or ended is None else duration(max(0.0, ended - step.started))


# While it runs, and behind it, on the command line


def begun(step: StepRun) -> Line:
    """A step that is about to run."""
    return labelled("RUNS", command(step))


def progress(run: Run, now: float) -> Line:
    """The current activity with its host; empty at the end, which the document describes. `now`: epoch s."""
    return EMPTY if run.state.is_end else (*line((run.host, "title"), ": "), *activity(run, now))


def runs_line(runs: Sequence[Run], key: str) -> Line:
    """`1 run goes on: receive into bulk/anna, 12% J`: how far the first one is, and the key of all."""
    first, *others = runs
    many = f"{len(runs)} runs go on: " if others else "1 run goes on: "
    moved = next((step.moved for step in first.steps if step.state == "running" and step.moved), None)
    part = f", {in_words(moved)}" if moved is not None else ""
    return line((many, "info"), f"{first.title}{part} ", (key, "key"))


def activity(run: Run, now: float) -> Line:
    """What a run does at a moment, in epoch seconds."""
    step = next((step for step in run.steps if step.state == "running"), None)
    what: Line = line(STATE_LOOK[run.state][1])
    if run.state is RunState.SETTLING:
        what = line(f"determining the outcome: {run.words}")
    elif run.state is RunState.RUNNING and step is not None and step.moved is not None:
        what = line(in_words(step.moved))
    elif run.state is RunState.RUNNING and step is not None:
        of = f"step {run.steps.index(step) + 1} of {len(run.steps)}: " if len(run.steps) > 1 else ""
        since = f"for {duration(now - step.started)}: " if step.started is not None else ""
        said = [each for each in step.said.splitlines() if each.strip()]
        is_told = said and lines_of_output(step.said) is None
        what = (*line(f"{of}running {since}"), *(line(said[-1]) if is_told else typed(step.argv)))
    return what


def waiting_for(run: Run | None, now: float) -> tuple[Line, ...]:
    """What is said before the first progress of a run; `run` is one that changes the same host."""
    if run is None:
        return (line(("Starting ...", "info")),)
    ahead = line(("It waits for this run, one at a time on a host: ", "info"), (run.title, "title"))
    return (line(("Not started yet; nothing is sent.", "info")), ahead, progress(run, now))


def recovered(run: Run) -> tuple[Line, ...]:
    """A run of an earlier zconsole that did not see its end, and its outcome."""
    when = "" if run.started is None else f" of {moment(run.started, MINUTE)} UTC"
    return (line(f"Left by a run{when} whose end was not seen:"), *document(run))


def left_running(run: Run) -> Line:
    """The fate of a run that was under way when its console was left."""
    what = line((run.host, "title"), ": ", run.title, ": ")
    step = next((each for each in run.steps if each.state in {"running", "unknown"}), None)
    if run.state.is_end and run.state is not RunState.UNKNOWN:
        told = "" if run.words in {"", run.state.value} else f": {run.words}"
        return (*what, *line(f"{STATE_LOOK[run.state][1]}{told}"))
    if step is None:
        began = any(each.state != "waiting" for each in run.steps)
        return (*what, *line("no further step is run" if began else NOTHING_SENT))
    if step.fed_by is not None or step.can_stop:
        return (
            *what,
            *line(f"its stream ended with zconsole; the received part is kept. {NEXT_FINDS_OUT}"),
        )
    goes_on = line(("UNKNOWN", "bad"), ": you left before its end was seen; what was sent goes on: ")
    return (*what, *goes_on, *command(step), *line(f". {NEXT_FINDS_OUT}"))
