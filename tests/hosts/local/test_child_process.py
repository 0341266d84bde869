"""Children of this program: killed with all that they started, bounded in what they say."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.hosts.local.shell import sh
from zconsole.hosts.host import Command, Outcome
from zconsole.hosts.local.child_process import ChildProcess
from zconsole.hosts.local.local_host import LocalHost


@pytest.fixture
async def host() -> AsyncIterator[LocalHost]:
    host = LocalHost()
    await host.connect()
    yield host
    await host.close()


@pytest.mark.slow
async def test_a_deadline_kills_the_command_and_all_that_it_started(host: LocalHost, tmp_path: Path) -> None:
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)

    completed = await host.run(sh(f"exec 3>{fifo}; sleep 600 & echo begun; sleep 600", timeout_s=3.0))

    assert (Outcome.UNKNOWN, None, b"begun\n") == (completed.outcome, completed.status, completed.stdout)
    assert "no answer within 3 s" == completed.reason
    assert b"" == await asyncio.to_thread(os.read, reader, 1)  # nobody holds it open any more
    assert not host.is_lingering(completed.command)
    os.close(reader)


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

    def cannot_kill(child: ChildProcess) -> None:
        pids.append(child._transport.get_pid())
        monkeypatch.setattr(child._transport._proc, "kill", lambda: None)  # type: ignore[attr-defined]

    monkeypatch.setattr(ChildProcess, "kill", cannot_kill)
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
