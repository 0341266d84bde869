"""Carrying out plans: what is sent, and what is kept of it."""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.practice_runs import HOST, Bench, WatchedHost
from tests.doubles.scripted_host import failed
from tests.execution.confirmed import ANN, DESTROY, HOLD, PASSWD, planned
from zconsole.actions.intent import intent
from zconsole.actions.plan import (
    SUDO_SECRET,
    Rehearsal,
    Risk,
)
from zconsole.base.errors import LinkLost
from zconsole.base.secret import Secret
from zconsole.hosts.build_command_results import ended, never_started, unknown
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.journal import Entry
from zconsole.model.run import RunState
from zconsole.storage.journal import Journal, JournalError

NOPASSWD = ended(Command(("sudo",)), 0, b"    Options: !authenticate\n", b"")


@pytest.fixture
def bench() -> Bench:
    return Bench()


async def test_a_plan_is_carried_out_as_it_was_shown(bench: Bench) -> None:
    plan = await planned(bench)

    run = await bench.operator.execute(HOST, plan)

    assert RunState.DONE is run.state
    assert ["zfs hold keep tank/home@a"] == bench.host.changes
    assert "keep" in bench.says(("zfs", "holds", "-H", "tank/home@a"))
    assert (plan.title, plan.undo) == (run.title, run.undo)


async def test_every_stage_is_told(bench: Bench) -> None:
    run = await bench.operator.execute(HOST, await planned(bench))

    states = list(dict.fromkeys(each.state for each in bench.published))
    assert [RunState.CHECKING, RunState.RUNNING, RunState.DONE] == states
    assert run == bench.published[-1]
    assert {run.id} == {each.id for each in bench.published}
    assert ["waiting", "running", "done"] == list(
        dict.fromkeys(each.steps[0].state for each in bench.published)
    )


async def test_the_journal_has_who_from_where_what_and_how_it_ended(bench: Bench) -> None:
    plan = await planned(bench)
    run = await bench.operator.execute(HOST, plan)

    (entry,) = bench.journal.entries()

    assert (run.id, HOST, "storage24", bench.world.machine_id) == (
        entry.id,
        entry.host,
        entry.hostname,
        entry.machine_id,
    )
    assert ("root", "hold", plan.title, plan.fingerprint) == (
        entry.who,
        entry.action,
        entry.title,
        entry.fingerprint,
    )
    assert "@" in entry.origin
    assert RunState.DONE is entry.state
    assert ("done", 0) == (entry.steps[0].state, entry.steps[0].status)
    assert entry.started <= (entry.steps[0].sent or 0) <= (entry.steps[0].ended or 0) <= (entry.ended or 0)


async def test_the_step_is_on_disk_before_it_is_sent(bench: Bench) -> None:
    seen: list[str] = []

    class Peeking(WatchedHost):
        async def run(self, command: Command) -> Completed:
            if command.effect is Effect.CHANGE:
                seen.extend(step.state for entry in bench.journal.entries() for step in entry.steps)
            return await super().run(command)

    operator = bench.another(Peeking(bench.host))

    await operator.execute(HOST, await planned(bench))

    assert ["sent"] == seen


async def test_the_storage_host_gets_a_line_in_its_log(bench: Bench) -> None:
    await bench.operator.execute(HOST, await planned(bench))

    (logger,) = (each for each in bench.host.commands if each.argv[0] == "logger")
    assert ("logger", "-t", "zconsole", "--") == logger.argv[:4]
    assert "done: zfs hold keep tank/home@a (by " in logger.argv[4]
    assert Effect.READ is logger.effect


async def test_zfs_saying_no_ends_the_run_with_its_own_words(bench: Bench) -> None:
    plan = await planned(bench)
    bench.host.answers["zfs hold"] = failed("zfs hold", 1, b"cannot hold: out of space\n")

    run = await bench.operator.execute(HOST, plan)

    assert (RunState.FAILED, "it was refused: cannot hold: out of space") == (run.state, run.words)
    assert ("failed", 1, "cannot hold: out of space") == (
        run.steps[0].state,
        run.steps[0].status,
        run.steps[0].said,
    )
    assert RunState.FAILED is bench.journal.entries()[0].state


