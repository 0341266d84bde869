"""One line of the tree of `zpool status` or `zpool import`, parsed as a vdev."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Count, Vdev, VdevProgress
from zconsole.zfs.status.text_layout import TreeLine
from zconsole.zfs.status.vdev_type_and_display_name import guid_of, short_name, type_of
from zconsole.zfs.zfs_numbers_and_dates import DATE, count, epoch

COUNTERS: Final = {
    "READ": "read_errors",
    "WRITE": "write_errors",
    "CKSUM": "checksum_errors",
    "SLOW": "slow_ios",
}
_WAS: Final = "was "
_MOST_REMARKS: Final = 16  # bracketed remarks after a note; ZFS has four
_IN_BRACKETS: Final = re.compile(r"(?:^|  )\(([^()]*)\)$")
_PROGRESS: Final = re.compile(
    rf"(\d{{1,9}})% (initialized|trimmed), (suspended, started at|started at|completed at) ({DATE})"
)
_KINDS: Final = {
    "initialized": "initialize",
    "trimmed": "trim",
    "initializing": "initialize",
    "trimming": "trim",
}
_STATES: Final = {"suspended, started at": "suspended", "started at": "active", "completed at": "complete"}
_NOTHING: Final = ("uninitialized", "untrimmed")
_ASHIFTS: Final = re.compile(r"block size: (\d{1,9})B configured, (\d{1,9})B native", re.ASCII)


@dataclass(frozen=True, slots=True)
class Counters:
    """The numbers of a line."""

    read_errors: Count | None = None
    write_errors: Count | None = None
    checksum_errors: Count | None = None
    slow_ios: Count | None = None


@dataclass(frozen=True, slots=True)
class _Remarks:
    """Remarks after the counters."""

    note: str
    activities: tuple[VdevProgress, ...] = ()
    is_resilvering: bool = False
    is_removing: bool = False


def vdev_of(
    tool: str, row: TreeLine, columns: Sequence[str], vdev_class: str, children: tuple[Vdev, ...]
) -> Vdev:
    """The vdev of a line whose counters are under the headings `columns`; spares have none."""
    try:
        counters, rest = counters_of(row, () if vdev_class == "spare" else columns)
        remarks = _remarks(rest)
    except ValueError as error:
        raise ParseError(tool, row.line_no, row.line, str(error)) from error
    guid, is_leaf = guid_of(row.name), not children
    path = _path(row.name, remarks.note)
    configured, physical = _ashifts(remarks.note)
    return Vdev(
        name=row.name if guid is not None or path is None else short_name(path),
        type=type_of(row.name, path, is_leaf=is_leaf),
        vdev_class=vdev_class,
        state=row.state,
        guid=guid,
        path=path,
        read_errors=counters.read_errors,
        write_errors=counters.write_errors,
        checksum_errors=counters.checksum_errors,
        slow_ios=counters.slow_ios if is_leaf else None,  # with -p, groups print a meaningless 0
        note=remarks.note,
        is_resilvering=remarks.is_resilvering,
        is_removing=remarks.is_removing,
        activities=remarks.activities,
        configured_ashift=configured,
        physical_ashift=physical,
        children=children,
    )


def counters_of(row: TreeLine, columns: Sequence[str]) -> tuple[Counters, str]:
    """The counters under the headings, and the rest of the line; raises ValueError."""
    found: dict[str, Count | None] = {}
    rest = row.tail
    for column in columns:
        word, blank, rest = rest.lstrip(" ").partition(" ")
        if not word:
            raise ValueError(f"nothing under {column}")
        if column in COUNTERS:
            found[COUNTERS[column]] = count(word)
        rest = blank + rest
    return Counters(**found), rest


def _remarks(rest: str) -> _Remarks:
    """Brackets are removed from the end, because a path in the note may contain anything."""
    rest, remarks = rest.strip(" "), _Remarks("")
    kept: list[str] = []
    for _ in range(_MOST_REMARKS):
        found = _IN_BRACKETS.search(rest)
        if found is None:
            break
        words = found[1]
        if words == "resilvering":
            remarks = replace(remarks, is_resilvering=True)
        elif words == "removing":
            remarks = replace(remarks, is_removing=True)
        elif progress := _progress(words):
            remarks = replace(remarks, activities=(progress, *remarks.activities))
        elif words not in _NOTHING:
            kept.insert(0, found[0].strip(" "))
        rest = rest[: found.start()]
    return replace(remarks, note=" ".join(filter(None, (rest, *kept))))


def _progress(words: str) -> VdevProgress | None:
    if words == "trim unsupported":
        return VdevProgress("trim", "unsupported")
    if words in _KINDS:
        return VdevProgress(_KINDS[words], "active")
    found = _PROGRESS.fullmatch(words)
    if found is None:
        return None
    done, kind, state, at = found.groups()
    return VdevProgress(_KINDS[kind], _STATES[state], float(done), epoch(at))


def _path(name: str, note: str) -> str | None:
    """The path of a leaf; for a missing device it is in the note."""
    if name.startswith("/"):
        return name
    if guid_of(name) is not None and note.startswith(_WAS + "/"):
        return note.removeprefix(_WAS)
    return None


def _ashifts(note: str) -> tuple[int | None, int | None]:
    found = _ASHIFTS.match(note)
    if found is None:
        return None, None
    configured, physical = (int(size).bit_length() - 1 for size in found.groups())
    return configured, physical
