"""Snapshot calendar of a dataset by family: interval, coverage, and gaps.

One character is one period of the family, the newest at the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.analysis.snapshots.schedule_periods_and_gaps import (
    DAY_S,
    HOUR_S,
    Gap,
    Schedule,
    Taken,
    rhythms,
    slots,
)
from zconsole.base.durations_in_words import lasting
from zconsole.base.fixed_width_formatting import DAY, MINUTE, moment
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line, merge

TAKEN: Final = "█"
MISSING: Final = "·"
BEFORE: Final = " "
MOST_GAPS: Final = 3
_MANY: Final = 10  # in one period: more than a digit shows


def calendar_lines(snapshots: Iterable[Dataset], now: float, cells: int) -> Iterator[Line]:
    """Every family of one dataset, the shortest interval first. `now` is epoch seconds."""
    taken = [Taken(each.name, each.creation) for each in snapshots if each.creation is not None]
    found = rhythms(taken, now)
    if not found:
        yield line(("It has no snapshots.", "dim"))
        return
    for rhythm in found:
        yield from _family(rhythm, now, cells)
        yield EMPTY
    yield line(
        (TAKEN, "ok"), (" taken   ", "dim"), ("2", "ok"), (" so many in one period   ", "dim"),
        (MISSING, "warn"), (" none", "dim"),
    )  # fmt: skip


def _family(rhythm: Schedule, now: float, cells: int) -> Iterator[Line]:
    label = rhythm.family.label + (f" to {rhythm.family.peer}" if rhythm.family.peer else "")
    late = (
        line(("  LATE", "bad"), f", the newest is {lasting(now - rhythm.newest.creation)} old")
        if rhythm.is_late
        else ()
    )
    yield line(
        (label, "section"),
        f"  {counted(len(rhythm.snapshots), 'snapshot')}, {_from_to(rhythm)} UTC",
        *late,
    )
    if rhythm.period_s is None:
        names = ", ".join(short_of(each.name) for each in rhythm.snapshots[-3:])
        yield line(("  not periodic; the newest: ", "dim"), names)
        return
    yield _strip(rhythm, rhythm.period_s, now, cells)
    shown = rhythm.gaps[-MOST_GAPS:]
    for gap in reversed(shown):
        yield _gap(gap, rhythm, now)
    if len(rhythm.gaps) > len(shown):
        yield line((f"  and {counted(len(rhythm.gaps) - len(shown), 'gap')} before", "dim"))
    if not rhythm.gaps:
        yield line((f"  every {lasting(rhythm.period_s)}, no gaps", "dim"))


def _from_to(rhythm: Schedule) -> str:
    first, last = _when(rhythm.oldest.creation), _when(rhythm.newest.creation)
    return first if first == last else f"{first} to {last}"


def _strip(rhythm: Schedule, period_s: int, now: float, cells: int) -> Line:
    """The last periods up to now that fit, between two dates."""
    room = max(1, cells - 2 * _WHEN - 4)
    count = max(1, min(room, int((now - rhythm.oldest.creation) // period_s) + 1))
    start = int(now) - count * period_s + 1
    spans = [Span("  "), Span(f"{_moment(start, period_s):<{_WHEN}} ", "dim")]
    first = (rhythm.oldest.creation - start) // period_s
    for at, number in enumerate(slots(rhythm, start, count)):
        if number:
            spans.append(Span(TAKEN if number == 1 else str(number) if number < _MANY else "+", "ok"))
        elif at < first:
            spans.append(Span(BEFORE))
        else:
            spans.append(Span(MISSING, "warn"))
    spans.append(Span(" now", "dim"))
    return merge(spans)


_WHEN: Final = 16  # cells of a moment


def _moment(at: int, period_s: int) -> str:
    return moment(at, MINUTE if period_s <= 2 * HOUR_S else DAY)


def _gap(gap: Gap, rhythm: Schedule, now: float) -> Line:
    is_open = rhythm.is_late and gap is rhythm.gaps[-1]
    until = "now" if is_open else _when(gap.end)
    style = "bad" if is_open or now - gap.end < DAY_S else "warn"
    return line((f"  {gap.missed} missing", style), f" between {_when(gap.start)} and {until}")


def _when(at: int) -> str:
    return moment(at, MINUTE)
