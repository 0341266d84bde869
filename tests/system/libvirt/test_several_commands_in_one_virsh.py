"""Several commands in one line of virsh, and what it printed for each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.virsh_host import READ, URI, asked
from zconsole.hosts.build_command_results import ended, unknown
from zconsole.hosts.host import Command, Effect
from zconsole.system.libvirt.several_commands_in_one_virsh import SharedProcess, may_share_process

MARK = "zconsole-end-1"
SHARED = SharedProcess((asked("dumpxml", "u1"), asked("list", "--uuid"), asked("dumpxml", "u2")), MARK)


def test_the_commands_are_one_word_for_virsh() -> None:
    one = SHARED.as_one

    line = f"dumpxml u1; echo {MARK}; list --uuid; echo {MARK}; dumpxml u2; echo {MARK}"
    assert (*READ, line) == one.argv
    assert one.is_several


@pytest.mark.parametrize(
    ("command", "may"),
    [
        (asked("dumpxml", "u1"), True),
        (asked("vol-path", "--pool=default", "--vol=web01.qcow2"), True),
        (asked("vol-path", "--pool=default", "--vol=a b"), False),
        (asked("vol-path", "--pool=default", "--vol=a;b"), False),
        (asked("vol-path", "--pool=default", "--vol=#a"), False),
        (asked("vol-path", "--pool=default", "--vol='a'"), False),
        (asked(), False),
        (Command(("virsh", "-q", "-c", URI, "start", "u1")), False),
        (replace(asked("dumpxml", "u1"), effect=Effect.CHANGE), False),
        (replace(asked("dumpxml", "u1"), stdin=b"x"), False),
        (Command(("zpool", "list")), False),
    ],
)
def test_only_what_reads_and_needs_no_quotes_shares(command: Command, may: bool) -> None:
    assert may is may_share_process(command)


def test_each_answer_ends_at_its_mark() -> None:
    found = SHARED.results(ended(SHARED.as_one, 0, f"<one/>\n{MARK}{MARK}<two/>\n{MARK}".encode(), b""))

    assert [(0, b"<one/>\n"), (0, b""), (0, b"<two/>\n")] == [
        (each.status, each.stdout) for each in found if each is not None
    ]


def test_which_one_failed_is_not_known_where_several_printed_nothing() -> None:
    said = b"error: failed to get domain 'u2'\n"

    found = SHARED.results(ended(SHARED.as_one, 0, f"<one/>\n{MARK}{MARK}{MARK}".encode(), said))

    assert [True, False, False] == [each is not None for each in found]


def test_the_last_one_is_not_taken_for_whole_without_its_mark() -> None:
    late = unknown(SHARED.as_one, "late", f"<one/>\n{MARK}{MARK}<tw".encode())

    assert [True, False, False] == [each is not None for each in SHARED.results(late)]
    assert 2 == SHARED.count_ended(late)


def test_where_virsh_did_nothing_each_has_failed() -> None:
    found = SHARED.results(ended(SHARED.as_one, 1, b"", b"error: failed to connect to the hypervisor\n"))

    assert [1, 1, 1] == [each.status for each in found if each is not None]
    assert list(SHARED.commands) == [each.command for each in found if each is not None]


def test_a_virsh_that_knows_no_lines_leaves_all_to_be_asked_again() -> None:
    assert (None, None, None) == SHARED.results(ended(SHARED.as_one, 0, b"", b""))
