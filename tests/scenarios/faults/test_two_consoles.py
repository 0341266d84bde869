"""Two consoles at one host: whoever comes second finds the lock taken, or the plan stale. Both cannot win."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.doubles.practice_runs import HOST, Bench, WatchedHost
from zconsole.actions.intent import intent
from zconsole.base.errors import CommandFailed
from zconsole.execution.host_lock import FOLDER, HELD, TAKE_AS_ROOT, TAKEN_STATUS, UNUSABLE_STATUS
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed, Effect, Host, Piped
from zconsole.model.run import Run, RunState


class Locks:
    """The locks of one machine: flock as every link to it sees it."""

    def __init__(self) -> None:
        self.is_taken = False


class Holding:
    """What holds it, or says that it is taken."""

    def __init__(self, locks: Locks, command: Command, *, is_mine: bool) -> None:
        self._locks = locks
        self._command = command
        self._is_mine = is_mine
        self._said = HELD if is_mine else b"1000000000\n" + b"somebody\n"

    async def read(self) -> bytes:
        said, self._said = self._said, b""
        return said

    async def write(self, data: bytes) -> None:
        raise AssertionError(data)

    def finish(self) -> None:
        if self._is_mine:
            self._locks.is_taken = self._is_mine = False

    kill = finish

    def words(self) -> bytes:
        return b""

    async def ended(self) -> Completed:
        return ended(self._command, TAKEN_STATUS, b"", b"")


class LinkToIt(WatchedHost):
    """One console's link to a host with flock, with its own pace."""

    def __init__(self, inner: Host, locks: Locks, seed: int = 0) -> None:
        super().__init__(inner)
        self._locks = locks
        self._random = random.Random(seed)  # noqa: S311 - the order of events, not keys

    async def run(self, command: Command) -> Completed:
        for _ in range(self._random.randint(0, 3)):
            await asyncio.sleep(0)
        return await super().run(command)

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        assert TAKE_AS_ROOT == command.argv
        is_mine = not self._locks.is_taken
        self._locks.is_taken = True
        holding = Holding(self._locks, command, is_mine=is_mine)
        try:
            yield holding
        finally:
            holding.finish()


async def both(bench: Bench, first: Host, second: Host, *lines: str) -> tuple[Run, Run]:
    """Two consoles set a property to something else at the same time, both from the same state."""
    operators = bench.another(first), bench.another(second)
    wanted = [intent("set", "tank/home", line) for line in lines]
    plans = [await operator.prepare(HOST, each) for operator, each in zip(operators, wanted, strict=True)]
    runs = await asyncio.gather(
        *(
            operator.execute(HOST, plan, plan.confirm or "")
            for operator, plan in zip(operators, plans, strict=True)
        )
    )
    return runs[0], runs[1]


@pytest.mark.parametrize("seed", range(12))
async def test_of_two_that_act_at_once_one_wins(seed: int) -> None:
    """ZFS itself would take both, and the later would undo the earlier without a word."""
    bench, locks = Bench(), Locks()
    links = LinkToIt(bench.host, locks, seed), LinkToIt(bench.host, locks, seed + 100)

    runs = await both(bench, *links, "compression=zstd", "compression=gzip")

    winners = [run for run in runs if run.state is RunState.DONE]
    losers = [run for run in runs if run.state in {RunState.STALE, RunState.REFUSED}]
    assert (1, 1) == (len(winners), len(losers)), [(run.state, run.words) for run in runs]
    assert 1 == len([*links[0].changes, *links[1].changes])
    value = winners[0].steps[0].argv[2].partition("=")[2]
    assert value in bench.says(("zfs", "get", "-H", "compression", "tank/home"))


class Unusable(Holding):
    """A directory stands where the lock is to be."""

    def __init__(self, command: Command) -> None:
        super().__init__(Locks(), command, is_mine=False)
        self._said = f"0/directory/{FOLDER}\n0/directory/{FOLDER}/lock\n".encode()

    async def ended(self) -> Completed:
        return ended(self._command, UNUSABLE_STATUS, b"", b"")


class LinkWithoutALock(WatchedHost):
    """A host with flock, whose lock cannot be taken."""

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        yield Unusable(command)


async def test_where_no_lock_can_be_taken_neither_acts_and_both_are_told_why() -> None:
    bench = Bench()
    links = LinkWithoutALock(bench.host), LinkWithoutALock(bench.host)

    runs = await both(bench, *links, "compression=zstd", "compression=gzip")

    assert [] == [*links[0].changes, *links[1].changes]
    for run in runs:
        assert RunState.REFUSED is run.state
        assert f"{FOLDER}/lock is a directory: find out who made it, and remove it there" in run.words
    assert () == bench.journal.entries()


