"""`zfs list` of a root dataset: used and available space of a pool, and settings that others inherit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.pool import RootSettings
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.zfs_numbers_and_dates import exact_number

SPACE_COLUMNS: Final = ("name", "used", "available", "creation")
SETTINGS: Final = ("compression", "checksum", "sync", "dedup", "copies", "atime", "relatime")


@dataclass(frozen=True, slots=True)
class RootDataset:
    """Columns of a pool's root dataset; bytes, epoch seconds."""

    used_bytes: int
    available_bytes: int
    creation: int
    settings: RootSettings | None = None  # None in recordings of the space alone


def root_dataset(pool: str) -> Command:
    """Print used and available space of a pool, after parity and slop, its creation time, its settings."""
    columns = ",".join((*SPACE_COLUMNS, *SETTINGS))
    return Command(("zfs", "list", "-Hp", "-d", "0", "-o", columns, pool))


def parse_root_dataset(text: str) -> RootDataset:
    """Parse the one line of `root_dataset` output."""
    found = list(islice(whole_lines(text), 2))
    if len(found) != 1:
        raise ParseError(
            TOOL, 1, text, f"expected one line, got {len(found) or 'none'}{' or more' * len(found[1:])}"
        )
    line_no, line = found[0]
    fields = line.split("\t")
    try:
        _, used, available, creation = fields[: len(SPACE_COLUMNS)]
        settings = _settings(fields[len(SPACE_COLUMNS) :])
        return RootDataset(exact_number(used), exact_number(available), exact_number(creation), settings)
    except ValueError as error:
        raise ParseError(TOOL, line_no, line, str(error)) from error


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
