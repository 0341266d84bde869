"""Column sets of the Pool screen: I/O, latency, queues, errors, ... of a vdev."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from zconsole.analysis.vdevs.latency_quantiles import Spread
from zconsole.base.fixed_width_formatting import (
    NS_PER_MS,
    UNKNOWN,
    count,
    megabytes_per_s,
    milliseconds,
    percent,
    size,
)
from zconsole.base.lazy_dataclass import fast_dataclass
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.slow_disk import READ, WRITE, SlowDiskVerdict
from zconsole.views.layout.table import Cell, Column, ColumnSet
from zconsole.views.pools import latency_heatmap as heat

MICROSECONDS_BELOW_NS: Final = 9_500
HEAT: Final = "heat"  # the id of a strip, and of the columns that are one strip
KNOWN_CELLS: Final = 1024  # of a column; three hundred disks have a value each
SERIAL: Final = "serial"
LEAST_NAME: Final = 18  # cells of the tree and the names
MOST_NAME: Final = 32  # cells that serial numbers in a deep tree may take from other columns
SpreadOf = Callable[[str], Spread | None]


@fast_dataclass
class VdevFacts:
    """Facts of one vdev, its name and state drawn. `style` is dim where the numbers are old."""

    vdev: Vdev
    name: Cell = Cell()  # frozen
    state: Cell = Cell()
    row: IoRow | None = None
    busy: float | None = None
    heat: heat.LatencyStrip = heat.NO_STRIP
    spread: SpreadOf | None = None  # by class of I/O
    verdict: SlowDiskVerdict | None = None
    disk: Disk | None = None
    device: str | None = None
    io_style: str = "text"
    style: str = "text"
    next_percent: float | None = None  # of the pool's next writes, by its allocator; of data vdevs
    written_percent: float | None = None  # of what was written in the last seconds


Draw = Callable[[VdevFacts], Cell]


def _io(get: Callable[[IoRow], float | None], write: Callable[[float | None], str]) -> Draw:
    known: dict[tuple[float | None, str], Cell] = {}  # most values are those of the second before

    def draw(facts: VdevFacts) -> Cell:
        value = None if facts.row is None else get(facts.row)
        style = facts.io_style if value else "dim"
        cell = known.get((value, style))
        if cell is None:
            if len(known) >= KNOWN_CELLS:
                known.clear()
            cell = known[value, style] = Cell(write(value), style, sort=value)
        return cell

    return draw


def _pair(pending: str, active: str) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        if facts.row is None:
            return Cell(UNKNOWN, "dim")
        waiting, working = getattr(facts.row.queues, pending), getattr(facts.row.queues, active)
        style = facts.io_style if waiting or working else "dim"
        return Cell(f"{count(waiting)}/{count(working)}", style, sort=waiting + working)

    return draw


def _busy(facts: VdevFacts) -> Cell:
    if facts.busy is None:
        return Cell(UNKNOWN if facts.vdev.is_leaf else "", "dim")
    style = "warn" if facts.busy >= 0.9 and facts.io_style != "dim" else facts.io_style
    return _of_share(facts.busy, style)


@lru_cache(maxsize=KNOWN_CELLS)
def _of_share(share: float, style: str) -> Cell:
    return Cell(percent(100 * share), style, sort=share)


def _errors(get: Callable[[Vdev], Count | None]) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        errors = get(facts.vdev)
        return _NO_ERRORS if errors is None else _of_errors(errors.value, is_rounded=errors.is_rounded)

    return draw


_NO_ERRORS: Final = Cell(UNKNOWN, "dim")


@lru_cache(maxsize=KNOWN_CELLS)
def _of_errors(errors: int, *, is_rounded: bool) -> Cell:
    text = f"~{count(errors)}" if is_rounded else str(errors)
    return Cell(text if len(text) <= 6 else count(errors), "bad" if errors else "dim", sort=errors)


def _size(get: Callable[[Vdev], int | None]) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        value = get(facts.vdev)
        return Cell(size(value), facts.style if value is not None else "dim", sort=value)

    return draw


def _number(get: Callable[[Vdev], int | None]) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        value = get(facts.vdev)
        return Cell(UNKNOWN if value is None else str(value), _known(facts, value), sort=value)

    return draw


def _percent(get: Callable[[Vdev], int | None]) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        value = get(facts.vdev)
        return Cell(percent(value), _known(facts, value), sort=value)

    return draw


def _share(get: Callable[[VdevFacts], float | None], style: Callable[[VdevFacts], str]) -> Draw:
    """A share of a top-level data vdev; nothing for other rows."""

    def draw(facts: VdevFacts) -> Cell:
        value = get(facts)
        return Cell("" if value is None else percent(value), style(facts), sort=value)

    return draw


def _known(facts: VdevFacts, value: float | None) -> str:
    return "dim" if value is None else facts.style


def _ashift(facts: VdevFacts) -> Cell:
    """The allocation unit; marked where it is smaller than the disk's own sector."""
    configured, physical = facts.vdev.configured_ashift, facts.vdev.physical_ashift
    is_small = configured is not None and physical is not None and 0 < configured < physical
    text = UNKNOWN if configured is None else str(configured)
    return Cell(text, "warn" if is_small else facts.style, sort=configured)


