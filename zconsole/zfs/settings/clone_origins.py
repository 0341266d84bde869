"""`zfs list`: creation time and own space of the snapshots from which clones were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.zfs_numbers_and_dates import exact_number

COLUMNS: Final = ("name", "creation", "used")
TIMEOUT_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class CloneOrigin:
    """Snapshot; epoch seconds, and the bytes that its own dataset does not reference."""

    name: str
    creation: int
    used_bytes: int


def list_origins(snapshots: Sequence[str]) -> Command:
    """List these snapshots; one that is gone makes the command fail after it has listed the others."""
    argv = ("zfs", "list", "-Hp", "-t", "snapshot", "-o", ",".join(COLUMNS), "--", *snapshots)
    return Command(argv, timeout_s=TIMEOUT_S)


def parse_origins(text: str) -> Iterator[CloneOrigin]:
    """Yield one value per line of `list_origins` output."""
    for line_no, line in whole_lines(text):
        fields = line.split("\t")
        try:
            name, creation, used = fields
            yield CloneOrigin(name, exact_number(creation), exact_number(used))
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error
