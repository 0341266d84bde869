"""`zfs list` of root datasets: used and available space of pools, and settings that others inherit."""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.pools.pool import RootSettings
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.zfs_numbers_and_dates import exact_number

MAX_BYTES: Final = 1024 * 1024  # a line a pool
SPACE_COLUMNS: Final = ("name", "used", "available", "creation")
SETTINGS: Final = ("compression", "checksum", "sync", "dedup", "copies", "atime", "relatime")


@dataclass(frozen=True, slots=True)
class RootDataset:
    """Columns of a pool's root dataset; bytes, epoch seconds."""

    used_bytes: int
    available_bytes: int
    creation: int
    settings: RootSettings | None = None  # None in recordings of the space alone


def root_dataset(*pools: str) -> Command:
    """Print used and available space of pools, after parity and slop, creation times and settings."""
    columns = ",".join((*SPACE_COLUMNS, *SETTINGS))
    argv = ("zfs", "list", "-Hp", "-d", "0", "-o", columns, *pools)
    return Command(argv, max_bytes=MAX_BYTES)


def parse_root_datasets(text: str) -> dict[str, RootDataset]:
    """Parse `root_dataset` output, by the names of the pools."""
    found = {}
    for line_no, line in whole_lines(text):
        fields = line.split("\t")
        try:
            name, used, available, creation = fields[: len(SPACE_COLUMNS)]
            settings = _settings(fields[len(SPACE_COLUMNS) :])
            root = RootDataset(exact_number(used), exact_number(available), exact_number(creation), settings)
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error
        if name in found:
            raise ParseError(TOOL, line_no, line, "the same pool twice")
        found[name] = root
    return found


def _settings(fields: list[str]) -> RootSettings | None:
    if not fields:
        return None
    found = dict(zip(SETTINGS, fields, strict=True))
    return RootSettings(
        compression=found["compression"],
        checksum=found["checksum"],
        sync=found["sync"],
        dedup=found["dedup"],
        copies=natural(found["copies"]),
        atime=found["atime"],
        relatime=found["relatime"],
    )
