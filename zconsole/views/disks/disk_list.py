"""Disk list of a host, worst first: identity, health, and the vdev of each disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.slow_disks.verdict_sentence import slowness_in_short
from zconsole.analysis.vdevs.enclosure_bays import DiskBay
from zconsole.analysis.vdevs.host_disks import HostDisk, Trouble
from zconsole.analysis.vdevs.kernel_evidence_on_disk import KernelEvidence
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.base.fixed_width_formatting import (
    MINUTE,
    SECOND,
    UNKNOWN,
    count,
    milliseconds,
    moment,
    percent,
    size,
)
from zconsole.model.finding import Severity
from zconsole.model.pools.pool import HEALTHY_STATES
from zconsole.model.pools.smart_health import DiskHealth, PowerMode, Unreadable
from zconsole.views.findings.slow_disk_phrases import in_few_words
from zconsole.views.layout.escape_measure_cut_text import clean, width
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of, without

HOURS_A_YEAR: Final = 8766
HOURS_A_DAY: Final = 24
ZFS: Final = "zfs_member"
UNUSED: Final = "unused"  # no pool of this host has it, and no other use is known
MOMENT: Final = SECOND
SERIAL: Final = "serial"
HEALTH: Final = "health"
LEAST_HEALTH: Final = 26
MOST_HEALTH: Final = 34  # with short serial numbers, beside bay, size and vdev at 80 columns
LEAST_SERIAL: Final = 8
MOST_SERIAL: Final = 20  # cells; serial numbers of disks have at most 20 characters
BUSY: Final = 0.9  # share of the time from which on a disk has no reserve
_STYLE: Final = {
    Trouble.FAILED: "bad",
    Trouble.FAILING: "bad",
    Trouble.SLOW: "warn",
    Trouble.WARNING: "warn",
    Trouble.NOTED: "text",
    Trouble.NONE: "ok",
}
_GLYPH: Final = {Trouble.FAILED: "✗ ", Trouble.FAILING: "✗ ", Trouble.SLOW: "▲ ", Trouble.WARNING: "▲ "}
_COUNTED: Final = (
    (Trouble.FAILED, "failed", "bad"),
    (Trouble.FAILING, "failing", "bad"),
    (Trouble.SLOW, "slow", "warn"),
    (Trouble.WARNING, "with warnings", "warn"),
)


def disk_table(disks: Sequence[HostDisk]) -> Table:
    """One row a disk, in the order given; without bays, waits and busy times where none is known."""
    longest = max((width(clean(each.serial)) for each in disks), default=0)
    serial_cells = min(MOST_SERIAL, max(LEAST_SERIAL, longest))
    worst = max((width(clean(each.briefer or each.text)) for each in map(_health_cell, disks)), default=0)
    room = MOST_HEALTH - (serial_cells - LEAST_SERIAL)
    cells = {SERIAL: serial_cells, HEALTH: max(LEAST_HEALTH, min(room, worst))}
    rows = tuple(map(_row, disks))
    columns = tuple(
        _no_wider(replace(each, width=cells.get(each.id, each.width)), [row.cells[at] for row in rows])
        for at, each in enumerate(COLUMNS)
    )
    table = Table(columns, rows)
    if not any(each.bay for each in disks):
        table = without(table, "bay")
    if all(each.io is None for each in disks):
        table = without(without(table, "wait"), "busy")
    return table


def _no_wider(column: Column[HostDisk], cells: Iterable[Cell]) -> Column[HostDisk]:
    """A column that takes no more room than its cells need, and leaves it to those that are cut."""
    if column.grows_to is None:
        return column
    known = tuple(cells)
    longest = max((width(cell.briefer or cell.text) for cell in known), default=0)
    grown = replace(column, grows_to=max(column.width, min(column.grows_to, longest)))
    if column.grows_last_to is None:
        return grown
    whole = max((width(cell.text) for cell in known), default=0)
    return replace(grown, grows_last_to=min(column.grows_last_to, whole))


def key_of(disk: HostDisk) -> str:
    """The identity of a row."""
    return "\0".join(disk.identity)


def summary(host: str, disks: Sequence[HostDisk]) -> Line:
    """`storage1 · 31 disks · 1 failed · 6 unused`."""
    unused = sum(1 for each in disks if each.leaf is None)
    return join(
        [
            line((host, "title")),
            line(counted(len(disks), "disk")),
            *(
                line((f"{number} {words}", style))
                for trouble, words, style in _COUNTED
                if (number := sum(1 for each in disks if each.trouble is trouble))
            ),
            line((f"{unused} in no pool", "dim")) if unused else EMPTY,
        ]
    )


def unread_health(disks: Sequence[HostDisk]) -> Line:
    """Why SMART data is missing, where that holds for every disk; else empty."""
    answers = {each.health for each in disks if each.disk is not None and isinstance(each.health, Unreadable)}
    is_for_all = all(not isinstance(each.health, DiskHealth) for each in disks if each.disk is not None)
    if len(answers) != 1 or not is_for_all:
        return EMPTY
    (why,) = answers
    return line((f"SMART data is not known: {why.value}", "warn"))


def disk_notes(disk: HostDisk) -> Iterator[Line]:
    """Everything that is wrong with a disk, then its identity."""
    yield from problems(disk)
    if isinstance(disk.health, Unreadable):
        yield line((f"no SMART data: {disk.health.value}", "dim"))
    if disk.disk is not None:
        yield line((_identity(disk), "dim"))


def problems(disk: HostDisk) -> Iterator[Line]:
    """Everything that is wrong with a disk, in ZFS's eyes first."""
    leaf, pool = disk.leaf, disk.pool
    if leaf is not None and pool is not None and leaf.state not in HEALTHY_STATES:
        note = f": {leaf.note}" if leaf.note else ""
        place = f"; {last_place(disk)}" if disk.disk is None else ""
        yield line((f"{leaf.state} in {pool.name}{note}{place}", "bad"))
    if disk.disk is None and disk.known_at is not None and (disk.complaints or disk.kernel is not None):
        yield line((f"before it was gone, by SMART data of {moment(disk.known_at, MINUTE)} UTC:", "dim"))
    if disk.slow is not None:
        yield line((slowness_in_short(disk.slow), "warn"))
    for each in disk.complaints:
        style = {Severity.CRITICAL: "bad", Severity.WARNING: "warn"}.get(each.severity, "text")
        blame = "" if each.blame.value == "disk" else f" (the {each.blame.value} is suspect)"
        yield line((each.words + blame, style))
    if disk.kernel is not None:
        yield kernel_words(disk.kernel)


