"""What users reported of plan and apply, each from words to exit codes as they saw it.

Nothing here leans on how a plan is made or carried out: the same tests run on an earlier release.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.acting import Zconsole, clock, nas, zconsole
from tests.doubles.faulty_host import DrivenClock
from zconsole.base.clock import ManualClock
from zconsole.cli import open_and_ask_named_hosts
from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.practice import PracticeHost
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_writes_and_snapshots import write
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.storage.journal import journal_path

__all__ = ["clock", "nas", "zconsole"]  # fixtures
LATE_S = 28.0
LAST = 6  # calls of zfs and zpool


@pytest.fixture(autouse=True)
def _time_passes_when_it_is_slept(
    nas: PracticeHost, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "nas" == nas.label
    monkeypatch.setattr(open_and_ask_named_hosts, "SystemClock", lambda: DrivenClock(clock))


def typed(nas: PracticeHost, *lines: str) -> None:
    """Somebody else types this on the host."""
    for line in lines:
        reply = answer(nas.world, line.split())
        assert isinstance(reply, Reply)
        assert 0 == reply.status, reply.stderr


def datasets(nas: PracticeHost) -> dict[str, PracticeDataset]:
    return nas.world.pools["tank"].datasets


def planned(zconsole: Zconsole, tmp_path: Path, *words: str, host: str = "nas") -> str:
    file = str(tmp_path / f"{'-'.join(words)}.json".replace("/", "_"))
    code, out, err = zconsole("plan", *words, "--host", host, "-o", file)
    assert 0 == code, (out, err)
    return file


def journal(zconsole: Zconsole) -> list[dict[str, object]]:
    return [json.loads(line) for line in zconsole("journal", "--jsonl")[1].splitlines()]


@dataclass
class Somebody:
    """Acts once on the host, right before the answer to one of the commands; notes all that are asked for."""

    nas: PracticeHost
    acts: Callable[[], None] = lambda: None
    before: int = -1  # which of the commands
    lines: list[str] = field(default_factory=list)

    def __enter__(self) -> Somebody:
        run = self.nas.run

        async def watched(command: Command) -> Completed:
            number = len(self.lines)
            self.lines.append(" ".join(command.argv))
            if number == self.before:
                for _ in range(1000):  # the slowest: the others that were asked for have their answers
                    await asyncio.sleep(0)
                self.acts()
            return await run(command)

        vars(self.nas)["run"] = watched
        return self

    def __exit__(self, *_: object) -> None:
        del vars(self.nas)["run"]


# The world moves between any two commands


def swap(nas: PracticeHost, newcomers: list[int]) -> None:
    """Another file system takes the name."""
    if "tank/race" in datasets(nas):
        typed(nas, "zfs rename tank/race tank/race-safe")
    typed(nas, "zfs create tank/race")
    newcomers.append(datasets(nas)["tank/race"].guid)


def guids(nas: PracticeHost) -> set[int]:
    return {each.guid for each in datasets(nas).values()}


def undisturbed(zconsole: Zconsole, nas: PracticeHost, tmp_path: Path) -> list[str]:
    """What `apply` runs that destroys a file system."""
    typed(nas, "zfs create tank/try")
    file = planned(zconsole, tmp_path, "destroy", "tank/try")
    with Somebody(nas) as nobody:
        assert 0 == zconsole("apply", file, "--confirm", "nas:tank/try")[0]
    return nobody.lines


def test_what_took_the_name_while_the_slowest_reading_was_under_way_is_not_destroyed(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path
) -> None:
    """Reported: the console destroyed the new dataset and said `done`."""
    lines = undisturbed(zconsole, nas, tmp_path)
    slowest = max(number for number, line in enumerate(lines) if line.startswith("find /proc"))
    typed(nas, "zfs create tank/race")
    reviewed = datasets(nas)["tank/race"].guid
    newcomers: list[int] = []
    file = planned(zconsole, tmp_path, "destroy", "tank/race")

    with Somebody(nas, lambda: swap(nas, newcomers), before=slowest):
        code, out, err = zconsole("apply", file, "--confirm", "nas:tank/race")

    assert newcomers
    assert {reviewed, *newcomers} <= guids(nas), (code, out, err)
    assert 3 == code
    assert "nothing was run" in out + err


@pytest.mark.parametrize("left", range(1, LAST + 1))
def test_a_swap_of_names_before_any_of_the_last_calls_hits_nothing_else(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, left: int
) -> None:
    """Reported: in some of these places the newcomer was destroyed, and it was `done`."""
    lines = undisturbed(zconsole, nas, tmp_path)
    calls = [number for number, line in enumerate(lines) if line.startswith(("zfs ", "zpool "))]
    typed(nas, "zfs create tank/race")
    reviewed = datasets(nas)["tank/race"].guid
    newcomers: list[int] = []
    file = planned(zconsole, tmp_path, "destroy", "tank/race")

    with Somebody(nas, lambda: swap(nas, newcomers), before=calls[-left]):
        code, out, err = zconsole("apply", file, "--confirm", "nas:tank/race")

    assert newcomers
    assert set(newcomers) <= guids(nas), (code, out, err)
    assert (code == 0) is (reviewed not in guids(nas)), (code, out, err)


def test_an_empty_file_system_that_was_filled_since_is_another_decision(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path
) -> None:
    """Reported: planned with `refers to 96 KiB`; 2 TiB came before `apply`, which destroyed them."""
    typed(nas, "zfs create tank/race")
    file = planned(zconsole, tmp_path, "destroy", "tank/race")
    write(nas.world.pools["tank"], datasets(nas)["tank/race"], 2 << 30)

    code, out, err = zconsole("apply", file, "--confirm", "nas:tank/race")

    assert "tank/race" in datasets(nas)
    assert 3 == code
    assert "nothing was run" in out + err


class CutOnReceipt(PracticeHost):
    """The link is cut when a change was received; the host takes it up long after."""

    due: list[tuple[float, Command]] | None = None

    async def run(self, command: Command) -> Completed:
        await self.take_up()
        if command.effect is not Effect.CHANGE or self.due is None:
            return await super().run(command)
        self.due.append((self._clock.monotonic() + LATE_S, command))
        self.cut_link()
        return unknown(command, "the connection was lost before it was seen to end")

    async def take_up(self) -> None:
        for at, command in tuple(self.due or ()):
            if at <= self._clock.monotonic() and self.due is not None:
                self.due.remove((at, command))
                await self.connect()
                await super().run(command)


def test_a_command_that_runs_long_after_the_link_was_cut_is_told_as_done_in_the_end(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reported: `failed: it did not happen`, for ever, while 43 objects were gone."""
    host = CutOnReceipt("nas", clock, world=nas.world)
    monkeypatch.setattr("zconsole.hosts.open_host_or_recording.open_host", lambda *_, **__: host)
    typed(nas, "zfs create tank/race", *(f"zfs snapshot tank/race@{number}" for number in range(42)))
    file = planned(zconsole, tmp_path, "destroy", "tank/race@0%41")
    host.due = []
    first = zconsole("apply", file, "--confirm", "nas:tank/race@0%41")
    clock.advance(LATE_S)
    asyncio.run(host.take_up())
    host.due = None

    zconsole("apply", planned(zconsole, tmp_path, "scrub", "tank"))

    assert not datasets(nas)["tank/race"].snapshots
    told = next(each for each in journal(zconsole) if each["action"] == "destroy")
    assert "done" == told["state"], (first, told)


