"""Files, folders and differences as values."""

from __future__ import annotations

from zconsole.model.datasets.snapshot_contents import (
    ChangeKind,
    Extent,
    FileChange,
    FileLookup,
    FileState,
    FileType,
    Mounted,
)

FILE = FileState("/tank/a/notes", FileType.FILE, 1, 2, 3, 4)


def test_a_renamed_file_is_where_it_is_now() -> None:
    moved = FileChange(ChangeKind.RENAMED, FileType.FILE, "/a/old", "/a/new")
    gone = FileChange(ChangeKind.REMOVED, FileType.FILE, "/a/old")

    assert ["/a/new", "/a/old"] == [moved.place, gone.place]


def test_a_name_is_the_last_part_of_a_path() -> None:
    folder = FileState("/tank/a/", FileType.FOLDER, 1, 2, 3, 4)

    assert ["notes", "a"] == [FILE.name, folder.name]


def test_what_was_looked_up_is_found_and_the_rest_is_unknown() -> None:
    looked = FileLookup(
        mounts=(Mounted("tank/a", "/tank/a"),),
        asked=frozenset({FILE.path, "/tank/a/gone"}),
        found=(FILE,),
        resolved=(("/x", "/tank/a"),),
        extents=(("/tank/a", Extent(7)),),
    )

    assert "/tank/a" == getattr(looked.mount("tank/a"), "mountpoint", "")
    assert looked.mount("tank/b") is None
    assert FILE is looked.file(FILE.path)
    assert looked.file("/tank/a/gone") is None
    assert ["/tank/a", None] == [looked.real("/x"), looked.real("/y")]
    assert [Extent(7), Extent()] == [looked.extent("/tank/a"), looked.extent("/tank/b")]


def test_mounts_that_were_not_read_are_no_mounts() -> None:
    assert FileLookup().mount("tank/a") is None
