"""View of the ARC screen: cache, write throttle, intent log and transaction groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from zconsole.base.fixed_width_formatting import UNKNOWN, count, duration, percent, size
from zconsole.base.size_units import with_used_unit
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.kernel_counters import ArcSample, ThrottleSample, ZilSample
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout import shown_past_moment_and_marks, sparklines
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import WARN, join, link_words
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of
from zconsole.views.pools.arc_zil_txg_counters import (
    LONG_SYNC_NS,
    CounterRow,
    held_up,
    is_held_up,
    items,
    mean_sync_ns,
)

STRIP: Final = "strip"
OLD_S: Final = 10.0  # five readings missed
_NS: Final = 1e9
T = TypeVar("T", ArcSample, ThrottleSample, ZilSample)


def known(view: View, host_name: str, cells: int) -> tuple[CounterRow | str, ...]:
    """The items and headings of a host; empty before the first reading."""
    host = view.host(host_name)
    if host is None or not any((host.state.arc.value, host.state.throttle.value, host.state.zil.value)):
        return ()
    return tuple(items(host.state, cells))


def times(state: HostState) -> tuple[float, ...]:
    """Epoch seconds of all kept readings, oldest first."""
    readings = (state.arc.value, state.throttle.value, state.zil.value)
    return tuple(each.at for each in next((found for found in readings if found), ()))


def nothing_then(view: View, host_name: str, kept: Sequence[float]) -> Page:
    """The page for a moment without kept readings."""
    told = shown_past_moment_and_marks.nothing_then(view.now, kept, "Cache, throttle and intent log are read")
    rows = tuple(Row(f"absent {at}", line=words, is_selectable=False) for at, words in enumerate(told))
    return Page(_head(view.host(host_name), host_name), EMPTY, EMPTY, Table((), rows))


def _head(host: HostView | None, host_name: str) -> Line:
    return line((host.name if host is not None else host_name, "title"), (" · ", "dim"), ("cache", "title"))


def page(view: View, host_name: str, shown: Sequence[CounterRow | str]) -> Page:
    """The page of the ARC screen."""
    host = view.host(host_name)
    if host is None or not shown:
        return _absent(view, host, host_name)
    return Page(
        _answer(view, host), _fresh(view, host), _numbers(host), Table(COLUMNS, tuple(map(_row, shown)))
    )


def notes(item: CounterRow | None) -> Iterator[Line]:
    """The meaning of the selected number."""
    if item is None:
        return
    yield join([line((item.title.strip(), "title")), line(item.now), line(item.more)])
    yield line(" ".join(item.words))


def _absent(view: View, host: HostView | None, host_name: str) -> Page:
    words = line(("The first numbers come within a second or two ...", "dim"))
    if host is not None and host.state.arc.problem:
        words = line((f"The statistics cannot be read: {host.state.arc.problem}", "warn"))
    elif host is not None:
        words = link_words(host, view) or words
    return Page(
        _head(host, host_name), EMPTY, EMPTY, Table((), (Row("absent", line=words, is_selectable=False),))
    )


def _answer(view: View, host: HostView) -> Line:
    arc, throttle = _newest(host.state.arc), _newest(host.state.throttle)
    parts = [line((host.name, "title")), link_words(host, view)]
    if throttle is not None and is_held_up(throttle):
        parts.append(line((f"{WARN} write throttle: {count(held_up(throttle))} writes/s delayed", "warn")))
    for pool in host.state.pools:
        mean_ns = mean_sync_ns(pool)
        if mean_ns is not None and mean_ns >= LONG_SYNC_NS:
            parts.append(line((f"{WARN} {pool.name} takes {mean_ns / _NS:.1f} s to write a group", "warn")))
    if arc is not None:
        hits = "" if arc.total.ratio is None else f", {percent(100 * arc.total.ratio)} hits"
        parts.append(line(f"cache {size(arc.size_bytes)} of {size(arc.target_bytes)}{hits}"))
    return join(parts)


def _fresh(view: View, host: HostView) -> Line:
    age = host.state.arc.age(view.monotonic)
    if age is None:
        return line(("reading", "dim"))
    return line((f"{duration(age)} old", "warn")) if age > OLD_S else line(("live", "ok"))


def _numbers(host: HostView) -> Line:
    state = host.state
    arc, zil = _newest(state.arc), _newest(state.zil)
    problem = state.arc.problem or state.throttle.problem or state.zil.problem
    parts = [line((problem, "warn"))] if problem else []
    if arc is not None:
        if arc.interval_s is None:
            parts.append(line(("means since the module was loaded", "dim")))
        parts.append(line(f"{count(arc.total.hits)}/s hits, {count(arc.total.misses)}/s misses"))
        if arc.memory_free_bytes is not None:
            parts.append(line(f"{size(arc.memory_free_bytes)} of memory free"))
    if zil is not None:
        parts.append(line(f"{count(zil.commits)} log commits/s"))
    return join(parts)


def _row(each: CounterRow | str) -> Row:
    if isinstance(each, str):
        return Row(f"section {each}", line=line((each, "section")), is_selectable=False)
    return Row(each.key, cells_of(COLUMNS, each))


def _now(each: CounterRow) -> Cell:
    style = "warn" if each.is_bad else "dim" if each.now in {UNKNOWN, "0", "0/s"} else "text"
    return Cell(each.now, style, tail=f" {WARN}" if each.is_bad else "")


def _strip(each: CounterRow) -> Cell:
    return Cell(
        spans=sparklines.draw(each.past, each.scale, each.high_from) if each.scale is not None else EMPTY
    )


def _scale(each: CounterRow) -> Cell:
    return Cell(with_used_unit(each.scale.label) if each.scale is not None else "", "dim")


COLUMNS: Final[tuple[Column[CounterRow], ...]] = (
    Column("what", "WHAT", 19, lambda each: Cell(each.title), need=100, is_right=False, grows_to=24),
    Column("now", "NOW", 10, _now, need=99),
    Column(STRIP, "HISTORY", 12, _strip, need=70, is_right=False, grows_to=60),
    Column("scale", "SCALE", 8, _scale, need=69, is_right=False),
    Column("more", "", 25, lambda each: Cell(each.more, "dim"), need=80, is_right=False, grows_to=40),
)


def _newest(reading: Reading[tuple[T, ...]]) -> T | None:
    return reading.value[-1] if reading.value else None
