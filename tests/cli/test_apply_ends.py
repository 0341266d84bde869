"""How `zconsole apply` ends that is killed, stopped, or comes after one that was."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.acting import Zconsole, clock, nas, zconsole
from tests.doubles.faulty_host import DrivenClock
from zconsole.base.clock import ManualClock
from zconsole.cli import open_and_ask_named_hosts
from zconsole.cli.commands.changes.apply import SAID_AFTER_S
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost
from zconsole.service import prepare_execute_and_recover_plans as operator_module
from zconsole.storage.journal import journal_path

__all__ = ["clock", "nas", "zconsole"]  # fixtures
DEAD = "another boot:1:1"


class Killed(BaseException):
    """The program ends here."""


@pytest.fixture(autouse=True)
def flies(nas: PracticeHost, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time passes when it is slept, on the host as well."""
    assert "nas" == nas.label
    monkeypatch.setattr(open_and_ask_named_hosts, "SystemClock", lambda: DrivenClock(clock))


def planned(zconsole: Zconsole, tmp_path: Path, *words: str) -> str:
    file = str(tmp_path / f"{'-'.join(words)}.json".replace("/", "_"))
    assert 0 == zconsole("plan", *words, "--host", "nas", "-o", file)[0]
    return file


def changing(
    host: PracticeHost, monkeypatch: pytest.MonkeyPatch, *, before: object = None, after: object = None
) -> None:
    """Do something right before or after a change runs on the host."""
    run = host.run

    async def changes(command: Command) -> Completed:
        if command.effect is not Effect.CHANGE:
            return await run(command)
        if callable(before):
            await before()
        completed = await run(command)
        if callable(after):
            await after()
        return completed

    monkeypatch.setattr(host, "run", changes)


@pytest.mark.parametrize("is_json", [False, True])
def test_what_a_killed_apply_left_is_told_first_and_as_such(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_json: bool
) -> None:
    """Seen before: the command of the killed one, and never the command of this one."""
    first = planned(zconsole, tmp_path, "set", "tank", "comment=one")

    async def die() -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(operator_module, "console_id", lambda: DEAD)
        changing(nas, patch, after=die)
        with pytest.raises(Killed):
            zconsole("apply", first, "--confirm", "tank")
    nas.world.connection += 1
    second = planned(zconsole, tmp_path, "set", "tank", "autotrim=on")

    code, out, err = zconsole("apply", second, "--confirm", "tank", *(["--json"] if is_json else []))

    told = err if is_json else out
    lines = told.splitlines()
    assert 0 == code
    assert lines[0].startswith("Left by a run of ")
    assert lines[0].endswith(" whose end was not seen:")
    assert lines[1].endswith(": DONE")
    assert "its end is not in the journal; found out " in lines[2]
    assert lines[3].startswith("DONE      zpool set comment=one tank")
    if is_json:
        assert "done" == json.loads(out)["state"]
    else:
        assert ["RUNS      zpool set autotrim=on tank"] == [each for each in lines if each.startswith("RUNS")]


def test_rows_of_the_journal_that_cannot_be_read_are_counted_before_anything_is_run(
    zconsole: Zconsole, tmp_path: Path
) -> None:
    """A row of a known end is not counted, readable or not."""
    for comment in ("one", "two"):
        assert 0 == zconsole("apply", planned(zconsole, tmp_path, "set", "tank", f"comment={comment}"),
                             "--confirm", "tank")[0]  # fmt: skip
    with closing(sqlite3.connect(journal_path())) as journal:
        first, second = (row for (row,) in journal.execute("SELECT id FROM runs ORDER BY started"))
        journal.execute("UPDATE runs SET state = 'wibble' WHERE id = ?", (first,))
        journal.execute("UPDATE runs SET destroys = '{' WHERE id = ?", (second,))
        journal.commit()
    file = planned(zconsole, tmp_path, "set", "tank", "autotrim=on")

    code, out, err = zconsole("apply", file, "--confirm", "tank")

    assert 0 == code
    assert err.startswith("The journal has 1 row that cannot be read: it may be a run without a known end.")
    assert 1 == err.count("cannot be read")
    assert "cannot be read" not in out


