"""A pool's history: every recorded one, who did what, and answers cut short."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zfs.recorded import cuts, each
from zconsole.base.errors import ParseError
from zconsole.zfs.listing.history import HistoryRecord, history, parse_history, settings_in

WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=30)


@each("zpool_history_il.txt")
def test_every_recorded_history_is_read(path: Path) -> None:
    text = path.read_text()

    records = parse_history(text)

    commands = [line for line in text.split("\n") if line[20:].startswith(("zpool ", "zfs "))]
    assert len(commands) == sum(record.is_command for record in records)
    assert all(record.user == "root" and record.host for record in records if record.is_command)
    assert text.count(" create pool version ") == sum(
        record.txg is not None and record.text.startswith("create pool") for record in records
    )


def test_commands_internal_events_and_ioctls_are_told_apart() -> None:
    text = (
        "History for 'tank':\n"
        "2026-11-20.23:49:36 [txg:4] create pool version 5000 [on storage24]\n"
        "2026-11-20.23:49:41 (1542ms) ioctl create\n    input:\n        type: 2\n"
        " [user 0 (root) on storage24:linux]\n"
        "2026-11-20.23:49:43 zfs create -o com:x=[txg:9] tank/home [user 1000 (ann) on storage24:linux]\n"
        "2026-11-20.23:49:44 [txg:9] create tank/home/ann (166)   [on storage24]\n\n"
    )

    made, ioctl, command, inner = parse_history(text)

    assert HistoryRecord(1795218576, "create pool version 5000", host="storage24", txg=4) == made
    assert not ioctl.is_command
    assert command.is_command
    assert ("zfs create -o com:x=[txg:9] tank/home", "ann", "storage24") == (
        command.text,
        command.user,
        command.host,
    )
    assert ("create tank/home/ann (166)", 9) == (inner.text, inner.txg)


ROLLBACK = (
    "History for 'tank':\n"
    "2026-11-21.21:01:13 [txg:42] clone swap tank/a/b/%rollback (96) parent=b [on storage24]\n"
    "2026-11-21.21:01:13 (327ms) ioctl rollback\n"
    "    input:\n        target: 'tank/a/b@2'\n    output:\n        target: 'tank/a/b@2'\n"
    " [user 0 (root) on storage24:linux]\n"
    "2026-11-21.21:01:15 zfs rollback tank/a/b@2 [user 0 (root) on storage24:linux]\n"
    "2026-11-21.21:01:15 (465ms) ioctl snapshot\n"
    "    input:\n        snaps:\n            tank/a/b@3\n        props:\n"
    " [user 0 (root) on storage24:linux]\n"
)


def test_a_rollback_is_what_the_kernel_says_that_it_did() -> None:
    """As OpenZFS 2.4 printed it: libzfs_core leaves no command behind."""
    records = parse_history(ROLLBACK)

    assert [None, "tank/a/b@2", None, None] == [record.rolled_back_to for record in records]
    assert [False, False, True, False] == [record.is_command for record in records]


@given(commands=st.lists(WORDS.filter(str.strip).map(lambda words: f"zfs {words.strip()}")))
def test_what_was_typed_is_read_back(commands: list[str]) -> None:
    text = "History for 'tank':\n" + "".join(
        f"2026-11-20.23:49:{at % 60:02} {command} [user 0 (root) on nas1:linux]\n"
        for at, command in enumerate(commands)
    )

    assert commands == [record.text for record in parse_history(text)]


@each("zpool_history_il.txt")
def test_a_history_cut_short_is_an_error_or_the_first_records(
    path: Path, request: pytest.FixtureRequest
) -> None:
    whole = path.read_bytes()[:20_000]
    records = parse_history(whole.decode()[: whole.decode().rfind("\n") + 1])

    for at in cuts(whole, is_long=request.config.getoption("--long"), samples=25):
        try:
            part = parse_history(whole[:at].decode())
        except ParseError:
            continue
        assert records[: max(0, len(part) - 1)] == part[:-1]  # the last one may lack its further lines


def test_what_is_no_history_is_an_error() -> None:
    with pytest.raises(ParseError, match="expected a record"):
        parse_history("no such pool\n")


def test_the_question_asks_for_everything() -> None:
    assert ("zpool", "history", "-il", "tank") == history("tank").argv


@pytest.mark.parametrize(
    ("line", "settings"),
    [
        ("zfs set compression=lz4 tank/a", {("zfs", "tank/a", "compression")}),
        ("zfs set a:b=c=d quota=1G tank/a", {("zfs", "tank/a", "a:b"), ("zfs", "tank/a", "quota")}),
        ("zfs inherit -r quota tank", {("zfs", "tank", "quota")}),
        ("zpool set autotrim=on tank", {("zpool", "tank", "autotrim")}),
        ("zfs set comment=two words tank/a", {("zfs", "tank/a", "comment")}),
        ("zfs snapshot tank/a@set=b", set()),
        ("zfs set", set()),
        ("zfs", set()),
        ("", set()),
    ],
)
def test_which_properties_a_command_sets(line: str, settings: set[tuple[str, str, str]]) -> None:
    assert settings == settings_in(line.split(" "))


def test_a_cut_history_begins_with_its_first_whole_record() -> None:
    text = b"    input:\n2026-01-02.03:04:05 zfs destroy tank/a\n"

    (record,) = parse_history(text, is_cut=True)

    assert "zfs destroy tank/a" == record.text
    with pytest.raises(ParseError):
        parse_history(text)
