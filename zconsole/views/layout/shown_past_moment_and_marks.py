"""Position of a screen in the timeline: time, span and marks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf, isfinite
from typing import Final

from zconsole.base.fixed_width_formatting import duration
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.past_states_and_latency_strips import TimelineSpan as PersistentFiles
from zconsole.model.timeline_mark import TimelineMark
from zconsole.views.findings.slow_disk_phrases import clock
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line, merge

MARK: Final = "◆"
HERE: Final = "●"
NO_WORDS: Final = "marked"
NEAR_S: Final = 1.0  # a mark this close to the moment belongs to it
SHORTEST_TRACK: Final = 12  # cells; a shorter one would show no detail


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """The shown moment in the past, and its surroundings. Epoch seconds."""

    at: float
    now: float
    kept: PersistentFiles | None = None
    marks: tuple[TimelineMark, ...] = ()  # of the host, in the order of time
    lacking: str = ""  # parts of the screen that are not of the shown moment
    gaps: tuple[tuple[float, float], ...] = ()  # periods without readings

    @property
    def mark(self) -> TimelineMark | None:
        """The mark at the shown moment."""
        near = [mark for mark in self.marks if abs(mark.at - self.at) <= NEAR_S]
        return min(near, key=lambda mark: abs(mark.at - self.at), default=None)


def fresh(moment: ShownMoment) -> Line:
    """The right end of the first line, in place of `live`."""
    return line((f"PAST {clock(moment.at)}", "warn"))


def words(moment: ShownMoment) -> Line:
    """The shown moment, its age, and the time from which on history exists."""
    parts = [line((f"{clock(moment.at)} UTC", "warn"), f", {duration(moment.now - moment.at)} ago")]
    if moment.kept is not None and moment.at < moment.kept.first:
        parts.append(line(("; no longer kept", "warn")))
    elif moment.kept is not None:
        gaps = ", with gaps" if moment.gaps else ""
        parts.append(line((f"; kept from {clock(moment.kept.first)}{gaps}", "dim")))
    if moment.mark is not None:
        parts.append(line((f" {MARK} ", "mark"), moment.mark.words or NO_WORDS))
    if moment.lacking:
        parts.append(line((f"; {moment.lacking}", "dim")))
    return tuple(span for part in parts for span in part)


def track(moment: ShownMoment, cells: int) -> Line:
    """The track of the history, from the oldest sample to the newest, with the marks and the moment.

    Periods without readings have no line.
    """
    kept = moment.kept
    if kept is None or cells < SHORTEST_TRACK or kept.last <= kept.first:
        return line(("─" * cells, "rule")) if cells > 0 else EMPTY
    looks = [("├", "rule"), *[("─", "rule")] * (cells - 2), ("┤", "rule")]
    cells_a_second = (cells - 1) / (kept.last - kept.first)

    def cell(at: float) -> int:
        return min(max(0, round((at - kept.first) * cells_a_second)), cells - 1)

    for first, last in moment.gaps:
        empty = max(0, cell(last) - cell(first) - 1)
        looks[cell(first) + 1 : cell(first) + 1 + empty] = [(" ", "rule")] * empty
    shown = [(mark.at, (MARK, "mark")) for mark in moment.marks if mark.at >= kept.first]
    for at, look in (*shown, (moment.at, (HERE, "warn"))):
        looks[cell(at)] = look
    return merge(Span(text, style) for text, style in looks)


def place_of(times: Sequence[float], at: float) -> int:
    """The index of the sample at a moment: the last one until then, or the first of the history."""
    return max(0, bisect_right(times, at) - 1)


def moved(
    times: Sequence[float],
    at: float,
    *,
    samples: int = 0,
    seconds: float = 0.0,
    lasts_s: float = inf,
) -> float | None:
    """The sample a number of samples or seconds away, at least one; None where the history ends.

    From inside a gap, where the last sample is no longer valid, the next sample is one step away.
    """
    here = place_of(times, at)
    if times and isfinite(lasts_s) and not 0 <= at - times[here] <= lasts_s:
        return _out_of_gap(times, at, at + seconds, is_back=samples + seconds < 0)
    there = here + samples
    if seconds and times:
        there = place_of(times, times[here] + seconds)
        there += (1 if seconds > 0 else -1) if there == here else 0
    return times[there] if 0 <= there < len(times) else None


def _out_of_gap(times: Sequence[float], at: float, wanted: float, *, is_back: bool) -> float | None:
    """The sample that is valid at the wanted moment, or the nearest on that side of the gap."""
    behind = bisect_right(times, at)  # the first sample after the gap
    if is_back:
        return times[min(place_of(times, wanted), behind - 1)] if behind else None
    return times[max(place_of(times, wanted), behind)] if behind < len(times) else None


def gaps(times: Sequence[float], lasts_s: float) -> tuple[tuple[float, float], ...]:
    """Pairs of neighbouring samples that are further apart than one sample is valid."""
    return tuple((before, after) for before, after in pairwise(times) if after - before > lasts_s)


def nothing_then(moment: float, times: Sequence[float], what: str) -> tuple[Line, ...]:
    """The message that nothing was read at a moment: the reason, and the nearest readings."""
    at = bisect_right(times, moment)
    near = [f"[ goes to {clock(times[at - 1])}"] if at else []
    near += [f"] goes to {clock(times[at])}"] if at < len(times) else []
    told = [
        line((f"Nothing is kept of {clock(moment)} UTC.", "warn")),
        line(f"{what} only while this screen is open."),
    ]
    return (*told, line((f"{', '.join(near)}.", "dim"))) if near else tuple(told)


def next_mark(marks: Sequence[TimelineMark], at: float, *, is_back: bool) -> TimelineMark | None:
    """The nearest mark before or after a moment."""
    if is_back:
        return max((mark for mark in marks if mark.at < at), key=lambda mark: mark.at, default=None)
    return min((mark for mark in marks if mark.at > at), key=lambda mark: mark.at, default=None)


def mark_row(mark: TimelineMark, now: float, *, is_kept: bool) -> Line:
    """A mark in a list; dim where its moment cannot be shown any more."""
    ago = f"{duration(now - mark.at)} ago"
    words = (mark.words or NO_WORDS, "text" if is_kept else "dim")
    return line((f"{clock(mark.at)} ", "title" if is_kept else "dim"), (f"{ago:>12}  ", "dim"), words)
