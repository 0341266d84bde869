"""Run dialog: progress and outcome of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from zconsole.model.run import Run, RunState
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.changes.run import document, waiting_for
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, line

TICK_S: Final = 0.2
_FRAME: Final = 4
_WIDEST: Final = 120


def _none() -> Run | None:
    """Default: nothing runs before it."""
    return None


class RunDialog(Dialog[Run | None]):
    """Dialog that stays until the user leaves it; the run goes on without it.

    Until the first command is sent, Esc stops the run. A stale run ends the dialog: the new plan is next.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop_or_leave", show=False),
        Binding("q", "leave", show=False),
        Binding("enter", "leave_ended", show=False),
        Binding("x", "stop", show=False),
    ]
    DEFAULT_CSS = """
    RunDialog { align: center middle; background: $background; }
    RunDialog Vertical {
        width: 100%; max-width: 120; height: 100%; max-height: 30; border: solid $primary; padding: 0 1;
    }
    """

    def __init__(
        self,
        paint: Paint,
        ending: Future[Run],
        progress: Callable[[], Run | None],
        now: Callable[[], float],
        stop: Callable[[str], None],
    ) -> None:
        """`progress` returns the newest state of the run, where there is one; `stop` ends it."""
        super().__init__()
        self._stop = stop
        self._ending = ending
        self._progress = progress
        self._now = now
        self.ahead: Callable[[], Run | None] = _none  # a run for whose end this one has to wait
        self.measured: Callable[[], Sequence[Line]] = tuple  # of what a run that is done has changed
        self.then = ""  # where Enter leads once the run is done
        self._has_stopped = False
        self._is_last_step = False  # the user wants no further one
        self._told_to_stop: str | None = None  # the run that was told to
        self._rows = RowView(paint, id="run", has_cursor=False)
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._rows, self._ways)

    def on_mount(self) -> None:
        self._rows.focus()
        self.set_interval(TICK_S, self._draw)
        self._draw()

    @property
    def run_now(self) -> Run | None:
        """The outcome of the run, or its progress."""
        if not self._ending.done() or self._ending.exception() is not None:
            return self._progress()
        end = self._ending.result()
        newer = self._progress() if end.state is RunState.UNKNOWN else None
        return newer if newer is not None and newer.id == end.id else end

    def _draw(self) -> None:
        cells = max(10, min(_WIDEST, self.app.size.width) - _FRAME)
        run = self.run_now
        if self._ending.done() and run is not None and run.state is RunState.STALE and not self._has_stopped:
            self.dismiss(run)
            return
        if self._has_stopped and run is not None and self._told_to_stop != run.id:
            self._told_to_stop = run.id
            self._stop(run.id)
        if self._ending.done() and self._ending.exception() is not None:
            words: tuple[Line, ...] = (line((f"It could not be run: {self._ending.exception()}", "bad")),)
        elif run is None:
            words = waiting_for(self.ahead(), self._now())
        else:
            words = document(run, self._now())
            if run.state is RunState.DONE:
                words = (*words, *self.measured())
        self._rows.show(FixedLines(tuple(each for spans in words for each in wrapped(spans, cells))))
        has_ended = self._ending.done() or (run is not None and run.state.is_end)
        if self.is_stopped_by_escape:
            ways = line(("Esc", "key"), (" stop, nothing is sent yet", "dim"), ("   q", "key"))
            ways = (*ways, *line((" leave it running", "dim")))
        else:
            leave = f" {self._leads_to or 'close'}" if has_ended else " leave it running"
            if self._has_stopped and not has_ended:
                leave = " close   stopping: no further step is sent"
            key = "Enter" if self._leads_to else "Esc"
            ways = line((key, "key"), (leave, "dim"), ("   ↑↓", "key"), (" scroll", "dim"))
        self._ways.show(((*ways, *self._way_to_stop),))

    @property
    def _leads_to(self) -> str:
        run = self.run_now
        return self.then if run is not None and run.state is RunState.DONE else ""

    @property
    def _is_flowing(self) -> bool:
        """Whether a stream runs that can be stopped."""
        run = self.run_now
        return run is not None and any(step.state == "running" and step.can_stop for step in run.steps)

    @property
    def _has_further_steps(self) -> bool:
        """Whether steps wait behind the one that runs."""
        run = self.run_now
        states = [] if run is None or run.state.is_end else [step.state for step in run.steps]
        return "running" in states and "waiting" in states

    @property
    def _way_to_stop(self) -> Line:
        if self._is_flowing:
            return line(("   x", "key"), (" stop; what has come is kept", "dim"))
        if not self._has_further_steps:
            return EMPTY
        if self._is_last_step:
            return line(("   no further step is sent", "warn"))
        return line(("   x", "key"), (" send no further step", "dim"))

    def action_stop(self) -> None:
        """Stop the stream; without one, the run behind the step that runs."""
        run = self.run_now
        if run is not None and (self._is_flowing or self._has_further_steps):
            self._is_last_step = True
            self._stop(run.id)
            self._draw()

    @property
    def is_stopped_by_escape(self) -> bool:
        run = self.run_now
        is_early = run is None or run.state is RunState.CHECKING
        return is_early and not self._has_stopped and not self._ending.done()

    def action_stop_or_leave(self) -> None:
        """Stop a run that has sent nothing yet; else go back to the screens."""
        if self.is_stopped_by_escape:
            self._has_stopped = True
            self._draw()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Go back to the screens; no answer from a user who stopped the run."""
        self.dismiss(None if self._has_stopped else self.run_now)

    def action_leave_ended(self) -> None:
        """Go back, but only after the end of the run: Enter may still be held from before."""
        if self._ending.done():
            self.dismiss(self.run_now)
