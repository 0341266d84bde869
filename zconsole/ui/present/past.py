"""Where in the past a screen stands: which moment that is, of what span, and the marks in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.base.units import duration
from zconsole.model.mark import Mark
from zconsole.model.past import Span as Kept
from zconsole.ui.present.cells import EMPTY, Line, Span, line, merge
from zconsole.ui.present.slow import clock

MARK: Final = "◆"
HERE: Final = "●"
NO_WORDS: Final = "marked"
NEAR_S: Final = 1.0  # a mark so close to the moment is of the moment
SHORTEST_TRACK: Final = 12  # cells; on a shorter one nothing could be told apart


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment that is shown, and what there is around it. Epoch seconds."""

    at: float
    now: float
    kept: Kept | None = None
    marks: tuple[Mark, ...] = ()  # of the host, in the order of time
    lacking: str = ""  # what of the screen is not of then

    @property
    def mark(self) -> Mark | None:
        """The mark that stands there."""
        near = [mark for mark in self.marks if abs(mark.at - self.at) <= NEAR_S]
        return min(near, key=lambda mark: abs(mark.at - self.at), default=None)


def fresh(moment: Moment) -> Line:
    """For the right end of the first line, where else `live` stands."""
    return line((f"PAST {clock(moment.at)}", "warn"))


def words(moment: Moment) -> Line:
    """Which moment is shown, how long ago it was, and from when on there is more."""
    parts = [line((f"{clock(moment.at)} UTC", "warn"), f", {duration(moment.now - moment.at)} ago")]
    if moment.kept is not None and moment.at < moment.kept.first:
        parts.append(line(("; no longer kept", "warn")))
    elif moment.kept is not None:
        parts.append(line((f"; kept from {clock(moment.kept.first)}", "dim")))
    if moment.mark is not None:
        parts.append(line((f" {MARK} ", "mark"), moment.mark.words or NO_WORDS))
    if moment.lacking:
        parts.append(line((f"; {moment.lacking}", "dim")))
    return tuple(span for part in parts for span in part)


def track(moment: Moment, cells: int) -> Line:
    """All that is kept, from the oldest sample to the newest, with the marks and the moment in it."""
    kept = moment.kept
    if kept is None or cells < SHORTEST_TRACK or kept.last <= kept.first:
        return line(("─" * cells, "rule")) if cells > 0 else EMPTY
    looks = [("├", "rule"), *[("─", "rule")] * (cells - 2), ("┤", "rule")]
    cells_a_second = (cells - 1) / (kept.last - kept.first)
    shown = [(mark.at, (MARK, "mark")) for mark in moment.marks if mark.at >= kept.first]
    for at, look in (*shown, (moment.at, (HERE, "warn"))):
        looks[min(max(0, round((at - kept.first) * cells_a_second)), cells - 1)] = look
    return merge(Span(text, style) for text, style in looks)


def place_of(times: Sequence[float], at: float) -> int:
    """Which sample is shown at a moment: the last until then, or the first that is kept."""
    return max(0, bisect_right(times, at) - 1)


def moved(times: Sequence[float], at: float, *, samples: int = 0, seconds: float = 0.0) -> float | None:
    """The sample so many samples or seconds away, at least one; None where nothing is kept there."""
    here = place_of(times, at)
    there = here + samples
    if seconds and times:
        there = place_of(times, times[here] + seconds)
        there += (1 if seconds > 0 else -1) if there == here else 0
    return times[there] if 0 <= there < len(times) else None


def next_mark(marks: Sequence[Mark], at: float, *, is_back: bool) -> Mark | None:
    """The nearest mark before or after a moment."""
    if is_back:
        return max((mark for mark in marks if mark.at < at), key=lambda mark: mark.at, default=None)
    return min((mark for mark in marks if mark.at > at), key=lambda mark: mark.at, default=None)


def mark_row(mark: Mark, now: float, *, is_kept: bool) -> Line:
    """A mark in a list; dim where the moment cannot be shown any more."""
    ago = f"{duration(now - mark.at)} ago"
    words = (mark.words or NO_WORDS, "text" if is_kept else "dim")
    return line((f"{clock(mark.at)} ", "title" if is_kept else "dim"), (f"{ago:>12}  ", "dim"), words)
