"""Who causes the load: the I/O of each dataset and zvol of a pool, the busiest on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from zconsole.base.units import UNKNOWN, count, duration, mib_per_s, percent, size
from zconsole.model.activity import DatasetIo, DatasetIoSample
from zconsole.model.host_state import LinkState, PoolState
from zconsole.ui.present.cells import Line, line
from zconsole.ui.present.clean import middle
from zconsole.ui.present.page import Page
from zconsole.ui.present.table import Cell, Column, Row, RowsOnDemand, Table
from zconsole.ui.present.view import HostView, View
from zconsole.ui.present.words import join, link_words

COLUMNS: Final = (
    Column("name", "DATASET", 24, need=100, is_right=False, grows_to=70, cuts_middle=True),
    Column("share", "SHARE", 5, need=99),
    Column("read_ops", "R/s", 5, need=90),
    Column("write_ops", "W/s", 5, need=90),
    Column("read_mib", "R MiB/s", 7, need=85),
    Column("write_mib", "W MiB/s", 7, need=85),
    Column("read_size", "R SIZE", 8, need=60),
    Column("write_size", "W SIZE", 8, need=61),
    Column("commits", "COMMIT/s", 8, need=50),
    Column("unlinked", "DELETE/s", 8, need=40),
)
REMEMBERED: Final = 0.75  # of a dataset's share from one reading to the next: it takes some to change places
FORGOTTEN: Final = 0.0005  # a share below this is none
STEPS: Final = 2.0  # places for each doubling of the share; equals stand in the order of their names
OLD_S: Final = 10.0
OLD_READINGS: Final = 3.0
STANDS_OUT: Final = 0.25  # the share of one that may be called the cause
NAMED: Final = 40  # cells of a name in the first line


@dataclass(frozen=True, slots=True)
class Busy:
    """One dataset with its part (0..1) of all operations, and of all bytes."""

    io: DatasetIo
    of_operations: float
    of_bytes: float

    @property
    def share(self) -> float:
        """The larger of both: many small operations are a load, and a few large ones."""
        return max(self.of_operations, self.of_bytes)


class Ranking:
    """Which dataset stands where. It follows the load slowly, so that rows do not jump."""

    def __init__(self) -> None:
        self._seen: DatasetIoSample | None = None
        self._shares: dict[str, float] = {}
        self.busy: tuple[Busy, ...] = ()
        self.idle: tuple[DatasetIo, ...] = ()

    def take_in(self, sample: DatasetIoSample) -> None:
        """Bring it up to a reading."""
        if sample is self._seen:
            return
        is_first, self._seen = self._seen is None, sample
        operations = sum(row.read_ops + row.write_ops for row in sample.rows)
        moved = sum(row.read_bytes + row.write_bytes for row in sample.rows)
        shares: dict[str, float] = {}
        known: dict[str, Busy] = {}
        idle: list[DatasetIo] = []
        for row in sample.rows:
            before = self._shares.get(row.name, 0.0)
            own = row.read_ops + row.write_ops
            if not own and not before:
                idle.append(row)
                continue
            now = Busy(row, _part(own, operations), _part(row.read_bytes + row.write_bytes, moved))
            share = now.share if is_first else REMEMBERED * before + (1 - REMEMBERED) * now.share
            if share < FORGOTTEN and not own:
                idle.append(row)
                continue
            shares[row.name], known[row.name] = share, now
        self._shares = shares
        self.busy = tuple(
            sorted(known.values(), key=lambda each: (-_level(shares[each.io.name]), each.io.name))
        )
        self.idle = tuple(idle)

    def find(self, name: str | None) -> Busy | None:
        """The dataset of that name."""
        found = next((each for each in self.busy if each.io.name == name), None)
        if found is not None:
            return found
        return next((Busy(row, 0.0, 0.0) for row in self.idle if row.name == name), None)


def _part(own: float, total: float) -> float:
    return own / total if total else 0.0


def _level(share: float) -> int:
    return round(STEPS * log2(max(share, FORGOTTEN)))


def page(view: View, host_name: str, pool_name: str, ranking: Ranking) -> Page:
    """What the screen says now."""
    host, state = view.host(host_name), view.pool(host_name, pool_name)
    if host is None or state is None or state.dataset_io.value is None:
        return _absent(view, host, host_name, pool_name, state)
    sample = state.dataset_io.value
    ranking.take_in(sample)
    busy, idle = ranking.busy, ranking.idle

    def row(at: int) -> Row:
        return _row(busy[at]) if at < len(busy) else _row(Busy(idle[at - len(busy)], 0.0, 0.0))

    table = Table(COLUMNS, RowsOnDemand(len(busy) + len(idle), row))
    return Page(
        _answer(view, host, pool_name, ranking), _fresh(view, state), _numbers(state, sample, busy), table
    )


def _absent(view: View, host: HostView | None, host_name: str, pool: str, state: PoolState | None) -> Page:
    words = line(("The first rates come when the counters were read twice ...", "dim"))
    if state is None:
        words = line((f"There is no pool {pool} on {host_name} any more.", "warn"))
    elif state.dataset_io.problem:
        words = line((f"The counters cannot be read: {state.dataset_io.problem}", "warn"))
    elif host is not None and host.state.link.state is not LinkState.UP:
        words = link_words(host, view)
    head = line(
        (host.name if host is not None else host_name, "title"),
        (" · ", "dim"),
        (pool, "title"),
        (" load", "dim"),
    )
    return Page(head, (), (), Table((), (Row("absent", line=words, is_selectable=False),)))


def _answer(view: View, host: HostView, pool: str, ranking: Ranking) -> Line:
    head = line((host.name, "title"), (" · ", "dim"), (pool, "title"), (" load", "dim"))
    worst = max(ranking.busy, key=lambda each: each.share, default=None)
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


def _numbers(state: PoolState, sample: DatasetIoSample, busy: Sequence[Busy]) -> Line:
    rows = sample.rows
    active = sum(1 for each in busy if each.share)
    asked_for = f"asked for: read {_total(rows, 'read')}, write {_total(rows, 'write')}"
    parts = [line(f"{active} of {len(rows)} active"), line(asked_for)]
    if sample.is_new:
        parts.append(line((f"{sample.is_new} opened just now", "dim")))
    if state.dataset_io.problem:
        parts.insert(0, line((state.dataset_io.problem, "warn")))
    return join(parts)


def _total(rows: Sequence[DatasetIo], kind: str) -> str:
    operations = sum(row.read_ops if kind == "read" else row.write_ops for row in rows)
    moved = sum(row.read_bytes if kind == "read" else row.write_bytes for row in rows)
    return f"{count(operations)}/s {mib_per_s(moved)} MiB/s"


def _row(each: Busy) -> Row:
    io = each.io
    style = "text" if each.share else "dim"
    share = (
        Cell(percent(100 * each.share), style, sort=each.share)
        if each.share
        else Cell(UNKNOWN, "dim", sort=0.0)
    )
    return Row(
        io.name,
        (
            Cell(io.name, style, sort=io.name),
            share,
            _rate(io.read_ops),
            _rate(io.write_ops),
            _bytes(io.read_bytes),
            _bytes(io.write_bytes),
            _mean(io.read_size),
            _mean(io.write_size),
            _rate(io.commits),
            _rate(io.unlinked),
        ),
    )


def _rate(value: float | None) -> Cell:
    return Cell(count(value), "text" if value else "dim", sort=value)


def _bytes(value: float) -> Cell:
    return Cell(mib_per_s(value), "text" if value else "dim", sort=value)


def _mean(value: float | None) -> Cell:
    return Cell(UNKNOWN, "dim") if value is None else Cell(size(round(value)), sort=value)


def notes(each: Busy | None) -> Iterator[Line]:
    """The selected dataset in words."""
    if each is None:
        return
    io = each.io
    yield line((io.name, "title"))
    if not each.share:
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
