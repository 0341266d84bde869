"""Plan dialog: shows a plan with its guard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size

from zconsole.actions.answers_to_change import AnswerToChange
from zconsole.actions.checks.command_to_free_space import SpaceToFree
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan
from zconsole.actions.typed_confirmation_state_machine import SILENT, Guard, GuardStage, guard_of
from zconsole.base.lazy_dataclass import dataclass
from zconsole.ui.delayed_calls import Once
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.key_filter import AfterClosing
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.terminal.driver import ConsoleDriver
from zconsole.ui.terminal.terminal_lag import LATE_S, Answering
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.changes.confirmation import on_low_terminal, question, short_ways, ways
from zconsole.views.changes.journal import unread
from zconsole.views.changes.plan import (
    document,
    in_brief,
    paragraphs_of_loss,
    paragraphs_of_refusal,
    spaces_to_free,
    title,
)
from zconsole.views.changes.run import stale
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.screen_key_registry import WAYS_OUT
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, Span, fit, hang, line_width

TICK_S: Final = 0.1
STILL_S: Final = 0.25  # without a tick: the console was suspended
BEHIND_S: Final = 0.05  # how often to check whether a slow terminal has read all output
SILENT_S: Final = 2.0  # a terminal silent for this long never answers
WATCHED_EVERY_S: Final = 0.5  # what happens to the pool meanwhile
ASKED_EVERY_S: Final = 1.0  # how often to check the terminal during a countdown
_QUESTION_LINES: Final = 3
_OTHER_LINES: Final = _QUESTION_LINES + 4  # lines of the rule, the keys, and the frame
_HEAD: Final = 2  # lines of the action and its target
_LOW_HEAD: Final = 1  # the same on a low terminal
_BORDERS: Final = 4  # cells of the frame and its padding
_SCROLL: Final = {"up": -1, "down": 1}
_CONFIRMED: Final = frozenset({GuardStage.PRESSED, GuardStage.COUNTING})
_PAGES: Final = {"pageup": -1, "pagedown": 1}
_ENDS: Final = {"home": 0, "end": -1}


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Answer to run the plan, with the typed text."""

    typed: str


@dataclass(frozen=True, slots=True)
class Instead:
    """Answer to plan an alternative."""

    intent: Intent


@dataclass(frozen=True, slots=True)
class Anew:
    """Answer to read the host and plan the same again."""


@dataclass(frozen=True, slots=True)
class AskOne:
    """Answer to ask one question before the plan again, and keep the other answers."""

    about: AnswerToChange


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """Answer to find snapshots that free space, and to plan the same again then."""

    space: SpaceToFree


Answer = Confirmed | Instead | Anew | AskOne | FreeSpace


