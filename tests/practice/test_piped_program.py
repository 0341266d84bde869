"""Streams between two programs of practice hosts."""

from __future__ import annotations

import asyncio

import pytest

from tests.practice.zfs.stage import Stage
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.hosts.host import Command, Outcome
from zconsole.practice import PracticeHost
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Sending
from zconsole.practice.ready_made_pools import create_pool
from zconsole.practice.world import dataset_writes_and_snapshots


@pytest.fixture
def stage() -> Stage:
    """Two pools, the first with tank/a: 8 MiB at @1, 4 more and 2 rewritten at @2, and another @3."""
    stage = Stage("zfs create tank/a")
    create_pool(stage.world, "vault", ["mirror", "LAB0009", "LAB0010"])
    stage.write("tank/a", 8)
    stage.does("zfs snapshot tank/a@1")
    dataset_writes_and_snapshots.delete(stage.pool, stage.dataset("tank/a"), 0.25)
    stage.write("tank/a", 4)
    stage.does("zfs snapshot tank/a@2")
    stage.write("tank/a", 1)
    stage.does("zfs snapshot tank/a@3")
    return stage


def sent(stage: Stage, line: str) -> bytes:
    found = answer(stage.world, line.split())
    assert isinstance(found, Sending), found
    return b"".join(found.chunks)


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