def last_place(disk: HostDisk) -> str:
    """`it was in bay 2, which has another disk now`, of a disk that is gone."""
    last = disk.last
    if not disk.bay:
        return f"it was at {last.path}" if last is not None and last.path else "its bay is not known"
    return f"it was in bay {disk.bay}" + (", which has another disk now" if disk.is_bay_taken else "")


def kernel_words(found: KernelEvidence) -> Line:
    """`kernel: 3 medium errors, 1 link reset, 2026-11-23 02:08 to 02:14 UTC (the disk itself)`."""
    blame = {Blame.DISK: "the disk itself", Blame.CABLE: "the cable is suspect"}
    part = f" ({blame[found.blame]})" if found.blame in blame else ""
    style = "bad" if found.blame is Blame.DISK else "warn"
    return line((f"kernel: {found.in_words}{part}", style))


def health_words(disk: HostDisk) -> str:
    """The worst problem of a disk in a few words."""
    leaf, health = disk.leaf, disk.health
    others = len(disk.complaints) - 1
    more = f" +{others}" if others > 0 else ""
    if disk.disk is None:
        return "gone"
    state = leaf.state if leaf is not None and leaf.state not in HEALTHY_STATES else ""
    if disk.complaints and disk.complaints[0].severity > Severity.INFO:
        return (f"{state}: " if state else "") + disk.complaints[0].words + more
    if state:
        return state
    if disk.slow is not None:
        return f"slow: {in_few_words(disk.slow)}"
    if disk.complaints:
        return f"ok, {disk.complaints[0].words}{more}"
    if isinstance(health, DiskHealth):
        return "in standby" if health.power_mode is PowerMode.STANDBY else "ok"
    return UNKNOWN if health is None else "no SMART data"


def all_health_words(disk: HostDisk) -> str:
    """All problems of a disk in words; the same as the worst one where there is no other."""
    words = health_words(disk)
    first, *others = disk.complaints or (None,)
    if first is None or not others or not words.endswith(more := f" +{len(others)}"):
        return words
    return "; ".join((words.removesuffix(more), *(each.words for each in others)))


def serves(disk: HostDisk) -> str:
    """Pool and vdev, or another use: `vault mirror-0`, `tank spare`, `label of old`, `unused`."""
    if disk.pool is not None and disk.top is not None:
        role = disk.top.vdev_class if disk.top.vdev_class in {"spare", "cache", "log"} else disk.top.name
        return f"{disk.pool.name} {role}"
    parts = tuple(disk.disk.walk()) if disk.disk is not None else ()
    mounted = [f"mounted at {point}" for part in parts for point in part.mountpoints]
    held = [
        f"label of {part.label or 'a pool'}" if part.fstype == ZFS else f"{part.fstype} {part.label}".strip()
        for part in parts
        if part.fstype
    ]
    return next(iter((*mounted, *held)), UNUSED)


def age(hours: int | None) -> str:
    """Power-on hours as years, or days: `6.1y`, `12d`."""
    if hours is None:
        return UNKNOWN
    if hours < HOURS_A_YEAR // 4:
        return f"{hours // HOURS_A_DAY}d"
    return f"{hours / HOURS_A_YEAR:.1f}y"


