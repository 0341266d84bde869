"""Changes go on when their console leaves."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.hosts.helpers import until
from tests.hosts.local.shell import sh
from zconsole.hosts.host import Command, Effect, Outcome
from zconsole.hosts.local.local_host import LocalHost


@pytest.fixture
async def host() -> AsyncIterator[LocalHost]:
    host = LocalHost()
    await host.connect()
    yield host
    await host.close()


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


@pytest.mark.slow
async def test_the_deadline_of_a_change_is_kept(host: LocalHost) -> None:
    completed = await host.run(change("echo begun; sleep 600", timeout_s=3.0))

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
