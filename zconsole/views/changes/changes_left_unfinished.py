"""Changes in progress when the user asks to leave the console, and what leaving does to each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.model.run import Run, RunState
from zconsole.views.changes.run import activity
from zconsole.views.layout.labelled_paragraph import labelled
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import EMPTY, TEXT, Line, line

MOST: Final = 3  # changes told one by one, so that they fit 24 lines


def unfinished(runs: Sequence[Run], waiting: Sequence[tuple[str, str]], now: float) -> tuple[Line, ...]:
    """What leaving now does; `waiting`: host and title of confirmed plans that have not begun.

    `now` is in epoch seconds.
    """
    return tuple(_lines(runs, waiting, now))


def _lines(runs: Sequence[Run], waiting: Sequence[tuple[str, str]], now: float) -> Iterator[Line]:
    count = len(runs) + len(waiting)
    is_or_are = "is" if count == 1 else "are"
    yield line((f"{counted(count, 'change')} {is_or_are} in progress. If you leave zconsole now:", "warn"))
    for run in runs[:MOST]:
        yield EMPTY
        yield line((run.host, "title"), (": ", "dim"), (run.title, "title"))
        yield labelled("NOW", activity(run, now))
        for words, style in _consequences(run):
            yield labelled("THEN", line((words, style)))
    for host, title in waiting[: max(0, MOST - len(runs))]:
        yield EMPTY
        yield line((host, "title"), (": ", "dim"), (title, "title"))
        yield labelled("THEN", line("it has not begun, and is not run"))
    if count > MOST:
        yield EMPTY
        yield line((f"and {count - MOST} more", "warn"))


def _consequences(run: Run) -> Iterator[tuple[str, str]]:
    if run.state is RunState.CHECKING:
        yield "nothing was sent yet: nothing is run", TEXT
        return
    number, step = next(
        ((at, each) for at, each in enumerate(run.steps) if each.state in {"running", "unknown"}),
        (None, None),
    )
    if step is not None and (step.fed_by is not None or step.can_stop):
        yield "its stream ends with zconsole; the received part is kept", "warn"
    elif step is not None:
        yield "what was sent goes on; the next zconsole on this host finds out how it ended", TEXT
    begun = sum(each.state != "waiting" for each in run.steps) if number is None else number + 1
    behind = len(run.steps) - begun
    if behind:
        yield f"{counted(behind, 'step')} behind it {'is' if behind == 1 else 'are'} not run", "warn"
    if run.left_off:
        yield run.left_off, "bad"