def _row(disk: HostDisk) -> Row:
    found, leaf = disk.disk, disk.leaf
    words = (*found.links, found.model, found.wwn, found.hctl) if found is not None else ()
    state = (leaf.name, leaf.state) if leaf is not None else ("unused",)
    return Row(key_of(disk), cells_of(COLUMNS, disk), words=" ".join((*words, *state)))


def _health_cell(disk: HostDisk) -> Cell:
    style = _STYLE[disk.trouble] if isinstance(disk.health, DiskHealth) or disk.trouble else "dim"
    glyph, words = _GLYPH.get(disk.trouble, ""), health_words(disk)
    every = all_health_words(disk)
    if every == words:
        return Cell(glyph + words, style, sort=-float(disk.trouble))
    whole = width(glyph + every)
    return Cell(glyph + every, style, sort=-float(disk.trouble), whole=whole, briefer=glyph + words)


def _bay(disk: HostDisk) -> Cell:
    place = disk.place
    is_number = place is not None and place.bay.number is not None and disk.bay == place.name
    if disk.is_bay_taken:
        return Cell(f"was {disk.bay}", "dim")
    return Cell(disk.bay, sort=_order(place) if place is not None and is_number else None)


def _order(place: DiskBay) -> float:
    return place.shelf * 10_000.0 + (place.bay.number or 0)


def _errors(disk: HostDisk) -> Cell:
    return Cell(count(disk.errors), "bad" if disk.errors else "dim", sort=disk.errors)


def _bytes(disk: HostDisk) -> int | None:
    return disk.disk.size_bytes if disk.disk is not None else None


def _hours(disk: HostDisk) -> int | None:
    return disk.known.power_on_hours if disk.known is not None else None


def _degrees(disk: HostDisk) -> Cell:
    degrees = disk.health.temperature_c if isinstance(disk.health, DiskHealth) else None
    return Cell(UNKNOWN if degrees is None else str(degrees), "dim", sort=degrees)


def wait_ns(disk: HostDisk) -> float | None:
    """The longer of the mean waits of reads and writes now."""
    if disk.io is None:
        return None
    waits = (disk.io.latency.total_read, disk.io.latency.total_write)
    return max((each for each in waits if each is not None), default=None)


def _wait(disk: HostDisk) -> Cell:
    wait = wait_ns(disk)
    style = "warn" if disk.slow is not None else "text"
    return Cell(milliseconds(wait), "dim" if wait is None else style, sort=wait)


def _busy(disk: HostDisk) -> Cell:
    if disk.busy is None:
        return Cell(UNKNOWN, "dim")
    return Cell(percent(100 * disk.busy), "warn" if disk.busy >= BUSY else "text", sort=disk.busy)


def _identity(disk: HostDisk) -> str:
    """Model, firmware, sectors, transport and the name for ZFS."""
    found = disk.disk
    if found is None:
        return ""
    health = disk.known or DiskHealth()
    sectors = f"sectors {found.logical_sector_bytes or UNKNOWN}/{found.physical_sector_bytes or UNKNOWN} B"
    firmware = health.firmware or found.revision
    parts = (
        found.model,
        f"firmware {firmware}" if firmware else "",
        found.transport,
        sectors,
        f"at {found.hctl}" if found.hctl else "",
        found.links[0] if found.links else found.path,
    )
    return ", ".join(filter(None, parts))


COLUMNS: Final[tuple[Column[HostDisk], ...]] = (
    Column("bay", "BAY", 6, _bay, need=97, is_right=False, grows_to=12,
           cuts_middle=True),
    Column(SERIAL, "SERIAL", MOST_SERIAL, lambda each: Cell(each.serial), need=100, is_right=False,
           cuts_middle=True),
    Column("size", "SIZE", 8, lambda each: Cell(size(_bytes(each)), sort=_bytes(each)), need=96),
    Column(HEALTH, "HEALTH", LEAST_HEALTH, _health_cell, need=99, is_right=False, grows_to=60,
           grows_last_to=120, mark=10),
    Column("serves", "SERVES", 19, lambda each: Cell(serves(each), "text" if each.pool else "dim"), need=98,
           is_right=False, grows_to=30, cuts_middle=True),
    Column("errors", "ERR", 4, _errors, need=60),
    Column("model", "MODEL", 14, lambda each: Cell(each.disk.model if each.disk else ""), need=50,
           is_right=False, grows_to=28),
    Column("age", "AGE", 6, lambda each: Cell(age(_hours(each)), "dim", sort=_hours(each)), need=40),
    Column("temperature", "°C", 3, _degrees, need=45),
    Column("wait", "WAIT ms", 7, _wait, need=58),
    Column("busy", "BUSY", 4, _busy, need=56),
    Column("device", "DEVICE", 8, lambda each: Cell(each.disk.name if each.disk else "", "dim"), need=30,
           is_right=False, grows_to=10),
)  # fmt: skip
