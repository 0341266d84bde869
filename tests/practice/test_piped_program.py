"""Streams between two programs of practice hosts."""

from __future__ import annotations

import asyncio

import pytest

from tests.practice.send_receive.two_pools import sent, two_pools
from tests.practice.zfs.stage import Stage
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.hosts.host import Command, Outcome
from zconsole.practice import PracticeHost


@pytest.fixture
def stage() -> Stage:
    return two_pools()


def prop(stage: Stage, name: str, key: str) -> str:
    return stage.get(name, key)


async def test_the_host_passes_streams_on_at_the_pace_of_its_disks(stage: Stage) -> None:
    clock = ManualClock(stage.world.now)
    host = PracticeHost(clock=clock, world=stage.world)
    await host.connect()

    async def pass_time() -> None:
        while True:
            clock.advance(0.5)
            await asyncio.sleep(0)

    passing = asyncio.create_task(pass_time())
    async with (
        host.pipe(Command(("zfs", "send", "tank/a@1"))) as source,
        host.pipe(Command(("zfs", "receive", "-s", "-u", "vault/a"))) as sink,
    ):
        while data := await source.read():
            await sink.write(data)
        sink.finish()
        ends = await source.ended(), await sink.ended()
    passing.cancel()

    assert [Outcome.DONE, Outcome.DONE] == [each.outcome for each in ends]
    assert prop(stage, "tank/a@1", "guid") == prop(stage, "vault/a@1", "guid")


async def test_a_link_that_is_cut_ends_what_was_received_there(stage: Stage) -> None:
    host = PracticeHost(clock=ManualClock(stage.world.now), world=stage.world)
    await host.connect()
    stream = sent(stage, "zfs send tank/a@1")
    async with host.pipe(Command(("zfs", "receive", "-s", "-u", "vault/a"))) as sink:
        await sink.write(stream[:500_000])
        host.cut_link()
        with pytest.raises(BrokenPipeError):
            await sink.write(stream[500_000:])
        end = await sink.ended()

    assert (Outcome.UNKNOWN, None) == (end.outcome, end.status)
    assert "-" != prop(stage, "vault/a", "receive_resume_token")


async def test_what_goes_on_for_ever_is_not_piped(stage: Stage) -> None:
    host = PracticeHost(clock=ManualClock(stage.world.now), world=stage.world)
    await host.connect()
    with pytest.raises(CommandFailed, match="no stream"):
        async with host.pipe(Command(("zpool", "iostat", "1"))):
            pass
