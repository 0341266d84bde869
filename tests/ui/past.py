"""Hosts of which the last minutes are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from tests.ui import watched
from tests.ui.frames import frame, make_app, source_of
from tests.ui.states import NOW
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.kernel_counters import ArcSample, ThrottleSample, ZilSample
from zconsole.model.timeline_mark import TimelineMark
from zconsole.ui.app import ZConsoleApp

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
SIZE = SIZES["80x24"]
BACK, ON = "left_square_bracket", "right_square_bracket"
MINUTE_BACK, MINUTE_ON = "left_curly_bracket", "right_curly_bracket"
MARK_BACK, MARK_ON = "less_than_sign", "greater_than_sign"
MARKS = (
    TimelineMark(NOW - 4000, "before all that is kept"),
    TimelineMark(NOW - 449.6, "pulled \x1b[2J it"),
    TimelineMark(NOW - 60, ""),
)


def lived(*marks: TimelineMark, **more: object) -> ZConsoleApp:
    """The console on a host whose last ten minutes are kept: from 10:56:40 to 11:06:40."""
    state = replace(watched.slow(), marks=marks, **more)  # type: ignore[arg-type]
    app = make_app(state)
    watched.give_past(source_of(app))
    return app


def lines(app: ZConsoleApp) -> list[str]:
    return frame(app).split("\n")


def moment(app: ZConsoleApp) -> str:
    """What stands at the right end of the first line."""
    return lines(app)[0].rpartition("  ")[2].strip().rpartition("… ")[2]


FRAMES = {
    "past-pools": (MARK_BACK, MARK_BACK),
    "past-pool": ("enter", *[MINUTE_BACK] * 8),
    "past-pool-slow": ("enter", MINUTE_BACK, "n"),
    "past-pool-latency": ("enter", "2", MINUTE_BACK),
    "past-pool-heat": ("enter", "3", MINUTE_BACK),
    "past-latency": ("enter", "enter", BACK),
    "past-marks": ("M",),
    "past-mark": ("enter", BACK, "m"),
}


def loaded() -> ZConsoleApp:
    """The console on a host whose datasets were looked at from 10:56:40 on, and again from 11:04:40 on."""
    app = make_app(watched.loaded())
    watched.give_past(source_of(app))
    watched.give_loads(source_of(app))
    return app


def cached() -> ZConsoleApp:
    """The console on a host whose cache was looked at from 11:01:40 on, but for two minutes."""
    state = watched.cached()
    state = replace(
        state,
        arc=_with_a_gap(state.arc), throttle=_with_a_gap(state.throttle), zil=_with_a_gap(state.zil),
    )  # fmt: skip
    app = make_app(state)
    watched.give_past(source_of(app))
    return app


Sampled = TypeVar("Sampled", ArcSample, ThrottleSample, ZilSample)


def _with_a_gap(reading: Reading[tuple[Sampled, ...]]) -> Reading[tuple[Sampled, ...]]:
    samples: tuple[Sampled, ...] = reading.value or ()
    return replace(reading, value=tuple(each for each in samples if not NOW - 240 < each.at <= NOW - 120))
