"""Folder of a snapshot: names, sizes, ages, and differences from the live file system."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from zconsole.base.fixed_width_formatting import size
from zconsole.model.datasets.snapshot_contents import FileState, FileType, FolderComparison
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

_NS: Final = 1_000_000_000
_LATEST_S: Final = 253_402_300_799  # the end of the year 9999, the last that can be written


def page(host: str, snapshot: str, path: str, browsed: FolderComparison | None, problem: str) -> Page:
    """The page; None stands for a folder that is not read yet."""
    head = line((host, "title"), (" · ", "dim"), (snapshot, "title"), (f" /{path}", "text"))
    if problem or browsed is None:
        words = (problem, "warn") if problem else ("Reading the folder ...", "dim")
        return Page(head, EMPTY, EMPTY, Table(COLUMNS, (_said(words),)))
    now = None if browsed.now is None else {each.name: each for each in browsed.now.entries}
    rows = tuple(_row(each, now, is_whole=_is_whole(browsed)) for each in browsed.then.entries)
    parts = [line(f"{len(rows)} {'entry' if len(rows) == 1 else 'entries'}")]
    if not browsed.then.is_whole:
        parts.append(line(("and more, which were not read", "warn")))
    if now is None:
        parts.append(line(("the folder is not there any more", "warn")))
    else:
        known = {each.name for each in browsed.then.entries}
        fresh = sum(1 for name in now if name not in known)
        if fresh and browsed.then.is_whole:
            parts.append(line((f"{fresh} added since", "dim")))
    return Page(head, EMPTY, join(parts), Table(COLUMNS, rows or (_said(("It is empty.", "dim")),)))


def notes(browsed: FolderComparison | None, key: str | None) -> tuple[Line, ...]:
    """The selected entry in words."""
    entry = entry_of(browsed, key)
    if entry is None:
        return ()
    parts = [line((entry.path, "title"))]
    if entry.target:
        parts.append(line(("leads to ", "dim"), entry.target))
    of_size = f" of {size(entry.size_bytes)}" if entry.type is FileType.FILE else ""
    parts.append(line((f"{entry.type.value}{of_size}", "dim")))
    return (join(parts), line(("a restores it, next to the present one", "dim")))


def entry_of(browsed: FolderComparison | None, key: str | None) -> FileState | None:
    """The entry of a row."""
    entries = browsed.then.entries if browsed is not None else ()
    return next((each for each in entries if each.name == key), None)


def _said(words: tuple[str, str]) -> Row:
    return Row("\0said", line=line(words), is_selectable=False)


def _is_whole(browsed: FolderComparison) -> bool:
    return browsed.now is not None and browsed.now.is_whole


def _row(entry: FileState, now: dict[str, FileState] | None, *, is_whole: bool) -> Row:
    style, words = _compared(entry, None if now is None else now.get(entry.name), is_whole=is_whole)
    if now is None:
        style, words = "warn", "gone"
    return Row(entry.name, cells_of(COLUMNS, (entry, Cell(words, style))), words=entry.name)


def _compared(then: FileState, now: FileState | None, *, is_whole: bool) -> tuple[str, str]:
    """Comparison by type, size and time; of folders only by existence."""
    if now is None:
        return ("warn", "gone") if is_whole else ("dim", "·")
    if now.type is not then.type:
        return "warn", f"a {now.type.value}"
    if then.type is FileType.FOLDER:
        return "dim", "there"
    if (then.size_bytes, then.modified_ns, then.target) == (now.size_bytes, now.modified_ns, now.target):
        return "dim", "the same"
    return "warn", f"differs, {size(now.size_bytes)}" if now.size_bytes != then.size_bytes else "differs"


def _moment(nanoseconds: int) -> str:
    seconds = nanoseconds // _NS
    if not 0 <= seconds <= _LATEST_S:
        return "·"
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def _name(entry: FileState) -> Cell:
    is_folder = entry.type is FileType.FOLDER
    return Cell(entry.name, "info" if is_folder else "text", sort=entry.name, tail="/" if is_folder else "")


def _size(entry: FileState) -> Cell:
    if entry.type is FileType.FOLDER:
        return Cell("·", "dim")
    return Cell(size(entry.size_bytes), sort=entry.size_bytes)


COLUMNS: Final[tuple[Column[tuple[FileState, Cell]], ...]] = (  # an entry, and its state now
    Column("name", "NAME", 24, lambda each: _name(each[0]),
           need=100, is_right=False, grows_to=90, cuts_middle=True),
    Column("size", "SIZE", 8, lambda each: _size(each[0]), need=90),
    Column("at", "MODIFIED (UTC)", 16,
           lambda each: Cell(_moment(each[0].modified_ns), "dim", sort=each[0].modified_ns),
           need=70, is_right=False),
    Column("now", "NOW", 14, lambda each: each[1], need=95, is_right=False, grows_to=24),
    Column("type", "TYPE", 8, lambda each: Cell(each[0].type.value, "dim"),
           need=40, is_right=False, grows_to=16),
)  # fmt: skip
