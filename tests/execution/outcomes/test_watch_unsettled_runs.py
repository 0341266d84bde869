"""A link that is cut on receipt, and a command that runs long after: absence proves nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from tests.doubles.practice_runs import HOST, Bench, WatchedHost, directly
from zconsole.actions.intent import intent
from zconsole.base.clock import ManualClock
from zconsole.base.errors import NeverSent
from zconsole.execution.execute import _Execution
from zconsole.execution.outcomes.uncertain_step import APART_S, SETTLE_FOR_S
from zconsole.execution.outcomes.watch_unsettled_runs import FIRST_S, UnsettledWatch
from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Effect, Outcome
from zconsole.hosts.process_list_and_command_search import LIST_PROCESSES
from zconsole.model.journal import Entry
from zconsole.model.run import Run, RunState
from zconsole.practice.system.mounts_and_processes import SERVES, stat
from zconsole.service import prepare_execute_and_recover_plans as operator_module
from zconsole.service.prepare_execute_and_recover_plans import Operator

DESTROY = intent("destroy", "tank/home@a")
CONFIRM = f"{HOST}:tank/home@a"
LOST = "the connection was lost before it was seen to end"
DEAD = "another boot:1:1"
LATE_S = 28.0


@dataclass
class Under:
    """A command under way there that nobody sees the end of; times in monotonic seconds."""

    command: Command
    connection: int
    starts: float | None  # None: the process that serves the connection is stopped, and never takes it
    runs_s: float = 0.0


class CutOnReceipt(WatchedHost):
    """Cuts the link when a change was received; sshd takes it up `late_s` after, and it runs for `runs_s`."""

    def __init__(
        self, bench: Bench, *, late_s: float | None = LATE_S, runs_s: float = 0.0, spoils: bool = False
    ) -> None:
        super().__init__(bench.host)
        self.world = bench.world
        self.manual: ManualClock = bench.manual
        self.late_s = late_s
        self.runs_s = runs_s
        self.spoils = spoils
        self.under_way: list[Under] = []
        self.others: dict[int, tuple[str, ...]] = {}

    @property
    def connection(self) -> int:
        return self.world.connection

    async def run(self, command: Command) -> Completed:
        await self.go_on()
        if command.connection not in {None, self.connection}:
            raise NeverSent("another connection")
        if command.effect is Effect.CHANGE:
            self.commands.append(command)
            starts = None if self.late_s is None else self.manual.monotonic() + self.late_s
            self.under_way.append(Under(command, self.connection, starts, self.runs_s))
            self.world.connection += 1  # what connects next has an sshd of its own
            return unknown(command, LOST)
        completed = await super().run(command)
        return self._with_processes(completed) if command.argv == LIST_PROCESSES.argv else completed

    async def go_on(self) -> None:
        """What is due happens, unless it comes to nothing."""
        now = self.manual.monotonic()
        for each in tuple(self.under_way):
            if each.starts is not None and each.starts + each.runs_s <= now:
                self.under_way.remove(each)
                if not self.spoils:
                    await self.inner.run(Command(each.command.argv, Effect.CHANGE, stdin=each.command.stdin))

    def _with_processes(self, completed: Completed) -> Completed:
        now, records = self.manual.monotonic(), ""
        for each in self.under_way:
            has_begun = each.starts is not None and each.starts <= now
            number = 60_000 + each.connection if has_begun else each.connection
            words = each.command.argv if has_begun else (SERVES,)
            records += f"/proc/{number}/stat:{stat(number, words[0])}\0"
            records += "".join(f"/proc/{number}/cmdline:{word}\0" for word in words)
        for number, words in self.others.items():
            records += f"/proc/{number}/stat:{stat(number, words[0])}\0"
            records += "".join(f"/proc/{number}/cmdline:{word}\0" for word in words)
        stdout = completed.stdout + records.encode()
        return Completed(completed.command, Outcome.DONE, 0, stdout, b"")


@pytest.fixture
def bench() -> Bench:
    return Bench()


def is_gone(bench: Bench) -> bool:
    return not bench.world.pools["tank"].datasets["tank/home"].snapshots


def entry_of(bench: Bench) -> Entry:
    (entry,) = bench.journal.entries()
    return entry


def a_console(bench: Bench, host: WatchedHost, *, watches_on: bool = True) -> Operator:
    return Operator(
        [host],
        clock=bench.clock,
        policies=bench.policies,
        journal=bench.journal,
        publish=bench.published.append,
        write=directly,
        watches_on=watches_on,
    )


async def destroy(operator: Operator) -> Run:
    plan = await operator.prepare(HOST, DESTROY)
    return await operator.execute(HOST, plan, CONFIRM)


async def test_a_command_that_runs_28_seconds_after_the_cut_is_done_in_the_end(bench: Bench) -> None:
    """Seen before: after 15 s the journal said for ever that it did not happen."""
    run = await destroy(a_console(bench, CutOnReceipt(bench)))

    assert is_gone(bench)
    assert RunState.DONE is run.state, run.words
    assert ("done", RunState.DONE) == (entry_of(bench).steps[0].state, entry_of(bench).state)
    assert "failed" not in {step.state for each in bench.published for step in each.steps}


async def test_one_that_may_still_run_is_unknown_and_done_once_it_is_seen(bench: Bench) -> None:
    """By then nobody waits any more: this console watches on, and corrects the journal and the screen."""
    host = CutOnReceipt(bench, late_s=SETTLE_FOR_S + 200)
    operator = a_console(bench, host)
    run = await destroy(operator)
    before = entry_of(bench)

    watch = UnsettledWatch(lambda: operator.recover(HOST), bench.clock)
    watch.wake()
    assert watch._task is not None
    await watch._task

    assert RunState.UNKNOWN is run.state
    assert run.is_watched
    assert "process 2000 (sshd) there, which received it, may still start it" in run.words
    assert "this console keeps checking until it is known" in run.words
    assert (RunState.UNKNOWN, "unknown", None) == (before.state, before.steps[0].state, before.ended)
    assert is_gone(bench)
    after = entry_of(bench)
    assert (RunState.DONE, "done") == (after.state, after.steps[0].state)
    assert "its end was not seen; found out 2026-" in after.steps[0].settled
    assert "it happened: tank/home@a is gone" in after.steps[0].settled
    assert after.ended is not None
    assert (run.id, RunState.DONE, False) == (
        bench.published[-1].id,
        bench.published[-1].state,
        bench.published[-1].is_watched,
    )


async def test_one_that_runs_is_waited_for_however_long_it_hangs(bench: Bench) -> None:
    """As in D state: its process is there, so nothing is said of it."""
    host = CutOnReceipt(bench, late_s=0.0, runs_s=3600.0)
    operator = a_console(bench, host)

    run = await destroy(operator)
    bench.manual.advance(3000.0)
    (still,) = await operator.recover(HOST, patience_s=75.0)
    bench.manual.advance(600.0)
    (last,) = await operator.recover(HOST)

    assert [RunState.UNKNOWN, RunState.UNKNOWN, RunState.DONE] == [run.state, still.state, last.state]
    assert "is still running there, as process" in run.words


async def test_what_cannot_run_any_more_did_not_happen_after_two_readings_a_minute_apart(
    bench: Bench,
) -> None:
    host = CutOnReceipt(bench, late_s=0.0, spoils=True)
    began = bench.manual.monotonic()

    run = await destroy(a_console(bench, host))

    assert RunState.FAILED is run.state
    assert APART_S <= bench.manual.monotonic() - began <= SETTLE_FOR_S
    assert not is_gone(bench)
    assert "it did not happen: not so: tank/home@a is gone" in run.words
    assert "the connection that carried it has ended there, with its processes" in run.words
    assert "failed" == entry_of(bench).steps[0].state


async def test_one_reading_is_not_enough(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    host = CutOnReceipt(bench, late_s=0.0, spoils=True)
    operator = a_console(bench, host)

    found = await left_behind(bench, operator, monkeypatch)
    (again,) = await operator.recover(HOST)

    assert RunState.UNKNOWN is found.state
    assert "so far it did not happen" in found.words
    assert RunState.UNKNOWN is again.state
    bench.manual.advance(APART_S)
    (known,) = await operator.recover(HOST)
    assert RunState.FAILED is known.state


async def left_behind(bench: Bench, operator: Operator, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A console is killed when it had sent its command; the next one looks once."""

    class Killed(BaseException):
        pass

    async def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(operator_module, "console_id", lambda: DEAD)
        dying = a_console(bench, operator._askers[HOST].host)  # type: ignore[arg-type]
        patch.setattr(_Execution, "_settle", die)
        with pytest.raises(Killed):
            await destroy(dying)
    bench.published.clear()
    (run,) = await operator.recover(HOST)
    return run


