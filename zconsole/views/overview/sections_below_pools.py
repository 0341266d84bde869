"""Sections below the list of pools, as far as there is room: load, disks, waits, space, findings, events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.past_states_and_latency_strips import STRETCH_S
from zconsole.views.findings.findings_in_short import line_with_serials, told_once
from zconsole.views.findings.not_judged.unread_or_old_readings import is_advice_partial
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.click_targets import ClickTarget, clickable, target_at
from zconsole.views.layout.escape_measure_cut_text import middle, width
from zconsole.views.layout.state_age_and_link_phrases import advice_words, counted
from zconsole.views.layout.styled_text import Line, Span, fit, line, line_width, wrap
from zconsole.views.layout.table import Row
from zconsole.views.overview import bandwidth_and_latency_graphs as graphs
from zconsole.views.overview import disk_wall as wall
from zconsole.views.overview.guests_and_what_to_do import (
    Remedies,
    guest_lines,
    no_remedies,
    read_at,
    to_do,
)
from zconsole.views.overview.largest_datasets_and_growth import space_lines
from zconsole.views.overview.last_events import last_events
from zconsole.views.overview.longest_waits import wait_lines
from zconsole.views.overview.pool_overview import PoolOverview

NAME_CELLS: Final = 9
WIDEST_NAME: Final = 24
LEAST_ROWS: Final = 2  # of a section: its heading and a line
MOST_EVENTS: Final = 12
ROWS_BESIDE: Final = 40  # of all that is told beside the graphs of a single pool
FOR_DETAILS: Final = 3  # rows that are left for the details of the row under the cursor to grow into
INDENT: Final = 2  # of the further lines of a finding


@dataclass(frozen=True, slots=True)
class Room:
    """The cells of a line, the rows that the list of pools leaves free, and its order where it is sorted."""

    cells: int
    rows: int
    order: tuple[tuple[str, str], ...] = ()  # host and pool
    only: frozenset[tuple[str, str]] | None = None  # the pools that match a filter; None without one


@dataclass(frozen=True, slots=True)
class ToldBelow:
    """Findings of one host, as lines, that the details of the row under the cursor tell in full."""

    host: str = ""
    lines: tuple[Line, ...] = ()


NOTHING_TOLD: Final = ToldBelow()


def sections(
    view: View,
    pools: Sequence[PoolOverview],
    room: Room,
    below: ToldBelow = NOTHING_TOLD,
    remedies: Remedies = no_remedies,
) -> tuple[Row, ...]:
    """The rows of all sections that fit; the wall of disks comes first where not all do.

    `below` is what the details of the row under the cursor tell in full: told once is enough. What stands
    above the findings does not depend on it, so that nothing there moves with the cursor.
    """
    rows, left = [], room.rows
    disks = _cut(list(_disks(view, pools, room.cells)), left)
    left -= len(disks)
    load = list(_load(view, pools, room.cells))
    load = load if len(load) <= left else []
    left -= len(load)
    events = list(last_events(view, MOST_EVENTS))
    half = max(left // 2, left - len(events) - 1)
    reserved = len(_findings_in(view, room.cells, half, NOTHING_TOLD))  # wherever the cursor is
    left -= reserved
    head = _heading("last events", "UTC · e all", room.cells)
    told = min(left, len(events) + 1) if events and left >= LEAST_ROWS else 0
    left -= told
    space = _space(view, pools, room.cells, left)
    left -= len(space)
    if load and (tall := _rows_of_a_graph(len(pools), left)) > 1:
        tall = max(tall, _rows_of_the_only_graph(len(pools), room.rows))
        load, before = list(_load(view, pools, room.cells, tall)), len(load)
        left -= len(load) - before
    waits = _waits(view, pools, room.cells, left)
    left -= len(waits)
    space, before = _space(view, pools, room.cells, left + len(space), is_long=True), len(space)
    left -= len(space) - before
    guests = _guests(view, room.cells, left)
    left -= len(guests)
    findings = _findings_in(view, room.cells, reserved + left, below)
    left += reserved - len(findings)
    advised = _to_do(view, room.cells, left, remedies)
    rest = left - len(advised) + told
    happened = [head, *last_events(view, rest - 1)] if events and rest >= LEAST_ROWS else []
    for part in (load, disks, waits, space, guests, findings, advised, happened):
        rows += part
    return tuple(
        Row(f"\0section\0{at}", line=fit(each, room.cells), is_selectable=False, is_beside=True)
        for at, each in enumerate(rows)
    )


def _cut(lines: list[Line], most: int) -> list[Line]:
    """As many lines as fit, the last of them with the number of those that do not; none for a heading."""
    if len(lines) <= most:
        return lines
    if most < LEAST_ROWS + 1:
        return []
    return [*lines[: most - 1], line((f"… {counted(len(lines) - most + 1, 'more line')}", "dim"))]


def _heading(title: str, legend: str, cells: int) -> Line:
    head = line(("── ", "rule"), (title, "section"), (f" {legend} " if legend else " ", "dim"))
    return (*head, Span("─" * max(0, cells - line_width(head)), "rule"))


def _lead(pool: PoolOverview, cells: int, *, has_host: bool) -> Line:
    name = middle(pool.name(has_host=has_host), cells)
    target = ClickTarget(pool.host.state.host, pool.state.name)
    return clickable(line((f"{name:<{cells}} ", "text")), target)


def _lead_cells(view: View, pools: Sequence[PoolOverview]) -> int:
    names = (len(pool.name(has_host=len(view.hosts) > 1)) for pool in pools)
    return min(WIDEST_NAME, max(NAME_CELLS, max(names, default=0)))


def _disks(view: View, pools: Sequence[PoolOverview], cells: int) -> Iterator[Line]:
    lead_cells = _lead_cells(view, pools)
    leads = [_lead(pool, lead_cells, has_host=len(view.hosts) > 1) for pool in pools]
    lines = [
        each
        for pool, lead in zip(pools, leads, strict=True)
        for each in wall.wall_lines(pool.disks, lead, cells)
    ]
    if lines:
        room = cells - width("── disks  ──")
        yield _heading("disks", next(each for each in wall.LEGENDS if width(each) <= room or not each), cells)
        yield from lines


def _space(
    view: View, pools: Sequence[PoolOverview], cells: int, left: int, *, is_long: bool = False
) -> list[Line]:
    """The space of each pool; where it may be long, with a line for each of its largest datasets."""
    heading = _heading("space", "largest datasets · D all", cells)
    short = list(space_lines(view, pools, cells))
    if not short or len(short) >= left:
        return []
    if not is_long:
        return [heading, *short]
    spare = (left - 1 - len(short)) // (1 + len(pools))  # as much as for each pool is left to what follows
    return [heading, *space_lines(view, pools, cells, 1 + spare)]


def _guests(view: View, cells: int, left: int) -> list[Line]:
    """The guests as they were read last, where rows are left for some."""
    if left < LEAST_ROWS + 1:
        return []
    lines = list(guest_lines(view, cells, left // 2))
    return [_heading("guests", f"read at {read_at(view)} · V all", cells), *lines] if lines else []


def _to_do(view: View, cells: int, left: int, remedies: Remedies) -> list[Line]:
    """What to do about the worst findings, each whole, as many as fit; with reasons where rows are left."""
    left -= 1 + FOR_DETAILS
    if left < 1:
        return []
    told: list[tuple[list[Line], tuple[Line, ...]]] = []
    for each in to_do(view, remedies):
        whole = list(_wrapped(each.words, cells))
        if len(whole) > left:
            break
        left -= len(whole)
        told.append((whole, each.reasons))
    lines: list[Line] = []
    for whole, reasons in told:
        lines += whole
        for reason in reasons:
            more = list(_wrapped(reason, cells))
            if len(more) > left:
                break
            left -= len(more)
            lines += more
    has_repair = any(each.repaired_pool for host in view.hosts for each in host.findings)
    legend = "R repair, step by step" if has_repair else "f with the evidence"
    return [_heading("what to do", legend, cells), *lines] if lines else []


def _waits(view: View, pools: Sequence[PoolOverview], cells: int, left: int) -> list[Line]:
    """The disks with the longest waits, where rows are left for some."""
    if left < LEAST_ROWS + 1:
        return []
    lines = list(wait_lines(pools, cells, has_host=len(view.hosts) > 1))[: left - 1]
    known = (pool.disks.strips for pool in pools)
    seconds = max([STRETCH_S, *(each.seconds for each in known if each is not None)])
    legend = f"mean of {seconds:g} s, and a sample of I/O · d all"
    return [_heading("longest waits", legend, cells), *lines] if lines else []


def _findings_in(view: View, cells: int, most: int, below: ToldBelow) -> list[Line]:
    """The findings in as many rows: each whole where all fit so, else a row each, as far as they go."""
    found = list(_findings(view, cells, below))
    whole = [part for each in found for part in _wrapped(each, cells)]
    return whole if len(whole) <= most else _cut(found, most)


def _wrapped(words: Line, cells: int) -> Iterator[Line]:
    """A finding on as many lines as it takes, below itself."""
    if line_width(words) <= cells:
        yield words
        return
    target = target_at(words, 0)
    for number, part in enumerate(wrap(words, cells - INDENT)):
        shown = (Span(" " * INDENT), *part) if number else part
        yield shown if target is None else clickable(shown, target)


def _rows_of_a_graph(graphs_shown: int, left: int) -> int:
    """The height of each graph where rows are left: one, or enough to write the scale beside it."""
    tall = min(graphs.TALLEST, 1 + left // max(1, graphs_shown))
    return tall if tall >= graphs.LEAST_TALL else 1


def _rows_of_the_only_graph(graphs_shown: int, rows: int) -> int:
    """The height of the graphs of a single pool on a very tall terminal, however much is told below them."""
    return min(graphs.TALLEST_ALONE, rows - ROWS_BESIDE) if graphs_shown == 1 else 0


def _load(view: View, pools: Sequence[PoolOverview], cells: int, rows: int = 1) -> Iterator[Line]:
    shown = [pool for pool in pools if pool.bandwidth is not None or pool.disks.strips is not None]
    if cells < graphs.NARROWEST or not shown:
        return
    lead_cells = _lead_cells(view, pools)
    wide = graphs.graph_cells(cells, lead_cells + 1)
    size = graphs.GraphRoom(wide, rows, cells >= graphs.WITH_WORST)
    seconds = next((pool.bandwidth.seconds for pool in shown if pool.bandwidth is not None), STRETCH_S)
    yield _heading("load", graphs.legend(wide, seconds), cells)
    for pool in shown:
        lead = _lead(pool, lead_cells, has_host=len(view.hosts) > 1)
        yield from graphs.graph_lines(lead, size, pool.bandwidth, pool.disks)
        yield from _gauge(pool, line_width(lead), cells)


def _gauge(pool: PoolOverview, lead: int, cells: int) -> Iterator[Line]:
    scan = pool.state.pool.value.scan if pool.state.pool.value is not None else None
    if scan is None or not scan.is_running or scan.percent is None:
        return
    told = next((each for each in pool.host.of_pool(pool.state.name) if each.id.startswith("scan-")), None)
    words = told.summary if told is not None else scan.function
    yield graphs.gauge_line((Span(" " * lead),), cells, scan.percent, words)


def _findings(view: View, cells: int, below: ToldBelow) -> Iterator[Line]:
    """All findings that are not told below, worst first, over all hosts; advice behind them."""
    found = [(finding, host) for host in view.hosts for finding in told_once(folded(host.findings))]
    if not found:
        return
    advised = sum(1 for finding, _ in found if finding.is_advice)
    is_partial = is_advice_partial([host.state for host in view.hosts])
    points = f" · I {advice_words(advised, is_partial=is_partial)}" if advised else ""
    others = [
        (finding, host)
        for finding, host in found
        if host.state.host != below.host
        or line_with_serials(finding, host=host.state.host) not in below.lines
    ]
    if not others:
        return
    yield _heading("other findings" if len(others) < len(found) else "findings", f"f all{points}", cells)
    for finding, host in sorted(others, key=lambda each: (each[0].is_advice, each[0].place)):
        where = line((f"{host.name} ", "dim")) if len(view.hosts) > 1 else ()
        yield (*where, *line_with_serials(finding, host=host.state.host))
