"""The page of commands: those that change something, or all, with how they ended."""

from __future__ import annotations

from zconsole.hosts.command_log import LoggedCommand
from zconsole.hosts.host import Effect, Outcome
from zconsole.views.changes.command_log import notes, page, whole
from zconsole.views.layout.styled_text import plain

SCRUB = LoggedCommand(1, ("zpool", "scrub", "tank"), Effect.CHANGE, 60.0, Outcome.DONE, 0, 0.25)
FAILED = LoggedCommand(
    2, ("zfs", "hold", "a b", "tank@x"), Effect.CHANGE, 61.0, Outcome.FAILED, 1, 0.5, "no such snapshot"
)
READ = LoggedCommand(3, ("zpool", "list"), Effect.READ, 62.0)
RAN = [("nas1", SCRUB), ("nas1", FAILED), ("nas2", READ)]


def shown(*, has_reads: bool) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in page(RAN, has_reads=has_reads).table.rows]


def test_only_commands_that_change_something_are_shown_at_first() -> None:
    assert [
        ["1970-01-01 00:01:00", "nas1", "done", "0.25 s", "zpool scrub tank"],
        ["1970-01-01 00:01:01", "nas1", "exit 1", "0.50 s", "zfs hold 'a b' tank@x"],
    ] == shown(has_reads=False)


def test_with_those_that_only_read_a_running_one_is_shown_as_such() -> None:
    assert ["1970-01-01 00:01:02", "nas2", "runs", "·", "zpool list"] == shown(has_reads=True)[-1]


def test_a_command_is_copied_as_it_would_be_typed() -> None:
    keys = [row.key for row in page(RAN, has_reads=False).table.rows]

    assert "zfs hold 'a b' tank@x" == whole(RAN, keys[1])
    assert whole(RAN, "gone") is None


def test_the_reason_of_a_failure_is_told_below() -> None:
    key = page(RAN, has_reads=False).table.rows[1].key

    assert "no such snapshot" == plain(notes(RAN, key)[-1])
    assert () == notes(RAN, None)
