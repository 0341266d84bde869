"""`zpool list`: names of pools, and the space of a pool and its vdevs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.status.vdev_type_and_display_name import class_of
from zconsole.zfs.zfs_numbers_and_dates import UNKNOWN, ashift, integer

TOOL: Final = "zpool list"
VDEV_COLUMNS: Final = (  # printed by -v, which accepts no -o
    "name", "size", "alloc", "free", "checkpoint", "expandsz", "frag", "cap", "dedup", "health", "altroot",
)  # fmt: skip
POOL_COLUMNS: Final = (*VDEV_COLUMNS, "guid", "ashift", "autotrim", "autoexpand", "failmode", "readonly")
_IN_RECORDINGS: Final = (POOL_COLUMNS[:-1], POOL_COLUMNS[:-4])  # older ones have fewer columns
_RATIO: Final = re.compile(r"\d{1,12}(?:\.\d{1,4})?", re.ASCII)
_WORD: Final = re.compile(r"[a-z]{1,32}", re.ASCII)
_INDIRECT: Final = "indirect-"  # left by a removed vdev; `zpool status` omits it


@dataclass(frozen=True, slots=True)
class ListedVdev:
    """Vdev of `zpool list -v`; a device in a group has only its physical size."""

    name: str
    vdev_class: str
    health: str
    size_bytes: int | None = None
    allocated_bytes: int | None = None
    free_bytes: int | None = None
    checkpoint_bytes: int | None = None
    expandable_bytes: int | None = None
    fragmentation_percent: int | None = None
    capacity_percent: int | None = None


@dataclass(frozen=True, slots=True)
class ListedPool:
    """Pool of `zpool list`, with vdevs (from -v), or with guid and ashift (from -o)."""

    name: str
    health: str
    size_bytes: int | None = None
    allocated_bytes: int | None = None
    free_bytes: int | None = None
    checkpoint_bytes: int | None = None
    expandable_bytes: int | None = None
    fragmentation_percent: int | None = None
    capacity_percent: int | None = None
    dedup_ratio: float | None = None
    altroot: str | None = None
    guid: int | None = None
    ashift: int | None = None
    autotrim: str | None = None
    autoexpand: str | None = None
    failmode: str | None = None
    readonly: str | None = None
    vdevs: tuple[ListedVdev, ...] = ()  # flat, in printed order


def list_pool(*pools: str) -> Command:
    """Exact space of pools and their vdevs; vdevs are named as in `zpool status`."""
    return Command(("zpool", "list", "-Hpv", *pools))


def list_columns(*pools: str) -> Command:
    """Columns that -v lacks: guid, ashift, properties that advice is about, whether it may be written."""
    return Command(("zpool", "list", "-Hp", "-o", ",".join(POOL_COLUMNS), *pools))


def parse_pool_list(text: str) -> tuple[ListedPool, ...]:
    """The pools in `list_pool` output with their vdevs."""
    found: list[ListedPool] = []
    vdevs: list[ListedVdev] = []
    vdev_class = class_of("vdevs")
    for line_no, line in _lines(text):
        fields = line.split("\t")
        if len(fields) == 1:  # a heading: its columns are separated by blanks even with -H
            vdev_class = class_of(line.partition(" ")[0])
        elif fields[0]:
            _close(found, vdevs)
            vdevs, vdev_class = [], class_of("vdevs")
            found.append(_pool(line_no, line, fields, VDEV_COLUMNS))
        else:
            vdevs.append(_vdev(line_no, line, fields[1:], vdev_class))
        if not found:
            raise ParseError(TOOL, line_no, line, "a vdev before its pool")
    _close(found, vdevs)
    return tuple(found)


def parse_pool_columns(text: str) -> tuple[ListedPool, ...]:
    """The pools in `list_columns` output."""
    found: list[ListedPool] = []
    for line_no, line in _lines(text):
        fields = line.split("\t")
        columns = next((each for each in _IN_RECORDINGS if len(each) == len(fields)), POOL_COLUMNS)
        found.append(_pool(line_no, line, fields, columns))
    return tuple(found)


def merge_list(pool: Pool, listed: ListedPool) -> Pool:
    """Add the columns of `zpool list` to a pool and its vdevs; other values stay.

    Vdevs are matched by class, position and name; a class with differences stays unchanged. Names of `zpool
    list` replace names that the text parser guessed from paths.
    """
    if listed.name != pool.name:
        return pool
    return replace(
        pool,
        guid=_known(listed.guid, pool.guid),
        size_bytes=_known(listed.size_bytes, pool.size_bytes),
        allocated_bytes=_known(listed.allocated_bytes, pool.allocated_bytes),
        free_bytes=_known(listed.free_bytes, pool.free_bytes),
        checkpoint_bytes=_known(listed.checkpoint_bytes, pool.checkpoint_bytes),
        expandable_bytes=_known(listed.expandable_bytes, pool.expandable_bytes),
        fragmentation_percent=_known(listed.fragmentation_percent, pool.fragmentation_percent),
        capacity_percent=_known(listed.capacity_percent, pool.capacity_percent),
        dedup_ratio=pool.dedup_ratio if listed.dedup_ratio is None else listed.dedup_ratio,
        altroot=listed.altroot or pool.altroot,
        ashift=_known(listed.ashift, pool.ashift),
        autotrim=listed.autotrim or pool.autotrim,
        autoexpand=listed.autoexpand or pool.autoexpand,
        failmode=listed.failmode or pool.failmode,
        readonly=listed.readonly or pool.readonly,
        vdevs=tuple(_merged(pool.vdevs, listed.vdevs)),
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines; raises ParseError when the last one is unterminated."""
    for line_no, line in whole_lines(TOOL, text):
        if not line:
            raise ParseError(TOOL, line_no, line, "an empty line")
        yield line_no, line


