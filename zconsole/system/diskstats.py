"""/proc/diskstats: how busy each disk is, which ZFS does not report."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.model.pools.disk_and_inventory import DiskActivity

TOOL: Final = "diskstats"
DISKSTATS: Final = "/proc/diskstats"
MIN_FIELDS: Final = 14  # 18 since Linux 4.18 (discards), 20 since 5.5 (flushes); more may come
_WRAP_MS: Final = 2**32  # the kernel counts milliseconds in 32 bits
_MS: Final = 1000
_MAX_DIGITS: Final = 20  # of 64 bits


def parse_diskstats(text: str, names: Container[str] | None = None) -> dict[str, DiskActivity]:
    """Counters of each device since boot, by kernel name; of the devices in `names`, where it is given."""
    devices: dict[str, DiskActivity] = {}
    for line_no, line in whole_lines(TOOL, text, reason="the file is truncated"):
        if line:
            fields = line.split()
            if names is None or len(fields) < MIN_FIELDS or fields[2] in names:
                device = _device(fields, line, line_no)
                devices[device.name] = device
    return devices


def busy(
    before: Mapping[str, DiskActivity], after: Mapping[str, DiskActivity], elapsed_s: float
) -> dict[str, float]:
    """Fraction (0..1) of the time in which each device was busy; incomparable devices are left out.

    A device whose counters decreased was replaced or reset. Only the milliseconds wrap, after 49 days.
    """
    if elapsed_s <= 0:
        return {}
    shares: dict[str, float] = {}
    for name, now in after.items():
        then = before.get(name)
        if then is None or now.reads < then.reads or now.writes < then.writes:
            continue
        worked_ms = (now.busy_ms - then.busy_ms) % _WRAP_MS
        if worked_ms > _WRAP_MS / 2:  # decreased slightly
            continue
        shares[name] = min(1.0, worked_ms / (elapsed_s * _MS))
    return shares


def _device(fields: list[str], line: str, line_no: int) -> DiskActivity:
    if len(fields) < MIN_FIELDS:
        raise ParseError(TOOL, line_no, line, f"expected {MIN_FIELDS} fields or more, got {len(fields)}")
    counters = fields[3:]
    joined = "".join(counters)
    if not (joined.isascii() and joined.isdigit() and max(map(len, counters)) <= _MAX_DIGITS):
        raise ParseError(TOOL, line_no, line, "not a count")
    reads, _, read_sectors, read_ms, writes, _, write_sectors, write_ms, *times = map(int, counters[:11])
    in_flight, busy_ms, weighted_ms = times
    return DiskActivity(
        name=fields[2],
        reads=reads,
        read_sectors=read_sectors,
        read_ms=read_ms,
        writes=writes,
        write_sectors=write_sectors,
        write_ms=write_ms,
        in_flight=in_flight,
        busy_ms=busy_ms,
        weighted_ms=weighted_ms,
    )
