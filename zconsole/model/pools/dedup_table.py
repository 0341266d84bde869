"""Deduplication table of a pool: its entries, its sizes, its quota."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DedupTable:
    """The whole table. Sizes are rounded to three digits, as ZFS prints them; None is unknown.

    `quota_bytes` is None also without a quota, and where ZFS derives it from the vdevs of the table.
    """

    entries: int
    disk_bytes: int
    core_bytes: int  # of memory, with all of it loaded
    quota_bytes: int | None = None
