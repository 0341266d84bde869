"""The column sets of the Pool screen: what stands in a vdev's row for I/O, latency, queues, errors, ..."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from zconsole.base.fast_dataclass import light
from zconsole.base.formatting import NS_PER_MS, UNKNOWN, count, mib_per_s, milliseconds, percent, size
from zconsole.model.pools.disk import Disk
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.slow_disk import READ, WRITE, SlowDiskVerdict
from zconsole.views.layout.table import Cell, Column
from zconsole.views.pools import latency_heatmap as heat
from zconsole.views.pools.latency_quantiles import Spread

MICROSECONDS_BELOW_NS: Final = 9_500
VDEV: Final = Column("vdev", "VDEV", 18, need=100, is_right=False, grows_to=64, cuts_middle=True)
STATE: Final = Column("state", "STATE", 11, need=95, is_right=False)
HEAT: Final = "heat"  # the id of a strip, and of the columns that are one strip
SpreadOf = Callable[[str], Spread | None]


@light
class VdevFacts:
    """What is known of one vdev now. `style` is dim where the numbers are old."""

    vdev: Vdev
    row: IoRow | None = None
    busy: float | None = None
    heat: heat.LatencyStrip = heat.NO_STRIP
    spread: SpreadOf | None = None  # by class of I/O
    verdict: SlowDiskVerdict | None = None
    disk: Disk | None = None
    device: str | None = None
    io_style: str = "text"
    style: str = "text"


Draw = Callable[[VdevFacts], Cell]


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """Columns behind name and state, and how each is filled."""

    id: str
    title: str
    columns: tuple[tuple[Column, Draw], ...]
    vdev: Column = VDEV


def _io(get: Callable[[IoRow], float | None], write: Callable[[float | None], str]) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        value = None if facts.row is None else get(facts.row)
        text = write(value)
        return Cell(text, facts.io_style if value else "dim", sort=value)

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
    return Cell(percent(100 * facts.busy), style, sort=facts.busy)


def _errors(get: Callable[[Vdev], Count | None]) -> Draw:
    def draw(facts: VdevFacts) -> Cell:
        errors = get(facts.vdev)
        if errors is None:
            return Cell(UNKNOWN, "dim")
        text = f"~{count(errors.value)}" if errors.is_rounded else str(errors.value)
        return Cell(
            text if len(text) <= 6 else count(errors.value), "bad" if errors else "dim", sort=errors.value
        )

    return draw


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


def _known(facts: VdevFacts, value: float | None) -> str:
    return "dim" if value is None else facts.style


def _ashift(facts: VdevFacts) -> Cell:
    """The unit of writing; marked where it is smaller than the disk's own."""
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
    """A mean wait; of an operation on which the disk was found slow, marked."""
    draw_plain = _io(lambda row: getattr(row.latency, name), _short_ms)

    def draw(facts: VdevFacts) -> Cell:
        cell = draw_plain(facts)
        return replace(cell, style="warn") if _is_slow(facts, operation) and cell.style != "dim" else cell

    return draw


def _is_slow(facts: VdevFacts, operation: str) -> bool:
    return facts.verdict is not None and operation in facts.verdict.operations


def _quantile(of: str, get: Callable[[Spread], int], operation: str) -> Draw:
    """An upper bound of what I/Os of the last seconds took."""

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
    """Milliseconds; microseconds keep a digit, so that a short wait does not look like none."""
    if nanoseconds is not None and 0 < nanoseconds < MICROSECONDS_BELOW_NS:
        return f"{nanoseconds / NS_PER_MS:.3f}"
    return milliseconds(nanoseconds)


def _ms(column_id: str, title: str, name: str, need: int, operation: str = "") -> tuple[Column, Draw]:
    return Column(column_id, title, 7, need=need), _wait(name, operation)


def _ms_of(  # noqa: PLR0913  # a column's parts
    column_id: str, title: str, of: str, get: Callable[[Spread], int], operation: str, *, need: int
) -> tuple[Column, Draw]:
    return Column(column_id, title, 6, need=need), _quantile(of, get, operation)