def _note(facts: VdevFacts) -> Cell:
    vdev = facts.vdev
    parts = [vdev.note] if vdev.note else []
    parts += ["resilvering"] if vdev.is_resilvering else []
    parts += ["removing"] if vdev.is_removing else []
    parts += [f"{each.kind} {percent(each.percent)} {each.state}" for each in vdev.activities]
    return Cell(", ".join(parts), "text", sort=", ".join(parts) or None)


def _of_disk(get: Callable[[Disk], str]) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        if facts.disk is None:
            return Cell(UNKNOWN if facts.vdev.is_leaf else "", "dim")
        text = get(facts.disk)
        return Cell(text or UNKNOWN, facts.style if text else "dim", sort=text or None)

    return draw


def _device(facts: VdevFacts) -> Cell:
    return Cell(facts.device or (UNKNOWN if facts.vdev.is_leaf else ""), "text", sort=facts.device)


def _path(facts: VdevFacts) -> Cell:
    path = facts.vdev.path or facts.vdev.phys_path
    return Cell(path or (UNKNOWN if facts.vdev.is_leaf else ""), facts.style, sort=path)


def _wait(name: str, operation: str = "") -> Draw:
    """A mean wait; marked for an operation on which the disk was found slow."""
    draw_plain = _io(lambda row: getattr(row.latency, name), _short_ms)

    def draw(facts: VdevFacts) -> Cell:
        cell = draw_plain(facts)
        return replace(cell, style="warn") if _is_slow(facts, operation) and cell.style != "dim" else cell

    return draw


def _is_slow(facts: VdevFacts, operation: str) -> bool:
    return facts.verdict is not None and operation in facts.verdict.operations


def _quantile(of: str, get: Callable[[Spread], int], operation: str) -> Draw:
    """An upper bound of the durations of the last seconds."""

    def draw(facts: VdevFacts) -> Cell:
        spread = facts.spread(of) if facts.spread is not None else None
        if spread is None:
            return Cell(UNKNOWN, "dim")
        style = "warn" if _is_slow(facts, operation) and facts.io_style != "dim" else facts.io_style
        return Cell(_short_ms(get(spread)), style, sort=get(spread))

    return draw


def _strip(facts: VdevFacts) -> Cell:
    return Cell(spans=facts.heat.line, sort=facts.heat.level)


def _short_ms(nanoseconds: float | None) -> str:
    """Milliseconds; microseconds keep a digit, so that a short wait does not look like zero."""
    if nanoseconds is not None and 0 < nanoseconds < MICROSECONDS_BELOW_NS:
        return f"{nanoseconds / NS_PER_MS:.3f}"
    return milliseconds(nanoseconds)


def _ms(column_id: str, title: str, name: str, need: int, operation: str = "") -> Column[VdevFacts]:
    return Column(column_id, title, 7, _wait(name, operation), need=need)


def _ms_of(  # noqa: PLR0913  # a column's parts
    column_id: str, title: str, of: str, get: Callable[[Spread], int], operation: str, *, need: int
) -> Column[VdevFacts]:
    return Column(column_id, title, 6, _quantile(of, get, operation), need=need)


def _queue(queue: str, title: str, need: int) -> Column[VdevFacts]:
    return Column(queue, title, 8, _pair(f"{queue}_pending", f"{queue}_active"), need=need)


