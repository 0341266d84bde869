"""Latency of one vdev beside its siblings: wait times by I/O class, and request sizes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from zconsole.analysis.vdevs.latency_quantiles import Spread, Spreads
from zconsole.base.fixed_width_formatting import UNKNOWN, count, duration, milliseconds, percent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.views.findings import slow_disk_phrases as slow_disk
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import join, link_words, state_style_and_glyph
from zconsole.views.layout.styled_text import BLOCKS, TEXT, Line, Span, line, merge
from zconsole.views.layout.table import Cell, Column, Row, RowsOnDemand, Table, cells_of
from zconsole.views.pools.latency_heatmap import AWFUL_NS, HIGH_NS
from zconsole.views.pools.pool_page import ShownPool
from zconsole.views.pools.vdev_rows import VdevRow

STRIP: Final = "strip"  # the id of the column that is a histogram
SHARES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)  # of the I/Os: lower bounds of the higher blocks
LEGEND: Final = "▁ any ▄ 5% ▆ 20% █ half of its I/Os"
POOL: Final = "pool"  # the key of the pool's own row
OLD_S: Final = 5.0  # ten samples missed
MANY: Final = 999.5


@dataclass(frozen=True, slots=True)
class HistogramView:
    """Kind of histogram: its classes, and the horizontal scale, in powers of two."""

    id: str
    title: str
    classes: tuple[tuple[str, str], ...]  # names of ZFS, and names for people
    first: int  # the leftmost bucket holds all below 2^first
    last: int
    label_every: int  # buckets
    label: Callable[[int], str]  # of a bucket, by its upper bound
    write: Callable[[int], str]  # the same as a number
    unit: str = ""


def _time(bound_ns: int) -> str:
    """The upper bound of a bucket as a short label: `131us`, `8ms`, `4s`."""
    value, unit = float(bound_ns), "ns"
    for larger in ("us", "ms", "s"):
        if value < MANY:
            break
        value, unit = value / 1000, larger
    return f"{value:.0f}{unit}"


def _size(bound: int) -> str:
    """A size by the lower bound of its bucket: most requests are powers of two."""
    least = (bound + 1) // 2
    for unit, word in ((1 << 20, "M"), (1 << 10, "K")):
        if least >= unit:
            return f"{least // unit}{word}"
    return str(least)


LATENCIES: Final = HistogramView(
    "latency", "latencies",
    (
        ("disk_read", "at the disk: reads"), ("disk_write", "at the disk: writes"),
        ("syncq_read", "in the queue of synchronous reads"),
        ("syncq_write", "in the queue of synchronous writes"),
        ("asyncq_read", "in the queue of asynchronous reads"),
        ("asyncq_write", "in the queue of asynchronous writes"),
        ("scrub", "in the queue of the scrub"), ("trim", "in the queue of trims"),
        ("rebuild", "in the queue of the rebuild"),
        ("total_read", "in total: reads"), ("total_write", "in total: writes"),
    ),
    first=11, last=35, label_every=3, label=_time, write=milliseconds, unit=" ms",
)  # fmt: skip
SIZES: Final = HistogramView(
    "sizes", "request sizes",
    tuple(
        (f"{queue}_{kind}", f"{words}, {kind}")
        for queue, words in (
            ("sync_read", "synchronous reads"), ("sync_write", "synchronous writes"),
            ("async_read", "asynchronous reads"), ("async_write", "asynchronous writes"),
            ("scrub", "scrub"), ("trim", "trim"), ("rebuild", "rebuild"),
        )
        for kind in ("individual", "aggregated")
    ),
    first=10, last=25, label_every=2, label=_size, write=_size,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """Row of a class."""

    key: str
    name: str
    place: int | None
    is_subject: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """Subject of the comparison: a vdev, or the pool itself, and its peers."""

    pool: ShownPool
    node: VdevRow | None  # None is the pool
    members: tuple[LatencyRow, ...]

    @property
    def name(self) -> str:
        """The name of the vdev or pool."""
        return self.pool.pool.name if self.node is None else self.node.vdev.name

    @property
    def verdict(self) -> SlowDiskVerdict | None:
        """The current verdict on the disk."""
        return None if self.node is None else self.pool.verdict_on(self.node)


def about(pool: ShownPool, name: str | None) -> About | None:
    """The vdev with a name, the pool for None; None when it does not exist any more."""
    nodes = [each for each in pool.order if isinstance(each, VdevRow)]
    node = next((each for each in nodes if each.vdev.name == name), None)
    if name is not None and node is None:
        return None
    whole = LatencyRow(POOL, f"all of {pool.pool.name}", 0, is_subject=node is None)
    if node is None:
        beside = [each for each in nodes if each.depth == 1]
        return About(pool, None, (whole, *(_member(pool, each) for each in beside)))
    siblings = [each for each in nodes if each.siblings is node.siblings and each.key != node.key]
    subject = replace(_member(pool, node), is_subject=True)
    return About(pool, node, (subject, *(_member(pool, each) for each in siblings), whole))


def _member(pool: ShownPool, node: VdevRow) -> LatencyRow:
    return LatencyRow(node.key, node.vdev.name, pool.places.get(node.key))


@dataclass(frozen=True, slots=True)
class _Shown:
    """Row: a member in a class of I/O, with its histogram where known, and the width of the histogram."""

    member: LatencyRow
    found: Spread | None
    of: str
    kind: HistogramView
    cells: int

    def cell(self, write: Callable[[float], str], value: Callable[[Spread], float]) -> Cell:
        """A number of the histogram."""
        if self.found is None:
            return Cell(UNKNOWN, "dim")
        is_beside = self.member.key == POOL and not self.member.is_subject
        number = value(self.found)
        return Cell(write(number), "dim" if is_beside else TEXT, sort=number)


def _name(shown: _Shown) -> Cell:
    member = shown.member
    style = "title" if member.is_subject else "dim" if member.key == POOL else TEXT
    return Cell(member.name, style, sort=member.name, lead="▸ " if member.is_subject else "  ")


def _strip(shown: _Shown) -> Cell:
    found = shown.found
    return Cell() if found is None else Cell(spans=strip(found, shown.kind, shown.of, shown.cells))


def columns(kind: HistogramView, strip_title: str = "") -> tuple[Column[_Shown], ...]:
    """Name, rate, quantiles, and the histogram with its scale as a title."""
    buckets, unit, write = kind.last - kind.first + 1, kind.unit, kind.write
    return (
        Column(
            "vdev",
            "VDEV",
            18,
            _name,
            need=100,
            is_right=False,
            grows_to=30,
            grows_last_to=44,
            cuts_middle=True,
        ),
        Column("rate", "OPS/s", 6, lambda shown: shown.cell(count, lambda found: found.rate), need=70),
        Column("p50", f"p50{unit}", 6, lambda shown: shown.cell(write, lambda found: found.median), need=80),
        Column("p99", f"p99{unit}", 6, lambda shown: shown.cell(write, lambda found: found.tail), need=81),
        Column("max", f"max{unit}", 6, lambda shown: shown.cell(write, lambda found: found.most), need=60),
        Column(STRIP, strip_title, buckets, _strip, need=90, is_right=False, grows_to=3 * buckets),
    )


def scale(kind: HistogramView, cells: int) -> str:
    """The labels above the buckets, each where its bucket begins."""
    each = max(1, cells // (kind.last - kind.first + 1))
    text = ""
    for power in range(kind.first, kind.last + 1, kind.label_every):
        at = (power - kind.first) * each
        label = kind.label((1 << power) - 1)
        if (len(text) < at or not text) and at + len(label) <= cells:
            text = text.ljust(at) + label
    return text


# The page


def page(whose: About, view: View, kind: HistogramView, spreads: Spreads, cells: int) -> Page:
    """The page of the latency screen; `cells` is the width of the histogram."""
    reading = readings(whose, kind)
    shown = columns(kind, scale(kind, cells))
    made = _Rows(whose, kind, spreads, cells, _classes(kind, reading), shown)
    rows: Sequence[Row] = RowsOnDemand(len(made), made.row)
    if not rows:
        words = reading.problem or "The first histograms come within a second or two ..."
        rows = (Row("none", line=line((words, "dim")), is_selectable=False),)
    return Page(_answer(whose, view), _fresh(reading, view), _numbers(kind, reading), Table(shown, rows))


def readings(whose: About, kind: HistogramView) -> Reading[tuple[HistogramSample, ...]]:
    """The samples of that kind."""
    state = whose.pool.state
    return state.latencies if kind is LATENCIES else state.sizes


def _classes(
    kind: HistogramView, reading: Reading[tuple[HistogramSample, ...]]
) -> tuple[tuple[str, str], ...]:
    """The classes that this version of ZFS has."""
    if not reading.value or not reading.value[-1].rows:
        return ()
    known = reading.value[-1].rows[0].histograms
    return tuple(each for each in kind.classes if each[0] in known)


def _answer(whose: About, view: View) -> Line:
    pool, node = whose.pool, whose.node
    parts = [line((pool.host.name, "title")), line((pool.pool.name, "title"))]
    if node is not None:
        parts.append(line((slow_disk.short(node.vdev.name), "title")))
    if whose.verdict is not None:
        parts.append(slow_disk.why(whose.verdict))
    else:
        state = pool.state.state if node is None else node.vdev.state
        style, glyph = state_style_and_glyph(state)
        parts.append(line((f"{state} {glyph}".strip(), style)))
    return join([*parts, link_words(pool.host, view)])


def _fresh(reading: Reading[tuple[HistogramSample, ...]], view: View) -> Line:
    age = reading.age(view.monotonic)
    if age is None:
        return line(("reading", "dim"))
    if age > OLD_S or reading.problem:
        return line((f"{duration(age)} old", "warn"))
    return line(("live", "ok"))


def _numbers(kind: HistogramView, reading: Reading[tuple[HistogramSample, ...]]) -> Line:
    seconds = sum(sample.interval_s for sample in reading.value or ())
    parts = [
        line(f"{kind.title} of the last {seconds:.0f} s" if seconds else kind.title),
        line((LEGEND, "dim")),
    ]
    if reading.problem and reading.value:
        parts.insert(0, line((reading.problem, "warn")))
    return join(parts)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of the classes, each a heading and a row for each member."""

    whose: About
    kind: HistogramView
    spreads: Spreads
    cells: int
    classes: Sequence[tuple[str, str]]
    columns: tuple[Column[_Shown], ...]

    def __len__(self) -> int:
        return len(self.classes) * (1 + len(self.whose.members))

    def row(self, at: int) -> Row:
        """The row at an index."""
        section, inside = divmod(at, 1 + len(self.whose.members))
        of, words = self.classes[section]
        if inside == 0:
            return Row(f"class {of}", line=line((words, "section")), is_selectable=False)
        member = self.whose.members[inside - 1]
        return Row(f"{of} {member.key}", cells_of(self.columns, self._shown(member, of)), words=words)

    def _shown(self, member: LatencyRow, of: str) -> _Shown:
        found = None
        if member.place is not None:
            found = self.spreads.of(member.place, _zfs_name(self.whose, member), of)
        return _Shown(member, found, of, self.kind, self.cells)


