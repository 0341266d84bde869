"""A command with its stdin and stdout in our hands, here and behind SSH."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from tests.doubles.scripted_host import ScriptedHost
from tests.hosts.conftest import Lan
from tests.hosts.helpers import until
from zconsole.base.clock import SystemClock
from zconsole.base.errors import CommandFailed, HostError, LinkLost
from zconsole.history.command_results_of_last_hour import Memory, RememberedHost
from zconsole.hosts.collected_and_streamed_output import HIGH_WATER_BYTES, OutputFeed
from zconsole.hosts.command_log import LoggedHost
from zconsole.hosts.host import Command, Host, Outcome, Piped, pipe
from zconsole.hosts.local.local_host import LocalHost
from zconsole.hosts.recorded.record_host_answers import RecordingHost
from zconsole.hosts.running_command_with_stdin import RunningPipe
from zconsole.hosts.ssh.ssh_host import SshHost

SLACK_BYTES = 12 * 1024 * 1024  # what kernels, pipes and windows of SSH hold beside what we do
MANY = 48 * 1024 * 1024


def sh(script: str, stdin: bytes | None = None) -> Command:
    return Command(("sh", "-c", script), stdin=stdin)


@dataclass
class Place:
    """A host, and how its link is cut."""

    host: Host
    lan: Lan | None = None

    def pipe(self, script: str, stdin: bytes | None = None) -> AbstractAsyncContextManager[Piped]:
        return pipe(self.host, sh(script, stdin))


@pytest.fixture(params=["local", "ssh"])
async def place(request: pytest.FixtureRequest, known: Lan) -> AsyncIterator[Place]:
    if request.param == "ssh":
        yield Place(await known.connected(), known)
        return
    host = LocalHost()
    await host.connect()
    yield Place(host)
    await host.close()


async def copied(source: Piped, sink: Piped) -> int:
    passed = 0
    while data := await source.read():
        await sink.write(data)
        passed += len(data)
    sink.finish()
    return passed


async def flooded(running: Piped, written: list[int] | None = None) -> None:
    """Write and write, as long as it is taken."""
    while True:
        await running.write(bytes(65536))
        if written is not None:
            written.append(65536)


async def test_every_byte_goes_through_as_it_is(place: Place) -> None:
    script = "cat"
    data = bytes(range(256)) * 4096
    heard = bytearray()

    async with place.pipe(script) as running:

        async def listen() -> None:
            while got := await running.read():
                heard.extend(got)

        listening = asyncio.create_task(listen())
        for start in range(0, len(data), 100_000):
            await running.write(data[start : start + 100_000])
        running.finish()
        await listening
        completed = await running.ended()

    assert (Outcome.DONE, 0) == (completed.outcome, completed.status)
    assert data == bytes(heard)


async def test_one_command_is_piped_into_another(place: Place) -> None:
    async with (
        place.pipe(f"head -c {MANY} /dev/zero") as source,
        place.pipe("sha256sum") as sink,
    ):
        passed = await copied(source, sink)
        digest = await sink.read()
        ends = (await source.ended()).outcome, (await sink.ended()).outcome

    assert (MANY, (Outcome.DONE, Outcome.DONE)) == (passed, ends)
    assert hashlib.sha256(bytes(MANY)).hexdigest() == digest.split()[0].decode()


async def test_who_does_not_read_lets_the_command_wait(place: Place, tmp_path: Path) -> None:
    """Bytes that nobody takes stay with who makes them."""
    mark = tmp_path / "all was written"

    async with place.pipe(f"head -c {2 * MANY} /dev/zero; touch {mark}") as running:
        await running.read()
        held = running._feed._waiting  # type: ignore[attr-defined]
        await until(lambda: len(held) > HIGH_WATER_BYTES)
        for _ in range(200):
            await asyncio.sleep(0)
        most = len(held)

    assert most < SLACK_BYTES
    assert not mark.exists()


async def test_who_does_not_take_lets_the_writer_wait(place: Place) -> None:
    written: list[int] = []
    async with place.pipe("exec sleep 1000") as running:
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await flooded(running, written)

    assert 0 < sum(written) < SLACK_BYTES


async def test_what_takes_no_more_breaks_the_pipe(place: Place) -> None:
    async with place.pipe("exit 3") as running:
        with pytest.raises(BrokenPipeError):
            await flooded(running)
        completed = await running.ended()

    assert (Outcome.FAILED, 3) == (completed.outcome, completed.status)


class Closing:
    """Its stdin is closed at the first write, which the loop reports later."""

    def __init__(self) -> None:
        self.takes_more = asyncio.Event()
        self.takes_more.set()
        self.is_stdin_open = True
        self.session = None
        self.writes = 0

    def write(self, data: bytes) -> None:
        del data
        self.writes += 1
        asyncio.get_running_loop().call_soon(self.finish)

    def finish(self) -> None:
        self.is_stdin_open = False


async def test_who_writes_on_hears_that_it_was_closed() -> None:
    taker = Closing()
    pipe = RunningPipe(OutputFeed(), taker, asyncio.Event(), complete=never, kill=never)

    with pytest.raises(BrokenPipeError):
        await write_ten_times(pipe)

    assert 1 == taker.writes


async def write_ten_times(pipe: RunningPipe) -> None:
    for _ in range(10):
        await pipe.write(b"data")


def never() -> NoReturn:
    raise AssertionError


async def test_its_last_words_are_there_while_it_runs_and_at_its_end(place: Place) -> None:
    async with place.pipe("echo 40 >&2; read -r _; echo no room >&2; exit 1") as running:
        await until(lambda: running.words() == b"40\n")
        await running.write(b"\n")
        running.finish()
        completed = await running.ended()

    assert (Outcome.FAILED, "40\nno room") == (completed.outcome, completed.said)


async def test_a_first_line_goes_ahead_of_what_is_written(place: Place) -> None:
    async with place.pipe("read -r first; cat; echo; echo $first", b"secret\n") as running:
        await running.write(b"stream")
        running.finish()
        said = b""
        while data := await running.read():
            said += data

    assert b"stream\nsecret\n" == said


async def test_leaving_kills_what_still_runs(place: Place, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    async with place.pipe(f"echo $$ > {pid}; echo up; exec sleep 1000") as running:
        await running.read()

    process = Path(f"/proc/{pid.read_text().strip()}")
    await until(lambda: not process.exists() or "Z" in (process / "stat").read_text().split(") ")[1][:1])


async def test_what_does_not_start_says_so(place: Place) -> None:
    with pytest.raises(CommandFailed, match="NUL"):
        async with pipe(place.host, Command(("zfs", "\0"))):
            pass


async def test_a_link_that_is_cut_leaves_the_end_unknown(known: Lan) -> None:
    host = await known.connected()
    async with pipe(host, sh("cat")) as running:
        await running.write(b"x")
        assert b"x" == await running.read()
        known.wire.cut()
        assert b"" == await running.read()
        completed = await running.ended()
        with pytest.raises(BrokenPipeError):
            await running.write(b"y")

    assert (Outcome.UNKNOWN, None) == (completed.outcome, completed.status)
    assert "connection was lost" in completed.reason


async def test_without_a_link_nothing_starts(known: Lan) -> None:
    host: SshHost = known.host()
    with pytest.raises(LinkLost):
        async with pipe(host, sh("true")):
            pass


async def test_a_host_that_cannot_says_so() -> None:
    with pytest.raises(HostError, match="does not support streams"):
        pipe(ScriptedHost(), sh("true"))


async def test_wrappers_pass_it_on_and_the_log_has_its_end(tmp_path: Path) -> None:
    clock = SystemClock()
    memory = Memory(clock, keep_s=60, max_bytes=1000)
    host = LoggedHost(RememberedHost(RecordingHost(LocalHost(), tmp_path / "kept", clock), memory), clock)
    async with pipe(host, sh("cat; exit 4")) as running:
        await running.write(b"secret")
        running.finish()
        assert b"secret" == await running.read()
        await running.ended()

    (ran,) = host.commands()
    assert (("sh", "-c", "cat; exit 4"), Outcome.FAILED, 4) == (ran.argv, ran.outcome, ran.status)
    assert () == memory.answers()
    assert "secret" not in (tmp_path / "kept" / "index.jsonl").read_text()


async def test_what_is_killed_ends_with_all_that_it_started(place: Place, tmp_path: Path) -> None:
    """Its end is seen, and not taken for an answer."""
    started, left = tmp_path / "started", tmp_path / "left"

    async with place.pipe(f"(sleep 1000; touch {left}) & echo $! > {started}; echo 1; sleep 1000") as running:
        assert b"1\n" == await running.read()
        running.kill()
        running.kill()
        completed = await running.ended()

        number = int(started.read_text())
        await until(lambda: not is_alive(number))

    assert (Outcome.UNKNOWN, None) == (completed.outcome, completed.status)
    assert not left.exists()


def is_alive(number: int) -> bool:
    """Whether a process is there that is not only waited for."""
    try:
        return "zombie" not in Path(f"/proc/{number}/status").read_text()
    except FileNotFoundError:
        return False