VDEV: Final[Column[VdevFacts]] = Column(
    "vdev",
    "VDEV",
    LEAST_NAME,
    lambda facts: facts.name,
    need=100,
    is_right=False,
    grows_to=64,
    cuts_middle=True,
)
STATE: Final[Column[VdevFacts]] = Column(
    "state", "STATE", 11, lambda facts: facts.state, need=95, is_right=False
)


def _set(
    set_id: str, title: str, *columns: Column[VdevFacts], vdev: Column[VdevFacts] = VDEV
) -> ColumnSet[VdevFacts]:
    state = replace(STATE, narrow=STATE.width) if vdev.narrow else STATE
    return ColumnSet(set_id, title, (vdev, state, *columns))


IO: Final = _set(
    "io", "I/O",
    Column("read_ops", "R/s", 5, _io(lambda row: row.read_ops, count), need=80),
    Column("write_ops", "W/s", 5, _io(lambda row: row.write_ops, count), need=80),
    Column("read_mib", "R MiB/s", 7, _io(lambda row: row.read_bytes, megabytes_per_s), need=75),
    Column("write_mib", "W MiB/s", 7, _io(lambda row: row.write_bytes, megabytes_per_s), need=75),
    Column("read_ms", "R ms", 6, _wait("total_read", READ), need=85),
    Column("write_ms", "W ms", 6, _wait("total_write", WRITE), need=85),
    Column("busy", "BUSY", 4, _busy, need=82),
    Column("errors", "ERRORS", 6, _errors(lambda vdev: _all_errors(vdev)), need=20),  # noqa: PLW0108
    Column("slow", "SLOW", 5, _errors(lambda vdev: vdev.slow_ios), need=19),
    Column(HEAT, heat.TITLE, heat.CELLS, _strip, need=15, is_right=False),
)  # fmt: skip
LATENCY: Final = _set(
    "latency", "ms at the disk: p50, p99, max of 10 s, then means",
    _ms_of("read_p50", "R p50", "disk_read", lambda spread: spread.median, READ, need=90),
    _ms_of("read_p99", "R p99", "disk_read", lambda spread: spread.tail, READ, need=91),
    _ms_of("read_max", "R max", "disk_read", lambda spread: spread.most, READ, need=89),
    _ms_of("write_p50", "W p50", "disk_write", lambda spread: spread.median, WRITE, need=87),
    _ms_of("write_p99", "W p99", "disk_write", lambda spread: spread.tail, WRITE, need=88),
    _ms_of("write_max", "W max", "disk_write", lambda spread: spread.most, WRITE, need=86),
    _ms("read_ms", "R TOTAL", "total_read", 80, READ),
    _ms("write_ms", "W TOTAL", "total_write", 80, WRITE),
    _ms("syncq_read", "SYNC R", "syncq_read", 70),
    _ms("syncq_write", "SYNC W", "syncq_write", 71),
    _ms("asyncq_read", "ASYNC R", "asyncq_read", 60),
    _ms("asyncq_write", "ASYNC W", "asyncq_write", 61),
    _ms("scrub", "SCRUB", "scrub", 50),
    _ms("rebuild", "REBUILD", "rebuild", 41),
    _ms("trim", "TRIM", "trim", 40),
)  # fmt: skip
_QUANTILES: Final = 2 + 6  # columns up to the last quantile, without history
MEANS: Final = _set("latency", "mean waits in ms", *LATENCY.columns[_QUANTILES:])  # columns with history
STRIP: Final = _set(
    HEAT, "how slow at the disk over time",
    Column(
        HEAT, heat.TITLE, heat.CELLS, _strip, need=90, is_right=False, grows_to=100, grows_last_to=1000
    ),
    vdev=replace(VDEV, grows_to=28, grows_last_to=60),
)  # fmt: skip
QUEUES: Final = _set(
    "queues", "queues, waiting/at the disk",
    _queue("syncq_read", "SYNC R", 90),
    _queue("syncq_write", "SYNC W", 90),
    _queue("asyncq_read", "ASYNC R", 80),
    _queue("asyncq_write", "ASYNC W", 80),
    _queue("scrub", "SCRUB", 70),
    _queue("trim", "TRIM", 50),
    _queue("rebuild", "REBUILD", 60),
)  # fmt: skip
ERRORS: Final = _set(
    "errors", "errors",
    Column("read_errors", "READ", 6, _errors(lambda vdev: vdev.read_errors), need=90),
    Column("write_errors", "WRITE", 6, _errors(lambda vdev: vdev.write_errors), need=90),
    Column("checksum_errors", "CKSUM", 6, _errors(lambda vdev: vdev.checksum_errors), need=90),
    Column("slow", "SLOW", 6, _errors(lambda vdev: vdev.slow_ios), need=80),
    Column("note", "NOTE", 12, _note, need=70, is_right=False, grows_to=70),
)  # fmt: skip
SPACE: Final = _set(
    "space", "space; NEXT, WRITES: share of next and of last writes",
    Column("size", "SIZE", 8, _size(lambda vdev: vdev.size_bytes), need=90),
    Column("alloc", "ALLOC", 8, _size(lambda vdev: vdev.allocated_bytes), need=85),
    Column("free", "FREE", 8, _size(lambda vdev: vdev.free_bytes), need=85),
    Column("frag", "FRAG", 4, _percent(lambda vdev: vdev.fragmentation_percent), need=80),
    Column("cap", "CAP", 4, _percent(lambda vdev: vdev.capacity_percent), need=80),
    Column("next", "NEXT", 4, _share(lambda facts: facts.next_percent, lambda facts: facts.style), need=75),
    Column("written", "WRITES", 6, _share(lambda facts: facts.written_percent, lambda facts: facts.io_style),
           need=74),
    Column("expand", "EXPANDS", 8, _size(lambda vdev: vdev.expandable_bytes), need=40),
    Column("ashift", "ASHIFT", 6, _ashift, need=60),
    Column("physical", "PHYS", 6, _number(lambda vdev: vdev.physical_ashift), need=50),
)  # fmt: skip
IDENTITY: Final = _set(
    "identity", "identity",
    Column(SERIAL, "SERIAL", 10, _of_disk(lambda disk: disk.serial), need=97, is_right=False,
           cuts_middle=True),
    Column("model", "MODEL", 12, _of_disk(lambda disk: disk.model), need=80, is_right=False, grows_to=28),
    Column("disk_size", "DISK", 8, _of_disk(lambda disk: size(disk.size_bytes)), need=60),
    Column("device", "DEVICE", 8, _device, need=70, is_right=False),
    Column("bus", "BUS", 5, _of_disk(lambda disk: disk.transport), need=30, is_right=False),
    Column("hctl", "H:C:T:L", 9, _of_disk(lambda disk: disk.hctl), need=25, is_right=False),
    Column("path", "PATH", 12, _path, need=40, is_right=False, grows_last_to=90, cuts_middle=True),
    vdev=replace(VDEV, grows_to=LEAST_NAME, grows_last_to=64, narrow=14),
)  # fmt: skip
SETS: Final = {each.id: each for each in (IO, LATENCY, STRIP, QUEUES, ERRORS, SPACE, IDENTITY)}


