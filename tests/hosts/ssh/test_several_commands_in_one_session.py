"""Commands of one moment share a session; each has its own output, status and end."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.hosts.conftest import Lan
from zconsole.base.errors import HostError
from zconsole.hosts.build_command_results import ended, unknown
from zconsole.hosts.host import Command, Effect, Outcome
from zconsole.hosts.ssh.several_commands_in_one_session import SharedSession, may_share

MARK = "zconsole-end-0123456789abcdef"


def shared(*argv: str, timeout_s: float = 10.0) -> Command:
    return Command(argv, timeout_s=timeout_s, shares_session=True)


def sh(script: str, timeout_s: float = 10.0) -> Command:
    return shared("sh", "-c", script, timeout_s=timeout_s)


async def test_commands_of_one_moment_need_one_session_and_end_each_for_itself(known: Lan) -> None:
    host = await known.connected()
    before = len(known.sshd.commands)

    one, other, third = await asyncio.gather(
        host.run(sh("printf 'a\\n\\nb'; echo said >&2")),
        host.run(sh("echo no >&2; exit 3")),
        host.run(shared("zpool-that-is-not-there", "'$HOME'", "a b", "é!")),
    )

    assert (Outcome.DONE, b"a\n\nb", "said") == (one.outcome, one.stdout, one.stderr.decode().strip())
    assert (Outcome.FAILED, 3, b"", "no") == (other.outcome, other.status, other.stdout, other.said)
    assert (Outcome.FAILED, 127) == (third.outcome, third.status)
    assert 1 == len(known.sshd.commands) - before


async def test_arguments_arrive_as_they_are(known: Lan) -> None:
    host = await known.connected()
    hostile = ("$HOME", "a b", "", "`id`", "'\"\\", "é!", "=ls", "\\", "%s%n")

    first, _ = await asyncio.gather(host.run(shared("printf", "<%s>", *hostile)), host.run(shared("true")))

    assert "".join(f"<{each}>" for each in hostile) == first.stdout.decode()


async def test_one_alone_is_run_as_ever(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(sh("echo alone"))

    assert b"alone\n" == completed.stdout


async def test_one_that_hangs_is_unknown_and_those_behind_it_run_in_sessions_of_their_own(known: Lan) -> None:
    host = await known.connected()

    first, hangs, last = await asyncio.gather(
        host.run(sh("echo first", timeout_s=1)),
        host.run(sh("echo so far; exec sleep 60", timeout_s=1)),
        host.run(sh("echo last", timeout_s=1)),
    )

    assert b"so far\n" == hangs.stdout
    assert (b"first\n", Outcome.UNKNOWN, b"last\n") == (first.stdout, hangs.outcome, last.stdout)
    assert "no answer within 1 s" == hangs.reason
    assert ("sh", "-c", "echo so far; exec sleep 60") == hangs.command.argv


async def test_without_a_connection_all_are_told(known: Lan) -> None:
    host = await known.connected()
    await host.close()

    results = await asyncio.gather(host.run(sh("a")), host.run(sh("b")), return_exceptions=True)

    assert [True, True] == [isinstance(each, HostError) for each in results]


async def test_nobody_who_waits_ends_the_session(known: Lan) -> None:
    host = await known.connected()
    waiting = [asyncio.create_task(host.run(sh("exec sleep 60"))) for _ in range(2)]
    await asyncio.sleep(0)

    for task in waiting:
        task.cancel()

    assert [True, True] == [
        isinstance(each, asyncio.CancelledError)
        for each in await asyncio.gather(*waiting, return_exceptions=True)
    ]


def test_only_what_reads_and_needs_no_stdin_shares() -> None:
    command = shared("zpool", "status")

    assert may_share(command)
    assert not may_share(replace(command, shares_session=False))
    assert not may_share(replace(command, effect=Effect.CHANGE))
    assert not may_share(replace(command, stdin=b"secret"))


def test_each_output_is_cut_at_its_mark() -> None:
    session = SharedSession((shared("a"), shared("b"), shared("c")), MARK)
    printed = f"one\n\n{MARK} 0\n\n{MARK} 1\nhalf of thr".encode()
    said = f"\n{MARK}\nno such pool\n\n{MARK}\n".encode()

    found = session.results(unknown(session.as_one, "late", printed, said))

    assert [("a", 0, b"one\n", b""), ("b", 1, b"", b"no such pool\n")] == [
        (each.command.argv[0], each.status, each.stdout, each.stderr) for each in found
    ]


@pytest.mark.parametrize(
    ("printed", "rest"),
    [
        (f"one\n\n{MARK} 0\nhalf of t", b"half of t"),
        ("half of o", b"half of o"),
        (f"one\n\n{MARK} 0\n", b""),
        (f"one\n\n{MARK} 0", b""),
    ],
)
def test_what_the_one_has_printed_that_did_not_end_is_known(printed: str, rest: bytes) -> None:
    session = SharedSession((shared("a"), shared("b")), MARK)

    assert rest == session.rest(printed.encode())


@pytest.mark.parametrize(
    "printed", [b"", b"sh: not found\n", b"\n" + MARK.encode(), f"\n{MARK} x\n".encode()]
)
def test_what_has_no_whole_mark_did_not_end(printed: bytes) -> None:
    session = SharedSession((shared("a"), shared("b")), MARK)

    assert () == session.results(ended(session.as_one, 0, printed, b""))