async def test_the_next_console_waits_for_a_late_command_too(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = a_console(bench, CutOnReceipt(bench))

    first = await left_behind(bench, operator, monkeypatch)
    bench.manual.advance(LATE_S)
    (then,) = await operator.recover(HOST)

    assert [RunState.UNKNOWN, RunState.DONE] == [first.state, then.state]
    assert "its end is not in the journal; found out" in entry_of(bench).steps[0].settled


async def test_a_stopped_sshd_keeps_it_unknown_and_a_reboot_ends_that(bench: Bench) -> None:
    host = CutOnReceipt(bench, late_s=None)
    operator = a_console(bench, host)
    run = await destroy(operator)
    bench.manual.advance(3600.0)
    (still,) = await operator.recover(HOST, patience_s=75.0)

    host.under_way.clear()
    bench.world.boot_id = "another"
    (known,) = await operator.recover(HOST, patience_s=75.0)

    assert [RunState.UNKNOWN, RunState.UNKNOWN, RunState.FAILED] == [run.state, still.state, known.state]
    assert "was rebooted since, which ended all processes" in known.words


async def test_where_processes_are_hidden_absence_proves_nothing(bench: Bench) -> None:
    host = CutOnReceipt(bench, late_s=0.0, spoils=True)
    host.answers["sh -c exec grep"] = Completed(LIST_PROCESSES, Outcome.FAILED, 2, b"", b"")

    run = await destroy(a_console(bench, host))

    assert RunState.UNKNOWN is run.state
    assert "whether it is still running there is unknown" in run.words


async def test_a_command_on_another_object_with_a_longer_name_is_not_it(bench: Bench) -> None:
    """Seen before: `zfs destroy tank/home@a` was found in `zfs destroy tank/home@ab`, and waited for."""
    host = CutOnReceipt(bench, late_s=0.0, spoils=True)
    operator = a_console(bench, host)
    plan = await operator.prepare(HOST, DESTROY)
    host.others[4242] = (*plan.steps[0].argv[:-1], plan.steps[0].argv[-1] + "b")

    run = await operator.execute(HOST, plan, CONFIRM)

    assert RunState.FAILED is run.state, run.words


async def test_what_the_connection_was_lost_before_is_told_at_once_as_never_sent(bench: Bench) -> None:
    plan = await bench.operator.prepare(HOST, DESTROY)
    bench.host.answers[" ".join(plan.steps[0].argv)] = NeverSent("the connection was lost")
    began = bench.manual.monotonic()

    run = await bench.operator.execute(HOST, plan, CONFIRM)

    assert RunState.FAILED is run.state
    assert "nothing was sent: the connection was lost" in run.words
    assert bench.manual.monotonic() - began < FIRST_S


async def test_a_step_is_sent_over_the_connection_that_was_looked_at_or_not_at_all(bench: Bench) -> None:
    """Another connection has another sshd: by the old one's absence the step would be told not to happen."""

    class Remade(CutOnReceipt):
        async def run(self, command: Command) -> Completed:
            if command.effect is Effect.CHANGE:
                self.world.connection += 1  # lost and made anew meanwhile, by something else
            return await super().run(command)

    host = Remade(bench)

    run = await destroy(a_console(bench, host))

    assert RunState.FAILED is run.state
    assert "nothing was sent" in run.words
    assert [] == host.under_way


async def test_what_appears_between_the_readings_counts(bench: Bench) -> None:
    """As a history that is written late: nothing of it runs, and then it is seen to have happened."""
    host = CutOnReceipt(bench, late_s=0.0, spoils=True)

    async def settled_late(run: Run) -> None:
        if "so far it did not happen" in run.words and not is_gone(bench):
            bench.manual.advance(APART_S / 2)
            bench.type("zfs destroy tank/home@a")

    tasks: list[asyncio.Task[None]] = []
    operator = Operator(
        [host],
        clock=bench.clock,
        policies=bench.policies,
        journal=bench.journal,
        publish=lambda run: tasks.append(asyncio.ensure_future(settled_late(run))),
        write=directly,
    )
    run = await destroy(operator)

    assert RunState.DONE is run.state
    assert tasks
