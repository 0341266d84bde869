"""Transaction groups of a pool in the kernel's history, and the waits of writes for a txg."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.model.pools.iostat import Histogram
from zconsole.model.pools.kernel_counters import Txg
from zconsole.zfs.kstat.pool_state_and_kstat_parser import POOLS_DIR, Kstat, parse_kstat

TOOL: Final = "txgs"
HISTORY: Final = "/sys/module/zfs/parameters/zfs_txg_history"  # number of txgs the kernel keeps; 0: none
_TITLES: Final = (
    *("txg", "birth", "state", "ndirty", "nread", "nwritten", "reads", "writes"),
    *("otime", "qtime", "wtime", "stime"),
)
_NUMBER: Final = re.compile(r"\d{1,20}", re.ASCII)
_STATE: Final = re.compile(r"[A-Z?]", re.ASCII)
_BUCKET: Final = re.compile(r"(\d{1,19}) ns", re.ASCII)


def txgs_path(pool: str) -> str:
    """The path of the txg history."""
    return f"{POOLS_DIR}/{pool}/txgs"


def assign_waits_path(pool: str) -> str:
    """The path of the histogram of waits for a transaction group."""
    return f"{POOLS_DIR}/{pool}/dmu_tx_assign"


def parse_txgs(text: str) -> tuple[Txg, ...]:
    """The txgs, oldest first; empty when the kernel keeps none."""
    found: list[Txg] = []
    for line_no, line in whole_lines(TOOL, text, reason="the file is truncated"):
        fields = line.split()
        if tuple(fields) == _TITLES:
            continue
        if len(fields) != len(_TITLES) or not _STATE.fullmatch(fields[2]):
            raise ParseError(TOOL, line_no, line, "not a transaction group")
        numbers = [*fields[:2], *fields[3:]]
        if not all(map(_NUMBER.fullmatch, numbers)):
            raise ParseError(TOOL, line_no, line, "not a number")
        number, birth, *rest = map(int, numbers)
        found.append(Txg(number, birth, fields[2], *rest))
    return tuple(found)


def together(before: Iterable[Txg], now: Iterable[Txg], most: int) -> tuple[Txg, ...]:
    """Merge two readings of txgs: the newest record of each, the last `most` of them, oldest first.

    A reimported pool continues its numbers; decreasing numbers belong to another pool.
    """
    newest = {txg.number: txg for txg in now}
    if newest:
        first = min(newest)
        newest = {txg.number: txg for txg in before if txg.number < first} | newest
    return tuple(newest[number] for number in sorted(newest))[-most:]


def parse_assign_waits(text: str) -> Kstat | None:
    """The counts of waits; None while nothing was counted: the kernel omits trailing empty buckets."""
    return parse_kstat(text) if text else None


def assign_waits(now: Kstat, before: Kstat | None) -> Histogram | None:
    """Waits for a txg between two readings; None for the first reading.

    A bucket counts waits from half its bound up to its bound; nanoseconds.
    """
    if before is None or before.created_ns != now.created_ns:
        return None
    bounds, counts = list[int](), list[int]()
    for name in now.values:
        bucket = _BUCKET.fullmatch(name)
        if bucket is not None:
            bounds.append(int(bucket[1]))
            counts.append(max(0, (now.count(name) or 0) - (before.count(name) or 0)))
    return Histogram(tuple(bounds), tuple(counts))
