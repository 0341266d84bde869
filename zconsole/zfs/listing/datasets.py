"""`zfs list` as tab-separated columns: datasets, snapshots and bookmarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.datasets.dataset import Dataset
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.zfs_numbers_and_dates import exact_number

DATASET_COLUMNS: Final = (
    *("name", "type", "used", "avail", "refer", "mountpoint"),
    *("usedbysnapshots", "usedbydataset", "usedbychildren", "usedbyrefreservation"),
    *("origin", "clones", "creation", "createtxg", "guid"),
    *("written", "logicalused", "compressratio", "compression", "recordsize", "volblocksize"),
    *("dedup", "copies", "quota", "refquota", "reservation", "refreservation"),
    *("encryption", "keystatus", "mounted", "canmount", "userrefs", "defer_destroy"),
)
NAMED_S: Final = 5.0  # what these are asked for goes without the answer of a pool that hangs
MOST_DATASETS: Final = 120_000  # of one answer; an object each
DEFAULT_TYPES: Final = ("filesystem", "volume")

_NONE: Final = frozenset(("-", "none"))
_NAME: Final = re.compile(r"[A-Za-z0-9_.: %/@#-]+")  # % occurs in temporary names made by a receive
_RATIO: Final = re.compile(r"\d{1,12}\.\d\dx?", re.ASCII)
_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9,._+-]*")
_FLAGS: Final = {"yes": True, "on": True, "no": False, "off": False}
_MOUNTPOINT: Final = DATASET_COLUMNS.index("mountpoint")
_BEHIND_MOUNTPOINT: Final = len(DATASET_COLUMNS) - _MOUNTPOINT - 1
_MAX_MOUNTPOINT: Final = 16 * 1024  # ZFS limits it to half of that


def list_datasets(
    root: str | None = None,
    *,
    types: Sequence[str] = DEFAULT_TYPES,
    depth: int | None = None,
    recursive: bool = True,
) -> Command:
    """List the descendants of `root`, or all datasets of the host; at most `depth` levels, exact numbers."""
    below = ("-d", str(depth)) if depth is not None else ("-r",) if recursive and root is not None else ()
    return Command((
        "zfs", "list", "-Hp",
        "-t", ",".join(types),
        "-o", ",".join(DATASET_COLUMNS),
        *below,
        *(("--", root) if root is not None else ()),
    ))  # fmt: skip


def list_named_datasets(names: Sequence[str]) -> Command:
    """List these datasets alone, exact numbers. Status 1 where one of them does not exist."""
    return Command(("zfs", "list", "-Hp", "-o", ",".join(DATASET_COLUMNS), "--", *names), timeout_s=NAMED_S)


def parse_datasets(text: str | bytes) -> Iterator[Dataset]:
    """Yield one Dataset per record of `list_datasets` output.

    Only a mountpoint can contain tabs and line breaks: a record continues until the columns after it are
    complete. Ambiguous records and datasets listed twice are rejected.
    """
    names: set[str] = set()
    first_no, record, doubt = 0, "", ""
    for line_no, line in whole_lines(text):
        if record and _is_record(line):
            raise ParseError(TOOL, first_no, record, f"{doubt}, or its mountpoint reads like a dataset")
        first_no, record = (first_no, f"{record}\n{line}") if record else (line_no, line)
        try:
            dataset = _dataset(_columns(record))
        except ValueError as error:
            doubt = doubt or str(error)
            if not _goes_on(record):
                raise ParseError(TOOL, first_no, record, doubt) from error
            continue
        if dataset.name in names:
            raise ParseError(TOOL, first_no, record, "a dataset is listed twice")
        if len(names) == MOST_DATASETS:
            raise ParseError(TOOL, first_no, record, f"more than {MOST_DATASETS} datasets and snapshots")
        names.add(dataset.name)
        yield dataset
        record, doubt = "", ""
    if record:
        raise ParseError(TOOL, first_no, record, doubt)


def _columns(record: str) -> list[str]:
    """The fields of a record, with the tabs of its mountpoint restored."""
    fields = record.split("\t")
    behind = len(fields) - _BEHIND_MOUNTPOINT
    if behind <= _MOUNTPOINT:
        raise ValueError(f"expected {len(DATASET_COLUMNS)} fields, got {len(fields)}")
    return [*fields[:_MOUNTPOINT], "\t".join(fields[_MOUNTPOINT:behind]), *fields[behind:]]


def _goes_on(record: str) -> bool:
    """Whether this can be the beginning of a record with a line break in its mountpoint."""
    *head, rest = record.split("\t", _MOUNTPOINT)
    return (
        len(head) == _MOUNTPOINT
        and rest.startswith("/")
        and len(rest) <= _MAX_MOUNTPOINT
        and not any("\n" in field for field in head)
    )


def _is_record(line: str) -> bool:
    try:
        _dataset(_columns(line))
    except ValueError:
        return False
    return True


def _dataset(fields: Sequence[str]) -> Dataset:
    column = dict(zip(DATASET_COLUMNS, fields, strict=True))
    return Dataset(
        name=_name(column["name"]),
        type=_word(column["type"]) or "",
        used_bytes=_count(column["used"]),
        available_bytes=_count(column["avail"]),
        referenced_bytes=_count(column["refer"]),
        mountpoint=_mountpoint(column["mountpoint"]),
        used_by_snapshots_bytes=_count(column["usedbysnapshots"]),
        used_by_dataset_bytes=_count(column["usedbydataset"]),
        used_by_children_bytes=_count(column["usedbychildren"]),
        used_by_refreservation_bytes=_count(column["usedbyrefreservation"]),
        origin=_origin(column["origin"]),
        clones=_names(column["clones"]),
        creation=_count(column["creation"]),
        createtxg=_count(column["createtxg"]),
        guid=_count(column["guid"]),
        written_bytes=_count(column["written"]),
        logical_used_bytes=_count(column["logicalused"]),
        compress_ratio=_ratio(column["compressratio"]),
        compression=_word(column["compression"]),
        recordsize_bytes=_count(column["recordsize"]),
        volblocksize_bytes=_count(column["volblocksize"]),
        dedup=_word(column["dedup"]),
        copies=_count(column["copies"]),
        quota_bytes=_count(column["quota"]),
        refquota_bytes=_count(column["refquota"]),
        reservation_bytes=_count(column["reservation"]),
        refreservation_bytes=_count(column["refreservation"]),
        encryption=_word(column["encryption"]),
        keystatus=_word(column["keystatus"]),
        is_mounted=_flag(column["mounted"]),
        canmount=_word(column["canmount"]),
        holds=_count(column["userrefs"]),
        is_destroy_deferred=_flag(column["defer_destroy"]),
    )


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("not a name that ZFS allows")
    return text


def _names(text: str) -> tuple[str, ...]:
    return () if text in _NONE or not text else tuple(map(_name, text.split(",")))


def _origin(text: str) -> str | None:
    return None if text in _NONE else _name(text)


def _mountpoint(text: str) -> str | None:
    if not text.startswith("/") and not _WORD.fullmatch(text) and text not in _NONE:
        raise ValueError(f"not a mountpoint: {text!r}")
    return None if text in _NONE else text


def _word(text: str) -> str | None:
    if text in _NONE:
        return None
    if not _WORD.fullmatch(text):
        raise ValueError(f"not a word: {text!r}")
    return text


def _count(text: str) -> int | None:
    return None if text in _NONE else exact_number(text)


def _ratio(text: str) -> float | None:
    if text in _NONE:
        return None
    if not _RATIO.fullmatch(text):
        raise ValueError(f"not a ratio: {text!r}")
    return float(text.removesuffix("x"))


def _flag(text: str) -> bool | None:
    if text in _NONE:
        return None
    if text not in _FLAGS:
        raise ValueError(f"neither yes nor no: {text!r}")
    return _FLAGS[text]
