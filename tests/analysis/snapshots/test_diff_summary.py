"""A diff summed up by folder: exact counts, whatever comes, and memory that is bounded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshots.diff_summary import Counts, DiffTally, below, files, largest, sides
from zconsole.model.datasets.snapshot_contents import ChangeKind, FileChange, FileType

ROOT = "/tank/home"
PATHS = st.lists(st.sampled_from("abc"), max_size=4).map(lambda names: "/".join([ROOT, *names]))
CHANGES = st.builds(
    FileChange, st.sampled_from(list("+-M")).map(ChangeKind), st.sampled_from(list(FileType)), PATHS
)


def change(kind: str, path: str, file_type: FileType = FileType.FILE, new: str | None = None) -> FileChange:
    """One below the root."""
    return FileChange(ChangeKind(kind), file_type, f"{ROOT}/{path}", None if new is None else f"{ROOT}/{new}")


def tally(*changes: FileChange, **limits: int) -> DiffTally:
    """One that took these in."""
    made = DiffTally(ROOT, **limits)
    for each in changes:
        made.add(each)
    return made


def test_changes_count_for_their_folder_and_all_above_it() -> None:
    summary = tally(
        change("M", "", FileType.FOLDER),
        change("+", "docs/a"),
        change("-", "docs/old/b"),
        change("M", "docs/old/c"),
        change("R", "x", new="docs/y"),
    ).summary(is_done=True)

    assert Counts(added=1, removed=1, modified=1, renamed=1, touched=1) == summary.counts
    docs = summary.folders[f"{ROOT}/docs"]
    assert Counts(added=1, removed=1, modified=1, renamed=1) == docs.counts
    assert (f"{ROOT}/docs/old",) == docs.folders
    assert [f"{ROOT}/docs/a", f"{ROOT}/docs/y"] == [each.place for each in docs.own]
    assert 2 == summary.folders[f"{ROOT}/docs/old"].counts.total
    assert not summary.is_coarse
    assert not summary.is_partial


@given(changes=st.lists(CHANGES, max_size=40), most_folders=st.integers(1, 12), most_kept=st.integers(0, 12))
def test_nothing_is_lost_from_the_counts_within_any_bounds(
    changes: list[FileChange], most_folders: int, most_kept: int
) -> None:
    summary = tally(*changes, most_folders=most_folders, most_kept=most_kept).summary()

    assert len(changes) == summary.counts.total + summary.counts.touched
    assert len(summary.folders) <= max(1, most_folders)
    kept = sum(len(folder.own) for folder in summary.folders.values())
    assert min(len(changes), most_kept) == kept
    assert summary.is_partial == (len(changes) > most_kept)
    for folder in summary.folders.values():
        parts = [summary.folders[path].counts for path in folder.folders]
        assert sum((part.total for part in parts), 0) <= folder.counts.total
    for path in summary.folders:
        assert path == ROOT or any(path in each.folders for each in summary.folders.values())


def test_what_is_outside_of_the_mountpoint_counts_for_its_root() -> None:
    odd = FileChange(ChangeKind.MODIFIED, FileType.FILE, f"{ROOT}(on_delete_queue)")

    assert {ROOT: 1} == {path: each.counts.total for path, each in tally(odd).summary().folders.items()}


def test_the_root_of_the_host_is_a_mountpoint_too() -> None:
    made = DiffTally("/")
    made.add(FileChange(ChangeKind.ADDED, FileType.FILE, "/etc/a"))
    made.add(FileChange(ChangeKind.MODIFIED, FileType.FOLDER, "/"))

    assert {"/": 1, "/etc": 1} == {path: each.counts.total for path, each in made.summary().folders.items()}


def test_the_largest_are_those_that_are_known_to_be() -> None:
    grown, gone, unknown, folder = (
        change("M", "grown"), change("-", "gone"), change("+", "unknown"), change("+", "f", FileType.FOLDER),
    )  # fmt: skip
    summary = tally(grown, gone, unknown, folder).summary()
    sizes = {grown.place: (10, 500), gone.place: (900, None), unknown.place: (None, None)}

    assert (gone, grown) == largest(summary, sizes)
    assert (gone,) == largest(summary, sizes, 1)
    assert {grown, gone, unknown} == set(files(summary))


def test_a_file_that_was_renamed_and_written_to_is_named_once() -> None:
    renamed, written = change("R", "old", new="notes"), change("M", "notes")
    summary = tally(renamed, written).summary()

    (only,) = largest(summary, {written.place: (1, 2)})

    assert written.place == only.place


def test_each_side_is_looked_at_where_a_change_has_one() -> None:
    changes = (change("M", "a"), change("-", "b"), change("+", "c"), change("R", "d", new="e"))

    assert (("a", "b", "d"), ("a", "c", "e")) == sides(changes, ROOT)
    assert "" == below(ROOT, ROOT) == below("/tank/homeless", ROOT)
