"""Wall of disks: every leaf of a pool as one cell, marked by its state or as high as its latency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from zconsole.base.fixed_width_formatting import milliseconds
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import PoolState
from zconsole.model.past_states_and_latency_strips import Strips
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev
from zconsole.views.findings.slow_disk_phrases import headline
from zconsole.views.layout.click_targets import ClickableSpan, ClickTarget, blank_as, target_at
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.state_age_and_link_phrases import BAD, WARN, join, state_style_and_glyph
from zconsole.views.layout.styled_text import Line, Span, line, line_width
from zconsole.views.pools.latency_heatmap import SCALES, block_and_style
from zconsole.views.pools.vdev_rows import TITLES, VdevRow, io_places, nodes

SPARE: Final = "▢"
SPARE_IN_USE: Final = "▣"
RESILVERING: Final = "◆"
IDLE: Final = "·"
UNKNOWN: Final = "?"
CHOSEN: Final = "▸"
SPARES: Final = f"{SPARE} spare  {SPARE_IN_USE} in use"
LEGENDS: Final = (  # the longest that fits is shown; two blanks, so that the dot belongs to its word
    f"{BAD} failed  {WARN} slow, errors  {RESILVERING} resilvering  {SPARES}  {IDLE} idle  wait {SCALES[0]}",
    f"{BAD} failed  {WARN} slow  {RESILVERING} resilvering  {SPARES}  {IDLE} idle  {SCALES[1]}",
    f"{BAD} failed  {WARN} slow  {RESILVERING} resilver  {SPARES}  {IDLE} idle",
    f"{BAD} failed  {WARN} slow  {RESILVERING} resilver  {SPARES}",
    "",
)
GAP: Final = "  "
_LeafCell = tuple[tuple[str, str], ClickTarget | None]  # glyph and style, and what a click leads to


@dataclass(frozen=True, slots=True)
class WallGroup:
    """The leaves of one top-level vdev, or single disks of one class."""

    title: str
    leaves: tuple[VdevRow, ...]


@dataclass(frozen=True, slots=True)
class Wall:
    """The leaves of a pool, and where the I/O of each is in a sample."""

    groups: tuple[WallGroup, ...]
    places: Mapping[str, int]

    @property
    def leaves(self) -> tuple[VdevRow, ...]:
        """All leaves, in the order of `zpool status`."""
        return tuple(leaf for group in self.groups for leaf in group.leaves)


def wall_of(pool: Pool, sample: IoSample | None) -> Wall:
    """The wall of a pool with the places of its last sample."""
    order = [each for each in nodes(pool) if isinstance(each, VdevRow)]
    places = {} if sample is None else io_places(order, sample)
    leaves = [(title_of(each), each) for each in order if each.vdev.is_leaf]
    groups = groupby(leaves, lambda each: each[0])
    return Wall(tuple(WallGroup(title, tuple(leaf for _, leaf in run)) for title, run in groups), places)


def title_of(leaf: VdevRow) -> str:
    """The class of a leaf, where it holds no data, and the top-level vdev that it is part of."""
    vdev_class = leaf.vdev.vdev_class
    name = "" if leaf.depth == 1 else leaf.top
    return " ".join(filter(None, (TITLES.get(vdev_class, vdev_class) if vdev_class != "data" else "", name)))


@dataclass(frozen=True, slots=True)
class Shown:
    """A pool's wall with what its leaves are drawn from; `chosen` is a leaf's key."""

    wall: Wall
    state: PoolState
    strips: Strips | None = None
    chosen: str | None = None
    is_old: bool = False  # whether samples are overdue
    sample: IoSample | None = None  # the first of this stretch, so that numbers change with the strips
    is_unread: bool = False  # whether no sample fell into the last cell of the strips

    @property
    def newest_rows(self) -> Sequence[IoRow] | None:
        """The rows of the newest sample, in place of a cell without one; None where they are not wanted."""
        wanted = self.is_unread and not self.is_old and self.sample is not None
        return self.sample.rows if wanted and self.sample is not None else None

    @property
    def has_readings(self) -> bool:
        """Whether it is known what the disks did last."""
        return self.newest_rows is not None or (self.strips is not None and not self.is_unread)


def wall_lines(shown: Shown, lead: Line, cells: int) -> Iterator[Line]:
    """The wall behind a name, in as many lines of `cells` cells as it takes."""
    blank, pool = blank_as(lead), target_at(lead, 0)
    row, taken = list(lead), line_width(lead)
    for group in shown.wall.groups:
        title = f"{group.title} " if group.title else ""
        looks = [_marked(look(leaf, shown), leaf.key == shown.chosen) for leaf in group.leaves]
        targets = [None if pool is None else replace(pool, leaf=leaf.key) for leaf in group.leaves]
        cells_of_leaves = tuple(zip(looks, targets, strict=True))
        for piece, is_first in _pieces(cells_of_leaves, max(1, cells - line_width(lead) - width(title))):
            head = title if is_first else " " * width(title)
            wide = width(head) + sum(width(glyph) for (glyph, _), _ in piece)
            if taken > line_width(lead) and taken + len(GAP) + wide > cells:
                yield tuple(row)
                row, taken = list(blank), line_width(lead)
            gap = GAP if taken > line_width(lead) else ""
            row += [Span(gap), Span(head, "dim"), *_spans(piece)]
            taken += len(gap) + wide
    if taken > line_width(lead):
        yield tuple(span for span in row if span.text)


def _pieces(leaves: Sequence[_LeafCell], most: int) -> Iterator[tuple[Sequence[_LeafCell], bool]]:
    for begin in range(0, len(leaves), most):
        yield leaves[begin : begin + most], begin == 0


def _marked(shown: tuple[str, str], is_chosen: bool) -> tuple[str, str]:
    return (CHOSEN + shown[0], "key") if is_chosen else shown


def _spans(leaves: Sequence[_LeafCell]) -> Iterator[Span]:
    """Neighbours of one style as one span; a click on a cell leads to its leaf."""
    for style, same in groupby(leaves, lambda each: each[0][1]):
        run = list(same)
        text = "".join(glyph for (glyph, _), _ in run)
        targets = tuple(target for (glyph, _), target in run if target is not None for _ in glyph)
        yield ClickableSpan(text, style, targets) if targets else Span(text, style)


def look(leaf: VdevRow, shown: Shown) -> tuple[str, str]:
    """The glyph and the style of a leaf: a trouble first, else its latency."""
    vdev = leaf.vdev
    if vdev.vdev_class == "spare" and vdev.state in HEALTHY_STATES:
        return (SPARE_IN_USE, "info") if vdev.state == "INUSE" else (SPARE, "dim")
    if vdev.state not in HEALTHY_STATES:
        style, glyph = state_style_and_glyph(vdev.state)
        return glyph or UNKNOWN, style
    if vdev.is_resilvering:
        return RESILVERING, "info"
    if vdev.has_errors or _is_slow(vdev, shown.state):
        return WARN, "warn"
    wait = wait_of(leaf, shown)
    if wait is None:
        return IDLE, "dim"
    block, style = block_and_style(wait)
    return block, "dim" if shown.is_old else style


def _is_slow(vdev: Vdev, state: PoolState) -> bool:
    return any(each.disk == vdev.name for each in state.slow)


def wait_of(leaf: VdevRow, shown: Shown) -> float | None:
    """The largest mean latency of the leaf in the last interval, in nanoseconds; None without I/O."""
    place, strips = shown.wall.places.get(leaf.key), shown.strips
    rows = shown.newest_rows
    if rows is not None:
        return None if place is None or place >= len(rows) else slower_wait(rows[place])
    if strips is None or place is None or place >= len(strips.rows):
        return None
    row = strips.rows[place]
    return row.values[-1] if row.name == leaf.vdev.name and row.values else None


def slower_wait(row: IoRow) -> float | None:
    """The mean latency of reads or of writes in one sample, whichever is longer."""
    return max(filter(None, (row.latency.disk_read, row.latency.disk_write)), default=None)


def leaf_words(leaf: VdevRow, shown: Shown) -> Line:
    """What is known of the chosen leaf."""
    vdev = leaf.vdev
    style, glyph = state_style_and_glyph(vdev.state)
    wait = wait_of(leaf, shown)
    without_io = "idle" if shown.has_readings else "no sample yet"
    slow = tuple(each for each in shown.state.slow if each.disk == vdev.name)
    return join(
        [
            line((vdev.name, "title")),
            line((f"{vdev.state} {glyph}".strip(), style)),
            line(leaf.top) if leaf.depth > 1 else (),
            line((vdev.note, "warn")) if vdev.note else (),
            line(f"waits up to {milliseconds(wait)} ms") if wait is not None else line((without_io, "dim")),
            headline(slow) if slow else (),
            line(("Enter opens it", "dim")),
        ]
    )
