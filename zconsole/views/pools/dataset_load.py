"""View of dataset I/O in a pool, busiest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import sub
from statistics import median
from typing import Final

from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.base.fixed_width_formatting import (
    UNKNOWN,
    bandwidth,
    count,
    duration,
    megabytes_per_s,
    percent,
    size,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.dataset_io import DatasetIo, DatasetIoSample, OtherDatasets
from zconsole.views.guests.guests_on_dataset import own_guests_cell
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout import shown_past_moment_and_marks
from zconsole.views.layout.escape_measure_cut_text import middle
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import join, link_words
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell, Column, Row, RowsOnDemand, Table, cells_of

NO_GUESTS: Final = GuestsByDataset()
REMEMBERED: Final = 0.75  # smoothing of a dataset's share between readings: ranks change slowly
FORGOTTEN: Final = 0.0005  # a share below this counts as zero
STICKS: Final = 0.01  # part of all that a share changes by at least, before another one is shown
STICKS_PART: Final = 0.1  # the same, as a part of itself
RANKED: Final = 12  # readings that decide the rank at a moment: older ones have faded
OLD_S: Final = 10.0
OLD_READINGS: Final = 3.0
STANDS_OUT: Final = 0.25  # least share of a dataset that is called the cause
NAMED: Final = 40  # cells of a name in the first line


@dataclass(frozen=True, slots=True)
class DatasetShare:
    """Share of one dataset, or of several together: the part (0..1) of all operations, and of all bytes.

    `of_late` is the larger of both in the mean of the last readings: what is shown, and the rank.
    """

    io: DatasetIo
    of_operations: float
    of_bytes: float
    datasets: int = 1  # more than one where it is the sum of datasets without a name in the history
    of_late: float | None = None

    @property
    def share(self) -> float:
        """The larger share: many small operations are a load, and so are a few large ones."""
        return self.now if self.of_late is None else self.of_late

    @property
    def now(self) -> float:
        """The larger share by the last reading alone."""
        return max(self.of_operations, self.of_bytes)


class Ranking:
    """Ranking of datasets by load. It follows the load slowly, so that rows do not jump."""

    def __init__(self) -> None:
        self.sample: DatasetIoSample | None = None  # the last reading included
        self._shares: dict[str, float] = {}
        self._shown: dict[str, float] = {}  # a share that changes less stays as it is, and so does its row
        self.busy: tuple[DatasetShare, ...] = ()
        self.idle: tuple[DatasetIo, ...] = ()
        self.others: DatasetShare | None = None  # below all named ones

    def take_in(self, sample: DatasetIoSample) -> None:
        """Bring the ranking up to a reading."""
        if sample is self.sample:
            return
        is_first, self.sample = self.sample is None, sample
        totals = _totals(sample)
        operations, moved = totals.read_ops + totals.write_ops, totals.read_bytes + totals.write_bytes
        shares: dict[str, float] = {}
        known: dict[str, DatasetShare] = {}
        idle: list[DatasetIo] = []
        for row in sample.rows:
            before = self._shares.get(row.name, 0.0)
            own = row.read_ops + row.write_ops
            if not own and not before:
                idle.append(row)
                continue
            now = DatasetShare(row, _part(own, operations), _part(row.read_bytes + row.write_bytes, moved))
            share = now.now if is_first else REMEMBERED * before + (1 - REMEMBERED) * now.now
            if share < FORGOTTEN and not own:
                idle.append(row)
                continue
            shares[row.name] = share
            known[row.name] = replace(now, of_late=_sticking(self._shown.get(row.name), share))
        self._shares = shares
        self._shown = {name: each.share for name, each in known.items()}
        self.busy = tuple(sorted(known.values(), key=lambda each: (-round(100 * each.share), each.io.name)))
        self.idle = tuple(idle)
        self.others = _others(sample, totals)

    def find(self, name: str | None) -> DatasetShare | None:
        """The dataset of that name."""
        named = self.busy if self.others is None else (*self.busy, self.others)
        found = next((each for each in named if each.io.name == name), None)
        if found is not None:
            return found
        return next((DatasetShare(row, 0.0, 0.0) for row in self.idle if row.name == name), None)


def lasts_s(times: Sequence[float]) -> float:
    """Seconds for which a reading is valid, by the interval of the readings."""
    usual_s = median(map(sub, times[1:], times)) if len(times) > 1 else 0.0
    return max(OLD_S, OLD_READINGS * usual_s)


def ranked(recent: Sequence[DatasetIoSample], at: float) -> Ranking:
    """The ranking at a moment, by the last readings until then; empty without a valid reading."""
    ranking, later = Ranking(), at
    near: list[DatasetIoSample] = []
    for sample in reversed(recent):
        if later - sample.at > max(OLD_S, OLD_READINGS * sample.interval_s):
            break
        near.append(sample)
        later = sample.at
    for sample in reversed(near):
        ranking.take_in(sample)
    return ranking


def _others(sample: DatasetIoSample, totals: DatasetIo) -> DatasetShare | None:
    """All active datasets that are not among the rows."""
    others = sample.others
    if others is None or not others.active:
        return None
    io = DatasetIo(
        f"({others.active} others)",  # no dataset can have this name
        others.read_ops,
        others.write_ops,
        others.read_bytes,
        others.write_bytes,
    )
    operations, moved = totals.read_ops + totals.write_ops, totals.read_bytes + totals.write_bytes
    of_operations = _part(io.read_ops + io.write_ops, operations)
    return DatasetShare(io, of_operations, _part(io.read_bytes + io.write_bytes, moved), others.active)


def _totals(sample: DatasetIoSample) -> DatasetIo:
    """The total of all datasets, with those that are not among the rows."""
    rows, others = sample.rows, sample.others or OtherDatasets()
    return DatasetIo(
        "",
        sum(row.read_ops for row in rows) + others.read_ops,
        sum(row.write_ops for row in rows) + others.write_ops,
        sum(row.read_bytes for row in rows) + others.read_bytes,
        sum(row.write_bytes for row in rows) + others.write_bytes,
    )


def _part(own: float, total: float) -> float:
    return own / total if total else 0.0


def _sticking(shown: float | None, share: float) -> float:
    """The share to show: the one before, unless the new one is clearly another."""
    is_alike = shown is not None and abs(share - shown) < max(STICKS, STICKS_PART * shown)
    return shown if is_alike and shown is not None else share


def page(
    view: View, host_name: str, pool_name: str, ranking: Ranking, guests: GuestsByDataset = NO_GUESTS
) -> Page:
    """The page of dataset I/O; `guests` are those that are known, with a column of their own."""
    host, state = view.host(host_name), view.pool(host_name, pool_name)
    if host is None or state is None or state.dataset_io.value is None:
        return _absent(view, host, host_name, pool_name, state)
    sample = state.dataset_io.value
    ranking.take_in(sample)
    idle, busy = ranking.idle, ranking.busy if ranking.others is None else (*ranking.busy, ranking.others)

    columns = columns_with(guests) if guests.count(pool_name) else COLUMNS

    def row(at: int) -> Row:
        each = busy[at] if at < len(busy) else DatasetShare(idle[at - len(busy)], 0.0, 0.0)
        return Row(each.io.name, cells_of(columns, each))

    table = Table(columns, RowsOnDemand(len(busy) + len(idle), row), ordered_by="share")
    return Page(
        _answer(view, host, pool_name, ranking), _fresh(view, state), _numbers(state, sample, busy), table
    )


def nothing_then(view: View, host_name: str, pool: str, times: Sequence[float]) -> Page:
    """The page for a moment without kept readings."""
    told = shown_past_moment_and_marks.nothing_then(view.now, times, "The counters of datasets are read")
    rows = tuple(Row(f"absent {at}", line=words, is_selectable=False) for at, words in enumerate(told))
    return Page(_head(view.host(host_name), host_name, pool), (), (), Table((), rows))


def _head(host: HostView | None, host_name: str, pool: str) -> Line:
    return line(
        (host.name if host is not None else host_name, "title"),
        (" · ", "dim"),
        (pool, "title"),
        (" load", "dim"),
    )


def _absent(view: View, host: HostView | None, host_name: str, pool: str, state: PoolState | None) -> Page:
    words = line(("The first rates come when the counters were read twice ...", "dim"))
    if state is None:
        words = line((f"There is no pool {pool} on {host_name} any more.", "warn"))
    elif state.dataset_io.problem:
        words = line((f"The counters cannot be read: {state.dataset_io.problem}", "warn"))
    elif host is not None and host.state.link.state is not LinkState.UP:
        words = link_words(host, view)
    rows = (Row("absent", line=words, is_selectable=False),)
    return Page(_head(host, host_name, pool), (), (), Table((), rows))


def _answer(view: View, host: HostView, pool: str, ranking: Ranking) -> Line:
    head = _head(host, host.name, pool)
    worst = next(iter(ranking.busy), None)
    if worst is None or not worst.share:
        return join([head, link_words(host, view), line(("no dataset does any I/O", "dim"))])
    does = "does" if worst.of_operations >= worst.of_bytes else "moves"
    of = "operations" if worst.of_operations >= worst.of_bytes else "bytes"
    words = f"{middle(worst.io.name, NAMED)} {does} {percent(100 * worst.share)} of all {of}"
    if worst.share < STANDS_OUT:
        words = (
            f"spread over many: {middle(worst.io.name, NAMED)} {does} the most, {percent(100 * worst.share)}"
        )
    return join([head, link_words(host, view), line(words)])


def _fresh(view: View, state: PoolState) -> Line:
    age, sample = state.dataset_io.age(view.monotonic), state.dataset_io.value
    if age is None or sample is None:
        return line(("reading", "dim"))
    if state.dataset_io.problem or age > max(OLD_S, OLD_READINGS * sample.interval_s):
        return line((f"{duration(age)} old", "warn"))
    return line(("live", "ok"))


def _numbers(state: PoolState, sample: DatasetIoSample, busy: Sequence[DatasetShare]) -> Line:
    others, totals = sample.others or OtherDatasets(), _totals(sample)
    active = sum(each.datasets for each in busy if each.share)
    read = f"read {count(totals.read_ops)}/s {bandwidth(totals.read_bytes)}"
    written = f"write {count(totals.write_ops)}/s {bandwidth(totals.write_bytes)}"
    which = f"{active} of {len(sample.rows) + others.idle + others.active} active"
    parts = [line(which), line(f"asked for: {read}, {written}")]
    if others.active:
        parts = [line(f"{which}, {len(sample.rows)} kept"), line(f"{read}, {written}")]
    if sample.is_new:
        parts.append(line((f"{sample.is_new} opened just now", "dim")))
    if state.dataset_io.problem:
        parts.insert(0, line((state.dataset_io.problem, "warn")))
    return join(parts)


def _name(each: DatasetShare) -> Cell:
    return Cell(each.io.name, "text" if each.share else "dim", sort=each.io.name)


def _share(each: DatasetShare) -> Cell:
    if not each.share:
        return Cell(UNKNOWN, "dim", sort=0.0)
    return Cell(percent(100 * each.share), sort=each.share)


def _rate(value: float | None) -> Cell:
    return Cell(count(value), "text" if value else "dim", sort=value)


def _bytes(value: float) -> Cell:
    return Cell(megabytes_per_s(value), "text" if value else "dim", sort=value)


def _mean(value: float | None) -> Cell:
    return Cell(UNKNOWN, "dim") if value is None else Cell(size(round(value)), sort=value)


COLUMNS: Final[tuple[Column[DatasetShare], ...]] = (
    Column("name", "DATASET", 24, _name, need=100, is_right=False, grows_to=70, cuts_middle=True),
    Column("share", "SHARE", 5, _share, need=99),
    Column("read_ops", "R/s", 5, lambda each: _rate(each.io.read_ops), need=90),
    Column("write_ops", "W/s", 5, lambda each: _rate(each.io.write_ops), need=90),
    Column("read_mib", "R MiB/s", 7, lambda each: _bytes(each.io.read_bytes), need=85),
    Column("write_mib", "W MiB/s", 7, lambda each: _bytes(each.io.write_bytes), need=85),
    Column("read_size", "R SIZE", 8, lambda each: _mean(each.io.read_size), need=60),
    Column("write_size", "W SIZE", 8, lambda each: _mean(each.io.write_size), need=61),
    Column("commits", "COMMIT/s", 8, lambda each: _rate(each.io.commits), need=50),
    Column("unlinked", "DELETE/s", 8, lambda each: _rate(each.io.unlinked if each.datasets == 1 else None),
           need=40),
)  # fmt: skip


def columns_with(guests: GuestsByDataset) -> tuple[Column[DatasetShare], ...]:
    """The columns, with that of the guests on each dataset behind its share."""
    column: Column[DatasetShare] = Column(
        "guests", "GUEST", 9, lambda each: own_guests_cell(guests, each.io.name), need=62, is_right=False,
        grows_to=20,
    )  # fmt: skip
    return (*COLUMNS[:2], column, *COLUMNS[2:])


def notes(each: DatasetShare | None) -> Iterator[Line]:
    """The selected dataset in words."""
    if each is None:
        return
    io = each.io
    yield line((io.name, "title"))
    if each.datasets > 1:
        yield line("Of that moment the busiest are kept by name, and of the others what they did together.")
    if not each.now:
        yield line(("It does nothing now.", "dim"))
        return
    of_operations, of_bytes = percent(100 * each.of_operations), percent(100 * each.of_bytes)
    parts = [line(f"{of_operations} of all operations, {of_bytes} of all bytes")]
    for kind, operations, mean in (
        ("reads", io.read_ops, io.read_size),
        ("writes", io.write_ops, io.write_size),
    ):
        if operations:
            parts.append(line(f"{count(operations)} {kind}/s of {size(round(mean or 0))}"))
    if io.commits:
        parts.append(line((f"{count(io.commits)} commits/s that somebody waits for", "text")))
    yield join(parts)
