"""Screens that can be paused and taken back in time, as far as the past is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.layout.key_help import footer_line, time_line
from zconsole.views.layout.styled_text import EMPTY, Line

if TYPE_CHECKING:
    from zconsole.model.timeline import TimelineSpan
    from zconsole.model.timeline_mark import TimelineMark
    from zconsole.views.layout.console_state import View
    from zconsole.views.layout.timeline import ShownMoment

MINUTE_S: Final = 60.0


class TimedScreen(ConsoleScreen):
    """Shows what is, or what was: then all of it is of that moment."""

    def __init__(self) -> None:
        super().__init__()
        self._at: float | None = None  # epoch seconds of the moment that is shown

    # What is shown; overridden

    def timeline(self) -> tuple[str, str] | None:
        """The host and the pool whose samples are gone through."""
        raise NotImplementedError

    def shown_hosts(self) -> Mapping[str, str | None]:
        """The hosts that are shown, and which pool of each; None is all."""
        whose = self.timeline()
        return {} if whose is None else {whose[0]: whose[1]}

    def not_of_then(self) -> str:
        """What of the screen cannot be of the past, in a few words."""
        return ""

    def view_at(self, at: float) -> View | None:
        """What was known at a moment; None where nothing is kept of it."""
        from zconsole.ui.timeline import view_then  # noqa: PLC0415  # who never goes back needs none of it

        console = self.console
        return view_then(console.states, console.config, self.shown_hosts(), at, console.interval_s)

    def asked_for(self) -> tuple[object, ...]:
        return *super().asked_for(), self._at

    def kept_span(self) -> TimelineSpan | None:
        """From when to when there is something to go back to."""
        whose = self.timeline()
        return None if whose is None else self.console.states.span(*whose)

    def kept_times(self) -> Sequence[float]:
        """All moments that differ, epoch seconds, oldest first."""
        whose = self.timeline()
        return () if whose is None else self.console.states.times(whose[0]).get(whose[1], ())

    def gaps(self) -> tuple[tuple[float, float], ...]:
        """The stretches of what is kept in which there is nothing."""
        return ()

    def lasts_s(self) -> float:
        """How long after it something that is kept still holds."""
        return inf

    # Where it stands

    @property
    def at(self) -> float | None:
        """The moment that is shown, epoch seconds; None is now, or when it was paused."""
        return self._at

    def on_mount(self) -> None:
        """A screen that is opened from one that shows the past shows the same moment."""
        below = self.app.screen_stack[-2] if len(self.app.screen_stack) > 1 else None
        if isinstance(below, TimedScreen) and below.at is not None:
            self.view = self.console.view()
            self._stand_at(below.at)

    def _stand_at(self, at: float) -> bool:
        """Show that moment, where something is kept of it."""
        view = self.view_at(at)
        if view is None:
            return False
        self._at, self._frozen = at, view
        return True

    def _moment(self) -> ShownMoment | None:
        whose = self.timeline() if self._at is not None else None
        if self._at is None or whose is None:
            return None
        from zconsole.views.layout.timeline import ShownMoment  # noqa: PLC0415

        now, marks = self.console.states.now(), self._marks(whose[0])
        return ShownMoment(self._at, now, self.kept_span(), marks, self.not_of_then(), self.gaps())

    def _marks(self, host: str) -> tuple[TimelineMark, ...]:
        return next((state.marks for state in self.console.states.newest() if state.host == host), ())

    def _shown_at(self) -> float:
        """Epoch seconds of what is shown."""
        if self._at is not None:
            return self._at
        return self.shown.now if self.shown is not None else self.console.states.now()

    # What is said of it

    def paused_words(self) -> Line:
        moment = self._moment()
        if moment is None:
            return super().paused_words()
        from zconsole.views.layout.timeline import fresh  # noqa: PLC0415

        return fresh(moment)

    def remarks(self) -> list[Line]:
        moment = self._moment()
        if moment is None:
            return super().remarks()
        from zconsole.views.layout.timeline import words  # noqa: PLC0415

        others = super().remarks()
        return [*others, words(moment)] if self._said else [words(moment), *others]

    def dashes(self, cells: int) -> Line:
        moment = self._moment()
        if moment is None:
            return super().dashes(cells)
        from zconsole.views.layout.timeline import track  # noqa: PLC0415

        return track(moment, cells)

    def footer(self, cells: int) -> Line:
        return footer_line(self.PLACE, cells) if self._frozen is None else time_line(self.PLACE, cells)

    # Actions

    def action_pause(self) -> None:
        """Keep what is shown, or go on from the past to what is now."""
        self._at = None
        super().action_pause()

    def action_now(self) -> None:
        """What is now."""
        self._at = self._frozen = None
        self.draw()

    def action_earlier(self) -> None:
        """The sample before."""
        self._move(samples=-1)

    def action_later(self) -> None:
        """The sample after."""
        self._move(samples=1)

    def action_minute_back(self) -> None:
        """A minute before."""
        self._move(seconds=-MINUTE_S)

    def action_minute_on(self) -> None:
        """A minute after."""
        self._move(seconds=MINUTE_S)

    def _move(self, *, samples: int = 0, seconds: float = 0.0) -> None:
        from zconsole.views.layout.timeline import moved  # noqa: PLC0415

        times = self.kept_times()
        if not times:
            self.say("nothing is kept yet", "dim")
            return
        there = moved(times, self._shown_at(), samples=samples, seconds=seconds, lasts_s=self.lasts_s())
        if there is not None:
            self.go(there)
        elif samples + seconds < 0:
            self.say("nothing older is kept", "dim")
        else:
            self.say("this is the newest; . goes on to what is now", "dim")

    def go(self, at: float) -> None:
        """Show a moment that is over."""
        if self._stand_at(at):
            self._said = EMPTY
            self.draw()
        else:
            self.say("nothing is kept of that moment", "warn")

    def action_mark_back(self) -> None:
        """The mark before."""
        self._to_mark(is_back=True)

    def action_mark_on(self) -> None:
        """The mark after."""
        self._to_mark(is_back=False)

    def _to_mark(self, *, is_back: bool) -> None:
        from zconsole.views.layout.timeline import next_mark  # noqa: PLC0415

        whose = self.timeline()
        found = next_mark(self._kept_marks(), self._shown_at(), is_back=is_back) if whose else None
        if found is None:
            self.say(f"there is no {'earlier' if is_back else 'later'} mark in what is kept", "dim")
        else:
            self.go(found.at)

    def _kept_marks(self) -> tuple[TimelineMark, ...]:
        """The marks of moments that can be shown."""
        whose = self.timeline()
        kept = self.kept_span()
        if whose is None or kept is None:
            return ()
        return tuple(
            mark for mark in self._marks(whose[0])
            if kept.first <= mark.at <= self.console.states.now()
        )  # fmt: skip

    def action_mark(self) -> None:
        """Mark the moment that is shown."""
        whose = self.timeline()
        if whose is None:
            self.say("there is no host here to mark a moment of", "dim")
            return
        host, at = whose[0], self._shown_at() if self._frozen is not None else self.console.states.now()
        from zconsole.ui.flows.timeline_marks import mark  # noqa: PLC0415

        self.console.gate.expect_dialog()
        self.app.run_worker(mark(self, host, at), name="remembering")

    def action_marks(self) -> None:
        """List the marks, and go to one."""
        whose = self.timeline()
        marks = self._marks(whose[0]) if whose is not None else ()
        if whose is None or not marks:
            self.say("nothing is marked yet; m marks a moment", "dim")
            return
        from zconsole.ui.flows.timeline_marks import choose_mark  # noqa: PLC0415

        self.console.gate.expect_dialog()
        self.app.run_worker(choose_mark(self, whose[0], marks, self._kept_marks()), name="remembering")

    def action_save(self) -> None:
        """Save what is kept as a recording."""
        whose = self.timeline()
        if whose is None:
            self.say("there is no host here to save a recording of", "dim")
            return
        from zconsole.ui.flows.timeline_marks import save  # noqa: PLC0415

        self.console.gate.expect_dialog()
        self.app.run_worker(save(self, whose[0]), name="remembering")
