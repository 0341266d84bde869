"""Disks with the longest waits of all pools, a line each: the last minutes, a sample, the most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import bandwidth, count, milliseconds, percent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.iostat import IoSample
from zconsole.views.findings.slow_disk_phrases import short
from zconsole.views.layout.click_targets import ClickTarget, clickable
from zconsole.views.layout.escape_measure_cut_text import middle
from zconsole.views.layout.styled_text import STRIP, Line, Span, line, merge
from zconsole.views.overview.disk_wall import Shown, title_of, wait_of
from zconsole.views.overview.pool_overview import PoolOverview
from zconsole.views.pools.latency_heatmap import block_and_style
from zconsole.views.pools.vdev_rows import VdevRow, busy_of, row_of

NAME_CELLS: Final = 20
PLACE_CELLS: Final = 28
NUMBER_CELLS: Final = 92  # the waits, the operations and bytes, and how busy
NARROWEST: Final = NAME_CELLS + PLACE_CELLS + NUMBER_CELLS + 10
MOST_CELLS: Final = 60  # of the strip: ten minutes
MOST_DISKS: Final = 16


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A disk and its wait in the last stretch, in nanoseconds."""

    wait: float
    host: str
    place: str
    leaf: VdevRow
    shown: Shown


def wait_lines(pools: Sequence[PoolOverview], cells: int, *, has_host: bool) -> Iterator[Line]:
    """The disks of live pools that waited longest, worst first; none in a line that is too narrow."""
    if cells < NARROWEST:
        return
    found = [
        _Waiting(
            wait,
            pool.host.state.host,
            f"{pool.name(has_host=has_host)} {title_of(leaf)}".strip(),
            leaf,
            pool.disks,
        )
        for pool in pools
        if not pool.disks.is_old
        for leaf in pool.disks.wall.leaves
        if (wait := wait_of(leaf, pool.disks)) is not None
    ]
    wide = min(MOST_CELLS, cells - NARROWEST + 10)
    for each in sorted(found, key=lambda each: -each.wait)[:MOST_DISKS]:
        yield _line(each, wide)


def _line(each: _Waiting, cells: int) -> Line:
    at = each.shown.wall.places.get(each.leaf.key)
    strips = each.shown.strips
    values = strips.rows[at].values[-cells:] if strips is not None and at is not None else ()
    known = [value for value in values if value is not None]
    blocks = [Span(*block_and_style(value)) if value is not None else Span(" ", STRIP) for value in values]
    most = f"most {milliseconds(max(known))} ms" if known else ""
    told = merge(
        (
            Span(f"{middle(short(each.leaf.vdev.name), NAME_CELLS):<{NAME_CELLS}} "),
            Span(f"{middle(each.place, PLACE_CELLS):<{PLACE_CELLS}} ", "dim"),
            Span(" " * (cells - len(values)), STRIP),
            *blocks,
            Span(f" {milliseconds(each.wait):>5} ms  ", block_and_style(each.wait)[1]),
            Span(f"{most:<14}", "dim"),
            *_sampled(each.shown.sample, at),
        )
    )
    return clickable(told, ClickTarget(each.host, each.shown.state.name, each.leaf.key))


def _sampled(sample: IoSample | None, at: int | None) -> Line:
    row, busy = row_of(sample, at), busy_of(sample, at)
    if row is None:
        return ()
    return line(
        f"  read {count(row.read_ops):>5}/s {bandwidth(row.read_bytes):>10}",
        f"   write {count(row.write_ops):>5}/s {bandwidth(row.write_bytes):>10}",
        f"   busy {percent(100 * busy):>4}" if busy is not None else "",
    )
