"""This machine as a host."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.base_subprocess import BaseSubprocessTransport
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hosts.helpers import drained, until
from tests.hosts.local.shell import sh
from zconsole.base.errors import CommandFailed
from zconsole.hosts.host import ENVIRONMENT, Command, Outcome
from zconsole.hosts.local.local_host import LocalHost


@pytest.fixture
async def host() -> AsyncIterator[LocalHost]:
    host = LocalHost()
    await host.connect()
    yield host
    await host.close()


async def test_a_command_that_ends_well_is_done(host: LocalHost) -> None:
    completed = await host.run(sh("printf 'a\\000b'; printf oops >&2"))

    assert (Outcome.DONE, 0, b"a\0b", b"oops", "") == (
        completed.outcome,
        completed.status,
        completed.stdout,
        completed.stderr,
        completed.reason,
    )


async def test_a_command_that_says_no_has_failed(host: LocalHost) -> None:
    completed = await host.run(sh("echo denied >&2; exit 3"))

    assert (Outcome.FAILED, 3, "denied") == (completed.outcome, completed.status, completed.said)


async def test_the_environment_is_constructed_and_the_argv_exact(
    host: LocalHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZFS_COLOR", "always")
    hostile = ("$HOME", "a b", "", "`id`", "'\"\\", "-x", "\n", "\udce9")

    environment = await host.run(Command(("env",)))
    argv = await host.run(Command(("printf", "%s\\0", *hostile)))

    assert {f"{name}={value}" for name, value in ENVIRONMENT} == set(environment.stdout.decode().split())
    assert b"".join(os.fsencode(word) + b"\0" for word in hostile) == argv.stdout


async def test_stdin_is_closed_unless_given(host: LocalHost) -> None:
    assert b"" == (await host.run(Command(("cat",)))).stdout
    assert b"a key" == (await host.run(Command(("cat",), stdin=b"a key"))).stdout
    assert Outcome.DONE is (await host.run(Command(("true",), stdin=b"x" * 1_000_000))).outcome


@pytest.mark.parametrize(
    ("argv", "status", "words"),
    [
        (("no-such-program",), 127, "there is no program no-such-program"),
        (("/etc/passwd",), 126, "permission denied"),
        (("a\0b",), 126, "a NUL byte"),
        ((), 126, "no program to run"),
        (("true", "x" * 4_000_000), 126, "Argument list too long"),
    ],
)
async def test_what_cannot_start_has_failed_and_says_why(
    host: LocalHost, argv: tuple[str, ...], status: int, words: str
) -> None:
    completed = await host.run(Command(argv))

    assert (Outcome.FAILED, status) == (completed.outcome, completed.status)
    assert words in completed.reason
    with pytest.raises(CommandFailed, match=words):
        async with host.stream(Command(argv)):
            pass


async def test_a_command_killed_by_somebody_else_is_unknown(host: LocalHost) -> None:
    completed = await host.run(sh("kill -9 $$"))

    assert (Outcome.UNKNOWN, None, "it was killed by SIGKILL") == (
        completed.outcome,
        completed.status,
        completed.reason,
    )


async def test_many_commands_at_once_all_answer(host: LocalHost) -> None:
    answers = await asyncio.gather(*(host.run(Command(("echo", str(number)))) for number in range(40)))

    assert [f"{number}\n".encode() for number in range(40)] == [answer.stdout for answer in answers]


async def test_a_stream_gives_its_output_and_ends_with_its_last_words(host: LocalHost) -> None:
    received, error = await drained(host, sh("echo one; echo two; echo pool gone >&2; exit 1"))

    assert b"one\ntwo\n" == received
    assert isinstance(error, CommandFailed)
    assert ("sh on local: ended with 1", "pool gone") == (error.message, error.said)


async def test_leaving_a_stream_kills_it(host: LocalHost, tmp_path: Path) -> None:
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)

    async with host.stream(sh(f"exec 3>{fifo}; while :; do echo tick; sleep 0.01; done")) as chunks:
        assert (await anext(chunks)).startswith(b"tick")

    assert b"" == await asyncio.to_thread(os.read, reader, 1)
    os.close(reader)


async def test_a_reader_that_lags_loses_nothing(host: LocalHost) -> None:
    """The source waits; and what is in the pipe when it ends is still read."""
    total = 0
    with suppress(CommandFailed):
        async with host.stream(sh("yes | head -c 5000000")) as chunks:
            async for chunk in chunks:
                total += len(chunk)
                await asyncio.to_thread(lambda: None)

    assert 5_000_000 == total


async def test_close_ends_every_command() -> None:
    host = LocalHost()
    task = asyncio.create_task(host.run(Command(("sleep", "600"))))
    await until(lambda: host._children)

    await host.close()

    assert Outcome.UNKNOWN is (await task).outcome


async def test_files_are_read_whole(host: LocalHost, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\x00\xff" * 200_000)

    assert b"\x00\xff" * 200_000 == await host.read(str(file))
    assert b"Linux" in await host.read("/proc/sys/kernel/ostype")
    assert (await host.read("/proc/self/status")).startswith(b"Name:")


def test_a_local_console_never_loads_the_ssh_library() -> None:
    """It takes longer to import than the whole first screen may."""
    script = (
        "import sys, zconsole.hosts.local.local_host, zconsole.hosts.open_host_or_recording;"
        "import zconsole.hosts.recorded.recorded_host;"
        "zconsole.hosts.open_host_or_recording.open_host('local');"
        "sys.exit('asyncssh' in sys.modules or 'cryptography' in sys.modules)"
    )

    assert 0 == subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode


async def test_a_command_that_is_cancelled_while_it_starts_is_ended_before_it_is_closed(
    host: LocalHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reaped beside asyncio's own watcher, that would write a warning to the terminal."""
    close, closed = BaseSubprocessTransport.close, list[int | None]()

    def noted(transport: BaseSubprocessTransport) -> None:
        closed.append(transport.get_returncode())
        close(transport)

    monkeypatch.setattr(BaseSubprocessTransport, "close", noted)
    running = asyncio.create_task(host.run(sh("kill -STOP $$")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert -signal.SIGKILL in closed
    assert None not in closed
