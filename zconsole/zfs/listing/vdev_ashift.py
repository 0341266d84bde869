"""`zpool get ashift` of top-level vdevs, which `zpool status` leaves out from OpenZFS 2.3 on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.pool import Pool
from zconsole.zfs.zfs_numbers_and_dates import LARGEST_ASHIFT

TOOL: Final = "zpool get"
_FIELDS: Final = 2


def get_ashifts(pool: str, vdevs: Sequence[int]) -> Command:
    """The ashift of some vdevs, by guid."""
    return Command(("zpool", "get", "-Hp", "-o", "name,value", "ashift", pool, *map(str, vdevs)))


def parse_ashifts(text: str) -> dict[int, int]:
    """Parse the output of `get_ashifts`: ashift by guid, without vdevs that have none."""
    found = {}
    for line_no, line in whole_lines(TOOL, text):
        fields = line.split("\t")
        numbers = [natural(each) for each in fields]
        if len(fields) != _FIELDS or numbers[0] is None:
            raise ParseError(TOOL, line_no, line, "not a requested vdev with a value")
        guid, ashift = numbers
        if guid is not None and ashift is not None and 0 < ashift <= LARGEST_ASHIFT:
            found[guid] = ashift
    return found


def with_ashifts(pool: Pool, known: Mapping[int, int]) -> Pool:
    """The pool with the ashift of its top-level vdevs, by guid."""
    return replace(
        pool,
        vdevs=tuple(
            replace(top, configured_ashift=known[top.guid])
            if top.guid is not None and top.guid in known
            else top
            for top in pool.vdevs
        ),
    )
