"""`zfs list`: settings of the file systems and volumes of a pool, one line each, none of them free text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.zfs_numbers_and_dates import exact_number

COLUMNS: Final = (
    *("name", "type", "used", "available", "usedbydataset", "referenced", "usedbysnapshots"),
    *("volsize", "volblocksize", "recordsize", "compression", "checksum", "sync", "dedup", "copies"),
    *("atime", "relatime", "xattr", "acltype", "primarycache"),
    *("quota", "refquota", "reservation", "refreservation", "origin", "readonly", "creation"),
)
SNAPSHOTS_CHANGED: Final = "snapshots_changed"
ADDED_COLUMNS: Final = ("special_small_blocks",)
TELLS_SNAPSHOTS_CHANGED: Final = (2, 2)  # first release that has the property
XATTR_ON_IS_SA: Final = (2, 3)  # first release in which xattr=on is sa; before it is dir
TIMEOUT_S: Final = 120.0
MOST_LETTERS: Final = 64  # of a word; ZFS's longest is `sha512-verify`
_NONE: Final = frozenset({"-", "none"})
_TYPES: Final = frozenset({"filesystem", "volume"})


def columns(version: ZfsVersion) -> tuple[str, ...]:
    """The columns that this release has. Newer ones are last: older recordings lack them."""
    has_changed = version.numbers >= TELLS_SNAPSHOTS_CHANGED
    return (*COLUMNS, *((SNAPSHOTS_CHANGED,) if has_changed else ()), *ADDED_COLUMNS)


def list_dataset_settings(pool: str, version: ZfsVersion) -> Command:
    """List all file systems and volumes of a pool with their settings; exact numbers."""
    return Command((
        "zfs", "list", "-Hp", "-r",
        "-t", "filesystem,volume",
        "-o", ",".join(columns(version)),
        "--", pool,
    ), timeout_s=TIMEOUT_S)  # fmt: skip


def parse_dataset_settings(text: str, version: ZfsVersion) -> Iterator[DatasetSettings]:
    """Yield one value per line of `list_dataset_settings` output."""
    names = columns(version)
    seen: set[str] = set()
    for line_no, line in whole_lines(text):
        fields = line.split("\t")
        try:
            found = _settings(fields, names, version)
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error
        if found.name in seen:
            raise ParseError(TOOL, line_no, line, "a dataset is listed twice")
        seen.add(found.name)
        yield found


def _settings(fields: Sequence[str], names: Sequence[str], version: ZfsVersion) -> DatasetSettings:
    if not len(names) - len(ADDED_COLUMNS) <= len(fields) <= len(names):
        raise ValueError(f"expected {len(names)} fields, not {len(fields)}")
    column = dict(zip(names, fields, strict=False))
    if not column["name"] or column["type"] not in _TYPES:
        raise ValueError("not a file system or volume")
    return DatasetSettings(
        name=column["name"],
        type=column["type"],
        used_bytes=_count(column["used"]),
        available_bytes=_count(column["available"]),
        own_bytes=_count(column["usedbydataset"]),
        referenced_bytes=_count(column["referenced"]),
        by_snapshots_bytes=_count(column["usedbysnapshots"]),
        volsize_bytes=_count(column["volsize"]),
        volblocksize_bytes=_count(column["volblocksize"]),
        recordsize_bytes=_count(column["recordsize"]),
        compression=_word(column["compression"]),
        checksum=_word(column["checksum"]),
        sync=_word(column["sync"]),
        dedup=_word(column["dedup"]),
        copies=_count(column["copies"]),
        atime=_word(column["atime"]),
        relatime=_word(column["relatime"]),
        has_directory_xattrs=_are_directories(_word(column["xattr"]), version),
        acltype=_word(column["acltype"]),
        primarycache=_word(column["primarycache"], none=False),
        quota_bytes=_limit(column["quota"]),
        refquota_bytes=_limit(column["refquota"]),
        reservation_bytes=_limit(column["reservation"]),
        refreservation_bytes=_limit(column["refreservation"]),
        origin=None if column["origin"] in _NONE else column["origin"],
        is_read_only=column["readonly"] == "on",
        creation=_count(column["creation"]),
        special_small_blocks_bytes=_count(column.get("special_small_blocks", "-")),
        snapshots_changed=_count(column.get(SNAPSHOTS_CHANGED, "-")),
        tells_snapshots_changed=SNAPSHOTS_CHANGED in column,
    )


def _count(text: str) -> int | None:
    return None if text in _NONE else exact_number(text)


def _limit(text: str) -> int | None:
    """A quota or reservation: 0 is what -p prints for none."""
    return _count(text) or None


def _word(text: str, *, none: bool = True) -> str | None:
    """A value of few; `none` is one of them for a cache."""
    if text == "-" or (none and text == "none"):
        return None
    if not text.isascii() or not text.isprintable() or " " in text or not 0 < len(text) <= MOST_LETTERS:
        raise ValueError("not a word of ZFS")
    return text


def _are_directories(xattr: str | None, version: ZfsVersion) -> bool | None:
    if xattr == "on":
        return None if not version.kernel_numbers else version.kernel_numbers < XATTR_ON_IS_SA
    return None if xattr is None else xattr == "dir"