def _close(found: list[ListedPool], vdevs: list[ListedVdev]) -> None:
    """Attach the vdevs to the last pool."""
    if found:
        found[-1] = replace(found[-1], vdevs=tuple(vdevs))


def _pool(line_no: int, line: str, fields: list[str], columns: Sequence[str]) -> ListedPool:
    if len(fields) != len(columns):
        raise ParseError(TOOL, line_no, line, f"expected {len(columns)} fields, not {len(fields)}")
    by_column = dict(zip(columns, fields, strict=True))
    try:
        dedup, guid = by_column["dedup"].removesuffix("x"), by_column.get("guid", UNKNOWN)
        return ListedPool(
            name=by_column["name"],
            health=by_column["health"],
            size_bytes=integer(by_column["size"]),
            allocated_bytes=integer(by_column["alloc"]),
            free_bytes=integer(by_column["free"]),
            checkpoint_bytes=integer(by_column["checkpoint"]),
            expandable_bytes=integer(by_column["expandsz"]),
            fragmentation_percent=integer(by_column["frag"].removesuffix("%")),
            capacity_percent=integer(by_column["cap"].removesuffix("%")),
            dedup_ratio=None if dedup == UNKNOWN else _ratio(dedup),
            altroot=None if by_column["altroot"] == UNKNOWN else by_column["altroot"],
            guid=integer(guid),
            ashift=ashift(by_column.get("ashift", UNKNOWN)),
            autotrim=_word(by_column, "autotrim"),
            autoexpand=_word(by_column, "autoexpand"),
            failmode=_word(by_column, "failmode"),
            readonly=_word(by_column, "readonly"),
        )
    except ValueError as error:
        raise ParseError(TOOL, line_no, line, str(error)) from error


def _word(by_column: dict[str, str], name: str) -> str | None:
    """A property of few values; None where it was not asked for or has none."""
    text = by_column.get(name, UNKNOWN)
    if text == UNKNOWN:
        return None
    if not _WORD.fullmatch(text):
        raise ValueError(f"{text!r} is not a value of {name}")
    return text


def _ratio(text: str) -> float:
    if not _RATIO.fullmatch(text):
        raise ValueError(f"{text!r} is not a ratio")
    return float(text)


def _vdev(line_no: int, line: str, fields: list[str], vdev_class: str) -> ListedVdev:
    without_altroot = len(VDEV_COLUMNS) - 1  # before 2.4
    if len(fields) not in (len(VDEV_COLUMNS), without_altroot):
        raise ParseError(TOOL, line_no, line, f"expected {without_altroot} fields, not {len(fields)}")
    by_column = dict(zip(VDEV_COLUMNS, fields, strict=False))
    try:
        return ListedVdev(
            name=by_column["name"],
            vdev_class=vdev_class,
            health=by_column["health"],
            size_bytes=integer(by_column["size"]),
            allocated_bytes=integer(by_column["alloc"]),
            free_bytes=integer(by_column["free"]),
            checkpoint_bytes=integer(by_column["checkpoint"]),
            expandable_bytes=integer(by_column["expandsz"]),
            fragmentation_percent=integer(by_column["frag"].removesuffix("%")),
            capacity_percent=integer(by_column["cap"].removesuffix("%")),
        )
    except ValueError as error:
        raise ParseError(TOOL, line_no, line, str(error)) from error


def _known(new: int | None, old: int | None) -> int | None:
    return old if new is None else new


def _merged(vdevs: Sequence[Vdev], listed: Sequence[ListedVdev]) -> Iterator[Vdev]:
    classes = dict.fromkeys(vdev.vdev_class for vdev in vdevs)
    for vdev_class in classes:
        tops = [vdev for vdev in vdevs if vdev.vdev_class == vdev_class]
        walked = [vdev for top in tops for vdev in top.walk()]
        lines = [
            line for line in listed if line.vdev_class == vdev_class and not line.name.startswith(_INDIRECT)
        ]
        is_same = len(lines) == len(walked) and all(map(_is_same, walked, lines))
        rest = iter(lines)
        yield from (_with_space(top, rest) for top in tops) if is_same else tops


def _is_same(vdev: Vdev, line: ListedVdev) -> bool:
    return line.name == vdev.name or (vdev.path is not None and line.name == vdev.path.rpartition("/")[2])


def _with_space(vdev: Vdev, lines: Iterator[ListedVdev]) -> Vdev:
    """Add a line's values to a vdev, and the following lines to its children."""
    line = next(lines)
    children = tuple(_with_space(child, lines) for child in vdev.children)
    allocated, free = line.allocated_bytes, line.free_bytes
    size = line.size_bytes if children else None
    if allocated is not None and free is not None:
        size = allocated + free  # for a single disk the printed size is the physical one
    return replace(
        vdev,
        name=line.name,
        size_bytes=_known(size, vdev.size_bytes),
        allocated_bytes=_known(allocated, vdev.allocated_bytes),
        free_bytes=_known(free, vdev.free_bytes),
        expandable_bytes=_known(line.expandable_bytes, vdev.expandable_bytes),
        fragmentation_percent=_known(line.fragmentation_percent, vdev.fragmentation_percent),
        capacity_percent=_known(line.capacity_percent, vdev.capacity_percent),
        physical_bytes=vdev.physical_bytes if children else _known(line.size_bytes, vdev.physical_bytes),
        children=children,
    )