def _zfs_name(whose: About, member: LatencyRow) -> str:
    return whose.pool.pool.name if member.key == POOL else member.name


def strip(found: Spread, kind: HistogramView, of: str, cells: int) -> Line:
    """The histogram as blocks: the share of the I/Os that ended in each bucket."""
    buckets = [0] * (kind.last - kind.first + 1)
    for bound, number in zip(found.histogram.upper_bounds, found.histogram.counts, strict=True):
        buckets[min(max(bound.bit_length(), kind.first), kind.last) - kind.first] += number
    total, each = sum(buckets), max(1, cells // len(buckets))
    looks = [
        (BLOCKS[bisect_right(SHARES, number / total)], _style(at, kind, of)) if number else (" ", "strip")
        for at, number in enumerate(buckets)
    ]
    spans = (
        Span("".join(block * each for block, _ in run), style)
        for style, run in groupby(looks, lambda look: look[1])
    )
    return merge(spans)


def _style(at: int, kind: HistogramView, of: str) -> str:
    """Style of a bucket: long waits are highlighted at a disk and in total; in a queue they are usual."""
    if kind is not LATENCIES or not of.startswith(("disk", "total")):
        return "strip"
    bound = (1 << kind.first + at) - 1
    return "bad" if bound >= AWFUL_NS else "warn" if bound >= HIGH_NS else "strip"


# The words below


def notes(whose: About, kind: HistogramView, spreads: Spreads, key: str | None) -> Iterator[Line]:
    """The selected histogram in numbers, and its siblings'."""
    of, _, member_key = (key or "").partition(" ")
    words = dict(kind.classes).get(of)
    member = next((each for each in whose.members if each.key == member_key), None)
    if words is None or member is None or member.place is None:
        return
    found = spreads.of(member.place, _zfs_name(whose, member), of)
    if found is None:
        words = f"{words}: no I/O" if not spreads.is_behind else words
        yield join([line((member.name, "title")), line(words)])
        return
    yield join(
        [line((member.name, "title")), line(f"{words}, {count(found.rate)}/s"), _quantiles(found, kind)]
    )
    total = sum(found.histogram.counts)
    shares = [
        f"{kind.write(bound)} {_share(number / total)}"
        for bound, number in zip(found.histogram.upper_bounds, found.histogram.counts, strict=True)
        if number
    ]
    head = "up to ... ms: " if kind is LATENCIES else "from ...: "
    yield from _beside(whose, kind, spreads, of, member)  # first: a low terminal has no room for the rest
    yield line((head, "dim"), ", ".join(shares))


def _quantiles(found: Spread, kind: HistogramView) -> Line:
    half, tail, most = (kind.write(value) for value in (found.median, found.tail, found.most))
    if kind is LATENCIES:
        return line(f"half within {half}, 99% {tail}, all {most} ms")
    return line(f"half up to {half}, 99% {tail}, all {most}")


def _share(share: float) -> str:
    return percent(100 * share) if share >= 0.01 else "<1%"


def _beside(
    whose: About, kind: HistogramView, spreads: Spreads, of: str, member: LatencyRow
) -> Iterator[Line]:
    found = [
        each
        for other in whose.members
        if other.key not in {member.key, POOL}
        and other.place is not None
        and (each := spreads.of(other.place, other.name, of)) is not None
    ]
    if not found:
        return
    medians, tails = sorted(each.median for each in found), sorted(each.tail for each in found)
    yield line(
        (f"beside it, {len(found)}: ", "dim"),
        f"half {_span(kind, medians)}, 99% {_span(kind, tails)}",
    )


def _span(kind: HistogramView, values: Sequence[int]) -> str:
    low, high = kind.write(values[0]), kind.write(values[-1])
    return low if low == high else f"{low} to {high}"
