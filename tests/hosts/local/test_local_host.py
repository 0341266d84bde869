"""This machine as a host."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hosts.helpers import drained, until
from zconsole.base.errors import CommandFailed, HostError, Stuck
from zconsole.hosts.host import ENVIRONMENT, Command, Effect, Outcome
from zconsole.hosts.local import local_files
from zconsole.hosts.local.child_process import Child
from zconsole.hosts.local.local_host import LocalHost


@pytest.fixture
async def host() -> AsyncIterator[LocalHost]:
    host = LocalHost()
    await host.connect()
    yield host
    await host.close()


def sh(script: str, **options: float | int | bytes | None) -> Command:
    return Command(("sh", "-c", script), **options)  # type: ignore[arg-type]


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


async def test_a_deadline_kills_the_command_and_all_that_it_started(host: LocalHost, tmp_path: Path) -> None:
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)

    completed = await host.run(sh(f"exec 3>{fifo}; sleep 600 & echo begun; sleep 600", timeout_s=0.5))

    assert (Outcome.UNKNOWN, None, b"begun\n") == (completed.outcome, completed.status, completed.stdout)
    assert "no answer within 0.5 s" == completed.reason
    assert b"" == await asyncio.to_thread(os.read, reader, 1)  # nobody holds it open any more
    assert not host.is_lingering(completed.command)
    os.close(reader)


async def test_a_command_killed_by_somebody_else_is_unknown(host: LocalHost) -> None:
    completed = await host.run(sh("kill -9 $$"))

    assert (Outcome.UNKNOWN, None, "it was killed by SIGKILL") == (
        completed.outcome,
        completed.status,
        completed.reason,
    )


async def test_output_past_its_bound_kills_and_is_unknown(host: LocalHost) -> None:
    completed = await host.run(Command(("yes",), max_bytes=1000))

    assert (Outcome.UNKNOWN, 1000) == (completed.outcome, len(completed.stdout))
    assert "more than 1000 bytes" in completed.reason


async def test_a_daemon_that_holds_the_pipe_does_not_hold_the_answer(host: LocalHost) -> None:
    completed = await host.run(sh("setsid sleep 600 & echo $!"))

    assert Outcome.DONE is completed.outcome
    os.kill(int(completed.stdout), 9)


async def test_endless_stderr_is_bounded(host: LocalHost) -> None:
    completed = await host.run(sh("yes | head -c 1000000 >&2; echo last >&2"))

    assert (Outcome.DONE, 65536) == (completed.outcome, len(completed.stderr))
    assert completed.stderr.endswith(b"last\n")


async def test_what_does_not_die_is_left_alone_and_known_to_linger(
    host: LocalHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process in D state takes no SIGKILL: it is waited for by nobody, and noticed when it goes."""
    pids: list[int] = []

    def cannot_kill(child: Child) -> None:
        pids.append(child._transport.get_pid())
        monkeypatch.setattr(child._transport._proc, "kill", lambda: None)  # type: ignore[attr-defined]

    monkeypatch.setattr(Child, "kill", cannot_kill)
    command = Command(("sleep", "600"), timeout_s=0.05)

    completed = await host.run(command)

    assert Outcome.UNKNOWN is completed.outcome
    assert "it cannot be killed: it waits in the kernel" in completed.reason
    assert host.is_lingering(command)
    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome

    os.kill(pids[0], 9)
    await asyncio.gather(*host._watches)
    assert not host.is_lingering(command)


async def test_a_run_that_is_cancelled_kills_its_command(host: LocalHost, tmp_path: Path) -> None:
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    task = asyncio.create_task(host.run(sh(f"echo on > {fifo}; exec 3>{fifo}; exec sleep 600")))
    reader = await asyncio.to_thread(open, fifo, "rb", 0)
    assert b"on\n" == await asyncio.to_thread(reader.read, 3)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert b"" == await asyncio.to_thread(reader.read, 1)
    reader.close()


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


# Changes outlive this program


def change(script: str, **options: float | int | bytes | None) -> Command:
    return sh(script, effect=Effect.CHANGE, **options)  # type: ignore[arg-type]


async def until_there(path: Path) -> None:
    """Wait until a command has made a file."""
    async with asyncio.timeout(30):
        await until(path.exists)


def talkative(done: Path) -> str:
    """Waits for a file, prints what a pipe that nobody reads would kill it for, and then does its work."""
    wait = f"until test -e {done}.go; do sleep 0.02; done"
    return f"touch {done}.begun; {wait}; echo loud; echo louder >&2; touch {done}"


async def test_a_change_answers_as_any_other_command(host: LocalHost) -> None:
    completed = await host.run(change("printf 'a\\000b'; printf oops >&2; exit 3"))

    assert (Outcome.FAILED, 3) == (completed.outcome, completed.status)
    assert (b"a\0b", b"oops") == (completed.stdout, completed.stderr)
    assert Outcome.DONE is (await host.run(change("true"))).outcome
    assert Outcome.UNKNOWN is (await host.run(change("kill -9 $$"))).outcome
    assert 127 == (await host.run(Command(("no-such-program",), Effect.CHANGE))).status


