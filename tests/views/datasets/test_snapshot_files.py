"""A folder of a snapshot beside the folder as it is now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.model.datasets.snapshot_contents import FileState, FileType, Folder, FolderComparison
from zconsole.views.datasets.snapshot_files import entry_of, notes, page
from zconsole.views.layout.styled_text import plain

AT = 1_800_000_000 * 1_000_000_000
REPORT = FileState("/t/docs/report.odt", FileType.FILE, 1, 11, 4096, AT)
OLD = FileState("/t/docs/old", FileType.FOLDER, 1, 12, 5, AT)
LINK = FileState("/t/docs/latest", FileType.LINK, 1, 13, 6, AT, target="report.odt")
THEN = Folder("/t/docs", (OLD, REPORT, LINK))


def compared(now: Folder | None, then: Folder = THEN) -> FolderComparison:
    """The folder then and now."""
    return FolderComparison("tank/home@1", "docs", then, now)


def states(found: FolderComparison) -> dict[str, str]:
    """What is said of each entry."""
    table = page("nas1", "tank/home@1", "docs", found, "").table
    at = [each.id for each in table.columns].index("now")
    return {row.key: row.cells[at].text for row in table.rows}


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("the same", REPORT),
        ("the same", replace(REPORT, inode=99)),
        ("differs, 8.00 KiB", replace(REPORT, size_bytes=8192)),
        ("differs", replace(REPORT, modified_ns=AT + 1)),
        ("a folder", replace(REPORT, type=FileType.FOLDER)),
    ],
)
def test_a_file_is_compared_by_type_size_and_time(said: str, now: FileState) -> None:
    assert said == states(compared(Folder("/t/docs", (now,))))["report.odt"]


def test_a_folder_by_its_existence_and_a_link_by_what_it_leads_to() -> None:
    now = Folder("/t/docs", (replace(OLD, modified_ns=0), replace(LINK, target="other")))

    assert {"old": "there", "report.odt": "gone", "latest": "differs"} == states(compared(now))


def test_what_a_cut_listing_does_not_have_is_not_called_gone() -> None:
    assert "·" == states(compared(Folder("/t/docs", (), is_whole=False)))["report.odt"]
    assert {"gone"} == set(states(compared(None)).values())


@pytest.mark.parametrize(
    ("said", "then", "now"),
    [
        ("3 entries", THEN, Folder("/t/docs", THEN.entries)),
        ("1 entry", Folder("/t/docs", (OLD,)), Folder("/t/docs", (OLD,))),
        ("2 added since", Folder("/t/docs", (OLD,)), Folder("/t/docs", THEN.entries)),
        ("and more, which were not read", replace(THEN, is_whole=False), Folder("/t/docs", ())),
        ("the folder is not there any more", THEN, None),
    ],
)
def test_the_summary_tells_what_is_missing(said: str, then: Folder, now: Folder | None) -> None:
    assert said in plain(page("nas1", "tank/home@1", "docs", compared(now, then), "").numbers)


def test_entries_that_were_not_read_are_not_counted_as_added() -> None:
    cut = compared(Folder("/t/docs", THEN.entries), Folder("/t/docs", (OLD,), is_whole=False))

    assert "added" not in plain(page("nas1", "tank/home@1", "docs", cut, "").numbers)


def test_the_selected_entry_is_told_in_words() -> None:
    (link, how) = map(plain, notes(compared(None), "latest"))

    assert "/t/docs/latest" in link
    assert "leads to report.odt" in link
    assert "next to the present one" in how
    assert "file of 4.00 KiB" in plain(notes(compared(None), "report.odt")[0])
    assert () == notes(compared(None), "nothing")
    assert entry_of(None, "latest") is None