def test_it_says_once_that_it_waits_for_a_journal_that_another_program_holds(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits on, and refuses in the end: nothing runs without the journal."""
    assert 2.0 > SAID_AFTER_S
    monkeypatch.setattr("zconsole.cli.commands.changes.apply.SAID_AFTER_S", 0.02)
    monkeypatch.setattr("zconsole.storage.journal.BUSY_TIMEOUT_S", 0.08)
    file = planned(zconsole, tmp_path, "set", "tank", "comment=one")
    journal_path().parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(journal_path(), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")

        code, out, err = zconsole("apply", file, "--confirm", "tank")

    waits = f"Waiting for the journal {journal_path()}: another program may hold it locked."
    assert 3 == code
    assert [waits] == [each for each in err.splitlines() if each.startswith("Waiting")]
    assert "the journal" in out
    assert "database is locked" in out
    assert "comment" not in nas.world.pools["tank"].properties


def test_a_journal_that_answers_at_once_is_not_waited_for(zconsole: Zconsole, tmp_path: Path) -> None:
    code, _, err = zconsole("apply", planned(zconsole, tmp_path, "set", "tank", "comment=one"),
                            "--confirm", "tank")  # fmt: skip

    assert (0, "") == (code, err)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_with_what_became_of_the_step(
    zconsole: Zconsole,
    nas: PracticeHost,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    file = planned(zconsole, tmp_path, "set", "tank", "comment=one")

    async def press_and_hang() -> None:
        os.kill(os.getpid(), number)
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        changing(nas, patch, after=press_and_hang)
        code, out, err = zconsole("apply", file, "--confirm", "tank")
    assert 0 == code, "it had happened, and that was seen"
    assert "Stopping: no further step is sent." in err
    assert "you left before its end was seen" in out
    assert "it happened" in out


def test_one_whose_end_is_not_known_then_ends_with_4(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = planned(zconsole, tmp_path, "set", "tank", "comment=one")

    async def press_and_hang() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        changing(nas, patch, before=press_and_hang)
        code, out, _ = zconsole("apply", file, "--confirm", "tank")
    _, journal, _ = zconsole("journal", "--jsonl")

    assert 4 == code
    assert ": UNKNOWN\nyou left before its end was seen" in out
    assert "the next zconsole that is opened on this host keeps checking until it is known" in out
    (entry,) = (json.loads(each) for each in journal.splitlines())
    assert (RunState.UNKNOWN.value, "unknown") == (entry["state"], entry["steps"][0]["state"])


def test_a_second_one_leaves_at_once(
    zconsole: Zconsole,
    nas: PracticeHost,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = planned(zconsole, tmp_path, "set", "tank", "comment=one")

    def leave(code: int) -> None:
        raise SystemExit(code)

    async def press_twice() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr("os._exit", leave)
        changing(nas, patch, before=press_twice)
        code, _, err = zconsole("apply", file, "--confirm", "tank")

    assert 4 == code
    assert "UNKNOWN: you left before its end was seen" in err
    _, journal, _ = zconsole("journal", "--jsonl")
    assert json.loads(journal)["steps"][0]["state"] in {"sent", "unknown"}


def test_stopped_before_anything_is_sent_it_has_run_nothing(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = planned(zconsole, tmp_path, "set", "tank", "comment=one")
    read = nas.read

    async def press(path: str, *, max_bytes: int = 1024) -> bytes:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
        return await read(path, max_bytes=max_bytes)

    with monkeypatch.context() as patch:
        patch.setattr(nas, "read", press)
        patch.setattr("os._exit", lambda code: pytest.fail(f"left with {code}"))
        patch.setattr("zconsole.cli.commands.changes.apply._Applying._leave_at_once", lambda _: None)
        code, _, err = zconsole("apply", file, "--confirm", "tank")

    assert 3 == code
    assert "you stopped it before anything was sent: nothing was run" in err
    assert "" == zconsole("journal", "--jsonl")[1]
