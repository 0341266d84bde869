"""`zfs list` of millions of snapshots: columns that ZFS knows without opening them, into a column store.

Since OpenZFS 2.2 no dataset is opened for `name, guid, createtxg` (and some more); any other column makes the
listing many times slower. One or a few datasets per command, because ZFS prints nothing before sorting all.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Final, NoReturn

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import LISTING_MAX_BYTES, Command
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES
from zconsole.model.datasets.snapshot_table import SnapshotColumns
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.listing.datasets import DATASET_COLUMNS
from zconsole.zfs.zfs_numbers_and_dates import exact_number

FAST_COLUMNS: Final = ("name", "guid", "createtxg")
SYSTEM_COLUMNS: Final = ("name", "type", "guid", "createtxg", "origin", "snapshots_changed")
TIMEOUT_S: Final = 600.0
NAMES_MAX_BYTES: Final = 64 * 1024 * 1024  # a million snapshots of one dataset, read into columns
MAX_LINE_BYTES: Final = 64 * 1024  # a name has at most 255
CHUNK: Final = 64 * 1024  # bytes parsed at once, some milliseconds of work
_ALLOWED: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.: %\n"


@dataclass(frozen=True, slots=True)
class System:
    """File system or volume, with the state of its snapshots."""

    name: str
    type: str  # filesystem or volume
    guid: int
    createtxg: int
    origin: str | None
    changed: int | None  # epoch seconds; None when ZFS does not report it, as before 2.2


def list_systems(pool: str, *, with_changes: bool = True) -> Command:
    """Every file system and volume of a pool, and when its snapshots last changed (OpenZFS 2.2 and later)."""
    columns = SYSTEM_COLUMNS if with_changes else SYSTEM_COLUMNS[:-1]
    return Command(
        ("zfs", "list", "-Hp", "-t", "filesystem,volume", "-o", ",".join(columns), "-r", "--", pool),
        timeout_s=TIMEOUT_S,
        max_bytes=LISTING_MAX_BYTES,
    )


def parse_systems(text: str | bytes) -> tuple[System, ...]:
    """Parse the output of `list_systems`. Raises ParseError."""
    return tuple(_systems(text))


def _systems(text: str | bytes) -> Iterator[System]:
    for line_no, line in whole_lines(text):
        fields = line.split("\t")
        try:
            yield _system(*fields)
        except (ValueError, TypeError) as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error


def _system(  # noqa: PLR0913, PLR0917 - the columns in their order
    name: str, kind: str, guid: str, createtxg: str, origin: str, changed: str = "-"
) -> System:
    if kind not in FILESYSTEMS_AND_VOLUMES:
        raise ValueError(f"{kind!r} is neither a file system nor a volume")
    return System(
        name,
        kind,
        exact_number(guid),
        exact_number(createtxg),
        None if origin == "-" else origin,
        None if changed == "-" else exact_number(changed),
    )


def list_snapshots_of(datasets: Sequence[str]) -> Command:
    """List the snapshots of these datasets without descendants; per dataset the oldest first."""
    return Command(
        ("zfs", "list", "-Hp", "-t", "snapshot", "-o", ",".join(FAST_COLUMNS), "-d", "1", "--", *datasets),
        timeout_s=TIMEOUT_S,
        max_bytes=NAMES_MAX_BYTES,
    )


def list_details_of(snapshots: Sequence[str]) -> Command:
    """List all columns of these snapshots, for `parse_datasets`. ZFS opens each of them."""
    columns = ",".join(DATASET_COLUMNS)
    return Command(("zfs", "list", "-Hp", "-t", "snapshot", "-o", columns, "--", *snapshots))


def list_details_in(*datasets: str) -> Command:
    """The same for all snapshots of these datasets, without descendants."""
    columns = ",".join(DATASET_COLUMNS)
    return Command(
        ("zfs", "list", "-Hp", "-t", "snapshot", "-o", columns, "-d", "1", "--", *datasets),
        timeout_s=TIMEOUT_S,
        max_bytes=LISTING_MAX_BYTES,
    )


class SnapshotReader:
    """Incremental parser of `list_snapshots_of` output, in chunks, so that a million lines block nobody.

    ZFS sorts by name, so the rows of a dataset are contiguous; they are reordered by createtxg.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._read = 0  # lines
        self._dataset = b""
        self._names: list[bytes] = []  # of the current dataset: chunks with a line break after each name
        self._ends = array("I")
        self._guids = array("Q")
        self._txgs = array("Q")
        self._is_in_order = True
        self._done: dict[str, SnapshotColumns] = {}

    def feed(self, chunk: bytes) -> None:
        """Parse the lines that end in this chunk. Raises ParseError."""
        head, line_break, rest = (self._rest + chunk).rpartition(b"\n")
        self._rest = rest
        if len(rest) > MAX_LINE_BYTES:
            self._fail(rest, "the line does not end")
        if line_break:
            self._take(head)

    def close(self) -> dict[str, SnapshotColumns]:
        """The snapshots of each dataset that has any. Raises ParseError when the output is truncated."""
        if self._rest:
            self._fail(self._rest, "the output is truncated")
        self._finish()
        return self._done

    def _take(self, lines: bytes) -> None:
        fields = lines.replace(b"\n", b"\t").split(b"\t")
        count = lines.count(b"\n") + 1
        if len(fields) != count * len(FAST_COLUMNS) or lines.count(b"\t") != 2 * count:
            self._fail(lines, f"expected {len(FAST_COLUMNS)} fields in each line")
        names = fields[0::3]
        guids, txgs = self._numbers(fields[1::3]), self._numbers(fields[2::3])
        start = 0
        while start < count:
            dataset, at, _ = names[start].partition(b"@")
            if not at:
                self._fail(names[start], "not the name of a snapshot")
            prefix = dataset + b"@"
            others = (each for each in range(start, count) if not names[each].startswith(prefix))
            end = next(others, count)
            if dataset != self._dataset:
                self._finish()
                self._dataset = dataset
            self._add(names[start:end], len(prefix))
            self._guids += guids[start:end]
            self._add_txgs(txgs[start:end])
            start = end
        self._read += count

    def _numbers(self, texts: list[bytes]) -> array[int]:
        found = array("Q")
        if b"".join(texts).isdigit():
            with suppress(ValueError, OverflowError):
                found.extend(map(int, texts))
        if len(found) != len(texts):
            self._fail(b" ".join(texts[:9]), "not numbers")
        return found

    def _add(self, names: list[bytes], cut: int) -> None:
        short = [name[cut:] for name in names]
        piece = b"\n".join(short) + b"\n"
        if piece.translate(None, _ALLOWED) or piece.count(b"\n") != len(names):
            self._fail(piece, "not names that ZFS allows")
        self._names.append(piece)
        ends = accumulate([len(name) + 1 for name in short], initial=self._ends[-1] if self._ends else 0)
        next(ends)
        self._ends.extend(ends)

    def _add_txgs(self, txgs: array[int]) -> None:
        if (self._txgs and self._txgs[-1] > txgs[0]) or any(map(int.__gt__, txgs[:-1], txgs[1:])):
            self._is_in_order = False
        self._txgs += txgs

    def _finish(self) -> None:
        if not self._guids:
            return
        if self._dataset.translate(None, _ALLOWED + b"/"):
            self._fail(self._dataset, "not a name that ZFS allows")
        dataset = self._dataset.decode("ascii")
        if dataset in self._done:
            self._fail(self._dataset, "the snapshots of a dataset are not contiguous")
        found = SnapshotColumns(b"".join(self._names), self._ends, self._guids, self._txgs)
        self._done[dataset] = found if self._is_in_order else _by_txg(found)
        self._names, self._is_in_order = [], True
        self._ends, self._guids, self._txgs = array("I"), array("Q"), array("Q")

    def _fail(self, line: bytes, why: str) -> NoReturn:
        raise ParseError(TOOL, self._read + 1, line[:200].decode("utf-8", "replace"), why)


def _by_txg(found: SnapshotColumns) -> SnapshotColumns:
    order = sorted(range(len(found)), key=found.createtxgs.__getitem__)
    each = found.names.split(b"\n")
    names = [each[place] + b"\n" for place in order]
    return SnapshotColumns(
        b"".join(names),
        array("I", accumulate(map(len, names))),
        array("Q", [found.guids[place] for place in order]),
        array("Q", [found.createtxgs[place] for place in order]),
    )