class PlanDialog(Dialog[Answer | None]):
    """Dialog that answers None, one step back, unless the guard decides otherwise."""

    AFTER_CLOSING = AfterClosing.TYPED_ON
    AUTO_FOCUS = ""  # every key goes to the guard
    DEFAULT_CSS = """
    PlanDialog { align: center middle; background: $background; }
    PlanDialog Vertical { width: 100%; max-width: 120; height: auto; max-height: 100%; padding: 0 1; }
    PlanDialog .routine { border: solid $primary; }
    PlanDialog .caution { border: solid $warning; }
    PlanDialog .danger { border: heavy $error; }
    PlanDialog #question { height: 3; }
    """

    def __init__(
        self,
        paint: Paint,
        plan: Plan,
        *,
        colour: str | None = None,
        clock: Callable[[], float] = monotonic,
        beat: Callable[[], float] = monotonic,
    ) -> None:
        """`beat` is the clock that detects a suspended console."""
        super().__init__()
        self._paint = paint
        self._plan = plan
        self._colour = colour
        self._ahead: tuple[Line, ...] = ()  # said ahead of the plan
        self.answers: tuple[AnswerToChange, ...] = ()  # those of the user that may end the refusal
        self.pool_watch: Callable[[], tuple[Line, ...]] = tuple  # what has happened to the pool since
        self._alarm: tuple[Line, ...] = ()
        self._watched_at = clock()
        self._clock = clock
        self._beat = beat
        self._alive_at = beat()
        self._terminal: Answering | None = None  # of a driver that has one
        self._made = clock()
        self.guard: Guard = guard_of(plan)
        self._title = TextLines(paint, id="title")
        self._rows = RowView(paint, id="body", has_cursor=False)
        self._rule = TextLines(paint, id="plan-rule")
        self._question = TextLines(paint, id="question")
        self._refusal_lines = 0  # lines down to the last way out
        self._more_lines = 0  # of a name that is too long for one
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        look = {"routine": "routine", "caution": "caution"}.get(self._plan.risk.value, "danger")
        with Vertical(classes=look):
            yield from (self._title, self._rows, self._rule, self._question, self._ways)

    def made(self, seconds_ago: float, changed: tuple[str, ...] = (), *, unread_runs: int = 0) -> None:
        """Note the plan's age, what made the one before it stale, and how many runs cannot be read."""
        self._made = self._clock() - max(0.0, seconds_ago)
        self._ahead = (*unread(unread_runs), *stale(changed))

    @property
    def is_begun(self) -> bool:
        """Whether some of the confirmation was typed."""
        return bool(self.guard.typed or self.guard.answer)

    def on_mount(self) -> None:
        self._rows.can_focus = False
        self.set_interval(TICK_S, self._tick)
        self.call_after_refresh(self._when_drawn)

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out(event.size)

    def _lay_out(self, size: Size) -> None:
        """Fill the dialog: what is said ahead, then the plan."""
        cells = min(120, size.width) - _BORDERS
        head = title(self._plan, cells, self._colour, _LOW_HEAD if self.is_low else _HEAD)
        self._title.styles.height = len(head)
        self._title.show(head)
        ahead = [part for each in (*self._alarm, *self._ahead) for part in wrapped(each, cells)]
        told = [tuple(wrapped(words, cells)) for words in document(self._plan, answers=self.answers)]
        until = paragraphs_of_refusal(self._plan, self.answers)
        self._refusal_lines = len(ahead) + sum(map(len, told[:until]))
        lines = (*ahead, *(each for paragraph in told for each in paragraph))
        asked = question(self._plan, self.guard, self._clock())[0] if not self._plan.is_refused else EMPTY
        if self.is_low:
            self._more_lines = len(on_low_terminal(asked, EMPTY, cells)) - 2 if asked else 0
        else:
            self._more_lines = 2 * (len(tuple(hang(asked, cells))) - 1) if asked else 0  # and what is typed
        self._question.styles.height = self._question_lines
        self._rule.display = not self.is_low
        others = self.without_frame(_OTHER_LINES) - _QUESTION_LINES - self.is_low
        room = size.height - len(head) - others - self._question_lines
        self._rows.styles.height = max(1, min(len(lines), room))
        visible = max(1, room) - len(ahead)
        if sum(map(len, told[: paragraphs_of_loss(self._plan, self.answers)])) > visible:
            brief = tuple(wrapped(in_brief(self._plan), cells)) if in_brief(self._plan) else ()
            lines = (*brief, *lines)
            self._rows.styles.height = max(1, min(len(lines), room))
        self._rows.show(FixedLines(lines))
        self._draw()
        self.call_after_refresh(self._draw)  # the range of lines that are visible with their new height

    @property
    def _question_lines(self) -> int:
        """Lines of what is asked, of what is typed, and of what the last key did where there is room."""
        return _QUESTION_LINES + self._more_lines - self.is_low

    def _when_drawn(self) -> None:
        """Ask the terminal when it shows the dialog: keys count from that moment."""
        driver = self.app._driver  # noqa: SLF001
        if not isinstance(driver, ConsoleDriver):
            self.shown(self._clock())
        elif driver.is_behind:
            Once(self, BEHIND_S, lambda: self.call_after_refresh(self._when_drawn))
        else:
            self._terminal = driver.answering
            self._terminal.ask(self._clock())
            Once(self, SILENT_S, lambda: self.shown(self._clock()))

    def shown(self, at: float) -> None:
        """The terminal shows the dialog since that moment, or does not answer such questions."""
        self.guard = self.guard.painted(at)
        self._draw()

    def answered(self, at: float) -> None:
        """The terminal answered at that moment: all output written before the question was shown."""
        late_s = self._terminal.answered(at) if self._terminal is not None else 0.0
        self.shown(at)
        if late_s > STILL_S:
            self.guard = self.guard.stood_still(late_s, SILENT)
        self._tick()

    def unheard(self) -> None:
        self._become(self.guard.unheard())

    def _note_stillness(self) -> None:
        """Note a suspension: keys pressed meanwhile are still under way, and none may come too late."""
        before, self._alive_at = self._alive_at, self._beat()
        if self._alive_at - before > STILL_S:
            self.guard = self.guard.stood_still(self._alive_at - before)

    def _watch_terminal(self) -> None:
        """Watch the terminal during a countdown: on a stalled link, nobody can stop it by a key."""
        if self._terminal is None or self.guard.stage not in _CONFIRMED:
            return
        now = self._clock()
        late_s = self._terminal.late_s(now)
        if late_s > LATE_S:
            self.guard = self.guard.stood_still(late_s, SILENT)
        elif (
            now - self._terminal.asked_at >= ASKED_EVERY_S
            or self._terminal.asked_at < self.guard.deadline <= now
        ):
            self._terminal.ask(now)
        self.guard = replace(self.guard, seen_until=self._terminal.seen_until(now))

    def _watch_pool(self) -> None:
        """Show what happened to the pool meanwhile; what was typed before does not count then."""
        if self._clock() - self._watched_at < WATCHED_EVERY_S or self.guard.stage.is_end:
            return
        self._watched_at = self._clock()
        alarm = self.pool_watch()
        if alarm == self._alarm:
            return
        if alarm and self.guard.stage is not GuardStage.UNSEEN:
            self.guard = guard_of(self._plan).painted(self._clock())
        self._alarm = alarm
        self._lay_out(self.size)
        self._rows.action_jump(0)

    def _tick(self) -> None:
        self._watch_pool()
        self._note_stillness()
        self._watch_terminal()
        self._become(self.guard.tick(self._clock()))

    def on_key(self, event: events.Key) -> None:
        """Pass keys to the guard, except for scrolling and the keys of alternatives."""
        event.stop()
        event.prevent_default()
        self._note_stillness()
        key = event.key
        if key in _SCROLL:
            self._rows.action_move(_SCROLL[key])
        elif key in _PAGES:
            self._rows.action_page(_PAGES[key])
        elif key in _ENDS:
            self._rows.action_jump(_ENDS[key])
        elif self.guard.stage is GuardStage.UNSEEN:
            if event.is_printable:
                self.unheard()
            return
        elif self._plan.is_refused and key in {"enter", "escape", "q", "backspace"}:
            self.dismiss(None)
        elif key == "f5" and self.guard.stage not in _CONFIRMED:
            self.dismiss(Anew())
        elif (way_out := self._ways_out.get(key)) is not None:
            self.dismiss(way_out)
        elif not self._plan.is_refused:
            self._become(self.guard.key(key, event.character, event.time))
        self._draw()

    @property
    def _ways_out(self) -> dict[str, Instead | AskOne | FreeSpace]:
        """What function keys do: alternatives, questions that can be answered otherwise, freeing space."""
        ways_out: list[Instead | AskOne | FreeSpace] = [
            Instead(wanted) for _, wanted in self._plan.alternatives
        ]
        ways_out += map(AskOne, self.answers)
        ways_out += (FreeSpace(space) for _, space in spaces_to_free(self._plan))
        return dict(zip(WAYS_OUT, ways_out, strict=False))

    def on_paste(self, event: events.Paste) -> None:
        """Drop pasted text: a confirmation must be typed."""
        event.stop()
        self._become(self.guard.pasted(self._clock()))

    def _become(self, guard: Guard) -> None:
        if self._plan.is_refused or not self.is_active:
            return
        before, self.guard = self.guard.stage, guard
        if (
            guard.stage is GuardStage.PRESSED
            and before is not GuardStage.PRESSED
            and self._terminal is not None
        ):
            self._terminal.forget()
            self._terminal.ask(self._clock())
            self.guard = replace(guard, seen_until=self._terminal.seen_until(self._clock()))
        self._draw()
        if guard.stage is not before and guard.stage in {GuardStage.GO, GuardStage.NO}:
            self.dismiss(Confirmed(guard.typed) if guard.stage is GuardStage.GO else None)

    def _draw(self) -> None:
        now = self._clock()
        cells = max(0, self._question.size.width)
        position = self._rows.position
        shown = f"─ {position} " if position else ""
        self._rule.show(((Span(shown, "dim"), Span("─" * max(0, cells - len(shown)), "rule")),))
        is_cut = self._rows.size.height < self._refusal_lines
        words = question(self._plan, self.guard, now, is_cut=is_cut, answers=self.answers)
        if self._more_lines or (self.is_low and line_width(words[0]) > cells):
            asked, typed, *further = words
            if self.is_low:
                words = (*on_low_terminal(asked, typed, cells), *further)
            else:
                words = (*hang(asked, cells), *(hang(typed, cells) if typed else (EMPTY,)), *further)
        self._question.show(tuple(fit(each, cells) for each in words)[: self._question_lines])
        below = position if self.is_low else ""  # no rule tells it
        told = ways(self._plan, self.guard, now - self._made, answers=self.answers, position=below)
        if below and line_width(told) > cells:
            told = short_ways(self._plan, self.answers, below)
        self._ways.show((fit(told, cells),))