def _all_errors(vdev: Vdev) -> Count | None:
    counts = (vdev.read_errors, vdev.write_errors, vdev.checksum_errors)
    known = [each for each in counts if each is not None]
    told = [each for each in known if each.value or each.is_rounded]
    if len(told) <= 1:  # most disks have none
        return next(iter(told or known), None)
    return Count(sum(each.value for each in told), any(each.is_rounded for each in told))


def columns(
    chosen: ColumnSet[VdevFacts],
    strip_title: str | None = None,
    *,
    name_cells: int = 0,
    most_cells: int | None = None,
    serial_cells: int = 0,
) -> tuple[Column[VdevFacts], ...]:
    """The columns of a set; a strip may have a special title.

    Names need `name_cells` to be told apart, and no more than `most_cells` in full; serial numbers
    `serial_cells`: where they have a column of their own, they are whole, and names give way.
    """
    found = chosen.columns
    if any(each.id == SERIAL for each in found):
        found = tuple(
            replace(each, width=max(each.width, serial_cells)) if each.id == SERIAL else each
            for each in found
        )
        name_cells = 0
    if strip_title is not None:
        found = tuple(replace(each, title=strip_title) if each.id == HEAT else each for each in found)
    if name_cells > LEAST_NAME:
        wide = replace(found[0], width=min(name_cells, MOST_NAME))
        found = (wide, *found[1:])
    if most_cells is not None:
        name = found[0]
        grows_to = max(name.width, min(name.grows_to or name.width, most_cells))
        last = None if name.grows_last_to is None else max(grows_to, min(name.grows_last_to, most_cells))
        found = (replace(name, grows_to=grows_to, grows_last_to=last), *found[1:])
    return found