async def test_a_journal_that_cannot_be_written_stops_everything(bench: Bench) -> None:
    plan = await planned(bench)

    class Full(Journal):
        def begin(self, entry: Entry) -> None:
            raise JournalError("the journal cannot be written: disk full")

    bench.journal = Full(is_kept=False)

    run = await bench.another().execute(HOST, plan)

    assert RunState.REFUSED is run.state
    assert "disk full" in run.words
    assert [] == bench.host.changes


@pytest.mark.parametrize("at", ["begin", "sent", "step_ended"])
async def test_a_journal_that_is_removed_under_a_run_is_written_anew_and_the_user_is_told(
    at: str, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = await planned(bench)
    bench.journal = Journal(tmp_path / "state" / "journal.sqlite")
    write = getattr(bench.journal, at)

    def then_remove(*arguments: object) -> None:
        write(*arguments)
        shutil.rmtree(tmp_path / "state")

    monkeypatch.setattr(bench.journal, at, then_remove)

    run = await bench.another().execute(HOST, plan)

    assert RunState.DONE is run.state
    assert f"the journal {bench.journal.path} was removed or replaced meanwhile" in run.words
    (entry,) = Journal(bench.journal.path).entries()
    assert (RunState.DONE, "done") == (entry.state, entry.steps[0].state)


async def test_a_journal_that_is_gone_for_good_is_told_with_the_end_of_the_run(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = await planned(bench)
    bench.journal = Journal(tmp_path / "state" / "journal.sqlite")
    write = bench.journal.sent

    def then_remove(*arguments: Any) -> None:
        write(*arguments)
        shutil.rmtree(tmp_path / "state")
        (tmp_path / "state").write_bytes(b"something else")

    monkeypatch.setattr(bench.journal, "sent", then_remove)

    run = await bench.another().execute(HOST, plan)

    assert RunState.DONE is run.state
    assert "the end of this run is not in the journal: the journal" in run.words


async def test_a_journal_that_fails_after_a_step_keeps_the_step_and_says_so(bench: Bench) -> None:
    plan = await planned(bench)

    class Filling(Journal):
        def step_ended(self, *arguments: object) -> None:
            raise JournalError("the journal cannot be written: disk full")

    bench.journal = Filling(is_kept=False)

    run = await bench.another().execute(HOST, plan)

    assert RunState.DONE is run.state
    assert "disk full" in run.words


async def test_an_end_of_a_step_that_could_not_be_written_is_written_with_the_end_of_the_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = await planned(bench)
    write, calls = bench.journal.step_ended, list[int]()

    def locked_once(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise JournalError("the journal cannot be written: database is locked")
        write(*arguments)

    monkeypatch.setattr(bench.journal, "step_ended", locked_once)

    run = await bench.operator.execute(HOST, plan)

    (entry,) = bench.journal.entries()
    assert (RunState.DONE, "done", "done") == (run.state, run.words, entry.steps[0].state)


async def test_a_lost_link_is_settled_by_the_facts(bench: Bench) -> None:
    """The step ran, and nobody saw its end."""
    plan = await planned(bench)

    class Cutting(WatchedHost):
        async def run(self, command: Command) -> Completed:
            completed = await super().run(command)
            if command.effect is Effect.CHANGE:
                return unknown(command, "the connection was lost before it was seen to end")
            return completed

    run = await bench.another(Cutting(bench.host)).execute(HOST, plan)

    assert RunState.DONE is run.state
    assert "it happened" in run.steps[0].settled
    assert RunState.SETTLING in {each.state for each in bench.published}
    assert ["zfs hold keep tank/home@a"] == bench.host.changes
    assert "it happened" in bench.journal.entries()[0].steps[0].settled


async def test_a_step_that_never_ran_is_settled_too(bench: Bench) -> None:
    plan = await planned(bench)
    bench.host.answers["zfs hold"] = LinkLost("the connection was lost")

    run = await bench.operator.execute(HOST, plan)

    assert RunState.UNKNOWN is run.state, "the sshd that would start it is there"
    assert "so far not so: tank/home@a has the hold keep" in run.words
    bench.world.connection += 1
    (known,) = await bench.operator.recover(HOST, patience_s=75.0)
    assert RunState.FAILED is known.state
    assert "it did not happen" in known.words
    assert 1 == len(bench.host.changes)


async def test_what_nothing_tells_stays_unknown_with_what_to_look_at(bench: Bench) -> None:
    plan = await planned(bench)

    class Blind(WatchedHost):
        """From the change on, nothing can be read any more."""

        async def run(self, command: Command) -> Completed:
            completed = await super().run(command)
            if self.changes and command.argv[:2] in {("zfs", "list"), ("zpool", "history")}:
                return ended(command, 1, b"", b"internal error\n")
            return completed

    blind = Blind(bench.host)
    blind.answers["zfs hold"] = unknown(Command(()), "no answer within 60 s")

    run = await bench.another(blind).execute(HOST, plan)

    assert RunState.UNKNOWN is run.state
    assert "no answer within 60 s" in run.words
    assert "internal error" in run.words
    assert "unknown" == run.steps[0].state
    assert RunState.UNKNOWN is bench.journal.entries()[0].state


@pytest.mark.parametrize(
    ("probe", "argv"),
    [
        (NOPASSWD, ("sudo", "-n", "zfs", "hold", "keep", "tank/home@a")),
        (PASSWD, ("sudo", "-k", "-S", "-p", "", "zfs", "hold", "keep", "tank/home@a")),
    ],
)
async def test_sudo_is_used_as_it_is_allowed(bench: Bench, probe: Completed, argv: tuple[str, ...]) -> None:
    bench.host.answers |= {
        "id": ANN,
        "sudo -n -l -l": probe,
        "sudo -n zfs hold": ended(Command(()), 0, b"", b""),
        "sudo -k -S": ended(Command(()), 0, b"", b""),
    }
    plan = await planned(bench)
    secrets = {name: Secret("hunter2") for name in plan.secrets}

    run = await bench.operator.execute(HOST, plan, "", secrets)

    assert RunState.DONE is run.state
    sent = next(each for each in bench.host.commands if each.effect is Effect.CHANGE)
    assert argv == sent.argv
    assert (b"hunter2\n" if SUDO_SECRET in secrets else None) == sent.stdin
    assert argv == bench.journal.entries()[0].steps[0].sent_argv


async def test_where_sudo_does_not_tell_it_is_tried_without_the_password_first(bench: Bench) -> None:
    """The password is sent once sudo itself has refused to start the command without."""
    asked = b"sudo: a password is required\n"
    bench.host.answers |= {
        "id": ANN,
        "sudo -n -l -l": ended(Command(()), 0, b"/usr/sbin/zfs hold\n", b""),
        "sudo -n -k -v": ended(Command(()), 1, b"", asked),
        "sudo -n zfs hold": ended(Command(()), 1, b"", asked),
        "sudo -k -S": ended(Command(()), 0, b"", b""),
    }
    plan = await planned(bench)

    run = await bench.operator.execute(HOST, plan, "", {SUDO_SECRET: Secret("hunter2")})

    assert RunState.DONE is run.state
    first, second = (each for each in bench.host.commands if each.effect is Effect.CHANGE)
    assert first.stdin is None
    assert b"hunter2\n" == second.stdin


async def test_what_is_delegated_needs_no_password_even_where_sudo_asks_for_one(bench: Bench) -> None:
    """It asks also those whom it allows nothing; where the delegation is gone at last, nothing is sent."""
    given = b"---- Permissions on tank ---\nLocal+Descendent permissions:\n\tuser ann hold\n"
    bench.host.answers |= {
        "id": ANN,
        "sudo -n": ended(Command(()), 1, b"", b"sudo: a password is required\n"),
        "zfs allow": ended(Command(()), 0, given, b""),
    }
    plan = await planned(bench)
    assert () == plan.secrets

    run = await bench.operator.execute(HOST, plan)

    assert (RunState.DONE, ["zfs hold keep tank/home@a"]) == (run.state, bench.host.changes)
    bench.host.answers["zfs allow"] = ended(Command(()), 0, b"", b"")
    refused = await bench.operator.execute(HOST, await planned(bench, intent("hold", "tank/home@a", "more")))
    assert RunState.REFUSED is refused.state
    assert SUDO_SECRET in refused.words
    assert 1 == len(bench.host.changes)


async def test_without_root_and_without_a_delegation_the_plan_is_refused(bench: Bench) -> None:
    no_sudo = never_started(Command(()), "there is no program sudo", status=127)
    bench.host.answers |= {
        "id": ANN,
        "sudo": no_sudo,
        "doas": no_sudo,
        "zfs allow": ended(Command(()), 0, b"", b""),
    }

    plan = await bench.operator.prepare(HOST, HOLD)

    assert ["permission"] == [each.rule for each in plan.refusals]


async def test_no_secret_is_in_the_journal_in_a_log_or_in_what_is_told(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    bench.host.answers |= {
        "id": ANN,
        "sudo -n -l -l": PASSWD,
        "sudo -k -S": ended(Command(()), 0, b"", b""),
    }
    plan = await planned(bench)

    run = await bench.operator.execute(HOST, plan, "", {SUDO_SECRET: Secret("hunter2")})

    assert RunState.DONE is run.state
    told = [repr(run), repr(bench.published), repr(bench.journal.entries()), caplog.text]
    told += ["\n".join(bench.journal._open().iterdump())]
    told += [" ".join(each.argv) for each in bench.host.commands]
    assert not any("hunter2" in each for each in told)


async def test_a_dry_run_that_zfs_refuses_refuses_the_plan(bench: Bench) -> None:
    bench.host.answers["zfs destroy -n"] = failed("zfs destroy", 1, b"cannot destroy: busy\n")

    plan = await bench.operator.prepare(HOST, DESTROY)

    assert Risk.REFUSED is plan.risk
    assert ("dry-run", "ZFS would refuse it: cannot destroy: busy") == (
        plan.refusals[0].rule,
        plan.refusals[0].reason,
    )
    assert "cannot destroy: busy" == plan.rehearsals[0].said


async def test_a_dry_run_that_gives_no_answer_refuses_the_plan(bench: Bench) -> None:
    bench.host.answers["zfs destroy -n"] = unknown(Command(()), "no answer within 120 s")

    plan = await bench.operator.prepare(HOST, DESTROY)

    assert plan.is_refused
    assert "no answer within 120 s" in plan.refusals[0].reason


async def test_what_the_dry_run_said_is_shown(bench: Bench) -> None:
    plan = await planned(bench, DESTROY)

    (rehearsal,) = plan.rehearsals
    assert isinstance(rehearsal, Rehearsal)
    assert 0 == rehearsal.status
    assert "destroy\ttank/home@a" in rehearsal.said


async def test_preparing_changes_nothing(bench: Bench) -> None:
    await bench.operator.prepare(HOST, DESTROY)

    assert [] == bench.host.changes


async def test_a_suspended_pool_refuses_what_is_in_it(bench: Bench) -> None:
    bench.world.pools["tank"].is_suspended = True
    version = ended(Command(()), 0, bench.says(("zfs", "version")).encode(), b"")
    silence = unknown(Command(()), "no answer within 10 s")
    bench.host.answers |= {"zpool": silence, "zfs": silence, "zfs version": version}

    plan = await bench.operator.prepare(HOST, HOLD)

    assert "suspended" in [each.rule for each in plan.refusals]


async def test_one_plan_at_a_time(bench: Bench) -> None:
    """The second waits, and is checked against what the first left."""
    first, second = await planned(bench), await planned(bench)

    runs = await asyncio.gather(bench.operator.execute(HOST, first), bench.operator.execute(HOST, second))

    assert [RunState.DONE, RunState.STALE] == [run.state for run in runs]
    assert 1 == len(bench.host.changes)
