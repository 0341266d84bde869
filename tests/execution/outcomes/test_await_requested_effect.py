"""The wait for a guest: until it is so, its deadline, or the user leaves; a lost link ends nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.doubles.practice_runs import Bench
from zconsole.actions.guest.guest_steps import shutdown_step
from zconsole.actions.plan import Step
from zconsole.base.errors import LinkLost
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.outcomes.await_requested_effect import Awaited, Wait, await_effect, await_libvirt
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.guests.guest import Guest, GuestDefinition, GuestState, GuestStatus
from zconsole.practice.libvirt.guests import PracticeGuest
from zconsole.practice.program_and_subcommand_table import answer

LOOKS = 4
STATE = "virsh -r -q -c qemu:///system domstats --raw --state"


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.world.lacking -= {"virsh"}
    made.world.guests.append(PracticeGuest("web01"))
    return made


async def made_ready(bench: Bench, within_s: float) -> tuple[Reader, Step]:
    """Who waits, and a request to shut down."""
    guest = bench.world.guests[0]
    known = Guest(GuestDefinition(guest.uuid, "web01"), GuestStatus("web01", GuestState.RUNNING))
    await bench.host.connect()
    asker = Asker(bench.host)
    return Reader(asker, bench.clock, Privilege(asker)), shutdown_step(known, within_s)


async def waited(
    bench: Bench, within_s: float, *leaving: asyncio.Event, told: Callable[[str], None] = lambda _: None
) -> Wait:
    """The end of the wait for a guest that was asked to shut down."""
    reader, step = await made_ready(bench, within_s)
    answer(bench.world, step.argv)
    return await await_effect(reader, step, leaving, told)


async def test_it_ends_when_the_guest_is_off(bench: Bench) -> None:
    bench.world.guests[0].shuts_down_in_s = 20.0
    began = bench.clock.monotonic()

    assert Awaited.SO is (await waited(bench, 60.0)).state
    assert 20.0 <= bench.clock.monotonic() - began < 23.0


async def test_it_tells_how_long_it_has_waited(bench: Bench) -> None:
    told: list[str] = []
    await waited(bench, 60.0, told=told.append)
    assert "for 0s of at most 1m: guest web01 is still running" == told[0]


async def test_at_its_deadline_it_tells_the_state(bench: Bench) -> None:
    bench.world.guests[0].shuts_down_in_s = None

    ended = await waited(bench, 30.0)

    assert Awaited.NOT_SO is ended.state
    assert "after 30s guest web01 is still running; it was asked, and may still do it" == ended.words


async def test_a_host_that_does_not_tell_is_asked_until_the_deadline(bench: Bench) -> None:
    bench.host.answers[STATE] = LinkLost("cut")
    began = bench.clock.monotonic()

    assert Awaited.NOT_SEEN is (await waited(bench, 30.0)).state
    assert 30.0 <= bench.clock.monotonic() - began


NO_SOCKET = b"error: Failed to connect socket to '/var/run/libvirt/libvirt-sock': No such file or directory\n"
DEAD = Completed(Command(()), Outcome.FAILED, 1, b"", b"error: failed to connect\n" + NO_SOCKET)


async def test_a_libvirt_that_does_not_answer_is_told_while_it_is_awaited(bench: Bench) -> None:
    bench.world.guests[0].shuts_down_in_s = 20.0
    told: list[str] = []

    def comes_back(words: str) -> None:
        told.append(words)
        if len(told) == LOOKS:
            del bench.host.answers[STATE]

    bench.host.answers[STATE] = DEAD
    ended = await waited(bench, 60.0, told=comes_back)

    assert Wait(Awaited.SO) == ended
    assert "for 0s of at most 1m: libvirt does not tell the state of web01" == told[0]
    assert told[LOOKS].endswith("guest web01 is still running")


async def test_at_the_deadline_it_is_told_that_libvirt_does_not_answer(bench: Bench) -> None:
    bench.host.answers[STATE] = DEAD
    ended = await waited(bench, 30.0)
    assert Wait(Awaited.NOT_SEEN, "after 30s libvirt does not tell the state of web01") == ended


async def test_a_request_that_did_not_reach_libvirt_waits_until_it_tells_of_the_guest(bench: Bench) -> None:
    told: list[str] = []

    def comes_back(words: str) -> None:
        told.append(words)
        if len(told) == LOOKS:
            del bench.host.answers[STATE]

    bench.host.answers[STATE] = DEAD
    reader, step = await made_ready(bench, 60.0)
    assert await await_libvirt(reader, step, (), comes_back)
    assert LOOKS == len(told)

    bench.host.answers[STATE] = DEAD
    assert not await await_libvirt(reader, step, (), told.append)


async def test_who_leaves_is_told_that_the_request_stays(bench: Bench) -> None:
    left = asyncio.Event()
    left.set()

    ended = await waited(bench, 30.0, left)

    assert Awaited.NOT_SO is ended.state
    assert (
        "you stopped waiting: guest web01 is still running; it was asked, and may still do it" == ended.words
    )
