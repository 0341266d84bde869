"""Differences between two moments of a file system: a tree of folders, counted, with their changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

from zconsole.analysis.snapshots.diff_summary import Counts, Differences, DiffSummary, Sizes, largest
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.snapshot_contents import ChangeKind, FileChange, FileType
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

_STYLE: Final = {
    ChangeKind.ADDED: "ok",
    ChangeKind.REMOVED: "bad",
    ChangeKind.MODIFIED: "warn",
    ChangeKind.RENAMED: "info",
}
_LARGEST: Final = 3
_FOLDER, _CHANGE = "d", "c"


@dataclass(frozen=True, slots=True)
class Compared:
    """Comparison on the screen, and its results so far."""

    host: str
    older: str
    newer: str
    summary: DiffSummary | None = None
    whole: Differences | None = None
    problem: str = ""
    is_stopped: bool = False

    @property
    def sizes(self) -> Sizes:
        """Sizes before and now, where known."""
        return {} if self.whole is None else self.whole.sizes


def page(compared: Compared, opened: Collection[str]) -> Page:
    """The folders; those in `opened` with their changes."""
    newer = compared.newer if "@" in compared.newer else "now"
    head = line(
        (compared.host, "title"), (" · ", "dim"), (compared.older, "title"), (" -> ", "dim"), (newer, "title")
    )
    summary = compared.summary
    if compared.problem:
        return Page(head, EMPTY, EMPTY, Table(COLUMNS, (_said((compared.problem, "warn")),)))
    if summary is None:
        said = "Stopped." if compared.is_stopped else "zfs diff is looking for what differs ..."
        return Page(head, EMPTY, EMPTY, Table(COLUMNS, (_said((said, "dim")),)))
    counts = summary.counts
    parts = [
        line((f"{counts.added} added", "ok")),
        line((f"{counts.removed} removed", "bad" if counts.removed else "dim")),
        line(f"{counts.modified} changed"),
        line(f"{counts.renamed} renamed"),
        line((counted(len(summary.folders), "folder"), "dim")),
    ]
    if summary.is_partial or summary.is_coarse:
        parts.append(line(("too many to list each; all are counted", "warn")))
    rows = tuple(_rows(compared, summary, summary.root, opened, 0))
    if summary.is_done and not counts.total and not counts.touched:
        rows = (_said(("Nothing differs.", "ok")),)
    return Page(head, _fresh(compared, summary), join(parts), Table(COLUMNS, rows))


def notes(compared: Compared, key: str | None) -> tuple[Line, ...]:
    """The selected change in words, and the largest known changes."""
    lines = []
    change = change_of(compared, key)
    if change is not None:
        lines.append(line((change.kind.name.lower(), _STYLE[change.kind]), " ", (change.place, "title"),
                          (_detail(change), "dim")))  # fmt: skip
    whole = compared.whole
    if whole is not None:
        most = largest(whole.summary, whole.sizes, _LARGEST)
        named = ", ".join(f"{each.place} ({_sizes(whole.sizes, each)})" for each in most)
        if named:
            of = "largest" if whole.has_all_sizes else "largest of those that were looked at"
            lines.append(line((f"{of}: ", "dim"), named))
    return tuple(lines)


def folder_of(key: str | None) -> str | None:
    """The folder of a row, or None."""
    return key[1:] if key and key.startswith(_FOLDER) else None


def change_of(compared: Compared, key: str | None) -> FileChange | None:
    """The change of a row, or None."""
    if compared.summary is None or not key or not key.startswith(_CHANGE):
        return None
    letter, path = key[1], key[2:]
    for folder in compared.summary.folders.values():
        for change in folder.own:
            if change.place == path and change.kind.value == letter:
                return change
    return None


def _fresh(compared: Compared, summary: DiffSummary) -> Line:
    if compared.is_stopped and not summary.is_done:
        return line(("stopped, not complete", "warn"))
    if not summary.is_done:
        return line(("goes on, x stops", "info"))
    return line(("complete", "dim")) if compared.whole is not None else line(("reading sizes", "dim"))


def _said(words: tuple[str, str]) -> Row:
    return Row("said", line=line(words), is_selectable=False)


def _rows(
    compared: Compared, summary: DiffSummary, path: str, opened: Collection[str], depth: int
) -> Iterator[Row]:
    folder = summary.folders[path]
    is_open = path in opened
    mark = ("- " if is_open else "+ ") if folder.own or folder.folders else "  "
    name = path if depth == 0 else path.rpartition("/")[2]
    name_cell = Cell(name, "text", sort=path, lead="  " * depth + mark, tail="/" if depth else "")
    yield Row(
        _FOLDER + path,
        cells_of(COLUMNS, _Shown(name_cell, folder.counts, sizes="·")),
        depth=depth,
        words=path,
    )
    if not is_open:
        return
    for below in folder.folders:
        yield from _rows(compared, summary, below, opened, depth + 1)
    for change in folder.own:
        if change.type is not FileType.FOLDER or change.kind is not ChangeKind.MODIFIED:
            yield _change(compared, change, depth)


def _change(compared: Compared, change: FileChange, depth: int) -> Row:
    style = _STYLE[change.kind]
    name = change.place.rstrip("/").rpartition("/")[2] or change.place
    lead = "  " * (depth + 1) + f"{change.kind.value} "
    sizes = _sizes(compared.sizes, change)
    return Row(
        f"{_CHANGE}{change.kind.value}{change.place}",
        cells_of(COLUMNS, _Shown(Cell(name, style, lead=lead), kind=change.kind, sizes=sizes)),
        depth=depth + 1,
        words=change.place,
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """Row: a folder with its counts, or a change with its kind and the sizes before and after."""

    name: Cell
    counts: Counts | None = None
    kind: ChangeKind | None = None
    sizes: str = ""


def _kind(kind: ChangeKind, count: Callable[[Counts], int], style: str) -> Callable[[_Shown], Cell]:
    """The number of changes of a kind; a mark where the row is one of them."""

    def cell(shown: _Shown) -> Cell:
        if shown.counts is None:
            return Cell("x", _STYLE[kind]) if shown.kind is kind else Cell("")
        value = count(shown.counts)
        return Cell(str(value), style, sort=value) if value else Cell("·", "dim", sort=0)

    return cell


COLUMNS: Final[tuple[Column[_Shown], ...]] = (
    Column("name", "FOLDER", 30, lambda shown: shown.name,
           need=100, is_right=False, grows_to=84, cuts_middle=True),
    Column("added", "ADDED", 7, _kind(ChangeKind.ADDED, lambda each: each.added, "ok"), need=90),
    Column("removed", "REMOVED", 7, _kind(ChangeKind.REMOVED, lambda each: each.removed, "bad"), need=95),
    Column("modified", "CHANGED", 7, _kind(ChangeKind.MODIFIED, lambda each: each.modified, "text"), need=85),
    Column("renamed", "RENAMED", 7, _kind(ChangeKind.RENAMED, lambda each: each.renamed, "info"), need=70),
    Column("size", "SIZE", 18, lambda shown: Cell(shown.sizes, "dim"), need=60),
)  # fmt: skip


def _sizes(sizes: Sizes, change: FileChange) -> str:
    before, after = sizes.get(change.place, (None, None))
    known = [size(each) for each in (before, after) if each is not None]
    return " -> ".join(known) if before != after else "".join(known[:1])


def _detail(change: FileChange) -> str:
    if change.new_path is not None:
        return f", was {change.path}"
    if change.links:
        return f", {change.links:+d} hard links"
    return f", a {change.type.value}" if change.type is not FileType.FILE else ""