async def test_who_comes_a_moment_later_finds_the_plan_stale() -> None:
    bench = Bench()
    operators = bench.another(), bench.another()
    plans = [
        await operator.prepare(HOST, intent("set", "tank/home", line))
        for operator, line in zip(operators, ("compression=zstd", "compression=gzip"), strict=True)
    ]

    first = await operators[0].execute(HOST, plans[0], plans[0].confirm or "")
    second = await operators[1].execute(HOST, plans[1], plans[1].confirm or "")

    assert (RunState.DONE, RunState.STALE) == (first.state, second.state)
    assert any("compression" in each for each in second.differences)


async def test_even_without_a_lock_zfs_lets_one_destroy_only() -> None:
    """The practice host has no flock: what both want to take away is taken once."""
    bench = Bench()
    plans = [await bench.operator.prepare(HOST, intent("destroy", "tank/home@a")) for _ in range(2)]

    runs = await asyncio.gather(*(bench.another().execute(HOST, plan, plan.confirm or "") for plan in plans))

    assert 1 == sum(run.state is RunState.DONE for run in runs)


class Between(WatchedHost):
    """Another console, or anybody else, acts between the check and the only change, or right after it."""

    def __init__(self, bench: Bench, *, before: str = "", after: str = "") -> None:
        super().__init__(bench.host)
        self._bench, self._before, self._after = bench, before, after
        self.is_cut_after_it = False

    async def run(self, command: Command) -> Completed:
        if self.changes and self.is_cut_after_it and command.argv[0] == "zpool":
            raise CommandFailed("no answer")
        if command.effect is not Effect.CHANGE:
            return await super().run(command)
        self._bench.type(*filter(None, [self._before]))
        done = await super().run(command)
        self._bench.type(*filter(None, [self._after]))
        return done


OTHER = "zfs set compression=gzip tank/home"


async def set_without_a_lock(bench: Bench, link: Host, line: str = "compression=zstd") -> Run:
    operator = bench.another(link)
    plan = await operator.prepare(HOST, intent("set", "tank/home", line))
    return await operator.execute(HOST, plan, plan.confirm or "")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"after": OTHER}, f"done; after it somebody else ran: {OTHER}"),
        ({"before": OTHER}, f"done; just before it somebody else ran: {OTHER}"),
        (
            {"after": "zfs inherit compression tank/home"},
            "done; after it somebody else ran: zfs inherit compression tank/home",
        ),
        ({"before": "zfs set compression=zstd tank/home"}, "done"),
        ({"after": "zfs set atime=off tank/home"}, "done"),
        ({"before": "zfs set compression=gzip tank"}, "done"),
        ({"after": "zfs snapshot tank/home@b"}, "done"),
    ],
)
async def test_without_a_lock_both_hear_of_each_other(typed: dict[str, str], words: str) -> None:
    """Where both have checked before either acts, ZFS takes both values, and the later holds."""
    bench = Bench()

    run = await set_without_a_lock(bench, Between(bench, **typed))

    assert (RunState.DONE, words) == (run.state, run.words)
    assert words == bench.journal.entries()[-1].words


async def test_what_was_set_before_the_check_is_no_news() -> None:
    bench = Bench()
    bench.type(OTHER)

    assert "done" == (await set_without_a_lock(bench, bench.host)).words


async def test_with_a_lock_no_history_is_read() -> None:
    bench = Bench()
    link = LinkToIt(bench.host, Locks())

    await set_without_a_lock(bench, link, "atime=off")

    assert ("zpool", "history") not in [each.argv[:2] for each in link.commands]


async def test_a_last_look_that_fails_spoils_nothing() -> None:
    bench = Bench()
    link = Between(bench, after=OTHER)
    link.is_cut_after_it = True

    run = await set_without_a_lock(bench, link, "atime=off")

    words = "done; it succeeded, and what it did could not be read: no answer"
    assert (RunState.DONE, words) == (run.state, run.words)


async def test_the_lock_ends_with_the_run_however_it_ends() -> None:
    bench, locks = Bench(), Locks()
    link = LinkToIt(bench.host, locks)
    operator = bench.another(link)
    plan = await operator.prepare(HOST, intent("hold", "tank/home@a", "keep"))
    bench.type("zfs hold other tank/home@a")

    run = await operator.execute(HOST, plan)

    assert RunState.STALE is run.state
    assert not locks.is_taken
