"""Time travel of a screen: pause, go back as far as the history reaches, mark a moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Final, Protocol

from zconsole.model.past_states_and_latency_strips import TimelineSpan
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

if TYPE_CHECKING:
    from zconsole.model.timeline_mark import TimelineMark
    from zconsole.ui.app_protocol import ConsoleApp
    from zconsole.views.host_states_with_findings import View
    from zconsole.views.layout.shown_past_moment_and_marks import ShownMoment
    from zconsole.views.layout.styled_text import Line

MINUTE_S: Final = 60.0
Whose = Callable[[], tuple[str, str] | None]  # the host and the pool with the history


class ScreenHistory(Protocol):
    """History of a screen."""

    def whose(self) -> tuple[str, str] | None:
        """The host and the pool of the history; None where there is none now."""

    def span(self) -> TimelineSpan | None:
        """The first and last moment of the history."""

    def times(self) -> Sequence[float]:
        """All distinct moments, epoch seconds, oldest first."""

    def gaps(self) -> tuple[tuple[float, float], ...]:
        """The periods within the history without readings."""

    def lasts_s(self) -> float:
        """Seconds for which a reading is valid."""

    def view_at(self, at: float) -> View | None:
        """The state at a moment; None where the history has none."""


class SampledPast:
    """Samples of the last hour, which are kept whether a screen shows them or not."""

    def __init__(
        self, console: ConsoleApp, whose: Whose, hosts: Callable[[], Mapping[str, str | None]] | None = None
    ) -> None:
        """`hosts`: the shown ones, and one pool of each or None for all; by default that of `whose`."""
        self.whose = whose
        self._console = console
        self._hosts = hosts or self._one

    def _one(self) -> Mapping[str, str | None]:
        whose = self.whose()
        return {} if whose is None else {whose[0]: whose[1]}

    def span(self) -> TimelineSpan | None:
        whose = self.whose()
        return None if whose is None else self._console.states.span(*whose)

    def times(self) -> Sequence[float]:
        whose = self.whose()
        return () if whose is None else self._console.states.times(whose[0]).get(whose[1], ())

    def gaps(self) -> tuple[tuple[float, float], ...]:
        return ()

    def lasts_s(self) -> float:
        return inf

    def view_at(self, at: float) -> View | None:
        from zconsole.ui.past_host_states_with_findings import view_then  # noqa: PLC0415  # who never goes back needs none of it

        console = self._console
        return view_then(console.states, console.config, self._hosts(), at, console.interval_s)


class WatchedPast:
    """Readings of a screen that are made only while it is open, with gaps between."""

    def __init__(
        self,
        whose: Whose,
        *,
        times: Callable[[], Sequence[float]],
        lasts_s: Callable[[], float],
        view_at: Callable[[float], View | None],
    ) -> None:
        self.whose, self.times, self.lasts_s, self.view_at = whose, times, lasts_s, view_at

    def span(self) -> TimelineSpan | None:
        times = self.times()
        return TimelineSpan(times[0], times[-1], len(times)) if times else None

    def gaps(self) -> tuple[tuple[float, float], ...]:
        from zconsole.views.layout.shown_past_moment_and_marks import gaps  # noqa: PLC0415  # the same

        return gaps(self.times(), self.lasts_s())


def _nothing() -> str:
    return ""


class TimeTravel:
    """Time travel of a screen: all of it shows one past moment."""

    def __init__(
        self, screen: ConsoleScreen, past: ScreenHistory, *, not_of_then: Callable[[], str] = _nothing
    ) -> None:
        """`not_of_then` names the parts of the screen without history, in a few words."""
        self._screen = screen
        self._console = screen.console
        self._past = past
        self._not_of_then = not_of_then
        self._at: float | None = None  # epoch seconds of the shown moment

    # Position

    @property
    def at(self) -> float | None:
        """The shown moment, epoch seconds; None is now, or the moment of the pause."""
        return self._at

    def begin(self) -> None:
        """Take the moment of the screen that this one was opened from."""
        stack = self._console.screen_stack
        below = stack[-2] if len(stack) > 1 else None
        if isinstance(below, ConsoleScreen) and below.time is not None and below.time.at is not None:
            self._screen.view = self._console.view()
            self._stand_at(below.time.at)

    def _stand_at(self, at: float) -> bool:
        """Show a moment, where the history has it."""
        view = self._past.view_at(at)
        if view is None:
            return False
        self._at, self._screen.frozen = at, view
        return True

    def _moment(self) -> ShownMoment | None:
        whose = self._past.whose() if self._at is not None else None
        if self._at is None or whose is None:
            return None
        from zconsole.views.layout.shown_past_moment_and_marks import ShownMoment  # noqa: PLC0415  # the same

        now, marks = self._console.states.now(), self._marks(whose[0])
        return ShownMoment(self._at, now, self._past.span(), marks, self._not_of_then(), self._past.gaps())

    def _marks(self, host: str) -> tuple[TimelineMark, ...]:
        return next((state.marks for state in self._console.states.newest() if state.host == host), ())

    def _shown_at(self) -> float:
        """Epoch seconds of the shown state."""
        if self._at is not None:
            return self._at
        return self._screen.shown.now if self._screen.shown is not None else self._console.states.now()

    # Descriptions

    def fresh(self) -> Line | None:
        """The age of the moment, in place of the freshness."""
        moment = self._moment()
        if moment is None:
            return None
        from zconsole.views.layout.shown_past_moment_and_marks import fresh  # noqa: PLC0415  # the same

        return fresh(moment)

    def words(self) -> Line | None:
        """The moment, and the parts of the screen without history."""
        moment = self._moment()
        if moment is None:
            return None
        from zconsole.views.layout.shown_past_moment_and_marks import words  # noqa: PLC0415  # the same

        return words(moment)

    def track(self, cells: int) -> Line | None:
        """The position in the history."""
        moment = self._moment()
        if moment is None:
            return None
        from zconsole.views.layout.shown_past_moment_and_marks import track  # noqa: PLC0415  # the same

        return track(moment, cells)

    # Actions

    def action_pause(self) -> None:
        """Freeze the screen, or return from the past to now."""
        self._at = None
        self._screen.toggle_pause()

    def action_now(self) -> None:
        """Return to now."""
        self._at = self._screen.frozen = None
        self._screen.draw()

    def action_earlier(self) -> None:
        """Go to the sample before."""
        self._move(samples=-1)

    def action_later(self) -> None:
        """Go to the sample after."""
        self._move(samples=1)

    def action_minute_back(self) -> None:
        """Go back a minute."""
        self._move(seconds=-MINUTE_S)

    def action_minute_on(self) -> None:
        """Go forward a minute."""
        self._move(seconds=MINUTE_S)

    def _move(self, *, samples: int = 0, seconds: float = 0.0) -> None:
        from zconsole.views.layout.shown_past_moment_and_marks import moved  # noqa: PLC0415  # the same

        times = self._past.times()
        if not times:
            self._screen.say("nothing is kept yet", "dim")
            return
        there = moved(times, self._shown_at(), samples=samples, seconds=seconds, lasts_s=self._past.lasts_s())
        if there is not None:
            self.go(there)
        elif samples + seconds < 0:
            self._screen.say("nothing older is kept", "dim")
        else:
            self._screen.say("this is the newest; . goes on to what is now", "dim")

    def go(self, at: float) -> None:
        """Show a past moment."""
        if self._stand_at(at):
            self._screen.forget_said()
            self._screen.draw()
        else:
            self._screen.say("nothing is kept of that time", "warn")

    def action_mark_back(self) -> None:
        """Go to the mark before."""
        self._to_mark(is_back=True)

    def action_mark_on(self) -> None:
        """Go to the mark after."""
        self._to_mark(is_back=False)

    def _to_mark(self, *, is_back: bool) -> None:
        from zconsole.views.layout.shown_past_moment_and_marks import next_mark  # noqa: PLC0415  # the same

        whose = self._past.whose()
        found = next_mark(self._kept_marks(), self._shown_at(), is_back=is_back) if whose else None
        if found is None:
            self._screen.say(f"there is no {'earlier' if is_back else 'later'} mark in what is kept", "dim")
        else:
            self.go(found.at)

    def _kept_marks(self) -> tuple[TimelineMark, ...]:
        """The marks whose moments can be shown."""
        whose = self._past.whose()
        kept = self._past.span()
        if whose is None or kept is None:
            return ()
        return tuple(
            mark for mark in self._marks(whose[0])
            if kept.first <= mark.at <= self._console.states.now()
        )  # fmt: skip

    def action_mark(self) -> None:
        """Mark the shown moment."""
        whose = self._past.whose()
        if whose is None:
            self._screen.say("there is no host here to mark a moment of", "dim")
            return
        host, at = (
            whose[0],
            self._shown_at() if self._screen.frozen is not None else self._console.states.now(),
        )
        from zconsole.ui.flows.mark_and_save_timeline import mark  # noqa: PLC0415  # the same

        self._console.gate.expect_dialog()
        self._console.run_worker(mark(self._screen, host, at), name="remembering")

    def action_marks(self) -> None:
        """List the marks, and go to one."""
        whose = self._past.whose()
        marks = self._marks(whose[0]) if whose is not None else ()
        if whose is None or not marks:
            self._screen.say("nothing is marked yet; m marks a moment", "dim")
            return
        from zconsole.ui.flows.mark_and_save_timeline import choose_mark  # noqa: PLC0415  # the same

        self._console.gate.expect_dialog()
        self._console.run_worker(
            choose_mark(self._screen, self.go, whose[0], marks, self._kept_marks()), name="remembering"
        )

    def action_save(self) -> None:
        """Save the history as a recording."""
        whose = self._past.whose()
        if whose is None:
            self._screen.say("there is no host here to save a recording of", "dim")
            return
        from zconsole.ui.flows.mark_and_save_timeline import save  # noqa: PLC0415  # the same

        self._console.gate.expect_dialog()
        self._console.run_worker(save(self._screen, whose[0]), name="remembering")
