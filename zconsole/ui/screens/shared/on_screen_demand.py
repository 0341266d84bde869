"""Screens that go back to the times at which they were open: what they show is read only for them."""

from __future__ import annotations

from zconsole.model.timeline import TimelineSpan
from zconsole.ui.screens.shared.timeline import TimedScreen


class WatchedScreen(TimedScreen):
    """Of other times nothing is kept, and it says so."""

    def kept_span(self) -> TimelineSpan | None:
        times = self.kept_times()
        return TimelineSpan(times[0], times[-1], len(times)) if times else None

    def gaps(self) -> tuple[tuple[float, float], ...]:
        from zconsole.views.layout.timeline import (  # noqa: PLC0415  # who never goes back needs none of it
            gaps,
        )  # who never goes back needs none of it

        return gaps(self.kept_times(), self.lasts_s())
