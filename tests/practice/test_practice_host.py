"""The practice host keeps the promises of a Host, also when things go wrong."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed, HostUnreachable, LinkLost
from zconsole.hosts.host import Command, Completed, Host, Outcome
from zconsole.practice import Faults, PracticeHost, create_world

EPOCH = 1_795_219_200.0
LIST = Command(("zpool", "list", "-Hp"))


async def settle() -> None:
    """Let every task reach its next wait."""
    for _ in range(30):
        await asyncio.sleep(0)


async def connected(clock: ManualClock | None = None, faults: Faults | None = None) -> PracticeHost:
    host = PracticeHost(clock=clock or ManualClock(EPOCH), faults=faults)
    await host.connect()
    return host


async def finish(task: asyncio.Task[Completed], clock: ManualClock, *, seconds: float) -> Completed:
    """Let the clock run until a command has ended."""
    await settle()
    clock.advance(seconds)
    await settle()
    assert task.done()
    return task.result()


class Collected:
    """What a stream gives, read in the background."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self.chunks: list[bytes] = []
        self.error: Exception | None = None
        self.task = asyncio.ensure_future(self._read(chunks))

    async def _read(self, chunks: AsyncIterator[bytes]) -> None:
        try:
            async for chunk in chunks:
                self.chunks.append(chunk)
        except (CommandFailed, LinkLost) as error:
            self.error = error

    async def stop(self) -> None:
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task


async def test_it_is_a_host() -> None:
    host: Host = await connected()

    completed = await host.run(LIST)

    assert "practice" == host.label
    assert (Outcome.DONE, 0, b"") == (completed.outcome, completed.status, completed.stderr)
    assert [b"bulk", b"tank", b"vault"] == [line.split(b"\t")[0] for line in completed.stdout.splitlines()]


async def test_a_command_that_says_no_has_failed() -> None:
    host = await connected()

    completed = await host.run(Command(("zpool", "status", "nosuch")))

    assert (Outcome.FAILED, 1, "cannot open 'nosuch': no such pool") == (
        completed.outcome,
        completed.status,
        completed.said,
    )


async def test_nothing_runs_before_connecting_and_after_closing() -> None:
    host = PracticeHost(clock=ManualClock(EPOCH))
    with pytest.raises(LinkLost):
        await host.run(LIST)

    await host.connect()
    await host.connect()
    await host.close()

    with pytest.raises(LinkLost):
        await host.read("/etc/hostname")


async def test_the_world_moves_with_the_clock() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    diskstats = await host.read("/proc/diskstats")

    assert diskstats == await host.read("/proc/diskstats")
    clock.advance(1.0)

    assert diskstats != await host.read("/proc/diskstats")


async def test_files_are_read_and_missing_ones_are_missing() -> None:
    host = await connected()

    assert b"ONLINE\n" == await host.read("/proc/spl/kstat/zfs/tank/state")
    assert b"storage1" == await host.read("/etc/hostname", max_bytes=8)
    with pytest.raises(FileNotFoundError):
        await host.read("/proc/spl/kstat/zfs/nosuch/state")


async def test_a_suspended_pool_hangs_its_commands_and_no_others() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    host.suspend("tank")
    status = Command(("zpool", "status", "tank"), timeout_s=5.0)

    task = asyncio.ensure_future(host.run(status))
    await settle()
    clock.advance(4.9)
    await settle()
    assert not task.done()

    completed = await finish(task, clock, seconds=0.2)
    assert (Outcome.UNKNOWN, None, "no answer within 5 s") == (
        completed.outcome,
        completed.status,
        completed.reason,
    )
    assert host.is_lingering(status)
    assert b"SUSPENDED\n" == await host.read("/proc/spl/kstat/zfs/tank/state")
    assert (await host.run(Command(("zpool", "status", "bulk")))).is_done
    assert (await host.run(Command(("zfs", "version")))).is_done


async def test_what_hung_goes_on_when_the_pool_resumes() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    host.suspend("tank")
    everything = Command(("zpool", "list"), timeout_s=60.0)
    task = asyncio.ensure_future(host.run(everything))
    await settle()

    host.resume("tank")
    await settle()

    assert task.result().is_done
    assert not host.is_lingering(everything)


