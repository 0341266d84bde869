"""Summary of a `zfs diff` by folder, counted while streaming, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.snapshot_contents import ChangeKind, FileChange, FileType

MOST_FOLDERS: Final = 20_000  # counted individually; contents of others count for an ancestor
MOST_KEPT: Final = 20_000  # changes kept for display
LARGEST: Final = 20

Sizes = Mapping[str, tuple[int | None, int | None]]  # by path: bytes before and now; None when unknown


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of changes in a folder and its descendants, by kind.

    A folder is `modified` whenever an entry was added or removed, which the other numbers show: such ones
    count as `touched` only.
    """

    added: int = 0
    removed: int = 0
    modified: int = 0
    renamed: int = 0
    touched: int = 0

    @property
    def total(self) -> int:
        """All but touched folders."""
        return self.added + self.removed + self.modified + self.renamed

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.added + other.added,
            self.removed + other.removed,
            self.modified + other.modified,
            self.renamed + other.renamed,
            self.touched + other.touched,
        )


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """Changes in a folder and below, and the kept changes of its own entries."""

    path: str
    counts: Counts
    own: tuple[FileChange, ...] = ()
    folders: tuple[str, ...] = ()  # child folders with changes, by name


@dataclass(frozen=True, slots=True)
class DiffSummary:
    """Partial or complete summary. `root` is the mountpoint of all paths."""

    root: str
    counts: Counts = Counts()
    folders: Mapping[str, FolderChanges] = field(default_factory=dict)
    is_done: bool = False
    is_coarse: bool = False  # folders beyond the limit count for an ancestor
    is_partial: bool = False  # some changes are counted but not kept


@dataclass(frozen=True, slots=True)
class Differences:
    """Complete diff, with the known sizes of the changed files."""

    older: str
    newer: str  # a snapshot, or the live file system
    summary: DiffSummary
    sizes: Sizes = field(default_factory=dict)
    has_all_sizes: bool = True


class DiffTally:
    """Counter of changes."""

    def __init__(self, root: str, *, most_folders: int = MOST_FOLDERS, most_kept: int = MOST_KEPT) -> None:
        self._root = root.rstrip("/") or "/"
        self._most_folders, self._most_kept = most_folders, most_kept
        self._counts: dict[str, Counts] = {self._root: Counts()}
        self._kept: dict[str, list[FileChange]] = {}
        self._kept_count = 0
        self._is_coarse = self._is_partial = False

    def add(self, change: FileChange) -> None:
        """Count a change for the folder of its present or last path."""
        folder = self._folder_of(change.place)
        self._counts[folder] += _counted(change)
        if self._kept_count < self._most_kept:
            self._kept.setdefault(folder, []).append(change)
            self._kept_count += 1
        else:
            self._is_partial = True

    def summary(self, *, is_done: bool = False) -> DiffSummary:
        """The summary so far."""
        totals = dict(self._counts)
        below: dict[str, list[str]] = {}
        for path in sorted(self._counts, key=lambda path: -path.count("/")):
            if path != self._root:
                above = self._above(path)
                totals[above] += totals[path]
                below.setdefault(above, []).append(path)
        folders = {
            path: FolderChanges(
                path,
                counts,
                tuple(sorted(self._kept.get(path, ()), key=lambda change: change.place)),
                tuple(sorted(below.get(path, ()))),
            )
            for path, counts in totals.items()
        }
        return DiffSummary(
            self._root, totals[self._root], folders, is_done, self._is_coarse, self._is_partial
        )

    def _folder_of(self, path: str) -> str:
        """The folder that a change counts for, created with its ancestors."""
        folder = self._above(path) if path.rstrip("/") != self._root.rstrip("/") else self._root
        missing = []
        while folder not in self._counts:
            missing.append(folder)
            folder = self._above(folder)
        for each in reversed(missing):
            if len(self._counts) >= self._most_folders:
                self._is_coarse = True
                break
            self._counts[each] = Counts()
            folder = each
        return folder

    def _above(self, path: str) -> str:
        """The parent folder of a path; the root for anything outside."""
        above = path.rstrip("/").rpartition("/")[0]
        inside = self._root.rstrip("/") + "/"
        return above if above.startswith(inside) else self._root


def largest(summary: DiffSummary, sizes: Sizes, most: int = LARGEST) -> tuple[FileChange, ...]:
    """The largest changed files of known size, by present or last size; once each.

    A file that was renamed and written to is two changes of one place.
    """
    places = {change.place: change for change in files(summary)}
    known = [change for change in places.values() if _weight(sizes.get(change.place)) is not None]
    known.sort(key=lambda change: (-(_weight(sizes.get(change.place)) or 0), change.place))
    return tuple(known[:most])


def files(summary: DiffSummary) -> Iterator[FileChange]:
    """The regular files among the kept changes."""
    for folder in summary.folders.values():
        yield from (change for change in folder.own if change.type is FileType.FILE)


def sides(changes: Sequence[FileChange], root: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paths below the root to be measured before and after, for the sizes of changes."""
    before = [change.path for change in changes if change.kind is not ChangeKind.ADDED]
    after = [change.place for change in changes if change.kind is not ChangeKind.REMOVED]
    return tuple(below(path, root) for path in before), tuple(below(path, root) for path in after)


def below(path: str, root: str) -> str:
    """A path relative to the mountpoint; empty for the root."""
    inside = root.rstrip("/") + "/"
    return path[len(inside) :] if path.startswith(inside) else ""


def _weight(size: tuple[int | None, int | None] | None) -> int | None:
    known = [each for each in size or () if each is not None]
    return max(known) if known else None


def _counted(change: FileChange) -> Counts:
    match change.kind:
        case ChangeKind.ADDED:
            return Counts(added=1)
        case ChangeKind.REMOVED:
            return Counts(removed=1)
        case ChangeKind.RENAMED:
            return Counts(renamed=1)
        case ChangeKind.MODIFIED:
            return Counts(touched=1) if change.type is FileType.FOLDER else Counts(modified=1)
