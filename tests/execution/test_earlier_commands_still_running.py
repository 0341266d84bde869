"""A command of an earlier run that still runs on the host: nothing is sent beside it."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from tests.doubles.practice_runs import HOST, Bench
from tests.execution.outcomes.test_watch_unsettled_runs import CutOnReceipt, a_console, bench, destroy
from zconsole.actions.intent import Intent, intent
from zconsole.execution.earlier_commands_still_running import still_under_way
from zconsole.execution.run_context import console_id
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.run import Run, RunState
from zconsole.service import prepare_execute_and_recover_plans as operator_module

__all__ = ["bench"]  # a fixture
DEAD = "another boot:1:1"
LONG_S = 600.0
HOLD = intent("hold", "tank/home@a", "keep")


class CutOnce(CutOnReceipt):
    """The link is sound after the first change."""

    cuts = True

    async def run(self, command: Command) -> Completed:
        if command.effect is not Effect.CHANGE or self.cuts:
            return await super().run(command)
        self.commands.append(command)
        return await self.inner.run(command)


async def left_running(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, *, console: str = DEAD, late_s: float | None = 0.0
) -> CutOnce:
    """A console is gone; what it sent last goes on."""
    host = CutOnce(bench, late_s=late_s, runs_s=LONG_S)
    with monkeypatch.context() as patch:
        patch.setattr(operator_module, "console_id", lambda: console)
        run = await destroy(a_console(bench, host, watches_on=False))
    assert RunState.UNKNOWN is run.state, run.words
    host.cuts = False
    return host


async def carry_out(bench: Bench, host: CutOnce, wanted: Intent = HOLD) -> Run:
    host.commands.clear()
    operator = a_console(bench, host)
    plan = await operator.prepare(HOST, wanted)
    return await operator.execute(HOST, plan, plan.confirm or "")


async def test_nothing_is_sent_while_what_was_sent_before_still_runs(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen before: two disks were taken offline at once, each by a plan with the other still there."""
    host = await left_running(bench, monkeypatch)

    run = await carry_out(bench, host)

    assert RunState.REFUSED is run.state, run.words
    assert "is still running there, as process" in run.words
    assert "destroy snapshot tank/home@a" in run.words
    assert [] == host.changes


@pytest.mark.parametrize("number", [os.getpid(), os.getppid()], ids=["itself", "its parent"])
async def test_a_console_that_lives_does_not_hide_what_it_left(
    number: int, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds no lock any more, and has told its user that the end is not known."""
    host = await left_running(bench, monkeypatch, console=console_id(number))

    run = await carry_out(bench, host)

    assert RunState.REFUSED is run.state, run.words


@pytest.mark.parametrize(("action", "is_kept_out"), [("clear", False), ("scrub", True)])
async def test_what_makes_a_suspended_pool_go_on_is_never_kept_out(
    action: str, bench: Bench, monkeypatch: pytest.MonkeyPatch, *, is_kept_out: bool
) -> None:
    """What hangs in such a pool ends only then."""
    host = await left_running(bench, monkeypatch)
    operator = a_console(bench, host)
    plan = replace(await operator.prepare(HOST, HOLD), intent=intent(action, "tank"))

    words = await still_under_way(operator._reader(HOST), operator._context, plan, "")

    assert is_kept_out is bool(words)


async def test_once_it_has_ended_others_may(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    host = await left_running(bench, monkeypatch)
    bench.manual.advance(LONG_S)
    await host.go_on()

    run = await carry_out(bench, host, intent("snapshot", "tank/home@b"))

    assert RunState.DONE is run.state, run.words


async def test_what_may_only_still_start_keeps_nobody_out(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that died silently lives on for hours on its host."""
    host = await left_running(bench, monkeypatch, late_s=None)

    run = await carry_out(bench, host)

    assert RunState.DONE is run.state, run.words
