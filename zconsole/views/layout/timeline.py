"""Position of a screen in the timeline: time, span and marks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import Final

from zconsole.base.formatting import duration
from zconsole.model.timeline import TimelineSpan as Kept
from zconsole.model.timeline_mark import TimelineMark
from zconsole.views.findings.slow_disk import clock
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line, merge

MARK: Final = "◆"
HERE: Final = "●"
NO_WORDS: Final = "marked"
NEAR_S: Final = 1.0  # a mark so close to the moment is of the moment
SHORTEST_TRACK: Final = 12  # cells; on a shorter one nothing could be told apart


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """The moment that is shown, and what there is around it. Epoch seconds."""

    at: float
    now: float
    kept: Kept | None = None
    marks: tuple[TimelineMark, ...] = ()  # of the host, in the order of time
    lacking: str = ""  # what of the screen is not of then
    gaps: tuple[tuple[float, float], ...] = ()  # in which nothing was read

    @property
    def mark(self) -> TimelineMark | None:
        """The mark that stands there."""
        near = [mark for mark in self.marks if abs(mark.at - self.at) <= NEAR_S]
        return min(near, key=lambda mark: abs(mark.at - self.at), default=None)


def fresh(moment: ShownMoment) -> Line:
    """For the right end of the first line, where else `live` stands."""
    return line((f"PAST {clock(moment.at)}", "warn"))


def words(moment: ShownMoment) -> Line:
    """Which moment is shown, how long ago it was, and from when on there is more."""
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
    """All that is kept, from the oldest sample to the newest, with the marks and the moment in it.

    Where nothing was read there is no line.
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
    """Which sample is shown at a moment: the last until then, or the first that is kept."""
    return max(0, bisect_right(times, at) - 1)


def moved(
    times: Sequence[float],
    at: float,
    *,
    samples: int = 0,
    seconds: float = 0.0,
    lasts_s: float = inf,
) -> float | None:
    """The sample so many samples or seconds away, at least one; None where nothing is kept there.

    Out of a gap, in which the last sample does not hold any more, the next sample is the one beside it.
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
    """The sample that holds at the wanted moment, or the nearest on that side of the gap."""
    behind = bisect_right(times, at)  # the first sample after the gap
    if is_back:
        return times[min(place_of(times, wanted), behind - 1)] if behind else None
    return times[max(place_of(times, wanted), behind)] if behind < len(times) else None


def gaps(times: Sequence[float], lasts_s: float) -> tuple[tuple[float, float], ...]:
    """From which sample to which there is nothing in between for longer than one holds."""
    return tuple((before, after) for before, after in pairwise(times) if after - before > lasts_s)


def nothing_then(moment: float, times: Sequence[float], what: str) -> tuple[Line, ...]:
    """That nothing was read at a moment, why, and where the nearest readings are."""
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
    """A mark in a list; dim where the moment cannot be shown any more."""
    ago = f"{duration(now - mark.at)} ago"
    words = (mark.words or NO_WORDS, "text" if is_kept else "dim")
    return line((f"{clock(mark.at)} ", "title" if is_kept else "dim"), (f"{ago:>12}  ", "dim"), words)
