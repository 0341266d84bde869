"""Whoever sits here wants to go, or the journal's disk hangs: what becomes of the step, and is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.doubles.practice_runs import HOST, Bench, WatchedHost
from zconsole.actions.intent import intent
from zconsole.execution.exit_during_reads_and_changes import GRACE_S
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.run import Run, RunState
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.run_in_thread import TookTooLong

HOLD = intent("hold", "tank/home@a", "keep")


class Slow(WatchedHost):
    """Its only change takes long, or for ever, and somebody wants to go meanwhile."""

    def __init__(self, bench: Bench, takes_s: float | None) -> None:
        super().__init__(bench.host)
        self.bench = bench
        self.takes_s = takes_s
        self.leave: Callable[[], None] = lambda: None
        self.was_cancelled = False

    async def run(self, command: Command) -> Completed:
        if command.effect is Effect.CHANGE:
            self.leave()
            try:
                if self.takes_s is None:
                    await asyncio.Event().wait()
                for _ in range(20):  # turns of the loop
                    await asyncio.sleep(0)
            except asyncio.CancelledError:
                self.was_cancelled = True
                raise
        return await super().run(command)


async def leaving(bench: Bench, host: Slow) -> Run:
    operator = bench.another(host)
    host.leave = operator.leave
    plan = await operator.prepare(HOST, HOLD)
    return await operator.execute(HOST, plan)


async def test_who_goes_before_anything_is_sent_has_nothing_run() -> None:
    bench = Bench()
    plan = await bench.operator.prepare(HOST, HOLD)
    bench.operator.leave()

    run = await bench.operator.execute(HOST, plan)

    assert (RunState.REFUSED, "you stopped it before anything was sent") == (run.state, run.words)
    assert [] == bench.host.changes


async def test_a_command_that_ends_soon_is_told_as_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    host = Slow(bench, 1.0)

    async def never(_: float) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(bench.clock, "sleep", never)
    run = await leaving(bench, host)

    assert RunState.DONE is run.state
    assert "done" == bench.journal.entries()[0].steps[0].state


async def test_one_that_goes_on_is_unknown_and_is_not_killed() -> None:
    bench = Bench()
    host = Slow(bench, None)
    began = bench.manual.monotonic()

    run = await leaving(bench, host)

    assert RunState.UNKNOWN is run.state
    assert run.words.startswith("you left before its end was seen; ")
    assert "the next zconsole that is opened on this host keeps checking" in run.words
    assert not host.was_cancelled
    assert GRACE_S <= bench.manual.monotonic() - began < 2 * GRACE_S
    (entry,) = bench.journal.entries()
    assert (RunState.UNKNOWN, "unknown", None) == (entry.state, entry.steps[0].state, entry.ended)


async def test_what_happened_meanwhile_is_seen_when_one_goes() -> None:
    bench = Bench()
    host = Slow(bench, None)
    host_leave = bench.another(host)
    plan = await host_leave.prepare(HOST, HOLD)

    def leave() -> None:
        bench.type("zfs hold keep tank/home@a")
        host_leave.leave()

    host.leave = leave
    run = await host_leave.execute(HOST, plan)

    assert RunState.DONE is run.state
    assert "it happened" in run.steps[0].settled


class Watching(WatchedHost):
    """Somebody stops the run when that command is sent for the last time before the change."""

    def __init__(self, bench: Bench, at: int) -> None:
        super().__init__(bench.host)
        self.at, self.number = at, 0
        self.stop: Callable[[], None] = lambda: None

    async def run(self, command: Command) -> Completed:
        self.number += 1
        if self.number == self.at:
            self.stop()
        return await super().run(command)


async def test_a_run_that_is_stopped_before_its_first_command_sends_nothing() -> None:
    """At each command that only looks, up to the last one before the change."""
    at = 0
    while True:
        at += 1
        bench = Bench()
        host = Watching(bench, 0)
        operator = bench.another(host)
        plan = await operator.prepare(HOST, HOLD)
        host.at = host.number + at

        def stop(operator: Operator = operator) -> None:
            operator.stop(next(iter(operator._context.stops)))

        host.stop = stop
        run = await operator.execute(HOST, plan)
        if host.changes:
            break

        assert (RunState.REFUSED, "you stopped it before anything was sent") == (run.state, run.words), at
        for entry in bench.journal.entries():
            assert (RunState.REFUSED, None) == (entry.state, entry.steps[0].status)
    assert Effect.CHANGE is host.commands[host.at - 1].effect, "the first that came too late to stop it"
    assert RunState.DONE is run.state


@pytest.mark.parametrize("call", ["begin", "sent"])
@pytest.mark.parametrize("is_late", [True, False])
async def test_a_write_to_the_journal_that_is_given_up_sends_nothing_and_says_so(
    call: str, is_late: bool
) -> None:
    """It comes to its end before what refuses the run is written, or after that."""
    bench = Bench()
    left: list[Callable[[], Any]] = []

    def write(work: Callable[..., Any], *arguments: Any) -> Awaitable[Any]:
        async def writes() -> Any:
            if work.__name__ != call:
                return work(*arguments)
            if is_late:
                left.append(lambda: work(*arguments))
            else:
                work(*arguments)
            raise TookTooLong(f"{call} took more than 15 s")

        return writes()

    operator = Operator(
        [bench.host], clock=bench.clock, policies=bench.policies, journal=bench.journal, write=write
    )
    plan = await operator.prepare(HOST, HOLD)
    run = await operator.execute(HOST, plan)
    for late in left:
        if call == "sent":
            with pytest.raises(Exception, match="no such run that goes on"):
                late()
        else:
            late()
    await bench.another().recover(HOST)

    assert RunState.REFUSED is run.state
    assert [] == bench.host.changes
    (entry,) = bench.journal.entries()
    assert RunState.REFUSED is entry.state
    assert entry.steps[0].state in {"waiting", "not sent"}
    assert None is entry.steps[0].sent
