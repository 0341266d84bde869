"""`zpool status -D` and `zpool get`: the deduplication table of a pool."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.dedup_table import DedupTable
from zconsole.zfs.listing.pool_get import parse_properties
from zconsole.zfs.zfs_numbers_and_dates import exact_number, number

TOOL: Final = "zpool status -D"
QUOTA: Final = "dedup_table_quota"
COUNTS_THE_WHOLE: Final = (2, 3)  # first release whose sizes are of the whole table, not of an entry
NO_QUOTA: Final = frozenset({"none", "auto", "-", "0"})
_TITLE: Final = " dedup: "
_EMPTY: Final = "no DDT entries"
_TABLE: Final = re.compile(
    r"DDT entries (\d{1,20}), size ([0-9.]{1,16}[A-Z]{0,2}) on disk, ([0-9.]{1,16}[A-Z]{0,2}) in core",
    re.ASCII,
)


def read_dedup_table(pool: str) -> Command:
    """Print the state of a pool with the size of its table."""
    return Command(("zpool", "status", "-D", pool))


def read_dedup_quota(pool: str) -> Command:
    """Print the quota of the table; releases before 2.3 have none."""
    return Command(("zpool", "get", "-Hp", QUOTA, pool))


def parse_dedup_table(text: str, version: ZfsVersion) -> DedupTable | None:
    """Parse the output of `read_dedup_table` of one pool; None without a table."""
    found = [
        (line_no, line.removeprefix(_TITLE).strip())
        for line_no, line in whole_lines(TOOL, text)
        if line.startswith(_TITLE)
    ]
    if not found:
        return None
    line_no, words = found[-1]
    if words.startswith(_EMPTY):
        return None
    matched = _TABLE.match(words)
    if matched is None:
        raise ParseError(TOOL, line_no, words, "not the size of a table")
    try:
        entries, disk, core = natural(matched[1]), number(matched[2]).value, number(matched[3]).value
    except ValueError as error:
        raise ParseError(TOOL, line_no, words, str(error)) from error
    if entries is None:
        raise ParseError(TOOL, line_no, words, "not a count")
    of_all = 1 if version.numbers >= COUNTS_THE_WHOLE else entries
    return DedupTable(entries, round(disk * of_all), round(core * of_all))


def with_quota(table: DedupTable, text: str, pool: str) -> DedupTable:
    """The table with the quota in the output of `read_dedup_quota`."""
    value = next((each.value for each in parse_properties(text, pool) if each.name == QUOTA), "-")
    if value in NO_QUOTA:
        return table
    try:
        return replace(table, quota_bytes=exact_number(value))
    except ValueError as error:
        raise ParseError(TOOL, 1, text, str(error)) from error