async def test_a_change_gets_all_of_its_stdin(host: LocalHost) -> None:
    much = bytes(range(256)) * 4096

    assert much == (await host.run(Command(("cat",), Effect.CHANGE, stdin=much))).stdout
    assert b"" == (await host.run(Command(("cat",), Effect.CHANGE))).stdout
    first = await host.run(change("head -c 3 >/dev/null; echo $(cat)", stdin=b"pw\nkey"))
    assert b"key\n" == first.stdout


async def test_a_change_that_prints_without_end_is_not_killed_for_it(host: LocalHost) -> None:
    """What it has begun comes to its end; only its words are cut."""
    completed = await host.run(change("yes 2>/dev/null; echo end >&2; exit 5", max_bytes=10_000))

    assert (Outcome.FAILED, 5) == (completed.outcome, completed.status)
    assert 1_000 < len(completed.stdout) <= 10_000
    assert b"end\n" == completed.stderr


async def test_the_deadline_of_a_change_is_kept(host: LocalHost) -> None:
    completed = await host.run(change("echo begun; sleep 600", timeout_s=0.3))

    assert (Outcome.UNKNOWN, b"begun\n") == (completed.outcome, completed.stdout)
    assert completed.session is not None


@pytest.mark.parametrize("way", ["close", "cancel", "both"])
async def test_a_change_goes_on_when_its_console_leaves(way: str, tmp_path: Path) -> None:
    host, done = LocalHost(), tmp_path / "done"
    command = change(talkative(done), timeout_s=600)
    task = asyncio.create_task(host.run(command))
    await until_there(tmp_path / "done.begun")

    if way != "cancel":
        await host.close()
    if way != "close":
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert host.is_lingering(command)
    (tmp_path / "done.go").touch()
    await until_there(done)

    if way == "close":
        assert (Outcome.DONE, b"loud\n") == ((await task).outcome, task.result().stdout)
    await until(lambda: not host.is_lingering(command))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_change_goes_on_however_its_program_ends(number: signal.Signals, tmp_path: Path) -> None:
    """By a signal to all of its group, as Ctrl+C and a closed terminal send it, and without any goodbye."""
    done = tmp_path / "done"
    script = (
        "import asyncio, sys; from zconsole.hosts.local.local_host import LocalHost;"
        "from zconsole.hosts.host import Command, Effect;"
        "asyncio.run(LocalHost().run(Command(('sh', '-c', sys.argv[1]), Effect.CHANGE, 600)))"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", script, talkative(done)], start_new_session=True, stderr=subprocess.DEVNULL
    )
    asyncio.run(until_there(tmp_path / "done.begun"))
    os.killpg(program.pid, number)
    assert 0 != program.wait(20)
    (tmp_path / "done.go").touch()
    asyncio.run(until_there(done))


async def test_files_are_read_whole(host: LocalHost, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\x00\xff" * 200_000)

    assert b"\x00\xff" * 200_000 == await host.read(str(file))
    assert b"Linux" in await host.read("/proc/sys/kernel/ostype")
    assert (await host.read("/proc/self/status")).startswith(b"Name:")


async def test_a_file_that_is_not_there_or_too_large_is_told(host: LocalHost, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")

    with pytest.raises(FileNotFoundError):
        await host.read(str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError):
        await host.read("/proc/spl/kstat/zfs/no-such-pool/state")
    with pytest.raises(HostError, match="larger than 4 bytes"):
        await host.read(str(file), max_bytes=4)
    with pytest.raises(HostError, match="Is a directory"):
        await host.read(str(tmp_path))


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Reads of files hang in the kernel until the event."""
    let_go = threading.Event()

    def read_now(path: str, max_bytes: int) -> bytes:
        let_go.wait()
        return b"late"

    monkeypatch.setattr(local_files, "read_now", read_now)
    yield let_go
    let_go.set()


async def test_a_read_that_hangs_is_given_up_and_not_joined_by_a_second(hanging: threading.Event) -> None:
    host = LocalHost(read_timeout_s=0.02)

    with pytest.raises(Stuck, match="took more than"):
        await host.read("/tank/file")
    with pytest.raises(Stuck, match="still hangs"):
        await host.read("/tank/file")

    hanging.set()
    await until(lambda: not host._files._hanging)
    assert b"late" == await host.read("/tank/file")


def test_a_local_console_never_loads_the_ssh_library() -> None:
    """It takes longer to import than the whole first screen may."""
    script = (
        "import sys, zconsole.hosts.local.local_host, zconsole.hosts.open_host;"
        "import zconsole.hosts.recorded.recorded_host;"
        "zconsole.hosts.open_host.open_host('local');"
        "sys.exit('asyncssh' in sys.modules or 'cryptography' in sys.modules)"
    )

    assert 0 == subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode
