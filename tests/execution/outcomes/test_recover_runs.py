"""After a crash: what was sent and not seen to end is settled by the next console, and nothing is sent."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.doubles.practice_runs import HOST, Bench, WatchedHost, directly
from zconsole.actions.intent import Intent, intent
from zconsole.base.errors import LinkLost
from zconsole.execution.run_context import console_id
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost
from zconsole.practice.world.vdev_states_and_drive_unplugging import unplug
from zconsole.service import prepare_execute_and_recover_plans as operator_module
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import JournalError

HOLD = intent("hold", "tank/home@a", "keep")
SCRUB = intent("scrub", "tank")
DEAD = "another boot:1:1"


class Killed(BaseException):
    """The console ends here."""


class Killing(WatchedHost):
    """The console is killed just before the change, or just after it."""

    def __init__(self, inner: WatchedHost, *, after: bool) -> None:
        super().__init__(inner)
        self._after = after
        self.host_key = inner.host_key

    async def run(self, command: Command) -> Completed:
        if command.effect is Effect.CHANGE:
            if self._after:
                await super().run(command)
            raise Killed
        return await super().run(command)


class LosingAfterwards(WatchedHost):
    """Nothing can be read any more once something was changed, until the link is back."""

    is_lost = False

    async def run(self, command: Command) -> Completed:
        if self.is_lost:
            raise LinkLost("the link is gone")
        completed = await super().run(command)
        self.is_lost = command.effect is Effect.CHANGE
        return completed


async def crash(bench: Bench, wanted: Intent, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> None:
    """A console is killed while it carries out a plan."""
    monkeypatch.setattr(operator_module, "console_id", lambda: DEAD)
    operator = bench.another(Killing(bench.host, after=after))
    plan = await operator.prepare(HOST, wanted)
    with pytest.raises(Killed):
        await operator.execute(HOST, plan, plan.confirm or "")
    monkeypatch.undo()
    bench.world.connection += 1  # its sshd is gone with it
    bench.published.clear()
    bench.host.commands.clear()


@pytest.mark.parametrize("wanted", [HOLD, SCRUB])
@pytest.mark.parametrize("after", [True, False])
async def test_the_next_console_finds_out_what_happened(
    wanted: Intent, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench()
    await crash(bench, wanted, monkeypatch, after=after)
    assert "sent" == bench.journal.entries()[0].steps[0].state

    await bench.another().recover(HOST, patience_s=75.0)

    (entry,) = bench.journal.entries()
    assert (RunState.DONE if after else RunState.FAILED) is entry.state
    assert ("done" if after else "failed") == entry.steps[0].state
    assert "its end is not in the journal" in entry.steps[0].settled
    assert [RunState.SETTLING, entry.state] == list(dict.fromkeys(run.state for run in bench.published))
    assert [] == bench.host.changes


@pytest.mark.parametrize(("is_pulled", "state"), [(False, RunState.DONE), (True, RunState.UNKNOWN)])
async def test_a_clear_whose_end_was_not_seen_is_settled_by_its_device_too(
    is_pulled: bool, state: RunState, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench()
    leaf = bench.world.disks[0]
    bench.type(f"zpool offline -f tank {leaf.links[0]}")
    await crash(bench, intent("clear", "tank"), monkeypatch, after=True)
    if is_pulled:
        unplug(bench.world, leaf)

    await bench.another().recover(HOST, patience_s=75.0)

    (entry,) = bench.journal.entries()
    assert state is entry.state
    assert is_pulled is ("and yet not so, or not known" in entry.words)
    assert [] == bench.host.changes


async def test_a_clear_that_succeeded_is_not_done_where_its_device_could_not_be_read() -> None:
    bench = Bench()
    bench.type(f"zpool offline -f tank {bench.world.disks[0].links[0]}")
    host = LosingAfterwards(bench.host)
    console = bench.another(host)
    plan = await console.prepare(HOST, intent("clear", "tank"))

    run = await console.execute(HOST, plan)
    host.is_lost = False
    (found,) = await console.recover(HOST)

    assert RunState.UNKNOWN is run.state
    assert RunState.DONE is found.state
    assert 1 == len(host.changes)


async def test_what_this_console_could_not_settle_it_settles_when_the_host_is_there_again() -> None:
    bench = Bench()
    console = bench.another(Killing(bench.host, after=True))
    plan = await console.prepare(HOST, HOLD)
    with pytest.raises(Killed):
        await console.execute(HOST, plan)

    await console.recover(HOST)

    (entry,) = bench.journal.entries()
    assert (RunState.DONE, "done") == (entry.state, entry.steps[0].state)
    assert entry.steps[0].settled.startswith(
        "its end is not in the journal; found out 2026-11-21 00:00:00 UTC: it happened"
    )
    assert 1 == len(bench.host.changes)


async def test_an_end_that_was_seen_and_could_not_be_written_is_not_called_a_console_that_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()

    def full(*_: object) -> None:
        raise JournalError("the journal cannot be written: disk full")

    with monkeypatch.context() as failing:
        failing.setattr(operator_module, "console_id", lambda: DEAD)
        failing.setattr(bench.journal, "step_ended", full)
        failing.setattr(bench.journal, "run_ended", full)
        operator = bench.another()
        plan = await operator.prepare(HOST, HOLD)
        run = await operator.execute(HOST, plan)

    await bench.another().recover(HOST)

    assert RunState.DONE is run.state
    assert "the end of this run is not in the journal: the journal cannot be written: disk full" in run.words
    (entry,) = bench.journal.entries()
    assert (RunState.DONE, "done") == (entry.state, entry.steps[0].state)
    assert entry.words.startswith("its end is not in the journal; found out ")


async def test_what_ended_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    await crash(bench, HOLD, monkeypatch, after=True)
    await bench.another().recover(HOST)
    bench.published.clear()

    await bench.another().recover(HOST)

    assert [] == bench.published


async def test_what_another_console_is_carrying_out_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process lives, so its run is not an abandoned one."""
    bench = Bench()
    monkeypatch.setattr(operator_module, "console_id", lambda: console_id(os.getppid()))
    operator = bench.another(Killing(bench.host, after=False))
    plan = await operator.prepare(HOST, HOLD)
    with pytest.raises(Killed):
        await operator.execute(HOST, plan)
    monkeypatch.undo()
    bench.published.clear()

    await bench.another().recover(HOST)

    assert [] == bench.published
    assert "sent" == bench.journal.entries()[0].steps[0].state


