"""`zfs list` of the space that each dataset uses now, and used at the time of its snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import LISTING_MAX_BYTES, Command
from zconsole.model.dataset_names import dataset_of
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.zfs_numbers_and_dates import exact_number

USE_COLUMNS: Final = ("name", "usedbydataset", "usedbysnapshots")
BLOCK_COLUMNS: Final = ("name", "recordsize", "volblocksize")
TRACE_COLUMNS: Final = (
    *("name", "type", "creation", "referenced", "written"),
    *("usedbydataset", "usedbysnapshots", "usedbyrefreservation", "origin"),
)
LIST_TIMEOUT_S: Final = 60.0  # enough for a million snapshots
_NONE: Final = "-"
_ERRORS: Final = "backslashreplace"  # the names are only shown


@dataclass(frozen=True, slots=True)
class DatasetUsage:
    """Space used by a file system or volume itself, in bytes."""

    name: str
    live_bytes: int
    snapshots_bytes: int


@dataclass(frozen=True, slots=True)
class DatasetSizeRecord:
    """Size of a dataset now, or at one of its snapshots; bytes, epoch seconds.

    `written_bytes` counts from the previous snapshot. Columns that only datasets have are 0 for a snapshot.
    """

    name: str
    is_snapshot: bool
    creation: int
    referenced_bytes: int
    written_bytes: int
    live_bytes: int = 0
    snapshots_bytes: int = 0
    refreservation_bytes: int = 0
    origin: str | None = None

    @property
    def dataset(self) -> str:
        """The dataset, or the dataset of the snapshot."""
        return dataset_of(self.name)


def dataset_uses(pool: str) -> Command:
    """Print the space used by each file system and volume of a pool, without descendants."""
    return _list(pool, "filesystem,volume", USE_COLUMNS)


def dataset_block_sizes(pool: str) -> Command:
    """Print the recordsize of each file system and the volblocksize of each volume of a pool."""
    return _list(pool, "filesystem,volume", BLOCK_COLUMNS)


def parse_dataset_block_sizes(text: str | bytes) -> Iterator[tuple[str, int]]:
    """Yield the name and the block size of each dataset in `dataset_block_sizes` output."""
    for line_no, line in whole_lines(text, errors=_ERRORS):
        name, record, block = _fields(line_no, line, BLOCK_COLUMNS)
        try:
            yield name, exact_number(block if record == _NONE else record)
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error


def dataset_traces(pool: str) -> Command:
    """Print the datasets and all snapshots of a pool with creation time and size."""
    return _list(pool, "filesystem,volume,snapshot", TRACE_COLUMNS)


def parse_dataset_uses(text: str | bytes) -> Iterator[DatasetUsage]:
    """Yield one DatasetUsage per line of `dataset_uses` output."""
    for line_no, line in whole_lines(text, errors=_ERRORS):
        fields = _fields(line_no, line, USE_COLUMNS)
        try:
            yield DatasetUsage(fields[0], exact_number(fields[1]), exact_number(fields[2]))
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error


def parse_dataset_traces(text: str | bytes) -> Iterator[DatasetSizeRecord]:
    """Yield one DatasetSizeRecord per line of `dataset_traces` output."""
    for line_no, line in whole_lines(text, errors=_ERRORS):
        name, kind, creation, referenced, written, live, kept, reserved, origin = _fields(
            line_no, line, TRACE_COLUMNS
        )
        if (kind == "snapshot") != ("@" in name):
            raise ParseError(TOOL, line_no, line, f"not the name of a {kind}")
        try:
            yield DatasetSizeRecord(
                name,
                kind == "snapshot",
                exact_number(creation),
                exact_number(referenced),
                _count(written),
                _count(live),
                _count(kept),
                _count(reserved),
                None if origin == _NONE else origin,
            )
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error


def _list(pool: str, types: str, columns: Sequence[str]) -> Command:
    return Command(
        ("zfs", "list", "-Hp", "-t", types, "-o", ",".join(columns), "-r", "--", pool),
        timeout_s=LIST_TIMEOUT_S,
        max_bytes=LISTING_MAX_BYTES,
    )


def _fields(line_no: int, line: str, columns: Sequence[str]) -> list[str]:
    fields = line.split("\t")
    if len(fields) != len(columns):
        raise ParseError(TOOL, line_no, line, f"expected {len(columns)} fields, got {len(fields)}")
    if not fields[0]:
        raise ParseError(TOOL, line_no, line, "a dataset without a name")
    return fields


def _count(text: str) -> int:
    """A count; 0 for a column that a snapshot lacks."""
    return 0 if text == _NONE else exact_number(text)