async def test_a_pool_whose_drives_are_back_resumes_when_it_is_cleared() -> None:
    host = await connected()
    drives = [leaf.disk.serial for leaf in host.pool("tank").root.children[0].leaves() if leaf.disk]
    for serial in drives:
        host.unplug(serial)
    status = Command(("zpool", "status", "tank"), timeout_s=60.0)
    graph = asyncio.ensure_future(host.run(status))

    refused = await host.run(Command(("zpool", "clear", "tank")))
    assert (1, "cannot clear errors for tank: I/O error") == (refused.status, refused.said)
    for serial in drives:
        host.plug(serial)
    await settle()
    assert not graph.done()

    assert (await host.run(Command(("zpool", "clear", "tank")))).is_done
    await settle()

    assert b" state: ONLINE\n" in graph.result().stdout
    assert b"ereport.fs.zfs.io_failure" in (await host.run(Command(("zpool", "events", "-H")))).stdout


async def test_a_command_that_waits_ends_with_that_for_which_it_waits() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    scrub = asyncio.ensure_future(host.run(Command(("zpool", "scrub", "-w", "tank"), timeout_s=1e6)))
    waited = asyncio.ensure_future(host.run(Command(("zpool", "wait", "-t", "scrub", "tank"), timeout_s=1e6)))
    await settle()
    assert not scrub.done()

    for _ in range(40):
        clock.advance(600.0)
        await settle()

    assert (0, b"") == (scrub.result().status, scrub.result().stdout)
    assert waited.result().is_done
    scan = host.pool("tank").scan
    assert scan is not None
    assert "FINISHED" == scan.state


async def test_lingering_ends_with_the_hang() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    host.hang("lsblk")
    command = Command(("lsblk", "-J"), timeout_s=1.0)

    await finish(asyncio.ensure_future(host.run(command)), clock, seconds=1.0)
    assert host.is_lingering(command)
    assert not host.is_lingering(LIST)

    host.release()
    assert not host.is_lingering(command)
    assert (await host.run(command)).is_done


async def test_a_slow_host_takes_its_time() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock, Faults(answer_after_s=3.0))

    completed = await finish(asyncio.ensure_future(host.run(LIST)), clock, seconds=3.0)

    assert completed.is_done
    assert 3.0 == completed.duration_s


async def test_missing_programs_are_not_found() -> None:
    host = await connected(faults=Faults(missing={"zpool"}))

    completed = await host.run(LIST)

    assert (Outcome.FAILED, 127, "zpool: command not found") == (
        completed.outcome,
        completed.status,
        completed.said,
    )
    assert (await host.run(Command(("zfs", "version")))).is_done


async def test_forbidden_programs_and_files_are_refused() -> None:
    host = await connected(faults=Faults(denied={"zpool", "/etc/machine-id"}))

    assert 126 == (await host.run(LIST)).status
    assert 1 == (await host.run(Command(("cat", "/etc/machine-id")))).status
    with pytest.raises(PermissionError):
        await host.read("/etc/machine-id")


async def test_a_cut_link_leaves_the_command_unknown_and_connecting_mends_it() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock, Faults(answer_after_s=5.0))
    task = asyncio.ensure_future(host.run(LIST))
    await settle()

    host.cut_link()
    await settle()

    assert (Outcome.UNKNOWN, None) == (task.result().outcome, task.result().status)
    with pytest.raises(LinkLost):
        await host.run(LIST)
    await host.connect()
    host.faults.answer_after_s = 0.0
    assert (await host.run(LIST)).is_done


async def test_a_host_that_is_not_there_cannot_be_connected() -> None:
    host = PracticeHost(clock=ManualClock(EPOCH), faults=Faults(is_unreachable=True))

    with pytest.raises(HostUnreachable):
        await host.connect()


async def test_output_that_is_cut_short_is_unknown_never_done() -> None:
    host = await connected(faults=Faults(cut_after_bytes=10))

    completed = await host.run(LIST)

    assert (Outcome.UNKNOWN, None, 10) == (completed.outcome, completed.status, len(completed.stdout))


async def test_output_beyond_the_limit_of_the_command_is_unknown() -> None:
    host = await connected()

    completed = await host.run(Command(("zfs", "list", "-t", "all"), max_bytes=1000))

    assert (Outcome.UNKNOWN, 1000) == (completed.outcome, len(completed.stdout))
    assert "more than 1000 bytes" in completed.reason