async def test_another_machine_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    await crash(bench, HOLD, monkeypatch, after=True)
    bench.world.machine_id = "0" * 32

    await bench.another().recover(HOST)

    (entry,) = bench.journal.entries()
    assert RunState.UNKNOWN is entry.state
    assert "another machine answers" in entry.words


def by_another_name(bench: Bench) -> WatchedHost:
    """The same machine under another label."""
    return WatchedHost(PracticeHost("alias", clock=bench.manual, world=bench.world))


@pytest.mark.parametrize("after", [True, False])
async def test_a_run_is_settled_through_any_name_of_its_machine(
    after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench()
    await crash(bench, HOLD, monkeypatch, after=after)

    await bench.another(by_another_name(bench)).recover("alias", patience_s=75.0)

    (entry,) = bench.journal.entries()
    assert (HOST, RunState.DONE if after else RunState.FAILED) == (entry.host, entry.state)
    assert {"alias"} == {run.host for run in bench.published}


@pytest.mark.parametrize(
    ("machine_id", "host_key"), [("0" * 32, None), ("0" * 32, "SHA256:a"), (None, "SHA256:clone")]
)
async def test_a_run_of_another_machine_is_left_alone(
    machine_id: str | None, host_key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one, one made from the same image, and a clone that made new keys."""
    bench = Bench()
    bench.host.host_key = "SHA256:a"
    await crash(bench, HOLD, monkeypatch, after=True)
    bench.world.machine_id = machine_id or bench.world.machine_id
    other = by_another_name(bench)
    other.host_key = host_key

    await bench.another(other).recover("alias")

    assert [] == bench.published
    assert "sent" == bench.journal.entries()[0].steps[0].state


async def test_two_names_of_a_machine_settle_a_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    await crash(bench, HOLD, monkeypatch, after=True)
    console = Operator(
        [bench.host, by_another_name(bench)],
        clock=bench.clock,
        policies=bench.policies,
        journal=bench.journal,
        publish=bench.published.append,
        write=directly,
    )

    await asyncio.gather(console.recover(HOST), console.recover("alias"))

    assert 1 == sum(run.state is RunState.SETTLING for run in bench.published)
    assert RunState.DONE is bench.journal.entries()[0].state


async def test_a_run_that_had_sent_nothing_has_done_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    monkeypatch.setattr(operator_module, "console_id", lambda: DEAD)
    operator = bench.another()
    plan = await operator.prepare(HOST, HOLD)

    def die(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(bench.journal, "sent", die)
    with pytest.raises(Killed):
        await operator.execute(HOST, plan)
    monkeypatch.undo()

    await bench.another().recover(HOST)

    (entry,) = bench.journal.entries()
    assert (RunState.REFUSED, "nothing was sent") == (entry.state, entry.words)
