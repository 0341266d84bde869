"""A host that remembers what it ran: what, when, what became of it, and no secret."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, ScriptedStream, failed
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed, HostError, LinkLost
from zconsole.hosts.command_log import CHANGES_KEPT, KEPT, LoggedHost
from zconsole.hosts.host import Command, Effect, Outcome


@pytest.fixture
def inner() -> ScriptedHost:
    host = ScriptedHost()
    host.answers = {"id": b"uid=0(root)\n", "false": failed("false", 1, b"no"), "zfs": b""}
    return host


async def test_each_command_is_kept_with_its_end(inner: ScriptedHost) -> None:
    logged = LoggedHost(inner, ManualClock(now=1000.0))

    await logged.run(Command(("id",)))
    await logged.run(Command(("false",), Effect.CHANGE, stdin=b"hunter2"))

    first, second = logged.commands()
    assert (("id",), Effect.READ, Outcome.DONE, 0, 1000.0) == (
        first.argv,
        first.effect,
        first.outcome,
        first.status,
        first.at,
    )
    assert (Effect.CHANGE, Outcome.FAILED, 1) == (second.effect, second.outcome, second.status)
    assert first.number < second.number
    assert "hunter2" not in repr(second)


async def test_what_could_not_be_sent_is_told_with_the_reason(inner: ScriptedHost) -> None:
    logged = LoggedHost(inner)
    inner.cut()

    with pytest.raises(LinkLost):
        await logged.run(Command(("id",)))

    assert "the link to nas1 was lost" == logged.commands()[0].reason


async def test_a_stream_runs_until_it_ends(inner: ScriptedHost) -> None:
    stream = inner.streams["zpool events"] = ScriptedStream()
    logged = LoggedHost(inner)
    stream.feed(b"x")
    stream.feed(CommandFailed("it ended"))

    async def follow() -> None:
        async with logged.stream(Command(("zpool", "events"))) as chunks:
            assert b"x" == await anext(chunks)
            assert logged.commands()[0].outcome is None
            await anext(chunks)

    with pytest.raises(CommandFailed):
        await follow()

    assert (Outcome.DONE, "it ended") == (logged.commands()[0].outcome, logged.commands()[0].reason)


async def test_looking_does_not_push_out_what_changed_something(inner: ScriptedHost) -> None:
    logged = LoggedHost(inner)
    await logged.run(Command(("zfs", "destroy", "tank/a"), Effect.CHANGE))

    for _ in range(KEPT + 5):
        await logged.run(Command(("id",)))

    assert KEPT + 1 == len(logged.commands()) <= KEPT + CHANGES_KEPT
    assert Effect.CHANGE is logged.commands()[0].effect


async def test_a_host_without_a_key_says_so(inner: ScriptedHost) -> None:
    logged = LoggedHost(inner)

    assert logged.host_key is None
    with pytest.raises(HostError, match="nas1 has no key"):
        await logged.accept_key("SHA256:x")
