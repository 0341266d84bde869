"""What snapshots hold and how they differ, made by hand for the screens."""

from __future__ import annotations

from tests.doubles.static_source import StaticSource
from tests.ui import states
from tests.ui.frames import make_app, source_of
from tests.ui.states import NOW
from zconsole.analysis.snapshots.diff_summary import Differences, DiffSummary, DiffTally
from zconsole.model.datasets.snapshot_contents import (
    ChangeKind,
    FileChange,
    FileState,
    FileType,
    Folder,
    FolderComparison,
)
from zconsole.ui.app import ZConsoleApp

ROOT = "/tank/home"
HOUR_NS = 3_600_000_000_000
AT_NS = int(NOW) * 1_000_000_000
CHANGES = (
    ("M", FileType.FOLDER, "docs", None),
    ("+", FileType.FILE, "docs/offer 2026.pdf", None),
    ("-", FileType.FILE, "docs/budget.ods", None),
    ("R", FileType.FILE, "docs/draft.md", "docs/minutes/final.md"),
    ("M", FileType.FILE, "mail/inbox.mbox", None),
    ("-", FileType.LINK, "mail/old\x1b[31m\nname", None),
    ("+", FileType.FOLDER, "new", None),
)
SIZES = {
    f"{ROOT}/docs/offer 2026.pdf": (None, 2_500_000),
    f"{ROOT}/docs/budget.ods": (48_000, None),
    f"{ROOT}/docs/minutes/final.md": (900, 1_100),
    f"{ROOT}/mail/inbox.mbox": (700_000_000, 701_500_000),
}


def summary(*, is_done: bool = True, most_kept: int = 100) -> DiffSummary:
    """Some of everything, in a few folders."""
    tally = DiffTally(ROOT, most_kept=most_kept)
    for kind, file_type, path, new in CHANGES:
        now = None if new is None else f"{ROOT}/{new}"
        tally.add(FileChange(ChangeKind(kind), file_type, f"{ROOT}/{path}", now, changed_ns=AT_NS))
    return tally.summary(is_done=is_done)


def differences(older: str, newer: str) -> Differences:
    """The same, complete."""
    return Differences(older, newer, summary(), SIZES)


def entry(path: str, file_type: FileType, size: int, hours: int, target: str = "") -> FileState:
    """Something that was changed so long ago."""
    return FileState(path, file_type, 50, len(path), size, AT_NS - hours * HOUR_NS, target)


def browsed(snapshot: str, path: str = "") -> FolderComparison:
    """A folder in which some things are the same and some are not."""
    root = f"{ROOT}/.zfs/snapshot/{snapshot.partition('@')[2]}/{path}".rstrip("/")
    then = (
        entry(f"{root}/docs", FileType.FOLDER, 5, 30),
        entry(f"{root}/gone", FileType.FOLDER, 2, 500),
        entry(f"{root}/budget.ods", FileType.FILE, 48_000, 400),
        entry(f"{root}/inbox.mbox", FileType.FILE, 700_000_000, 2),
        entry(f"{root}/kept", FileType.FILE, 12, 9000),
        entry(f"{root}/link", FileType.LINK, 4, 9000, "kept"),
        entry(f"{root}/odd \x1b[31m\nname", FileType.FILE, 1, 9000),
    )
    now = (
        entry(f"{ROOT}/docs", FileType.FOLDER, 6, 1),
        entry(f"{ROOT}/inbox.mbox", FileType.FILE, 701_500_000, 1),
        entry(f"{ROOT}/kept", FileType.FILE, 12, 9000),
        entry(f"{ROOT}/link", FileType.LINK, 4, 9000, "kept"),
        entry(f"{ROOT}/fresh", FileType.FILE, 7, 0),
    )
    return FolderComparison(snapshot, path, Folder(root, then), Folder(ROOT, now))


def give_contents(source: StaticSource, snapshot: str) -> None:
    """Its folders, and how it differs from now."""
    source.folders[snapshot, ""] = browsed(snapshot)
    source.folders[snapshot, "docs"] = browsed(snapshot, "docs")
    dataset = snapshot.partition("@")[0]
    source.diffs[snapshot, dataset] = differences(snapshot, dataset)


SNAP = "tank/home@2026-11-17"
TO_HOME = ("D", "plus", "down", "down", "down", "down")


def app_with_contents() -> ZConsoleApp:
    """A file system with two snapshots, the newest of which can be looked into."""
    app = make_app(states.with_datasets())
    give_contents(source_of(app), SNAP)
    return app


async def opened(app: ZConsoleApp, pilot: object, *keys: str) -> None:
    """Press keys one by one, and let each take effect."""
    for key in (*TO_HOME, *keys):
        await pilot.press(key)  # type: ignore[attr-defined]
        await pilot.pause()  # type: ignore[attr-defined]
