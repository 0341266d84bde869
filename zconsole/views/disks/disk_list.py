"""Disk list of a host, worst first: identity, health, and the vdev of each disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk, Trouble
from zconsole.base.formatting import UNKNOWN, count, size
from zconsole.model.finding import Severity
from zconsole.model.pools.disk_health import DiskHealth, PowerMode, Unreadable
from zconsole.model.pools.pool import HEALTHY_STATES
from zconsole.views.layout.phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

HOURS_A_YEAR: Final = 8766
HOURS_A_DAY: Final = 24
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
    """One row a disk, in the order given."""
    return Table(COLUMNS, tuple(map(_row, disks)))


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
    leaf, pool = disk.leaf, disk.pool
    if leaf is not None and pool is not None and leaf.state not in HEALTHY_STATES:
        note = f": {leaf.note}" if leaf.note else ""
        yield line((f"ZFS calls it {leaf.state} in {pool.name}{note}", "bad"))
    if disk.slow is not None:
        yield line((f"{disk.slow.ratio:.1f}x the latency of its peers", "warn"))
    for each in disk.complaints:
        style = {Severity.CRITICAL: "bad", Severity.WARNING: "warn"}.get(each.severity, "text")
        blame = "" if each.blame.value == "disk" else f" (check the {each.blame.value})"
        yield line((each.words + blame, style))
    if isinstance(disk.health, Unreadable):
        yield line((f"no SMART data: {disk.health.value}", "dim"))
    if disk.disk is not None:
        yield line((_identity(disk), "dim"))


def health_words(disk: HostDisk) -> str:
    """The worst problem of a disk in a few words."""
    leaf, health = disk.leaf, disk.health
    others = len(disk.complaints) - 1
    more = f" +{others}" if others > 0 else ""
    if disk.disk is None:
        return "gone"
    if disk.complaints and disk.complaints[0].severity > Severity.INFO:
        return disk.complaints[0].words + more
    if leaf is not None and leaf.state not in HEALTHY_STATES:
        return leaf.state
    if disk.slow is not None:
        return f"slow: {disk.slow.ratio:.1f}x its peers"
    if disk.complaints:
        return f"ok, {disk.complaints[0].words}{more}"
    if isinstance(health, DiskHealth):
        return "in standby" if health.power_mode is PowerMode.STANDBY else "ok"
    return UNKNOWN if health is None else "no SMART data"


def serves(disk: HostDisk) -> str:
    """The pool and vdev, or another use of the disk: `vault mirror-0`, `tank spare`, `ext4 backup`, `-`."""
    if disk.pool is not None and disk.top is not None:
        role = disk.top.vdev_class if disk.top.vdev_class in {"spare", "cache", "log"} else disk.top.name
        return f"{disk.pool.name} {role}"
    parts = tuple(disk.disk.walk()) if disk.disk is not None else ()
    mounted = [f"mounted at {point}" for part in parts for point in part.mountpoints]
    held = [f"{part.fstype} {part.label}".strip() for part in parts if part.fstype]
    return next(iter((*mounted, *held)), "-")


def age(hours: int | None) -> str:
    """Power-on hours as years, or days: `6.1 y`, `12 d`."""
    if hours is None:
        return UNKNOWN
    if hours < HOURS_A_YEAR // 4:
        return f"{hours // HOURS_A_DAY} d"
    return f"{hours / HOURS_A_YEAR:.1f} y"


def _row(disk: HostDisk) -> Row:
    name = disk.disk.name if disk.disk is not None else str(disk.leaf.guid if disk.leaf is not None else "")
    words = " ".join(disk.disk.links) if disk.disk is not None else ""
    return Row(name, cells_of(COLUMNS, disk), words=words)


def _health_cell(disk: HostDisk) -> Cell:
    style = _STYLE[disk.trouble] if disk.health is not None or disk.trouble else "dim"
    return Cell(_GLYPH.get(disk.trouble, "") + health_words(disk), style, sort=-float(disk.trouble))


def _hours(disk: HostDisk) -> int | None:
    return disk.health.power_on_hours if isinstance(disk.health, DiskHealth) else None


def _degrees(disk: HostDisk) -> str:
    degrees = disk.health.temperature_c if isinstance(disk.health, DiskHealth) else None
    return UNKNOWN if degrees is None else str(degrees)


def _identity(disk: HostDisk) -> str:
    """Model, firmware, sectors, transport and the name for ZFS."""
    found = disk.disk
    if found is None:
        return ""
    health = disk.health if isinstance(disk.health, DiskHealth) else DiskHealth()
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
    Column("serial", "SERIAL", 14, lambda each: Cell(each.serial), need=100, is_right=False, grows_to=20,
           cuts_middle=True),
    Column("size", "SIZE", 8, lambda each: Cell(size(each.disk.size_bytes if each.disk else None)), need=80),
    Column("health", "HEALTH", 26, _health_cell, need=95, is_right=False, grows_to=60),
    Column("serves", "SERVES", 19, lambda each: Cell(serves(each), "text" if each.pool else "dim"), need=98,
           is_right=False, grows_to=30, cuts_middle=True),
    Column("errors", "ERR", 4, lambda each: Cell(count(each.errors), "bad" if each.errors else "dim"),
           need=60),
    Column("model", "MODEL", 14, lambda each: Cell(each.disk.model if each.disk else ""), need=50,
           is_right=False, grows_to=28),
    Column("age", "AGE", 6, lambda each: Cell(age(_hours(each)), "dim", sort=_hours(each)), need=40),
    Column("temperature", "°C", 3, lambda each: Cell(_degrees(each), "dim"), need=45),
    Column("device", "DEVICE", 8, lambda each: Cell(each.disk.name if each.disk else "", "dim"), need=30,
           is_right=False, grows_to=10),
)  # fmt: skip