async def test_noise_stands_in_front() -> None:
    host = await connected(faults=Faults(noise=b"\x00\xff"))

    assert (await host.run(LIST)).stdout.startswith(b"\x00\xffbulk")


async def test_a_stream_gives_a_sample_an_interval() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    command = Command(("zpool", "iostat", "-T", "u", "-Hpvlqy", "tank", "bulk", "1"))

    async with host.stream(command) as chunks:
        collected = Collected(chunks)
        await settle()
        first = list(collected.chunks)
        for _ in range(3):
            clock.advance(1.0)
            await settle()
        await collected.stop()

    assert [b"1795219200\n"] == first  # -y looks first, and stamps that too
    assert 4 == len(collected.chunks)
    assert collected.chunks[1].startswith(b"1795219201\ntank\t")
    assert b"\nbulk\t" in collected.chunks[1]
    assert b"\nvault\t" not in collected.chunks[1]


async def test_a_stream_with_a_count_ends_and_says_so() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)

    async with host.stream(Command(("zpool", "iostat", "-Hp", "tank", "1", "2"))) as chunks:
        collected = Collected(chunks)
        await settle()
        clock.advance(1.0)
        await settle()

    assert 2 == len(collected.chunks)
    assert isinstance(collected.error, CommandFailed)


async def test_run_waits_for_a_command_that_goes_on() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    task = asyncio.ensure_future(host.run(Command(("zpool", "iostat", "-Hpy", "tank", "1", "2"))))
    for _ in range(2):
        await settle()
        clock.advance(1.0)

    completed = await finish(task, clock, seconds=0.0)

    assert 2 == len(completed.stdout.splitlines())


async def test_a_stream_of_a_suspended_pool_goes_silent_and_comes_back() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    async with host.stream(Command(("zpool", "iostat", "-Hpy", "tank", "1"))) as chunks:
        collected = Collected(chunks)
        await settle()
        host.suspend("tank")
        for _ in range(5):
            clock.advance(1.0)
            await settle()
        silent = len(collected.chunks)

        host.resume("tank")
        await settle()
        await collected.stop()

    assert [b""] * silent == collected.chunks[:silent]
    assert len(collected.chunks) == silent + 1


async def test_a_stream_whose_link_is_cut_ends_with_that() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    async with host.stream(Command(("zpool", "iostat", "-Hp", "tank", "1"))) as chunks:
        collected = Collected(chunks)
        await settle()

        host.cut_link()
        await settle()

    assert isinstance(collected.error, LinkLost)


async def test_a_stream_that_is_refused_carries_the_words() -> None:
    host = await connected()
    async with host.stream(Command(("zpool", "iostat", "nosuch", "1"))) as chunks:
        collected = Collected(chunks)
        await settle()

    assert isinstance(collected.error, CommandFailed)
    assert "Unable to parse pools/vdevs list." == collected.error.said


async def test_events_are_followed_as_they_come() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    async with host.stream(Command(("zpool", "events", "-v", "-f"))) as chunks:
        collected = Collected(chunks)
        await settle()
        old = b"".join(collected.chunks)

        host.unplug("S6ESNX0T400121")
        clock.advance(1.0)
        await settle()
        await collected.stop()

    assert old.startswith(b"TIME                           CLASS\n")
    assert b"resilver_start" in old
    new = b"".join(collected.chunks)[len(old) :]
    assert 1 == new.count(b"resource.fs.zfs.statechange\n")
    assert b'vdev_state = "REMOVED" (0x3)' in new


async def test_leaving_a_stream_ends_it() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)
    async with host.stream(Command(("zpool", "iostat", "-Hpy", "tank", "1"))) as chunks:
        await anext(chunks)

    with pytest.raises(StopAsyncIteration):
        await anext(chunks)


async def test_a_disk_can_be_made_slow() -> None:
    clock = ManualClock(EPOCH)
    host = await connected(clock)

    host.set_slow("ZL2F1D04", 12.0)
    clock.advance(300.0)
    await host.read("/proc/diskstats")

    assert 12.0 == host.world.disk("ZL2F1D04").slow_factor


async def test_another_world_can_be_hosted() -> None:
    world = create_world("mirror 0 1", pool="small", now=EPOCH)
    host = PracticeHost("elsewhere", ManualClock(EPOCH), world=world)
    await host.connect()

    assert b"small\n" == (await host.run(Command(("zpool", "list", "-Ho", "name")))).stdout
