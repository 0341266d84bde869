"""Parser of the text of `zpool status`, the only format of OpenZFS before 2.3."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import Pool, PoolActivity, Vdev
from zconsole.zfs.status.lasting_data_errors import lasting_data_errors
from zconsole.zfs.status.newest_scan_and_initialize_trim import TOOL, in_order, leaf_activities
from zconsole.zfs.status.scan_and_activities_text import (
    read_checkpoint,
    read_expansion,
    read_removal,
    read_scan,
)
from zconsole.zfs.status.text_layout import LISTED, Section, TreeLine, grow, pools, row_of
from zconsole.zfs.status.vdev_row import Counters, counters_of, vdev_of
from zconsole.zfs.zfs_numbers_and_dates import prose

_COUNT: Final = re.compile(r"(\d{1,20}) data errors?, use '-v' for a list", re.ASCII)
_FILE: Final = " " * 8  # before each file name; a line without it continues a name with a line break
_ENDS_WITH_ERRORS: Final = (
    "ONLINE",
    "DEGRADED",
    "SUSPENDED",
)  # a pool that could not be opened prints no errors line


def parse_status_text(text: str) -> tuple[Pool, ...]:
    """Parse every pool of `zpool status` output, best with -vsitpP; truncated text raises ParseError.

    The number of data errors is None when ZFS prints a list of files instead.
    """
    return tuple(_pool(sections) for sections in pools(TOOL, text))


def _pool(sections: Sequence[Section]) -> Pool:
    by_label = {section.label: section for section in sections}
    head = sections[0]
    name = head.first
    if "state" not in by_label or "config" not in by_label or not name:
        raise ParseError(TOOL, head.line_no, f"pool: {name}", "truncated: no state or no config")
    state = by_label["state"].first.strip()
    counters, vdevs, is_ended = _config(name, by_label["config"])
    errors: tuple[int | None, tuple[str, ...]] = None, ()
    if "errors" in by_label:
        errors = _errors(by_label["errors"])
    elif state in _ENDS_WITH_ERRORS and not is_ended:
        raise ParseError(TOOL, by_label["config"].line_no, "config:", "truncated: no errors line")
    scan, beside = in_order(read_scan(TOOL, part) for part in sections if part.label in {"scan", "scrub"})
    checkpoint_bytes, checkpoint_created, activities = _activities(by_label)
    return Pool(
        name=name,
        state=state,
        vdevs=vdevs,
        read_errors=counters.read_errors,
        write_errors=counters.write_errors,
        checksum_errors=counters.checksum_errors,
        scan=scan,
        scans_beside=beside,
        activities=(*activities, *leaf_activities(vdevs)),
        status=_words(by_label, "status"),
        action=_words(by_label, "action"),
        see=_words(by_label, "see"),
        error_count=lasting_data_errors(state, errors[0]),
        error_files=errors[1],
        checkpoint_bytes=checkpoint_bytes,
        checkpoint_created=checkpoint_created,
    )


def _words(by_label: dict[str, Section], label: str) -> str:
    section = by_label.get(label)
    return "" if section is None else prose(" ".join(section.lines))


def _config(name: str, section: Section) -> tuple[Counters, tuple[Vdev, ...], bool]:
    """The pool's own counters, its vdevs, and whether the blank line at the end of the tree was seen."""
    lines = [(section.line_no + offset, line) for offset, line in enumerate(section.lines) if line]
    if section.first:  # `The configuration cannot be determined.`
        return Counters(), (), True
    if not lines or not lines[0][1].startswith("\tNAME") or " STATE" not in lines[0][1]:
        raise ParseError(TOOL, section.line_no, "config:", "truncated: no tree")
    header = lines[0][1]
    state_at = header.index(" STATE") + 1
    columns = header[state_at:].split()[1:]
    if len(lines) == 1:
        raise ParseError(TOOL, lines[0][0], header, "truncated: no tree")
    root = _root(name, *lines[1], state_at)
    try:
        counters, _ = counters_of(root, columns)
    except ValueError as error:
        raise ParseError(TOOL, root.line_no, root.line, str(error)) from error
    rows = [row_of(TOOL, line_no, line, state_at) for line_no, line in lines[2:]]
    return counters, grow(TOOL, rows, partial(_vdev, columns)), section.lines[-1] == ""


def _root(name: str, line_no: int, line: str, state_at: int) -> TreeLine:
    """The pool's own line, which may be wider than its column."""
    prefix = f"\t{name} "
    if not line.startswith(prefix):
        raise ParseError(TOOL, line_no, line, f"expected the line of {name}")
    row = row_of(TOOL, line_no, line, state_at)
    if row.name == name and row.state:
        return row
    state, blank, tail = line.removeprefix(prefix).lstrip(" ").partition(" ")
    if not state:
        raise ParseError(TOOL, line_no, line, "no state")
    return TreeLine(line_no, line, 0, name, state, blank + tail)


def _vdev(columns: Sequence[str], row: TreeLine, vdev_class: str, children: tuple[Vdev, ...]) -> Vdev:
    if not row.state:
        raise ParseError(TOOL, row.line_no, row.line, "no state")
    return vdev_of(TOOL, row, columns, vdev_class, children)


def _errors(section: Section) -> tuple[int | None, tuple[str, ...]]:
    first = section.first
    if first == "No known data errors":
        return 0, ()
    if found := _COUNT.fullmatch(first):
        return int(found[1]), ()
    if first != LISTED:
        return None, ()
    if not section.more:
        raise ParseError(TOOL, section.line_no, first, "truncated: no list")
    return None, tuple(_files(section.more))


def _files(lines: Sequence[str]) -> Iterator[str]:
    """The names in a list of files, after the blank line before it."""
    name: list[str] = []
    for line in lines:
        if line.startswith(_FILE):
            if name:
                yield "\n".join(name)
            name = [line.removeprefix(_FILE)]
        elif name:
            name.append(line)
    if name:
        yield "\n".join(name)


def _activities(by_label: dict[str, Section]) -> tuple[int | None, int | None, list[PoolActivity]]:
    """Bytes and creation time of the checkpoint, and activities other than the scan."""
    found: list[PoolActivity] = []
    if section := by_label.get("remove"):
        found.append(read_removal(TOOL, section))
    if section := by_label.get("expand"):
        found.append(read_expansion(TOOL, section))
    checkpoint_bytes = checkpoint_created = None
    if section := by_label.get("checkpoint"):
        checkpoint_bytes, checkpoint_created, discarding = read_checkpoint(TOOL, section)
        found += [discarding] if discarding else []
    return checkpoint_bytes, checkpoint_created, found