# The journal


def rewrite(statement: str) -> None:
    """Somebody else writes into the journal."""
    connection = sqlite3.connect(journal_path(), isolation_level=None)
    connection.execute(statement)
    connection.close()


@pytest.mark.usefixtures("nas")
def test_a_row_of_the_journal_in_a_state_that_is_none_costs_itself_alone(
    zconsole: Zconsole, tmp_path: Path
) -> None:
    """Reported: a traceback in place of all runs."""
    for comment in ("one", "two"):
        assert 0 == zconsole("apply", planned(zconsole, tmp_path, "set", "tank", f"comment={comment}"),
                             "--confirm", "tank")[0]  # fmt: skip
    rewrite("UPDATE runs SET state = 'wibble' WHERE id = (SELECT min(id) FROM runs)")

    code, out, err = zconsole("journal")

    assert 1 == out.count("UNDO      zpool set comment=")
    assert "wibble" in out + err
    assert 0 == code


@pytest.mark.usefixtures("nas")
def test_a_journal_of_a_newer_format_is_refused_in_a_sentence(zconsole: Zconsole, tmp_path: Path) -> None:
    file = planned(zconsole, tmp_path, "set", "tank", "comment=one")
    assert 0 == zconsole("apply", file, "--confirm", "tank")[0]
    rewrite("PRAGMA user_version = 99")

    code, _, err = zconsole("journal")

    assert 3 == code
    assert "newer" in err