IO: Final = ColumnSet(
    "io", "I/O",
    (
        (Column("read_ops", "R/s", 5, need=80), _io(lambda row: row.read_ops, count)),
        (Column("write_ops", "W/s", 5, need=80), _io(lambda row: row.write_ops, count)),
        (Column("read_mib", "R MiB/s", 7, need=75), _io(lambda row: row.read_bytes, mib_per_s)),
        (Column("write_mib", "W MiB/s", 7, need=75), _io(lambda row: row.write_bytes, mib_per_s)),
        (Column("read_ms", "R ms", 6, need=85), _wait("total_read", READ)),
        (Column("write_ms", "W ms", 6, need=85), _wait("total_write", WRITE)),
        (Column("busy", "BUSY", 4, need=82), _busy),
        (Column("errors", "ERRORS", 6, need=20), _errors(lambda vdev: _all_errors(vdev))),  # noqa: PLW0108
        (Column("slow", "SLOW", 5, need=19), _errors(lambda vdev: vdev.slow_ios)),
        (Column(HEAT, heat.TITLE, heat.CELLS, need=15, is_right=False), _strip),
    ),
)  # fmt: skip
LATENCY: Final = ColumnSet(
    "latency", "ms: half, 99% and all of 10 s at the disk, then means",
    (
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
    ),
)  # fmt: skip
_QUANTILES: Final = 6
MEANS: Final = ColumnSet("latency", "mean waits in ms", LATENCY.columns[_QUANTILES:])  # what is kept of them
STRIP: Final = ColumnSet(
    HEAT, "how slow at the disk over time",
    ((Column(HEAT, heat.TITLE, heat.CELLS, need=90, is_right=False, grows_to=1000), _strip),),
    replace(VDEV, grows_to=28),
)  # fmt: skip
QUEUES: Final = ColumnSet(
    "queues", "queues, waiting/at the disk",
    tuple(
        (Column(name, title, 8, need=need), _pair(f"{name}_pending", f"{name}_active"))
        for name, title, need in (
            ("syncq_read", "SYNC R", 90), ("syncq_write", "SYNC W", 90), ("asyncq_read", "ASYNC R", 80),
            ("asyncq_write", "ASYNC W", 80), ("scrub", "SCRUB", 70), ("trim", "TRIM", 50),
            ("rebuild", "REBUILD", 60),
        )
    ),
)  # fmt: skip
ERRORS: Final = ColumnSet(
    "errors", "errors",
    (
        (Column("read_errors", "READ", 6, need=90), _errors(lambda vdev: vdev.read_errors)),
        (Column("write_errors", "WRITE", 6, need=90), _errors(lambda vdev: vdev.write_errors)),
        (Column("checksum_errors", "CKSUM", 6, need=90), _errors(lambda vdev: vdev.checksum_errors)),
        (Column("slow", "SLOW", 6, need=80), _errors(lambda vdev: vdev.slow_ios)),
        (Column("note", "NOTE", 12, need=70, is_right=False, grows_to=70), _note),
    ),
)  # fmt: skip
SPACE: Final = ColumnSet(
    "space", "space",
    (
        (Column("size", "SIZE", 8, need=90), _size(lambda vdev: vdev.size_bytes)),
        (Column("alloc", "ALLOC", 8, need=85), _size(lambda vdev: vdev.allocated_bytes)),
        (Column("free", "FREE", 8, need=85), _size(lambda vdev: vdev.free_bytes)),
        (Column("frag", "FRAG", 4, need=80), _percent(lambda vdev: vdev.fragmentation_percent)),
        (Column("cap", "CAP", 4, need=80), _percent(lambda vdev: vdev.capacity_percent)),
        (Column("expand", "EXPANDS", 8, need=40), _size(lambda vdev: vdev.expandable_bytes)),
        (Column("ashift", "ASHIFT", 6, need=60), _ashift),
        (Column("physical", "PHYS", 6, need=50), _number(lambda vdev: vdev.physical_ashift)),
    ),
)  # fmt: skip
IDENTITY: Final = ColumnSet(
    "identity", "identity",
    (
        (Column("serial", "SERIAL", 10, need=90, is_right=False, grows_to=22, cuts_middle=True),
         _of_disk(lambda disk: disk.serial)),
        (Column("model", "MODEL", 12, need=80, is_right=False, grows_to=28),
         _of_disk(lambda disk: disk.model)),
        (Column("disk_size", "DISK", 8, need=60), _of_disk(lambda disk: size(disk.size_bytes))),
        (Column("device", "DEVICE", 8, need=70, is_right=False), _device),
        (Column("bus", "BUS", 5, need=30, is_right=False), _of_disk(lambda disk: disk.transport)),
        (Column("hctl", "H:C:T:L", 9, need=25, is_right=False), _of_disk(lambda disk: disk.hctl)),
        (Column("path", "PATH", 12, need=40, is_right=False, grows_to=90, cuts_middle=True), _path),
    ),
)  # fmt: skip
SETS: Final = {each.id: each for each in (IO, LATENCY, STRIP, QUEUES, ERRORS, SPACE, IDENTITY)}


def _all_errors(vdev: Vdev) -> Count | None:
    counts = (vdev.read_errors, vdev.write_errors, vdev.checksum_errors)
    known = [each for each in counts if each is not None]
    told = [each for each in known if each.value or each.is_rounded]
    if len(told) <= 1:  # of most disks there are none
        return next(iter(told or known), None)
    return Count(sum(each.value for each in told), any(each.is_rounded for each in told))


def columns(chosen: ColumnSet, strip_title: str | None = None) -> tuple[Column, ...]:
    """All columns of a set, name and state in front."""
    behind = tuple(column for column, _ in chosen.columns)
    if strip_title is not None:
        behind = tuple(
            replace(column, title=strip_title) if column.id == HEAT else column for column in behind
        )
    return (chosen.vdev, STATE, *behind)


def draw(chosen: ColumnSet, facts: VdevFacts) -> tuple[Cell, ...]:
    """The cells of a set for one vdev."""
    return tuple(write(facts) for _, write in chosen.columns)
